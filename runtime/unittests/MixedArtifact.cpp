//===- MixedArtifact.cpp - Artifacts of two devices for tests -------------===//

#include "unittests/MixedArtifact.h"

using namespace jobrt;
using nlohmann::json;

/// The queue of dev1.
static constexpr int kOther = 2;

static json buffer(const char *space, int64_t offset = 0, int64_t bytes = 256) {
  return json::array({space, offset, bytes});
}

static json copy(json from, json to, int queue = 0) {
  return {{"op", "copy"},
          {"queue", queue},
          {"args", {std::move(from), std::move(to)}}};
}

/// A kernel, on dev1 as its kind wants it.
static json dispatch(const std::string &kind, int kernel, json args, json reads,
                     json writes, int queue) {
  json command = {{"op", "dispatch"},
                  {"queue", queue},
                  {"kernel", kernel},
                  {"chunks", kernel == 3 ? 1 : 4},
                  {"flops", test::kBlobSize},
                  {"args", std::move(args)},
                  {"reads", std::move(reads)},
                  {"writes", std::move(writes)},
                  {"location", -1}};
  if (queue == kOther && kind == "cuda") {
    command["kernel"] = "jobk_" + std::to_string(kernel);
    command["threads"] = kernel == 3 ? 1 : 16;
  }
  return command;
}

json test::mixedManifest(const char *kind) {
  json both = json::array({0, 1}), first = json::array({0});
  json second = json::array({1}), third = json::array({2});
  json count = buffer("bank", 256, 8);
  json addOne = dispatch(kind, 3, {count}, first, first, 0);
  json showCount = copy(count, buffer("output", 256, 8));
  auto onOther = [&](int kernel, json args, json reads, json writes) {
    return dispatch(kind, kernel, std::move(args), std::move(reads),
                    std::move(writes), kOther);
  };

  json manifest = testManifest();
  manifest["devices"].push_back(
      {{"name", "dev1"}, {"kind", kind}, {"queues", 1}});
  manifest["banks"] = {{{"device", 1}, {"bytes", 256}}};
  manifest["variables"][0]["device"] = 1;
  json spaces = {{{"device", 1},
                  {"arena_bytes", 768},
                  {"workspace_bytes", 0},
                  {"arena_lower_bound", 512}}};
  json &entries = manifest["entries"];
  for (int i : {0, 1, 2})
    entries[i]["spaces"] = spaces;

  entries[0]["commands"] = {
      copy(buffer("input", 0, 8), buffer("arena@1", 0, 8), kOther),
      onOther(0, {buffer("arena@1", 0, 8), buffer("bank@1")}, first, second),
      {{"op", "fill"}, {"value", 0}, {"args", {count}}}};

  json move = copy(buffer("arena@1", 256), buffer("arena", 256));
  move["name"] = "product";
  move["location"] = 0;
  entries[1]["commands"] = {
      copy(buffer("input"), buffer("arena@1"), kOther),
      onOther(1, {buffer("arena@1"), buffer("bank@1"), buffer("arena@1", 256)},
              both, third),
      move,
      onOther(2, {buffer("arena@1"), buffer("bank@1")}, both, second),
      addOne,
      copy(buffer("arena", 256), buffer("output")),
      showCount};

  entries[2]["arena_bytes"] = 512;
  json read = copy(buffer("bank@1"), buffer("arena"));
  read["name"] = "weight";
  read["location"] = 1;
  entries[2]["commands"] = {
      read,
      dispatch(kind, 1,
               {buffer("input"), buffer("arena"), buffer("arena", 256)}, both,
               third, 0),
      dispatch(
          kind, 4,
          {buffer("arena", 256), buffer("constant", 0, 64), buffer("output")},
          both, third, 0)};

  json other = entries[2];
  other["name"] = "other_job";
  other["arena_bytes"] = 0;
  other["commands"] = {
      copy(buffer("input"), buffer("arena@1"), kOther),
      onOther(1, {buffer("arena@1"), buffer("bank@1"), buffer("arena@1", 256)},
              both, third),
      onOther(4,
              {buffer("arena@1", 256), buffer("constant@1", 0, 64),
               buffer("arena@1", 512)},
              both, third),
      copy(buffer("arena@1", 512), buffer("output"), kOther)};
  entries.push_back(other);

  json repeat = entries[1];
  repeat["name"] = "repeat_job";
  auto row = [](const char *space) { return json::array({space, 0, 64, 64}); };
  repeat["commands"] = {copy(buffer("input"), buffer("arena@1"), kOther),
                        {{"op", "repeat"},
                         {"count", 4},
                         {"commands",
                          {copy(row("arena@1"), row("arena"), kOther), addOne,
                           copy(row("arena"), row("output"))}}},
                        showCount};
  entries.push_back(repeat);
  return manifest;
}
