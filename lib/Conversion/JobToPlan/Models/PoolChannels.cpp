//===- PoolChannels.cpp - Poolings with the channels last -----------------===//

#include "PoolChannels.h"

#include "LongSum.h"

#include "JobDialect/Plan/PlanDialect.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

/// Whether an item is a vector, as on a GPU, where the threads that compute
/// neighbouring ones access neighbouring memory.
static bool hasVectorItems(const TargetCosts &costs) {
  return costs.itemElements <= costs.itemLanes;
}

PoolChannelsCut::Place
PoolChannelsCut::getMaxGradPlace(const PoolSpan &rows, const PoolSpan &columns,
                                 const TargetCosts &costs) {
  // What no window covers is filled with zeros by the item of a row.
  bool areCovered = rows.isPartition() && columns.isPartition();
  return rows.isDisjoint() && columns.isDisjoint() &&
                 (areCovered || !hasVectorItems(costs))
             ? Place::Window
             : Place::Input;
}

PoolChannelsCut::PoolChannelsCut(Place place, const PoolSpan &rows,
                                 const PoolSpan &columns, int64_t channels,
                                 const TargetCosts &costs)
    : place(place),
      lanes(std::min({static_cast<int64_t>(llvm::PowerOf2Ceil(channels)),
                      plan::kDefaultLanes, costs.itemLanes})),
      vectors(llvm::divideCeil(channels, lanes)),
      isVectorItem(hasVectorItems(costs)) {
  switch (place) {
  case Place::Output:
    this->rows = rows.output;
    width = columns.output;
    break;
  case Place::Input:
    this->rows = rows.input;
    width = columns.input;
    break;
  case Place::Window:
    this->rows = rows.getNumBlocks();
    width = columns.output;
    break;
  }
}

PoolChannels::PoolChannels(OpBuilder &builder, Location loc, Type element,
                           PoolSpan rows, PoolSpan columns, Value item,
                           int64_t channels, const PoolChannelsCut &cut)
    : rows(rows), columns(columns), channels(channels), cut(cut),
      b(builder, loc, VectorType::get(cut.lanes, element)) {
  if (cut.isVectorItem) {
    vector = b.rem(item, cut.width * cut.vectors);
    item = b.div(item, cut.width * cut.vectors);
  }
  n = b.div(item, cut.rows);
  row = b.rem(item, cut.rows);
}

/// Calls `body` for each of `width` columns and all vectors of channels. The
/// calls are independent.
void PoolChannels::forEachVector(int64_t width,
                                 function_ref<void(Value, Lanes)> body) const {
  b.forEach(width * cut.vectors, [&](Value place) {
    Value first = b.mul(b.rem(place, cut.vectors), cut.lanes);
    body(b.div(place, cut.vectors), {first, b.getMask(first, channels)});
  });
}

/// Calls `body` for the places of the item.
void PoolChannels::forEachPlace(function_ref<void(Value, Lanes)> body) const {
  if (!vector)
    return forEachVector(cut.width, body);
  Value first = b.mul(b.rem(vector, cut.vectors), cut.lanes);
  body(b.div(vector, cut.vectors), {first, b.getMask(first, channels)});
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

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

Value PoolChannels::getIndex(Value row, Value column, int64_t height,
                             int64_t width, Lanes lanes) const {
  Value at = b.add(b.mul(n, height), row);
  at = b.add(b.mul(at, width), column);
  return b.add(b.mul(at, channels), lanes.first);
}

Value PoolChannels::loadInput(Value input, Value row, Value column,
                              Lanes lanes) const {
  Value at = getIndex(row, column, rows.input, columns.input, lanes);
  return b.loadVector(input, at, lanes.mask, /*padding=*/0);
}

Value PoolChannels::loadOutput(Value output, Value row, Value column,
                               Lanes lanes) const {
  Value at = getIndex(row, column, rows.output, columns.output, lanes);
  return b.loadVector(output, at, lanes.mask, /*padding=*/0);
}

void PoolChannels::storeInput(Value value, Value input, Value row, Value column,
                              Lanes lanes) const {
  Value at = getIndex(row, column, rows.input, columns.input, lanes);
  b.storeVector(value, input, at, lanes.mask);
}

void PoolChannels::storeOutput(Value value, Value output, Value row,
                               Value column, Lanes lanes) const {
  Value at = getIndex(row, column, rows.output, columns.output, lanes);
  b.storeVector(value, output, at, lanes.mask);
}

//===----------------------------------------------------------------------===//
// Maxima
//===----------------------------------------------------------------------===//

Type PoolChannels::getCellType() const {
  return b.getBuilder().getIntegerType(
      columns.size <= INT32_MAX / rows.size ? 32 : 64);
}

/// The number of a cell of a window, in all lanes.
Value PoolChannels::getCell(const Window &window, Value row,
                            Value column) const {
  Value cell = b.add(b.mul(b.sub(row, window.rows.start), columns.size),
                     b.sub(column, window.columns.start));
  return b.splat(b.make<arith::IndexCastOp>(getCellType(), cell));
}

/// The first maximum, or the first NaN, and its cell.
std::pair<Value, Value> PoolChannels::findMaximum(Value input,
                                                  const Window &window,
                                                  Lanes lanes) const {
  Value row = window.rows.cells.begin, column = window.columns.cells.begin;
  // The first cell is the maximum until another one is found.
  Value first = loadInput(input, row, column, lanes);
  Values found =
      reduceCells(window.rows.cells, window.columns.cells,
                  {first, getCell(window, row, column)},
                  [&](Value i, Value j, ValueRange best) -> Values {
                    Value x = loadInput(input, i, j, lanes);
                    Value isNew = b.andI(
                        b.compare(arith::CmpFPredicate::UGT, x, best[0]),
                        b.compare(arith::CmpFPredicate::ORD, best[0], best[0]));
                    return {b.select(isNew, x, best[0]),
                            b.select(isNew, getCell(window, i, j), best[1])};
                  });
  return {found[0], found[1]};
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void PoolChannels::buildMaxPool(Value input, Value output) const {
  Value from = b.flatten(input), to = b.flatten(output);
  Place rowPlace = place(rows, row);
  forEachPlace([&](Value column, Lanes lanes) {
    Value maximum = reduceCells(
        rowPlace.cells, place(columns, column).cells, b.neg(b.infinity()),
        [&](Value i, Value j, ValueRange carried) -> Values {
          return {b.make<arith::MaximumFOp>(carried[0],
                                            loadInput(from, i, j, lanes))};
        })[0];
    storeOutput(maximum, to, row, column, lanes);
  });
}

void PoolChannels::buildMaxPoolArgmax(Value input, bool positive, Value output,
                                      Value argmax) const {
  Value from = b.flatten(input);
  Value to = output ? b.flatten(output) : Value();
  Value cells = argmax ? b.flatten(argmax) : Value();
  KernelBuilder bytes = b.withElementType(b.getBuilder().getI8Type());
  Place rowPlace = place(rows, row);
  forEachPlace([&](Value column, Lanes lanes) {
    auto [maximum, cell] =
        findMaximum(from, {rowPlace, place(columns, column)}, lanes);
    if (to)
      storeOutput(maximum, to, row, column, lanes);
    if (!cells)
      return;
    if (positive) {
      Value isPositive =
          b.compare(arith::CmpFPredicate::OGT, maximum, b.constant(0));
      cell = b.select(isPositive, cell, b.intConstant(cell.getType(), -1));
    }
    cell = b.make<arith::TruncIOp>(bytes.getType(), cell);
    storeOutput(cell, cells, row, column, lanes);
  });
}

void PoolChannels::buildAvgPool(Value input, Value output) const {
  Value from = b.flatten(input), to = b.flatten(output);
  Place rowPlace = place(rows, row);
  forEachPlace([&](Value column, Lanes lanes) {
    Window window{rowPlace, place(columns, column)};
    LongSum cells(b);
    Range inRow = window.columns.cells;
    Value sum = cells.getSum(
        b.reduce(rowPlace.cells.begin, rowPlace.cells.end, 1,
                 cells.getInitial(), [&](Value i, ValueRange state) {
                   return cells.add(
                       state, inRow.begin, inRow.end, columns.size,
                       [&](Value j, Value partial) {
                         return b.add(partial, loadInput(from, i, j, lanes));
                       });
                 }));
    storeOutput(b.div(sum, getCellCount(window)), to, row, column, lanes);
  });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

void PoolChannels::buildAvgPoolGrad(Value grad, Value result) const {
  Value from = b.flatten(grad), to = b.flatten(result);
  Range outputRows = getOutputs(rows, row);
  forEachPlace([&](Value column, Lanes lanes) {
    Value sum =
        reduceCells(outputRows, getOutputs(columns, column), b.constant(0),
                    [&](Value i, Value j, ValueRange carried) -> Values {
                      Window window{place(rows, i), place(columns, j)};
                      Value share = b.div(loadOutput(from, i, j, lanes),
                                          getCellCount(window));
                      return {b.add(carried[0], share)};
                    })[0];
    storeInput(sum, to, row, column, lanes);
  });
}

void PoolChannels::buildMaxPoolGrad(Value grad, Value input,
                                    Value result) const {
  Value cells = b.flatten(input);
  buildMaxGrad(
      grad,
      [&](Value, Value, const Window &window, Lanes lanes) {
        return findMaximum(cells, window, lanes).second;
      },
      result);
}

void PoolChannels::buildMaxPoolArgmaxGrad(Value grad, Value argmax,
                                          Value result) const {
  KernelBuilder bytes = b.withElementType(b.getBuilder().getI8Type());
  Value cells = b.flatten(argmax);
  buildMaxGrad(
      grad,
      [&](Value row, Value column, const Window &, Lanes lanes) {
        Value at = getIndex(row, column, rows.output, columns.output, lanes);
        Value cell = bytes.loadIntVector(cells, at, lanes.mask);
        return b.make<arith::ExtSIOp>(b.like(getCellType()), cell);
      },
      result);
}

void PoolChannels::buildMaxGrad(Value grad, FindCell findCell,
                                Value result) const {
  Value from = b.flatten(grad), to = b.flatten(result);
  if (cut.place == PoolChannelsCut::Place::Window)
    buildMaxGradOfWindows(from, findCell, to);
  else
    buildMaxGradOfCells(from, findCell, to);
}

/// The elements from the first row of a row of windows up to that of the next:
/// each window writes its own cells.
void PoolChannels::buildMaxGradOfWindows(Value grad, FindCell findCell,
                                         Value result) const {
  Place rowPlace = place(rows, row);
  if (!rows.isPartition() || !columns.isPartition()) {
    Value end = b.min(b.add(rowPlace.start, rows.stride), rows.input);
    b.loop(b.max(rowPlace.start, 0), end, 1, [&](Value i) {
      forEachVector(columns.input, [&](Value column, Lanes lanes) {
        storeInput(b.constant(0), result, i, column, lanes);
      });
    });
  }
  auto buildWindows = [&] {
    forEachPlace([&](Value output, Lanes lanes) {
      Window window{rowPlace, place(columns, output)};
      Value found = findCell(row, output, window, lanes);
      Value term = loadOutput(grad, row, output, lanes);
      reduceCells(window.rows.cells, window.columns.cells, {},
                  [&](Value i, Value j, ValueRange) -> Values {
                    Value isIt = b.compare(arith::CmpIPredicate::eq, found,
                                           getCell(window, i, j));
                    storeInput(b.select(isIt, term, b.constant(0)), result, i,
                               j, lanes);
                    return {};
                  });
    });
  };
  if (cut.rows == rows.output)
    buildWindows();
  else
    b.branch(b.isBelow(row, rows.output), buildWindows);
}

/// Each element from all windows that have it.
void PoolChannels::buildMaxGradOfCells(Value grad, FindCell findCell,
                                       Value result) const {
  Range outputRows = getOutputs(rows, row);
  forEachPlace([&](Value column, Lanes lanes) {
    Value sum =
        reduceCells(outputRows, getOutputs(columns, column), b.constant(0),
                    [&](Value i, Value j, ValueRange carried) -> Values {
                      Window window{place(rows, i), place(columns, j)};
                      Value isIt = b.compare(arith::CmpIPredicate::eq,
                                             findCell(i, j, window, lanes),
                                             getCell(window, row, column));
                      Value term = b.select(isIt, loadOutput(grad, i, j, lanes),
                                            b.constant(0));
                      return {b.add(carried[0], term)};
                    })[0];
    storeInput(sum, result, row, column, lanes);
  });
}
