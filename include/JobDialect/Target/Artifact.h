//===- Artifact.h - Writing artifacts ---------------------------*- C++ -*-===//
//
// See docs/artifact.md for the file.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_TARGET_ARTIFACT_H
#define JOBDIALECT_TARGET_ARTIFACT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::job {

/// The target of code generation.
struct TargetDescription {
  std::string triple, cpu;
  /// LLVM's feature string for code generation ("+avx2,-amx-tile").
  std::string features;
  /// The features that a machine needs to run the code, without signs, as the
  /// runtime names them (docs/artifact.md).
  std::vector<std::string> requiredFeatures;
  /// More features of the processor, that functions of libraries may use. A
  /// machine needs those that a call of the artifact uses.
  std::vector<std::string> callFeatures;

  /// Checks the names against LLVM's tables (LLVM would abort on a wrong one).
  /// `cpu` may be "native"; `features` may be empty. Errors at `loc`.
  static FailureOr<TargetDescription> create(Location loc, StringRef cpu,
                                             StringRef features);
};

/// TargetDescription::callFeatures for these names; without errors.
std::vector<std::string> getCallFeatures(StringRef cpu, StringRef features);

/// The manifest, as JSON text, of a module after the lower pipeline.
FailureOr<std::string> buildManifest(ModuleOp module,
                                     const TargetDescription &target);

/// "jobmlir 0.1.0, LLVM 22.1.8".
std::string getCompilerVersion();

/// The file to write for a user's `path`, which need not exist. Follows links,
/// so that a rename replaces their target and not the link. Emits an error at
/// `loc` if the target exists and is not a regular file. "-", which is standard
/// output, stays.
FailureOr<std::string> findOutputFile(Location loc, StringRef path);

/// Translates the kernels and constants of a lowered module to machine code,
/// links them in process and writes the artifact `path`, under a temporary name
/// that is then renamed, so that an existing link is replaced, not followed; or
/// to standard output for "-".
LogicalResult writeArtifact(ModuleOp module, const TargetDescription &target,
                            StringRef path);

/// True if `path` is a complete artifact of this format: sizes and checksums of
/// its footer are correct. The loader has further checks.
bool isIntactArtifact(StringRef path);

} // namespace mlir::job

#endif // JOBDIALECT_TARGET_ARTIFACT_H
