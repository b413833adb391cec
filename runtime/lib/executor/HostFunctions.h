//===- HostFunctions.h - Functions of a session -----------------*- C++ -*-===//

#ifndef JOBRT_LIB_EXECUTOR_HOSTFUNCTIONS_H
#define JOBRT_LIB_EXECUTOR_HOSTFUNCTIONS_H

#include "jobrt/session.h"

#include <map>
#include <mutex>

namespace jobrt {

/// The functions that the user registered, by name. They are not removed, so a
/// driver may keep the address of one that it has found. Thread-safe.
class HostFunctions {
public:
  Status add(std::string name, HostFunction function);
  /// Null if there is none. Does not allocate.
  const HostFunction *find(std::string_view name) const;
  /// Whether the caller is one of them, on the thread of the step. Does not
  /// allocate.
  bool isRunning() const;
  /// Checks that those of an entry's host calls are registered.
  Status check(const EntryInfo &entry) const;

private:
  mutable std::mutex mutex;
  std::map<std::string, HostFunction, std::less<>> functions;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_HOSTFUNCTIONS_H
