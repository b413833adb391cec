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

/// The error of a call on an object of a parent process.
Status forkedStatus();

} // namespace jobrt

#endif // JOBRT_LIB_BASE_FORK_H
