//===- BlockEmitter.cpp - A kernel's body for blocks of threads -----------===//
//
// The threads of a block are teams: those of a team compute one item, or a
// vector of items, together. Each has a part of the points of a pass: vectors
// that are as far apart as the team has threads, so that neighbours read
// neighbouring memory. Reductions have accumulators in every thread, which the
// team joins (TeamEmitter.h).
//
// Where a kernel has sums of columns, a block computes the rows of one part,
// its teams a row each at a time. A thread has an accumulator for each column
// that it computes in all these rows, and the teams join theirs at the end.
//
// Barriers are outside of all control flow but the loop over items, whose
// number of iterations is the same for all threads of a block. A team without
// an item computes the last one again, without points in reductions and without
// stores.
//
//===----------------------------------------------------------------------===//

#include "BlockEmitter.h"
#include "TeamEmitter.h"

#include "JobDialect/Codegen/StatusWord.h"
#include "jobrt/abi.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::plan;

namespace {
class BlockEmitter : public TeamEmitter {
public:
  BlockEmitter(func::FuncOp func, const KernelNest &nest,
               CUDAScheduleAttr schedule, BlockShape shape)
      : TeamEmitter(func, nest, schedule, shape) {}

  void emit();

private:
  // Items.
  void emitItems(Value block);
  void emitRows(Value part);
  void emitItem(Value group);
  void emitPartialVector();
  void emitAllPasses();
  void setIndices(Value number, ArrayRef<unsigned> dims);
  bool isPartialVector() const {
    return shape.isVectorOfItems &&
           nest.extents[*shape.vectorDim] % numLanes != 0;
  }

  // Passes.
  SmallVector<unsigned> getInnerDims(PassRef pass) const;
  void emitPass(PassRef pass);
  void emitColumnSums(PassRef pass);
  void emitSumsOfPoints(PassRef pass);
  void emitSumsOfThreads(PassRef pass, ArrayRef<unsigned> reduced);
  void setKeptPoint(PassRef pass, const Values &point);
  Value getEnd(int64_t points);
  int64_t countPoints(ArrayRef<unsigned> dims) const;
  Values buildAccumulators(PassRef pass);
  Values emitPointLoop(PassRef pass, ArrayRef<unsigned> inner, Value begin,
                       Value end, int64_t iterations, int64_t stride,
                       Values accumulators);
  Lanes getLanes(PassRef pass) const;

  // Reductions.
  void finishReductions(PassRef pass, Lanes lanes, ValueRange accumulators);
  void storeColumnSums(Value part);
  void forEachColumn(PassRef pass, function_ref<void()> emitColumns);

  // Order of accesses.
  void emitBarrier() override;
  void orderAccesses(PassRef pass);

  void store(Value value, const KernelAccess &access, Lanes lanes,
             int64_t group) override;
  llvm::MaybeAlign getAlignment(const KernelAccess &access) override;
  void emitCheck(CheckOp check, Value value, Lanes lanes) override;

  /// Whether the team has an item; null if all have.
  Value isValid;
  /// Whether the lanes of a vector of items are computed one by one.
  bool isSingleLane = false;
  /// Whether the current thread stores what it computes; null for all.
  Value storeCondition;
  /// The indices along the dimensions that the current pass keeps, of the
  /// points whose sums it computes at once; one without any for other passes.
  SmallVector<Values> keptPoints = {Values()};
  /// Stores that wait for a barrier, while there is a list.
  struct Store {
    Value value;
    const KernelAccess *access;
    Lanes lanes;
  };
  std::optional<SmallVector<Store>> delayed;
  /// Accesses since the last barrier.
  struct Access {
    KernelAccess access;
    SmallVector<unsigned> inner;
    bool isStore;
  };
  SmallVector<Access> accesses;
  /// The accumulators of sums of columns, in the order of passes, the thread's
  /// columns and results, and the one that the next pass begins with.
  Values columnSums;
  size_t nextColumnSum = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

/// Sets the indices of some dimensions from the number of a point, in row-major
/// order, counted in vectors along the vectorized one.
void BlockEmitter::setIndices(Value number, ArrayRef<unsigned> dims) {
  for (; !dims.empty(); dims = dims.drop_back()) {
    unsigned dim = dims.back();
    int64_t extent = nest.extents[dim];
    if (isVectorDim(dim))
      extent = llvm::divideCeil(extent, numLanes);
    Value at = number;
    // What is left is in the range of the outermost dimension.
    if (dims.size() > 1)
      std::tie(number, at) = divide(number, extent);
    index[dim] = isVectorDim(dim) ? mul(at, numLanes) : at;
  }
}

void BlockEmitter::emitItems(Value block) {
  if (nest.rowDim)
    return emitRows(block);
  int64_t groups = shape.getNumGroups();
  if (schedule.getBlocks() >= groups) {
    emitItem(block);
    return;
  }
  auto loop = scf::ForOp::create(b, loc, block, constant(groups),
                                 constant(schedule.getBlocks()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  beginIteration();
  emitItem(loop.getInductionVar());
}

/// All rows of a part, and the sums of their columns.
void BlockEmitter::emitRows(Value part) {
  for (PassRef pass : nest.passes)
    if (pass.isColumnSum)
      forEachColumn(pass, [&] {
        Lanes lanes = getLanes(pass);
        llvm::append_range(columnSums,
                           buildNeutral(pass, lanes.groups, lanes.isVector()));
      });
  int64_t groups = nest.extents[*nest.rowDim] / shape.itemsPerBlock;
  Value first = mul(part, groups);
  auto loop = scf::ForOp::create(b, loc, constant(0), constant(groups),
                                 constant(1), columnSums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    columnSums = Values(loop.getRegionIterArgs());
    beginIteration();
    emitItem(b.createOrFold<arith::AddIOp>(loc, first, loop.getInductionVar()));
    scf::YieldOp::create(b, loc, columnSums);
  }
  columnSums = Values(loop.getResults());
  storeColumnSums(part);
}

void BlockEmitter::emitItem(Value group) {
  Value item =
      b.createOrFold<arith::AddIOp>(loc, mul(group, shape.itemsPerBlock), team);
  isValid = {};
  if (shape.items % shape.itemsPerBlock != 0) {
    isValid = isLess(item, constant(shape.items));
    if (teamSize > 1)
      item =
          b.createOrFold<arith::MinUIOp>(loc, item, constant(shape.items - 1));
  }
  SmallVector<unsigned> dims(nest.isItem.set_bits());
  auto emitPasses = [&] {
    setIndices(item, dims);
    if (isPartialVector())
      emitPartialVector();
    else
      emitAllPasses();
  };
  // Threads that compute alone need no others.
  if (teamSize > 1 || !isValid)
    return emitPasses();
  auto branch = scf::IfOp::create(b, loc, isValid, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  isValid = {};
  emitPasses();
}

/// The last vector of items may have fewer lanes than the others: they are
/// computed one by one then.
void BlockEmitter::emitPartialVector() {
  Value &at = index[*vectorDim];
  Value extent = constant(nest.extents[*vectorDim]), first = at;
  Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule,
                                        add(first, numLanes), extent);
  auto branch = scf::IfOp::create(b, loc, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitAllPasses();
  b.setInsertionPointToStart(branch.elseBlock());
  auto loop = scf::ForOp::create(b, loc, first, extent, constant(1));
  b.setInsertionPointToStart(loop.getBody());
  at = loop.getInductionVar();
  isSingleLane = true;
  emitAllPasses();
  isSingleLane = false;
  at = first;
}

void BlockEmitter::emitAllPasses() {
  items.clear();
  accesses.clear();
  nextColumnSum = 0;
  for (PassRef pass : nest.passes)
    emitPass(pass);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

SmallVector<unsigned> BlockEmitter::getInnerDims(PassRef pass) const {
  SmallVector<unsigned> inner;
  for (unsigned dim : llvm::seq(nest.getRank()))
    if (!nest.isItem.test(dim) && pass.hasDim(dim))
      inner.push_back(dim);
  return inner;
}

Lanes BlockEmitter::getLanes(PassRef pass) const {
  return {vectorDim && numLanes > 1 && !isSingleLane &&
                  (shape.isVectorOfItems || pass.hasDim(*vectorDim))
              ? 1
              : 0,
          {}};
}

/// The points along some inner dimensions, counted in vectors.
int64_t BlockEmitter::countPoints(ArrayRef<unsigned> dims) const {
  int64_t points = 1;
  for (unsigned dim : dims)
    points *=
        isVectorDim(dim) ? nest.extents[dim] / numLanes : nest.extents[dim];
  return points;
}

/// Where a loop over so many points ends: at once for a team without an item.
Value BlockEmitter::getEnd(int64_t points) {
  Value end = constant(points);
  return isValid ? arith::SelectOp::create(b, loc, isValid, end, constant(0))
                 : end;
}

void BlockEmitter::setKeptPoint(PassRef pass, const Values &point) {
  for (auto [number, at] : llvm::enumerate(point))
    index[pass.kept[number]] = at;
}

/// The accumulators of all kept points, one point after the other.
BlockEmitter::Values BlockEmitter::buildAccumulators(PassRef pass) {
  Lanes lanes = getLanes(pass);
  Values values;
  for ([[maybe_unused]] const Values &point : keptPoints)
    llvm::append_range(values,
                       buildNeutral(pass, lanes.groups, lanes.isVector()));
  return values;
}

/// The points of a thread from `begin` on, `stride` apart, in vectors: at most
/// `iterations` of them. No accumulator takes more terms than the schedule
/// allows.
BlockEmitter::Values
BlockEmitter::emitPointLoop(PassRef pass, ArrayRef<unsigned> inner, Value begin,
                            Value end, int64_t iterations, int64_t stride,
                            Values accumulators) {
  Lanes lanes = getLanes(pass);
  bool isRounded = llvm::any_of(pass.outputs, [](const KernelOutput &output) {
    return output.reduction && output.reduction->isRounded();
  });
  int64_t limit = schedule.getAccumulate(), perIteration = 1;
  if (isRounded)
    while (static_cast<int64_t>(llvm::divideCeil(iterations, perIteration)) >
           limit)
      perIteration *= limit;
  auto loop = scf::ForOp::create(b, loc, begin, end,
                                 constant(perIteration * stride), accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  Values carried(loop.getRegionIterArgs()), next;
  if (perIteration == 1) {
    setIndices(at, inner);
    ValueRange rest = carried;
    size_t count = carried.size() / keptPoints.size();
    for (const Values &point : keptPoints) {
      setKeptPoint(pass, point);
      llvm::append_range(
          next, emitPoints(pass, lanes, lanes.groups, rest.take_front(count)));
      rest = rest.drop_front(count);
    }
  } else {
    Value last =
        arith::MinUIOp::create(b, loc, add(at, perIteration * stride), end);
    Values own = emitPointLoop(pass, inner, at, last, perIteration, stride,
                               buildAccumulators(pass));
    auto outer = carried.begin(), part = own.begin();
    for ([[maybe_unused]] const Values &point : keptPoints)
      for (const KernelOutput &output : pass.outputs)
        if (output.reduction)
          next.push_back(combine(*output.reduction, *outer++, *part++));
  }
  // A loop that carries nothing has its terminator.
  if (!next.empty())
    scf::YieldOp::create(b, loc, next);
  return Values(loop.getResults());
}

static bool readsArgument(const KernelPass &pass, unsigned argument) {
  return llvm::any_of(pass.inputs, [&](const KernelInput &input) {
    return !input.item && input.access.argument == argument;
  });
}

void BlockEmitter::emitPass(PassRef pass) {
  orderAccesses(pass);
  if (pass.isColumnSum)
    return emitColumnSums(pass);
  SmallVector<unsigned> inner = getInnerDims(pass);
  if (inner.empty()) {
    Lanes lanes = getLanes(pass);
    if (teamSize == 1) {
      emitPoints(pass, lanes, lanes.groups, {});
      return;
    }
    // All threads compute the item's value, the first one stores it when all
    // have read what it replaces.
    delayed.emplace();
    emitPoints(pass, lanes, lanes.groups, {});
    SmallVector<Store> stores = std::move(*delayed);
    delayed.reset();
    if (llvm::any_of(stores, [&](const Store &store) {
          return readsArgument(pass, store.access->argument);
        }))
      emitBarrier();
    storeCondition = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           lane, constant(0));
    if (isValid)
      storeCondition = arith::AndIOp::create(b, loc, storeCondition, isValid);
    for (const Store &store : stores) {
      this->store(store.value, *store.access, store.lanes, /*group=*/0);
      // Behind that barrier.
      accesses.push_back({*store.access, {}, /*isStore=*/true});
    }
    storeCondition = {};
    return;
  }
  if (!pass.kept.empty())
    return emitSumsOfPoints(pass);
  int64_t points = countPoints(inner);
  Values accumulators = emitPointLoop(
      pass, inner, lane, getEnd(points), llvm::divideCeil(points, teamSize),
      /*stride=*/teamSize, buildAccumulators(pass));
  finishReductions(pass, getLanes(pass), accumulators);
}

/// A pass that keeps inner dimensions: the team computes the sums of some of
/// their points at once, each thread with accumulators for all of these.
void BlockEmitter::emitSumsOfPoints(PassRef pass) {
  SmallVector<unsigned> reduced = getInnerDims(pass);
  llvm::erase_if(reduced, [&](unsigned dim) {
    return llvm::is_contained(pass.kept, dim);
  });
  if (keepsLanes(pass, nest, vectorDim))
    return emitSumsOfThreads(pass, reduced);
  Lanes lanes = getLanes(pass);
  int64_t points = countPoints(pass.kept),
          atOnce = countPointsAtOnce(pass, points, numLanes),
          terms = countPoints(reduced);
  auto emitSome = [&](Value first) {
    keptPoints.clear();
    for (int64_t i : llvm::seq(atOnce)) {
      setIndices(add(first, i), pass.kept);
      keptPoints.push_back(llvm::map_to_vector(
          pass.kept, [&](unsigned dim) { return index[dim]; }));
    }
    Values accumulators = emitPointLoop(
        pass, reduced, lane, getEnd(terms), llvm::divideCeil(terms, teamSize),
        /*stride=*/teamSize, buildAccumulators(pass));
    finishReductions(pass, lanes, accumulators);
    keptPoints = {Values()};
  };
  if (atOnce == points)
    return emitSome(constant(0));
  auto loop = scf::ForOp::create(b, loc, constant(0), constant(points),
                                 constant(atOnce));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  beginIteration();
  emitSome(loop.getInductionVar());
}

/// The same where threads are neighbours along a dimension that the pass keeps:
/// each has sums of its own.
void BlockEmitter::emitSumsOfThreads(PassRef pass, ArrayRef<unsigned> reduced) {
  Lanes lanes = getLanes(pass);
  int64_t terms = countPoints(reduced);
  auto loop = scf::ForOp::create(b, loc, lane, getEnd(countPoints(pass.kept)),
                                 constant(teamSize));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  setIndices(loop.getInductionVar(), pass.kept);
  Values sums = emitPointLoop(pass, reduced, constant(0), constant(terms),
                              terms, /*stride=*/1, buildAccumulators(pass));
  ValueRange rest = sums;
  for (const KernelOutput &output : pass.outputs) {
    if (!output.reduction)
      continue;
    store(addInitial(*output.reduction, rest.front(), lanes),
          *output.destination, lanes, /*group=*/0);
    rest = rest.drop_front();
  }
}

//===----------------------------------------------------------------------===//
// Sums of columns
//===----------------------------------------------------------------------===//

/// Sets the indices of each column, or vector of columns, of the thread.
void BlockEmitter::forEachColumn(PassRef pass,
                                 function_ref<void()> emitColumns) {
  SmallVector<unsigned> inner = getInnerDims(pass);
  int64_t columns = countColumns(pass, nest, vectorDim, numLanes);
  for (int64_t column = 0; column < columns; column += teamSize) {
    setIndices(add(lane, column), inner);
    emitColumns();
  }
}

/// Adds the current row.
void BlockEmitter::emitColumnSums(PassRef pass) {
  Lanes lanes = getLanes(pass);
  forEachColumn(pass, [&] {
    auto sums =
        MutableArrayRef(columnSums).slice(nextColumnSum, pass.outputs.size());
    llvm::copy(emitPoints(pass, lanes, lanes.groups, sums), sums.begin());
    nextColumnSum += pass.outputs.size();
  });
}

/// Joins the sums of all teams, and stores them.
void BlockEmitter::storeColumnSums(Value part) {
  SmallVector<unsigned> dims(nest.isItem.set_bits());
  setIndices(part, ArrayRef(dims).drop_back());
  int64_t teams = shape.itemsPerBlock;
  storeCondition = {};
  if (teams > 1)
    storeCondition = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           team, constant(0));
  ArrayRef<Value> rest = columnSums;
  for (PassRef pass : nest.passes) {
    if (!pass.isColumnSum)
      continue;
    Lanes lanes = getLanes(pass);
    forEachColumn(pass, [&] {
      for (const KernelOutput &output : pass.outputs) {
        Value value = rest.front();
        rest = rest.drop_front();
        if (teams > 1)
          value =
              joinThroughMemory(*output.reduction, value, teams, team, lane);
        value = addInitial(*output.reduction, value, lanes);
        store(value, *output.destination, lanes, /*group=*/0);
      }
    });
  }
  storeCondition = {};
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Makes results of the accumulators of all kept points.
void BlockEmitter::finishReductions(PassRef pass, Lanes lanes,
                                    ValueRange accumulators) {
  bool joinsLanes = lanes.isVector() && !shape.isVectorOfItems;
  Lanes itemLanes = joinsLanes ? Lanes() : lanes;
  size_t count = accumulators.size() / keptPoints.size(), place = 0;
  for (const KernelOutput &output : pass.outputs) {
    if (!output.reduction)
      continue;
    const KernelReduction &reduction = *output.reduction;
    Values values;
    for (size_t at = place++; at < accumulators.size(); at += count) {
      Value value = accumulators[at];
      values.push_back(joinsLanes ? joinLanes(reduction, value) : value);
    }
    values = joinTeam(reduction, values);
    for (Value &value : values)
      value = addInitial(reduction, value, itemLanes);
    if (pass.kept.empty())
      items[output.result] = values;
    if (!output.destination)
      continue;
    if (teamSize > 1) {
      // What other threads have read of it.
      if (readsArgument(pass, output.destination->argument))
        emitBarrier();
      storeCondition = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             lane, constant(0));
      if (isValid)
        storeCondition = arith::AndIOp::create(b, loc, storeCondition, isValid);
    }
    for (auto [point, value] : llvm::zip_equal(keptPoints, values)) {
      setKeptPoint(pass, point);
      store(value, *output.destination, itemLanes, /*group=*/0);
    }
    storeCondition = {};
    // Behind the barriers of the joins.
    accesses.push_back({*output.destination, {}, /*isStore=*/true});
  }
}

//===----------------------------------------------------------------------===//
// Order of accesses
//===----------------------------------------------------------------------===//

void BlockEmitter::emitBarrier() {
  gpu::BarrierOp::create(b, loc);
  accesses.clear();
}

/// Puts a barrier before a pass that accesses an element which another thread
/// of the team has accessed since the last one, where one of them writes it. A
/// thread computes the same points in all passes over the same dimensions.
void BlockEmitter::orderAccesses(PassRef pass) {
  if (teamSize == 1)
    return;
  SmallVector<Access> own;
  SmallVector<unsigned> inner = getInnerDims(pass), ofSums;
  // Points of other dimensions than those that the threads share.
  if (!pass.kept.empty())
    inner.clear();
  if (!pass.kept.empty() && keepsLanes(pass, nest, vectorDim))
    ofSums = pass.kept;
  for (const KernelInput &input : pass.inputs)
    if (!input.item)
      own.push_back({input.access, inner, /*isStore=*/false});
  for (const KernelOutput &output : pass.outputs)
    if (output.destination)
      // The first thread stores the result of a reduction that a team joins.
      own.push_back({*output.destination, output.reduction ? ofSums : inner,
                     /*isStore=*/true});
  bool mustWait = llvm::any_of(own, [&](const Access &a) {
    return llvm::any_of(accesses, [&](const Access &before) {
      if (a.access.argument != before.access.argument ||
          (!a.isStore && !before.isStore))
        return false;
      return a.inner.empty() || a.inner != before.inner ||
             !(a.access == before.access);
    });
  });
  if (mustWait)
    emitBarrier();
  accesses.append(own);
}

//===----------------------------------------------------------------------===//
// Accesses, entry
//===----------------------------------------------------------------------===//

void BlockEmitter::store(Value value, const KernelAccess &access, Lanes lanes,
                         int64_t group) {
  if (delayed) {
    delayed->push_back({value, &access, lanes});
    return;
  }
  if (!storeCondition)
    return PointEmitter::store(value, access, lanes, group);
  auto branch =
      scf::IfOp::create(b, loc, storeCondition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  PointEmitter::store(value, access, lanes, group);
}

llvm::MaybeAlign BlockEmitter::getAlignment(const KernelAccess &access) {
  Type element =
      cast<MemRefType>(buffers[access.argument].getType()).getElementType();
  // A whole vector may be larger than what buffers are aligned to.
  return llvm::Align(std::min<int64_t>(
      numLanes * element.getIntOrFloatBitWidth() / 8, JOBRT_ALIGNMENT));
}

/// Adds the status word of a check to that of the kernel.
static void emitStatus(OpBuilder &b, CheckOp check, Value value, Value words) {
  Location loc = check.getLoc();
  Value word =
      buildStatusWord(b, loc, value, check.getNumber(), check.getCount());
  if (isa<VectorType>(word.getType()))
    word =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXSI, word);
  Value failed = arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(JOBRT_CHECK_FAILED));
  Value isFailed =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, word, failed);
  auto branch = scf::IfOp::create(b, loc, isFailed, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value first = arith::ConstantIndexOp::create(b, loc, 0);
  memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::maxs, word, words,
                              first);
}

/// A team without an item has what a reduction of nothing gives, such as the
/// infinity of a maximum.
void BlockEmitter::emitCheck(CheckOp check, Value value, Lanes) {
  OpBuilder::InsertionGuard guard(b);
  if (isValid) {
    auto branch = scf::IfOp::create(b, loc, isValid, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  emitStatus(b, check, value, buffers.back());
}

void BlockEmitter::emit() {
  setThread();
  emitItems(entry.getArguments().back());
}

void plan::emitBlock(func::FuncOp func, const KernelNest &nest,
                     CUDAScheduleAttr schedule) {
  if (schedule.getTranspose())
    return emitTiles(func, nest, schedule);
  BlockEmitter(func, nest, schedule, BlockShape(nest, schedule)).emit();
}

void plan::emitBlock(func::FuncOp func, const ItemLoop &loop,
                     CUDAScheduleAttr schedule) {
  Block &entry = func.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&entry);
  Location loc = func.getLoc();
  scf::ParallelOp parallel = loop.loop;
  IRMapping mapping;
  Block *from = parallel->getBlock();
  for (auto [argument, buffer] :
       llvm::zip(from->getArguments(), entry.getArguments()))
    mapping.map(argument, buffer);
  for (Operation &op : llvm::make_range(from->begin(), parallel->getIterator()))
    b.clone(op, mapping);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  Value first = arith::AddIOp::create(
      b, loc,
      arith::MulIOp::create(b, loc, entry.getArguments().back(),
                            constant(schedule.getThreads())),
      thread);
  scf::ForOp::create(
      b, loc, first, constant(loop.items),
      constant(schedule.getBlocks() * schedule.getThreads()), ValueRange(),
      [&](OpBuilder &inner, Location, Value item, ValueRange) {
        mapping.map(parallel.getInductionVars().front(), item);
        for (Operation &op : parallel.getBody()->without_terminator())
          inner.clone(op, mapping);
        scf::YieldOp::create(inner, loc);
      });
  func.walk([&](CheckOp check) {
    OpBuilder at(check);
    emitStatus(at, check, check.getValue(),
               entry.getArgument(entry.getNumArguments() - 2));
    check.erase();
  });
}
