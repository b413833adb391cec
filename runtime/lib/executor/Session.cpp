//===- Session.cpp - Variables and steps ----------------------------------===//

#include "jobrt/session.h"
#include "lib/base/Guard.h"
#include "lib/executor/Driver.h"
#include "lib/executor/HostFunctions.h"
#include "lib/executor/MixedProgram.h"
#include "lib/executor/StepPool.h"
#include "lib/executor/Stream.h"

#include <algorithm>
#include <cstring>

using namespace jobrt;

/// Far above what helps; a slip in an option, not a wish.
static constexpr int kMaxCredits = 4096;

struct Session::Impl {
  ~Impl();

  /// An error where a call would wait forever: in a forked child, and in a
  /// function of the session.
  Status expectCallable() const;
  /// What `function` returns, where the session may be called; without memory
  /// for what it does, an error that names its purpose.
  template <typename Function>
  auto call(const char *purpose, Function function) -> decltype(function()) {
    if (Status status = expectCallable(); !status.ok())
      return status;
    return withoutThrowing(purpose, function);
  }

  Status create(std::shared_ptr<const Artifact> artifact,
                const SessionOptions &options);
  Status createDrivers(const SessionOptions &options);
  Status loadCode();
  Status allocate(const SessionOptions &options);
  Status preparePrograms();
  /// The driver whose memory is used for inputs, outputs and what goes from one
  /// device to another one.
  Driver &stagingDriver() const;
  int threads() const;
  Status checkInputs(const EntryInfo &entry, const InputList &inputs) const;
  Expected<StepPool::State *> prepareStep(std::string_view entryName,
                                          const InputList &inputs, bool blocks);
  Expected<Future> submit(std::string_view entry, const InputList &inputs,
                          bool blocks, StepPool::Callback onDone);
  Status startTrace(const TraceOptions &options);
  Status finishTrace();
  Expected<const VariableInfo *> findVariable(std::string_view name) const;
  Expected<std::vector<Tensor>>
  readVariables(const std::vector<std::string> &names);
  Status
  writeVariables(const std::vector<std::pair<std::string, TensorView>> &values);
  /// Copies in order with the steps; by device. Blocks.
  Status copy(const std::vector<std::vector<Copy>> &copies);
  /// Runs a function of the host in order with the steps, when none is in
  /// flight. Blocks.
  template <typename Function>
  Status runBetweenSteps(const char *purpose, Function function);

  std::shared_ptr<const Artifact> artifact;
  /// As in the artifact.
  std::vector<SessionDevice> devices;
  /// By entry, if there are several devices.
  std::vector<std::vector<StepPart>> parts;
  /// What goes from one device to another one; null if nothing does.
  std::unique_ptr<DriverMemory> transfers;
  HostFunctions functions;
  /// One per entry of the artifact, and on which lane of the stream it runs.
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<Stream::Lane> lanes;
  std::shared_ptr<StepPool> steps;
  std::unique_ptr<Stream> stream;
  Interrupt interrupt;
};

namespace {
/// A task on the stack of a caller who waits for it.
class CallerTask : public Stream::Task {
public:
  using Task::Task;
  /// After the task has retired.
  Status takeStatus() { return std::move(status); }

protected:
  ~CallerTask() = default;

private:
  void retire(Status result) override { status = std::move(result); }

  Status status;
};

/// Work of the host between two steps: a function that returns a Status.
template <typename Function> class HostTask final : public CallerTask {
public:
  HostTask(const char *purpose, Function function)
      : CallerTask(Stream::kExclusive), purpose(purpose),
        function(std::move(function)) {}

private:
  void begin() override { complete(withoutThrowing(purpose, function)); }

  const char *purpose;
  Function function;
};

/// Copies between variables and the host. Those of several devices run at once.
class CopyTask final : public CallerTask {
public:
  CopyTask(const std::vector<SessionDevice> &devices,
           const std::vector<std::vector<Copy>> &copies);

private:
  /// The end of the copies of one device.
  struct Part final : Completion {
    Part(CopyTask &task, Driver &driver, std::span<const Copy> copies)
        : task(task), driver(driver), copies(copies) {}
    void complete(Status result) override {
      status = std::move(result);
      task.endPart();
    }

    CopyTask &task;
    Driver &driver;
    std::span<const Copy> copies;
    Status status;
  };

  void begin() override;
  void endPart();

  std::vector<Part> parts;
  std::atomic<size_t> remaining;
};
} // namespace

CopyTask::CopyTask(const std::vector<SessionDevice> &devices,
                   const std::vector<std::vector<Copy>> &copies)
    : CallerTask(Stream::kExclusive) {
  for (size_t i = 0; i < devices.size(); ++i)
    if (!copies[i].empty()) {
      parts.emplace_back(*this, *devices[i].driver, copies[i]);
      setLane(static_cast<Stream::Lane>(i));
    }
  if (parts.size() != 1)
    setLane(Stream::kExclusive);
  remaining.store(parts.size());
}

void CopyTask::begin() {
  if (parts.empty())
    return complete({});
  // The task may be gone when the last one has been begun.
  for (size_t i = 0, e = parts.size(); i < e; ++i)
    parts[i].driver.copy(parts[i].copies, parts[i]);
}

void CopyTask::endPart() {
  if (remaining.fetch_sub(1) != 1)
    return;
  auto failed = std::find_if(parts.begin(), parts.end(), [](const Part &part) {
    return !part.status.ok();
  });
  complete(failed == parts.end() ? Status() : std::move(failed->status));
}

/// Writes a trace that has come to its end, if there is one.
static Status writeTrace(std::unique_ptr<TraceRecorder> recorder) {
  if (!recorder)
    return {};
  return withoutThrowing("write a trace", [&] { return recorder->write(); });
}

Session::Impl::~Impl() {
  // Callbacks may make further steps; programs and memory go after all. A task
  // of the stream ends a little after its future is done. Inside a callback
  // no further steps are made: the last handle of the session is gone.
  if (stream && steps) {
    if (!steps->inCallback())
      steps->waitUntilIdle();
    stream->drain();
  }
  if (steps) {
    steps->stopCallbacks();
    // No caller is left who could receive an error.
    (void)writeTrace(steps->exchangeTrace(nullptr));
  }
  stream.reset();
}

/// Checks that the options are those of a rank of the artifact.
static Status checkRank(const Artifact &artifact,
                        const SessionOptions &options) {
  auto fail = [](std::string message) {
    return Status(StatusCode::kInvalidArgument, std::move(message));
  };
  if (options.ranks != artifact.ranks())
    return fail("'" + artifact.path() + "': expects a session of one of " +
                std::to_string(artifact.ranks()) +
                " ranks, as the artifact is for, but got one of " +
                std::to_string(options.ranks));
  if (options.rank < 0 || options.rank >= options.ranks)
    return fail("expects a rank from 0 to " +
                std::to_string(options.ranks - 1) + " but got " +
                std::to_string(options.rank));
  return {};
}

Status Session::Impl::create(std::shared_ptr<const Artifact> newArtifact,
                             const SessionOptions &options) {
  if (options.credits < 1 || options.credits > kMaxCredits)
    return Status(StatusCode::kInvalidArgument,
                  "expects a number of credits from 1 to " +
                      std::to_string(kMaxCredits) + " but got " +
                      std::to_string(options.credits));
  artifact = std::move(newArtifact);
  if (Status status = checkRank(*artifact, options); !status.ok())
    return status;
  stream = std::make_unique<Stream>();
  for (auto create : {&Impl::createDrivers, &Impl::allocate})
    if (Status status = (this->*create)(options); !status.ok())
      return status;
  if (Status status = preparePrograms(); !status.ok())
    return status;
  if (Status status = steps->startCallbacks(); !status.ok())
    return status;
  return stream->start();
}

/// The parts of a list with commas.
static std::vector<std::string> splitNames(const std::string &list) {
  std::vector<std::string> names;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = list.find(',', begin);
    names.push_back(list.substr(begin, end - begin));
  }
  return names;
}

Status Session::Impl::createDrivers(const SessionOptions &options) {
  std::vector<std::string> names =
      splitNames(options.driver.empty() ? artifact->driver() : options.driver);
  size_t expected = artifact->devices().size();
  if (names.size() != expected)
    return Status(StatusCode::kInvalidArgument,
                  "'" + artifact->path() + "': expects " +
                      (expected == 1 ? "a driver"
                                     : std::to_string(expected) +
                                           " drivers, one for each device of " +
                                           artifact->driver() + ",") +
                      " but got '" + options.driver + "'");
  for (const std::string &name : names) {
    SessionOptions placed = options;
    placed.driver = name;
    Expected<std::unique_ptr<Driver>> driver = createDriver(placed);
    if (!driver.ok())
      return driver.status();
    devices.emplace_back().driver = std::move(*driver);
  }
  return loadCode();
}

/// An error of the device or of its memory is none of the artifact's file,
/// which may be one that the user has never heard of.
static Status nameArtifact(const Status &status, const Artifact &artifact) {
  switch (status.code()) {
  case StatusCode::kInvalidArgument:
  case StatusCode::kNotFound:
  case StatusCode::kDataLoss:
  case StatusCode::kUnimplemented:
    return Status(status.code(),
                  "'" + artifact.path() + "': " + status.message(),
                  status.location());
  default:
    return status;
  }
}

Status Session::Impl::loadCode() {
  std::vector<DeviceShare> shares(devices.size());
  for (size_t i = 0; i < devices.size(); ++i) {
    const ArtifactDevice &device = artifact->devices()[i];
    shares[i].bankBytes = device.bankBytes;
    shares[i].constantsBytes = device.constantsBytes;
  }
  for (const VariableInfo &variable : artifact->variables())
    shares[variable.device].variables.push_back(&variable);
  if (devices.size() > 1)
    for (const EntryInfo &entry : artifact->entries())
      parts.push_back(splitStep(entry, artifact->devices()));
  else
    for (const EntryInfo &entry : artifact->entries())
      shares.front().entries.push_back(&entry);
  for (const std::vector<StepPart> &ofEntry : parts)
    for (const StepPart &part : ofEntry)
      if (part.entry)
        shares[part.device].entries.push_back(part.entry.get());
  for (size_t i = 0; i < devices.size(); ++i) {
    Expected<std::unique_ptr<CodeObject>> loaded =
        devices[i].driver->load(artifact, shares[i]);
    if (!loaded.ok())
      return nameArtifact(loaded.status(), *artifact);
    devices[i].code = std::move(*loaded);
  }
  return {};
}

/// Memory of a GPU's driver is pinned, and the processor can use it.
Driver &Session::Impl::stagingDriver() const {
  for (size_t i = 0; i < devices.size(); ++i)
    if (artifact->devices()[i].kind != DeviceKind::kHost)
      return *devices[i].driver;
  return *devices.front().driver;
}

int Session::Impl::threads() const {
  int threads = 1;
  for (const SessionDevice &device : devices)
    threads = std::max(threads, device.driver->threads());
  return threads;
}

Status Session::Impl::allocate(const SessionOptions &options) {
  int64_t inputBytes = 0, outputBytes = 0, transferBytes = 0;
  std::vector<EntryMemory> largest(devices.size());
  for (const EntryInfo &entry : artifact->entries()) {
    inputBytes = std::max(inputBytes, entry.inputBytes);
    outputBytes = std::max(outputBytes, entry.outputBytes);
    for (size_t i = 0; i < devices.size(); ++i) {
      EntryMemory &of = largest[i];
      of.arenaBytes = std::max(of.arenaBytes, entry.memory[i].arenaBytes);
      of.workspaceBytes =
          std::max(of.workspaceBytes, entry.memory[i].workspaceBytes);
    }
  }
  for (const std::vector<StepPart> &ofEntry : parts)
    transferBytes =
        std::max(transferBytes, MixedProgram::stagingBytes(ofEntry));
  for (size_t i = 0; i < devices.size(); ++i) {
    SessionDevice &device = devices[i];
    struct {
      std::unique_ptr<DriverMemory> &memory;
      int64_t bytes;
      const char *purpose;
    } rows[] = {{device.arena, largest[i].arenaBytes, "arena"},
                {device.bank, artifact->devices()[i].bankBytes, "variables"},
                {device.workspace, largest[i].workspaceBytes, "workspace"}};
    for (auto &row : rows) {
      Expected<std::unique_ptr<DriverMemory>> memory =
          device.driver->allocate(MemoryKind::kDevice, row.bytes, row.purpose);
      if (!memory.ok())
        return memory.status();
      row.memory = std::move(*memory);
    }
  }
  if (!parts.empty()) {
    Expected<std::unique_ptr<DriverMemory>> memory = stagingDriver().allocate(
        MemoryKind::kStaging, transferBytes, "copies between devices");
    if (!memory.ok())
      return memory.status();
    transfers = std::move(*memory);
  }
  Expected<std::shared_ptr<StepPool>> pool = StepPool::create(
      artifact, stagingDriver(), options.credits, inputBytes, outputBytes);
  if (!pool.ok())
    return pool.status();
  steps = std::move(*pool);
  interrupt = Interrupt(options.interrupted);
  steps->setInterrupt(interrupt);
  return {};
}

Status Session::Impl::preparePrograms() {
  for (size_t i = 0; i < artifact->entries().size(); ++i) {
    const EntryInfo *entry = &artifact->entries()[i];
    if (!parts.empty() && (parts[i].size() > 1 || !parts[i].front().entry)) {
      Expected<std::unique_ptr<MixedProgram>> program = MixedProgram::create(
          *artifact, *entry, parts[i], devices, transfers.get(), *stream);
      if (!program.ok())
        return program.status();
      programs.push_back(std::move(*program));
      lanes.push_back(Stream::kExclusive);
      continue;
    }
    int32_t device = 0;
    if (!parts.empty()) {
      device = parts[i].front().device;
      entry = parts[i].front().entry.get();
    }
    Expected<std::unique_ptr<Program>> program =
        devices[device].code->prepare(*entry, devices[device].memory());
    if (!program.ok())
      return program.status();
    programs.push_back(std::move(*program));
    lanes.push_back(device);
  }
  return {};
}

Status Session::Impl::checkInputs(const EntryInfo &entry,
                                  const InputList &inputs) const {
  if (inputs.size() != entry.inputs.size())
    return Status(StatusCode::kInvalidArgument,
                  "job '" + entry.name + "' expects " +
                      std::to_string(entry.inputs.size()) + " inputs but got " +
                      std::to_string(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const PortInfo &port = entry.inputs[i];
    InputView input = inputs[i];
    if (input.dtype != port.dtype ||
        !std::equal(port.shape.begin(), port.shape.end(), input.shape,
                    input.shape + input.rank))
      return Status(
          StatusCode::kInvalidArgument,
          "job '" + entry.name + "', input '" + port.name + "': expects " +
              formatType(port.shape, port.dtype) + " but got " +
              formatType({input.shape, input.shape + input.rank}, input.dtype));
    if (!input.data && port.bytes > 0)
      return Status(StatusCode::kInvalidArgument,
                    "job '" + entry.name + "', input '" + port.name +
                        "': expects data but got a null pointer");
  }
  return {};
}

/// "'a', 'b'", for messages about an unknown name.
template <typename T> static std::string listNames(const std::vector<T> &all) {
  constexpr size_t limit = 8;
  std::string text;
  for (size_t i = 0; i < std::min(all.size(), limit); ++i)
    text += (i == 0 ? "'" : ", '") + all[i].name + "'";
  if (all.size() > limit)
    text += ", ...";
  return text.empty() ? "none" : text;
}

Expected<StepPool::State *>
Session::Impl::prepareStep(std::string_view entryName, const InputList &inputs,
                           bool blocks) {
  const EntryInfo *entry = artifact->findEntry(entryName);
  if (!entry)
    return Status(StatusCode::kNotFound,
                  "expects a job of " + listNames(artifact->entries()) +
                      " but got '" + std::string(entryName) + "'");
  if (Status status = checkInputs(*entry, inputs); !status.ok())
    return status;
  if (Status status = functions.check(*entry); !status.ok())
    return status;

  std::atomic<int64_t> allocations{0};
  StepPool::State *state;
  SubmitRecord submit;
  bool isTraced = steps->trace() != nullptr;
  if (isTraced)
    submit.begin = traceClock();
  {
    AllocationScope scope(allocations);
    Expected<StepPool::State *> acquired = steps->acquire(*entry, blocks);
    if (!acquired.ok() || !*acquired)
      return acquired;
    state = *acquired;
    if (isTraced)
      submit.credit = traceClock();
    size_t index = entry - artifact->entries().data();
    state->program = programs[index].get();
    state->setLane(lanes[index]);
    state->functions = &functions;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (entry->inputs[i].bytes > 0)
        std::memcpy(state->inputs->hostAddress() + entry->inputs[i].offset,
                    inputs[i].data, entry->inputs[i].bytes);
    if (isTraced) {
      submit.copied = traceClock();
      submit.thread = currentThreadNumber();
      state->submit = submit;
    }
  }
  state->meter.ours.store(allocations.load());
  return state;
}

Status Session::Impl::expectCallable() const {
  if (steps->isForked())
    return forkedStatus();
  if (functions.isRunning())
    return Status(StatusCode::kInvalidArgument,
                  "expects calls of the session outside of its functions, "
                  "which a step waits for");
  return {};
}

template <typename Function>
Status Session::Impl::runBetweenSteps(const char *purpose, Function function) {
  HostTask task(purpose, std::move(function));
  stream->runAndWait(task);
  return task.takeStatus();
}

static Status alreadyTracing(const TraceRecorder &recorder) {
  return fileError(StatusCode::kInvalidArgument, recorder.path(),
                   "expects no trace to be running but one is, into this file");
}

Status Session::Impl::startTrace(const TraceOptions &options) {
  // Two that start at once: the second one finds the first one's recorder
  // below. This look comes before its file is emptied.
  auto expectNone = [&]() -> Status {
    TraceRecorder *running = steps->trace();
    return running ? alreadyTracing(*running) : Status();
  };
  if (Status status = runBetweenSteps("start a trace", expectNone);
      !status.ok())
    return status;
  size_t maxParts = 0;
  for (const std::vector<StepPart> &ofEntry : parts)
    maxParts = std::max(maxParts, ofEntry.size());
  Expected<std::unique_ptr<TraceRecorder>> created = TraceRecorder::create(
      artifact, options, threads(), steps->maxInFlight(), maxParts);
  if (!created.ok())
    return created.status();
  return runBetweenSteps("start a trace", [&]() -> Status {
    if (Status status = expectNone(); !status.ok())
      return status;
    steps->exchangeTrace(std::move(*created));
    return {};
  });
}

Status Session::Impl::finishTrace() {
  if (!stream->drain(interrupt))
    return Interrupt::status();
  if (!steps->inCallback())
    if (Status status = steps->drainCallbacks(); !status.ok())
      return status;
  std::unique_ptr<TraceRecorder> recorder;
  Status status = runBetweenSteps("finish a trace", [&]() -> Status {
    recorder = steps->exchangeTrace(nullptr);
    return {};
  });
  if (!status.ok())
    return status;
  if (!recorder)
    return Status(StatusCode::kInvalidArgument,
                  "expects a trace to be running but there is none");
  return writeTrace(std::move(recorder));
}

Expected<const VariableInfo *>
Session::Impl::findVariable(std::string_view name) const {
  if (const VariableInfo *variable = artifact->findVariable(name))
    return variable;
  return Status(StatusCode::kNotFound,
                "expects a variable of " + listNames(artifact->variables()) +
                    " but got '" + std::string(name) + "'");
}

Expected<std::vector<Tensor>>
Session::Impl::readVariables(const std::vector<std::string> &names) {
  std::vector<const VariableInfo *> infos;
  std::vector<Tensor> tensors;
  for (const std::string &name : names) {
    Expected<const VariableInfo *> variable = findVariable(name);
    if (!variable.ok())
      return variable.status();
    infos.push_back(*variable);
    Expected<Tensor> tensor =
        Tensor::create((*variable)->dtype, (*variable)->shape);
    if (!tensor.ok())
      return tensor.status();
    tensors.push_back(std::move(*tensor));
  }
  std::vector<std::vector<Copy>> copies(devices.size());
  for (size_t i = 0; i < infos.size(); ++i)
    copies[infos[i]->device].push_back(
        {Copy::Direction::kToHost, devices[infos[i]->device].bank.get(),
         infos[i]->offset, infos[i]->bytes, tensors[i].data()});
  if (Status status = copy(copies); !status.ok())
    return status;
  for (size_t i = 0; i < infos.size(); ++i) {
    const VariableInfo &info = *infos[i];
    if (info.permutation.empty())
      continue;
    Expected<Tensor> tensor = Tensor::create(info.dtype, info.shape);
    if (!tensor.ok())
      return tensor.status();
    permuteElements(tensors[i].data(), tensor->data(),
                    permuteShape(info.permutedFrom(), info.permutation),
                    info.dtype, invertPermutation(info.permutation));
    tensors[i] = std::move(*tensor);
  }
  return tensors;
}

Status Session::Impl::writeVariables(
    const std::vector<std::pair<std::string, TensorView>> &values) {
  std::vector<std::vector<Copy>> copies(devices.size());
  // What is copied of the variables that are stored with permuted dimensions.
  std::vector<Tensor> permuted;
  for (const auto &[name, value] : values) {
    Expected<const VariableInfo *> variable = findVariable(name);
    if (!variable.ok())
      return variable.status();
    const VariableInfo &info = **variable;
    if (value.dtype != info.dtype || value.shape != info.shape)
      return Status(StatusCode::kInvalidArgument,
                    "variable '" + name + "': expects " +
                        formatType(info.shape, info.dtype) + " but got " +
                        formatType(value.shape, value.dtype),
                    info.location);
    if (!value.data && info.bytes > 0)
      return Status(StatusCode::kInvalidArgument,
                    "variable '" + name +
                        "': expects data but got a null pointer");
    void *data = value.data;
    if (!info.permutation.empty() && info.bytes > 0) {
      Expected<Tensor> tensor = Tensor::create(
          info.dtype, permuteShape(info.permutedFrom(), info.permutation));
      if (!tensor.ok())
        return tensor.status();
      data = tensor->data();
      permuteElements(value.data, data, info.permutedFrom(), info.dtype,
                      info.permutation);
      permuted.push_back(std::move(*tensor));
    }
    copies[info.device].push_back({Copy::Direction::kToDevice,
                                   devices[info.device].bank.get(), info.offset,
                                   info.bytes, data});
  }
  return copy(copies);
}

Status Session::Impl::copy(const std::vector<std::vector<Copy>> &copies) {
  CopyTask task(devices, copies);
  stream->runAndWait(task);
  return task.takeStatus();
}

Expected<std::unique_ptr<Session>>
Session::create(std::shared_ptr<const Artifact> artifact,
                SessionOptions options) {
  using Result = Expected<std::unique_ptr<Session>>;
  return withoutThrowing("make a session", [&]() -> Result {
    auto impl = std::make_unique<Impl>();
    if (Status status = impl->create(std::move(artifact), options);
        !status.ok())
      return status;
    return std::unique_ptr<Session>(new Session(std::move(impl)));
  });
}

Session::Session(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

Session::~Session() {
  // A forked child has none of the threads to wait for and leaves everything
  // to its parent.
  if (impl->steps->isForked())
    (void)impl.release();
}

const Artifact &Session::artifact() const { return *impl->artifact; }

int Session::threads() const { return impl->threads(); }

Status Session::registerFunction(std::string name, HostFunction function) {
  return impl->call("register a function", [&] {
    return impl->functions.add(std::move(name), std::move(function));
  });
}

Status Session::initialize(int64_t seed) {
  if (!impl->artifact->findEntry(JOBRT_INIT_ENTRY))
    return {};
  Expected<Future> future =
      run(JOBRT_INIT_ENTRY, InputList(&seed, 1, [](const int64_t &seed) {
            static constexpr int64_t shape[] = {1};
            return InputView{DType::kI64, shape, 1, &seed};
          }));
  return future.ok() ? future->wait() : future.status();
}

Expected<Future> Session::Impl::submit(std::string_view entry,
                                       const InputList &inputs, bool blocks,
                                       StepPool::Callback onDone) {
  Expected<StepPool::State *> state =
      call("queue a step", [&] { return prepareStep(entry, inputs, blocks); });
  if (!state.ok())
    return state.status();
  if (!*state)
    return Future();
  // No other thread knows the state yet.
  if (onDone)
    (*state)->callbacks.push_back(std::move(onDone));
  stream->enqueue(**state);
  return StepPool::makeFuture(*state);
}

Expected<Future> Session::submit(std::string_view entry, InputList inputs,
                                 std::function<void(const Future &)> onDone) {
  return impl->submit(entry, inputs, /*blocks=*/true, std::move(onDone));
}

Expected<Future>
Session::trySubmit(std::string_view entry, InputList inputs,
                   std::function<void(const Future &)> onDone) {
  return impl->submit(entry, inputs, /*blocks=*/false, std::move(onDone));
}

Status Session::waitForCredit() {
  if (Status status = impl->expectCallable(); !status.ok())
    return status;
  return impl->steps->waitForCredit();
}

Expected<Future> Session::run(std::string_view entry, InputList inputs) {
  Expected<StepPool::State *> state = impl->call("queue a step", [&] {
    return impl->prepareStep(entry, inputs, /*blocks=*/true);
  });
  if (!state.ok())
    return state.status();
  Future future = StepPool::makeFuture(*state);
  impl->stream->beginOrEnqueue(**state);
  // A callback of this step may have ended the session; the future has what is
  // needed to wait.
  if (Status status = (*state)->pool.waitUntilDone(**state); !status.ok())
    return status;
  return future;
}

void Session::cancel() {
  if (!impl->steps->isForked())
    impl->steps->cancel();
}

Status Session::synchronize() {
  if (Status status = impl->expectCallable(); !status.ok())
    return status;
  if (impl->steps->inCallback())
    return Status(StatusCode::kInvalidArgument,
                  "synchronize expects to be called outside of a callback, "
                  "which it would wait for");
  if (!impl->stream->drain(impl->interrupt))
    return Interrupt::status();
  if (Status status = impl->steps->drainCallbacks(); !status.ok())
    return status;
  return impl->steps->takeUnseenError();
}

Expected<Tensor> Session::readVariable(std::string_view name) {
  return impl->call("read a variable", [&]() -> Expected<Tensor> {
    Expected<std::vector<Tensor>> tensors =
        impl->readVariables({std::string(name)});
    if (!tensors.ok())
      return tensors.status();
    return std::move(tensors->front());
  });
}

Expected<std::vector<Tensor>>
Session::readVariables(const std::vector<std::string> &names) {
  return impl->call("read variables",
                    [&] { return impl->readVariables(names); });
}

Status Session::writeVariable(std::string_view name, const TensorView &value) {
  return impl->call("write a variable", [&] {
    return impl->writeVariables({{std::string(name), value}});
  });
}

Status Session::writeVariables(
    const std::vector<std::pair<std::string, TensorView>> &values) {
  return impl->call("write variables",
                    [&] { return impl->writeVariables(values); });
}

Status Session::startTrace(const TraceOptions &options) {
  return impl->call("start a trace", [&] { return impl->startTrace(options); });
}

Status Session::finishTrace() {
  return impl->call("finish a trace", [&] { return impl->finishTrace(); });
}

MemoryReport Session::memory(size_t device) const {
  const SessionDevice &of = impl->devices[device];
  MemoryReport report;
  report.arena = of.arena->bytes();
  report.bank = of.bank->bytes();
  report.staging = of.code->stagingBytes();
  report.workspace = of.workspace->bytes();
  report.constants = impl->artifact->devices()[device].constantsBytes;
  return report;
}

MemoryReport Session::memory() const {
  MemoryReport report;
  for (size_t i = 0; i < impl->devices.size(); ++i) {
    MemoryReport device = memory(i);
    report.arena += device.arena;
    report.bank += device.bank;
    report.staging += device.staging;
    report.workspace += device.workspace;
    report.constants += device.constants;
  }
  report.staging += impl->steps->stagingBytes();
  if (impl->transfers)
    report.staging += impl->transfers->bytes();
  return report;
}

std::vector<CallReport> Session::calls() const {
  std::vector<CallReport> calls;
  for (const std::unique_ptr<Program> &program : impl->programs)
    program->report(calls);
  return calls;
}

AllocationReport Session::lastAllocations() const {
  return impl->steps->lastAllocations();
}
