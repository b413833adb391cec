//===- CallConfig.h - Checking the configuration of a call ------*- C++ -*-===//
//
// What an artifact says about a call is not trusted: every key, number and
// buffer size is checked here, before anything reaches the library. Errors are
// kDataLoss and name callee and key.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_COMMON_CALLCONFIG_H
#define JOBRT_DRIVERS_COMMON_CALLCONFIG_H

#include "jobrt/artifact.h"
#include "jobrt/calls.h"

#include <set>

namespace jobrt {

/// Reads a command's configuration; keeps the first mistake.
class ConfigReader {
public:
  explicit ConfigReader(const Command &command) : command(command) {}

  /// A parameter of the function.
  void operator()(const calls::Parameter &parameter, int64_t &value);
  void operator()(const char *key, double &value);

  /// Reports keys that are no parameters.
  void checkKeys();
  /// Reports other chunks than those of the configuration, a wrong number of
  /// buffers, and buffers of other sizes or uses.
  void checkCommand(const std::vector<calls::Buffer> &buffers, int64_t chunks,
                    int64_t workspaceBytes);

  void error(const std::string &message);
  const Status &status() const { return first; }
  bool ok() const { return first.ok(); }

private:
  const ConfigValue *find(const char *key);
  void checkBuffer(const BufferRef &buffer, const calls::Buffer &expected);

  const Command &command;
  std::set<std::string> known;
  Status first;
};

/// The configuration of a command, if it and the buffers are right.
template <typename Config> Expected<Config> readCall(const Command &command) {
  ConfigReader reader(command);
  Config config;
  Config::visit(config, reader);
  reader.checkKeys();
  if (reader.ok())
    if (std::string error = calls::check(config); !error.empty())
      reader.error(error);
  if (reader.ok())
    reader.checkCommand(config.buffers(), config.chunks(),
                        config.workspaceBytes());
  if (!reader.ok())
    return reader.status();
  return config;
}

} // namespace jobrt

#endif // JOBRT_DRIVERS_COMMON_CALLCONFIG_H
