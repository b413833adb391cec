//===- Structure.cpp - Gradients that users give --------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static bool isFloat(Type type) { return cast<BlobType>(type).isFloat(); }

/// Appends the gradients of the results of floats, zeros where no loss depends
/// on one.
static void appendGradients(OpBuilder &builder, Location loc,
                            ResultRange results, ArrayRef<Value> gradients,
                            SmallVectorImpl<Value> &values) {
  for (auto [result, gradient] : llvm::zip_equal(results, gradients)) {
    if (!isFloat(result.getType()))
      continue;
    values.push_back(
        gradient ? gradient
                 : Value(ConstantOp::create(
                       builder, loc, cast<BlobType>(result.getType()), 0.0)));
  }
}

namespace {
/// A call of the function of the gradient, if there is one.
struct HostCallGradient
    : public DifferentiableOpInterface::ExternalModel<HostCallGradient,
                                                      HostCallOp> {
  LogicalResult buildGradient(Operation *op, OpBuilder &builder,
                              ArrayRef<Value> resultGradients,
                              ArrayRef<bool> needed,
                              MutableArrayRef<Value> operandGradients) const {
    auto call = cast<HostCallOp>(op);
    if (!call.getGradientAttr())
      return call.emitError()
             << "expects the host function '" << call.getCallee()
             << "' between a trainable variable and a loss to have a gradient "
                "but got none";
    Location loc = getGradientLoc(op->getLoc());
    SmallVector<Value> inputs(call.getInputs());
    llvm::append_range(inputs, call.getOutputs());
    appendGradients(builder, loc, call.getOutputs(), resultGradients, inputs);
    SmallVector<Type> types;
    llvm::copy_if(call.getInputs().getTypes(), std::back_inserter(types),
                  isFloat);
    auto gradients =
        HostCallOp::create(builder, loc, types, call.getGradientAttr(), inputs,
                           /*gradient=*/nullptr);
    unsigned number = 0;
    for (auto [index, input] : llvm::enumerate(call.getInputs())) {
      if (!isFloat(input.getType()))
        continue;
      Value gradient = gradients->getResult(number++);
      if (needed[index])
        operandGradients[index] = gradient;
    }
    return success();
  }
};

/// A copy of the region's ops.
struct CustomGradient
    : public DifferentiableOpInterface::ExternalModel<CustomGradient,
                                                      CustomGradientOp> {
  LogicalResult buildGradient(Operation *op, OpBuilder &builder,
                              ArrayRef<Value> resultGradients,
                              ArrayRef<bool> needed,
                              MutableArrayRef<Value> operandGradients) const {
    auto custom = cast<CustomGradientOp>(op);
    Location loc = getGradientLoc(op->getLoc());
    SmallVector<Value> arguments(custom.getInputs());
    llvm::append_range(arguments, custom.getValues());
    appendGradients(builder, loc, custom.getResults(), resultGradients,
                    arguments);
    Block &block = custom.getGradient().front();
    IRMapping mapping;
    mapping.map(block.getArguments(), arguments);
    for (Operation &each : block.without_terminator())
      builder.clone(each, mapping)->setLoc(loc);
    unsigned first = custom.getValues().size(), number = 0;
    for (auto [index, input] : llvm::enumerate(custom.getInputs())) {
      if (!isFloat(input.getType()))
        continue;
      Value gradient =
          mapping.lookupOrDefault(block.getTerminator()->getOperand(number++));
      if (needed[first + index])
        operandGradients[first + index] = gradient;
    }
    return success();
  }
};
} // namespace

void job::attachStructureGradients(MLIRContext &context) {
  CustomGradientOp::attachInterface<CustomGradient>(context);
  HostCallOp::attachInterface<HostCallGradient>(context);
}
