//===- Replaceable.cpp - What a save may replace --------------------------===//

#include "lib/checkpoint/Replaceable.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/checkpoint/Staging.h"
#include "lib/executor/JsonReader.h"
#include "lib/io/File.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

using namespace jobrt;
using nlohmann::json;
namespace fs = std::filesystem;

/// Of the files that are read; longer ones are not ours.
static constexpr int64_t kMaxText = 64 << 20;

//===----------------------------------------------------------------------===//
// Files that only a checkpoint has
//===----------------------------------------------------------------------===//

/// Whether a regular file is there; a link to one is not.
static Expected<bool> isPlainFile(const std::string &path) {
  std::error_code error;
  fs::file_type type = fs::symlink_status(path, error).type();
  if (type == fs::file_type::none)
    return openError(path, error);
  return type == fs::file_type::regular;
}

/// The value in a JSON file; null if there is no such file, or another text.
static Expected<json> readPlainJson(const std::string &path) {
  Expected<bool> isPlain = isPlainFile(path);
  if (!isPlain.ok())
    return isPlain.status();
  if (!*isPlain)
    return json();
  Expected<std::string> text = readText(path, kMaxText);
  if (!text.ok() && (text.status().code() == StatusCode::kIo ||
                     text.status().code() == StatusCode::kResourceExhausted))
    return text.status();
  Expected<json> parsed = text.ok() ? parseJson(*text) : json();
  return parsed.ok() ? *parsed : json();
}

static bool hasInteger(const json &value, const char *key) {
  return value.is_object() && value.contains(key) &&
         value[key].is_number_integer();
}

/// The manifest of the native layout, in whatever version of the format.
static bool isManifest(const json &value) {
  return hasInteger(value, "format") && value.contains("file") &&
         value["file"] == kNativeDataFile;
}

/// The list of checksums of the legacy layout, in whatever version.
static bool isChecksumList(const json &value) {
  if (!hasInteger(value, "format") || !value.contains("files"))
    return false;
  const json &files = value["files"];
  return files.is_object() &&
         std::all_of(files.begin(), files.end(), [](const json &entry) {
           return hasInteger(entry, "bytes") && hasInteger(entry, "crc32");
         });
}

namespace {
/// Which of the files that only a checkpoint has are in a folder.
struct Marks {
  bool manifest = false;
  bool checksums = false;
  /// OneFlow's, which is empty.
  bool done = false;

  bool native() const { return manifest; }
  bool legacy() const { return checksums || done; }
};
} // namespace

static Expected<Marks> readMarks(const std::string &folder) {
  Marks marks;
  Expected<json> manifest = readPlainJson(folder + "/" + kManifestFile);
  if (!manifest.ok())
    return manifest.status();
  marks.manifest = isManifest(*manifest);
  Expected<json> checksums = readPlainJson(folder + "/" + kLegacyChecksumFile);
  if (!checksums.ok())
    return checksums.status();
  marks.checksums = isChecksumList(*checksums);
  const std::string done = folder + "/" + kLegacyDoneFile;
  Expected<bool> hasDone = isPlainFile(done);
  if (!hasDone.ok())
    return hasDone.status();
  std::error_code ignored;
  marks.done = *hasDone && fs::file_size(done, ignored) == 0;
  return marks;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

/// Whether `entry` is a folder with files of the legacy layout only. `meta` is
/// what some writers of that layout put beside `out`.
static bool isLegacyVariable(const fs::directory_entry &entry) {
  std::error_code error;
  if (entry.symlink_status(error).type() != fs::file_type::directory)
    return false;
  fs::directory_iterator inner(entry.path(), error), end;
  for (; !error && inner != end; inner.increment(error)) {
    std::error_code ignored;
    const fs::path name = inner->path().filename();
    if ((name != kLegacyDataFile && name != kLegacyMetaFile) ||
        inner->symlink_status(ignored).type() != fs::file_type::regular)
      return false;
  }
  return !error;
}

/// Whether `entry` of a folder is a part of the checkpoint there.
static bool isPart(const fs::directory_entry &entry, const Marks &marks) {
  const fs::path name = entry.path().filename();
  if (name == kManifestFile)
    return marks.manifest;
  if (name == kLegacyChecksumFile)
    return marks.checksums;
  if (name == kLegacyDoneFile)
    return marks.done;
  std::error_code ignored;
  if (name == kNativeDataFile)
    return marks.native() &&
           entry.symlink_status(ignored).type() == fs::file_type::regular;
  return marks.legacy() && isLegacyVariable(entry);
}

static Status checkEntries(const std::string &folder) {
  auto refuse = [&](const std::string &given) {
    return fileError(StatusCode::kAlreadyExists, folder,
                     "expects a checkpoint, an empty folder or none to replace "
                     "but got " +
                         given);
  };
  Expected<Marks> marks = readMarks(folder);
  if (!marks.ok())
    return marks.status();
  std::error_code error;
  fs::directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    if (!marks->native() && !marks->legacy())
      return refuse("a folder of other things");
    if (!isPart(*entry, *marks))
      return refuse("a checkpoint with '" + entry->path().filename().string() +
                    "' in it");
  }
  return error ? openError(folder, error) : Status();
}

Status jobrt::checkReplaceable(const std::string &folder) {
  for (;;) {
    int descriptor = openFolder(folder);
    if (descriptor < 0)
      return systemError(folder, "open");
    Status status = checkEntries(folder);
    // Another save may have put its folder there meanwhile, so that this is of
    // both of them.
    bool isStill = isNameOf(folder, descriptor);
    ::close(descriptor);
    if (isStill)
      return status;
  }
}
