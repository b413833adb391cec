//===- Targets.h - The drivers that the suite runs on -----------*- C++ -*-===//
//
// A driver joins the suite with a row in Targets.cpp: its name, and an ELF part
// with the kernels of unittests/TestArtifact.h for its device.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CTS_TARGETS_H
#define JOBRT_CTS_TARGETS_H

#include "jobrt/status.h"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <memory>
#include <vector>

namespace jobrt::cts {

struct Target {
  /// As in SessionOptions.
  const char *driver;
  /// The bytes of the ELF part of the suite's artifacts: kernels with the
  /// numbers and results that testManifest() describes.
  std::string (*kernels)();
  /// Makes chunk 2 of each call of the library function `test.call` fail with
  /// `status` until the result is destroyed. Null for a driver without library
  /// functions.
  std::shared_ptr<void> (*failCalls)(Status status);
  /// What makes of a manifest of TestArtifact.h one for the device; null for
  /// none.
  nlohmann::json (*adapt)(nlohmann::json manifest) = nullptr;
};

/// All of them; what they need is known to the runtime.
const std::vector<Target> &targets();

/// The name, in messages of tests.
void PrintTo(const Target &target, std::ostream *os);

} // namespace jobrt::cts

#endif // JOBRT_CTS_TARGETS_H
