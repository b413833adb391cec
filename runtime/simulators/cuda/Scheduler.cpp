//===- Scheduler.cpp - The order in which operations run ------------------===//

#include "simulators/cuda/State.h"

#include <algorithm>

using namespace jobsim;

/// The work of an operation, or of a node of its graph.
static const Work &workOf(const Operation &operation, unsigned node) {
  return operation.nodes ? (*operation.nodes)[node].work : operation.work;
}

static bool hasBegun(const Operation &operation, unsigned node) {
  return std::find(operation.begun.begin(), operation.begun.end(), node) !=
         operation.begun.end();
}

/// Whether work whose turn has come can do something: not if it has begun and
/// the work that it waits for has not.
static bool canContinue(const Operation &operation, unsigned node) {
  const char *text = nullptr;
  const LibraryWork *library = workOf(operation, node).library.get();
  return !hasBegun(operation, node) || library->poll(library->state, &text);
}

/// Whether the first operation of the stream may run.
static bool isReady(const StreamState &stream) {
  if (stream.pending.empty())
    return false;
  const Operation &first = stream.pending.front();
  if (!std::all_of(first.waits.begin(), first.waits.end(),
                   [](const auto &wait) { return wait->done; }))
    return false;
  return first.nodes ? std::any_of(first.ready.begin(), first.ready.end(),
                                   [&](unsigned node) {
                                     return canContinue(first, node);
                                   })
                     : canContinue(first, 0);
}

static void complete(StreamState &stream) {
  Completion &completion = *stream.pending.front().completion;
  completion.done = true;
  completion.time = std::chrono::steady_clock::now();
  stream.pending.pop_front();
}

/// A random node that can do something; 0 for an operation without a graph.
static unsigned chooseNode(Operation &operation) {
  if (!operation.nodes)
    return 0;
  std::vector<unsigned> &ready = operation.ready;
  size_t count = std::partition(ready.begin(), ready.end(),
                                [&](unsigned node) {
                                  return canContinue(operation, node);
                                }) -
                 ready.begin();
  return ready[simulator().random.below(count)];
}

/// Begins or continues work that waits for work of other streams. Returns
/// whether it is over.
static bool advance(StreamState &stream, Operation &operation, unsigned node,
                    Result &error) {
  const LibraryWork &library = *workOf(operation, node).library;
  if (!hasBegun(operation, node)) {
    error = beginLibrary(*stream.context, library);
    operation.begun.push_back(node);
    return false;
  }
  const char *text = "";
  if (library.poll(library.state, &text) < 0) {
    report(text);
    error = kErrorLaunchFailed;
    return false;
  }
  std::erase(operation.begun, node);
  error = runLibrary(*stream.context, library);
  return true;
}

/// Runs the first operation of the stream, or one node of its graph.
static void runFirst(StreamState &stream) {
  Simulator &sim = simulator();
  Operation &operation = stream.pending.front();
  ++sim.operationsRun;
  sim.lastProgress = std::chrono::steady_clock::now();
  unsigned node = chooseNode(operation);
  const Work &work = workOf(operation, node);
  Result error = kSuccess;
  bool isOver = true;
  if (work.library && work.library->begin)
    isOver = advance(stream, operation, node, error);
  else
    error = runWork(*stream.context, work);
  if (error) {
    failContext(*stream.context, error);
    return;
  }
  if (!isOver)
    return;
  if (operation.nodes)
    std::erase(operation.ready, node);
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
  sim.lastProgress = std::chrono::steady_clock::now();
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

/// What the work of the stream that has begun waits for; empty if there is
/// none.
static std::string describeWait(const StreamState &stream) {
  if (stream.pending.empty() || stream.pending.front().begun.empty())
    return "";
  const Operation &first = stream.pending.front();
  const LibraryWork &library = *workOf(first, first.begun.front()).library;
  const char *text = "";
  library.poll(library.state, &text);
  return text;
}

/// Whether some work waits for work of other streams.
static bool isAnyWaiting() {
  std::vector<std::shared_ptr<StreamState>> &busy = simulator().busy;
  return std::any_of(busy.begin(), busy.end(), [](const auto &stream) {
    return !stream->pending.empty() && !stream->pending.front().begun.empty();
  });
}

void jobsim::detectDeadlock() {
  Simulator &sim = simulator();
  if (std::chrono::steady_clock::now() - sim.lastProgress < sim.patience)
    return;
  std::string text;
  std::vector<std::shared_ptr<ContextState>> stuck;
  for (const auto &stream : sim.busy) {
    std::string wait = describeWait(*stream);
    if (wait.empty())
      continue;
    text += (text.empty() ? "deadlock: " : "; ") + wait;
    stuck.push_back(stream->context);
  }
  if (stuck.empty())
    return;
  report(text);
  for (const auto &context : stuck)
    failContext(*context, kErrorLaunchTimeout);
}

Result jobsim::waitFor(Call &call,
                       const std::shared_ptr<Completion> &completion,
                       const std::shared_ptr<ContextState> &context) {
  while (!completion->done && context->error == kSuccess) {
    bool hasRun = step();
    // Operations wait for earlier ones, so one is ready unless they all wait
    // for work that another thread submits.
    if (!hasRun && !isAnyWaiting())
      return refuse(kErrorUnknown, "expected an operation that is ready");
    if (!hasRun)
      detectDeadlock();
    call.lock.unlock();
    if (!hasRun)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    call.lock.lock();
  }
  return context->error;
}

void jobsim::failContext(ContextState &context, Result error) {
  if (context.error == kSuccess)
    context.error = error;
  if (isUnrecoverable(error))
    simulator().devices[context.device].error = error;
  for (const auto &stream : simulator().busy)
    if (stream->context.get() == &context)
      while (!stream->pending.empty())
        complete(*stream);
}
