//===- CublasLt.h - The library functions made of cuBLASLt ------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUBLASLT_CUBLASLT_H
#define JOBRT_DRIVERS_CUDA_CUBLASLT_CUBLASLT_H

#include "drivers/cuda/CudaCall.h"
#include "drivers/cuda/cublaslt/CublasLtApi.h"

namespace jobrt::cuda::cublaslt {

/// Opens cuBLASLt with a handle for the device.
Expected<std::unique_ptr<Library>>
openLibrary(std::shared_ptr<DeviceContext> context);

/// An object of cuBLASLt that is destroyed at the end.
template <typename T> class Owned {
public:
  using Destroy = Result (*Api::*)(T);
  Owned(const Api &api, Destroy destroy) : api(api), destroy(destroy) {}
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    if (object)
      (void)(api.*destroy)(object);
  }
  T get() const { return object; }
  /// Where a function stores a new object.
  T *receive() { return &object; }

private:
  const Api &api;
  Destroy destroy;
  T object = nullptr;
};

/// cublaslt.matmul. Library and handle outlive the call.
Expected<std::unique_ptr<Call>> prepareMatMul(const Api &api, Handle handle,
                                              const Command &command);

} // namespace jobrt::cuda::cublaslt

#endif // JOBRT_DRIVERS_CUDA_CUBLASLT_CUBLASLT_H
