//===- MixedArtifact.h - Artifacts of two devices for tests -----*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_MIXEDARTIFACT_H
#define JOBRT_UNITTESTS_MIXEDARTIFACT_H

#include "unittests/TestArtifact.h"

namespace jobrt::test {

/// The manifest of TestArtifact.h for two devices: cpu0 with queues 0 and 1,
/// and dev1, of that kind, with queue 2. 'weight' is on dev1, 'count' on cpu0.
///   jobmlir_init  on both
///   train_job     product and update of the weight on dev1, count and results
///                 on cpu0:
///     0 x to dev1  1 product  2 product to cpu0  3 weight += x  4 count += 1
///     5 product to the output  6 count to the output
///   predict_job   on cpu0, which reads a copy of the weight
///   copy_job      on cpu0 alone
///   other_job     on dev1 alone: y = x * weight + constant
///   repeat_job    y = x, by rows of 16 that go through both devices, and
///                 count += 1 for each; then output 'count'
nlohmann::json mixedManifest(const char *kind = "host");

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_MIXEDARTIFACT_H
