//===- KernelTest.h - Runs the kernel of one op -----------------*- C++ -*-===//
//
// Compiles one op of the job dialect to machine code for this machine, the way
// an artifact's kernels are, and calls it, or asks the reference for the same.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_UNITTESTS_CONVERSION_KERNELTEST_H
#define JOBMLIR_UNITTESTS_CONVERSION_KERNELTEST_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/ReferenceTensor.h"
#include "jobrt/abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace mlir::job {

/// One op of the job dialect on %0, %1, ..., blobs of the types `operands`:
/// ParsedOp("job.add %0, %1 : !job.blob<4xf32>", {"!job.blob<4xf32>", ...}).
/// Constants that it uses may stand before it, and are part of its kernel.
/// A failure is a failed test.
class ParsedOp {
public:
  ParsedOp(StringRef text, ArrayRef<std::string> operands);

  /// Null when the text is wrong.
  Operation *get() const { return op; }
  BlobType getOperandType(unsigned index) const;
  BlobType getResultType() const;
  /// The result's type as text.
  std::string getResultTypeText() const;

  /// What the op's ReferenceOpInterface says.
  ReferenceTensor evaluate(ArrayRef<ReferenceTensor> operands) const;

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Operation *op = nullptr;
};

/// The kernel of an op in memory.
class Kernel {
public:
  explicit Kernel(const ParsedOp &op) { compile(op); }
  Kernel(StringRef text, ArrayRef<std::string> operands)
      : Kernel(ParsedOp(text, operands)) {}
  ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// Calls it on the operands' buffers, then the result's, all aligned as the
  /// runtime's are.
  void operator()(ArrayRef<const void *> buffers) const;

private:
  void compile(const ParsedOp &op);

  /// The operand (or the result, after the operands) that each of the kernel's
  /// buffers is.
  SmallVector<unsigned> ports;
  int64_t chunks = 1;
  void *library = nullptr;
  jobrt_kernel_fn function = nullptr;
};

/// Runs the op's kernel on the operands; the result's buffer starts with other
/// bytes than zeros.
ReferenceTensor runKernel(const ParsedOp &op,
                          ArrayRef<ReferenceTensor> operands);

/// Compares the kernel with the reference on the operands: integers and NaN
/// are equal, floats differ by at most `tolerance` times the largest magnitude
/// of the reference's finite results.
void expectReference(const ParsedOp &op, ArrayRef<ReferenceTensor> operands,
                     double tolerance);

} // namespace mlir::job

#endif // JOBMLIR_UNITTESTS_CONVERSION_KERNELTEST_H
