//===- CudaEngine.cpp - Work of a device in order -------------------------===//

#include "drivers/cuda/CudaEngine.h"
#include "lib/base/Guard.h"
#include "lib/base/Threads.h"
#include "lib/trace/TraceRecorder.h"

#include <future>

using namespace jobrt;
using namespace jobrt::cuda;

WorkMonitor::~WorkMonitor() = default;

Expected<std::unique_ptr<Engine>>
Engine::create(std::shared_ptr<DeviceContext> context) {
  std::unique_ptr<Engine> engine(new Engine(std::move(context)));
  Expected<Owned<Stream>> stream = createStream(engine->context());
  if (!stream.ok())
    return stream.status();
  engine->main = std::move(*stream);
  engine->ring.resize(16);
  // A thread that cannot use the device could not wait for its work either.
  auto promise = std::make_shared<std::promise<Status>>();
  std::future<Status> entered = promise->get_future();
  Expected<std::thread> thread =
      startThread("jobrt-cuda", [raw = engine.get(), promise] {
        Status status = withoutThrowing(
            "start a thread", [&] { return raw->device->enterThread(); });
        bool isOk = status.ok();
        promise->set_value(std::move(status));
        if (isOk)
          raw->threadMain();
      });
  if (!thread.ok())
    return thread.status();
  engine->thread = std::move(*thread);
  if (Status status = entered.get(); !status.ok())
    return status;
  return engine;
}

Engine::~Engine() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

Expected<Event> Engine::takeEvent() {
  {
    std::lock_guard lock(mutex);
    if (!freeEvents.empty()) {
      Event event = freeEvents.back();
      freeEvents.pop_back();
      return event;
    }
  }
  Expected<Owned<Event>> event = createEvent(*device);
  if (!event.ok())
    return event.status();
  std::lock_guard lock(mutex);
  events.push_back(std::move(*event));
  // Giving one back does not allocate.
  freeEvents.reserve(events.capacity());
  return events.back().get();
}

void Engine::submit(StepRunner &runner, const StepBuffers &buffers,
                    Completion &completion) {
  Work work;
  work.runner = &runner;
  work.buffers = buffers;
  work.completion = &completion;
  AllocationScope scope(buffers.meter->ours);
  submit(work);
}

void Engine::submit(std::span<const Copy> copies, Completion &completion) {
  Work work;
  work.copies = copies;
  work.completion = &completion;
  submit(work);
}

void Engine::submit(Work work) {
  // The thread needs room for the work before the device has it.
  Status status = withoutThrowing("submit work to the device", [&]() -> Status {
    std::lock_guard lock(mutex);
    if (count < ring.size())
      return {};
    std::vector<Work> larger;
    larger.reserve(2 * ring.size());
    for (size_t i = 0; i < count; ++i)
      larger.push_back(ring[(first + i) % ring.size()]);
    larger.resize(2 * ring.size());
    ring = std::move(larger);
    first = 0;
    return {};
  });
  bool isDeferred;
  {
    std::lock_guard lock(mutex);
    isDeferred = numDeferred > 0 || (work.runner && work.runner->blocks());
  }
  // Only this thread adds deferred work, so none appears meanwhile.
  if (!status.ok())
    abort();
  else if (!isDeferred)
    status = launch(work);
  if (!status.ok())
    return complete(work, std::move(status));
  {
    std::lock_guard lock(mutex);
    ring[(first + count) % ring.size()] = work;
    ++count;
    numDeferred += isDeferred;
  }
  changed.notify_all();
}

void Engine::abort() {
  if (monitor)
    monitor->abort();
}

Status Engine::launch(Work &work) {
  if (work.buffers.trace)
    work.buffers.trace->run.begin = traceClock();
  constexpr const char *kWhat = "submit work to the device";
  Status status = withoutThrowing(kWhat, [&]() -> Status {
    ContextScope scope(*device);
    if (!scope.status().ok())
      return scope.status();
    Status enqueued = withoutThrowing(kWhat, [&] { return enqueue(work); });
    if (!enqueued.ok()) {
      abort();
      // Buffers belong to the session when the error has been returned.
      (void)device->api().streamSynchronize(main.get());
    }
    return enqueued;
  });
  if (!status.ok())
    abort();
  return status;
}

Status Engine::enqueue(Work &work) {
  Expected<Event> event = takeEvent();
  if (!event.ok())
    return event.status();
  const Api &api = device->api();
  work.step.last = main.get();
  Status status = work.runner ? work.runner->run(work.buffers, work.step)
                              : runCopies(work.copies);
  if (status.ok()) {
    // The device may report here that the step has failed already.
    status = api.check(api.eventRecord(*event, work.step.last), "cuEventRecord",
                       "the end of the work");
    if (status.ok()) {
      work.event = *event;
      return {};
    }
    abort();
    (void)api.streamSynchronize(work.step.last);
    if (work.runner)
      status = work.runner->finish(work.buffers, work.step, std::move(status));
  }
  std::lock_guard lock(mutex);
  freeEvents.push_back(*event);
  return status;
}

Status Engine::runCopies(std::span<const Copy> copies) {
  const Api &api = device->api();
  for (const Copy &copy : copies) {
    if (copy.bytes == 0)
      continue;
    bool toDevice = copy.direction == Copy::Direction::kToDevice;
    DevicePointer memory =
        static_cast<CudaMemory &>(*copy.memory).pointer() + copy.offset;
    Result result =
        toDevice
            ? api.memcpyHtoDAsync(memory, copy.host, copy.bytes, main.get())
            : api.memcpyDtoHAsync(copy.host, memory, copy.bytes, main.get());
    if (result != kSuccess)
      return api.check(result,
                       toDevice ? "cuMemcpyHtoDAsync" : "cuMemcpyDtoHAsync",
                       std::to_string(copy.bytes) + " bytes of variables");
  }
  return {};
}

/// How long a thread that waits for work with other ranks asks at once before
/// it sleeps, and how long it sleeps at most.
static constexpr std::chrono::microseconds kSpinTime(200), kMaxSleep(500);

/// As cuEventSynchronize() does, but work that waits for another rank ends when
/// that has failed.
Status Engine::pollFor(Event event, bool &isOfMonitor) {
  const Api &api = device->api();
  auto begin = std::chrono::steady_clock::now();
  std::chrono::microseconds sleep(10);
  while (true) {
    Result result = api.eventQuery(event);
    if (result != kErrorNotReady)
      return api.check(result, "cuEventQuery", "the end of the work");
    if (Status status = monitor->check(); !status.ok()) {
      monitor->abort();
      isOfMonitor = true;
      // The error of the ranks is the cause of what the device reports.
      (void)api.eventSynchronize(event);
      return status;
    }
    if (std::chrono::steady_clock::now() - begin < kSpinTime) {
      cpuPause();
      continue;
    }
    std::this_thread::sleep_for(sleep);
    sleep = std::min(2 * sleep, kMaxSleep);
  }
}

Status Engine::waitFor(const Work &work, bool &isOfMonitor) {
  bool isMonitored = monitor && work.runner && work.runner->isMonitored();
  Status status =
      isMonitored && monitor->watches()
          ? pollFor(work.event, isOfMonitor)
          : device->api().check(device->api().eventSynchronize(work.event),
                                "cuEventSynchronize", "the end of the work");
  if (!status.ok() || !isMonitored)
    return status;
  // An abort ends what was in flight without an error of the device.
  isOfMonitor = true;
  return monitor->check();
}

Status Engine::finish(Work &work) {
  bool isOfMonitor = false;
  Status status = withoutThrowing("wait for the device",
                                  [&] { return waitFor(work, isOfMonitor); });
  if (!status.ok()) {
    abort();
    // Whatever has failed, the session may free the buffers now.
    (void)device->api().eventSynchronize(work.event);
  }
  {
    std::lock_guard lock(mutex);
    freeEvents.push_back(work.event);
  }
  if (work.runner) {
    work.step.isErrorOfMonitor = isOfMonitor;
    return work.runner->finish(work.buffers, work.step, std::move(status));
  }
  return status;
}

void Engine::complete(Work &work, Status status) {
  // That of a step that has succeeded is in the record.
  if (work.buffers.trace && work.buffers.trace->run.end == 0)
    work.buffers.trace->run.end = traceClock();
  work.completion->complete(std::move(status));
}

void Engine::threadMain() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return stopping || count > 0; });
    if (count == 0)
      return;
    Work work = ring[first];
    first = (first + 1) % ring.size();
    --count;
    lock.unlock();
    bool isDeferred = !work.event;
    Status status = withoutThrowing("finish a step", [&]() -> Status {
      std::optional<AllocationScope> scope;
      if (work.runner)
        scope.emplace(work.buffers.meter->ours);
      if (isDeferred)
        if (Status launched = launch(work); !launched.ok())
          return launched;
      return finish(work);
    });
    if (isDeferred) {
      // What is submitted from now on need not wait for this thread.
      std::lock_guard inner(mutex);
      --numDeferred;
    }
    complete(work, std::move(status));
    lock.lock();
  }
}
