//===- ConformanceTest.cpp - What every driver must do --------------------===//
//
// Runs on each target of Targets.h. A driver that does not compute must do
// everything except computing values. Nothing here interprets an address of
// device memory or depends on when and where a driver completes work.
//
//===----------------------------------------------------------------------===//

#include "cts/Targets.h"
#include "lib/executor/Driver.h"
#include "lib/executor/HostFunctions.h"
#include "lib/trace/TraceRecorder.h"
#include "unittests/TestArtifact.h"

#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>
#include <numeric>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using jobrt::cts::Target;
using nlohmann::json;

namespace {
/// A completion that a test waits for.
class Waiter final : public Completion {
public:
  explicit Waiter(std::function<void()> inside = nullptr)
      : inside(std::move(inside)) {}

  void complete(Status result) override {
    if (inside)
      inside();
    std::lock_guard lock(mutex);
    EXPECT_EQ(++calls, 1) << "a completion is called once";
    status = std::move(result);
    changed.notify_all();
  }

  Status wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return calls > 0; });
    return status;
  }

private:
  std::function<void()> inside;
  std::mutex mutex;
  std::condition_variable changed;
  int calls = 0;
  Status status;
};

using Memory = std::unique_ptr<DriverMemory>;
} // namespace

static Memory allocate(Driver &driver, MemoryKind kind, int64_t bytes) {
  Expected<Memory> memory = driver.allocate(kind, bytes, "test");
  EXPECT_TRUE(memory.ok()) << memory.status().toString();
  return memory.ok() ? std::move(*memory) : nullptr;
}

namespace {
class ConformanceTest : public testing::TestWithParam<Target> {
protected:
  void SetUp() override {
    options.driver = GetParam().driver;
    options.threads = 2;
    driver = create();
    ASSERT_NE(driver, nullptr);
  }

  std::unique_ptr<Driver> create() const {
    Expected<std::unique_ptr<Driver>> created = createDriver(options);
    EXPECT_TRUE(created.ok()) << created.status().toString();
    return created.ok() ? std::move(*created) : nullptr;
  }

  Memory allocate(MemoryKind kind, int64_t bytes) {
    return ::allocate(*driver, kind, bytes);
  }

  /// The suite's artifact with the kernels of this driver.
  static std::shared_ptr<const Artifact>
  loadArtifact(const json &manifest = testManifest()) {
    Expected<std::shared_ptr<const Artifact>> artifact =
        loadContainer(makeContainer(
            GetParam().kernels(),
            (GetParam().adapt ? GetParam().adapt(manifest) : manifest).dump()));
    EXPECT_TRUE(artifact.ok()) << artifact.status().toString();
    return artifact.ok() ? *artifact : nullptr;
  }

  Status copy(const std::vector<Copy> &copies) {
    Waiter waiter;
    driver->copy(copies, waiter);
    return waiter.wait();
  }

  /// The bytes of device memory.
  std::vector<uint8_t> contents(DriverMemory &memory) {
    std::vector<uint8_t> bytes(memory.bytes(), 0xee);
    EXPECT_TRUE(copy({{Copy::Direction::kToHost, &memory, 0, memory.bytes(),
                       bytes.data()}})
                    .ok());
    return bytes;
  }

  /// That many bytes at the start of a slot.
  template <typename T> static T *dataOf(DriverMemory &slot, int64_t at = 0) {
    return reinterpret_cast<T *>(slot.hostAddress() + at);
  }

  SessionOptions options;
  std::unique_ptr<Driver> driver;
};

/// Inputs and outputs of a step, and what waits for it.
struct Step {
  Step(Driver &driver, const EntryInfo &entry,
       std::function<void()> inside = nullptr)
      : input(allocate(driver, MemoryKind::kStaging, entry.inputBytes)),
        output(allocate(driver, MemoryKind::kStaging, entry.outputBytes)),
        waiter(std::move(inside)) {}

  void fill(float value) {
    std::fill_n(reinterpret_cast<float *>(input->hostAddress()), kBlobSize,
                value);
  }
  void submit(Program &program, StepRecord *trace = nullptr) {
    program.submit({input.get(), output.get(), &meter, functions, trace},
                   waiter);
  }

  Memory input, output;
  const HostFunctions *functions = nullptr;
  AllocationMeter meter;
  Waiter waiter;
};

DeviceShare shareOf(const Artifact &artifact) {
  DeviceShare share;
  for (const EntryInfo &entry : artifact.entries())
    share.entries.push_back(&entry);
  for (const VariableInfo &variable : artifact.variables())
    share.variables.push_back(&variable);
  share.bankBytes = artifact.bankBytes();
  share.constantsBytes = artifact.constantsBytes();
  return share;
}

/// The entries of an artifact on a driver's memory, without a session.
struct Rig {
  Rig(Driver &driver, std::shared_ptr<const Artifact> newArtifact)
      : driver(driver), artifact(std::move(newArtifact)) {
    int64_t arenaBytes = 0, workspaceBytes = 0;
    for (const EntryInfo &entry : artifact->entries()) {
      arenaBytes = std::max(arenaBytes, entry.arenaBytes);
      workspaceBytes = std::max(workspaceBytes, entry.workspaceBytes);
    }
    arena = allocate(driver, MemoryKind::kDevice, arenaBytes);
    bank = allocate(driver, MemoryKind::kDevice, artifact->bankBytes());
    workspace = allocate(driver, MemoryKind::kDevice, workspaceBytes);
    Expected<std::unique_ptr<CodeObject>> loaded =
        driver.load(artifact, shareOf(*artifact));
    EXPECT_TRUE(loaded.ok()) << loaded.status().toString();
    code = std::move(*loaded);
    for (const EntryInfo &entry : artifact->entries()) {
      Expected<std::unique_ptr<Program>> prepared = code->prepare(
          entry, SessionMemory{arena.get(), bank.get(), workspace.get()});
      EXPECT_TRUE(prepared.ok()) << prepared.status().toString();
      programs.push_back(std::move(*prepared));
    }
  }

  const EntryInfo &entry(const char *name) const {
    return *artifact->findEntry(name);
  }
  Program &program(const char *name) {
    return *programs[&entry(name) - artifact->entries().data()];
  }
  Step &newStep(const char *name) {
    return steps.emplace_back(driver, entry(name));
  }

  Driver &driver;
  std::shared_ptr<const Artifact> artifact;
  Memory arena, bank, workspace;
  std::unique_ptr<CodeObject> code;
  std::vector<std::unique_ptr<Program>> programs;
  std::list<Step> steps;
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory and copies
//===----------------------------------------------------------------------===//

TEST_P(ConformanceTest, HasItsName) {
  EXPECT_STREQ(driver->name(), GetParam().driver);
  EXPECT_GE(driver->threads(), 1);
}

TEST_P(ConformanceTest, DeviceMemoryIsZeroAndTheDriversOwn) {
  for (int64_t bytes : {0, 1, 64, 1000, 8 << 20}) {
    Memory memory = allocate(MemoryKind::kDevice, bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory->bytes(), bytes);
    EXPECT_EQ(memory->hostAddress(), nullptr);
    EXPECT_EQ(contents(*memory), std::vector<uint8_t>(bytes, 0));
  }
}

TEST_P(ConformanceTest, StagingMemoryIsZeroAlignedAndTheHosts) {
  for (int64_t bytes : {0, 1, 64, 1000, 8 << 20}) {
    Memory memory = allocate(MemoryKind::kStaging, bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory->bytes(), bytes);
    auto *data = dataOf<uint8_t>(*memory);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % JOBRT_ALIGNMENT, 0u);
    EXPECT_EQ(std::vector<uint8_t>(data, data + bytes),
              std::vector<uint8_t>(bytes, 0));
  }
}

TEST_P(ConformanceTest, MemoryThatIsNotThereIsAnError) {
  for (MemoryKind kind : {MemoryKind::kDevice, MemoryKind::kStaging}) {
    Expected<Memory> memory = driver->allocate(kind, int64_t(1) << 60, "arena");
    ASSERT_FALSE(memory.ok());
    EXPECT_EQ(memory.status().code(), StatusCode::kResourceExhausted);
    EXPECT_TRUE(contains(memory.status().message(), "for the arena"));
  }
}

TEST_P(ConformanceTest, MemoryMayOutliveTheDriver) {
  Memory staging = allocate(MemoryKind::kStaging, 256);
  Memory device = allocate(MemoryKind::kDevice, 256);
  driver.reset();
  std::memset(staging->hostAddress(), 1, 256);
  // On another thread than the one that made it.
  std::thread([&] {
    staging.reset();
    device.reset();
  }).join();
}

TEST_P(ConformanceTest, CopiesBackWhatWasCopiedIn) {
  Memory memory = allocate(MemoryKind::kDevice, 1000);
  std::vector<uint8_t> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), 0);
  auto toDevice = Copy::Direction::kToDevice;
  ASSERT_TRUE(copy({{toDevice, memory.get(), 0, 1000, bytes.data()}}).ok());
  EXPECT_EQ(contents(*memory), bytes);
  // Several parts, of several blocks, and nothing at all.
  Memory other = allocate(MemoryKind::kDevice, 3);
  uint8_t seven[2] = {7, 7}, eight = 8;
  ASSERT_TRUE(copy({{toDevice, memory.get(), 500, 2, seven},
                    {toDevice, other.get(), 2, 1, &eight},
                    {toDevice, memory.get(), 0, 0, nullptr}})
                  .ok());
  ASSERT_TRUE(copy({}).ok());
  bytes[500] = bytes[501] = 7;
  EXPECT_EQ(contents(*memory), bytes);
  EXPECT_EQ(contents(*other), (std::vector<uint8_t>{0, 0, 8}));
}

TEST_P(ConformanceTest, CopiesAreInOrder) {
  constexpr int kCopies = 100;
  Memory memory = allocate(MemoryKind::kDevice, 4);
  std::vector<int32_t> written(kCopies), read(kCopies, -1);
  std::iota(written.begin(), written.end(), 1);
  std::vector<Copy> copies;
  for (int i = 0; i < kCopies; ++i) {
    copies.push_back(
        {Copy::Direction::kToDevice, memory.get(), 0, 4, &written[i]});
    copies.push_back({Copy::Direction::kToHost, memory.get(), 0, 4, &read[i]});
  }
  std::list<Waiter> waiters;
  for (const Copy &one : copies)
    driver->copy({&one, 1}, waiters.emplace_back());
  for (Waiter &waiter : waiters)
    EXPECT_TRUE(waiter.wait().ok());
  EXPECT_EQ(read, written);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

TEST_P(ConformanceTest, RunsAProgramAgainAndAgain) {
  Rig rig(*driver, loadArtifact());
  for (int64_t i = 1; i <= 5; ++i) {
    Step &step = rig.newStep("train_job");
    step.fill(2);
    step.submit(rig.program("train_job"));
    ASSERT_TRUE(step.waiter.wait().ok());
    EXPECT_EQ(*dataOf<int64_t>(*step.output, 256), driver->computes() ? i : 0);
    EXPECT_EQ(dataOf<float>(*step.output)[63],
              driver->computes() ? 4.0f * static_cast<float>(i - 1) : 0.0f);
  }
}

TEST_P(ConformanceTest, WorkIsDoneInOrder) {
  // Nothing is waited for before everything has been submitted: steps of two
  // programs, and reads and writes of a variable between them.
  constexpr int kSteps = 50;
  Rig rig(*driver, loadArtifact());
  std::vector<int64_t> read(kSteps, -1);
  int64_t newCount = 1000;
  std::vector<Copy> reads;
  for (int i = 0; i < kSteps; ++i)
    reads.push_back(
        {Copy::Direction::kToHost, rig.bank.get(), 256, 8, &read[i]});
  Copy write{Copy::Direction::kToDevice, rig.bank.get(), 256, 8, &newCount};
  std::list<Waiter> waiters;
  for (int i = 0; i < kSteps; ++i) {
    Step &step = rig.newStep("train_job");
    step.fill(1);
    step.submit(rig.program("train_job"));
    driver->copy({&reads[i], 1}, waiters.emplace_back());
    Step &prediction = rig.newStep("predict_job");
    prediction.fill(2);
    prediction.submit(rig.program("predict_job"));
    if (i == kSteps / 2)
      driver->copy({&write, 1}, waiters.emplace_back());
  }
  for (Waiter &waiter : waiters)
    ASSERT_TRUE(waiter.wait().ok());
  auto step = rig.steps.begin();
  for (int i = 0; i < kSteps; ++i) {
    int64_t count = i + 1 + (i > kSteps / 2 ? 1000 - kSteps / 2 - 1 : 0);
    if (!driver->computes())
      count = i > kSteps / 2 ? 1000 : 0;
    EXPECT_EQ(read[i], count);
    ASSERT_TRUE(step->waiter.wait().ok());
    EXPECT_EQ(*dataOf<int64_t>(*step->output, 256),
              driver->computes() ? count : 0);
    ++step;
    ASSERT_TRUE(step->waiter.wait().ok());
    // weight = i + 1, and the constants begin with 0.5.
    EXPECT_EQ(dataOf<float>(*step->output)[0],
              driver->computes() ? 2.0f * static_cast<float>(i + 1) + 0.5f
                                 : 0.0f);
    ++step;
  }
}

TEST_P(ConformanceTest, EverythingMayGoInTheCompletion) {
  Rig rig(*driver, loadArtifact());
  for (int i = 0; i < 20; ++i) {
    // Buffers and the records of the step are freed there.
    auto step = std::make_shared<std::unique_ptr<Step>>();
    std::mutex mutex;
    std::condition_variable changed;
    bool freed = false;
    class Freer final : public Completion {
    public:
      explicit Freer(std::function<void()> body) : body(std::move(body)) {}
      void complete(Status status) override {
        EXPECT_TRUE(status.ok()) << status.toString();
        std::unique_ptr<Freer> self(this);
        body();
      }

    private:
      std::function<void()> body;
    };
    *step = std::make_unique<Step>(*driver, rig.entry("copy_job"));
    auto *freer = new Freer([&mutex, &changed, &freed, step] {
      step->reset();
      std::lock_guard lock(mutex);
      freed = true;
      changed.notify_all();
    });
    Step &buffers = **step;
    rig.program("copy_job")
        .submit({buffers.input.get(), buffers.output.get(), &buffers.meter},
                *freer);
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return freed; });
  }
}

TEST_P(ConformanceTest, HoldsNoLockInACompletion) {
  Rig rig(*driver, loadArtifact());
  for (int i = 0; i < 20; ++i) {
    auto useDriver = [&] {
      // On another thread, so that no recursive lock helps.
      std::thread([&] { allocate(MemoryKind::kStaging, 64); }).join();
    };
    Step &step =
        rig.steps.emplace_back(*driver, rig.entry("train_job"), useDriver);
    step.submit(rig.program("train_job"));
    EXPECT_TRUE(step.waiter.wait().ok());
    int64_t count = 0;
    Copy read{Copy::Direction::kToHost, rig.bank.get(), 256, 8, &count};
    Waiter waiter(useDriver);
    driver->copy({&read, 1}, waiter);
    EXPECT_TRUE(waiter.wait().ok());
  }
}

TEST_P(ConformanceTest, MayGoRightAfterTheLastCompletion) {
  std::shared_ptr<const Artifact> artifact = loadArtifact();
  for (int i = 0; i < 50; ++i) {
    std::unique_ptr<Driver> other = create();
    ASSERT_NE(other, nullptr);
    Rig rig(*other, artifact);
    for (int j = 0; j < i % 4; ++j)
      rig.newStep("train_job").submit(rig.program("train_job"));
    for (Step &step : rig.steps)
      EXPECT_TRUE(step.waiter.wait().ok());
    rig.programs.clear();
    rig.code.reset();
    other.reset();
  }
}

TEST_P(ConformanceTest, DriversWorkAtTheSameTime) {
  std::shared_ptr<const Artifact> artifact = loadArtifact();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      std::unique_ptr<Driver> other = create();
      Rig rig(*other, artifact);
      for (int j = 0; j < 25; ++j) {
        Step &step = rig.newStep("train_job");
        step.fill(static_cast<float>(i));
        step.submit(rig.program("train_job"));
      }
      for (Step &step : rig.steps)
        EXPECT_TRUE(step.waiter.wait().ok());
      EXPECT_EQ(dataOf<float>(*rig.steps.back().output)[0],
                other->computes() ? static_cast<float>(24 * i * i) : 0.0f);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_P(ConformanceTest, TakesOtherSlotsForEachStep) {
  Rig rig(*driver, loadArtifact());
  const EntryInfo &entry = rig.entry("copy_job");
  for (int i = 0; i < 3; ++i) {
    Step &step = rig.newStep("copy_job");
    std::memset(step.input->hostAddress(), i + 1, entry.inputBytes);
    step.submit(rig.program("copy_job"));
    ASSERT_TRUE(step.waiter.wait().ok());
    EXPECT_EQ(dataOf<char>(*step.output)[100], driver->computes() ? i + 1 : 0);
  }
}

TEST_P(ConformanceTest, TakesLargerSlotsThanTheEntryNeeds) {
  Rig rig(*driver, loadArtifact());
  Step step(*driver, rig.entry("train_job"));
  step.input = allocate(MemoryKind::kStaging, 4096);
  step.output = allocate(MemoryKind::kStaging, 4096);
  std::memset(step.output->hostAddress(), 0x55, 4096);
  step.submit(rig.program("train_job"));
  ASSERT_TRUE(step.waiter.wait().ok());
  EXPECT_EQ(*dataOf<int64_t>(*step.output, 256), driver->computes() ? 1 : 0);
  EXPECT_EQ(dataOf<char>(*step.output)[320], 0x55);
}

TEST_P(ConformanceTest, RepeatsCommandsOnRows) {
  json manifest = testManifest();
  manifest["entries"][3]["commands"].push_back(
      {{"op", "repeat"},
       {"count", 4},
       {"commands",
        {{{"op", "copy"},
          {"args",
           {json::array({"input", 64, 4, 4}),
            json::array({"output", 0, 4, 64})}}}}}});
  Rig rig(*driver, loadArtifact(manifest));
  Step &step = rig.newStep("copy_job");
  auto *x = dataOf<float>(*step.input);
  std::iota(x, x + kBlobSize, 1.0f);
  step.submit(rig.program("copy_job"));
  ASSERT_TRUE(step.waiter.wait().ok());
  auto *y = dataOf<float>(*step.output);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(y[16 * i],
              driver->computes() ? 17.0f + static_cast<float>(i) : 0.0f);
    EXPECT_EQ(y[16 * i + 1],
              driver->computes() ? 16.0f * static_cast<float>(i) + 2 : 0.0f);
  }
}

TEST_P(ConformanceTest, QueuesWaitForEvents) {
  Rig rig(*driver, loadArtifact(queueManifest()));
  for (int i = 0; i < 200; ++i) {
    Step &step = rig.newStep("queue_job");
    step.fill(1);
    step.submit(rig.program("queue_job"));
  }
  int i = 0;
  for (Step &step : rig.steps) {
    ASSERT_TRUE(step.waiter.wait().ok());
    // The old weight is i, the new one i + 1, and the constants begin with 0.5.
    auto weight = static_cast<float>(i++);
    EXPECT_EQ(dataOf<float>(*step.output)[0],
              driver->computes() ? (weight + 0.5f) * (weight + 1) : 0.0f);
  }
}

TEST_P(ConformanceTest, CallsFunctionsOfTheSession) {
  Rig rig(*driver, loadArtifact(hostCallManifest()));
  HostFunctions functions;
  int watched = 0;
  ASSERT_TRUE(functions
                  .add("twice",
                       [](std::span<const HostBuffer> buffers) -> Status {
                         auto *from =
                             static_cast<const float *>(buffers[0].data);
                         auto *to = static_cast<float *>(buffers[1].data);
                         for (int64_t i = 0; i < kBlobSize; ++i)
                           to[i] = 2 * from[i];
                         return {};
                       })
                  .ok());
  ASSERT_TRUE(functions
                  .add("watch",
                       [&](std::span<const HostBuffer> buffers) -> Status {
                         EXPECT_EQ(*static_cast<const float *>(buffers[0].data),
                                   6.0f);
                         return ++watched < 10 ? Status()
                                               : Status(StatusCode::kIo, "no");
                       })
                  .ok());
  for (int i = 1; i <= 10; ++i) {
    Step &step = rig.newStep("host_job");
    step.functions = &functions;
    step.fill(3);
    step.submit(rig.program("host_job"));
    Status status = step.waiter.wait();
    EXPECT_EQ(status.ok(), i < 10 || !driver->computes());
    if (!status.ok()) {
      EXPECT_EQ(status.code(), StatusCode::kIo);
      EXPECT_EQ(status.location(), "train.py:20:8");
      EXPECT_TRUE(contains(status.message(), "host_job"));
      EXPECT_TRUE(contains(status.message(), "variables are as they were"));
    } else {
      EXPECT_EQ(dataOf<float>(*step.output)[0],
                driver->computes() ? 6.0f : 0.0f);
    }
  }
  EXPECT_EQ(watched, driver->computes() ? 10 : 0);
}

TEST_P(ConformanceTest, RecordsWhenStepsAndCommandsRan) {
  Rig rig(*driver, loadArtifact());
  for (const char *name : {"train_job", "copy_job"}) {
    std::vector<TraceSpan> commands(16);
    std::vector<ChunkRecord> chunks(64);
    StepRecord record;
    record.commands = commands.data();
    record.chunks = chunks.data();
    uint64_t before = traceClock();
    Step &step = rig.newStep(name);
    step.submit(rig.program(name), &record);
    ASSERT_TRUE(step.waiter.wait().ok());
    EXPECT_LE(before, record.run.begin);
    EXPECT_LE(record.run.begin, record.run.end);
    EXPECT_LE(record.run.end, traceClock());
    EXPECT_EQ(record.numCommands,
              driver->computes()
                  ? static_cast<int64_t>(rig.entry(name).commands.size())
                  : 0);
    uint64_t last = record.run.begin;
    for (int64_t i = 0; i < record.numCommands; ++i) {
      EXPECT_LE(last, commands[i].begin);
      EXPECT_LE(commands[i].begin, commands[i].end);
      last = commands[i].end;
    }
    EXPECT_LE(last, record.run.end);
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_P(ConformanceTest, ReportsAFailedCall) {
  if (!GetParam().failCalls)
    return; // The driver has no library functions.
  Rig rig(*driver, loadArtifact());
  StepRecord record;
  std::vector<TraceSpan> commands(16);
  std::vector<ChunkRecord> chunks(64);
  record.commands = commands.data();
  record.chunks = chunks.data();
  {
    std::shared_ptr<void> failing =
        GetParam().failCalls(Status(StatusCode::kInternal, "broke"));
    Step &step = rig.newStep("copy_job");
    step.submit(rig.program("copy_job"), &record);
    Status status = step.waiter.wait();
    EXPECT_EQ(status.code(), StatusCode::kInternal);
    EXPECT_EQ(status.location(), "train.py:20:8");
    EXPECT_TRUE(contains(status.message(), "job 'copy_job', 'hidden': "));
    EXPECT_TRUE(contains(status.message(),
                         "broke; variables are as they were before this step"));
    EXPECT_EQ(record.numCommands, 1) << "the failed one is the last";
    EXPECT_LE(record.run.begin, record.run.end);
    EXPECT_NE(record.run.begin, 0u);
  }
  // The next step is as good as any.
  Step &step = rig.newStep("copy_job");
  step.fill(3);
  step.submit(rig.program("copy_job"));
  EXPECT_TRUE(step.waiter.wait().ok());
  EXPECT_EQ(dataOf<float>(*step.output)[63], 3.0f);
}

TEST_P(ConformanceTest, RefusesACallThatCannotBePrepared) {
  json manifest = testManifest();
  manifest["entries"][3]["commands"][0]["config"] = json::object();
  Expected<std::unique_ptr<Session>> session =
      Session::create(loadArtifact(manifest), options);
  ASSERT_EQ(session.ok(), !GetParam().failCalls);
  if (!session.ok())
    EXPECT_EQ(session.status().location(), "train.py:20:8");
}

/// An entry that makes every collective with the one rank itself.
static json collectiveEntry() {
  json entry = testManifest()["entries"][2];
  entry["name"] = "collective_job";
  entry["arena_bytes"] = 512;
  json x = json::array({"input", 0, 256}), y = json::array({"output", 0, 256});
  json a = json::array({"arena", 0, 256}), b = json::array({"arena", 256, 256});
  auto collective = [](const char *kind, json args, json reads, json writes) {
    return json{{"op", "collective"}, {"kind", kind}, {"dtype", "f32"},
                {"flops", 0},         {"args", args}, {"reads", reads},
                {"writes", writes}};
  };
  json reduce = collective("all_reduce", {x, a}, {0}, {1});
  reduce["reduction"] = "sum";
  json scatter = collective("reduce_scatter", {a, b}, {0}, {1});
  scatter["reduction"] = "avg";
  json gather = collective("all_gather", json::array({b}), {0}, {0});
  json broadcast = collective("broadcast", {b, a}, {0}, {1});
  broadcast["peer"] = 0;
  json send = collective("send", json::array({a}), {0}, json::array());
  json recv = collective("recv", json::array({y}), json::array(), {0});
  send["peer"] = recv["peer"] = 0;
  recv["joined"] = true;
  entry["commands"] = {reduce, scatter, gather, broadcast, send, recv};
  return entry;
}

TEST_P(ConformanceTest, OneRankIsAloneInItsCollectives) {
  json manifest = testManifest();
  manifest["communicator"] = {{"ranks", 1}};
  manifest["entries"].push_back(collectiveEntry());
  std::shared_ptr<const Artifact> artifact = loadArtifact(manifest);
  ASSERT_NE(artifact, nullptr);
  Expected<std::unique_ptr<CodeObject>> code =
      driver->load(artifact, shareOf(*artifact));
  if (code.status().code() == StatusCode::kUnimplemented) {
    EXPECT_EQ(code.status().message(),
              "entry 'collective_job': the driver host has no collectives");
    return;
  }
  if (code.status().code() == StatusCode::kNotFound)
    GTEST_SKIP() << code.status().toString();
  ASSERT_TRUE(code.ok()) << code.status().toString();
  Rig rig(*driver, artifact);
  for (int i = 0; i < 3; ++i) {
    Step &step = rig.newStep("collective_job");
    step.fill(2.5f + i);
    step.submit(rig.program("collective_job"));
    Status status = step.waiter.wait();
    ASSERT_TRUE(status.ok()) << status.toString();
    EXPECT_EQ(dataOf<float>(*step.output)[63],
              driver->computes() ? 2.5f + i : 0.0f);
  }
}

TEST_P(ConformanceTest, RefusesCodeWithoutItsKernels) {
  json manifest = testManifest();
  manifest["entries"][1]["commands"][0]["kernel"] = 77;
  std::shared_ptr<const Artifact> artifact = loadArtifact(manifest);
  Expected<std::unique_ptr<CodeObject>> code =
      driver->load(artifact, shareOf(*artifact));
  ASSERT_EQ(code.ok(), !driver->computes());
  if (!code.ok())
    EXPECT_EQ(code.status().code(), StatusCode::kDataLoss);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

TEST_P(ConformanceTest, CarriesASession) {
  Expected<std::unique_ptr<Session>> made =
      Session::create(loadArtifact(), options);
  ASSERT_TRUE(made.ok()) << made.status().toString();
  Session &session = **made;
  ASSERT_TRUE(session.initialize(1).ok());
  Blob x(1), weight(4);
  ASSERT_TRUE(session.writeVariable("weight", weight.view()).ok());
  std::vector<Future> futures;
  int callbacks = 0;
  for (int i = 0; i < 10; ++i) {
    Expected<Future> future = session.submit("predict_job", {x.view()});
    ASSERT_TRUE(future.ok());
    future->onDone([&](const Future &) { ++callbacks; });
    futures.push_back(*future);
  }
  ASSERT_TRUE(session.synchronize().ok());
  EXPECT_EQ(callbacks, 10);
  for (Future &future : futures)
    EXPECT_EQ(floats(future.output(0))[1], driver->computes() ? 5.5f : 0.0f);
  // Variables can be read whether the driver computes or not.
  Expected<Tensor> read = session.readVariable("weight");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(floats(read->view()), weight.values);
  EXPECT_EQ(session.memory().bank, 320);
}

INSTANTIATE_TEST_SUITE_P(Drivers, ConformanceTest,
                         testing::ValuesIn(cts::targets()),
                         [](const auto &info) { return info.param.driver; });
