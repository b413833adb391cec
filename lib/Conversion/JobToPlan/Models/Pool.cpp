//===- Pool.cpp - Kernels of poolings -------------------------------------===//
//
// On a CPU one item is a plane of one image and channel. Small windows are
// unrolled on vectors (PoolVectors.h), large ones are loops over their cells.
// The columns whose windows reach into the padding are loops of their own then,
// so that the others need no check. Images with the channels last, and all on a
// GPU, have kernels of their own (PoolChannels.h).
//
//===----------------------------------------------------------------------===//

#include "LongSum.h"
#include "Models.h"
#include "PoolChannels.h"
#include "PoolShape.h"
#include "PoolVectors.h"

#include "JobDialect/Support/OperationCount.h"

using namespace mlir;
using namespace mlir::job;

namespace {

/// Where one output's window lies in one dimension.
struct SpanPlace {
  Value start;      // of the window, may be negative
  bool inside;      // whether that is known
  Value begin, end; // of the part that is no padding; null when inside
};

struct PoolLoops {
  KernelBuilder b;
  PoolSpan rows, columns;
  /// Image and channel.
  Value n, c;

  PoolLoops(OpBuilder &builder, Location loc, Type element, PoolSpan rows,
            PoolSpan columns, Value item, int64_t channels)
      : b(builder, loc, element), rows(rows), columns(columns),
        n(b.div(item, channels)), c(b.rem(item, channels)) {}

  int64_t getWindowSize() const { return rows.size * columns.size; }

  Value load(Value memref, Value row, Value column) const {
    return b.load(memref, {n, c, row, column});
  }
  void store(Value value, Value memref, Value row, Value column) const {
    b.store(value, memref, {n, c, row, column});
  }
  void fillWithZero(Value memref) const {
    b.forEach(rows.input, [&](Value row) {
      b.forEach(columns.input, [&](Value column) {
        store(b.constant(0), memref, row, column);
      });
    });
  }

  SpanPlace place(const PoolSpan &span, Value output, bool inside) const {
    SpanPlace place{b.add(b.mul(output, span.stride), -span.before), inside,
                    Value(), Value()};
    if (!inside) {
      place.begin = b.max(place.start, 0);
      place.end = b.min(b.add(place.start, span.size), span.input);
    }
    return place;
  }

  bool isDisjoint() const { return rows.isDisjoint() && columns.isDisjoint(); }

  /// Calls `body` for every output: rows one by one, columns in up to three
  /// loops. In order, unless outputs are independent.
  void forEachOutput(
      bool areIndependent,
      function_ref<void(Value, Value, SpanPlace, SpanPlace)> body) const {
    auto loop = [&](int64_t begin, int64_t end,
                    function_ref<void(Value)> inner) {
      if (areIndependent)
        b.forEach(b.index(begin), b.index(end), inner);
      else
        b.loop(b.index(begin), b.index(end), 1, inner);
    };
    loop(0, rows.output, [&](Value row) {
      SpanPlace rowPlace = place(rows, row, rows.isInside());
      auto part = [&](int64_t begin, int64_t end, bool inside) {
        if (begin < end)
          loop(begin, end, [&](Value column) {
            body(row, column, rowPlace, place(columns, column, inside));
          });
      };
      part(0, columns.getInnerBegin(), false);
      part(columns.getInnerBegin(), columns.getInnerEnd(), true);
      part(columns.getInnerEnd(), columns.output, false);
    });
  }

  /// Folds `body` over the rows of a window: a row, and the part of its columns
  /// that is no padding.
  SmallVector<Value>
  reduceRows(SpanPlace row, SpanPlace column, ValueRange initial,
             function_ref<SmallVector<Value>(Value, Value, Value, ValueRange)>
                 body) const {
    auto bounds = [&](const SpanPlace &place, const PoolSpan &span) {
      return place.inside
                 ? std::pair(place.start, b.add(place.start, span.size))
                 : std::pair(place.begin, place.end);
    };
    auto [rowBegin, rowEnd] = bounds(row, rows);
    auto [columnBegin, columnEnd] = bounds(column, columns);
    return b.reduce(rowBegin, rowEnd, 1, initial,
                    [&, columnBegin = columnBegin,
                     columnEnd = columnEnd](Value i, ValueRange carried) {
                      return body(i, columnBegin, columnEnd, carried);
                    });
  }

  /// Folds `body` over the cells of a window that are no padding, in row-major
  /// order.
  SmallVector<Value> reduceCells(
      SpanPlace row, SpanPlace column, ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const {
    return reduceRows(row, column, initial,
                      [&](Value i, Value begin, Value end, ValueRange outer) {
                        return b.reduce(begin, end, 1, outer,
                                        [&](Value j, ValueRange inner) {
                                          return body(i, j, inner);
                                        });
                      });
  }

  /// Whether `x` replaces `best` as the first maximum: it is greater, or the
  /// first NaN.
  Value isNewMaximum(Value x, Value best) const {
    return b.make<arith::AndIOp>(
        b.compare(arith::CmpFPredicate::UGT, x, best),
        b.compare(arith::CmpFPredicate::ORD, best, best));
  }

  void buildMaxPool(Value input, Value output) const;
  void buildAvgPool(Value input, Value output) const;
  void buildMaxPoolGrad(Value grad, Value input, Value result) const;
  void buildAvgPoolGrad(Value grad, Value result) const;

private:
  Value getCellCount(SpanPlace row, SpanPlace column) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void PoolLoops::buildMaxPool(Value input, Value output) const {
  forEachOutput(
      /*areIndependent=*/true,
      [&](Value row, Value column, SpanPlace rowPlace, SpanPlace columnPlace) {
        Value maximum = reduceCells(
            rowPlace, columnPlace, b.neg(b.infinity()),
            [&](Value i, Value j, ValueRange carried) -> SmallVector<Value> {
              return {b.make<arith::MaximumFOp>(carried[0], load(input, i, j))};
            })[0];
        store(maximum, output, row, column);
      });
}

/// The number of cells of a window that are no padding, as a float.
Value PoolLoops::getCellCount(SpanPlace row, SpanPlace column) const {
  if (row.inside && column.inside)
    return b.constant(getWindowSize());
  auto extent = [&](const SpanPlace &place, const PoolSpan &span) {
    return place.inside ? b.index(span.size) : b.sub(place.end, place.begin);
  };
  Value count =
      b.make<arith::MulIOp>(extent(row, rows), extent(column, columns));
  count = b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), count);
  return b.make<arith::SIToFPOp>(b.getType(), count);
}

void PoolLoops::buildAvgPool(Value input, Value output) const {
  forEachOutput(
      /*areIndependent=*/true,
      [&](Value row, Value column, SpanPlace rowPlace, SpanPlace columnPlace) {
        LongSum cells(b);
        Value sum = cells.getSum(reduceRows(
            rowPlace, columnPlace, cells.getInitial(),
            [&](Value i, Value begin, Value end, ValueRange state) {
              return cells.add(state, begin, end, columns.size,
                               [&](Value j, Value partial) {
                                 return b.add(partial, load(input, i, j));
                               });
            }));
        store(b.div(sum, getCellCount(rowPlace, columnPlace)), output, row,
              column);
      });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

void PoolLoops::buildMaxPoolGrad(Value grad, Value input, Value result) const {
  fillWithZero(result);
  forEachOutput(isDisjoint(), [&](Value row, Value column, SpanPlace rowPlace,
                                  SpanPlace columnPlace) {
    Value firstRow = rowPlace.inside ? rowPlace.start : rowPlace.begin;
    Value firstColumn =
        columnPlace.inside ? columnPlace.start : columnPlace.begin;
    // The first cell is the maximum until another one is found.
    SmallVector<Value> found = reduceCells(
        rowPlace, columnPlace,
        {load(input, firstRow, firstColumn), firstRow, firstColumn},
        [&](Value i, Value j, ValueRange carried) -> SmallVector<Value> {
          Value x = load(input, i, j);
          Value isNew = isNewMaximum(x, carried[0]);
          return {b.select(isNew, x, carried[0]),
                  b.select(isNew, i, carried[1]),
                  b.select(isNew, j, carried[2])};
        });
    Value sum =
        b.add(load(result, found[1], found[2]), load(grad, row, column));
    store(sum, result, found[1], found[2]);
  });
}

void PoolLoops::buildAvgPoolGrad(Value grad, Value result) const {
  if (!rows.isPartition() || !columns.isPartition())
    fillWithZero(result);
  forEachOutput(isDisjoint(), [&](Value row, Value column, SpanPlace rowPlace,
                                  SpanPlace columnPlace) {
    Value share =
        b.div(load(grad, row, column), getCellCount(rowPlace, columnPlace));
    reduceCells(rowPlace, columnPlace, {},
                [&](Value i, Value j, ValueRange) -> SmallVector<Value> {
                  Value value = share;
                  if (!isDisjoint())
                    value = b.add(load(result, i, j), share);
                  store(value, result, i, j);
                  return {};
                });
  });
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

// Each on vectors or in loops, of planes or with the channels last.
template <typename Planes>
static void build(MaxPool2DOp, const Planes &planes, ValueRange operands,
                  ValueRange results) {
  planes.buildMaxPool(operands[0], results[0]);
}
template <typename Planes>
static void build(AvgPool2DOp, const Planes &planes, ValueRange operands,
                  ValueRange results) {
  planes.buildAvgPool(operands[0], results[0]);
}
template <typename Planes>
static void build(MaxPool2DGradOp, const Planes &planes, ValueRange operands,
                  ValueRange results) {
  planes.buildMaxPoolGrad(operands[0], operands[1], results[0]);
}
template <typename Planes>
static void build(AvgPool2DGradOp, const Planes &planes, ValueRange operands,
                  ValueRange results) {
  planes.buildAvgPoolGrad(operands[0], results[0]);
}
static void build(MaxPool2DArgmaxOp op, const PoolChannels &channels,
                  ValueRange operands, ValueRange results) {
  channels.buildMaxPoolArgmax(operands[0], op.getPositive(), results[0],
                              results[1]);
}
static void build(MaxPool2DArgmaxGradOp, const PoolChannels &channels,
                  ValueRange operands, ValueRange results) {
  channels.buildMaxPoolArgmaxGrad(operands[0], operands[1], results[0]);
}

template <typename Op>
static constexpr bool isGradient =
    llvm::is_one_of<Op, MaxPool2DGradOp, MaxPool2DArgmaxGradOp,
                    AvgPool2DGradOp>::value;

/// Whether an op has an argmax. `job-save-argmax` makes such ops on a CPU for
/// NHWC images only, so that they have no other kernels than those on channels.
template <typename Op>
static constexpr bool hasArgmax =
    llvm::is_one_of<Op, MaxPool2DArgmaxOp, MaxPool2DArgmaxGradOp>::value;

namespace {
/// A pooling on vectors of channels: of images with the channels last, and
/// where an item is not a plane, of planes as images of one channel.
struct ChannelsShape {
  int64_t images, channels;
  PoolChannelsCut cut;

  template <typename Op>
  static std::optional<ChannelsShape> get(Op op, const PoolShape &shape,
                                          const TargetCosts &costs) {
    bool isLast = op.getLayout() == ImageLayout::NHWC;
    const ImageDims<int64_t> &input = shape.input;
    int64_t channels = isLast ? input.c : 1;
    PoolChannelsCut cut(getPlace<Op>(shape, costs), shape.rows, shape.columns,
                        channels, costs);
    if (!isLast && !cut.isVectorItem && !hasArgmax<Op>)
      return std::nullopt;
    return ChannelsShape{isLast ? input.n : input.n * input.c, channels, cut};
  }

private:
  template <typename Op>
  static PoolChannelsCut::Place getPlace(const PoolShape &shape,
                                         const TargetCosts &costs) {
    if constexpr (llvm::is_one_of<Op, MaxPool2DGradOp,
                                  MaxPool2DArgmaxGradOp>::value)
      return PoolChannelsCut::getMaxGradPlace(shape.rows, shape.columns, costs);
    return isGradient<Op> ? PoolChannelsCut::Place::Input
                          : PoolChannelsCut::Place::Output;
  }
};

template <typename Op>
struct PoolModel : LoopKernelOpInterface::ExternalModel<PoolModel<Op>, Op> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    auto pool = cast<Op>(op);
    PoolShape shape(pool);
    if (auto channels = ChannelsShape::get(pool, shape, costs))
      return channels->images * channels->cut.getNumItems();
    return shape.input.n * shape.input.c;
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    PoolShape shape(cast<Op>(op));
    const ImageDims<int64_t> &input = shape.input, &output = shape.output;
    int64_t cells = getOperationCount({output.n, output.c, output.h, output.w,
                                       shape.rows.size, shape.columns.size});
    int64_t items = getNumItems(op, costs);
    return addOperationCounts(cells / items,
                              input.n * input.c * input.h * input.w / items);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const {
    auto pool = cast<Op>(op);
    PoolShape shape(pool);
    const PoolSpan &rows = shape.rows, &columns = shape.columns;
    Location loc = op->getLoc();
    Type element = getInputType(pool).getElementType();
    if (auto channels = ChannelsShape::get(pool, shape, costs))
      return build(pool,
                   PoolChannels(builder, loc, element, rows, columns, item,
                                channels->channels, channels->cut),
                   operands, results);
    if constexpr (!hasArgmax<Op>) {
      if (PoolVectors::areSmall(rows, columns, isGradient<Op>))
        build(pool,
              PoolVectors(builder, loc, element, rows, columns, item,
                          isGradient<Op>),
              operands, results);
      else
        build(pool,
              PoolLoops(builder, loc, element, rows, columns, item,
                        shape.input.c),
              operands, results);
    }
  }
};
} // namespace

template <typename... Ops> static void attach(MLIRContext *context) {
  (Ops::template attachInterface<PoolModel<Ops>>(*context), ...);
}

void job::attachPoolModels(MLIRContext *context) {
  attach<MaxPool2DOp, MaxPool2DArgmaxOp, AvgPool2DOp, MaxPool2DGradOp,
         MaxPool2DArgmaxGradOp, AvgPool2DGradOp>(context);
}
