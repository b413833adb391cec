//===- UpdateContext.cpp - Writing update rules ---------------------------===//

#include "JobDialect/Transforms/UpdateContext.h"

#include "JobDialect/IR/ElementTypes.h"

using namespace mlir;
using namespace mlir::job;

BlobType UpdateContext::getComputeBlob(BlobType type) {
  return type.withElementType(getComputeType(type.getElementType()));
}

VariableOp UpdateContext::getState(StringRef suffix, BlobType type,
                                   double initial) {
  std::string name = (variable.getSymName() + "-" + suffix).str();
  auto initializer = cast<InitializerAttrInterface>(
      ConstantInitAttr::get(builder.getContext(), initial));
  // Lives where the variable does, and is split and permuted like it if it can
  // be.
  bool isAlike = type.getShape() == variable.getType().getShape();
  DenseI64ArrayAttr permutation, expandedShape;
  if (isAlike) {
    permutation = variable.getPermutationAttr();
    expandedShape = variable.getExpandedShapeAttr();
  }
  if (Operation *present = symbols.lookup(name)) {
    // Made for another job that updates the same variable, or read from text.
    auto state = dyn_cast<VariableOp>(present);
    if (state && state.getType() == type && !state.getTrainable() &&
        state.getInitializer() == initializer &&
        state.getPermutationAttr() == permutation &&
        state.getExpandedShapeAttr() == expandedShape)
      return state;
    InFlightDiagnostic diagnostic =
        present->emitError()
        << "expects @" << name << " to be the optimizer's state of @"
        << variable.getSymName() << ", a variable of type " << type;
    if (permutation)
      diagnostic << ", permuted like it,";
    else if (state && state.getPermutation())
      diagnostic << " without a permutation";
    diagnostic << " that starts at " << initial
               << " and is not trainable, but got something else";
    diagnostic.attachNote(loc) << "the update is built for this";
    return {};
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  auto state =
      VariableOp::create(builder, variable.getLoc(), name, type, initializer,
                         /*trainable=*/false, variable.getPlacementAttr(),
                         isAlike ? variable.getShardingAttr() : ShardingAttr(),
                         /*seed=*/IntegerAttr(), permutation, expandedShape);
  // Behind the variable and the states that it already has.
  Operation *last = variable;
  while (auto next = dyn_cast_if_present<VariableOp>(last->getNextNode())) {
    if (!next.getSymName().starts_with((variable.getSymName() + "-").str()) ||
        next.getTrainable())
      break;
    last = next;
  }
  symbols.insert(state, std::next(last->getIterator()));
  return state;
}

Value UpdateContext::read() {
  if (!current)
    current = create<CastOp>(getType(), read(variable));
  return current;
}

Value UpdateContext::read(VariableOp state) {
  return ReadOp::create(builder, loc, state.getType(), state.getSymName());
}

void UpdateContext::assign(VariableOp state, Value value) {
  if (Value condition = inputs.condition) {
    auto type = cast<BlobType>(state.getType());
    Value conditions =
        create<BroadcastInDimOp>(type.withElementType(builder.getI1Type()),
                                 condition, ArrayRef<int64_t>{0});
    value = create<SelectOp>(conditions, value, read(state));
  }
  AssignOp::create(builder, loc, state.getSymName(), value);
}

Value UpdateContext::constant(BlobType type, double value) {
  return ConstantOp::create(builder, loc, type, value);
}

Value UpdateContext::broadcast(Value scalar) {
  Type element = getType().getElementType();
  auto scalarType = cast<BlobType>(scalar.getType());
  Value converted = create<CastOp>(scalarType.withElementType(element), scalar);
  return create<BroadcastInDimOp>(getType(), converted, ArrayRef<int64_t>{0});
}

Value UpdateContext::addDecay(Value direction) {
  if (inputs.weightDecay == 0)
    return direction;
  return add(direction, mul(read(), constant(inputs.weightDecay)));
}

Value UpdateContext::getMagnitude(Value blob) {
  auto type = cast<BlobType>(blob.getType());
  auto axes = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  Value sum = create<ReduceSumOp>(mul(blob, blob), axes);
  Value count = constant(cast<BlobType>(sum.getType()),
                         static_cast<double>(type.getNumElements()));
  return sqrt(div(sum, count));
}
