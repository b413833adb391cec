//===- BodyScalars.cpp - One element of a kernel's body -------------------===//

#include "BodyBuilder.h"

#include "NumericsChecks.h"

#include "JobDialect/IR/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::job;

Value BodyBuilder::addInput(Value tensor, AffineMap map) {
  for (auto [index, input, inputMap] : llvm::enumerate(inputs, inputMaps))
    if (input == tensor && inputMap == map)
      return block->getArgument(index);
  BlockArgument argument = block->insertArgument(
      inputs.size(), cast<RankedTensorType>(tensor.getType()).getElementType(),
      loc);
  inputs.push_back(tensor);
  inputMaps.push_back(map);
  return argument;
}

/// Adds an empty tensor, which no element is read of, if no operand tells the
/// extents of some loop: all that is reduced may be constants and broadcasts.
void BodyBuilder::addExtents(ArrayRef<AffineMap> destinationMaps) {
  llvm::SmallBitVector known(loops.size());
  for (ArrayRef<AffineMap> maps : {ArrayRef(inputMaps), destinationMaps})
    for (AffineMap map : maps)
      for (AffineExpr expr : map.getResults())
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          known.set(dim.getPosition());
  if (known.all())
    return;
  auto sizes = llvm::map_to_vector(
      loops, [&](unsigned group) { return extents[group]; });
  addInput(tensor::EmptyOp::create(b, loc, sizes, b.getI1Type()),
           b.getMultiDimIdentityMap(loops.size()));
}

Value BodyBuilder::readInput(BlockArgument input, ArrayRef<Place> places) {
  Value argument = body.getArgument(signature.inputs[input.getArgNumber()]);
  View view = collapse(argument, places);
  return addInput(view.tensor, getMap(view.groups));
}

/// A value that an earlier pass has computed.
Value BodyBuilder::readComputed(Value value, ArrayRef<Place> places) {
  Value tensor = tensorOf.lookup(value);
  SmallVector<int64_t> groups;
  for (const Place &place : places) {
    int64_t group = place.resultDim ? groupOf[*place.resultDim] : -1;
    if (group >= 0 && (groups.empty() || groups.back() != group))
      groups.push_back(group);
  }
  // A single element may have a dimension of its own.
  if (groups.empty())
    groups.assign(cast<RankedTensorType>(tensor.getType()).getRank(), -1);
  Value scalar = addInput(tensor, getMap(groups));
  auto reduction = value.getDefiningOp<ReductionKernelOpInterface>();
  if (reduction && isChecked(reduction))
    addCheck(reduction, scalar);
  return scalar;
}

/// The row-major index in the domain, or in the rows, from those of the loops.
Value BodyBuilder::buildLinearIndex() {
  Value result;
  for (auto [loop, group] : llvm::enumerate(loops)) {
    Value index = linalg::IndexOp::create(*inner, loc, loop);
    if (result) {
      Value extent =
          arith::ConstantIndexOp::create(*inner, loc, extents[group]);
      result = arith::MulIOp::create(*inner, loc, result, extent);
      index = arith::AddIOp::create(*inner, loc, result, index);
    }
    result = index;
  }
  if (!result)
    result = arith::ConstantIndexOp::create(*inner, loc, 0);
  return arith::IndexCastOp::create(*inner, loc, inner->getI64Type(), result);
}

/// The index along a dimension of a value.
Value BodyBuilder::buildDimIndex(Value value, unsigned dim) {
  Place place = getPlaces(value)[dim];
  Value index;
  if (place.resultDim) {
    // Of the collapsed dimensions that it is a part of.
    int64_t group = groupOf[*place.resultDim], inside = 1;
    for (unsigned other = *place.resultDim + 1; other < domain.size(); ++other)
      if (groupOf[other] == group)
        inside *= domain[other];
    index = linalg::IndexOp::create(*inner, loc,
                                    llvm::find(loops, group) - loops.begin());
    auto constant = [&](int64_t number) {
      return arith::ConstantIndexOp::create(*inner, loc, number);
    };
    int64_t extent = domain[*place.resultDim];
    if (inside != 1)
      index = arith::DivUIOp::create(*inner, loc, index, constant(inside));
    if (inside * extent != extents[group])
      index = arith::RemUIOp::create(*inner, loc, index, constant(extent));
  } else {
    index = arith::ConstantIndexOp::create(*inner, loc, 0);
  }
  return arith::IndexCastOp::create(*inner, loc, inner->getI64Type(), index);
}

Value BodyBuilder::buildScalarOf(Operation *op) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto input = dyn_cast<BlockArgument>(operand.get());
    operands.push_back(input ? readInput(input, getReadPlaces(operand))
                             : getScalar(operand.get()));
  }
  Operation *before = block->empty() ? nullptr : &block->back();
  Value result = cast<ScalarKernelOpInterface>(op).buildScalar(
      *inner, operands,
      ElementIndices{
          [&] { return buildLinearIndex(); },
          [&](unsigned dim) { return buildDimIndex(op->getResult(0), dim); }});
  Block::iterator first =
      before ? std::next(before->getIterator()) : block->begin();
  if (checkNumerics && !decomposed.contains(op) &&
      llvm::any_of(llvm::make_range(first, block->end()), [](Operation &made) {
        return containsNonFiniteMaker(&made);
      }))
    addCheck(op, isa<CastOp>(op) ? buildOverflow(*inner, op->getLoc(),
                                                 operands.front(), result)
                                 : result);
  return result;
}

/// One element of a value in the current pass.
Value BodyBuilder::getScalar(Value value) {
  if (Value scalar = scalarOf.lookup(value))
    return scalar;
  Operation *op = value.getDefiningOp();
  Value result;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto splat =
        cast<DenseElementsAttr>(constant.getValue()).getSplatValue<TypedAttr>();
    // Integers have no sign here.
    if (auto integer = dyn_cast<IntegerAttr>(splat))
      splat =
          IntegerAttr::get(getBodyType(integer.getType()), integer.getValue());
    result = arith::ConstantOp::create(*inner, op->getLoc(), splat);
  } else if (tensorOf.contains(value)) {
    result = readComputed(value, getPlaces(value));
  } else if (isa<StridedReadOpInterface>(op)) {
    OpOperand &operand = op->getOpOperand(0);
    auto input = dyn_cast<BlockArgument>(operand.get());
    if (input)
      result = readInput(input, getReadPlaces(operand));
    else if (operand.get().getDefiningOp<ConstantOp>())
      result = getScalar(operand.get());
    else
      result = readComputed(operand.get(), getReadPlaces(operand));
  } else {
    result = buildScalarOf(op);
  }
  if (checkNumerics && decomposedResults.contains(op) &&
      !isa<ReductionKernelOpInterface>(op))
    addCheck(op, result);
  return scalarOf[value] = result;
}

/// The accumulator with one more term.
Value BodyBuilder::buildReduction(ReductionKernelOpInterface op) {
  OpOperand &operand = op->getOpOperand(0);
  auto input = dyn_cast<BlockArgument>(operand.get());
  Value term = input ? readInput(input, getReadPlaces(operand))
                     : getScalar(operand.get());
  return op.buildCombine(*inner, accumulatorOf.lookup(op->getResult(0)), term);
}
