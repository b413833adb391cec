//===- Objects.cpp - Handles and errors of the stand-in for cuDNN ---------===//

#include "simulators/cudnn/State.h"

#include <cstring>
#include <mutex>
#include <set>

using namespace jobsim::cudnn;

//===----------------------------------------------------------------------===//
// Objects that exist
//===----------------------------------------------------------------------===//

namespace {
struct Object {
  std::shared_ptr<DescriptorData> data;
};
struct Objects {
  std::mutex mutex;
  std::set<Handle> handles;
  std::set<Descriptor> descriptors;
};
} // namespace

static Objects &objects() {
  static auto *instance = new Objects();
  return *instance;
}

bool jobsim::cudnn::exists(Handle handle) {
  std::lock_guard lock(objects().mutex);
  return objects().handles.count(handle);
}

std::shared_ptr<DescriptorData>
jobsim::cudnn::findDescriptor(Descriptor descriptor) {
  std::lock_guard lock(objects().mutex);
  if (!objects().descriptors.count(descriptor))
    return nullptr;
  return static_cast<Object *>(descriptor)->data;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static constexpr const char *kFunctions[] = {
#define JOBSIM_NAME(name, symbol, result, parameters) #symbol,
    JOBRT_FOR_EACH_CUDNN_FUNCTION(JOBSIM_NAME)
#undef JOBSIM_NAME
};

__attribute__((constructor)) static void registerFunctions() {
  jobsim_library_register(kFunctions, std::size(kFunctions));
}

static std::string &lastError() {
  thread_local std::string text;
  return text;
}

Result jobsim::cudnn::refuse(const char *function, const Refusal &refusal) {
  lastError() = std::string(function) + ": " + refusal.reason;
  jobsim_library_refuse(lastError().c_str());
  return refusal.result;
}

Result jobsim::cudnn::begin(const char *function, Result failure) {
  int error = jobsim_library_call(function);
  if (error == 0)
    return kSuccess;
  // Some texts of the library have several lines.
  lastError() = "the failure was\nasked for";
  return error > 0 ? error : failure;
}

namespace {
struct StatusText {
  Result result;
  const char *name;
};
} // namespace

static constexpr StatusText kStatuses[] = {
    {kSuccess, "CUDNN_STATUS_SUCCESS"},
    {kNotInitialized, "CUDNN_STATUS_NOT_INITIALIZED"},
    {kBadParam, "CUDNN_STATUS_BAD_PARAM"},
    {kBadParamNullPointer, "CUDNN_STATUS_BAD_PARAM_NULL_POINTER"},
    {kBadParamMisaligned, "CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER"},
    {kBadParamNotFinalized, "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED"},
    {kBadParamOutOfBound, "CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND"},
    {kBadParamSizeInsufficient, "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT"},
    {kBadParamShapeMismatch, "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH"},
    {kBadParamDuplicatedEntries, "CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES"},
    {kBadParamAttributeType, "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE"},
    {kBadParamDescriptorType, "CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE"},
    {kNotSupported, "CUDNN_STATUS_NOT_SUPPORTED"},
    {kNotSupportedGraphPattern, "CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN"},
    {kNotSupportedDataType, "CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE"},
    {kNotSupportedLayout, "CUDNN_STATUS_NOT_SUPPORTED_LAYOUT"},
    {kInternalError, "CUDNN_STATUS_INTERNAL_ERROR"},
    {kCompilationFailed, "CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED"},
    {kHostAllocationFailed,
     "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED"},
    {kDeviceAllocationFailed,
     "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"},
    {kExecutionFailed, "CUDNN_STATUS_EXECUTION_FAILED"},
};

// Callers ask for these to report a failure: they do not fail themselves.

const char *cudnnGetErrorString(Result result) {
  for (const StatusText &status : kStatuses)
    if (status.result == result)
      return status.name;
  return "CUDNN_UNKNOWN_STATUS";
}

void cudnnGetLastErrorString(char *message, size_t bytes) {
  if (!message || bytes == 0)
    return;
  std::strncpy(message, lastError().c_str(), bytes);
  message[bytes - 1] = '\0';
}

size_t cudnnGetVersion() { return 91900; }

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

Result cudnnCreate(Handle *handle) {
  constexpr const char *kFunction = "cudnnCreate";
  if (Result result = begin(kFunction, kDeviceAllocationFailed))
    return result;
  if (!handle)
    return refuse(kFunction,
                  {kBadParamNullPointer, "expects a place for the handle"});
  if (jobsim_library_context())
    return refuse(kFunction,
                  {kNotInitialized, "no context is current on this thread"});
  *handle = new cudnnContext();
  jobsim_library_count("handle", 1);
  std::lock_guard lock(objects().mutex);
  objects().handles.insert(*handle);
  return kSuccess;
}

Result cudnnDestroy(Handle handle) {
  constexpr const char *kFunction = "cudnnDestroy";
  Result result = begin(kFunction, kInternalError);
  {
    std::lock_guard lock(objects().mutex);
    if (!objects().handles.erase(handle))
      return refuse(kFunction, {kBadParam, "no such handle"});
  }
  jobsim_library_count("handle", -1);
  delete handle;
  return result;
}

Result cudnnSetStream(Handle handle, Stream stream) {
  constexpr const char *kFunction = "cudnnSetStream";
  if (Result result = begin(kFunction, kBadParam))
    return result;
  if (!exists(handle))
    return refuse(kFunction, {kBadParam, "no such handle"});
  handle->stream = stream;
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static constexpr int kDescriptorTypes[] = {kPointwiseDescriptor,
                                           kConvolutionDescriptor,
                                           kEngineDescriptor,
                                           kEngineConfigDescriptor,
                                           kHeuristicsDescriptor,
                                           kPlanDescriptor,
                                           kKnobChoiceDescriptor,
                                           kConvolutionForwardDescriptor,
                                           kConvolutionFilterGradDescriptor,
                                           kConvolutionDataGradDescriptor,
                                           kPointwiseOperationDescriptor,
                                           kGraphDescriptor,
                                           kVariantPackDescriptor,
                                           kTensorDescriptor,
                                           kMatMulDescriptor,
                                           kMatMulOperationDescriptor,
                                           kReductionDescriptor,
                                           kReductionOperationDescriptor,
                                           kReshapeOperationDescriptor,
                                           kResampleDescriptor,
                                           kResampleForwardDescriptor,
                                           kResampleGradDescriptor};

Result cudnnBackendCreateDescriptor(int type, Descriptor *descriptor) {
  constexpr const char *kFunction = "cudnnBackendCreateDescriptor";
  if (Result result = begin(kFunction, kHostAllocationFailed))
    return result;
  if (!descriptor)
    return refuse(kFunction,
                  {kBadParamNullPointer, "expects a place for the descriptor"});
  bool isKnown = false;
  for (int known : kDescriptorTypes)
    isKnown |= known == type;
  if (!isKnown)
    return refuse(kFunction,
                  {kNotSupported, "the stand-in has no descriptor of type " +
                                      std::to_string(type)});
  auto *object = new Object{std::make_shared<DescriptorData>()};
  object->data->type = type;
  *descriptor = object;
  jobsim_library_count("backend descriptor", 1);
  std::lock_guard lock(objects().mutex);
  objects().descriptors.insert(object);
  return kSuccess;
}

Result cudnnBackendDestroyDescriptor(Descriptor descriptor) {
  constexpr const char *kFunction = "cudnnBackendDestroyDescriptor";
  Result result = begin(kFunction, kInternalError);
  {
    std::lock_guard lock(objects().mutex);
    if (!objects().descriptors.erase(descriptor))
      return refuse(kFunction, {kBadParam, "no such descriptor"});
  }
  jobsim_library_count("backend descriptor", -1);
  delete static_cast<Object *>(descriptor);
  return result;
}

Result cudnnBackendFinalize(Descriptor descriptor) {
  constexpr const char *kFunction = "cudnnBackendFinalize";
  if (Result result = begin(kFunction, kInternalError))
    return result;
  std::shared_ptr<DescriptorData> data = findDescriptor(descriptor);
  if (!data)
    return refuse(kFunction, {kBadParam, "no such descriptor"});
  if (Refusal refusal = finalize(*data); refusal.result)
    return refuse(kFunction, refusal);
  data->isFinalized = true;
  return kSuccess;
}
