//===- Memory.cpp - Allocations of the simulated CUDA ---------------------===//

#include "simulators/cuda/Memory.h"

#include "simulators/cuda/State.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

using namespace jobsim;

/// Before and behind each allocation.
static constexpr size_t kGuardBytes = 64 << 10;
/// Larger ones are not filled, so that they cost no memory before their use.
static constexpr size_t kFilledBytes = 256 << 20;
/// The address space that freed allocations keep, and their number.
static constexpr size_t kFreedBytes = size_t(256) << 30, kFreedCount = 4096;
/// What a device allocation takes of the device's memory is a multiple.
static constexpr size_t kGranularity = 512;

static size_t granules(size_t bytes) {
  return (bytes + kGranularity - 1) / kGranularity * kGranularity;
}

Allocation *Memory::allocate(size_t bytes, bool pinned, bool portable,
                             std::shared_ptr<ContextState> context,
                             int device) {
  size_t page = sysconf(_SC_PAGESIZE);
  size_t usable = (bytes + page - 1) / page * page;
  size_t mappingBytes = usable + 2 * kGuardBytes;
  if (mappingBytes < bytes)
    return nullptr;
  void *mapping = mmap(nullptr, mappingBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  char *base = static_cast<char *>(mapping) + kGuardBytes;
  if (mprotect(base, usable, PROT_READ | PROT_WRITE)) {
    munmap(mapping, mappingBytes);
    return nullptr;
  }
  if (bytes <= kFilledBytes)
    std::memset(base, 0xff, bytes);

  auto allocation = std::make_unique<Allocation>();
  allocation->base = reinterpret_cast<uintptr_t>(base);
  allocation->bytes = bytes;
  allocation->pinned = pinned;
  allocation->portable = portable;
  allocation->context = std::move(context);
  allocation->device = device;
  allocation->mapping = mapping;
  allocation->mappingBytes = mappingBytes;
  Allocation *result = allocation.get();
  allocations[result->base] = std::move(allocation);
  return result;
}

void Memory::free(Allocation &allocation) {
  // Gives the memory back and keeps the addresses.
  mmap(allocation.mapping, allocation.mappingBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  allocation.freed = true;
  allocation.context = nullptr;
  allocation.shadow = Shadow();
  freed.push_back(allocation.base);
  freedBytes += allocation.mappingBytes;
  while (freed.size() > kFreedCount || freedBytes > kFreedBytes) {
    auto oldest = allocations.find(freed.front());
    freed.pop_front();
    freedBytes -= oldest->second->mappingBytes;
    munmap(oldest->second->mapping, oldest->second->mappingBytes);
    allocations.erase(oldest);
  }
}

Allocation *Memory::find(uintptr_t address) const {
  // The guards in front of an allocation are beyond the one below it.
  auto above = allocations.upper_bound(address);
  if (above != allocations.begin()) {
    Allocation &below = *std::prev(above)->second;
    if (address - below.base < below.mappingBytes - kGuardBytes)
      return &below;
  }
  if (above != allocations.end() &&
      above->second->base - address <= kGuardBytes)
    return above->second.get();
  return nullptr;
}

Allocation *Memory::findBase(uintptr_t address) const {
  auto entry = allocations.find(address);
  return entry == allocations.end() ? nullptr : entry->second.get();
}

std::string Memory::describe(uintptr_t address) const {
  const Allocation *allocation = find(address);
  if (!allocation)
    return "no allocation";
  long long offset = address - allocation->base;
  return format("%s%s of %zu bytes %c %lld", allocation->freed ? "freed " : "",
                allocation->pinned ? "pinned allocation" : "allocation",
                allocation->bytes, offset < 0 ? '-' : '+',
                offset < 0 ? -offset : offset);
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  Call call(Symbol::cuMemGetInfo_v2, kContext);
  if (call.refused())
    return call.result;
  size_t used = call.sim.devices[call.context->device].used;
  if (free)
    *free = used < call.sim.deviceBytes ? call.sim.deviceBytes - used : 0;
  if (total)
    *total = call.sim.deviceBytes;
  return kSuccess;
}

Result cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  Call call(Symbol::cuMemAlloc_v2, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  if (!pointer || bytes == 0)
    return refuse(kErrorInvalidValue, "cuMemAlloc of 0 bytes");
  size_t &used = call.sim.devices[call.context->device].used;
  if (used > call.sim.deviceBytes || bytes > call.sim.deviceBytes - used)
    return refuse(kErrorOutOfMemory,
                  format("cuMemAlloc of %zu bytes where %zu of %zu are in use",
                         bytes, used, call.sim.deviceBytes));
  Allocation *allocation = call.sim.memory.allocate(
      bytes, false, false, call.context, call.context->device);
  if (!allocation)
    return refuse(kErrorOutOfMemory, "the host has no memory left");
  used += granules(bytes);
  *pointer = allocation->base;
  return kSuccess;
}

Result cuMemFree_v2(DevicePointer pointer) {
  Call call(Symbol::cuMemFree_v2, kContext | kNoCapture | kReleases);
  if (call.refused())
    return call.result;
  // As free(nullptr).
  if (!pointer)
    return call.finish(kSuccess);
  Allocation *allocation = call.sim.memory.findBase(pointer);
  if (!allocation || allocation->freed || allocation->pinned)
    return call.finish(
        refuse(kErrorInvalidValue,
               "cuMemFree of " + call.sim.memory.describe(pointer)));
  call.sim.devices[allocation->device].used -= granules(allocation->bytes);
  call.sim.memory.free(*allocation);
  return call.finish(kSuccess);
}

Result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  Call call(Symbol::cuMemHostAlloc, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  if (!pointer || bytes == 0 || (flags & ~kMemHostAllocPortable))
    return refuse(
        kErrorInvalidValue,
        format("cuMemHostAlloc of %zu bytes, flags %u", bytes, flags));
  Allocation *allocation =
      call.sim.memory.allocate(bytes, true, flags & kMemHostAllocPortable,
                               call.context, call.context->device);
  if (!allocation)
    return refuse(kErrorOutOfMemory, "the host has no memory left");
  *pointer = reinterpret_cast<void *>(allocation->base);
  return kSuccess;
}

Result cuMemFreeHost(void *pointer) {
  Call call(Symbol::cuMemFreeHost, kContext | kNoCapture | kReleases);
  if (call.refused())
    return call.result;
  auto address = reinterpret_cast<uintptr_t>(pointer);
  Allocation *allocation = call.sim.memory.findBase(address);
  if (!allocation || allocation->freed || !allocation->pinned)
    return call.finish(
        refuse(kErrorInvalidValue,
               "cuMemFreeHost of " + call.sim.memory.describe(address)));
  call.sim.memory.free(*allocation);
  return call.finish(kSuccess);
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

/// Checks a device's end of a copy at the call.
static Result checkDevice(const Call &call, const char *function,
                          uintptr_t address, size_t bytes) {
  const Allocation *allocation = call.sim.memory.find(address);
  if (allocation && !allocation->freed && !allocation->pinned &&
      allocation->contains(address, bytes))
    return kSuccess;
  return refuse(kErrorInvalidValue,
                format("%s of %zu bytes at %s", function, bytes,
                       call.sim.memory.describe(address).c_str()));
}

/// Checks the host's end of a copy at the call. `end`: whether it is pinned.
static Result checkHost(const Call &call, const char *function,
                        const void *pointer, size_t bytes, Work::End &end) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  const Allocation *allocation = call.sim.memory.find(address);
  end = allocation ? Work::End::kPinned : Work::End::kUnpinned;
  if (!allocation && pointer)
    return kSuccess;
  if (allocation && allocation->pinned && !allocation->freed &&
      allocation->contains(address, bytes) &&
      (allocation->portable || allocation->context == call.context))
    return kSuccess;
  return refuse(kErrorInvalidValue,
                format("%s of %zu bytes at %s as host memory", function, bytes,
                       call.sim.memory.describe(address).c_str()));
}

/// Submits or captures. A copy of memory that is not pinned is as CUDA's: the
/// source has been read when the call returns, and the destination written.
static Result submitWork(Call &call, Stream handle, Work work) {
  std::shared_ptr<StreamState> stream;
  if (Result result = findStream(call, handle, stream))
    return result;
  bool unpinned = work.kind == Work::Kind::kCopy &&
                  (work.destinationEnd == Work::End::kUnpinned ||
                   work.sourceEnd == Work::End::kUnpinned);
  if (stream->capture)
    return capture(*stream, std::move(work), unpinned);
  if (work.sourceEnd == Work::End::kUnpinned)
    work.staged = std::make_shared<std::vector<std::byte>>(
        work.source, work.source + work.bytes);
  bool waits = work.destinationEnd == Work::End::kUnpinned;
  Operation operation;
  operation.work = std::move(work);
  std::shared_ptr<Completion> completion = submit(stream, std::move(operation));
  return waits ? waitFor(call, completion, stream->context) : kSuccess;
}

static Work makeCopy(uintptr_t destination, uintptr_t source, size_t bytes) {
  Work work;
  work.kind = Work::Kind::kCopy;
  work.destination = reinterpret_cast<std::byte *>(destination);
  work.source = reinterpret_cast<const std::byte *>(source);
  work.bytes = bytes;
  return work;
}

Result cuMemcpyHtoDAsync_v2(DevicePointer destination, const void *source,
                            size_t bytes, Stream stream) {
  Call call(Symbol::cuMemcpyHtoDAsync_v2, kContext);
  if (call.refused())
    return call.result;
  if (bytes == 0)
    return kSuccess;
  Work work = makeCopy(destination, reinterpret_cast<uintptr_t>(source), bytes);
  if (Result result =
          checkDevice(call, "cuMemcpyHtoDAsync", destination, bytes))
    return result;
  if (Result result =
          checkHost(call, "cuMemcpyHtoDAsync", source, bytes, work.sourceEnd))
    return result;
  return submitWork(call, stream, std::move(work));
}

Result cuMemcpyDtoHAsync_v2(void *destination, DevicePointer source,
                            size_t bytes, Stream stream) {
  Call call(Symbol::cuMemcpyDtoHAsync_v2, kContext);
  if (call.refused())
    return call.result;
  if (bytes == 0)
    return kSuccess;
  Work work = makeCopy(reinterpret_cast<uintptr_t>(destination), source, bytes);
  if (Result result = checkDevice(call, "cuMemcpyDtoHAsync", source, bytes))
    return result;
  if (Result result = checkHost(call, "cuMemcpyDtoHAsync", destination, bytes,
                                work.destinationEnd))
    return result;
  return submitWork(call, stream, std::move(work));
}

Result cuMemcpyDtoDAsync_v2(DevicePointer destination, DevicePointer source,
                            size_t bytes, Stream stream) {
  Call call(Symbol::cuMemcpyDtoDAsync_v2, kContext);
  if (call.refused())
    return call.result;
  if (bytes == 0)
    return kSuccess;
  if (Result result =
          checkDevice(call, "cuMemcpyDtoDAsync", destination, bytes))
    return result;
  if (Result result = checkDevice(call, "cuMemcpyDtoDAsync", source, bytes))
    return result;
  if (destination < source + bytes && source < destination + bytes)
    return refuse(kErrorInvalidValue,
                  "cuMemcpyDtoDAsync of ranges that overlap, at " +
                      call.sim.memory.describe(destination));
  return submitWork(call, stream, makeCopy(destination, source, bytes));
}

Result cuMemsetD8Async(DevicePointer destination, unsigned char value,
                       size_t bytes, Stream stream) {
  Call call(Symbol::cuMemsetD8Async, kContext);
  if (call.refused())
    return call.result;
  if (bytes == 0)
    return kSuccess;
  if (Result result = checkDevice(call, "cuMemsetD8Async", destination, bytes))
    return result;
  Work work = makeCopy(destination, 0, bytes);
  work.kind = Work::Kind::kFill;
  work.value = value;
  return submitWork(call, stream, std::move(work));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Checks an end of a copy again when it runs: it may have been freed.
static Result checkEnd(const char *operation, Work::End end,
                       const std::byte *pointer, size_t bytes) {
  if (end == Work::End::kUnpinned)
    return kSuccess;
  Memory &memory = simulator().memory;
  auto address = reinterpret_cast<uintptr_t>(pointer);
  const Allocation *allocation = memory.find(address);
  if (allocation && !allocation->freed && allocation->contains(address, bytes))
    return kSuccess;
  report(format("%s of %zu bytes at %s, freed before it ran", operation, bytes,
                memory.describe(address).c_str()));
  return kErrorIllegalAddress;
}

Result jobsim::runWork(ContextState &context, const Work &work) {
  switch (work.kind) {
  case Work::Kind::kEmpty:
    return kSuccess;
  case Work::Kind::kCopy:
    if (Result result =
            checkEnd("copy", work.destinationEnd, work.destination, work.bytes))
      return result;
    if (Result result =
            checkEnd("copy", work.sourceEnd, work.source, work.bytes))
      return result;
    std::memcpy(work.destination,
                work.staged ? work.staged->data() : work.source, work.bytes);
    return kSuccess;
  case Work::Kind::kFill:
    if (Result result =
            checkEnd("fill", work.destinationEnd, work.destination, work.bytes))
      return result;
    std::memset(work.destination, work.value, work.bytes);
    return kSuccess;
  case Work::Kind::kKernel:
    return runKernel(context, work.launch);
  case Work::Kind::kLibrary:
    return runLibrary(context, *work.library);
  case Work::Kind::kRecord:
    recordNow(*work.event);
    return kSuccess;
  }
  return kErrorUnknown;
}
