//===- TestArtifact.cpp - Artifacts for tests -----------------------------===//

#include "unittests/TestArtifact.h"
#include "unittests/DelayedDriver.h"
#include "unittests/TestCalls.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <unistd.h>
#include <zlib.h>

using namespace jobrt;
using nlohmann::json;

// Sanitizers end the process at the first absurd allocation unless they are
// told that refusing it is being tested.
extern "C" {
const char *__asan_default_options() { return "allocator_may_return_null=1"; }
const char *__tsan_default_options() { return "allocator_may_return_null=1"; }
}

static constexpr int64_t kBytes = test::kBlobSize * 4;

/// [space, offset, bytes] of a blob.
static json blob(const char *space, int64_t offset = 0) {
  return json::array({space, offset, kBytes});
}

static json port(const char *name, const char *dtype, int64_t size,
                 int64_t offset = 0) {
  return {{"name", name},
          {"dtype", dtype},
          {"shape", json::array({size})},
          {"offset", offset}};
}

static json dispatch(int kernel, int chunks, json args, json reads,
                     json writes) {
  return {{"op", "dispatch"},
          {"kernel", kernel},
          {"chunks", chunks},
          {"flops", test::kBlobSize},
          {"args", std::move(args)},
          {"reads", std::move(reads)},
          {"writes", std::move(writes)},
          {"location", -1}};
}

json test::testManifest() {
  json count = json::array({"bank", 256, 8});
  json zeroCount = {{"op", "fill"}, {"value", 0}, {"args", {count}}};
  json init = {{"name", JOBRT_INIT_ENTRY},
               {"kind", "init"},
               {"inputs", {port("seed", "i64", 1)}},
               {"outputs", json::array()},
               {"result_structure", "null"},
               {"input_bytes", 64},
               {"output_bytes", 0},
               {"arena_bytes", 0},
               {"workspace_bytes", 0},
               {"arena_lower_bound", 0},
               {"commands",
                {dispatch(0, 4, {json::array({"input", 0, 8}), blob("bank")},
                          json::array({0}), json::array({1})),
                 zeroCount}}};
  json train = {
      {"name", "train_job"},
      {"kind", "train"},
      {"inputs", {port("x", "f32", kBlobSize)}},
      {"outputs",
       {port("product", "f32", kBlobSize), port("count", "i64", 1, 256)}},
      {"result_structure", R"({"dict": {"product": 0, "count": [1, null]}})"},
      {"input_bytes", 256},
      {"output_bytes", 320},
      {"arena_bytes", 512},
      {"workspace_bytes", 0},
      {"arena_lower_bound", 256},
      {"commands",
       {dispatch(1, 4, {blob("input"), blob("bank"), blob("arena", 256)},
                 json::array({0, 1}), json::array({2})),
        dispatch(2, 4, {blob("input"), blob("bank")}, json::array({0, 1}),
                 json::array({1})),
        dispatch(3, 1, {count}, json::array({0}), json::array({0})),
        {{"op", "copy"}, {"args", {blob("arena", 256), blob("output")}}},
        {{"op", "copy"}, {"args", {count, json::array({"output", 256, 8})}}}}}};
  json predict = {{"name", "predict_job"},
                  {"kind", "predict"},
                  {"inputs", {port("x", "f32", kBlobSize)}},
                  {"outputs", {port("sum", "f32", kBlobSize)}},
                  {"result_structure", R"({"tuple": [0]})"},
                  {"input_bytes", 256},
                  {"output_bytes", 256},
                  {"arena_bytes", 256},
                  {"workspace_bytes", 0},
                  {"arena_lower_bound", 256},
                  {"commands",
                   {dispatch(1, 4, {blob("input"), blob("bank"), blob("arena")},
                             json::array({0, 1}), json::array({2})),
                    dispatch(4, 4,
                             {blob("arena"), json::array({"constant", 0, 64}),
                              blob("output")},
                             json::array({0, 1}), json::array({2}))}}};
  json copy = {
      {"name", "copy_job"},
      {"kind", "predict"},
      {"inputs", {port("x", "f32", kBlobSize)}},
      {"outputs", {port("y", "f32", kBlobSize), port("count", "i64", 1, 256)}},
      {"result_structure", "[0, 1]"},
      {"input_bytes", 256},
      {"output_bytes", 320},
      {"arena_bytes", 64},
      {"workspace_bytes", 128},
      {"arena_lower_bound", 0},
      {"commands",
       {{{"op", "call"},
         {"callee", "test.call"},
         {"config", {{"size", kBlobSize}}},
         {"chunks", 4},
         {"flops", 1000},
         {"reads", json::array({0})},
         {"writes", json::array({1})},
         {"name", "hidden"},
         {"location", 1},
         {"args",
          {blob("input"), blob("output"), json::array({"workspace", 0, 128})}}},
        zeroCount,
        {{"op", "copy"}, {"args", {count, json::array({"output", 256, 8})}}}}}};
  return {{"format", JOBRT_FORMAT_VERSION},
          {"compiler", "jobmlir 0.1.0, LLVM 22.1.8"},
          {"interface", "0123456789abcdef"},
          {"target",
           {{"triple", "x86_64-pc-linux-gnu"},
            {"cpu", "generic"},
            {"features", json::array()}}},
          {"devices", {{{"name", "cpu0"}, {"kind", "host"}, {"queues", 2}}}},
          {"bank_bytes", 320},
          {"constants_bytes", 64},
          {"variables",
           {{{"name", "weight"},
             {"dtype", "f32"},
             {"shape", {kBlobSize}},
             {"offset", 0},
             {"trainable", true},
             {"location", 0}},
            {{"name", "count"},
             {"dtype", "i64"},
             {"shape", {1}},
             {"offset", 256},
             {"trainable", false},
             {"location", -1}}}},
          {"locations", {"train.py:12:4", "train.py:20:8"}},
          {"entries", {init, train, predict, copy}}};
}

/// `command` on queue 1.
static json onQueue1(json command) {
  command["queue"] = 1;
  return command;
}

static json event(const char *op, int number) {
  return {{"op", op}, {"event", number}, {"args", json::array()}};
}

json test::queueManifest() {
  json manifest = testManifest();
  json both = json::array({0, 1}), third = json::array({2});
  json call = manifest["entries"][3]["commands"][0];
  call["args"] = {blob("input"), blob("arena", 256),
                  json::array({"workspace", 0, 128})};
  json count = json::array({"bank", 256, 8});
  manifest["entries"].push_back(
      {{"name", "queue_job"},
       {"kind", "train"},
       {"inputs", {port("x", "f32", kBlobSize)}},
       {"outputs", {port("y", "f32", kBlobSize)}},
       {"result_structure", "0"},
       {"input_bytes", 256},
       {"output_bytes", 256},
       {"arena_bytes", 768},
       {"workspace_bytes", 128},
       {"arena_lower_bound", 768},
       {"commands",
        {dispatch(1, 4, {blob("input"), blob("bank"), blob("arena")}, both,
                  third),
         event("record", 0), onQueue1(call), onQueue1(event("wait", 0)),
         onQueue1(dispatch(2, 4, {blob("arena", 256), blob("bank")}, both,
                           json::array({1}))),
         onQueue1(event("record", 1)),
         dispatch(4, 4,
                  {blob("arena"), json::array({"constant", 0, 64}),
                   blob("arena", 512)},
                  both, third),
         event("wait", 1),
         dispatch(1, 4, {blob("arena", 512), blob("bank"), blob("output")},
                  both, third),
         onQueue1(
             dispatch(3, 1, {count}, json::array({0}), json::array({0})))}}});
  return manifest;
}

json test::boundedManifest() {
  json manifest = testManifest();
  manifest["entries"][1]["outputs"][0]["count"] = 1;
  return manifest;
}

json test::hostCallManifest() {
  json manifest = testManifest();
  json type = json::array({"f32", json::array({8, 8})});
  json twice = {{"op", "host_call"},
                {"callee", "twice"},
                {"args", {blob("input"), blob("arena")}},
                {"types", json::array({type, type})},
                {"flops", 0},
                {"reads", {0}},
                {"writes", {1}},
                {"location", 0}};
  json watch = {{"op", "host_call"},
                {"callee", "watch"},
                {"args", {blob("arena")}},
                {"types", json::array({type})},
                {"flops", 0},
                {"reads", {0}},
                {"writes", json::array()},
                {"name", "watched"},
                {"location", 1}};
  manifest["entries"].push_back(
      {{"name", "host_job"},
       {"kind", "predict"},
       {"inputs", {port("x", "f32", kBlobSize)}},
       {"outputs", {port("y", "f32", kBlobSize)}},
       {"result_structure", "0"},
       {"input_bytes", 256},
       {"output_bytes", 256},
       {"arena_bytes", 256},
       {"workspace_bytes", 0},
       {"arena_lower_bound", 256},
       {"commands",
        {twice,
         watch,
         {{"op", "copy"}, {"args", {blob("arena"), blob("output")}}}}}});
  return manifest;
}

static std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  EXPECT_TRUE(stream.good()) << "cannot read " << path;
  return bytes.str();
}

std::string test::testKernels(bool replaced) {
  return readFile(replaced ? JOBRT_TEST_KERNELS_REPLACED : JOBRT_TEST_KERNELS);
}

static uint32_t checksum(std::string_view bytes) {
  return crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()),
                 bytes.size());
}

template <typename T> static void put(std::string &bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

void test::fixFooter(std::string &container) {
  size_t footer = container.size() - JOBRT_FOOTER_BYTES;
  put(container, footer + 60,
      checksum(std::string_view(container).substr(footer, 60)));
}

std::string test::makeContainer(const std::string &elf,
                                const std::string &manifest, uint32_t version) {
  std::string footer(JOBRT_FOOTER_BYTES, '\0');
  std::memcpy(footer.data(), JOBRT_MAGIC, 8);
  put<uint32_t>(footer, 8, version);
  put<uint64_t>(footer, 16, elf.size());
  put<uint64_t>(footer, 24, manifest.size());
  put<uint32_t>(footer, 32, checksum(elf));
  put<uint32_t>(footer, 36, checksum(manifest));
  std::string bytes = elf + manifest + footer;
  fixFooter(bytes);
  return bytes;
}

void test::writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << bytes;
  stream.close();
  ASSERT_TRUE(stream.good()) << "cannot write " << path;
}

test::TemporaryFolder::TemporaryFolder(const std::string &parent) {
  std::filesystem::path place = parent;
  if (parent.empty())
    place = std::filesystem::temp_directory_path();
  std::string pattern = (place / "jobrt-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(pattern.data()), nullptr);
  path = pattern;
}

test::TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

test::Unprivileged::Unprivileged()
    : isRoot(geteuid() == 0), ok(!isRoot || seteuid(65534) == 0) {}

test::Unprivileged::~Unprivileged() {
  if (isRoot && seteuid(0) != 0)
    std::abort();
}

Expected<std::shared_ptr<const Artifact>>
test::loadContainer(const std::string &bytes) {
  registerTestCall();
  TemporaryFolder folder;
  writeFile(folder.file("test.so"), bytes);
  return Artifact::load(folder.file("test.so"));
}

std::shared_ptr<const Artifact> test::loadTestArtifact(const json &manifest) {
  Expected<std::shared_ptr<const Artifact>> artifact =
      loadContainer(makeContainer(testKernels(), manifest.dump()));
  EXPECT_TRUE(artifact.ok()) << artifact.status().toString();
  return artifact.ok() ? *artifact : nullptr;
}

std::unique_ptr<Session> test::makeSession(SessionOptions options,
                                           const json &manifest) {
  if (const char *driver = std::getenv("JOBRT_TEST_DRIVER");
      driver && options.driver == SessionOptions().driver) {
    registerDelayedDriver();
    options.driver = driver;
  }
  Expected<std::unique_ptr<Session>> session =
      Session::create(loadTestArtifact(manifest), options);
  EXPECT_TRUE(session.ok()) << session.status().toString();
  return session.ok() ? std::move(*session) : nullptr;
}

test::Blob::Blob(float start, float step) : values(kBlobSize) {
  for (int64_t i = 0; i < kBlobSize; ++i)
    values[i] = start + static_cast<float>(i) * step;
}

std::vector<float> test::floats(const TensorView &view) {
  EXPECT_EQ(view.dtype, DType::kF32);
  auto *data = static_cast<const float *>(view.data);
  return {data, data + view.bytes() / 4};
}

testing::AssertionResult test::contains(const std::string &text,
                                        const std::string &part) {
  if (text.find(part) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "expects '" << part << "' in '" << text << "'";
}

uint64_t test::testSeed() {
  const char *text = std::getenv("JOBRT_TEST_SEED");
  uint64_t seed =
      text ? std::strtoull(text, nullptr, 10) : std::random_device()();
  std::cout << "JOBRT_TEST_SEED=" << seed << std::endl;
  return seed;
}
