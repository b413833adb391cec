//===- Session.cpp - Variables and steps ----------------------------------===//

#include "jobrt/session.h"
#include "lib/base/Guard.h"
#include "lib/executor/Driver.h"
#include "lib/executor/HostFunctions.h"
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
  Status allocate(const SessionOptions &options);
  Status checkInputs(const EntryInfo &entry, const InputList &inputs) const;
  Expected<StepPool::State *> prepareStep(std::string_view entryName,
                                          const InputList &inputs);
  Status startTrace(const TraceOptions &options);
  Status finishTrace();
  Expected<const VariableInfo *> findVariable(std::string_view name) const;
  Expected<std::vector<Tensor>>
  readVariables(const std::vector<std::string> &names);
  Status
  writeVariables(const std::vector<std::pair<std::string, TensorView>> &values);
  /// Copies in order with the steps. Blocks.
  Status copy(const std::vector<Copy> &copies);
  /// Runs a function of the host in order with the steps, when none is in
  /// flight. Blocks.
  template <typename Function>
  Status runBetweenSteps(const char *purpose, Function function);

  std::shared_ptr<const Artifact> artifact;
  std::unique_ptr<Driver> driver;
  std::unique_ptr<CodeObject> code;
  std::unique_ptr<DriverMemory> arena, bank, workspace;
  HostFunctions functions;
  /// One per entry of the artifact.
  std::vector<std::unique_ptr<Program>> programs;
  std::shared_ptr<StepPool> steps;
  std::unique_ptr<Stream> stream;
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
      : CallerTask(Stream::Order::kExclusive), purpose(purpose),
        function(std::move(function)) {}

private:
  void begin() override { complete(withoutThrowing(purpose, function)); }

  const char *purpose;
  Function function;
};

/// Copies between variables and the host.
class CopyTask final : public CallerTask {
public:
  CopyTask(Driver &driver, std::span<const Copy> copies)
      : CallerTask(Stream::Order::kOverlapping), driver(driver),
        copies(copies) {}

private:
  void begin() override { driver.copy(copies, *this); }

  Driver &driver;
  std::span<const Copy> copies;
};
} // namespace

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
  if (stream) {
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

Status Session::Impl::create(std::shared_ptr<const Artifact> newArtifact,
                             const SessionOptions &options) {
  if (options.credits < 1 || options.credits > kMaxCredits)
    return Status(StatusCode::kInvalidArgument,
                  "expects a number of credits from 1 to " +
                      std::to_string(kMaxCredits) + " but got " +
                      std::to_string(options.credits));
  artifact = std::move(newArtifact);
  SessionOptions placed = options;
  if (placed.driver.empty())
    placed.driver = artifact->driver();
  Expected<std::unique_ptr<Driver>> created = createDriver(placed);
  if (!created.ok())
    return created.status();
  driver = std::move(*created);
  Expected<std::unique_ptr<CodeObject>> loaded = driver->load(artifact);
  if (!loaded.ok())
    return Status(loaded.status().code(),
                  "'" + artifact->path() + "': " + loaded.status().message(),
                  loaded.status().location());
  code = std::move(*loaded);
  if (Status status = allocate(options); !status.ok())
    return status;

  SessionMemory memory{arena.get(), bank.get(), workspace.get()};
  for (const EntryInfo &entry : artifact->entries()) {
    Expected<std::unique_ptr<Program>> program = code->prepare(entry, memory);
    if (!program.ok())
      return program.status();
    programs.push_back(std::move(*program));
  }
  if (Status status = steps->startCallbacks(); !status.ok())
    return status;
  stream = std::make_unique<Stream>();
  return stream->start();
}

Status Session::Impl::allocate(const SessionOptions &options) {
  int64_t arenaBytes = 0, workspaceBytes = 0, inputBytes = 0, outputBytes = 0;
  for (const EntryInfo &entry : artifact->entries()) {
    arenaBytes = std::max(arenaBytes, entry.arenaBytes);
    workspaceBytes = std::max(workspaceBytes, entry.workspaceBytes);
    inputBytes = std::max(inputBytes, entry.inputBytes);
    outputBytes = std::max(outputBytes, entry.outputBytes);
  }
  struct {
    std::unique_ptr<DriverMemory> &memory;
    int64_t bytes;
    const char *purpose;
  } rows[] = {{arena, arenaBytes, "arena"},
              {bank, artifact->bankBytes(), "variables"},
              {workspace, workspaceBytes, "workspace"}};
  for (auto &row : rows) {
    Expected<std::unique_ptr<DriverMemory>> memory =
        driver->allocate(MemoryKind::kDevice, row.bytes, row.purpose);
    if (!memory.ok())
      return memory.status();
    row.memory = std::move(*memory);
  }
  Expected<std::shared_ptr<StepPool>> pool = StepPool::create(
      artifact, *driver, options.credits, inputBytes, outputBytes);
  if (!pool.ok())
    return pool.status();
  steps = std::move(*pool);
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
Session::Impl::prepareStep(std::string_view entryName,
                           const InputList &inputs) {
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
    Expected<StepPool::State *> acquired = steps->acquire(*entry);
    if (!acquired.ok())
      return acquired.status();
    state = *acquired;
    if (isTraced)
      submit.credit = traceClock();
    state->program = programs[entry - artifact->entries().data()].get();
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
  Expected<std::unique_ptr<TraceRecorder>> created = TraceRecorder::create(
      artifact, options, driver->threads(), steps->maxInFlight());
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
  stream->drain();
  if (!steps->inCallback())
    steps->drainCallbacks();
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
  std::vector<Copy> copies;
  for (size_t i = 0; i < infos.size(); ++i)
    copies.push_back({Copy::Direction::kToHost, bank.get(), infos[i]->offset,
                      infos[i]->bytes, tensors[i].data()});
  if (Status status = copy(copies); !status.ok())
    return status;
  return tensors;
}

Status Session::Impl::writeVariables(
    const std::vector<std::pair<std::string, TensorView>> &values) {
  std::vector<Copy> copies;
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
    copies.push_back({Copy::Direction::kToDevice, bank.get(), info.offset,
                      info.bytes, value.data});
  }
  return copy(copies);
}

Status Session::Impl::copy(const std::vector<Copy> &copies) {
  CopyTask task(*driver, copies);
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

int Session::threads() const { return impl->driver->threads(); }

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

Expected<Future> Session::submit(std::string_view entry, InputList inputs) {
  Expected<StepPool::State *> state = impl->call(
      "queue a step", [&] { return impl->prepareStep(entry, inputs); });
  if (!state.ok())
    return state.status();
  impl->stream->enqueue(**state);
  return StepPool::makeFuture(*state);
}

Expected<Future> Session::run(std::string_view entry, InputList inputs) {
  Expected<StepPool::State *> state = impl->call(
      "queue a step", [&] { return impl->prepareStep(entry, inputs); });
  if (!state.ok())
    return state.status();
  Future future = StepPool::makeFuture(*state);
  impl->stream->beginOrEnqueue(**state);
  // A callback of this step may have ended the session; the future has what is
  // needed to wait.
  (*state)->pool.waitUntilDone(**state);
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
  impl->stream->drain();
  impl->steps->drainCallbacks();
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

MemoryReport Session::memory() const {
  MemoryReport report;
  report.arena = impl->arena->bytes();
  report.bank = impl->bank->bytes();
  report.workspace = impl->workspace->bytes();
  report.constants = impl->artifact->constantsBytes();
  report.staging = impl->steps->stagingBytes() + impl->code->stagingBytes();
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
