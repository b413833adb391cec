//===- Rendezvous.cpp - Where the ranks of the stand-in for NCCL meet -----===//

#include "simulators/nccl/State.h"

#include <cstring>

using namespace jobsim::nccl;

/// Ends entries that do not fit together.
static void disagree(const std::vector<std::shared_ptr<Entry>> &entries,
                     const Entry &other) {
  for (const auto &entry : entries)
    if (entry && entry->fault.empty() && entry.get() != &other) {
      entry->fault = entry->call.describe() + " of rank " +
                     std::to_string(entry->rank) + " meets " +
                     other.call.describe() + " of rank " +
                     std::to_string(other.rank);
      entry->isDone = true;
    }
}

static void meetAll(Clique &clique, uint64_t number,
                    const std::shared_ptr<Entry> &entry) {
  std::vector<std::shared_ptr<Entry>> &entries = clique.collectives[number];
  entries.resize(clique.ranks);
  entries[entry->rank] = entry;
  bool isComplete = true;
  for (const auto &other : entries) {
    isComplete &= other != nullptr;
    if (!other || (other->fault.empty() && other->call.agrees(entry->call)))
      continue;
    disagree({entry}, *other);
    disagree(entries, *entry);
  }
  if (isComplete && entry->fault.empty())
    computeCollective(entries);
  if (isComplete)
    clique.collectives.erase(number);
}

static void meetPeer(Clique &clique, const std::shared_ptr<Entry> &entry) {
  bool isSend = entry->call.kind == Kind::kSend;
  std::pair<int, int> way(entry->rank, entry->call.peer);
  if (!isSend)
    std::swap(way.first, way.second);
  auto &others = (isSend ? clique.recvs : clique.sends)[way];
  if (others.empty()) {
    (isSend ? clique.sends : clique.recvs)[way].push_back(entry);
    return;
  }
  std::shared_ptr<Entry> other = others.front();
  others.pop_front();
  if (other->call.count != entry->call.count ||
      other->call.type != entry->call.type) {
    disagree({entry}, *other);
    disagree({other}, *entry);
    return;
  }
  (isSend ? other : entry)->output = (isSend ? entry : other)->input;
  entry->isDone = other->isDone = true;
}

void jobsim::nccl::beginBatch(void *state) {
  auto &batch = *static_cast<Batch *>(state);
  std::lock_guard lock(library().mutex);
  CommState &comm = *batch.comm;
  batch.fault.clear();
  batch.entries.clear();
  if (comm.isAborted)
    return;
  if (comm.isBusy) {
    batch.fault = batch.calls.front().describe() + " of rank " +
                  std::to_string(comm.rank) +
                  " begins while another operation of the communicator runs: "
                  "expects streams that are in order";
    return;
  }
  comm.isBusy = true;
  for (const Call &call : batch.calls) {
    auto entry = std::make_shared<Entry>();
    entry->call = call;
    entry->rank = comm.rank;
    bool isSent = call.kind != Kind::kBroadcast || call.peer == comm.rank;
    size_t bytes = isSent ? call.sendBytes(comm.clique->ranks) : 0;
    entry->input.resize(bytes);
    if (bytes > 0)
      std::memcpy(entry->input.data(), call.send, bytes);
    batch.entries.push_back(entry);
    if (call.isPeerToPeer())
      meetPeer(*comm.clique, entry);
    else
      meetAll(*comm.clique, comm.numCollectives++, entry);
  }
}

/// "ncclSend of 4 elements of type float32 of rank 0 waits for rank 1".
static std::string describeWait(const CommState &comm, const Entry &entry) {
  std::string text = entry.call.describe() + " of rank " +
                     std::to_string(entry.rank) + " waits for rank ";
  if (entry.call.isPeerToPeer())
    return text + std::to_string(entry.call.peer);
  std::string missing;
  for (const auto &[number, entries] : comm.clique->collectives)
    for (const auto &mine : entries)
      if (mine.get() == &entry)
        for (size_t rank = 0; rank < entries.size(); ++rank)
          if (!entries[rank])
            missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
  return text + missing;
}

int jobsim::nccl::pollBatch(void *state, const char **text) {
  auto &batch = *static_cast<Batch *>(state);
  std::lock_guard lock(library().mutex);
  if (batch.comm->isAborted)
    return 1;
  batch.text = batch.fault;
  for (const auto &entry : batch.entries)
    if (batch.text.empty())
      batch.text = entry->fault;
  *text = batch.text.c_str();
  if (!batch.text.empty()) {
    batch.comm->isBusy = false;
    return -1;
  }
  for (const auto &entry : batch.entries)
    if (!entry->isDone) {
      batch.text = describeWait(*batch.comm, *entry);
      *text = batch.text.c_str();
      return 0;
    }
  return 1;
}

void jobsim::nccl::runBatch(void *state) {
  auto &batch = *static_cast<Batch *>(state);
  std::lock_guard lock(library().mutex);
  if (!batch.comm->isAborted)
    for (const auto &entry : batch.entries)
      if (!entry->output.empty())
        std::memcpy(entry->call.recv, entry->output.data(),
                    entry->output.size());
  batch.entries.clear();
  batch.comm->isBusy = false;
}

void jobsim::nccl::releaseBatch(void *state) {
  std::unique_ptr<Batch> batch(static_cast<Batch *>(state));
  std::lock_guard lock(library().mutex);
  --batch->comm->numWorks;
  library().changed.notify_all();
}
