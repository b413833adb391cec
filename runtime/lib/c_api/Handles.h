//===- Handles.h - What stands behind the handles of c_api.h ----*- C++ -*-===//
//
// Objects that the caller owns are small structs around the C++ ones; parts of
// an artifact, and calls in flight, are the C++ objects themselves under
// another name.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_C_API_HANDLES_H
#define JOBRT_LIB_C_API_HANDLES_H

#include "jobrt/c_api.h"
#include "jobrt/session.h"
#include "lib/executor/StepPool.h"

#include <new>

struct jobrt_error {
  jobrt::Status status;
};

struct jobrt_tensor {
  jobrt::Tensor tensor;
};

struct jobrt_artifact {
  std::shared_ptr<const jobrt::Artifact> artifact;
};

struct jobrt_session {
  jobrt_artifact artifact;
  std::unique_ptr<jobrt::Session> session;
};

namespace jobrt::c_api {

//===----------------------------------------------------------------------===//
// Parts of an artifact
//===----------------------------------------------------------------------===//

inline const jobrt_entry *wrap(const EntryInfo *entry) {
  return reinterpret_cast<const jobrt_entry *>(entry);
}
inline const EntryInfo *unwrap(const jobrt_entry *entry) {
  return reinterpret_cast<const EntryInfo *>(entry);
}
inline const jobrt_port *wrap(const PortInfo *port) {
  return reinterpret_cast<const jobrt_port *>(port);
}
inline const PortInfo *unwrap(const jobrt_port *port) {
  return reinterpret_cast<const PortInfo *>(port);
}
inline const jobrt_variable *wrap(const VariableInfo *variable) {
  return reinterpret_cast<const jobrt_variable *>(variable);
}
inline const VariableInfo *unwrap(const jobrt_variable *variable) {
  return reinterpret_cast<const VariableInfo *>(variable);
}
inline const jobrt_command *wrap(const Command *command) {
  return reinterpret_cast<const jobrt_command *>(command);
}
inline const Command *unwrap(const jobrt_command *command) {
  return reinterpret_cast<const Command *>(command);
}

//===----------------------------------------------------------------------===//
// Calls in flight
//===----------------------------------------------------------------------===//

// A handle is one reference on the state that all futures of a call share:
// states are made with the session, so that a call allocates nothing.

inline jobrt_future *wrap(StepPool::State *state) {
  return reinterpret_cast<jobrt_future *>(state);
}
inline StepPool::State *unwrap(const jobrt_future *future) {
  return reinterpret_cast<StepPool::State *>(
      const_cast<jobrt_future *>(future));
}
/// A future beside the handle, which keeps its reference.
inline Future shareFuture(const jobrt_future *future) {
  StepPool::State *state = unwrap(future);
  state->pool.retain(*state);
  return StepPool::makeFuture(state);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The code of `status`; a failure also becomes an error object. Without memory
/// for one, a fixed object that says so, and its code.
jobrt_status report(const Status &status, jobrt_error **error) noexcept;
/// The same for the exception that is being handled.
jobrt_status reportException(jobrt_error **error) noexcept;

/// Calls `function`, which returns a Status. Nothing leaves it but a code.
template <typename Function>
jobrt_status guarded(jobrt_error **error, Function function) noexcept {
  try {
    return report(function(), error);
  } catch (...) {
    return reportException(error);
  }
}

/// "expects <what> but got NULL" when the pointer is null.
inline Status require(const void *pointer, const char *what) {
  if (pointer)
    return {};
  return Status(StatusCode::kInvalidArgument,
                std::string("expects ") + what + " but got NULL");
}

/// Of several checks the first that failed.
template <typename... Statuses>
Status firstFailure(Status status, Statuses... others) {
  if constexpr (sizeof...(others) > 0)
    if (status.ok())
      return firstFailure(std::move(others)...);
  return status;
}

/// An array of `count` elements that the caller passed.
inline Status requireArray(const void *array, int32_t count, const char *what) {
  if (count < 0)
    return Status(StatusCode::kInvalidArgument,
                  std::string("expects a number of ") + what +
                      " of at least 0 but got " + std::to_string(count));
  return count == 0 ? Status() : require(array, what);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Null when it is no element type.
std::optional<DType> toDType(jobrt_dtype dtype);

/// Checks what a C caller may get wrong: dtype, rank, extents, pointers. `what`
/// names the array ("input 0"). The data may be null.
Expected<TensorView> toView(const jobrt_view *view, const std::string &what);

/// The same, with data wherever there are elements.
Expected<TensorView> toViewWithData(const jobrt_view *view,
                                    const std::string &what);

/// Checks as toView() does, of the i-th of several: "inputs 0". Allocates
/// nothing when all is well.
Status checkView(const jobrt_view &view, const char *what, int32_t i);

/// A view that has been checked.
inline InputView toInputView(const jobrt_view &view) {
  return {static_cast<DType>(view.dtype), view.shape,
          static_cast<size_t>(view.rank), view.data};
}

} // namespace jobrt::c_api

#endif // JOBRT_LIB_C_API_HANDLES_H
