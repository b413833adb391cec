//===- Library.cpp - Work of libraries on the simulated CUDA --------------===//

#include "simulators/cuda/State.h"

using namespace jobsim;

LibraryWork::~LibraryWork() { release(state); }

void jobsim_library_register(const char *const *functions, uint32_t count) {
  registerLibraryFunctions({functions, count});
}

int jobsim_library_call(const char *function) {
  Simulator &sim = simulator();
  std::lock_guard lock(sim.mutex);
  std::optional<Failure> failure = findLibraryFailure(sim, function);
  if (!failure)
    return 0;
  // An error of CUDA's, which the library tells in its own way.
  if (failure->function.empty() && isUnrecoverable(failure->result))
    if (std::shared_ptr<ContextState> context = findCurrentContext(sim))
      failContext(*context, failure->result);
  return failure->function.empty() || failure->result == kSuccess
             ? -1
             : failure->result;
}

int jobsim_library_context(void) {
  Simulator &sim = simulator();
  std::lock_guard lock(sim.mutex);
  std::shared_ptr<ContextState> context = findCurrentContext(sim);
  return context ? context->error : kErrorInvalidContext;
}

int jobsim_library_device(int *device) {
  Simulator &sim = simulator();
  std::lock_guard lock(sim.mutex);
  std::shared_ptr<ContextState> context = findCurrentContext(sim);
  if (context)
    *device = context->device;
  return context ? context->error : kErrorInvalidContext;
}

int jobsim_library_synchronize(void) {
  return Call("a library", kContext | kNoCapture).result;
}

int jobsim_library_load(const char *library, uint64_t kernel) {
  {
    Simulator &sim = simulator();
    std::lock_guard lock(sim.mutex);
    std::shared_ptr<ContextState> context = findCurrentContext(sim);
    if (context && context->loaded.contains({library, kernel}))
      return context->error;
  }
  Call call("the first use of a kernel", kContext | kNoCapture);
  if (!call.result)
    call.context->loaded.insert({library, kernel});
  return call.result;
}

uint32_t jobsim_library_patience(void) {
  std::lock_guard lock(simulator().mutex);
  return simulator().patience.count();
}

void jobsim_library_count(const char *kind, int change) {
  Simulator &sim = simulator();
  std::lock_guard lock(sim.mutex);
  sim.libraryObjects[kind] += change;
}

void jobsim_library_refuse(const char *reason) {
  std::lock_guard lock(simulator().mutex);
  refuse(kErrorInvalidValue, reason);
}

int jobsim_library_submit(const jobsim_library_work *description,
                          void *handle) {
  auto library = std::make_shared<LibraryWork>();
  library->name = description->name;
  library->ranges.assign(description->ranges,
                         description->ranges + description->num_ranges);
  library->run = description->run;
  library->release = description->release;
  library->state = description->state;
  library->begin = description->begin;
  library->poll = description->poll;

  Call call("a library", kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, static_cast<Stream>(handle), stream))
    return result;
  Operation operation;
  operation.work.kind = Work::Kind::kLibrary;
  operation.work.library = std::move(library);
  if (stream->capture)
    return capture(*stream, std::move(operation.work), false);
  submit(stream, std::move(operation));
  return kSuccess;
}

/// Reports a range that is not in an allocation of the device.
static Result checkRanges(const ContextState &context,
                          const LibraryWork &work) {
  Memory &memory = simulator().memory;
  for (const jobsim_range &range : work.ranges) {
    auto address = reinterpret_cast<uintptr_t>(range.begin);
    const Allocation *allocation = memory.find(address);
    const char *why = "out of bounds";
    if (allocation && allocation->freed)
      why = "after the free";
    else if (allocation && allocation->contains(address, range.bytes) &&
             (allocation->pinned || allocation->device != context.device))
      why = "of memory that is not the device's";
    else if (allocation && allocation->contains(address, range.bytes))
      continue;
    report(format("%s: %s of %llu bytes of %s %s: %s", work.name.c_str(),
                  range.is_written ? "write" : "read",
                  static_cast<unsigned long long>(range.bytes), range.name, why,
                  memory.describe(address).c_str()));
    return kErrorIllegalAddress;
  }
  return kSuccess;
}

Result jobsim::beginLibrary(const ContextState &context,
                            const LibraryWork &work) {
  if (Result result = checkRanges(context, work))
    return result;
  work.begin(work.state);
  return kSuccess;
}

Result jobsim::runLibrary(const ContextState &context,
                          const LibraryWork &work) {
  if (Result result = checkRanges(context, work))
    return result;
  ++simulator().kernelsRun;
  work.run(work.state);
  return kSuccess;
}
