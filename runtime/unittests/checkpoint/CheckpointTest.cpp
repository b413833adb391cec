//===- CheckpointTest.cpp - Saving and loading variables ------------------===//

#include "jobrt/checkpoint.h"
#include "unittests/TestArtifact.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <zlib.h>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;
namespace fs = std::filesystem;

static constexpr CheckpointLayout kLayouts[] = {CheckpointLayout::kNative,
                                                CheckpointLayout::kLegacy};

static std::string readBytes(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

static std::string bytesOf(Session &session, const char *name) {
  Expected<Tensor> tensor = session.readVariable(name);
  EXPECT_TRUE(tensor.ok()) << tensor.status().message();
  return std::string(static_cast<const char *>(tensor->data()),
                     tensor->bytes());
}

static std::string allBytes(Session &session) {
  return bytesOf(session, "weight") + bytesOf(session, "count");
}

/// A session whose variables are those of `seed`.
static std::unique_ptr<Session> sessionWith(int64_t seed) {
  std::unique_ptr<Session> session = makeSession();
  Status status = session->initialize(seed);
  EXPECT_TRUE(status.ok()) << status.message();
  return session;
}

static void save(Session &session, const std::string &path,
                 CheckpointLayout layout) {
  Status status = saveCheckpoint(session, path, layout);
  ASSERT_TRUE(status.ok()) << status.message();
}

//===----------------------------------------------------------------------===//
// Round trips
//===----------------------------------------------------------------------===//

TEST(Checkpoint, TensorsAreVariables) {
  TemporaryFolder folder;
  std::unique_ptr<Session> saved = sessionWith(3), loaded = sessionWith(8);
  std::vector<std::string> names = {"weight", "count"};
  Expected<std::vector<Tensor>> values = saved->readVariables(names);
  ASSERT_TRUE(values.ok());
  std::vector<std::pair<std::string, TensorView>> tensors = {
      {"weight", (*values)[0].view()}, {"count", (*values)[1].view()}};
  for (CheckpointLayout layout :
       {CheckpointLayout::kNative, CheckpointLayout::kLegacy,
        CheckpointLayout::kLegacyWithMeta}) {
    std::string path = folder.file("c");
    Status status =
        saveTensors(tensors, path, layout, ExistingCheckpoint::kReplace);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(fs::exists(path + "/weight/meta"),
              layout == CheckpointLayout::kLegacyWithMeta);
    ASSERT_TRUE(loadCheckpoint(*loaded, path).ok());
    EXPECT_EQ(allBytes(*saved), allBytes(*loaded));
  }
  EXPECT_EQ(readBytes(folder.file("c/count/meta")),
            "shape {\n  dim: 1\n}\ndata_type: kInt64\n");
  EXPECT_EQ(saveTensors({{"a/b", (*values)[0].view()}}, folder.file("d"),
                        CheckpointLayout::kLegacy)
                .code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(fs::exists(folder.file("d")));
}

TEST(Checkpoint, RoundTripInBothLayouts) {
  for (CheckpointLayout layout : kLayouts) {
    TemporaryFolder folder;
    std::unique_ptr<Session> saved = sessionWith(3), loaded = sessionWith(8);
    ASSERT_NE(allBytes(*saved), allBytes(*loaded));
    // Folders above are made; a slash at the end means nothing.
    save(*saved, folder.file("a/b/step-1/"), layout);
    Status status = loadCheckpoint(*loaded, folder.file("a/b/step-1"));
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(allBytes(*saved), allBytes(*loaded));
    // Nothing else is left beside it.
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("a/b")), {}), 1);
  }
}

TEST(Checkpoint, SavingIsOrderedAfterTheStepsBefore) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = sessionWith(1), loaded = sessionWith(2);
  Blob x(0.5f, 1);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(session->submit("train_job", {x.view()}).ok());
  save(*session, folder.file("c"), CheckpointLayout::kNative);
  ASSERT_TRUE(loadCheckpoint(*loaded, folder.file("c")).ok());
  int64_t count;
  std::memcpy(&count, bytesOf(*loaded, "count").data(), sizeof(count));
  EXPECT_EQ(count, 3);
}

TEST(Checkpoint, NativeIsASafetensorsFile) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = sessionWith(5);
  save(*session, folder.file("c"), CheckpointLayout::kNative);
  std::string bytes = readBytes(folder.file("c/variables.safetensors"));
  uint64_t length;
  ASSERT_GT(bytes.size(), sizeof(length));
  std::memcpy(&length, bytes.data(), sizeof(length));
  EXPECT_EQ((length + 8) % 64, 0u);
  json header = json::parse(bytes.substr(8, length));
  EXPECT_EQ(
      header["weight"],
      (json{{"dtype", "F32"}, {"shape", {64}}, {"data_offsets", {0, 256}}}));
  EXPECT_EQ(
      header["count"],
      (json{{"dtype", "I64"}, {"shape", {1}}, {"data_offsets", {256, 264}}}));
  EXPECT_EQ(bytes.substr(8 + length), allBytes(*session));
  json manifest = json::parse(readBytes(folder.file("c/manifest.json")));
  EXPECT_EQ(manifest["format"], 1);
  EXPECT_EQ(manifest["bytes"], bytes.size());
}

TEST(Checkpoint, LegacyIsAFolderAVariable) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = sessionWith(5);
  save(*session, folder.file("c"), CheckpointLayout::kLegacy);
  EXPECT_EQ(readBytes(folder.file("c/weight/out")),
            bytesOf(*session, "weight"));
  EXPECT_EQ(readBytes(folder.file("c/count/out")), bytesOf(*session, "count"));
  EXPECT_TRUE(fs::exists(folder.file("c/snapshot_done")));
  EXPECT_EQ(fs::file_size(folder.file("c/snapshot_done")), 0u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("c")), {}), 4);
}

TEST(Checkpoint, VariablesThatOnlyTheCheckpointHasAreIgnored) {
  for (CheckpointLayout layout : kLayouts) {
    TemporaryFolder folder;
    std::unique_ptr<Session> saved = sessionWith(3);
    save(*saved, folder.file("c"), layout);
    json manifest = testManifest();
    manifest["variables"].erase(1);
    std::unique_ptr<Session> loaded = makeSession({}, manifest);
    ASSERT_TRUE(loaded);
    Status status = loadCheckpoint(*loaded, folder.file("c"));
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(bytesOf(*loaded, "weight"), bytesOf(*saved, "weight"));
  }
}

//===----------------------------------------------------------------------===//
// Where it may be saved
//===----------------------------------------------------------------------===//

static void
expectSaveFails(const std::string &path, StatusCode code,
                const std::string &message,
                const json &manifest = testManifest(),
                CheckpointLayout layout = CheckpointLayout::kLegacy) {
  std::unique_ptr<Session> session = makeSession({}, manifest);
  Status status = saveCheckpoint(*session, path, layout);
  ASSERT_FALSE(status.ok()) << message;
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_EQ(status.message(), message);
}

TEST(Checkpoint, AnEmptyFolderIsTaken) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = sessionWith(3);
  fs::create_directory(folder.file("c"));
  save(*session, folder.file("c"), CheckpointLayout::kNative);
  // Through a link as well.
  fs::create_directory(folder.file("d"));
  fs::create_directory_symlink(folder.file("d"), folder.file("link"));
  save(*session, folder.file("link"), CheckpointLayout::kNative);
  EXPECT_TRUE(fs::exists(folder.file("d/manifest.json")));
}

TEST(Checkpoint, WhatIsThereIsNotOverwritten) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = sessionWith(3);
  std::string path = folder.file("c"), file = folder.file("file"),
              link = folder.file("link");
  save(*session, path, CheckpointLayout::kNative);
  std::string before = readBytes(path + "/variables.safetensors");
  expectSaveFails(path, StatusCode::kAlreadyExists,
                  "'" + path +
                      "': expects an empty folder or none to save into but got "
                      "one that is not empty: root directory of model "
                      "snapshot not empty");
  EXPECT_EQ(readBytes(path + "/variables.safetensors"), before);
  writeFile(file, "x");
  expectSaveFails(file, StatusCode::kAlreadyExists,
                  "'" + file +
                      "': expects an empty folder or none to save into but got "
                      "a file");
  fs::create_symlink("nowhere", link);
  expectSaveFails(link, StatusCode::kAlreadyExists,
                  "'" + link +
                      "': expects an empty folder or none to save into but got "
                      "a link");
  expectSaveFails("", StatusCode::kInvalidArgument,
                  "'': expects the path of a folder");
}

TEST(Checkpoint, NamesThatALayoutCannotHold) {
  TemporaryFolder folder;
  for (const char *name : {"a/b", "..", "snapshot_done", "checksums.json",
                           "manifest.json", "variables.safetensors"}) {
    json manifest = testManifest();
    manifest["variables"][0]["name"] = name;
    expectSaveFails(folder.file("c"), StatusCode::kInvalidArgument,
                    std::string("variable '") + name +
                        "': its name cannot be a folder of the legacy layout",
                    manifest);
  }
  json manifest = testManifest();
  manifest["variables"][0]["name"] = "__metadata__";
  expectSaveFails(folder.file("c"), StatusCode::kInvalidArgument,
                  "variable '__metadata__': its name is reserved in the native "
                  "layout",
                  manifest, CheckpointLayout::kNative);
  EXPECT_FALSE(fs::exists(folder.file("c")));
}

//===----------------------------------------------------------------------===//
// Failing while saving
//===----------------------------------------------------------------------===//

TEST(Checkpoint, AFileAboveIsAnError) {
  TemporaryFolder folder;
  writeFile(folder.file("file"), "x");
  std::unique_ptr<Session> session = sessionWith(3);
  Status status = saveCheckpoint(*session, folder.file("file/c"),
                                 CheckpointLayout::kNative);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_TRUE(contains(status.message(), "'" + folder.file("file/c") +
                                             "': cannot save 264 bytes of "
                                             "variables: '"));
  EXPECT_TRUE(contains(status.message(), "cannot create: not a directory"));
}

//===----------------------------------------------------------------------===//
// Loading what is damaged or foreign
//===----------------------------------------------------------------------===//

/// Loading fails and changes nothing.
static void expectLoadFails(const std::string &path, StatusCode code,
                            const std::string &message) {
  std::unique_ptr<Session> session = sessionWith(7);
  std::string before = allBytes(*session);
  Status status = loadCheckpoint(*session, path);
  ASSERT_FALSE(status.ok()) << message;
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_EQ(status.message(), message);
  EXPECT_EQ(allBytes(*session), before);
}

TEST(Checkpoint, NoCheckpointThere) {
  TemporaryFolder folder;
  std::string path = folder.file("c");
  expectLoadFails(path, StatusCode::kNotFound,
                  "'" + path +
                      "': expects a checkpoint folder but there is "
                      "none");
  writeFile(path, "x");
  expectLoadFails(path, StatusCode::kInvalidArgument,
                  "'" + path + "': expects a checkpoint folder but got a file");
  fs::create_directory(folder.file("empty"));
  expectLoadFails(folder.file("empty"), StatusCode::kDataLoss,
                  "'" + folder.file("empty") +
                      "': expects a checkpoint with 'manifest.json' or "
                      "'snapshot_done' but got neither");
}

namespace {
/// A native checkpoint made by hand, with a manifest that agrees.
class NativeFolder {
public:
  NativeFolder() : path(folder.file("c")) {
    fs::create_directory(path);
    header = {
        {"weight",
         {{"dtype", "F32"}, {"shape", {64}}, {"data_offsets", {0, 256}}}},
        {"count",
         {{"dtype", "I64"}, {"shape", {1}}, {"data_offsets", {256, 264}}}}};
    data.assign(264, '\1');
  }

  std::string contents() const { return contents(header.dump()); }
  std::string contents(const std::string &text) const {
    uint64_t length = text.size();
    return std::string(reinterpret_cast<const char *>(&length), 8) + text +
           data;
  }
  void write(const std::string &bytes) {
    writeFile(path + "/variables.safetensors", bytes);
    json manifest = {
        {"format", 1},
        {"file", "variables.safetensors"},
        {"bytes", bytes.size()},
        {"crc32", crc32(0, reinterpret_cast<const Bytef *>(bytes.data()),
                        bytes.size())}};
    writeFile(path + "/manifest.json", manifest.dump());
  }
  /// Writes `bytes` and expects an error about the data file.
  void expectRefused(const std::string &bytes, const std::string &message,
                     StatusCode code = StatusCode::kDataLoss) {
    write(bytes);
    expectLoadFails(path, code,
                    "'" + path + "/variables.safetensors': " + message);
  }
  /// The same after a change of the header.
  void expectRefused(const std::function<void(json &)> &damage,
                     const std::string &message,
                     StatusCode code = StatusCode::kDataLoss) {
    json saved = header;
    damage(header);
    expectRefused(contents(), message, code);
    header = saved;
  }

  TemporaryFolder folder;
  std::string path;
  json header;
  std::string data;
};
} // namespace

TEST(Checkpoint, HandMadeNativeLoads) {
  NativeFolder folder;
  folder.header["__metadata__"] = {{"format", "np"}};
  folder.write(folder.contents());
  std::unique_ptr<Session> session = sessionWith(7);
  Status status = loadCheckpoint(*session, folder.path);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(allBytes(*session), folder.data);
}

TEST(Checkpoint, DamagedManifest) {
  NativeFolder folder;
  auto refuse = [&](const std::string &manifest, const std::string &message,
                    StatusCode code = StatusCode::kDataLoss) {
    folder.write(folder.contents());
    writeFile(folder.path + "/manifest.json", manifest);
    expectLoadFails(folder.path, code,
                    "'" + folder.path + "/manifest.json': " + message);
  };
  refuse("{", "expects JSON but got a syntax error at byte 2");
  refuse("[]", "top level: expects an object but got an array");
  refuse("{}", "top level: expects a member 'format'");
  refuse(R"({"format": 2})", "expects checkpoint format 1 but got 2",
         StatusCode::kUnimplemented);
  refuse(R"({"format": 1, "file": "/etc/passwd"})",
         "file: expects 'variables.safetensors' but got '/etc/passwd'");
  refuse(R"({"format": 1, "file": "variables.safetensors", "bytes": -1})",
         "bytes: expects an integer from 0 to 9223372036854775807 but got -1");
  refuse(std::string((1 << 20) + 1, ' '),
         "expects at most 1048576 bytes but got 1048577");
  fs::remove(folder.path + "/manifest.json");
  expectLoadFails(folder.path, StatusCode::kNotFound,
                  "'" + folder.path +
                      "/manifest.json': cannot open: no such file or "
                      "directory");
}

TEST(Checkpoint, DamagedData) {
  NativeFolder folder;
  std::string path = folder.path + "/variables.safetensors";
  std::string bytes = folder.contents();
  folder.write(bytes);
  auto refuse = [&](const std::string &damaged, const std::string &message) {
    writeFile(path, damaged);
    expectLoadFails(folder.path, StatusCode::kDataLoss,
                    "'" + path + "': " + message);
  };
  refuse(bytes.substr(0, 100), "truncated: expects " +
                                   std::to_string(bytes.size()) +
                                   " bytes but got 100");
  refuse(bytes + "x", "expects " + std::to_string(bytes.size()) +
                          " bytes but got " + std::to_string(bytes.size() + 1));
  auto checksum = [](const std::string &text) {
    char hex[16];
    std::snprintf(
        hex, sizeof(hex), "%08lx",
        crc32(0, reinterpret_cast<const Bytef *>(text.data()), text.size()));
    return std::string(hex);
  };
  std::string flipped = bytes;
  flipped.back() ^= 4;
  refuse(flipped, "damaged: expects checksum " + checksum(bytes) + " but got " +
                      checksum(flipped));
  fs::remove(path);
  expectLoadFails(folder.path, StatusCode::kNotFound,
                  "'" + path + "': cannot open: no such file or directory");
  fs::create_directory(path);
  expectLoadFails(folder.path, StatusCode::kInvalidArgument,
                  "'" + path + "': expects a file but got a folder");
}

TEST(Checkpoint, DamagedSafetensorsHeader) {
  NativeFolder folder;
  folder.expectRefused("1234", "truncated: expects a safetensors file of at "
                               "least 8 bytes but got 4");
  folder.expectRefused(std::string(8, '\xff') + "{}",
                       "expects a header of at most 2 bytes but got "
                       "18446744073709551615");
  folder.expectRefused(folder.contents("{"),
                       "header: expects JSON but got a syntax error at byte 2");
  folder.expectRefused(folder.contents("[1]"),
                       "header: top level: expects an object but got an array");
  folder.expectRefused(
      folder.contents(std::string(100, '[') + std::string(100, ']')),
      "header: expects JSON of at most 64 levels but got 100");
  folder.expectRefused(folder.contents("{\"\xff\": 1}"),
                       "header: expects JSON but got a syntax error at byte 3");
}

TEST(Checkpoint, DamagedSafetensorsEntries) {
  NativeFolder folder;
  folder.expectRefused([](json &header) { header["weight"].erase("dtype"); },
                       "header: weight: expects a member 'dtype'");
  folder.expectRefused([](json &header) { header["weight"]["dtype"] = "F33"; },
                       "header: weight: has no dtype 'F33'");
  folder.expectRefused([](json &header) { header["weight"]["shape"] = {-64}; },
                       "header: weight.shape[0]: expects an integer from 0 to "
                       "9223372036854775807 but got -64");
  folder.expectRefused([](json &header) { header["weight"]["shape"] = {65}; },
                       "header: weight: expects 260 bytes but got 256");
  folder.expectRefused(
      [](json &header) {
        header["weight"]["shape"] = {int64_t(1) << 40, int64_t(1) << 40};
      },
      "header: weight: the size of its shape overflows");
  folder.expectRefused(
      [](json &header) { header["weight"]["shape"] = "64"; },
      "header: weight.shape: expects an array but got a string");
  folder.expectRefused(
      [](json &header) { header["weight"]["data_offsets"] = {0}; },
      "header: weight.data_offsets: expects 2 offsets but got 1");
  folder.expectRefused(
      [](json &header) { header["count"]["data_offsets"] = {256, 265}; },
      "header: count.data_offsets[1]: expects an integer from 256 to 264 but "
      "got 265");
  folder.expectRefused(
      [](json &header) { header["count"]["data_offsets"] = {264, 256}; },
      "header: count.data_offsets[1]: expects an integer from 264 to 264 but "
      "got 256");
  folder.expectRefused(
      [](json &header) { header["count"]["data_offsets"] = {248, 256}; },
      "overlap before 'count': expects its data at 256 but got 248");
  folder.expectRefused(
      [](json &header) {
        header["weight"]["shape"] = {62};
        header["weight"]["data_offsets"] = {0, 248};
      },
      "gap before 'count': expects its data at 248 but got 256");
  folder.expectRefused([](json &header) { header.erase("count"); },
                       "expects 256 bytes of data but got 264");
}

TEST(Checkpoint, ForeignNative) {
  NativeFolder folder;
  folder.expectRefused(
      [](json &header) {
        header["bias"] = header["weight"];
        header.erase("weight");
      },
      "expects variable 'weight' but there is none of that name",
      StatusCode::kNotFound);
  folder.expectRefused([](json &header) { header["weight"]["shape"] = {8, 8}; },
                       "variable 'weight': expects 64xF32 but got 8x8xF32");
  folder.expectRefused([](json &header) { header["weight"]["dtype"] = "I32"; },
                       "variable 'weight': expects 64xF32 but got 64xI32");
}

TEST(Checkpoint, ForeignOrDamagedLegacy) {
  TemporaryFolder folder;
  std::string path = folder.file("c"), out = path + "/count/out";
  std::unique_ptr<Session> session = sessionWith(3);
  save(*session, path, CheckpointLayout::kLegacy);
  writeFile(out, "1234");
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + out + "': expects 8 bytes for 1xi64 but got 4");
  fs::remove(out);
  expectLoadFails(path, StatusCode::kNotFound,
                  "'" + out +
                      "': expects a file for variable 'count' but "
                      "there is none");
  fs::create_directory(out);
  expectLoadFails(path, StatusCode::kInvalidArgument,
                  "'" + out + "': expects a file but got a folder");
  fs::remove(path + "/snapshot_done");
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + path +
                      "': expects a checkpoint with 'manifest.json' or "
                      "'snapshot_done' but got neither");
}

TEST(Checkpoint, LegacyChecksums) {
  TemporaryFolder folder;
  std::string path = folder.file("c"), list = path + "/checksums.json",
              weight = path + "/weight/out";
  std::unique_ptr<Session> session = sessionWith(3);
  save(*session, path, CheckpointLayout::kLegacyWithMeta);
  json good = json::parse(readBytes(list));
  std::string bytes = readBytes(weight), meta = readBytes(path + "/count/meta");
  auto entry = [](const std::string &contents) {
    return json{
        {"bytes", contents.size()},
        {"crc32", crc32(0, reinterpret_cast<const Bytef *>(contents.data()),
                        contents.size())}};
  };
  EXPECT_EQ(good["format"], 1);
  EXPECT_EQ(good["files"].size(), 4u);
  EXPECT_EQ(good["files"]["weight/out"], entry(bytes));
  EXPECT_EQ(good["files"]["count/meta"], entry(meta));

  // A bit of a value.
  std::string flipped = bytes;
  flipped[17] ^= 4;
  writeFile(weight, flipped);
  char text[64];
  std::snprintf(text, sizeof(text), "expects checksum %08x but got %08x",
                entry(bytes)["crc32"].get<unsigned>(),
                entry(flipped)["crc32"].get<unsigned>());
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + weight + "': damaged: " + text);
  writeFile(weight, bytes);

  // Another size than that of the list, which the variable has.
  json other = good;
  other["files"]["weight/out"]["bytes"] = 255;
  writeFile(list, other.dump());
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + weight + "': damaged: expects 255 bytes but got 256");

  // A file that is not listed.
  other = good;
  other["files"].erase("weight/out");
  writeFile(list, other.dump());
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + list +
                      "': expects a checksum of 'weight/out' but there is "
                      "none");

  // Another version, and other text.
  other = good;
  other["format"] = 2;
  writeFile(list, other.dump());
  expectLoadFails(path, StatusCode::kUnimplemented,
                  "'" + list + "': expects format 1 but got 2");
  other = good;
  other["files"]["weight/out"].erase("crc32");
  writeFile(list, other.dump());
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + list + "': files.weight/out: expects a member 'crc32'");
  writeFile(list, "{");
  expectLoadFails(path, StatusCode::kDataLoss,
                  "'" + list +
                      "': expects JSON but got a syntax error at byte 2");

  // None, as other writers have it.
  fs::remove(list);
  writeFile(weight, flipped);
  std::unique_ptr<Session> loaded = sessionWith(8);
  Status status = loadCheckpoint(*loaded, path);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(bytesOf(*loaded, "weight"), flipped);
}

TEST(Checkpoint, ErrorsOfVariablesCarryTheirLocation) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = makeSession();
  fs::create_directory(folder.file("c"));
  writeFile(folder.file("c/snapshot_done"), "");
  Status status = loadCheckpoint(*session, folder.file("c"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.location(),
            session->artifact().findVariable("weight")->location);
}

/// Random damage never crashes, and never changes a variable unless it loads.
TEST(Checkpoint, RandomDamage) {
  std::mt19937_64 random(testSeed());
  NativeFolder folder;
  std::unique_ptr<Session> session = sessionWith(7);
  std::string before = allBytes(*session);
  std::string good = folder.contents();
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = good;
    for (int flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % (bytes.size() - folder.data.size())] = random();
    folder.write(bytes);
    if (loadCheckpoint(*session, folder.path).ok()) {
      ASSERT_TRUE(session->initialize(7).ok());
      continue;
    }
    ASSERT_EQ(allBytes(*session), before);
  }
}
