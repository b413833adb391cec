//===- StepPool.cpp - Credits, staging slots and futures ------------------===//

#include "lib/executor/StepPool.h"
#include "lib/base/Guard.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>

using namespace jobrt;

/// Callbacks of one future that find room without an allocation.
static constexpr size_t kCallbackRoom = 4;
/// Errors that are kept for a caller who never asks for them.
static constexpr size_t kMaxUnseenErrors = 256;

static Status cancelledStatus(const EntryInfo &entry) {
  return Status(StatusCode::kCancelled,
                "job '" + entry.name +
                    "': the session was cancelled before this step ran");
}

void Future::State::begin() {
  if (pool.isCancelled()) {
    complete(withoutThrowing("describe the error of a step",
                             [&] { return cancelledStatus(*entry); }));
    return;
  }
  // The recorder stays until this task has retired.
  if (TraceRecorder *recorder = pool.trace())
    trace = &recorder->beginStep(number, *entry, submit);
  program->submit({inputs, outputs.get(), &meter, functions, trace}, *this);
}

Status Future::State::readCounts() {
  boundedShapes.clear();
  for (const PortInfo &output : entry->outputs) {
    if (output.count < 0)
      continue;
    int64_t count;
    std::memcpy(&count,
                outputs->hostAddress() + entry->outputs[output.count].offset,
                sizeof(count));
    const auto dim = static_cast<size_t>(output.boundedDim);
    if (count < 0 || count > output.shape[dim])
      return withoutThrowing("describe the error of a step", [&] {
        return Status(
            StatusCode::kInternal,
            "job '" + entry->name + "', output '" + output.name +
                "': expects a count of 0 to " +
                std::to_string(output.shape[dim]) + " but got " +
                std::to_string(count) +
                (std::any_of(entry->commands.begin(), entry->commands.end(),
                             std::mem_fn(&Command::writesVariables))
                     ? "; variables have been changed by this step"
                     : "; variables are as they were before this "
                       "step"));
      });
    size_t first = boundedShapes.size();
    boundedShapes.insert(boundedShapes.end(), output.shape.begin(),
                         output.shape.end());
    boundedShapes[first + dim] = count;
    // Rows are together, and zeros follow.
    if (dim > 0)
      packElements(outputs->hostAddress() + output.offset, output.shape,
                   output.dtype, dim, count);
  }
  return {};
}

const int64_t *Future::State::outputShape(size_t index) const {
  const std::vector<PortInfo> &ports = entry->outputs;
  if (ports[index].count < 0)
    return ports[index].shape.data();
  const int64_t *shape = boundedShapes.data();
  for (size_t i = 0; i < index; ++i)
    if (ports[i].count >= 0)
      shape += ports[i].shape.size();
  return shape;
}

void Future::State::retire(Status status) {
  if (status.ok())
    status = readCounts();
  StepRecord *record = std::exchange(trace, nullptr);
  if (record) {
    record->failed = !status.ok();
    record->completion.begin = traceClock();
  }
  pool.complete(*this, std::move(status));
  // This state may be another step's by now.
  if (record)
    record->completion.end = traceClock();
}

Expected<std::shared_ptr<StepPool>>
StepPool::create(std::shared_ptr<const Artifact> artifact, Driver &driver,
                 int credits, int64_t inputBytes, int64_t outputBytes) {
  std::shared_ptr<StepPool> pool(
      new StepPool(std::move(artifact), driver, credits, outputBytes));
  for (const EntryInfo &entry : pool->artifact->entries()) {
    size_t ranks = 0;
    for (const PortInfo &output : entry.outputs)
      ranks += output.count < 0 ? 0 : output.shape.size();
    pool->boundedRanks = std::max(pool->boundedRanks, ranks);
  }
  for (int i = 0; i < credits; ++i) {
    Expected<std::unique_ptr<DriverMemory>> inputs =
        driver.allocate(MemoryKind::kStaging, inputBytes, "inputs of a step");
    if (!inputs.ok())
      return inputs.status();
    pool->freeInputs.push_back(inputs->get());
    pool->inputSlots.push_back(std::move(*inputs));
    Expected<std::unique_ptr<State>> state = pool->makeState();
    if (!state.ok())
      return state.status();
    pool->freeStates.push_back(std::move(*state));
    ++pool->numStates;
  }
  pool->unseenErrors.reserve(kMaxUnseenErrors);
  // Room for every state that is kept free: see release().
  pool->freeStates.reserve(2 * static_cast<size_t>(credits));
  return pool;
}

StepPool::~StepPool() { assert(!callbackThread.joinable()); }

Expected<std::unique_ptr<StepPool::State>> StepPool::makeState() {
  Expected<std::unique_ptr<DriverMemory>> outputs =
      driver.allocate(MemoryKind::kStaging, outputBytes, "outputs of a step");
  if (!outputs.ok())
    return outputs.status();
  auto state = std::make_unique<State>(*this, std::move(*outputs));
  state->callbacks.reserve(kCallbackRoom);
  state->boundedShapes.reserve(boundedRanks);
  return state;
}

void StepPool::cancel() {
  std::lock_guard lock(mutex);
  cancelled.store(true);
  changed.notify_all();
}

bool StepPool::hasCredit() const {
  int inFlight = credits - static_cast<int>(freeInputs.size());
  // The queue of callbacks counts as in flight, unless it waits for this call.
  return inFlight + (inCallback() ? 0 : numQueued) < credits;
}

Status StepPool::waitForCredit() {
  std::unique_lock lock(mutex);
  bool isReady = waitServing(lock, interrupted,
                             [&] { return isCancelled() || hasCredit(); });
  return isReady ? Status() : Interrupt::status();
}

Expected<StepPool::State *> StepPool::acquire(const EntryInfo &entry,
                                              bool blocks) {
  std::unique_lock lock(mutex);
  auto isReady = [&] { return isCancelled() || hasCredit(); };
  if (!blocks && !isReady())
    return nullptr;
  if (!waitServing(lock, interrupted, isReady))
    return Interrupt::status();
  if (isCancelled())
    return cancelledStatus(entry);
  std::unique_ptr<State> state;
  if (!freeStates.empty()) {
    state = std::move(freeStates.back());
    freeStates.pop_back();
  } else {
    // The user keeps the outputs of all others.
    Expected<std::unique_ptr<State>> made = makeState();
    if (!made.ok())
      return Status(made.status().code(),
                    made.status().message() + "; the outputs of " +
                        std::to_string(numStates) + " steps are kept");
    state = std::move(*made);
    ++numStates;
  }
  state->inputs = freeInputs.back();
  freeInputs.pop_back();
  state->entry = &entry;
  state->keepAlive = shared_from_this();
  state->references.store(2);
  state->done.store(false);
  state->meter.reset();
  state->submit = {};
  state->number = ++lastNumber;
  return state.release();
}

void StepPool::complete(State &state, Status status) {
  Released released;
  std::lock_guard lock(mutex);
  // Who cancelled knows.
  if (!status.ok() && status.code() != StatusCode::kCancelled)
    keepError(state.number, status);
  state.status = std::move(status);
  freeInputs.push_back(state.inputs);
  state.inputs = nullptr;
  lastReport = state.meter.report();
  state.done.store(true);
  if (!state.callbacks.empty()) {
    queueCallbacks(state);
    callbackReady.notify_one();
  }
  changed.notify_all();
  released = releaseLocked(state);
}

void StepPool::release(State &state) {
  // In a forked child the pool stays as it was: its lock may never be free.
  if (isForked())
    return;
  // Others hold references: no lock.
  int references = state.references.load();
  while (references > 1)
    if (state.references.compare_exchange_weak(references, references - 1))
      return;
  Released released;
  std::lock_guard lock(mutex);
  released = releaseLocked(state);
}

StepPool::Released StepPool::releaseLocked(State &state) {
  if (state.references.fetch_sub(1) != 1)
    return {};
  // No other reference to the state is left.
  state.status = Status();
  Released released{std::move(state.keepAlive), std::unique_ptr<State>(&state)};
  if (freeStates.size() < 2 * static_cast<size_t>(credits))
    freeStates.push_back(std::move(released.state));
  else
    --numStates;
  return released;
}

void StepPool::keepError(uint64_t number, Status status) {
  if (unseenErrors.size() < kMaxUnseenErrors)
    unseenErrors.emplace_back(number, std::move(status));
}

std::unique_ptr<TraceRecorder>
StepPool::exchangeTrace(std::unique_ptr<TraceRecorder> next) {
  std::lock_guard lock(mutex);
  std::swap(ownedRecorder, next);
  recorder.store(ownedRecorder.get());
  return next;
}

bool StepPool::blockUntilDone(std::unique_lock<std::mutex> &lock,
                              State &state) {
  if (state.done.load())
    return true;
  uint64_t begin = trace() ? traceClock() : 0;
  bool isDone =
      interrupted.wait(changed, lock, [&] { return state.done.load(); });
  if (TraceRecorder *current = trace())
    current->addWait(
        {state.number, {begin, traceClock()}, currentThreadNumber()});
  return isDone;
}

Status StepPool::waitUntilDone(State &state) {
  if (state.done.load())
    return {};
  std::unique_lock lock(mutex);
  return blockUntilDone(lock, state) ? Status() : Interrupt::status();
}

Status StepPool::wait(State &state) {
  // What is done does not change any more.
  if (state.done.load() && state.status.ok())
    return {};
  if (isForked())
    return state.done.load() ? state.status : forkedStatus();
  std::unique_lock lock(mutex);
  if (!blockUntilDone(lock, state))
    return Interrupt::status();
  if (!state.status.ok())
    std::erase_if(unseenErrors, [&](const auto &unseen) {
      return unseen.first == state.number;
    });
  return state.status;
}

Status StepPool::takeUnseenError() {
  std::lock_guard lock(mutex);
  if (unseenErrors.empty())
    return {};
  // Steps complete in order, so the first entry is the first error.
  Status first = unseenErrors.front().second;
  unseenErrors.clear();
  return first;
}

int64_t StepPool::stagingBytes() {
  int64_t bytes = numStates * outputBytes;
  for (const std::unique_ptr<DriverMemory> &slot : inputSlots)
    bytes += slot->bytes();
  return bytes;
}

AllocationReport StepPool::lastAllocations() {
  if (!allocationSource() || isForked())
    return {-1, -1};
  std::lock_guard lock(mutex);
  return lastReport;
}

//===----------------------------------------------------------------------===//
// Future
//===----------------------------------------------------------------------===//

Future::Future(const Future &other) : state(other.state) {
  if (state)
    state->pool.retain(*state);
}

Future &Future::operator=(const Future &other) {
  Future copy(other);
  std::swap(state, copy.state);
  return *this;
}

Future &Future::operator=(Future &&other) noexcept {
  // What this one held is given back now, not when the other one goes.
  Future taken(std::move(other));
  std::swap(state, taken.state);
  return *this;
}

Future::~Future() {
  if (state)
    state->pool.release(*state);
}

Status Future::wait() const {
  assert(valid() && "a default-made future has no step");
  return state->pool.wait(*state);
}

bool Future::done() const { return state && state->done.load(); }

int Future::numOutputs() const {
  return state ? static_cast<int>(state->entry->outputs.size()) : 0;
}

TensorView Future::output(int index) const {
  assert(index >= 0 && index < numOutputs() && "no such output");
  const PortInfo &port = state->entry->outputs[index];
  const int64_t *shape = state->outputShape(index);
  return {port.dtype, Shape(shape, shape + port.shape.size()),
          outputData(index)};
}

void *Future::outputData(int index) const {
  assert(index >= 0 && index < numOutputs() && "no such output");
  return state->outputs->hostAddress() + state->entry->outputs[index].offset;
}

void Future::onDone(std::function<void(const Future &)> callback) const {
  assert(valid() && "a default-made future has no step");
  // The callback may free this future, and with it the pool.
  const Future kept(*this);
  kept.state->pool.onDone(*kept.state, std::move(callback));
}
