//===- Config.cpp - Checking the configuration of a call ------------------===//

#include "drivers/host/onednn/Config.h"

using namespace jobrt;
using namespace jobrt::onednn;

void ConfigReader::error(const std::string &message) {
  if (first.ok())
    first = Status(StatusCode::kDataLoss, command.callee + ": " + message,
                   command.location);
}

int64_t ConfigReader::integer(const char *key, int64_t low, int64_t high) {
  known.insert(key);
  auto found = command.config.find(key);
  if (found == command.config.end()) {
    error(std::string("expects '") + key + "' in the configuration");
    return low;
  }
  if (found->second < low || found->second > high) {
    error(std::string("expects '") + key + "' from " + std::to_string(low) +
          " to " + std::to_string(high) + " but got " +
          std::to_string(found->second));
    return low;
  }
  return found->second;
}

void ConfigReader::finish(
    const std::vector<std::pair<const char *, int64_t>> &buffers,
    bool workspace) {
  for (const auto &[key, value] : command.config)
    if (!known.count(key))
      error("has no configuration key '" + key + "'");
  if (command.chunks < 1 || command.chunks > kMaxChunks)
    error("expects from 1 to " + std::to_string(kMaxChunks) +
          " chunks but got " + std::to_string(command.chunks));
  size_t expected = buffers.size() + workspace;
  if (command.args.size() != expected)
    error("expects " + std::to_string(expected) + " buffers but got " +
          std::to_string(command.args.size()));
  if (!ok())
    return;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const auto &[name, bytes] = buffers[i];
    if (bytes < 0)
      error(std::string("the size of ") + name + " overflows");
    else if (command.args[i].bytes != bytes)
      error(std::string("expects ") + std::to_string(bytes) + " bytes for " +
            name + " but got " + std::to_string(command.args[i].bytes));
  }
}

int64_t onednn::arrayBytes(const std::vector<int64_t> &extents) {
  int64_t bytes = sizeof(float);
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes >= int64_t(1)
                                                                      << 48)
      return -1;
  return bytes;
}
