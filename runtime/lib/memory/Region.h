//===- Region.h - Memory that is reserved once ------------------*- C++ -*-===//
//
// Arena, bank, staging slots and workspace of a session are regions: reserved
// when the session is made, zero filled, never resized.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_MEMORY_REGION_H
#define JOBRT_LIB_MEMORY_REGION_H

#include "jobrt/status.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jobrt {

/// Zero-filled host memory that starts at a multiple of JOBRT_ALIGNMENT.
/// Regions of several megabytes are mapped at a huge-page boundary and advised
/// to use huge pages: a step walks its arena from end to end, and with small
/// pages it would spend its time in page walks.
class Region {
public:
  Region() = default;
  Region(Region &&other) noexcept;
  Region &operator=(Region &&other) noexcept;
  ~Region();

  /// `purpose` names the memory in the error (kResourceExhausted). A region of
  /// 0 bytes has an address too.
  static Expected<Region> create(int64_t bytes, std::string_view purpose);

  std::byte *data() const { return base; }
  /// As requested.
  int64_t bytes() const { return size; }

private:
  std::byte *base = nullptr;
  int64_t size = 0;
  /// Bytes of the mapping, 0 for memory from the heap.
  size_t mappedBytes = 0;

  void release();
};

} // namespace jobrt

#endif // JOBRT_LIB_MEMORY_REGION_H
