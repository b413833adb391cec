//===- Region.cpp - Memory that is reserved once --------------------------===//

#include "lib/memory/Region.h"
#include "jobrt/abi.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace jobrt;

/// Size and alignment of a huge page on the machines we know.
static constexpr size_t kHugePage = size_t(2) << 20;
/// From here on a region is mapped; below, rounding would waste too much.
static constexpr size_t kMapFrom = 2 * kHugePage;

static size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Maps `bytes` (a multiple of the huge page) at a huge-page boundary; null
/// when the system refuses.
static std::byte *mapHuge(size_t bytes) {
  size_t reserved = bytes + kHugePage;
  void *mapping = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  auto *start = static_cast<std::byte *>(mapping);
  size_t head = roundUp(reinterpret_cast<uintptr_t>(start), kHugePage) -
                reinterpret_cast<uintptr_t>(start);
  if (head > 0)
    munmap(start, head);
  if (head < kHugePage)
    munmap(start + head + bytes, kHugePage - head);
  // Advice only: without huge pages the memory is slower, not wrong.
  madvise(start + head, bytes, MADV_HUGEPAGE);
  return start + head;
}

Expected<Region> Region::create(int64_t bytes, std::string_view purpose) {
  // Room for rounding up without overflow.
  constexpr int64_t limit = INT64_MAX - 4 * static_cast<int64_t>(kHugePage);
  Region region;
  if (bytes >= 0 && bytes <= limit) {
    size_t size = bytes;
    if (size >= kMapFrom) {
      region.mappedBytes = roundUp(size, kHugePage);
      region.base = mapHuge(region.mappedBytes);
    } else {
      size_t rounded = roundUp(size + 1, JOBRT_ALIGNMENT);
      region.base = static_cast<std::byte *>(
          std::aligned_alloc(JOBRT_ALIGNMENT, rounded));
      if (region.base)
        std::memset(region.base, 0, rounded);
    }
  }
  if (!region.base) {
    region.mappedBytes = 0;
    return Status(StatusCode::kResourceExhausted,
                  "cannot allocate " + std::to_string(bytes) +
                      " bytes for the " + std::string(purpose));
  }
  region.size = bytes;
  return region;
}

Region::Region(Region &&other) noexcept
    : base(std::exchange(other.base, nullptr)),
      size(std::exchange(other.size, 0)),
      mappedBytes(std::exchange(other.mappedBytes, 0)) {}

Region &Region::operator=(Region &&other) noexcept {
  if (this != &other) {
    release();
    base = std::exchange(other.base, nullptr);
    size = std::exchange(other.size, 0);
    mappedBytes = std::exchange(other.mappedBytes, 0);
  }
  return *this;
}

Region::~Region() { release(); }

void Region::release() {
  if (mappedBytes > 0)
    munmap(base, mappedBytes);
  else
    std::free(base);
  base = nullptr;
  mappedBytes = 0;
}
