//===- LoopEmitterImpl.h - The emitter of one kernel's loops ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTERIMPL_H
#define JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTERIMPL_H

#include "LoopEmitter.h"

#include "../Common/PointEmitter.h"

namespace mlir::plan {

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

class LoopEmitter : public PointEmitter {
public:
  LoopEmitter(func::FuncOp func, const KernelNest &nest,
              CPUScheduleAttr schedule)
      : PointEmitter(func, nest, getVectorDim(schedule), getNumLanes(schedule)),
        schedule(schedule) {}

  void emit();

private:
  static std::optional<unsigned> getVectorDim(CPUScheduleAttr schedule) {
    ArrayRef<int64_t> vectorize = schedule.getVectorize();
    return vectorize.empty() ? std::nullopt : std::optional(vectorize[0]);
  }
  static int64_t getNumLanes(CPUScheduleAttr schedule) {
    ArrayRef<int64_t> vectorize = schedule.getVectorize();
    return vectorize.empty() ? 1 : vectorize[1];
  }

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

  void finishReductions(PassRef pass, Lanes lanes, int64_t groups,
                        ValueRange accumulators);
  Value findTransposed(const KernelAccess &access) override;

  CPUScheduleAttr schedule;
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
};

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTERIMPL_H
