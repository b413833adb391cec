//===- TestArtifact.h - Artifacts for tests ---------------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_TESTARTIFACT_H
#define JOBRT_UNITTESTS_TESTARTIFACT_H

#include "jobrt/session.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace jobrt::test {

inline constexpr int64_t kBlobSize = 64;

/// A manifest with two variables, 'weight' (64xf32) and 'count' (1xi64), and
/// the entries
///   jobmlir_init  weight = seed + i, count = 0
///   train_job     product = x * weight (old); weight += x; count += 1
///   predict_job   sum = x * weight + constant
///   copy_job      output = x through 'test.call', a call of TestCalls.h, in 4
///                 chunks; then count = 0 and output 'count'
nlohmann::json testManifest();

/// The same where output 'product' of train_job has as many rows as its output
/// 'count' says.
nlohmann::json boundedManifest();

/// The same with another entry,
///   queue_job  y = (x * weight (old) + constant) * weight (new);
///              weight += x; count += 1
/// on two queues:
///   queue 0             queue 1
///   0 product           2 copy x through 'test.call', in 4 chunks
///   1 record event 0    3 wait for event 0
///   6 add the constant  4 weight += copy
///   7 wait for event 1  5 record event 1
///   8 y                 9 count += 1
nlohmann::json queueManifest();

/// The same with another entry,
///   host_job   y = twice(x), and shows y to 'watch'
/// where 'twice' (0) and 'watch' (1) are functions of the session.
nlohmann::json hostCallManifest();

/// Bytes of the ELF part: kernels as `testManifest()` wants them. With
/// `replaced`, other code under the same names.
std::string testKernels(bool replaced = false);

/// An artifact's bytes from its parts.
std::string makeContainer(const std::string &elf, const std::string &manifest,
                          uint32_t version = JOBRT_FORMAT_VERSION);

/// Writes a checksum of bytes 0 to 59 into the footer.
void fixFooter(std::string &container);

void writeFile(const std::string &path, const std::string &bytes);

/// A folder of this test, removed at the end: in `parent`, or where temporary
/// files go.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string &parent = {});
  ~TemporaryFolder();
  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

/// Gives up the rights of root for a while; does nothing for other users.
class Unprivileged {
public:
  Unprivileged();
  ~Unprivileged();

private:
  bool isRoot;

public:
  /// Whether the user has no rights of root now.
  bool ok;
};

/// Loads an artifact from memory by way of a file.
Expected<std::shared_ptr<const Artifact>>
loadContainer(const std::string &bytes);

/// Loads an artifact with the test's kernels; a failure is a test's failure.
std::shared_ptr<const Artifact>
loadTestArtifact(const nlohmann::json &manifest = testManifest());

/// A session on loadTestArtifact(). A driver named by JOBRT_TEST_DRIVER
/// replaces the default one.
std::unique_ptr<Session>
makeSession(SessionOptions options = {},
            const nlohmann::json &manifest = testManifest());

/// A blob whose i-th element is `start + i * step`.
class Blob {
public:
  explicit Blob(float start = 0, float step = 0);
  TensorView view() { return {DType::kF32, {kBlobSize}, values.data()}; }
  std::vector<float> values;
};

/// The elements of a view of floats.
std::vector<float> floats(const TensorView &view);

/// `text` contains `part`.
testing::AssertionResult contains(const std::string &text,
                                  const std::string &part);

/// A seed for random tests, from the environment (JOBRT_TEST_SEED) or new;
/// prints it.
uint64_t testSeed();

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_TESTARTIFACT_H
