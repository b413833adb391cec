//===- PoolChannels.cpp - Poolings with the channels last -----------------===//

#include "PoolChannels.h"

#include "LongSum.h"

#include "JobDialect/Plan/PlanDialect.h"

using namespace mlir;
using namespace mlir::job;

static VectorType getVectorType(Type element, int64_t channels) {
  int64_t lanes =
      std::min<int64_t>(llvm::PowerOf2Ceil(channels), plan::kDefaultLanes);
  return VectorType::get(lanes, element);
}

PoolChannels::PoolChannels(OpBuilder &builder, Location loc, Type element,
                           PoolSpan rows, PoolSpan columns, Value item,
                           int64_t channels)
    : rows(rows), columns(columns), item(item), channels(channels),
      b(builder, loc, getVectorType(element, channels)) {}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Calls `body` for each of `width` columns and all vectors of channels. The
/// calls are independent.
void PoolChannels::forEachPlace(int64_t width,
                                function_ref<void(Value, Lanes)> body) const {
  int64_t vectors = llvm::divideCeil(channels, b.getNumLanes());
  b.forEach(width * vectors, [&](Value place) {
    Value first = b.mul(b.rem(place, vectors), b.getNumLanes());
    body(b.div(place, vectors), {first, b.getMask(first, channels)});
  });
}

PoolChannels::Place PoolChannels::place(const PoolSpan &span,
                                        Value output) const {
  Value start = b.add(b.mul(output, span.stride), -span.before);
  Value end = b.add(start, span.size);
  if (span.isInside())
    return {start, {start, end}};
  return {start, {b.max(start, 0), b.min(end, span.input)}};
}

/// The outputs whose windows have a cell in row, or column, `input`.
PoolChannels::Range PoolChannels::getOutputs(const PoolSpan &span,
                                             Value input) const {
  Value cell = b.add(input, span.before);
  Value begin = b.max(b.add(cell, span.stride - span.size), 0);
  Value end = b.add(b.div(cell, span.stride), 1);
  return {b.div(begin, span.stride), b.min(end, span.output)};
}

/// Folds `body` over rows and columns, row by row.
PoolChannels::Values PoolChannels::reduceCells(
    const Range &rows, const Range &columns, ValueRange initial,
    function_ref<Values(Value, Value, ValueRange)> body) const {
  return b.reduce(rows.begin, rows.end, 1, initial,
                  [&](Value row, ValueRange outer) {
                    return b.reduce(columns.begin, columns.end, 1, outer,
                                    [&](Value column, ValueRange inner) {
                                      return body(row, column, inner);
                                    });
                  });
}

/// The number of cells of a window that are no padding, in all lanes.
Value PoolChannels::getCellCount(const Window &window) const {
  if (rows.isInside() && columns.isInside())
    return b.constant(static_cast<double>(rows.size * columns.size));
  auto extent = [&](const Range &cells) {
    return b.sub(cells.end, cells.begin);
  };
  Value count = b.make<arith::MulIOp>(extent(window.rows.cells),
                                      extent(window.columns.cells));
  count = b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), count);
  return b.splat(
      b.make<arith::SIToFPOp>(getElementTypeOrSelf(b.getType()), count));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Value getIndex(const KernelBuilder &b, Value n, Value row, Value column,
                      Value channel, int64_t height, int64_t width,
                      int64_t channels) {
  Value at = b.add(b.mul(n, height), row);
  at = b.add(b.mul(at, width), column);
  return b.add(b.mul(at, channels), channel);
}

Value PoolChannels::load(Value array, Value n, Value row, Value column,
                         int64_t height, int64_t width, Lanes lanes) const {
  Value at = getIndex(b, n, row, column, lanes.first, height, width, channels);
  return b.loadVector(array, at, lanes.mask, /*padding=*/0);
}

void PoolChannels::store(Value value, Value array, Value n, Value row,
                         Value column, int64_t height, int64_t width,
                         Lanes lanes) const {
  Value at = getIndex(b, n, row, column, lanes.first, height, width, channels);
  b.storeVector(value, array, at, lanes.mask);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void PoolChannels::buildMaxPool(Value input, Value output) const {
  Value from = b.flatten(input), to = b.flatten(output);
  Value n = b.div(item, rows.output), row = b.rem(item, rows.output);
  Place rowPlace = place(rows, row);
  forEachPlace(columns.output, [&](Value column, Lanes lanes) {
    Value maximum = reduceCells(
        rowPlace.cells, place(columns, column).cells, b.neg(b.infinity()),
        [&](Value i, Value j, ValueRange carried) -> Values {
          return {b.make<arith::MaximumFOp>(carried[0],
                                            loadInput(from, n, i, j, lanes))};
        })[0];
    store(maximum, to, n, row, column, rows.output, columns.output, lanes);
  });
}

void PoolChannels::buildAvgPool(Value input, Value output) const {
  Value from = b.flatten(input), to = b.flatten(output);
  Value n = b.div(item, rows.output), row = b.rem(item, rows.output);
  Place rowPlace = place(rows, row);
  forEachPlace(columns.output, [&](Value column, Lanes lanes) {
    Window window{rowPlace, place(columns, column)};
    LongSum cells(b);
    Range inRow = window.columns.cells;
    Value sum = cells.getSum(
        b.reduce(rowPlace.cells.begin, rowPlace.cells.end, 1,
                 cells.getInitial(), [&](Value i, ValueRange state) {
                   return cells.add(
                       state, inRow.begin, inRow.end, columns.size,
                       [&](Value j, Value partial) {
                         return b.add(partial, loadInput(from, n, i, j, lanes));
                       });
                 }));
    store(b.div(sum, getCellCount(window)), to, n, row, column, rows.output,
          columns.output, lanes);
  });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

void PoolChannels::buildAvgPoolGrad(Value grad, Value result) const {
  Value from = b.flatten(grad), to = b.flatten(result);
  Value n = b.div(item, rows.input), row = b.rem(item, rows.input);
  Range outputRows = getOutputs(rows, row);
  forEachPlace(columns.input, [&](Value column, Lanes lanes) {
    Value sum =
        reduceCells(outputRows, getOutputs(columns, column), b.constant(0),
                    [&](Value i, Value j, ValueRange carried) -> Values {
                      Window window{place(rows, i), place(columns, j)};
                      Value share = b.div(loadOutput(from, n, i, j, lanes),
                                          getCellCount(window));
                      return {b.add(carried[0], share)};
                    })[0];
    store(sum, to, n, row, column, rows.input, columns.input, lanes);
  });
}

/// The number of a cell of a window, in all lanes.
Value PoolChannels::getCell(const Window &window, Value row,
                            Value column) const {
  Value cell = b.add(b.mul(b.sub(row, window.rows.start), columns.size),
                     b.sub(column, window.columns.start));
  Type type = b.getBuilder().getIntegerType(
      columns.size <= INT32_MAX / rows.size ? 32 : 64);
  return b.splat(b.make<arith::IndexCastOp>(type, cell));
}

/// The cell of the first maximum, or of the first NaN.
Value PoolChannels::findMaximum(Value input, Value n, const Window &window,
                                Lanes lanes) const {
  Value row = window.rows.cells.begin, column = window.columns.cells.begin;
  // The first cell is the maximum until another one is found.
  Value first = loadInput(input, n, row, column, lanes);
  return reduceCells(
      window.rows.cells, window.columns.cells,
      {first, getCell(window, row, column)},
      [&](Value i, Value j, ValueRange best) -> Values {
        Value x = loadInput(input, n, i, j, lanes);
        Value isNew =
            b.andI(b.compare(arith::CmpFPredicate::UGT, x, best[0]),
                   b.compare(arith::CmpFPredicate::ORD, best[0], best[0]));
        return {b.select(isNew, x, best[0]),
                b.select(isNew, getCell(window, i, j), best[1])};
      })[1];
}

int64_t PoolChannels::getNumMaxGradRows(const PoolSpan &rows,
                                        const PoolSpan &columns) {
  return rows.isDisjoint() && columns.isDisjoint() ? rows.getNumBlocks()
                                                   : rows.input;
}

void PoolChannels::buildMaxPoolGrad(Value grad, Value input,
                                    Value result) const {
  Value gradRow = b.flatten(grad), inputRow = b.flatten(input),
        resultRow = b.flatten(result);
  if (rows.isDisjoint() && columns.isDisjoint())
    buildMaxGradOfWindows(gradRow, inputRow, resultRow);
  else
    buildMaxGradOfRow(gradRow, inputRow, resultRow);
}

/// The rows from the first one of a row of windows up to that of the next:
/// each window writes its own cells.
void PoolChannels::buildMaxGradOfWindows(Value grad, Value input,
                                         Value result) const {
  int64_t blocks = rows.getNumBlocks();
  Value n = b.div(item, blocks), block = b.rem(item, blocks);
  Place rowPlace = place(rows, block);
  if (!rows.isPartition() || !columns.isPartition()) {
    Value end = b.min(b.add(rowPlace.start, rows.stride), rows.input);
    b.loop(b.max(rowPlace.start, 0), end, 1, [&](Value row) {
      forEachPlace(columns.input, [&](Value column, Lanes lanes) {
        store(b.constant(0), result, n, row, column, rows.input, columns.input,
              lanes);
      });
    });
  }
  auto buildWindows = [&] {
    forEachPlace(columns.output, [&](Value output, Lanes lanes) {
      Window window{rowPlace, place(columns, output)};
      Value found = findMaximum(input, n, window, lanes);
      Value term = loadOutput(grad, n, block, output, lanes);
      reduceCells(window.rows.cells, window.columns.cells, {},
                  [&](Value i, Value j, ValueRange) -> Values {
                    Value isIt = b.compare(arith::CmpIPredicate::eq, found,
                                           getCell(window, i, j));
                    store(b.select(isIt, term, b.constant(0)), result, n, i, j,
                          rows.input, columns.input, lanes);
                    return {};
                  });
    });
  };
  if (blocks == rows.output)
    buildWindows();
  else
    b.branch(b.isBelow(block, rows.output), buildWindows);
}

/// A row of the result from all windows that have cells in it.
void PoolChannels::buildMaxGradOfRow(Value grad, Value input,
                                     Value result) const {
  Value n = b.div(item, rows.input), row = b.rem(item, rows.input);
  Range outputRows = getOutputs(rows, row);
  forEachPlace(columns.input, [&](Value column, Lanes lanes) {
    Value sum = reduceCells(
        outputRows, getOutputs(columns, column), b.constant(0),
        [&](Value i, Value j, ValueRange carried) -> Values {
          Window window{place(rows, i), place(columns, j)};
          Value isIt = b.compare(arith::CmpIPredicate::eq,
                                 findMaximum(input, n, window, lanes),
                                 getCell(window, row, column));
          Value term =
              b.select(isIt, loadOutput(grad, n, i, j, lanes), b.constant(0));
          return {b.add(carried[0], term)};
        })[0];
    store(sum, result, n, row, column, rows.input, columns.input, lanes);
  });
}
