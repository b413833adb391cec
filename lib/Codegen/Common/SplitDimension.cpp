//===- SplitDimension.cpp - Two dimensions in place of one ----------------===//

#include "JobDialect/Codegen/SplitDimension.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Each dimension by itself, `dim` made of as many as there are extents.
static SmallVector<ReassociationIndices>
getReassociation(int64_t rank, int64_t dim, size_t numParts) {
  SmallVector<ReassociationIndices> reassociation;
  int64_t next = 0;
  for (int64_t i : llvm::seq(rank)) {
    ReassociationIndices &group = reassociation.emplace_back();
    for ([[maybe_unused]] size_t part :
         llvm::seq<size_t>(i == dim ? numParts : 1))
      group.push_back(next++);
  }
  return reassociation;
}

LogicalResult plan::splitDimension(linalg::GenericOp op, unsigned dim,
                                   ArrayRef<int64_t> extents) {
  // A linalg.fill would stay behind a reshape.
  if (op.hasIndexSemantics() || llvm::any_of(op.getDpsInits(), [](Value init) {
        return init.getDefiningOp<linalg::FillOp>();
      }))
    return failure();
  // The patterns replace the op.
  MLIRContext *context = op.getContext();
  AffineExpr expr = getAffineDimExpr(dim, context);
  OpOperand *input = nullptr;
  std::optional<unsigned> position;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!input &&
        (position = op.getMatchingIndexingMap(operand).getResultPosition(expr)))
      input = operand;
  if (!input)
    return failure();

  // Expanding one input and collapsing it again changes nothing, but upstream's
  // patterns iterate over what is collapsed.
  auto type = cast<RankedTensorType>(input->get().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + *position);
  shape.insert(shape.begin() + *position, extents.begin(), extents.end());
  SmallVector<ReassociationIndices> reassociation =
      getReassociation(type.getRank(), *position, extents.size());
  func::FuncOp body = op->getParentOfType<func::FuncOp>();
  OpBuilder b(op);
  Value expanded = tensor::ExpandShapeOp::create(
      b, op.getLoc(), type.clone(shape), input->get(), reassociation);
  Value collapsed = tensor::CollapseShapeOp::create(b, op.getLoc(), type,
                                                    expanded, reassociation);
  input->set(collapsed);
  // A region has its own constants.
  GreedyRewriteConfig config;
  config.enableConstantCSE(false);
  {
    RewritePatternSet patterns(context);
    linalg::populateFoldReshapeOpsByExpansionPatterns(
        patterns,
        [&](OpOperand *operand) { return operand->get() == collapsed; });
    // Folding would remove the pair.
    if (failed(applyPatternsGreedily(
            body, std::move(patterns),
            GreedyRewriteConfig(config).enableFolding(false))))
      return failure();
  }
  // An operand that was collapsed before is not seen through both any more.
  RewritePatternSet patterns(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(body, std::move(patterns), config);
}
