//===- CUDAToolkit.cpp - Where ptxas is -----------------------------------===//

#include "JobDialect/Target/CUDAToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace llvm::sys;

static bool hasPtxas(llvm::StringRef folder) {
  llvm::SmallString<128> path = folder;
  path::append(path, "bin", "ptxas");
  return !folder.empty() && fs::can_execute(path);
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
  for (llvm::StringRef folder : {"/usr/local/cuda", JOBMLIR_CUDA_TOOLKIT})
    if (hasPtxas(folder))
      return folder.str();
  return "";
}
