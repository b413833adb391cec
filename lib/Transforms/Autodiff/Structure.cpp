//===- Structure.cpp - Gradients of calls of host functions ---------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static bool isFloat(Type type) {
  return isa<FloatType>(cast<BlobType>(type).getElementType());
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
    for (auto [output, gradient] :
         llvm::zip_equal(call.getOutputs(), resultGradients)) {
      if (!isFloat(output.getType()))
        continue;
      inputs.push_back(
          gradient ? gradient
                   : Value(ConstantOp::create(
                         builder, loc, cast<BlobType>(output.getType()), 0.0)));
    }
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
} // namespace

void job::attachStructureGradients(MLIRContext &context) {
  HostCallOp::attachInterface<HostCallGradient>(context);
}
