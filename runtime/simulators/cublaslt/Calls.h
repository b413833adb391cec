//===- Calls.h - What calls of the stand-in for cuBLASLt share --*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUBLASLT_CALLS_H
#define JOBRT_SIMULATORS_CUBLASLT_CALLS_H

#include "simulators/cublaslt/State.h"

namespace jobsim::cublaslt {

/// The beginning of each function: counts the call. Returns the error of an
/// injected failure, `failure` unless another one was asked for.
Result begin(const char *function, Result failure);
/// Why a call fails.
Result refuse(Result result, const std::string &reason);
/// Whether an object has been made and not destroyed.
bool exists(const void *object);

} // namespace jobsim::cublaslt

#endif // JOBRT_SIMULATORS_CUBLASLT_CALLS_H
