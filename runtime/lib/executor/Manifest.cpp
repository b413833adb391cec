//===- Manifest.cpp - The plan inside an artifact -------------------------===//

#include "lib/executor/Manifest.h"
#include "lib/executor/JsonReader.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

using namespace jobrt;

/// As many as a plan.device may have.
static constexpr int64_t kMaxQueues = 64;
/// More devices than any machine has.
static constexpr size_t kMaxDevices = 64;
/// As many as a plan.communicator may have.
static constexpr int64_t kMaxRanks = 65536;

static std::string inQuotes(const std::string &text) {
  return "'" + text + "'";
}

int64_t jobrt::parseSize(const JsonReader &reader) {
  return reader.integer(0, kMaxManifestBytes);
}

int64_t jobrt::parseOffset(const JsonReader &reader) {
  int64_t offset = parseSize(reader);
  if (offset % JOBRT_ALIGNMENT != 0)
    reader.error("expects a multiple of " + std::to_string(JOBRT_ALIGNMENT) +
                 " but got " + std::to_string(offset));
  return offset;
}

std::string jobrt::parseLocation(const JsonReader &reader,
                                 const std::vector<std::string> &locations) {
  int64_t last = static_cast<int64_t>(locations.size()) - 1;
  int64_t index = reader.integer(-1, last);
  return index >= 0 && reader.ok() ? locations[index] : std::string();
}

static std::vector<std::string> parseStrings(const JsonReader &reader) {
  std::vector<std::string> result;
  for (size_t i = 0, e = reader.arraySize(); i < e; ++i)
    result.push_back(reader.element(i).string());
  return result;
}

DType jobrt::parseDTypeName(const JsonReader &reader) {
  std::string name = reader.string();
  if (std::optional<DType> dtype = parseDType(name))
    return *dtype;
  reader.error("expects one of " JOBRT_ELEMENT_TYPE_NAMES " but got " +
               inQuotes(name));
  return DType::kF32;
}

Shape jobrt::parseShape(const JsonReader &reader) {
  Shape shape;
  for (size_t i = 0, e = reader.arraySize(); i < e; ++i)
    shape.push_back(reader.element(i).integer(0, kMaxManifestBytes));
  return shape;
}

namespace {
/// What variables, inputs and outputs have in common.
struct Slot {
  std::string name;
  DType dtype;
  Shape shape;
  int64_t offset, bytes;
};
} // namespace

/// Reads name, shape, dtype and offset of something that lies in a space of
/// `spaceBytes` bytes.
static Slot parseSlot(const JsonReader &reader, int64_t spaceBytes) {
  Slot slot;
  slot.name = reader.member("name").string();
  slot.dtype = parseDTypeName(reader.member("dtype"));
  slot.shape = parseShape(reader.member("shape"));
  slot.offset = parseOffset(reader.member("offset"));
  slot.bytes = 0;
  std::optional<int64_t> count = numElements(slot.shape);
  if (!count || *count > kMaxManifestBytes)
    reader.error("expects a size of at most " +
                 std::to_string(kMaxManifestBytes) + " bytes but got " +
                 formatType(slot.shape, slot.dtype));
  else
    slot.bytes = *count * dtypeBytes(slot.dtype);
  if (slot.offset + slot.bytes > spaceBytes)
    reader.error("expects to end within " + std::to_string(spaceBytes) +
                 " bytes but ends at " +
                 std::to_string(slot.offset + slot.bytes));
  return slot;
}

static int32_t deviceOf(const PortInfo &) { return 0; }
static int32_t deviceOf(const VariableInfo &variable) {
  return variable.device;
}

/// Reports slots that share bytes. T has name, offset and bytes.
template <typename T>
static void checkDisjoint(const JsonReader &reader,
                          const std::vector<T> &slots) {
  std::vector<const T *> order;
  for (const T &slot : slots)
    if (slot.bytes > 0)
      order.push_back(&slot);
  std::sort(order.begin(), order.end(), [](const T *a, const T *b) {
    return std::tuple(deviceOf(*a), a->offset, a) <
           std::tuple(deviceOf(*b), b->offset, b);
  });
  for (size_t i = 1; i < order.size(); ++i)
    if (deviceOf(*order[i]) == deviceOf(*order[i - 1]) &&
        order[i]->offset < order[i - 1]->offset + order[i - 1]->bytes)
      reader.error(inQuotes(order[i]->name) + " overlaps " +
                   inQuotes(order[i - 1]->name));
}

/// Reads which output has the count of output `index`, and of which dimension:
/// one of a bounded shape has members for it.
static void parseCount(const JsonReader &reader, std::vector<PortInfo> &outputs,
                       size_t index) {
  std::optional<JsonReader> count = reader.optionalMember("count");
  if (!count)
    return;
  PortInfo &output = outputs[index];
  output.count = static_cast<int32_t>(
      count->integer(0, static_cast<int64_t>(outputs.size()) - 1));
  if (!reader.ok())
    return;
  std::optional<JsonReader> dim = reader.optionalMember("bounded_dim");
  if (dim)
    output.boundedDim = static_cast<int32_t>(
        dim->integer(0, std::numeric_limits<int32_t>::max()));
  if (!reader.ok())
    return;
  if (static_cast<size_t>(output.boundedDim) >= output.shape.size())
    reader.error("expects an output with a count to have dimension " +
                 std::to_string(output.boundedDim) + " but got " +
                 formatType(output.shape, output.dtype));
  const PortInfo &from = outputs[output.count];
  if (from.dtype != DType::kI64 || from.shape != Shape{1})
    count->error("expects an output of type 1xi64 but got " +
                 formatType(from.shape, from.dtype));
}

static bool isFloat(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 ||
         dtype == DType::kF32 || dtype == DType::kF64;
}

/// Reads whether an input is checked for NaN and infinity.
static void parseCheck(const JsonReader &reader,
                       const std::vector<std::string> &locations,
                       PortInfo &input) {
  std::optional<JsonReader> checked = reader.optionalMember("checked");
  if (!checked || !checked->boolean())
    return;
  if (!isFloat(input.dtype))
    checked->error("expects floats to be checked but got " +
                   formatType(input.shape, input.dtype));
  input.isChecked = true;
  input.location = parseLocation(reader.member("location"), locations);
}

static std::vector<PortInfo> parsePorts(const JsonReader &reader,
                                        int64_t spaceBytes) {
  std::vector<PortInfo> ports;
  for (size_t i = 0, e = reader.arraySize(); i < e; ++i) {
    Slot slot = parseSlot(reader.element(i), spaceBytes);
    ports.push_back({std::move(slot.name), slot.dtype, std::move(slot.shape),
                     slot.offset, slot.bytes});
  }
  checkDisjoint(reader, ports);
  return ports;
}

static int64_t lastDevice(const Manifest &manifest) {
  return static_cast<int64_t>(manifest.devices.size()) - 1;
}

/// Reads how a variable of that shape is stored.
static Shape parsePermutation(const JsonReader &reader, const Shape &shape) {
  size_t rank = shape.size(), size = reader.arraySize();
  if (!reader.ok())
    return {};
  if (size != rank) {
    reader.error("expects " + std::to_string(rank) + " dimensions but got " +
                 std::to_string(size));
    return {};
  }
  Shape permutation;
  std::vector<bool> isThere(rank);
  for (size_t i = 0; i < rank && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    int64_t dim = element.integer(0, static_cast<int64_t>(rank) - 1);
    if (!element.ok())
      break;
    if (isThere[dim])
      element.error("expects each dimension once but got " +
                    std::to_string(dim) + " twice");
    isThere[dim] = true;
    permutation.push_back(dim);
  }
  return permutation;
}

/// Reads the shape that a variable is reshaped to.
static Shape parseExpandedShape(const JsonReader &reader, const Slot &slot) {
  int64_t count = slot.bytes / dtypeBytes(slot.dtype), left = count;
  Shape expanded;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    int64_t extent = reader.element(i).integer(1, count);
    if (!reader.ok())
      return {};
    expanded.push_back(extent);
    left = left % extent == 0 ? left / extent : 0;
  }
  if (reader.ok() && left != 1)
    reader.error("expects a shape of " + std::to_string(count) +
                 " elements but got " + formatType(expanded, slot.dtype));
  return expanded;
}

static std::vector<VariableInfo>
parseVariables(const JsonReader &reader, const Manifest &manifest,
               const std::vector<std::string> &locations) {
  std::vector<VariableInfo> variables;
  std::set<std::string> names;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    int64_t device = 0;
    if (std::optional<JsonReader> member = element.optionalMember("device"))
      device = member->integer(0, lastDevice(manifest));
    if (!reader.ok())
      break;
    Slot slot = parseSlot(element, manifest.devices[device].bankBytes);
    bool trainable = element.member("trainable").boolean();
    std::string location = parseLocation(element.member("location"), locations);
    Shape permutation, expandedShape;
    if (std::optional<JsonReader> member =
            element.optionalMember("expanded_shape")) {
      expandedShape = parseExpandedShape(*member, slot);
      // Without it, the shape would say nothing.
      element.member("permutation");
    }
    if (std::optional<JsonReader> member =
            element.optionalMember("permutation"))
      permutation = parsePermutation(
          *member, expandedShape.empty() ? slot.shape : expandedShape);
    if (!names.insert(slot.name).second)
      element.error("expects names to be unique but got " +
                    inQuotes(slot.name) + " twice");
    variables.push_back({std::move(slot.name), slot.dtype,
                         std::move(slot.shape), slot.offset, slot.bytes,
                         trainable, std::move(location),
                         static_cast<int32_t>(device), std::move(permutation),
                         std::move(expandedShape)});
  }
  checkDisjoint(reader, variables);
  return variables;
}

/// Checks a node of a result structure (docs/artifact.md). The recursion is
/// bounded by what parseJson() accepts.
static void checkStructure(const JsonReader &reader, size_t numOutputs) {
  const nlohmann::json &value = reader.json();
  if (value.is_null())
    return;
  if (value.is_number()) {
    if (numOutputs == 0)
      reader.error("expects null since the entry has no outputs");
    else
      reader.integer(0, static_cast<int64_t>(numOutputs) - 1);
    return;
  }
  if (value.is_array()) {
    for (size_t i = 0, e = reader.arraySize(); i < e; ++i)
      checkStructure(reader.element(i), numOutputs);
    return;
  }
  if (value.is_object() && value.size() == 1) {
    if (value.contains("tuple")) {
      JsonReader tuple = reader.member("tuple");
      for (size_t i = 0, e = tuple.arraySize(); i < e; ++i)
        checkStructure(tuple.element(i), numOutputs);
      return;
    }
    if (value.contains("dict")) {
      for (const auto &[key, member] : reader.member("dict").members())
        checkStructure(member, numOutputs);
      return;
    }
  }
  reader.error("expects null, an output's index, a list, "
               "{\"tuple\": [...]} or {\"dict\": {...}}");
}

static std::string parseStructure(const JsonReader &reader, size_t numOutputs) {
  std::string text = reader.string();
  if (!reader.ok())
    return text;
  Expected<nlohmann::json> structure = parseJson(text);
  if (!structure.ok()) {
    reader.error(structure.status().message());
    return text;
  }
  JsonErrors errors;
  checkStructure(JsonReader(*structure, errors), numOutputs);
  if (!errors.ok())
    reader.error(errors.status().message());
  return text;
}

static JobKind parseKind(const JsonReader &reader) {
  std::string name = reader.string();
  for (JobKind kind : {JobKind::kTrain, JobKind::kPredict, JobKind::kInit})
    if (name == jobKindName(kind))
      return kind;
  reader.error("expects one of train, predict, init but got " + inQuotes(name));
  return JobKind::kPredict;
}

static std::vector<PeakBuffer>
parsePeak(const JsonReader &reader, const std::vector<std::string> &locations) {
  std::vector<PeakBuffer> peak;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    PeakBuffer &buffer = peak.emplace_back();
    buffer.bytes = parseSize(element.member("bytes"));
    buffer.type = element.member("type").string();
    if (std::optional<JsonReader> name = element.optionalMember("name"))
      buffer.name = name->string();
    buffer.location = parseLocation(element.member("location"), locations);
  }
  return peak;
}

/// Reads members of devices other than the first one, in ascending order:
/// `read(element, device)`.
template <typename Read>
static void forEachOther(const JsonReader &list, const Manifest &manifest,
                         Read read) {
  int64_t first = 1;
  for (size_t i = 0, e = list.arraySize(); i < e && list.ok(); ++i) {
    JsonReader element = list.element(i);
    JsonReader member = element.member("device");
    if (first > lastDevice(manifest))
      return member.error("expects no other device than the " +
                          std::to_string(manifest.devices.size()) +
                          " of the artifact");
    int64_t device = member.integer(first, lastDevice(manifest));
    first = device + 1;
    if (list.ok())
      read(element, device);
  }
}

/// What an entry needs on each device.
static void parseMemory(const JsonReader &reader, const Manifest &manifest,
                        EntryInfo &entry) {
  auto read = [](const JsonReader &from) {
    return EntryMemory{parseSize(from.member("arena_bytes")),
                       parseSize(from.member("workspace_bytes")),
                       parseSize(from.member("arena_lower_bound"))};
  };
  entry.memory.resize(manifest.devices.size());
  entry.memory.front() = read(reader);
  if (std::optional<JsonReader> spaces = reader.optionalMember("spaces"))
    forEachOther(*spaces, manifest,
                 [&](const JsonReader &element, int64_t device) {
                   entry.memory[device] = read(element);
                 });
  entry.arenaBytes = entry.workspaceBytes = entry.arenaLowerBound = 0;
  for (const EntryMemory &memory : entry.memory) {
    entry.arenaBytes += memory.arenaBytes;
    entry.workspaceBytes += memory.workspaceBytes;
    entry.arenaLowerBound += memory.arenaLowerBound;
  }
}

static EntryInfo parseEntry(const JsonReader &reader, const Manifest &manifest,
                            const std::vector<std::string> &locations) {
  EntryInfo entry;
  entry.name = reader.member("name").string();
  entry.kind = parseKind(reader.member("kind"));
  entry.inputBytes = parseSize(reader.member("input_bytes"));
  entry.outputBytes = parseSize(reader.member("output_bytes"));
  parseMemory(reader, manifest, entry);
  JsonReader inputs = reader.member("inputs");
  entry.inputs = parsePorts(inputs, entry.inputBytes);
  for (size_t i = 0; i < entry.inputs.size(); ++i)
    parseCheck(inputs.element(i), locations, entry.inputs[i]);
  JsonReader outputs = reader.member("outputs");
  entry.outputs = parsePorts(outputs, entry.outputBytes);
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    parseCount(outputs.element(i), entry.outputs, i);
  entry.resultStructure =
      parseStructure(reader.member("result_structure"), entry.outputs.size());

  std::vector<SpaceSizes> sizes;
  for (size_t i = 0; i < manifest.devices.size(); ++i) {
    SpaceSizes &device = sizes.emplace_back();
    auto set = [&](Space space, int64_t bytes) {
      device[static_cast<int>(space)] = bytes;
    };
    set(Space::kArena, entry.memory[i].arenaBytes);
    set(Space::kBank, manifest.devices[i].bankBytes);
    set(Space::kInput, entry.inputBytes);
    set(Space::kOutput, entry.outputBytes);
    set(Space::kConstant, manifest.constantsBytes);
    set(Space::kWorkspace, entry.memory[i].workspaceBytes);
  }
  parseCommands(reader.member("commands"), sizes, locations, manifest, entry);
  if (std::optional<JsonReader> peak = reader.optionalMember("peak"))
    entry.peak = parsePeak(*peak, locations);
  return entry;
}

/// The init entry is called by the runtime itself: its form is fixed.
static void checkInitEntry(const JsonReader &reader, const EntryInfo &entry) {
  if (entry.name != JOBRT_INIT_ENTRY)
    reader.error("expects the init entry to have the name '" JOBRT_INIT_ENTRY
                 "' but got " +
                 inQuotes(entry.name));
  if (entry.inputs.size() != 1 || entry.inputs[0].name != "seed" ||
      entry.inputs[0].dtype != DType::kI64 || entry.inputs[0].shape != Shape{1})
    reader.error("expects the init entry to have one input 'seed' of 1xi64");
}

static void parseEntries(const JsonReader &reader, Manifest &manifest,
                         const std::vector<std::string> &locations) {
  std::set<std::string> names;
  int numInit = 0;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    EntryInfo entry = parseEntry(element, manifest, locations);
    if (!names.insert(entry.name).second)
      element.error("expects names to be unique but got " +
                    inQuotes(entry.name) + " twice");
    if (entry.kind == JobKind::kInit) {
      ++numInit;
      checkInitEntry(element, entry);
    }
    manifest.entries.push_back(std::move(entry));
  }
  if (numInit > 1 || (numInit == 0 && !manifest.variables.empty()))
    reader.error("expects one init entry for " +
                 std::to_string(manifest.variables.size()) +
                 " variables but got " + std::to_string(numInit));
}

/// Each device that uses constants has all of them.
static void placeConstants(Manifest &manifest) {
  if (manifest.devices.size() == 1)
    manifest.devices.front().constantsBytes = manifest.constantsBytes;
  else
    for (const EntryInfo &entry : manifest.entries)
      for (const Command &command : entry.commands)
        for (const BufferRef &buffer : command.args)
          if (buffer.space == Space::kConstant)
            manifest.devices[buffer.device].constantsBytes =
                manifest.constantsBytes;
}

static ArtifactDevice parseDevice(const JsonReader &reader) {
  ArtifactDevice device;
  device.name = reader.member("name").string();
  JsonReader kind = reader.member("kind");
  std::string name = kind.string();
  if (name == deviceKindName(DeviceKind::kCuda))
    device.kind = DeviceKind::kCuda;
  else if (name != deviceKindName(DeviceKind::kHost))
    kind.error("expects host or cuda but got " + inQuotes(name));
  device.driver = deviceKindName(device.kind);
  int64_t index = 0;
  if (std::optional<JsonReader> member = reader.optionalMember("index"))
    index = member->integer(0, device.kind == DeviceKind::kCuda
                                   ? std::numeric_limits<uint32_t>::max()
                                   : 0);
  if (device.kind == DeviceKind::kCuda)
    device.driver += ":" + std::to_string(index);
  device.numQueues =
      static_cast<int32_t>(reader.member("queues").integer(1, kMaxQueues));
  return device;
}

static void parseDevices(const JsonReader &reader, Manifest &manifest) {
  if (size_t count = reader.arraySize();
      reader.ok() && (count < 1 || count > kMaxDevices))
    reader.error("expects 1 to " + std::to_string(kMaxDevices) +
                 " devices but got " + std::to_string(count));
  std::set<std::string> names;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    ArtifactDevice device = parseDevice(element);
    if (!names.insert(device.name).second)
      element.error("expects names to be unique but got " +
                    inQuotes(device.name) + " twice");
    if (i > 0) {
      const ArtifactDevice &before = manifest.devices.back();
      device.firstQueue = before.firstQueue + before.numQueues;
      manifest.driver += ",";
    }
    manifest.driver += device.driver;
    manifest.devices.push_back(std::move(device));
  }
  // A mistake is found in the list; what is read later needs one.
  if (manifest.devices.empty())
    manifest.devices.emplace_back();
}

/// The variables' memory on each device.
static void parseBanks(const JsonReader &reader, Manifest &manifest) {
  manifest.devices.front().bankBytes = parseSize(reader.member("bank_bytes"));
  if (std::optional<JsonReader> banks = reader.optionalMember("banks"))
    forEachOther(*banks, manifest,
                 [&](const JsonReader &element, int64_t device) {
                   manifest.devices[device].bankBytes =
                       parseSize(element.member("bytes"));
                 });
}

/// Whether `target` is "simulated" or "sm_" or "compute_" with the two or three
/// digits of a compute capability.
static bool isTarget(std::string_view target) {
  if (target == "simulated")
    return true;
  if (!target.starts_with("sm_") && !target.starts_with("compute_"))
    return false;
  std::string_view digits = target.substr(target.find('_') + 1);
  return (digits.size() == 2 || digits.size() == 3) && digits[0] != '0' &&
         digits.find_first_not_of("0123456789") == std::string_view::npos;
}

static void parseCode(const JsonReader &reader, Manifest &manifest) {
  std::set<std::string> targets;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    CodeBlob blob{element.member("target").string(),
                  element.member("symbol").string(),
                  element.member("bytes").integer(1, kMaxManifestBytes)};
    if (!isTarget(blob.target))
      element.member("target").error(
          "expects simulated, or sm_ or compute_ and two or three digits but "
          "got " +
          inQuotes(blob.target));
    if (blob.symbol.empty())
      element.member("symbol").error("expects a name but got none");
    if (!targets.insert(blob.target).second)
      element.error("expects targets to be unique but got " +
                    inQuotes(blob.target) + " twice");
    manifest.code.push_back(std::move(blob));
  }
}

Expected<Manifest> jobrt::parseManifest(std::string_view text) {
  Expected<nlohmann::json> root = parseJson(text);
  if (!root.ok())
    return root.status();
  JsonErrors errors;
  JsonReader reader(*root, errors);
  reader.member("format").integer(JOBRT_FORMAT_VERSION, JOBRT_FORMAT_VERSION);

  Manifest manifest;
  manifest.compiler = reader.member("compiler").string();
  manifest.interface = reader.member("interface").string();
  parseDevices(reader.member("devices"), manifest);
  if (std::optional<JsonReader> code = reader.optionalMember("code"))
    parseCode(*code, manifest);
  if (std::optional<JsonReader> member = reader.optionalMember("communicator"))
    manifest.ranks =
        static_cast<int32_t>(member->member("ranks").integer(1, kMaxRanks));
  if (manifest.ranks && manifest.devices.size() > 1)
    reader.error("expects one device with a communicator but got " +
                 std::to_string(manifest.devices.size()));
  JsonReader target = reader.member("target");
  manifest.triple = target.member("triple").string();
  manifest.cpu = target.member("cpu").string();
  manifest.features = parseStrings(target.member("features"));
  parseBanks(reader, manifest);
  manifest.constantsBytes = parseSize(reader.member("constants_bytes"));
  std::vector<std::string> locations = parseStrings(reader.member("locations"));
  manifest.variables =
      parseVariables(reader.member("variables"), manifest, locations);
  parseEntries(reader.member("entries"), manifest, locations);
  if (!errors.ok())
    return errors.status();
  placeConstants(manifest);
  return manifest;
}
