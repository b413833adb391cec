//===- StepPartsTest.cpp - Splitting a step on several devices ------------===//

#include "lib/executor/StepParts.h"
#include "lib/executor/Manifest.h"
#include "unittests/MixedArtifact.h"

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// "dev1: 0+2, cpu0 -> dev1: 2+1": where each part is, the number of its first
/// execution and how many it has.
static std::string describe(const std::vector<StepPart> &parts,
                            const std::vector<ArtifactDevice> &devices) {
  std::string text;
  for (const StepPart &part : parts) {
    text += text.empty() ? "" : ", ";
    auto name = [&](int32_t device) {
      return device == kHostSide ? "host" : devices[device].name;
    };
    if (!part.entry)
      text += name(part.fromDevice) + " -> ";
    text += name(part.device) + ": " + std::to_string(part.firstExecution) +
            "+" + std::to_string(part.numExecutions);
  }
  return text;
}

namespace {
class StepPartsTest : public testing::Test {
protected:
  std::vector<StepPart> split(const json &newManifest, size_t entry) {
    Expected<Manifest> parsed = parseManifest(newManifest.dump());
    EXPECT_TRUE(parsed.ok()) << parsed.status().toString();
    manifest = std::move(*parsed);
    std::vector<StepPart> parts =
        splitStep(manifest.entries[entry], manifest.devices);
    text = describe(parts, manifest.devices);
    return parts;
  }

  Manifest manifest;
  std::string text;
};
} // namespace

TEST_F(StepPartsTest, RunsOfCommandsOfOneDevice) {
  std::vector<StepPart> parts = split(mixedManifest(), 1);
  EXPECT_EQ(text, "dev1: 0+2, dev1 -> cpu0: 2+1, dev1: 3+1, cpu0: 4+3");
  // Chunk records of commands with several chunks.
  EXPECT_EQ(parts[0].firstChunk, 0);
  EXPECT_EQ(parts[2].firstChunk, 4);
  EXPECT_EQ(parts[3].firstChunk, 8);
  // As if it were the only device.
  const EntryInfo &first = *parts[0].entry;
  EXPECT_EQ(first.name, "train_job");
  EXPECT_EQ(first.arenaBytes, 768);
  EXPECT_EQ(first.numQueues, 1);
  EXPECT_EQ(first.commands[1].queue, 0);
  for (const BufferRef &buffer : first.commands[1].args)
    EXPECT_EQ(buffer.device, 0);
  EXPECT_EQ(first.commands[1].args[1].space, Space::kBank);
  EXPECT_FALSE(parts[1].followsWrites);
  EXPECT_FALSE(parts[2].entry->followsWrites);
  EXPECT_TRUE(parts[3].entry->followsWrites) << "dev1 has written the weight";
}

TEST_F(StepPartsTest, InputsOfAGpuAreCopiedApart) {
  std::vector<StepPart> parts = split(mixedManifest("cuda"), 1);
  EXPECT_EQ(text, "host -> dev1: 0+1, dev1: 1+1, dev1 -> cpu0: 2+1, dev1: 3+1, "
                  "cpu0: 4+3");
  EXPECT_EQ(parts[1].entry->inputBytes, 0);
  EXPECT_EQ(parts[1].entry->outputBytes, 0);
  EXPECT_EQ(parts[4].entry->outputBytes, 320);
  // An entry on the GPU alone copies them itself.
  parts = split(mixedManifest("cuda"), 4);
  EXPECT_EQ(text, "dev1: 0+4");
  EXPECT_EQ(parts[0].entry->inputBytes, 256);
  EXPECT_EQ(parts[0].entry->outputBytes, 256);
}

TEST_F(StepPartsTest, AnEntryOnOneDeviceIsOnePart) {
  std::vector<StepPart> parts = split(mixedManifest(), 4);
  EXPECT_EQ(text, "dev1: 0+4");
  EXPECT_EQ(manifest.entries[4].devices, std::vector<int32_t>{1});
  EXPECT_EQ(manifest.entries[1].devices, (std::vector<int32_t>{0, 1}));
  json empty = mixedManifest();
  empty["entries"][4]["commands"] = json::array();
  split(empty, 4);
  EXPECT_EQ(text, "cpu0: 0+0");
}

TEST_F(StepPartsTest, ARepeatOnSeveralDevicesIsUnrolled) {
  std::vector<StepPart> parts = split(mixedManifest(), 5);
  EXPECT_EQ(text, "dev1: 0+1, dev1 -> cpu0: 1+1, cpu0: 2+2, "
                  "dev1 -> cpu0: 4+1, cpu0: 5+2, dev1 -> cpu0: 7+1, "
                  "cpu0: 8+2, dev1 -> cpu0: 10+1, cpu0: 11+2, cpu0: 13+1");
  EXPECT_EQ(parts[7].iteration, 3);
  EXPECT_EQ(parts[7].transfers[0].from.offset, 192);
  EXPECT_EQ(parts[7].transfers[0].from.stride, 0);
  EXPECT_EQ(parts[8].entry->commands[1].args[1].offset, 192);
}

TEST_F(StepPartsTest, ARepeatOnOneDeviceStays) {
  json manifest = mixedManifest();
  json &commands = manifest["entries"][5]["commands"];
  commands[1]["commands"].erase(size_t(0));
  std::vector<StepPart> parts = split(manifest, 5);
  EXPECT_EQ(text, "dev1: 0+1, cpu0: 1+9");
  ASSERT_EQ(parts[1].entry->repeats.size(), 1u);
  EXPECT_EQ(parts[1].entry->repeats[0].begin, 0u);
  EXPECT_EQ(parts[1].entry->repeats[0].end, 2u);
  EXPECT_EQ(parts[1].entry->commands[1].args[0].stride, 64);
}

TEST_F(StepPartsTest, CopiesBetweenTheSameDevicesAreOnePart) {
  json manifest = mixedManifest();
  json &commands = manifest["entries"][2]["commands"];
  json second = commands[0];
  second["args"] = {{"arena@1", 0, 64}, {"arena", 256, 64}};
  json back = second;
  back["args"] = {{"arena", 256, 64}, {"arena@1", 0, 64}};
  commands.insert(commands.begin() + 1, back);
  commands.insert(commands.begin() + 1, second);
  std::vector<StepPart> parts = split(manifest, 2);
  EXPECT_EQ(text, "dev1 -> cpu0: 0+2, cpu0 -> dev1: 2+1, cpu0: 3+2");
  EXPECT_EQ(parts[0].transfers[1].command, 1u);
}

TEST_F(StepPartsTest, EventsAreThoseOfTheirParts) {
  json manifest = mixedManifest();
  json &commands = manifest["entries"][1]["commands"];
  auto event = [](const char *op, int number, int queue) {
    return json{{"op", op},
                {"event", number},
                {"queue", queue},
                {"args", json::array()}};
  };
  // Event 0 is recorded before the parts on dev1, event 1 in the last part.
  commands.insert(commands.begin(), event("record", 0, 1));
  commands.push_back(event("wait", 0, 0));
  commands.push_back(event("record", 1, 0));
  commands.push_back(event("wait", 1, 1));
  std::vector<StepPart> parts = split(manifest, 1);
  EXPECT_EQ(text, "cpu0: 0+1, dev1: 1+2, dev1 -> cpu0: 3+1, dev1: 4+1, "
                  "cpu0: 5+6");
  const EntryInfo &last = *parts[4].entry;
  EXPECT_EQ(last.numEvents, 2);
  EXPECT_EQ(last.numQueues, 2);
  // It has nothing to wait for.
  EXPECT_EQ(last.commands[3].kind, Command::Kind::kRecord);
  EXPECT_EQ(last.commands[3].event, 0);
  EXPECT_EQ(last.commands[4].event, 1);
  EXPECT_EQ(last.commands[5].kind, Command::Kind::kWait);
  EXPECT_EQ(last.commands[5].event, 1);
}
