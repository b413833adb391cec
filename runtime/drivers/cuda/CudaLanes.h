//===- CudaLanes.h - Inputs and outputs of steps on a device ----*- C++ -*-===//
//
// A step computes with inputs and outputs in memory of the device. They are
// copied on streams of their own, beside the stream of the commands, so that
// the inputs of the next step arrive and the outputs of the last one leave
// while a step runs. The two steps that this involves take turns with two slots
// of memory:
//
//   inputs   | copy k+1 to slot 1 | (slot 0 is read until step k ends)
//   commands | step k, in slot 0  | step k+1, in slot 1
//   outputs  | copy k-1 from 1    | copy k from slot 0
//
// The slots have fixed addresses, so a program needs one graph for each of
// them, however many staging slots the session has.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDALANES_H
#define JOBRT_DRIVERS_CUDA_CUDALANES_H

#include "drivers/cuda/CudaEngine.h"

namespace jobrt::cuda {

class StepTimer;

/// The lanes of the entries of an artifact. One thread at a time uses them.
class StepLanes {
public:
  static constexpr int kSlots = 2;

  /// For at most that many bytes of a step.
  static Expected<std::unique_ptr<StepLanes>>
  create(Engine &engine, int64_t inputBytes, int64_t outputBytes);

  DevicePointer input(int slot) const { return slots[slot].input->pointer(); }
  DevicePointer output(int slot) const { return slots[slot].output->pointer(); }
  /// Of all slots.
  int64_t bytes() const;

  /// The slot of the next step.
  int nextSlot() const { return next; }
  /// Starts a step in that slot: copies the inputs to it, and makes the
  /// engine's stream wait for them and for outputs of an earlier step that are
  /// still there. `timer`, unless null, gets the times of the copy.
  Status begin(const EntryInfo &entry, const std::byte *host, StepTimer *timer);
  /// Ends a step whose commands the engine's stream has: copies the outputs to
  /// the host. `last` becomes the stream that ends with the step.
  Status end(const EntryInfo &entry, std::byte *host, int slot,
             StepTimer *timer, Stream &last);
  /// Blocks until no copy is in flight. An error is that of an earlier call.
  void synchronize();

private:
  struct Slot {
    std::unique_ptr<CudaMemory> input, output;
    /// The inputs have been copied, the commands have ended, the outputs have
    /// been copied: each for the last step that had the slot.
    Owned<Event> filled, computed, drained;
  };

  explicit StepLanes(Engine &engine) : engine(engine) {}

  Engine &engine;
  Owned<Stream> toDevice, toHost;
  Slot slots[kSlots];
  int next = 0;
};

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDALANES_H
