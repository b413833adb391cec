//===- BodyBuilder.cpp - Kernel regions as structured operations ----------===//
//
// The ops of a kernel work on its domain, or on its rows: the domain without
// the dimensions that its reductions reduce. A reduction ends a pass over the
// domain; what needs its result comes in the next one. So there is one
// linalg.generic over the domain for each stage, and one over the rows for what
// is computed of the results of reductions.
//
// A value of the domain that a later stage needs is computed again there,
// unless that takes many operations: then it is kept in the memory of a result
// that is written later.
//
// The domain is made as small as it can be: dimensions of extent 1 are dropped,
// and neighbours that every operand and result goes through in the same way
// become one.
//
//===----------------------------------------------------------------------===//

#include "BodyBuilder.h"

#include "NumericsChecks.h"

#include "JobDialect/IR/ElementTypes.h"

#include "JobDialect/Codegen/KernelNest.h"
#include "jobrt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::job;

/// Values that take more operations than this are kept for later stages: as
/// many as a store and a load cost in a first-level cache.
static constexpr int64_t kMinKeptCost = 8;

/// How many operations one element of the result takes: from the code that it
/// becomes.
static int64_t getOperationCount(Operation *op) {
  Block block;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&block);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(block.addArgument(
        getBodyType(getElementTypeOrSelf(operand.getType())), op->getLoc()));
  auto buildIndex = [&]() -> Value {
    return arith::ConstantOp::create(builder, op->getLoc(),
                                     builder.getI64IntegerAttr(0));
  };
  cast<ScalarKernelOpInterface>(op).buildScalar(
      builder, operands,
      ElementIndices{buildIndex, [&](unsigned) { return buildIndex(); }});
  return llvm::count_if(
      block, [](Operation &op) { return !isa<arith::ConstantOp>(op); });
}

namespace {

/// A dimension of a blob: the dimension of the domain that it goes along, if
/// there is one.
using Place = StridedRead::Dim;

/// A stage of the kernel, over its domain or over its rows.
struct Stage {
  unsigned number = 0;
  bool isRow = false;
  bool operator==(const Stage &other) const {
    return number == other.number && isRow == other.isRow;
  }
};

/// A tensor with a dimension for each collapsed dimension that it goes along.
struct View {
  Value tensor;
  /// The collapsed dimension of each of its dimensions, -1 for an extent of 1.
  SmallVector<int64_t> groups;
  /// The dimensions of the argument that each of its dimensions is made of.
  SmallVector<ReassociationIndices> reassociation;
};

class BodyBuilder {
public:
  BodyBuilder(OpBuilder &builder, KernelOp kernel,
              const KernelSignature &signature, bool keepsValues)
      : b(builder), signature(signature), keepsValues(keepsValues),
        scratch(kernel->clone()),
        region(cast<KernelOp>(*scratch).getBody().front()),
        loc(kernel.getLoc()) {}

  func::FuncOp build(bool withChecks, EmittedKernel &emitted);

private:
  // What there is to compute.
  void decompose();
  void findDomain();
  SmallVector<Place> getPlaces(Value blob) const;
  SmallVector<Place> getReadPlaces(OpOperand &operand) const;
  void collapseDomain();
  void findStages();
  void findKeptValues();
  int64_t getCost(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) const;
  bool isComputed(Value value) const { return stageOf.contains(value); }

  // One pass.
  void buildPass(Stage stage);
  Value getScalar(Value value);
  Value buildScalarOf(Operation *op);
  Value buildReduction(ReductionKernelOpInterface op);
  Value addInput(Value tensor, AffineMap map);
  Value readInput(BlockArgument input, ArrayRef<Place> places);
  Value readComputed(Value value, ArrayRef<Place> places);
  Value buildLinearIndex();
  Value buildDimIndex(Value value, unsigned dim);
  bool isChecked(ReductionKernelOpInterface reduction) const;
  void addCheck(Operation *op, Value scalar);
  bool isGuarded(Value value) const;
  Value guard(Value value, Value scalar);
  void numberChecks(EmittedKernel &emitted);

  // Tensors.
  SmallVector<unsigned> getLoops(bool isRow) const;
  AffineMap getMap(ArrayRef<int64_t> groups) const;
  View collapse(Value tensor, ArrayRef<Place> places);
  Value getDestination(Value value);

  OpBuilder &b;
  const KernelSignature &signature;
  bool keepsValues;
  /// A copy of the kernel, in which ops are replaced by those that compute
  /// them.
  OwningOpRef<Operation *> scratch;
  Block &region;
  /// What came of such ops.
  llvm::SmallPtrSet<Operation *, 8> decomposed;
  /// Those that compute a result of one, and its location.
  DenseMap<Operation *, Location> decomposedResults;
  Location loc;
  func::FuncOp body;
  bool checkNumerics = false;

  /// The domain as the ops have it, and which of its dimensions are reduced.
  SmallVector<int64_t> domain;
  SmallVector<bool> reduced;
  /// The collapsed dimension that each dimension is a part of; -1 for those of
  /// extent 1. Extents of the collapsed dimensions.
  SmallVector<int64_t> groupOf;
  SmallVector<int64_t> extents;
  SmallVector<bool> isGroupReduced;
  /// Values that are kept for later stages, and the result in whose memory.
  DenseMap<Value, Value> keptIn;
  /// The stage in which each value is computed.
  DenseMap<Value, Stage> stageOf;
  /// What is yielded, and as which results.
  DenseMap<Value, SmallVector<unsigned>> yieldedAs;
  /// Tensors of values that have been computed.
  DenseMap<Value, Value> tensorOf;
  /// Views of arguments that have been built.
  DenseMap<std::pair<Value, Attribute>, Value> views;

  /// The pass that is being built: its loops, its region, the scalars in it.
  Stage current;
  SmallVector<unsigned> loops;
  std::unique_ptr<Block> block;
  std::optional<OpBuilder> inner;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> inputMaps;
  DenseMap<Value, Value> scalarOf;
  /// Reductions of the pass, and the accumulators that stand for them.
  DenseMap<Value, BlockArgument> accumulatorOf;

  /// Checks: ops that were checked, in any order.
  llvm::MapVector<Operation *, plan::CheckOp> checks;
  /// What ops of the pass are checked for.
  SmallVector<Value> checkedScalars;
};

} // namespace

//===----------------------------------------------------------------------===//
// The domain
//===----------------------------------------------------------------------===//

/// Replaces ops that other ops compute. Only their results are checked: on the
/// way there may be infinities that do no harm.
void BodyBuilder::decompose() {
  for (Operation &op : llvm::make_early_inc_range(region)) {
    auto decomposable = dyn_cast<DecomposableOpInterface>(op);
    if (!decomposable)
      continue;
    Operation *before = op.getPrevNode();
    OpBuilder builder(&op);
    SmallVector<Value> results(decomposable.decompose(builder));
    for (Value result : results)
      if (Operation *part = result.getDefiningOp();
          part && !isa<ConstantOp>(part) &&
          isa<FloatType>(getElementTypeOrSelf(result.getType())))
        decomposedResults.try_emplace(part, op.getLoc());
    op.replaceAllUsesWith(results);
    for (Operation &part : llvm::make_range(
             before ? std::next(before->getIterator()) : region.begin(),
             op.getIterator()))
      decomposed.insert(&part);
    op.erase();
  }
  // A result that no op uses takes no pass.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(region)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void BodyBuilder::findDomain() {
  for (Operation &op : region.without_terminator())
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
      domain = llvm::to_vector(
          cast<BlobType>(op.getOperand(0).getType()).getShape());
      reduced.assign(domain.size(), false);
      for (int64_t axis : reduction.getReducedAxes())
        reduced[axis] = true;
      return;
    }
  // A constant or a strided read comes first; its users have the domain's
  // shape. One that is alone is the domain.
  for (Operation &op : region.without_terminator())
    domain =
        llvm::to_vector(cast<BlobType>(op.getResult(0).getType()).getShape());
  reduced.assign(domain.size(), false);
}

/// The dimensions of a blob of the domain, of its rows, or of one element.
SmallVector<Place> BodyBuilder::getPlaces(Value blob) const {
  ArrayRef<int64_t> shape = cast<BlobType>(blob.getType()).getShape();
  SmallVector<Place> places(shape.size());
  auto isDomain = [&](bool keepsReduced) {
    if (shape.size() != domain.size())
      return false;
    for (auto [extent, size, isReduced] : llvm::zip(domain, shape, reduced))
      if (size != (isReduced && !keepsReduced ? 1 : extent))
        return false;
    return true;
  };
  if (isDomain(/*keepsReduced=*/true) || isDomain(/*keepsReduced=*/false)) {
    for (auto [dim, place] : llvm::enumerate(places))
      if (shape[dim] != 1)
        place.resultDim = dim;
    return places;
  }
  unsigned next = 0;
  for (auto [dim, extent] : llvm::enumerate(domain)) {
    if (reduced[dim] || next == places.size())
      continue;
    if (shape[next] != 1)
      places[next].resultDim = dim;
    ++next;
  }
  return places;
}

/// The dimensions of the operand of an op, along the domain.
SmallVector<Place> BodyBuilder::getReadPlaces(OpOperand &operand) const {
  auto read = dyn_cast<StridedReadOpInterface>(operand.getOwner());
  if (!read)
    return getPlaces(operand.get());
  SmallVector<Place> resultPlaces = getPlaces(read->getResult(0));
  SmallVector<Place> places = read.getStridedRead().dims;
  for (Place &place : places)
    if (place.resultDim)
      place.resultDim = resultPlaces[*place.resultDim].resultDim;
  return places;
}

void BodyBuilder::collapseDomain() {
  // The strides along the domain of all that is read and written.
  SmallVector<SmallVector<int64_t>> accesses;
  auto addAccess = [&](Type type, ArrayRef<Place> places) {
    SmallVector<int64_t> &strides =
        accesses.emplace_back(domain.size(), /*stride=*/0);
    for (auto [place, stride] :
         llvm::zip(places, computeStrides(cast<BlobType>(type).getShape())))
      if (place.resultDim)
        strides[*place.resultDim] = stride * place.step;
  };
  for (Operation &op : region)
    for (OpOperand &operand : op.getOpOperands())
      if (isa<BlockArgument>(operand.get()) || &op == region.getTerminator() ||
          isa<StridedReadOpInterface>(op))
        addAccess(operand.get().getType(), getReadPlaces(operand));

  groupOf.assign(domain.size(), -1);
  std::optional<unsigned> last;
  for (unsigned dim : llvm::seq<unsigned>(domain.size())) {
    if (domain[dim] == 1)
      continue;
    // One step along the outer dimension is as far as all along the inner.
    bool merges = last && reduced[*last] == reduced[dim] &&
                  llvm::all_of(accesses, [&](ArrayRef<int64_t> strides) {
                    return strides[*last] == strides[dim] * domain[dim];
                  });
    if (merges) {
      extents.back() *= domain[dim];
    } else {
      extents.push_back(domain[dim]);
      isGroupReduced.push_back(reduced[dim]);
    }
    groupOf[dim] = extents.size() - 1;
    last = dim;
  }
}

void BodyBuilder::findStages() {
  bool hasUnitRows =
      llvm::all_of_zip(domain, reduced, [](int64_t extent, bool isReduced) {
        return !isReduced || extent == 1;
      });
  for (auto [index, value] :
       llvm::enumerate(region.getTerminator()->getOperands()))
    yieldedAs[value].push_back(index);
  for (Operation &op : region.without_terminator()) {
    Value result = op.getResult(0);
    if (isa<ConstantOp>(op))
      continue;
    Stage stage;
    bool isReduction = isa<ReductionKernelOpInterface>(op);
    bool isRead = isa<StridedReadOpInterface>(op);
    bool usesRow = llvm::any_of(op.getOperands(), [&](Value operand) {
      return stageOf.lookup(operand).isRow;
    });
    ArrayRef<int64_t> shape = cast<BlobType>(result.getType()).getShape();
    // Rows of one element have the domain's shape.
    stage.isRow = isReduction || shape != ArrayRef<int64_t>(domain) ||
                  (hasUnitRows && !isRead && usesRow);
    for (Value operand : op.getOperands()) {
      Stage needed = stageOf.lookup(operand);
      // The domain's values follow those of its rows one stage later; so do
      // reductions, which go over the domain.
      bool isOnDomain = isReduction || !stage.isRow;
      unsigned number = needed.number + (needed.isRow && isOnDomain);
      stage.number = std::max(stage.number, number);
    }
    stageOf[result] = stage;
  }
}

/// About how many ops have to run for a value of the domain.
int64_t BodyBuilder::getCost(Value value,
                             llvm::SmallPtrSetImpl<Operation *> &seen) const {
  Operation *op = value.getDefiningOp();
  if (!op || stageOf.lookup(value).isRow || !isa<ScalarKernelOpInterface>(op) ||
      !seen.insert(op).second)
    return 0;
  int64_t cost = getOperationCount(op);
  for (Value operand : op->getOperands())
    cost += getCost(operand, seen);
  return cost;
}

/// Values of the domain that a later stage uses and that are worth a store and
/// a load more: they take the memory of a result of that stage or a later one.
void BodyBuilder::findKeptValues() {
  if (!keepsValues)
    return;
  llvm::SmallPtrSet<Value, 4> taken;
  for (Operation &op : region.without_terminator()) {
    Value value = op.getResult(0);
    Stage stage = stageOf.lookup(value);
    if (!isComputed(value) || stage.isRow || yieldedAs.contains(value) ||
        !isa<ScalarKernelOpInterface>(op))
      continue;
    unsigned last = stage.number;
    for (Operation *user : op.getUsers())
      if (user->getNumResults() == 1 && !isa<ReductionKernelOpInterface>(user))
        last = std::max(last, stageOf.lookup(user->getResult(0)).number);
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (last == stage.number || getCost(value, seen) < kMinKeptCost)
      continue;
    for (Value result : region.getTerminator()->getOperands()) {
      Stage made = stageOf.lookup(result);
      if (isComputed(result) && !made.isRow && made.number >= last &&
          result.getType() == value.getType() && taken.insert(result).second) {
        keptIn[value] = result;
        break;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The collapsed dimensions that a pass goes through.
SmallVector<unsigned> BodyBuilder::getLoops(bool isRow) const {
  SmallVector<unsigned> result;
  for (unsigned group : llvm::seq<unsigned>(extents.size()))
    if (!isRow || !isGroupReduced[group])
      result.push_back(group);
  return result;
}

/// The map of an operand whose dimensions go along collapsed dimensions, -1 for
/// those of extent 1.
AffineMap BodyBuilder::getMap(ArrayRef<int64_t> groups) const {
  SmallVector<AffineExpr> exprs;
  for (int64_t group : groups)
    exprs.push_back(group < 0 ? b.getAffineConstantExpr(0)
                              : b.getAffineDimExpr(llvm::find(loops, group) -
                                                   loops.begin()));
  return AffineMap::get(loops.size(), 0, exprs, b.getContext());
}

/// Sees a tensor through the collapsed dimensions. Slices it where it is read
/// in parts.
View BodyBuilder::collapse(Value tensor, ArrayRef<Place> places) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets, sizes, steps;
  SmallVector<int64_t> shape, starts, strides;
  bool isSliced = false;
  for (auto [place, extent] : llvm::zip(places, type.getShape())) {
    int64_t size = place.resultDim ? domain[*place.resultDim] : 1;
    int64_t step = size == 1 ? 1 : place.step;
    isSliced |= place.offset != 0 || step != 1 || size != extent;
    offsets.push_back(b.getIndexAttr(place.offset));
    sizes.push_back(b.getIndexAttr(size));
    steps.push_back(b.getIndexAttr(step));
    shape.push_back(size);
    starts.push_back(place.offset);
    strides.push_back(step);
  }
  SmallVector<int64_t> groups;
  SmallVector<ReassociationIndices> reassociation;
  for (auto [dim, place] : llvm::enumerate(places)) {
    int64_t group = place.resultDim ? groupOf[*place.resultDim] : -1;
    if (reassociation.empty() ||
        (group >= 0 && groups.back() >= 0 && groups.back() != group)) {
      reassociation.emplace_back();
      groups.push_back(group);
    }
    reassociation.back().push_back(dim);
    if (group >= 0)
      groups.back() = group;
  }
  // Equal views are one.
  Attribute key = b.getArrayAttr(
      {b.getDenseI64ArrayAttr(shape), b.getDenseI64ArrayAttr(groups),
       b.getDenseI64ArrayAttr(starts), b.getDenseI64ArrayAttr(strides)});
  Value &view = views[{tensor, key}];
  if (!view) {
    view = tensor;
    if (isSliced)
      view = tensor::ExtractSliceOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()), view,
          offsets, sizes, steps);
    if (reassociation.size() < places.size())
      view = tensor::CollapseShapeOp::create(b, loc, view, reassociation);
  }
  return {view, groups, reassociation};
}

/// The tensor that a result of the current pass is written into: the argument
/// that it is returned in, or an empty one.
Value BodyBuilder::getDestination(Value value) {
  if (Value result = keptIn.lookup(value))
    return getDestination(result);
  if (auto it = yieldedAs.find(value); it != yieldedAs.end()) {
    Value argument = body.getArgument(signature.results[it->second.front()]);
    return collapse(argument, getPlaces(value)).tensor;
  }
  SmallVector<int64_t> shape;
  for (unsigned group : getLoops(stageOf.lookup(value).isRow))
    shape.push_back(extents[group]);
  Type element = cast<BlobType>(value.getType()).getElementType();
  return tensor::EmptyOp::create(b, loc, shape, getBodyType(element));
}

//===----------------------------------------------------------------------===//
// Scalars of a pass
//===----------------------------------------------------------------------===//

/// Whether the reduction of finite elements can be a NaN or infinity: from the
/// code that it becomes.
static bool combinesToNonFinite(ReductionKernelOpInterface reduction) {
  Block scratch;
  OpBuilder builder(reduction.getContext());
  builder.setInsertionPointToStart(&scratch);
  Location loc = reduction.getLoc();
  Value result = scratch.addArgument(
      getElementTypeOrSelf(reduction->getResult(0).getType()), loc);
  Value element = scratch.addArgument(
      getElementTypeOrSelf(reduction->getOperand(0).getType()), loc);
  reduction.buildCombine(builder, result, element);
  return llvm::any_of(
      scratch, [](Operation &op) { return containsNonFiniteMaker(&op); });
}

/// Whether a check is needed of what the reduction computes.
bool BodyBuilder::isChecked(ReductionKernelOpInterface reduction) const {
  if (!checkNumerics)
    return false;
  return decomposed.contains(reduction) ? decomposedResults.contains(reduction)
                                        : combinesToNonFinite(reduction);
}

Value BodyBuilder::addInput(Value tensor, AffineMap map) {
  for (auto [index, input, inputMap] : llvm::enumerate(inputs, inputMaps))
    if (input == tensor && inputMap == map)
      return block->getArgument(index);
  BlockArgument argument = block->insertArgument(
      inputs.size(), cast<RankedTensorType>(tensor.getType()).getElementType(),
      loc);
  inputs.push_back(tensor);
  inputMaps.push_back(map);
  return argument;
}

Value BodyBuilder::readInput(BlockArgument input, ArrayRef<Place> places) {
  Value argument = body.getArgument(signature.inputs[input.getArgNumber()]);
  View view = collapse(argument, places);
  return addInput(view.tensor, getMap(view.groups));
}

/// A value that an earlier pass has computed.
Value BodyBuilder::readComputed(Value value, ArrayRef<Place> places) {
  Value tensor = tensorOf.lookup(value);
  SmallVector<int64_t> groups;
  for (const Place &place : places) {
    int64_t group = place.resultDim ? groupOf[*place.resultDim] : -1;
    if (group >= 0 && (groups.empty() || groups.back() != group))
      groups.push_back(group);
  }
  // A single element may have a dimension of its own.
  if (groups.empty())
    groups.assign(cast<RankedTensorType>(tensor.getType()).getRank(), -1);
  Value scalar = addInput(tensor, getMap(groups));
  auto reduction = value.getDefiningOp<ReductionKernelOpInterface>();
  if (reduction && isChecked(reduction))
    addCheck(reduction, scalar);
  return scalar;
}

/// The row-major index in the domain, or in the rows, from those of the loops.
Value BodyBuilder::buildLinearIndex() {
  Value result;
  for (auto [loop, group] : llvm::enumerate(loops)) {
    Value index = linalg::IndexOp::create(*inner, loc, loop);
    if (result) {
      Value extent =
          arith::ConstantIndexOp::create(*inner, loc, extents[group]);
      result = arith::MulIOp::create(*inner, loc, result, extent);
      index = arith::AddIOp::create(*inner, loc, result, index);
    }
    result = index;
  }
  if (!result)
    result = arith::ConstantIndexOp::create(*inner, loc, 0);
  return arith::IndexCastOp::create(*inner, loc, inner->getI64Type(), result);
}

/// The index along a dimension of a value.
Value BodyBuilder::buildDimIndex(Value value, unsigned dim) {
  Place place = getPlaces(value)[dim];
  Value index;
  if (place.resultDim) {
    // Of the collapsed dimensions that it is a part of.
    int64_t group = groupOf[*place.resultDim], inside = 1;
    for (unsigned other = *place.resultDim + 1; other < domain.size(); ++other)
      if (groupOf[other] == group)
        inside *= domain[other];
    index = linalg::IndexOp::create(*inner, loc,
                                    llvm::find(loops, group) - loops.begin());
    auto constant = [&](int64_t number) {
      return arith::ConstantIndexOp::create(*inner, loc, number);
    };
    int64_t extent = domain[*place.resultDim];
    if (inside != 1)
      index = arith::DivUIOp::create(*inner, loc, index, constant(inside));
    if (inside * extent != extents[group])
      index = arith::RemUIOp::create(*inner, loc, index, constant(extent));
  } else {
    index = arith::ConstantIndexOp::create(*inner, loc, 0);
  }
  return arith::IndexCastOp::create(*inner, loc, inner->getI64Type(), index);
}

/// Checks the result of an op, once in the kernel.
void BodyBuilder::addCheck(Operation *op, Value scalar) {
  checkedScalars.push_back(scalar);
  if (checks.contains(op) || checks.size() == JOBRT_MAX_CHECKS)
    return;
  auto result = decomposedResults.find(op);
  Location at =
      result == decomposedResults.end() ? op->getLoc() : result->second;
  checks[op] = createCheck(*inner, at, scalar);
}

/// Whether a value is a result that keeps its old elements where a check fails.
bool BodyBuilder::isGuarded(Value value) const {
  auto it = yieldedAs.find(value);
  return it != yieldedAs.end() && llvm::any_of(it->second, [&](unsigned index) {
           return llvm::is_contained(signature.guarded, index);
         });
}

/// The new element of a result that is guarded, unless a check has failed for
/// it in this pass.
Value BodyBuilder::guard(Value value, Value scalar) {
  if (checkedScalars.empty() || !isGuarded(value))
    return scalar;
  Value isFinite;
  for (Value checked : checkedScalars) {
    Value flag = buildIsFinite(*inner, loc, checked);
    isFinite =
        isFinite
            ? arith::AndIOp::create(*inner, loc, isFinite, flag).getResult()
            : flag;
  }
  unsigned index = yieldedAs.lookup(value).front();
  View view =
      collapse(body.getArgument(signature.results[index]), getPlaces(value));
  Value old = addInput(view.tensor, getMap(view.groups));
  return arith::SelectOp::create(*inner, loc, isFinite, scalar, old);
}

Value BodyBuilder::buildScalarOf(Operation *op) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto input = dyn_cast<BlockArgument>(operand.get());
    operands.push_back(input ? readInput(input, getReadPlaces(operand))
                             : getScalar(operand.get()));
  }
  Operation *before = block->empty() ? nullptr : &block->back();
  Value result = cast<ScalarKernelOpInterface>(op).buildScalar(
      *inner, operands,
      ElementIndices{
          [&] { return buildLinearIndex(); },
          [&](unsigned dim) { return buildDimIndex(op->getResult(0), dim); }});
  Block::iterator first =
      before ? std::next(before->getIterator()) : block->begin();
  if (checkNumerics && !decomposed.contains(op) &&
      llvm::any_of(llvm::make_range(first, block->end()), [](Operation &made) {
        return containsNonFiniteMaker(&made);
      }))
    addCheck(op, isa<CastOp>(op) ? buildOverflow(*inner, op->getLoc(),
                                                 operands.front(), result)
                                 : result);
  return result;
}

/// One element of a value in the current pass.
Value BodyBuilder::getScalar(Value value) {
  if (Value scalar = scalarOf.lookup(value))
    return scalar;
  Operation *op = value.getDefiningOp();
  Value result;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto splat =
        cast<DenseElementsAttr>(constant.getValue()).getSplatValue<TypedAttr>();
    // Integers have no sign here.
    if (auto integer = dyn_cast<IntegerAttr>(splat))
      splat =
          IntegerAttr::get(getBodyType(integer.getType()), integer.getValue());
    result = arith::ConstantOp::create(*inner, op->getLoc(), splat);
  } else if (tensorOf.contains(value)) {
    result = readComputed(value, getPlaces(value));
  } else if (isa<StridedReadOpInterface>(op)) {
    OpOperand &operand = op->getOpOperand(0);
    auto input = dyn_cast<BlockArgument>(operand.get());
    if (input)
      result = readInput(input, getReadPlaces(operand));
    else if (operand.get().getDefiningOp<ConstantOp>())
      result = getScalar(operand.get());
    else
      result = readComputed(operand.get(), getReadPlaces(operand));
  } else {
    result = buildScalarOf(op);
  }
  if (checkNumerics && decomposedResults.contains(op) &&
      !isa<ReductionKernelOpInterface>(op))
    addCheck(op, result);
  return scalarOf[value] = result;
}

/// The accumulator with one more term.
Value BodyBuilder::buildReduction(ReductionKernelOpInterface op) {
  OpOperand &operand = op->getOpOperand(0);
  auto input = dyn_cast<BlockArgument>(operand.get());
  Value term = input ? readInput(input, getReadPlaces(operand))
                     : getScalar(operand.get());
  return op.buildCombine(*inner, accumulatorOf.lookup(op->getResult(0)), term);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Builds what is computed in a stage and needed outside of it.
void BodyBuilder::buildPass(Stage stage) {
  current = stage;
  loops = getLoops(stage.isRow);
  SmallVector<Operation *> outputs;
  for (Operation &op : region.without_terminator()) {
    Value result = op.getResult(0);
    bool isReduction = isa<ReductionKernelOpInterface>(op);
    // A reduction makes a value of the rows in a pass over the domain.
    Stage made = stageOf.lookup(result);
    made.isRow &= !isReduction;
    if (isa<ConstantOp>(op)) {
      // One that is yielded is written in the first pass over the domain.
      if (yieldedAs.contains(result) && stage == Stage())
        outputs.push_back(&op);
      continue;
    }
    if (!isComputed(result) || !(made == stage))
      continue;
    // Other ops of the same pass over the rows take the scalar.
    auto isOutside = [&](Operation *user) {
      return user->getNumResults() == 1 &&
             (isa<StridedReadOpInterface>(user) ||
              !(stageOf.lookup(user->getResult(0)) == stage));
    };
    bool isNeeded =
        isReduction
            ? !result.use_empty()
            : yieldedAs.contains(result) || keptIn.contains(result) ||
                  (stage.isRow && llvm::any_of(result.getUsers(), isOutside));
    if (isNeeded)
      outputs.push_back(&op);
  }
  // A reduction is checked when it is complete.
  SmallVector<Value> reductions;
  if (stage.isRow)
    for (auto reduction : region.getOps<ReductionKernelOpInterface>())
      if (Value result = reduction->getResult(0);
          stageOf.lookup(result) == stage && tensorOf.contains(result) &&
          isChecked(reduction))
        reductions.push_back(result);
  if (outputs.empty() && reductions.empty())
    return;

  block = std::make_unique<Block>();
  inner.emplace(b.getContext());
  inner->setInsertionPointToStart(block.get());
  inputs.clear();
  inputMaps.clear();
  scalarOf.clear();
  accumulatorOf.clear();
  checkedScalars.clear();
  llvm::SmallBitVector isLoopReduced(loops.size());
  SmallVector<Value> destinations;
  SmallVector<AffineMap> destinationMaps;
  SmallVector<Type> types;
  for (Operation *op : outputs) {
    Value result = op->getResult(0);
    Value destination = getDestination(result);
    SmallVector<int64_t> groups;
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
      Value identity =
          arith::ConstantOp::create(b, op->getLoc(), reduction.getIdentity());
      destination =
          linalg::FillOp::create(b, op->getLoc(), identity, destination)
              .getResult(0);
      for (unsigned group : getLoops(/*isRow=*/true))
        groups.push_back(group);
      for (auto [loop, group] : llvm::enumerate(loops))
        if (isGroupReduced[group])
          isLoopReduced.set(loop);
    } else {
      groups.append(loops.begin(), loops.end());
    }
    auto type = cast<RankedTensorType>(destination.getType());
    if (groups.empty())
      groups.assign(type.getRank(), -1);
    destinations.push_back(destination);
    destinationMaps.push_back(getMap(groups));
    types.push_back(type);
    accumulatorOf[result] = block->addArgument(type.getElementType(), loc);
  }
  for (Value reduction : reductions)
    getScalar(reduction);
  SmallVector<Value> yielded;
  for (Operation *op : outputs) {
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op))
      yielded.push_back(buildReduction(reduction));
    else
      yielded.push_back(getScalar(op->getResult(0)));
  }
  // After all checks of the pass.
  for (auto [op, scalar] : llvm::zip_equal(outputs, yielded))
    if (!isa<ReductionKernelOpInterface>(op))
      scalar = guard(op->getResult(0), scalar);
  linalg::YieldOp::create(*inner, loc, yielded);

  SmallVector<AffineMap> maps(inputMaps);
  llvm::append_range(maps, destinationMaps);
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop : llvm::seq<unsigned>(loops.size()))
    iterators.push_back(isLoopReduced[loop] ? utils::IteratorType::reduction
                                            : utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(b, loc, types, inputs, destinations,
                                           maps, iterators);
  generic.getRegion().push_back(block.release());
  for (auto [op, result] : llvm::zip_equal(outputs, generic->getResults()))
    tensorOf[op->getResult(0)] = result;
}

/// Numbers the checks in program order.
void BodyBuilder::numberChecks(EmittedKernel &emitted) {
  SmallVector<std::pair<Operation *, plan::CheckOp>> ofOps =
      checks.takeVector();
  llvm::sort(ofOps, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (auto [number, entry] : llvm::enumerate(ofOps)) {
    plan::CheckOp check = entry.second;
    emitted.checks.push_back(check.getLoc());
    check.setNumber(number);
    check.setCount(ofOps.size());
  }
  if (ofOps.empty())
    return;
  MemRefType status = plan::getStatusType(b.getContext());
  LogicalResult inserted = body.insertArgument(
      body.getNumArguments(),
      RankedTensorType::get(status.getShape(), status.getElementType()), {},
      loc);
  assert(succeeded(inserted) && "a function has arguments");
  (void)inserted;
}

func::FuncOp BodyBuilder::build(bool withChecks, EmittedKernel &emitted) {
  checkNumerics = withChecks;
  decompose();
  findDomain();
  collapseDomain();
  findStages();
  findKeptValues();

  SmallVector<Type> types;
  for (MemRefType type : signature.types)
    types.push_back(getBodyTensorType(type));
  auto written = ArrayRef<Type>(types).take_back(signature.numWritten);
  body = func::FuncOp::create(b, loc, plan::kBodyName,
                              b.getFunctionType(types, written));
  Block *entry = body.addEntryBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(entry);

  unsigned numStages = 0;
  for (auto [value, stage] : stageOf)
    numStages = std::max(numStages, stage.number + 1);
  numStages = std::max(numStages, 1u);
  for (unsigned number : llvm::seq(numStages)) {
    buildPass({number, /*isRow=*/false});
    buildPass({number, /*isRow=*/true});
  }

  SmallVector<Value> returned(signature.numWritten);
  for (auto [index, value] :
       llvm::enumerate(region.getTerminator()->getOperands())) {
    unsigned place = signature.results[index] -
                     (signature.types.size() - signature.numWritten);
    auto type = cast<RankedTensorType>(written[place]);
    Value tensor = tensorOf.lookup(value);
    if (tensor.getType() != type)
      tensor = tensor::ExpandShapeOp::create(
          b, loc, type, tensor,
          collapse(body.getArgument(signature.results[index]), getPlaces(value))
              .reassociation);
    returned[place] = tensor;
  }
  func::ReturnOp::create(b, loc, returned);
  numberChecks(emitted);
  return body;
}

func::FuncOp job::buildKernelBody(OpBuilder &builder, KernelOp kernel,
                                  const KernelSignature &signature,
                                  bool checkNumerics, EmittedKernel &emitted) {
  auto build = [&](bool keepsValues) {
    EmittedKernel attempt{emitted.executable, {}};
    func::FuncOp body = BodyBuilder(builder, kernel, signature, keepsValues)
                            .build(checkNumerics, attempt);
    return std::pair(body, std::move(attempt));
  };
  auto [body, attempt] = build(/*keepsValues=*/true);
  // A value in the memory of a result may not stand where a later pass reads
  // the input that the result overwrites.
  FailureOr<plan::KernelNest> nest = plan::KernelNest::get(body);
  bool isSafe = llvm::all_of(signature.inputs, [&](unsigned argument) {
    return !llvm::is_contained(signature.results, argument) || failed(nest) ||
           nest->isUpdatedInPlace(argument);
  });
  if (!isSafe) {
    body.erase();
    std::tie(body, attempt) = build(/*keepsValues=*/false);
  }
  emitted = std::move(attempt);
  return body;
}
