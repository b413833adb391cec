//===- Objects.cpp - Handles and descriptors of cuBLASLt ------------------===//

#include "simulators/cublaslt/Calls.h"

#include <cstring>
#include <mutex>
#include <set>

using namespace jobsim::cublaslt;

struct cublasLtContext {};

//===----------------------------------------------------------------------===//
// Objects that exist
//===----------------------------------------------------------------------===//

namespace {
struct Objects {
  std::mutex mutex;
  std::set<const void *> live;
};
} // namespace

static Objects &objects() {
  static auto *instance = new Objects();
  return *instance;
}

bool jobsim::cublaslt::exists(const void *object) {
  std::lock_guard lock(objects().mutex);
  return objects().live.count(object);
}

template <typename T> static T *add(T *object, const char *kind) {
  jobsim_library_count(kind, 1);
  std::lock_guard lock(objects().mutex);
  objects().live.insert(object);
  return object;
}

/// Whether it existed.
template <typename T> static bool remove(T *object, const char *kind) {
  {
    std::lock_guard lock(objects().mutex);
    if (!objects().live.erase(object))
      return false;
  }
  jobsim_library_count(kind, -1);
  delete object;
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr const char *kFunctions[] = {
#define JOBSIM_NAME(name, symbol, result, parameters) #symbol,
    JOBRT_FOR_EACH_CUBLASLT_FUNCTION(JOBSIM_NAME)
#undef JOBSIM_NAME
};

__attribute__((constructor)) static void registerFunctions() {
  jobsim_library_register(kFunctions, std::size(kFunctions));
}

Result jobsim::cublaslt::refuse(Result result, const std::string &reason) {
  jobsim_library_refuse(reason.c_str());
  return result;
}

Result jobsim::cublaslt::begin(const char *function, Result failure) {
  int error = jobsim_library_call(function);
  return error == 0 ? kSuccess : error > 0 ? error : failure;
}

/// Copies the value of an attribute whose internal storage is `member`.
template <typename T>
static Result store(const char *function, T &member, const void *value,
                    size_t bytes) {
  if (!value || bytes != sizeof(T))
    return refuse(kInvalidValue, std::string(function) + ": expects " +
                                     std::to_string(sizeof(T)) +
                                     " bytes for the attribute but got " +
                                     std::to_string(value ? bytes : 0));
  std::memcpy(&member, value, bytes);
  return kSuccess;
}

static Result refuseAttribute(const char *function, int attribute) {
  return refuse(kInvalidValue, std::string(function) +
                                   ": the stand-in has no attribute " +
                                   std::to_string(attribute));
}

static Result refuseObject(const char *function) {
  return refuse(kInvalidValue, std::string(function) + ": no such object");
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

Result cublasLtCreate(Handle *handle) {
  if (Result result = begin("cublasLtCreate", kAllocFailed))
    return result;
  if (!handle)
    return refuse(kInvalidValue, "cublasLtCreate: expects a place for it");
  if (jobsim_library_context())
    return refuse(kNotInitialized,
                  "cublasLtCreate: no context is current on this thread");
  *handle = add(new cublasLtContext(), "handle");
  return kSuccess;
}

Result cublasLtDestroy(Handle handle) {
  Result result = begin("cublasLtDestroy", kInternalError);
  if (!remove(handle, "handle"))
    return refuse(kNotInitialized, "cublasLtDestroy: no such handle");
  return result;
}

size_t cublasLtGetVersion() { return 130000; }

namespace {
struct StatusText {
  Result result;
  const char *name, *text;
};
} // namespace

static constexpr StatusText kStatuses[] = {
    {kSuccess, "CUBLAS_STATUS_SUCCESS", "the operation completed successfully"},
    {kNotInitialized, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {kAllocFailed, "CUBLAS_STATUS_ALLOC_FAILED",
     "the resource allocation failed"},
    {kInvalidValue, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {kArchMismatch, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the requested functionality is not supported on this architecture"},
    {kMappingError, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {kExecutionFailed, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {kInternalError, "CUBLAS_STATUS_INTERNAL_ERROR",
     "an internal operation failed"},
    {kNotSupported, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {kLicenseError, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires some license"},
};

// Callers ask for these to report a failure: they do not fail themselves.

const char *cublasLtGetStatusName(Result result) {
  for (const StatusText &status : kStatuses)
    if (status.result == result)
      return status.name;
  return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasLtGetStatusString(Result result) {
  for (const StatusText &status : kStatuses)
    if (status.result == result)
      return status.text;
  return "unknown status";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Result cublasLtMatrixLayoutCreate(MatrixLayout *layout, int type, uint64_t rows,
                                  uint64_t columns, int64_t leading) {
  if (Result result = begin("cublasLtMatrixLayoutCreate", kAllocFailed))
    return result;
  if (!layout)
    return refuse(kInvalidValue,
                  "cublasLtMatrixLayoutCreate: expects a place for it");
  *layout =
      add(new MatrixLayoutData{type, rows, columns, leading}, "matrix layout");
  return kSuccess;
}

Result cublasLtMatrixLayoutDestroy(MatrixLayout layout) {
  Result result = begin("cublasLtMatrixLayoutDestroy", kInternalError);
  return remove(layout, "matrix layout")
             ? result
             : refuseObject("cublasLtMatrixLayoutDestroy");
}

Result cublasLtMatrixLayoutSetAttribute(MatrixLayout layout, int attribute,
                                        const void *value, size_t bytes) {
  constexpr const char *kFunction = "cublasLtMatrixLayoutSetAttribute";
  if (Result result = begin(kFunction, kInvalidValue))
    return result;
  if (!exists(layout))
    return refuseObject(kFunction);
  switch (attribute) {
  case kLayoutBatchCount:
    return store(kFunction, layout->batchCount, value, bytes);
  case kLayoutBatchOffset:
    return store(kFunction, layout->batchOffset, value, bytes);
  default:
    return refuseAttribute(kFunction, attribute);
  }
}

//===----------------------------------------------------------------------===//
// Descriptors of products
//===----------------------------------------------------------------------===//

Result cublasLtMatmulDescCreate(MatmulDesc *desc, int computeType,
                                int scaleType) {
  if (Result result = begin("cublasLtMatmulDescCreate", kAllocFailed))
    return result;
  if (!desc)
    return refuse(kInvalidValue,
                  "cublasLtMatmulDescCreate: expects a place for it");
  *desc = add(new MatmulDescData{computeType, scaleType}, "matmul descriptor");
  return kSuccess;
}

Result cublasLtMatmulDescDestroy(MatmulDesc desc) {
  Result result = begin("cublasLtMatmulDescDestroy", kInternalError);
  return remove(desc, "matmul descriptor")
             ? result
             : refuseObject("cublasLtMatmulDescDestroy");
}

Result cublasLtMatmulDescSetAttribute(MatmulDesc desc, int attribute,
                                      const void *value, size_t bytes) {
  constexpr const char *kFunction = "cublasLtMatmulDescSetAttribute";
  if (Result result = begin(kFunction, kInvalidValue))
    return result;
  if (!exists(desc))
    return refuseObject(kFunction);
  switch (attribute) {
  case kDescTransA:
    return store(kFunction, desc->transposeA, value, bytes);
  case kDescTransB:
    return store(kFunction, desc->transposeB, value, bytes);
  case kDescEpilogue:
    return store(kFunction, desc->epilogue, value, bytes);
  case kDescBiasPointer:
    return store(kFunction, desc->bias, value, bytes);
  case kDescAuxPointer:
    return store(kFunction, desc->aux, value, bytes);
  case kDescAuxLeading:
    return store(kFunction, desc->auxLeading, value, bytes);
  default:
    return refuseAttribute(kFunction, attribute);
  }
}

//===----------------------------------------------------------------------===//
// Preferences
//===----------------------------------------------------------------------===//

Result cublasLtMatmulPreferenceCreate(Preference *preference) {
  if (Result result = begin("cublasLtMatmulPreferenceCreate", kAllocFailed))
    return result;
  if (!preference)
    return refuse(kInvalidValue,
                  "cublasLtMatmulPreferenceCreate: expects a place for it");
  *preference = add(new PreferenceData(), "matmul preference");
  return kSuccess;
}

Result cublasLtMatmulPreferenceDestroy(Preference preference) {
  Result result = begin("cublasLtMatmulPreferenceDestroy", kInternalError);
  return remove(preference, "matmul preference")
             ? result
             : refuseObject("cublasLtMatmulPreferenceDestroy");
}

Result cublasLtMatmulPreferenceSetAttribute(Preference preference,
                                            int attribute, const void *value,
                                            size_t bytes) {
  constexpr const char *kFunction = "cublasLtMatmulPreferenceSetAttribute";
  if (Result result = begin(kFunction, kInvalidValue))
    return result;
  if (!exists(preference))
    return refuseObject(kFunction);
  switch (attribute) {
  case kPreferenceMaxWorkspaceBytes:
    return store(kFunction, preference->workspaceBytes, value, bytes);
  case kPreferenceReductionSchemes:
    return store(kFunction, preference->reductionSchemes, value, bytes);
  case kPreferenceMinAlignmentA:
    return store(kFunction, preference->alignmentA, value, bytes);
  case kPreferenceMinAlignmentB:
    return store(kFunction, preference->alignmentB, value, bytes);
  case kPreferenceMinAlignmentC:
    return store(kFunction, preference->alignmentC, value, bytes);
  case kPreferenceMinAlignmentD:
    return store(kFunction, preference->alignmentD, value, bytes);
  default:
    return refuseAttribute(kFunction, attribute);
  }
}
