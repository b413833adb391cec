//===- CallTest.cpp - Running library calls on their own ------------------===//

#include "unittests/CallTest.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;

static constexpr int kGuardByte = 0x5a;

GuardedBuffer::GuardedBuffer(int64_t bytes) : size(bytes) {
  int64_t total = (bytes + 2 * kGuard + 63) / 64 * 64;
  storage.reset(static_cast<char *>(std::aligned_alloc(64, total)));
  std::memset(storage.get(), kGuardByte, total);
  poison();
}

void GuardedBuffer::fillRandom(std::mt19937_64 &random) {
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::generate_n(data(), count(), [&] { return uniform(random); });
}

void GuardedBuffer::poison() {
  std::fill_n(data(), count(), std::numeric_limits<float>::quiet_NaN());
}

bool GuardedBuffer::guardsIntact() const {
  auto intact = [](const char *begin, const char *end) {
    return std::all_of(begin, end, [](char c) { return c == kGuardByte; });
  };
  const char *start = storage.get();
  return intact(start, start + kGuard) &&
         intact(start + kGuard + size, start + 2 * kGuard + size);
}

/// Runs the chunks on threads that fetch the next one.
static Status runOnThreads(LibraryCall &call, int64_t chunks, void *const *args,
                           int numThreads) {
  std::atomic<int64_t> next{0};
  std::vector<Status> statuses(numThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      prepareLibraryThread();
      for (int64_t chunk; (chunk = next.fetch_add(1)) < chunks;)
        if (Status status = call.execute(args, chunk); !status.ok())
          statuses[i] = status;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Status &status : statuses)
    if (!status.ok())
      return status;
  return {};
}

Status test::runCall(LibraryCall &call, int64_t chunks, void *const *args,
                     ChunkOrder order) {
  LibraryThreadScope scope;
  Status status;
  switch (order) {
  case ChunkOrder::kForward:
    for (int64_t i = 0; i < chunks && status.ok(); ++i)
      status = call.execute(args, i);
    break;
  case ChunkOrder::kBackward:
    for (int64_t i = chunks; i-- > 0 && status.ok();)
      status = call.execute(args, i);
    break;
  case ChunkOrder::kThreads2:
    status = runOnThreads(call, chunks, args, 2);
    break;
  case ChunkOrder::kThreads4:
    status = runOnThreads(call, chunks, args, 4);
    break;
  }
  return status.ok() ? call.finish(args) : status;
}

Expected<std::unique_ptr<LibraryCall>>
test::createCall(const Command &command) {
  std::optional<LibraryCallEntry> entry = findLibraryCall(command.callee);
  if (!entry)
    return Status(StatusCode::kUnimplemented, "no call " + command.callee);
  return entry->create(command);
}

void test::expectClose(const float *got, const std::vector<double> &exact,
                       int64_t terms, double magnitude) {
  double largest = magnitude, worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    largest = std::max(largest, std::abs(exact[i]));
    double error = std::abs(got[i] - exact[i]);
    if (!(error <= worst)) {
      worst = error;
      at = i;
    }
  }
  EXPECT_LE(worst, 1e-6 * std::sqrt(double(terms)) * largest)
      << "element " << at << ": " << got[at] << " against " << exact[at];
}
