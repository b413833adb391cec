//===- TileEmitter.cpp - Transposes through shared memory -----------------===//
//
// A block computes tiles of 32 by 32 points of two dimensions: the last one,
// along which results are contiguous, and the one along which transposed
// operands are. First its warps read the rows of those operands into shared
// memory, then they compute the rows of the results and read columns of the
// tile there. So each warp accesses neighbours in memory, both ways. A row of a
// tile has one element more than it needs: the elements of a column are in
// different banks then.
//
//===----------------------------------------------------------------------===//

#include "BlockEmitter.h"

#include "../Common/PointEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::plan;

/// Elements from one row of a tile to the next.
static constexpr int64_t kRowElements = kTileSize + 1;

namespace {
class TileEmitter : public PointEmitter {
public:
  TileEmitter(func::FuncOp func, const KernelNest &nest,
              CUDAScheduleAttr schedule)
      : PointEmitter(func, nest, /*vectorDim=*/std::nullopt, /*numLanes=*/1),
        schedule(schedule), transposed(*schedule.getTranspose()),
        last(nest.getRank() - 1) {}

  void emit();

private:
  /// An operand that is read along `transposed`, and its tile.
  struct Tile {
    KernelAccess access;
    Value memory;
  };

  void allocateTiles();
  void setTile(Value number);
  void emitTile();
  void forEachPoint(unsigned rowDim, unsigned columnDim,
                    function_ref<void(Value row)> emitPoint);
  Value findTransposed(const KernelAccess &access) override;

  Value multiply(Value a, int64_t c) {
    return b.createOrFold<arith::MulIOp>(loc, a, constant(c));
  }
  Value sum(Value a, Value c) {
    return b.createOrFold<arith::AddIOp>(loc, a, c);
  }

  CUDAScheduleAttr schedule;
  const unsigned transposed, last;
  SmallVector<Tile> tiles;
  /// The number of the thread's warp, and of the thread in it.
  Value warp, lane;
  /// The first indices of the tile along both dimensions.
  Value firstTransposed, firstLast;
  /// Where the element of the current point is in each tile.
  Value place;
};
} // namespace

void TileEmitter::allocateTiles() {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  for (const KernelPass &pass : nest.passes)
    for (const KernelInput &input : pass.inputs) {
      auto isKnown = [&](const Tile &tile) {
        return tile.access == input.access;
      };
      if (!isTransposed(input, nest, transposed) ||
          llvm::any_of(tiles, isKnown))
        continue;
      Type element = cast<MemRefType>(buffers[input.access.argument].getType())
                         .getElementType();
      auto type = MemRefType::get({kTileSize * kRowElements}, element,
                                  MemRefLayoutAttrInterface(), space);
      tiles.push_back(
          {input.access,
           memref::AllocaOp::create(b, loc, type, b.getI64IntegerAttr(16))});
    }
}

/// Sets the indices of the other dimensions, and the first ones of the tile.
void TileEmitter::setTile(Value number) {
  for (unsigned dim = nest.getRank(); dim-- > 0;) {
    int64_t count = countTilesAlong(nest, dim, transposed);
    Value at = number;
    if (dim > 0) {
      at = b.createOrFold<arith::RemUIOp>(loc, number, constant(count));
      number = b.createOrFold<arith::DivUIOp>(loc, number, constant(count));
    }
    if (dim == transposed)
      firstTransposed = multiply(at, kTileSize);
    else if (dim == last)
      firstLast = multiply(at, kTileSize);
    else
      index[dim] = at;
  }
}

/// Goes over the tile with the lanes of a warp along `columnDim`, at the points
/// of the kernel only.
void TileEmitter::forEachPoint(unsigned rowDim, unsigned columnDim,
                               function_ref<void(Value row)> emitPoint) {
  auto getFirst = [&](unsigned dim) {
    return dim == last ? firstLast : firstTransposed;
  };
  Value column = sum(getFirst(columnDim), lane);
  auto loop = scf::ForOp::create(b, loc, warp, constant(kTileSize),
                                 constant(schedule.getThreads() / kWarpSize));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = sum(getFirst(rowDim), loop.getInductionVar());
  Value isPoint;
  for (auto [at, dim] : {std::pair(column, columnDim), {row, rowDim}}) {
    index[dim] = at;
    if (nest.extents[dim] % kTileSize == 0)
      continue;
    Value isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           at, constant(nest.extents[dim]));
    isPoint = isPoint
                  ? arith::AndIOp::create(b, loc, isPoint, isInside).getResult()
                  : isInside;
  }
  if (isPoint) {
    auto branch = scf::IfOp::create(b, loc, isPoint, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  emitPoint(loop.getInductionVar());
}

void TileEmitter::emitTile() {
  forEachPoint(last, transposed, [&](Value row) {
    Value at = sum(multiply(row, kRowElements), lane);
    for (const Tile &tile : tiles) {
      Value element =
          memref::LoadOp::create(b, loc, buffers[tile.access.argument],
                                 buildIndex(tile.access, Lanes(), /*group=*/0));
      memref::StoreOp::create(b, loc, element, tile.memory, at);
    }
  });
  gpu::BarrierOp::create(b, loc);
  forEachPoint(transposed, last, [&](Value row) {
    place = sum(multiply(lane, kRowElements), row);
    items.clear();
    for (const KernelPass &pass : nest.passes)
      emitPoints(pass, Lanes(), /*groups=*/0, {});
    place = {};
  });
}

Value TileEmitter::findTransposed(const KernelAccess &access) {
  for (const Tile &tile : tiles)
    if (tile.access == access)
      return memref::LoadOp::create(b, loc, tile.memory, place);
  return {};
}

void TileEmitter::emit() {
  allocateTiles();
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  warp = arith::DivUIOp::create(b, loc, thread, constant(kWarpSize));
  lane = arith::RemUIOp::create(b, loc, thread, constant(kWarpSize));
  Value block = entry.getArguments().back();
  int64_t count = countTiles(nest, transposed);
  if (schedule.getBlocks() >= count) {
    setTile(block);
    emitTile();
    return;
  }
  auto loop = scf::ForOp::create(b, loc, block, constant(count),
                                 constant(schedule.getBlocks()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  setTile(loop.getInductionVar());
  emitTile();
  // What others still read of the tile.
  gpu::BarrierOp::create(b, loc);
}

void plan::emitTiles(func::FuncOp func, const KernelNest &nest,
                     CUDAScheduleAttr schedule) {
  TileEmitter(func, nest, schedule).emit();
}
