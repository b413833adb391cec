//===- JobMatMulOps.cpp - Matrix products ---------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult
MatMulOp::inferReturnTypes(MLIRContext *context,
                           std::optional<Location> location, Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  auto lhs = cast<BlobType>(adaptor.getLhs().getType());
  auto rhs = cast<BlobType>(adaptor.getRhs().getType());
  auto emitError = inferenceError<MatMulOp>(context, location);
  if (lhs.getRank() != 2 || rhs.getRank() != 2)
    return emitError() << "expects two matrices but got " << lhs << " and "
                       << rhs;
  if (lhs.getElementType() != rhs.getElementType())
    return emitError() << "expects equal element types but got " << lhs
                       << " and " << rhs;
  bool transposeLhs = adaptor.getTransposeLhs();
  bool transposeRhs = adaptor.getTransposeRhs();
  int64_t m = lhs.getDimSize(transposeLhs), k = lhs.getDimSize(!transposeLhs);
  int64_t n = rhs.getDimSize(!transposeRhs);
  if (k != rhs.getDimSize(transposeRhs))
    return emitError() << "expects equal inner extents but got " << k << " of "
                       << lhs << " and " << rhs.getDimSize(transposeRhs)
                       << " of " << rhs;
  FailureOr<BlobType> type = makeBlob(emitError, {m, n}, lhs.getElementType());
  if (failed(type))
    return failure();
  inferredReturnTypes.push_back(*type);
  return success();
}
