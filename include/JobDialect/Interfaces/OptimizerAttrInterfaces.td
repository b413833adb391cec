//===- OptimizerAttrInterfaces.td - Optimizers, schedules --*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_OPTIMIZERATTRINTERFACES_TD
#define JOBDIALECT_INTERFACES_OPTIMIZERATTRINTERFACES_TD

include "mlir/IR/Interfaces.td"

def OptimizerAttrInterface : AttrInterface<"OptimizerAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    The update rule of an optimizer as plain ops. The models stand in
    lib/Transforms/Optimizer, one file each.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the update of one variable: reads and assigns it and whatever
      state it needs through `context` (Transforms/UpdateContext.h), whose
      gradient has the variable's type and is final (mean taken, unscaled).
      Fails when the context has emitted an error.
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
    InterfaceMethod<"The learning rate of step 0, which a warm-up grows to.",
    "double", "getInitialLearningRate">
  ];
}

def WarmupAttrInterface : AttrInterface<"WarmupAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{ Replaces a schedule over the first steps. }];
  let methods = [
    InterfaceMethod<[{
      Builds the learning rate with the warm-up in place: `base` is the
      schedule's rate of step 0, `scheduled` its rate at `step`.
    }], "::mlir::Value", "buildLearningRate",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
         "::mlir::Value":$step, "double":$base, "::mlir::Value":$scheduled)>
  ];
}

#endif // JOBDIALECT_INTERFACES_OPTIMIZERATTRINTERFACES_TD
