//===- job-opt.cpp - Passes on IR files -----------------------------------===//

#include "JobDialect/Pipelines/Pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::job::registerAllDialects(registry);
  mlir::job::registerAllPasses();
  mlir::job::registerPipelines();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "JobMLIR's passes\n", registry));
}
