//===- Scheduler.cpp - The order in which operations run ------------------===//

#include "simulators/cuda/State.h"

#include <algorithm>

using namespace jobsim;

/// Whether the first operation of the stream may run.
static bool isReady(const StreamState &stream) {
  if (stream.pending.empty())
    return false;
  const Operation &first = stream.pending.front();
  return std::all_of(first.waits.begin(), first.waits.end(),
                     [](const auto &wait) { return wait->done; });
}

static void complete(StreamState &stream) {
  Completion &completion = *stream.pending.front().completion;
  completion.done = true;
  completion.time = std::chrono::steady_clock::now();
  stream.pending.pop_front();
}

/// Runs the first operation of the stream, or one node of its graph.
static void runFirst(StreamState &stream) {
  Simulator &sim = simulator();
  Operation &operation = stream.pending.front();
  ++sim.operationsRun;
  const Work *work = &operation.work;
  unsigned node = 0;
  if (operation.nodes) {
    std::swap(operation.ready[sim.random.below(operation.ready.size())],
              operation.ready.back());
    node = operation.ready.back();
    operation.ready.pop_back();
    work = &(*operation.nodes)[node].work;
  }
  if (Result error = runWork(*stream.context, *work)) {
    failContext(*stream.context, error);
    return;
  }
  if (operation.nodes) {
    const Nodes &nodes = *operation.nodes;
    for (unsigned later = node + 1; later < nodes.size(); ++later)
      for (unsigned dependency : nodes[later].dependencies)
        if (dependency == node && --operation.missing[later] == 0)
          operation.ready.push_back(later);
    if (--operation.nodesLeft > 0)
      return;
  }
  complete(stream);
}

bool jobsim::step() {
  Simulator &sim = simulator();
  std::erase_if(sim.busy,
                [](const auto &stream) { return stream->pending.empty(); });
  // One stream goes ahead of the others for a while, then another one does:
  // changing at every operation would keep them side by side, where a missing
  // wait rarely shows.
  if (sim.random.below(16) == 0)
    for (const auto &stream : sim.busy)
      stream->priority = sim.random.next();
  std::shared_ptr<StreamState> chosen;
  bool any = sim.random.below(4) == 0;
  uint32_t ready = 0;
  for (const auto &stream : sim.busy) {
    if (!isReady(*stream))
      continue;
    ++ready;
    if (!chosen || (any ? sim.random.below(ready) == 0
                        : stream->priority > chosen->priority))
      chosen = stream;
  }
  if (!chosen)
    return false;
  runFirst(*chosen);
  return true;
}

std::shared_ptr<Completion>
jobsim::submit(const std::shared_ptr<StreamState> &stream,
               Operation operation) {
  Simulator &sim = simulator();
  std::shared_ptr<Completion> completion = operation.completion;
  if (std::find(sim.busy.begin(), sim.busy.end(), stream) == sim.busy.end()) {
    sim.busy.push_back(stream);
    stream->priority = sim.random.next();
  }
  stream->last = completion;
  stream->pending.push_back(std::move(operation));

  if (sim.schedule == JOBSIM_SCHEDULE_EAGER) {
    while (step()) {
    }
  } else if (sim.schedule == JOBSIM_SCHEDULE_RANDOM &&
             sim.random.below(4) == 0) {
    for (uint32_t i = sim.random.below(16); i > 0 && step(); --i) {
    }
  }
  return completion;
}

Result jobsim::waitFor(Call &call,
                       const std::shared_ptr<Completion> &completion,
                       const std::shared_ptr<ContextState> &context) {
  while (!completion->done && context->error == kSuccess) {
    // Operations wait for earlier ones only, so one of them is ready.
    if (!step())
      return refuse(kErrorUnknown, "expected an operation that is ready");
    call.lock.unlock();
    call.lock.lock();
  }
  return context->error;
}

void jobsim::failContext(ContextState &context, Result error) {
  if (context.error == kSuccess)
    context.error = error;
  for (const auto &stream : simulator().busy)
    if (stream->context.get() == &context)
      while (!stream->pending.empty())
        complete(*stream);
}
