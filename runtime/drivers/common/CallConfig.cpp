//===- CallConfig.cpp - Checking the configuration of a call --------------===//

#include "drivers/common/CallConfig.h"

using namespace jobrt;

void ConfigReader::error(const std::string &message) {
  if (first.ok())
    first = Status(StatusCode::kDataLoss, message, command.location);
}

const ConfigValue *ConfigReader::find(const char *key) {
  known.insert(key);
  auto found = command.config.find(key);
  if (found != command.config.end())
    return &found->second;
  error(std::string("expects '") + key + "' in the configuration");
  return nullptr;
}

void ConfigReader::operator()(const calls::Parameter &parameter,
                              int64_t &value) {
  const ConfigValue *found = find(parameter.key);
  if (!found)
    return;
  if (const int64_t *integer = std::get_if<int64_t>(found))
    value = *integer;
  else
    error(std::string("expects an integer as '") + parameter.key +
          "' but got a fraction");
}

void ConfigReader::operator()(const char *key, double &value) {
  if (const ConfigValue *found = find(key))
    value =
        std::visit([](auto any) { return static_cast<double>(any); }, *found);
}

void ConfigReader::checkKeys() {
  for (const auto &[key, value] : command.config)
    if (!known.count(key))
      error("has no configuration key '" + key + "'");
}

void ConfigReader::checkBuffer(const BufferRef &buffer,
                               const calls::Buffer &expected) {
  int64_t bytes = calls::arrayBytes(expected);
  if (buffer.bytes != bytes)
    error("expects " + std::to_string(bytes) + " bytes for " + expected.name +
          " but got " + std::to_string(buffer.bytes));
  if (buffer.isWritten != expected.isResult ||
      buffer.isRead == expected.isResult)
    error(std::string("expects ") + expected.name +
          (expected.isResult ? " to be written and not read"
                             : " to be read and not written"));
}

void ConfigReader::checkCommand(const std::vector<calls::Buffer> &buffers,
                                int64_t chunks, int64_t workspaceBytes) {
  if (command.chunks != chunks)
    error("expects " + std::to_string(chunks) +
          " chunks, by its configuration, but got " +
          std::to_string(command.chunks));
  size_t expected = buffers.size() + (workspaceBytes != 0);
  if (command.args.size() != expected)
    error("expects " + std::to_string(expected) + " buffers but got " +
          std::to_string(command.args.size()));
  if (!ok())
    return;
  for (size_t i = 0; i < buffers.size(); ++i)
    checkBuffer(command.args[i], buffers[i]);
  if (workspaceBytes == 0)
    return;
  const BufferRef &workspace = command.args.back();
  // The call writes there, whatever the space.
  if (workspace.space != Space::kWorkspace)
    error(std::string("expects the last buffer in the space workspace but got "
                      "one in ") +
          spaceName(workspace.space));
  if (workspace.bytes != workspaceBytes)
    error("expects a workspace of " + std::to_string(workspaceBytes) +
          " bytes, by its configuration, but got " +
          std::to_string(workspace.bytes));
}
