//===- SharedLibrary.cpp - Libraries opened at run time -------------------===//

#include "drivers/cuda/SharedLibrary.h"
#include "simulators/cuda/kernel_abi.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <glob.h>

using namespace jobrt;
using namespace jobrt::cuda;

/// What matches a pattern, in alphabetic order.
static void addMatches(const std::string &pattern,
                       std::vector<std::string> &matches) {
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i)
      matches.push_back(found.gl_pathv[i]);
  globfree(&found);
}

std::vector<std::string> cuda::findPackageFolders() {
  std::vector<std::string> folders;
  auto addBelow = [&](const std::string &prefix) {
    for (const char *packages : {"/site-packages", "/dist-packages"})
      addMatches(prefix + "/lib/python3*" + packages, folders);
  };
  for (const char *variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *prefix = std::getenv(variable); prefix && *prefix)
      addBelow(prefix);
  // Beside the package whose extension module this code is in: no variable
  // tells of the environment of a Python that was started by its path.
  Dl_info object;
  std::error_code error;
  if (dladdr(reinterpret_cast<void *>(&cuda::findPackageFolders), &object) &&
      object.dli_fname)
    if (auto own = std::filesystem::canonical(object.dli_fname, error); !error)
      folders.push_back(own.parent_path().parent_path().string());
  if (const char *home = std::getenv("HOME"); home && *home)
    addBelow(std::string(home) + "/.local");
  addBelow("/usr/local");
  addBelow("/usr");
  return folders;
}

/// The files to try, in order.
static std::vector<std::string> findCandidates(const Api &api,
                                               const LibrarySearch &search) {
  if (const char *named = std::getenv(search.variable); named && *named)
    return {named};
  if (api.isSimulated) {
    size_t slash = api.path.rfind('/');
    std::string folder =
        slash == std::string::npos ? "" : api.path.substr(0, slash + 1);
    return {folder + search.simulated};
  }
  std::vector<std::string> candidates(search.names.begin(), search.names.end());
  for (const std::string &packages : findPackageFolders())
    for (const char *folder : search.packageFolders)
      for (const char *name : search.names)
        addMatches(packages + "/nvidia/" + folder + "/lib/" + name, candidates);
  return candidates;
}

Expected<SharedLibrary> cuda::openLibrary(const Api &api,
                                          const LibrarySearch &search) {
  std::vector<std::string> candidates = findCandidates(api, search);
  std::string reasons;
  for (const std::string &path : candidates) {
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char *reason = dlerror();
      reasons += std::string(reasons.empty() ? "" : "; ") +
                 (reason ? reason : "unknown reason");
      continue;
    }
    // The two would disagree about what a stream and an address are.
    bool isSimulated = dlsym(handle, JOBSIM_MARKER_SYMBOL) != nullptr;
    if (isSimulated != api.isSimulated)
      return Status(StatusCode::kInvalidArgument,
                    std::string("expects a ") + search.title + " for " +
                        (api.isSimulated ? "the simulated CUDA" : "CUDA") +
                        " but got '" + path + "'");
    return SharedLibrary{handle, path};
  }
  return Status(StatusCode::kNotFound,
                std::string("cannot open ") + search.title + ": " + reasons +
                    "; the environment variable " + search.variable +
                    " names the library's file");
}

void *FunctionLookup::findSymbol(const char *symbol) const {
  return dlsym(library.handle, symbol);
}

Status FunctionLookup::status(const char *newer) const {
  if (!missing)
    return {};
  return Status(StatusCode::kUnimplemented,
                "'" + library.path + "' has no function '" + missing +
                    "': expects " + newer);
}
