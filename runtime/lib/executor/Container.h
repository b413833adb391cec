//===- Container.h - The file around an artifact's parts --------*- C++ -*-===//
//
// The checks of docs/artifact.md, "The file", up to the processor's features.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_CONTAINER_H
#define JOBRT_LIB_EXECUTOR_CONTAINER_H

#include "jobrt/status.h"

#include <cstdint>
#include <string_view>

namespace jobrt {

/// The parts of a checked file. They point into its bytes.
struct Container {
  std::string_view elf, manifest;
  /// Checksum of the footer, which covers those of the parts.
  uint32_t checksum = 0;
};

/// Checks the bytes of a file and finds its parts. Messages do not name the
/// file: the caller does.
Expected<Container> openContainer(std::string_view bytes);

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_CONTAINER_H
