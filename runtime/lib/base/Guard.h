//===- Guard.h - Running out of memory is an error value --------*- C++ -*-===//

#ifndef JOBRT_LIB_BASE_GUARD_H
#define JOBRT_LIB_BASE_GUARD_H

#include "jobrt/status.h"

#include <new>

namespace jobrt {

/// For where not even the text of an error can be allocated.
inline const Status noMemoryLeft(StatusCode::kResourceExhausted,
                                 "no memory left");

/// Calls `function`, which returns a Status or an Expected. The standard
/// library reports a failed allocation by throwing; the runtime's callers get
/// a status (kResourceExhausted) that says what there was no memory for.
template <typename Function>
auto withoutThrowing(const char *purpose, Function function)
    -> decltype(function()) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    try {
      return Status(StatusCode::kResourceExhausted,
                    std::string("no memory left to ") + purpose);
    } catch (const std::bad_alloc &) {
      return noMemoryLeft;
    }
  }
}

} // namespace jobrt

#endif // JOBRT_LIB_BASE_GUARD_H
