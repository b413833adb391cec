//===- Execute.cpp - Graphs of the stand-in for cuDNN on streams ----------===//

#include "simulators/common/LibraryWork.h"
#include "simulators/cudnn/Arrays.h"
#include "simulators/cudnn/State.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>

using namespace jobsim;
using namespace jobsim::cudnn;

/// Alignment of a workspace, of which the reference says nothing: that of
/// any allocation of a part of a buffer that the library's own samples use.
static constexpr uint64_t kWorkspaceAlignment = 16;

namespace {
/// An argument, and its tensor if it has one.
struct TensorArgument : Argument {
  const Tensor *tensor = nullptr;
};
} // namespace

/// Whether two arguments have bytes in common. What lies between the elements
/// of one may be elements of another.
static bool overlap(const TensorArgument &a, const TensorArgument &b) {
  if (!a.overlaps(b))
    return false;
  if (!a.tensor || !b.tensor)
    return true;
  std::set<uintptr_t> elements;
  auto visit = [](const TensorArgument &argument, auto function) {
    forEachElement(*argument.tensor, [&](int64_t, int64_t offset) {
      function(reinterpret_cast<uintptr_t>(argument.pointer) +
               offset * bytesOf(argument.tensor->type));
    });
  };
  visit(a, [&](uintptr_t element) { elements.insert(element); });
  bool found = false;
  visit(b, [&](uintptr_t element) {
    auto above = elements.lower_bound(element);
    found |=
        above != elements.end() && *above < element + bytesOf(b.tensor->type);
    found |= above != elements.begin() &&
             *std::prev(above) + bytesOf(a.tensor->type) > element;
  });
  return found;
}

static Refusal checkArguments(const std::vector<TensorArgument> &arguments) {
  for (const TensorArgument &argument : arguments) {
    if (!argument.pointer)
      return {kBadParamNullPointer,
              std::string("expects an address of ") + argument.name};
    if (reinterpret_cast<uintptr_t>(argument.pointer) % argument.alignment)
      return {kBadParamMisaligned,
              std::string("expects ") + argument.name + " to be aligned to " +
                  std::to_string(argument.alignment) + " bytes"};
  }
  for (const TensorArgument &a : arguments)
    for (const TensorArgument &b : arguments)
      if (&a < &b && (a.isWritten || b.isWritten) && overlap(a, b))
        return {kBadParam, std::string(a.name) + " and " + b.name + " overlap"};
  return {};
}

/// The arguments of the graph, by the unique ids of its tensors.
static Refusal findArguments(const DescriptorData &pack, Execution &execution,
                             std::vector<TensorArgument> &arguments) {
  auto ids = pack.values<int64_t>(kVariantPackUniqueIds);
  auto pointers = pack.values<void *>(kVariantPackPointers);
  for (const GraphTensor &graphTensor : execution.computation->tensors()) {
    const Tensor &tensor = *graphTensor.tensor;
    auto found = std::find(ids.begin(), ids.end(), tensor.id);
    if (found == ids.end())
      return {kBadParam, "expects a pointer for the unique id " +
                             std::to_string(tensor.id)};
    void *pointer = pointers[found - ids.begin()];
    if (tensor.isByValue) {
      if (!pointer)
        return {kBadParamNullPointer,
                std::string("expects an address of ") + graphTensor.name};
      // Of f32 or i32, read now.
      std::memcpy(&execution.numbers.emplace_back(), pointer, sizeof(int32_t));
      execution.arrays.push_back(&execution.numbers.back());
      continue;
    }
    execution.arrays.push_back(pointer);
    arguments.push_back(
        {{graphTensor.name, pointer, tensor.bytes(),
          static_cast<uint64_t>(tensor.alignment), graphTensor.isResult},
         &tensor});
  }
  if (ids.size() > execution.arrays.size())
    return {kBadParam, "expects " + std::to_string(execution.arrays.size()) +
                           " unique ids but got " + std::to_string(ids.size())};
  execution.workspace = pack.has(kVariantPackWorkspace)
                            ? pack.value<void *>(kVariantPackWorkspace)
                            : nullptr;
  if (execution.workspaceBytes > 0)
    arguments.push_back({{"the workspace", execution.workspace,
                          static_cast<uint64_t>(execution.workspaceBytes),
                          kWorkspaceAlignment, true}});
  return checkArguments(arguments);
}

void jobsim::cudnn::run(const Execution &execution) {
  execution.computation->run(execution.numerics, execution.arrays);
  // What it holds is the library's: a program that reads it shows.
  if (execution.workspaceBytes > 0)
    std::memset(execution.workspace, 0xff, execution.workspaceBytes);
}

/// A finalized descriptor of a type.
static Refusal checkDescriptor(const DescriptorData *data, int type,
                               const char *what) {
  if (!data || data->type != type)
    return {kBadParamDescriptorType, std::string("expects ") + what};
  if (!data->isFinalized)
    return {kBadParamNotFinalized,
            std::string("expects ") + what + " that is finalized"};
  return {};
}

Result cudnnBackendExecute(Handle handle, Descriptor planDescriptor,
                           Descriptor packDescriptor) {
  constexpr const char *kFunction = "cudnnBackendExecute";
  if (Result result = begin(kFunction, kExecutionFailed))
    return result;
  if (!exists(handle))
    return refuse(kFunction, {kBadParam, "no such handle"});
  std::shared_ptr<DescriptorData> plan = findDescriptor(planDescriptor),
                                  pack = findDescriptor(packDescriptor);
  Refusal refusal =
      checkDescriptor(plan.get(), kPlanDescriptor, "an execution plan");
  if (!refusal.result)
    refusal =
        checkDescriptor(pack.get(), kVariantPackDescriptor, "a variant pack");
  if (!refusal.result && plan->value<Handle>(kPlanHandle) != handle)
    refusal = {kBadParam, "the plan is of another handle"};
  if (refusal.result)
    return refuse(kFunction, refusal);

  const DescriptorData &engine =
      plan->descriptor(kPlanEngineConfig).descriptor(kEngineConfigEngine);
  auto execution = std::make_unique<Execution>();
  execution->computation = makeComputation(engine.descriptor(kEngineGraph));
  execution->numerics =
      execution->computation
          ->findEngine(engine.value<int64_t>(kEngineGlobalIndex))
          ->numerics;
  execution->workspaceBytes = plan->value<int64_t>(kPlanWorkspaceBytes);
  std::vector<TensorArgument> arguments;
  if (refusal = findArguments(*pack, *execution, arguments); refusal.result)
    return refuse(kFunction, refusal);
  if (jobsim_library_load("cudnn", engine.value<int64_t>(kEngineGlobalIndex)))
    return kExecutionFailed;

  return submitWork<run>(
             kFunction,
             std::vector<Argument>(arguments.begin(), arguments.end()),
             std::move(execution), handle->stream)
             ? kExecutionFailed
             : kSuccess;
}
