//===- Error.cpp - Errors and versions of the C API -----------------------===//

#include "lib/c_api/Handles.h"

using namespace jobrt;
using namespace jobrt::c_api;

static_assert(JOBRT_OK == int(StatusCode::kOk));
static_assert(JOBRT_INVALID_ARGUMENT == int(StatusCode::kInvalidArgument));
static_assert(JOBRT_NOT_FOUND == int(StatusCode::kNotFound));
static_assert(JOBRT_ALREADY_EXISTS == int(StatusCode::kAlreadyExists));
static_assert(JOBRT_DATA_LOSS == int(StatusCode::kDataLoss));
static_assert(JOBRT_UNIMPLEMENTED == int(StatusCode::kUnimplemented));
static_assert(JOBRT_RESOURCE_EXHAUSTED == int(StatusCode::kResourceExhausted));
static_assert(JOBRT_IO == int(StatusCode::kIo));
static_assert(JOBRT_CANCELLED == int(StatusCode::kCancelled));
static_assert(JOBRT_INTERNAL == int(StatusCode::kInternal));
static_assert(JOBRT_NOT_FINITE == int(StatusCode::kNotFinite));

/// Made when the library is loaded, while there is memory.
static jobrt_error outOfMemory{Status(StatusCode::kResourceExhausted,
                                      "no memory left to report an error "
                                      "or to finish the call")};
static jobrt_error unexpected{
    Status(StatusCode::kInternal, "an unexpected exception")};

static jobrt_status reportFixed(jobrt_error &fixed, jobrt_error **error) {
  if (error)
    *error = &fixed;
  return static_cast<jobrt_status>(fixed.status.code());
}

jobrt_status c_api::report(const Status &status, jobrt_error **error) noexcept {
  if (status.ok())
    return JOBRT_OK;
  if (error) {
    auto *made = new (std::nothrow) jobrt_error{status};
    if (!made)
      return reportFixed(outOfMemory, error);
    *error = made;
  }
  return static_cast<jobrt_status>(status.code());
}

jobrt_status c_api::reportException(jobrt_error **error) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return reportFixed(outOfMemory, error);
  } catch (...) {
    return reportFixed(unexpected, error);
  }
}

extern "C" {

int32_t jobrt_c_api_version(void) { return JOBRT_C_API_VERSION; }

const char *jobrt_version(void) { return JOBRT_VERSION; }

int32_t jobrt_artifact_format_version(void) { return JOBRT_FORMAT_VERSION; }

const char *jobrt_status_name(jobrt_status status) {
  return statusCodeName(static_cast<StatusCode>(status));
}

jobrt_status jobrt_error_status(const jobrt_error *error) {
  return error ? static_cast<jobrt_status>(error->status.code()) : JOBRT_OK;
}

const char *jobrt_error_message(const jobrt_error *error) {
  return error ? error->status.message().c_str() : "";
}

const char *jobrt_error_location(const jobrt_error *error) {
  return error ? error->status.location().c_str() : "";
}

void jobrt_error_destroy(jobrt_error *error) {
  if (error != &outOfMemory && error != &unexpected)
    delete error;
}

} // extern "C"
