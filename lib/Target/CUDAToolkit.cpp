//===- CUDAToolkit.cpp - Where ptxas is -----------------------------------===//

#include "JobDialect/Target/CUDAToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace mlir;
using namespace llvm::sys;

static bool hasPtxas(llvm::StringRef folder) {
  llvm::SmallString<128> path = folder;
  path::append(path, "bin", "ptxas");
  return !folder.empty() && fs::can_execute(path);
}

/// The folder that nvidia-cuda-nvcc of PyPI has beside the package whose
/// extension module this code is in.
static std::string getPackagedToolkit() {
  Dl_info object;
  if (!dladdr(reinterpret_cast<void *>(&job::findCUDAToolkit), &object) ||
      !object.dli_fname)
    return "";
  llvm::SmallString<128> path =
      path::parent_path(path::parent_path(object.dli_fname));
  path::append(path, "nvidia", "cu13");
  return path.str().str();
}

std::string job::findCUDAToolkit() {
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (std::optional<std::string> folder = Process::GetEnv(variable))
      if (!folder->empty())
        return hasPtxas(*folder) ? *folder : "";
  if (llvm::ErrorOr<std::string> ptxas = findProgramByName("ptxas")) {
    llvm::StringRef folder = path::parent_path(path::parent_path(*ptxas));
    if (hasPtxas(folder))
      return folder.str();
  }
  for (const std::string &folder :
       {getPackagedToolkit(), std::string("/usr/local/cuda"),
        std::string(JOBMLIR_CUDA_TOOLKIT)})
    if (hasPtxas(folder))
      return folder;
  return "";
}
