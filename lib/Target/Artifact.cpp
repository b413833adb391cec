//===- Artifact.cpp - Writing artifacts -----------------------------------===//

#include "JobDialect/Target/Artifact.h"

#include "Container.h"
#include "Linker.h"
#include "ObjectEmission.h"

#include "JobDialect/Support/SystemError.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"

#include <filesystem>

using namespace mlir;
using namespace mlir::job;

std::string job::getCompilerVersion() {
  return "jobmlir " JOBMLIR_VERSION ", LLVM " LLVM_VERSION_STRING;
}

static StringRef describe(llvm::sys::fs::file_type type) {
  using llvm::sys::fs::file_type;
  switch (type) {
  case file_type::directory_file:
    return "a folder";
  case file_type::fifo_file:
    return "a pipe";
  case file_type::socket_file:
    return "a socket";
  case file_type::block_file:
  case file_type::character_file:
    return "a device";
  default:
    return "something else";
  }
}

FailureOr<std::string> job::findOutputFile(Location loc, StringRef path) {
  namespace fs = std::filesystem;
  if (path == "-")
    return path.str();
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(path, status);
  if (!code && !llvm::sys::fs::is_regular_file(status))
    return emitError(loc) << "expects a regular file or none at '" << path
                          << "' but got " << describe(status.type());
  if (code && code != std::errc::no_such_file_or_directory)
    return emitError(loc) << "cannot write '" << path
                          << "': " << describeSystemError(code);
  // A chain of links has an end: stat() has just come to it.
  fs::path target(path.str());
  while (fs::is_symlink(fs::symlink_status(target, code))) {
    fs::path link = fs::read_symlink(target, code);
    if (code)
      return emitError(loc)
             << "cannot write '" << path << "': " << describeSystemError(code);
    // Relative to the folder of the link; an absolute path stays as it is.
    target = target.parent_path() / link;
  }
  return target.string();
}

LogicalResult job::writeArtifact(ModuleOp module,
                                 const TargetDescription &target,
                                 StringRef path) {
  // First what is quick and may refuse the module.
  FailureOr<std::string> manifest = buildManifest(module, target);
  if (failed(manifest))
    return failure();
  FailureOr<SmallVector<ObjectFile>> objects = emitObjects(module, target);
  if (failed(objects))
    return failure();
  FailureOr<SmallVector<char, 0>> sharedObject =
      linkSharedObject(module.getLoc(), target, *objects);
  if (failed(sharedObject))
    return failure();
  return writeContainer(module.getLoc(), *sharedObject, *manifest, path);
}
