//===- KernelCanonicalizer.cpp - Simpler kernels, same numbers ------------===//

#include "KernelCanonicalizer.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

std::unique_ptr<Pass> job::createKernelCanonicalizer() {
  // An integer that is converted to one type of floats and rounded to a
  // narrower one is not converted to that directly: a job may ask for both
  // roundings, and the compiler for the first one, which is exact, where LLVM
  // would go through f32. Patterns have the names that the compiler of MLIR
  // gives their classes: Clang's and GCC's.
  SmallVector<std::string> disabled;
  for (StringRef scope : {"(anonymous namespace)", "{anonymous}"})
    for (StringRef name : {"TruncFSIToFPToSIToFP", "TruncFUIToFPToUIToFP"})
      disabled.push_back((scope + "::" + name).str());
  // The defaults of the pass, which are not those of the configuration.
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
  return createCanonicalizerPass(config, disabled);
}
