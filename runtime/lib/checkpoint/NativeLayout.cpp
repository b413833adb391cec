//===- NativeLayout.cpp - A safetensors file and a manifest ---------------===//
//
// The manifest holds the version, and size and checksum of the data, so that
// damage is found before a value is used.
//
//===----------------------------------------------------------------------===//

#include "lib/checkpoint/Checksums.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/checkpoint/Safetensors.h"
#include "lib/executor/JsonReader.h"
#include "lib/io/File.h"

using namespace jobrt;
using nlohmann::json;

static constexpr int64_t kFormatVersion = 1;
static constexpr int64_t kMaxManifest = 1 << 20;

Status jobrt::checkNativeName(const std::string &name,
                              const std::string &location) {
  if (name != kSafetensorsMetadata)
    return {};
  return Status(StatusCode::kInvalidArgument,
                "variable '" + name +
                    "': its name is reserved in the native layout",
                location);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Status jobrt::writeNativeLayout(const std::string &folder,
                                const std::string &compiler,
                                const NamedTensors &tensors) {
  std::string header = makeSafetensorsHeader(tensors);

  Expected<File> file = File::create(folder + "/" + kNativeDataFile);
  if (!file.ok())
    return file.status();
  int64_t bytes = 0;
  uint32_t checksum = 0;
  auto append = [&](const void *data, int64_t count) {
    checksum = extendChecksum(checksum, data, count);
    bytes += count;
    return file->write(data, count);
  };
  Status status = append(header.data(), header.size());
  for (const auto &[name, tensor] : tensors)
    if (status.ok())
      status = append(tensor.data, tensor.bytes());
  if (status.ok())
    status = file->sync();
  if (status.ok())
    status = file->close();
  if (!status.ok())
    return status;

  json manifest = {{"format", kFormatVersion},
                   {"compiler", compiler},
                   {"file", kNativeDataFile},
                   {"bytes", bytes},
                   {"crc32", checksum}};
  status = writeSynced(
      folder + "/" + kManifestFile,
      manifest.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  return status.ok() ? syncFolder(folder) : status;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Manifest {
  int64_t bytes = 0;
  uint32_t checksum = 0;
};
} // namespace

static Expected<Manifest> readManifest(const std::string &path) {
  Expected<std::string> text = readText(path, kMaxManifest);
  if (!text.ok())
    return text.status();
  Expected<json> parsed = parseJson(*text);
  if (!parsed.ok())
    return fileError(parsed.status().code(), path, parsed.status().message());
  JsonErrors errors;
  JsonReader reader(*parsed, errors);
  Manifest manifest;
  int64_t format = reader.member("format").integer(0, INT64_MAX);
  if (reader.ok() && format != kFormatVersion)
    return fileError(StatusCode::kUnimplemented, path,
                     "expects checkpoint format " +
                         std::to_string(kFormatVersion) + " but got " +
                         std::to_string(format));
  std::string file = reader.member("file").string();
  if (reader.ok() && file != kNativeDataFile)
    reader.member("file").error(std::string("expects '") + kNativeDataFile +
                                "' but got '" + file + "'");
  manifest.bytes = reader.member("bytes").integer(0, INT64_MAX);
  manifest.checksum =
      static_cast<uint32_t>(reader.member("crc32").integer(0, UINT32_MAX));
  if (!errors.ok())
    return fileError(errors.status().code(), path, errors.status().message());
  return manifest;
}

static Status checkContents(const File &file, const Manifest &manifest) {
  if (file.size() != manifest.bytes)
    return fileError(
        StatusCode::kDataLoss, file.path(),
        std::string(file.size() < manifest.bytes ? "truncated: " : "") +
            "expects " + std::to_string(manifest.bytes) + " bytes but got " +
            std::to_string(file.size()));
  std::string buffer(1 << 20, '\0');
  uint32_t checksum = 0;
  for (int64_t offset = 0; offset < file.size();) {
    int64_t step = std::min<int64_t>(buffer.size(), file.size() - offset);
    if (Status status = file.readAt(offset, buffer.data(), step); !status.ok())
      return status;
    checksum = extendChecksum(checksum, buffer.data(), step);
    offset += step;
  }
  return compareChecksums(file.path(), manifest.checksum, checksum);
}

/// "64xF32": a type in the file's own words.
static std::string formatEntry(const Shape &shape, const std::string &dtype) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + dtype;
}

static Expected<Tensor>
readVariable(const File &file,
             const std::map<std::string, SafetensorsEntry> &entries,
             const VariableInfo &variable) {
  auto error = [&](StatusCode code, const std::string &message) {
    return Status(code, "'" + file.path() + "': " + message, variable.location);
  };
  auto found = entries.find(variable.name);
  if (found == entries.end())
    return error(StatusCode::kNotFound, "expects variable '" + variable.name +
                                            "' but there is none of that name");
  const SafetensorsEntry &entry = found->second;
  std::string expected =
      formatEntry(variable.shape, dtypeSafetensorsName(variable.dtype));
  std::string given = formatEntry(entry.shape, entry.dtype);
  if (given != expected)
    return error(StatusCode::kDataLoss, "variable '" + variable.name +
                                            "': expects " + expected +
                                            " but got " + given);
  Expected<Tensor> tensor = Tensor::create(variable.dtype, variable.shape);
  if (!tensor.ok())
    return tensor;
  Status status = file.readAt(entry.begin, tensor->data(), tensor->bytes());
  if (status.ok())
    status = checkElements(file.path(), tensor->view());
  if (!status.ok())
    return Status(status.code(), status.message(), variable.location);
  return tensor;
}

Expected<std::vector<Tensor>>
jobrt::readNativeLayout(const std::string &folder,
                        const std::vector<VariableInfo> &variables) {
  Expected<Manifest> manifest = readManifest(folder + "/" + kManifestFile);
  if (!manifest.ok())
    return manifest.status();
  Expected<File> file = File::open(folder + "/" + kNativeDataFile);
  if (!file.ok())
    return file.status();
  if (Status status = checkContents(*file, *manifest); !status.ok())
    return status;
  Expected<std::map<std::string, SafetensorsEntry>> entries =
      readSafetensorsHeader(*file);
  if (!entries.ok())
    return entries.status();
  std::vector<Tensor> values;
  for (const VariableInfo &variable : variables) {
    Expected<Tensor> value = readVariable(*file, *entries, variable);
    if (!value.ok())
      return value.status();
    values.push_back(std::move(*value));
  }
  return values;
}
