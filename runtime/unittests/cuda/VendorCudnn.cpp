//===- VendorCudnn.cpp - The vendor's cuDNN without a GPU -----------------===//

#include "unittests/cuda/VendorCudnn.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace jobrt;
using namespace jobrt::test;
using namespace jobrt::cuda::cudnn;

// Names of the library that the driver does not need.
static constexpr int kCharType = 24, kDevicePropertiesDescriptor = 38,
                     kDevicePropertiesJson = 2702, kHeuristicsDevice = 204,
                     kPlanDevice = 407, kEngineDevice = 1307;
/// Descriptions of GPUs are in the library since then.
static constexpr size_t kDescriptionVersion = 90800;

/// The library's function and the description, of the only VendorCudnn.
static decltype(Api::setAttribute) setAttribute;
static Descriptor gpuDescription;
static const VendorGpu *currentGpu;

/// Sets an attribute, and with it the GPU where that has to be known.
static Result setWithGpu(Descriptor descriptor, int attribute, int type,
                         int64_t count, const void *values) {
  auto setGpu = [&](int attribute) {
    return setAttribute(descriptor, attribute, kDescriptorType, 1,
                        &gpuDescription);
  };
  switch (attribute) {
  case kGraphHandle:
    return kSuccess;
  case kPlanHandle:
    return setGpu(kPlanDevice);
  default:
    break;
  }
  if (Result result = setAttribute(descriptor, attribute, type, count, values))
    return result;
  switch (attribute) {
  case kHeuristicsGraph:
    return setGpu(kHeuristicsDevice);
  case kEngineGraph:
    return setGpu(kEngineDevice);
  default:
    return kSuccess;
  }
}

static cuda::Result getCapability(int *value, int attribute, cuda::Device) {
  *value = attribute == cuda::kComputeCapabilityMajor   ? currentGpu->major
           : attribute == cuda::kComputeCapabilityMinor ? currentGpu->minor
                                                        : 0;
  return cuda::kSuccess;
}

/// Also what cuDNN 9.28 expects; older ones take no notice of the rest.
static std::string describe(const VendorGpu &gpu) {
  return std::string("{\"deviceName\": \"") + gpu.name + "\", \"deviceVer\": " +
         std::to_string(100 * gpu.major + 10 * gpu.minor) +
         ", \"multiProcessorCount\": " + std::to_string(gpu.multiprocessors) +
         ", \"maxSharedMemoryPerBlockOptin\": " +
         std::to_string(gpu.sharedBytes) +
         ", \"oversizedSharedMemoryPerBlock\": " +
         std::to_string(gpu.sharedBytes) +
         R"(, "cudaDeviceId": 0, "smCountOrigin": 0, "driverVer": 13000,
              "maxGridSize": [2147483647, 65535, 65535],
              "maxBlockSize": [1024, 1024, 64], "regsPerBlock": 65536,
              "warpSize": 32, "maxSharedMemoryPerBlock": 49152,
              "reservedSharedMemoryPerBlock": 1024, "maxRegistersPerSM": 65536,
              "maxCtasPerSM": 32, "maxThreadsPerBlock": 1024,
              "maxThreadsPerSM": 2048, "pciDeviceId": 0, "isTccDriver": 0,
              "supportCoopLaunch": 1, "totalGlobalMem": 150000000000,
              "smClockRateKHz": 1980000, "memClockRateKHz": 2619000,
              "memoryBusWidth": 6144, "l2CacheSize": 52428800})";
}

Expected<std::unique_ptr<VendorCudnn>> VendorCudnn::open(const VendorGpu &gpu) {
  if (!*JOBRT_VENDOR_CUDNN || !*JOBRT_VENDOR_CUDA)
    return Status(StatusCode::kNotFound,
                  "no libcudnn.so.9 with a CUDA toolkit on this machine");
  // The library looks for one of this name.
  if (!dlopen(JOBRT_VENDOR_CUDA, RTLD_NOW | RTLD_GLOBAL))
    return Status(StatusCode::kInternal, dlerror());
  auto fake = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  if (!fake.ok())
    return fake.status();
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_VENDOR_CUDNN, 1);
  auto opened = Api::open(**fake);
  unsetenv("JOBMLIR_CUDNN_LIBRARY");
  if (!opened.ok())
    return opened.status();
  if ((*opened)->version < kDescriptionVersion)
    return Status(StatusCode::kUnimplemented, "cuDNN is older than 9.8");

  std::unique_ptr<VendorCudnn> result(new VendorCudnn());
  currentGpu = &gpu;
  auto cuda = std::make_shared<cuda::Api>(**fake);
  cuda->deviceGetAttribute = getCapability;
  auto device = cuda::DeviceContext::create(cuda, 0);
  if (!device.ok())
    return device.status();
  result->device = std::move(*device);
  result->functions = **opened;
  std::string json = describe(gpu);
  auto description =
      DescriptorBuilder(result->functions, kDevicePropertiesDescriptor, "a GPU")
          .set(kDevicePropertiesJson, kCharType, std::span<const char>(json))
          .finish();
  if (!description.ok())
    return description.status();
  result->description = std::move(*description);
  setAttribute = result->functions.setAttribute;
  gpuDescription = result->description.get();
  result->functions.setAttribute = setWithGpu;
  return result;
}

VendorCudnn::~VendorCudnn() = default;
