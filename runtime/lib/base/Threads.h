//===- Threads.h - Helpers around threads -----------------------*- C++ -*-===//

#ifndef JOBRT_LIB_BASE_THREADS_H
#define JOBRT_LIB_BASE_THREADS_H

#include "jobrt/status.h"

#include <functional>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace jobrt {

/// Starts a thread with that name (15 characters are shown by tools). Fails
/// with kResourceExhausted when the system has no more threads.
Expected<std::thread> startThread(const char *name, std::function<void()> body);

/// Tells the core that this thread spins.
inline void cpuPause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Rounding to nearest and IEEE denormals for one step, on whatever thread it
/// runs: a user's thread may have other settings (other frameworks change
/// them), and the bits of a result must not depend on that.
class FloatEnvironmentScope {
public:
#if defined(__x86_64__)
  FloatEnvironmentScope() : saved(_mm_getcsr()) { _mm_setcsr(kDefault); }
  ~FloatEnvironmentScope() { _mm_setcsr(saved); }

private:
  /// All exceptions masked, nothing flushed to zero, nearest even.
  static constexpr unsigned kDefault = 0x1f80;
  unsigned saved;
#else
  FloatEnvironmentScope() {
    std::fegetenv(&saved);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironmentScope() { std::fesetenv(&saved); }

private:
  std::fenv_t saved;
#endif
public:
  FloatEnvironmentScope(const FloatEnvironmentScope &) = delete;
  FloatEnvironmentScope &operator=(const FloatEnvironmentScope &) = delete;
};

} // namespace jobrt

#endif // JOBRT_LIB_BASE_THREADS_H
