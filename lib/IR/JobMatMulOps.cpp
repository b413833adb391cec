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
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return emitError() << "expects operands of at least 2 dimensions but got "
                       << lhs << " and " << rhs;
  ArrayRef<int64_t> batch = lhs.getShape().drop_back(2);
  if (batch != rhs.getShape().drop_back(2))
    return emitError() << "expects equal dimensions before the last two but "
                          "got "
                       << lhs << " and " << rhs;
  if (lhs.getElementType() != rhs.getElementType())
    return emitError() << "expects equal element types but got " << lhs
                       << " and " << rhs;
  bool transposeLhs = adaptor.getTransposeLhs();
  bool transposeRhs = adaptor.getTransposeRhs();
  int64_t rows = lhs.getRank() - 2, columns = rhs.getRank() - 1;
  int64_t m = lhs.getDimSize(rows + transposeLhs);
  int64_t k = lhs.getDimSize(rows + !transposeLhs);
  int64_t n = rhs.getDimSize(columns - transposeRhs);
  int64_t rhsK = rhs.getDimSize(columns - !transposeRhs);
  if (k != rhsK)
    return emitError() << "expects equal inner extents but got " << k << " of "
                       << lhs << " and " << rhsK << " of " << rhs;
  SmallVector<int64_t> shape(batch);
  shape.append({m, n});
  FailureOr<BlobType> type = makeBlob(emitError, shape, lhs.getElementType());
  if (failed(type))
    return failure();
  inferredReturnTypes.push_back(*type);
  return success();
}

int64_t MatMulOp::getBatch() {
  int64_t batch = 1;
  for (int64_t extent : getResult().getType().getShape().drop_back(2))
    batch *= extent;
  return batch;
}
