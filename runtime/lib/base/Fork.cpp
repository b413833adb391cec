//===- Fork.cpp - Noticing that the process was forked --------------------===//

#include "lib/base/Fork.h"

#include <atomic>
#include <cstddef>
#include <new>
#include <pthread.h>
#include <shared_mutex>

using namespace jobrt;

static std::atomic<uint64_t> generation{0};

/// Held shared by a ForkGuard, exclusively by fork(). Never destroyed: threads
/// may outlive the order of static destructors.
alignas(std::shared_mutex) static std::byte
    guardStorage[sizeof(std::shared_mutex)];
static std::shared_mutex *guardMutex = new (guardStorage) std::shared_mutex();

/// The guards that this thread is inside of.
static thread_local int guardDepth = 0;

/// Registered when the library is loaded, before any session.
[[maybe_unused]] static const int registration =
    pthread_atfork([] { guardMutex->lock(); }, [] { guardMutex->unlock(); },
                   [] {
                     // It counts threads of the parent that wait for it.
                     guardMutex = new (guardStorage) std::shared_mutex();
                     generation.fetch_add(1, std::memory_order_relaxed);
                   });

ForkGuard::ForkGuard() {
  if (guardDepth++ == 0)
    guardMutex->lock_shared();
}

ForkGuard::~ForkGuard() {
  if (--guardDepth == 0)
    guardMutex->unlock_shared();
}

uint64_t jobrt::forkGeneration() {
  return generation.load(std::memory_order_relaxed);
}

Status jobrt::forkedStatus() {
  return Status(StatusCode::kInvalidArgument,
                "expects to be in the process that made the session but got a "
                "fork of it: make a session in each process");
}
