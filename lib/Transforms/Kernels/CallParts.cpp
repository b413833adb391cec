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
  void matchGelu();
  bool matchGeluGrad(GeluGradOp op);
  bool takeWidened(Operation *op, unsigned operand);
  bool matchAddend();
  void widenBias(AddOp add);

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

/// The gelu by tanh of a value, in the type that ops compute in, if there is
/// one alone; null otherwise. What else uses the value does not matter.
static GeluOp findGelu(Value value, bool isNarrow) {
  GeluOp found;
  for (Operation *user : value.getUsers()) {
    auto cast = dyn_cast<CastOp>(user);
    if (isNarrow && !cast)
      continue;
    for (Operation *op : isNarrow ? SmallVector<Operation *>(cast->getUsers())
                                  : SmallVector<Operation *>{user})
      if (auto gelu = dyn_cast<GeluOp>(op);
          gelu && gelu.getApproximate() == GeluApproximation::Tanh) {
        if (found)
          return {};
        found = gelu;
      }
  }
  return found;
}

/// Adds the cast that widens an operand of `op`, which gets one of its own if
/// other ops use the cast too. Returns whether there is such a cast from the
/// type of the product; operands that are not narrow need none.
bool Matcher::takeWidened(Operation *op, unsigned operand) {
  if (!isNarrow)
    return true;
  auto widened = op->getOperand(operand).getDefiningOp<CastOp>();
  if (!widened || getElementType(widened.getOperand()) != type)
    return false;
  // Right before the op, so that the kernel's first operand is the product,
  // which it overwrites.
  if (widened->hasOneUse())
    widened->moveBefore(op);
  else
    widened = cast<CastOp>(OpBuilder(op).clone(*widened));
  op->setOperand(operand, widened.getResult());
  ops.push_back(widened);
  return true;
}

/// Adds a gelu of the sum. The function keeps the sum for other ops, such as
/// the gradient of the gelu.
void Matcher::matchGelu() {
  GeluOp gelu = findGelu(value, isNarrow);
  if (!gelu)
    return;
  Value input = gelu.getOperand(), output = gelu.getResult();
  bool isOnlyUse = value.hasOneUse() && (input == value || input.hasOneUse());
  SmallVector<Operation *> chain = {gelu};
  if (!has(isOnlyUse ? Epilogue::kBiasGelu : Epilogue::kBiasGeluInput) ||
      !followCast(output, true, chain) || !takeWidened(gelu, 0))
    return;
  llvm::append_range(ops, chain);
}

/// Whether an op is the gradient of a gelu by tanh, of which the product is the
/// gradient of the result.
bool Matcher::matchGeluGrad(GeluGradOp op) {
  Value output = op.getResult();
  SmallVector<Operation *> chain = {op};
  if (!has(Epilogue::kGeluGrad) ||
      op.getApproximate() != GeluApproximation::Tanh || op.getGrad() != value ||
      !followCast(output, true, chain) || !takeWidened(op, 1))
    return false;
  llvm::append_range(ops, chain);
  return true;
}

/// Whether an op after another one in its block reads a blob, in any shape.
static bool isReadAfter(Value blob, Operation *op) {
  return llvm::any_of(blob.getUsers(), [&](Operation *user) {
    if (auto reshape = dyn_cast<ReshapeOp>(user))
      return isReadAfter(reshape.getResult(), op);
    return user->getBlock() == op->getBlock() && op->isBeforeInBlock(user);
  });
}

/// Adds the addition of a blob to the product, which nothing else uses. The sum
/// of a narrow product is in f32. The sum and the blob are read again later, so
/// that both are in memory anyway, and the function does not add in place.
bool Matcher::matchAddend() {
  Value sum = value;
  SmallVector<Operation *> chain;
  if (!config.getWithAddend(isNarrow) || !followCast(sum, false, chain))
    return false;
  auto add = getOnlyUser<AddOp>(sum);
  if (!add)
    return false;
  Value addend = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  Value blob = addend;
  while (auto reshape = blob.getDefiningOp<ReshapeOp>())
    blob = reshape.getOperand();
  if (addend == sum || add->hasOneUse() || add->use_empty() ||
      blob.getDefiningOp<BroadcastInDimOp>() ||
      blob.getDefiningOp<ConstantOp>() || !isReadAfter(blob, add))
    return false;
  llvm::append_range(ops, chain);
  ops.push_back(add);
  return true;
}

/// Lets the addition of a bias to a narrow product read the bias in f32: the
/// function adds what has the type of the result.
void Matcher::widenBias(AddOp add) {
  if (!isNarrow)
    return;
  // The parts of matchBias are the widened product, the widened bias, and the
  // addition.
  auto *widened = llvm::find_if(ops, [&](Operation *op) {
    auto cast = dyn_cast<CastOp>(op);
    return cast && cast.getOperand().getDefiningOp<BroadcastInDimOp>() &&
           llvm::is_contained(add->getOperands(), cast.getResult());
  });
  auto wide = cast<CastOp>(*widened);
  auto narrow = wide.getOperand().getDefiningOp<BroadcastInDimOp>();
  OpBuilder builder(wide);
  Value bias = narrow.getOperand();
  Type type = getElementType(wide.getResult());
  auto rounded = bias.getDefiningOp<CastOp>();
  if (rounded && getElementType(rounded.getOperand()) == type) {
    bias = rounded.getOperand();
  } else {
    auto converted = CastOp::create(
        builder, wide.getLoc(),
        cast<BlobType>(bias.getType()).withElementType(type), bias);
    converted->setDiscardableAttrs(wide->getDiscardableAttrDictionary());
    bias = converted;
  }
  auto broadcast = BroadcastInDimOp::create(builder, narrow.getLoc(),
                                            wide.getResult().getType(), bias,
                                            narrow.getDims());
  broadcast->setDiscardableAttrs(narrow->getDiscardableAttrDictionary());
  ops.erase(widened);
  wide.replaceAllUsesWith(broadcast.getResult());
  wide.erase();
  if (narrow->use_empty())
    narrow.erase();
  if (rounded && rounded->use_empty())
    rounded.erase();
}

SmallVector<Operation *> Matcher::match() {
  Value product = value;
  if (!followCast(value, false, ops))
    return {};
  if (auto gradient = getOnlyUser<GeluGradOp>(value))
    return matchGeluGrad(gradient) ? ops : SmallVector<Operation *>();
  auto add = getOnlyUser<AddOp>(value);
  if (!add)
    return {};
  if (!has(Epilogue::kBias) || !matchBias(add)) {
    ops.clear();
    value = product;
    matchAddend();
    return ops;
  }
  ops.push_back(add);
  value = add.getResult();
  if (!followCast(value, true, ops))
    return {};
  if (matchAddend()) {
    widenBias(add);
    return ops;
  }
  matchRelu();
  matchGelu();
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
