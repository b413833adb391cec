//===- Session.cpp - Sessions, calls and checkpoints in C -----------------===//

#include "lib/c_api/Handles.h"

#include "jobrt/checkpoint.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace jobrt;
using namespace jobrt::c_api;

static_assert(JOBRT_CHECKPOINT_NATIVE == int(CheckpointLayout::kNative) &&
              JOBRT_CHECKPOINT_LEGACY == int(CheckpointLayout::kLegacy));
static_assert(JOBRT_COMMUNICATOR_ID_BYTES == sizeof(CommunicatorId));
static_assert(JOBRT_EXISTING_REFUSE == int(ExistingCheckpoint::kRefuse) &&
              JOBRT_EXISTING_REPLACE == int(ExistingCheckpoint::kReplace));

static Status invalid(std::string message) {
  return Status(StatusCode::kInvalidArgument, std::move(message));
}

//===----------------------------------------------------------------------===//
// What the caller passed
//===----------------------------------------------------------------------===//

static Expected<SessionOptions> toOptions(const jobrt_session_options *given) {
  SessionOptions options;
  if (!given)
    return options;
  // What a later version adds stands behind this one's members.
  if (given->struct_bytes != sizeof(jobrt_session_options))
    return Status(given->struct_bytes < sizeof(jobrt_session_options)
                      ? StatusCode::kInvalidArgument
                      : StatusCode::kUnimplemented,
                  "expects options with struct_bytes of " +
                      std::to_string(sizeof(jobrt_session_options)) +
                      " but got " + std::to_string(given->struct_bytes));
  options.threads = given->threads;
  options.credits = given->credits;
  if (given->driver)
    options.driver = given->driver;
  if (given->cuda_library)
    options.cudaLibrary = given->cuda_library;
  options.ranks = given->ranks == 0 ? 1 : given->ranks;
  options.rank = given->rank;
  if (given->communicator_id)
    std::memcpy(options.communicatorId.emplace().data(), given->communicator_id,
                sizeof(CommunicatorId));
  return options;
}

/// Checks an array of views.
static Status checkViews(const jobrt_view *views, int32_t count,
                         const char *what) {
  if (Status status = requireArray(views, count, what); !status.ok())
    return status;
  for (int32_t i = 0; i < count; ++i)
    if (Status status = checkView(views[i], what, i); !status.ok())
      return status;
  return {};
}

/// The inputs of a call; checkViews() has checked them.
static InputList toInputs(const jobrt_view *views, int32_t count) {
  return InputList(views, static_cast<size_t>(count),
                   [](const jobrt_view &view) { return toInputView(view); });
}

/// Checks what a call's outputs are to be copied to.
static Status checkOutputs(const EntryInfo &entry, const jobrt_buffer *outputs,
                           int32_t count) {
  if (Status status = requireArray(outputs, count, "outputs"); !status.ok())
    return status;
  if (count != 0 && static_cast<size_t>(count) != entry.outputs.size())
    return invalid("job '" + entry.name + "' has " +
                   std::to_string(entry.outputs.size()) +
                   " outputs but got room for " + std::to_string(count));
  for (int32_t i = 0; i < count; ++i) {
    if (!outputs[i].data)
      continue;
    const PortInfo &port = entry.outputs[i];
    const jobrt_view view{outputs[i].dtype, outputs[i].rank, outputs[i].shape,
                          outputs[i].data};
    if (Status status = checkView(view, "outputs", i); !status.ok())
      return status;
    const int64_t *end = view.shape + view.rank;
    if (static_cast<DType>(view.dtype) != port.dtype ||
        !std::equal(port.shape.begin(), port.shape.end(), view.shape, end))
      return invalid(
          "job '" + entry.name + "', output '" + port.name + "': has " +
          formatType(port.shape, port.dtype) + " but got room for " +
          formatType({view.shape, end}, static_cast<DType>(view.dtype)));
  }
  return {};
}

/// A step that `start(session, entry, inputs)` begins, with its handle.
template <typename Start>
static jobrt_status startStep(Start start, jobrt_session *session,
                              const char *entry, const jobrt_view *inputs,
                              int32_t numInputs, jobrt_future **future,
                              jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     require(entry, "a job's name"),
                                     require(future, "a place for the future"),
                                     checkViews(inputs, numInputs, "inputs"));
        !status.ok())
      return status;
    Expected<Future> started =
        start(*session->session, entry, toInputs(inputs, numInputs));
    if (!started.ok())
      return started.status();
    *future = wrap(StepPool::takeState(std::move(*started)));
    return {};
  });
}

/// Names that stand in an array of the caller.
static Expected<std::vector<std::string>> toNames(const char *const *names,
                                                  int32_t count) {
  if (Status status = requireArray(names, count, "names"); !status.ok())
    return status;
  std::vector<std::string> converted;
  for (int32_t i = 0; i < count; ++i) {
    if (Status status = require(names[i], "a variable's name"); !status.ok())
      return status;
    converted.push_back(names[i]);
  }
  return converted;
}

/// Buffers of a host call that need no memory.
static constexpr size_t kInlineBuffers = 16;

static Status callHostFunction(jobrt_host_function function, void *userData,
                               std::span<const HostBuffer> buffers) {
  std::array<jobrt_host_buffer, kInlineBuffers> few;
  std::vector<jobrt_host_buffer> many;
  jobrt_host_buffer *all = few.data();
  if (buffers.size() > kInlineBuffers) {
    many.resize(buffers.size());
    all = many.data();
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    const HostBuffer &buffer = buffers[i];
    all[i] = {static_cast<jobrt_dtype>(buffer.dtype),
              static_cast<int32_t>(buffer.rank),
              buffer.shape,
              buffer.data,
              buffer.bytes,
              buffer.isRead,
              buffer.isWritten};
  }
  const char *message = nullptr;
  jobrt_status status =
      function(all, static_cast<int32_t>(buffers.size()), &message, userData);
  if (status == JOBRT_OK)
    return {};
  StatusCode code = status > 0 && status <= JOBRT_NOT_FINITE
                        ? static_cast<StatusCode>(status)
                        : StatusCode::kInternal;
  return Status(code, message ? message : "the function failed");
}

extern "C" {

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

jobrt_status jobrt_communicator_id_create(const jobrt_session_options *given,
                                          void *id, jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(id, "a place for the id"); !status.ok())
      return status;
    Expected<SessionOptions> options = toOptions(given);
    if (!options.ok())
      return options.status();
    Expected<CommunicatorId> made = createCommunicatorId(*options);
    if (!made.ok())
      return made.status();
    std::memcpy(id, made->data(), made->size());
    return {};
  });
}

jobrt_status jobrt_session_create(const jobrt_artifact *artifact,
                                  const jobrt_session_options *options,
                                  jobrt_session **session,
                                  jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status =
            firstFailure(require(artifact, "an artifact"),
                         require(session, "a place for the session"));
        !status.ok())
      return status;
    Expected<SessionOptions> converted = toOptions(options);
    if (!converted.ok())
      return converted.status();
    auto handle = std::make_unique<jobrt_session>();
    handle->artifact = *artifact;
    Expected<std::unique_ptr<Session>> made =
        Session::create(artifact->artifact, std::move(*converted));
    if (!made.ok())
      return made.status();
    handle->session = std::move(*made);
    *session = handle.release();
    return {};
  });
}

void jobrt_session_destroy(jobrt_session *session) { delete session; }

const jobrt_artifact *jobrt_session_artifact(const jobrt_session *session) {
  return session ? &session->artifact : nullptr;
}

jobrt_status jobrt_session_check_interface(const jobrt_session *session,
                                           const char *interface,
                                           jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     require(interface, "an interface"));
        !status.ok())
      return status;
    const Artifact &artifact = session->session->artifact();
    if (artifact.interface() == interface)
      return {};
    return Status(StatusCode::kInvalidArgument,
                  "expects the artifact that the header was written for, of "
                  "interface " +
                      std::string(interface) + ", but got '" + artifact.path() +
                      "' of interface " + artifact.interface());
  });
}

int32_t jobrt_session_threads(const jobrt_session *session) {
  return session ? session->session->threads() : 0;
}

jobrt_status jobrt_session_register_function(jobrt_session *session,
                                             const char *name,
                                             jobrt_host_function function,
                                             void *user_data,
                                             jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(
            require(session, "a session"), require(name, "a name"),
            require(reinterpret_cast<const void *>(function), "a function"));
        !status.ok())
      return status;
    return session->session->registerFunction(
        name, [function, user_data](std::span<const HostBuffer> buffers) {
          return callHostFunction(function, user_data, buffers);
        });
  });
}

jobrt_status jobrt_session_initialize(jobrt_session *session, int64_t seed,
                                      jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(session, "a session"); !status.ok())
      return status;
    return session->session->initialize(seed);
  });
}

jobrt_status jobrt_session_call(jobrt_session *session, const char *entry,
                                const jobrt_view *inputs, int32_t num_inputs,
                                const jobrt_buffer *outputs,
                                int32_t num_outputs, jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     require(entry, "a job's name"),
                                     checkViews(inputs, num_inputs, "inputs"));
        !status.ok())
      return status;
    // The session itself reports a name that it does not know.
    const EntryInfo *info = session->artifact.artifact->findEntry(entry);
    if (info)
      if (Status status = checkOutputs(*info, outputs, num_outputs);
          !status.ok())
        return status;
    Expected<Future> future =
        session->session->run(entry, toInputs(inputs, num_inputs));
    if (!future.ok())
      return future.status();
    if (Status status = future->wait(); !status.ok())
      return status;
    for (int32_t i = 0; i < num_outputs; ++i)
      if (outputs[i].data)
        std::memcpy(outputs[i].data, future->outputData(i),
                    info->outputs[i].bytes);
    return {};
  });
}

jobrt_status jobrt_session_run(jobrt_session *session, const char *entry,
                               const jobrt_view *inputs, int32_t num_inputs,
                               jobrt_future **future, jobrt_error **error) {
  return startStep([](Session &session, const char *entry,
                      InputList inputs) { return session.run(entry, inputs); },
                   session, entry, inputs, num_inputs, future, error);
}

jobrt_status jobrt_session_submit(jobrt_session *session, const char *entry,
                                  const jobrt_view *inputs, int32_t num_inputs,
                                  jobrt_future **future, jobrt_error **error) {
  return startStep(
      [](Session &session, const char *entry, InputList inputs) {
        return session.submit(entry, inputs);
      },
      session, entry, inputs, num_inputs, future, error);
}

void jobrt_session_cancel(jobrt_session *session) {
  if (session)
    session->session->cancel();
}

jobrt_status jobrt_session_synchronize(jobrt_session *session,
                                       jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(session, "a session"); !status.ok())
      return status;
    return session->session->synchronize();
  });
}

jobrt_status jobrt_session_start_trace(jobrt_session *session, const char *path,
                                       int64_t steps, jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     require(path, "a path"));
        !status.ok())
      return status;
    return session->session->startTrace({path, steps});
  });
}

jobrt_status jobrt_session_finish_trace(jobrt_session *session,
                                        jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(session, "a session"); !status.ok())
      return status;
    return session->session->finishTrace();
  });
}

static jobrt_memory_report wrap(const MemoryReport &report) {
  return {report.arena,     report.bank,      report.staging,
          report.workspace, report.constants, report.total()};
}

jobrt_memory_report jobrt_session_memory(const jobrt_session *session) {
  return session ? wrap(session->session->memory()) : jobrt_memory_report{};
}

jobrt_memory_report jobrt_session_device_memory(const jobrt_session *session,
                                                int32_t index) {
  if (!session || index < 0 ||
      static_cast<size_t>(index) >=
          session->session->artifact().devices().size())
    return {};
  return wrap(session->session->memory(index));
}

jobrt_allocation_report
jobrt_session_last_allocations(const jobrt_session *session) {
  if (!session)
    return {-1, -1};
  AllocationReport report = session->session->lastAllocations();
  return {report.ours, report.library};
}

void jobrt_set_allocation_source(jobrt_allocation_source source) {
  setAllocationSource(source);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

jobrt_status jobrt_session_read_variable(jobrt_session *session,
                                         const char *name,
                                         jobrt_tensor **tensor,
                                         jobrt_error **error) {
  return jobrt_session_read_variables(session, &name, 1, tensor, error);
}

jobrt_status jobrt_session_read_variables(jobrt_session *session,
                                          const char *const *names,
                                          int32_t count, jobrt_tensor **tensors,
                                          jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     requireArray(tensors, count, "tensors"));
        !status.ok())
      return status;
    Expected<std::vector<std::string>> converted = toNames(names, count);
    if (!converted.ok())
      return converted.status();
    Expected<std::vector<Tensor>> read =
        session->session->readVariables(*converted);
    if (!read.ok())
      return read.status();
    std::vector<std::unique_ptr<jobrt_tensor>> handles;
    for (Tensor &tensor : *read)
      handles.push_back(
          std::make_unique<jobrt_tensor>(jobrt_tensor{std::move(tensor)}));
    for (int32_t i = 0; i < count; ++i)
      tensors[i] = handles[i].release();
    return {};
  });
}

jobrt_status jobrt_session_write_variable(jobrt_session *session,
                                          const char *name,
                                          const jobrt_view *value,
                                          jobrt_error **error) {
  return jobrt_session_write_variables(session, &name, value, 1, error);
}

jobrt_status jobrt_session_write_variables(jobrt_session *session,
                                           const char *const *names,
                                           const jobrt_view *values,
                                           int32_t count, jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = require(session, "a session"); !status.ok())
      return status;
    Expected<std::vector<std::string>> converted = toNames(names, count);
    if (!converted.ok())
      return converted.status();
    if (Status status = requireArray(values, count, "values"); !status.ok())
      return status;
    std::vector<std::pair<std::string, TensorView>> pairs;
    for (int32_t i = 0; i < count; ++i) {
      Expected<TensorView> view =
          toView(&values[i], "values " + std::to_string(i));
      if (!view.ok())
        return view.status();
      pairs.emplace_back(std::move((*converted)[i]), std::move(*view));
    }
    return session->session->writeVariables(pairs);
  });
}

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

jobrt_status jobrt_save_checkpoint(jobrt_session *session, const char *path,
                                   jobrt_checkpoint_layout layout,
                                   jobrt_existing_checkpoint existing,
                                   jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     require(path, "a path"));
        !status.ok())
      return status;
    if (layout != JOBRT_CHECKPOINT_NATIVE && layout != JOBRT_CHECKPOINT_LEGACY)
      return invalid("expects a layout of 0 (native) or 1 (legacy) but got " +
                     std::to_string(layout));
    if (existing != JOBRT_EXISTING_REFUSE && existing != JOBRT_EXISTING_REPLACE)
      return invalid("expects 0 (refuse) or 1 (replace) for a checkpoint that "
                     "exists but got " +
                     std::to_string(existing));
    return saveCheckpoint(*session->session, path,
                          static_cast<CheckpointLayout>(layout),
                          static_cast<ExistingCheckpoint>(existing));
  });
}

jobrt_status jobrt_load_checkpoint(jobrt_session *session, const char *path,
                                   jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status = firstFailure(require(session, "a session"),
                                     require(path, "a path"));
        !status.ok())
      return status;
    return loadCheckpoint(*session->session, path);
  });
}

} // extern "C"
