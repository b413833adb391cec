//===- Communicator.cpp - A rank among others -----------------------------===//

#include "drivers/cuda/nccl/Communicator.h"
#include "lib/base/Threads.h"

#include <cstring>

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
  return communicator;
}

Communicator::~Communicator() {
  if (thread.joinable()) {
    {
      std::lock_guard lock(mutex);
      isStopping = true;
    }
    changed.notify_all();
    thread.join();
  }
  if (!comm || isAborted)
    return;
  // After an error of the device all of them fail. A session that has ended
  // before its first step, as after an error of its creation, must not leave
  // the other ranks waiting.
  (void)context->enter();
  (void)(isUsed || ranks == 1 ? api->commDestroy(comm) : api->commAbort(comm));
}

void Communicator::threadMain() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return isAborted || isStopping; });
  if (!isAborted || !comm)
    return;
  changed.wait(lock, [&] { return !isInCall; });
  lock.unlock();
  (void)context->enter();
  // No caller is left to receive an error.
  (void)api->commAbort(comm);
}

void Communicator::abort() {
  if (ranks == 1)
    return;
  {
    std::lock_guard lock(mutex);
    isAborted = true;
  }
  changed.notify_all();
}

Status Communicator::begin() {
  isUsed = true;
  return check();
}

static Status makeEndedError(int ranks) {
  return Status(StatusCode::kInternal,
                "an earlier error has ended the communicator of the " +
                    std::to_string(ranks) + " ranks");
}

Status Communicator::check() {
  // An abort begins after the call.
  std::lock_guard lock(mutex);
  if (isAborted)
    return makeEndedError(ranks);
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
    return makeEndedError(ranks);
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
  Status status = submit(command, hasFollower, args, stream);
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
