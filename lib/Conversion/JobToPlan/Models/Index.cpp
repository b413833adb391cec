//===- Index.cpp - Kernels of gathering and scattering --------------------===//
//
// Of gathering and scattering, all blobs are seen with few dimensions: [batch,
// outer, extent, inner] the one that has the dimension, [batch, outer, count,
// inner] the one that has the indices' dimensions instead, [batch, count] the
// indices.
//
//===----------------------------------------------------------------------===//

#include "LongSum.h"
#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "llvm/Support/MathExtras.h"

#include <climits>
#include <limits>

using namespace mlir;
using namespace mlir::job;

/// It is worth a piece to group as many indices as so many items have elements.
static constexpr int64_t kMinGroupItems = 4;
/// Rows that are read in any order are prefetched this far ahead, where all of
/// them are more than a core's own caches may hold. A part of a row that is
/// short is not worth the instructions; in one that is long, hardware
/// prefetchers detect sequential access.
static constexpr int64_t kPrefetchBytes = 8192;
static constexpr int64_t kMinPrefetchTableBytes = 256 * 1024;
static constexpr int64_t kMinPrefetchRowBytes = 64, kMaxPrefetchRowBytes = 4096;
static constexpr int64_t kCacheLineBytes = 64;

namespace {

/// The extents of the dimensions described above.
struct IndexSpace {
  int64_t batch, outer, extent, count, inner;

  static IndexSpace get(BlobType type, BlobType indices, int64_t axis,
                        int64_t batchDims) {
    ArrayRef<int64_t> shape = type.getShape();
    return {llvm::product_of(shape.take_front(batchDims)),
            llvm::product_of(shape.slice(batchDims, axis - batchDims)),
            shape[axis],
            llvm::product_of(indices.getShape().drop_front(batchDims)),
            llvm::product_of(shape.drop_front(axis + 1))};
  }
  static IndexSpace get(GatherOp op) {
    return get(op.getOperand().getType(), op.getIndices().getType(),
               op.getAxis(), op.getBatchDims());
  }
};

/// One element of the index blob as an index; not in [0, extent) when it is
/// negative.
Value loadIndex(const KernelBuilder &b, Value indices, Value batch,
                Value place) {
  return b.make<arith::IndexCastOp>(b.getBuilder().getIndexType(),
                                    b.load(indices, {batch, place}));
}

/// Prefetches, of one of the next rows of a table, the `columns` elements from
/// `column` on: the row that `indices` names some places after `place`. The
/// table is [batch, outer, extent, inner]; `offset` is where its indices begin
/// among those of a batch.
void prefetchRow(const KernelBuilder &b, Value table, ValueRange slice,
                 Value indices, Value place, int64_t offset, Value column,
                 int64_t columns) {
  auto type = cast<MemRefType>(table.getType());
  int64_t elementBytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), CHAR_BIT);
  int64_t extent = type.getDimSize(2), inner = type.getDimSize(3);
  int64_t rowBytes = columns * elementBytes;
  if (extent * inner * elementBytes < kMinPrefetchTableBytes ||
      rowBytes < kMinPrefetchRowBytes || rowBytes > kMaxPrefetchRowBytes)
    return;
  int64_t ahead = kPrefetchBytes / llvm::alignTo(rowBytes, kCacheLineBytes);
  int64_t last = cast<MemRefType>(indices.getType()).getDimSize(1) - 1;
  Value index = loadIndex(b, indices, slice[0],
                          b.min(b.add(place, offset + ahead), last));
  Value row = b.select(b.isBelow(index, extent), index, b.index(0));
  for (int64_t i = 0; i < columns; i += kCacheLineBytes / elementBytes)
    b.prefetch(table,
               {slice[0], slice[1], row, b.min(b.add(column, i), inner - 1)});
}

/// The `i`-th of the pieces of `size` elements that `extent` is cut into:
/// [begin, end).
std::pair<Value, Value> getPiece(const KernelBuilder &b, Value i, int64_t size,
                                 int64_t extent) {
  if (size >= extent)
    return {b.index(0), b.index(extent)};
  Value begin = b.mul(i, size), end = b.add(begin, size);
  return {begin, extent % size ? b.min(end, extent) : end};
}

} // namespace

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

namespace {

/// An item is a rectangle of one slice of the result: a run of indices, as
/// short rows would make items of one index too small, or a piece of a long
/// row. Neighbours are beside each other in a row.
struct GatherCut {
  IndexSpace space;
  int64_t run, columns;            ///< of a rectangle
  int64_t runPieces, columnPieces; ///< in a slice

  GatherCut(GatherOp op, const TargetCosts &costs)
      : space(IndexSpace::get(op)),
        run(std::clamp<int64_t>(costs.itemElements / space.inner, 1,
                                space.count)),
        columns(std::min(space.inner, costs.itemElements)),
        runPieces(llvm::divideCeil(space.count, run)),
        columnPieces(llvm::divideCeil(space.inner, columns)) {}
};

struct GatherModel
    : LoopKernelOpInterface::ExternalModel<GatherModel, GatherOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    GatherCut cut(cast<GatherOp>(op), costs);
    return cut.space.batch * cut.space.outer * cut.runPieces * cut.columnPieces;
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    GatherCut cut(cast<GatherOp>(op), costs);
    return cut.run * (cut.columns + 4);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

} // namespace

void GatherModel::buildItem(Operation *op, OpBuilder &builder,
                            const TargetCosts &costs, Value item,
                            ValueRange operands, ValueRange results) const {
  auto gather = cast<GatherOp>(op);
  GatherCut cut(gather, costs);
  const IndexSpace &space = cut.space;
  KernelBuilder b(builder, op->getLoc());
  Value from = b.reshape(operands[0],
                         {space.batch, space.outer, space.extent, space.inner});
  Value indices = b.reshape(operands[1], {space.batch, space.count});
  Value to = b.reshape(results[0],
                       {space.batch, space.outer, space.count, space.inner});
  SmallVector<Value> at = b.delinearize(
      item, {space.batch, space.outer, cut.runPieces, cut.columnPieces});
  Value batch = at[0], outer = at[1];
  Type element = getBodyType(gather.getType().getElementType());
  TypedAttr outside = builder.getZeroAttr(element);
  if (isa<FloatType>(element))
    outside =
        builder.getFloatAttr(element, std::numeric_limits<double>::quiet_NaN());
  Value missing = b.make<arith::ConstantOp>(outside);

  auto [begin, end] = getPiece(b, at[2], cut.run, space.count);
  auto [firstColumn, endColumn] = getPiece(b, at[3], cut.columns, space.inner);
  b.forEach(begin, end,
            [&, firstColumn = firstColumn, endColumn = endColumn](Value place) {
              Value index = loadIndex(b, indices, batch, place);
              Value isInside = b.isBelow(index, space.extent);
              if (space.inner == 1) {
                // Without a branch, so that it can be vectorised.
                Value safe = b.select(isInside, index, b.index(0));
                Value value = b.load(from, {batch, outer, safe, b.index(0)});
                b.store(b.select(isInside, value, missing), to,
                        {batch, outer, place, b.index(0)});
                return;
              }
              prefetchRow(b, from, {batch, outer}, indices, place, /*offset=*/0,
                          firstColumn, cut.columns);
              auto forEachColumn = [&](function_ref<Value(Value)> getValue) {
                b.forEach(firstColumn, endColumn, [&](Value column) {
                  b.store(getValue(column), to, {batch, outer, place, column});
                });
              };
              b.branch(
                  isInside,
                  [&] {
                    forEachColumn([&](Value column) {
                      return b.load(from, {batch, outer, index, column});
                    });
                  },
                  [&] { forEachColumn([&](Value) { return missing; }); });
            });
}

//===----------------------------------------------------------------------===//
// GroupIndices
//===----------------------------------------------------------------------===//

namespace {

/// A counting sort. An item owns a range of the indices' values of one batch:
/// it walks through all indices, and what it finds follows the places of all
/// lower indices.
struct GroupCut {
  int64_t batch, count, extent;
  int64_t rows, pieces; ///< of a batch

  GroupCut(GroupIndicesOp op, const TargetCosts &costs);

  /// The operations to find the indices of a piece, once.
  int64_t getSearchCost() const {
    return pieces == 1 ? count : llvm::divideCeil(count, plan::kDefaultLanes);
  }
};

struct GroupIndicesModel
    : LoopKernelOpInterface::ExternalModel<GroupIndicesModel, GroupIndicesOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    GroupCut cut(cast<GroupIndicesOp>(op), costs);
    return cut.batch * cut.pieces;
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    GroupCut cut(cast<GroupIndicesOp>(op), costs);
    return 3 * cut.getSearchCost() +
           4 * (llvm::divideCeil(cut.count, cut.pieces) + cut.rows);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

} // namespace

GroupCut::GroupCut(GroupIndicesOp op, const TargetCosts &costs) {
  ArrayRef<int64_t> shape = op.getIndices().getType().getShape();
  batch = llvm::product_of(shape.drop_back());
  count = shape.back();
  extent = op.getExtent();
  int64_t most =
      std::min({extent, costs.groupPieces,
                (count + extent) / (kMinGroupItems * costs.itemElements) + 1});
  rows = llvm::divideCeil(extent, most);
  pieces = llvm::divideCeil(extent, rows);
}

namespace {

/// Finds indices in a range. Most are not in it: a vector of them is compared
/// at once, and only what is found is branched on.
struct IndexSearch {
  const KernelBuilder &b;
  Value indices, batch;
  int64_t count, extent;
  VectorType vector;

  IndexSearch(const KernelBuilder &b, Value indices, Value batch, int64_t count,
              int64_t extent)
      : b(b), indices(indices), batch(batch), count(count), extent(extent),
        vector(VectorType::get(
            plan::kDefaultLanes,
            cast<MemRefType>(indices.getType()).getElementType())) {}

  /// Folds `body` over the vectors of indices: the first place of each, and a
  /// bit for each of its indices that is in [begin, end).
  SmallVector<Value> forEachVector(
      Value begin, Value end, ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const;
  /// The number of indices in [begin, end).
  Value countBetween(Value begin, Value end) const;
  /// Calls `body` with the places of the indices in [begin, end), in order, and
  /// with these indices.
  void forEachBetween(Value begin, Value end,
                      function_ref<void(Value, Value)> body) const;

private:
  Value countBits(Value bits) const {
    return b.make<arith::IndexCastUIOp>(b.getBuilder().getIndexType(),
                                        b.make<math::CtPopOp>(bits));
  }
};

} // namespace

SmallVector<Value> IndexSearch::forEachVector(
    Value begin, Value end, ValueRange initial,
    function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const {
  OpBuilder &builder = b.getBuilder();
  VectorType vector = this->vector;
  KernelBuilder lanes = b.withType(vector.clone(builder.getF32Type()));
  // A type that holds all values and all indices.
  bool isLong = vector.getElementTypeBitWidth() > 32 ||
                extent > std::numeric_limits<int32_t>::max();
  Type type = builder.getIntegerType(isLong ? 64 : 32);
  auto toLanes = [&](Value value) {
    return lanes.splat(b.make<arith::IndexCastOp>(type, value));
  };
  Value first = toLanes(begin), height = toLanes(b.sub(end, begin));
  return lanes.forEachVector(
      count, initial, [&](Value place, Value mask, ValueRange carried) {
        SmallVector<Value> at = {batch, place};
        Value found =
            mask ? b.make<vector::MaskedLoadOp>(vector, indices, at, mask,
                                                b.intConstant(vector, 0))
                 : b.make<vector::LoadOp>(vector, indices, at);
        if (type != vector.getElementType())
          found = b.make<arith::ExtSIOp>(vector.clone(type), found);
        // Unsigned: one that is too small is too large.
        Value isHere =
            b.compare(arith::CmpIPredicate::ult, b.sub(found, first), height);
        if (mask)
          isHere = b.andI(isHere, mask);
        Type bitsType = builder.getIntegerType(plan::kDefaultLanes);
        Value bits = b.make<vector::ExtractOp>(
            b.make<vector::BitCastOp>(VectorType::get(1, bitsType), isHere),
            ArrayRef<int64_t>(0));
        return body(place, bits, carried);
      });
}

Value IndexSearch::countBetween(Value begin, Value end) const {
  return forEachVector(
      begin, end, b.index(0), [&](Value, Value bits, ValueRange sum) {
        return SmallVector<Value>{b.add(sum[0], countBits(bits))};
      })[0];
}

void IndexSearch::forEachBetween(Value begin, Value end,
                                 function_ref<void(Value, Value)> body) const {
  forEachVector(begin, end, {}, [&](Value place, Value bits, ValueRange) {
    b.reduce(b.index(0), countBits(bits), 1, bits,
             [&](Value, ValueRange carried) -> SmallVector<Value> {
               Value left = carried.front();
               Value lane = b.make<arith::IndexCastUIOp>(
                   b.getBuilder().getIndexType(),
                   b.make<math::CountTrailingZerosOp>(left));
               Value here = b.add(place, lane);
               body(here, loadIndex(b, indices, batch, here));
               Value one = b.intConstant(left.getType(), 1);
               return {b.andI(left, b.sub(left, one))};
             });
    return SmallVector<Value>();
  });
}

void GroupIndicesModel::buildItem(Operation *op, OpBuilder &builder,
                                  const TargetCosts &costs, Value item,
                                  ValueRange operands,
                                  ValueRange results) const {
  auto group = cast<GroupIndicesOp>(op);
  GroupCut cut(group, costs);
  KernelBuilder b(builder, op->getLoc());
  Value indices = b.reshape(operands[0], {cut.batch, cut.count});
  Value groups = b.reshape(results[0], {cut.batch, cut.extent + cut.count});
  Type type = group.getType().getElementType();
  SmallVector<Value> at = b.delinearize(item, {cut.batch, cut.pieces});
  Value batch = at[0];
  auto [first, last] = getPiece(b, at[1], cut.rows, cut.extent);
  IndexSearch search(b, indices, batch, cut.count, cut.extent);
  auto forEachIndex = [&, first = first,
                       last = last](function_ref<void(Value, Value)> body) {
    if (cut.pieces > 1)
      return search.forEachBetween(first, last, body);
    b.loop(cut.count, [&](Value place) {
      Value index = loadIndex(b, indices, batch, place);
      b.branch(b.isBelow(index, cut.extent), [&] { body(place, index); });
    });
  };
  Value zero = b.intConstant(type, 0), one = b.intConstant(type, 1);

  // The number of each, then where each begins.
  b.forEach(first, last,
            [&](Value row) { b.store(zero, groups, {batch, row}); });
  forEachIndex([&](Value, Value row) {
    Value number = b.load(groups, {batch, row});
    b.store(b.add(number, one), groups, {batch, row});
  });
  Value before = zero;
  if (cut.pieces > 1)
    before = b.make<arith::IndexCastOp>(type,
                                        search.countBetween(b.index(0), first));
  Value total =
      b.reduce(first, last, 1, before, [&](Value row, ValueRange carried) {
        Value number = b.load(groups, {batch, row});
        b.store(carried[0], groups, {batch, row});
        return SmallVector<Value>{b.add(carried[0], number)};
      })[0];
  // A place moves the beginning of the next one of the same index, at last to
  // the end of all.
  auto toIndex = [&](Value number) {
    return b.make<arith::IndexCastOp>(builder.getIndexType(), number);
  };
  auto storePlace = [&](Value i, Value place) {
    b.store(place, groups, {batch, b.add(i, cut.extent)});
  };
  forEachIndex([&](Value place, Value row) {
    Value next = b.load(groups, {batch, row});
    storePlace(toIndex(next), b.make<arith::IndexCastOp>(type, place));
    b.store(b.add(next, one), groups, {batch, row});
  });
  Value isLast = b.compare(arith::CmpIPredicate::eq, last, b.index(cut.extent));
  b.branch(isLast, [&] {
    Value none = b.intConstant(type, -1);
    b.forEach(toIndex(total), b.index(cut.count),
              [&](Value i) { storePlace(i, none); });
  });
}

//===----------------------------------------------------------------------===//
// SumGroups
//===----------------------------------------------------------------------===//

namespace {

/// An item is a rectangle of one slice of the result: some rows of the
/// scattered dimension by some vectors of the inner ones.
struct SumGroupsCut {
  IndexSpace space;
  int64_t lanes, vectors;          ///< of a row
  int64_t rows, columns;           ///< rows and vectors of a rectangle
  int64_t rowPieces, columnPieces; ///< in a slice

  SumGroupsCut(SumGroupsOp op, const TargetCosts &costs);

  /// The elements of the updates and the result for a vector of a row, when the
  /// indices are spread evenly.
  int64_t getVectorCost() const {
    return lanes * (1 + llvm::divideCeil(space.count, space.extent));
  }
};

struct SumGroupsModel
    : LoopKernelOpInterface::ExternalModel<SumGroupsModel, SumGroupsOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    SumGroupsCut cut(cast<SumGroupsOp>(op), costs);
    return cut.space.batch * cut.space.outer * cut.rowPieces * cut.columnPieces;
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    SumGroupsCut cut(cast<SumGroupsOp>(op), costs);
    return cut.rows * cut.columns * cut.getVectorCost();
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

} // namespace

SumGroupsCut::SumGroupsCut(SumGroupsOp op, const TargetCosts &costs) {
  ArrayRef<int64_t> from = op.getUpdates().getType().getShape();
  int64_t axis = op.getAxis(),
          batchDims = op.getGroups().getType().getRank() - 1;
  space = {llvm::product_of(from.take_front(batchDims)),
           llvm::product_of(from.slice(batchDims, axis - batchDims)),
           op.getType().getDimSize(axis), from[axis],
           llvm::product_of(from.drop_front(axis + 1))};
  lanes = std::min<int64_t>(llvm::PowerOf2Ceil(space.inner), costs.itemLanes);
  vectors = llvm::divideCeil(space.inner, lanes);
  columns =
      std::clamp<int64_t>(costs.itemElements / getVectorCost(), 1, vectors);
  rows = std::clamp<int64_t>(costs.itemElements / (columns * getVectorCost()),
                             1, space.extent);
  columnPieces = llvm::divideCeil(vectors, columns);
  rowPieces = llvm::divideCeil(space.extent, rows);
}

void SumGroupsModel::buildItem(Operation *op, OpBuilder &builder,
                               const TargetCosts &costs, Value item,
                               ValueRange operands, ValueRange results) const {
  auto sum = cast<SumGroupsOp>(op);
  SumGroupsCut cut(sum, costs);
  IndexSpace space = cut.space;
  Type element = sum.getType().getElementType();
  auto vector = VectorType::get(cut.lanes, element);
  KernelBuilder b(builder, op->getLoc(), vector);
  Value updates = b.reshape(
      operands[0], {space.batch, space.outer, space.count, space.inner});
  Value groups =
      b.reshape(operands[1], {space.batch, space.extent + space.count});
  Value result = b.reshape(
      results[0], {space.batch, space.outer, space.extent, space.inner});
  // Neighbouring items are beside each other in a row.
  SmallVector<Value> at = b.delinearize(
      item, {space.batch, space.outer, cut.rowPieces, cut.columnPieces});
  Value batch = at[0], outer = at[1];
  auto [firstRow, endRow] = getPiece(b, at[2], cut.rows, space.extent);
  auto [firstColumn, endColumn] =
      getPiece(b, at[3], cut.columns * cut.lanes, cut.vectors * cut.lanes);
  Value zero = b.make<arith::ConstantOp>(builder.getZeroAttr(vector));

  auto getEnd = [&](Value row) {
    return b.min(b.max(loadIndex(b, groups, batch, row), 0), space.count);
  };
  auto sumRow = [&](Value row, Value begin, Value end, Value column) {
    Value mask = b.getMask(column, space.inner);
    auto add = [&](Value i, Value partial) {
      prefetchRow(b, updates, {batch, outer}, groups, i, space.extent, column,
                  std::min(cut.lanes, space.inner));
      Value place = loadIndex(b, groups, batch, b.add(i, space.extent));
      Value isUpdate = b.isBelow(place, space.count);
      SmallVector<Value> from = {batch, outer,
                                 b.select(isUpdate, place, b.index(0)), column};
      Value update =
          mask ? b.make<vector::MaskedLoadOp>(vector, updates, from, mask, zero)
               : b.make<vector::LoadOp>(vector, updates, from);
      return b.add(partial, b.select(isUpdate, update, zero));
    };
    Value total;
    if (isa<FloatType>(element))
      total = buildSum(b, begin, end, space.count, add);
    else
      total = b.reduce(begin, end, 1, zero,
                       [&](Value i, ValueRange carried) -> SmallVector<Value> {
                         return {add(i, carried[0])};
                       })[0];
    SmallVector<Value> to = {batch, outer, row, column};
    if (mask)
      vector::MaskedStoreOp::create(builder, op->getLoc(), result, to, mask,
                                    total);
    else
      vector::StoreOp::create(builder, op->getLoc(), total, result, to);
  };
  Value isFirst = b.compare(arith::CmpIPredicate::eq, firstRow, b.index(0));
  Value above = b.max(b.add(firstRow, -1), 0);
  Value begin = b.select(isFirst, b.index(0), getEnd(above));
  b.reduce(firstRow, endRow, 1, begin,
           [&, firstColumn = firstColumn,
            endColumn = endColumn](Value row, ValueRange carried) {
             Value end = getEnd(row);
             b.loop(firstColumn, endColumn, cut.lanes, [&](Value column) {
               sumRow(row, carried[0], end, column);
             });
             return SmallVector<Value>{end};
           });
}

//===----------------------------------------------------------------------===//
// CountNonzero, ArgwhereBlocks
//===----------------------------------------------------------------------===//

namespace {

/// An item is a block of elements.
struct CountNonzeroModel
    : LoopKernelOpInterface::ExternalModel<CountNonzeroModel, CountNonzeroOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    return cast<CountNonzeroOp>(op).getType().getNumElements();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    auto count = cast<CountNonzeroOp>(op);
    return std::min<int64_t>(count.getBlockSize(),
                             count.getOperand().getType().getNumElements());
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

/// An item is a block of elements. It writes the rows that belong to it, which
/// begin where those of the blocks before end, and zeros into rows from the
/// count on: those with the numbers of its elements.
struct ArgwhereBlocksModel
    : LoopKernelOpInterface::ExternalModel<ArgwhereBlocksModel,
                                           ArgwhereBlocksOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    return cast<ArgwhereBlocksOp>(op).getCounts().getType().getNumElements();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    auto argwhere = cast<ArgwhereBlocksOp>(op);
    BlobType type = argwhere.getOperand().getType();
    return std::min<int64_t>(argwhere.getBlockSize(), type.getNumElements()) *
           (1 + type.getRank());
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

} // namespace

/// Whether a scalar is not zero. NaN is not.
static Value buildIsNonzero(const KernelBuilder &b, Value value) {
  Type type = value.getType();
  if (type.isInteger(1))
    return value;
  Value zero = b.make<arith::ConstantOp>(b.getBuilder().getZeroAttr(type));
  if (isa<FloatType>(type))
    return b.compare(arith::CmpFPredicate::UNE, value, zero);
  return b.compare(arith::CmpIPredicate::ne, value, zero);
}

void CountNonzeroModel::buildItem(Operation *op, OpBuilder &builder,
                                  const TargetCosts &, Value item,
                                  ValueRange operands,
                                  ValueRange results) const {
  auto count = cast<CountNonzeroOp>(op);
  KernelBuilder b(builder, op->getLoc());
  Value from = b.flatten(operands[0]);
  auto [begin, end] = getPiece(b, item, count.getBlockSize(),
                               count.getOperand().getType().getNumElements());
  Type i64 = builder.getI64Type();
  Value zero = b.intConstant(i64, 0);
  Value sum = b.reduce(begin, end, 1, zero, [&](Value i, ValueRange carried) {
    Value isNonzero = buildIsNonzero(b, b.load(from, i));
    return SmallVector<Value>{
        b.add(carried[0], b.make<arith::ExtUIOp>(i64, isNonzero))};
  })[0];
  b.store(sum, results[0], item);
}

void ArgwhereBlocksModel::buildItem(Operation *op, OpBuilder &builder,
                                    const TargetCosts &, Value item,
                                    ValueRange operands,
                                    ValueRange results) const {
  auto argwhere = cast<ArgwhereBlocksOp>(op);
  BlobType type = argwhere.getOperand().getType();
  Type dtype = argwhere.getDtype();
  int64_t size = type.getNumElements();
  int64_t numBlocks = argwhere.getCounts().getType().getNumElements();
  KernelBuilder b(builder, op->getLoc());
  Value from = b.flatten(operands[0]);
  auto getBlock = [&](Value block) {
    return getPiece(b, block, argwhere.getBlockSize(), size);
  };
  // The rows of the blocks before a block.
  auto getFirstRow = [&](Value block) {
    return b.reduce(
        b.index(0), block, 1, b.index(0), [&](Value other, ValueRange carried) {
          auto [begin, end] = getBlock(other);
          Value count = b.make<arith::IndexCastOp>(builder.getIndexType(),
                                                   b.load(operands[1], other));
          count = b.make<arith::MinSIOp>(b.max(count, 0), b.sub(end, begin));
          return SmallVector<Value>{b.add(carried[0], count)};
        })[0];
  };
  Value total = getFirstRow(b.index(numBlocks));
  // A result that no other op uses has no buffer.
  if (Value count = results[1])
    b.branch(b.compare(arith::CmpIPredicate::eq, item, b.index(0)), [&] {
      b.store(b.make<arith::IndexCastOp>(builder.getI64Type(), total), count,
              b.index(0));
    });
  Value indices = results[0];
  if (!indices)
    return;
  auto [begin, end] = getBlock(item);
  Value firstRow = getFirstRow(item);
  Value endRow = getFirstRow(b.add(item, 1));
  Value written =
      b.reduce(begin, end, 1, firstRow, [&](Value i, ValueRange carried) {
        Value row = carried[0];
        Value isWritten =
            b.andI(buildIsNonzero(b, b.load(from, i)),
                   b.compare(arith::CmpIPredicate::slt, row, endRow));
        b.branch(isWritten, [&] {
          for (auto [dim, index] :
               llvm::enumerate(b.delinearize(i, type.getShape())))
            b.store(b.make<arith::IndexCastOp>(dtype, index), indices,
                    {row, b.index(dim)});
        });
        return SmallVector<Value>{
            b.add(row, b.select(isWritten, b.index(1), b.index(0)))};
      })[0];
  Value zero = b.intConstant(dtype, 0);
  auto fill = [&](Value from, Value to) {
    b.forEach(from, to, [&](Value row) {
      for (int64_t dim : llvm::seq<int64_t>(type.getRank()))
        b.store(zero, indices, {row, b.index(dim)});
    });
  };
  fill(written, endRow);
  fill(b.make<arith::MaxSIOp>(begin, total), end);
}

//===----------------------------------------------------------------------===//
// PadToStatic, SliceToDynamic
//===----------------------------------------------------------------------===//

/// `value` in the elements before the count in a dimension, `other` from there
/// on.
static Value buildBeforeCount(const KernelBuilder &b, Value place, Value count,
                              Value value, Value other) {
  Value isThere = b.compare(arith::CmpIPredicate::slt, place, count);
  return b.select(isThere, value, other);
}

namespace {
struct PadToStaticModel
    : ScalarKernelOpInterface::ExternalModel<PadToStaticModel, PadToStaticOp> {
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange operands,
                    const ElementIndices &indices) const {
    auto pad = cast<PadToStaticOp>(op);
    KernelBuilder b(builder, op->getLoc());
    Type type = operands[0].getType();
    Value value;
    if (auto number = dyn_cast<FloatAttr>(pad.getValue()))
      value = b.make<arith::ConstantOp>(
          builder.getFloatAttr(type, number.getValueAsDouble()));
    else
      value = b.intConstant(type, cast<IntegerAttr>(pad.getValue()).getInt());
    int64_t dim = pad.getOperand().getType().getBoundedDim();
    return buildBeforeCount(b, indices.dim(dim), operands[1], operands[0],
                            value);
  }
  // A comparison and a selection; the bounded blob is in memory anyway.
  Duplication getDuplication(Operation *) const { return Duplication::AtUse; }
};

struct SliceToDynamicModel
    : ScalarKernelOpInterface::ExternalModel<SliceToDynamicModel,
                                             SliceToDynamicOp> {
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange operands,
                    const ElementIndices &indices) const {
    KernelBuilder b(builder, op->getLoc());
    Value zero =
        b.make<arith::ConstantOp>(builder.getZeroAttr(operands[0].getType()));
    return buildBeforeCount(b, indices.dim(cast<SliceToDynamicOp>(op).getDim()),
                            operands[1], operands[0], zero);
  }
  Duplication getDuplication(Operation *) const { return Duplication::AtUse; }
};
} // namespace

void job::attachIndexModels(MLIRContext *context) {
  GatherOp::attachInterface<GatherModel>(*context);
  GroupIndicesOp::attachInterface<GroupIndicesModel>(*context);
  SumGroupsOp::attachInterface<SumGroupsModel>(*context);
  CountNonzeroOp::attachInterface<CountNonzeroModel>(*context);
  ArgwhereBlocksOp::attachInterface<ArgwhereBlocksModel>(*context);
  PadToStaticOp::attachInterface<PadToStaticModel>(*context);
  SliceToDynamicOp::attachInterface<SliceToDynamicModel>(*context);
}
