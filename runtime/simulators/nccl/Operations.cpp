//===- Operations.cpp - Collectives of the stand-in for NCCL --------------===//

#include "simulators/nccl/State.h"

using namespace jobsim::nccl;

//===----------------------------------------------------------------------===//
// What a call is
//===----------------------------------------------------------------------===//

size_t jobsim::nccl::bytesOf(int type) {
  switch (type) {
  case kInt8:
  case kUint8:
    return 1;
  case kFloat16:
  case kBfloat16:
    return 2;
  case kInt32:
  case kFloat32:
    return 4;
  case kInt64:
  case kFloat64:
    return 8;
  default:
    return 0;
  }
}

const char *jobsim::nccl::nameOf(int type) {
  static constexpr const char *kNames[] = {
      "int8",   "uint8",   "int32",   "uint32",  "int64",
      "uint64", "float16", "float32", "float64", "bfloat16"};
  return type >= 0 && type < int(std::size(kNames)) ? kNames[type] : "unknown";
}

const char *jobsim::nccl::Call::function() const {
  static constexpr const char *kNames[] = {"ncclAllReduce", "ncclReduceScatter",
                                           "ncclAllGather", "ncclBroadcast",
                                           "ncclSend",      "ncclRecv"};
  return kNames[static_cast<int>(kind)];
}

size_t jobsim::nccl::Call::sendBytes(int ranks) const {
  if (kind == Kind::kRecv)
    return 0;
  return count * bytesOf(type) * (kind == Kind::kReduceScatter ? ranks : 1);
}

size_t jobsim::nccl::Call::recvBytes(int ranks) const {
  if (kind == Kind::kSend)
    return 0;
  return count * bytesOf(type) * (kind == Kind::kAllGather ? ranks : 1);
}

bool jobsim::nccl::Call::agrees(const Call &other) const {
  return kind == other.kind && count == other.count && type == other.type &&
         reduction == other.reduction && peer == other.peer;
}

std::string jobsim::nccl::Call::describe() const {
  static constexpr const char *kReductions[] = {"sum", "prod", "max", "min",
                                                "avg"};
  std::string text = std::string(function()) + " of " + std::to_string(count) +
                     " elements of type " + nameOf(type);
  if (kind == Kind::kAllReduce || kind == Kind::kReduceScatter)
    text += std::string(" (") + kReductions[reduction] + ")";
  if (kind == Kind::kBroadcast)
    text += " (root " + std::to_string(peer) + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// The calls of one communicator, which must not end before they are submitted.
struct Group {
  Group(std::shared_ptr<CommState> comm, Stream stream, Call call)
      : comm(std::move(comm)), stream(stream), calls{call} {
    std::lock_guard lock(library().mutex);
    ++this->comm->numOpen;
  }
  Group(Group &&) = default;
  Group &operator=(Group &&) = default;
  ~Group() {
    if (!comm)
      return;
    std::lock_guard lock(library().mutex);
    --comm->numOpen;
  }

  std::shared_ptr<CommState> comm;
  Stream stream;
  std::vector<Call> calls;
};

/// What this thread has between ncclGroupStart() and ncclGroupEnd().
struct Groups {
  int depth = 0;
  std::vector<Group> groups;
  /// Of the first call that failed.
  Result error = kSuccess;
};
} // namespace

static thread_local Groups groups;

static Result submit(const Group &group) {
  std::vector<jobsim_range> ranges;
  int ranks = group.comm->clique->ranks;
  for (const Call &call : group.calls) {
    bool isSent =
        call.kind != Kind::kBroadcast || call.peer == group.comm->rank;
    if (size_t bytes = call.sendBytes(ranks); bytes > 0 && isSent)
      ranges.push_back({"the send buffer", call.send, bytes, 0});
    if (size_t bytes = call.recvBytes(ranks); bytes > 0)
      ranges.push_back({"the receive buffer", call.recv, bytes, 1});
  }
  const char *name = group.calls.front().function();
  Stream stream = group.stream;
  {
    std::lock_guard lock(library().mutex);
    ++group.comm->numWorks;
  }
  auto batch = std::make_unique<Batch>();
  batch->comm = group.comm;
  batch->calls = group.calls;
  jobsim_library_work work = {
      name,       ranges.data(), static_cast<uint32_t>(ranges.size()),
      runBatch,   releaseBatch,  batch.release(),
      beginBatch, pollBatch};
  return jobsim_library_submit(&work, stream) ? kUnhandledCudaError : kSuccess;
}

Result ncclGroupStart() {
  if (Result result = begin("ncclGroupStart", kInternalError))
    return result;
  ++groups.depth;
  return kSuccess;
}

Result ncclGroupEnd() {
  Result result = begin("ncclGroupEnd", kInternalError);
  if (groups.depth == 0)
    return refuse(kInvalidUsage, "ncclGroupEnd: expects a group");
  if (--groups.depth > 0)
    return result;
  Groups ended;
  std::swap(ended, groups);
  if (!result)
    result = ended.error;
  for (const Group &group : ended.groups)
    if (!result)
      result = submit(group);
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool overlap(const void *a, size_t aBytes, const void *b,
                    size_t bBytes) {
  auto first = reinterpret_cast<uintptr_t>(a),
       second = reinterpret_cast<uintptr_t>(b);
  return first < second + bBytes && second < first + aBytes;
}

/// Why NCCL does not take a call; empty if it does.
static std::string check(const Call &call, const CommState &comm) {
  int ranks = comm.clique->ranks;
  size_t element = bytesOf(call.type);
  if (element == 0)
    return "the stand-in has no type " + std::to_string(call.type);
  if (call.reduction < kSum || call.reduction > kAvg)
    return "expects a reduction but got " + std::to_string(call.reduction);
  bool isFloat = call.type >= kFloat16;
  if (call.reduction == kAvg && !isFloat)
    return "the stand-in has no average of integers";
  if (call.peer < 0 || call.peer >= ranks)
    return "expects a rank below " + std::to_string(ranks) + " but got " +
           std::to_string(call.peer);
  size_t sent = call.sendBytes(ranks), received = call.recvBytes(ranks);
  bool isSent = call.kind != Kind::kBroadcast || call.peer == comm.rank;
  if ((sent > 0 && isSent && !call.send) || (received > 0 && !call.recv))
    return "expects addresses of the buffers";
  if (reinterpret_cast<uintptr_t>(call.send) % element != 0 ||
      reinterpret_cast<uintptr_t>(call.recv) % element != 0)
    return "expects buffers that are aligned to their elements";
  // In place, the buffers are the same, or the smaller one is the rank's part
  // of the larger one.
  auto *send = static_cast<const std::byte *>(call.send),
       *recv = static_cast<const std::byte *>(call.recv);
  size_t part = comm.rank * call.count * element;
  bool isInPlace = call.kind == Kind::kReduceScatter ? recv == send + part
                   : call.kind == Kind::kAllGather   ? send == recv + part
                                                     : send == recv;
  if (!isInPlace && isSent && overlap(send, sent, recv, received))
    return "the buffers overlap and are not in place";
  return "";
}

static Result enqueue(const Call &call, Comm handle, Stream stream) {
  auto fail = [&](Result result, const std::string &reason) {
    if (groups.depth > 0 && !groups.error)
      groups.error = result;
    return reason.empty()
               ? result
               : refuse(result, std::string(call.function()) + ": " + reason);
  };
  if (Result result = begin(call.function(), kInternalError))
    return fail(result, "");
  std::shared_ptr<CommState> comm = find(handle);
  if (!comm)
    return fail(kInvalidArgument, "no such communicator");
  int device = -1;
  if (jobsim_library_device(&device))
    return fail(kUnhandledCudaError, "expects a context on this thread");
  if (device != comm->device)
    return fail(kInvalidUsage, "expects the context of device " +
                                   std::to_string(comm->device) +
                                   ", as the communicator, but got that of " +
                                   std::to_string(device));
  if (std::string reason = check(call, *comm); !reason.empty())
    return fail(kInvalidArgument, reason);
  if (groups.depth == 0)
    return call.isPeerToPeer() || call.count > 0
               ? submit(Group(std::move(comm), stream, call))
               : kSuccess;
  for (Group &group : groups.groups) {
    if (group.comm != comm)
      continue;
    if (group.stream != stream)
      return fail(kInvalidUsage, "the stand-in has one stream for each "
                                 "communicator of a group");
    group.calls.push_back(call);
    return kSuccess;
  }
  groups.groups.emplace_back(std::move(comm), stream, call);
  return kSuccess;
}

Result ncclAllReduce(const void *send, void *recv, size_t count, int type,
                     int reduction, Comm comm, Stream stream) {
  return enqueue({Kind::kAllReduce, send, recv, count, type, reduction, 0},
                 comm, stream);
}

Result ncclReduceScatter(const void *send, void *recv, size_t count, int type,
                         int reduction, Comm comm, Stream stream) {
  return enqueue({Kind::kReduceScatter, send, recv, count, type, reduction, 0},
                 comm, stream);
}

Result ncclAllGather(const void *send, void *recv, size_t count, int type,
                     Comm comm, Stream stream) {
  return enqueue({Kind::kAllGather, send, recv, count, type, kSum, 0}, comm,
                 stream);
}

Result ncclBroadcast(const void *send, void *recv, size_t count, int type,
                     int root, Comm comm, Stream stream) {
  return enqueue({Kind::kBroadcast, send, recv, count, type, kSum, root}, comm,
                 stream);
}

Result ncclSend(const void *send, size_t count, int type, int peer, Comm comm,
                Stream stream) {
  return enqueue({Kind::kSend, send, nullptr, count, type, kSum, peer}, comm,
                 stream);
}

Result ncclRecv(void *recv, size_t count, int type, int peer, Comm comm,
                Stream stream) {
  return enqueue({Kind::kRecv, nullptr, recv, count, type, kSum, peer}, comm,
                 stream);
}
