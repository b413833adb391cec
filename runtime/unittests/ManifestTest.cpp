//===- ManifestTest.cpp - What a manifest may not say ---------------------===//

#include "lib/executor/Manifest.h"
#include "unittests/MixedArtifact.h"

#include <cstring>
#include <random>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
/// The good manifest with one change: a JSON pointer and the value that comes
/// there, or nothing when the value there is taken away.
struct BadRow {
  const char *pointer;
  const char *value;
  const char *message;
};
} // namespace

static const BadRow kBadRows[] = {
    // Top level.
    {"/format", "1", "format: expects an integer from 7 to 7 but got 1"},
    {"/format", nullptr, "top level: expects a member 'format'"},
    {"/compiler", "3", "compiler: expects a string but got 3"},
    {"/interface", nullptr, "top level: expects a member 'interface'"},
    {"/target", "[]", "target: expects an object but got an array"},
    {"/target/triple", nullptr, "target: expects a member 'triple'"},
    {"/target/cpu", nullptr, "target: expects a member 'cpu'"},
    {"/target/features", "\"avx2\"",
     "target.features: expects an array but got a string"},
    {"/target/features", "[1]",
     "target.features[0]: expects a string but got 1"},
    {"/bank_bytes", "-64",
     "bank_bytes: expects an integer from 0 to 281474976710656 but got -64"},
    {"/bank_bytes", "9223372036854775808",
     "bank_bytes: expects an integer from 0 to 281474976710656 but got "
     "9223372036854775808"},
    {"/bank_bytes", "1e3",
     "bank_bytes: expects an integer from 0 to 281474976710656 but got a "
     "fraction"},
    {"/constants_bytes", nullptr,
     "top level: expects a member 'constants_bytes'"},
    {"/locations", "{}", "locations: expects an array but got an object"},
    {"/variables", "null", "variables: expects an array but got null"},
    {"/entries", "1", "entries: expects an array but got 1"},
    // Variables.
    {"/variables/0/name", nullptr, "variables[0]: expects a member 'name'"},
    {"/variables/0/name", "\"count\"",
     "variables[1]: expects names to be unique but got 'count' twice"},
    {"/variables/0/dtype", "\"f8\"",
     "variables[0].dtype: expects one of i1, i8, i32, i64, f32, f64, ui8, f16 "
     "or bf16 but got 'f8'"},
    {"/variables/0/shape", "64",
     "variables[0].shape: expects an array but got 64"},
    {"/variables/0/shape", "[-1]",
     "variables[0].shape[0]: expects an integer from 0 to"},
    {"/variables/0/shape", "[281474976710656, 281474976710656]",
     "variables[0]: expects a size of at most 281474976710656 bytes but got "
     "281474976710656x281474976710656xf32"},
    {"/variables/0/shape", "[81]",
     "variables[0]: expects to end within 320 bytes but ends at 324"},
    {"/variables/0/offset", "4",
     "variables[0].offset: expects a multiple of 64 but got 4"},
    {"/variables/0/offset", "256",
     "variables[0]: expects to end within 320 bytes but ends at 512"},
    {"/variables/1/offset", "192", "variables: 'count' overlaps 'weight'"},
    {"/variables/0/permutation", "0",
     "variables[0].permutation: expects an array but got 0"},
    {"/variables/0/permutation", "[1]",
     "variables[0].permutation[0]: expects an integer from 0 to 0 but got 1"},
    {"/variables/0/permutation", "[]",
     "variables[0].permutation: expects 1 dimensions but got 0"},
    {"/variables/0/permutation", "[0, 1]",
     "variables[0].permutation: expects 1 dimensions but got 2"},
    {"/variables/0",
     R"({"name": "weight", "dtype": "f32", "shape": [4, 16], "offset": 0,
         "permutation": [1, 1], "trainable": true, "location": 0})",
     "variables[0].permutation[1]: expects each dimension once but got 1 "
     "twice"},
    {"/variables/0/expanded_shape", "[4, 16]",
     "variables[0]: expects a member 'permutation'"},
    {"/variables/0",
     R"({"name": "weight", "dtype": "f32", "shape": [64], "offset": 0,
         "expanded_shape": [4, 8], "permutation": [1, 0], "trainable": true,
         "location": 0})",
     "variables[0].expanded_shape: expects a shape of 64 elements but got "
     "4x8xf32"},
    {"/variables/0",
     R"({"name": "weight", "dtype": "f32", "shape": [64], "offset": 0,
         "expanded_shape": [4, 0], "permutation": [1, 0], "trainable": true,
         "location": 0})",
     "variables[0].expanded_shape[1]: expects an integer from 1 to 64 but got "
     "0"},
    {"/variables/0",
     R"({"name": "weight", "dtype": "f32", "shape": [64], "offset": 0,
         "expanded_shape": [4, 16], "permutation": [0], "trainable": true,
         "location": 0})",
     "variables[0].permutation: expects 2 dimensions but got 1"},
    {"/variables/0/trainable", "1",
     "variables[0].trainable: expects a boolean but got 1"},
    {"/variables/0/location", "2",
     "variables[0].location: expects an integer from -1 to 1 but got 2"},
    // Entries.
    {"/entries/1/name", nullptr, "entries[1]: expects a member 'name'"},
    {"/entries/1/name", "\"predict_job\"",
     "entries[2]: expects names to be unique but got 'predict_job' twice"},
    {"/entries/1/kind", "\"test\"",
     "entries[1].kind: expects one of train, predict, init but got 'test'"},
    {"/entries/1/kind", "\"init\"",
     "entries[1]: expects the init entry to have the name 'jobmlir_init' but "
     "got 'train_job'"},
    {"/entries/0/kind", "\"predict\"",
     "entries: expects one init entry for 2 variables but got 0"},
    {"/entries/0/inputs/0/dtype", "\"i32\"",
     "entries[0]: expects the init entry to have one input 'seed' of 1xi64"},
    {"/entries/0/inputs/0/name", "\"state\"",
     "entries[0]: expects the init entry to have one input 'seed' of 1xi64"},
    {"/entries/1/inputs/0/shape", "[65]",
     "entries[1].inputs[0]: expects to end within 256 bytes but ends at 260"},
    {"/entries/1/outputs/1/offset", "128",
     "entries[1].outputs: 'count' overlaps 'product'"},
    {"/entries/1/outputs/1/offset", "320",
     "entries[1].outputs[1]: expects to end within 320 bytes but ends at 328"},
    {"/entries/1/outputs/0/count", "2",
     "entries[1].outputs[0].count: expects an integer from 0 to 1 but got 2"},
    {"/entries/1/outputs/0/count", "-1",
     "entries[1].outputs[0].count: expects an integer from 0 to 1 but got -1"},
    {"/entries/1/outputs/0/count", "null",
     "entries[1].outputs[0].count: expects an integer from 0 to 1 but got "
     "null"},
    {"/entries/1/outputs/1/count", "0",
     "entries[1].outputs[1].count: expects an output of type 1xi64 but got "
     "64xf32"},
    {"/entries/1/outputs/0", R"({"name": "product", "dtype": "f32", "shape": [],
      "offset": 0, "count": 1})",
     "entries[1].outputs[0]: expects an output with a count to have dimension "
     "0 but got f32"},
    {"/entries/1/outputs/0", R"({"name": "product", "dtype": "f32",
      "shape": [8, 8], "offset": 0, "count": 1, "bounded_dim": 2})",
     "entries[1].outputs[0]: expects an output with a count to have dimension "
     "2 but got 8x8xf32"},
    {"/entries/1/outputs/0", R"({"name": "product", "dtype": "f32",
      "shape": [8, 8], "offset": 0, "count": 1, "bounded_dim": -1})",
     "entries[1].outputs[0].bounded_dim: expects an integer from 0 to "
     "2147483647 but got -1"},
    {"/entries/1/arena_lower_bound", nullptr,
     "entries[1]: expects a member 'arena_lower_bound'"},
    {"/entries/1/result_structure", "\"[0,\"",
     "entries[1].result_structure: expects JSON but got a syntax error"},
    {"/entries/1/result_structure", "\"2\"",
     "entries[1].result_structure: top level: expects an integer from 0 to 1 "
     "but got 2"},
    {"/entries/0/result_structure", "\"0\"",
     "entries[0].result_structure: top level: expects null since the entry "
     "has no outputs"},
    {"/entries/1/result_structure", "\"[\\\"x\\\"]\"",
     "entries[1].result_structure: [0]: expects null, an output's index, a "
     "list, {\"tuple\": [...]} or {\"dict\": {...}}"},
    {"/entries/1/result_structure", "\"{\\\"tuple\\\": 1}\"",
     "entries[1].result_structure: tuple: expects an array but got 1"},
    {"/entries/1/result_structure", "\"{\\\"dict\\\": []}\"",
     "entries[1].result_structure: dict: expects an object but got an array"},
    {"/entries/1/commands", "{}",
     "entries[1].commands: expects an array but got an object"},
    // Commands.
    {"/entries/1/commands/0/op", "\"jump\"",
     "entries[1].commands[0].op: expects one of dispatch, call, copy, fill, "
     "record, wait, host_call, collective, repeat but got 'jump'"},
    {"/entries/1/commands/0/kernel", "-1",
     "entries[1].commands[0].kernel: expects an integer from 0 to 1073741824 "
     "but got -1"},
    {"/entries/1/commands/0/chunks", "0",
     "entries[1].commands[0].chunks: expects an integer from 1 to 1073741824 "
     "but got 0"},
    {"/entries/1/commands/3/chunks", "2",
     "entries[1].commands[3].chunks: expects an integer from 1 to 1 but got 2"},
    {"/entries/1/commands/0/location", "-2",
     "entries[1].commands[0].location: expects an integer from -1 to 1 but "
     "got -2"},
    {"/entries/1/commands/0/name", "[]",
     "entries[1].commands[0].name: expects a string but got an array"},
    {"/entries/1/commands/0/flops", nullptr,
     "entries[1].commands[0]: expects a member 'flops'"},
    {"/entries/1/commands/0/flops", "-1",
     "entries[1].commands[0].flops: expects an integer from 0 to "
     "9223372036854775807 but got -1"},
    {"/entries/1/commands/0/reads", nullptr,
     "entries[1].commands[0]: expects a member 'reads'"},
    {"/entries/1/commands/0/reads/1", "3",
     "entries[1].commands[0].reads[1]: expects an integer from 1 to 2 but got "
     "3"},
    {"/entries/1/commands/0/reads/1", "0",
     "entries[1].commands[0].reads[1]: expects an integer from 1 to 2 but got "
     "0"},
    {"/entries/1/commands/0/writes", nullptr,
     "entries[1].commands[0]: expects a member 'writes'"},
    {"/entries/1/commands/0/writes", "[]",
     "entries[1].commands[0].args[2]: expects a buffer that is read or "
     "written"},
    {"/entries/1/commands/0/writes/0", "\"x\"",
     "entries[1].commands[0].writes[0]: expects an integer from 0 to 2 but got "
     "a string"},
    {"/entries/2/commands/1/writes", "[1, 2]",
     "entries[2].commands[1].args[1]: expects a space that can be written but "
     "got constant"},
    {"/entries/3/commands/0/writes", "[1, 2]",
     "entries[3].commands[0].args[2]: expects a workspace to be neither read "
     "nor written"},
    {"/entries/1/commands/0/args", nullptr,
     "entries[1].commands[0]: expects a member 'args'"},
    {"/entries/1/commands/0/args/0", "[\"input\", 0]",
     "entries[1].commands[0].args[0]: expects [space, offset, bytes] but got 2 "
     "elements"},
    {"/entries/1/commands/0/args/0/0", "\"heap\"",
     "entries[1].commands[0].args[0][0]: expects one of arena, bank, input, "
     "output, constant, workspace but got 'heap'"},
    {"/entries/1/commands/0/args/2/1", "260",
     "entries[1].commands[0].args[2][1]: expects a multiple of 64 but got 260"},
    {"/entries/1/commands/0/args/2/2", "257",
     "entries[1].commands[0].args[2]: expects to end within the 512 bytes of "
     "the space arena but ends at 513"},
    {"/entries/1/commands/0/args/0/2", "281474976710656",
     "entries[1].commands[0].args[0]: expects to end within the 256 bytes of "
     "the space input but ends at 281474976710656"},
    {"/entries/1/commands/3/args/0/2", "128",
     "entries[1].commands[3].args: expects two buffers of the same size but "
     "got 128 and 256 bytes"},
    {"/entries/1/commands/3/args/1", "[\"arena\", 128, 256]",
     "entries[1].commands[3].args: expects buffers that do not overlap"},
    {"/entries/1/commands/3/args/2", "[\"arena\", 0, 64]",
     "entries[1].commands[3].args: expects 2 buffers but got 3"},
    {"/entries/2/commands/1/args/2", "[\"workspace\", 0, 64]",
     "entries[2].commands[1].args[2]: expects to end within the 0 bytes of the "
     "space workspace but ends at 64"},
    {"/entries/0/commands/1/value", "256",
     "entries[0].commands[1].value: expects an integer from 0 to 255 but got "
     "256"},
    {"/entries/0/commands/1/args/0", "[\"constant\", 0, 8]",
     "entries[0].commands[1].args[0]: expects a space that can be written but "
     "got constant"},
    {"/entries/3/commands/0/callee", nullptr,
     "entries[3].commands[0]: expects a member 'callee'"},
    {"/entries/3/commands/0/config", "[]",
     "entries[3].commands[0].config: expects an object but got an array"},
    {"/entries/3/commands/0/config/size", "\"64\"",
     "entries[3].commands[0].config.size: expects a number but got a string"},
    {"/entries/3/commands/0/config/size", "9223372036854775808",
     "entries[3].commands[0].config.size: expects an integer from "
     "-9223372036854775808 to 9223372036854775807 but got "
     "9223372036854775808"},
};

/// A manifest for a GPU, with a kernel that reads and writes the arena.
static json gpuManifest() {
  json manifest = testManifest();
  manifest["devices"][0]["kind"] = "cuda";
  manifest["code"] = {
      {{"target", "sm_90"}, {"symbol", "jobmlir_code_sm_90"}, {"bytes", 4096}},
      {{"target", "simulated"}, {"symbol", "simulated"}, {"bytes", 1}}};
  manifest["variables"] = json::array();
  json entry = manifest["entries"][2];
  entry["arena_bytes"] = 512;
  json input = json::array({"input", 0, 256});
  json arena = json::array({"arena", 0, 256});
  json second = json::array({"arena", 256, 256});
  json output = json::array({"output", 0, 256});
  entry["commands"] = {
      {{"op", "copy"}, {"args", {input, arena}}},
      {{"op", "dispatch"},
       {"kernel", "add_5"},
       {"chunks", 2},
       {"threads", 128},
       {"flops", 64},
       {"args", {arena, second}},
       {"reads", {0}},
       {"writes", {1}},
       {"scalars",
        json::array({json::array({"i64", 5}), json::array({"f32", 0.5}),
                     json::array({"i32", -1}), json::array({"f64", 1e300})})}},
      {{"op", "copy"}, {"args", {second, output}}}};
  manifest["entries"] = json::array({entry});
  return manifest;
}

static const BadRow kBadGpuRows[] = {
    {"/devices/0/kind", "\"gpu\"",
     "devices[0].kind: expects host or cuda but got 'gpu'"},
    {"/devices/0/index", "-1",
     "devices[0].index: expects an integer from 0 to 4294967295 but got -1"},
    {"/code", "{}", "code: expects an array but got an object"},
    {"/code/0/target", "\"sm_9\"",
     "code[0].target: expects simulated, or sm_ or compute_ and two or three "
     "digits but got 'sm_9'"},
    {"/code/0/target", "\"compute_9x\"", "digits but got 'compute_9x'"},
    {"/code/0/target", "\"sm_90a\"", "digits but got 'sm_90a'"},
    {"/code/0/target", "\"sm_09\"", "digits but got 'sm_09'"},
    {"/code/0/target", "\"sm_1234\"", "digits but got 'sm_1234'"},
    {"/code/0/target", nullptr, "code[0]: expects a member 'target'"},
    {"/code/0/target", "\"simulated\"",
     "code[1]: expects targets to be unique but got 'simulated' twice"},
    {"/code/0/symbol", "\"\"", "code[0].symbol: expects a name but got none"},
    {"/code/0/symbol", nullptr, "code[0]: expects a member 'symbol'"},
    {"/code/0/bytes", "0",
     "code[0].bytes: expects an integer from 1 to 281474976710656 but got 0"},
    {"/code/0/bytes", nullptr, "code[0]: expects a member 'bytes'"},
    {"/entries/0/commands/1/kernel", "1",
     "entries[0].commands[1].kernel: expects a string but got 1"},
    {"/entries/0/commands/1/kernel", "\"\"",
     "entries[0].commands[1].kernel: expects the name of a kernel but got ''"},
    {"/entries/0/commands/1/kernel", "\"a\\u0000\"",
     "entries[0].commands[1].kernel: expects the name of a kernel but got"},
    {"/entries/0/commands/1/threads", nullptr,
     "entries[0].commands[1]: expects a member 'threads'"},
    {"/entries/0/commands/1/threads", "0",
     "entries[0].commands[1].threads: expects an integer from 1 to 1024 but "
     "got 0"},
    {"/entries/0/commands/1/threads", "1025", "but got 1025"},
    {"/entries/0/commands/1/chunks", "0",
     "entries[0].commands[1].chunks: expects an integer from 1 to"},
    {"/entries/0/commands/1/scalars", "5",
     "entries[0].commands[1].scalars: expects an array but got 5"},
    {"/entries/0/commands/1/scalars/0", "[\"i64\"]",
     "entries[0].commands[1].scalars[0]: expects [dtype, value] but got 1 "
     "elements"},
    {"/entries/0/commands/1/scalars/0/0", "\"i8\"",
     "entries[0].commands[1].scalars[0][0]: expects one of i32, i64, f32, f64 "
     "but got 'i8'"},
    {"/entries/0/commands/1/scalars/0/1", "0.5",
     "entries[0].commands[1].scalars[0][1]: expects an integer from"},
    {"/entries/0/commands/1/scalars/1/1", "1e39",
     "entries[0].commands[1].scalars[1][1]: expects a number that is finite in "
     "f32"},
    {"/entries/0/commands/1/scalars/1/1", "\"1\"",
     "entries[0].commands[1].scalars[1][1]: expects a number but got a string"},
    {"/entries/0/commands/1/scalars/2/1", "2147483648",
     "entries[0].commands[1].scalars[2][1]: expects an integer from "
     "-2147483648 to 2147483647 but got 2147483648"},
};

/// Of mixedManifest("cuda").
static const BadRow kBadMixedRows[] = {
    {"/devices", "[]", "devices: expects 1 to 64 devices but got 0"},
    {"/devices/1/name", "\"cpu0\"",
     "devices[1]: expects names to be unique but got 'cpu0' twice"},
    {"/devices/1/queues", "0",
     "devices[1].queues: expects an integer from 1 to 64 but got 0"},
    {"/banks/0/device", "0",
     "banks[0].device: expects an integer from 1 to 1 but got 0"},
    {"/banks/0/device", "2",
     "banks[0].device: expects an integer from 1 to 1 but got 2"},
    {"/banks/0/bytes", nullptr, "banks[0]: expects a member 'bytes'"},
    {"/banks/1", R"({"device": 1, "bytes": 64})",
     "banks[1].device: expects no other device than the 2 of the artifact"},
    {"/banks", "[]",
     "variables[0]: expects to end within 0 bytes but ends at "},
    {"/variables/0/device", "2",
     "variables[0].device: expects an integer from 0 to 1 but got 2"},
    {"/entries/1/spaces", "{}",
     "entries[1].spaces: expects an array but got an object"},
    {"/entries/1/spaces/0/arena_bytes", nullptr,
     "entries[1].spaces[0]: expects a member 'arena_bytes'"},
    {"/entries/1/spaces", "[]",
     "entries[1].commands[0].args[1]: expects to end within the 0 bytes of the "
     "space arena@1 but ends at 256"},
    {"/entries/1/commands/0/queue", "3",
     "entries[1].commands[0].queue: expects an integer from 0 to 2 but got 3"},
    {"/entries/1/commands/0/args/1/0", "\"arena@2\"",
     "entries[1].commands[0].args[1][0]: expects one of arena, bank, input, "
     "output, constant, workspace, or the space of another device, such as "
     "arena@1, but got 'arena@2'"},
    {"/entries/1/commands/0/args/1/0", "\"arena@0\"", "but got 'arena@0'"},
    {"/entries/1/commands/0/args/0/0", "\"input@1\"", "but got 'input@1'"},
    {"/entries/1/commands/0/queue", "0",
     "entries[1].commands[0].args[1]: expects memory of the device 'cpu0', on "
     "whose queue the command is, but got the space arena@1"},
    {"/entries/1/commands/4/args/0", "[\"bank@1\", 0, 8]",
     "entries[1].commands[4].args[0]: expects memory of the device 'cpu0', on "
     "whose queue the command is, but got the space bank@1"},
    {"/entries/1/commands/5/args/1", "[\"arena\", 256, 256]",
     "entries[1].commands[5].args: expects buffers that do not overlap"},
    {"/entries/1/commands/1/kernel", "1",
     "entries[1].commands[1].kernel: expects a string but got 1"},
    {"/entries/1/commands/4/kernel", "\"jobk_3\"",
     "entries[1].commands[4].kernel: expects an integer from"},
    {"/entries/1/commands/0/args/1", "[\"output\", 0, 256]",
     "entries[1].commands: expects a copy on the device 'dev1' of an entry of "
     "several devices to be from or to an output, from an input or on the "
     "device but got one from input to output"},
    {"/entries/1/commands/1/args/0", "[\"input\", 0, 256]",
     "entries[1].commands: expects a command on the device 'dev1' of an entry "
     "of several devices to use memory of the device but got the space input"},
    {"/entries/5/commands/1",
     R"({"op": "repeat", "count": 65536, "commands": [
          {"op": "copy", "args": [["arena@1", 0, 64], ["arena", 0, 64]]},
          {"op": "fill", "value": 0, "args": [["arena", 0, 64]]}]})",
     "entries[5].commands: expects at most 65536 commands a step in repeats of "
     "several devices but got 131072"},
};

static json changed(const BadRow &row, json manifest = testManifest()) {
  json::json_pointer pointer(row.pointer);
  json &parent = manifest[pointer.parent_pointer()];
  std::string last = pointer.back();
  if (!row.value)
    parent.erase(last);
  else if (parent.is_array() && std::stoul(last) == parent.size())
    parent.push_back(json::parse(row.value));
  else
    manifest[pointer] = json::parse(row.value);
  return manifest;
}

/// A GPU's manifest with collectives of four ranks as commands 1 to 4.
static json collectiveManifest() {
  json manifest = gpuManifest();
  manifest["communicator"] = {{"ranks", 4}};
  json arena = json::array({"arena", 0, 256});
  json second = json::array({"arena", 256, 256});
  json part = json::array({"arena", 256, 64});
  auto collective = [](const char *kind, json args, json reads, json writes) {
    return json{{"op", "collective"}, {"kind", kind}, {"dtype", "f32"},
                {"flops", 0},         {"args", args}, {"reads", reads},
                {"writes", writes}};
  };
  json none = json::array();
  json reduce = collective("all_reduce", json::array({arena}), {0}, {0});
  reduce["reduction"] = "max";
  json scatter = collective("reduce_scatter", {arena, part}, {0}, {1});
  scatter["reduction"] = "sum";
  json send = collective("send", json::array({arena}), {0}, none);
  send["peer"] = 1;
  json recv = collective("recv", json::array({second}), none, {0});
  recv["peer"] = 3;
  recv["joined"] = true;
  json &commands = manifest["entries"][0]["commands"];
  commands = {commands[0], reduce, scatter, send, recv, commands[2]};
  return manifest;
}

#define COMMANDS "/entries/0/commands/"
static const BadRow kBadCollectiveRows[] = {
    {"/communicator", nullptr,
     "commands[1]: expects a communicator of the artifact but got none"},
    {"/communicator", "{}", "communicator: expects a member 'ranks'"},
    {"/communicator/ranks", "0",
     "communicator.ranks: expects an integer from 1 to 65536 but got 0"},
    {"/communicator/ranks", "3",
     "commands[2].args: expects a multiple of 12 bytes but got 256"},
    {COMMANDS "1/kind", "\"scatter\"",
     "commands[1].kind: expects one of all_reduce, reduce_scatter, all_gather, "
     "broadcast, send, recv but got 'scatter'"},
    {COMMANDS "1/reduction", nullptr,
     "commands[1]: expects a member 'reduction'"},
    {COMMANDS "1/reduction", "\"mean\"",
     "commands[1].reduction: expects one of sum, prod, min, max, avg but got "
     "'mean'"},
    {COMMANDS "1/dtype", "\"i1\"",
     "commands[1].dtype: expects numbers but got i1"},
    {COMMANDS "1/dtype", nullptr, "commands[1]: expects a member 'dtype'"},
    {COMMANDS "1/writes", "[]",
     "commands[1].args: expects one buffer that is read and written, or one "
     "that is read and then one that is written"},
    {COMMANDS "1/args/0/2", "250",
     "commands[1].args: expects a multiple of 4 bytes but got 250"},
    {COMMANDS "1/joined", "true",
     "commands[1].joined: expects a collective before it on its queue but got "
     "none"},
    {COMMANDS "1/chunks", "2",
     "commands[1].chunks: expects an integer from 1 "
     "to 1 but got 2"},
    {COMMANDS "2/args/1/2", "128",
     "commands[2].args: expects a buffer of 64 bytes for one of 256 and 4 "
     "parts "
     "but got 128"},
    {COMMANDS "2/args/1/1", "128",
     "commands[2].args: expects buffers that do not overlap"},
    {COMMANDS "3/peer", "4",
     "commands[3].peer: expects an integer from 0 to 3 but got 4"},
    {COMMANDS "3/peer", nullptr, "commands[3]: expects a member 'peer'"},
    {COMMANDS "3/kind", "\"recv\"",
     "commands[3].args: expects one buffer that is written"},
    {COMMANDS "4/kind", "\"send\"",
     "commands[4].args: expects one buffer that is read"},
};
#undef COMMANDS

TEST(ManifestTest, ACommunicatorIsOfOneDevice) {
  json manifest = mixedManifest("cuda");
  manifest["communicator"] = {{"ranks", 2}};
  EXPECT_TRUE(contains(parseManifest(manifest.dump()).status().message(),
                       "expects one device with a communicator but got 2"));
}

TEST(ManifestTest, AveragesAreOfFloats) {
  json manifest = collectiveManifest();
  manifest["entries"][0]["commands"][1]["reduction"] = "avg";
  EXPECT_TRUE(parseManifest(manifest.dump()).ok());
  manifest["entries"][0]["commands"][1]["dtype"] = "i32";
  EXPECT_TRUE(contains(parseManifest(manifest.dump()).status().message(),
                       "commands[1].reduction: expects floats for an average "
                       "but got i32"));
}

TEST(ManifestTest, ADeviceOfSeveralHasAnIndex) {
  auto driver = [](json manifest, int64_t index) {
    if (index >= 0)
      manifest["devices"][0]["index"] = index;
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    return parsed.ok() ? parsed->driver : parsed.status().message();
  };
  EXPECT_EQ(driver(testManifest(), -1), "host");
  EXPECT_EQ(driver(testManifest(), 0), "host");
  EXPECT_EQ(driver(testManifest(), 1),
            "devices[0].index: expects an integer from 0 to 0 but got 1");
  EXPECT_EQ(driver(gpuManifest(), -1), "cuda:0");
  EXPECT_EQ(driver(gpuManifest(), 3), "cuda:3");
}

TEST(ManifestTest, ReadsAGoodOne) {
  Expected<Manifest> manifest = parseManifest(testManifest().dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  EXPECT_EQ(manifest->compiler, "jobmlir 0.1.0, LLVM 22.1.8");
  EXPECT_EQ(manifest->bankBytes(), 320);
  EXPECT_EQ(manifest->constantsBytes, 64);
  ASSERT_EQ(manifest->variables.size(), 2u);
  EXPECT_EQ(manifest->variables[0].name, "weight");
  EXPECT_EQ(manifest->variables[0].bytes, 256);
  EXPECT_TRUE(manifest->variables[0].trainable);
  EXPECT_EQ(manifest->variables[0].location, "train.py:12:4");
  EXPECT_EQ(manifest->variables[1].location, "");
  ASSERT_EQ(manifest->entries.size(), 4u);
  const EntryInfo &entry = manifest->entries[3];
  EXPECT_EQ(entry.kind, JobKind::kPredict);
  EXPECT_EQ(entry.outputs[1].dtype, DType::kI64);
  EXPECT_EQ(entry.outputs[1].offset, 256);
  const Command &call = entry.commands[0];
  EXPECT_EQ(call.kind, Command::Kind::kCall);
  EXPECT_EQ(call.callee, "test.call");
  EXPECT_EQ(call.config.at("size"), ConfigValue(int64_t(64)));
  EXPECT_EQ(call.chunks, 4);
  EXPECT_EQ(call.flops, 1000);
  EXPECT_EQ(call.name, "hidden");
  EXPECT_EQ(call.location, "train.py:20:8");
  EXPECT_EQ(call.args[2].space, Space::kWorkspace);
  EXPECT_EQ(call.args[2].bytes, 128);
  EXPECT_EQ(entry.commands[1].kind, Command::Kind::kFill);
  EXPECT_EQ(entry.commands[2].kind, Command::Kind::kCopy);
  // What is read (1), written (2), both or neither.
  auto uses = [](const Command &command) {
    std::vector<int> result;
    for (const BufferRef &buffer : command.args)
      result.push_back(buffer.isRead + 2 * buffer.isWritten);
    return result;
  };
  EXPECT_EQ(uses(call), (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(uses(entry.commands[1]), std::vector<int>{2});
  EXPECT_EQ(uses(entry.commands[2]), (std::vector<int>{1, 2}));
  EXPECT_EQ(uses(manifest->entries[1].commands[1]), (std::vector<int>{1, 3}));
}

TEST(ManifestTest, RefusesEveryMistakeWithItsPlace) {
  for (const BadRow &row : kBadRows) {
    Expected<Manifest> manifest = parseManifest(changed(row).dump());
    ASSERT_FALSE(manifest.ok()) << row.pointer << " " << row.message;
    EXPECT_EQ(manifest.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(contains(manifest.status().message(), row.message));
  }
}

TEST(ManifestTest, ReadsOneForAGpu) {
  Expected<Manifest> manifest = parseManifest(gpuManifest().dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  ASSERT_EQ(manifest->code.size(), 2u);
  EXPECT_EQ(manifest->code[0].target, "sm_90");
  EXPECT_EQ(manifest->code[0].symbol, "jobmlir_code_sm_90");
  EXPECT_EQ(manifest->code[0].bytes, 4096);
  EXPECT_EQ(manifest->entries[0].device, DeviceKind::kCuda);
  const Command &command = manifest->entries[0].commands[1];
  EXPECT_EQ(command.kernelName, "add_5");
  EXPECT_EQ(command.kernelIndex, -1);
  EXPECT_EQ(command.chunks, 2);
  EXPECT_EQ(command.threads, 128);
  ASSERT_EQ(command.scalars.size(), 4u);
  auto valueOf = [&]<typename T>(size_t index, T value) {
    std::memcpy(&value, command.scalars[index].value.data(), sizeof(value));
    return value;
  };
  EXPECT_EQ(valueOf(0, int64_t()), 5);
  EXPECT_EQ(valueOf(1, float()), 0.5f);
  EXPECT_EQ(valueOf(2, int32_t()), -1);
  EXPECT_EQ(valueOf(3, double()), 1e300);
  EXPECT_EQ(command.scalars[1].dtype, DType::kF32);
  EXPECT_EQ(parseManifest(testManifest().dump())->entries[0].device,
            DeviceKind::kHost);
}

TEST(ManifestTest, RefusesEveryMistakeOfOneForAGpu) {
  for (const BadRow &row : kBadGpuRows) {
    Expected<Manifest> manifest =
        parseManifest(changed(row, gpuManifest()).dump());
    ASSERT_FALSE(manifest.ok()) << row.pointer << " " << row.message;
    EXPECT_EQ(manifest.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(contains(manifest.status().message(), row.message));
  }
  json manifest = gpuManifest();
  manifest["entries"][0]["commands"][1]["scalars"] = json::array();
  // With its buffers, of which it has two, as many as there may be.
  for (int i = 0; i < JOBRT_MAX_KERNEL_PARAMETERS - 2; ++i)
    manifest["entries"][0]["commands"][1]["scalars"].push_back(
        json::array({"i64", i}));
  EXPECT_TRUE(parseManifest(manifest.dump()).ok());
  manifest["entries"][0]["commands"][1]["scalars"].push_back(
      json::array({"i64", 0}));
  EXPECT_TRUE(contains(parseManifest(manifest.dump()).status().message(),
                       "expects at most 4000 buffers and scalars but got "
                       "4001"));
}

TEST(ManifestTest, ReadsCollectives) {
  Expected<Manifest> manifest = parseManifest(collectiveManifest().dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  EXPECT_EQ(manifest->ranks, 4);
  EXPECT_TRUE(manifest->entries[0].hasCollectives);
  const std::vector<Command> &commands = manifest->entries[0].commands;
  EXPECT_EQ(commands[1].kind, Command::Kind::kCollective);
  EXPECT_EQ(commands[1].callee, "all_reduce");
  EXPECT_EQ(commands[1].collective.kind, CollectiveKind::kAllReduce);
  EXPECT_EQ(commands[1].collective.reduction, Reduction::kMax);
  EXPECT_EQ(commands[1].collective.dtype, DType::kF32);
  EXPECT_FALSE(commands[1].collective.isJoined);
  EXPECT_EQ(commands[2].collective.kind, CollectiveKind::kReduceScatter);
  EXPECT_EQ(commands[4].collective.kind, CollectiveKind::kRecv);
  EXPECT_EQ(commands[4].collective.peer, 3);
  EXPECT_TRUE(commands[4].collective.isJoined);
  EXPECT_EQ(parseManifest(testManifest().dump())->ranks, std::nullopt);
}

TEST(ManifestTest, RefusesEveryMistakeOfCollectives) {
  for (const BadRow &row : kBadCollectiveRows) {
    Expected<Manifest> manifest =
        parseManifest(changed(row, collectiveManifest()).dump());
    ASSERT_FALSE(manifest.ok()) << row.pointer << " " << row.message;
    EXPECT_EQ(manifest.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(contains(manifest.status().message(), row.message));
  }
}

TEST(ManifestTest, ReadsOneForSeveralDevices) {
  json good = mixedManifest("cuda");
  good["devices"][1]["index"] = 3;
  Expected<Manifest> manifest = parseManifest(good.dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  EXPECT_EQ(manifest->driver, "host,cuda:3");
  EXPECT_EQ(manifest->bankBytes(), 576);
  ASSERT_EQ(manifest->devices.size(), 2u);
  EXPECT_EQ(manifest->devices[1].name, "dev1");
  EXPECT_EQ(manifest->devices[1].firstQueue, 2);
  EXPECT_EQ(manifest->devices[1].bankBytes, 256);
  EXPECT_EQ(manifest->variables[0].device, 1);
  EXPECT_EQ(manifest->variables[1].device, 0);
  const EntryInfo &entry = manifest->entries[1];
  EXPECT_EQ(entry.devices, (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(entry.arenaBytes, 1280);
  EXPECT_EQ(entry.memory[1].arenaBytes, 768);
  EXPECT_EQ(entry.memory[1].arenaLowerBound, 512);
  EXPECT_EQ(entry.commands[1].device, 1);
  EXPECT_EQ(entry.commands[1].kernelName, "jobk_1");
  EXPECT_EQ(entry.commands[2].args[0].device, 1);
  EXPECT_EQ(entry.commands[2].args[1].device, 0);
  EXPECT_EQ(entry.commands[4].kernelIndex, 3);
  EXPECT_EQ(manifest->entries[4].device, DeviceKind::kCuda);
  // A copy between two devices is on a queue of either.
  good["entries"][1]["commands"][2]["queue"] = 2;
  EXPECT_TRUE(parseManifest(good.dump()).ok());
}

TEST(ManifestTest, RefusesEveryMistakeOfOneForSeveralDevices) {
  for (const BadRow &row : kBadMixedRows) {
    Expected<Manifest> manifest =
        parseManifest(changed(row, mixedManifest("cuda")).dump());
    ASSERT_FALSE(manifest.ok()) << row.pointer << " " << row.message;
    EXPECT_EQ(manifest.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(contains(manifest.status().message(), row.message));
  }
  json manifest = mixedManifest("cuda");
  manifest["entries"][1]["commands"].push_back(
      {{"op", "host_call"},
       {"callee", "watch"},
       {"queue", 2},
       {"args", json::array({json::array({"output", 0, 256})})},
       {"types", json::array({json::array({"f32", json::array({64})})})},
       {"flops", 0},
       {"reads", json::array()},
       {"writes", json::array({0})},
       {"location", -1}});
  EXPECT_EQ(parseManifest(manifest.dump()).status().message(),
            "entries[1].commands: expects a host_call on the device 'dev1' of "
            "an entry of several devices to use no output but got one of "
            "'watch'");
  manifest = mixedManifest();
  json &commands = manifest["entries"][1]["commands"];
  commands.push_back(
      {{"op", "record"}, {"event", 0}, {"queue", 2}, {"args", json::array()}});
  commands.push_back({{"op", "wait"}, {"event", 0}, {"args", json::array()}});
  EXPECT_EQ(parseManifest(manifest.dump()).status().message(),
            "entries[1].commands[8].event: expects an event of the device "
            "'cpu0' but got one of 'dev1'");
}

TEST(ManifestTest, RefusesTwoInitEntries) {
  json manifest = testManifest();
  manifest["entries"].push_back(manifest["entries"][0]);
  EXPECT_EQ(parseManifest(manifest.dump()).status().message(),
            "entries[4]: expects names to be unique but got 'jobmlir_init' "
            "twice");
}

TEST(ManifestTest, RefusesWhatIsNoJson) {
  EXPECT_TRUE(contains(parseManifest("").status().message(),
                       "expects JSON but got a syntax error"));
  EXPECT_EQ(parseManifest("[]").status().message(),
            "top level: expects an object but got an array");
  EXPECT_TRUE(contains(parseManifest("{\"a\": \"\xff\"}").status().message(),
                       "expects JSON but got a syntax error"));
}

TEST(ManifestTest, TakesAJobWithoutVariables) {
  json manifest = testManifest();
  manifest["variables"] = json::array();
  json predict = manifest["entries"][2];
  manifest["entries"] = json::array({predict});
  EXPECT_TRUE(parseManifest(manifest.dump()).ok());
}

TEST(ManifestTest, TakesEveryStructureOfResults) {
  for (const char *structure :
       {"null", "0", "[]", "[0, [1, null]]", R"({"tuple": []})",
        R"({"dict": {"a": {"tuple": [0, {"dict": {}}]}, "b": [1]}})"}) {
    json manifest = testManifest();
    manifest["entries"][1]["result_structure"] = structure;
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    EXPECT_TRUE(parsed.ok()) << structure << parsed.status().message();
  }
}

/// Every place of a document, as JSON pointers.
static std::vector<std::string> pointersOf(const json &document) {
  std::vector<std::string> pointers;
  json flat = document.flatten();
  for (auto &item : flat.items())
    for (std::string pointer = item.key(); !pointer.empty();
         pointer.resize(pointer.rfind('/')))
      if (std::find(pointers.begin(), pointers.end(), pointer) ==
          pointers.end())
        pointers.push_back(pointer);
  return pointers;
}

TEST(ManifestTest, SurvivesEveryTypeInEveryPlace) {
  const char *values[] = {"null",
                          "true",
                          "-1",
                          "1",
                          "1.5",
                          "1e300",
                          "\"\"",
                          "[]",
                          "{}",
                          "[[]]",
                          "18446744073709551615",
                          "9223372036854775807",
                          "-9223372036854775808"};
  int accepted = 0;
  for (const json &good : {testManifest(), gpuManifest(), mixedManifest("cuda"),
                           collectiveManifest()})
    for (const std::string &pointer : pointersOf(good))
      for (const char *value : values) {
        json manifest = good;
        manifest[json::json_pointer(pointer)] = json::parse(value);
        Expected<Manifest> parsed = parseManifest(manifest.dump());
        accepted += parsed.ok();
        if (!parsed.ok())
          EXPECT_FALSE(parsed.status().message().empty());
      }
  // Some changes are harmless: another kernel's number, an empty name.
  EXPECT_GT(accepted, 0);
}

TEST(ManifestTest, SurvivesEveryMissingMember) {
  for (const json &good : {testManifest(), mixedManifest("cuda")})
    for (const std::string &text : pointersOf(good)) {
      json manifest = good;
      json::json_pointer pointer(text);
      json &parent = manifest[pointer.parent_pointer()];
      if (parent.is_object())
        parent.erase(pointer.back());
      else
        parent.erase(std::stoul(pointer.back()));
      (void)parseManifest(manifest.dump());
    }
}

TEST(ManifestTest, SurvivesRandomBytes) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::string good[] = {queueManifest().dump(), mixedManifest("cuda").dump()};
  for (int round = 0; round < 3000; ++round) {
    std::string text = good[round % 2];
    for (uint64_t i = 0, e = random() % 4 + 1; i < e; ++i) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, random() % 20);
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
        break;
      case 3:
        text[at] = "0123456789[]{}\",:-"[random() % 18];
        break;
      }
    }
    (void)parseManifest(text);
  }
}
