//===- KernelEmitter.cpp - Kernel regions to functions --------------------===//
//
// A kernel is one loop nest over its domain, a linalg.generic whose body is the
// region's ops on scalars. Before that the domain is made as small as it can
// be: dimensions of extent 1 are dropped, neighbours that every access walks
// through in the same way become one. A chunk is a range of one parallel
// dimension.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "NumericsChecks.h"

#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "JobDialect/Support/Explain.h"
#include "jobrt/abi.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// Work below this many operations is not worth handing to another thread: a
/// hand-over costs about a microsecond.
static constexpr int64_t kMinChunkWork = 16384;
/// More chunks than this do not help on any machine that we know.
static constexpr int64_t kMaxChunks = 64;
/// Chunks of contiguous elements start at multiples of a cache line of f32.
static constexpr int64_t kContiguousMultiple = 16;

static int64_t getChunkCount(int64_t work) {
  return std::clamp<int64_t>(work / kMinChunkWork, 1, kMaxChunks);
}

/// Explains how a kernel is computed.
static remark::detail::InFlightRemark explainKernel(KernelOp kernel) {
  auto func = kernel->getParentOfType<FuncOp>();
  return explainDone(kernel.getLoc(), ExplainCategory::Kernels,
                     func ? func.getSymName() : StringRef());
}

/// How many chunks there are, and why not more.
static std::string describeChunks(int64_t chunks, int64_t size, StringRef what,
                                  int64_t work) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (chunks > 1)
    os << chunks << " chunks of " << size << " " << what << " for about "
       << work << " operations";
  else
    os << "one chunk for about " << work
       << " operations, since a second one pays from " << 2 * kMinChunkWork
       << " on";
  return text;
}

//===----------------------------------------------------------------------===//
// Loop kernels: ops with loops of their own
//===----------------------------------------------------------------------===//

/// A loop over the items of one chunk around the op's own loops. Returns the
/// number of chunks.
static int64_t emitLoopKernel(OpBuilder &builder, KernelOp kernel,
                              LoopKernelOpInterface op, Value chunk,
                              ValueRange operands, ValueRange results) {
  Location loc = op->getLoc();
  int64_t items = op.getNumItems();
  int64_t work = items * std::max<int64_t>(1, op.getItemCost());
  int64_t chunks = std::min(items, getChunkCount(work));
  int64_t size = llvm::divideCeil(items, chunks);
  chunks = llvm::divideCeil(items, size);

  Value sizeValue = arith::ConstantIndexOp::create(builder, loc, size);
  Value itemsValue = arith::ConstantIndexOp::create(builder, loc, items);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value begin = arith::MulIOp::create(builder, loc, chunk, sizeValue);
  Value end = arith::AddIOp::create(builder, loc, begin, sizeValue);
  if (items % size)
    end = arith::MinSIOp::create(builder, loc, end, itemsValue);
  auto loop = scf::ForOp::create(builder, loc, begin, end, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  op.buildItem(builder, loop.getInductionVar(), operands, results);

  if (auto remark = explainKernel(kernel))
    remark << op->getName().stripDialect() << " has loops of its own over "
           << std::to_string(items) << " items of about "
           << std::to_string(op.getItemCost()) << " operations; "
           << describeChunks(chunks, size, "items", work);
  return chunks;
}

//===----------------------------------------------------------------------===//
// Fused kernels
//===----------------------------------------------------------------------===//

/// Where a scalar op or a reduction reads an input of a fused kernel itself, at
/// every point of the input; null when none does.
static OpOperand *findPlainRead(KernelOp kernel, unsigned input) {
  for (OpOperand &use : kernel.getBody().front().getArgument(input).getUses())
    if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>() &&
        !isa<StridedReadOpInterface>(use.getOwner()))
      return &use;
  return nullptr;
}

/// Whether the op, or one in it, can make a NaN or infinity.
static bool hasMaker(Operation *op) {
  return op
      ->walk([](Operation *part) {
        return canMakeNonFinite(part) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// How a loop nest reads or writes a buffer: where the element of a point of
/// the domain lies, in elements.
struct Access {
  unsigned argument; ///< of the function
  int64_t offset;    ///< of the first element
  SmallVector<int64_t>
      strides; ///< along each dimension; 0 where it is not used
  friend bool operator==(const Access &a, const Access &b) {
    return a.argument == b.argument && a.offset == b.offset &&
           a.strides == b.strides;
  }
};

/// Emits one fused kernel.
class FusedKernelEmitter {
public:
  FusedKernelEmitter(OpBuilder &builder, KernelOp kernel,
                     const KernelSignature &signature, Block &entry)
      : builder(builder), kernel(kernel), signature(signature), entry(entry),
        body(kernel.getBody().front()), loc(kernel.getLoc()) {}

  /// Asks for checks: of these inputs, then of what scalar ops make. With
  /// `alone`, for nothing else.
  void check(ArrayRef<KernelCheck> inputs, bool alone) {
    isChecked = true;
    onlyChecks = alone;
    llvm::append_range(checks, inputs);
  }

  /// Returns the number of chunks: 0 when only checks are asked for and there
  /// are none.
  int64_t emit();

  /// After emit().
  ArrayRef<KernelCheck> getChecks() const { return checks; }

private:
  void findDomain();
  void collectAccesses();
  unsigned addInput(BlockArgument argument, int64_t offset,
                    ArrayRef<int64_t> strides);
  void collapseDomain();
  void orderLoops();
  void chooseChunks();
  void explain();
  Value buildOperand(const Access &access, Value offset, OpFoldResult size);
  Value buildShape(Value status, OpFoldResult size);
  void buildBody(OpBuilder &nested, ValueRange scalars, Value offset);
  void findChecks();
  Value buildChecks(OpBuilder &nested, ValueRange scalars,
                    const DenseMap<Value, Value> &scalarOf, Value word);

  OpBuilder &builder;
  KernelOp kernel;
  const KernelSignature &signature;
  Block &entry;
  Block &body;
  Location loc;

  /// The domain as the ops have it, and which of its dimensions are reduced.
  SmallVector<int64_t> domain;
  SmallVector<bool> reduced;
  /// Reads, and for each use of a region argument (by operand) which read.
  SmallVector<Access> reads;
  DenseMap<OpOperand *, unsigned> readOfUse;
  /// Writes, one a result.
  SmallVector<Access> writes;

  /// The collapsed domain: for each dimension the ones that it consists of.
  SmallVector<SmallVector<int64_t>> groups;
  SmallVector<int64_t> extents;
  /// Loops from the outside in, as dimensions of the collapsed domain.
  SmallVector<int64_t> loops;
  /// The dimension that chunks cut (-1: none), their extent and number.
  int64_t chunkedDim = -1, chunkSize = 1, chunks = 1;

  bool isChecked = false, onlyChecks = false;
  SmallVector<KernelCheck> checks;
  /// The number of the check of an op's result.
  llvm::SmallMapVector<Operation *, unsigned, 8> checkOfOp;
  /// While findChecks() looks for them: ops that make what is not finite.
  SmallVectorImpl<Operation *> *makers = nullptr;
  /// The status word of this chunk, when there are checks.
  Value statusWord;
};

} // namespace

void FusedKernelEmitter::findDomain() {
  for (Operation &op : body.without_terminator()) {
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
      domain = llvm::to_vector(
          cast<BlobType>(op.getOperand(0).getType()).getShape());
      reduced.assign(domain.size(), false);
      if (!onlyChecks)
        for (int64_t axis : reduction.getReducedAxes())
          reduced[axis] = true;
      return;
    }
    // A repeated op comes first; its users have the domain's shape. One that is
    // alone is the domain.
    domain =
        llvm::to_vector(cast<BlobType>(op.getResult(0).getType()).getShape());
  }
  reduced.assign(domain.size(), false);
}

/// The strides of a dense array over the dimensions that `isUsed`.
static SmallVector<int64_t>
getDenseStrides(ArrayRef<int64_t> extents, function_ref<bool(int64_t)> isUsed) {
  SmallVector<int64_t> strides(extents.size(), 0);
  int64_t stride = 1;
  for (int64_t dim = static_cast<int64_t>(extents.size()) - 1; dim >= 0; --dim)
    if (isUsed(dim)) {
      strides[dim] = stride;
      stride *= extents[dim];
    }
  return strides;
}

unsigned FusedKernelEmitter::addInput(BlockArgument argument, int64_t offset,
                                      ArrayRef<int64_t> strides) {
  Access access{signature.inputs[argument.getArgNumber()], offset,
                llvm::to_vector(strides)};
  for (auto [extent, stride] : llvm::zip(domain, access.strides))
    if (extent == 1)
      stride = 0;
  auto it = llvm::find(reads, access);
  if (it != reads.end())
    return it - reads.begin();
  reads.push_back(access);
  return reads.size() - 1;
}

void FusedKernelEmitter::collectAccesses() {
  SmallVector<int64_t> dense = computeStrides(domain);
  SmallVector<int64_t> none(domain.size(), 0);
  for (Operation &op : body.without_terminator())
    for (OpOperand &operand : op.getOpOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand.get());
      if (!argument)
        continue;
      if (auto read = dyn_cast<StridedReadOpInterface>(op)) {
        StridedRead place = read.getStridedRead();
        readOfUse[&operand] = addInput(argument, place.offset, place.strides);
        continue;
      }
      // An operand of one element is given to every point of a larger domain.
      bool isShared = cast<BlobType>(argument.getType()).getNumElements() == 1;
      readOfUse[&operand] = addInput(argument, 0, isShared ? none : dense);
    }
  if (onlyChecks)
    return;
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    bool isReduction =
        isa_and_present<ReductionKernelOpInterface>(value.getDefiningOp());
    writes.push_back(
        {signature.results[index], 0, getDenseStrides(domain, [&](int64_t dim) {
           return domain[dim] != 1 && !(isReduction && reduced[dim]);
         })});
  }
}

void FusedKernelEmitter::collapseDomain() {
  for (int64_t dim = 0, e = domain.size(); dim < e; ++dim) {
    if (domain[dim] == 1)
      continue;
    if (!groups.empty()) {
      // One step along the outer dimension is as far as all along the inner.
      int64_t last = groups.back().back();
      auto merges = [&](const Access &access) {
        return access.strides[last] == access.strides[dim] * domain[dim];
      };
      if (reduced[last] == reduced[dim] && llvm::all_of(reads, merges) &&
          llvm::all_of(writes, merges)) {
        groups.back().push_back(dim);
        extents.back() *= domain[dim];
        continue;
      }
    }
    groups.push_back({dim});
    extents.push_back(domain[dim]);
  }
  // From here on accesses speak of the collapsed dimensions.
  auto rename = [&](Access &access) {
    SmallVector<int64_t> strides;
    for (ArrayRef<int64_t> group : groups)
      strides.push_back(access.strides[group.back()]);
    access.strides = strides;
  };
  llvm::for_each(reads, rename);
  llvm::for_each(writes, rename);
}

/// Memory is walked through in its own order where that is possible: with a
/// parallel innermost dimension the loops stay as they are and reductions
/// gather in the result's row; with a reduced one the parallel loops go
/// outside, so that a reduction is finished before the next begins.
void FusedKernelEmitter::orderLoops() {
  auto isReduced = [&](int64_t dim) { return reduced[groups[dim].front()]; };
  auto dims = llvm::seq<int64_t>(0, groups.size());
  if (groups.empty() || !isReduced(groups.size() - 1)) {
    loops = llvm::to_vector(dims);
    return;
  }
  llvm::copy_if(dims, std::back_inserter(loops), std::not_fn(isReduced));
  llvm::copy_if(dims, std::back_inserter(loops), isReduced);
}

void FusedKernelEmitter::chooseChunks() {
  int64_t work = 1;
  for (int64_t extent : extents)
    work *= extent;
  // Each op of the body is about one operation an element.
  work *= std::max<int64_t>(1, llvm::range_size(body) / 4);
  for (int64_t dim : loops)
    if (!reduced[groups[dim].front()]) {
      chunkedDim = dim;
      break;
    }
  if (chunkedDim < 0)
    return;
  int64_t extent = extents[chunkedDim];
  bool isContiguous = chunkedDim + 1 == static_cast<int64_t>(groups.size());
  int64_t multiple = isContiguous ? kContiguousMultiple : 1;
  int64_t wanted = std::min<int64_t>(getChunkCount(work),
                                     llvm::divideCeil(extent, multiple));
  chunkSize = llvm::alignTo(llvm::divideCeil(extent, wanted), multiple);
  chunkSize = std::min<int64_t>(chunkSize, extent);
  chunks = llvm::divideCeil(extent, chunkSize);
}

/// The part of a buffer that one chunk sees: the dimensions of the collapsed
/// domain along which the access moves, in order.
Value FusedKernelEmitter::buildOperand(const Access &access, Value offset,
                                       OpFoldResult size) {
  Value buffer = entry.getArgument(access.argument);
  SmallVector<int64_t> dims, shape, strides;
  for (auto [dim, stride] : llvm::enumerate(access.strides))
    if (stride != 0) {
      dims.push_back(dim);
      shape.push_back(extents[dim]);
      strides.push_back(stride);
    }
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  bool isDense = access.offset == 0 && strides == computeStrides(shape);
  auto type =
      isDense ? MemRefType::get(shape, element)
              : MemRefType::get(shape, element,
                                StridedLayoutAttr::get(builder.getContext(),
                                                       access.offset, strides));
  if (type != buffer.getType())
    buffer = memref::ReinterpretCastOp::create(builder, loc, type, buffer,
                                               access.offset, shape, strides);
  if (chunks == 1 || !llvm::is_contained(dims, chunkedDim))
    return buffer;
  SmallVector<OpFoldResult> offsets, sizes,
      steps(shape.size(), builder.getIndexAttr(1));
  for (int64_t dim : dims) {
    offsets.push_back(dim == chunkedDim ? OpFoldResult(offset)
                                        : builder.getIndexAttr(0));
    sizes.push_back(dim == chunkedDim ? size
                                      : builder.getIndexAttr(extents[dim]));
  }
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, steps);
}

/// An operand that says how large the domain is and is not read: all of its
/// elements are the first status word.
Value FusedKernelEmitter::buildShape(Value status, OpFoldResult size) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : loops)
    sizes.push_back(dim == chunkedDim ? size
                                      : builder.getIndexAttr(extents[dim]));
  SmallVector<int64_t> shape = decomposeMixedValues(sizes).first;
  SmallVector<int64_t> none(shape.size(), 0);
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(0));
  auto type = MemRefType::get(
      shape, builder.getI32Type(),
      StridedLayoutAttr::get(builder.getContext(), /*offset=*/0, none));
  return memref::ReinterpretCastOp::create(
      builder, loc, type, status, builder.getIndexAttr(0), sizes, strides);
}

/// The region's ops on the scalars of one point of the domain.
void FusedKernelEmitter::buildBody(OpBuilder &nested, ValueRange scalars,
                                   Value offset) {
  // The row-major index in the domain, from the loops' indices.
  auto linearIndex = [&]() -> Value {
    Value result = arith::ConstantIndexOp::create(nested, loc, 0);
    for (int64_t dim = 0, e = groups.size(); dim < e; ++dim) {
      unsigned loop = llvm::find(loops, dim) - loops.begin();
      Value index = linalg::IndexOp::create(nested, loc, loop);
      if (dim == chunkedDim && chunks > 1)
        index = arith::AddIOp::create(nested, loc, index, offset);
      Value extent = arith::ConstantIndexOp::create(nested, loc, extents[dim]);
      result = arith::MulIOp::create(nested, loc, result, extent);
      result = arith::AddIOp::create(nested, loc, result, index);
    }
    return arith::IndexCastOp::create(nested, loc, nested.getI64Type(), result);
  };

  DenseMap<Value, Value> scalarOf;
  Operation *yield = body.getTerminator();
  Block *target = nested.getInsertionBlock();
  for (Operation &op : body.without_terminator()) {
    Operation *before = target->empty() ? nullptr : &target->back();
    auto operandOf = [&](OpOperand &operand) -> Value {
      auto it = readOfUse.find(&operand);
      return it != readOfUse.end() ? scalars[it->second]
                                   : scalarOf.lookup(operand.get());
    };
    Value result;
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto elements = cast<DenseElementsAttr>(constant.getValue());
      result = arith::ConstantOp::create(nested, op.getLoc(),
                                         elements.getSplatValue<TypedAttr>());
    } else if (isa<StridedReadOpInterface>(op)) {
      result = operandOf(op.getOpOperand(0));
    } else if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
      // What nobody needs is not written.
      auto use = llvm::find_if(yield->getOperands(), [&](Value value) {
        return value == op.getResult(0);
      });
      if (onlyChecks || use == yield->getOperands().end())
        continue;
      unsigned index = use - yield->getOperands().begin();
      result = reduction.buildCombine(nested, scalars[reads.size() + index],
                                      operandOf(op.getOpOperand(0)));
    } else {
      SmallVector<Value> operands;
      for (OpOperand &operand : op.getOpOperands())
        operands.push_back(operandOf(operand));
      result = cast<ScalarKernelOpInterface>(op).buildScalar(nested, operands,
                                                             linearIndex);
    }
    scalarOf[op.getResult(0)] = result;
    Block::iterator first =
        before ? std::next(before->getIterator()) : target->begin();
    if (makers && !isa<ConstantOp>(op) &&
        llvm::any_of(llvm::make_range(first, target->end()),
                     [](Operation &made) { return hasMaker(&made); }))
      makers->push_back(&op);
  }
  SmallVector<Value> results;
  if (!onlyChecks)
    for (OpOperand &operand : yield->getOpOperands())
      results.push_back(scalarOf.lookup(operand.get()));
  if (statusWord)
    results.push_back(buildChecks(nested, scalars, scalarOf, scalars.back()));
  linalg::YieldOp::create(nested, loc, results);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Finds the ops that can make a NaN or infinity: from the code that they
/// become, so that no list of ops can be wrong.
void FusedKernelEmitter::findChecks() {
  SmallVector<Operation *> found;
  Block scratch;
  SmallVector<Value> scalars;
  auto addScalar = [&](const Access &access) {
    auto type = cast<MemRefType>(entry.getArgument(access.argument).getType());
    scalars.push_back(scratch.addArgument(type.getElementType(), loc));
  };
  llvm::for_each(reads, addScalar);
  llvm::for_each(writes, addScalar);
  Value offset = scratch.addArgument(builder.getIndexType(), loc);
  OpBuilder nested(builder.getContext());
  nested.setInsertionPointToStart(&scratch);
  makers = &found;
  buildBody(nested, scalars, offset);
  makers = nullptr;
  for (Operation *op : found) {
    if (checks.size() == JOBRT_MAX_CHECKS)
      break;
    checkOfOp[op] = checks.size();
    checks.push_back({std::nullopt, op->getLoc()});
  }
}

/// The word so far and that of one point of the domain, whose checks come
/// together before they meet the first: LLVM sees a reduction only in a single
/// op.
Value FusedKernelEmitter::buildChecks(OpBuilder &nested, ValueRange scalars,
                                      const DenseMap<Value, Value> &scalarOf,
                                      Value word) {
  Value found;
  for (auto [index, check] : llvm::enumerate(checks)) {
    if (!check.input)
      continue;
    OpOperand *use = findPlainRead(kernel, *check.input);
    found = buildCheck(nested, loc, found, scalars[readOfUse.at(use)], index,
                       checks.size());
  }
  for (auto [op, index] : checkOfOp)
    found = buildCheck(nested, loc, found, scalarOf.lookup(op->getResult(0)),
                       index, checks.size());
  if (!found)
    return word;
  return arith::MaxSIOp::create(nested, loc, word, found);
}

/// Says how the loops came about: what was collapsed, in which order they run,
/// which one is cut.
void FusedKernelEmitter::explain() {
  auto remark = explainKernel(kernel);
  if (!remark)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  auto join = [](ArrayRef<int64_t> numbers) {
    return llvm::join(
        llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }),
        "x");
  };
  os << "the domain " << join(domain);
  if (groups.size() < domain.size())
    os << " is walked through as "
       << (groups.empty() ? std::string("one point") : join(extents));
  if (!loops.empty()) {
    os << "; loops from the outside in: ";
    llvm::interleaveComma(loops, os, [&](int64_t dim) {
      os << extents[dim] << (reduced[groups[dim].front()] ? " reduced" : "");
    });
  }
  int64_t work = std::max<int64_t>(1, llvm::range_size(body) / 4);
  for (int64_t extent : extents)
    work *= extent;
  os << "; ";
  if (groups.empty())
    os << "one chunk";
  else if (chunkedDim < 0)
    os << "one chunk, since every loop is reduced";
  else
    os << describeChunks(chunks, chunkSize,
                         "steps of the outermost parallel loop", work);
  remark << text;
}

int64_t FusedKernelEmitter::emit() {
  findDomain();
  collectAccesses();
  collapseDomain();
  orderLoops();
  chooseChunks();
  if (isChecked)
    findChecks();
  if (onlyChecks && checks.empty())
    return 0;
  if (!onlyChecks)
    explain();
  Value status;
  if (!checks.empty()) {
    unsigned number = entry.getNumArguments() - 1;
    status = entry.insertArgument(
        number, getStatusType(builder.getContext(), chunks), loc);
    statusWord =
        buildStatusWord(builder, loc, status, entry.getArguments().back());
  }

  Value offset;
  OpFoldResult size = builder.getIndexAttr(chunkSize);
  if (chunks > 1) {
    Value chunk = entry.getArguments().back();
    Value step = arith::ConstantIndexOp::create(builder, loc, chunkSize);
    offset = arith::MulIOp::create(builder, loc, chunk, step);
    if (extents[chunkedDim] % chunkSize) {
      Value extent =
          arith::ConstantIndexOp::create(builder, loc, extents[chunkedDim]);
      Value rest = arith::SubIOp::create(builder, loc, extent, offset);
      size = arith::MinSIOp::create(builder, loc, step, rest).getResult();
    }
  }

  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  auto addOperand = [&](const Access &access, SmallVectorImpl<Value> &list) {
    list.push_back(buildOperand(access, offset, size));
    SmallVector<AffineExpr> results;
    for (auto [dim, stride] : llvm::enumerate(access.strides))
      if (stride != 0)
        results.push_back(
            builder.getAffineDimExpr(llvm::find(loops, dim) - loops.begin()));
    maps.push_back(
        AffineMap::get(loops.size(), 0, results, builder.getContext()));
  };
  for (const Access &access : reads)
    addOperand(access, inputs);
  // Without the results there may be loops that no input has.
  auto isRead = [&](int64_t dim) {
    return llvm::any_of(
        reads, [&](const Access &access) { return access.strides[dim] != 0; });
  };
  if (onlyChecks && !llvm::all_of(loops, isRead)) {
    inputs.push_back(buildShape(status, size));
    maps.push_back(builder.getMultiDimIdentityMap(loops.size()));
  }
  for (const Access &access : writes)
    addOperand(access, outputs);

  for (auto [value, output] :
       llvm::zip(body.getTerminator()->getOperands(), outputs)) {
    auto reduction =
        dyn_cast_if_present<ReductionKernelOpInterface>(value.getDefiningOp());
    if (!reduction)
      continue;
    Value identity =
        arith::ConstantOp::create(builder, loc, reduction.getIdentity());
    linalg::FillOp::create(builder, loc, identity, output);
  }

  // All points of the domain raise the one status word.
  SmallVector<utils::IteratorType> iterators;
  for (int64_t dim : loops)
    iterators.push_back(statusWord || reduced[groups[dim].front()]
                            ? utils::IteratorType::reduction
                            : utils::IteratorType::parallel);
  if (statusWord) {
    outputs.push_back(statusWord);
    maps.push_back(AffineMap::get(loops.size(), 0, builder.getContext()));
  }
  linalg::GenericOp::create(
      builder, loc, inputs, outputs, maps, iterators,
      [&](OpBuilder &nested, Location, ValueRange scalars) {
        buildBody(nested, scalars, offset);
      });
  return chunks;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// A function without a body of its own yet: on buffers and a chunk.
static func::FuncOp buildFunction(OpBuilder &builder, Location loc,
                                  StringRef name,
                                  ArrayRef<MemRefType> buffers) {
  SmallVector<Type> types(buffers.begin(), buffers.end());
  types.push_back(builder.getIndexType());
  auto func = func::FuncOp::create(builder, loc, name,
                                   builder.getFunctionType(types, {}));
  func.addEntryBlock();
  return func;
}

/// Ends the body, whose block may have got more arguments.
static void finishFunction(OpBuilder &inner, func::FuncOp func) {
  Block &entry = func.getBody().front();
  func.setType(inner.getFunctionType(entry.getArgumentTypes(), {}));
  inner.setInsertionPointToEnd(&entry);
  func::ReturnOp::create(inner, func.getLoc());
}

/// Whether the reduction of finite elements can be a NaN or infinity: from the
/// code that it becomes.
static bool combinesToNonFinite(ReductionKernelOpInterface reduction) {
  Block scratch;
  OpBuilder builder(reduction.getContext());
  builder.setInsertionPointToStart(&scratch);
  Location loc = reduction.getLoc();
  Value result = scratch.addArgument(
      getElementTypeOrSelf(reduction->getResult(0).getType()), loc);
  Value element = scratch.addArgument(
      getElementTypeOrSelf(reduction->getOperand(0).getType()), loc);
  reduction.buildCombine(builder, result, element);
  return llvm::any_of(scratch, [](Operation &op) { return hasMaker(&op); });
}

EmittedKernel job::emitKernel(OpBuilder &builder, KernelOp kernel,
                              StringRef name, const KernelSignature &signature,
                              bool checkNumerics,
                              ArrayRef<KernelCheck> inputChecks) {
  EmittedKernel emitted;
  func::FuncOp func = emitted.func =
      buildFunction(builder, kernel.getLoc(), name, signature.types);
  Block &entry = func.getBody().front();
  OpBuilder inner = OpBuilder::atBlockBegin(&entry);

  if (LoopKernelOpInterface op = getLoopKernel(kernel)) {
    // A result that nobody needs has no buffer.
    SmallVector<Value> operands, results(op->getNumResults());
    for (Value operand : op->getOperands())
      operands.push_back(entry.getArgument(
          signature.inputs[cast<BlockArgument>(operand).getArgNumber()]));
    Operation *yield = kernel.getBody().front().getTerminator();
    for (auto [value, argument] :
         llvm::zip_equal(yield->getOperands(), signature.results))
      results[cast<OpResult>(value).getResultNumber()] =
          entry.getArgument(argument);
    emitted.chunks = emitLoopKernel(
        inner, kernel, op, entry.getArguments().back(), operands, results);
    if (hasMaker(func))
      for (unsigned index : llvm::seq<unsigned>(signature.results.size()))
        emitted.unchecked.push_back({index, op->getLoc()});
    // What plan-verify-memory cannot see in loops.
    for (unsigned argument : signature.results)
      if (llvm::is_contained(signature.inputs, argument))
        func.setArgAttr(argument, plan::kInPlaceAttrName,
                        builder.getUnitAttr());
  } else {
    FusedKernelEmitter emitter(inner, kernel, signature, entry);
    if (checkNumerics)
      emitter.check(inputChecks, /*alone=*/false);
    emitted.chunks = emitter.emit();
    emitted.checks = llvm::to_vector(emitter.getChecks());
    for (OpOperand &yielded :
         kernel.getBody().front().getTerminator()->getOpOperands())
      if (auto reduction = dyn_cast_if_present<ReductionKernelOpInterface>(
              yielded.get().getDefiningOp());
          reduction && combinesToNonFinite(reduction))
        emitted.unchecked.push_back(
            {yielded.getOperandNumber(), reduction.getLoc()});
  }
  finishFunction(inner, func);
  return emitted;
}

bool job::canCheckInside(KernelOp kernel) {
  return !getLoopKernel(kernel) &&
         llvm::none_of(kernel.getBody().front(), [](Operation &op) {
           auto reduction = dyn_cast<ReductionKernelOpInterface>(op);
           return reduction && combinesToNonFinite(reduction);
         });
}

EmittedKernel job::emitChecksOfKernel(OpBuilder &builder, KernelOp kernel,
                                      StringRef name,
                                      const KernelSignature &signature,
                                      ArrayRef<KernelCheck> inputChecks) {
  EmittedKernel emitted;
  func::FuncOp func =
      buildFunction(builder, kernel.getLoc(), name, signature.types);
  OpBuilder inner = OpBuilder::atBlockBegin(&func.getBody().front());
  FusedKernelEmitter emitter(inner, kernel, signature, func.getBody().front());
  emitter.check(inputChecks, /*alone=*/true);
  emitted.chunks = emitter.emit();
  if (emitted.chunks == 0) {
    func.erase();
    return emitted;
  }
  emitted.func = func;
  emitted.checks = llvm::to_vector(emitter.getChecks());
  finishFunction(inner, func);
  return emitted;
}

bool job::canCheckInput(KernelOp kernel, unsigned input) {
  return !getLoopKernel(kernel) && findPlainRead(kernel, input);
}

EmittedKernel job::emitCheckKernel(OpBuilder &builder, Location loc,
                                   StringRef name, MemRefType type) {
  EmittedKernel emitted;
  func::FuncOp func = emitted.func = buildFunction(builder, loc, name, type);
  Block &entry = func.getBody().front();
  OpBuilder inner = OpBuilder::atBlockBegin(&entry);
  Value chunk = entry.getArguments().back();

  // All chunks are of one size: the last one looks at elements again.
  int64_t elements = type.getNumElements();
  int64_t chunks = getChunkCount(elements);
  int64_t size = std::min<int64_t>(
      elements,
      llvm::alignTo(llvm::divideCeil(elements, chunks), kContiguousMultiple));
  chunks = std::max<int64_t>(
      1, llvm::divideCeil(elements, std::max<int64_t>(size, 1)));
  Value status =
      entry.insertArgument(1, getStatusType(builder.getContext(), chunks), loc);
  Value word = buildStatusWord(inner, loc, status, chunk);
  Value step = arith::ConstantIndexOp::create(inner, loc, size);
  Value last = arith::ConstantIndexOp::create(inner, loc, elements - size);
  Value offset = arith::MinSIOp::create(
      inner, loc, arith::MulIOp::create(inner, loc, chunk, step), last);
  auto layout =
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1});
  Value part = memref::ReinterpretCastOp::create(
      inner, loc, MemRefType::get({size}, type.getElementType(), layout),
      entry.getArgument(0), OpFoldResult(offset),
      ArrayRef<OpFoldResult>{inner.getIndexAttr(size)},
      ArrayRef<OpFoldResult>{inner.getIndexAttr(1)});
  buildBufferCheck(inner, loc, part, word, 0, 1);
  emitted.chunks = chunks;
  emitted.checks.push_back({std::nullopt, loc});
  finishFunction(inner, func);
  return emitted;
}
