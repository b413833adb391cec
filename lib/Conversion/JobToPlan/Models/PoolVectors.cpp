//===- PoolVectors.cpp - Poolings of small windows on vectors -------------===//

#include "PoolVectors.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/Plan/PlanDialect.h"

#include <limits>

using namespace mlir;
using namespace mlir::job;

/// Windows have at most so many cells; in a gradient, those of all outputs that
/// are computed for one block count.
static constexpr int64_t kMaxCells = 36;
/// Vectors are read from so many cells for each lane, and from so many vectors
/// before, at most.
static constexpr int64_t kMaxStride = 4;
static constexpr int64_t kMaxReach = 4;
/// Rows shorter than a vector have one of fewer lanes, down to this many.
static constexpr int64_t kMinLanes = 4;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool PoolVectors::areSmall(const PoolSpan &rows, const PoolSpan &columns,
                           bool isGradient) {
  int64_t cells = rows.size * columns.size;
  if (isGradient)
    cells *= rows.getReach() + 1;
  return cells <= kMaxCells && columns.stride <= kMaxStride &&
         rows.stride <= kMaxStride && columns.getReach() <= kMaxReach;
}

static int64_t selectLanes(int64_t count) {
  return std::clamp<int64_t>(llvm::PowerOf2Ceil(count), kMinLanes,
                             plan::kDefaultLanes);
}

PoolVectors::PoolVectors(OpBuilder &builder, Location loc, Type element,
                         PoolSpan rows, PoolSpan columns, Value item,
                         bool isGradient)
    : rows(rows), columns(columns), item(item),
      numLanes(
          selectLanes(isGradient ? columns.getNumBlocks() : columns.output)),
      b(builder, loc, VectorType::get(numLanes, element)) {}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// The mask of `size` elements of a row that start at `scale` times the first
/// lane plus `offset`: those in [0, extent). Null for all.
Value PoolVectors::getMask(Lanes lanes, int64_t scale, int64_t offset,
                           int64_t size, int64_t extent,
                           Value isRowInside) const {
  Value result;
  if (isRowInside)
    result = b.make<vector::BroadcastOp>(
        VectorType::get(size, b.getBuilder().getI1Type()), isRowInside);
  if (!lanes.known)
    return result;
  int64_t first = *lanes.known * scale + offset;
  SmallVector<bool> mask;
  for (int64_t at : llvm::seq(first, first + size))
    mask.push_back(at >= 0 && at < extent);
  if (llvm::all_of(mask, [](bool isSet) { return isSet; }))
    return result;
  Value inside = b.maskConstant(mask);
  return result ? b.andI(result, inside) : inside;
}

/// `size` elements of a row.
Value PoolVectors::load(Value row, Value index, int64_t size, Value mask,
                        double padding) const {
  auto type = cast<VectorType>(b.getType());
  return b.withType(VectorType::get(size, type.getElementType()))
      .loadVector(row, index, mask, padding);
}

Value PoolVectors::shuffle(Value a, Value other,
                           ArrayRef<int64_t> lanes) const {
  return b.make<vector::ShuffleOp>(a, other, lanes);
}

/// Lane 0 of each phase, then lane 1 of each, and so on.
Value PoolVectors::interleave(ArrayRef<Value> phases) const {
  int64_t count = phases.size();
  if (count == 1)
    return phases[0];
  auto join = [&](Value low, Value high) {
    int64_t size = cast<VectorType>(low.getType()).getNumElements();
    return shuffle(low, high, llvm::to_vector(llvm::seq(2 * size)));
  };
  Value low = phases[0], high = phases[1];
  if (count > 2) {
    low = join(phases[0], phases[1]);
    high = join(phases[2], phases[count - 1]);
  }
  SmallVector<int64_t> lanes;
  for (int64_t lane : llvm::seq(numLanes))
    for (int64_t phase : llvm::seq(count))
      lanes.push_back(phase * numLanes + lane);
  return shuffle(low, high, lanes);
}

/// Calls `body` for vectors of all of `count` outputs or blocks of a row,
/// carrying values along. Those that need no masks share a loop.
PoolVectors::Values
PoolVectors::forEachVector(int64_t count, ValueRange carried,
                           function_ref<Values(Lanes, ValueRange)> body) const {
  int64_t total = llvm::divideCeil(count, numLanes);
  int64_t step = columns.stride * numLanes;
  // What a vector reads ends `reach` blocks after its own ones.
  int64_t fits =
      columns.input + columns.before - columns.getReach() * columns.stride;
  int64_t first =
      std::min<int64_t>(llvm::divideCeil(columns.before, step), total);
  int64_t last = std::clamp(
      std::min(fits < 0 ? 0 : fits / step, columns.output / numLanes), first,
      total);
  Values values(carried);
  auto unroll = [&](int64_t from, int64_t to) {
    for (int64_t i : llvm::seq(from, to))
      values = body({b.index(i * numLanes), i * numLanes}, values);
  };
  unroll(0, last - first > 1 ? first : last);
  if (last - first > 1)
    values = b.reduce(b.index(first * numLanes), b.index(last * numLanes),
                      numLanes, values, [&](Value i, ValueRange inner) {
                        return body({i, std::nullopt}, inner);
                      });
  unroll(last, total);
  return values;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Row `scale * block + offset` of the `extent` rows of a plane, for a block in
/// [minBlock, maxBlock].
PoolVectors::Row PoolVectors::getRow(Value block, int64_t minBlock,
                                     int64_t maxBlock, int64_t scale,
                                     int64_t offset, int64_t extent,
                                     int64_t width) const {
  Row row;
  Value index = b.add(b.mul(block, scale), offset);
  if (scale * minBlock + offset < 0 || scale * maxBlock + offset >= extent) {
    row.isInside = b.isBelow(index, extent);
    index = b.min(b.max(index, 0), extent - 1);
  }
  row.start = b.mul(b.add(b.mul(item, extent), index), width);
  return row;
}

PoolVectors::Window PoolVectors::getWindow(Value block, int64_t minBlock,
                                           int64_t maxBlock) const {
  Window window;
  for (int64_t i : llvm::seq(rows.size))
    window.rows.push_back(getRow(block, minBlock, maxBlock, rows.stride,
                                 i - rows.before, rows.input, columns.input));
  if (rows.stride * minBlock < rows.before)
    window.numAbove =
        b.max(b.sub(b.index(rows.before), b.mul(block, rows.stride)), 0);
  return window;
}

/// The cells of one row of the windows, from the first column on; `padding`
/// stands for those that are outside. Of a row that is outside, those of the
/// nearest row, unless it is to be masked.
PoolVectors::Values PoolVectors::loadCells(Value input, const Row &row,
                                           Lanes lanes, double padding,
                                           bool isRowMasked) const {
  int64_t stride = columns.stride, size = stride * numLanes;
  Value start = b.add(row.start, b.mul(lanes.first, stride));
  Values cells;
  Value block;
  for (int64_t j : llvm::seq(columns.size)) {
    if (j % stride == 0) {
      int64_t offset = j - columns.before;
      Value mask = getMask(lanes, stride, offset, size, columns.input,
                           isRowMasked ? row.isInside : Value());
      block = load(input, b.add(start, offset), size, mask, padding);
    }
    if (stride == 1) {
      cells.push_back(block);
      continue;
    }
    SmallVector<int64_t> phase;
    for (int64_t lane : llvm::seq(numLanes))
      phase.push_back(lane * stride + j % stride);
    cells.push_back(shuffle(block, block, phase));
  }
  return cells;
}

/// How many cells of each window are no padding, as floats.
Value PoolVectors::getCellCount(const Window &window, Lanes lanes) const {
  auto element = cast<VectorType>(b.getType()).getElementType();
  SmallVector<Attribute> counts;
  for (int64_t lane : llvm::seq(numLanes)) {
    int64_t count = columns.size;
    if (lanes.known) {
      int64_t start = (*lanes.known + lane) * columns.stride - columns.before;
      count = std::min(start + columns.size, columns.input) -
              std::max<int64_t>(start, 0);
    }
    // A lane without output may have any number.
    counts.push_back(b.getBuilder().getFloatAttr(
        element, static_cast<double>(std::max<int64_t>(count, 1))));
  }
  auto type = cast<VectorType>(b.getType());
  Value result =
      b.make<arith::ConstantOp>(type, DenseElementsAttr::get(type, counts));
  Value height = b.index(0);
  int64_t always = 0;
  for (const Row &row : window.rows) {
    if (!row.isInside)
      ++always;
    else
      height = b.add(height, b.select(row.isInside, b.index(1), b.index(0)));
  }
  if (always == rows.size)
    return b.mul(result, b.constant(static_cast<double>(rows.size)));
  // A row without outputs may have any number as well.
  height = b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(),
                                      b.max(b.add(height, always), 1));
  Value factor = b.make<arith::SIToFPOp>(element, height);
  return b.mul(result, b.splat(factor));
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void PoolVectors::buildForward(
    Value output, function_ref<Value(const Window &, Lanes)> body) const {
  Value to = b.flatten(output);
  b.forEach(rows.output, [&](Value block) {
    Window window = getWindow(block, 0, rows.output - 1);
    Row row =
        getRow(block, 0, rows.output - 1, 1, 0, rows.output, columns.output);
    forEachVector(columns.output, {}, [&](Lanes lanes, ValueRange) -> Values {
      Value value = body(window, lanes);
      Value at = b.add(row.start, lanes.first);
      b.storeVector(
          value, to, at,
          getMask(lanes, 1, 0, numLanes, columns.output, row.isInside));
      return {};
    });
  });
}

void PoolVectors::buildMaxPool(Value input, Value output) const {
  Value from = b.flatten(input);
  buildForward(output, [&](const Window &window, Lanes lanes) {
    Value maximum;
    // The nearest row is in the window too and changes no maximum.
    for (const Row &row : window.rows)
      for (Value x : loadCells(from, row, lanes, -kInfinity,
                               /*isRowMasked=*/false))
        maximum = maximum ? b.make<arith::MaximumFOp>(maximum, x) : x;
    return maximum;
  });
}

void PoolVectors::buildAvgPool(Value input, Value output) const {
  Value from = b.flatten(input);
  buildForward(output, [&](const Window &window, Lanes lanes) {
    Value sum = b.constant(0);
    for (const Row &row : window.rows)
      for (Value x : loadCells(from, row, lanes, 0, /*isRowMasked=*/true))
        sum = b.add(sum, x);
    return b.div(sum, getCellCount(window, lanes));
  });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The gradients of outputs; 0 for lanes and rows without output.
Value PoolVectors::loadGrad(Value grad, const Row &row, Lanes lanes) const {
  return b.loadVector(
      grad, b.add(row.start, lanes.first),
      getMask(lanes, 1, 0, numLanes, columns.output, row.isInside),
      /*padding=*/0);
}

void PoolVectors::buildGradient(Value result, unsigned stateSize,
                                GetStates getStates, GetTerm getTerm) const {
  Value to = b.flatten(result);
  int64_t numBlocks = rows.getNumBlocks();
  b.forEach(numBlocks, [&](Value block) {
    // The rows of outputs that reach this block, and their windows.
    SmallVector<Output> outputs;
    for (int64_t back : llvm::seq(rows.getReach() + 1)) {
      Value output = b.add(block, -back);
      int64_t first = -back, last = numBlocks - 1 - back;
      outputs.push_back(
          {getRow(output, first, last, 1, 0, rows.output, columns.output),
           getWindow(output, first, last)});
    }
    bool isCarried = columns.getReach() > 0;
    Values none;
    if (isCarried) {
      for ([[maybe_unused]] const Output &output : outputs)
        for (unsigned i : llvm::seq(stateSize))
          none.push_back(i + 1 < stateSize ? b.intConstant(0) : b.constant(0));
    }
    forEachVector(
        columns.getNumBlocks(), none, [&](Lanes lanes, ValueRange before) {
          Values states = getStates(outputs, lanes);
          // The states of the outputs `back` blocks before the lanes.
          auto getStatesBefore = [&](int64_t back) {
            if (back == 0)
              return states;
            SmallVector<int64_t> shifted = llvm::to_vector(
                llvm::seq(numLanes - back, 2 * numLanes - back));
            Values result;
            for (auto [old, state] : llvm::zip_equal(before, states))
              result.push_back(shuffle(old, state, shifted));
            return result;
          };
          SmallVector<Values> byReach;
          for (int64_t back : llvm::seq(columns.getReach() + 1))
            byReach.push_back(getStatesBefore(back));

          for (int64_t i : llvm::seq(rows.stride)) {
            Values phases;
            for (int64_t j : llvm::seq(columns.stride)) {
              // Windows in row-major order.
              Value sum;
              for (int64_t up : llvm::reverse(llvm::seq(rows.getReach() + 1)))
                for (int64_t left :
                     llvm::reverse(llvm::seq(columns.getReach() + 1))) {
                  int64_t row = up * rows.stride + i,
                          column = left * columns.stride + j;
                  if (row >= rows.size || column >= columns.size)
                    continue;
                  Value term = getTerm(
                      ArrayRef(byReach[left]).slice(up * stateSize, stateSize),
                      row * columns.size + column);
                  sum = sum ? b.add(sum, term) : term;
                }
              phases.push_back(sum ? sum : b.constant(0));
            }
            Value value = interleave(phases);
            Row row = getRow(block, 0, numBlocks - 1, rows.stride,
                             i - rows.before, rows.input, columns.input);
            Value at =
                b.add(b.add(row.start, b.mul(lanes.first, columns.stride)),
                      -columns.before);
            b.storeVector(value, to, at,
                          getMask(lanes, columns.stride, -columns.before,
                                  columns.stride * numLanes, columns.input,
                                  row.isInside));
          }
          return isCarried ? states : Values();
        });
  });
}

/// The first maximum, or the first NaN, of one row of the windows, and its
/// column in the window.
PoolVectors::Maximum PoolVectors::findMaximum(Value input, const Row &row,
                                              Lanes lanes) const {
  auto type = cast<VectorType>(b.intType());
  // The first cell that is no padding is it until another one is found.
  bool isFirstInside = true;
  SmallVector<int64_t> firstColumns;
  for (int64_t lane : llvm::seq(numLanes)) {
    int64_t column = 0;
    if (lanes.known)
      column = std::max<int64_t>(
          columns.before - (*lanes.known + lane) * columns.stride, 0);
    isFirstInside &= column == 0;
    firstColumns.push_back(column);
  }
  Maximum maximum;
  maximum.place = b.laneConstant(type.getElementType(), firstColumns);
  if (!isFirstInside)
    maximum.value = b.constant(-kInfinity);
  Values cells =
      loadCells(input, row, lanes, -kInfinity, /*isRowMasked=*/false);
  for (auto [column, x] : llvm::enumerate(cells))
    maximum = joinMaxima(maximum, {x, b.intConstant(column)});
  return maximum;
}

/// The first of two maxima, unless the second is greater, or the first NaN.
PoolVectors::Maximum PoolVectors::joinMaxima(Maximum first,
                                             Maximum second) const {
  if (!first.value)
    return second;
  Value isNew =
      b.andI(b.compare(arith::CmpFPredicate::UGT, second.value, first.value),
             b.compare(arith::CmpFPredicate::ORD, first.value, first.value));
  return {b.select(isNew, second.value, first.value),
          b.select(isNew, second.place, first.place)};
}

void PoolVectors::buildMaxPoolGrad(Value grad, Value input,
                                   Value result) const {
  Value gradRow = b.flatten(grad), inputRow = b.flatten(input);
  auto type = cast<VectorType>(b.intType());
  auto getStates = [&](ArrayRef<Output> outputs, Lanes lanes) {
    // Rows of the input, by how many they are after the block's first one: rows
    // of outputs share them.
    DenseMap<int64_t, Maximum> maxima;
    Values states;
    for (auto [back, output] : llvm::enumerate(outputs)) {
      Maximum maximum;
      for (auto [i, row] : llvm::enumerate(output.window.rows)) {
        auto distance =
            static_cast<int64_t>(i) - rows.stride * static_cast<int64_t>(back);
        auto [it, isNew] = maxima.try_emplace(distance);
        if (isNew)
          it->second = findMaximum(inputRow, row, lanes);
        Maximum ofRow = it->second;
        if (i > 0)
          ofRow.place = b.add(ofRow.place, b.intConstant(i * columns.size));
        // Rows above the input read what its first row reads, so that the first
        // maximum seems to be in the first of them. Nothing is new in the other
        // ones, nor in rows below the input.
        if (i == 0 && output.window.numAbove) {
          Value above = b.make<arith::IndexCastOp>(
              type.getElementType(),
              b.mul(output.window.numAbove, columns.size));
          ofRow.place = b.add(ofRow.place, b.splat(above));
        }
        maximum = joinMaxima(maximum, ofRow);
      }
      states.push_back(maximum.place);
      states.push_back(loadGrad(gradRow, output.row, lanes));
    }
    return states;
  };
  buildGradient(
      result, /*stateSize=*/2, getStates, [&](ValueRange state, int64_t cell) {
        Value isIt =
            b.compare(arith::CmpIPredicate::eq, state[0], b.intConstant(cell));
        return b.select(isIt, state[1], b.constant(0));
      });
}

void PoolVectors::buildAvgPoolGrad(Value grad, Value result) const {
  Value gradRow = b.flatten(grad);
  auto getStates = [&](ArrayRef<Output> outputs, Lanes lanes) {
    return llvm::map_to_vector<6>(outputs, [&](const Output &output) {
      return b.div(loadGrad(gradRow, output.row, lanes),
                   getCellCount(output.window, lanes));
    });
  };
  buildGradient(result, /*stateSize=*/1, getStates,
                [](ValueRange state, int64_t) { return state[0]; });
}
