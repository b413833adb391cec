//===- CUDASchedule.cpp - What a schedule for CUDA means ------------------===//

#include "CUDASchedule.h"

#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::plan;

/// Bytes that a thread accesses at once.
static constexpr int64_t kAccessBytes = 16;
/// Elements of a thread at most: those of 16 bits compute in 32.
static constexpr int64_t kMaxLanesOfThread = 8;
/// Operations of a thread on all its elements for which there are registers.
static constexpr int64_t kMaxOperations = 512;
/// Threads of a block, unless a team has more or the kernel fewer.
static constexpr int64_t kThreads = 256;
/// The multiprocessors of an H100 or H200.
static constexpr int64_t kMultiprocessors = 132;
/// Threads that hide the latency of memory on all of them.
static constexpr int64_t kWantedThreads = kMultiprocessors * 2048;
/// The most blocks that are chosen; each loops over items beyond that. Some
/// waves of blocks, so that the last one is short.
static constexpr int64_t kWantedBlocks = kMultiprocessors * 8 * 4;
/// Points of a thread in a reduction, at least, before another thread pays.
static constexpr int64_t kMinPoints = 4;
/// The same where the team joins through shared memory.
static constexpr int64_t kMinColumnPoints = 8;
/// The operands that have tiles in shared memory, at most: each takes 8 KiB of
/// 48 with elements of 8 bytes.
static constexpr int64_t kMaxTransposed = 4;
/// Threads of a block that sums columns, of which a multiprocessor has one.
static constexpr int64_t kRowThreads = 512;
/// Registers with the accumulators of a thread at most, half of its registers
/// then.
static constexpr int64_t kMaxSums = 64;
/// Registers of 32 bits of a multiprocessor, and for each one that a thread has
/// with an accumulator, those that it needs: else values are spilled.
static constexpr int64_t kRegisters = 65536, kRegistersOfSum = 4;

BlockShape::BlockShape(const KernelNest &nest, CUDAScheduleAttr schedule) {
  if (ArrayRef<int64_t> vectorize = schedule.getVectorize();
      !vectorize.empty()) {
    vectorDim = vectorize[0];
    numLanes = vectorize[1];
    isVectorOfItems = nest.isItem.test(*vectorDim);
  } else if (nest.getRank() > 0 && nest.isItem.test(nest.getRank() - 1)) {
    // Neighbouring threads have neighbouring items.
    isVectorOfItems = true;
    vectorDim = nest.getRank() - 1;
  }
  for (unsigned dim : nest.isItem.set_bits())
    items *= dim == vectorDim
                 ? int64_t(llvm::divideCeil(nest.extents[dim], numLanes))
                 : nest.extents[dim];
  itemsPerBlock = schedule.getThreads() / schedule.getLanes();
}

bool plan::areVectorsAligned(const KernelNest &nest, unsigned dim,
                             int64_t numLanes) {
  auto isAligned = [&](const KernelAccess &access) {
    if (access.strides[dim] != 1)
      return true;
    if (access.offset % numLanes != 0)
      return false;
    for (auto [other, stride] : llvm::enumerate(access.strides))
      if (other != dim && stride % numLanes != 0)
        return false;
    return true;
  };
  for (const KernelPass &pass : nest.passes) {
    for (const KernelInput &input : pass.inputs)
      if (!input.item && !isAligned(input.access))
        return false;
    for (const KernelOutput &output : pass.outputs)
      if (output.destination && !isAligned(*output.destination))
        return false;
  }
  return true;
}

/// The elements that a thread accesses at once: fewer where a kernel computes
/// much, since each has registers of its own.
static int64_t chooseLanes(const KernelNest &nest, unsigned dim) {
  int64_t bytes = 1;
  for (RankedTensorType type : nest.arguments)
    bytes = std::max<int64_t>(
        bytes,
        llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8));
  // Passes with inner dimensions have loops of their own.
  int64_t operations = 0;
  for (const KernelPass &pass : nest.passes) {
    int64_t own = llvm::range_size(pass.op->getRegion(0).front());
    operations =
        nest.keepsInnerDims() ? std::max(operations, own) : operations + own;
  }
  int64_t numLanes = std::min(kAccessBytes / bytes, kMaxLanesOfThread);
  while (numLanes > 1 && numLanes * operations > kMaxOperations)
    numLanes /= 2;
  // A partial vector at the end of each row is for kernels without reductions.
  auto fits = [&](int64_t lanes) {
    return areVectorsAligned(nest, dim, lanes) &&
           (nest.isItem.all() || nest.extents[dim] % lanes == 0) &&
           nest.extents[dim] >= lanes;
  };
  while (numLanes > 1 && !fits(numLanes))
    numLanes /= 2;
  return numLanes;
}

//===----------------------------------------------------------------------===//
// Transposed operands
//===----------------------------------------------------------------------===//

bool plan::isTransposed(const KernelInput &input, const KernelNest &nest,
                        unsigned dim) {
  return !input.item && input.access.strides[dim] == 1 &&
         input.access.strides.back() > 1;
}

bool plan::canTranspose(const KernelNest &nest, unsigned dim) {
  if (!nest.isItem.all() || nest.hasChecks || dim + 1 >= nest.getRank())
    return false;
  int64_t numTransposed = 0;
  for (const KernelPass &pass : nest.passes)
    numTransposed += llvm::count_if(pass.inputs, [&](const KernelInput &input) {
      return isTransposed(input, nest, dim);
    });
  return numTransposed >= 1 && numTransposed <= kMaxTransposed;
}

int64_t plan::countTilesAlong(const KernelNest &nest, unsigned dim,
                              unsigned transposed) {
  bool isTiled = dim == transposed || dim + 1 == nest.getRank();
  return isTiled ? llvm::divideCeil(nest.extents[dim], kTileSize)
                 : nest.extents[dim];
}

int64_t plan::countTiles(const KernelNest &nest, unsigned transposed) {
  int64_t count = 1;
  for (unsigned dim : llvm::seq(nest.getRank()))
    count *= countTilesAlong(nest, dim, transposed);
  return count;
}

/// The dimension to transpose; none where there is nothing to, or tiles would
/// be mostly empty.
static std::optional<unsigned> chooseTransposed(const KernelNest &nest) {
  for (unsigned dim : llvm::seq(nest.getRank()))
    if (canTranspose(nest, dim) && nest.extents[dim] >= kTileSize / 2 &&
        nest.extents.back() >= kTileSize / 2)
      return dim;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

bool plan::keepsLanes(const KernelPass &pass, const KernelNest &nest,
                      std::optional<unsigned> vectorDim) {
  if (pass.kept.empty())
    return false;
  unsigned laneDim = 0;
  for (unsigned dim : pass.dims)
    if (!nest.isItem.test(dim))
      laneDim = std::max(laneDim, dim);
  if (vectorDim && pass.hasDim(*vectorDim) && !nest.isItem.test(*vectorDim))
    laneDim = *vectorDim;
  return llvm::is_contained(pass.kept, laneDim);
}

/// The most points, in vectors, that a pass has for the threads that compute
/// one item.
static int64_t countPoints(const KernelNest &nest,
                           std::optional<unsigned> vectorDim,
                           int64_t numLanes) {
  int64_t most = 1;
  for (const KernelPass &pass : nest.passes) {
    bool isOfKept = keepsLanes(pass, nest, vectorDim);
    int64_t points = 1;
    for (unsigned dim : pass.dims)
      if (!nest.isItem.test(dim) &&
          (pass.kept.empty() || llvm::is_contained(pass.kept, dim) == isOfKept))
        points *=
            dim == vectorDim ? nest.extents[dim] / numLanes : nest.extents[dim];
    most = std::max(most, points);
  }
  return most;
}

int64_t plan::countColumns(const KernelPass &pass, const KernelNest &nest,
                           std::optional<unsigned> vectorDim,
                           int64_t numLanes) {
  int64_t columns = 1;
  for (unsigned dim : pass.dims)
    if (!nest.isItem.test(dim))
      columns *=
          dim == vectorDim ? nest.extents[dim] / numLanes : nest.extents[dim];
  return columns;
}

/// The parts of the rows of a kernel with sums of columns.
static int64_t countParts(const KernelNest &nest) {
  int64_t parts = 1;
  for (unsigned dim : nest.isItem.set_bits())
    if (dim != nest.rowDim)
      parts *= nest.extents[dim];
  return parts;
}

/// The registers of 32 bits of an element of an accumulator.
static int64_t countRegisters(Value accumulator) {
  unsigned bits =
      getElementTypeOrSelf(accumulator.getType()).getIntOrFloatBitWidth();
  return llvm::divideCeil(bits, 32u);
}

/// The registers with the accumulators of a pass that each thread has.
static int64_t countSums(const KernelPass &pass, int64_t numLanes) {
  int64_t registers = 0;
  for (const KernelOutput &output : pass.outputs)
    if (output.reduction)
      registers += numLanes * countRegisters(output.reduction->accumulator);
  return registers;
}

int64_t plan::countPointsAtOnce(const KernelPass &pass, int64_t points,
                                int64_t numLanes) {
  int64_t most = std::max<int64_t>(1, kMaxSums / countSums(pass, numLanes));
  while (points % most != 0)
    --most;
  return most;
}

/// A block has a part of the rows. A team is at least a warp where there are
/// columns for it, and larger where threads would have too many sums.
static CUDAScheduleAttr chooseRowSchedule(MLIRContext *context,
                                          const KernelNest &nest) {
  SmallVector<int64_t> vectorize;
  unsigned vectorDim = nest.getRank() - 1;
  int64_t numLanes = chooseLanes(nest, vectorDim);
  if (numLanes > 1)
    vectorize = {vectorDim, numLanes};
  // The columns of all passes, as bits that tell which powers of two divide
  // them, and the registers of the sums.
  int64_t columns = 0, sums = 0;
  for (const KernelPass &pass : nest.passes)
    if (pass.isColumnSum) {
      int64_t count = countColumns(pass, nest, vectorDim, numLanes);
      columns |= count;
      linalg::GenericOp op = pass.op;
      for (Value sum : op.getOutputs())
        sums += count * numLanes * countRegisters(sum);
    }
  int64_t teamSize = 1;
  while (columns % (2 * teamSize) == 0 && teamSize < kMaxThreads &&
         (teamSize < kWarpSize || sums / teamSize > kMaxSums))
    teamSize *= 2;
  int64_t threads = std::max(kRowThreads, teamSize);
  while (threads > std::max(kWarpSize, teamSize) &&
         nest.extents[*nest.rowDim] % (threads / teamSize) != 0)
    threads /= 2;
  return CUDAScheduleAttr::get(context, countParts(nest), threads, teamSize,
                               vectorize, kDefaultAccumulate,
                               /*transpose=*/std::nullopt);
}

CUDAScheduleAttr plan::chooseCUDASchedule(MLIRContext *context,
                                          const KernelNest &nest) {
  if (std::optional<unsigned> dim = chooseTransposed(nest))
    return CUDAScheduleAttr::get(
        context, std::min(countTiles(nest, *dim), kWantedBlocks), kThreads,
        /*lanes=*/1, /*vectorize=*/{}, kDefaultAccumulate, *dim);
  if (nest.rowDim)
    return chooseRowSchedule(context, nest);
  SmallVector<int64_t> vectorize;
  std::optional<unsigned> vectorDim;
  int64_t numLanes = 1;
  if (nest.getRank() > 0) {
    vectorDim = nest.getRank() - 1;
    numLanes = chooseLanes(nest, *vectorDim);
    if (numLanes > 1)
      vectorize = {*vectorDim, numLanes};
  }
  bool isRow = vectorDim && !nest.isItem.test(*vectorDim);
  int64_t points = countPoints(nest, vectorDim, numLanes), items = 1;
  for (unsigned dim : nest.isItem.set_bits())
    items *= dim == vectorDim
                 ? int64_t(llvm::divideCeil(nest.extents[dim], numLanes))
                 : nest.extents[dim];

  // Threads of a block at most, which share the registers.
  int64_t sums = 1, maxThreads = kMaxThreads;
  for (const KernelPass &pass : nest.passes)
    sums = std::max(sums, countSums(pass, numLanes));
  while (maxThreads > kWarpSize &&
         maxThreads * sums * kRegistersOfSum > kRegisters)
    maxThreads /= 2;

  // Threads of a team: a warp reads whole lines of a row. More while they have
  // enough to do and the device is not full.
  int64_t teamSize = 1, maxTeam = isRow ? maxThreads : maxThreads / kWarpSize;
  if (isRow)
    teamSize = std::min<int64_t>(kWarpSize, llvm::PowerOf2Ceil(points));
  int64_t minPoints = isRow ? kMinPoints : kMinColumnPoints;
  while (teamSize < maxTeam && points >= 2 * teamSize * minPoints &&
         teamSize * items < kWantedThreads)
    teamSize *= 2;

  // A block of columns has a warp of neighbouring items at least.
  int64_t teams = isRow || teamSize == 1 ? 1 : kWarpSize;
  int64_t threads = std::max(kThreads, teamSize * teams);
  while (threads > std::max(kWarpSize, teamSize) &&
         (threads / 2) / teamSize >= items)
    threads /= 2;
  // Chains of passes take long for an item: each multiprocessor has few of
  // them.
  while (nest.keepsInnerDims() && threads > std::max(kWarpSize, teamSize) &&
         static_cast<int64_t>(llvm::divideCeil(items, threads / teamSize)) <
             kMultiprocessors)
    threads /= 2;
  int64_t groups = llvm::divideCeil(items, threads / teamSize);
  return CUDAScheduleAttr::get(context, std::min(groups, kWantedBlocks),
                               threads, teamSize, vectorize, kDefaultAccumulate,
                               /*transpose=*/std::nullopt);
}

CUDAScheduleAttr plan::selectCUDASchedule(ExecutableOp executable,
                                          const ItemLoop &loop) {
  int64_t threads = kThreads;
  while (threads > kWarpSize && threads / 2 >= loop.items)
    threads /= 2;
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(loop.items, threads));
  auto schedule = CUDAScheduleAttr::get(
      executable.getContext(), std::min(blocks, kWantedBlocks), threads,
      /*lanes=*/1, /*vectorize=*/{}, kDefaultAccumulate,
      /*transpose=*/std::nullopt);
  if (auto remark =
          job::explainDone(executable.getLoc(), job::ExplainCategory::Kernels,
                           executable.getSymName()))
    remark << "on a GPU, a loop over " << std::to_string(loop.items)
           << " items of about " << std::to_string(loop.operations)
           << " operations; " << std::to_string(schedule.getBlocks())
           << " blocks of " << std::to_string(threads)
           << " threads, with one item for each";
  return schedule;
}

CUDAScheduleAttr plan::selectCUDASchedule(ExecutableOp executable,
                                          const KernelNest &nest) {
  CUDAScheduleAttr schedule = chooseCUDASchedule(executable.getContext(), nest);
  auto remark =
      job::explainDone(executable.getLoc(), job::ExplainCategory::Kernels,
                       executable.getSymName());
  if (!remark)
    return schedule;
  if (std::optional<int64_t> dim = schedule.getTranspose()) {
    remark << "on a GPU, " << std::to_string(countTiles(nest, *dim))
           << " tiles of " << std::to_string(kTileSize) << " by "
           << std::to_string(kTileSize)
           << " elements, transposed along dimension " << std::to_string(*dim)
           << " in shared memory; " << std::to_string(schedule.getBlocks())
           << " blocks of " << std::to_string(schedule.getThreads())
           << " threads";
    return schedule;
  }
  BlockShape shape(nest, schedule);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "on a GPU, " << shape.items << (shape.items == 1 ? " item" : " items");
  if (shape.isVectorOfItems && shape.numLanes > 1)
    os << " of " << shape.numLanes << " elements";
  os << " of " << countPoints(nest, shape.vectorDim, shape.numLanes)
     << " points";
  if (!shape.isVectorOfItems && shape.numLanes > 1)
    os << " of " << shape.numLanes << " elements";
  os << "; " << schedule.getBlocks() << " blocks of " << schedule.getThreads()
     << " threads, " << schedule.getLanes() << " of them for an item";
  if (nest.rowDim)
    os << "; each block sums the columns of " << nest.extents[*nest.rowDim]
       << " items";
  remark << text;
  return schedule;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Blocks without items would compute what other blocks do.
static LogicalResult verifyBlocks(Operation *op, CUDAScheduleAttr schedule,
                                  int64_t needed) {
  if (schedule.getBlocks() <= std::max<int64_t>(1, needed))
    return success();
  return op->emitOpError() << "expects at most " << std::max<int64_t>(1, needed)
                           << " blocks, which have all items of the kernel, "
                              "but got "
                           << schedule.getBlocks();
}

/// Sums of columns are those of a block: it has all rows of a part, and each of
/// its threads the same columns of each row.
static LogicalResult verifyRows(Operation *op, const KernelNest &nest,
                                CUDAScheduleAttr schedule,
                                const BlockShape &shape) {
  int64_t parts = countParts(nest), rows = nest.extents[*nest.rowDim];
  if (schedule.getBlocks() != parts)
    return op->emitOpError() << "expects " << parts
                             << " blocks, one for each part of the rows that "
                                "sums of columns have, but got "
                             << schedule.getBlocks();
  if (shape.isVectorOfItems)
    return op->emitOpError("expects vectors along the columns that a kernel "
                           "sums but got them along its rows");
  int64_t teams = shape.itemsPerBlock;
  if (rows % teams != 0 || rows / teams > schedule.getAccumulate())
    return op->emitOpError()
           << "expects rows of a part for each of the " << teams
           << " teams of a block, as many for all and at most "
           << schedule.getAccumulate() << ", but got " << rows << " rows";
  for (const KernelPass &pass : nest.passes) {
    if (!pass.isColumnSum)
      continue;
    int64_t columns = countColumns(pass, nest, shape.vectorDim, shape.numLanes);
    if (columns % schedule.getLanes() != 0)
      return op->emitOpError()
             << "expects lanes that divide the " << columns
             << " columns, or vectors of them, of a sum but got "
             << schedule.getLanes();
  }
  return success();
}

LogicalResult plan::verifySchedule(Operation *op, const KernelNest &nest,
                                   CUDAScheduleAttr schedule) {
  if (std::optional<int64_t> dim = schedule.getTranspose()) {
    if (*dim < 0 || !canTranspose(nest, *dim))
      return op->emitOpError()
             << "expects transpose to name a dimension along which 1 to "
             << kMaxTransposed
             << " operands of a kernel without reductions and checks are "
                "contiguous, and not along the last one, but got "
             << *dim;
    return verifyBlocks(op, schedule, countTiles(nest, *dim));
  }
  if (ArrayRef<int64_t> vectorize = schedule.getVectorize();
      !vectorize.empty()) {
    auto rank = static_cast<int64_t>(nest.getRank());
    if (vectorize[0] >= rank)
      return op->emitOpError()
             << "expects vectorize to name one of the " << rank
             << " dimensions of the kernel but got " << vectorize[0];
    if (!areVectorsAligned(nest, vectorize[0], vectorize[1]))
      return op->emitOpError()
             << "expects vectors that are aligned in all buffers but got "
             << vectorize[1] << " lanes along dimension " << vectorize[0];
    if (!nest.isItem.all() && nest.extents[vectorize[0]] % vectorize[1] != 0)
      return op->emitOpError()
             << "expects vectors that divide the " << nest.extents[vectorize[0]]
             << " iterations of dimension " << vectorize[0]
             << " of a kernel with reductions but got " << vectorize[1]
             << " lanes";
  }
  if (nest.isItem.all() && schedule.getLanes() != 1)
    return op->emitOpError() << "expects one thread for each item of a kernel "
                                "without inner dimensions but got "
                             << schedule.getLanes() << " lanes";
  BlockShape shape(nest, schedule);
  if (nest.rowDim)
    return verifyRows(op, nest, schedule, shape);
  return verifyBlocks(op, schedule, shape.getNumGroups());
}

LogicalResult plan::verifySchedule(Operation *op, const ItemLoop &loop,
                                   CUDAScheduleAttr schedule) {
  if (!schedule.getVectorize().empty())
    return op->emitOpError("expects no vectorize for a loop over items");
  if (schedule.getTranspose())
    return op->emitOpError("expects no transpose for a loop over items");
  if (schedule.getLanes() != 1)
    return op->emitOpError() << "expects one thread for each item of a loop "
                                "over items but got "
                             << schedule.getLanes() << " lanes";
  return verifyBlocks(op, schedule,
                      llvm::divideCeil(loop.items, schedule.getThreads()));
}

namespace {
struct CUDAScheduleModel
    : ScheduleAttrInterface::ExternalModel<CUDAScheduleModel,
                                           CUDAScheduleAttr> {
  StringRef getTarget(Attribute) const { return job::kCUDATarget; }
  ArrayRef<DistributedDim> getDistribution(Attribute) const { return {}; }
  int64_t getNumKernelChunks(Attribute schedule, const KernelNest &) const {
    return cast<CUDAScheduleAttr>(schedule).getBlocks();
  }
  int64_t getNumItemLoopChunks(Attribute schedule, const ItemLoop &) const {
    return cast<CUDAScheduleAttr>(schedule).getBlocks();
  }
  LogicalResult verifyKernel(Attribute schedule, Operation *op,
                             const KernelNest &nest) const {
    return verifySchedule(op, nest, cast<CUDAScheduleAttr>(schedule));
  }
  LogicalResult verifyItemLoop(Attribute schedule, Operation *op,
                               const ItemLoop &loop) const {
    return verifySchedule(op, loop, cast<CUDAScheduleAttr>(schedule));
  }
  ScheduleAttrInterface getDefault(Attribute schedule,
                                   const KernelNest &nest) const {
    return cast<ScheduleAttrInterface>(
        chooseCUDASchedule(schedule.getContext(), nest));
  }
  ScheduleAttrInterface withDistribution(Attribute schedule, const KernelNest &,
                                         ArrayRef<DistributedDim>) const {
    return cast<ScheduleAttrInterface>(schedule);
  }
};
} // namespace

void plan::attachCUDAScheduleModel(MLIRContext &context) {
  CUDAScheduleAttr::attachInterface<CUDAScheduleModel>(context);
}
