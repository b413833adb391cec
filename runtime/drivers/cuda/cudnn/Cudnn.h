//===- Cudnn.h - The library functions made of cuDNN ------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_CUDNN_H
#define JOBRT_DRIVERS_CUDA_CUDNN_CUDNN_H

#include "drivers/cuda/CudaCall.h"
#include "drivers/cuda/cudnn/Descriptors.h"
#include "jobrt/calls.h"

namespace jobrt::cuda::cudnn {

/// Opens cuDNN with a handle for the device.
Expected<std::unique_ptr<Library>>
openLibrary(std::shared_ptr<DeviceContext> context);

/// cudnn.conv2d and its gradients. Library and handle outlive the call.
Expected<std::unique_ptr<Call>> prepareConv2d(const Api &api, Handle handle,
                                              const Command &command);

/// The operation of a convolution or a gradient, finalized. The unique ids of
/// its tensors are their places in the command, from 1 on.
Expected<OwnedDescriptor> createConv2d(const Api &api,
                                       const calls::CudnnConv2d &config,
                                       calls::Conv2dKind kind);

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_CUDNN_H
