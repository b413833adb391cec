//===- UpdateContext.h - Building update rules ------------------*- C++ -*-===//
//
// An optimizer's model uses it to build the update of one variable:
//
//   LogicalResult buildUpdate(Attribute, UpdateContext &context) const {
//     Value rate = context.broadcast(context.getLearningRate());
//     Value step = context.mul(rate, context.getGradient());
//     context.assign(context.sub(context.read(), step));
//     return success();
//   }
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_TRANSFORMS_UPDATECONTEXT_H
#define JOBDIALECT_TRANSFORMS_UPDATECONTEXT_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// What a rule computes with.
struct UpdateInputs {
  /// Of the type that rules compute with, divided by the number of elements of
  /// the losses and the loss scale, and clipped.
  Value gradient;
  /// A `!job.blob<1xf32>`.
  Value learningRate;
  /// The step that the learning rate is of, a `!job.blob<1xi64>`.
  Value step;
  /// A `!job.blob<1xi1>`: if it is there and false, assignments keep the values
  /// that variables have.
  Value condition;
  double weightDecay = 0;
};

/// Exists while one update is built. Owns nothing.
class UpdateContext {
public:
  /// New variables are inserted into `symbols`, the symbol table of the module.
  UpdateContext(OpBuilder &builder, Location loc, SymbolTable &symbols,
                VariableOp variable, const UpdateInputs &inputs)
      : builder(builder), loc(loc), symbols(symbols), variable(variable),
        inputs(inputs) {}

  VariableOp getVariable() const { return variable; }
  /// The type that the rule computes with: that of the variable, with f32 for
  /// elements of 16 bits.
  BlobType getType() {
    return getComputeBlob(cast<BlobType>(variable.getType()));
  }
  static BlobType getComputeBlob(BlobType type);
  Value getGradient() const { return inputs.gradient; }
  /// The learning rate, a `!job.blob<1xf32>`; `broadcast` converts it to the
  /// type of the update.
  Value getLearningRate() const { return inputs.learningRate; }
  Value getStep() const { return inputs.step; }
  double getWeightDecay() const { return inputs.weightDecay; }
  InFlightDiagnostic emitError() const { return mlir::emitError(loc); }

  /// Reads the variable's value before the update, and assigns the new value.
  Value read();
  void assign(Value value) {
    assign(variable, create<CastOp>(variable.getType(), value));
  }

  /// The state variable `<variable>-<suffix>`. If it does not exist, it is
  /// created with the initial value `initial` for all elements. Null after an
  /// error: the name belongs to a symbol that is not this state.
  VariableOp getState(StringRef suffix, BlobType type, double initial);
  Value read(VariableOp state);
  void assign(VariableOp state, Value value);

  /// `!job.blob<1xf32>`, the type of scalars that all elements share.
  BlobType getScalarType() { return BlobType::get({1}, builder.getF32Type()); }
  /// A constant of the type of the update, or of `type`.
  Value constant(double value) { return constant(getType(), value); }
  Value constant(BlobType type, double value);
  /// Converts a scalar of floats to the type of the update.
  Value broadcast(Value scalar);

  /// `direction` with the weight decay, a multiple of the variable, added.
  Value addDecay(Value direction);
  /// The root mean square of the elements of a blob, a scalar of their type.
  Value getMagnitude(Value blob);

  Value add(Value lhs, Value rhs) { return create<AddOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return create<SubOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return create<MulOp>(lhs, rhs); }
  Value div(Value lhs, Value rhs) { return create<DivOp>(lhs, rhs); }
  Value sqrt(Value value) { return create<SqrtOp>(value); }
  Value compare(ComparePredicate predicate, Value lhs, Value rhs) {
    return CompareOp::create(builder, loc, predicate, lhs, rhs);
  }

  /// Builds an op, or the value that it folds to.
  template <typename OpTy, typename... Args> Value create(Args &&...args) {
    return builder.createOrFold<OpTy>(loc, std::forward<Args>(args)...);
  }

private:
  OpBuilder &builder;
  Location loc;
  SymbolTable &symbols;
  VariableOp variable;
  UpdateInputs inputs;
  /// The value of the variable before the update, once it is read.
  Value current;
};

} // namespace mlir::job

#endif // JOBDIALECT_TRANSFORMS_UPDATECONTEXT_H
