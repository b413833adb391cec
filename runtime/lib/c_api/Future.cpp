//===- Future.cpp - Calls in flight in C ----------------------------------===//

#include "lib/c_api/Handles.h"

using namespace jobrt;
using namespace jobrt::c_api;

extern "C" {

jobrt_status jobrt_future_wait(const jobrt_future *future,
                               jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(future, "a future"); !status.ok())
      return status;
    return shareFuture(future).wait();
  });
}

int32_t jobrt_future_done(const jobrt_future *future) {
  return future && unwrap(future)->done.load();
}

const jobrt_entry *jobrt_future_entry(const jobrt_future *future) {
  return future ? wrap(unwrap(future)->entry) : nullptr;
}

int32_t jobrt_future_num_outputs(const jobrt_future *future) {
  return future ? static_cast<int32_t>(unwrap(future)->entry->outputs.size())
                : 0;
}

jobrt_status jobrt_future_output(const jobrt_future *future, int32_t index,
                                 jobrt_view *output, jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(future, "a future"),
                                     require(output, "a place for the output"));
        !status.ok())
      return status;
    const EntryInfo &entry = *unwrap(future)->entry;
    int32_t count = jobrt_future_num_outputs(future);
    if (index < 0 || index >= count)
      return Status(StatusCode::kInvalidArgument,
                    "job '" + entry.name + "': expects the index of one of " +
                        std::to_string(count) + " outputs but got " +
                        std::to_string(index));
    Future shared = shareFuture(future);
    if (!shared.done())
      return Status(StatusCode::kInvalidArgument,
                    "job '" + entry.name +
                        "': expects a step that is done but got one in flight");
    if (Status status = shared.wait(); !status.ok())
      return status;
    // The step's shape lives as long as the future, the view's does not.
    const PortInfo &port = entry.outputs[index];
    *output = {static_cast<jobrt_dtype>(port.dtype),
               static_cast<int32_t>(port.shape.size()),
               unwrap(future)->outputShape(index), shared.outputData(index)};
    return {};
  });
}

jobrt_status jobrt_future_on_done(const jobrt_future *future,
                                  jobrt_callback callback, void *user_data,
                                  jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(
            require(future, "a future"),
            require(reinterpret_cast<const void *>(callback), "a callback"));
        !status.ok())
      return status;
    // Two pointers, which std::function keeps without an allocation.
    shareFuture(future).onDone([callback, user_data](const Future &done) {
      callback(wrap(StepPool::stateOf(done)), user_data);
    });
    return {};
  });
}

jobrt_status jobrt_future_copy(const jobrt_future *future, jobrt_future **copy,
                               jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(future, "a future"),
                                     require(copy, "a place for the copy"));
        !status.ok())
      return status;
    *copy = wrap(StepPool::takeState(shareFuture(future)));
    return {};
  });
}

void jobrt_future_destroy(jobrt_future *future) {
  if (future)
    StepPool::makeFuture(unwrap(future));
}

} // extern "C"
