//===- DelayedDriver.cpp - A device that completes later ------------------===//

#include "unittests/DelayedDriver.h"
#include "lib/base/Threads.h"
#include "lib/executor/Driver.h"
#include "lib/trace/TraceRecorder.h"
#include "unittests/TestArtifact.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <random>

using namespace jobrt;
using namespace jobrt::test;

/// More work than any test has in flight.
static constexpr size_t kMaxWork = 8192;
static constexpr int kNumSignallers = 2;

static std::mutex optionsMutex;
/// Those of the scope.
static std::optional<DelayedOptions> currentOptions;
static std::atomic<int64_t> numOvertaking{0}, numAllocations{0};

namespace {
/// A step or a list of copies.
struct Work {
  Program *program = nullptr;
  StepBuffers buffers;
  std::span<const Copy> copies;
  Completion *completion = nullptr;
  uint64_t number = 0;
  Status status;
};

/// The end of work that the host does at once.
class InnerCompletion final : public Completion {
public:
  void complete(Status result) override { status = std::move(result); }
  Status status;
};

/// Executes work in order, completes it in any order.
class Device {
public:
  Device(Driver &host, const DelayedOptions &options)
      : host(host), options(options), random(options.seed) {
    submitted.reserve(kMaxWork);
    ended.reserve(kMaxWork);
  }
  ~Device();

  Status start();
  void submit(Work work);

private:
  void deviceMain();
  void signallerMain();
  void execute(Work &work, bool fails);
  // With the lock held.
  void sleep(std::unique_lock<std::mutex> &lock);
  size_t draw(size_t count) { return random() % count; }

  Driver &host;
  const DelayedOptions options;
  std::mutex mutex;
  std::condition_variable hasSubmitted, hasEnded;
  std::mt19937_64 random;
  std::vector<Work> submitted, ended;
  uint64_t lastNumber = 0, lastSignalled = 0;
  bool stopping = false;
  std::thread device;
  std::array<std::thread, kNumSignallers> signallers;
};

class DelayedProgram : public Program {
public:
  DelayedProgram(Device &device, std::unique_ptr<Program> program)
      : device(device), program(std::move(program)) {}
  void submit(const StepBuffers &buffers, Completion &completion) override {
    Work work;
    work.program = program.get();
    work.buffers = buffers;
    work.completion = &completion;
    device.submit(std::move(work));
  }

private:
  Device &device;
  std::unique_ptr<Program> program;
};

class DelayedCode : public CodeObject {
public:
  DelayedCode(Device &device, std::unique_ptr<CodeObject> code)
      : device(device), code(std::move(code)) {}
  Expected<std::unique_ptr<Program>>
  prepare(const EntryInfo &entry, const SessionMemory &memory) override {
    Expected<std::unique_ptr<Program>> program = code->prepare(entry, memory);
    if (!program.ok())
      return program.status();
    return std::unique_ptr<Program>(
        std::make_unique<DelayedProgram>(device, std::move(*program)));
  }

private:
  Device &device;
  std::unique_ptr<CodeObject> code;
};

class DelayedDriver : public Driver {
public:
  DelayedDriver(std::unique_ptr<Driver> host, const DelayedOptions &options)
      : host(std::move(host)), device(*this->host, options) {}
  Status start() { return device.start(); }

  const char *name() const override { return "delayed"; }
  int threads() const override { return host->threads(); }
  bool computes() const override { return true; }

  Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) override {
    return host->allocate(kind, bytes, purpose);
  }

  Expected<std::unique_ptr<CodeObject>>
  load(std::shared_ptr<const Artifact> artifact,
       const DeviceShare &share) override {
    Expected<std::unique_ptr<CodeObject>> code =
        host->load(std::move(artifact), share);
    if (!code.ok())
      return code.status();
    return std::unique_ptr<CodeObject>(
        std::make_unique<DelayedCode>(device, std::move(*code)));
  }

  void copy(std::span<const Copy> copies, Completion &completion) override {
    Work work;
    work.copies = copies;
    work.completion = &completion;
    device.submit(std::move(work));
  }

private:
  std::unique_ptr<Driver> host;
  Device device;
};
} // namespace

Status Device::start() {
  auto startOne = [&](std::thread &place, auto body) -> Status {
    Expected<std::thread> thread = startThread("test-device", body);
    if (!thread.ok())
      return thread.status();
    place = std::move(*thread);
    return {};
  };
  Status status = startOne(device, [this] { deviceMain(); });
  for (std::thread &signaller : signallers)
    if (status.ok())
      status = startOne(signaller, [this] { signallerMain(); });
  return status;
}

Device::~Device() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
    hasSubmitted.notify_all();
    hasEnded.notify_all();
  }
  if (device.joinable())
    device.join();
  for (std::thread &signaller : signallers)
    if (signaller.joinable())
      signaller.join();
}

void Device::submit(Work work) {
  std::lock_guard lock(mutex);
  work.number = ++lastNumber;
  submitted.push_back(std::move(work));
  hasSubmitted.notify_one();
}

/// Often not at all, so that all orders of threads have a chance.
void Device::sleep(std::unique_lock<std::mutex> &lock) {
  if (options.maxDelayMicroseconds == 0 || draw(3) == 0)
    return;
  std::chrono::microseconds time(draw(options.maxDelayMicroseconds) + 1);
  lock.unlock();
  std::this_thread::sleep_for(time);
  lock.lock();
}

void Device::execute(Work &work, bool fails) {
  InnerCompletion inner;
  if (fails) {
    // When it ran is recorded even then.
    if (StepRecord *trace = work.buffers.trace)
      trace->run = {traceClock(), traceClock()};
    inner.status = Status(StatusCode::kInternal, kInjectedFailure);
  } else if (work.program) {
    work.program->submit(work.buffers, inner);
  } else {
    host.copy(work.copies, inner);
  }
  work.status = std::move(inner.status);
}

void Device::deviceMain() {
  std::unique_lock lock(mutex);
  while (true) {
    hasSubmitted.wait(lock, [&] { return stopping || !submitted.empty(); });
    if (submitted.empty())
      return;
    sleep(lock);
    Work work = std::move(submitted.front());
    submitted.erase(submitted.begin());
    bool fails = options.failOneOf > 0 && draw(options.failOneOf) == 0;
    lock.unlock();
    execute(work, fails);
    lock.lock();
    ended.push_back(std::move(work));
    hasEnded.notify_one();
  }
}

void Device::signallerMain() {
  std::unique_lock lock(mutex);
  while (true) {
    hasEnded.wait(lock, [&] { return stopping || !ended.empty(); });
    if (ended.empty())
      return;
    // More may end meanwhile, or the other thread take what there is.
    sleep(lock);
    if (ended.empty())
      continue;
    auto chosen = ended.begin() + static_cast<int64_t>(draw(ended.size()));
    Work work = std::move(*chosen);
    ended.erase(chosen);
    if (work.number < lastSignalled)
      ++numOvertaking;
    lastSignalled = std::max(lastSignalled, work.number);
    lock.unlock();
    {
      AllocationScope scope(numAllocations);
      work.completion->complete(std::move(work.status));
    }
    lock.lock();
  }
}

static Expected<std::unique_ptr<Driver>>
createDelayedDriver(const SessionOptions &options) {
  static std::atomic<uint64_t> numCreated{0};
  Expected<std::unique_ptr<Driver>> host = createHostDriver(options);
  if (!host.ok())
    return host.status();
  static const uint64_t seed = testSeed();
  DelayedOptions delayed{.seed = seed};
  {
    std::lock_guard lock(optionsMutex);
    delayed = currentOptions.value_or(delayed);
  }
  delayed.seed += numCreated++;
  auto driver = std::make_unique<DelayedDriver>(std::move(*host), delayed);
  if (Status status = driver->start(); !status.ok())
    return status;
  return std::unique_ptr<Driver>(std::move(driver));
}

void test::registerDelayedDriver() {
  static const bool registered = [] {
    addDriver({"delayed", createDelayedDriver});
    return true;
  }();
  (void)registered;
}

DelayedScope::DelayedScope(const DelayedOptions &options) {
  std::lock_guard lock(optionsMutex);
  currentOptions = options;
}

DelayedScope::~DelayedScope() {
  std::lock_guard lock(optionsMutex);
  currentOptions.reset();
}

int64_t test::numOvertakingCompletions() { return numOvertaking.load(); }

int64_t test::numAllocationsInCompletions() { return numAllocations.load(); }
