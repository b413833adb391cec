//===- CompilerFlags.h - Options of everything that compiles ----*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_COMPILERFLAGS_H
#define JOBMLIR_TOOLS_COMMON_COMPILERFLAGS_H

#include "JobDialect/Pipelines/Compiler.h"

#include "llvm/Support/CommandLine.h"

namespace jobmlir {

/// The compiler's options as job-compile and job-run take them. LLVM's parser
/// keeps pointers to its options: make one that is static.
class CompilerFlags {
public:
  explicit CompilerFlags(llvm::cl::OptionCategory &category)
      : cpu("mcpu",
            llvm::cl::desc("Processor to compile for (default: native)"),
            llvm::cl::init("native"), llvm::cl::cat(category)),
        features("mattr",
                 llvm::cl::desc("Its features, as \"+avx512f,-amx-tile\""),
                 llvm::cl::cat(category)),
        simplify("simplify", llvm::cl::desc("Simplify the jobs"),
                 llvm::cl::init(true), llvm::cl::cat(category)),
        fuse("fuse", llvm::cl::desc("Group several ops into one kernel"),
             llvm::cl::init(true), llvm::cl::cat(category)),
        packing("packing", llvm::cl::desc("Strategy of plan-pack-memory"),
                llvm::cl::init("best"), llvm::cl::cat(category)) {}

  /// What the command line said.
  mlir::job::CompilerOptions get() const {
    return {cpu, features, simplify, fuse, packing};
  }

private:
  llvm::cl::opt<std::string> cpu, features;
  llvm::cl::opt<bool> simplify, fuse;
  llvm::cl::opt<std::string> packing;
};

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_COMPILERFLAGS_H
