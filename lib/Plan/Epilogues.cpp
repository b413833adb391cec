//===- Epilogues.cpp - Chunks that follow chunks --------------------------===//

#include "Epilogues.h"

#include "JobDialect/Codegen/ItemLoop.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::plan;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

int64_t plan::getElementBytes(Type type) {
  return getBufferBytes(RankedTensorType::get({1}, getElementTypeOrSelf(type)));
}

/// The blocks of one access, in elements; std::nullopt if chunks share some.
static std::optional<Blocks> getBlocks(const KernelNest &nest,
                                       ScheduleAttrInterface schedule,
                                       const KernelAccess &access) {
  if (access.offset != 0)
    return std::nullopt;
  Blocks blocks;
  for (auto [dim, size] : schedule.getDistribution()) {
    int64_t extent = nest.extents[dim], stride = access.strides[dim];
    if (size >= extent)
      continue;
    if (stride == 0)
      return std::nullopt;
    // Other dimensions move by whole periods, or stay within the stride.
    int64_t period = stride * extent, inner = 0;
    for (unsigned other : llvm::seq(nest.getRank()))
      if (static_cast<int64_t>(other) != dim &&
          access.strides[other] % period != 0)
        inner += access.strides[other] * (nest.extents[other] - 1);
    if (inner >= stride)
      return std::nullopt;
    blocks.push_back({period, stride * size});
  }
  return blocks;
}

static std::optional<Blocks> getBlocks(const KernelNest &nest,
                                       ScheduleAttrInterface schedule,
                                       unsigned argument) {
  std::optional<Blocks> blocks;
  auto add = [&](const KernelAccess &access) {
    if (access.argument != argument)
      return true;
    std::optional<Blocks> more = getBlocks(nest, schedule, access);
    if (!more || (blocks && *blocks != *more))
      return false;
    blocks = std::move(more);
    return true;
  };
  for (const KernelPass &pass : nest.passes) {
    for (const KernelInput &input : pass.inputs)
      if (!input.item && !add(input.access))
        return std::nullopt;
    for (const KernelOutput &output : pass.outputs)
      if (output.destination && !add(*output.destination))
        return std::nullopt;
  }
  if (!blocks)
    return std::nullopt;
  int64_t bytes = getElementBytes(nest.arguments[argument]);
  for (BlockLevel &level : *blocks) {
    level.period *= bytes;
    level.size *= bytes;
  }
  return blocks;
}

static std::optional<Blocks> getBlocks(CallOp call, unsigned operand) {
  CallConfigAttrInterface config = call.getConfig();
  std::vector<jobrt::calls::Buffer> buffers = config.getBuffers();
  std::optional<jobrt::calls::ResultBlocks> result = config.getResultBlocks();
  if (operand >= buffers.size() || !buffers[operand].isResult || !result)
    return std::nullopt;
  Blocks blocks;
  ArrayRef<int64_t> extents = buffers[operand].extents;
  for (auto [dim, size] : *result) {
    if (size >= extents[dim])
      continue;
    int64_t stride = getElementBytes(call->getOperand(operand).getType());
    for (int64_t extent : extents.drop_front(dim + 1))
      stride *= extent;
    blocks.push_back({stride * extents[dim], stride * size});
  }
  return blocks;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

ExecutableOp KernelNests::getExecutable(DispatchOp dispatch) {
  return symbols.lookupNearestSymbolFrom<ExecutableOp>(
      dispatch->getParentOp(), dispatch.getKernelAttr());
}

ScheduleAttrInterface KernelNests::getSchedule(DispatchOp dispatch) {
  ExecutableOp executable = getExecutable(dispatch);
  // Before schedules are selected: the target is searched for in the module.
  if (executable.getVariants().empty())
    return {};
  VariantOp variant = executable.getVariant(getTarget(dispatch));
  return variant ? variant.getScheduleAttr() : ScheduleAttrInterface();
}

bool KernelNests::hasDefaultSchedule(DispatchOp dispatch) {
  ScheduleAttrInterface schedule = getSchedule(dispatch);
  if (!schedule)
    return true;
  const KernelNest *nest = lookup(dispatch);
  return nest && schedule == schedule.getDefault(*nest);
}

const KernelNest *KernelNests::lookup(DispatchOp dispatch) {
  return lookup(getExecutable(dispatch));
}

const KernelNest *KernelNests::lookup(ExecutableOp executable) {
  auto [it, isNew] = nests.try_emplace(executable);
  if (isNew)
    if (func::FuncOp body = executable.getBody();
        body && !ItemLoop::isFormOf(body))
      if (FailureOr<KernelNest> nest = KernelNest::get(body); succeeded(nest))
        it->second = std::make_unique<KernelNest>(std::move(*nest));
  return it->second.get();
}

std::optional<Blocks> KernelNests::getBlocks(OpOperand &operand) {
  if (auto call = dyn_cast<CallOp>(operand.getOwner()))
    return ::getBlocks(call, operand.getOperandNumber());
  auto dispatch = cast<DispatchOp>(operand.getOwner());
  const KernelNest *nest = lookup(dispatch);
  ScheduleAttrInterface schedule = getSchedule(dispatch);
  if (!nest || !schedule)
    return std::nullopt;
  return ::getBlocks(*nest, schedule, operand.getOperandNumber());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

PlanCommandOpInterface plan::getPredecessor(PlanCommandOpInterface command) {
  for (Operation *op = command->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<RepeatOp>(op))
      return {};
    auto before = dyn_cast<PlanCommandOpInterface>(op);
    if (!before)
      continue;
    return isa<CallOp, DispatchOp>(op) &&
                   before.getQueue() == command.getQueue()
               ? before
               : PlanCommandOpInterface();
  }
  return {};
}

namespace {
/// What a command of a group does with an operand.
struct Access {
  BufferPlace place;
  bool isWritten;
  std::optional<Blocks> blocks;
};
} // namespace

template <typename GetBlocks>
static SmallVector<Access> getAccesses(PlanCommandOpInterface command,
                                       SymbolTableCollection &symbols,
                                       GetBlocks getBlocks) {
  SmallVector<OpOperand *> written = command.getWrittenOperands();
  SmallVector<Access> accesses;
  for (OpOperand &operand : command->getOpOperands())
    accesses.push_back({getBufferPlace(operand.get(), symbols),
                        llvm::is_contained(written, &operand),
                        getBlocks(operand)});
  return accesses;
}

bool plan::areSame(const BufferPlace &a, const BufferPlace &b) {
  return a.space == b.space && a.offset && a.offset == b.offset &&
         a.bytes == b.bytes && a.stride == b.stride;
}

PlanCommandOpInterface
plan::getPredecessorInGroup(PlanCommandOpInterface command) {
  auto dispatch = dyn_cast<DispatchOp>(*command);
  return dispatch && dispatch.getEpilogue() ? getPredecessor(command)
                                            : PlanCommandOpInterface();
}

Operation *plan::findBufferWithoutOffset(DispatchOp dispatch,
                                         KernelNests &nests) {
  for (PlanCommandOpInterface command = dispatch; command;
       command = getPredecessorInGroup(command))
    for (Value buffer : command->getOperands())
      if (!getBufferPlace(buffer, nests.getSymbols()).offset)
        return getBufferRoot(buffer);
  return nullptr;
}

std::optional<EpilogueObstacle>
plan::findObstacle(DispatchOp dispatch, const KernelNest &nest,
                   ScheduleAttrInterface schedule, KernelNests &nests) {
  SmallVector<Access> own =
      getAccesses(dispatch, nests.getSymbols(), [&](OpOperand &operand) {
        return getBlocks(nest, schedule, operand.getOperandNumber());
      });
  for (PlanCommandOpInterface other = getPredecessor(dispatch); other;
       other = getPredecessorInGroup(other)) {
    SmallVector<Access> others =
        getAccesses(other, nests.getSymbols(), [&](OpOperand &operand) {
          return nests.getBlocks(operand);
        });
    for (const Access &a : others)
      for (const Access &b : own) {
        if ((!a.isWritten && !b.isWritten) || !mayOverlap(a.place, b.place))
          continue;
        if (areSame(a.place, b.place) && a.blocks && a.blocks == b.blocks)
          continue;
        return EpilogueObstacle{other,
                                std::string(b.isWritten ? "writes" : "reads") +
                                    " what other chunks of it " +
                                    (a.isWritten ? "write" : "read")};
      }
  }
  return std::nullopt;
}
