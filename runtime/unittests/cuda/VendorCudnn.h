//===- VendorCudnn.h - The vendor's cuDNN without a GPU ---------*- C++ -*-===//
//
// The library prepares calls for a GPU that it is told of, down to the machine
// code of its kernels, which the libcuda of VendorCuda.c pretends to load. So
// all that a driver does before it runs a call can be tested where no GPU is.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_CUDA_VENDORCUDNN_H
#define JOBRT_UNITTESTS_CUDA_VENDORCUDNN_H

#include "drivers/cuda/CudaContext.h"
#include "drivers/cuda/cudnn/Cudnn.h"

namespace jobrt::test {

/// What differs between GPUs, in the library's description of one.
struct VendorGpu {
  const char *name;
  /// The compute capability.
  int major, minor;
  int multiprocessors;
  /// Of shared memory that a block may have.
  int sharedBytes;
};

inline constexpr VendorGpu kVendorGpus[] = {
    {"NVIDIA A100", 8, 0, 108, 166912},
    {"NVIDIA H200", 9, 0, 132, 232448},
    {"NVIDIA B200", 10, 0, 148, 232448},
    {"NVIDIA B300", 10, 3, 148, 232448}};

/// The library, opened for one GPU, which need not be there. One at a time: the
/// library's functions take no argument of a caller.
class VendorCudnn {
public:
  /// Errors: kNotFound (no library or no CUDA toolkit on this machine),
  /// kUnimplemented (a library that cannot be told of a GPU), or that of a
  /// call.
  static Expected<std::unique_ptr<VendorCudnn>> open(const VendorGpu &gpu);
  ~VendorCudnn();

  /// The functions with which a driver on the GPU prepares calls. It has no
  /// handle, in place of which these take the description.
  const cuda::cudnn::Api &api() const { return functions; }
  /// A context on the GPU, for prepareAttention().
  const cuda::DeviceContext &context() const { return *device; }

private:
  VendorCudnn() = default;

  cuda::cudnn::Api functions;
  std::shared_ptr<cuda::DeviceContext> device;
  cuda::cudnn::OwnedDescriptor description;
};

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_VENDORCUDNN_H
