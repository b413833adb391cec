//===- Threads.cpp - Helpers around threads -------------------------------===//

#include "lib/base/Threads.h"

#include <algorithm>
#include <pthread.h>
#include <sched.h>
#include <system_error>

using namespace jobrt;

int jobrt::availableCores() {
  // The static mask holds 1024 cores; larger machines answer with an error.
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0)
    return std::max(1, CPU_COUNT(&mask));
  return std::max(1u, std::thread::hardware_concurrency());
}

Expected<std::thread> jobrt::startThread(const char *name,
                                         std::function<void()> body) {
  try {
    return std::thread([name, body = std::move(body)] {
      pthread_setname_np(pthread_self(), name);
      body();
    });
  } catch (const std::system_error &error) {
    return Status(StatusCode::kResourceExhausted,
                  std::string("cannot start the thread '") + name +
                      "': " + error.code().message());
  }
}
