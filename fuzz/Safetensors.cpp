//===- Safetensors.cpp - Fuzzes the reader of safetensors files -----------===//
//
// The file stands in a checkpoint whose manifest agrees with it, so that its
// tensors are read, too: all that the header promises for types of ours.
//
//===----------------------------------------------------------------------===//

#include "lib/checkpoint/Safetensors.h"
#include "fuzz/CheckpointFolder.h"
#include "lib/checkpoint/Layouts.h"

#include <cstring>
#include <zlib.h>

using namespace jobrt;

static std::optional<DType> findDType(const std::string &name) {
  for (DType dtype : allDTypes())
    if (name == dtypeSafetensorsName(dtype))
      return dtype;
  return std::nullopt;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz::CheckpointFolder folder;
  static fuzz::MemoryFile &input = folder.add(kNativeDataFile);
  static fuzz::MemoryFile &manifest = folder.add(kManifestFile);
  input.setContents(data, size);

  Expected<File> file = File::open(input.path());
  REQUIRE(file.ok());
  Expected<std::map<std::string, SafetensorsEntry>> entries =
      readSafetensorsHeader(*file);
  if (!entries.ok()) {
    REQUIRE(!entries.status().message().empty());
    return 0;
  }
  std::vector<VariableInfo> variables;
  for (const auto &[name, entry] : *entries) {
    REQUIRE(entry.begin >= 8 && entry.begin <= entry.end &&
            entry.end <= static_cast<int64_t>(size));
    if (std::optional<DType> dtype = findDType(entry.dtype))
      variables.push_back({name, *dtype, entry.shape, 0,
                           entry.end - entry.begin, true, "model.py:1:1"});
  }

  std::string text =
      "{\"format\": 1, \"file\": \"" + std::string(kNativeDataFile) +
      "\", \"bytes\": " + std::to_string(size) +
      ", \"crc32\": " + std::to_string(crc32_z(0, data, size)) + "}";
  manifest.setContents(text.data(), text.size());
  Expected<std::vector<Tensor>> values =
      readNativeLayout(folder.path(), variables);
  if (!values.ok()) {
    // Bytes of i1 may be anything in the file.
    REQUIRE(values.status().code() == StatusCode::kDataLoss);
    return 0;
  }
  REQUIRE(values->size() == variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    const SafetensorsEntry &entry = entries->at(variables[i].name);
    REQUIRE((*values)[i].bytes() == variables[i].bytes);
    REQUIRE(std::memcmp((*values)[i].data(), data + entry.begin,
                        variables[i].bytes) == 0);
  }
  return 0;
}
