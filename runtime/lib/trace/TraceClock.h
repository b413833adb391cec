//===- TraceClock.h - Time stamps that cost next to nothing -----*- C++ -*-===//
//
// Ticks of the processor's own constant-rate counter, about ten nanoseconds a
// look. A recorder turns them into nanoseconds by looking at the system's clock
// at its two ends. All cores of a machine count together.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_TRACE_TRACECLOCK_H
#define JOBRT_LIB_TRACE_TRACECLOCK_H

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace jobrt {

/// Ticks of an arbitrary unit since an arbitrary moment; never 0.
inline uint64_t traceClock() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

/// The same moment on both clocks.
struct ClockPair {
  uint64_t ticks;
  std::chrono::steady_clock::time_point time;

  /// Of several tries the one in which least time passed between two looks.
  static ClockPair now();
};

} // namespace jobrt

#endif // JOBRT_LIB_TRACE_TRACECLOCK_H
