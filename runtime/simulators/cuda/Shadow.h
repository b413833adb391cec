//===- Shadow.h - Who has accessed what in a launch -------------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_SHADOW_H
#define JOBRT_SIMULATORS_CUDA_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace jobsim {

/// One access, or several of one kind: the block, the number of barriers that
/// it had passed, the thread, the site. 0: none.
///
/// Only the latest needs to be kept. Accesses of one block that a barrier
/// separates are in order, so an earlier one cannot race with what the later
/// one does not race with; accesses of several blocks, or of several threads
/// between two barriers, are kept as a flag (they are reads or atomics, since
/// otherwise the second one has been reported).
class Accesses {
public:
  static constexpr unsigned kSiteBits = 11, kThreadBits = 10, kEpochBits = 18,
                            kBlockBits = 22;
  static constexpr uint64_t kManyThreads = 1, kManyBlocks = 2;
  /// Of a read, now or earlier: as memory that nothing writes in the launch.
  static constexpr uint64_t kConstant = 4;

  /// An access; `barriers` counts those that its block has passed.
  static uint64_t pack(uint32_t block, uint32_t barriers, uint32_t thread,
                       uint32_t site) {
    uint64_t epoch = barriers % ((1u << kEpochBits) - 1) + 1;
    uint64_t cappedSite =
        site < (1u << kSiteBits) ? site : (1u << kSiteBits) - 1;
    return uint64_t(block) << kBlockShift | epoch << kEpochShift |
           uint64_t(thread) << kThreadShift | cappedSite << kSiteShift;
  }

  static uint32_t block(uint64_t access) { return access >> kBlockShift; }
  static uint32_t thread(uint64_t access) {
    return access >> kThreadShift & ((1u << kThreadBits) - 1);
  }
  static uint32_t site(uint64_t access) {
    return access >> kSiteShift & ((1u << kSiteBits) - 1);
  }

  /// Whether `later` is ordered after `earlier` or is of the same thread.
  static bool ordered(uint64_t earlier, uint64_t later) {
    if (!earlier)
      return true;
    if (earlier & kManyBlocks)
      return false;
    uint64_t difference = earlier ^ later;
    if (difference >> kBlockShift)
      return false;
    if (difference >> kEpochShift)
      return true;
    return !(earlier & kManyThreads) && !(difference >> kThreadShift);
  }

  static uint64_t merge(uint64_t earlier, uint64_t later) {
    if (!earlier)
      return later;
    uint64_t difference = earlier ^ later;
    later |= earlier & kConstant;
    if (difference >> kBlockShift)
      return later | kManyBlocks;
    uint64_t flags = earlier & kManyBlocks;
    if (difference >> kEpochShift)
      return later | flags;
    flags |= earlier & kManyThreads;
    if (difference >> kThreadShift)
      flags |= kManyThreads;
    return later | flags;
  }

private:
  static constexpr unsigned kSiteShift = 3,
                            kThreadShift = kSiteShift + kSiteBits,
                            kEpochShift = kThreadShift + kThreadBits,
                            kBlockShift = kEpochShift + kEpochBits;
};

/// The accesses of a byte or of a word of 4 bytes.
struct Cell {
  uint64_t write = 0, read = 0, atomic = 0;

  /// Adds an access; returns an earlier one that it races with, 0 for none.
  uint64_t add(uint64_t access, bool write, bool atomic);
};

/// The cells of an allocation or of a block's shared memory, made where there
/// are accesses. Words until the first access of a part of one.
class Shadow {
public:
  /// `offset` and `bytes` are in the memory. `round` numbers the launch, or the
  /// block of shared memory: what an earlier one did is forgotten. Returns an
  /// earlier access that this one races with, 0 for none.
  uint64_t add(uint64_t round, size_t offset, size_t bytes, uint64_t access,
               bool write, bool atomic);
  /// Whether anything has written one of these bytes in the round, or read it
  /// as constant.
  bool isWritten(uint64_t round, size_t offset, size_t bytes);
  bool isReadAsConstant(uint64_t round, size_t offset, size_t bytes);

private:
  static constexpr size_t kPageBytes = 1024;

  struct Page {
    uint64_t round = 0;
    /// A cell per byte, not per word.
    bool split = false;
    std::vector<Cell> cells;
  };

  Page &page(uint64_t round, size_t index);
  /// Whether a cell of these bytes has the property.
  template <typename Predicate>
  bool anyOf(uint64_t round, size_t offset, size_t bytes, Predicate predicate);

  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_SHADOW_H
