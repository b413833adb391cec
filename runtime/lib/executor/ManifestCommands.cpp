//===- ManifestCommands.cpp - The commands of an entry --------------------===//

#include "lib/executor/JsonReader.h"
#include "lib/executor/Manifest.h"
#include "lib/executor/StepParts.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <set>

using namespace jobrt;

/// More chunks or kernels than any plan has.
static constexpr int64_t kMaxCount = int64_t(1) << 30;
/// Iterations of a repeat, and of all commands of an entry together: what a
/// trace of one step has to hold.
static constexpr int64_t kMaxIterations = 65536;
static constexpr int64_t kMaxExecutions = int64_t(1) << 30;
/// Commands of repeats on several devices, all iterations counted: each is made
/// ready to run apart.
static constexpr int64_t kMaxMixedExecutions = 65536;

/// CUDA's limit of the threads of a block.
static constexpr int64_t kMaxThreads = 1024;

/// Inputs and outputs of a step are memory of the host, those of no device.
static bool isStaging(const BufferRef &buffer) {
  return buffer.space == Space::kInput || buffer.space == Space::kOutput;
}

/// "arena", and "arena@1" for a device other than the first one.
static std::string formatSpace(const BufferRef &buffer) {
  std::string name = spaceName(buffer.space);
  if (buffer.device != 0)
    name += "@" + std::to_string(buffer.device);
  return name;
}

static void parseSpace(const JsonReader &reader, const CommandScope &scope,
                       BufferRef &buffer) {
  std::string name = reader.string();
  auto count = static_cast<int32_t>(scope.devices.size());
  for (int i = 0; i < kNumSpaces; ++i) {
    buffer.space = static_cast<Space>(i);
    for (int32_t device = 0; device < (isStaging(buffer) ? 1 : count);
         ++device) {
      buffer.device = device;
      if (name == formatSpace(buffer))
        return;
    }
  }
  reader.error("expects one of arena, bank, input, output, constant, "
               "workspace" +
               (count == 1 ? std::string()
                           : ", or the space of another device, such as "
                             "arena@" +
                                 std::to_string(count - 1) + ",") +
               " but got '" + name + "'");
  buffer.space = Space::kArena;
  buffer.device = 0;
}

/// Where a buffer ends in the last iteration. No overflow: all strides together
/// are no larger than kMaxManifestBytes.
static int64_t endOf(const BufferRef &buffer, const CommandScope &scope) {
  return buffer.offset + buffer.bytes + buffer.stride * (scope.iterations - 1);
}

static BufferRef parseBuffer(const JsonReader &reader,
                             const CommandScope &scope) {
  BufferRef buffer{Space::kArena, 0, 0};
  size_t count = reader.arraySize();
  bool mayMove = scope.iterations > 1;
  if (count != 3 && !(count == 4 && mayMove)) {
    reader.error(std::string("expects [space, offset, bytes]") +
                 (mayMove ? ", with a stride or without," : "") + " but got " +
                 std::to_string(count) + " elements");
    return buffer;
  }
  parseSpace(reader.element(0), scope, buffer);
  buffer.offset = parseOffset(reader.element(1));
  buffer.bytes = parseSize(reader.element(2));
  if (count == 4)
    buffer.stride =
        reader.element(3).integer(0, kMaxManifestBytes / scope.iterations);
  int64_t size = scope.sizes[buffer.device][static_cast<int>(buffer.space)];
  if (endOf(buffer, scope) > size)
    reader.error(std::string("expects to end within the ") +
                 std::to_string(size) + " bytes of the space " +
                 formatSpace(buffer) + " but ends at " +
                 std::to_string(endOf(buffer, scope)));
  return buffer;
}

bool jobrt::mayOverlap(const BufferRef &a, const BufferRef &b,
                       const CommandScope &scope) {
  return a.space == b.space && a.device == b.device &&
         a.offset < endOf(b, scope) && b.offset < endOf(a, scope);
}

/// Kernels and library calls expect aligned buffers, in every iteration.
static void checkAlignment(const JsonReader &args, const Command &command) {
  for (size_t i = 0; i < command.args.size(); ++i)
    if (command.args[i].stride % JOBRT_ALIGNMENT != 0)
      args.element(i).error("expects a stride that is a multiple of " +
                            std::to_string(JOBRT_ALIGNMENT) + " but got " +
                            std::to_string(command.args[i].stride));
}

static void checkArgCount(const JsonReader &args, const Command &command,
                          size_t expected) {
  if (command.args.size() != expected)
    args.error("expects " + std::to_string(expected) + " buffers but got " +
               std::to_string(command.args.size()));
}

/// Constants lie in memory that cannot be written.
static void markWritten(const JsonReader &args, Command &command,
                        size_t index) {
  if (index >= command.args.size())
    return;
  BufferRef &buffer = command.args[index];
  buffer.isWritten = true;
  if (buffer.space == Space::kConstant)
    args.element(index).error("expects a space that can be written but got "
                              "constant");
}

/// Calls `mark` with each index of a list, which is in increasing order.
template <typename Mark>
static void parseIndices(const JsonReader &reader, const Command &command,
                         Mark mark) {
  int64_t first = 0, last = static_cast<int64_t>(command.args.size()) - 1;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    int64_t index = reader.element(i).integer(first, last);
    if (!reader.ok())
      return;
    mark(static_cast<size_t>(index));
    first = index + 1;
  }
}

/// What dispatches and calls say about their work.
static void parseWork(const JsonReader &reader, const JsonReader &args,
                      Command &command) {
  command.flops = reader.member("flops").integer(0, INT64_MAX);
  parseIndices(reader.member("reads"), command,
               [&](size_t i) { command.args[i].isRead = true; });
  parseIndices(reader.member("writes"), command,
               [&](size_t i) { markWritten(args, command, i); });
  for (size_t i = 0; i < command.args.size() && reader.ok(); ++i) {
    const BufferRef &buffer = command.args[i];
    bool isUsed = buffer.isRead || buffer.isWritten;
    if (isUsed != (buffer.space != Space::kWorkspace))
      args.element(i).error(
          isUsed ? "expects a workspace to be neither read nor written"
                 : "expects a buffer that is read or written");
  }
}

/// The ops that a dispatch checks, and the buffer of status words.
static void parseChecks(const JsonReader &reader, const JsonReader &args,
                        const CommandScope &scope, Command &command) {
  size_t count = reader.arraySize();
  if (reader.ok() && (count < 1 || count > JOBRT_MAX_CHECKS))
    return reader.error("expects 1 to " + std::to_string(JOBRT_MAX_CHECKS) +
                        " checks but got " + std::to_string(count));
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    JsonReader check = reader.element(i);
    CheckedOp &op = command.checks.emplace_back();
    if (std::optional<JsonReader> name = check.optionalMember("name"))
      op.name = name->string();
    op.location = parseLocation(check.member("location"), scope.locations);
  }
  // The blocks of a GPU share one.
  int64_t words = command.kernelName.empty() ? command.chunks : 1;
  int64_t bytes = words * int64_t(sizeof(uint32_t));
  if (!command.args.empty()) {
    const BufferRef &status = command.args.back();
    if (status.isWritten && !status.isRead && status.bytes >= bytes)
      return;
  }
  args.error("expects a last buffer of at least " + std::to_string(bytes) +
             " bytes that is only written, for the status words of the checks");
}

static void parseCall(const JsonReader &reader, Command &command) {
  command.kind = Command::Kind::kCall;
  command.callee = reader.member("callee").string();
  for (const auto &[key, value] : reader.member("config").members())
    command.config[key] = value.number();
}

/// Reads whether the results of a call are checked.
static void parseCheck(const JsonReader &reader, Command &command) {
  std::optional<JsonReader> checked = reader.optionalMember("checked");
  if (!checked || !checked->boolean())
    return;
  if (std::none_of(command.args.begin(), command.args.end(),
                   [](const BufferRef &buffer) { return buffer.isWritten; }))
    checked->error("expects results to be checked but got none");
  command.checks.push_back({command.name, command.location});
}

static void checkCopy(const JsonReader &args, const CommandScope &scope,
                      Command &command) {
  checkArgCount(args, command, 2);
  markWritten(args, command, 1);
  if (command.args.size() != 2)
    return;
  command.args[0].isRead = true;
  const BufferRef &from = command.args[0], &to = command.args[1];
  if (from.bytes != to.bytes)
    args.error("expects two buffers of the same size but got " +
               std::to_string(from.bytes) + " and " + std::to_string(to.bytes) +
               " bytes");
  else if (mayOverlap(from, to, scope))
    args.error("expects buffers that do not overlap");
}

static void parseHostCall(const JsonReader &reader, const JsonReader &args,
                          Command &command) {
  command.kind = Command::Kind::kHostCall;
  command.callee = reader.member("callee").string();
  JsonReader types = reader.member("types");
  if (size_t count = types.arraySize();
      types.ok() && count != command.args.size())
    types.error("expects " + std::to_string(command.args.size()) +
                " types but got " + std::to_string(count));
  for (size_t i = 0; i < command.args.size() && reader.ok(); ++i) {
    JsonReader type = types.element(i);
    if (type.arraySize() != 2)
      return type.error("expects [dtype, shape]");
    BufferType parsed{parseDTypeName(type.element(0)),
                      parseShape(type.element(1))};
    std::optional<int64_t> count = numElements(parsed.shape);
    int64_t bytes = command.args[i].bytes;
    if (!count || *count > bytes || *count * dtypeBytes(parsed.dtype) != bytes)
      return type.error("expects a type of " + std::to_string(bytes) +
                        " bytes but got " +
                        formatType(parsed.shape, parsed.dtype));
    command.types.push_back(std::move(parsed));
  }
  parseWork(reader, args, command);
  checkAlignment(args, command);
}

/// The event of a record or a wait. Events are numbered in the order in which
/// they are recorded, so a wait for a later one, as in a cycle, is an error.
static void parseEvent(const JsonReader &reader, const JsonReader &args,
                       const CommandScope &scope, Command &command) {
  auto numEvents = static_cast<int64_t>(scope.events.size());
  checkArgCount(args, command, 0);
  JsonReader event = reader.member("event");
  command.event = event.integer(0, kMaxCount);
  if (!reader.ok())
    return;
  if (command.kind == Command::Kind::kRecord && command.event != numEvents)
    event.error("expects " + std::to_string(numEvents) +
                ", the number of events recorded before, but got " +
                std::to_string(command.event));
  if (command.kind == Command::Kind::kWait && command.event >= numEvents)
    event.error("expects an event that was recorded before, one of " +
                std::to_string(numEvents) + ", but got " +
                std::to_string(command.event));
  if (!reader.ok())
    return;
  if (command.kind == Command::Kind::kRecord)
    scope.events.push_back(command.device);
  else if (scope.events[command.event] != command.device)
    event.error("expects an event of the device '" +
                scope.devices[command.device].name + "' but got one of '" +
                scope.devices[scope.events[command.event]].name + "'");
}

static ScalarArg parseScalar(const JsonReader &reader) {
  ScalarArg scalar{DType::kI64, {}};
  if (size_t size = reader.arraySize(); reader.ok() && size != 2)
    reader.error("expects [dtype, value] but got " + std::to_string(size) +
                 " elements");
  if (!reader.ok())
    return scalar;
  auto store = [&](auto value) {
    std::memcpy(scalar.value.data(), &value, sizeof(value));
  };
  JsonReader dtype = reader.element(0), value = reader.element(1);
  scalar.dtype = parseDTypeName(dtype);
  auto fraction = [&] {
    return std::visit([](auto number) { return static_cast<double>(number); },
                      value.number());
  };
  switch (scalar.dtype) {
  case DType::kI32:
    store(static_cast<int32_t>(value.integer(INT32_MIN, INT32_MAX)));
    break;
  case DType::kI64:
    store(value.integer(INT64_MIN, INT64_MAX));
    break;
  case DType::kF32:
    if (double number = fraction(); std::abs(number) <= FLT_MAX)
      store(static_cast<float>(number));
    else
      value.error("expects a number that is finite in f32");
    break;
  case DType::kF64:
    store(fraction());
    break;
  default:
    dtype.error("expects one of i32, i64, f32, f64 but got '" +
                std::string(dtypeName(scalar.dtype)) + "'");
  }
  return scalar;
}

/// What a dispatch on a GPU has in place of the number of a kernel.
static void parseLaunch(const JsonReader &reader, Command &command) {
  JsonReader kernel = reader.member("kernel");
  command.kernelName = kernel.string();
  // The name goes to functions of C.
  if (command.kernelName.empty() ||
      command.kernelName.find('\0') != std::string::npos)
    kernel.error("expects the name of a kernel but got '" + command.kernelName +
                 "'");
  command.threads =
      static_cast<int32_t>(reader.member("threads").integer(1, kMaxThreads));
  std::optional<JsonReader> scalars = reader.optionalMember("scalars");
  size_t parameters = command.args.size();
  if (scalars)
    parameters += scalars->arraySize();
  if (reader.ok() && parameters > JOBRT_MAX_KERNEL_PARAMETERS)
    reader.error("expects at most " +
                 std::to_string(JOBRT_MAX_KERNEL_PARAMETERS) +
                 " buffers and scalars but got " + std::to_string(parameters));
  if (!scalars)
    return;
  for (size_t i = 0, e = scalars->arraySize(); i < e && reader.ok(); ++i)
    command.scalars.push_back(parseScalar(scalars->element(i)));
}

/// The device whose queue a command is on.
static int32_t findDevice(const CommandScope &scope, int32_t queue) {
  int32_t device = 0;
  while (queue >=
         scope.devices[device].firstQueue + scope.devices[device].numQueues)
    ++device;
  return device;
}

/// A command uses the memory of its queue's device; a copy between two devices
/// is on a queue of either.
static void checkDevices(const JsonReader &args, const CommandScope &scope,
                         const Command &command) {
  if (isBetweenDevices(command) && (command.args[0].device == command.device ||
                                    command.args[1].device == command.device))
    return;
  for (size_t i = 0; i < command.args.size(); ++i)
    if (!isStaging(command.args[i]) && command.args[i].device != command.device)
      args.element(i).error("expects memory of the device '" +
                            scope.devices[command.device].name +
                            "', on whose queue the "
                            "command is, but got the space " +
                            formatSpace(command.args[i]));
}

static Command parseCommand(const JsonReader &reader, const std::string &opName,
                            const CommandScope &scope,
                            const Command *previous) {
  Command command;
  command.kind = Command::Kind::kDispatch;
  JsonReader args = reader.member("args");
  for (size_t i = 0, e = args.arraySize(); i < e; ++i)
    command.args.push_back(parseBuffer(args.element(i), scope));
  if (std::optional<JsonReader> name = reader.optionalMember("name"))
    command.name = name->string();
  if (std::optional<JsonReader> location = reader.optionalMember("location"))
    command.location = parseLocation(*location, scope.locations);

  if (std::optional<JsonReader> queue = reader.optionalMember("queue")) {
    const ArtifactDevice &last = scope.devices.back();
    command.queue = static_cast<int32_t>(
        queue->integer(0, last.firstQueue + last.numQueues - 1));
  }
  command.device = findDevice(scope, command.queue);
  DeviceKind device = scope.devices[command.device].kind;

  bool inChunks = false;
  if (opName == "dispatch") {
    if (device == DeviceKind::kCuda)
      parseLaunch(reader, command);
    else
      command.kernelIndex = reader.member("kernel").integer(0, kMaxCount);
    parseWork(reader, args, command);
    checkAlignment(args, command);
    inChunks = true;
  } else if (opName == "call") {
    parseCall(reader, command);
    parseWork(reader, args, command);
    checkAlignment(args, command);
    inChunks = true;
  } else if (opName == "copy") {
    command.kind = Command::Kind::kCopy;
    checkCopy(args, scope, command);
  } else if (opName == "fill") {
    command.kind = Command::Kind::kFill;
    command.fillValue =
        static_cast<uint8_t>(reader.member("value").integer(0, 255));
    checkArgCount(args, command, 1);
    markWritten(args, command, 0);
  } else if (opName == "host_call") {
    parseHostCall(reader, args, command);
  } else if (opName == "collective") {
    command.kind = Command::Kind::kCollective;
    parseWork(reader, args, command);
    checkAlignment(args, command);
    parseCollective(reader, args, scope, previous, command);
  } else if (opName == "record" || opName == "wait") {
    command.kind =
        opName == "record" ? Command::Kind::kRecord : Command::Kind::kWait;
    parseEvent(reader, args, scope, command);
  } else {
    reader.member("op").error(
        std::string("expects one of dispatch, call, copy, fill, record, wait, "
                    "host_call, collective") +
        (scope.iterations > 1 ? "" : ", repeat") + " but got '" + opName + "'");
  }
  if (std::optional<JsonReader> chunks = reader.optionalMember("chunks"))
    command.chunks = chunks->integer(1, inChunks ? kMaxCount : 1);
  if (reader.ok())
    checkDevices(args, scope, command);
  if (command.kind == Command::Kind::kCall)
    parseCheck(reader, command);
  if (opName == "dispatch")
    if (std::optional<JsonReader> checks = reader.optionalMember("checks"))
      parseChecks(*checks, args, scope, command);
  return command;
}

/// Reads whether a dispatch is an epilogue of the last of `commands`, of which
/// those before `begin` are in another list.
static void parseEpilogue(const JsonReader &reader, size_t begin,
                          const std::vector<Command> &commands,
                          Command &command) {
  std::optional<JsonReader> epilogue = reader.optionalMember("epilogue");
  if (!epilogue)
    return;
  command.isEpilogue = epilogue->boolean();
  if (!command.isEpilogue)
    return;
  const Command *before = commands.size() > begin ? &commands.back() : nullptr;
  if (command.kind != Command::Kind::kDispatch || !before ||
      (before->kind != Command::Kind::kDispatch &&
       before->kind != Command::Kind::kCall) ||
      before->queue != command.queue || before->chunks != command.chunks)
    epilogue->error(
        "expects a dispatch after a call or a dispatch on its queue "
        "with as many chunks but got another command");
}

/// Appends the commands of an entry, or of a repeat in it.
static void parseList(const JsonReader &reader, const CommandScope &scope,
                      EntryInfo &entry) {
  size_t begin = entry.commands.size();
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i) {
    JsonReader element = reader.element(i);
    std::string op = element.member("op").string();
    if (op != "repeat" || scope.iterations > 1) {
      const Command *previous =
          entry.commands.size() > begin ? &entry.commands.back() : nullptr;
      Command command = parseCommand(element, op, scope, previous);
      parseEpilogue(element, begin, entry.commands, command);
      entry.hasEpilogues |= command.isEpilogue;
      entry.numQueues = std::max(entry.numQueues, command.queue + 1);
      entry.hasCollectives |= command.kind == Command::Kind::kCollective;
      if (command.kind == Command::Kind::kHostCall)
        entry.hostCalls.push_back(entry.commands.size());
      entry.commands.push_back(std::move(command));
      continue;
    }
    CommandScope inner = scope;
    inner.iterations = element.member("count").integer(2, kMaxIterations);
    if (!reader.ok())
      return;
    size_t first = entry.commands.size();
    JsonReader commands = element.member("commands");
    parseList(commands, inner, entry);
    if (reader.ok() && entry.commands.size() == first)
      commands.error("expects at least one command but got none");
    entry.repeats.push_back({first, entry.commands.size(), inner.iterations});
    begin = entry.commands.size();
  }
}

/// Executions of commands in one step.
static void checkExecutions(const JsonReader &reader, const CommandScope &scope,
                            const EntryInfo &entry) {
  auto executions = static_cast<int64_t>(entry.commands.size());
  int64_t mixed = 0;
  for (const RepeatInfo &repeat : entry.repeats) {
    auto commands = static_cast<int64_t>(repeat.end - repeat.begin);
    executions += commands * (repeat.count - 1);
    if (!isOnOneDevice(entry, repeat, scope.devices))
      mixed += commands * repeat.count;
  }
  if (executions > kMaxExecutions)
    reader.error("expects at most " + std::to_string(kMaxExecutions) +
                 " commands a step but got " + std::to_string(executions));
  if (mixed > kMaxMixedExecutions)
    reader.error("expects at most " + std::to_string(kMaxMixedExecutions) +
                 " commands a step in repeats of several devices but got " +
                 std::to_string(mixed));
}

/// The devices of an entry, and their kind.
static void findDevices(const CommandScope &scope, EntryInfo &entry) {
  std::set<int32_t> devices;
  for (const Command &command : entry.commands) {
    devices.insert(command.device);
    for (const BufferRef &buffer : command.args)
      if (!isStaging(buffer))
        devices.insert(buffer.device);
  }
  if (!devices.empty())
    entry.devices.assign(devices.begin(), devices.end());
  entry.device = scope.devices[entry.devices.front()].kind;
}

/// Chunks of commands that may be handed out together.
static void checkChunks(const JsonReader &reader, const EntryInfo &entry) {
  int64_t chunks = 0;
  for (const Command &command : entry.commands)
    chunks = std::min(chunks + command.chunks, kMaxCount + 1);
  if (entry.numQueues > 1 && chunks > kMaxCount)
    reader.error("expects at most " + std::to_string(kMaxCount) +
                 " chunks in commands of several queues but got more");
}

/// Several drivers must not write the outputs of one step.
static void checkHostCalls(const JsonReader &reader, const CommandScope &scope,
                           const EntryInfo &entry) {
  if (entry.devices.size() == 1)
    return;
  for (size_t index : entry.hostCalls) {
    const Command &command = entry.commands[index];
    if (scope.devices[command.device].kind == DeviceKind::kHost)
      continue;
    for (const BufferRef &buffer : command.args)
      if (buffer.space == Space::kOutput)
        reader.error("expects a host_call on the device '" +
                     scope.devices[command.device].name +
                     "' of an entry of several devices to use no output but "
                     "got one of '" +
                     command.callee + "'");
  }
}

/// In an entry of several devices inputs and outputs are memory of the host,
/// which a GPU reaches by copies only.
static void checkSpaces(const JsonReader &reader, const CommandScope &scope,
                        const EntryInfo &entry) {
  if (entry.devices.size() == 1)
    return;
  for (const Command &command : entry.commands) {
    const ArtifactDevice &device = scope.devices[command.device];
    // Functions of the user are called on the host.
    if (device.kind == DeviceKind::kHost ||
        command.kind == Command::Kind::kHostCall)
      continue;
    std::string place = " on the device '" + device.name +
                        "' of an entry of several devices to ";
    if (command.kind == Command::Kind::kCopy) {
      const BufferRef &from = command.args[0], &to = command.args[1];
      if (to.space == Space::kInput || (isStaging(from) && isStaging(to)))
        reader.error("expects a copy" + place +
                     "be from or to an output, from an input or on the device "
                     "but got one from " +
                     formatSpace(from) + " to " + formatSpace(to));
      continue;
    }
    for (const BufferRef &buffer : command.args)
      if (isStaging(buffer))
        reader.error("expects a command" + place +
                     "use memory of the device but got the space " +
                     formatSpace(buffer));
  }
}

void jobrt::parseCommands(const JsonReader &reader,
                          const std::vector<SpaceSizes> &sizes,
                          const std::vector<std::string> &locations,
                          const Manifest &manifest, EntryInfo &entry) {
  std::vector<int32_t> events;
  CommandScope scope{sizes, locations, manifest.devices, manifest.ranks,
                     events};
  parseList(reader, scope, entry);
  entry.numEvents = static_cast<int64_t>(events.size());
  if (!reader.ok())
    return;
  findDevices(scope, entry);
  checkExecutions(reader, scope, entry);
  checkHostCalls(reader, scope, entry);
  checkSpaces(reader, scope, entry);
  checkChunks(reader, entry);
}
