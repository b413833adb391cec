//===- KernelRun.h - A kernel launch that runs ------------------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_KERNELRUN_H
#define JOBRT_SIMULATORS_CUDA_KERNELRUN_H

#include "simulators/cuda/Fiber.h"
#include "simulators/cuda/State.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jobsim {

class KernelRun;

/// A thread of the block that runs.
struct KernelThread : jobsim_thread {
  enum class State { kNew, kRunning, kReady, kBarrier, kShuffle, kEnded };

  KernelRun *run;
  uint32_t number;
  State state;
  /// Of the barrier or shuffle that it waits at.
  uint32_t site;
  Fiber *fiber;
  /// Of its shuffle.
  uint32_t mask, mode, value, lane, clamp;
  uint32_t result;
};

/// Runs the blocks of a launch one after the other in a random order, and the
/// threads of a block in a random order that changes at barriers and shuffles.
///
/// A thread runs until it waits. The fiber that it runs on takes the next
/// thread when one has ended, so that a kernel without barriers and shuffles
/// runs all threads of a block on one fiber.
class KernelRun {
public:
  KernelRun();

  /// Runs a launch. One at a time; its memory is kept for the next one. An
  /// error has been reported.
  Result run(ContextState &context, const KernelLaunch &launch);

  // What the code of a thread calls, on its fiber: kernel_abi.h says what each
  // does.

  /// In the flags of access(): a read through the cache that is not coherent,
  /// of memory that nothing writes while the kernel runs. Fault: the launch
  /// writes it, before or after.
  static constexpr uint32_t kReadOnly = 8;

  void access(KernelThread &thread, uintptr_t address, uint32_t bytes,
              uint32_t alignment, uint32_t flags, uint32_t site);
  void barrier(KernelThread &thread, uint32_t site);
  /// Of what the thread's members for a shuffle say.
  uint32_t shuffle(KernelThread &thread, uint32_t site);
  /// Ends the launch with a fault.
  [[noreturn]] void refuse(KernelThread &thread, uint32_t site,
                           const char *what);
  uint32_t bytesOfSharedMemory() const { return sharedBytes; }

  /// The lane that lane `self` reads from in a shuffle, as PTX defines it;
  /// nothing if the source is out of range, where it gets its own value.
  static std::optional<uint32_t> findSource(uint32_t mode, uint32_t self,
                                            uint32_t lane, uint32_t clamp);

private:
  using Thread = KernelThread;
  using State = KernelThread::State;

  // Threads.cpp: the threads of a block.
  void prepare(const KernelLaunch &launch);
  void runBlock(uint32_t number);
  void work(Fiber *fiber);
  void wait(Thread &thread, State state, uint32_t site);
  void makeReady(Thread &thread);
  void end(Thread &thread);
  template <typename Describe>
  void checkShuffles(Thread &thread, Describe describe);
  void finishShuffle(Thread &first);

  // Access.cpp: the checks of accesses.
  void accessShared(Thread &thread, uintptr_t address, uint32_t bytes,
                    uint32_t flags, uint32_t site);
  Allocation *findAllocation(uintptr_t address, uint32_t bytes, uint32_t site);
  bool isConstant(uintptr_t address, uint32_t bytes) const;
  /// "thread (1,0,0) of block (0,0,0)".
  std::string nameThread(uint32_t block, uint32_t thread) const;
  std::string describeRace(const Thread &thread, uint64_t earlier) const;

  /// Ends the launch with a fault of the thread, and never goes back to it, so
  /// nothing on its stack is destroyed: what is needed for the message is made
  /// in `describe`.
  template <typename Describe>
  [[noreturn]] void fail(Thread &thread, uint32_t site, Result result,
                         Describe describe) {
    reportFault(thread, site, result, describe());
    leave(thread);
  }
  void reportFault(const Thread &thread, uint32_t site, Result result,
                   const std::string &what);
  [[noreturn]] void leave(Thread &thread);

  static const jobsim_functions functions;

  // Of the launch.
  ContextState *context = nullptr;
  const KernelLaunch *launch = nullptr;
  /// Of all launches: shadow memory of earlier ones is void.
  uint64_t round = 0;
  std::vector<void *> parameters;
  std::vector<Thread> threads;
  uint32_t threadCount = 0;
  Result error = kSuccess;
  /// By site: most sites stay in one allocation.
  std::array<Allocation *, 64> recent;

  // Of the block.
  uint32_t block = 0, barriers = 0;
  uint64_t blockRound = 0;
  std::vector<uint32_t> order;
  uint32_t started = 0, ended = 0, waitingAtBarrier = 0, waitingAtShuffle = 0;
  std::vector<Thread *> ready;
  Fiber *current = nullptr;
  std::unique_ptr<std::byte[]> sharedStorage;
  size_t sharedCapacity = 0;
  std::byte *shared = nullptr;
  uint32_t sharedBytes = 0;
  std::vector<bool> sharedWritten;
  Shadow sharedShadow;

  std::vector<std::unique_ptr<Fiber>> fibers;
  size_t fibersUsed = 0;
};

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_KERNELRUN_H
