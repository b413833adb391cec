//===- Communicators.cpp - Communicators of the stand-in for NCCL ---------===//

#include "simulators/nccl/State.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace jobsim::nccl;

struct ncclComm {};

Library &jobsim::nccl::library() {
  static auto *instance = new Library();
  return *instance;
}

static constexpr const char *kFunctions[] = {
#define JOBSIM_NAME(name, symbol, result, parameters) #symbol,
    JOBRT_FOR_EACH_NCCL_FUNCTION(JOBSIM_NAME)
#undef JOBSIM_NAME
};

__attribute__((constructor)) static void registerFunctions() {
  jobsim_library_register(kFunctions, std::size(kFunctions));
}

/// Of this thread.
static thread_local std::string lastError;

Result jobsim::nccl::refuse(Result result, const std::string &reason) {
  jobsim_library_refuse(reason.c_str());
  lastError = reason;
  return result;
}

Result jobsim::nccl::begin(const char *function, Result failure) {
  lastError.clear();
  int error = jobsim_library_call(function);
  return error == 0 ? kSuccess : error > 0 ? error : failure;
}

std::shared_ptr<CommState> jobsim::nccl::find(Comm comm) {
  std::lock_guard lock(library().mutex);
  auto entry = library().comms.find(comm);
  return entry == library().comms.end() ? nullptr : entry->second;
}

Result ncclGetVersion(int *version) {
  if (Result result = begin("ncclGetVersion", kInternalError))
    return result;
  *version = 22800;
  return kSuccess;
}

// Callers ask for these to report a failure: they do not fail themselves.

const char *ncclGetErrorString(Result result) {
  switch (result) {
  case kSuccess:
    return "no error";
  case kUnhandledCudaError:
    return "unhandled cuda error";
  case kSystemError:
    return "unhandled system error";
  case kInternalError:
    return "internal error";
  case kInvalidArgument:
    return "invalid argument";
  case kInvalidUsage:
    return "invalid usage";
  case kRemoteError:
    return "remote process exited or there was a network error";
  case kInProgress:
    return "NCCL operation in progress";
  default:
    return "unknown result code";
  }
}

const char *ncclGetLastError(Comm) { return lastError.c_str(); }

//===----------------------------------------------------------------------===//
// From an id to a communicator
//===----------------------------------------------------------------------===//

static constexpr char kMagic[] = "jobsim";

Result ncclGetUniqueId(UniqueId *id) {
  if (Result result = begin("ncclGetUniqueId", kSystemError))
    return result;
  if (!id)
    return refuse(kInvalidArgument, "ncclGetUniqueId: expects a place for it");
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id->bytes, kMagic, sizeof(kMagic));
  std::lock_guard lock(library().mutex);
  uint64_t number = ++library().numIds;
  std::memcpy(id->bytes + sizeof(kMagic), &number, sizeof(number));
  auto clique = std::make_shared<Clique>();
  const char *network = std::getenv("JOBSIM_NETWORK");
  clique->isOverNetwork = network && std::strcmp(network, "1") == 0;
  library().cliques[number] = std::move(clique);
  return kSuccess;
}

/// Null: not one of ncclGetUniqueId().
static std::shared_ptr<Clique> findClique(const UniqueId &id) {
  uint64_t number;
  std::memcpy(&number, id.bytes + sizeof(kMagic), sizeof(number));
  std::lock_guard lock(library().mutex);
  auto entry = library().cliques.find(number);
  bool isOurs = std::memcmp(id.bytes, kMagic, sizeof(kMagic)) == 0;
  return isOurs && entry != library().cliques.end() ? entry->second : nullptr;
}

namespace {
/// Why a rank cannot come, and the error; kSuccess if it can.
struct Refusal {
  Result result = kSuccess;
  std::string reason;
};
} // namespace

/// Adds a rank to its clique. With the mutex held.
static Refusal join(Clique &clique, int ranks,
                    const std::shared_ptr<CommState> &comm) {
  if (clique.ranks == 0) {
    clique.ranks = ranks;
    clique.members.resize(ranks);
  }
  if (clique.ranks != ranks)
    return {kInvalidArgument, "expects " + std::to_string(clique.ranks) +
                                  " ranks, as another rank does, but got " +
                                  std::to_string(ranks)};
  if (clique.members[comm->rank])
    return {kInvalidUsage,
            "rank " + std::to_string(comm->rank) + " has come already"};
  for (const auto &member : clique.members)
    if (member && member->device == comm->device)
      return {kInvalidUsage, "ranks " + std::to_string(member->rank) + " and " +
                                 std::to_string(comm->rank) +
                                 " are both on device " +
                                 std::to_string(comm->device)};
  clique.members[comm->rank] = comm;
  ++clique.numArrived;
  return {};
}

/// Waits for the other ranks. With the mutex held.
static Refusal waitForOthers(std::unique_lock<std::mutex> &lock, Clique &clique,
                             uint32_t patience) {
  bool isOver = library().changed.wait_for(
      lock, std::chrono::milliseconds(patience),
      [&] { return clique.hasFailed || clique.numArrived == clique.ranks; });
  if (clique.hasFailed)
    return {kRemoteError, "another rank has failed"};
  if (isOver)
    return {};
  std::string missing;
  for (size_t rank = 0; rank < clique.members.size(); ++rank)
    if (!clique.members[rank])
      missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
  return {kSystemError, "deadlock: waits for rank " + missing + " of " +
                            std::to_string(clique.ranks)};
}

static Refusal checkArguments(const Comm *comm, int ranks, int rank,
                              const Config *config, const Clique *clique) {
  if (!comm)
    return {kInvalidArgument, "expects a place for the communicator"};
  if (!config || config->size < sizeof(Config) ||
      config->magic != Config().magic || config->version < Config().version)
    return {kInvalidArgument, "expects a configuration of NCCL 2.14 or later"};
  if (config->blocking != 1)
    return {kInvalidArgument, "the stand-in has blocking communicators only"};
  if (ranks < 1 || rank < 0 || rank >= ranks)
    return {kInvalidArgument, "expects a rank below " + std::to_string(ranks) +
                                  " but got " + std::to_string(rank)};
  if (!clique)
    return {kInvalidArgument, "expects an id of ncclGetUniqueId"};
  return {};
}

Result ncclCommInitRankConfig(Comm *comm, int ranks, UniqueId id, int rank,
                              Config *config) {
  constexpr const char *kFunction = "ncclCommInitRankConfig";
  std::shared_ptr<Clique> clique = findClique(id);
  Refusal refusal;
  refusal.result = begin(kFunction, kSystemError);
  if (!refusal.result)
    refusal = checkArguments(comm, ranks, rank, config, clique.get());
  auto state = std::make_shared<CommState>();
  state->clique = clique;
  state->rank = rank;
  if (!refusal.result &&
      (jobsim_library_synchronize() || jobsim_library_device(&state->device)))
    refusal = {kUnhandledCudaError,
               "expects a context on this thread, which does not capture"};
  uint32_t patience = jobsim_library_patience();
  {
    std::unique_lock lock(library().mutex);
    if (!refusal.result)
      refusal = join(*clique, ranks, state);
    library().changed.notify_all();
    if (!refusal.result)
      refusal = waitForOthers(lock, *clique, patience);
    if (refusal.result && clique)
      clique->hasFailed = state->isGone = true;
    library().changed.notify_all();
    if (!refusal.result) {
      *comm = new ncclComm();
      library().comms[*comm] = state;
    }
  }
  // A call that is asked to fail has no reason.
  if (refusal.result && refusal.reason.empty())
    return refusal.result;
  if (refusal.result)
    return refuse(refusal.result,
                  std::string(kFunction) + ": " + refusal.reason);
  jobsim_library_count("communicator", 1);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// The end of a communicator
//===----------------------------------------------------------------------===//

/// Removes a communicator when no stream and no graph has work of it, and
/// `isReady`; NCCL waits for them for ever. Returns whether that has happened.
template <typename Predicate>
static bool remove(Comm comm, CommState &state, Predicate isReady) {
  uint32_t patience = jobsim_library_patience();
  bool isIdle;
  {
    std::unique_lock lock(library().mutex);
    state.isGone = true;
    library().changed.notify_all();
    isIdle = library().changed.wait_for(
        lock, std::chrono::milliseconds(patience),
        [&] { return state.numWorks == 0 && isReady(); });
    library().comms.erase(comm);
  }
  delete comm;
  jobsim_library_count("communicator", -1);
  return isIdle;
}

Result ncclCommDestroy(Comm comm) {
  Result result = begin("ncclCommDestroy", kInternalError);
  std::shared_ptr<CommState> state = find(comm);
  if (!state)
    return refuse(kInvalidArgument, "ncclCommDestroy: no such communicator");
  if (jobsim_library_synchronize())
    result = kUnhandledCudaError;
  if (!remove(comm, *state, [] { return true; }))
    return refuse(kInternalError, "ncclCommDestroy: deadlock: waits for graphs "
                                  "and streams with operations");
  return result;
}

/// Whether the other ranks of the machine have gone as well, with their work.
static bool haveAllGone(const Clique &clique) {
  return clique.isOverNetwork ||
         std::all_of(clique.members.begin(), clique.members.end(),
                     [](const std::shared_ptr<CommState> &member) {
                       return member->isGone && member->numWorks == 0;
                     });
}

Result ncclCommAbort(Comm comm) {
  Result result = begin("ncclCommAbort", kInternalError);
  std::shared_ptr<CommState> state = find(comm);
  if (!state)
    return refuse(kInvalidArgument, "ncclCommAbort: no such communicator");
  Clique &clique = *state->clique;
  bool isOpen;
  {
    std::lock_guard lock(library().mutex);
    isOpen = state->numOpen > 0;
    state->isAborted = true;
    for (const auto &member : clique.members)
      if (clique.isOverNetwork && member != state && !member->asyncError)
        member->asyncError = kRemoteError;
  }
  if (!remove(comm, *state, [&] { return haveAllGone(clique); }))
    return refuse(kInternalError,
                  "ncclCommAbort: deadlock: waits for graphs and streams with "
                  "operations, and for aborts of all ranks of the machine");
  if (isOpen)
    return refuse(kInvalidUsage,
                  "ncclCommAbort: another thread has calls of the "
                  "communicator, which NCCL has freed");
  return result;
}

Result ncclCommGetAsyncError(Comm comm, Result *asyncError) {
  if (Result result = begin("ncclCommGetAsyncError", kInternalError))
    return result;
  std::shared_ptr<CommState> state = find(comm);
  if (!state || !asyncError)
    return refuse(kInvalidArgument,
                  "ncclCommGetAsyncError: no such communicator");
  std::lock_guard lock(library().mutex);
  *asyncError = state->asyncError;
  return kSuccess;
}
