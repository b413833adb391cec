//===- JobPrecision.cpp - Compute in f16 or bf16 where it is safe ---------===//

#include "../Verify/TrainingJob.h"

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBPRECISION
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Whether these are elements that job-precision converts. Other types are what
/// the user asked for.
static bool isWide(Type type) {
  auto blob = dyn_cast<BlobType>(type);
  return blob && blob.getElementType().isF32();
}

/// Whether no finite number of f32 is far too large for the type.
static bool hasRangeOfF32(FloatType type) {
  return APFloat::semanticsMaxExponent(type.getFloatSemantics()) ==
         APFloat::semanticsMaxExponent(APFloat::IEEEsingle());
}

namespace {

/// Narrows the ops of one job, in their order.
class Narrowing {
public:
  Narrowing(FuncOp func, FloatType type) : func(func), type(type) {}

  void run();

  unsigned numOps = 0, numCasts = 0;

private:
  /// Whether an op that infers its type computes in the narrow one.
  bool infersNarrow(Operation *op) const;
  /// Whether the results of an op that stays wide have no type of their own.
  bool isFlexible(Operation *op) const;
  /// The types of the results of an op whose operands are narrow: those that it
  /// infers, which may be wide.
  SmallVector<Type> getNarrowTypes(Operation *op) const;
  void narrow(Operation *op);
  void widenOperands(Operation *op);

  /// `value`, whose elements were f32, in the narrow type, or in f32 again.
  Value getNarrow(Value value);
  Value getWide(Value value);
  /// The conversion of `value`, one for all users.
  Value convert(Value value, FloatType to, DenseMap<Value, Value> &conversions);

  FuncOp func;
  FloatType type;
  /// Values that were f32 and are narrow now.
  DenseSet<Value> narrowed;
  /// Values in f32 that only depend on variables and constants. They take the
  /// type of the blobs that they are combined with.
  DenseSet<Value> flexible;
  DenseMap<Value, Value> narrowOf, wideOf;
};

} // namespace

Value Narrowing::convert(Value value, FloatType to,
                         DenseMap<Value, Value> &conversions) {
  Value &converted = conversions[value];
  if (converted)
    return converted;
  PlacementListener listener;
  PlacementScope scope(listener, getDefiningPlacement(value));
  OpBuilder builder(func.getContext(), &listener);
  builder.setInsertionPointAfterValue(value);
  auto blob = cast<BlobType>(value.getType()).withElementType(to);
  converted = builder.createOrFold<CastOp>(value.getLoc(), blob, value);
  if (converted.getDefiningOp<CastOp>())
    ++numCasts;
  return converted;
}

/// A broadcast of a variable is converted before it repeats its elements, so
/// that its gradient, a sum, is narrow like that of a product. Such a sum may
/// be too large for a type with a smaller range than f32.
Value Narrowing::getNarrow(Value value) {
  if (narrowed.contains(value))
    return value;
  auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
  if (!broadcast || !flexible.contains(value) || !hasRangeOfF32(type))
    return convert(value, type, narrowOf);
  if (Value narrow = narrowOf.lookup(value))
    return narrow;
  Value operand = getNarrow(broadcast.getOperand());
  PlacementListener listener;
  PlacementScope scope(listener, getDefiningPlacement(value));
  OpBuilder builder(func.getContext(), &listener);
  builder.setInsertionPointAfter(broadcast);
  return narrowOf[value] =
             BroadcastInDimOp::create(builder, broadcast.getLoc(),
                                      broadcast.getType().withElementType(type),
                                      operand, broadcast.getDims());
}

Value Narrowing::getWide(Value value) {
  return narrowed.contains(value)
             ? convert(value, Float32Type::get(func.getContext()), wideOf)
             : value;
}

bool Narrowing::infersNarrow(Operation *op) const {
  if (!op->hasTrait<InfersNarrowTypes>())
    return false;
  bool hasNarrow = false;
  for (Value operand : op->getOperands()) {
    hasNarrow |= narrowed.contains(operand);
    if (isWide(operand.getType()) && !flexible.contains(operand))
      return false;
  }
  return hasNarrow;
}

bool Narrowing::isFlexible(Operation *op) const {
  // A mask of -1e9 is not one of minus infinity.
  DenseFPElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return llvm::all_of(constant.getValues<APFloat>(), [&](APFloat value) {
      bool wasFinite = value.isFinite(), losesInfo;
      value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      return value.isFinite() == wasFinite;
    });
  return op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return flexible.contains(operand);
         });
}

SmallVector<Type> Narrowing::getNarrowTypes(Operation *op) const {
  SmallVector<Type> types;
  auto inferred = dyn_cast<InferTypeOpInterface>(op);
  if (inferred && succeeded(inferred.inferReturnTypes(
                      op->getContext(), op->getLoc(), op->getOperands(),
                      op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
                      op->getRegions(), types)))
    return types;
  types.assign(op->result_type_begin(), op->result_type_end());
  for (Type &result : types)
    if (isWide(result))
      result = cast<BlobType>(result).withElementType(type);
  return types;
}

void Narrowing::narrow(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (isWide(operand.get().getType()))
      operand.set(getNarrow(operand.get()));
  bool changed = false;
  for (auto [result, to] : llvm::zip(op->getResults(), getNarrowTypes(op))) {
    if (result.getType() == to)
      continue;
    result.setType(to);
    narrowed.insert(result);
    changed = true;
  }
  numOps += changed;
}

void Narrowing::widenOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(getWide(operand.get()));
}

void Narrowing::run() {
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
    if (op.hasTrait<AllowsNarrowTypes>() || infersNarrow(&op)) {
      narrow(&op);
      continue;
    }
    widenOperands(&op);
    if (isFlexible(&op))
      flexible.insert(op.result_begin(), op.result_end());
  }
}

namespace {
struct JobPrecision : public job::impl::JobPrecisionBase<JobPrecision> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (type == "f32")
      return success();
    if (type == "bf16")
      narrowType = BFloat16Type::get(context);
    else if (type == "f16")
      narrowType = Float16Type::get(context);
    else
      return emitError(UnknownLoc::get(context))
             << "expects type f32, bf16 or f16 but got '" << type.getValue()
             << "'";
    return success();
  }

  void runOnOperation() override {
    FuncOp func = getOperation();
    TypeAttr own = func.getPrecisionAttr();
    FloatType wanted = own ? cast<FloatType>(own.getValue()) : narrowType;
    if (!wanted || wanted.isF32())
      return markAllAnalysesPreserved();
    // A job of a later stage, whose ops have their types.
    if (func.getKind() == JobKind::Train && hasGradients(func)) {
      if (!own)
        return markAllAnalysesPreserved();
      func.emitError() << "expects job @" << func.getSymName()
                       << " to have its gradients built after its precision of "
                       << wanted << " is applied but got gradients";
      return signalPassFailure();
    }
    func.removePrecisionAttr();
    Narrowing narrowing(func, wanted);
    narrowing.run();
    numNarrowed += narrowing.numOps;
    numCasts += narrowing.numCasts;
  }

  FloatType narrowType;
};
} // namespace
