//===- HostFunctions.cpp - Functions of a session -------------------------===//

#include "lib/executor/HostFunctions.h"

#include "lib/executor/UserCallScope.h"

using namespace jobrt;

bool HostFunctions::isRunning() const {
  return UserCallScope<HostFunctions>::isInside(*this);
}

Status HostFunctions::add(std::string name, HostFunction function) {
  if (name.empty())
    return Status(StatusCode::kInvalidArgument,
                  "expects a name of the function but got an empty one");
  if (!function)
    return Status(StatusCode::kInvalidArgument,
                  "expects a function for '" + name + "' but got none");
  std::lock_guard lock(mutex);
  auto [it, isNew] = functions.try_emplace(std::move(name));
  if (!isNew)
    return Status(StatusCode::kAlreadyExists, "expects one function '" +
                                                  it->first +
                                                  "' but got a second one");
  it->second = [this, function = std::move(function)](
                   std::span<const HostBuffer> buffers) {
    UserCallScope<HostFunctions> scope(*this);
    return function(buffers);
  };
  return {};
}

const HostFunction *HostFunctions::find(std::string_view name) const {
  std::lock_guard lock(mutex);
  auto it = functions.find(name);
  return it == functions.end() ? nullptr : &it->second;
}

Status HostFunctions::check(const EntryInfo &entry) const {
  for (size_t index : entry.hostCalls) {
    const Command &command = entry.commands[index];
    if (!find(command.callee))
      return Status(StatusCode::kNotFound,
                    "job '" + entry.name + "': expects a function '" +
                        command.callee +
                        "' to be registered with the session but got none",
                    command.location);
  }
  return {};
}
