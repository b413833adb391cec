//===- Faults.cpp - Reports, injected failures, leaks ---------------------===//

#include "simulators/cuda/State.h"

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <unistd.h>

using namespace jobsim;

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

std::string jobsim::format(const char *text, ...) {
  va_list arguments, again;
  va_start(arguments, text);
  va_copy(again, arguments);
  int size = std::vsnprintf(nullptr, 0, text, arguments);
  va_end(arguments);
  std::string result(size, '\0');
  std::vsnprintf(result.data(), size + 1, text, again);
  va_end(again);
  return result;
}

static void remember(Simulator &sim, std::string line) {
  sim.lastFault = sim.faults.emplace_back(std::move(line)).c_str();
}

void jobsim::report(std::string line) {
  Simulator &sim = simulator();
  std::fprintf(stderr, "jobsim: %s\n", line.c_str());
  if (!sim.seedPrinted) {
    std::fprintf(stderr, "jobsim: JOBSIM_SEED=%llu\n",
                 static_cast<unsigned long long>(sim.seed));
    sim.seedPrinted = true;
  }
  remember(sim, std::move(line));
}

Result jobsim::refuse(Result result, std::string line) {
  Simulator &sim = simulator();
  if (sim.verbose)
    std::fprintf(stderr, "jobsim: %s\n", line.c_str());
  remember(sim, std::move(line));
  return result;
}

//===----------------------------------------------------------------------===//
// Injected failures
//===----------------------------------------------------------------------===//

static constexpr const char *kNames[] = {
#define JOBSIM_NAME(name, symbol, parameters) #symbol,
    JOBRT_FOR_EACH_CUDA_FUNCTION(JOBSIM_NAME)
#undef JOBSIM_NAME
        "any"};

const char *jobsim::nameOf(Symbol symbol) { return kNames[unsigned(symbol)]; }

static std::optional<Symbol> findSymbol(const std::string &name) {
  for (unsigned i = 0; i <= unsigned(Symbol::kCount); ++i)
    if (name == kNames[i])
      return Symbol(i);
  return std::nullopt;
}

/// An error that the function returns on a real GPU.
static Result defaultFailure(Symbol symbol) {
  switch (symbol) {
  case Symbol::cuInit:
    return kErrorNoDevice;
  case Symbol::cuLaunchKernel:
  case Symbol::cuGraphLaunch:
    return kErrorLaunchOutOfResources;
  case Symbol::cuStreamSynchronize:
  case Symbol::cuEventSynchronize:
  case Symbol::cuEventQuery:
    return kErrorLaunchFailed;
  case Symbol::cuMemAlloc_v2:
  case Symbol::cuMemHostAlloc:
  case Symbol::cuStreamCreate:
  case Symbol::cuEventCreate:
  case Symbol::cuModuleLoadData:
  case Symbol::cuGraphInstantiateWithFlags:
  case Symbol::cuDevicePrimaryCtxRetain:
    return kErrorOutOfMemory;
  case Symbol::cuModuleGetFunction:
    return kErrorNotFound;
  case Symbol::cuStreamEndCapture:
    return kErrorStreamCaptureInvalidated;
  default:
    return kErrorUnknown;
  }
}

Result jobsim::injectedFailure(Simulator &sim, Symbol symbol) {
  uint64_t call = ++sim.calls[unsigned(symbol)];
  uint64_t any = ++sim.calls[unsigned(Symbol::kCount)];
  for (const Failure &failure : sim.failures)
    if ((failure.symbol == symbol && failure.call == call) ||
        (failure.symbol == Symbol::kCount && failure.function.empty() &&
         failure.call == any)) {
      sim.lastFailure = nameOf(symbol);
      return failure.result ? failure.result : defaultFailure(symbol);
    }
  return kSuccess;
}

/// Those of all libraries.
namespace {
struct LibraryFunctions {
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
};
} // namespace

static LibraryFunctions &libraryFunctions() {
  static auto *functions = new LibraryFunctions();
  return *functions;
}

void jobsim::registerLibraryFunctions(std::span<const char *const> functions) {
  std::lock_guard lock(libraryFunctions().mutex);
  libraryFunctions().names.insert(functions.begin(), functions.end());
}

/// Of a library that is not open yet, any name with its prefix.
static bool isLibraryFunction(std::string_view name) {
  std::lock_guard lock(libraryFunctions().mutex);
  const auto &names = libraryFunctions().names;
  if (names.count(name))
    return true;
  for (std::string_view prefix : {"cublasLt", "cudnn", "nccl"}) {
    auto first = names.lower_bound(prefix);
    if (name.starts_with(prefix))
      return first == names.end() || !first->starts_with(prefix);
  }
  return false;
}

std::optional<Failure> jobsim::findLibraryFailure(Simulator &sim,
                                                  const char *function) {
  uint64_t call = ++sim.libraryCalls[function];
  uint64_t any = ++sim.calls[unsigned(Symbol::kCount)];
  for (const Failure &failure : sim.failures)
    if (failure.function.empty()
            ? failure.symbol == Symbol::kCount && failure.call == any
            : failure.function == function && failure.call == call) {
      sim.lastFailure = function;
      return failure;
    }
  return std::nullopt;
}

/// "name:number[:error]".
static std::optional<Failure> parseFailure(const std::string &text) {
  size_t colon = text.find(':');
  if (colon == std::string::npos)
    return std::nullopt;
  std::string name = text.substr(0, colon), function;
  std::optional<Symbol> symbol = findSymbol(name);
  if (!symbol && isLibraryFunction(name)) {
    symbol = Symbol::kCount;
    function = name;
  }
  char *end;
  // A sign is taken by strtoull().
  if (!std::isdigit(static_cast<unsigned char>(text[colon + 1])))
    return std::nullopt;
  uint64_t call = std::strtoull(text.c_str() + colon + 1, &end, 10);
  Result result = kSuccess;
  if (*end == ':') {
    result = std::strtol(end + 1, &end, 10);
    if (result <= 0)
      return std::nullopt;
  }
  if (!symbol || call == 0 || *end)
    return std::nullopt;
  return Failure{*symbol, function, call, result};
}

static bool parseFailures(const char *text, std::vector<Failure> &failures) {
  std::string rest = text ? text : "";
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    std::optional<Failure> failure = parseFailure(rest.substr(0, comma));
    if (!failure)
      return false;
    failures.push_back(*failure);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return true;
}

void jobsim::initializeFailures(Simulator &sim) {
  const char *text = std::getenv("JOBSIM_FAIL");
  if (!parseFailures(text, sim.failures))
    std::fprintf(stderr,
                 "jobsim: expected function:number[:error] in JOBSIM_FAIL but "
                 "got '%s'\n",
                 text);
}

//===----------------------------------------------------------------------===//
// Leaks
//===----------------------------------------------------------------------===//

template <typename TableType>
static void appendLeaks(const TableType &table, const char *what,
                        const ContextState *context,
                        std::vector<std::string> &leaks) {
  for (const auto &[number, object] : table.entries)
    if (!context || object->context.get() == context)
      leaks.push_back(format("%s number %zu of device %d", what,
                             size_t(number / 16), object->context->device));
}

std::vector<std::string> jobsim::findLeaks(Simulator &sim,
                                           const ContextState *context) {
  std::vector<std::string> leaks;
  for (const auto &[base, allocation] : sim.memory.allocations)
    if (!allocation->freed &&
        (!context || allocation->context.get() == context))
      leaks.push_back(format("%sallocation of %zu bytes of device %d",
                             allocation->pinned ? "pinned " : "",
                             allocation->bytes, allocation->device));
  appendLeaks(sim.streams, "stream", context, leaks);
  appendLeaks(sim.events, "event", context, leaks);
  appendLeaks(sim.graphs, "graph", context, leaks);
  appendLeaks(sim.graphExecs, "executable graph", context, leaks);
  appendLeaks(sim.modules, "module", context, leaks);
  return leaks;
}

static uint64_t reportLeaks(Simulator &sim) {
  std::vector<std::string> leaks;
  // A failed context leaves nothing that could be freed.
  for (const auto &entry : sim.contexts.entries)
    if (!entry.second->error)
      for (std::string &leak : findLeaks(sim, entry.second.get()))
        leaks.push_back(std::move(leak));
  for (std::string &leak : sim.leftBehind)
    leaks.push_back(std::move(leak));
  sim.leftBehind.clear();
  for (const auto &[kind, count] : sim.libraryObjects)
    for (int64_t i = 0; i < count; ++i)
      leaks.push_back(kind + " of a library");
  for (const std::string &leak : leaks)
    std::fprintf(stderr, "jobsim: leak: %s\n", leak.c_str());
  return leaks.size();
}

/// The process that loaded the library. What is left in a forked child is the
/// parent's.
static const pid_t process = getpid();

__attribute__((destructor)) static void reportAtEnd() {
  const char *wanted = std::getenv("JOBSIM_LEAKS");
  if (getpid() != process || (wanted && !std::strcmp(wanted, "0")))
    return;
  Simulator &sim = simulator();
  // A thread that runs on keeps what it needs.
  if (sim.mutex.try_lock()) {
    reportLeaks(sim);
    sim.mutex.unlock();
  }
}

//===----------------------------------------------------------------------===//
// control.h
//===----------------------------------------------------------------------===//

static std::lock_guard<std::mutex> lockSimulator() {
  return std::lock_guard(simulator().mutex);
}

extern "C" {

uint32_t jobsim_abi_version(void) { return JOBSIM_ABI_VERSION; }

const char *jobsim_code_target(void) {
  static const std::string text =
      format("compute_%d%d", kCapability[0], kCapability[1]);
  return simulator().prefersPtx ? text.c_str() : "simulated";
}

JOBSIM_EXPORT void jobsim_set_schedule(int schedule) {
  auto lock = lockSimulator();
  simulator().schedule = schedule;
}

JOBSIM_EXPORT uint64_t jobsim_seed(void) {
  auto lock = lockSimulator();
  return simulator().seed;
}

JOBSIM_EXPORT void jobsim_set_seed(uint64_t seed) {
  auto lock = lockSimulator();
  Simulator &sim = simulator();
  sim.seed = seed;
  sim.random = Random(seed);
  sim.seedPrinted = false;
}

JOBSIM_EXPORT const char *jobsim_last_fault(void) {
  auto lock = lockSimulator();
  return simulator().lastFault;
}

JOBSIM_EXPORT void jobsim_clear_fault(void) {
  auto lock = lockSimulator();
  simulator().lastFault = "";
}

JOBSIM_EXPORT void jobsim_relaunch(void) {
  auto lock = lockSimulator();
  for (DeviceState &device : simulator().devices)
    device.error = kSuccess;
}

JOBSIM_EXPORT int jobsim_set_failures(const char *failures) {
  std::vector<Failure> parsed;
  if (!parseFailures(failures, parsed))
    return -1;
  auto lock = lockSimulator();
  Simulator &sim = simulator();
  sim.failures = std::move(parsed);
  sim.lastFailure = "";
  std::memset(sim.calls, 0, sizeof(sim.calls));
  sim.libraryCalls.clear();
  return 0;
}

JOBSIM_EXPORT const char *jobsim_last_failure(void) {
  auto lock = lockSimulator();
  return simulator().lastFailure;
}

JOBSIM_EXPORT uint64_t jobsim_calls(const char *function) {
  auto lock = lockSimulator();
  if (std::optional<Symbol> symbol = findSymbol(function))
    return simulator().calls[unsigned(*symbol)];
  auto calls = simulator().libraryCalls.find(function);
  return calls == simulator().libraryCalls.end() ? 0 : calls->second;
}

JOBSIM_EXPORT void jobsim_reset_counters(void) {
  auto lock = lockSimulator();
  Simulator &sim = simulator();
  std::memset(sim.calls, 0, sizeof(sim.calls));
  sim.libraryCalls.clear();
}

JOBSIM_EXPORT void jobsim_drop_waits(uint64_t remainder, uint64_t divisor) {
  auto lock = lockSimulator();
  Simulator &sim = simulator();
  sim.droppedRemainder = remainder;
  sim.droppedDivisor = divisor;
  sim.waits = 0;
}

JOBSIM_EXPORT void jobsim_set_memory(uint64_t bytes) {
  auto lock = lockSimulator();
  simulator().deviceBytes = bytes;
}

JOBSIM_EXPORT void jobsim_set_deadlock(uint32_t milliseconds) {
  auto lock = lockSimulator();
  simulator().patience = std::chrono::milliseconds(milliseconds);
}

JOBSIM_EXPORT uint64_t jobsim_kernels_run(void) {
  auto lock = lockSimulator();
  return simulator().kernelsRun;
}

JOBSIM_EXPORT uint64_t jobsim_operations_run(void) {
  auto lock = lockSimulator();
  return simulator().operationsRun;
}

JOBSIM_EXPORT uint64_t jobsim_report_leaks(void) {
  auto lock = lockSimulator();
  return reportLeaks(simulator());
}

} // extern "C"
