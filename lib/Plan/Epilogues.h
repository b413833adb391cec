//===- Epilogues.h - Chunks that follow chunks ------------------*- C++ -*-===//
//
// A dispatch that is an epilogue runs each of its chunks after the same chunk
// of the commands before it, which form a group with it, and beside their other
// chunks. So commands of a group must not meet in memory, except in buffers
// that both cut into the same blocks.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_PLAN_EPILOGUES_H
#define JOBDIALECT_LIB_PLAN_EPILOGUES_H

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// A level of blocks of a flat array: of each `period` bytes, each part of
/// `size` bytes is of another block; the last part may be smaller.
struct BlockLevel {
  int64_t period, size;

  bool operator==(const BlockLevel &) const = default;
};

/// The bytes of one element of a buffer.
int64_t getElementBytes(Type type);

/// How a command's chunks cut a buffer, outermost level first: the numbers of
/// the parts of all levels, in row-major order, are the number of the one chunk
/// that accesses the block.
using Blocks = SmallVector<BlockLevel>;

/// The command that an epilogue at this place follows: the one before it in the
/// block if that is a call or a dispatch on the same queue. Else null.
PlanCommandOpInterface getPredecessor(PlanCommandOpInterface command);

/// The command before `command` in its group, or null.
PlanCommandOpInterface getPredecessorInGroup(PlanCommandOpInterface command);

/// The bodies of kernels, read once each.
class KernelNests {
public:
  explicit KernelNests(SymbolTableCollection &symbols) : symbols(symbols) {}

  /// Null if the kernel has no body with passes over data.
  const KernelNest *lookup(DispatchOp dispatch);
  const KernelNest *lookup(ExecutableOp executable);
  ExecutableOp getExecutable(DispatchOp dispatch);
  /// To be called when the body of a kernel changes.
  void forget(ExecutableOp executable) { nests.erase(executable); }
  /// The schedule of the code that a dispatch runs, or null.
  ScheduleAttrInterface getSchedule(DispatchOp dispatch);
  /// Whether that is the schedule that its target chooses, or none yet: one in
  /// the text is obeyed.
  bool hasDefaultSchedule(DispatchOp dispatch);
  /// How the chunks of a dispatch or a call cut the buffer of an operand;
  /// std::nullopt if chunks share elements of it.
  std::optional<Blocks> getBlocks(OpOperand &operand);
  SymbolTableCollection &getSymbols() { return symbols; }

private:
  SymbolTableCollection &symbols;
  /// Pointers into them stay valid while more are read.
  DenseMap<Operation *, std::unique_ptr<KernelNest>> nests;
};

/// A buffer without an offset that a dispatch or a command before it in its
/// group has; null if there is none.
Operation *findBufferWithoutOffset(DispatchOp dispatch, KernelNests &nests);

/// Whether two places are the same bytes in all iterations.
bool areSame(const BufferPlace &a, const BufferPlace &b);

/// What keeps the chunks of a dispatch from running beside those of a command
/// before it.
struct EpilogueObstacle {
  PlanCommandOpInterface command;
  /// Of a chunk of the dispatch: "writes what other chunks of it read".
  std::string reason;
};

/// Whether chunks of `dispatch`, if its kernel had this body and this schedule,
/// can run beside other chunks of the commands before it, back to the one that
/// begins its group. Buffers have offsets.
std::optional<EpilogueObstacle> findObstacle(DispatchOp dispatch,
                                             const KernelNest &nest,
                                             ScheduleAttrInterface schedule,
                                             KernelNests &nests);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_EPILOGUES_H
