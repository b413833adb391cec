//===- ManifestCommands.cpp - The commands of an entry --------------------===//

#include "lib/executor/JsonReader.h"
#include "lib/executor/Manifest.h"

using namespace jobrt;

/// More chunks or kernels than any plan has.
static constexpr int64_t kMaxCount = int64_t(1) << 30;

static Space parseSpace(const JsonReader &reader) {
  std::string name = reader.string();
  for (int i = 0; i < kNumSpaces; ++i)
    if (name == spaceName(static_cast<Space>(i)))
      return static_cast<Space>(i);
  reader.error("expects one of arena, bank, input, output, constant, workspace "
               "but got '" +
               name + "'");
  return Space::kArena;
}

static BufferRef parseBuffer(const JsonReader &reader,
                             const SpaceSizes &sizes) {
  BufferRef buffer{Space::kArena, 0, 0};
  size_t count = reader.arraySize();
  if (count != 3) {
    reader.error("expects [space, offset, bytes] but got " +
                 std::to_string(count) + " elements");
    return buffer;
  }
  buffer.space = parseSpace(reader.element(0));
  buffer.offset = parseOffset(reader.element(1));
  buffer.bytes = parseSize(reader.element(2));
  int64_t size = sizes[static_cast<int>(buffer.space)];
  if (buffer.offset + buffer.bytes > size)
    reader.error(std::string("expects to end within the ") +
                 std::to_string(size) + " bytes of the space " +
                 spaceName(buffer.space) + " but ends at " +
                 std::to_string(buffer.offset + buffer.bytes));
  return buffer;
}

static bool overlap(const BufferRef &a, const BufferRef &b) {
  return a.space == b.space && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

static void checkArgCount(const JsonReader &args, const Command &command,
                          size_t expected) {
  if (command.args.size() != expected)
    args.error("expects " + std::to_string(expected) + " buffers but got " +
               std::to_string(command.args.size()));
}

/// Constants lie in memory that cannot be written.
static void checkDestination(const JsonReader &args, const Command &command,
                             size_t index) {
  if (index < command.args.size() &&
      command.args[index].space == Space::kConstant)
    args.element(index).error("expects a space that can be written but got "
                              "constant");
}

static void parseCall(const JsonReader &reader, Command &command) {
  command.kind = Command::Kind::kCall;
  command.callee = reader.member("callee").string();
  for (const auto &[key, value] : reader.member("config").members())
    command.config[key] = value.integer(INT64_MIN, INT64_MAX);
}

static void checkCopy(const JsonReader &args, const Command &command) {
  checkArgCount(args, command, 2);
  checkDestination(args, command, 1);
  if (command.args.size() != 2)
    return;
  const BufferRef &from = command.args[0], &to = command.args[1];
  if (from.bytes != to.bytes)
    args.error("expects two buffers of the same size but got " +
               std::to_string(from.bytes) + " and " + std::to_string(to.bytes) +
               " bytes");
  else if (overlap(from, to))
    args.error("expects buffers that do not overlap");
}

static Command parseCommand(const JsonReader &reader, const SpaceSizes &sizes,
                            const std::vector<std::string> &locations) {
  Command command;
  command.kind = Command::Kind::kDispatch;
  JsonReader args = reader.member("args");
  for (size_t i = 0, e = args.arraySize(); i < e; ++i)
    command.args.push_back(parseBuffer(args.element(i), sizes));
  if (std::optional<JsonReader> name = reader.optionalMember("name"))
    command.name = name->string();
  if (std::optional<JsonReader> location = reader.optionalMember("location"))
    command.location = parseLocation(*location, locations);

  JsonReader op = reader.member("op");
  std::string opName = op.string();
  bool inChunks = false;
  if (opName == "dispatch") {
    command.kernelIndex = reader.member("kernel").integer(0, kMaxCount);
    inChunks = true;
  } else if (opName == "call") {
    parseCall(reader, command);
    inChunks = true;
  } else if (opName == "copy") {
    command.kind = Command::Kind::kCopy;
    checkCopy(args, command);
  } else if (opName == "fill") {
    command.kind = Command::Kind::kFill;
    command.fillValue =
        static_cast<uint8_t>(reader.member("value").integer(0, 255));
    checkArgCount(args, command, 1);
    checkDestination(args, command, 0);
  } else {
    op.error("expects one of dispatch, call, copy, fill but got '" + opName +
             "'");
  }
  if (std::optional<JsonReader> chunks = reader.optionalMember("chunks"))
    command.chunks = chunks->integer(1, inChunks ? kMaxCount : 1);
  return command;
}

std::vector<Command>
jobrt::parseCommands(const JsonReader &reader, const SpaceSizes &sizes,
                     const std::vector<std::string> &locations) {
  std::vector<Command> commands;
  for (size_t i = 0, e = reader.arraySize(); i < e && reader.ok(); ++i)
    commands.push_back(parseCommand(reader.element(i), sizes, locations));
  return commands;
}
