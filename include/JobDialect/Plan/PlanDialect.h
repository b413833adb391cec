//===- PlanDialect.h - The plan dialect -------------------------*- C++ -*-===//

#ifndef JOBDIALECT_PLAN_PLANDIALECT_H
#define JOBDIALECT_PLAN_PLANDIALECT_H

#include "JobDialect/IR/JobDialect.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "JobDialect/Plan/PlanDialect.h.inc"

#define GET_OP_CLASSES
#include "JobDialect/Plan/PlanOps.h.inc"

namespace mlir::plan {

/// No space and no buffer is larger, in bytes: far beyond any machine, and far
/// from overflow in sums. The runtime has the same limit.
inline constexpr int64_t kMaxSpaceBytes = int64_t(1) << 48;

/// On an argument of a kernel with loops of its own: the kernel reads and
/// writes the buffer and, by the word of its op, may.
inline constexpr StringLiteral kInPlaceAttrName = "plan.in_place";

/// Whether data of this type is a dense buffer: static, of an element type that
/// kernels know, at most kMaxSpaceBytes long.
bool isBufferType(ShapedType type);

/// Bytes of a buffer in memory (an i1 takes one byte).
int64_t getBufferBytes(ShapedType type);

/// The op that owns the memory of `buffer`, seen through views, those of an
/// iteration's rows included.
Operation *getBufferRoot(Value buffer);

/// Whether `op` is one of the commands that a program runs, in their order.
bool isCommand(Operation *op);

/// The commands of a program in their order, those in the body of a repeat
/// once: what the numbers of commands in reports, traces and lifetimes count.
SmallVector<Operation *> getCommands(ProgramOp program);

/// The ops of one kind in a program and its repeats: buffers, say.
template <typename OpTy> SmallVector<OpTy> getOpsOfProgram(ProgramOp program) {
  SmallVector<OpTy> result;
  program.walk([&](OpTy op) { result.push_back(op); });
  return result;
}

/// The spaces of docs/artifact.md.
enum class Space { Arena, Bank, Input, Output, Constant, Workspace };

/// The name of a space in an artifact.
StringRef stringifySpace(Space space);

/// Where a buffer lies. There is no offset before `plan-assign-offsets` and
/// `plan-pack-memory`.
struct BufferPlace {
  Space space;
  /// In the first iteration of the repeat around it, if there is one.
  std::optional<int64_t> offset;
  int64_t bytes;
  /// Bytes by which it moves in each further iteration, 0 for one that stays,
  /// and how many iterations there are.
  int64_t stride = 0, count = 1;
};

/// The place of a buffer of a program. `symbols` caches the lookups.
BufferPlace getBufferPlace(Value buffer, SymbolTableCollection &symbols);

} // namespace mlir::plan

#endif // JOBDIALECT_PLAN_PLANDIALECT_H
