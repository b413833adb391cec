//===- SharedLibrary.h - Libraries opened at run time -----------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_SHAREDLIBRARY_H
#define JOBRT_DRIVERS_CUDA_SHAREDLIBRARY_H

#include "drivers/cuda/CudaApi.h"

#include <span>
#include <vector>

namespace jobrt::cuda {

/// Where a library of NVIDIA's is looked for.
struct LibrarySearch {
  /// As errors name it: "cuBLASLt".
  const char *title;
  /// The environment variable that names the file.
  const char *variable;
  /// Names for the loader, the best one first.
  std::span<const char *const> names;
  /// Its folder below `nvidia/` of Python's packages, by the name it has there.
  std::span<const char *const> packageFolders;
  /// The stand-in, beside the simulated CUDA.
  const char *simulated;
};

/// An open library. It stays open until the process ends, as CUDA's must not be
/// unloaded.
struct SharedLibrary {
  void *handle;
  std::string path;
};

/// Opens what the environment variable names, else the stand-in if CUDA is
/// simulated, else what the loader finds, else one of a Python package. Errors:
/// kNotFound, which names what was tried; kInvalidArgument if one of CUDA and
/// the library is simulated and the other one is not.
Expected<SharedLibrary> openLibrary(const Api &api,
                                    const LibrarySearch &search);

/// Finds the functions of an open library.
class FunctionLookup {
public:
  explicit FunctionLookup(SharedLibrary library)
      : library(std::move(library)) {}

  template <typename Type> void find(Type &function, const char *symbol) {
    function = reinterpret_cast<Type>(findSymbol(symbol));
    if (!function && !missing)
      missing = symbol;
  }
  /// kUnimplemented if one of them was not there; it expects `newer` then.
  Status status(const char *newer) const;

private:
  void *findSymbol(const char *symbol) const;

  SharedLibrary library;
  const char *missing = nullptr;
};

/// The folders of Python packages on this machine: those of the active
/// environment, that of the package with this code, those of the user and of
/// the system.
std::vector<std::string> findPackageFolders();

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_SHAREDLIBRARY_H
