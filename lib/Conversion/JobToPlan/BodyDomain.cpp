//===- BodyDomain.cpp - The loops of a kernel's body ----------------------===//
//
// The domain is made as small as it can be: dimensions of extent 1 are dropped,
// and neighbours that every operand and result goes through in the same way
// become one.
//
//===----------------------------------------------------------------------===//

#include "BodyBuilder.h"

#include "JobDialect/IR/ElementTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::job;

void BodyBuilder::findDomain() {
  for (Operation &op : region.without_terminator())
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
      domain = llvm::to_vector(
          cast<BlobType>(op.getOperand(0).getType()).getShape());
      reduced.assign(domain.size(), false);
      for (int64_t axis : reduction.getReducedAxes())
        reduced[axis] = true;
      return;
    }
  // A constant or a strided read comes first; its users have the domain's
  // shape. One that is alone is the domain.
  for (Operation &op : region.without_terminator())
    domain =
        llvm::to_vector(cast<BlobType>(op.getResult(0).getType()).getShape());
  reduced.assign(domain.size(), false);
}

/// The dimensions of a blob of the domain, of its rows, or of one element.
SmallVector<BodyBuilder::Place> BodyBuilder::getPlaces(Value blob) const {
  ArrayRef<int64_t> shape = cast<BlobType>(blob.getType()).getShape();
  SmallVector<Place> places(shape.size());
  auto isDomain = [&](bool keepsReduced) {
    if (shape.size() != domain.size())
      return false;
    for (auto [extent, size, isReduced] : llvm::zip(domain, shape, reduced))
      if (size != (isReduced && !keepsReduced ? 1 : extent))
        return false;
    return true;
  };
  if (isDomain(/*keepsReduced=*/true) || isDomain(/*keepsReduced=*/false)) {
    for (auto [dim, place] : llvm::enumerate(places))
      if (shape[dim] != 1)
        place.resultDim = dim;
    return places;
  }
  unsigned next = 0;
  for (auto [dim, extent] : llvm::enumerate(domain)) {
    if (reduced[dim] || next == places.size())
      continue;
    if (shape[next] != 1)
      places[next].resultDim = dim;
    ++next;
  }
  return places;
}

/// The dimensions of the operand of an op, along the domain.
SmallVector<BodyBuilder::Place>
BodyBuilder::getReadPlaces(OpOperand &operand) const {
  auto read = dyn_cast<StridedReadOpInterface>(operand.getOwner());
  if (!read)
    return getPlaces(operand.get());
  SmallVector<Place> resultPlaces = getPlaces(read->getResult(0));
  SmallVector<Place> places = read.getStridedRead().dims;
  for (Place &place : places)
    if (place.resultDim)
      place.resultDim = resultPlaces[*place.resultDim].resultDim;
  return places;
}

void BodyBuilder::collapseDomain() {
  // The strides along the domain of all that is read and written.
  SmallVector<SmallVector<int64_t>> accesses;
  auto addAccess = [&](Type type, ArrayRef<Place> places) {
    SmallVector<int64_t> &strides =
        accesses.emplace_back(domain.size(), /*stride=*/0);
    for (auto [place, stride] :
         llvm::zip(places, computeStrides(cast<BlobType>(type).getShape())))
      if (place.resultDim)
        strides[*place.resultDim] = stride * place.step;
  };
  for (Operation &op : region)
    for (OpOperand &operand : op.getOpOperands())
      if (isa<BlockArgument>(operand.get()) || &op == region.getTerminator() ||
          isa<StridedReadOpInterface>(op))
        addAccess(operand.get().getType(), getReadPlaces(operand));

  groupOf.assign(domain.size(), -1);
  std::optional<unsigned> last;
  for (unsigned dim : llvm::seq<unsigned>(domain.size())) {
    if (domain[dim] == 1)
      continue;
    // One step along the outer dimension is as far as all along the inner.
    bool merges = last && reduced[*last] == reduced[dim] &&
                  llvm::all_of(accesses, [&](ArrayRef<int64_t> strides) {
                    return strides[*last] == strides[dim] * domain[dim];
                  });
    if (merges) {
      extents.back() *= domain[dim];
    } else {
      extents.push_back(domain[dim]);
      isGroupReduced.push_back(reduced[dim]);
    }
    groupOf[dim] = extents.size() - 1;
    last = dim;
  }
}

/// The collapsed dimensions that a pass goes through.
SmallVector<unsigned> BodyBuilder::getLoops(bool isRow) const {
  SmallVector<unsigned> result;
  for (unsigned group : llvm::seq<unsigned>(extents.size()))
    if (!isRow || !isGroupReduced[group])
      result.push_back(group);
  return result;
}

/// The map of an operand whose dimensions go along collapsed dimensions, -1 for
/// those of extent 1.
AffineMap BodyBuilder::getMap(ArrayRef<int64_t> groups) const {
  SmallVector<AffineExpr> exprs;
  for (int64_t group : groups)
    exprs.push_back(group < 0 ? b.getAffineConstantExpr(0)
                              : b.getAffineDimExpr(llvm::find(loops, group) -
                                                   loops.begin()));
  return AffineMap::get(loops.size(), 0, exprs, b.getContext());
}

/// Sees a tensor through the collapsed dimensions. Slices it where it is read
/// in parts.
BodyBuilder::View BodyBuilder::collapse(Value tensor, ArrayRef<Place> places) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets, sizes, steps;
  SmallVector<int64_t> shape, starts, strides;
  bool isSliced = false;
  for (auto [place, extent] : llvm::zip(places, type.getShape())) {
    int64_t size = place.resultDim ? domain[*place.resultDim] : 1;
    int64_t step = size == 1 ? 1 : place.step;
    isSliced |= place.offset != 0 || step != 1 || size != extent;
    offsets.push_back(b.getIndexAttr(place.offset));
    sizes.push_back(b.getIndexAttr(size));
    steps.push_back(b.getIndexAttr(step));
    shape.push_back(size);
    starts.push_back(place.offset);
    strides.push_back(step);
  }
  SmallVector<int64_t> groups;
  SmallVector<ReassociationIndices> reassociation;
  for (auto [dim, place] : llvm::enumerate(places)) {
    int64_t group = place.resultDim ? groupOf[*place.resultDim] : -1;
    if (reassociation.empty() ||
        (group >= 0 && groups.back() >= 0 && groups.back() != group)) {
      reassociation.emplace_back();
      groups.push_back(group);
    }
    reassociation.back().push_back(dim);
    if (group >= 0)
      groups.back() = group;
  }
  // Equal views are one.
  Attribute key = b.getArrayAttr(
      {b.getDenseI64ArrayAttr(shape), b.getDenseI64ArrayAttr(groups),
       b.getDenseI64ArrayAttr(starts), b.getDenseI64ArrayAttr(strides)});
  Value &view = views[{tensor, key}];
  if (!view) {
    view = tensor;
    if (isSliced)
      view = tensor::ExtractSliceOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()), view,
          offsets, sizes, steps);
    if (reassociation.size() < places.size())
      view = tensor::CollapseShapeOp::create(b, loc, view, reassociation);
  }
  return {view, groups, reassociation};
}

/// The tensor that a result of the current pass is written into: the argument
/// that it is returned in, or an empty one.
Value BodyBuilder::getDestination(Value value) {
  if (Value result = keptIn.lookup(value))
    return getDestination(result);
  if (auto it = yieldedAs.find(value); it != yieldedAs.end()) {
    Value argument = body.getArgument(signature.results[it->second.front()]);
    return collapse(argument, getPlaces(value)).tensor;
  }
  SmallVector<int64_t> shape;
  for (unsigned group : getLoops(stageOf.lookup(value).isRow))
    shape.push_back(extents[group]);
  Type element = cast<BlobType>(value.getType()).getElementType();
  return tensor::EmptyOp::create(b, loc, shape, getBodyType(element));
}
