//===- KernelCanonicalizer.cpp - Simpler kernels, same numbers ------------===//

#include "KernelCanonicalizer.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

std::unique_ptr<Pass> job::createKernelCanonicalizer() {
  // These convert an integer directly to the narrower type to which its
  // conversion to another one is rounded: a job asks for both roundings. They
  // have the names that the compiler of MLIR gives their classes, Clang or GCC.
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
