//===- GraphBuilder.h - Graphs of several operations ------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_GRAPHBUILDER_H
#define JOBRT_DRIVERS_CUDA_CUDNN_GRAPHBUILDER_H

#include "drivers/cuda/cudnn/Descriptors.h"

#include <optional>

namespace jobrt::cuda::cudnn {

/// Makes a graph of operations and their tensors, by descriptors of the
/// library. After an error the rest is skipped.
class GraphBuilder {
public:
  /// A tensor, by its place in the graph.
  using Tensor = size_t;
  using Extents = std::vector<int64_t>;
  /// That of the widest accesses of a thread. Buffers have more.
  static constexpr int64_t kAlignment = 16;

  explicit GraphBuilder(const Api &api) : api(api) {}

  /// A tensor in memory. The unique ids of these and of scalars are 1, 2, ...
  /// in the order in which they are added.
  Tensor addArgument(int type, const Extents &extents, const Extents &strides,
                     int64_t alignment = kAlignment);
  /// A number, which the host has when the graph is submitted.
  Tensor addScalar(int type);
  /// A tensor that an engine does not store, dense if it has no strides.
  Tensor addVirtual(int type, const Extents &extents,
                    const Extents &strides = {});

  struct Pointwise {
    int mode;
    int computeType = kTypeF32;
    /// The dimension of an index.
    std::optional<int64_t> axis = std::nullopt;
  };
  // Each returns its result.
  Tensor pointwise(const Pointwise &pointwise, Tensor x, Tensor result,
                   std::optional<Tensor> b = std::nullopt,
                   std::optional<Tensor> t = std::nullopt);
  /// Products of the matrices of the last two dimensions.
  Tensor matmul(Tensor a, Tensor b, Tensor result);
  /// Along the dimensions of extent 1 in the result.
  Tensor reduce(int op, Tensor x, Tensor result);
  Tensor reshape(Tensor x, Tensor result);

  /// The finalized graph, for the device of a handle; without one, for no
  /// device in particular.
  Expected<OwnedDescriptor> finish(Handle handle);

private:
  Tensor addTensor(int type, const Extents &extents, const Extents &strides,
                   int64_t uniqueId, int64_t alignment, int flag);
  void setTensor(DescriptorBuilder &builder, int attribute, Tensor tensor);
  /// The parameters of an operation, or the operation.
  OwnedDescriptor finish(DescriptorBuilder &builder);
  void addOperation(DescriptorBuilder &builder);

  const Api &api;
  Status status;
  std::vector<OwnedDescriptor> tensors, operations;
  int64_t arguments = 0, virtuals = 0;
};

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_GRAPHBUILDER_H
