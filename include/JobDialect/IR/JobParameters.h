//===- JobParameters.h - Parameters of attributes ---------------*- C++ -*-===//

#ifndef JOBDIALECT_IR_JOBPARAMETERS_H
#define JOBDIALECT_IR_JOBPARAMETERS_H

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/bit.h"

namespace mlir::job {

/// A double as a parameter of an attribute, compared and hashed by its bits so
/// that attributes stay unique (NaN equals itself, 0 differs from -0).
struct F64 {
  double value = 0;
  F64() = default;
  F64(double value) : value(value) {}
  operator double() const { return value; }
  friend bool operator==(F64 lhs, F64 rhs) {
    return llvm::bit_cast<uint64_t>(lhs.value) ==
           llvm::bit_cast<uint64_t>(rhs.value);
  }
  friend llvm::hash_code hash_value(F64 number) {
    return llvm::hash_value(llvm::bit_cast<uint64_t>(number.value));
  }
  friend AsmPrinter &operator<<(AsmPrinter &printer, F64 number) {
    printer.printFloat(APFloat(number.value));
    return printer;
  }
};

} // namespace mlir::job

template <> struct mlir::FieldParser<mlir::job::F64> {
  static FailureOr<mlir::job::F64> parse(AsmParser &parser) {
    double value;
    if (parser.parseFloat(value))
      return failure();
    return mlir::job::F64(value);
  }
};

#endif // JOBDIALECT_IR_JOBPARAMETERS_H
