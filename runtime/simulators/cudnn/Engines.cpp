//===- Engines.cpp - Engines of the stand-in for cuDNN --------------------===//
//
// One engine for each reason to use it or not. Those that the library would
// find fastest come first: most of them are not what every caller wants.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/State.h"

using namespace jobsim::cudnn;

/// A knob of the engine that adds parts, and one that all have.
static constexpr int kKnobSplitK = 12, kKnobTile = 2;
static constexpr int kNoteStrictNaN = 9;

static const Engine kEngines[] = {
    {0, {kNoteStrictNaN}, {}},
    // Copies its operands to its workspace.
    {1, {}, {}},
    {2, {}, {.parts = 2}},
    {3, {kNoteTensorCore}, {.isTF32 = true}},
    {4, {}, {}, /*isRefused=*/true},
    {5, {kNoteDownConvertInputs}, {.roundsToBF16 = true}},
    {6, {kNoteReducedPrecision}, {.roundsSums = true}},
    {7, {kNoteFFT}, {}},
    {8, {kNoteWinograd, kNoteWinograd4x4}, {}},
    {9, {kNoteNondeterministic}, {.isRandom = true}},
};

const Engine *Computation::findEngine(int64_t index) const {
  bool exists = index >= 0 && index < static_cast<int64_t>(std::size(kEngines));
  return exists ? &kEngines[index] : nullptr;
}

static DataPointer makeKnob(int type, int64_t value) {
  auto knob = std::make_shared<DescriptorData>();
  knob->type = kKnobChoiceDescriptor;
  knob->isFinalized = true;
  knob->assign(kKnobChoiceType, std::vector<int>{type});
  knob->assign(kKnobChoiceValue, std::vector<int64_t>{value});
  return knob;
}

static DataPointer makeConfig(const DataPointer &graph, const Engine &engine) {
  auto data = std::make_shared<DescriptorData>();
  data->type = kEngineDescriptor;
  data->isFinalized = true;
  data->assign(kEngineGraph, std::vector<DataPointer>{graph});
  data->assign(kEngineGlobalIndex, std::vector<int64_t>{engine.index});
  data->assign(kEngineNumericalNotes, engine.notes);

  auto config = std::make_shared<DescriptorData>();
  config->type = kEngineConfigDescriptor;
  config->isFinalized = true;
  config->assign(kEngineConfigEngine, std::vector<DataPointer>{data});
  std::vector<DataPointer> knobs;
  if (engine.index > 0)
    knobs.push_back(makeKnob(kKnobTile, engine.index));
  if (engine.numerics.parts > 1)
    knobs.push_back(makeKnob(kKnobSplitK, engine.numerics.parts));
  config->assign(kEngineConfigKnobs, std::move(knobs));
  return config;
}

Refusal jobsim::cudnn::finalizeHeuristics(DescriptorData &data) {
  int mode = data.value<int>(kHeuristicsMode);
  if (mode < 0 || mode > kModeA)
    return {kBadParam, "expects a mode from 0 to " + std::to_string(kModeA) +
                           " but got " + std::to_string(mode)};
  DataPointer graph = data.attributes.at(kHeuristicsGraph).descriptors.front();
  std::vector<DataPointer> configs;
  ComputationPointer computation = makeComputation(*graph);
  for (int64_t index : computation->suggest(mode))
    configs.push_back(makeConfig(graph, *computation->findEngine(index)));
  data.assign(kHeuristicsResults, std::move(configs));
  return {};
}

// Engines that a caller chooses.

Refusal jobsim::cudnn::finalizeEngine(DescriptorData &data) {
  int64_t index = data.value<int64_t>(kEngineGlobalIndex);
  ComputationPointer computation =
      makeComputation(data.descriptor(kEngineGraph));
  const Engine *engine = computation->findEngine(index);
  if (!engine)
    return {kNotSupported, "no engine " + std::to_string(index)};
  data.assign(kEngineNumericalNotes, engine->notes);
  return {};
}

Refusal jobsim::cudnn::finalizeEngineConfig(const DescriptorData &data) {
  const DescriptorData &engine = data.descriptor(kEngineConfigEngine);
  int64_t index = engine.value<int64_t>(kEngineGlobalIndex);
  std::vector<Knob> knobs;
  if (data.has(kEngineConfigKnobs))
    for (const DataPointer &knob :
         data.attributes.at(kEngineConfigKnobs).descriptors)
      knobs.push_back({knob->value<int>(kKnobChoiceType),
                       knob->value<int64_t>(kKnobChoiceValue)});
  if (!makeComputation(engine.descriptor(kEngineGraph))
           ->hasConfig(index, knobs))
    return {kNotSupported, "engine " + std::to_string(index) +
                               " has no such configuration, but for those of "
                               "the heuristics"};
  return {};
}

Refusal jobsim::cudnn::finalizePlan(DescriptorData &data) {
  auto handle = data.value<Handle>(kPlanHandle);
  if (!exists(handle))
    return {kBadParam, "no such handle"};
  const DescriptorData &engineData =
      data.descriptor(kPlanEngineConfig).descriptor(kEngineConfigEngine);
  const DescriptorData &graph = engineData.descriptor(kEngineGraph);
  if (graph.value<Handle>(kGraphHandle) != handle)
    return {kBadParam, "the graph is of another handle"};
  ComputationPointer computation = makeComputation(graph);
  const Engine &engine =
      *computation->findEngine(engineData.value<int64_t>(kEngineGlobalIndex));
  if (engine.isRefused)
    return {kNotSupported,
            "engine " + std::to_string(engine.index) + " cannot compute it"};
  data.assign(kPlanWorkspaceBytes,
              std::vector<int64_t>{computation->getWorkspaceBytes(engine)});
  return {};
}
