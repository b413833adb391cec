//===- TeamEmitter.h - Threads that compute an item together ----*- C++ -*-===//
//
// The threads of a team have a part of the terms of a reduction each, which
// they join by a tree: through shuffles where they are neighbours of one warp,
// and through shared memory otherwise. Every thread of the team has the result.
//
// Where vectors lie along an inner dimension (the rows of a softmax), threads
// of a team are neighbours. Where they lie along a dimension of items (the sums
// of columns), threads of neighbouring items are.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CODEGEN_CUDA_TEAMEMITTER_H
#define JOBDIALECT_LIB_CODEGEN_CUDA_TEAMEMITTER_H

#include "../Common/PointEmitter.h"
#include "CUDASchedule.h"

namespace mlir::plan {

/// Emits the code of teams; a subclass says what they compute.
class TeamEmitter : public PointEmitter {
protected:
  TeamEmitter(func::FuncOp func, const KernelNest &nest,
              CUDAScheduleAttr schedule, BlockShape shape)
      : PointEmitter(func, nest, shape.vectorDim, shape.numLanes),
        schedule(schedule), shape(shape), teamSize(schedule.getLanes()) {}

  /// Computes the numbers of the thread.
  void setThread();
  /// Says that what follows is in a loop, where the iteration before may have
  /// used shared memory.
  void beginIteration() { isSharedInUse = true; }
  virtual void emitBarrier() = 0;

  /// The reductions of what the threads of a team have, in each of them.
  Values joinTeam(const KernelReduction &reduction, Values values);
  /// Joins the values of threads that are far apart: the block is that many
  /// parts, each of neighbouring threads, and `part` is that of the thread. Its
  /// place in the part is `first`, the number of a thread in the first part.
  Value joinThroughMemory(const KernelReduction &reduction, Value value,
                          int64_t parts, Value part, Value first);
  /// Combines a reduction with its initial value.
  Value addInitial(const KernelReduction &reduction, Value value, Lanes lanes);

  Value mul(Value value, int64_t factor) {
    return b.createOrFold<arith::MulIOp>(loc, value, constant(factor));
  }
  /// `value / divisor` and `value % divisor`.
  std::pair<Value, Value> divide(Value value, int64_t divisor) {
    return {b.createOrFold<arith::DivUIOp>(loc, value, constant(divisor)),
            b.createOrFold<arith::RemUIOp>(loc, value, constant(divisor))};
  }
  Value isLess(Value a, Value c) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, a, c);
  }

  CUDAScheduleAttr schedule;
  const BlockShape shape;
  /// Threads of a team.
  const int64_t teamSize;
  /// The number of the thread in the block, of it in its team, and of the team.
  Value thread, lane, team;

private:
  Value joinWarp(const KernelReduction &reduction, Value value, int64_t size);
  Values joinWarps(const KernelReduction &reduction, Values values);
  Value shuffle(Value value, int64_t distance);
  Value getSharedMemory(Type element, int64_t elements);

  /// Shared memory by type and elements, and whether it may be in use.
  DenseMap<std::pair<Type, int64_t>, Value> shared;
  bool isSharedInUse = false;
};

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CUDA_TEAMEMITTER_H
