//===- CallCommand.h - Commands of library calls ----------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CALLCOMMAND_H
#define JOBRT_UNITTESTS_CALLCOMMAND_H

#include "drivers/host/LibraryCall.h"
#include "jobrt/calls.h"

#include <algorithm>
#include <type_traits>

namespace jobrt::test {

/// The command of a call with this configuration, all buffers at offset 0. The
/// configuration need not be valid: it has one chunk then, and buffers whose
/// size overflows have 0 bytes.
template <typename Config>
Command makeCommand(const Config &config, int64_t workspaceBytes) {
  Command command;
  command.kind = Command::Kind::kCall;
  command.callee = Config::kCallee;
  Config::visit(config, [&](const auto &parameter, auto value) {
    if constexpr (std::is_same_v<decltype(value), double>)
      command.config[parameter] = value;
    else
      command.config[parameter.key] = value;
  });
  command.chunks = calls::check(config).empty() ? config.chunks() : 1;
  for (const calls::Buffer &buffer : config.buffers())
    command.args.push_back({Space::kArena, 0,
                            std::max<int64_t>(calls::arrayBytes(buffer), 0),
                            !buffer.isResult, buffer.isResult});
  if (workspaceBytes != 0)
    command.args.push_back({Space::kWorkspace, 0, workspaceBytes});
  return command;
}

/// That of a valid configuration, with the workspace that it needs.
template <typename Config> Command makeCommand(const Config &config) {
  return makeCommand(config, config.workspaceBytes());
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CALLCOMMAND_H
