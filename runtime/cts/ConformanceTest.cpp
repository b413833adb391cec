//===- ConformanceTest.cpp - What every driver must do --------------------===//
//
// Runs on each driver of the build. A driver that does not compute is held to
// everything but the values of outputs.
//
//===----------------------------------------------------------------------===//

#include "lib/executor/Driver.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <cstring>
#include <numeric>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class ConformanceTest : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    options.driver = GetParam();
    options.threads = 2;
    Expected<std::unique_ptr<Driver>> created = createDriver(options);
    ASSERT_TRUE(created.ok()) << created.status().toString();
    driver = std::move(*created);
  }

  std::unique_ptr<DriverMemory> allocate(MemoryKind kind, int64_t bytes) {
    Expected<std::unique_ptr<DriverMemory>> memory =
        driver->allocate(kind, bytes, "test");
    EXPECT_TRUE(memory.ok()) << memory.status().toString();
    return memory.ok() ? std::move(*memory) : nullptr;
  }

  /// Bytes of device memory, by way of the host.
  std::vector<uint8_t> contents(const DriverMemory &memory) {
    std::vector<uint8_t> bytes(memory.bytes(), 0xee);
    EXPECT_TRUE(
        driver->download(bytes.data(), memory.data(), memory.bytes()).ok());
    return bytes;
  }

  SessionOptions options;
  std::unique_ptr<Driver> driver;
};

/// One entry on a driver's memory, without a session.
struct Rig {
  Rig(Driver &driver, const EntryInfo &entry, int64_t bankBytes,
      const Artifact &artifact) {
    auto make = [&](MemoryKind kind, int64_t bytes) {
      Expected<std::unique_ptr<DriverMemory>> memory =
          driver.allocate(kind, bytes, "test");
      EXPECT_TRUE(memory.ok());
      return std::move(*memory);
    };
    arena = make(MemoryKind::kDevice, entry.arenaBytes);
    bank = make(MemoryKind::kDevice, bankBytes);
    workspace = make(MemoryKind::kDevice, entry.workspaceBytes);
    input = make(MemoryKind::kStaging, entry.inputBytes);
    output = make(MemoryKind::kStaging, entry.outputBytes);
    SpaceAddresses spaces{};
    spaces[static_cast<int>(Space::kArena)] = arena->data();
    spaces[static_cast<int>(Space::kBank)] = bank->data();
    spaces[static_cast<int>(Space::kWorkspace)] = workspace->data();
    spaces[static_cast<int>(Space::kConstant)] =
        static_cast<std::byte *>(const_cast<void *>(artifact.constants()));
    Expected<std::unique_ptr<Program>> prepared = driver.prepare(entry, spaces);
    EXPECT_TRUE(prepared.ok()) << prepared.status().toString();
    program = std::move(*prepared);
  }

  Status run() {
    meter.reset();
    return program->run({input->data(), output->data(), &meter});
  }

  std::unique_ptr<DriverMemory> arena, bank, workspace, input, output;
  std::unique_ptr<Program> program;
  AllocationMeter meter;
};
} // namespace

TEST_P(ConformanceTest, HasItsName) {
  EXPECT_EQ(driver->name(), GetParam());
  EXPECT_GE(driver->threads(), 1);
}

TEST_P(ConformanceTest, MemoryIsAlignedAndZero) {
  for (MemoryKind kind : {MemoryKind::kDevice, MemoryKind::kStaging})
    for (int64_t bytes : {0, 1, 64, 1000, 8 << 20}) {
      std::unique_ptr<DriverMemory> memory = allocate(kind, bytes);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(memory->bytes(), bytes);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->data()) % JOBRT_ALIGNMENT,
                0u);
      EXPECT_EQ(contents(*memory), std::vector<uint8_t>(bytes, 0));
    }
}

TEST_P(ConformanceTest, MemoryThatIsNotThereIsAnError) {
  for (MemoryKind kind : {MemoryKind::kDevice, MemoryKind::kStaging}) {
    Expected<std::unique_ptr<DriverMemory>> memory =
        driver->allocate(kind, int64_t(1) << 60, "arena");
    ASSERT_FALSE(memory.ok());
    EXPECT_EQ(memory.status().code(), StatusCode::kResourceExhausted);
    EXPECT_TRUE(contains(memory.status().message(), "for the arena"));
  }
}

TEST_P(ConformanceTest, MemoryMayOutliveTheDriver) {
  std::unique_ptr<DriverMemory> memory = allocate(MemoryKind::kStaging, 256);
  driver.reset();
  std::memset(memory->data(), 1, 256);
}

TEST_P(ConformanceTest, CopiesBackWhatWasCopiedIn) {
  std::unique_ptr<DriverMemory> memory = allocate(MemoryKind::kDevice, 1000);
  std::vector<uint8_t> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), 0);
  ASSERT_TRUE(driver->upload(memory->data(), bytes.data(), 1000).ok());
  EXPECT_EQ(contents(*memory), bytes);
  // A part of it, and nothing at all.
  uint8_t seven[2] = {7, 7};
  ASSERT_TRUE(driver->upload(memory->data() + 500, seven, 2).ok());
  ASSERT_TRUE(driver->upload(memory->data(), nullptr, 0).ok());
  ASSERT_TRUE(driver->download(nullptr, memory->data(), 0).ok());
  bytes[500] = bytes[501] = 7;
  EXPECT_EQ(contents(*memory), bytes);
}

TEST_P(ConformanceTest, RunsAProgramAgainAndAgain) {
  std::shared_ptr<const Artifact> artifact = loadTestArtifact();
  const EntryInfo &entry = *artifact->findEntry("train_job");
  Rig rig(*driver, entry, artifact->bankBytes(), *artifact);
  auto *x = reinterpret_cast<float *>(rig.input->data());
  std::fill(x, x + kBlobSize, 2.0f);
  for (int64_t step = 1; step <= 5; ++step) {
    ASSERT_TRUE(rig.run().ok());
    int64_t count;
    std::memcpy(&count, rig.output->data() + 256, 8);
    auto *product = reinterpret_cast<const float *>(rig.output->data());
    EXPECT_EQ(count, driver->computes() ? step : 0);
    EXPECT_EQ(product[63], driver->computes() ? 4.0f * (step - 1) : 0.0f);
  }
}

TEST_P(ConformanceTest, TakesOtherSlotsForEachStep) {
  std::shared_ptr<const Artifact> artifact = loadTestArtifact();
  const EntryInfo &entry = *artifact->findEntry("copy_job");
  Rig rig(*driver, entry, artifact->bankBytes(), *artifact);
  for (int step = 0; step < 3; ++step) {
    std::unique_ptr<DriverMemory> input =
        allocate(MemoryKind::kStaging, entry.inputBytes);
    std::unique_ptr<DriverMemory> output =
        allocate(MemoryKind::kStaging, entry.outputBytes);
    std::memset(input->data(), step + 1, entry.inputBytes);
    ASSERT_TRUE(
        rig.program->run({input->data(), output->data(), &rig.meter}).ok());
    EXPECT_EQ(static_cast<int>(output->data()[100]),
              driver->computes() ? step + 1 : 0);
  }
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
  std::shared_ptr<const Artifact> artifact = loadTestArtifact(manifest);
  const EntryInfo &entry = *artifact->findEntry("copy_job");
  Rig rig(*driver, entry, artifact->bankBytes(), *artifact);
  auto *x = reinterpret_cast<float *>(rig.input->data());
  std::iota(x, x + kBlobSize, 1.0f);
  ASSERT_TRUE(rig.run().ok());
  auto *y = reinterpret_cast<const float *>(rig.output->data());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(y[16 * i], driver->computes() ? 17.0f + i : 0.0f);
    EXPECT_EQ(y[16 * i + 1], driver->computes() ? 16.0f * i + 2 : 0.0f);
  }
}

TEST_P(ConformanceTest, ReportsAFailedCall) {
  std::shared_ptr<const Artifact> artifact = loadTestArtifact();
  Rig rig(*driver, *artifact->findEntry("copy_job"), artifact->bankBytes(),
          *artifact);
  CallScope scope({.beforeChunk = [](int64_t) {
    return Status(StatusCode::kInternal, "broke");
  }});
  Status status = rig.run();
  if (!driver->computes()) {
    EXPECT_TRUE(status.ok());
    return;
  }
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_EQ(status.location(), "train.py:20:8");
  EXPECT_TRUE(contains(status.message(), "job 'copy_job', 'hidden': "));
}

TEST_P(ConformanceTest, RefusesACallThatCannotBePrepared) {
  json manifest = testManifest();
  manifest["entries"][3]["commands"][0]["config"] = json::object();
  std::shared_ptr<const Artifact> artifact = loadTestArtifact(manifest);
  Expected<std::unique_ptr<Program>> program =
      driver->prepare(*artifact->findEntry("copy_job"), SpaceAddresses{});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().location(), "train.py:20:8");
}

TEST_P(ConformanceTest, CarriesASession) {
  std::unique_ptr<Session> session = makeSession(options);
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->initialize(1).ok());
  Blob x(1), weight(4);
  ASSERT_TRUE(session->writeVariable("weight", weight.view()).ok());
  std::vector<Future> futures;
  int callbacks = 0;
  for (int i = 0; i < 10; ++i) {
    Expected<Future> future = session->submit("predict_job", {x.view()});
    ASSERT_TRUE(future.ok());
    future->onDone([&](const Future &) { ++callbacks; });
    futures.push_back(*future);
  }
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(callbacks, 10);
  for (Future &future : futures)
    EXPECT_EQ(floats(future.output(0))[1], driver->computes() ? 5.5f : 0.0f);
  // Variables can be read whether the driver computes or not.
  Expected<Tensor> read = session->readVariable("weight");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(floats(read->view()), weight.values);
  EXPECT_EQ(session->memory().bank, 320);
}

INSTANTIATE_TEST_SUITE_P(Drivers, ConformanceTest,
                         testing::ValuesIn(driverNames()),
                         [](const auto &info) { return info.param; });
