//===- Fork.cpp - Noticing that the process was forked --------------------===//

#include "lib/base/Fork.h"

#include <atomic>
#include <pthread.h>

using namespace jobrt;

static std::atomic<uint64_t> generation{0};

/// Registered when the library is loaded, before any session.
[[maybe_unused]] static const int registration =
    pthread_atfork(nullptr, nullptr,
                   [] { generation.fetch_add(1, std::memory_order_relaxed); });

uint64_t jobrt::forkGeneration() {
  return generation.load(std::memory_order_relaxed);
}

Status jobrt::forkedStatus() {
  return Status(StatusCode::kInvalidArgument,
                "expects to be in the process that made the session but got a "
                "fork of it: make a session in each process");
}
