//===- SplitReductions.cpp - Long reductions in two stages ----------------===//
//
// A kernel that reduces a long dimension to few results has little to spread
// over cores. It becomes two: the first reduces parts of the dimension, each to
// results of its own, and the second reduces those of all parts and computes
// what followed. What the kernel computes for each element of the dimension is
// written by the first. Where the dimension is no multiple of the parts, a
// third kernel reduces the rest.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Codegen/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANSPLITREDUCTIONS
#include "JobDialect/Codegen/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

namespace {

/// How a dimension of a kernel is cut: `parts` of `size` iterations, and a
/// rest.
struct Split {
  unsigned dim;
  int64_t parts, size, rest;
  /// The arguments that are written for each element of the dimension.
  llvm::SmallBitVector elements;
};

/// What one kernel becomes.
struct SplitKernel {
  ExecutableOp parts, rest, join;
  /// Operands of the kernel that each of them takes and that two of them write,
  /// and checks of the kernel's that each of them does.
  SmallVector<unsigned> partsOperands, restOperands, joinOperands;
  SmallVector<unsigned> partsWritten, joinWritten;
  SmallVector<unsigned> partsChecks, restChecks, joinChecks;
  /// Buffers that the first two write and the last one reads.
  SmallVector<MemRefType> partsResults, restResults;
  /// The share of the operations of each.
  int64_t partsWork, restWork, joinWork;
};

} // namespace

//===----------------------------------------------------------------------===//
// What to split
//===----------------------------------------------------------------------===//

static utils::IteratorType getIterator(const KernelPass &pass, unsigned dim) {
  linalg::GenericOp op = pass.op;
  return op
      .getIteratorTypesArray()[llvm::find(pass.dims, dim) - pass.dims.begin()];
}

/// The arguments that are written for each element of `dim`.
static llvm::SmallBitVector getElements(const KernelNest &nest, unsigned dim) {
  llvm::SmallBitVector elements(nest.arguments.size());
  for (const KernelPass &pass : nest.passes)
    if (pass.hasDim(dim))
      for (const KernelOutput &output : pass.outputs)
        if (!output.reduction && output.destination)
          elements.set(output.destination->argument);
  return elements;
}

/// Whether every pass over `dim` reads arguments, and all others compute values
/// of items.
static bool canSplit(const KernelNest &nest, unsigned dim,
                     const llvm::SmallBitVector &elements) {
  unsigned numWritten = nest.numWritten;
  unsigned numRead = nest.arguments.size() - nest.hasChecks - numWritten;
  return llvm::all_of(nest.passes, [&](const KernelPass &pass) {
    bool hasDim = pass.hasDim(dim);
    // What one stage writes, the other does not read.
    for (const KernelInput &input : pass.inputs)
      if (!input.item && input.access.argument >= numRead &&
          elements.test(input.access.argument) != hasDim)
        return false;
    if (!hasDim)
      return llvm::all_of(
          pass.dims, [&](unsigned other) { return nest.isItem.test(other); });
    linalg::GenericOp op = pass.op;
    return getIterator(pass, dim) == utils::IteratorType::reduction &&
           llvm::all_of(pass.outputs,
                        [&](const KernelOutput &output) {
                          unsigned number = output.result.getResultNumber();
                          return output.reduction ||
                                 (output.destination &&
                                  !op.getDpsInits()[number]
                                       .getDefiningOp<linalg::FillOp>());
                        }) &&
           llvm::none_of(op.getDpsInputs(), [](Value input) {
             return isa_and_nonnull<linalg::GenericOp, linalg::FillOp>(
                 input.getDefiningOp());
           });
  });
}

/// The elements of the last dimension that a chunk takes at least.
static int64_t getMinColumns(const KernelNest &nest,
                             const job::TargetCosts &costs) {
  int64_t bytes = 1;
  // Without the status of checks, which is no row.
  for (RankedTensorType type :
       ArrayRef(nest.arguments).drop_back(nest.hasChecks))
    bytes = std::max<int64_t>(
        bytes, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  return costs.pieceBytes / bytes;
}

/// The dimension to cut into about so many parts: the outermost that is long
/// enough, so that the parts keep whole runs of memory, or else the longest.
static std::optional<unsigned> selectDim(const KernelNest &nest,
                                         int64_t parts) {
  std::optional<unsigned> longest;
  for (unsigned dim : llvm::seq(nest.getRank())) {
    if (nest.isItem.test(dim) || !canSplit(nest, dim, getElements(nest, dim)))
      continue;
    if (nest.extents[dim] >= parts)
      return dim;
    if (!longest || nest.extents[dim] > nest.extents[*longest])
      longest = dim;
  }
  return longest;
}

static std::optional<Split> selectSplit(const KernelNest &nest,
                                        const job::TargetCosts &costs) {
  // Sums of columns are those of parts already, and a join has values of items.
  if (nest.rowDim || nest.keepsInnerDims())
    return std::nullopt;
  int64_t wanted = getWantedChunks(nest.getWork(), costs);
  if (wanted < costs.stagedChunks)
    return std::nullopt;
  // Chunks that there are without a split, and terms of each result.
  int64_t available = 1, terms = 1;
  for (auto [dim, extent] : llvm::enumerate(nest.extents)) {
    if (!nest.isItem.test(dim)) {
      terms *= extent;
      continue;
    }
    // Items that share a vector, or a page, are not spread.
    bool isLast = dim + 1 == nest.getRank();
    available = std::max<int64_t>(
        available,
        isLast ? std::max<int64_t>(1, extent / getMinColumns(nest, costs))
               : extent);
  }
  int64_t parts = std::min(wanted / available, terms / job::kMinPartSize);
  if (parts < 2)
    return std::nullopt;
  std::optional<unsigned> dim = selectDim(nest, parts);
  if (!dim)
    return std::nullopt;
  int64_t extent = nest.extents[*dim];
  parts = std::min(parts, extent);
  if (parts < 2)
    return std::nullopt;
  llvm::SmallBitVector elements = getElements(nest, *dim);
  // Elements are read and written once with or without a split. It pays where
  // chunks of columns would be narrow, not where the loops go along rows.
  if (elements.any() && !nest.isItem.test(nest.getRank() - 1))
    return std::nullopt;
  // Parts of a power of two fit into the chunks of kernels that go over the
  // same rows.
  int64_t size = llvm::bit_floor<uint64_t>(extent / parts);
  if (extent % size == 0)
    return Split{*dim, extent / size, size, 0, elements};
  // Somewhat fewer parts are better than a rest.
  for (int64_t fewer = parts; fewer >= 2 && fewer > parts / 2; --fewer)
    if (extent % fewer == 0)
      return Split{*dim, fewer, extent / fewer, 0, elements};
  // Two kernels cannot write one argument.
  if (elements.any())
    return std::nullopt;
  return Split{*dim, parts, extent / parts, extent % parts, elements};
}

//===----------------------------------------------------------------------===//
// The new bodies
//===----------------------------------------------------------------------===//

namespace {

/// Builds one of the kernels that a kernel is split into.
class StageBuilder {
public:
  StageBuilder(ExecutableOp kernel, const KernelNest &nest, const Split &split,
               StringRef suffix, SymbolTable &symbols)
      : kernel(kernel), nest(nest), split(split), b(kernel->getContext()),
        loc(kernel.getLoc()), from(kernel.getBody()) {
    b.setInsertionPoint(kernel);
    executable =
        ExecutableOp::create(b, loc, (kernel.getSymName() + suffix).str());
    // The text may have a kernel of that name.
    symbols.insert(executable);
    b.setInsertionPointToStart(&executable.getRegion().emplaceBlock());
    numRead = from.getNumArguments() - nest.numWritten - nest.hasChecks;
  }

  /// The reduction of the parts, or of the rest, each to a tensor of its own.
  /// Returns their types.
  SmallVector<RankedTensorType> buildPartial(bool isRest);
  /// What is left for the last kernel.
  void buildJoin(ArrayRef<RankedTensorType> partsTypes,
                 ArrayRef<RankedTensorType> restTypes);

  /// The operands and the checks of the kernel that the stage takes.
  void finish(SmallVectorImpl<unsigned> &operands,
              SmallVectorImpl<unsigned> &checks);
  /// The operands of the kernel that the stage writes.
  SmallVector<unsigned> written;

  ExecutableOp executable;

private:
  void start(TypeRange extra, bool isJoin, TypeRange partial);
  void finishBody(ValueRange partial);
  Value cloneView(Value tensor);
  Value slice(Value tensor, AffineMap map, unsigned loop, bool isRest);
  void buildPartialPass(const KernelPass &pass, bool isRest,
                        SmallVectorImpl<Value> &results);
  void buildJoinPass(const KernelPass &pass);
  unsigned getSplitLoop(const KernelPass &pass) const {
    return llvm::find(pass.dims, split.dim) - pass.dims.begin();
  }

  ExecutableOp kernel;
  const KernelNest &nest;
  const Split &split;
  OpBuilder b;
  Location loc;
  func::FuncOp from, body;
  unsigned numRead;
  IRMapping mapping;
  /// Arguments with partial results, that the next pass takes.
  SmallVector<BlockArgument> partsArguments, restArguments;
  unsigned nextPartial = 0;
};

} // namespace

/// Makes the body, with the arguments that the kernel reads, `extra` ones,
/// those that the stage writes, and `partial` results.
void StageBuilder::start(TypeRange extra, bool isJoin, TypeRange partial) {
  SmallVector<Type> types(from.getArgumentTypes().take_front(numRead));
  llvm::append_range(types, extra);
  SmallVector<Type> results;
  for (unsigned number : llvm::seq(numRead, numRead + nest.numWritten)) {
    if (split.elements.test(number) == isJoin)
      continue;
    written.push_back(number);
    results.push_back(from.getArgumentTypes()[number]);
  }
  llvm::append_range(results, partial);
  llvm::append_range(types, results);
  body = func::FuncOp::create(b, loc, kBodyName,
                              b.getFunctionType(types, results));
  Block *entry = body.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  for (unsigned number : llvm::seq(numRead))
    mapping.map(from.getArgument(number), entry->getArgument(number));
  for (auto [index, number] : llvm::enumerate(written))
    mapping.map(from.getArgument(number),
                entry->getArgument(numRead + extra.size() + index));
}

/// Returns what the stage has written.
void StageBuilder::finishBody(ValueRange partial) {
  Operation *ret = from.getBody().front().getTerminator();
  SmallVector<Value> results;
  for (unsigned number : written)
    results.push_back(cloneView(ret->getOperand(number - numRead)));
  llvm::append_range(results, partial);
  func::ReturnOp::create(b, loc, results);
}

/// An argument, or a view of one, of the new body.
Value StageBuilder::cloneView(Value tensor) {
  if (Value known = mapping.lookupOrNull(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneView(operand);
  b.clone(*op, mapping);
  return mapping.lookup(tensor);
}

/// The part of a tensor of the kernel that the stage goes through. That of the
/// parts has their dimension in front of the one that is cut.
Value StageBuilder::slice(Value tensor, AffineMap map, unsigned loop,
                          bool isRest) {
  auto exprs = map.getResults();
  auto found = llvm::find(exprs, b.getAffineDimExpr(loop));
  if (found == exprs.end())
    return cloneView(tensor);
  unsigned place = found - exprs.begin();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  // It tells the extents of the loops.
  if (tensor.getDefiningOp<tensor::EmptyOp>()) {
    shape[place] = isRest ? split.rest : split.size;
    if (!isRest)
      shape.insert(shape.begin() + place, split.parts);
    return tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  }
  tensor = cloneView(tensor);
  int64_t main = split.parts * split.size;
  if (split.rest) {
    SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0)), sizes,
        strides(shape.size(), b.getIndexAttr(1));
    offsets[place] = b.getIndexAttr(isRest ? main : 0);
    shape[place] = isRest ? split.rest : main;
    for (int64_t size : shape)
      sizes.push_back(b.getIndexAttr(size));
    tensor =
        tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, strides);
  }
  if (isRest)
    return tensor;
  shape[place] = split.size;
  shape.insert(shape.begin() + place, split.parts);
  SmallVector<ReassociationIndices> reassociation;
  int64_t next = 0;
  for (unsigned dim : llvm::seq<unsigned>(0, type.getRank())) {
    reassociation.push_back({next++});
    if (dim == place)
      reassociation.back().push_back(next++);
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      reassociation);
}

void StageBuilder::buildPartialPass(const KernelPass &pass, bool isRest,
                                    SmallVectorImpl<Value> &results) {
  linalg::GenericOp op = pass.op;
  unsigned loop = getSplitLoop(pass), numLoops = op.getNumLoops();
  unsigned shift = isRest ? 0 : 1;
  // The parts are the first loop.
  auto mapTo = [&](AffineMap map, bool isPartial) {
    SmallVector<AffineExpr> exprs;
    if (isPartial && !isRest)
      exprs.push_back(b.getAffineDimExpr(0));
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && dim.getPosition() == loop && !isRest)
        exprs.push_back(b.getAffineDimExpr(0));
      exprs.push_back(dim ? b.getAffineDimExpr(dim.getPosition() + shift)
                          : expr);
    }
    return AffineMap::get(numLoops + shift, 0, exprs, b.getContext());
  };
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    inputs.push_back(slice(operand->get(), map, loop, isRest));
    maps.push_back(mapTo(map, /*isPartial=*/false));
  }
  SmallVector<Type> types;
  unsigned nextPartialResult = numRead + written.size() + results.size();
  for (const KernelOutput &output : pass.outputs) {
    OpOperand *init = op.getDpsInitOperand(output.result.getResultNumber());
    AffineMap map = op.getMatchingIndexingMap(init);
    if (output.reduction) {
      Value destination = body.getArgument(nextPartialResult++);
      Value initial =
          arith::ConstantOp::create(b, loc, output.reduction->initial);
      inits.push_back(
          linalg::FillOp::create(b, loc, initial, destination).getResult(0));
    } else {
      inits.push_back(slice(init->get(), map, loop, isRest));
    }
    types.push_back(inits.back().getType());
    maps.push_back(mapTo(map, output.reduction.has_value()));
  }
  SmallVector<utils::IteratorType> iterators;
  if (!isRest)
    iterators.push_back(utils::IteratorType::parallel);
  llvm::append_range(iterators, op.getIteratorTypesArray());
  auto generic =
      linalg::GenericOp::create(b, loc, types, inputs, inits, maps, iterators);
  IRMapping inner;
  op.getRegion().cloneInto(&generic.getRegion(), inner);
  for (auto indexOp : llvm::make_early_inc_range(
           generic.getBody()->getOps<linalg::IndexOp>())) {
    bool isSplit = indexOp.getDim() == loop;
    indexOp.setDim(indexOp.getDim() + shift);
    if (!isSplit)
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(indexOp);
    Location at = indexOp.getLoc();
    Value begin;
    if (isRest)
      begin = arith::ConstantIndexOp::create(b, at, split.parts * split.size);
    else
      begin = arith::MulIOp::create(
          b, at, linalg::IndexOp::create(b, at, 0),
          arith::ConstantIndexOp::create(b, at, split.size));
    auto sum = arith::AddIOp::create(b, at, begin, indexOp);
    indexOp.getResult().replaceAllUsesExcept(sum, sum);
  }
  for (auto [output, value] :
       llvm::zip_equal(pass.outputs, generic->getResults())) {
    if (output.reduction) {
      results.push_back(value);
      continue;
    }
    // The part back in its place.
    auto expand =
        inits[value.getResultNumber()].getDefiningOp<tensor::ExpandShapeOp>();
    mapping.map(output.result, tensor::CollapseShapeOp::create(
                                   b, loc, expand.getSrcType(), value,
                                   expand.getReassociationIndices()));
  }
}

SmallVector<RankedTensorType> StageBuilder::buildPartial(bool isRest) {
  SmallVector<RankedTensorType> types;
  for (const KernelPass &pass : nest.passes) {
    if (!pass.hasDim(split.dim))
      continue;
    for (const KernelOutput &output : pass.outputs) {
      if (!output.reduction)
        continue;
      auto type = cast<RankedTensorType>(output.result.getType());
      SmallVector<int64_t> shape(type.getShape());
      if (!isRest)
        shape.insert(shape.begin(), split.parts);
      types.push_back(RankedTensorType::get(shape, type.getElementType()));
    }
  }
  start(/*extra=*/{}, /*isJoin=*/false,
        SmallVector<Type>(types.begin(), types.end()));
  SmallVector<Value> results;
  for (const KernelPass &pass : nest.passes)
    if (pass.hasDim(split.dim))
      buildPartialPass(pass, isRest, results);
  finishBody(results);
  return types;
}

/// Reduces the partial results of a pass.
void StageBuilder::buildJoinPass(const KernelPass &pass) {
  linalg::GenericOp op = pass.op;
  // The loops of items stay, and the parts take the place of the dimension.
  SmallVector<unsigned> loops;
  unsigned partsLoop = 0;
  for (auto [loop, dim] : llvm::enumerate(pass.dims)) {
    if (dim == split.dim)
      partsLoop = loops.size();
    if (dim == split.dim || nest.isItem.test(dim))
      loops.push_back(loop);
  }
  unsigned splitLoop = loops[partsLoop];
  SmallVector<unsigned> itemLoops(loops);
  itemLoops.erase(itemLoops.begin() + partsLoop);
  auto mapTo = [&](AffineMap map, ArrayRef<unsigned> kept, bool isPartial) {
    auto getLoop = [&](unsigned loop) {
      return b.getAffineDimExpr(llvm::find(kept, loop) - kept.begin());
    };
    SmallVector<AffineExpr> exprs;
    if (isPartial)
      exprs.push_back(getLoop(splitLoop));
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      exprs.push_back(dim ? getLoop(dim.getPosition()) : expr);
    }
    return AffineMap::get(kept.size(), 0, exprs, b.getContext());
  };
  for (const KernelOutput &output : pass.outputs) {
    if (!output.reduction)
      continue;
    OpOperand *init = op.getDpsInitOperand(output.result.getResultNumber());
    AffineMap map = op.getMatchingIndexingMap(init);
    auto fill = init->get().getDefiningOp<linalg::FillOp>();
    Value destination = cloneView(fill.getDpsInitOperand(0)->get());
    Value parts = partsArguments[nextPartial];
    SmallVector<utils::IteratorType> iterators(loops.size(),
                                               utils::IteratorType::parallel);
    iterators[partsLoop] = utils::IteratorType::reduction;
    Value joined =
        linalg::GenericOp::create(
            b, loc, output.result.getType(), parts, cloneView(init->get()),
            {mapTo(map, loops, /*isPartial=*/true),
             mapTo(map, loops, /*isPartial=*/false)},
            iterators,
            [&](OpBuilder &inner, Location, ValueRange elements) {
              linalg::YieldOp::create(
                  inner, loc,
                  output.reduction->combine(inner, elements[1], elements[0]));
            })
            .getResult(0);
    if (split.rest) {
      AffineMap items = mapTo(map, itemLoops, /*isPartial=*/false);
      joined =
          linalg::GenericOp::create(
              b, loc, output.result.getType(),
              ValueRange{joined, restArguments[nextPartial]}, destination,
              {items, items, items},
              SmallVector<utils::IteratorType>(itemLoops.size(),
                                               utils::IteratorType::parallel),
              [&](OpBuilder &inner, Location, ValueRange elements) {
                linalg::YieldOp::create(
                    inner, loc,
                    output.reduction->combine(inner, elements[0], elements[1]));
              })
              .getResult(0);
    }
    mapping.map(output.result, joined);
    ++nextPartial;
  }
}

void StageBuilder::buildJoin(ArrayRef<RankedTensorType> partsTypes,
                             ArrayRef<RankedTensorType> restTypes) {
  SmallVector<Type> extra(partsTypes.begin(), partsTypes.end());
  llvm::append_range(extra, restTypes);
  start(extra, /*isJoin=*/true, /*partial=*/{});
  Block &entry = body.getBody().front();
  for (unsigned i : llvm::seq<unsigned>(0, partsTypes.size()))
    partsArguments.push_back(entry.getArgument(numRead + i));
  for (unsigned i : llvm::seq<unsigned>(0, restTypes.size()))
    restArguments.push_back(entry.getArgument(numRead + partsTypes.size() + i));
  for (const KernelPass &pass : nest.passes) {
    if (pass.hasDim(split.dim)) {
      buildJoinPass(pass);
      continue;
    }
    for (Value operand : pass.op->getOperands())
      cloneView(operand);
    b.clone(*pass.op, mapping);
  }
  finishBody(/*partial=*/{});
}

void StageBuilder::finish(SmallVectorImpl<unsigned> &operands,
                          SmallVectorImpl<unsigned> &checks) {
  SmallVector<CheckOp> ops;
  body.walk([&](CheckOp check) { ops.push_back(check); });
  llvm::stable_sort(
      ops, [](CheckOp a, CheckOp b) { return a.getNumber() < b.getNumber(); });
  for (CheckOp check : ops) {
    checks.push_back(check.getNumber());
    check.setNumber(checks.size() - 1);
    check.setCount(ops.size());
  }
  if (!ops.empty()) {
    MemRefType status = getStatusType(b.getContext());
    appendArgument(
        body, RankedTensorType::get(status.getShape(), status.getElementType()),
        loc);
  }
  // What the stage does not read it does not take.
  llvm::BitVector unused(body.getNumArguments());
  for (unsigned number : llvm::seq(numRead))
    if (body.getArgument(number).use_empty())
      unused.set(number);
    else
      operands.push_back(number);
  LogicalResult erased = body.eraseArguments(unused);
  assert(succeeded(erased) && "a function has arguments");
  (void)erased;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static SmallVector<MemRefType> toBuffers(ArrayRef<RankedTensorType> types) {
  return llvm::map_to_vector(types, [](RankedTensorType type) {
    return MemRefType::get(type.getShape(), type.getElementType());
  });
}

static SplitKernel splitKernel(ExecutableOp kernel, const KernelNest &nest,
                               const Split &split, SymbolTable &symbols) {
  SplitKernel made;
  int64_t total = nest.getWork();
  made.restWork = total / nest.extents[split.dim] * split.rest;
  made.partsWork = total - made.restWork;
  StageBuilder parts(kernel, nest, split, "_parts", symbols);
  SmallVector<RankedTensorType> partsTypes =
      parts.buildPartial(/*isRest=*/false);
  parts.finish(made.partsOperands, made.partsChecks);
  made.partsWritten = parts.written;
  made.parts = parts.executable;
  made.partsResults = toBuffers(partsTypes);

  SmallVector<RankedTensorType> restTypes;
  if (split.rest) {
    StageBuilder rest(kernel, nest, split, "_rest", symbols);
    restTypes = rest.buildPartial(/*isRest=*/true);
    rest.finish(made.restOperands, made.restChecks);
    made.rest = rest.executable;
    made.restResults = toBuffers(restTypes);
  }
  StageBuilder join(kernel, nest, split, "_join", symbols);
  join.buildJoin(partsTypes, restTypes);
  join.finish(made.joinOperands, made.joinChecks);
  made.joinWritten = join.written;
  made.join = join.executable;
  made.joinWork = 0;
  for (RankedTensorType type : partsTypes)
    made.joinWork += type.getNumElements();
  return made;
}

/// Replaces a dispatch of the kernel.
static void splitDispatch(DispatchOp dispatch, const SplitKernel &made) {
  OpBuilder b(dispatch);
  Location loc = dispatch.getLoc();
  // On the device of the dispatch.
  SpaceAttr arena =
      SpaceAttr::get(b.getContext(), getDevice(dispatch), SpaceRole::Arena);
  auto allocate = [&](MemRefType type) -> Value {
    return AllocOp::create(b, loc, getBufferType(type, arena),
                           /*offset=*/nullptr);
  };
  auto run = [&](ExecutableOp kernel, ArrayRef<unsigned> operands,
                 ValueRange partial, ArrayRef<unsigned> written,
                 ValueRange results, ArrayRef<unsigned> checks, int64_t flops) {
    SmallVector<Value> ins, inouts, outs;
    for (unsigned number : operands)
      ins.push_back(dispatch->getOperand(number));
    llvm::append_range(ins, partial);
    unsigned firstOut = dispatch.getIns().size() + dispatch.getInouts().size();
    for (unsigned number : written)
      (number < firstOut ? inouts : outs)
          .push_back(dispatch->getOperand(number));
    llvm::append_range(outs, results);
    ArrayAttr attr;
    if (!checks.empty()) {
      outs.push_back(allocate(getStatusType(b.getContext())));
      attr = b.getArrayAttr(llvm::map_to_vector(checks, [&](unsigned number) {
        return dispatch.getChecksAttr()[number];
      }));
    }
    DispatchOp::create(b, loc, FlatSymbolRefAttr::get(kernel.getSymNameAttr()),
                       b.getI64IntegerAttr(flops), ins, inouts, outs,
                       /*scalars=*/nullptr, attr, /*epilogue=*/nullptr,
                       /*joined=*/nullptr, dispatch.getQueueAttr());
  };
  SmallVector<Value> partial = llvm::map_to_vector(made.partsResults, allocate);
  // Of all operations, the share that the rest has.
  int64_t flops = dispatch.getFlops().value_or(0);
  auto restFlops =
      static_cast<int64_t>(static_cast<double>(flops) * made.restWork /
                           (made.partsWork + made.restWork));
  run(made.parts, made.partsOperands, {}, made.partsWritten, partial,
      made.partsChecks, flops - restFlops);
  if (made.rest) {
    ExecutableOp rest = made.rest;
    SmallVector<Value> results =
        llvm::map_to_vector(made.restResults, allocate);
    run(rest, made.restOperands, {}, {}, results, made.restChecks, restFlops);
    llvm::append_range(partial, results);
  }
  Value status = dispatch.getChecks() ? dispatch.getOuts().back() : Value();
  run(made.join, made.joinOperands, partial, made.joinWritten, {},
      made.joinChecks, made.joinWork);
  dispatch.erase();
  if (status && status.use_empty())
    status.getDefiningOp()->erase();
}

static void explain(ExecutableOp kernel, const KernelNest &nest,
                    const Split &split) {
  auto remark = job::explainDone(kernel.getLoc(), job::ExplainCategory::Kernels,
                                 kernel.getSymName());
  if (!remark)
    return;
  remark << "a reduction of " << std::to_string(nest.extents[split.dim])
         << " runs as " << std::to_string(split.parts) << " parts of "
         << std::to_string(split.size);
  if (split.rest)
    remark << ", a rest of " << std::to_string(split.rest) << ",";
  remark << " and a second stage";
}

namespace {
struct PlanSplitReductions
    : public plan::impl::PlanSplitReductionsBase<PlanSplitReductions> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    DenseMap<StringAttr, SmallVector<DispatchOp>> dispatches;
    getOperation().walk([&](DispatchOp dispatch) {
      dispatches[dispatch.getKernelAttr().getAttr()].push_back(dispatch);
    });
    for (ExecutableOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<ExecutableOp>())) {
      ArrayRef<DispatchOp> uses = dispatches[kernel.getSymNameAttr()];
      func::FuncOp body = kernel.getBody();
      // A schedule in the text is obeyed, for the kernel as it stands. Loops
      // over items, and kernels with scalars, are not cut.
      if (uses.empty() || !body || !kernel.getVariants().empty() ||
          !llvm::all_of(body.getArgumentTypes(),
                        llvm::IsaPred<RankedTensorType>))
        continue;
      FailureOr<KernelNest> nest = KernelNest::get(body);
      if (failed(nest))
        return signalPassFailure();
      std::optional<Split> split =
          selectSplit(*nest, job::getTargetCosts(getTarget(uses.front())));
      if (!split)
        continue;
      explain(kernel, *nest, *split);
      SplitKernel made = splitKernel(kernel, *nest, *split, symbols);
      for (DispatchOp use : uses)
        splitDispatch(use, made);
      symbols.erase(kernel);
      ++numSplit;
    }
  }
};
} // namespace
