//===- MemoryReport.h - The memory of programs ------------------*- C++ -*-===//
//
// What a step needs, where it lies and who needs it. All sizes and offsets are
// in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_MEMORYREPORT_H
#define JOBDIALECT_ANALYSIS_MEMORYREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir::job {

/// What a buffer of the arena is for, as its location tells.
enum class MemoryRole { Forward, Gradient, Update, Recomputation };

/// A buffer of the arena that some command touches.
struct MemoryBuffer {
  /// What the user calls the op that makes it, and its line; either may be
  /// empty.
  std::string name, line;
  /// For example "100x784xf32".
  std::string type;
  MemoryRole role;
  int64_t offset, bytes;
  /// The first and the last command that touch it.
  int64_t first, last;
  Location loc;
};

/// A command of a program.
struct MemoryCommand {
  /// The kernel or the function of a library, what the user calls it, and its
  /// line.
  std::string what, name, line;
  /// Sum of the buffers of the arena that are alive.
  int64_t liveBytes = 0;
  /// Operations of a step, in all micro-steps.
  int64_t flops = 0;
  /// Bytes that it computes again so that they need not be kept; 0 for a
  /// command that does not run again what ran before.
  int64_t recomputedBytes = 0;
};

/// The memory of one program.
struct ProgramMemory {
  std::string name, kind;
  int64_t arena = 0, lowerBound = 0;
  /// Bank and constants are shared by all programs of the module.
  int64_t bank = 0, constants = 0;
  /// The staging slots of one call.
  int64_t inputs = 0, outputs = 0;
  int64_t workspace = 0;
  /// The first command where most bytes are alive.
  int64_t peakCommand = 0;
  std::vector<MemoryCommand> commands;
  /// In the order of the program.
  std::vector<MemoryBuffer> buffers;

  int64_t getTotal() const {
    return arena + bank + constants + inputs + outputs + workspace;
  }
  /// Operations of a step.
  int64_t getFlops() const;
  /// Indices of the commands that run again what ran before.
  std::vector<size_t> getRecomputations() const;
  /// Indices of the buffers that are alive at the peak, largest first.
  std::vector<size_t> getPeakBuffers() const;
};

/// What a session with some programs needs: the largest arena, workspace and
/// staging of one call, and what they share.
struct MemoryTotals {
  int64_t arena = 0, arenaLowerBound = 0;
  int64_t bank = 0, staging = 0, workspace = 0, constants = 0;

  int64_t getTotal() const {
    return arena + bank + staging + workspace + constants;
  }
};

MemoryTotals getMemoryTotals(ArrayRef<ProgramMemory> programs);

/// The memory of every program of `module`, in order. A program without offsets
/// or sizes, and a module without programs, is an error.
FailureOr<std::vector<ProgramMemory>> collectMemory(ModuleOp module);

/// The report as text; names the `largest` largest buffers of each peak.
std::string formatMemoryText(ArrayRef<ProgramMemory> programs,
                             unsigned largest = 10);

/// The report as one HTML page with pictures, which needs no other file.
std::string formatMemoryHtml(ArrayRef<ProgramMemory> programs);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_MEMORYREPORT_H
