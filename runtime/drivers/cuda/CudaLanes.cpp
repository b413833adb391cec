//===- CudaLanes.cpp - Inputs and outputs of steps on a device ------------===//

#include "drivers/cuda/CudaLanes.h"
#include "drivers/cuda/CudaTimer.h"

using namespace jobrt;
using namespace jobrt::cuda;

Expected<std::unique_ptr<StepLanes>>
StepLanes::create(Engine &engine, int64_t inputBytes, int64_t outputBytes) {
  std::unique_ptr<StepLanes> lanes(new StepLanes(engine));
  for (Owned<Stream> *stream : {&lanes->toDevice, &lanes->toHost}) {
    Expected<Owned<Stream>> created = createStream(engine.context());
    if (!created.ok())
      return created.status();
    *stream = std::move(*created);
  }
  for (Slot &slot : lanes->slots) {
    for (auto [memory, bytes, purpose] :
         {std::tuple(&slot.input, inputBytes, "inputs of a step"),
          std::tuple(&slot.output, outputBytes, "outputs of a step")}) {
      Expected<std::unique_ptr<CudaMemory>> created = CudaMemory::create(
          engine.sharedContext(), MemoryKind::kDevice, bytes, purpose);
      if (!created.ok())
        return created.status();
      *memory = std::move(*created);
    }
    for (Owned<Event> *event : {&slot.filled, &slot.computed, &slot.drained}) {
      Expected<Owned<Event>> created = createEvent(engine.context());
      if (!created.ok())
        return created.status();
      *event = std::move(*created);
    }
  }
  return lanes;
}

int64_t StepLanes::bytes() const {
  int64_t bytes = 0;
  for (const Slot &slot : slots)
    bytes += slot.input->bytes() + slot.output->bytes();
  return bytes;
}

Status StepLanes::begin(const EntryInfo &entry, const std::byte *host,
                        StepTimer *timer) {
  const Slot &slot = slots[next];
  next = (next + 1) % kSlots;
  const Api &api = engine.context().api();
  Stream copies = toDevice.get();
  if (entry.inputBytes > 0) {
    Status status =
        api.check(api.streamWaitEvent(copies, slot.computed.get(), 0),
                  "cuStreamWaitEvent", "the step before in the same slot");
    if (status.ok() && timer)
      status = timer->recordUpload(copies);
    if (status.ok())
      status = api.check(api.memcpyHtoDAsync(slot.input->pointer(), host,
                                             entry.inputBytes, copies),
                         "cuMemcpyHtoDAsync", "the inputs of a step");
    if (status.ok() && timer)
      status = timer->recordUpload(copies);
    if (status.ok())
      status = api.check(api.eventRecord(slot.filled.get(), copies),
                         "cuEventRecord", "the end of the inputs");
    if (status.ok())
      status =
          api.check(api.streamWaitEvent(engine.stream(), slot.filled.get(), 0),
                    "cuStreamWaitEvent", "the inputs");
    if (!status.ok())
      return status;
  }
  if (entry.outputBytes > 0)
    return api.check(
        api.streamWaitEvent(engine.stream(), slot.drained.get(), 0),
        "cuStreamWaitEvent", "the outputs of an earlier step");
  return {};
}

Status StepLanes::end(const EntryInfo &entry, std::byte *host, int index,
                      StepTimer *timer, Stream &last) {
  const Slot &slot = slots[index];
  const Api &api = engine.context().api();
  Stream copies = toHost.get();
  last = engine.stream();
  Status status =
      api.check(api.eventRecord(slot.computed.get(), engine.stream()),
                "cuEventRecord", "the end of the commands");
  if (!status.ok() || entry.outputBytes == 0)
    return status;
  last = copies;
  status = api.check(api.streamWaitEvent(copies, slot.computed.get(), 0),
                     "cuStreamWaitEvent", "the end of the commands");
  if (status.ok() && timer)
    status = timer->recordDownload(copies);
  if (status.ok())
    status = api.check(api.memcpyDtoHAsync(host, slot.output->pointer(),
                                           entry.outputBytes, copies),
                       "cuMemcpyDtoHAsync", "the outputs of a step");
  if (status.ok() && timer)
    status = timer->recordDownload(copies);
  if (status.ok())
    status = api.check(api.eventRecord(slot.drained.get(), copies),
                       "cuEventRecord", "the end of the outputs");
  return status;
}

void StepLanes::synchronize() {
  const Api &api = engine.context().api();
  (void)api.streamSynchronize(toDevice.get());
  (void)api.streamSynchronize(toHost.get());
}
