//===- VendorPlans.cpp - What cuDNN runs an artifact's calls with ---------===//
//
//   jobrt_vendor_plans [ARTIFACT]
//
// Prepares each call of cuDNN that an artifact has for each GPU of
// VendorCudnn.h, which need not be there, with the vendor's library. Prints
// what it runs them with, or without an artifact the library's version. Ends
// with 1 after an error.
//
//===----------------------------------------------------------------------===//

#include "unittests/cuda/VendorCudnn.h"
#include "unittests/cuda/VendorLeaks.h"

#include <algorithm>
#include <cstdio>

using namespace jobrt;
using namespace jobrt::cuda::cudnn;
using namespace jobrt::test;

static int run(const Artifact &artifact, const VendorGpu &gpu) {
  auto vendor = VendorCudnn::open(gpu);
  if (!vendor.ok()) {
    std::fprintf(stderr, "%s\n", vendor.status().toString().c_str());
    return 1;
  }
  ExecutionPlans plans((*vendor)->api(), /*handle=*/nullptr);
  // As long as a call lives, equal ones have its plan.
  std::vector<std::unique_ptr<cuda::Call>> calls;
  int result = 0;
  for (const EntryInfo &entry : artifact.entries())
    for (const Command &command : entry.commands) {
      if (command.kind != Command::Kind::kCall ||
          command.callee.compare(0, 6, "cudnn.") != 0)
        continue;
      auto call = prepareCall(plans, (*vendor)->context(), command);
      std::printf("%s: %s: %s\n", gpu.name, command.callee.c_str(),
                  call.ok() ? (*call)->algorithm().c_str()
                            : call.status().toString().c_str());
      if (call.ok())
        calls.push_back(std::move(*call));
      else
        result = 1;
    }
  return result;
}

int main(int argc, char **argv) {
  VendorLeaks leaks;
  if (argc < 2) {
    auto vendor = VendorCudnn::open(kVendorGpus[0]);
    if (!vendor.ok()) {
      std::fprintf(stderr, "%s\n", vendor.status().toString().c_str());
      return 1;
    }
    std::printf("%zu\n", (*vendor)->api().version);
    return 0;
  }
  auto artifact = Artifact::load(argv[1]);
  if (!artifact.ok()) {
    std::fprintf(stderr, "%s\n", artifact.status().toString().c_str());
    return 1;
  }
  int result = 0;
  for (const VendorGpu &gpu : kVendorGpus)
    result = std::max(result, run(**artifact, gpu));
  return result;
}
