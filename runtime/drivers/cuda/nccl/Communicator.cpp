//===- Communicator.cpp - A rank among others -----------------------------===//

#include "drivers/cuda/nccl/Communicator.h"
#include "lib/base/Guard.h"
#include "lib/base/Threads.h"

#include <cstring>
#include <map>

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::nccl;

static_assert(sizeof(UniqueId) == std::tuple_size_v<CommunicatorId>);

Expected<CommunicatorId> nccl::createId(const cuda::Api &cuda) {
  Expected<std::shared_ptr<const nccl::Api>> api = nccl::Api::open(cuda);
  if (!api.ok())
    return api.status();
  UniqueId made;
  if (Status status =
          (*api)->check((*api)->getUniqueId(&made), "ncclGetUniqueId", nullptr,
                        "the id of a communicator");
      !status.ok())
    return status;
  CommunicatorId id;
  std::memcpy(id.data(), made.bytes, id.size());
  return id;
}

//===----------------------------------------------------------------------===//
// The ranks of a process
//===----------------------------------------------------------------------===//

std::shared_ptr<LocalRanks> LocalRanks::get(const CommunicatorId &id) {
  // Lives until the process ends.
  static auto *mutex = new std::mutex();
  static auto *known =
      new std::map<CommunicatorId, std::weak_ptr<LocalRanks>>();
  std::lock_guard lock(*mutex);
  std::erase_if(*known,
                [](const auto &entry) { return entry.second.expired(); });
  std::weak_ptr<LocalRanks> &entry = (*known)[id];
  std::shared_ptr<LocalRanks> ranks = entry.lock();
  if (!ranks)
    entry = ranks = std::make_shared<LocalRanks>();
  return ranks;
}

LocalRanks::~LocalRanks() {
  auto end = std::chrono::steady_clock::now() + patience;
  for (auto &[thread, ended] : aborts)
    if (ended.wait_until(end) == std::future_status::ready)
      thread.join();
    else
      thread.detach();
}

void LocalRanks::keep(std::thread thread, std::future<void> ended) {
  std::lock_guard lock(mutex);
  aborts.emplace_back(std::move(thread), std::move(ended));
}

void LocalRanks::add(Communicator &rank) {
  std::lock_guard lock(mutex);
  members.push_back(&rank);
  if (failedRank)
    rank.end(*failedRank);
}

void LocalRanks::remove(Communicator &rank) {
  std::lock_guard lock(mutex);
  std::erase(members, &rank);
}

void LocalRanks::abort(int rank) {
  std::lock_guard lock(mutex);
  if (failedRank)
    return;
  failedRank = rank;
  for (Communicator *member : members)
    member->end(rank);
}

//===----------------------------------------------------------------------===//
// Its life
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Communicator>>
Communicator::create(std::shared_ptr<DeviceContext> context, int ranks,
                     int rank, const CommunicatorId &id) {
  Expected<std::shared_ptr<const nccl::Api>> api =
      nccl::Api::open(context->api());
  if (!api.ok())
    return api.status();
  std::unique_ptr<Communicator> communicator(
      new Communicator(std::move(context), std::move(*api), ranks, rank));
  Communicator *raw = communicator.get();
  if (ranks > 1) {
    Expected<std::thread> thread =
        startThread("jobrt-nccl", [raw] { raw->threadMain(); });
    if (!thread.ok())
      return thread.status();
    raw->thread = std::move(*thread);
  }
  UniqueId unique;
  std::memcpy(unique.bytes, id.data(), id.size());
  Config config;
  if (Status status = raw->api->check(
          raw->api->commInitRankConfig(&raw->comm, ranks, unique, rank,
                                       &config),
          "ncclCommInitRankConfig", nullptr,
          "rank " + std::to_string(rank) + " of " + std::to_string(ranks));
      !status.ok()) {
    raw->comm = nullptr;
    return status;
  }
  if (ranks > 1) {
    raw->local = LocalRanks::get(id);
    raw->local->add(*raw);
  }
  return communicator;
}

Communicator::~Communicator() {
  if (!isUsed)
    abort();
  if (local)
    local->remove(*this);
  bool isEnding;
  {
    std::unique_lock lock(mutex);
    isStopping = true;
    isEnding = isAborted && comm;
    changed.notify_all();
    if (isEnding)
      changed.wait(lock, [&] { return isReleased; });
  }
  if (isEnding) {
    local->keep(std::move(thread), std::move(whenEnded));
    return;
  }
  if (thread.joinable())
    thread.join();
  if (!comm)
    return;
  // After an error of the device both fail.
  ContextScope scope(*context);
  (void)api->commDestroy(comm);
}

void Communicator::threadMain() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return isAborted || isStopping; });
  if (!isAborted || !comm)
    return;
  changed.wait(lock, [&] { return !isInCall; });
  // This object may be gone before the call returns.
  std::shared_ptr<DeviceContext> keptContext = context;
  std::shared_ptr<const Api> keptApi = api;
  std::promise<void> kept = std::move(ended);
  Comm aborted = comm;
  isReleased = true;
  changed.notify_all();
  lock.unlock();
  (void)keptContext->enterThread();
  // No caller is left to receive an error.
  (void)keptApi->commAbort(aborted);
  keptContext.reset();
  kept.set_value();
}

void Communicator::abort() {
  if (local)
    local->abort(rank);
}

void Communicator::end(int failed) {
  {
    std::lock_guard lock(mutex);
    isAborted = true;
    failedRank = failed;
  }
  changed.notify_all();
}

Status Communicator::begin() {
  isUsed = true;
  return check();
}

Status Communicator::makeEndedError() const {
  return Status(StatusCode::kInternal,
                "rank " + std::to_string(failedRank) +
                    " has aborted the communicator of the " +
                    std::to_string(ranks) + " ranks");
}

Status Communicator::check() {
  // An abort begins after the call.
  std::lock_guard lock(mutex);
  if (isAborted)
    return makeEndedError();
  Result error = kSuccess;
  const std::string what =
      "rank " + std::to_string(rank) + " of " + std::to_string(ranks);
  if (Status status = api->check(api->commGetAsyncError(comm, &error),
                                 "ncclCommGetAsyncError", comm, what);
      !status.ok())
    return status;
  return api->check(error, "a collective", comm, what);
}

Status Communicator::enter() {
  std::lock_guard lock(mutex);
  if (isAborted)
    return makeEndedError();
  isInCall = true;
  return {};
}

void Communicator::leave() {
  {
    std::lock_guard lock(mutex);
    isInCall = false;
  }
  changed.notify_all();
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

static int getType(DType dtype) {
  switch (dtype) {
  case DType::kF16:
    return kFloat16;
  case DType::kBF16:
    return kBfloat16;
  case DType::kF64:
    return kFloat64;
  case DType::kI8:
    return kInt8;
  case DType::kUI8:
    return kUint8;
  case DType::kI32:
    return kInt32;
  case DType::kI64:
    return kInt64;
  default:
    return kFloat32;
  }
}

static int getReduction(Reduction reduction) {
  switch (reduction) {
  case Reduction::kSum:
    return kSum;
  case Reduction::kProd:
    return kProd;
  case Reduction::kMin:
    return kMin;
  case Reduction::kMax:
    return kMax;
  case Reduction::kAvg:
    return kAvg;
  }
  return kSum;
}

Status Communicator::call(const Command &command, const DevicePointer *args,
                          Stream stream) {
  const Collective &collective = command.collective;
  int type = getType(collective.dtype);
  int reduction = getReduction(collective.reduction);
  int peer = collective.peer;
  DevicePointer from = args[0], to = args[command.args.size() - 1];
  size_t sent = command.args.front().bytes, got = command.args.back().bytes;
  // With one buffer, the rank's part of it is what it sends or gets.
  if (command.args.size() == 1 &&
      collective.kind == CollectiveKind::kReduceScatter) {
    got /= ranks;
    to += rank * got;
  }
  if (command.args.size() == 1 &&
      collective.kind == CollectiveKind::kAllGather) {
    sent /= ranks;
    from += rank * sent;
  }
  size_t element = dtypeBytes(collective.dtype);
  const void *send = reinterpret_cast<const void *>(from);
  void *recv = reinterpret_cast<void *>(to);
  auto check = [&](Result result, const char *function) {
    return api->check(result, function, comm, "the call");
  };
  switch (collective.kind) {
  case CollectiveKind::kAllReduce:
    return check(api->allReduce(send, recv, sent / element, type, reduction,
                                comm, stream),
                 "ncclAllReduce");
  case CollectiveKind::kReduceScatter:
    return check(api->reduceScatter(send, recv, got / element, type, reduction,
                                    comm, stream),
                 "ncclReduceScatter");
  case CollectiveKind::kAllGather:
    return check(api->allGather(send, recv, sent / element, type, comm, stream),
                 "ncclAllGather");
  case CollectiveKind::kBroadcast:
    return check(
        api->broadcast(send, recv, sent / element, type, peer, comm, stream),
        "ncclBroadcast");
  case CollectiveKind::kSend:
    return check(api->send(send, sent / element, type, peer, comm, stream),
                 "ncclSend");
  case CollectiveKind::kRecv:
    return check(api->recv(recv, got / element, type, peer, comm, stream),
                 "ncclRecv");
  }
  return {};
}

Status Communicator::enqueue(const Command &command, bool hasFollower,
                             const DevicePointer *args, Stream stream) {
  // A thread with an open group is inside.
  if (!isGroupOpen)
    if (Status status = enter(); !status.ok())
      return status;
  Status status = withoutThrowing("submit a collective", [&] {
    return submit(command, hasFollower, args, stream);
  });
  if (!isGroupOpen)
    leave();
  return status;
}

Status Communicator::submit(const Command &command, bool hasFollower,
                            const DevicePointer *args, Stream stream) {
  if (hasFollower && !isGroupOpen) {
    if (Status status = api->check(api->groupStart(), "ncclGroupStart", comm,
                                   "a group of collectives");
        !status.ok())
      return status;
    isGroupOpen = true;
  }
  // All ranks have as many elements.
  if (command.args.front().bytes > 0)
    if (Status status = call(command, args, stream); !status.ok())
      return status;
  if (hasFollower || !isGroupOpen)
    return {};
  isGroupOpen = false;
  return api->check(api->groupEnd(), "ncclGroupEnd", comm,
                    "a group of collectives");
}

void Communicator::closeGroup() {
  if (!std::exchange(isGroupOpen, false))
    return;
  (void)api->groupEnd();
  leave();
}
