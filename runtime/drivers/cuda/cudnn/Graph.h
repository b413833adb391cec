//===- Graph.h - Graphs of operations that calls are made of ----*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_GRAPH_H
#define JOBRT_DRIVERS_CUDA_CUDNN_GRAPH_H

#include "drivers/cuda/CudaCall.h"
#include "drivers/cuda/cudnn/ExecutionPlan.h"
#include "jobrt/calls.h"

namespace jobrt::cuda::cudnn {

/// The library's name for the type of elements of an array.
int getDataType(calls::Element element);

/// An array of images, or a filter. Dimensions of tensors are in the order n,
/// c, h, w for every layout, which is a matter of the strides.
struct TensorInfo {
  std::vector<int64_t> extents;
  calls::Element element;
  calls::Layout layout;
};

/// A tensor in memory. The library copies it into operations.
Expected<OwnedDescriptor> createTensor(const Api &api, const TensorInfo &info,
                                       int64_t uniqueId);
/// One that is only the result of an operation and an operand of another: it
/// is in f32, in which operations compute.
Expected<OwnedDescriptor> createVirtualTensor(const Api &api, TensorInfo info,
                                              int64_t uniqueId);

using CreateOperations =
    std::function<Expected<std::vector<OwnedDescriptor>>()>;

/// The call of a command that runs a graph of these operations, whose tensors
/// in memory are its `count` first arguments: their unique ids are their
/// places, from 1 on. The workspace, if there is one, is the argument after
/// them. The operations are created where no equal call has a plan of them.
Expected<std::unique_ptr<Call>>
createGraphCall(ExecutionPlans &plans, const Command &command,
                const CreateOperations &createOperations,
                const EngineLimits &limits, int64_t count);

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_GRAPH_H
