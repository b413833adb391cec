//===- TestCalls.cpp - Library functions that tests steer -----------------===//

#include "unittests/TestCalls.h"

#include <cstring>

using namespace jobrt;
using namespace jobrt::test;

static std::atomic<const CallBehaviour *> currentBehaviour{nullptr};

namespace {
class TestCall : public LibraryCall {
public:
  explicit TestCall(const Command &command)
      : chunkBytes(command.args[0].bytes / command.chunks) {}

  Status execute(void *const *args, int64_t chunk) override {
    const CallBehaviour *behaviour = currentBehaviour.load();
    if (behaviour && behaviour->beforeChunk)
      if (Status status = behaviour->beforeChunk(chunk); !status.ok())
        return status;
    int64_t offset = chunk * chunkBytes;
    std::memcpy(static_cast<std::byte *>(args[1]) + offset,
                static_cast<std::byte *>(args[0]) + offset, chunkBytes);
    return {};
  }

  Status finish(void *const *) override {
    const CallBehaviour *behaviour = currentBehaviour.load();
    return behaviour && behaviour->atFinish ? behaviour->atFinish() : Status();
  }

private:
  int64_t chunkBytes;
};
} // namespace

static Expected<std::unique_ptr<LibraryCall>>
createTestCall(const Command &command) {
  auto size = command.config.find("size");
  if (size == command.config.end() || size->second <= ConfigValue(int64_t(0)))
    return Status(StatusCode::kInvalidArgument,
                  "expects a positive 'size' in the configuration");
  return std::unique_ptr<LibraryCall>(std::make_unique<TestCall>(command));
}

void test::registerTestCall() {
  static const bool registered = [] {
    addLibraryCall({"test.call", createTestCall});
    return true;
  }();
  (void)registered;
}

CallScope::CallScope(CallBehaviour behaviour) {
  currentBehaviour.store(new CallBehaviour(std::move(behaviour)));
}

CallScope::~CallScope() { delete currentBehaviour.exchange(nullptr); }

void Gate::wait() {
  std::unique_lock lock(mutex);
  ++arrivals;
  changed.notify_all();
  changed.wait(lock, [&] { return isOpen; });
}

void Gate::open() {
  std::lock_guard lock(mutex);
  isOpen = true;
  changed.notify_all();
}

void Gate::waitForArrivals(int count) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return arrivals >= count; });
}
