//===- Checksums.cpp - Checksums of the files of a checkpoint -------------===//

#include "lib/checkpoint/Checksums.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/executor/JsonReader.h"
#include "lib/io/File.h"

#include <cstdio>
#include <zlib.h>

using namespace jobrt;
using nlohmann::json;

static constexpr int64_t kFormatVersion = 1;
static constexpr int64_t kMaxList = 64 << 20;

uint32_t jobrt::extendChecksum(uint32_t checksum, const void *data,
                               int64_t count) {
  // zlib returns the checksum of no bytes for a null pointer.
  if (count == 0)
    return checksum;
  return static_cast<uint32_t>(
      crc32_z(checksum, static_cast<const Bytef *>(data), count));
}

Status jobrt::compareChecksums(const std::string &path, uint32_t expected,
                               uint32_t given) {
  if (expected == given)
    return {};
  char text[64];
  std::snprintf(text, sizeof(text),
                "damaged: expects checksum %08x but got %08x", expected, given);
  return fileError(StatusCode::kDataLoss, path, text);
}

void ChecksumList::add(const std::string &file, std::string_view contents) {
  entries[file] = {static_cast<int64_t>(contents.size()),
                   extendChecksum(0, contents.data(), contents.size())};
}

Status ChecksumList::write(const std::string &folder) const {
  json files = json::object();
  for (const auto &[file, entry] : entries)
    files[file] = {{"bytes", entry.bytes}, {"crc32", entry.checksum}};
  json list = {{"format", kFormatVersion}, {"files", std::move(files)}};
  return writeSynced(folder + "/" + kLegacyChecksumFile,
                     list.dump(1, ' ', false, json::error_handler_t::replace) +
                         "\n");
}

Expected<std::optional<ChecksumList>>
ChecksumList::read(const std::string &folder) {
  std::string path = folder + "/" + kLegacyChecksumFile;
  Expected<std::string> text = readText(path, kMaxList);
  if (!text.ok() && text.status().code() == StatusCode::kNotFound)
    return std::optional<ChecksumList>();
  if (!text.ok())
    return text.status();
  Expected<json> parsed = parseJson(*text);
  if (!parsed.ok())
    return fileError(parsed.status().code(), path, parsed.status().message());
  JsonErrors errors;
  JsonReader reader(*parsed, errors);
  int64_t format = reader.member("format").integer(0, INT64_MAX);
  if (reader.ok() && format != kFormatVersion)
    return fileError(StatusCode::kUnimplemented, path,
                     "expects format " + std::to_string(kFormatVersion) +
                         " but got " + std::to_string(format));
  ChecksumList list;
  list.folder = folder;
  for (const auto &[file, entry] : reader.member("files").members())
    list.entries[file] = {
        entry.member("bytes").integer(0, INT64_MAX),
        static_cast<uint32_t>(entry.member("crc32").integer(0, UINT32_MAX))};
  if (!errors.ok())
    return fileError(errors.status().code(), path, errors.status().message());
  return std::optional<ChecksumList>(std::move(list));
}

Status ChecksumList::check(const std::string &file,
                           std::string_view contents) const {
  auto found = entries.find(file);
  if (found == entries.end())
    return fileError(StatusCode::kDataLoss, folder + "/" + kLegacyChecksumFile,
                     "expects a checksum of '" + file + "' but there is none");
  const std::string path = folder + "/" + file;
  const auto &[bytes, checksum] = found->second;
  if (bytes != static_cast<int64_t>(contents.size()))
    return fileError(StatusCode::kDataLoss, path,
                     "damaged: expects " + std::to_string(bytes) +
                         " bytes but got " + std::to_string(contents.size()));
  return compareChecksums(path, checksum,
                          extendChecksum(0, contents.data(), contents.size()));
}
