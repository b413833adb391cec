//===- LoopEmitter.cpp - A kernel's body as loops on vectors --------------===//
//
// One loop nest over the items of a chunk, with the passes of the body inside.
// Where vectors lie along an item dimension, each lane is an item, and its
// reductions run along loops of scalars steps; where they lie along an inner
// dimension, a reduction has one accumulator a lane, and these are joined by a
// tree at its end.
//
// No accumulator of a sum takes more than `accumulate` terms: loops are split,
// and what an inner one has added up becomes one term of the outer one's
// accumulator.
//
// Operands whose contiguous dimension is tiled, and not the one of the vectors,
// are read in square blocks, which are transposed in registers.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitterImpl.h"

#include "JobDialect/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::plan;

/// The items of a block are unrolled: bodies of at most so many operations.
static constexpr int64_t kMaxBlockOperations = 8;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

DimRange LoopEmitter::getWholeRange(unsigned dim) {
  if (ranges[dim])
    return *ranges[dim];
  int64_t extent = nest.extents[dim];
  return {constant(0), constant(extent), extent, extent};
}

/// A loop that carries values along, and the status.
LoopEmitter::Values
LoopEmitter::emitLoop(Value begin, Value end, int64_t step, ValueRange carried,
                      function_ref<Values(Value, ValueRange)> body) {
  Values initial(carried);
  if (status)
    initial.push_back(status);
  auto loop = scf::ForOp::create(b, loc, begin, end, constant(step), initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ValueRange arguments = loop.getRegionIterArgs();
    if (status) {
      status = arguments.back();
      arguments = arguments.drop_back();
    }
    Values next = body(loop.getInductionVar(), arguments);
    if (status)
      next.push_back(status);
    // A loop that carries nothing has its terminator.
    if (!next.empty())
      scf::YieldOp::create(b, loc, next);
  }
  Values results(loop.getResults());
  if (status)
    status = results.pop_back_val();
  return results;
}

/// Loops through a part of the vectorized dimension: `groups` vectors at once,
/// then single ones, then one with a mask.
LoopEmitter::Values
LoopEmitter::emitLanes(DimRange range, int64_t groups, ValueRange carried,
                       function_ref<Values(Lanes, ValueRange)> body) {
  Value &at = index[*vectorDim];
  Values values(carried);
  auto loop = [&](Value begin, Value end, Lanes lanes) {
    values = emitLoop(begin, end, lanes.groups * numLanes, values,
                      [&](Value i, ValueRange arguments) {
                        at = i;
                        return body(lanes, arguments);
                      });
  };
  int64_t step = groups * numLanes;
  if (range.size) {
    int64_t size = *range.size, main = size - size % step,
            single = size - size % numLanes;
    Value mainEnd = add(range.begin, main),
          singleEnd = add(range.begin, single);
    if (main)
      loop(range.begin, mainEnd, {groups, {}});
    if (single > main)
      loop(mainEnd, singleEnd, {1, {}});
    if (int64_t rest = size % numLanes) {
      at = singleEnd;
      Value mask = vector::ConstantMaskOp::create(
          b, loc, VectorType::get(numLanes, b.getI1Type()),
          ArrayRef<int64_t>(rest));
      values = body({1, mask}, values);
    }
    return values;
  }
  // The part ends where the dimension does, or earlier.
  auto roundDown = [&](int64_t multiple) -> Value {
    if (range.multiple % multiple == 0)
      return range.end;
    Value size = arith::SubIOp::create(b, loc, range.end, range.begin);
    Value rest = arith::RemUIOp::create(b, loc, size, constant(multiple));
    return arith::SubIOp::create(b, loc, range.end, rest);
  };
  Value mainEnd = roundDown(step), singleEnd = roundDown(numLanes);
  loop(range.begin, mainEnd, {groups, {}});
  if (groups > 1 && range.multiple % step != 0)
    loop(mainEnd, singleEnd, {1, {}});
  if (range.multiple % numLanes != 0)
    values =
        emitLoop(singleEnd, range.end, numLanes, values,
                 [&](Value i, ValueRange arguments) {
                   at = i;
                   Value rest = arith::SubIOp::create(b, loc, range.end, i);
                   Value mask = vector::CreateMaskOp::create(
                       b, loc, VectorType::get(numLanes, b.getI1Type()), rest);
                   return body({1, mask}, arguments);
                 });
  return values;
}

/// The loops around the points of a pass, from the outside in. `terms` is how
/// many terms the loop in the middle gives each accumulator.
SmallVector<Level> LoopEmitter::planLevels(PassRef pass,
                                           ArrayRef<unsigned> inner,
                                           int64_t terms) const {
  SmallVector<Level> levels;
  bool isRounded = llvm::any_of(pass.outputs, [](const KernelOutput &output) {
    return output.reduction && output.reduction->isRounded();
  });
  int64_t limit = schedule.getAccumulate();
  // Parts of a dimension of `size` iterations each that have accumulators of
  // their own, then parts of such parts.
  auto split = [&](unsigned dim, int64_t size) {
    int64_t parts = llvm::divideCeil(nest.extents[dim], size);
    levels.push_back({dim, size, /*hasOwnAccumulators=*/true});
    while (parts > limit) {
      size *= limit;
      parts = llvm::divideCeil(parts, limit);
      levels.push_back({dim, size, /*hasOwnAccumulators=*/true});
    }
    return parts;
  };
  if (!isRounded)
    terms = 0;
  for (unsigned dim : llvm::reverse(inner)) {
    int64_t extent = nest.extents[dim];
    if (isVectorDim(dim)) {
      if (terms > limit)
        terms = split(dim, limit * llvm::divideCeil(extent, terms));
      continue;
    }
    if (terms * extent <= limit) {
      levels.push_back({dim, 1, /*hasOwnAccumulators=*/false});
      terms *= extent;
      continue;
    }
    int64_t size = std::max<int64_t>(1, limit / terms);
    if (size > 1)
      levels.push_back({dim, 1, /*hasOwnAccumulators=*/false});
    terms = split(dim, size);
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

/// Emits the loops of a pass and what is in them. Returns the accumulators.
LoopEmitter::Values LoopEmitter::emitLevels(ArrayRef<Level> levels,
                                            PassRef pass, Lanes lanes,
                                            int64_t groups,
                                            ValueRange accumulators) {
  if (levels.empty()) {
    if (lanes.isVector() || !vectorDim || !pass.hasDim(*vectorDim))
      return emitPoints(pass, lanes, groups, accumulators);
    return emitLanes(getWholeRange(*vectorDim), groups, accumulators,
                     [&](Lanes inside, ValueRange carried) {
                       return emitPoints(pass, inside, groups, carried);
                     });
  }
  const Level &level = levels.front();
  DimRange range = getWholeRange(level.dim);
  std::optional<DimRange> saved = ranges[level.dim];
  Values results = emitLoop(
      range.begin, range.end, level.size, accumulators,
      [&](Value i, ValueRange carried) -> Values {
        if (level.size == 1) {
          index[level.dim] = i;
        } else {
          Value end = add(i, level.size);
          bool isWhole = range.multiple % level.size == 0;
          if (!isWhole)
            end = arith::MinSIOp::create(b, loc, end, range.end);
          ranges[level.dim] = {
              i, end, isWhole ? std::optional(level.size) : std::nullopt,
              isWhole ? level.size : std::gcd(level.size, range.multiple)};
        }
        if (!level.hasOwnAccumulators)
          return emitLevels(levels.drop_front(), pass, lanes, groups, carried);
        bool isVector =
            lanes.isVector() || (vectorDim && pass.hasDim(*vectorDim));
        Values own = emitLevels(levels.drop_front(), pass, lanes, groups,
                                buildNeutral(pass, groups, isVector));
        Values joined;
        auto next = own.begin();
        auto outer = carried.begin();
        for (const KernelOutput &output : pass.outputs)
          if (output.reduction)
            for ([[maybe_unused]] int64_t group :
                 llvm::seq(std::max<int64_t>(groups, 1)))
              joined.push_back(combine(*output.reduction, *outer++, *next++));
        return joined;
      });
  ranges[level.dim] = saved;
  return results;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Makes results of accumulators.
void LoopEmitter::finishReductions(PassRef pass, Lanes lanes, int64_t groups,
                                   ValueRange accumulators) {
  for (const KernelOutput &output : pass.outputs) {
    if (!output.reduction)
      continue;
    const KernelReduction &reduction = *output.reduction;
    int64_t count = std::max<int64_t>(groups, 1);
    Values values(accumulators.take_front(count));
    accumulators = accumulators.drop_front(count);
    if (!lanes.isVector()) {
      // Neighbours, until one is left.
      while (values.size() > 1) {
        for (size_t i = 0; i < values.size() / 2; ++i)
          values[i] = combine(reduction, values[2 * i], values[2 * i + 1]);
        values.resize(values.size() / 2);
      }
      if (isa<VectorType>(values[0].getType()))
        values[0] = joinLanes(reduction, values[0]);
    }
    if (reduction.initial != *arith::getNeutralElement(reduction.combiner)) {
      Value initial = arith::ConstantOp::create(b, loc, reduction.initial);
      for (Value &value : values)
        value = combine(reduction, lanes.isVector() ? splat(initial) : initial,
                        value);
    }
    items[output.result] = values;
    if (output.destination)
      for (auto [group, value] : llvm::enumerate(values))
        store(value, *output.destination, lanes, group);
  }
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

void LoopEmitter::emitPass(PassRef pass, Lanes lanes) {
  SmallVector<unsigned> inner;
  for (unsigned dim : llvm::seq(nest.getRank()))
    if (!nest.isItem.test(dim) && pass.hasDim(dim))
      inner.push_back(dim);
  if (inner.empty()) {
    emitPoints(pass, lanes, lanes.groups, {});
    return;
  }
  bool isReduced = llvm::any_of(pass.outputs, [](const KernelOutput &output) {
    return output.reduction.has_value();
  });
  // Vectors along an inner dimension, or lanes that are items.
  bool isRow = vectorDim && llvm::is_contained(inner, *vectorDim);
  int64_t groups = lanes.groups, terms = 1;
  if (isRow) {
    int64_t extent = nest.extents[*vectorDim];
    groups = isReduced ? getInterleave(extent) : 1;
    terms = llvm::divideCeil(extent, groups * numLanes);
  }
  Values accumulators = buildNeutral(pass, groups, isRow || lanes.isVector());
  accumulators = emitLevels(planLevels(pass, inner, terms), pass, lanes, groups,
                            accumulators);
  finishReductions(pass, lanes, groups, accumulators);
}

void LoopEmitter::emitItem(Lanes lanes) {
  items.clear();
  for (PassRef pass : nest.passes)
    emitPass(pass, lanes);
}

/// Loops through the item dimensions from `dim` on, last through the one that
/// vectors lie along.
void LoopEmitter::emitItems(unsigned dim) {
  if (dim < nest.getRank()) {
    if (!nest.isItem.test(dim) || isVectorDim(dim))
      return emitItems(dim + 1);
    DimRange range = getWholeRange(dim);
    if (isTiledDim(dim))
      return emitTiles(dim, range);
    emitLoop(range.begin, range.end, 1, {}, [&](Value i, ValueRange) {
      index[dim] = i;
      emitItems(dim + 1);
      return Values();
    });
    return;
  }
  if (!vectorDim || !nest.isItem.test(*vectorDim))
    return emitTile({});
  // Several vectors at once hide the latency of additions.
  bool hasInner = !nest.isItem.all();
  int64_t groups = hasInner ? getInterleave(nest.extents[*vectorDim]) : 1;
  emitLanes(getWholeRange(*vectorDim), groups, {},
            [&](Lanes lanes, ValueRange) {
              emitTile(lanes);
              return Values();
            });
}

/// The loop over the tiles of a dimension, with all other items inside.
void LoopEmitter::emitTiles(unsigned dim, DimRange range) {
  int64_t size = schedule.getTile()[1];
  std::optional<DimRange> outer = ranges[dim];
  bool isWhole =
      range.size ? *range.size % size == 0 : range.multiple % size == 0;
  emitLoop(range.begin, range.end, size, {}, [&](Value begin, ValueRange) {
    Value end = add(begin, size);
    if (!isWhole)
      end = arith::MinSIOp::create(b, loc, end, range.end);
    ranges[dim] = {begin, end, isWhole ? std::optional(size) : std::nullopt,
                   isWhole ? size : 1};
    emitItems(dim + 1);
    return Values();
  });
  ranges[dim] = outer;
}

/// Transposes as many vectors as they have lanes: exchanges the off-diagonal
/// quarters of all blocks, from the largest ones to those of four elements.
LoopEmitter::Values LoopEmitter::transpose(Values rows) {
  for (int64_t half = numLanes / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane : llvm::seq(numLanes)) {
      bool isRight = lane & half;
      low.push_back(isRight ? numLanes + lane - half : lane);
      high.push_back(isRight ? numLanes + lane : lane + half);
    }
    for (int64_t row : llvm::seq(numLanes)) {
      if (row & half)
        continue;
      Value a = rows[row], c = rows[row + half];
      rows[row] = vector::ShuffleOp::create(b, loc, a, c, low);
      rows[row + half] = vector::ShuffleOp::create(b, loc, a, c, high);
    }
  }
  return rows;
}

Value LoopEmitter::findTransposed(const KernelAccess &access) {
  auto block = llvm::find_if(blocks, [&](const TransposedBlock &block) {
    return block.access == access;
  });
  return block == blocks.end() ? Value() : block->vectors[blockRow];
}

/// Reads a block of each operand that is transposed, at the current indices.
void LoopEmitter::emitBlock() {
  for (PassRef pass : nest.passes)
    for (const KernelInput &input : pass.inputs) {
      if (!isTransposed(input, *vectorDim, schedule.getTile()[0]))
        continue;
      const KernelAccess &access = input.access;
      Value buffer = buffers[access.argument];
      auto vector = VectorType::get(
          numLanes, cast<MemRefType>(buffer.getType()).getElementType());
      Value at = buildIndex(access, {1, {}}, /*group=*/0);
      Values rows;
      for (int64_t row : llvm::seq(numLanes))
        rows.push_back(vector::LoadOp::create(
            b, loc, vector, buffer, add(at, row * access.strides[*vectorDim])));
      blocks.push_back({access, transpose(rows)});
    }
}

/// The items of a tile in blocks. Leaves the rest of the tile in `range`.
void LoopEmitter::emitBlocks(DimRange &range, Lanes lanes) {
  unsigned dim = schedule.getTile()[0];
  Value end;
  if (range.size) {
    end = add(range.begin, *range.size - *range.size % numLanes);
  } else {
    Value size = arith::SubIOp::create(b, loc, range.end, range.begin);
    Value rest = arith::RemUIOp::create(b, loc, size, constant(numLanes));
    end = arith::SubIOp::create(b, loc, range.end, rest);
  }
  emitLoop(range.begin, end, numLanes, {}, [&](Value i, ValueRange) {
    index[dim] = i;
    emitBlock();
    for (blockRow = 0; blockRow < numLanes; ++blockRow) {
      index[dim] = add(i, blockRow);
      emitItem(lanes);
    }
    blocks.clear();
    return Values();
  });
  range.begin = end;
  if (range.size)
    range.size = *range.size % numLanes;
}

/// The items of the current tile that share the other indices.
void LoopEmitter::emitTile(Lanes lanes) {
  if (schedule.getTile().empty())
    return emitItem(lanes);
  unsigned dim = schedule.getTile()[0];
  DimRange range = *ranges[dim];
  if (lanes.isVector() && !lanes.mask && schedule.getTile()[1] >= numLanes &&
      canTransposeBlocks(nest, *vectorDim, dim)) {
    emitBlocks(range, lanes);
    if (range.size == 0)
      return;
  }
  emitLoop(range.begin, range.end, 1, {}, [&](Value i, ValueRange) {
    index[dim] = i;
    emitItem(lanes);
    return Values();
  });
}

/// The iterations of a chunk along the dimensions that are distributed.
void LoopEmitter::emitDistribution(Value chunk) {
  // The last dimension varies first.
  int64_t left = getNumChunks(nest, schedule.getDistribute());
  for (auto [dim, size] : llvm::reverse(schedule.getDistribute())) {
    int64_t extent = nest.extents[dim];
    if (extent <= size) {
      ranges[dim] = {constant(0), constant(extent), extent, extent};
      continue;
    }
    int64_t parts = llvm::divideCeil(extent, size);
    left /= parts;
    Value part = chunk;
    if (left > 1) {
      part = arith::RemUIOp::create(b, loc, chunk, constant(parts));
      chunk = arith::DivUIOp::create(b, loc, chunk, constant(parts));
    }
    Value begin = arith::MulIOp::create(b, loc, part, constant(size));
    Value end = add(begin, size);
    bool isWhole = extent % size == 0;
    if (!isWhole)
      end = arith::MinSIOp::create(b, loc, end, constant(extent));
    ranges[dim] = {begin, end, isWhole ? std::optional(size) : std::nullopt,
                   isWhole ? size : std::gcd(size, extent)};
  }
}

void LoopEmitter::emit() {
  ranges.resize(nest.getRank());
  Value chunk = entry.getArguments().back();
  emitDistribution(chunk);
  if (nest.hasChecks) {
    status = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    if (vectorDim)
      status = splat(status);
  }
  emitItems(0);
  if (!status)
    return;
  if (vectorDim)
    status = vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXSI,
                                         status);
  memref::StoreOp::create(b, loc, status,
                          entry.getArgument(nest.arguments.size() - 1), chunk);
}

//===----------------------------------------------------------------------===//
// Transposed operands, entry
//===----------------------------------------------------------------------===//

bool plan::isTransposed(const KernelInput &input, unsigned vectorDim,
                        unsigned dim) {
  return !input.item && dim != vectorDim &&
         input.access.strides[vectorDim] > 1 && input.access.strides[dim] == 1;
}

bool plan::canTransposeBlocks(const KernelNest &nest, unsigned vectorDim,
                              unsigned dim) {
  // Vectors that are masked are gathered.
  if (!nest.isItem.all() || nest.extents[vectorDim] < kDefaultLanes)
    return false;
  int64_t operations = 0;
  bool hasTransposed = false;
  for (const KernelPass &pass : nest.passes) {
    operations +=
        llvm::range_size(pass.op->getRegion(0).front().without_terminator());
    hasTransposed |= llvm::any_of(pass.inputs, [&](const KernelInput &input) {
      return isTransposed(input, vectorDim, dim);
    });
  }
  return hasTransposed && operations <= kMaxBlockOperations;
}

void plan::emitLoops(func::FuncOp func, const KernelNest &nest,
                     CPUScheduleAttr schedule) {
  LoopEmitter(func, nest, schedule).emit();
}
