//===- SystemError.h - What the system says of an error ---------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_SYSTEMERROR_H
#define JOBDIALECT_SUPPORT_SYSTEMERROR_H

#include <string>
#include <system_error>

namespace mlir::job {

/// The system's text for an error, in lower case as all messages are: "no such
/// file or directory".
std::string describeSystemError(std::error_code code);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_SYSTEMERROR_H
