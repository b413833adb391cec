//===- Gradient.h - Writing gradient rules ----------------------*- C++ -*-===//
//
// A gradient rule is a function that builds the vector-Jacobian product of one
// op. `attachGradient` makes it the op's model of DifferentiableOpInterface:
//
//   static void negGradient(NegOp op, Gradient &gradient) {
//     gradient.set(0, gradient.create<NegOp>(gradient.get()));
//   }
//   ...
//   attachGradient<NegOp, negGradient>(context);
//
// A rule of several ops computes with what `wide` gives: f16 and bf16 are
// rounded at its end only, as they are by an op.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_AUTODIFF_GRADIENT_H
#define JOBDIALECT_LIB_TRANSFORMS_AUTODIFF_GRADIENT_H

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::job {

/// `loc` as the place of what is built for it: "gradient of" or "update of".
inline Location getDerivedLoc(StringRef what, Location loc) {
  MLIRContext *context = loc.getContext();
  return FusedLoc::get({loc}, StringAttr::get(context, what), context);
}

inline Location getGradientLoc(Location loc) {
  return getDerivedLoc("gradient of", loc);
}

/// What a rule is given and fills in.
class Gradient {
public:
  Gradient(OpBuilder &builder, Location loc, ArrayRef<Value> results,
           ArrayRef<bool> needed, TypeRange types,
           MutableArrayRef<Value> operands)
      : builder(builder), loc(loc), results(results), needed(needed),
        types(types), operands(operands) {}

  /// The gradient of an op's only result.
  Value get() const {
    assert(results.size() == 1 && "one of several results is asked by index");
    return results.front();
  }

  /// It in the type that it is computed in.
  Value getWide() { return wide(get()); }

  /// The gradient of one of several results; null when no loss depends on it,
  /// which is not so for all of them.
  Value get(unsigned index) const { return results[index]; }

  /// Whether the gradient of operand `index` is wanted. A rule builds nothing
  /// for the others.
  bool isNeeded(unsigned index) const { return needed[index]; }

  /// Answers the gradient of operand `index`, which is wanted, and rounds it if
  /// it is wide; left out, it is zero.
  void set(unsigned index, Value value) {
    assert(needed[index] && "a rule builds wanted gradients only");
    operands[index] = create<CastOp>(types[index], value);
  }

  /// `value` in the type that its elements are computed in; null for null.
  Value wide(Value value) {
    if (!value)
      return value;
    auto type = cast<BlobType>(value.getType());
    Type element = getComputeType(type.getElementType());
    return create<CastOp>(type.withElementType(element), value);
  }

  /// `op` on wide operands, for results that rounding to f16 or bf16 makes
  /// useless to compute with. When the ops of the job have been widened, it is
  /// equal to `op`, and one of the two remains.
  template <typename OpTy> OpTy wideOp(OpTy op) {
    if (!computesWithStorageType(op))
      return op;
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, wide(operand));
    auto clone = llvm::cast<OpTy>(builder.clone(*op, mapping));
    clone->setLoc(loc);
    for (Value result : clone->getResults()) {
      auto type = llvm::cast<BlobType>(result.getType());
      result.setType(
          type.withElementType(getComputeType(type.getElementType())));
    }
    return clone;
  }

  /// Builds an op, or what it folds to.
  template <typename OpTy, typename... Args> Value create(Args &&...args) {
    return builder.createOrFold<OpTy>(loc, std::forward<Args>(args)...);
  }

  /// Builds an op of several results.
  template <typename OpTy, typename... Args> OpTy createOp(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...);
  }

  /// A constant of the type of `like` with all elements equal.
  Value splat(Value like, double value) {
    return ConstantOp::create(builder, loc, cast<BlobType>(like.getType()),
                              value);
  }

private:
  OpBuilder &builder;
  Location loc;
  ArrayRef<Value> results;
  ArrayRef<bool> needed;
  TypeRange types;
  MutableArrayRef<Value> operands;
};

/// The model that runs `rule` for ops of one kind.
template <typename OpTy, void (*rule)(OpTy, Gradient &)>
struct GradientModel
    : public DifferentiableOpInterface::ExternalModel<GradientModel<OpTy, rule>,
                                                      OpTy> {
  LogicalResult buildGradient(Operation *op, OpBuilder &builder,
                              ArrayRef<Value> resultGradients,
                              ArrayRef<bool> needed,
                              MutableArrayRef<Value> operandGradients) const {
    Gradient gradient(builder, getGradientLoc(op->getLoc()), resultGradients,
                      needed, op->getOperandTypes(), operandGradients);
    rule(cast<OpTy>(op), gradient);
    return success();
  }
};

template <typename OpTy, void (*rule)(OpTy, Gradient &)>
void attachGradient(MLIRContext &context) {
  OpTy::template attachInterface<GradientModel<OpTy, rule>>(context);
}

// One function a family, each in the file of its name.
void attachAttentionGradients(MLIRContext &context);
void attachConvGradients(MLIRContext &context);
void attachElementwiseGradients(MLIRContext &context);
void attachIndexGradients(MLIRContext &context);
void attachLossGradients(MLIRContext &context);
void attachMatMulGradients(MLIRContext &context);
void attachNormGradients(MLIRContext &context);
void attachPoolGradients(MLIRContext &context);
void attachRandomGradients(MLIRContext &context);
void attachReduceGradients(MLIRContext &context);
void attachMicroStepsGradients(MLIRContext &context);
void attachShapeGradients(MLIRContext &context);
void attachStructureGradients(MLIRContext &context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_AUTODIFF_GRADIENT_H
