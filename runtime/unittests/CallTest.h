//===- CallTest.h - Running library calls on their own ----------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CALLTEST_H
#define JOBRT_UNITTESTS_CALLTEST_H

#include "drivers/host/LibraryCall.h"
#include "unittests/CallCommand.h"
#include "unittests/TestArtifact.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace jobrt::test {

/// 64-byte aligned floats with guard lines around them.
class GuardedBuffer {
public:
  explicit GuardedBuffer(int64_t bytes);
  float *data() { return reinterpret_cast<float *>(storage.get() + kGuard); }
  int64_t bytes() const { return size; }
  int64_t count() const { return size / int64_t(sizeof(float)); }
  void fillRandom(std::mt19937_64 &random);
  /// NaNs: whatever is used before it is written shows.
  void poison();
  /// Whether the bytes around are as they were.
  bool guardsIntact() const;

private:
  static constexpr int64_t kGuard = 4096;
  struct Free {
    void operator()(char *pointer) const { free(pointer); }
  };
  int64_t size;
  std::unique_ptr<char, Free> storage;
};

/// Orders in which the chunks of one step are run.
enum class ChunkOrder { kForward, kBackward, kThreads2, kThreads4 };
inline constexpr ChunkOrder kChunkOrders[] = {
    ChunkOrder::kForward, ChunkOrder::kBackward, ChunkOrder::kThreads2,
    ChunkOrder::kThreads4};

/// Runs all chunks and finish().
Status runCall(LibraryCall &call, int64_t chunks, void *const *args,
               ChunkOrder order);

/// Looks the callee up and makes the call.
Expected<std::unique_ptr<LibraryCall>> createCall(const Command &command);

/// `got` against `exact`, relative to the largest magnitude of `exact`, or to
/// `magnitude` where that is larger (of terms that cancel), with an allowance
/// of 1e-6 * sqrt(terms).
void expectClose(const float *got, const std::vector<double> &exact,
                 int64_t terms, double magnitude = 0);

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CALLTEST_H
