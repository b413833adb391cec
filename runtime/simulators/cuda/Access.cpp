//===- Access.cpp - The checks of a kernel's accesses ---------------------===//

#include "simulators/cuda/KernelRun.h"

using namespace jobsim;

static const char *nameAccess(uint32_t flags) {
  return flags & JOBSIM_ATOMIC  ? "atomic access"
         : flags & JOBSIM_WRITE ? "write"
                                : "read";
}

std::string KernelRun::nameThread(uint32_t blockNumber, uint32_t number) const {
  const uint32_t *grid = launch->grid, *size = launch->block;
  return format("thread (%u,%u,%u) of block (%u,%u,%u)", number % size[0],
                number / size[0] % size[1], number / size[0] / size[1],
                blockNumber % grid[0], blockNumber / grid[0] % grid[1],
                blockNumber / grid[0] / grid[1]);
}

std::string KernelRun::describeRace(const Thread &thread,
                                    uint64_t earlier) const {
  uint32_t other = Accesses::block(earlier);
  std::string text = nameThread(other, Accesses::thread(earlier)) +
                     format(" at site %u", Accesses::site(earlier));
  // The flags stand for accesses of others than the latest one.
  if (other == block && Accesses::thread(earlier) == thread.number)
    text = "others, beside " + text;
  return text + (other == block && !(earlier & Accesses::kManyBlocks)
                     ? ", without a barrier between"
                     : ", in no order");
}

bool KernelRun::isConstant(uintptr_t address, uint32_t bytes) const {
  for (auto [begin, end] : launch->module->ranges)
    if (address >= begin && address <= end && bytes <= end - address)
      return true;
  return false;
}

Allocation *KernelRun::findAllocation(uintptr_t address, uint32_t bytes,
                                      uint32_t site) {
  // No allocation is freed while a kernel runs.
  Allocation *&cached = recent[site % recent.size()];
  if (cached && cached->contains(address, bytes))
    return cached;
  Allocation *found = simulator().memory.find(address);
  if (!found || found->freed || !found->contains(address, bytes))
    return nullptr;
  bool reachable = found->pinned
                       ? found->portable || found->context.get() == context
                       : found->device == context->device;
  if (!reachable)
    return nullptr;
  return cached = found;
}

void KernelRun::accessShared(Thread &thread, uintptr_t address, uint32_t bytes,
                             uint32_t flags, uint32_t site) {
  auto base = reinterpret_cast<uintptr_t>(shared);
  size_t offset = address - base;
  if (address < base || offset > sharedBytes || bytes > sharedBytes - offset)
    fail(thread, site, kErrorIllegalAddress, [&] {
      return format(
          "%s of %u bytes out of bounds: shared memory of %u bytes %+lld",
          nameAccess(flags), bytes, sharedBytes,
          static_cast<long long>(address - base));
    });
  if (!(flags & JOBSIM_WRITE) || (flags & JOBSIM_ATOMIC))
    for (size_t i = offset; i < offset + bytes; ++i)
      if (!sharedWritten[i])
        fail(thread, site, kErrorLaunchFailed, [&] {
          return format(
              "%s of %u bytes of shared memory that nothing has written: "
              "shared memory of %u bytes + %zu",
              nameAccess(flags), bytes, sharedBytes, i);
        });
  uint64_t own = Accesses::pack(block, barriers, thread.number, site);
  if (uint64_t earlier =
          sharedShadow.add(blockRound, offset, bytes, own, flags & JOBSIM_WRITE,
                           flags & JOBSIM_ATOMIC))
    fail(thread, site, kErrorLaunchFailed, [&] {
      return format("race: %s of %u bytes at shared memory of %u bytes + %zu, "
                    "which was accessed by %s",
                    nameAccess(flags), bytes, sharedBytes, offset,
                    describeRace(thread, earlier).c_str());
    });
  if (flags & (JOBSIM_WRITE | JOBSIM_ATOMIC))
    for (size_t i = offset; i < offset + bytes; ++i)
      sharedWritten[i] = true;
}

void KernelRun::access(Thread &thread, uintptr_t address, uint32_t bytes,
                       uint32_t alignment, uint32_t flags, uint32_t site) {
  if (bytes == 0)
    return;
  if (alignment > 1 && address % alignment)
    fail(thread, site, kErrorMisalignedAddress, [&] {
      return format(
          "misaligned %s of %u bytes: expected a multiple of %u but got "
          "address 0x%llx",
          nameAccess(flags), bytes, alignment,
          static_cast<unsigned long long>(address));
    });
  if (flags & JOBSIM_SHARED) {
    accessShared(thread, address, bytes, flags, site);
    return;
  }
  Allocation *allocation = findAllocation(address, bytes, site);
  if (!allocation) {
    bool reads = !(flags & (JOBSIM_WRITE | JOBSIM_ATOMIC));
    if (reads && isConstant(address, bytes))
      return;
    Allocation *near = simulator().memory.find(address);
    const char *why = "out of bounds";
    if (near && near->freed)
      why = "after the free";
    else if (near && near->contains(address, bytes))
      why = "of another device's or context's memory";
    fail(thread, site, kErrorIllegalAddress, [&] {
      return format("%s of %u bytes %s: %s (address 0x%llx)", nameAccess(flags),
                    bytes, why, simulator().memory.describe(address).c_str(),
                    static_cast<unsigned long long>(address));
    });
  }
  size_t offset = address - allocation->base;
  if (flags & kReadOnly && allocation->shadow.isWritten(round, offset, bytes))
    fail(thread, site, kErrorLaunchFailed, [&] {
      return format("read of %u bytes as of memory that the kernel does not "
                    "write (ld.global.nc), which it has written: %s",
                    bytes, simulator().memory.describe(address).c_str());
    });
  if (launch->module->ptx && flags & (JOBSIM_WRITE | JOBSIM_ATOMIC) &&
      allocation->shadow.isReadAsConstant(round, offset, bytes))
    fail(thread, site, kErrorLaunchFailed, [&] {
      return format("%s of %u bytes that the kernel has read as of memory that "
                    "it does not write (ld.global.nc): %s",
                    nameAccess(flags), bytes,
                    simulator().memory.describe(address).c_str());
    });
  uint64_t own = Accesses::pack(block, barriers, thread.number, site);
  if (flags & kReadOnly)
    own |= Accesses::kConstant;
  if (uint64_t earlier =
          allocation->shadow.add(round, offset, bytes, own,
                                 flags & JOBSIM_WRITE, flags & JOBSIM_ATOMIC))
    fail(thread, site, kErrorLaunchFailed, [&] {
      return format("race: %s of %u bytes at %s, which was accessed by %s",
                    nameAccess(flags), bytes,
                    simulator().memory.describe(address).c_str(),
                    describeRace(thread, earlier).c_str());
    });
}
