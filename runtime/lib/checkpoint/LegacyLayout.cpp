//===- LegacyLayout.cpp - A folder a variable -----------------------------===//

#include "lib/checkpoint/Checksums.h"
#include "lib/checkpoint/Layouts.h"
#include "lib/io/File.h"

#include <sys/stat.h>

using namespace jobrt;

/// Names that are one component of a path, and none of either layout's own: by
/// those a checkpoint's layout is known.
static bool isFolderName(const std::string &name) {
  return !name.empty() && name != "." && name != ".." &&
         name != kLegacyDoneFile && name != kLegacyChecksumFile &&
         name != kManifestFile && name != kNativeDataFile &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
}

Status jobrt::checkLegacyName(const std::string &name,
                              const std::string &location) {
  if (isFolderName(name))
    return {};
  return Status(StatusCode::kInvalidArgument,
                "variable '" + name +
                    "': its name cannot be a folder of the legacy layout",
                location);
}

/// The name of OneFlow's DataType.
static const char *dataTypeName(DType dtype) {
  switch (dtype) {
  case DType::kI1:
    return "kBool";
  case DType::kI8:
    return "kInt8";
  case DType::kUI8:
    return "kUInt8";
  case DType::kF16:
    return "kFloat16";
  case DType::kBF16:
    return "kBFloat16";
  case DType::kI32:
    return "kInt32";
  case DType::kI64:
    return "kInt64";
  case DType::kF32:
    return "kFloat";
  case DType::kF64:
    return "kDouble";
  }
  return "kInvalidDataType";
}

/// Protobuf's text format of
///   message { required ShapeProto shape = 2; required DataType data_type = 3;
///   }
static std::string describe(const TensorView &tensor) {
  std::string text = "shape {\n";
  for (int64_t extent : tensor.shape)
    text += "  dim: " + std::to_string(extent) + "\n";
  return text + "}\ndata_type: " + dataTypeName(tensor.dtype) + "\n";
}

Status jobrt::writeLegacyLayout(const std::string &folder,
                                const NamedTensors &tensors, bool withMeta) {
  ChecksumList checksums;
  auto writeFile = [&](const std::string &name, std::string_view contents) {
    checksums.add(name, contents);
    return writeSynced(folder + "/" + name, contents);
  };
  for (const auto &[name, tensor] : tensors) {
    std::string place = folder + "/" + name;
    if (::mkdir(place.c_str(), 0777) != 0)
      return systemError(place, "create");
    std::string_view contents(static_cast<const char *>(tensor.data),
                              tensor.bytes());
    if (Status status = writeFile(name + "/" + kLegacyDataFile, contents);
        !status.ok())
      return status;
    if (withMeta)
      if (Status status =
              writeFile(name + "/" + kLegacyMetaFile, describe(tensor));
          !status.ok())
        return status;
    if (Status status = syncFolder(place); !status.ok())
      return status;
  }
  if (Status status = checksums.write(folder); !status.ok())
    return status;
  Status status = writeSynced(folder + "/" + kLegacyDoneFile, {});
  return status.ok() ? syncFolder(folder) : status;
}

static Expected<Tensor>
readVariable(const std::string &folder, const VariableInfo &variable,
             const std::optional<ChecksumList> &checksums) {
  std::string name = variable.name + "/" + kLegacyDataFile;
  std::string path = folder + "/" + name;
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
  if (status.ok() && checksums)
    status = checksums->check(name, {static_cast<const char *>(tensor->data()),
                                     static_cast<size_t>(tensor->bytes())});
  if (status.ok())
    status = checkElements(path, tensor->view());
  if (!status.ok())
    return status;
  return tensor;
}

Expected<std::vector<Tensor>>
jobrt::readLegacyLayout(const std::string &folder,
                        const std::vector<VariableInfo> &variables) {
  Expected<std::optional<ChecksumList>> checksums = ChecksumList::read(folder);
  if (!checksums.ok())
    return checksums.status();
  std::vector<Tensor> values;
  for (const VariableInfo &variable : variables) {
    if (Status status = checkLegacyName(variable.name, variable.location);
        !status.ok())
      return status;
    Expected<Tensor> value = readVariable(folder, variable, *checksums);
    if (!value.ok())
      return Status(value.status().code(), value.status().message(),
                    variable.location);
    values.push_back(std::move(*value));
  }
  return values;
}
