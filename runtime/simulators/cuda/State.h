//===- State.h - The state of the simulated CUDA ----------------*- C++ -*-===//
//
// One simulator per process. Its mutex is held during every call and while an
// operation runs, so the rest of this folder needs no other. Operations run on
// the threads that call in: whoever waits runs what is ready, in a random
// order, until what it waits for is done. One thread with one seed therefore
// repeats its run exactly.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUDA_STATE_H
#define JOBRT_SIMULATORS_CUDA_STATE_H

#include "drivers/cuda/CudaApi.h"
#include "simulators/cuda/Memory.h"
#include "simulators/cuda/Random.h"
#include "simulators/cuda/control.h"
#include "simulators/cuda/kernel_abi.h"
#include "simulators/cuda/library_abi.h"
#include "simulators/cuda/ptx/Module.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#define JOBSIM_EXPORT __attribute__((visibility("default")))

using jobrt::cuda::Context;
using jobrt::cuda::Device;
using jobrt::cuda::DevicePointer;
using jobrt::cuda::Event;
using jobrt::cuda::Function;
using jobrt::cuda::Graph;
using jobrt::cuda::GraphExec;
using jobrt::cuda::Module;
using jobrt::cuda::Result;
using jobrt::cuda::Stream;

// The compiler compares every definition with what the driver expects.
extern "C" {
#define JOBSIM_DECLARE(name, symbol, parameters)                               \
  JOBSIM_EXPORT Result symbol parameters;
JOBRT_FOR_EACH_CUDA_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
JOBSIM_EXPORT uint32_t jobsim_abi_version(void);
JOBSIM_EXPORT const char *jobsim_code_target(void);
JOBSIM_EXPORT void jobsim_library_register(const char *const *functions,
                                           uint32_t count);
JOBSIM_EXPORT int jobsim_library_call(const char *function);
JOBSIM_EXPORT int jobsim_library_context(void);
JOBSIM_EXPORT int jobsim_library_device(int *device);
JOBSIM_EXPORT int jobsim_library_synchronize(void);
JOBSIM_EXPORT int jobsim_library_load(const char *library, uint64_t kernel);
JOBSIM_EXPORT uint32_t jobsim_library_patience(void);
JOBSIM_EXPORT void jobsim_library_refuse(const char *reason);
JOBSIM_EXPORT void jobsim_library_count(const char *kind, int change);
JOBSIM_EXPORT int jobsim_library_submit(const jobsim_library_work *work,
                                        void *stream);
}

namespace jobsim {

using namespace jobrt::cuda;

/// The compute capability of every device.
inline constexpr int kCapability[] = {9, 0};

// Errors that the driver does not tell apart.
inline constexpr Result kErrorInvalidPtx = 218, kErrorIllegalState = 401,
                        kErrorStreamCaptureMerge = 902,
                        kErrorStreamCaptureUnmatched = 903,
                        kErrorCapturedEvent = 907,
                        kErrorStreamCaptureWrongThread = 908,
                        kErrorUnknown = 999;

enum class Symbol : unsigned {
#define JOBSIM_SYMBOL(name, symbol, parameters) symbol,
  JOBRT_FOR_EACH_CUDA_FUNCTION(JOBSIM_SYMBOL)
#undef JOBSIM_SYMBOL
      kCount
};

/// A primary context, from the first retain to the last release.
struct ContextState {
  Device device;
  Context handle = nullptr;
  unsigned uses = 0;
  /// The error that it cannot recover from; every call fails with it.
  Result error = kSuccess;
  /// Kernels of libraries that it has loaded.
  std::set<std::pair<std::string, uint64_t>> loaded;
};

struct DeviceState {
  size_t used = 0;
  /// The error that all contexts have until the process ends.
  Result error = kSuccess;
  /// Null: not retained.
  std::shared_ptr<ContextState> primary;
};

/// A loaded code object; closed when neither a handle nor an operation needs
/// it.
struct ModuleState {
  ~ModuleState();

  std::shared_ptr<ContextState> context;
  void *library = nullptr;
  /// Open as long as the library is: the loader tells libraries apart by name.
  int file = -1;
  /// Of PTX, instead of the two above.
  std::unique_ptr<ptx::Module> ptx;
  const jobsim_module *module = nullptr;
  /// The memory of the library, which its kernels may read: constants.
  std::vector<std::pair<uintptr_t, uintptr_t>> ranges;
  /// cuModuleUnload: a launch that runs later is a fault.
  bool unloaded = false;
};

struct FunctionState {
  std::shared_ptr<ContextState> context;
  std::shared_ptr<ModuleState> module;
  const jobsim_kernel *kernel;
};

/// A kernel launch with the values of its parameters.
struct KernelLaunch {
  std::shared_ptr<ModuleState> module;
  const jobsim_kernel *kernel = nullptr;
  uint32_t grid[3] = {}, block[3] = {};
  uint32_t sharedBytes = 0;
  /// Aligned to 16 bytes each.
  std::vector<std::max_align_t> parameters;
  std::vector<size_t> offsets;
};

/// What a library does on the device.
struct LibraryWork {
  ~LibraryWork();

  std::string name;
  std::vector<jobsim_range> ranges;
  void (*run)(void *state) = nullptr;
  void (*release)(void *state) = nullptr;
  void *state = nullptr;
  /// Of work that waits for work of other streams.
  void (*begin)(void *state) = nullptr;
  int (*poll)(void *state, const char **text) = nullptr;
};

struct EventState;

/// What a stream or a node of a graph does on the device.
struct Work {
  enum class Kind { kEmpty, kCopy, kFill, kKernel, kLibrary, kRecord };
  /// Memory that the copy of unpinned memory uses is not checked again.
  enum class End { kDevice, kPinned, kUnpinned };

  Kind kind = Kind::kEmpty;
  std::byte *destination = nullptr;
  const std::byte *source = nullptr;
  size_t bytes = 0;
  End destinationEnd = End::kDevice, sourceEnd = End::kDevice;
  unsigned char value = 0;
  /// The bytes of an unpinned source, taken at the call.
  std::shared_ptr<std::vector<std::byte>> staged;
  KernelLaunch launch;
  std::shared_ptr<LibraryWork> library;
  /// Recorded by a node of a graph.
  std::shared_ptr<EventState> event;
};

struct Node {
  Work work;
  /// Nodes with smaller numbers.
  std::vector<unsigned> dependencies;
};

using Nodes = std::vector<Node>;

struct GraphState {
  std::shared_ptr<ContextState> context;
  Nodes nodes;
};

/// Whether an operation has run, and when.
struct Completion {
  bool done = false;
  std::chrono::steady_clock::time_point time;
};

struct GraphExecState {
  std::shared_ptr<ContextState> context;
  std::shared_ptr<const Nodes> nodes;
  /// Of the last launch: the next one waits for it.
  std::shared_ptr<Completion> lastLaunch;
};

/// One call's worth of a stream.
struct Operation {
  std::shared_ptr<Completion> completion = std::make_shared<Completion>();
  /// What must be done first, besides the operations before it in its stream.
  std::vector<std::shared_ptr<Completion>> waits;
  Work work;
  /// A graph that runs: null for other operations.
  std::shared_ptr<const Nodes> nodes;
  /// Per node, the dependencies that have not run.
  std::vector<unsigned> missing;
  std::vector<unsigned> ready;
  size_t nodesLeft = 0;
  /// Nodes of the graph, or 0 for the operation itself, that have begun and
  /// wait for work of other streams.
  std::vector<unsigned> begun;
};

struct StreamState;

/// A capture, from cuStreamBeginCapture to cuStreamEndCapture.
struct CaptureState {
  GraphState graph;
  StreamState *origin = nullptr;
  /// Every stream that takes part, the origin first.
  std::vector<StreamState *> streams;
  std::thread::id thread;
  /// Which threads may do meanwhile what it does not see, such as allocations:
  /// all (relaxed), other ones (thread-local), or none (global).
  int mode = kCaptureThreadLocal;
  bool invalidated = false, ended = false;
};

struct StreamState {
  std::shared_ptr<ContextState> context;
  std::deque<Operation> pending;
  /// Of the last operation; null before the first.
  std::shared_ptr<Completion> last;
  /// The stream with the largest one runs most of the time.
  uint64_t priority = 0;
  /// Null: not capturing.
  std::shared_ptr<CaptureState> capture;
  /// The nodes that the next captured operation follows.
  std::vector<unsigned> captureDependencies;
};

struct EventState {
  std::shared_ptr<ContextState> context;
  bool timing;
  /// Of the last record; null before the first.
  std::shared_ptr<Completion> record;
  /// The capture of the last record, if that was captured.
  std::shared_ptr<CaptureState> capture;
  std::vector<unsigned> captureNodes;
};

/// Objects by their handles. A handle is never used again, so that a call with
/// the handle of a destroyed object always fails.
template <typename T, typename Handle> class Table {
public:
  Handle insert(std::shared_ptr<T> object) {
    static uintptr_t next = 0;
    next += 16;
    entries[next] = std::move(object);
    return reinterpret_cast<Handle>(next);
  }
  /// Null: no such object.
  std::shared_ptr<T> find(Handle handle) const {
    auto entry = entries.find(reinterpret_cast<uintptr_t>(handle));
    return entry == entries.end() ? nullptr : entry->second;
  }
  std::shared_ptr<T> take(Handle handle) {
    auto entry = entries.find(reinterpret_cast<uintptr_t>(handle));
    if (entry == entries.end())
      return nullptr;
    std::shared_ptr<T> object = std::move(entry->second);
    entries.erase(entry);
    return object;
  }

  /// In the order in which they were made.
  std::map<uintptr_t, std::shared_ptr<T>> entries;
};

/// Calls that are asked to fail.
struct Failure {
  /// kCount: any, or a function of a library.
  Symbol symbol;
  /// The function of a library; empty for others.
  std::string function;
  uint64_t call;
  /// 0: the default of the function.
  Result result;
};

struct Simulator {
  Simulator();

  std::mutex mutex;
  bool initialized = false;
  std::vector<DeviceState> devices;
  size_t deviceBytes;
  int multiprocessors;
  /// Of the CUDA that it stands for.
  int64_t driverVersion;

  Table<ContextState, Context> contexts;
  Table<StreamState, Stream> streams;
  Table<EventState, Event> events;
  Table<GraphState, Graph> graphs;
  /// Those that are not over, and some that are.
  std::vector<std::weak_ptr<CaptureState>> captures;
  Table<GraphExecState, GraphExec> graphExecs;
  Table<ModuleState, Module> modules;
  Table<FunctionState, Function> functions;
  Memory memory;
  /// Streams with operations that have not run; destroyed ones as well.
  std::vector<std::shared_ptr<StreamState>> busy;

  Random random;
  uint64_t seed;
  bool seedPrinted = false;
  int schedule = JOBSIM_SCHEDULE_RANDOM;
  uint64_t kernelsRun = 0, operationsRun = 0;
  /// jobsim_drop_waits().
  uint64_t droppedRemainder = 0, droppedDivisor = 0, waits = 0;
  /// When something was submitted or ran last, and how long nothing may before
  /// it is a deadlock.
  std::chrono::steady_clock::time_point lastProgress;
  std::chrono::milliseconds patience{30000};

  /// All that were ever reported: jobsim_last_fault() hands them out.
  std::deque<std::string> faults;
  const char *lastFault = "";
  bool verbose = false;
  /// What the driver compiles and chooses for the devices is PTX.
  bool prefersPtx = false;

  std::vector<Failure> failures;
  /// The function that the last one of them was of; "" before.
  const char *lastFailure = "";
  uint64_t calls[unsigned(Symbol::kCount) + 1] = {};
  std::map<std::string, uint64_t, std::less<>> libraryCalls;
  /// Objects of libraries that exist, by kind.
  std::map<std::string, int64_t, std::less<>> libraryObjects;
  /// What contexts left behind.
  std::vector<std::string> leftBehind;
};

/// Lives until the process ends.
Simulator &simulator();

/// What a function needs before it does anything.
enum Needs : unsigned {
  kNothing = 0,
  /// A current context that has not failed.
  kContext = 1,
  /// That no capture is disturbed by this; otherwise it is invalid.
  kNoCapture = 2,
  /// Releases something: does so even if the call fails.
  kReleases = 4,
  /// cuInit() may be missing.
  kUninitialized = 8,
};

/// The beginning of every function: takes the mutex, counts the call, and
/// checks.
class Call {
public:
  Call(Symbol symbol, unsigned needs);
  /// For work of a library, which counts its calls itself.
  Call(const char *name, unsigned needs);

  /// Whether the function returns `result` without doing anything.
  bool refused() const { return result != kSuccess && !proceeds; }
  /// What the function returns after it has done its work.
  Result finish(Result own) const { return result != kSuccess ? result : own; }

  Simulator &sim;
  std::unique_lock<std::mutex> lock;
  Result result = kSuccess;
  /// The current context, if the function needs one.
  std::shared_ptr<ContextState> context;

private:
  void check(Result injected, const char *name, unsigned needs);
  bool proceeds = false;
};

// Devices.cpp

/// That of the calling thread; null if there is none.
std::shared_ptr<ContextState> findCurrentContext(Simulator &sim);
/// Whether a context is of no use after the error.
bool isUnrecoverable(Result result);

// Faults.cpp

/// A fault of an operation or a leak: one line on stderr, and the last fault.
void report(std::string line);
/// Why a call fails; printed only if JOBSIM_VERBOSE is set.
Result refuse(Result result, std::string line);
/// Counts the call. The error of an injected failure; kSuccess for none.
Result injectedFailure(Simulator &sim, Symbol symbol);
/// The same for a function of a library.
std::optional<Failure> findLibraryFailure(Simulator &sim, const char *function);
void registerLibraryFunctions(std::span<const char *const> functions);
/// From JOBSIM_FAIL.
void initializeFailures(Simulator &sim);
/// A line for each object of the context that nothing has released.
std::vector<std::string> findLeaks(Simulator &sim, const ContextState *context);
const char *nameOf(Symbol symbol);
__attribute__((format(printf, 1, 2))) std::string format(const char *text, ...);

// Scheduler.cpp

/// Appends to the stream, and perhaps runs something. The completion stands
/// for it.
std::shared_ptr<Completion> submit(const std::shared_ptr<StreamState> &stream,
                                   Operation operation);
/// Runs one operation, or one node of a graph, of a random stream. False:
/// none is ready.
bool step();
/// Fails the contexts whose work waits for work of other streams if nothing has
/// happened for long. Called while somebody waits and no operation is ready.
void detectDeadlock();
/// Runs operations until `completion` is done or `context` fails; returns its
/// error. Other threads may call in between.
Result waitFor(Call &call, const std::shared_ptr<Completion> &completion,
               const std::shared_ptr<ContextState> &context);
/// Fails the context for good and drops what its streams have left.
void failContext(ContextState &context, Result error);

// Graphs.cpp

/// Appends to the graph that `stream` captures. `unpinned`: a copy of memory
/// that is not pinned, which no graph can hold.
Result capture(StreamState &stream, Work work, bool unpinned);
void invalidate(CaptureState &capture);
/// Lets go of the streams.
void endCapture(CaptureState &capture);
/// Whether there are captures that do not allow this thread what they do not
/// see; invalidates them.
bool invalidateCaptures(Simulator &sim);

// Memory.cpp, Launch.cpp, Library.cpp

/// The node of a graph has got to the record of its event.
void recordNow(EventState &event);

/// Runs the work. An error has been reported and fails the context.
Result runWork(ContextState &context, const Work &work);
Result runKernel(ContextState &context, const KernelLaunch &launch);
Result runLibrary(const ContextState &context, const LibraryWork &work);
/// Begins work that waits for work of other streams.
Result beginLibrary(const ContextState &context, const LibraryWork &work);

// Streams.cpp

/// The stream of a call that submits work; otherwise an error.
Result findStream(const Call &call, Stream handle,
                  std::shared_ptr<StreamState> &stream);

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_STATE_H
