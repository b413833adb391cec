//===- State.h - The state of the stand-in for NCCL -------------*- C++ -*-===//
//
// A library with the functions of NCCL that the driver calls, for ranks that
// are threads of one process, each on a simulated device. It checks arguments
// as the library's reference says. An operation begins when its stream comes to
// it, where it takes what it sends; it ends after the operations of the other
// ranks have begun, and then stores what it receives. Where ranks do not call
// the same, which NCCL does not define, all of them have a fault.
//
// The ranks are on one machine, where NCCL does not tell them that another one
// has aborted, and where an abort ends when all of them have. With the
// environment variable JOBSIM_NETWORK=1, read when an id is made, each is on a
// machine of its own: an abort is an asynchronous error of the others.
//
// One mutex guards everything here. The simulated CUDA calls begin(), poll()
// and run() with its own lock held, so no function calls it with ours held.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_NCCL_STATE_H
#define JOBRT_SIMULATORS_NCCL_STATE_H

#include "drivers/cuda/nccl/NcclApi.h"
#include "simulators/cuda/library_abi.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#define JOBSIM_EXPORT __attribute__((visibility("default")))

// The compiler compares every definition with what the driver expects.
extern "C" {
using jobrt::cuda::Stream;
using jobrt::cuda::nccl::Comm;
using jobrt::cuda::nccl::Config;
using jobrt::cuda::nccl::Result;
using jobrt::cuda::nccl::UniqueId;
#define JOBSIM_DECLARE(name, symbol, result, parameters)                       \
  JOBSIM_EXPORT result symbol parameters;
JOBRT_FOR_EACH_NCCL_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
}

namespace jobsim::nccl {

using namespace jobrt::cuda::nccl;

enum class Kind {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kBroadcast,
  kSend,
  kRecv
};

/// One call of an operation.
struct Call {
  Kind kind;
  const void *send = nullptr;
  void *recv = nullptr;
  /// As the function takes it.
  size_t count = 0;
  int type = kFloat32;
  int reduction = kSum;
  /// The root, or the peer.
  int peer = 0;

  bool isPeerToPeer() const {
    return kind == Kind::kSend || kind == Kind::kRecv;
  }
  const char *function() const;
  /// Bytes that a rank sends and that it receives.
  size_t sendBytes(int ranks) const;
  size_t recvBytes(int ranks) const;
  /// Whether all ranks may call these together.
  bool agrees(const Call &other) const;
  /// "ncclAllReduce of 4 elements of type float32 (sum)".
  std::string describe() const;
};

/// Bytes of an element, 0 for a type that the stand-in does not have.
size_t bytesOf(int type);
const char *nameOf(int type);

/// A call whose stream has come to it.
struct Entry {
  Call call;
  int rank;
  std::vector<std::byte> input, output;
  bool isDone = false;
  /// A fault ends it as well.
  std::string fault;
};

struct CommState;

/// The communicators of the ranks of one id.
struct Clique {
  /// 0: no rank has come.
  int ranks = 0;
  int numArrived = 0;
  /// Whether each is on a machine of its own.
  bool isOverNetwork = false;
  /// A rank could not come.
  bool hasFailed = false;
  /// By rank; null for those that have not come.
  std::vector<std::shared_ptr<CommState>> members;

  /// Calls of collectives that not all ranks have come to, by their number.
  std::map<uint64_t, std::vector<std::shared_ptr<Entry>>> collectives;
  /// Sends and receives without their other half, by source and target.
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Entry>>> sends,
      recvs;
};

/// What a handle stands for. Work on streams keeps it.
struct CommState {
  std::shared_ptr<Clique> clique;
  int rank, device;
  Result asyncError = kSuccess;
  bool isAborted = false;
  /// Aborted or destroyed.
  bool isGone = false;
  /// Collectives that have begun.
  uint64_t numCollectives = 0;
  /// Work that a stream or a graph has.
  int numWorks = 0;
  /// Groups of threads that have not submitted their calls yet.
  int numOpen = 0;
  /// Whether one of it has begun and not ended.
  bool isBusy = false;
};

/// All communicators of the process.
struct Library {
  std::mutex mutex;
  /// A rank has come or failed, or a work has gone.
  std::condition_variable changed;
  std::map<uint64_t, std::shared_ptr<Clique>> cliques;
  std::map<Comm, std::shared_ptr<CommState>> comms;
  uint64_t numIds = 0;
};

/// Lives until the process ends.
Library &library();

/// The beginning of each function: counts the call. Returns the error of an
/// injected failure, `failure` unless another one was asked for.
Result begin(const char *function, Result failure);
/// Why a call fails. Not with the mutex held.
Result refuse(Result result, const std::string &reason);
/// Null: no such communicator.
std::shared_ptr<CommState> find(Comm comm);

/// Calls that are submitted to a stream together.
struct Batch {
  std::shared_ptr<CommState> comm;
  std::vector<Call> calls;
  /// Of the launch that has begun.
  std::vector<std::shared_ptr<Entry>> entries;
  /// A fault of the batch itself.
  std::string fault;
  /// What poll() has returned last.
  std::string text;
};

/// The functions of a jobsim_library_work with a Batch.
void beginBatch(void *state);
int pollBatch(void *state, const char **text);
void runBatch(void *state);
void releaseBatch(void *state);

/// Results of a collective that all ranks have come to, by rank.
void computeCollective(const std::vector<std::shared_ptr<Entry>> &entries);

} // namespace jobsim::nccl

#endif // JOBRT_SIMULATORS_NCCL_STATE_H
