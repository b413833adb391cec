//===- SystemError.h - What the system says of an error ---------*- C++ -*-===//

#ifndef JOBRT_LIB_BASE_SYSTEMERROR_H
#define JOBRT_LIB_BASE_SYSTEMERROR_H

#include <string>

namespace jobrt {

/// The system's text for an error number (`errno`), in lower case as all
/// messages are: "no such file or directory". Any thread may call it.
std::string describeSystemError(int number);

} // namespace jobrt

#endif // JOBRT_LIB_BASE_SYSTEMERROR_H
