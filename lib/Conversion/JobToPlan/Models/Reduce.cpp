//===- Reduce.cpp - Kernels of reductions ---------------------------------===//

#include "Models.h"

#include "JobDialect/IR/JobOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace mlir::job;

namespace {

struct SumRule {
  static TypedAttr getIdentity(Type type) {
    return Builder(type.getContext()).getZeroAttr(type);
  }
  static Value combine(OpBuilder &builder, Location loc, Value a, Value b) {
    if (isa<FloatType>(a.getType()))
      return arith::AddFOp::create(builder, loc, a, b);
    return arith::AddIOp::create(builder, loc, a, b);
  }
};

struct ProdRule {
  static TypedAttr getIdentity(Type type) {
    return Builder(type.getContext()).getOneAttr(type);
  }
  static Value combine(OpBuilder &builder, Location loc, Value a, Value b) {
    if (isa<FloatType>(a.getType()))
      return arith::MulFOp::create(builder, loc, a, b);
    return arith::MulIOp::create(builder, loc, a, b);
  }
};

/// Maximum and minimum are exact in any order; a NaN stays (IEEE 754 maximum).
struct MaxRule {
  static TypedAttr getIdentity(Type type) {
    Builder builder(type.getContext());
    if (isa<FloatType>(type))
      return builder.getFloatAttr(type,
                                  -std::numeric_limits<double>::infinity());
    return builder.getIntegerAttr(
        type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
  }
  static Value combine(OpBuilder &builder, Location loc, Value a, Value b) {
    if (isa<FloatType>(a.getType()))
      return arith::MaximumFOp::create(builder, loc, a, b);
    return arith::MaxSIOp::create(builder, loc, a, b);
  }
};

struct MinRule {
  static TypedAttr getIdentity(Type type) {
    Builder builder(type.getContext());
    if (isa<FloatType>(type))
      return builder.getFloatAttr(type,
                                  std::numeric_limits<double>::infinity());
    return builder.getIntegerAttr(
        type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth()));
  }
  static Value combine(OpBuilder &builder, Location loc, Value a, Value b) {
    if (isa<FloatType>(a.getType()))
      return arith::MinimumFOp::create(builder, loc, a, b);
    return arith::MinSIOp::create(builder, loc, a, b);
  }
};

template <typename OpTy, typename Rule>
struct ReductionModel : public ReductionKernelOpInterface::ExternalModel<
                            ReductionModel<OpTy, Rule>, OpTy> {
  ArrayRef<int64_t> getReducedAxes(Operation *op) const {
    return cast<OpTy>(op).getAxes();
  }
  TypedAttr getIdentity(Operation *op) const {
    return Rule::getIdentity(
        cast<OpTy>(op).getResult().getType().getElementType());
  }
  Value buildCombine(Operation *op, OpBuilder &builder, Value accumulator,
                     Value element) const {
    return Rule::combine(builder, op->getLoc(), accumulator, element);
  }
};

} // namespace

void job::attachReduceModels(MLIRContext *context) {
  ReduceSumOp::attachInterface<ReductionModel<ReduceSumOp, SumRule>>(*context);
  ReduceProdOp::attachInterface<ReductionModel<ReduceProdOp, ProdRule>>(
      *context);
  ReduceMaxOp::attachInterface<ReductionModel<ReduceMaxOp, MaxRule>>(*context);
  ReduceMinOp::attachInterface<ReductionModel<ReduceMinOp, MinRule>>(*context);
}
