//===- LegacyLayout.cpp - A folder a variable -----------------------------===//

#include "lib/checkpoint/Layouts.h"
#include "lib/io/File.h"

#include <sys/stat.h>

using namespace jobrt;

/// Names that are one component of a path, and none of either layout's own: by
/// those a checkpoint's layout is known.
static bool isFolderName(const std::string &name) {
  return !name.empty() && name != "." && name != ".." &&
         name != kLegacyDoneFile && name != kManifestFile &&
         name != kNativeDataFile &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

Status jobrt::checkLegacyNames(const std::vector<VariableInfo> &variables) {
  for (const VariableInfo &variable : variables)
    if (!isFolderName(variable.name))
      return Status(StatusCode::kInvalidArgument,
                    "variable '" + variable.name +
                        "': its name cannot be a folder of the legacy layout",
                    variable.location);
  return {};
}

Status jobrt::writeLegacyLayout(const std::string &folder,
                                const Artifact &artifact,
                                std::vector<Tensor> &values) {
  for (size_t i = 0; i < values.size(); ++i) {
    std::string place = folder + "/" + artifact.variables()[i].name;
    if (::mkdir(place.c_str(), 0777) != 0)
      return systemError(place, "create");
    std::string_view contents(static_cast<const char *>(values[i].data()),
                              values[i].bytes());
    if (Status status = writeSynced(place + "/" + kLegacyDataFile, contents);
        !status.ok())
      return status;
    if (Status status = syncFolder(place); !status.ok())
      return status;
  }
  Status status = writeSynced(folder + "/" + kLegacyDoneFile, {});
  return status.ok() ? syncFolder(folder) : status;
}

static Expected<Tensor> readVariable(const std::string &folder,
                                     const VariableInfo &variable) {
  std::string path = folder + "/" + variable.name + "/" + kLegacyDataFile;
  Expected<File> file = File::open(path);
  if (!file.ok() && file.status().code() == StatusCode::kNotFound)
    return fileError(StatusCode::kNotFound, path,
                     "expects a file for variable '" + variable.name +
                         "' but there is none");
  if (!file.ok())
    return file.status();
  if (file->size() != variable.bytes)
    return fileError(StatusCode::kDataLoss, path,
                     "expects " + std::to_string(variable.bytes) +
                         " bytes for " +
                         formatType(variable.shape, variable.dtype) +
                         " but got " + std::to_string(file->size()));
  Expected<Tensor> tensor = Tensor::create(variable.dtype, variable.shape);
  if (!tensor.ok())
    return tensor;
  Status status = file->readAt(0, tensor->data(), tensor->bytes());
  if (status.ok())
    status = checkElements(path, tensor->view());
  if (!status.ok())
    return status;
  return tensor;
}

Expected<std::vector<Tensor>>
jobrt::readLegacyLayout(const std::string &folder,
                        const std::vector<VariableInfo> &variables) {
  if (Status status = checkLegacyNames(variables); !status.ok())
    return status;
  std::vector<Tensor> values;
  for (const VariableInfo &variable : variables) {
    Expected<Tensor> value = readVariable(folder, variable);
    if (!value.ok())
      return Status(value.status().code(), value.status().message(),
                    variable.location);
    values.push_back(std::move(*value));
  }
  return values;
}
