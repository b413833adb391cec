//===- KernelModels.cpp - Registration of the kernel models ---------------===//

#include "Models.h"

#include "JobDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::job;

void job::registerKernelModels(DialectRegistry &registry) {
  // What the models build.
  registry.insert<arith::ArithDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, vector::VectorDialect>();
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachElementwiseModels(context);
    attachRandomModels(context);
    attachMatMulModels(context);
    attachConvModels(context);
    attachPoolModels(context);
    attachPoolCallModels(context);
    attachAttentionModels(context);
    attachIndexModels(context);
    attachSortModels(context);
    attachOrdinalModels(context);
    attachReduceModels(context);
    attachReduceGradModels(context);
    attachShapeModels(context);
  });
}
