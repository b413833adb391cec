//===- Checkpoint.cpp - Saving and loading variables ----------------------===//

#include "jobrt/checkpoint.h"
#include "lib/base/Guard.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/io/File.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace jobrt;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Where a checkpoint goes
//===----------------------------------------------------------------------===//

static Status refuseExisting(const std::string &path, const char *given) {
  return fileError(StatusCode::kAlreadyExists, path,
                   std::string("expects an empty folder or none to save into "
                               "but got ") +
                       given);
}

/// The destination's absolute path without links, so that it can be renamed
/// to; an error if something is there already.
static Expected<std::string> findDestination(const std::string &path) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return fileError(StatusCode::kInvalidArgument, path,
                     "expects the path of a folder");
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    // A link that leads nowhere cannot be renamed to.
    if (fs::is_symlink(fs::symlink_status(path, error)))
      return refuseExisting(path, "a link");
    fs::path absolute = fs::absolute(path, error).lexically_normal();
    if (!absolute.has_filename())
      absolute = absolute.parent_path();
    return absolute.string();
  }
  if (status.type() == fs::file_type::none) {
    errno = error.value();
    return systemError(path, "open");
  }
  if (status.type() != fs::file_type::directory)
    return refuseExisting(path, "a file");
  bool empty = fs::is_empty(path, error);
  fs::path canonical;
  if (!error)
    canonical = fs::canonical(path, error);
  if (error) {
    errno = error.value();
    return systemError(path, "open");
  }
  if (!empty)
    return refuseExisting(path, "one that is not empty");
  return canonical.string();
}

/// Makes a folder and those above it, each name synced.
static Status makeFolders(const fs::path &folder) {
  if (::mkdir(folder.c_str(), 0777) == 0)
    return syncFolder(folder.parent_path());
  if (errno == ENOENT && folder.has_relative_path()) {
    if (Status status = makeFolders(folder.parent_path()); !status.ok())
      return status;
    if (::mkdir(folder.c_str(), 0777) == 0)
      return syncFolder(folder.parent_path());
  }
  if (errno == EEXIST)
    return {};
  return systemError(folder, "create");
}

namespace {
/// A folder beside the destination, removed unless it was renamed.
class StagingFolder {
public:
  ~StagingFolder() {
    std::error_code ignored;
    if (!path.empty())
      fs::remove_all(path, ignored);
  }

  Status create(const fs::path &parent) {
    static std::atomic<uint64_t> counter{0};
    for (;;) {
      path = parent / (".jobrt-checkpoint-" + std::to_string(::getpid()) + "-" +
                       std::to_string(counter.fetch_add(1)));
      if (::mkdir(path.c_str(), 0777) == 0)
        return {};
      // Left over from a process that was killed.
      if (errno == EEXIST)
        continue;
      Status status = systemError(path, "create");
      path.clear();
      return status;
    }
  }

  Status publish(const std::string &destination) {
    if (std::rename(path.c_str(), destination.c_str()) == 0) {
      path.clear();
      return syncFolder(fs::path(destination).parent_path());
    }
    // Somebody was faster.
    if (errno == ENOTEMPTY || errno == EEXIST)
      return refuseExisting(destination, "one that is not empty");
    if (errno == ENOTDIR)
      return refuseExisting(destination, "a file");
    return systemError(destination, "create");
  }

  fs::path path;
};
} // namespace

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

static Status save(Session &session, const std::string &path,
                   CheckpointLayout layout) {
  bool native = layout == CheckpointLayout::kNative;
  const Artifact &artifact = session.artifact();
  if (Status status = native ? checkNativeNames(artifact.variables())
                             : checkLegacyNames(artifact.variables());
      !status.ok())
    return status;
  Expected<std::string> destination = findDestination(path);
  if (!destination.ok())
    return destination.status();
  fs::path parent = fs::path(*destination).parent_path();

  std::vector<std::string> names;
  for (const VariableInfo &variable : artifact.variables())
    names.push_back(variable.name);
  Expected<std::vector<Tensor>> values = session.readVariables(names);
  if (!values.ok())
    return values.status();

  if (Status status = makeFolders(parent); !status.ok())
    return status;
  StagingFolder staging;
  if (Status status = staging.create(parent); !status.ok())
    return status;
  Status status = native ? writeNativeLayout(staging.path, artifact, *values)
                         : writeLegacyLayout(staging.path, artifact, *values);
  return status.ok() ? staging.publish(*destination) : status;
}

Status jobrt::saveCheckpoint(Session &session, const std::string &path,
                             CheckpointLayout layout) {
  return withoutThrowing("save a checkpoint",
                         [&] { return save(session, path, layout); });
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The values of all variables from whichever layout is there.
static Expected<std::vector<Tensor>>
readCheckpoint(const std::string &path,
               const std::vector<VariableInfo> &variables) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return fileError(StatusCode::kNotFound, path,
                     "expects a checkpoint folder but there is none");
  if (status.type() == fs::file_type::none) {
    errno = error.value();
    return systemError(path, "open");
  }
  if (status.type() != fs::file_type::directory)
    return fileError(StatusCode::kInvalidArgument, path,
                     "expects a checkpoint folder but got a file");
  auto has = [&](const char *name) {
    std::error_code ignored;
    return fs::exists(path + "/" + name, ignored);
  };
  if (has(kManifestFile) || has(kNativeDataFile))
    return readNativeLayout(path, variables);
  if (has(kLegacyDoneFile))
    return readLegacyLayout(path, variables);
  return fileError(StatusCode::kDataLoss, path,
                   std::string("expects a checkpoint with '") + kManifestFile +
                       "' or '" + kLegacyDoneFile + "' but got neither");
}

static Status load(Session &session, const std::string &path) {
  const std::vector<VariableInfo> &variables = session.artifact().variables();
  Expected<std::vector<Tensor>> values = readCheckpoint(path, variables);
  if (!values.ok())
    return values.status();
  std::vector<std::pair<std::string, TensorView>> writes;
  for (size_t i = 0; i < variables.size(); ++i)
    writes.push_back({variables[i].name, (*values)[i].view()});
  return session.writeVariables(writes);
}

Status jobrt::loadCheckpoint(Session &session, const std::string &path) {
  return withoutThrowing("load a checkpoint",
                         [&] { return load(session, path); });
}
