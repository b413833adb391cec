//===- PlanDialect.h - The plan dialect -------------------------*- C++ -*-===//

#ifndef JOBDIALECT_PLAN_PLANDIALECT_H
#define JOBDIALECT_PLAN_PLANDIALECT_H

#include "JobDialect/IR/JobDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include "jobrt/calls.h"

#include <bit>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace llvm::json {
class Object;
class Value;
} // namespace llvm::json

#include "JobDialect/Plan/PlanDialect.h.inc"
#include "JobDialect/Plan/PlanEnums.h.inc"

namespace mlir::plan {
struct ItemLoop;
struct KernelNest;
struct SpaceSize;

/// A dimension of a kernel that is cut into chunks of `size` iterations.
struct DistributedDim {
  int64_t dim, size;

  bool operator==(const DistributedDim &) const = default;
};

inline llvm::hash_code hash_value(const DistributedDim &distributed) {
  return llvm::hash_combine(distributed.dim, distributed.size);
}

} // namespace mlir::plan

namespace mlir::plan::detail {
/// The parameters of a configuration of jobrt/calls.h by key.
template <typename Config>
SmallVector<NamedAttribute> getParameters(MLIRContext *context,
                                          const Config &config) {
  struct {
    Builder builder;
    SmallVector<NamedAttribute> entries;
    void operator()(const jobrt::calls::Parameter &parameter, int64_t value) {
      entries.push_back(builder.getNamedAttr(parameter.key,
                                             builder.getI64IntegerAttr(value)));
    }
    void operator()(const char *key, double value) {
      entries.push_back(
          builder.getNamedAttr(key, builder.getF64FloatAttr(value)));
    }
  } collector{Builder(context), {}};
  Config::visit(config, collector);
  return collector.entries;
}
} // namespace mlir::plan::detail

namespace jobrt::calls {
/// A hash of all parameters, for attributes.
template <typename Config>
  requires requires { Config::kCallee; }
llvm::hash_code hash_value(const Config &config) {
  llvm::hash_code hash = 0;
  Config::visit(config, [&](const auto &, auto value) {
    hash = llvm::hash_combine(hash, std::bit_cast<int64_t>(value));
  });
  return hash;
}
} // namespace jobrt::calls

#include "JobDialect/Plan/PlanAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "JobDialect/Plan/PlanAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "JobDialect/Plan/PlanTypes.h.inc"

namespace mlir::plan {

/// The bytes of a space. An arena has a lower bound.
struct SpaceSize {
  SpaceAttr space;
  int64_t bytes;
  std::optional<int64_t> lowerBound = std::nullopt;

  bool operator==(const SpaceSize &other) const {
    return space == other.space && bytes == other.bytes &&
           lowerBound == other.lowerBound;
  }
};

inline llvm::hash_code hash_value(const SpaceSize &size) {
  return llvm::hash_combine(size.space, size.bytes,
                            size.lowerBound.value_or(-1));
}

/// The memory space of a buffer; null if the type is not that of a buffer.
SpaceAttr getSpace(Type type);

/// The type of a buffer with this shape and element type in a space.
MemRefType getBufferType(MemRefType type, SpaceAttr space);
/// The same on the first device of a module.
MemRefType getBufferType(MemRefType type, SpaceRole role);

/// Resolves the references of commands when they are written into a manifest.
class CommandSerializer {
public:
  virtual ~CommandSerializer() = default;
  virtual SymbolTableCollection &getSymbols() = 0;
  /// The number of a user's line in the manifest, -1 if there is none.
  virtual int64_t getLocationNumber(Location loc) = 0;
  /// The number of an event in its program.
  virtual int64_t getEventNumber(Value event) = 0;
  /// Element type and shape of a buffer.
  virtual llvm::json::Value getType(MemRefType type) = 0;
};

/// The operands of `op` with an effect, each once.
template <typename Effect>
SmallVector<OpOperand *> getOperandsWithEffect(MemoryEffectOpInterface op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffects(effects);
  llvm::SetVector<OpOperand *> operands;
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<Effect>(effect.getEffect()))
      if (auto *operand = effect.getEffectValue<OpOperand *>())
        operands.insert(operand);
  return operands.takeVector();
}

} // namespace mlir::plan

#include "JobDialect/Plan/PlanInterfaces.h.inc"

#define GET_OP_CLASSES
#include "JobDialect/Plan/PlanOps.h.inc"

namespace mlir::plan {

/// Maximum bytes of a space or buffer: more than any machine has, and small
/// enough that sums do not overflow. The runtime has the same limit.
inline constexpr int64_t kMaxSpaceBytes = int64_t(1) << 48;

/// The name of a kernel's body.
inline constexpr StringLiteral kBodyName = "body";

/// The name of the gpu.module with the kernels for CUDA.
inline constexpr StringLiteral kCUDAModuleName = "cuda_kernels";

/// The target whose code runs on devices of a kind.
StringRef getTarget(DeviceKind kind);

/// The target whose code a command runs: that of the device of its queue.
StringRef getTarget(PlanCommandOpInterface command);

/// The device of the queue of a command as spaces name it: null for the first
/// device.
FlatSymbolRefAttr getDevice(PlanCommandOpInterface command);

/// Whether all commands of a program are on queues of one device. Its inputs
/// and outputs are memory of that device then, otherwise of the host.
bool isOnOneDevice(ProgramOp program);

/// The queues of a module by number, each with the number of its device.
SmallVector<unsigned> getDevicesOfQueues(ModuleOp module);

/// The maximum number of chunks of a kernel, and so of cores that one kernel
/// can use. The status of a kernel with checks has an element for each.
inline constexpr int64_t kMaxChunks = JOBRT_MAX_CHUNKS;

/// On an op of the job dialect that a library function can compute: the
/// attribute with its implementation.
inline constexpr StringLiteral kImplementationAttrName = "plan.implementation";

/// Lanes of a vector that schedules and kernels of whole items choose, for any
/// element type: one register of f32 with AVX-512, two with AVX2.
inline constexpr int64_t kDefaultLanes = 16;

/// Of GPUs: the threads of a warp, those of a block and the blocks of a kernel
/// at most, and the elements that a thread accesses at once.
inline constexpr int64_t kWarpSize = 32, kMaxThreads = 1024,
                         kMaxBlocks = (int64_t(1) << 31) - 1, kMaxAccess = 16;

/// Limits of schedules: lanes of a vector, vectors per iteration; and the terms
/// that an accumulator takes by default, which keep a sum's error near that of
/// 128 additions (docs/numerics.md).
inline constexpr int64_t kMaxLanes = 64, kMaxInterleave = 8,
                         kDefaultAccumulate = 128;

/// Whether the code of a kernel is in the LLVM dialect.
bool isLowered(ExecutableOp kernel);

/// Whether a module has kernels that are not lowered to the LLVM dialect yet.
bool hasKernelsToLower(ModuleOp module);

/// The type of the buffer in code with vectors: an `i1` is a byte, which is 0
/// or 1. Code for the CPU has no memory spaces.
MemRefType getKernelBufferType(MemRefType type);

/// On a module: the sizes of the spaces that all programs share.
inline constexpr StringLiteral kSizesAttrName = "plan.sizes";

/// The type of the status of a kernel with checks, in no space.
MemRefType getStatusType(MLIRContext *context);
/// Adds an argument at the end of those of a body.
BlockArgument appendArgument(func::FuncOp body, Type type, Location loc);

/// On the loop of a body that is a loop over items: the approximate number of
/// operations of one item.
inline constexpr StringLiteral kOperationsAttrName = "plan.operations";

/// Whether kernels take scalars of this type.
bool isScalarType(Type type);

/// Whether this type is a dense buffer: a static shape, an element type that
/// kernels support, and at most kMaxSpaceBytes bytes.
bool isBufferType(ShapedType type);

/// Bytes of a buffer in memory (an i1 takes one byte).
int64_t getBufferBytes(ShapedType type);

/// The op that owns the memory of `buffer`, looking through views, including
/// the views of rows in a repeat.
Operation *getBufferRoot(Value buffer);

/// The commands of a program in order, those in the body of a repeat once. The
/// numbers of commands in reports, traces and lifetimes are indices of this
/// list.
SmallVector<PlanCommandOpInterface> getCommands(ProgramOp program);

/// The buffers that a command reads and writes, without workspaces.
SmallVector<Value> getReadBuffers(PlanCommandOpInterface command);
SmallVector<Value> getWrittenBuffers(PlanCommandOpInterface command);

/// All ops of type `OpTy` in a program and its repeats, for example buffers.
template <typename OpTy> SmallVector<OpTy> getOpsOfProgram(ProgramOp program) {
  SmallVector<OpTy> result;
  program.walk([&](OpTy op) { result.push_back(op); });
  return result;
}

/// Adds the work of a command to its object of the manifest: `flops`, `reads`
/// and `writes`.
void addWork(PlanCommandOpInterface command, llvm::json::Object &members);

/// The location of a buffer in memory. It has no offset before
/// `plan-assign-offsets` and `plan-pack-memory`.
struct BufferPlace {
  SpaceAttr space;
  /// Inside a repeat, the offset in the first iteration.
  std::optional<int64_t> offset;
  int64_t bytes;
  /// Bytes added to the offset in each iteration, and the number of iterations;
  /// outside of a repeat 0 and 1.
  int64_t stride = 0, count = 1;
};

/// The place of a buffer of a program. `symbols` caches the lookups.
BufferPlace getBufferPlace(Value buffer, SymbolTableCollection &symbols);

/// Whether two places may share bytes in some iterations.
bool mayOverlap(const BufferPlace &a, const BufferPlace &b);

} // namespace mlir::plan

#endif // JOBDIALECT_PLAN_PLANDIALECT_H
