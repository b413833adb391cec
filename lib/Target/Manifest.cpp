//===- Manifest.cpp - The plan as JSON ------------------------------------===//
//
// Writes the manifest of docs/artifact.md. One variable, location, port and
// command stands on a line, members in the order of that page, so that a person
// can read it and two manifests can be compared.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/MemoryReport.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/JSON.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Target/Artifact.h"
#include "JobDialect/Target/CodeObjects.h"
#include "jobrt/abi.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::plan;
namespace json = llvm::json;

/// Buffers that an entry lists as the largest ones.
static constexpr size_t kMaxPeakBuffers = 5;

namespace {

/// The places that the user wrote, each once, by first use.
class LocationTable {
public:
  /// The index of the user's line of `loc`; -1 when there is none.
  int64_t getIndex(Location loc);
  void write(json::OStream &out) const;

private:
  llvm::MapVector<StringAttr, int64_t> indices;
};

/// A program with everything in it resolved.
struct Entry {
  ProgramOp program;
  std::vector<json::Value> inputs, outputs, commands;
  /// The largest buffers at the peak of the arena; of a device with memory of
  /// its own, which may have less than the program needs.
  std::vector<json::Value> peak;
};

class ManifestBuilder : public CommandSerializer {
public:
  ManifestBuilder(ModuleOp module, const job::TargetDescription &target)
      : module(module), target(target) {}

  FailureOr<std::string> build();

  SymbolTableCollection &getSymbols() override { return symbols; }
  int64_t getLocationNumber(Location loc) override {
    return locations.getIndex(loc);
  }
  int64_t getEventNumber(Value event) override {
    return events.try_emplace(event, events.size()).first->second;
  }
  json::Value getType(MemRefType type) override {
    return json::Array{job::getElementTypeName(type.getElementType()),
                       json::Array(type.getShape())};
  }

private:
  void addDevices();
  LogicalResult addCommunicator();
  /// The number of the device of a space.
  int64_t getDevice(SpaceAttr space) const;
  std::string getSpaceName(SpaceAttr space) const;
  void addCode();
  LogicalResult addVariables();
  LogicalResult addSharedSizes();
  LogicalResult addEntry(ProgramOp program);
  LogicalResult addPeaks();
  template <typename PortOp>
  FailureOr<std::vector<json::Value>> getPorts(ProgramOp program);
  LogicalResult checkInitEntry();
  FailureOr<std::vector<json::Value>> getCommands(Block &block);
  LogicalResult addCallFeature(CallOp call);
  FailureOr<json::Object> getCommand(PlanCommandOpInterface op);
  FailureOr<json::Value> getBuffer(Value buffer);
  std::string getInterface() const;
  void write(json::OStream &out) const;
  void writeEntry(json::OStream &out, const Entry &entry) const;
  std::vector<json::Value> getSpaces(ProgramOp program) const;

  ModuleOp module;
  const job::TargetDescription &target;
  SymbolTableCollection symbols;
  /// The numbers of a program's events.
  DenseMap<Value, int64_t> events;
  std::vector<json::Value> devices, code;
  /// The numbers of all devices but the first one.
  DenseMap<StringAttr, int64_t> numbers;
  std::vector<json::Value> banks;
  std::optional<int64_t> ranks;
  LocationTable locations;
  int64_t bankBytes = 0, constantsBytes = 0;
  std::vector<json::Value> variables;
  std::vector<Entry> entries;
  /// Features of the processor that calls need.
  std::set<std::string> callFeatures;
};

} // namespace

int64_t LocationTable::getIndex(Location loc) {
  std::optional<job::UserLocation> line = job::getUserLocation(loc);
  if (!line)
    return -1;
  auto text = StringAttr::get(loc.getContext(), line->str());
  return indices.try_emplace(text, indices.size()).first->second;
}

void LocationTable::write(json::OStream &out) const {
  for (auto [text, index] : indices)
    out.value(job::toJSON(text.getValue()));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Fails at `op` when it has no offset.
static FailureOr<int64_t> getOffset(Operation *op,
                                    std::optional<int64_t> offset) {
  if (!offset)
    return op->emitOpError("expects an offset but got none");
  return *offset;
}

/// The name of a space of the first device in an artifact.
static StringRef getSpaceName(SpaceRole role) {
  switch (role) {
  case SpaceRole::Arena:
    return "arena";
  case SpaceRole::Variables:
    return "bank";
  case SpaceRole::Constants:
    return "constant";
  case SpaceRole::Inputs:
    return "input";
  case SpaceRole::Outputs:
    return "output";
  case SpaceRole::Workspace:
    return "workspace";
  }
  llvm_unreachable("unknown role");
}

/// "arena", or "arena@1" of the second device.
std::string ManifestBuilder::getSpaceName(SpaceAttr space) const {
  StringRef name = ::getSpaceName(space.getRole());
  int64_t device = getDevice(space);
  return device ? (name + "@" + Twine(device)).str() : name.str();
}

FailureOr<json::Value> ManifestBuilder::getBuffer(Value buffer) {
  BufferPlace place = getBufferPlace(buffer, symbols);
  FailureOr<int64_t> offset = getOffset(getBufferRoot(buffer), place.offset);
  if (failed(offset))
    return failure();
  json::Array reference{getSpaceName(place.space), *offset, place.bytes};
  if (place.stride)
    reference.push_back(place.stride);
  return json::Value(std::move(reference));
}

/// Members that variables, inputs and outputs have in common.
static json::Object getSlot(StringRef name, ShapedType type, int64_t offset) {
  return json::Object{{"name", job::toJSON(name)},
                      {"shape", json::Array(type.getShape())},
                      {"dtype", job::getElementTypeName(type.getElementType())},
                      {"offset", offset}};
}

void ManifestBuilder::addDevices() {
  for (auto device : module.getOps<DeviceOp>()) {
    if (!devices.empty())
      numbers[device.getSymNameAttr()] = static_cast<int64_t>(devices.size());
    json::Object description{{"name", job::toJSON(device.getSymName())},
                             {"kind", stringifyDeviceKind(device.getKind())},
                             {"queues", device.getQueues()}};
    if (device.getIndex() != 0)
      description["index"] = device.getIndex();
    devices.push_back(std::move(description));
  }
  if (devices.empty())
    devices.push_back(
        json::Object{{"name", "cpu0"}, {"kind", "host"}, {"queues", 1}});
}

int64_t ManifestBuilder::getDevice(SpaceAttr space) const {
  return space.getDevice() ? numbers.lookup(space.getDevice().getAttr()) : 0;
}

/// Staging slots are memory of the host, whatever the first device is.
static LogicalResult checkPorts(ProgramOp program) {
  WalkResult walked = program.walk([](Operation *op) -> WalkResult {
    if (!isa<InputOp, OutputOp>(op) ||
        !getSpace(op->getResult(0).getType()).getDevice())
      return success();
    return op->emitOpError()
           << "expects a staging slot, memory of the host, in a space without "
              "a device but got "
           << getSpace(op->getResult(0).getType());
  });
  return failure(walked.wasInterrupted());
}

/// The runtime has one communicator for an artifact.
LogicalResult ManifestBuilder::addCommunicator() {
  for (auto communicator : module.getOps<CommunicatorOp>()) {
    if (ranks)
      return communicator.emitOpError("expects to be the only communicator but "
                                      "got a second one");
    if (devices.size() > 1)
      return communicator.emitOpError("expects one device but got ")
             << devices.size();
    ranks = communicator.getRanks();
  }
  return success();
}

/// The objects that gpu-module-to-binary has made, each for one target.
void ManifestBuilder::addCode() {
  for (auto [index, object] : llvm::enumerate(job::getCodeObjects(module)))
    code.push_back(json::Object{
        {"target", job::toJSON(job::getCodeTarget(object))},
        {"symbol", JOBRT_CODE_PREFIX + std::to_string(index)},
        {"bytes", static_cast<int64_t>(object.getObject().size())}});
}

LogicalResult ManifestBuilder::addVariables() {
  for (auto variable : module.getOps<VariableOp>()) {
    FailureOr<int64_t> offset = getOffset(variable, variable.getOffset());
    if (failed(offset))
      return failure();
    auto type = cast<MemRefType>(variable.getType());
    json::Object slot =
        getSlot(variable.getSymName(), variable.getDeclaredType(), *offset);
    if (auto permutation = variable.getPermutation())
      slot["permutation"] = json::Array(*permutation);
    if (auto expandedShape = variable.getExpandedShape())
      slot["expanded_shape"] = json::Array(*expandedShape);
    slot["trainable"] = variable.getTrainable();
    slot["location"] = locations.getIndex(variable.getLoc());
    if (int64_t device = getDevice(getSpace(type)))
      slot["device"] = device;
    variables.push_back(std::move(slot));
  }
  return success();
}

/// The bytes of the spaces that all programs share.
LogicalResult ManifestBuilder::addSharedSizes() {
  for (auto constant : module.getOps<ConstantOp>())
    if (failed(getOffset(constant, constant.getOffset())))
      return failure();
  auto sizes = module->getAttrOfType<SizesAttr>(kSizesAttrName);
  auto add = [&](SpaceRole role, bool isUsed, int64_t &bytes) -> LogicalResult {
    std::optional<SpaceSize> size = sizes ? sizes.lookup(role) : std::nullopt;
    bytes = size ? size->bytes : 0;
    if (size || !isUsed)
      return success();
    return module.emitError() << "expects a size of the "
                              << stringifySpaceRole(role) << " but got none";
  };
  if (failed(add(SpaceRole::Variables, !module.getOps<VariableOp>().empty(),
                 bankBytes)))
    return failure();
  // The spaces are in the order of the variables, banks in that of the devices.
  std::map<int64_t, int64_t> bytes;
  for (const SpaceSize &size :
       sizes ? sizes.getSpaces() : ArrayRef<SpaceSize>())
    if (size.space.getRole() == SpaceRole::Variables)
      bytes[getDevice(size.space)] = size.bytes;
  for (auto [device, bytesOfBank] : bytes)
    if (device)
      banks.push_back(json::Object{{"device", device}, {"bytes", bytesOfBank}});
  return add(SpaceRole::Constants, !module.getOps<ConstantOp>().empty(),
             constantsBytes);
}

/// Inputs or outputs, by index.
template <typename PortOp>
FailureOr<std::vector<json::Value>>
ManifestBuilder::getPorts(ProgramOp program) {
  SmallVector<PortOp> ports =
      llvm::to_vector(program.getBody().getOps<PortOp>());
  llvm::sort(ports,
             [](PortOp a, PortOp b) { return a.getIndex() < b.getIndex(); });
  std::vector<json::Value> result;
  for (PortOp port : ports) {
    FailureOr<int64_t> offset = getOffset(port, port.getOffset());
    if (failed(offset))
      return failure();
    auto type = cast<MemRefType>(port.getResult().getType());
    json::Object slot = getSlot(port.getName(), type, *offset);
    if constexpr (std::is_same_v<PortOp, OutputOp>)
      if (port.getCount()) {
        slot["count"] = static_cast<int64_t>(*port.getCount());
        if (port.getBoundedDim() != 0)
          slot["bounded_dim"] = static_cast<int64_t>(port.getBoundedDim());
      }
    if constexpr (std::is_same_v<PortOp, InputOp>)
      if (port.getChecked()) {
        slot["checked"] = true;
        slot["location"] = locations.getIndex(port.getLoc());
      }
    result.push_back(std::move(slot));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// A machine needs what the library's function uses.
LogicalResult ManifestBuilder::addCallFeature(CallOp call) {
  StringRef feature = call.getConfig().getRequiredFeature();
  if (feature.empty())
    return success();
  if (!llvm::is_contained(target.callFeatures, feature))
    return call.emitOpError()
           << "expects a processor with " << feature << " for "
           << call.getConfig() << " but got '" << target.cpu << "' without it";
  callFeatures.insert(feature.str());
  return success();
}

FailureOr<json::Object> ManifestBuilder::getCommand(PlanCommandOpInterface op) {
  json::Array args;
  for (Value operand : op->getOperands()) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    FailureOr<json::Value> buffer = getBuffer(operand);
    if (failed(buffer))
      return failure();
    args.push_back(std::move(*buffer));
  }
  json::Object command{{"args", std::move(args)}};
  std::string name = job::getUserName(op->getLoc());
  if (!name.empty())
    command["name"] = job::toJSON(name);
  command["location"] = locations.getIndex(op->getLoc());
  if (op.getQueue() != 0)
    command["queue"] = static_cast<int64_t>(op.getQueue());
  if (failed(op.serialize(*this, command)))
    return failure();
  if (auto call = dyn_cast<CallOp>(*op))
    if (failed(addCallFeature(call)))
      return failure();
  return command;
}

/// The commands of a program, or of a repeat in it.
FailureOr<std::vector<json::Value>> ManifestBuilder::getCommands(Block &block) {
  std::vector<json::Value> commands;
  for (Operation &op : block) {
    if (auto repeat = dyn_cast<RepeatOp>(op)) {
      FailureOr<std::vector<json::Value>> inner =
          getCommands(repeat.getBody().front());
      if (failed(inner))
        return failure();
      commands.push_back(
          json::Object{{"op", "repeat"},
                       {"count", static_cast<int64_t>(repeat.getCount())},
                       {"commands", json::Array(std::move(*inner))}});
    }
    auto interface = dyn_cast<PlanCommandOpInterface>(op);
    if (!interface)
      continue;
    FailureOr<json::Object> command = getCommand(interface);
    if (failed(command))
      return failure();
    commands.push_back(std::move(*command));
  }
  return commands;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static constexpr SpaceRole kProgramRoles[] = {
    SpaceRole::Inputs, SpaceRole::Outputs, SpaceRole::Arena,
    SpaceRole::Workspace};

static LogicalResult checkSizes(ProgramOp program) {
  for (SpaceRole role : kProgramRoles)
    if (!program.getSize(role))
      return program.emitOpError()
             << "expects a size of the " << stringifySpaceRole(role)
             << " but got none";
  return success();
}

LogicalResult ManifestBuilder::addEntry(ProgramOp program) {
  events.clear();
  if (failed(checkSizes(program)) || failed(checkPorts(program)))
    return failure();
  FailureOr<std::vector<json::Value>> inputs = getPorts<InputOp>(program);
  FailureOr<std::vector<json::Value>> outputs = getPorts<OutputOp>(program);
  if (failed(inputs) || failed(outputs))
    return failure();
  FailureOr<std::vector<json::Value>> commands =
      getCommands(program.getBody().front());
  if (failed(commands))
    return failure();
  entries.push_back({program, std::move(*inputs), std::move(*outputs),
                     std::move(*commands),
                     /*peak=*/{}});
  return success();
}

/// For the error of a device that has less memory than a program needs. The
/// host gets memory when it uses it, and has no such error.
LogicalResult ManifestBuilder::addPeaks() {
  auto devices = module.getOps<DeviceOp>();
  if (entries.empty() || llvm::all_of(devices, [](DeviceOp device) {
        return device.getKind() == DeviceKind::Host;
      }))
    return success();
  FailureOr<std::vector<job::ProgramMemory>> memories =
      job::collectMemory(module);
  if (failed(memories))
    return failure();
  for (auto [entry, memory] : llvm::zip_equal(entries, *memories)) {
    std::vector<size_t> largest = memory.getPeakBuffers();
    for (size_t index : ArrayRef<size_t>(largest).take_front(kMaxPeakBuffers)) {
      const job::MemoryBuffer &buffer = memory.buffers[index];
      json::Object row{{"bytes", buffer.bytes}, {"type", buffer.type}};
      if (!buffer.name.empty())
        row["name"] = job::toJSON(buffer.name);
      row["location"] = locations.getIndex(buffer.loc);
      entry.peak.push_back(std::move(row));
    }
  }
  return success();
}

/// The runtime calls the init entry itself, so that its form is fixed.
LogicalResult ManifestBuilder::checkInitEntry() {
  int64_t count = 0;
  for (const Entry &entry : entries) {
    ProgramOp program = entry.program;
    if (program.getKind() != job::JobKind::Init)
      continue;
    ++count;
    auto inputs = program.getBody().getOps<InputOp>();
    MemRefType seedType = getBufferType(
        MemRefType::get({1}, IntegerType::get(program.getContext(), 64)),
        SpaceRole::Inputs);
    if (program.getSymName() != JOBRT_INIT_ENTRY ||
        !llvm::hasSingleElement(inputs) ||
        (*inputs.begin()).getName() != "seed" ||
        (*inputs.begin()).getResult().getType() != seedType)
      return program.emitOpError()
             << "expects a program of kind init to be @" JOBRT_INIT_ENTRY
                " with the one input \"seed\" of type "
             << seedType;
  }
  if (count > 1 || (count == 0 && !variables.empty()))
    return module.emitError()
           << "expects one program of kind init for " << variables.size()
           << " variables but got " << count;
  return success();
}

/// How results nest; without a structure in the program none, one, or a tuple.
static std::string getResultStructure(ProgramOp program, size_t numOutputs) {
  if (std::optional<StringRef> structure = program.getResultStructure())
    return structure->str();
  if (numOutputs == 0)
    return "null";
  if (numOutputs == 1)
    return "0";
  json::Array indices;
  for (size_t i = 0; i < numOutputs; ++i)
    indices.push_back(static_cast<int64_t>(i));
  return llvm::formatv("{0}",
                       json::Value(json::Object{{"tuple", std::move(indices)}}))
      .str();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Name, shape and type of variables or ports, which port has the count, and of
/// which dimension.
static json::Array getTypes(const std::vector<json::Value> &slots) {
  json::Array types;
  for (const json::Value &slot : slots) {
    const json::Object &members = *slot.getAsObject();
    json::Array type{*members.get("name"), *members.get("shape"),
                     *members.get("dtype")};
    for (StringRef member : {"count", "bounded_dim"})
      if (const json::Value *value = members.get(member))
        type.push_back(*value);
    types.push_back(std::move(type));
  }
  return types;
}

/// A hash of what callers build on, in its order: jobs, ports and variables.
std::string ManifestBuilder::getInterface() const {
  json::Array jobs;
  for (const Entry &entry : entries) {
    ProgramOp program = entry.program;
    jobs.push_back(json::Array{job::toJSON(program.getSymName()),
                               job::stringifyJobKind(program.getKind()),
                               getTypes(entry.inputs),
                               getTypes(entry.outputs)});
  }
  std::string text = llvm::formatv(
      "{0}", json::Value(json::Array{getTypes(variables), std::move(jobs)}));
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}

/// An array with one element a line.
static void writeLines(json::OStream &out, StringRef name,
                       const std::vector<json::Value> &values) {
  out.attributeArray(name, [&] {
    for (const json::Value &value : values)
      out.rawValue([&](raw_ostream &os) { os << value; });
  });
}

/// What a program needs on other devices than the first one.
std::vector<json::Value> ManifestBuilder::getSpaces(ProgramOp program) const {
  std::map<int64_t, json::Object> byDevice;
  for (const SpaceSize &size : program.getSizes()->getSpaces()) {
    int64_t device = getDevice(size.space);
    if (device == 0)
      continue;
    json::Object &members =
        byDevice
            .try_emplace(device, json::Object{{"device", device},
                                              {"arena_bytes", 0},
                                              {"workspace_bytes", 0},
                                              {"arena_lower_bound", 0}})
            .first->second;
    members[(::getSpaceName(size.space.getRole()) + "_bytes").str()] =
        size.bytes;
    if (size.lowerBound)
      members["arena_lower_bound"] = *size.lowerBound;
  }
  std::vector<json::Value> spaces;
  for (json::Object &members : llvm::make_second_range(byDevice))
    spaces.push_back(std::move(members));
  return spaces;
}

void ManifestBuilder::writeEntry(json::OStream &out, const Entry &entry) const {
  ProgramOp program = entry.program;
  out.object([&] {
    out.attribute("name", job::toJSON(program.getSymName()));
    out.attribute("kind", job::stringifyJobKind(program.getKind()));
    writeLines(out, "inputs", entry.inputs);
    writeLines(out, "outputs", entry.outputs);
    out.attribute("result_structure", job::toJSON(getResultStructure(
                                          program, entry.outputs.size())));
    for (SpaceRole role : kProgramRoles)
      out.attribute((::getSpaceName(role) + "_bytes").str(),
                    program.getSize(role)->bytes);
    out.attribute("arena_lower_bound",
                  *program.getSize(SpaceRole::Arena)->lowerBound);
    std::vector<json::Value> spaces = getSpaces(program);
    if (!spaces.empty())
      writeLines(out, "spaces", spaces);
    writeLines(out, "commands", entry.commands);
    if (!entry.peak.empty())
      writeLines(out, "peak", entry.peak);
  });
}

void ManifestBuilder::write(json::OStream &out) const {
  out.object([&] {
    out.attribute("format", JOBRT_FORMAT_VERSION);
    out.attribute("compiler", job::getCompilerVersion());
    out.attributeObject("target", [&] {
      out.attribute("triple", target.triple);
      out.attribute("cpu", target.cpu);
      std::vector<std::string> features = target.requiredFeatures;
      llvm::append_range(features, callFeatures);
      out.attribute("features", json::Array(features));
    });
    out.attribute("interface", getInterface());
    writeLines(out, "devices", devices);
    if (ranks)
      out.attributeObject("communicator",
                          [&] { out.attribute("ranks", *ranks); });
    if (!code.empty())
      writeLines(out, "code", code);
    out.attribute("bank_bytes", bankBytes);
    if (!banks.empty())
      writeLines(out, "banks", banks);
    out.attribute("constants_bytes", constantsBytes);
    writeLines(out, "variables", variables);
    out.attributeArray("locations", [&] { locations.write(out); });
    out.attributeArray("entries", [&] {
      for (const Entry &entry : entries)
        writeEntry(out, entry);
    });
  });
}

/// Names are text in JSON, where other bytes would be replaced: by the same
/// ones in several names.
static LogicalResult verifyNames(ModuleOp module) {
  auto verify = [](Operation *op, StringAttr name) -> LogicalResult {
    if (json::isUTF8(name.getValue()))
      return success();
    return emitError(op->getLoc())
           << "expects a name of UTF-8 but got " << name;
  };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<InputOp, OutputOp>(
            [&](auto port) { return verify(port, port.getNameAttr()); })
        .Case<ProgramOp, plan::VariableOp>([&](auto symbol) {
          return verify(symbol, symbol.getSymNameAttr());
        })
        .Default([](Operation *) { return success(); });
  });
  return failure(result.wasInterrupted());
}

FailureOr<std::string> ManifestBuilder::build() {
  if (failed(verifyNames(module)))
    return failure();
  addDevices();
  if (failed(addCommunicator()) || failed(addVariables()) ||
      failed(addSharedSizes()))
    return failure();
  addCode();
  for (auto program : module.getOps<ProgramOp>())
    if (failed(addEntry(program)))
      return failure();
  if (failed(checkInitEntry()) || failed(addPeaks()))
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os, /*IndentSize=*/1);
  write(out);
  out.flush();
  os << "\n";
  return text;
}

FailureOr<std::string> job::buildManifest(ModuleOp module,
                                          const TargetDescription &target) {
  return ManifestBuilder(module, target).build();
}
