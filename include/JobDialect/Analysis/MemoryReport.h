//===- MemoryReport.h - The memory of programs ------------------*- C++ -*-===//
//
// The memory of a step: its buffers, their offsets and their users. All sizes
// and offsets are in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_MEMORYREPORT_H
#define JOBDIALECT_ANALYSIS_MEMORYREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir::job {

/// The purpose of a buffer of the arena, derived from its location.
enum class MemoryRole { Forward, Gradient, Update, Recomputation };

/// "100x784xf32".
std::string formatBufferType(ShapedType type);

/// A buffer of the arena that at least one command uses.
struct MemoryBuffer {
  /// The user's name and line of the op that defines it; either may be empty.
  std::string name, line;
  /// By formatBufferType().
  std::string type;
  MemoryRole role;
  int64_t offset, bytes;
  /// The first and the last command that use it.
  int64_t first, last;
  Location loc;
  /// The number of the device whose arena it is in.
  unsigned device = 0;
};

/// A command of a program.
struct MemoryCommand {
  /// The kernel or library function, and the user's name and line of the op.
  std::string what, name, line;
  /// Bytes of all live buffers of the arena.
  int64_t liveBytes = 0;
  /// Operations per step, over all micro-steps.
  int64_t flops = 0;
  /// Bytes of recomputed results; 0 if the command is not a recomputation.
  int64_t recomputedBytes = 0;
};

/// The memory that a program needs on one device.
struct DeviceMemory {
  std::string name;
  int64_t arena = 0, lowerBound = 0, bank = 0, constants = 0, workspace = 0;
  /// The staging slots of one call are in the memory of the host, and in that
  /// of a GPU if the program runs there alone.
  int64_t staging = 0;

  int64_t getTotal() const {
    return arena + bank + constants + workspace + staging;
  }
};

/// The memory of one program, on all devices together.
struct ProgramMemory {
  std::string name, kind;
  int64_t arena = 0, lowerBound = 0;
  /// Bank and constants are shared by all programs of the module.
  int64_t bank = 0, constants = 0;
  /// The staging slots of one call.
  int64_t inputs = 0, outputs = 0;
  int64_t workspace = 0;
  /// The first command with the largest sum of live bytes.
  int64_t peakCommand = 0;
  std::vector<MemoryCommand> commands;
  /// In the order of the program.
  std::vector<MemoryBuffer> buffers;
  /// By number; empty if the module has one device.
  std::vector<DeviceMemory> devices;

  int64_t getTotal() const {
    return arena + bank + constants + inputs + outputs + workspace;
  }
  /// Operations per step.
  int64_t getFlops() const;
  /// Indices of the commands that are recomputations.
  std::vector<size_t> getRecomputations() const;
  /// Indices of the buffers that are live at the peak, largest first.
  std::vector<size_t> getPeakBuffers() const;
};

/// The arena of one device of a module with several, its buffers, and the bytes
/// of them that are live at each command.
ProgramMemory getArenaOf(const ProgramMemory &program, unsigned device);

/// The memory of a session with several programs: the largest arena and
/// workspace of each device, the largest staging of one call, and the shared
/// bank and constants.
struct MemoryTotals {
  int64_t arena = 0, arenaLowerBound = 0;
  int64_t bank = 0, staging = 0, workspace = 0, constants = 0;

  int64_t getTotal() const {
    return arena + bank + staging + workspace + constants;
  }
};

MemoryTotals getMemoryTotals(ArrayRef<ProgramMemory> programs);

/// The memory of every program of `module`, in order. Fails for a program
/// without offsets or sizes, and for a module without programs.
FailureOr<std::vector<ProgramMemory>> collectMemory(ModuleOp module);

/// The report as text; names the `largest` largest buffers of each peak.
std::string formatMemoryText(ArrayRef<ProgramMemory> programs,
                             unsigned largest = 10);

/// The report as one self-contained HTML page with pictures.
std::string formatMemoryHtml(ArrayRef<ProgramMemory> programs);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_MEMORYREPORT_H
