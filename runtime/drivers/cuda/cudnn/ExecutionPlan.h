//===- ExecutionPlan.h - What cuDNN runs a graph with -----------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_EXECUTIONPLAN_H
#define JOBRT_DRIVERS_CUDA_CUDNN_EXECUTIONPLAN_H

#include "drivers/cuda/cudnn/Descriptors.h"
#include "jobrt/artifact.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace jobrt::cuda::cudnn {

/// What an engine may do.
struct EngineLimits {
  /// Bytes of workspace.
  int64_t workspace = 0;
  /// Whether it may multiply on tensor cores: factors in f32 are rounded to
  /// TF32 there, narrower ones are exact.
  bool allowsTensorCores = false;
};

/// An engine of the library with its knobs, which are their types and values.
struct EngineChoice {
  int64_t index;
  std::vector<std::pair<int, int64_t>> knobs;
};

/// A graph of operations with the engine that computes it.
class ExecutionPlan {
public:
  /// Selects the engine that the library's heuristics put first, of those
  /// within the limits that give the same bits in every run and add in f32.
  /// `graph` is the finalized graph; `count` its number of tensors that are
  /// arguments, whose unique ids are 1 to `count`. Errors: kUnimplemented
  /// (there is none), or that of a call.
  static Expected<ExecutionPlan> create(const Api &api, Handle handle,
                                        const OwnedDescriptor &graph,
                                        const EngineLimits &limits,
                                        int64_t count);
  /// The same with an engine that the caller knows to give the same bits in
  /// every run, which the library does not tell.
  static Expected<ExecutionPlan>
  create(const Api &api, Handle handle, const OwnedDescriptor &graph,
         const EngineLimits &limits, int64_t count, const EngineChoice &choice);

  /// Submits the graph to a stream. `args[i]` is the address of the tensor with
  /// unique id i + 1: in memory of the host if it is a scalar, which is read
  /// now.
  Status enqueue(const DevicePointer *args, DevicePointer workspace,
                 Stream stream);
  /// The engine, its knobs and its workspace.
  const std::string &algorithm() const { return text; }

private:
  ExecutionPlan(const Api &api, Handle handle, OwnedDescriptor plan,
                std::string text, int64_t count);

  const Api *api;
  Handle handle;
  OwnedDescriptor plan;
  std::string text;
  std::vector<int64_t> ids;
};

/// The plans of a handle, which outlives the calls that have them. Equal calls
/// of a model share one: the library keeps no plans, and engines that it
/// compiles take seconds each. One thread at a time uses them.
class ExecutionPlans {
public:
  ExecutionPlans(const Api &api, Handle handle) : api(&api), handle(handle) {}

  const Api &getApi() const { return *api; }
  Handle getHandle() const { return handle; }
  /// The plan of a command's function and configuration: that of a call which
  /// is still there, or what `create` makes.
  Expected<std::shared_ptr<ExecutionPlan>>
  get(const Command &command,
      const std::function<Expected<ExecutionPlan>()> &create);

private:
  using Key = std::pair<std::string, std::map<std::string, ConfigValue>>;

  const Api *api;
  Handle handle;
  std::map<Key, std::weak_ptr<ExecutionPlan>> plans;
};

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_EXECUTIONPLAN_H
