//===- Communicator.h - A rank among others ---------------------*- C++ -*-===//
//
// The commands that several ranks run together, made of NCCL. Each rank is a
// session on a device of its own, in one process or in several.
//
// NCCL waits for an operation of a rank that does not come for ever, and a step
// that fails on one rank leaves the others waiting. So an error ends the
// communicator: the rank aborts it, NCCL tells the other ranks (an asynchronous
// error), and they abort theirs, which ends the operations that wait.
// ncclCommAbort() returns when no graph has operations of the communicator any
// more, which the session destroys later, so a thread of its own calls it. It
// frees the communicator, so the thread waits until no other one is in a call
// of it or has a group open, and none enters afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_NCCL_COMMUNICATOR_H
#define JOBRT_DRIVERS_CUDA_NCCL_COMMUNICATOR_H

#include "drivers/cuda/CudaEngine.h"
#include "drivers/cuda/nccl/NcclApi.h"
#include "jobrt/artifact.h"

#include <atomic>

namespace jobrt::cuda::nccl {

/// An id that a communicator can be made of, from NCCL.
Expected<CommunicatorId> createId(const cuda::Api &cuda);

class Communicator final : public WorkMonitor {
public:
  /// Blocks until all ranks of the id have come. In the calling thread's
  /// context, which is that of `context`.
  static Expected<std::unique_ptr<Communicator>>
  create(std::shared_ptr<DeviceContext> context, int ranks, int rank,
         const CommunicatorId &id);
  /// After the graphs and streams with its operations. Blocks until an abort
  /// has ended.
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
  void abort() override;
  bool watches() const override { return ranks > 1; }

private:
  Communicator(std::shared_ptr<DeviceContext> context,
               std::shared_ptr<const Api> api, int ranks, int rank)
      : context(std::move(context)), api(std::move(api)), ranks(ranks),
        rank(rank) {}
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
  bool isGroupOpen = false;
  std::mutex mutex;
  std::condition_variable changed;
  bool isAborted = false, isStopping = false;
  /// Whether a thread is between enter() and leave().
  bool isInCall = false;
  /// Whether a step was begun.
  bool isUsed = false;
  /// Calls ncclCommAbort(); none if the rank is alone.
  std::thread thread;
};

} // namespace jobrt::cuda::nccl

#endif // JOBRT_DRIVERS_CUDA_NCCL_COMMUNICATOR_H
