//===- Index.cpp - Kernels of gathering and scattering --------------------===//
//
// Of gathering and scattering, all blobs are seen with few dimensions: [batch,
// outer, extent, inner] the one that has the dimension, [batch, outer, count,
// inner] the one that has the indices' dimensions instead, [batch, count] the
// indices.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::job;

/// About so many elements make one item: enough that its own cost vanishes.
static constexpr int64_t kItemElements = 4096;
/// A scatter is cut into pieces of at least this many operations, and into so
/// many pieces at most.
static constexpr int64_t kMinPieceWork = 16384;
static constexpr int64_t kMaxPieces = 64;
/// Pieces of a row are multiples of this: four cache lines of f32.
static constexpr int64_t kColumnMultiple = 64;

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
  static IndexSpace get(ScatterAddOp op) {
    return get(op.getResult().getType(), op.getIndices().getType(),
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

/// An item is a run of indices of one slice: short rows would make items of one
/// index too small.
struct GatherModel
    : LoopKernelOpInterface::ExternalModel<GatherModel, GatherOp> {
  static int64_t getRunLength(const IndexSpace &space) {
    return std::clamp<int64_t>(kItemElements / space.inner, 1, space.count);
  }

  int64_t getNumItems(Operation *op) const {
    IndexSpace space = IndexSpace::get(cast<GatherOp>(op));
    return space.batch * space.outer *
           llvm::divideCeil(space.count, getRunLength(space));
  }
  int64_t getItemCost(Operation *op) const {
    IndexSpace space = IndexSpace::get(cast<GatherOp>(op));
    return getRunLength(space) * (space.inner + 4);
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const;
};

} // namespace

void GatherModel::buildItem(Operation *op, OpBuilder &builder, Value item,
                            ValueRange operands, ValueRange results) const {
  auto gather = cast<GatherOp>(op);
  IndexSpace space = IndexSpace::get(gather);
  int64_t run = getRunLength(space);
  KernelBuilder b(builder, op->getLoc());
  Value from = b.reshape(operands[0],
                         {space.batch, space.outer, space.extent, space.inner});
  Value indices = b.reshape(operands[1], {space.batch, space.count});
  Value to = b.reshape(results[0],
                       {space.batch, space.outer, space.count, space.inner});
  SmallVector<Value> at = b.delinearize(
      item, {space.batch, space.outer,
             static_cast<int64_t>(llvm::divideCeil(space.count, run))});
  Value batch = at[0], outer = at[1];
  Type element = getBodyType(gather.getType().getElementType());
  TypedAttr outside = builder.getZeroAttr(element);
  if (isa<FloatType>(element))
    outside =
        builder.getFloatAttr(element, std::numeric_limits<double>::quiet_NaN());
  Value missing = b.make<arith::ConstantOp>(outside);

  auto [begin, end] = getPiece(b, at[2], run, space.count);
  b.forEach(begin, end, [&](Value place) {
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
    auto forEachColumn = [&](function_ref<Value(Value)> getValue) {
      b.forEach(space.inner, [&](Value column) {
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
// ScatterAdd
//===----------------------------------------------------------------------===//

namespace {

/// An item owns a rectangle of one slice of the result, rows of the scattered
/// dimension by columns of the inner ones: it fills it with zeros, walks
/// through all indices in order, and adds what falls into it. No two items
/// write to the same place, and the order of the terms is that of the indices.
struct ScatterCut {
  int64_t rows, columns;           ///< of a rectangle
  int64_t rowPieces, columnPieces; ///< in a slice

  explicit ScatterCut(const IndexSpace &space);

  /// The operations to find the indices of a piece.
  int64_t getSearchCost(const IndexSpace &space) const {
    return rowPieces == 1 ? space.count
                          : llvm::divideCeil(space.count, plan::kDefaultLanes);
  }
};

struct ScatterAddModel
    : LoopKernelOpInterface::ExternalModel<ScatterAddModel, ScatterAddOp> {
  int64_t getNumItems(Operation *op) const {
    IndexSpace space = IndexSpace::get(cast<ScatterAddOp>(op));
    ScatterCut cut(space);
    return space.batch * space.outer * cut.rowPieces * cut.columnPieces;
  }
  int64_t getItemCost(Operation *op) const {
    IndexSpace space = IndexSpace::get(cast<ScatterAddOp>(op));
    ScatterCut cut(space);
    // What falls into the rectangle when the indices are spread evenly.
    int64_t updates = llvm::divideCeil(space.count, cut.rowPieces);
    return cut.getSearchCost(space) + (updates + cut.rows) * cut.columns;
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const;
};

} // namespace

/// Long slices are cut so that all threads have work. With more updates than
/// rows, columns are cut first, which does not depend on how the indices are
/// spread; else rows, whose zeros are one run of memory. Every piece compares
/// all indices, a vector at once, so it must be large enough to do many times
/// as much other work.
ScatterCut::ScatterCut(const IndexSpace &space) {
  int64_t slices = space.batch * space.outer;
  double work = static_cast<double>(space.extent + space.count) * space.inner;
  int64_t pieces = std::clamp<int64_t>(
      std::min<double>(work * slices / kMinPieceWork, kMaxPieces), 1,
      kMaxPieces);
  pieces = llvm::divideCeil(pieces, slices);

  columns = space.inner;
  if (space.count > space.extent) {
    int64_t most = llvm::divideCeil(space.inner, kColumnMultiple);
    columns = std::min<int64_t>(
        space.inner,
        llvm::alignTo(llvm::divideCeil(space.inner, std::min(pieces, most)),
                      kColumnMultiple));
  }
  columnPieces = llvm::divideCeil(space.inner, columns);

  double workOfRow =
      columns * (1 + static_cast<double>(space.count) / space.extent);
  int64_t fewest = std::clamp<int64_t>(
      static_cast<int64_t>(space.count / workOfRow), 1, space.extent);
  int64_t most = std::max<int64_t>(space.extent / fewest, 1);
  rows = llvm::divideCeil(
      space.extent,
      std::min<int64_t>(llvm::divideCeil(pieces, columnPieces), most));
  rowPieces = llvm::divideCeil(space.extent, rows);
}

/// Calls `body` with the places of the indices in [begin, end), in order, and
/// with these indices. Most indices are not: a vector of them is compared at
/// once, and only what is found is branched on.
static void forEachIndexBetween(const KernelBuilder &b, Value indices,
                                Value batch, const IndexSpace &space,
                                Value begin, Value end,
                                function_ref<void(Value, Value)> body) {
  OpBuilder &builder = b.getBuilder();
  auto vector =
      VectorType::get(plan::kDefaultLanes,
                      cast<MemRefType>(indices.getType()).getElementType());
  KernelBuilder lanes = b.withType(vector.clone(builder.getF32Type()));
  // A type that holds all rows and all indices.
  bool isLong = vector.getElementTypeBitWidth() > 32 ||
                space.extent > std::numeric_limits<int32_t>::max();
  Type type = builder.getIntegerType(isLong ? 64 : 32);
  auto toLanes = [&](Value value) {
    return lanes.splat(b.make<arith::IndexCastOp>(type, value));
  };
  Value first = toLanes(begin), height = toLanes(b.sub(end, begin));
  lanes.forEachVector(
      space.count, {}, [&](Value place, Value mask, ValueRange) {
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
        Value count = b.make<arith::IndexCastUIOp>(builder.getIndexType(),
                                                   b.make<math::CtPopOp>(bits));
        b.reduce(b.index(0), count, 1, bits,
                 [&](Value, ValueRange carried) -> SmallVector<Value> {
                   Value left = carried.front();
                   Value lane = b.make<arith::IndexCastUIOp>(
                       builder.getIndexType(),
                       b.make<math::CountTrailingZerosOp>(left));
                   Value here = b.add(place, lane);
                   body(here, loadIndex(b, indices, batch, here));
                   Value one = b.intConstant(bitsType, 1);
                   return {b.andI(left, b.sub(left, one))};
                 });
        return SmallVector<Value>();
      });
}

void ScatterAddModel::buildItem(Operation *op, OpBuilder &builder, Value item,
                                ValueRange operands, ValueRange results) const {
  auto scatter = cast<ScatterAddOp>(op);
  IndexSpace space = IndexSpace::get(scatter);
  ScatterCut cut(space);
  KernelBuilder b(builder, op->getLoc());
  Value updates = b.reshape(
      operands[0], {space.batch, space.outer, space.count, space.inner});
  Value indices = b.reshape(operands[1], {space.batch, space.count});
  Value result = b.reshape(
      results[0], {space.batch, space.outer, space.extent, space.inner});
  SmallVector<Value> at = b.delinearize(
      item, {space.batch, space.outer, cut.columnPieces, cut.rowPieces});
  Value batch = at[0], outer = at[1];
  auto [firstColumn, endColumn] = getPiece(b, at[2], cut.columns, space.inner);
  auto [firstRow, endRow] = getPiece(b, at[3], cut.rows, space.extent);

  Type element = scatter.getType().getElementType();
  Value zero = b.make<arith::ConstantOp>(builder.getZeroAttr(element));
  if (cut.columnPieces == 1) {
    Value slices = b.reshape(
        results[0], {space.batch, space.outer, space.extent * space.inner});
    b.forEach(b.mul(firstRow, space.inner), b.mul(endRow, space.inner),
              [&](Value i) { b.store(zero, slices, {batch, outer, i}); });
  } else {
    b.forEach(firstRow, endRow, [&](Value row) {
      b.forEach(firstColumn, endColumn, [&](Value column) {
        b.store(zero, result, {batch, outer, row, column});
      });
    });
  }

  auto addRow = [&](Value place, Value row) {
    b.forEach(firstColumn, endColumn, [&](Value column) {
      Value update = b.load(updates, {batch, outer, place, column});
      Value sum = b.load(result, {batch, outer, row, column});
      b.store(b.add(sum, update), result, {batch, outer, row, column});
    });
  };
  if (cut.rowPieces == 1) {
    b.loop(space.count, [&](Value place) {
      Value row = loadIndex(b, indices, batch, place);
      b.branch(b.isBelow(row, space.extent), [&] { addRow(place, row); });
    });
    return;
  }
  forEachIndexBetween(b, indices, batch, space, firstRow, endRow, addRow);
}

//===----------------------------------------------------------------------===//
// CountNonzero, ArgwhereBlocks
//===----------------------------------------------------------------------===//

namespace {

/// An item is a block of elements.
struct CountNonzeroModel
    : LoopKernelOpInterface::ExternalModel<CountNonzeroModel, CountNonzeroOp> {
  int64_t getNumItems(Operation *op) const {
    return cast<CountNonzeroOp>(op).getType().getNumElements();
  }
  int64_t getItemCost(Operation *op) const {
    auto count = cast<CountNonzeroOp>(op);
    return std::min<int64_t>(count.getBlockSize(),
                             count.getOperand().getType().getNumElements());
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const;
};

/// An item is a block of elements. It writes the rows that belong to it, which
/// begin where those of the blocks before end, and zeros into rows from the
/// count on: those with the numbers of its elements.
struct ArgwhereBlocksModel
    : LoopKernelOpInterface::ExternalModel<ArgwhereBlocksModel,
                                           ArgwhereBlocksOp> {
  int64_t getNumItems(Operation *op) const {
    return cast<ArgwhereBlocksOp>(op).getCounts().getType().getNumElements();
  }
  int64_t getItemCost(Operation *op) const {
    auto argwhere = cast<ArgwhereBlocksOp>(op);
    BlobType type = argwhere.getOperand().getType();
    return std::min<int64_t>(argwhere.getBlockSize(), type.getNumElements()) *
           (1 + type.getRank());
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const;
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

void CountNonzeroModel::buildItem(Operation *op, OpBuilder &builder, Value item,
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
                                    Value item, ValueRange operands,
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
// PadToStatic
//===----------------------------------------------------------------------===//

namespace {
struct PadToStaticModel
    : ScalarKernelOpInterface::ExternalModel<PadToStaticModel, PadToStaticOp> {
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange operands,
                    const ElementIndices &indices) const {
    auto pad = cast<PadToStaticOp>(op);
    KernelBuilder b(builder, op->getLoc());
    Value isThere =
        b.compare(arith::CmpIPredicate::slt, indices.dim(0), operands[1]);
    return b.select(isThere, operands[0],
                    b.intConstant(operands[0].getType(), pad.getValue()));
  }
  // A comparison and a selection; the bounded blob is in memory anyway.
  Repetition getRepetition(Operation *) const { return Repetition::AtUse; }
};
} // namespace

void job::attachIndexModels(MLIRContext *context) {
  GatherOp::attachInterface<GatherModel>(*context);
  ScatterAddOp::attachInterface<ScatterAddModel>(*context);
  CountNonzeroOp::attachInterface<CountNonzeroModel>(*context);
  ArgwhereBlocksOp::attachInterface<ArgwhereBlocksModel>(*context);
  PadToStaticOp::attachInterface<PadToStaticModel>(*context);
}
