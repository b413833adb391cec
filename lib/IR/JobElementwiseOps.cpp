//===- JobElementwiseOps.cpp - One element at a time ----------------------===//

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult
CompareOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                            Adaptor adaptor,
                            SmallVectorImpl<Type> &inferredReturnTypes) {
  inferredReturnTypes.push_back(
      cast<BlobType>(adaptor.getLhs().getType())
          .withElementType(IntegerType::get(context, 1)));
  return success();
}
