//===- Checkpoint.cpp - Saving and loading variables ----------------------===//

#include "jobrt/checkpoint.h"
#include "lib/base/Guard.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/checkpoint/Replaceable.h"
#include "lib/checkpoint/Staging.h"
#include "lib/io/File.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sys/stat.h>

using namespace jobrt;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Where a checkpoint goes
//===----------------------------------------------------------------------===//

/// The absolute path to save to, without links, so that it can be renamed to.
static Expected<std::string> findDestination(const std::string &path,
                                             ExistingCheckpoint existing) {
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
  if (status.type() == fs::file_type::none)
    return openError(path, error);
  if (status.type() != fs::file_type::directory)
    return refuseExisting(path, "a file");
  bool empty = fs::is_empty(path, error);
  fs::path canonical;
  if (!error)
    canonical = fs::canonical(path, error);
  if (error)
    return openError(path, error);
  // The new folder takes its place, and who works in it would be nowhere.
  fs::path here = fs::current_path(error);
  if (std::mismatch(canonical.begin(), canonical.end(), here.begin(),
                    here.end())
          .first == canonical.end())
    return refuseExisting(path, canonical == here
                                    ? "the working directory"
                                    : "one with the working directory inside");
  if (empty)
    return canonical.string();
  if (existing == ExistingCheckpoint::kRefuse)
    return refuseNonEmpty(path);
  if (Status status = checkReplaceable(canonical); !status.ok())
    return status;
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

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

static Status checkName(CheckpointLayout layout, const std::string &name,
                        const std::string &location) {
  return layout == CheckpointLayout::kNative ? checkNativeName(name, location)
                                             : checkLegacyName(name, location);
}

/// Says what was to be saved in an error of the system.
static Status describeSave(const Status &status, const std::string &path,
                           int64_t bytes) {
  if (status.ok() || status.code() == StatusCode::kAlreadyExists ||
      status.code() == StatusCode::kInvalidArgument)
    return status;
  return fileError(status.code(), path,
                   "cannot save " + std::to_string(bytes) +
                       " bytes of variables: " + status.message());
}

/// Moves the folder to its destination. Saving took time, in which another
/// process may have made a checkpoint there, put other files into it or removed
/// it.
static Status moveTo(const std::string &destination, StagingFolder &staging,
                     ExistingCheckpoint existing) {
  for (;;) {
    Status status = staging.publish(destination);
    if (existing == ExistingCheckpoint::kRefuse ||
        status.code() != StatusCode::kAlreadyExists)
      return status;
    status = checkReplaceable(destination);
    if (status.ok())
      status = staging.replace(destination);
    if (status.code() != StatusCode::kNotFound)
      return status;
  }
}

static Status writeFiles(const NamedTensors &tensors,
                         const std::string &compiler,
                         const std::string &destination,
                         CheckpointLayout layout, ExistingCheckpoint existing) {
  std::string parent = fs::path(destination).parent_path();
  if (Status status = makeFolders(parent); !status.ok())
    return status;
  removeLeftovers(parent);
  StagingFolder staging;
  if (Status status = staging.create(parent); !status.ok())
    return status;
  Status status =
      layout == CheckpointLayout::kNative
          ? writeNativeLayout(staging.path(), compiler, tensors)
          : writeLegacyLayout(staging.path(), tensors,
                              layout == CheckpointLayout::kLegacyWithMeta);
  if (!status.ok())
    return status;
  return moveTo(destination, staging, existing);
}

static Status write(const NamedTensors &tensors, const std::string &compiler,
                    const std::string &path, const std::string &destination,
                    CheckpointLayout layout, ExistingCheckpoint existing) {
  int64_t bytes = 0;
  for (const auto &[name, tensor] : tensors)
    bytes += tensor.bytes();
  return describeSave(
      writeFiles(tensors, compiler, destination, layout, existing), path,
      bytes);
}

static Status save(Session &session, const std::string &path,
                   CheckpointLayout layout, ExistingCheckpoint existing) {
  const Artifact &artifact = session.artifact();
  std::vector<std::string> names;
  int64_t bytes = 0;
  for (const VariableInfo &variable : artifact.variables()) {
    if (Status status = checkName(layout, variable.name, variable.location);
        !status.ok())
      return status;
    names.push_back(variable.name);
    bytes += variable.bytes;
  }
  Expected<std::string> destination = findDestination(path, existing);
  if (!destination.ok())
    return describeSave(destination.status(), path, bytes);

  Expected<std::vector<Tensor>> values = session.readVariables(names);
  if (!values.ok())
    return values.status();
  NamedTensors tensors;
  for (size_t i = 0; i < names.size(); ++i)
    tensors.push_back({std::move(names[i]), (*values)[i].view()});
  return write(tensors, artifact.compiler(), path, *destination, layout,
               existing);
}

Status jobrt::saveCheckpoint(Session &session, const std::string &path,
                             CheckpointLayout layout,
                             ExistingCheckpoint existing) {
  return withoutThrowing("save a checkpoint",
                         [&] { return save(session, path, layout, existing); });
}

Status jobrt::saveTensors(const NamedTensors &tensors, const std::string &path,
                          CheckpointLayout layout,
                          ExistingCheckpoint existing) {
  return withoutThrowing("save a checkpoint", [&]() -> Status {
    int64_t bytes = 0;
    for (const auto &[name, tensor] : tensors) {
      if (Status status = checkName(layout, name, ""); !status.ok())
        return status;
      bytes += tensor.bytes();
    }
    Expected<std::string> destination = findDestination(path, existing);
    if (!destination.ok())
      return describeSave(destination.status(), path, bytes);
    return write(tensors, "", path, *destination, layout, existing);
  });
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
  if (status.type() == fs::file_type::none)
    return openError(path, error);
  if (status.type() != fs::file_type::directory)
    return fileError(StatusCode::kInvalidArgument, path,
                     "expects a checkpoint folder but got a file");
  for (const char *name : {kManifestFile, kNativeDataFile, kLegacyDoneFile}) {
    const std::string file = path + "/" + name;
    fs::file_type type = fs::status(file, error).type();
    if (type == fs::file_type::none)
      return openError(file, error);
    if (type != fs::file_type::not_found)
      return name == kLegacyDoneFile ? readLegacyLayout(path, variables)
                                     : readNativeLayout(path, variables);
  }
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
