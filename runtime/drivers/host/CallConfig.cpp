//===- CallConfig.cpp - Checking the configuration of a call --------------===//

#include "drivers/host/CallConfig.h"

#include <cmath>
#include <cstdio>

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

int64_t ConfigReader::integer(const char *key, int64_t low, int64_t high) {
  const ConfigValue *value = find(key);
  if (!value)
    return low;
  const int64_t *integer = std::get_if<int64_t>(value);
  if (integer && *integer >= low && *integer <= high)
    return *integer;
  error(std::string("expects '") + key + "' from " + std::to_string(low) +
        " to " + std::to_string(high) + " but got " +
        (integer ? std::to_string(*integer) : "a fraction"));
  return low;
}

static std::string formatNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", number);
  return text;
}

double ConfigReader::number(const char *key) {
  const ConfigValue *value = find(key);
  if (!value)
    return 0;
  double number =
      std::visit([](auto any) { return static_cast<double>(any); }, *value);
  // As the compiler checks it: what rounds to a finite number is one.
  if (std::isfinite(static_cast<float>(number)))
    return number;
  error(std::string("expects '") + key + "' to be finite in f32 but got " +
        formatNumber(number));
  return 0;
}

void ConfigReader::checkBuffer(const BufferRef &buffer, const Buffer &expected,
                               bool isResult) {
  const auto &[name, bytes] = expected;
  if (bytes < 0)
    error(std::string("the size of ") + name + " overflows");
  else if (buffer.bytes != bytes)
    error(std::string("expects ") + std::to_string(bytes) + " bytes for " +
          name + " but got " + std::to_string(buffer.bytes));
  if (buffer.isWritten != isResult || buffer.isRead == isResult)
    error(std::string("expects ") + name +
          (isResult ? " to be written and not read"
                    : " to be read and not written"));
}

void ConfigReader::finish(const std::vector<Buffer> &inputs,
                          const std::vector<Buffer> &outputs, bool workspace) {
  for (const auto &[key, value] : command.config)
    if (!known.count(key))
      error("has no configuration key '" + key + "'");
  if (command.chunks < 1 || command.chunks > kMaxChunks)
    error("expects from 1 to " + std::to_string(kMaxChunks) +
          " chunks but got " + std::to_string(command.chunks));
  size_t expected = inputs.size() + outputs.size() + workspace;
  if (command.args.size() != expected)
    error("expects " + std::to_string(expected) + " buffers but got " +
          std::to_string(command.args.size()));
  if (!ok())
    return;
  size_t index = 0;
  for (const Buffer &input : inputs)
    checkBuffer(command.args[index++], input, /*isResult=*/false);
  for (const Buffer &output : outputs)
    checkBuffer(command.args[index++], output, /*isResult=*/true);
  // The call writes there, whatever the space.
  if (workspace && command.args[index].space != Space::kWorkspace)
    error(std::string("expects the last buffer in the space workspace but got "
                      "one in ") +
          spaceName(command.args[index].space));
}

int64_t jobrt::arrayBytes(const std::vector<int64_t> &extents) {
  int64_t bytes = sizeof(float);
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes >= int64_t(1)
                                                                      << 48)
      return -1;
  return bytes;
}
