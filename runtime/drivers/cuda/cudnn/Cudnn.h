//===- Cudnn.h - The library functions made of cuDNN ------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_CUDNN_H
#define JOBRT_DRIVERS_CUDA_CUDNN_CUDNN_H

#include "drivers/cuda/CudaCall.h"
#include "drivers/cuda/cudnn/ExecutionPlan.h"
#include "jobrt/calls.h"

namespace jobrt::cuda::cudnn {

/// Opens cuDNN with a handle for the device.
Expected<std::unique_ptr<Library>>
openLibrary(std::shared_ptr<DeviceContext> context);

/// Prepares a command of this library for a device. Library and handle outlive
/// the call. Errors: kUnimplemented (a function or an engine that the library
/// does not have), or that of a call.
Expected<std::unique_ptr<Call>> prepareCall(ExecutionPlans &plans,
                                            const DeviceContext &device,
                                            const Command &command);

/// cudnn.conv2d and its gradients.
Expected<std::unique_ptr<Call>> prepareConv2d(ExecutionPlans &plans,
                                              const Command &command);

/// The operations of a convolution or a gradient, finalized: the first is the
/// convolution, the others are its epilogue. The unique ids of tensors in
/// memory are their places in the command, from 1 on.
template <typename Config>
Expected<std::vector<OwnedDescriptor>> createConv2d(const Api &api,
                                                    const Config &config);

/// cudnn.avg_pool2d and its gradient.
Expected<std::unique_ptr<Call>> prepareAvgPool2d(ExecutionPlans &plans,
                                                 const Command &command);

/// The operation of a pooling or of its gradient, finalized.
Expected<OwnedDescriptor>
createAvgPool2d(const Api &api, const calls::CudnnAvgPool2dBase &config,
                bool isGradient);

/// cudnn.attention and its gradient, on a device.
Expected<std::unique_ptr<Call>> prepareAttention(ExecutionPlans &plans,
                                                 const DeviceContext &device,
                                                 const Command &command);

/// The graph of attention, finalized, and that of the gradients of a part of
/// the batch; for no device in particular without a handle.
Expected<OwnedDescriptor> createAttention(const Api &api, Handle handle,
                                          const calls::CudnnAttention &config);
Expected<OwnedDescriptor>
createAttentionGrad(const Api &api, Handle handle,
                    const calls::CudnnAttentionGrad &config);

/// The engine and the configuration of its kernels with which NVIDIA's frontend
/// computes the gradients of attention on Blackwell when they have to be
/// deterministic: by the version of cuDNN, and by the device's compute
/// capability 10.`deviceMinor`.
EngineChoice getBlackwellAttentionGrad(size_t version, int deviceMinor);

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_CUDNN_H
