//===- Compiler.h - From a module to an artifact ----------------*- C++ -*-===//

#ifndef JOBDIALECT_PIPELINES_COMPILER_H
#define JOBDIALECT_PIPELINES_COMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir::job {

struct PipelineOptions;

struct CompilerOptions {
  /// LLVM's name of the processor ("native" for that of this machine) and its
  /// features ("+avx512f,-amx-tile"; empty for the defaults of the processor).
  std::string cpu = "native", features;
  /// Options of the pipelines, see Pipelines.h.
  bool simplify = true, fuse = true;
  std::string packing = "best";
  bool schedule = true, inPlace = true, epilogues = true;
  bool joinLaunches = true;
  std::string queues = "auto";
  bool layouts = true;
  bool checkNumerics = false;
  int64_t memoryBudget = 0;
  std::string precision = "f32";
  bool tf32 = false;
  /// The kind of device of jobs without a placement: "cpu" or "gpu".
  std::string device = "cpu";
  /// The GPUs to make code for (JobDialect/Support/Targets.h).
  std::vector<std::string> gpuTargets = {"sm_90"};
};

/// Copies the options of the pipelines.
void setPipelineOptions(PipelineOptions &pipeline,
                        const CompilerOptions &options);

/// The number of the GPU that jobs of the module, at any stage of the
/// pipelines, run on; nothing if they run on the CPU.
std::optional<int64_t> findGPU(ModuleOp module, const CompilerOptions &options);

/// The entry of CompilerOptions::gpuTargets for a device that runs code of the
/// target `device`: the last GPU of its generation that code is made for, up to
/// the device itself. For a later generation, PTX of the last capability. For
/// an earlier one, `device`, which compiling refuses.
std::string selectGPUTarget(StringRef device);

/// Compiles every job of `module`, which may be at any stage of the pipelines
/// and is lowered in place, into the artifact `path`. Links are followed; the
/// file is written under a temporary name and renamed. Errors are diagnostics
/// of the module's context.
LogicalResult compileToArtifact(ModuleOp module, const CompilerOptions &options,
                                StringRef path);

/// The same with the compile cache: the name of the artifact is a hash of the
/// module with its locations, the options, the target and the compiler's
/// version. Its folder is `cacheDirectory` (empty: $JOBMLIR_CACHE_DIR, else
/// $XDG_CACHE_HOME/jobmlir, else ~/.cache/jobmlir), which is created with mode
/// 0700 and rejected if another user may write it. A compilation removes what
/// $JOBMLIR_CACHE_POLICY says, in the form of LLVM's parseCachePruningPolicy():
/// by default what was not used for 30 days, and what was not used for longest
/// above 4 GiB; at most every 20 minutes. A link in place of the
/// artifact is replaced if its target is not an artifact. Returns the path.
/// `module` does not change.
FailureOr<std::string> compileThroughCache(ModuleOp module,
                                           const CompilerOptions &options,
                                           StringRef cacheDirectory = "");

} // namespace mlir::job

#endif // JOBDIALECT_PIPELINES_COMPILER_H
