//===- Interrupt.h - Waits that a function can end --------------*- C++ -*-===//

#ifndef JOBRT_LIB_EXECUTOR_INTERRUPT_H
#define JOBRT_LIB_EXECUTOR_INTERRUPT_H

#include "jobrt/status.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace jobrt {

/// SessionOptions::interrupted, or nothing: then waits last to their end.
class Interrupt {
public:
  Interrupt() = default;
  explicit Interrupt(std::function<bool()> function)
      : function(std::move(function)) {}

  /// Blocks until `condition` holds; false if the function has ended the wait.
  /// With the lock held, which it releases meanwhile.
  template <typename Condition>
  bool wait(std::condition_variable &variable,
            std::unique_lock<std::mutex> &lock, Condition condition) const {
    if (!function) {
      variable.wait(lock, condition);
      return true;
    }
    while (!variable.wait_for(lock, kInterval, condition)) {
      lock.unlock();
      bool ends = function();
      lock.lock();
      if (ends)
        return false;
    }
    return true;
  }

  /// The error of a call whose wait has been ended.
  static Status status() {
    return Status(StatusCode::kCancelled, "the wait was interrupted");
  }

private:
  static constexpr std::chrono::milliseconds kInterval{50};

  std::function<bool()> function;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_INTERRUPT_H
