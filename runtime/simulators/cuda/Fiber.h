//===- Fiber.h - A stack that a thread of a kernel runs on ------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_FIBER_H
#define JOBRT_SIMULATORS_CUDA_FIBER_H

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace jobsim {

/// A stack of 64 KiB with a guard page below, and where it goes on. It may be
/// left for good in the middle of a function: code of kernels has no unwind
/// tables, so a fault cannot return through it; the frames are forgotten, with
/// whatever they own.
class Fiber {
public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// The next resume() calls `entry` on the empty stack. When it returns, the
  /// fiber is suspended for good.
  void start(void (*entry)(void *), void *argument);
  /// Runs the fiber until it suspends itself.
  void resume();
  /// On the fiber: goes back to who has resumed it, and returns at the next
  /// resume().
  void suspend();

private:
  static void begin(boost::context::detail::transfer_t from);

  void *mapping;
  size_t mappingBytes;
  /// The stack begins below the end of the mapping.
  size_t shift;
  boost::context::detail::fcontext_t inside = nullptr, caller = nullptr;
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  // For AddressSanitizer and ThreadSanitizer, which follow stacks.
  const void *callerStack = nullptr;
  size_t callerBytes = 0;
  void *insideThread = nullptr, *callerThread = nullptr;
};

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_FIBER_H
