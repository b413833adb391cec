//===- Fork.h - Noticing that the process was forked ------------*- C++ -*-===//
//
// A forked child has the memory of its parent but none of its threads, and its
// locks as they happened to be. Objects that own threads record the generation
// that they were made in and refuse to work in a later one.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_BASE_FORK_H
#define JOBRT_LIB_BASE_FORK_H

#include "jobrt/status.h"

#include <cstdint>

namespace jobrt {

/// The number of forks between the process that loaded the runtime and this
/// one. Takes no lock and makes no system call.
uint64_t forkGeneration();

/// While one exists, a fork() of another thread waits for its end. It surrounds
/// what sets up state of the process below locks that are not the runtime's
/// own, such as a function-local static of a library: a child that was forked
/// in the middle would wait forever for a thread that it does not have. May be
/// nested. The thread must not fork inside.
class ForkGuard {
public:
  ForkGuard();
  ~ForkGuard();
  ForkGuard(const ForkGuard &) = delete;
  ForkGuard &operator=(const ForkGuard &) = delete;
};

/// The error of a call on an object of a parent process.
Status forkedStatus();

} // namespace jobrt

#endif // JOBRT_LIB_BASE_FORK_H
