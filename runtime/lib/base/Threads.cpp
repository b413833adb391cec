//===- Threads.cpp - Helpers around threads -------------------------------===//

#include "lib/base/Threads.h"
#include "lib/base/SystemError.h"

#include <pthread.h>
#include <system_error>

using namespace jobrt;

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
                      "': " + describeSystemError(error.code().value()));
  }
}
