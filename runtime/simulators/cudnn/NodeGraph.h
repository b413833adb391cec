//===- NodeGraph.h - Graphs of several operations ---------------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDNN_NODEGRAPH_H
#define JOBRT_SIMULATORS_CUDNN_NODEGRAPH_H

#include "simulators/cudnn/State.h"

namespace jobsim::cudnn {

/// An operation of a graph: its tensors by their places in the graph.
struct Node {
  /// The descriptor's type.
  int type = 0;
  /// The mode of a pointwise operation, the operator of a reduction.
  int op = 0;
  /// The dimension of an index.
  int64_t axis = 0;
  /// X, B and T, or A and B.
  std::vector<size_t> inputs;
  size_t output = 0;
};

/// A graph of several operations, in an order in which they can be computed.
struct NodeGraph {
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;

  /// Whether a node writes a tensor.
  bool isWritten(size_t tensor) const;
};

/// Computes a graph. `arrays` are those of tensors in memory and of numbers, by
/// their places; null for virtual ones.
void evaluate(const NodeGraph &graph, const Numerics &numerics,
              const std::vector<void *> &arrays);

} // namespace jobsim::cudnn

#endif // JOBRT_SIMULATORS_CUDNN_NODEGRAPH_H
