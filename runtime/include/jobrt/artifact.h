//===- artifact.h - A compiled module, loaded -------------------*- C++ -*-===//
//
// See docs/artifact.md for the file. An Artifact is immutable after load and
// may be shared by any number of sessions and threads.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_ARTIFACT_H
#define JOBRT_ARTIFACT_H

#include "jobrt/abi.h"
#include "jobrt/tensor.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <variant>

namespace jobrt {

enum class JobKind : uint8_t { kTrain, kPredict, kInit };
JOBRT_API const char *jobKindName(JobKind kind);

enum class Space : uint8_t {
  kArena,
  kBank,
  kInput,
  kOutput,
  kConstant,
  kWorkspace
};
inline constexpr int kNumSpaces = 6;
JOBRT_API const char *spaceName(Space space);

/// A range of bytes in one of the spaces of a step, and whether its command
/// reads or writes it; a workspace counts as neither.
struct BufferRef {
  Space space;
  int64_t offset, bytes;
  bool isRead = false, isWritten = false;
  /// Bytes added to `offset` in each iteration of the repeat that contains the
  /// command; 0 outside of repeats.
  int64_t stride = 0;
  /// Index of the device whose memory it is; 0 for kInput and kOutput, which
  /// are memory of the host.
  int32_t device = 0;
};

/// A parameter of a library call: a double if it is written with a point or an
/// exponent; an integer is also accepted where the call expects a fraction.
using ConfigValue = std::variant<int64_t, double>;

/// An op whose results a command checks for NaN and infinity: the user's name
/// and line, each possibly empty.
struct CheckedOp {
  std::string name, location;
};

/// The devices that commands run on.
enum class DeviceKind : uint8_t { kHost, kCuda };
/// "host", "cuda".
JOBRT_API const char *deviceKindName(DeviceKind kind);

/// A device of an artifact.
struct ArtifactDevice {
  std::string name;
  DeviceKind kind = DeviceKind::kHost;
  /// As SessionOptions::driver names it: "host", "cuda:0".
  std::string driver;
  /// Its queues, of those of all devices.
  int32_t firstQueue = 0, numQueues = 1;
  int64_t bankBytes = 0;
  /// Of all constants; 0 on one of several devices whose commands use none.
  int64_t constantsBytes = 0;
};

/// A value that a kernel of a GPU takes after its buffers.
struct ScalarArg {
  /// kI32, kI64, kF32 or kF64.
  DType dtype;
  /// The value, in the first dtypeBytes(dtype) bytes.
  alignas(8) std::array<std::byte, 8> value;
};

/// Code for a GPU, in the file.
struct CodeBlob {
  /// "sm_90", "compute_90" for PTX, or "simulated".
  std::string target;
  std::string symbol;
  int64_t bytes;
  /// In memory of the host, aligned to JOBRT_ALIGNMENT.
  const void *data = nullptr;
};

/// What ranks do together, or two of them.
enum class CollectiveKind : uint8_t {
  /// Each rank gets the reduction of the buffers of all.
  kAllReduce,
  /// Each rank gets its part of the reduction.
  kReduceScatter,
  /// Each rank gets the buffers of all, in their order.
  kAllGather,
  /// Each rank gets the buffer of one.
  kBroadcast,
  kSend,
  kRecv
};
/// "all_reduce", "reduce_scatter" and so on.
JOBRT_API const char *collectiveName(CollectiveKind kind);

enum class Reduction : uint8_t { kSum, kProd, kMin, kMax, kAvg };
/// "sum", "prod" and so on.
JOBRT_API const char *reductionName(Reduction reduction);

/// What a command of kind kCollective does.
struct Collective {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  /// kAllReduce, kReduceScatter.
  Reduction reduction = Reduction::kSum;
  /// Any but kI1.
  DType dtype = DType::kF32;
  /// The root of kBroadcast, the other rank of kSend and kRecv.
  int32_t peer = 0;
  /// Whether it runs together with the command before it, which is a collective
  /// on the same queue.
  bool isJoined = false;
};

/// Element type and shape of a buffer.
struct BufferType {
  DType dtype;
  Shape shape;
};

struct Command {
  enum class Kind : uint8_t {
    kDispatch,
    kCall,
    kCopy,
    kFill,
    /// The event is complete when all earlier commands of the queue are.
    kRecord,
    /// Later commands of the queue start after the event is complete.
    kWait,
    /// Calls a function that the user registered with the session.
    kHostCall,
    /// Runs with the same command of other ranks. One buffer that is read and
    /// written is in place: of kReduceScatter and kAllGather, the part of the
    /// rank is the smaller buffer.
    kCollective
  };
  Kind kind;
  /// Commands of a queue run in order, those of different queues at once unless
  /// an event orders them.
  int32_t queue = 0;
  /// Index of the device that the queue belongs to.
  int32_t device = 0;
  /// kRecord, kWait: the number of the event in the entry. An event is recorded
  /// by one command, before those that wait for it.
  int64_t event = -1;
  /// kDispatch: the number of the kernel.
  int64_t kernelIndex = -1;
  /// kDispatch on a GPU: the name of the kernel in place of its number, the
  /// threads of each of its blocks, of which there are `chunks`, and what it
  /// takes after `args`.
  std::string kernelName;
  int32_t threads = 0;
  std::vector<ScalarArg> scalars;
  /// kCall: the library function and its configuration. kHostCall: the name of
  /// the function. kCollective: collectiveName().
  std::string callee;
  std::map<std::string, ConfigValue> config;
  /// kFill.
  uint8_t fillValue = 0;
  /// Number of chunks that may run in parallel, at least 1.
  int64_t chunks = 1;
  /// kDispatch: each chunk may run when the chunk of the same number of the
  /// command before it is complete, which is a call or a dispatch on the same
  /// queue with as many chunks. It is independent of the other chunks of that
  /// command and, if that command is an epilogue itself, of its predecessors.
  bool isEpilogue = false;
  /// Floating-point and integer operations of all chunks.
  int64_t flops = 0;
  std::vector<BufferRef> args;
  /// kHostCall: one for each of `args`.
  std::vector<BufferType> types;
  /// kCollective.
  Collective collective;
  /// The user's name and line of the op; may be empty.
  std::string name, location;
  /// kDispatch: the checked ops. If there are any, the last argument holds one
  /// status word (jobrt/abi.h) per chunk. kCall: the op of the command, if the
  /// driver checks its results.
  std::vector<CheckedOp> checks;

  /// Whether it writes to variables.
  bool writesVariables() const {
    return std::any_of(args.begin(), args.end(), [](const BufferRef &buffer) {
      return buffer.isWritten && buffer.space == Space::kBank;
    });
  }
};

/// The non-empty range [begin, end) of commands of an entry runs `count` times,
/// at least twice, in sequence. An iteration starts when all commands before it
/// are complete, on all queues, and later commands start after the last one.
struct RepeatInfo {
  size_t begin, end;
  int64_t count;
};

/// An input or output of an entry.
struct PortInfo {
  std::string name;
  DType dtype;
  Shape shape;
  int64_t offset; ///< in the staging slot
  int64_t bytes;
  /// Of an output with an extent that is a bound: the output that has the true
  /// extent, a 1xi64. -1 where the shape is static.
  int32_t count = -1;
  /// The dimension whose extent that is.
  int32_t boundedDim = 0;
  /// Of an input: whether a step with a NaN or an infinity in it fails, and the
  /// user's line, possibly empty.
  bool isChecked = false;
  std::string location = {};
};

/// "100x784xf32", or "?<=100>x2xi32" with a bounded dimension, as the compiler
/// writes types.
JOBRT_API std::string formatType(const PortInfo &port);

struct VariableInfo {
  std::string name;
  DType dtype;
  Shape shape;
  int64_t offset; ///< in the bank
  int64_t bytes;
  bool trainable;
  std::string location;
  /// Index of the device in whose bank it is.
  int32_t device = 0;
  /// How it is stored in the bank: dimension `i` there is dimension
  /// `permutation[i]` of `shape`, or of `expandedShape` if that is not empty,
  /// to which the variable is reshaped before. Empty if the order is the same.
  Shape permutation = {}, expandedShape = {};

  /// The shape whose dimensions are permuted.
  const Shape &permutedFrom() const {
    return expandedShape.empty() ? shape : expandedShape;
  }
};

/// What an entry needs on one device.
struct EntryMemory {
  int64_t arenaBytes = 0, workspaceBytes = 0, arenaLowerBound = 0;
};

/// A large buffer of the arena, for errors: its type, as "100x784xf32", and the
/// user's name and line of the op, each possibly empty.
struct PeakBuffer {
  int64_t bytes;
  std::string type, name, location;
};

struct EntryInfo {
  std::string name;
  JobKind kind;
  /// What its commands run on; of those on several devices, the first one.
  DeviceKind device = DeviceKind::kHost;
  /// The devices that its commands run on and whose memory they use, ascending;
  /// at least one.
  std::vector<int32_t> devices = {0};
  std::vector<PortInfo> inputs, outputs;
  /// The nesting of the results as JSON text (docs/artifact.md).
  std::string resultStructure;
  int64_t inputBytes, outputBytes;
  /// On all devices together.
  int64_t arenaBytes, workspaceBytes, arenaLowerBound;
  /// By device of the artifact.
  std::vector<EntryMemory> memory;
  std::vector<Command> commands;
  /// Disjoint, in the order of the commands.
  std::vector<RepeatInfo> repeats;
  /// One more than the largest queue of a command.
  int32_t numQueues = 1;
  /// Whether some command is an epilogue.
  bool hasEpilogues = false;
  int64_t numEvents = 0;
  /// The commands that are host calls.
  std::vector<size_t> hostCalls;
  /// The largest buffers of the command at which most bytes of the arena are
  /// live; empty if the artifact does not say.
  std::vector<PeakBuffer> peak;
  /// Of a part of a step: whether earlier parts may have written variables.
  bool followsWrites = false;
  /// Whether some command is a collective.
  bool hasCollectives = false;

  /// Calls `visit(command index, iteration)` for every execution of a command
  /// in a step, in order. The iteration is -1 outside of repeats.
  template <typename Visit> void forEachExecution(Visit visit) const {
    size_t index = 0;
    for (const RepeatInfo &repeat : repeats) {
      for (; index < repeat.begin; ++index)
        visit(index, int64_t(-1));
      for (int64_t i = 0; i < repeat.count; ++i)
        for (index = repeat.begin; index < repeat.end; ++index)
          visit(index, i);
    }
    for (; index < commands.size(); ++index)
      visit(index, int64_t(-1));
  }
};

/// A checked and loaded artifact. Thread-safe: immutable.
class JOBRT_API Artifact {
public:
  /// Reads, checks and opens the file. Blocks on the disk. Errors: kNotFound,
  /// kIo, kDataLoss (damaged, or an invalid manifest), kUnimplemented (version
  /// or machine). The driver checks kernels, library functions and processor
  /// features when a session is created. To replace a file,
  /// rename a new one over it, as the compiler does; a file that is overwritten
  /// in place while it is being loaded is an error (kDataLoss).
  static Expected<std::shared_ptr<const Artifact>>
  load(const std::string &path);
  ~Artifact();

  const std::string &path() const;
  /// "jobmlir 0.1.0, LLVM 22.1.8".
  const std::string &compiler() const;
  /// A hash of the names, shapes, types and order of all jobs, inputs, outputs
  /// and variables; equal for artifacts with equal interfaces.
  const std::string &interface() const;
  const std::vector<EntryInfo> &entries() const;
  /// Null if there is none of that name.
  const EntryInfo *findEntry(std::string_view name) const;
  const std::vector<VariableInfo> &variables() const;
  const VariableInfo *findVariable(std::string_view name) const;
  /// Of all devices together.
  int64_t bankBytes() const;
  int64_t constantsBytes() const;
  /// Start of the constant section in the file's code, in memory of the host;
  /// null if it is empty.
  const void *constants() const;
  /// Features of the processor that the kernels need, by LLVM's names.
  const std::vector<std::string> &cpuFeatures() const;
  /// What the commands of its entries run on, at least one.
  const std::vector<ArtifactDevice> &devices() const;
  /// The devices that its jobs are placed on, as SessionOptions::driver names
  /// them: "host", "cuda:0", "host,cuda:0".
  const std::string &driver() const;
  /// How many ranks run its jobs together, each in a session of its own; 1 if
  /// no job has a collective.
  int ranks() const;
  /// Code for GPUs, one for each target.
  const std::vector<CodeBlob> &code() const;
  /// Address of a symbol that the file's code exports; null if there is none.
  void *findSymbol(const char *name) const;

private:
  struct Impl;
  explicit Artifact(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace jobrt

#endif // JOBRT_ARTIFACT_H
