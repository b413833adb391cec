//===- CallParts.cpp - Ops that functions of libraries compute ------------===//

#include "CallParts.h"

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/Placement.h"

using namespace mlir;
using namespace mlir::job;
using jobrt::calls::Epilogue;

/// The op that alone uses a value, if it is of a kind; null otherwise.
template <typename OpTy> static OpTy getOnlyUser(Value value) {
  return value.hasOneUse() ? dyn_cast<OpTy>(*value.getUsers().begin()) : OpTy();
}

static Type getElementType(Value value) {
  return cast<BlobType>(value.getType()).getElementType();
}

namespace {

/// Follows what is computed of a product.
class Matcher {
public:
  Matcher(Value product, plan::CallConfigAttrInterface config)
      : value(product), config(config), type(getElementType(product)),
        isNarrow(type.getIntOrFloatBitWidth() < 32) {}

  /// The ops of the epilogue, or none.
  SmallVector<Operation *> match();

private:
  bool has(Epilogue epilogue) const {
    return config.getWithEpilogue(epilogue) != nullptr;
  }
  bool followCast(Value &value, bool isToType,
                  SmallVectorImpl<Operation *> &ops) const;
  bool matchBias(AddOp add);
  void matchRelu();

  Value value;
  plan::CallConfigAttrInterface config;
  /// That of the product. If it is narrow, ops compute in f32 between casts.
  Type type;
  bool isNarrow;
  SmallVector<Operation *> ops;
};

} // namespace

/// Goes on to the cast that alone uses a narrow value, from or to the type of
/// the product. Other values have none.
bool Matcher::followCast(Value &value, bool isToType,
                         SmallVectorImpl<Operation *> &ops) const {
  if (!isNarrow)
    return true;
  auto cast = getOnlyUser<CastOp>(value);
  if (!cast || (getElementType(cast.getResult()) == type) != isToType)
    return false;
  ops.push_back(cast);
  value = cast.getResult();
  return true;
}

/// Whether an addition is that of a bias, of which each column has an element.
bool Matcher::matchBias(AddOp add) {
  Value bias = add.getLhs() == value ? add.getRhs() : add.getLhs();
  if (bias == value)
    return false;
  if (isNarrow) {
    auto widened = bias.getDefiningOp<CastOp>();
    if (!widened || !widened->hasOneUse() ||
        getElementType(widened.getOperand()) != type)
      return false;
    ops.push_back(widened);
    bias = widened.getOperand();
  }
  auto narrowed = bias.getDefiningOp<CastOp>();
  auto broadcast = (narrowed ? narrowed.getOperand() : bias)
                       .getDefiningOp<BroadcastInDimOp>();
  int64_t last = add.getType().getRank() - 1;
  if (!broadcast || broadcast.getDims() != ArrayRef<int64_t>(last) ||
      broadcast.getOperand().getType().getShape().front() !=
          add.getType().getDimSize(last))
    return false;
  if (!narrowed)
    return true;
  OpBuilder builder(narrowed);
  auto rounded =
      CastOp::create(builder, narrowed.getLoc(),
                     broadcast.getOperand().getType().withElementType(
                         getElementType(narrowed.getResult())),
                     broadcast.getOperand());
  auto moved = BroadcastInDimOp::create(builder, broadcast.getLoc(),
                                        narrowed.getResult().getType(), rounded,
                                        broadcast.getDims());
  rounded->setDiscardableAttrs(narrowed->getDiscardableAttrDictionary());
  moved->setDiscardableAttrs(broadcast->getDiscardableAttrDictionary());
  narrowed.replaceAllUsesWith(moved.getResult());
  narrowed.erase();
  if (broadcast->use_empty())
    broadcast.erase();
  return true;
}

/// Adds a relu of the sum, if nothing else uses the sum.
void Matcher::matchRelu() {
  Value input = value;
  SmallVector<Operation *> chain;
  if (!has(Epilogue::kBiasRelu) || !followCast(input, false, chain))
    return;
  auto relu = getOnlyUser<ReluOp>(input);
  if (!relu)
    return;
  chain.push_back(relu);
  input = relu.getResult();
  if (followCast(input, true, chain))
    llvm::append_range(ops, chain);
}

SmallVector<Operation *> Matcher::match() {
  if (!has(Epilogue::kBias) || !followCast(value, false, ops))
    return {};
  auto add = getOnlyUser<AddOp>(value);
  if (!add || !matchBias(add))
    return {};
  ops.push_back(add);
  value = add.getResult();
  if (!followCast(value, true, ops))
    return {};
  matchRelu();
  return ops;
}

CallParts job::takeCallParts(Block &block, PlacementAttr device) {
  CallParts parts;
  unsigned numCalls = 0;
  for (Operation &op : block) {
    plan::CallConfigAttrInterface config = getCallConfig(&op);
    if (!config || getPlacement(&op) != device)
      continue;
    SmallVector<Operation *> ops = Matcher(op.getResult(0), config).match();
    for (Operation *part : ops)
      parts[part] = numCalls;
    numCalls += !ops.empty();
  }
  return parts;
}
