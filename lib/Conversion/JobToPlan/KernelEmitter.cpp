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

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
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
  return chunks;
}

//===----------------------------------------------------------------------===//
// Fused kernels
//===----------------------------------------------------------------------===//

namespace {

/// How a loop nest reads or writes a buffer: for each dimension of the buffer
/// that has an extent above 1, the dimension of the domain.
struct Access {
  unsigned argument;         ///< of the function
  SmallVector<int64_t> dims; ///< increasing
  friend bool operator==(const Access &a, const Access &b) {
    return a.argument == b.argument && a.dims == b.dims;
  }
};

/// Emits one fused kernel.
class FusedKernelEmitter {
public:
  FusedKernelEmitter(OpBuilder &builder, KernelOp kernel,
                     const KernelSignature &signature, Block &entry)
      : builder(builder), kernel(kernel), signature(signature), entry(entry),
        body(kernel.getBody().front()), loc(kernel.getLoc()) {}

  /// Returns the number of chunks.
  int64_t emit();

private:
  void findDomain();
  void collectAccesses();
  unsigned addInput(BlockArgument argument, ArrayRef<int64_t> dims);
  void collapseDomain();
  void orderLoops();
  void chooseChunks();
  Value buildOperand(const Access &access, Value offset, OpFoldResult size);
  void buildBody(OpBuilder &nested, ValueRange scalars, Value offset);

  OpBuilder &builder;
  KernelOp kernel;
  const KernelSignature &signature;
  Block &entry;
  Block &body;
  Location loc;

  /// The domain as the ops have it, and which of its dimensions are summed.
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
};

} // namespace

void FusedKernelEmitter::findDomain() {
  for (Operation &op : body.without_terminator()) {
    if (auto sum = dyn_cast<ReduceSumOp>(op)) {
      domain = llvm::to_vector(sum.getOperand().getType().getShape());
      reduced.assign(domain.size(), false);
      for (int64_t axis : sum.getAxes())
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

unsigned FusedKernelEmitter::addInput(BlockArgument argument,
                                      ArrayRef<int64_t> dims) {
  Access access{signature.inputs[argument.getArgNumber()], {}};
  ArrayRef<int64_t> shape = cast<BlobType>(argument.getType()).getShape();
  for (auto [extent, dim] : llvm::zip(shape, dims))
    if (extent != 1)
      access.dims.push_back(dim);
  auto it = llvm::find(reads, access);
  if (it != reads.end())
    return it - reads.begin();
  reads.push_back(access);
  return reads.size() - 1;
}

void FusedKernelEmitter::collectAccesses() {
  SmallVector<int64_t> identity =
      llvm::to_vector(llvm::seq<int64_t>(0, domain.size()));
  for (Operation &op : body.without_terminator())
    for (OpOperand &operand : op.getOpOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand.get());
      if (!argument)
        continue;
      // An operand of shape 1 beside a larger domain has no dimension left, so
      // its map is never looked at.
      ArrayRef<int64_t> dims = identity;
      if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
        dims = broadcast.getDims();
      readOfUse[&operand] = addInput(argument, dims);
    }
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    Access access{signature.results[index], {}};
    bool isSum = value.getDefiningOp<ReduceSumOp>() != nullptr;
    for (int64_t dim : identity)
      if (domain[dim] != 1 && !(isSum && reduced[dim]))
        access.dims.push_back(dim);
    writes.push_back(access);
  }
}

void FusedKernelEmitter::collapseDomain() {
  auto isNeighbour = [](const Access &access, int64_t a, int64_t b) {
    auto it = llvm::find(access.dims, a);
    bool hasA = it != access.dims.end();
    bool hasB = llvm::is_contained(access.dims, b);
    if (hasA != hasB)
      return false;
    return !hasA || *std::next(it) == b;
  };
  for (int64_t dim = 0, e = domain.size(); dim < e; ++dim) {
    if (domain[dim] == 1)
      continue;
    if (!groups.empty()) {
      int64_t last = groups.back().back();
      auto merges = [&](const Access &access) {
        return isNeighbour(access, last, dim);
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
    SmallVector<int64_t> dims;
    for (auto [index, group] : llvm::enumerate(groups))
      if (llvm::is_contained(access.dims, group.front()))
        dims.push_back(index);
    access.dims = dims;
  };
  llvm::for_each(reads, rename);
  llvm::for_each(writes, rename);
}

/// Memory is walked through in its own order where that is possible: with a
/// parallel innermost dimension the loops stay as they are and sums gather in
/// the result's row; with a summed one the parallel loops go outside, so that
/// a sum is finished before the next begins.
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

/// The part of a buffer that one chunk sees, in the collapsed shape.
Value FusedKernelEmitter::buildOperand(const Access &access, Value offset,
                                       OpFoldResult size) {
  Value buffer = entry.getArgument(access.argument);
  SmallVector<int64_t> shape;
  for (int64_t dim : access.dims)
    shape.push_back(extents[dim]);
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  auto type = MemRefType::get(
      shape, cast<MemRefType>(buffer.getType()).getElementType());
  if (type != buffer.getType())
    buffer = memref::ReinterpretCastOp::create(builder, loc, type, buffer,
                                               /*offset=*/0, shape, strides);
  if (chunks == 1 || !llvm::is_contained(access.dims, chunkedDim))
    return buffer;
  SmallVector<OpFoldResult> offsets, sizes,
      steps(shape.size(), builder.getIndexAttr(1));
  for (int64_t dim : access.dims) {
    offsets.push_back(dim == chunkedDim ? OpFoldResult(offset)
                                        : builder.getIndexAttr(0));
    sizes.push_back(dim == chunkedDim ? size
                                      : builder.getIndexAttr(extents[dim]));
  }
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, steps);
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
  for (Operation &op : body.without_terminator()) {
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
    } else if (isa<BroadcastInDimOp>(op)) {
      result = operandOf(op.getOpOperand(0));
    } else if (isa<ReduceSumOp>(op)) {
      // A sum that nobody needs is not written.
      auto use = llvm::find_if(yield->getOperands(), [&](Value value) {
        return value == op.getResult(0);
      });
      if (use == yield->getOperands().end())
        continue;
      unsigned index = use - yield->getOperands().begin();
      Value sum = scalars[reads.size() + index];
      Value term = operandOf(op.getOpOperand(0));
      if (isa<FloatType>(term.getType())) {
        // The order of the terms is the compiler's, but fixed.
        auto flags = arith::FastMathFlagsAttr::get(
            builder.getContext(),
            arith::FastMathFlags::reassoc | arith::FastMathFlags::nsz);
        result = arith::AddFOp::create(nested, op.getLoc(), sum, term, flags);
      } else {
        result = arith::AddIOp::create(nested, op.getLoc(), sum, term);
      }
    } else {
      SmallVector<Value> operands;
      for (OpOperand &operand : op.getOpOperands())
        operands.push_back(operandOf(operand));
      result = cast<ScalarKernelOpInterface>(op).buildScalar(nested, operands,
                                                             linearIndex);
    }
    scalarOf[op.getResult(0)] = result;
  }
  SmallVector<Value> results;
  for (OpOperand &operand : yield->getOpOperands())
    results.push_back(scalarOf.lookup(operand.get()));
  linalg::YieldOp::create(nested, loc, results);
}

int64_t FusedKernelEmitter::emit() {
  findDomain();
  collectAccesses();
  collapseDomain();
  orderLoops();
  chooseChunks();

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
    for (int64_t dim : access.dims)
      results.push_back(
          builder.getAffineDimExpr(llvm::find(loops, dim) - loops.begin()));
    maps.push_back(
        AffineMap::get(loops.size(), 0, results, builder.getContext()));
  };
  for (const Access &access : reads)
    addOperand(access, inputs);
  for (const Access &access : writes)
    addOperand(access, outputs);

  // Sums start at zero.
  for (auto [value, output] :
       llvm::zip(body.getTerminator()->getOperands(), outputs))
    if (value.getDefiningOp<ReduceSumOp>()) {
      Type element = cast<MemRefType>(output.getType()).getElementType();
      Value zero =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
      linalg::FillOp::create(builder, loc, zero, output);
    }

  SmallVector<utils::IteratorType> iterators;
  for (int64_t dim : loops)
    iterators.push_back(reduced[groups[dim].front()]
                            ? utils::IteratorType::reduction
                            : utils::IteratorType::parallel);
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

/// The op of a kernel that is computed by its own loops, or null.
static LoopKernelOpInterface getLoopKernel(KernelOp kernel) {
  Block &block = kernel.getBody().front();
  return dyn_cast<LoopKernelOpInterface>(block.front());
}

EmittedKernel job::emitKernel(OpBuilder &builder, KernelOp kernel,
                              StringRef name,
                              const KernelSignature &signature) {
  Location loc = kernel.getLoc();
  SmallVector<Type> types(signature.types.begin(), signature.types.end());
  types.push_back(builder.getIndexType());
  auto func = func::FuncOp::create(builder, loc, name,
                                   builder.getFunctionType(types, {}));
  Block &entry = *func.addEntryBlock();
  OpBuilder inner = OpBuilder::atBlockBegin(&entry);

  int64_t chunks;
  if (LoopKernelOpInterface op = getLoopKernel(kernel)) {
    SmallVector<Value> operands, results;
    for (Value operand : op->getOperands())
      operands.push_back(entry.getArgument(
          signature.inputs[cast<BlockArgument>(operand).getArgNumber()]));
    for (unsigned argument : signature.results)
      results.push_back(entry.getArgument(argument));
    chunks = emitLoopKernel(inner, kernel, op, entry.getArguments().back(),
                            operands, results);
  } else {
    chunks = FusedKernelEmitter(inner, kernel, signature, entry).emit();
  }
  inner.setInsertionPointToEnd(&entry);
  func::ReturnOp::create(inner, loc);
  return {func, chunks};
}

bool job::readsElementwise(KernelOp kernel, unsigned index) {
  if (getLoopKernel(kernel))
    return false;
  BlockArgument argument = kernel.getBody().getArgument(index);
  for (Operation *user : argument.getUsers()) {
    // A broadcast reads other elements, a sum writes others.
    if (!isa<ScalarKernelOpInterface>(user))
      return false;
    if (cast<BlobType>(user->getResult(0).getType()).getShape() !=
        cast<BlobType>(argument.getType()).getShape())
      return false;
  }
  return true;
}
