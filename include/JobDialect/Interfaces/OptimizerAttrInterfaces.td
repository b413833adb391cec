//===- OptimizerAttrInterfaces.td - Optimizers, schedules --*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_OPTIMIZERATTRINTERFACES_TD
#define JOBDIALECT_INTERFACES_OPTIMIZERATTRINTERFACES_TD

include "mlir/IR/Interfaces.td"

def OptimizerAttrInterface : AttrInterface<"OptimizerAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    The update rule of an optimizer, built from elementwise ops. The models are in
    lib/Transforms/Optimizer, one file each.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the update of one variable: reads and assigns the variable and the
      optimizer's state through `context` (Transforms/UpdateContext.h). The
      context's gradient has the variable's type and is already divided by the
      number of elements and the loss scale. Fails if the context has emitted an
      error.
    }], "::llvm::LogicalResult", "buildUpdate",
    (ins "::mlir::job::UpdateContext &":$context)>
  ];
}

def ScheduleAttrInterface : AttrInterface<"ScheduleAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{ A learning rate as a function of the step. }];
  let methods = [
    InterfaceMethod<[{
      Builds the learning rate, a `!job.blob<1xf32>`, at step `step`, a
      `!job.blob<1xi64>` that counts from 0.
    }], "::mlir::Value", "buildLearningRate",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
         "::mlir::Value":$step)>,
    InterfaceMethod<"The rate that the schedule starts from, the target of a warm-up.",
    "double", "getInitialLearningRate">
  ];
}

def WarmupAttrInterface : AttrInterface<"WarmupAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{ Replaces a schedule over the first steps. }];
  let methods = [
    InterfaceMethod<[{
      Builds the learning rate with the warm-up applied: `base` is the
      rate that the schedule starts from, `scheduled` its rate at `step`.
    }], "::mlir::Value", "buildLearningRate",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
         "::mlir::Value":$step, "double":$base, "::mlir::Value":$scheduled)>
  ];
}

#endif // JOBDIALECT_INTERFACES_OPTIMIZERATTRINTERFACES_TD
