//===- TestCalls.h - Library functions that tests steer ---------*- C++ -*-===//
//
// `test.call` copies its first buffer to its second one, chunk by chunk, and
// does what the test has asked for besides.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_TESTCALLS_H
#define JOBRT_UNITTESTS_TESTCALLS_H

#include "drivers/host/LibraryCall.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace jobrt::test {

/// What `test.call` does before each chunk and in finish(); null does nothing.
struct CallBehaviour {
  std::function<Status(int64_t chunk)> beforeChunk = nullptr;
  std::function<Status()> atFinish = nullptr;
};

/// Gives `test.call` that behaviour until the end of the
/// scope. One at a time; steps in flight end before it does.
class CallScope {
public:
  explicit CallScope(CallBehaviour behaviour = {});
  ~CallScope();
};

/// Makes `test.call` known to the runtime; loading a test artifact does it.
void registerTestCall();

/// Something that threads wait for until the test lets them go.
class Gate {
public:
  ~Gate() { open(); }
  void wait();
  void open();
  /// Blocks until that many threads wait or have waited.
  void waitForArrivals(int count);

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool isOpen = false;
  int arrivals = 0;
};

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_TESTCALLS_H
