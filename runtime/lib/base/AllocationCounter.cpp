//===- AllocationCounter.cpp - Counting malloc ----------------------------===//

#include "lib/base/AllocationCounter.h"
#include "jobrt/session.h"

#include <cerrno>
#include <cstddef>
#include <unistd.h>

using namespace jobrt;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define JOBRT_HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JOBRT_HAS_SANITIZER
#endif

#if defined(__GLIBC__) && !defined(JOBRT_HAS_SANITIZER)

/// In the executable's own thread block: reaching it never allocates.
static thread_local int64_t allocations
    __attribute__((tls_model("initial-exec"))) = 0;

int64_t jobrt::threadAllocations() { return allocations; }
bool jobrt::countsAllocations() { return true; }

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

__attribute__((visibility("default"))) void *malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *pointer,
                                                     size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}

__attribute__((visibility("default"))) void *memalign(size_t alignment,
                                                      size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment,
                                                           size_t size) {
  return memalign(alignment, size);
}

__attribute__((visibility("default"))) int
posix_memalign(void **pointer, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 ||
      (alignment & (alignment - 1)) != 0)
    return EINVAL;
  void *memory = memalign(alignment, size);
  if (!memory)
    return ENOMEM;
  *pointer = memory;
  return 0;
}
} // extern "C"

namespace {
/// Installs the counter before main().
struct Installer {
  Installer() { setAllocationSource(&threadAllocations); }
};
} // namespace

static Installer installer;

#else

int64_t jobrt::threadAllocations() { return 0; }
bool jobrt::countsAllocations() { return false; }

#endif
