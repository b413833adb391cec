//===- UserCallScope.h - The user's functions on a thread -------*- C++ -*-===//

#ifndef JOBRT_LIB_EXECUTOR_USERCALLSCOPE_H
#define JOBRT_LIB_EXECUTOR_USERCALLSCOPE_H

#include <utility>

namespace jobrt {

/// A user's function runs on this thread, called by `owner`, as long as the
/// scope lives. Scopes nest: the function may use other sessions, which call
/// functions of theirs. Does not allocate.
template <typename Owner> class UserCallScope {
public:
  explicit UserCallScope(const Owner &owner)
      : owner(owner), outer(std::exchange(innermost, this)) {}
  ~UserCallScope() { innermost = outer; }
  UserCallScope(const UserCallScope &) = delete;
  UserCallScope &operator=(const UserCallScope &) = delete;

  /// Whether this thread runs a function that `owner` called.
  static bool isInside(const Owner &owner) {
    for (const UserCallScope *scope = innermost; scope; scope = scope->outer)
      if (&scope->owner == &owner)
        return true;
    return false;
  }

private:
  const Owner &owner;
  const UserCallScope *const outer;
  static inline constinit thread_local const UserCallScope *innermost = nullptr;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_USERCALLSCOPE_H
