//===- StepParts.h - The parts of a step on several devices -----*- C++ -*-===//
//
// A driver runs commands of its device. An entry with commands of several
// devices is split into parts, which run one after another: commands of one
// device, which are an entry of their own for its driver, and copies from one
// place to another, which the executor makes. Commands that follow each other
// on one device are one part, and so are copies between the same two places.
//
// Inputs and outputs are memory of the host: commands of the processor use them
// as they are, and copies between them and another device are the executor's.
// So no two drivers write the outputs of one step.
//
// A repeat with commands of one device alone stays as it is. Another one is
// unrolled: each part is in one iteration, and nothing in it moves.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_STEPPARTS_H
#define JOBRT_LIB_EXECUTOR_STEPPARTS_H

#include "jobrt/artifact.h"

#include <span>

namespace jobrt {

/// In place of a device: the inputs and outputs of a step.
inline constexpr int32_t kHostSide = -1;

/// A copy from one place to another one.
struct Transfer {
  BufferRef from, to;
  /// The command of the entry.
  size_t command;
};

struct StepPart {
  /// What runs on `device`. Spaces and queues are those of the device alone, as
  /// if it were the only one. Null for transfers.
  std::unique_ptr<EntryInfo> entry;
  int32_t device = 0;

  /// From `fromDevice` to `device`, of which one may be kHostSide.
  std::vector<Transfer> transfers;
  int32_t fromDevice = 0;

  /// Whether earlier parts may have written variables.
  bool followsWrites = false;

  /// Its executions of commands in a step, in the order of
  /// EntryInfo::forEachExecution(), and its chunk records, of a trace.
  int64_t firstExecution = 0, numExecutions = 0;
  int64_t firstChunk = 0;
  /// Of the unrolled repeat that it is in; 0 outside.
  int64_t iteration = 0;
};

/// Whether a command is a copy between the memory of two devices.
bool isBetweenDevices(const Command &command);

/// Whether a repeat stays as it is.
bool isOnOneDevice(const EntryInfo &entry, const RepeatInfo &repeat,
                   std::span<const ArtifactDevice> devices);

/// The parts of a step, in order; at least one.
std::vector<StepPart> splitStep(const EntryInfo &entry,
                                std::span<const ArtifactDevice> devices);

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_STEPPARTS_H
