//===- LoopEmitterImpl.h - The emitter of one kernel's loops ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTERIMPL_H
#define JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTERIMPL_H

#include "LoopEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::plan {

/// The points of the domain that are computed at once.
struct Lanes {
  /// Vectors along the vectorized dimension, one after the other; 0 for the
  /// scalars of a single point.
  int64_t groups = 0;
  /// The lanes that are points of the domain; null for all.
  Value mask;

  bool isVector() const { return groups > 0; }
  int64_t getNumValues() const { return std::max<int64_t>(groups, 1); }
};

/// The part of a dimension that a loop goes through.
struct DimRange {
  Value begin, end;
  /// How long it is, if that is known.
  std::optional<int64_t> size;
  /// A number that its length is a multiple of.
  int64_t multiple;
};

/// One loop of a pass: through a dimension, or the parts of it that `size`
/// iterations of a loop inside go through.
struct Level {
  unsigned dim;
  int64_t size;
  /// Whether reductions inside have accumulators of their own.
  bool hasOwnAccumulators;
};

class LoopEmitter {
public:
  LoopEmitter(func::FuncOp func, const KernelNest &nest,
              CPUScheduleAttr schedule)
      : nest(nest), b(OpBuilder::atBlockBegin(&func.getBody().front())),
        loc(func.getLoc()), entry(func.getBody().front()), schedule(schedule) {
    if (ArrayRef<int64_t> vectorize = schedule.getVectorize();
        !vectorize.empty()) {
      vectorDim = vectorize[0];
      numLanes = vectorize[1];
    }
  }

  void emit();

private:
  using Values = SmallVector<Value>;
  using PassRef = const KernelPass &;

  // Items.
  void emitDistribution(Value chunk);
  void emitItems(unsigned dim);
  bool isTiledDim(unsigned dim) const {
    return !schedule.getTile().empty() && schedule.getTile()[0] == dim;
  }
  void emitTiles(unsigned dim, DimRange range);
  void emitTile(Lanes lanes);
  void emitBlock();
  void emitBlocks(DimRange &range, Lanes lanes);
  Values transpose(Values rows);
  void emitItem(Lanes lanes);
  void emitPass(PassRef pass, Lanes lanes);

  // Loops.
  bool isVectorDim(unsigned dim) const { return vectorDim == dim; }
  DimRange getWholeRange(unsigned dim);
  Values emitLoop(Value begin, Value end, int64_t step, ValueRange carried,
                  function_ref<Values(Value, ValueRange)> body);
  Values emitLanes(DimRange range, int64_t groups, ValueRange carried,
                   function_ref<Values(Lanes, ValueRange)> body);
  SmallVector<Level> planLevels(PassRef pass, ArrayRef<unsigned> inner,
                                int64_t terms) const;
  Values emitLevels(ArrayRef<Level> levels, PassRef pass, Lanes lanes,
                    int64_t groups, ValueRange accumulators);
  int64_t getInterleave(int64_t extent) const {
    return plan::getInterleave(schedule, extent);
  }

  // Reductions.
  Values buildNeutral(PassRef pass, int64_t groups, bool isVector);
  Value combine(const KernelReduction &reduction, Value a, Value b);
  Value joinLanes(const KernelReduction &reduction, Value vector);
  void finishReductions(PassRef pass, Lanes lanes, int64_t groups,
                        ValueRange accumulators);

  // Points.
  Values emitPoints(PassRef pass, Lanes lanes, int64_t groups,
                    ValueRange accumulators);
  Values emitBody(PassRef pass, Lanes lanes, int64_t group,
                  ValueRange accumulators);
  void emitOp(Operation &op, PassRef pass, Lanes lanes, int64_t group,
              DenseMap<Value, Value> &values);
  Value buildLoopIndex(unsigned dim, Lanes lanes, int64_t group);
  void emitCheck(CheckOp check, Value value, Lanes lanes);
  Value buildIndex(const KernelAccess &access, Lanes lanes, int64_t group);
  Value load(const KernelAccess &access, Lanes lanes, int64_t group);
  void store(Value value, const KernelAccess &access, Lanes lanes,
             int64_t group);
  Value splat(Value value);
  Value getMask(Lanes lanes);

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, int64_t y) {
    return y ? b.createOrFold<arith::AddIOp>(loc, x, constant(y)) : x;
  }

  const KernelNest &nest;
  OpBuilder b;
  Location loc;
  Block &entry;
  CPUScheduleAttr schedule;
  /// The dimension that the schedule vectorizes, and the lanes of its vectors;
  /// 1 without such a dimension.
  std::optional<unsigned> vectorDim;
  int64_t numLanes = 1;

  /// The arguments as flat arrays.
  Values buffers;
  /// The current index along each dimension: of the first lane, where vectors
  /// lie along it.
  Values index;
  /// The part of a dimension that the loops inside go through.
  SmallVector<std::optional<DimRange>> ranges;
  /// Vectors that a transposed block of an operand gives, one for each index of
  /// the tiled dimension from the current one on.
  struct TransposedBlock {
    KernelAccess access;
    Values vectors;
  };
  SmallVector<TransposedBlock> blocks;
  /// The index in the blocks.
  int64_t blockRow = 0;
  /// Values of the current item: one vector a group, or a scalar.
  DenseMap<Value, Values> items;
  /// What the checks have found so far in this chunk: a vector where there is a
  /// vectorized dimension.
  Value status;
};

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTERIMPL_H
