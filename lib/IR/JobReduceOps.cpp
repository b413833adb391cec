//===- JobReduceOps.cpp - Reductions --------------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult
ReduceSumOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  auto emitError = inferenceError<ReduceSumOp>(context, location);
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (axis < 0 || axis >= type.getRank())
      return emitError() << "expects axes in [0, " << type.getRank()
                         << ") but got " << axis;
    if (index && axes[index - 1] >= axis)
      return emitError() << "expects axes to increase but got "
                         << axes[index - 1] << " before " << axis;
  }
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      shape.push_back(extent);
    else if (adaptor.getKeepdims())
      shape.push_back(1);
  }
  if (shape.empty())
    shape.push_back(1);
  inferredReturnTypes.push_back(BlobType::get(shape, type.getElementType()));
  return success();
}

SmallVector<int64_t> ReduceSumOp::getKeptAxes() {
  SmallVector<int64_t> kept;
  for (int64_t dim = 0, e = getOperand().getType().getRank(); dim < e; ++dim)
    if (!llvm::is_contained(getAxes(), dim))
      kept.push_back(dim);
  return kept;
}

OpFoldResult ReduceSumOp::fold(FoldAdaptor) {
  // A sum over nothing.
  if (getAxes().empty())
    return getOperand();
  return {};
}
