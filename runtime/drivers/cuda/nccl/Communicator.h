//===- Communicator.h - A rank among others ---------------------*- C++ -*-===//
//
// The commands that several ranks run together, made of NCCL. Each rank is a
// session on a device of its own, in one process or in several.
//
// NCCL waits for an operation of a rank that does not come for ever, and a step
// that fails on one rank leaves the others waiting. So an error ends the
// communicator: all ranks abort theirs, which ends the operations that wait.
// The ranks of a process abort together (LocalRanks). NCCL tells ranks of other
// processes by an asynchronous error if they communicate over the network with
// one that has aborted. It does not tell those of the same machine, which wait
// until their processes are ended.
//
// ncclCommAbort() may return only when no graph of a rank of the process has
// operations of the communicator any more, which the sessions destroy later,
// and when all ranks of the machine have called it, so a thread of its own
// calls it. It frees the communicator, so the thread waits until no other one
// is in a call of it or has a group open, and none enters afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_NCCL_COMMUNICATOR_H
#define JOBRT_DRIVERS_CUDA_NCCL_COMMUNICATOR_H

#include "drivers/cuda/CudaEngine.h"
#include "drivers/cuda/nccl/NcclApi.h"
#include "jobrt/artifact.h"

#include <chrono>
#include <future>

namespace jobrt::cuda::nccl {

/// An id that a communicator can be made of, from NCCL.
Expected<CommunicatorId> createId(const cuda::Api &cuda);

class Communicator;

/// The ranks of one id in this process. Any thread.
class LocalRanks {
public:
  /// How long the last rank waits for the aborts to end. They do not where a
  /// process of the same machine does not abort; its rank is then left behind
  /// for the process' end to clean up.
  static inline std::chrono::milliseconds patience{10000};

  /// The same for the same id as long as somebody has it.
  static std::shared_ptr<LocalRanks> get(const CommunicatorId &id);
  /// With the last rank. Blocks until all aborts have ended, at most for
  /// `patience`.
  ~LocalRanks();

  /// A rank that comes after an abort is aborted at once.
  void add(Communicator &rank);
  void remove(Communicator &rank);
  /// Aborts all of them after an error of the rank of that number. Does not
  /// block.
  void abort(int rank);
  /// Takes the thread of a rank that has gone, which may wait for the graphs of
  /// the others.
  void keep(std::thread thread, std::future<void> ended);

private:
  std::mutex mutex;
  std::vector<Communicator *> members;
  std::optional<int> failedRank;
  std::vector<std::pair<std::thread, std::future<void>>> aborts;
};

class Communicator final : public WorkMonitor {
public:
  /// Blocks until all ranks of the id have come. In the calling thread's
  /// context, which is that of `context`.
  static Expected<std::unique_ptr<Communicator>>
  create(std::shared_ptr<DeviceContext> context, int ranks, int rank,
         const CommunicatorId &id);
  /// After the graphs and streams with its operations. Aborts all ranks of the
  /// process if no step was begun: after an error of a session's creation, the
  /// others must not wait.
  ~Communicator() override;

  /// Submits the command to the stream, which may be captured. `args[i]` is the
  /// address of its i-th buffer. A group that it opens stays open until the
  /// command that ends it. `hasFollower`: the next command joins its group.
  /// Fails after abort(). One thread at a time.
  Status enqueue(const Command &command, bool hasFollower,
                 const DevicePointer *args, Stream stream);
  /// Closes the group that an error has left open.
  void closeGroup();

  /// Before a step with collectives: fails as check() does. One thread at a
  /// time.
  Status begin();
  /// Fails after abort(), or when NCCL has an asynchronous error.
  Status check() override;
  /// Of all ranks of this process.
  void abort() override;
  bool watches() const override { return ranks > 1; }

private:
  friend class LocalRanks;
  Communicator(std::shared_ptr<DeviceContext> context,
               std::shared_ptr<const Api> api, int ranks, int rank)
      : context(std::move(context)), api(std::move(api)), ranks(ranks),
        rank(rank) {}
  /// Aborts this rank after an error of another one, or its own.
  void end(int failed);
  Status makeEndedError() const;
  /// Before calls with the communicator, which abort() does not end before
  /// leave(). Fails after abort().
  Status enter();
  void leave();
  Status submit(const Command &command, bool hasFollower,
                const DevicePointer *args, Stream stream);
  Status call(const Command &command, const DevicePointer *args, Stream stream);
  void threadMain();

  std::shared_ptr<DeviceContext> context;
  std::shared_ptr<const Api> api;
  const int ranks, rank;
  Comm comm = nullptr;
  /// Null until the rank has come, and if it is alone.
  std::shared_ptr<LocalRanks> local;
  bool isGroupOpen = false;
  std::mutex mutex;
  std::condition_variable changed;
  bool isAborted = false, isStopping = false;
  /// The rank that has aborted first.
  int failedRank = 0;
  /// Whether the thread has no more use for this object.
  bool isReleased = false;
  /// Whether a thread is between enter() and leave().
  bool isInCall = false;
  /// Whether a step was begun.
  bool isUsed = false;
  /// Calls ncclCommAbort(); none if the rank is alone.
  std::thread thread;
  std::promise<void> ended;
  std::future<void> whenEnded = ended.get_future();
};

} // namespace jobrt::cuda::nccl

#endif // JOBRT_DRIVERS_CUDA_NCCL_COMMUNICATOR_H
