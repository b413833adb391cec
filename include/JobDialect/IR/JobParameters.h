//===- JobParameters.h - Parameters of attributes ---------------*- C++ -*-===//

#ifndef JOBDIALECT_IR_JOBPARAMETERS_H
#define JOBDIALECT_IR_JOBPARAMETERS_H

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

#include <tuple>

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

/// The devices `first` to `last` of a machine, both included.
struct DeviceRange {
  uint32_t machine = 0;
  uint32_t first = 0;
  uint32_t last = 0;

  friend bool operator==(const DeviceRange &lhs, const DeviceRange &rhs) {
    return std::tie(lhs.machine, lhs.first, lhs.last) ==
           std::tie(rhs.machine, rhs.first, rhs.last);
  }
  friend llvm::hash_code hash_value(const DeviceRange &range) {
    return llvm::hash_combine(range.machine, range.first, range.last);
  }
};

/// How a blob is distributed along one axis of a device mesh. Printed as in
/// the SBP notation: "S(0)", "B", "P".
struct AxisSharding {
  enum class Kind {
    /// Each device has a part of dimension `dim`.
    Split,
    /// Each device has the whole blob.
    Broadcast,
    /// Each device has a term; the blob is their sum.
    Partial
  };
  Kind kind = Kind::Broadcast;
  /// Of a split; 0 otherwise.
  int64_t dim = 0;

  friend bool operator==(const AxisSharding &lhs, const AxisSharding &rhs) {
    return lhs.kind == rhs.kind && lhs.dim == rhs.dim;
  }
  friend llvm::hash_code hash_value(const AxisSharding &axis) {
    return llvm::hash_combine(axis.kind, axis.dim);
  }
  friend AsmPrinter &operator<<(AsmPrinter &printer, const AxisSharding &axis) {
    switch (axis.kind) {
    case Kind::Split:
      return printer << "S(" << axis.dim << ')';
    case Kind::Broadcast:
      return printer << 'B';
    case Kind::Partial:
      return printer << 'P';
    }
    llvm_unreachable("unknown kind");
  }
};

} // namespace mlir::job

template <> struct mlir::FieldParser<mlir::job::AxisSharding> {
  static FailureOr<mlir::job::AxisSharding> parse(AsmParser &parser) {
    using mlir::job::AxisSharding;
    AxisSharding axis;
    SMLoc loc = parser.getCurrentLocation();
    StringRef kind;
    if (parser.parseKeyword(&kind))
      return failure();
    if (kind == "B") {
      axis.kind = AxisSharding::Kind::Broadcast;
    } else if (kind == "P") {
      axis.kind = AxisSharding::Kind::Partial;
    } else if (kind == "S") {
      axis.kind = AxisSharding::Kind::Split;
      if (parser.parseLParen() || parser.parseInteger(axis.dim) ||
          parser.parseRParen())
        return failure();
    } else {
      return parser.emitError(loc) << "expects S(dim), B or P but got " << kind;
    }
    return axis;
  }
};

template <> struct mlir::FieldParser<mlir::job::F64> {
  static FailureOr<mlir::job::F64> parse(AsmParser &parser) {
    double value;
    if (parser.parseFloat(value))
      return failure();
    return mlir::job::F64(value);
  }
};

#endif // JOBDIALECT_IR_JOBPARAMETERS_H
