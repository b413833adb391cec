//===- status.h - Error values ----------------------------------*- C++ -*-===//
//
// The runtime reports every failure as a value: a code, a message in lower
// case, and the user's location if the failure belongs to a command of a plan.
// No function of the runtime throws, aborts or prints.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_STATUS_H
#define JOBRT_STATUS_H

#include "jobrt/export.h"

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace jobrt {

/// The kind of a failure. Python maps each to one exception class.
enum class StatusCode {
  kOk = 0,
  kInvalidArgument,   ///< wrong shape, dtype, count or name in a call
  kNotFound,          ///< no such entry, variable or file
  kAlreadyExists,     ///< saving to a folder that is not empty
  kDataLoss,          ///< damaged, truncated or wrong file format
  kUnimplemented,     ///< unsupported version, target or callee
  kResourceExhausted, ///< memory or disk
  kIo,                ///< a read or write failed
  kCancelled,         ///< the session was cancelled before the step ran
  kInternal,
  kNotFinite, ///< a checked step computed a NaN or an infinity
};

/// Stable lower-case name of a code ("invalid argument").
JOBRT_API const char *statusCodeName(StatusCode code);

/// Success, or a code with a message and, if known, the user's location.
/// Cheap to move; success does not allocate.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode code, std::string message, std::string location = {})
      : payload(code == StatusCode::kOk
                    ? nullptr
                    : std::make_shared<const Payload>(Payload{
                          code, std::move(message), std::move(location)})) {}

  bool ok() const { return !payload; }
  StatusCode code() const { return payload ? payload->code : StatusCode::kOk; }
  const std::string &message() const {
    return payload ? payload->message : empty();
  }
  const std::string &location() const {
    return payload ? payload->location : empty();
  }
  /// "location: message", or the message alone.
  std::string toString() const {
    return location().empty() ? message() : location() + ": " + message();
  }

private:
  struct Payload {
    StatusCode code;
    std::string message, location;
  };
  static const std::string &empty() {
    static const std::string text;
    return text;
  }
  std::shared_ptr<const Payload> payload;
};

/// A value, or the Status with the reason why there is none.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : stored(std::move(value)) {}
  Expected(Status status) : error(std::move(status)) {
    assert(!error.ok() && "an Expected without a value needs an error");
  }
  bool ok() const { return stored.has_value(); }
  const Status &status() const { return error; }
  T &operator*() {
    assert(ok());
    return *stored;
  }
  const T &operator*() const {
    assert(ok());
    return *stored;
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

private:
  std::optional<T> stored;
  Status error;
};

} // namespace jobrt

#endif // JOBRT_STATUS_H
