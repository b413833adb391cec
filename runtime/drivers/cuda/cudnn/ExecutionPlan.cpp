//===- ExecutionPlan.cpp - What cuDNN runs a graph with -------------------===//

#include "drivers/cuda/cudnn/ExecutionPlan.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace jobrt::cuda::cudnn {

/// More than the library has.
static constexpr int64_t kMaxNotes = 64, kMaxKnobs = 64;

/// Whether an engine with these numerical notes computes what the numbers
/// contract (docs/numerics.md) asks for, with the same bits in every run. The
/// rounding errors of Winograd's algorithm and of Fourier transforms are
/// relative to larger numbers than the terms.
static bool isAllowed(const std::vector<int> &notes,
                      const EngineLimits &limits) {
  return std::none_of(notes.begin(), notes.end(), [&](int note) {
    switch (note) {
    case kNoteTensorCore:
      return !limits.allowsTensorCores;
    case kNoteDownConvertInputs:
    case kNoteReducedPrecision:
    case kNoteFFT:
    case kNoteNondeterministic:
    case kNoteWinograd:
    case kNoteWinograd4x4:
    case kNoteWinograd6x6:
    case kNoteWinograd13x13:
      return true;
    default:
      return false;
    }
  });
}

/// Whether what the library answers to making a plan is a failure of this
/// engine on this machine: of compiling, loading or starting its kernels.
/// Memory that is missing may be there later, when all engines would do.
static bool mayPassWithAnotherEngine(Result result) {
  return result >= kInternalError && result != kHostAllocationFailed &&
         result != kDeviceAllocationFailed;
}

/// "engine 67, knobs 2=5 13=1": enough to find it again.
static Expected<std::string> describeEngine(const Api &api,
                                            const OwnedDescriptor &engine,
                                            const OwnedDescriptor &config) {
  Expected<int64_t> index =
      getInt64(api, engine, kEngineGlobalIndex, "an engine");
  if (!index.ok())
    return index.status();
  std::string text = "engine " + std::to_string(*index);
  Expected<std::vector<OwnedDescriptor>> knobs =
      getDescriptors(api, config, kEngineConfigKnobs, kKnobChoiceDescriptor,
                     kMaxKnobs, "the configuration of an engine");
  if (!knobs.ok())
    return knobs.status();
  const char *separator = ", knobs ";
  for (const OwnedDescriptor &knob : *knobs) {
    Expected<std::vector<int>> type =
        getEnums(api, knob, kKnobChoiceType, kKnobType, 1, "a knob");
    if (!type.ok())
      return type.status();
    Expected<int64_t> value = getInt64(api, knob, kKnobChoiceValue, "a knob");
    if (!value.ok())
      return value.status();
    text += separator + std::to_string(type->empty() ? -1 : type->front()) +
            "=" + std::to_string(*value);
    separator = " ";
  }
  return text;
}

namespace {
/// Tries the configurations of engines that the library suggests.
class Selector {
public:
  Selector(const Api &api, Handle handle, const OwnedDescriptor &graph,
           const EngineLimits &limits)
      : api(api), handle(handle), graph(graph), limits(limits) {}

  /// Stops at the first configuration that will do, where there is a plan
  /// afterwards.
  Status tryMode(int mode);
  /// Has a plan afterwards if this engine will do.
  Status tryChoice(const EngineChoice &choice);

  /// That there is no engine, and why the library has not made a plan with the
  /// last one that it should have supported.
  Status noEngine() const;

  OwnedDescriptor plan;
  std::string text;

private:
  Status tryConfig(const OwnedDescriptor &config);

  const Api &api;
  Handle handle;
  const OwnedDescriptor &graph;
  const EngineLimits &limits;
  std::optional<Status> failure;
};
} // namespace

Status Selector::tryConfig(const OwnedDescriptor &config) {
  Expected<std::vector<OwnedDescriptor>> engines =
      getDescriptors(api, config, kEngineConfigEngine, kEngineDescriptor, 1,
                     "the configuration of an engine");
  if (!engines.ok())
    return engines.status();
  if (engines->empty())
    return {};
  const OwnedDescriptor &engine = engines->front();
  Expected<std::vector<int>> notes =
      getEnums(api, engine, kEngineNumericalNotes, kNumericalNoteType,
               kMaxNotes, "an engine");
  if (!notes.ok())
    return notes.status();
  if (!isAllowed(*notes, limits))
    return {};

  Result result;
  Expected<OwnedDescriptor> made =
      DescriptorBuilder(api, kPlanDescriptor, "an execution plan")
          .setValue(kPlanHandle, kHandleType, handle)
          .setDescriptor(kPlanEngineConfig, config)
          .finish(result);
  // The heuristics may suggest what the library then does not support, or
  // cannot compile or load on this machine. A later engine may do.
  if (isNotSupported(result))
    return {};
  if (mayPassWithAnotherEngine(result)) {
    failure = made.status();
    return {};
  }
  if (!made.ok())
    return made.status();
  Expected<int64_t> bytes =
      getInt64(api, *made, kPlanWorkspaceBytes, "an execution plan");
  if (!bytes.ok())
    return bytes.status();
  if (*bytes > limits.workspace)
    return {};
  Expected<std::string> description = describeEngine(api, engine, config);
  if (!description.ok())
    return description.status();
  text = *description + ", " + std::to_string(*bytes) + " bytes of workspace";
  plan = std::move(*made);
  return {};
}

Status Selector::tryMode(int mode) {
  Result result;
  Expected<OwnedDescriptor> heuristics =
      DescriptorBuilder(api, kHeuristicsDescriptor, "the choice of an engine")
          .setDescriptor(kHeuristicsGraph, graph)
          .setValue(kHeuristicsMode, kHeuristicsModeType, mode)
          .finish(result);
  if (isNotSupported(result))
    return {};
  if (!heuristics.ok())
    return heuristics.status();
  Expected<int64_t> count =
      getCount(api, *heuristics, kHeuristicsResults, "the choice of an engine");
  if (!count.ok())
    return count.status();
  Expected<std::vector<OwnedDescriptor>> configs = getDescriptors(
      api, *heuristics, kHeuristicsResults, kEngineConfigDescriptor, *count,
      "the choice of an engine");
  if (!configs.ok())
    return configs.status();
  for (const OwnedDescriptor &config : *configs) {
    if (Status status = tryConfig(config); !status.ok())
      return status;
    if (plan.get())
      break;
  }
  return {};
}

Status Selector::tryChoice(const EngineChoice &choice) {
  Result result;
  Expected<OwnedDescriptor> engine =
      DescriptorBuilder(api, kEngineDescriptor, "an engine")
          .setDescriptor(kEngineGraph, graph)
          .setInt64(kEngineGlobalIndex, choice.index)
          .finish(result);
  if (isNotSupported(result))
    return {};
  if (!engine.ok())
    return engine.status();
  std::vector<OwnedDescriptor> knobs;
  std::vector<Descriptor> values;
  for (auto [type, value] : choice.knobs) {
    Expected<OwnedDescriptor> knob =
        DescriptorBuilder(api, kKnobChoiceDescriptor, "a knob")
            .setValue(kKnobChoiceType, kKnobType, type)
            .setInt64(kKnobChoiceValue, value)
            .finish();
    if (!knob.ok())
      return knob.status();
    values.push_back(knob->get());
    knobs.push_back(std::move(*knob));
  }
  Expected<OwnedDescriptor> config =
      DescriptorBuilder(api, kEngineConfigDescriptor,
                        "the configuration of an engine")
          .setDescriptor(kEngineConfigEngine, *engine)
          .set(kEngineConfigKnobs, kDescriptorType, values)
          .finish(result);
  if (isNotSupported(result))
    return {};
  if (!config.ok())
    return config.status();
  return tryConfig(*config);
}

Status Selector::noEngine() const {
  std::string workspace = " for it with a workspace of " +
                          std::to_string(limits.workspace) + " bytes";
  if (failure)
    return Status(failure->code(),
                  "cuDNN could prepare no deterministic engine" + workspace +
                      "; the last one that failed: " + failure->message());
  return Status(StatusCode::kUnimplemented,
                "cuDNN has no deterministic engine" + workspace);
}

Expected<ExecutionPlan> ExecutionPlan::create(const Api &api, Handle handle,
                                              const OwnedDescriptor &graph,
                                              const EngineLimits &limits,
                                              int64_t count,
                                              const EngineChoice &choice) {
  Selector selector(api, handle, graph, limits);
  if (Status status = selector.tryChoice(choice); !status.ok())
    return status;
  if (!selector.plan.get())
    return selector.noEngine();
  return ExecutionPlan(api, handle, std::move(selector.plan),
                       std::move(selector.text), count);
}

Expected<ExecutionPlan> ExecutionPlan::create(const Api &api, Handle handle,
                                              const OwnedDescriptor &graph,
                                              const EngineLimits &limits,
                                              int64_t count) {
  Selector selector(api, handle, graph, limits);
  for (int mode : {kModeA, kModeFallback}) {
    if (Status status = selector.tryMode(mode); !status.ok())
      return status;
    if (selector.plan.get())
      return ExecutionPlan(api, handle, std::move(selector.plan),
                           std::move(selector.text), count);
  }
  return selector.noEngine();
}

ExecutionPlan::ExecutionPlan(const Api &api, Handle handle,
                             OwnedDescriptor plan, std::string text,
                             int64_t count)
    : api(&api), handle(handle), plan(std::move(plan)), text(std::move(text)),
      ids(count) {
  std::iota(ids.begin(), ids.end(), 1);
}

Status ExecutionPlan::enqueue(const DevicePointer *args,
                              DevicePointer workspace, Stream stream) {
  Expected<OwnedDescriptor> pack =
      DescriptorBuilder(*api, kVariantPackDescriptor, "the arguments")
          .set(kVariantPackUniqueIds, kInt64Type, ids)
          .set(kVariantPackPointers, kPointerType,
               std::span<const DevicePointer>(args, ids.size()))
          .setValue(kVariantPackWorkspace, kPointerType, workspace)
          .finish();
  if (!pack.ok())
    return pack.status();
  if (Result result = api->setStream(handle, stream))
    return api->check(result, "cudnnSetStream", "the call");
  if (Result result = api->execute(handle, plan.get(), pack->get()))
    return api->check(result, "cudnnBackendExecute", "the call");
  return {};
}

Expected<std::shared_ptr<ExecutionPlan>>
ExecutionPlans::get(const Command &command,
                    const std::function<Expected<ExecutionPlan>()> &create) {
  Key key(command.callee, command.config);
  if (auto known = plans.find(key); known != plans.end())
    if (std::shared_ptr<ExecutionPlan> plan = known->second.lock())
      return plan;
  std::erase_if(plans,
                [](const auto &entry) { return entry.second.expired(); });
  Expected<ExecutionPlan> created = create();
  if (!created.ok())
    return created.status();
  auto plan = std::make_shared<ExecutionPlan>(std::move(*created));
  plans[std::move(key)] = plan;
  return plan;
}

} // namespace jobrt::cuda::cudnn
