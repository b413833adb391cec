//===- Backend.h - What runs the steps --------------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_RUN_BACKEND_H
#define JOBMLIR_TOOLS_JOB_RUN_BACKEND_H

#include "jobrt/session.h"

#include "mlir/IR/BuiltinOps.h"

namespace jobrun {

/// Runs steps of an entry; variables live in the session at the ends.
class Backend {
public:
  virtual ~Backend() = default;
  /// Runs one step and returns copies of its outputs.
  virtual jobrt::Expected<std::vector<jobrt::Tensor>>
  run(const jobrt::EntryInfo &entry, std::vector<jobrt::Tensor> &inputs) = 0;
  /// Brings the session's variables up to date.
  virtual jobrt::Status finish() = 0;
};

/// Compiled code. `seconds` gets the time of each step without the copying of
/// outputs.
std::unique_ptr<Backend> createCompiledBackend(jobrt::Session &session,
                                               std::vector<double> &seconds);

/// The reference interpreter of the job `entry` of `module`, a module after the
/// train pipeline. The job's variables start as they are in the session, and
/// are written back at the end.
jobrt::Expected<std::unique_ptr<Backend>>
createReferenceBackend(jobrt::Session &session, mlir::ModuleOp module,
                       llvm::StringRef entry, std::vector<double> &seconds);

} // namespace jobrun

#endif // JOBMLIR_TOOLS_JOB_RUN_BACKEND_H
