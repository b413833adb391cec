//===- Reduce.cpp - Places of maxima by other ops -------------------------===//
//
// The first place of an extremum is the least index of the elements that equal
// it: a reduction, after the one that finds the extremum.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::job;

namespace {

/// Builds ops on a blob and on reductions of it over some of its dimensions.
struct PlaceOps {
  OpBuilder &builder;
  Location loc;
  BlobType type;
  ArrayRef<int64_t> axes;
  /// The type of indices: vectors of 32 bits are shorter.
  Type index;

  PlaceOps(OpBuilder &builder, Location loc, BlobType type,
           ArrayRef<int64_t> axes)
      : builder(builder), loc(loc), type(type), axes(axes) {
    index = builder.getIntegerType(getCount() < INT32_MAX ? 32 : 64);
  }

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  /// The number of elements of one reduction.
  int64_t getCount() const {
    int64_t count = 1;
    for (int64_t axis : axes)
      count *= type.getDimSize(axis);
    return count;
  }

  BlobType getIndexType() const {
    return BlobType::get(type.getShape(), index);
  }

  /// A reduction, with or without the dimensions that it has reduced, for each
  /// element.
  Value broadcast(Value reduced) const {
    auto from = cast<BlobType>(reduced.getType());
    SmallVector<int64_t> dims;
    if (from.getRank() == type.getRank()) {
      dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    } else {
      for (int64_t dim : llvm::seq<int64_t>(0, type.getRank()))
        if (!llvm::is_contained(axes, dim))
          dims.push_back(dim);
      // The shape `1` of a reduction over all dimensions.
      if (dims.empty())
        dims.push_back(0);
    }
    return builder.createOrFold<BroadcastInDimOp>(
        loc, BlobType::get(type.getShape(), from.getElementType()), reduced,
        dims);
  }

  /// The row-major index of each element in its reduction.
  Value buildPlaces() const {
    Value places;
    int64_t stride = 1;
    for (int64_t axis : llvm::reverse(axes)) {
      Value place =
          make<IotaOp>(getIndexType(), builder.getI64IntegerAttr(axis));
      if (stride != 1)
        place = make<MulOp>(place,
                            make<ConstantOp>(getIndexType(), double(stride)));
      places = places ? make<AddOp>(place, places) : place;
      stride *= type.getDimSize(axis);
    }
    return places;
  }

  /// The least index of each reduction among the elements of `operand` that
  /// equal `extremum`, or are NaN; the number of elements where none does. A
  /// reduction has NaNs if and only if its extremum is one.
  Value buildFirst(Value operand, Value extremum, Value places) const {
    Value isFound =
        make<CompareOp>(ComparePredicate::EQ, operand, broadcast(extremum));
    if (type.isFloat())
      isFound = make<LogicalOrOp>(
          isFound, make<CompareOp>(ComparePredicate::NE, operand, operand));
    Value none = make<ConstantOp>(getIndexType(), double(getCount()));
    return make<ReduceMinOp>(make<SelectOp>(isFound, places, none), axes,
                             /*keepdims=*/false);
  }
};

struct ArgMaxModel
    : DecomposableOpInterface::ExternalModel<ArgMaxModel, ArgMaxOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto argMax = cast<ArgMaxOp>(op);
    int64_t axis = argMax.getAxis();
    Value x = argMax.getOperand();
    PlaceOps r(builder, op->getLoc(), argMax.getOperand().getType(), axis);
    Value maximum = r.make<ReduceMaxOp>(x, r.axes, /*keepdims=*/false);
    return {r.make<CastOp>(argMax.getType(),
                           r.buildFirst(x, maximum, r.buildPlaces()))};
  }
  bool isKernel(Operation *) const { return true; }
};

struct ExtremumGradModel
    : DecomposableOpInterface::ExternalModel<ExtremumGradModel,
                                             ReduceExtremumGradOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto grad = cast<ReduceExtremumGradOp>(op);
    PlaceOps r(builder, op->getLoc(), grad.getOperand().getType(),
               grad.getAxes());
    Value places = r.buildPlaces();
    Value first = r.buildFirst(grad.getOperand(), grad.getReduced(), places);
    Value isFirst =
        r.make<CompareOp>(ComparePredicate::EQ, places, r.broadcast(first));
    return {r.make<SelectOp>(isFirst, r.broadcast(grad.getGrad()),
                             r.make<ConstantOp>(r.type, 0.0))};
  }
  bool isKernel(Operation *) const { return true; }
};

} // namespace

void job::attachReduceDecompositions(MLIRContext &context) {
  ArgMaxOp::attachInterface<ArgMaxModel>(context);
  ReduceExtremumGradOp::attachInterface<ExtremumGradModel>(context);
}
