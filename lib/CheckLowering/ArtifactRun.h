//===- ArtifactRun.h - A module compiled, loaded and run --------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CHECKLOWERING_ARTIFACTRUN_H
#define JOBDIALECT_LIB_CHECKLOWERING_ARTIFACTRUN_H

#include "JobDialect/Reference/Interpreter.h"
#include "JobDialect/Support/TemporaryFiles.h"

#include "jobrt/session.h"

#include <memory>

namespace mlir::job {

/// An artifact in a temporary file, and a session on it. Errors are diagnostics
/// at the module that it was made of.
class ArtifactRun {
public:
  /// `lowered` has come through the whole pipeline.
  static FailureOr<std::unique_ptr<ArtifactRun>> create(ModuleOp lowered);

  /// Fills the variables by the artifact's own initializer.
  LogicalResult initialize(int64_t seed);
  /// Gives the variables these values, those of the artifact's that are there.
  LogicalResult
  setVariables(const std::map<std::string, ReferenceTensor> &variables);
  FailureOr<ReferenceTensor> getVariable(StringRef name, BlobType type);
  /// Runs a job with results of these types.
  LogicalResult run(StringRef job, ArrayRef<ReferenceTensor> inputs,
                    TypeRange resultTypes,
                    SmallVectorImpl<ReferenceTensor> &results);

private:
  explicit ArtifactRun(Location loc) : loc(loc) {}
  LogicalResult fail(const jobrt::Status &status);

  Location loc;
  /// The artifact, which goes after the session.
  TemporaryFiles files;
  std::unique_ptr<jobrt::Session> session;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CHECKLOWERING_ARTIFACTRUN_H
