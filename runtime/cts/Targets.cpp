//===- Targets.cpp - The drivers that the suite runs on -------------------===//

#include "cts/Targets.h"
#include "unittests/DelayedDriver.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"
#include "unittests/cuda/CudaArtifact.h"

#include <ostream>

using namespace jobrt;
using namespace jobrt::cts;

/// Kernels that the host's compiler has made.
static std::string hostKernels() { return test::testKernels(); }

static std::shared_ptr<void> failHostCalls(Status status) {
  return std::make_shared<test::CallScope>(
      test::CallBehaviour{.beforeChunk = [status](int64_t chunk) {
        return chunk == 2 ? status : Status();
      }});
}

const std::vector<Target> &cts::targets() {
  static const std::vector<Target> rows = [] {
    test::registerTestCall();
    test::registerDelayedDriver();
    test::useTestCuda();
    return std::vector<Target>{
        {"host", hostKernels, failHostCalls},
        {"null", hostKernels, nullptr},
        {"cuda", test::cudaKernels, nullptr, test::cudaManifest},
        {"delayed", hostKernels, failHostCalls}};
  }();
  return rows;
}

void cts::PrintTo(const Target &target, std::ostream *os) {
  *os << target.driver;
}
