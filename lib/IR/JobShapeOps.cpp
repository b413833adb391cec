//===- JobShapeOps.cpp - Shapes -------------------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult ReshapeOp::verify() {
  BlobType from = getOperand().getType(), to = getResult().getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expects equal element types but got " << from
                         << " and " << to;
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "expects a result of " << from.getNumElements()
                         << " elements but got " << to.getNumElements();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  if (auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOperand()))
    return value.reshape(getResult().getType().getTensorType());
  return {};
}

LogicalResult BroadcastInDimOp::verify() {
  BlobType from = getOperand().getType(), to = getResult().getType();
  ArrayRef<int64_t> dims = getDims();
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expects equal element types but got " << from
                         << " and " << to;
  if (static_cast<int64_t>(dims.size()) != from.getRank())
    return emitOpError() << "expects " << from.getRank()
                         << " dims, one for each dimension of the operand, but "
                            "got "
                         << dims.size();
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= to.getRank())
      return emitOpError() << "expects dims in [0, " << to.getRank()
                           << ") but got " << dim;
    if (index && dims[index - 1] >= dim)
      return emitOpError() << "expects dims to increase but got "
                           << dims[index - 1] << " before " << dim;
    int64_t extent = from.getDimSize(index);
    if (extent != 1 && extent != to.getDimSize(dim))
      return emitOpError() << "expects extent 1 or " << to.getDimSize(dim)
                           << " in dimension " << index
                           << " of the operand but got " << extent;
  }
  return success();
}

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOperand());
  if (value && value.isSplat())
    return value.resizeSplat(getResult().getType().getTensorType());
  return {};
}
