//===- TemporaryFiles.cpp - Files that do not stay ------------------------===//

#include "JobDialect/Support/TemporaryFiles.h"

#include "JobDialect/Support/SystemError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

using namespace mlir;
using namespace mlir::job;

TemporaryFiles::~TemporaryFiles() {
  for (const std::string &path : paths) {
    (void)llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }
}

llvm::Expected<std::string> TemporaryFiles::create(StringRef suffix) {
  SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("jobmlir", suffix, path)) {
    SmallString<128> folder;
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
    return llvm::createStringError(code, "cannot make a temporary file in '" +
                                             folder.str().str() +
                                             "': " + describeSystemError(code));
  }
  llvm::sys::RemoveFileOnSignal(path);
  return paths.emplace_back(path.str());
}
