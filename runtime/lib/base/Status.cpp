//===- Status.cpp - Names of error codes ----------------------------------===//

#include "jobrt/status.h"

using namespace jobrt;

const char *jobrt::statusCodeName(StatusCode code) {
  switch (code) {
  case StatusCode::kOk:
    return "ok";
  case StatusCode::kInvalidArgument:
    return "invalid argument";
  case StatusCode::kNotFound:
    return "not found";
  case StatusCode::kAlreadyExists:
    return "already exists";
  case StatusCode::kDataLoss:
    return "data loss";
  case StatusCode::kUnimplemented:
    return "unimplemented";
  case StatusCode::kResourceExhausted:
    return "resource exhausted";
  case StatusCode::kIo:
    return "input/output error";
  case StatusCode::kCancelled:
    return "cancelled";
  case StatusCode::kInternal:
    return "internal error";
  case StatusCode::kNotFinite:
    return "not finite";
  }
  return "unknown error";
}
