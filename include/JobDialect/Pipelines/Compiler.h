//===- Compiler.h - From a module to an artifact ----------------*- C++ -*-===//

#ifndef JOBDIALECT_PIPELINES_COMPILER_H
#define JOBDIALECT_PIPELINES_COMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::job {

struct PipelineOptions;

struct CompilerOptions {
  /// LLVM's name of the processor ("native" for this machine's) and its
  /// features ("+avx512f,-amx-tile"; empty for those of the processor).
  std::string cpu = "native", features;
  /// Options of the pipelines, see Pipelines.h.
  bool simplify = true, fuse = true;
  std::string packing = "best";
  bool schedule = true, inPlace = true;
  bool checkNumerics = false;
  int64_t memoryBudget = 0;
};

/// Copies what concerns the pipelines.
void setPipelineOptions(PipelineOptions &pipeline,
                        const CompilerOptions &options);

/// Compiles every job of `module` (any stage of the pipelines; left as the
/// lowered module) into the artifact `path`, links followed, written under a
/// temporary name and renamed. Errors are diagnostics of the module's context.
LogicalResult compileToArtifact(ModuleOp module, const CompilerOptions &options,
                                StringRef path);

/// The same through the compile cache: the artifact's name is a hash of the
/// module with its locations, the options, the target and the compiler's
/// version, in `cacheDirectory` (empty: $JOBMLIR_CACHE_DIR, else
/// $XDG_CACHE_HOME/jobmlir, else ~/.cache/jobmlir), which is made with mode
/// 0700 and refused when another user may write it. A link in place of the
/// artifact is replaced where it leads to none. Returns the path. `module`
/// is left as it is.
FailureOr<std::string> compileThroughCache(ModuleOp module,
                                           const CompilerOptions &options,
                                           StringRef cacheDirectory = "");

} // namespace mlir::job

#endif // JOBDIALECT_PIPELINES_COMPILER_H
