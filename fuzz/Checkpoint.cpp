//===- Checkpoint.cpp - Fuzzes what stands around a checkpoint's data -----===//
//
// The first byte chooses the layout. Native: the rest is the manifest of a good
// safetensors file. Legacy: a byte that says how the rest is shared between the
// files of two variables. Checksums: the list of good files.
//
//===----------------------------------------------------------------------===//

#include "fuzz/CheckpointFolder.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/checkpoint/Safetensors.h"

#include <algorithm>
#include <cstring>

using namespace jobrt;

static const std::vector<VariableInfo> &variables() {
  static const std::vector<VariableInfo> all = {
      {"mask", DType::kI1, {7}, 0, 7, false, "model.py:1:1"},
      {"weight", DType::kF32, {2, 3}, 64, 24, true, "model.py:2:1"}};
  return all;
}

static void check(const Expected<std::vector<Tensor>> &values) {
  if (!values.ok()) {
    REQUIRE(!values.status().message().empty());
    return;
  }
  REQUIRE(values->size() == 2);
  REQUIRE((*values)[0].bytes() == 7 && (*values)[1].bytes() == 24);
  const auto *mask = static_cast<const uint8_t *>((*values)[0].data());
  REQUIRE(std::all_of(mask, mask + 7, [](uint8_t bit) { return bit <= 1; }));
}

/// A safetensors file with values for variables().
static std::string makeDataFile() {
  std::vector<char> zeros(24);
  std::vector<std::pair<std::string, TensorView>> tensors;
  for (const VariableInfo &variable : variables())
    tensors.push_back(
        {variable.name, {variable.dtype, variable.shape, zeros.data()}});
  return makeSafetensorsHeader(tensors) + std::string(7 + 24, '\0');
}

static void readNative(const uint8_t *data, size_t size) {
  static fuzz::CheckpointFolder folder;
  static fuzz::MemoryFile &manifest = folder.add(kManifestFile);
  static bool isPrepared = [] {
    std::string contents = makeDataFile();
    folder.add(kNativeDataFile).setContents(contents.data(), contents.size());
    return true;
  }();
  REQUIRE(isPrepared);
  manifest.setContents(data, size);
  check(readNativeLayout(folder.path(), variables()));
}

static void readLegacy(const uint8_t *data, size_t size) {
  static fuzz::CheckpointFolder folder;
  static fuzz::MemoryFile &mask = folder.add("mask/out");
  static fuzz::MemoryFile &weight = folder.add("weight/out");
  size_t cut = size ? std::min<size_t>(data[0], size - 1) : 0;
  size_t start = size ? 1 : 0;
  mask.setContents(data + start, cut);
  weight.setContents(data + start + cut, size - start - cut);
  check(readLegacyLayout(folder.path(), variables()));
}

static void readChecksums(const uint8_t *data, size_t size) {
  static fuzz::CheckpointFolder folder;
  static fuzz::MemoryFile &list = folder.add(kLegacyChecksumFile);
  static bool isPrepared = [] {
    std::vector<char> zeros(24);
    folder.add("mask/out").setContents(zeros.data(), 7);
    folder.add("weight/out").setContents(zeros.data(), 24);
    return true;
  }();
  REQUIRE(isPrepared);
  list.setContents(data, size);
  check(readLegacyLayout(folder.path(), variables()));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  switch (data[0] % 3) {
  case 0:
    readNative(data + 1, size - 1);
    break;
  case 1:
    readLegacy(data + 1, size - 1);
    break;
  default:
    readChecksums(data + 1, size - 1);
  }
  return 0;
}
