//===- SelectCPUSchedule.cpp - How kernels run on the CPU -----------------===//

#include "LoopEmitter.h"

#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::plan;

static_assert(job::kCPUCosts.cores <= kMaxChunks);

/// Vectors an iteration: additions take four cycles, and one starts in each.
static constexpr int64_t kInterleave = 4;
/// Cache lines that a first-level cache holds beside others: 32 KiB.
static constexpr int64_t kCachedLines = 512;
/// Iterations of a tile: some cache lines of each row of it, and as many pages.
/// A tile of blocks is one block wide, since rows of 2^n bytes share few sets
/// of the first-level cache, but where it has whole rows of the operand.
static constexpr int64_t kTileSize = 64;

/// The dimension to cut, and the size of a chunk.
static SmallVector<DistributedDim> selectDistribution(const KernelNest &nest,
                                                      int64_t vectorDim) {
  int64_t wanted = getWantedChunks(nest.getWork(), job::kCPUCosts);
  // The outermost dimension that gives enough chunks, else the longest.
  int64_t best = -1, bestUnits = 1, bestMultiple = 1;
  for (unsigned dim : nest.isItem.set_bits()) {
    // Chunks of contiguous elements start at whole vectors or blocks.
    int64_t multiple =
        dim == vectorDim || canTransposeBlocks(nest, vectorDim, dim)
            ? kDefaultLanes
            : 1;
    int64_t units = llvm::divideCeil(nest.extents[dim], multiple);
    if (bestUnits >= wanted || units <= bestUnits)
      continue;
    best = dim;
    bestUnits = units;
    bestMultiple = multiple;
  }
  if (wanted == 1 || best < 0)
    return {};
  int64_t units = llvm::divideCeil(bestUnits, std::min(wanted, bestUnits));
  return {{best, units * bestMultiple}};
}

/// The dimension to walk in tiles: the contiguous one of an operand that
/// vectors go across, each element of them in another cache line. The lines of
/// some vectors along it then are read while they are in a cache, or blocks of
/// them are transposed.
static SmallVector<int64_t> selectTile(const KernelNest &nest,
                                       int64_t vectorDim,
                                       ArrayRef<DistributedDim> distribute) {
  if (vectorDim < 0)
    return {};
  auto getChunkExtent = [&](int64_t dim) {
    auto *found = llvm::find_if(distribute, [&](DistributedDim distributed) {
      return distributed.dim == dim;
    });
    return found == distribute.end() ? nest.extents[dim] : found->size;
  };
  // The lines of a short row of vectors stay in a cache without tiles.
  bool isShort = nest.extents[vectorDim] <= kCachedLines;
  for (const KernelPass &pass : nest.passes)
    for (const KernelInput &input : pass.inputs)
      for (unsigned dim : nest.isItem.set_bits())
        if (isTransposed(input, vectorDim, dim) &&
            getChunkExtent(dim) >= kDefaultLanes) {
          if (canTransposeBlocks(nest, vectorDim, dim))
            return {dim,
                    nest.extents[dim] <= kTileSize ? kTileSize : kDefaultLanes};
          if (!isShort)
            return {dim, kTileSize};
        }
  return {};
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

static std::string join(ArrayRef<int64_t> extents) {
  return llvm::join(
      llvm::map_range(extents, [](int64_t n) { return std::to_string(n); }),
      "x");
}

/// The shape of the domain before its dimensions were collapsed: of an operand
/// that goes through all of it.
static SmallVector<int64_t> getWholeDomain(const KernelNest &nest) {
  for (const KernelPass &pass : nest.passes) {
    linalg::GenericOp op = pass.op;
    if (pass.dims.size() != nest.getRank())
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      auto collapse = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
      if (collapse && op.getMatchingIndexingMap(&operand).isIdentity())
        return llvm::to_vector(collapse.getSrcType().getShape());
    }
  }
  return nest.extents;
}

static bool isReducedDim(const KernelNest &nest, unsigned dim) {
  return llvm::any_of(nest.passes, [&](const KernelPass &pass) {
    linalg::GenericOp op = pass.op;
    auto it = llvm::find(pass.dims, dim);
    return it != pass.dims.end() &&
           op.getIteratorTypesArray()[it - pass.dims.begin()] ==
               utils::IteratorType::reduction;
  });
}

static void describeLoops(const KernelNest &nest, CPUScheduleAttr schedule,
                          raw_ostream &os) {
  // Items before what is inside of them, the vectors of each as the last.
  std::optional<unsigned> vectorDim;
  if (ArrayRef<int64_t> vectorize = schedule.getVectorize(); !vectorize.empty())
    vectorDim = vectorize[0];
  SmallVector<unsigned> loops;
  for (bool isItem : {true, false}) {
    for (unsigned dim : llvm::seq(nest.getRank()))
      if (nest.isItem.test(dim) == isItem && vectorDim != dim)
        loops.push_back(dim);
    if (vectorDim && nest.isItem.test(*vectorDim) == isItem)
      loops.push_back(*vectorDim);
  }
  os << "; loops from the outside in: ";
  llvm::interleaveComma(loops, os, [&](unsigned dim) {
    os << nest.extents[dim] << (isReducedDim(nest, dim) ? " reduced" : "");
    if (vectorDim == dim)
      os << " in vectors of " << schedule.getVectorize()[1];
    if (ArrayRef<int64_t> tile = schedule.getTile();
        !tile.empty() && tile[0] == dim)
      os << " in tiles of " << tile[1] << ", with the others inside";
  });
}

static void describeSums(const KernelNest &nest, CPUScheduleAttr schedule,
                         raw_ostream &os) {
  bool hasSums = llvm::any_of(nest.passes, [](const KernelPass &pass) {
    return llvm::any_of(pass.outputs, [](const KernelOutput &output) {
      return output.reduction && output.reduction->isRounded();
    });
  });
  if (!hasSums)
    return;
  int64_t accumulators = 1;
  if (ArrayRef<int64_t> vectorize = schedule.getVectorize();
      !vectorize.empty() && !nest.isItem.test(vectorize[0]))
    accumulators =
        vectorize[1] * getInterleave(schedule, nest.extents[vectorize[0]]);
  os << "; each sum has " << accumulators << " accumulator"
     << (accumulators == 1 ? "" : "s") << " of at most "
     << schedule.getAccumulate() << " terms, which are then added up";
}

/// Why there is one chunk only: too little work.
static void describeSingleChunk(int64_t work, raw_ostream &os) {
  os << " for about " << work << " operations, since a second one pays from "
     << 2 * job::kCPUCosts.chunkOperations << " on";
}

static void describeChunks(const KernelNest &nest, CPUScheduleAttr schedule,
                           raw_ostream &os) {
  int64_t work = nest.getWork();
  ArrayRef<DistributedDim> distribute = schedule.getDistribute();
  if (!distribute.empty()) {
    os << "; " << getNumChunks(nest, distribute) << " chunks of ";
    llvm::interleave(
        distribute, os,
        [&](DistributedDim distributed) {
          os << distributed.size << " iterations of the loop of "
             << nest.extents[distributed.dim];
        },
        " and ");
    os << " for about " << work << " operations";
    return;
  }
  os << "; one chunk";
  if (work < 2 * job::kCPUCosts.chunkOperations)
    describeSingleChunk(work, os);
  else if (nest.isItem.none())
    os << ", since every loop is reduced";
  else
    os << ", since no parallel loop is long enough";
}

static void explain(ExecutableOp executable, const KernelNest &nest,
                    CPUScheduleAttr schedule) {
  // A kernel may be one of several jobs: it is named in place of the job.
  auto remark =
      job::explainDone(executable.getLoc(), job::ExplainCategory::Kernels,
                       executable.getSymName());
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<int64_t> whole = getWholeDomain(nest);
  if (nest.getRank() == 0) {
    os << "the domain is one point";
  } else {
    os << "the domain " << join(whole);
    if (whole != nest.extents)
      os << " runs as " << join(nest.extents);
    describeLoops(nest, schedule, os);
  }
  describeSums(nest, schedule, os);
  describeChunks(nest, schedule, os);
  remark << text;
}

CPUScheduleAttr plan::selectCPUSchedule(ExecutableOp executable,
                                        const ItemLoop &loop) {
  int64_t wanted =
      std::min(loop.items, getWantedChunks(loop.getWork(), job::kCPUCosts));
  SmallVector<DistributedDim> distribute;
  if (wanted > 1)
    distribute = {
        {0, static_cast<int64_t>(llvm::divideCeil(loop.items, wanted))}};
  auto schedule =
      CPUScheduleAttr::get(executable.getContext(), distribute, /*tile=*/{},
                           /*vectorize=*/{},
                           /*interleave=*/1, kDefaultAccumulate);
  if (auto remark =
          job::explainDone(executable.getLoc(), job::ExplainCategory::Kernels,
                           executable.getSymName())) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "a loop over " << loop.items << " items of about " << loop.operations
       << " operations; ";
    if (distribute.empty()) {
      os << "one chunk";
      describeSingleChunk(loop.getWork(), os);
    } else {
      os << getNumChunks(loop, distribute) << " chunks of "
         << distribute.front().size << " items for about " << loop.getWork()
         << " operations";
    }
    remark << text;
  }
  return schedule;
}

CPUScheduleAttr plan::chooseSchedule(MLIRContext *context,
                                     const KernelNest &nest) {
  int64_t vectorDim = static_cast<int64_t>(nest.getRank()) - 1;
  SmallVector<int64_t> vectorize;
  if (vectorDim >= 0)
    vectorize = {vectorDim, kDefaultLanes};
  SmallVector<DistributedDim> distribute = selectDistribution(nest, vectorDim);
  return CPUScheduleAttr::get(context, distribute,
                              selectTile(nest, vectorDim, distribute),
                              vectorize, kInterleave, kDefaultAccumulate);
}

CPUScheduleAttr plan::selectCPUSchedule(ExecutableOp executable,
                                        const KernelNest &nest) {
  CPUScheduleAttr schedule = chooseSchedule(executable.getContext(), nest);
  explain(executable, nest, schedule);
  return schedule;
}

CPUScheduleAttr plan::withDistribution(const KernelNest &nest,
                                       CPUScheduleAttr schedule,
                                       ArrayRef<DistributedDim> distribute) {
  int64_t vectorDim =
      schedule.getVectorize().empty() ? -1 : schedule.getVectorize()[0];
  return CPUScheduleAttr::get(schedule.getContext(), distribute,
                              selectTile(nest, vectorDim, distribute),
                              schedule.getVectorize(), schedule.getInterleave(),
                              schedule.getAccumulate());
}
