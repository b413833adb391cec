//===- KernelNest.cpp - The loops of a kernel's body ----------------------===//

#include "JobDialect/Codegen/KernelNest.h"

#include "JobDialect/Codegen/ScalarOps.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::plan;

bool KernelReduction::isRounded() const {
  return isa<arith::AddFOp, arith::MulFOp>(combiner);
}

Value KernelReduction::combine(OpBuilder &b, Value accumulated,
                               Value term) const {
  IRMapping operands;
  for (Value operand : combiner->getOperands())
    operands.map(operand, operand == accumulator ? accumulated : term);
  return b.clone(*combiner, operands)->getResult(0);
}

int64_t plan::getWantedChunks(int64_t work, const job::TargetCosts &costs) {
  return std::clamp<int64_t>(work / costs.chunkOperations, 1, costs.cores);
}

/// How many operations of a pass its results need.
static uint64_t countOperations(const KernelPass &pass) {
  Block &block = pass.op->getRegion(0).front();
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> worklist(block.getTerminator()->getOperands());
  while (!worklist.empty())
    if (Operation *op = worklist.pop_back_val().getDefiningOp();
        op && op->getBlock() == &block && needed.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  return needed.size();
}

int64_t KernelNest::getWork() const {
  // A load or store and three operations of a body take about as long. Checks,
  // what is computed for them only, and passes that only check do not count, so
  // that they change neither chunks nor the order of sums.
  uint64_t work = 0;
  for (const KernelPass &pass : passes) {
    if (pass.outputs.empty())
      continue;
    uint64_t operations = countOperations(pass);
    uint64_t points = std::max<uint64_t>(1, operations / 4);
    for (unsigned dim : pass.dims)
      points = llvm::SaturatingMultiply<uint64_t>(
          points, std::max<int64_t>(extents[dim], 1));
    work = llvm::SaturatingAdd(work, points);
  }
  return std::min<uint64_t>(work, INT64_MAX);
}

/// Whether an input is an element of an argument as it was before the kernel.
/// What an earlier pass has written is another value.
static bool isReadOfArgument(const KernelPass &pass, const KernelInput &input) {
  linalg::GenericOp op = pass.op;
  return !input.item && !op.getMatchingOpOperand(input.element)
                             ->get()
                             .getDefiningOp<linalg::GenericOp>();
}

bool KernelNest::isRead(unsigned argument) const {
  return llvm::any_of(passes, [&](const KernelPass &pass) {
    return llvm::any_of(pass.inputs, [&](const KernelInput &input) {
      return isReadOfArgument(pass, input) && input.access.argument == argument;
    });
  });
}

bool KernelNest::keepsInnerDims() const {
  return llvm::any_of(
      passes, [](const KernelPass &pass) { return !pass.kept.empty(); });
}

bool KernelNest::isUpdatedInPlace(unsigned argument) const {
  // Reads of what was there before, and writes, each with its pass.
  SmallVector<std::pair<unsigned, const KernelAccess *>> reads, writes;
  for (auto [number, pass] : llvm::enumerate(passes)) {
    // What an earlier pass has written is read by the item that wrote it.
    for (const KernelInput &input : pass.inputs)
      if (isReadOfArgument(pass, input) && input.access.argument == argument)
        reads.emplace_back(number, &input.access);
    for (const KernelOutput &output : pass.outputs)
      if (output.destination && output.destination->argument == argument)
        writes.emplace_back(number, &*output.destination);
  }
  if (reads.empty() || writes.empty())
    return true;
  const KernelAccess &first = *writes.front().second;
  // Two points of the pass never share an element. Passes before it are over.
  for (unsigned dim : passes[writes.front().first].dims)
    if (extents[dim] != 1 && first.strides[dim] == 0)
      return false;
  return llvm::all_of(reads, [&](auto read) {
    return *read.second == first && read.first <= writes.front().first;
  });
}

//===----------------------------------------------------------------------===//
// Views of arguments
//===----------------------------------------------------------------------===//

namespace {

/// The elements of a tensor in memory: with the strides of its dimensions.
struct View {
  unsigned argument;
  int64_t offset = 0;
  SmallVector<int64_t> strides;
};

/// Reads a body.
class NestReader {
public:
  explicit NestReader(func::FuncOp body) : body(body), ranges(body) {}

  FailureOr<KernelNest> read();

private:
  using Loop = std::pair<unsigned, unsigned>;

  LogicalResult collectPasses();
  LogicalResult matchLoops();
  void findItemDims();
  bool findColumnSums(unsigned rowDim);
  LogicalResult readPass(KernelPass &pass);
  void findKeptDims(KernelPass &pass);
  LogicalResult readReturn();
  LogicalResult checkScalars(linalg::GenericOp op);
  LogicalResult checkWrites();
  FailureOr<View> getView(Operation *user, Value tensor);
  FailureOr<KernelAccess> getAccess(const KernelPass &pass, Value tensor,
                                    AffineMap map);
  FailureOr<KernelReduction> getReduction(const KernelPass &pass,
                                          unsigned number);
  bool hasInnerDim(const KernelPass &pass, AffineMap map) const;

  func::FuncOp body;
  ScalarRanges ranges;
  KernelNest nest;
  DenseMap<Operation *, unsigned> passOf;
  /// The argument that a returned result is written to.
  DenseMap<Value, unsigned> returnedTo;
};

} // namespace

/// The loop of a result of an indexing map; none for a zero.
static std::optional<unsigned> getLoop(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  return std::nullopt;
}

static SmallVector<int64_t> getDenseStrides(RankedTensorType type) {
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * type.getDimSize(dim);
  return strides;
}

/// Whether a view is of an argument or of another view. One of a result would
/// be of elements that another item may not have written yet.
static bool isViewOfArgument(Value source) {
  Operation *op = source.getDefiningOp();
  return !op || isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                    tensor::ExpandShapeOp>(op);
}

/// Whether the groups of a reshape are those of `rank` dimensions in order: the
/// op's own verifier leaves out the upper half of an index.
static bool areGroupsOf(ArrayRef<ReassociationIndices> groups, int64_t rank) {
  int64_t next = 0;
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : group)
      if (dim != next++)
        return false;
  return next == rank;
}

/// A tensor that an argument is seen through, or the tensor itself.
FailureOr<View> NestReader::getView(Operation *user, Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return View{argument.getArgNumber(), 0,
                getDenseStrides(cast<RankedTensorType>(argument.getType()))};
  Operation *op = tensor.getDefiningOp();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      slice && isViewOfArgument(slice.getSource())) {
    FailureOr<View> view = getView(op, slice.getSource());
    if (failed(view))
      return failure();
    if (slice.getType().getRank() != slice.getSourceType().getRank() ||
        !slice.getType().hasStaticShape() ||
        llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticStrides(), ShapedType::isDynamic))
      return op->emitOpError("expects a static slice of equal rank in the body "
                             "of a kernel");
    for (auto [stride, offset, step] :
         llvm::zip(view->strides, slice.getStaticOffsets(),
                   slice.getStaticStrides())) {
      view->offset += offset * stride;
      stride *= step;
    }
    return view;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
      collapse && isViewOfArgument(collapse.getSrc())) {
    FailureOr<View> view = getView(op, collapse.getSrc());
    if (failed(view))
      return failure();
    if (!areGroupsOf(collapse.getReassociationIndices(),
                     collapse.getSrcType().getRank()))
      return op->emitOpError("expects the dimensions of its source in groups");
    SmallVector<int64_t> strides;
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      // Of the last dimension that is longer than 1.
      std::optional<int64_t> stride, next;
      for (int64_t dim : llvm::reverse(group)) {
        int64_t size = collapse.getSrcType().getDimSize(dim);
        if (size == 1)
          continue;
        if (next && view->strides[dim] != *next)
          return op->emitOpError("expects dimensions that are contiguous in "
                                 "memory in the body of a kernel");
        if (!stride)
          stride = view->strides[dim];
        next = view->strides[dim] * size;
      }
      strides.push_back(stride.value_or(0));
    }
    view->strides = strides;
    return view;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
      expand && isViewOfArgument(expand.getSrc())) {
    FailureOr<View> view = getView(op, expand.getSrc());
    if (failed(view))
      return failure();
    if (!areGroupsOf(expand.getReassociationIndices(),
                     expand.getType().getRank()))
      return op->emitOpError("expects the dimensions of its result in groups");
    SmallVector<int64_t> strides(expand.getType().getRank());
    for (auto [group, stride] :
         llvm::zip_equal(expand.getReassociationIndices(), view->strides))
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = stride;
        stride *= expand.getType().getDimSize(dim);
      }
    view->strides = strides;
    return view;
  }
  if (auto pass = passOf.find(op); pass != passOf.end()) {
    // In memory where its `outs` is.
    linalg::GenericOp producer = nest.passes[pass->second].op;
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    return getView(op, producer.getDpsInitOperand(number)->get());
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return getView(op, fill.getDpsInitOperand(0)->get());
  return user->emitOpError()
         << "expects tensors that are arguments, slices of arguments or "
            "results of a linalg.generic in the body of a kernel but got a "
            "result of "
         << op->getName();
}

FailureOr<KernelAccess> NestReader::getAccess(const KernelPass &pass,
                                              Value tensor, AffineMap map) {
  FailureOr<View> view = getView(pass.op, tensor);
  if (failed(view))
    return failure();
  KernelAccess access{view->argument, view->offset,
                      SmallVector<int64_t>(nest.getRank(), 0)};
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), view->strides))
    if (std::optional<unsigned> loop = getLoop(expr))
      if (nest.extents[pass.dims[*loop]] != 1)
        access.strides[pass.dims[*loop]] = stride;
  return access;
}

//===----------------------------------------------------------------------===//
// Passes and their loops
//===----------------------------------------------------------------------===//

LogicalResult NestReader::checkScalars(linalg::GenericOp op) {
  for (Operation &inner : op.getRegion().front()) {
    bool isScalar = isScalarOp(&inner);
    if (!isScalar && !isa<linalg::IndexOp, linalg::YieldOp, CheckOp>(inner))
      return inner.emitOpError(
          "expects to stand outside of the body of a kernel, which computes "
          "elements");
    for (Value operand : inner.getOperands())
      if (operand.getParentRegion() != &op.getRegion() &&
          !llvm::is_contained(nest.scalars, operand))
        return inner.emitOpError("expects operands of the linalg.generic that "
                                 "it is in, or scalars of the kernel");
    for (Type type : inner.getResultTypes())
      if (!type.isIntOrIndexOrFloat())
        return inner.emitOpError("expects a scalar in the body of a kernel but "
                                 "got ")
               << type;
    if (isScalar && failed(verifyScalarOp(&inner, ranges)))
      return failure();
  }
  return success();
}

LogicalResult NestReader::collectPasses() {
  if (!llvm::hasSingleElement(body.getBody()))
    return body.emitOpError("expects a body of one block");
  for (Operation &op : body.getBody().front()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      passOf[&op] = nest.passes.size();
      nest.passes.push_back({generic, {}, {}, {}, {}});
      for (AffineMap map : generic.getIndexingMapsArray()) {
        llvm::SmallBitVector seen(map.getNumDims());
        for (AffineExpr expr : map.getResults()) {
          std::optional<unsigned> loop = getLoop(expr);
          auto zero = dyn_cast<AffineConstantExpr>(expr);
          if ((!loop && !(zero && zero.getValue() == 0)) ||
              (loop && seen.test(*loop)))
            return op.emitOpError(
                       "expects indexing maps with each dimension at "
                       "most once, and zeros, but got ")
                   << AffineMapAttr::get(map);
          if (loop)
            seen.set(*loop);
        }
      }
      if (failed(checkScalars(generic)))
        return failure();
      for (Value operand : op.getOperands())
        if (auto type = dyn_cast<RankedTensorType>(operand.getType());
            !type || !type.hasStaticShape())
          return op.emitOpError("expects operands that are static tensors in "
                                "the body of a kernel but got ")
                 << operand.getType();
      continue;
    }
    if (!isa<arith::ConstantOp, tensor::EmptyOp, tensor::ExtractSliceOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::FillOp,
             func::ReturnOp>(op))
      return op.emitOpError("expects to stand outside of the body of a kernel");
  }
  if (nest.passes.empty())
    return body.emitOpError("expects at least one linalg.generic");
  return success();
}

/// Finds the dimension of the domain of each loop: two loops are the same
/// dimension when one pass writes what the other reads along them. Loops of
/// passes that have nothing to do with each other are matched in their order.
LogicalResult NestReader::matchLoops() {
  llvm::EquivalenceClasses<Loop> classes;
  auto domain = llvm::max_element(nest.passes,
                                  [](const KernelPass &a, const KernelPass &b) {
                                    linalg::GenericOp x = a.op, y = b.op;
                                    return x.getNumLoops() < y.getNumLoops();
                                  });
  unsigned root = domain - nest.passes.begin();
  nest.extents = domain->op.getStaticLoopRanges();
  for (auto [number, pass] : llvm::enumerate(nest.passes)) {
    for (unsigned loop : llvm::seq(pass.op.getNumLoops()))
      classes.insert({number, loop});
    for (OpOperand &operand : pass.op->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      auto it = passOf.find(def);
      if (it == passOf.end())
        continue;
      linalg::GenericOp producer = nest.passes[it->second].op;
      AffineMap from =
          producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
      AffineMap to = pass.op.getMatchingIndexingMap(&operand);
      for (auto [a, b] : llvm::zip_equal(from.getResults(), to.getResults()))
        if (getLoop(a) && getLoop(b))
          classes.unionSets({it->second, *getLoop(a)}, {number, *getLoop(b)});
    }
  }
  for (auto [number, pass] : llvm::enumerate(nest.passes)) {
    SmallVector<int64_t> ranges = pass.op.getStaticLoopRanges();
    for (unsigned loop : llvm::seq(pass.op.getNumLoops())) {
      auto dims = llvm::seq<unsigned>(nest.getRank());
      auto dim = llvm::find_if(dims, [&](unsigned dim) {
        return classes.isEquivalent({root, dim}, {number, loop});
      });
      unsigned found = dim != dims.end() ? *dim : loop;
      if (found >= nest.getRank() || nest.extents[found] != ranges[loop] ||
          llvm::is_contained(pass.dims, found)) {
        InFlightDiagnostic error =
            pass.op.emitOpError()
            << "expects loops of the kernel's domain but got loop " << loop
            << " of " << ranges[loop] << " iterations, which is none of it";
        error.attachNote(domain->op.getLoc()) << "the domain is that of this";
        return error;
      }
      pass.dims.push_back(found);
      // Passes that this one is connected with follow it.
      classes.unionSets({root, found}, {number, loop});
    }
  }
  findItemDims();
  return success();
}

/// The dimensions that a pass reduces.
static llvm::SmallBitVector getReducedDims(KernelPass &pass, unsigned rank) {
  llvm::SmallBitVector reduced(rank);
  for (auto [dim, type] :
       llvm::zip_equal(pass.dims, pass.op.getIteratorTypesArray()))
    if (type != utils::IteratorType::parallel)
      reduced.set(dim);
  return reduced;
}

void NestReader::findItemDims() {
  auto find = [&] {
    nest.isItem = llvm::SmallBitVector(nest.getRank(), true);
    for (KernelPass &pass : nest.passes) {
      llvm::SmallBitVector reduced = getReducedDims(pass, nest.getRank());
      for (unsigned dim : llvm::seq(nest.getRank()))
        if (!pass.hasDim(dim) ||
            (reduced.test(dim) && !(pass.isColumnSum && dim == nest.rowDim)))
          nest.isItem.reset(dim);
    }
  };
  for (unsigned dim : llvm::seq(nest.getRank())) {
    if (!findColumnSums(dim))
      continue;
    find();
    if (nest.isItem.test(dim) && nest.isItem.find_last() == int(dim))
      return;
  }
  nest.rowDim.reset();
  for (KernelPass &pass : nest.passes)
    pass.isColumnSum = false;
  find();
}

/// Makes the passes that reduce `rowDim` alone sums of columns, where others
/// reduce dimensions behind it. Returns whether both exist. What a pass reads
/// is no such sum: it is complete behind all rows.
bool NestReader::findColumnSums(unsigned rowDim) {
  nest.rowDim = rowDim;
  bool hasColumnSums = false, hasRowSums = false;
  for (KernelPass &pass : nest.passes) {
    llvm::SmallBitVector reduced = getReducedDims(pass, nest.getRank());
    pass.isColumnSum = reduced.count() == 1 && reduced.test(rowDim);
    hasColumnSums |= pass.isColumnSum;
    hasRowSums |= reduced.any() && reduced.find_first() > int(rowDim);
  }
  bool readsColumnSums = llvm::any_of(nest.passes, [&](const KernelPass &pass) {
    return llvm::any_of(pass.op->getOperands(), [&](Value operand) {
      auto producer = passOf.find(operand.getDefiningOp());
      return producer != passOf.end() &&
             nest.passes[producer->second].isColumnSum;
    });
  });
  return hasColumnSums && hasRowSums && !readsColumnSums;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

bool NestReader::hasInnerDim(const KernelPass &pass, AffineMap map) const {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) -> bool {
    std::optional<unsigned> loop = getLoop(expr);
    return loop && !nest.isItem.test(pass.dims[*loop]);
  });
}

FailureOr<KernelReduction> NestReader::getReduction(const KernelPass &pass,
                                                    unsigned number) {
  linalg::GenericOp op = pass.op;
  KernelReduction reduction;
  reduction.accumulator = op.getRegionOutputArgs()[number];
  SmallVector<Operation *, 4> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), number, combiners) ||
      combiners.size() != 1)
    return op.emitOpError() << "expects one operation that combines result #"
                            << number << " with each term";
  reduction.combiner = combiners.front();
  if (!arith::getNeutralElement(reduction.combiner))
    return reduction.combiner->emitOpError(
        "expects an operation with a neutral element to combine the terms of a "
        "reduction");
  Value init = op.getDpsInitOperand(number)->get();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill ||
      !matchPattern(fill.getInputs()[0], m_Constant(&reduction.initial)))
    return op.emitOpError() << "expects a linalg.fill with a constant as what "
                               "result #"
                            << number << " starts with";
  return reduction;
}

LogicalResult NestReader::readPass(KernelPass &pass) {
  linalg::GenericOp op = pass.op;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(operand);
    // It only tells the extents of loops.
    if (operand->get().getDefiningOp<tensor::EmptyOp>() && element.use_empty())
      continue;
    KernelInput &input = pass.inputs.emplace_back();
    input.element = element;
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (auto it = passOf.find(operand->get().getDefiningOp());
        it != passOf.end()) {
      const KernelPass &producer = nest.passes[it->second];
      linalg::GenericOp from = producer.op;
      if (!hasInnerDim(producer, from.getIndexingMapMatchingResult(
                                     cast<OpResult>(operand->get())))) {
        input.item = operand->get();
        continue;
      }
    }
    FailureOr<KernelAccess> access = getAccess(pass, operand->get(), map);
    if (failed(access))
      return failure();
    input.access = *access;
  }
  for (auto [number, value] : llvm::enumerate(op->getResults())) {
    KernelOutput &output = pass.outputs.emplace_back();
    output.result = value;
    output.yielded = op.getRegion().front().getTerminator()->getOperand(number);
    OpOperand *init = op.getDpsInitOperand(number);
    AffineMap map = op.getMatchingIndexingMap(init);
    llvm::SmallBitVector written(op.getNumLoops());
    for (AffineExpr expr : map.getResults())
      if (std::optional<unsigned> loop = getLoop(expr))
        written.set(*loop);
    bool isReduced = false;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      bool reduced = type == utils::IteratorType::reduction;
      if (written.test(loop))
        continue;
      if (!reduced && nest.extents[pass.dims[loop]] != 1)
        return op.emitOpError() << "expects result #" << number
                                << " to have each parallel loop but got none "
                                   "of loop "
                                << loop;
      isReduced |= reduced;
    }
    if (isReduced) {
      FailureOr<KernelReduction> reduction = getReduction(pass, number);
      if (failed(reduction))
        return failure();
      output.reduction = *reduction;
      for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
        if (written.test(loop) && type == utils::IteratorType::reduction)
          return op.emitOpError()
                 << "expects result #" << number
                 << " to have no or all loops that another result reduces";
    }
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(),
                         cast<RankedTensorType>(value.getType()).getShape()))
      if (!getLoop(expr) && size != 1)
        return op.emitOpError()
               << "expects to write all of result #" << number
               << " but got only the first of " << size << " elements";
    if (!isReduced && pass.isColumnSum)
      return op.emitOpError()
             << "expects sums of columns only but got result #" << number
             << ", which has an element for each row";
    BlockArgument element = op.getRegionOutputArgs()[number];
    if (!isReduced && !element.use_empty()) {
      output.filled = element;
      auto fill = init->get().getDefiningOp<linalg::FillOp>();
      if (!fill ||
          !matchPattern(fill.getInputs()[0], m_Constant(&output.initial)))
        return op.emitOpError()
               << "expects a linalg.fill with a constant as what result #"
               << number << " starts with";
    }
    bool isInMemory = hasInnerDim(pass, map) || returnedTo.contains(value);
    if (!isInMemory)
      continue;
    FailureOr<KernelAccess> access = getAccess(pass, init->get(), map);
    if (failed(access))
      return failure();
    output.destination = *access;
    if (auto it = returnedTo.find(value);
        it != returnedTo.end() && it->second != access->argument)
      return op.emitOpError()
             << "expects to write result #" << number << ", which is returned, "
             << "into argument #" << it->second << " but got argument #"
             << access->argument;
  }
  return success();
}

/// The inner dimensions that a pass keeps.
void NestReader::findKeptDims(KernelPass &pass) {
  if (pass.isColumnSum ||
      llvm::none_of(pass.outputs, [](const KernelOutput &output) {
        return output.reduction.has_value();
      }))
    return;
  llvm::SmallBitVector reduced = getReducedDims(pass, nest.getRank());
  for (unsigned dim : pass.dims)
    if (!nest.isItem.test(dim) && !reduced.test(dim))
      pass.kept.push_back(dim);
  llvm::sort(pass.kept);
}

/// Checks what passes write: their values must still be there for those that
/// read them.
LogicalResult NestReader::checkWrites() {
  struct Write {
    unsigned pass;
    KernelAccess access;
  };
  DenseMap<unsigned, SmallVector<Write>> writes;
  llvm::SmallBitVector isReturned(nest.arguments.size());
  for (auto [value, argument] : returnedTo)
    isReturned.set(argument);
  for (auto [number, pass] : llvm::enumerate(nest.passes))
    for (const KernelOutput &output : pass.outputs) {
      if (!output.destination)
        continue;
      unsigned argument = output.destination->argument;
      if (!isReturned.test(argument))
        return pass.op.emitOpError()
               << "expects to write arguments that are returned but got "
                  "argument #"
               << argument;
      SmallVector<Write> &before = writes[argument];
      if (!before.empty() && before.front().access != *output.destination)
        return pass.op.emitOpError()
               << "expects to write the elements of argument #" << argument
               << " at the same points as all operations that write them";
      if (!before.empty() && before.back().pass == number)
        return pass.op.emitOpError()
               << "expects to write argument #" << argument
               << " once but got it a second time";
      before.push_back({static_cast<unsigned>(number), *output.destination});
    }
  // A returned result is the last that is written into its argument.
  for (auto [number, pass] : llvm::enumerate(nest.passes))
    for (const KernelOutput &output : pass.outputs)
      if (auto it = returnedTo.find(output.result);
          it != returnedTo.end() && writes[it->second].back().pass != number)
        return pass.op.emitOpError()
               << "expects to write argument #" << it->second
               << ", in which its result is returned, last";
  for (auto [number, pass] : llvm::enumerate(nest.passes)) {
    linalg::GenericOp op = pass.op;
    for (const KernelInput &input : pass.inputs) {
      Value value = op.getMatchingOpOperand(input.element)->get();
      auto producer = passOf.find(value.getDefiningOp());
      if (input.item || producer == passOf.end())
        continue;
      for (const Write &write : writes[input.access.argument])
        if (write.pass > producer->second && write.pass < number)
          return op.emitOpError()
                 << "expects operands that are still in memory but another "
                    "operation writes argument #"
                 << input.access.argument << " before it";
    }
  }
  return success();
}

LogicalResult NestReader::readReturn() {
  Operation *ret = body.getBody().front().getTerminator();
  nest.hasChecks = body.getBody()
                       .walk([](CheckOp) { return WalkResult::interrupt(); })
                       .wasInterrupted();
  MemRefType status = getStatusType(body.getContext());
  auto tensor =
      RankedTensorType::get(status.getShape(), status.getElementType());
  if (nest.hasChecks &&
      (nest.arguments.empty() || nest.arguments.back() != tensor))
    return body.emitOpError() << "expects a last tensor of type " << tensor
                              << " for the status of the checks";
  unsigned last = nest.arguments.size() - nest.hasChecks;
  if (ret->getNumOperands() > last)
    return ret->emitOpError()
           << "expects at most a result for each of the " << last
           << " buffers but got " << ret->getNumOperands();
  nest.numWritten = ret->getNumOperands();
  for (OpOperand &operand : ret->getOpOperands()) {
    Value value = operand.get();
    while (Operation *view = value.getDefiningOp()) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(view))
        break;
      value = view->getOperand(0);
    }
    if (!passOf.contains(value.getDefiningOp()))
      return ret->emitOpError()
             << "expects to return results of linalg.generic "
                "but got another value as operand #"
             << operand.getOperandNumber();
    unsigned argument =
        last - ret->getNumOperands() + operand.getOperandNumber();
    if (!returnedTo.try_emplace(value, argument).second)
      return ret->emitOpError()
             << "expects to return each result once but got operand #"
             << operand.getOperandNumber() << " a second time";
    if (operand.get().getType() != body.getArgumentTypes()[argument])
      return ret->emitOpError()
             << "expects a result of type " << body.getArgumentTypes()[argument]
             << ", as argument #" << argument << " has, but got "
             << operand.get().getType();
  }
  return success();
}

FailureOr<KernelNest> NestReader::read() {
  for (BlockArgument argument : body.getArguments()) {
    if (isScalarType(argument.getType())) {
      nest.scalars.push_back(argument);
      continue;
    }
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor || !tensor.hasStaticShape() ||
        !isBodyScalarType(tensor.getElementType()) || !nest.scalars.empty())
      return body.emitOpError("expects arguments that are static tensors of "
                              "numbers, then scalars, but got ")
             << argument.getType();
    nest.arguments.push_back(tensor);
  }
  if (failed(collectPasses()) || failed(matchLoops()) || failed(readReturn()))
    return failure();
  for (KernelPass &pass : nest.passes) {
    if (failed(readPass(pass)))
      return failure();
    findKeptDims(pass);
  }
  if (failed(checkWrites()))
    return failure();
  return std::move(nest);
}

FailureOr<KernelNest> KernelNest::get(func::FuncOp body) {
  return NestReader(body).read();
}
