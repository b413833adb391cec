//===- Artifact.cpp - Writing artifacts -----------------------------------===//

#include "JobDialect/Target/Artifact.h"

#include "Container.h"
#include "Linker.h"
#include "ObjectEmission.h"

#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace mlir::job;

std::string job::getCompilerVersion() {
  return "jobmlir " JOBMLIR_VERSION ", LLVM " LLVM_VERSION_STRING;
}

LogicalResult job::writeArtifact(ModuleOp module,
                                 const TargetDescription &target,
                                 StringRef path) {
  // First what is quick and may refuse the module.
  FailureOr<std::string> manifest = buildManifest(module, target);
  if (failed(manifest))
    return failure();
  FailureOr<SmallVector<char, 0>> object = emitObject(module, target);
  if (failed(object))
    return failure();
  FailureOr<SmallVector<char, 0>> sharedObject =
      linkSharedObject(module.getLoc(), target, *object);
  if (failed(sharedObject))
    return failure();
  return writeContainer(module.getLoc(), *sharedObject, *manifest, path);
}
