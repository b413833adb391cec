//===- MemoryFile.h - A file for readers that take a path -------*- C++ -*-===//

#ifndef JOBMLIR_FUZZ_MEMORYFILE_H
#define JOBMLIR_FUZZ_MEMORYFILE_H

#include "fuzz/Require.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace fuzz {

/// A file in memory. One of them serves all inputs of a process.
class MemoryFile {
public:
  MemoryFile() : descriptor(memfd_create("input", MFD_CLOEXEC)) {
    REQUIRE(descriptor >= 0);
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// Where it can be opened, also by what links to it.
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }
  void setContents(const void *data, size_t size) {
    REQUIRE(ftruncate(descriptor, 0) == 0);
    REQUIRE(pwrite(descriptor, data, size, 0) == static_cast<ssize_t>(size));
  }

private:
  int descriptor;
};

} // namespace fuzz

#endif // JOBMLIR_FUZZ_MEMORYFILE_H
