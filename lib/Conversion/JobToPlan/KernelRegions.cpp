//===- KernelRegions.cpp - What a kernel region may be --------------------===//
//
// job-form-kernels makes regions that fulfil these rules, but text may come
// from a person. BodyBuilder and KernelEmitter rely on them.
//
//===----------------------------------------------------------------------===//

#include "KernelRegions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::job;

static ArrayRef<int64_t> getShape(Value blob) {
  return cast<BlobType>(blob.getType()).getShape();
}

namespace {

/// Checks a region of scalar ops, reductions, strided reads and constants.
class RegionVerifier {
public:
  explicit RegionVerifier(KernelOp kernel)
      : scratch(kernel->clone()),
        region(cast<KernelOp>(*scratch).getBody().front()) {}

  LogicalResult verify();

private:
  void decompose();
  void findDomain();
  LogicalResult verifyKind(Operation *op);
  LogicalResult verifyReduction(ReductionKernelOpInterface op);
  LogicalResult verifyStridedRead(StridedReadOpInterface op);
  LogicalResult verifyShape(Operation *op);
  LogicalResult verifyYielded();
  bool isDomain(Value blob) const {
    return getShape(blob) == ArrayRef<int64_t>(domain);
  }
  bool isRow(Value blob) const;
  InFlightDiagnostic emitError(Operation *op) { return op->emitOpError(); }

  /// A copy in which ops are replaced by those that compute them.
  OwningOpRef<Operation *> scratch;
  Block &region;
  SmallVector<int64_t> domain;
  /// What such ops are parts of.
  DenseMap<Operation *, OperationName> partOf;
  /// The first reduction of the region, or null, and what it reduces.
  Operation *firstReduction = nullptr;
  SmallVector<int64_t> reducedAxes;
  /// The shapes of the domain's rows, with the reduced dimensions as 1 and
  /// without them.
  SmallVector<int64_t> rows, shortRows;
};

} // namespace

static std::string toString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

/// As the kernel's body will be: see BodyBuilder::decompose.
void RegionVerifier::decompose() {
  for (Operation &op : llvm::make_early_inc_range(region)) {
    auto decomposable = dyn_cast<DecomposableOpInterface>(op);
    if (!decomposable)
      continue;
    Operation *before = op.getPrevNode();
    OpBuilder builder(&op);
    op.replaceAllUsesWith(decomposable.decompose(builder));
    for (Operation &part : llvm::make_range(
             before ? std::next(before->getIterator()) : region.begin(),
             op.getIterator()))
      partOf.try_emplace(&part, op.getName());
    op.erase();
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(region)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void RegionVerifier::findDomain() {
  for (Operation &op : region.without_terminator()) {
    auto reduction = dyn_cast<ReductionKernelOpInterface>(op);
    if (!reduction) {
      domain = llvm::to_vector(getShape(op.getResult(0)));
      continue;
    }
    firstReduction = &op;
    domain = llvm::to_vector(getShape(op.getOperand(0)));
    reducedAxes = llvm::to_vector(reduction.getReducedAxes());
    for (auto [dim, extent] : llvm::enumerate(domain)) {
      bool isReduced =
          llvm::is_contained(reducedAxes, static_cast<int64_t>(dim));
      rows.push_back(isReduced ? 1 : extent);
      if (!isReduced)
        shortRows.push_back(extent);
    }
    if (shortRows.empty())
      shortRows.push_back(1);
    return;
  }
}

/// Whether a blob has an element for each row of the domain.
bool RegionVerifier::isRow(Value blob) const {
  return firstReduction && (getShape(blob) == ArrayRef<int64_t>(rows) ||
                            getShape(blob) == ArrayRef<int64_t>(shortRows));
}

LogicalResult RegionVerifier::verifyKind(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (constant.getSplat())
      return success();
    return emitError(op) << "expects equal elements in a job.kernel, which "
                            "has no memory for constants";
  }
  if (op->getNumResults() == 1 &&
      isa<ScalarKernelOpInterface, ReductionKernelOpInterface,
          StridedReadOpInterface>(op))
    return success();
  if (auto whole = partOf.find(op); whole != partOf.end())
    return mlir::emitError(op->getLoc())
           << "'" << whole->second
           << "' op expects to be outside of a job.kernel, where job-decompose "
              "replaces it: it is not computed element by element";
  return emitError(op) << "expects to be alone in a job.kernel or outside of "
                          "one: it does not compute element by element";
}

/// Checks that an op is of the domain or of its rows. The operands of a scalar
/// op have its shape, or are one element, which is an input, a constant or of a
/// domain that is reduced as a whole.
LogicalResult RegionVerifier::verifyShape(Operation *op) {
  Value result = op->getResult(0);
  if (isDomain(result) || isRow(result))
    return success();
  InFlightDiagnostic error = emitError(op)
                             << "expects a result of shape " << toString(domain)
                             << ", the domain of its job.kernel, ";
  if (firstReduction)
    error << "or " << toString(shortRows) << ", its rows, ";
  return error << "but got " << toString(getShape(result));
}

LogicalResult RegionVerifier::verifyReduction(ReductionKernelOpInterface op) {
  if (!isDomain(op->getOperand(0)))
    return emitError(op) << "expects an operand of shape " << toString(domain)
                         << ", the domain of its job.kernel, but got "
                         << toString(getShape(op->getOperand(0)));
  if (op.getReducedAxes() == ArrayRef<int64_t>(reducedAxes))
    return success();
  InFlightDiagnostic error = emitError(op);
  error << "expects to reduce axes [" << reducedAxes
        << "], as all reductions of its job.kernel, but got ["
        << op.getReducedAxes() << "]";
  error.attachNote(firstReduction->getLoc()) << "the first one is here";
  return error;
}

/// Checks that what is read is in memory, or the row that the element is of.
LogicalResult RegionVerifier::verifyStridedRead(StridedReadOpInterface op) {
  if (failed(verifyShape(op)))
    return failure();
  Value operand = op->getOperand(0);
  Operation *producer = operand.getDefiningOp();
  if (!producer || isa<ConstantOp>(producer))
    return success();
  bool isOfOwnRow = !isa<StridedReadOpInterface>(producer) && isRow(operand) &&
                    (!isDomain(operand) || domain == rows);
  if (isOfOwnRow) {
    // The dimension of the domain of each dimension of the operand.
    SmallVector<unsigned> dims;
    bool isShort = getShape(operand) != ArrayRef<int64_t>(rows);
    for (unsigned dim : llvm::seq<unsigned>(domain.size()))
      if (!isShort ||
          !llvm::is_contained(reducedAxes, static_cast<int64_t>(dim)))
        dims.push_back(dim);
    bool isOfDomain = isDomain(op->getResult(0));
    for (auto [index, place] : llvm::enumerate(op.getStridedRead().dims))
      if (getShape(operand)[index] != 1)
        isOfOwnRow &= place.resultDim && place.offset == 0 && place.step == 1 &&
                      (isOfDomain ? *place.resultDim == dims[index]
                                  : *place.resultDim == index);
  }
  if (isOfOwnRow)
    return success();
  InFlightDiagnostic error = emitError(op);
  error
      << "expects to read an input of its job.kernel, or of the same row, but "
         "got other elements of what the kernel computes";
  error.attachNote(producer->getLoc()) << "which is here";
  return error;
}

LogicalResult RegionVerifier::verifyYielded() {
  for (OpOperand &operand : region.getTerminator()->getOpOperands())
    if (auto constant = operand.get().getDefiningOp<ConstantOp>();
        constant && !isDomain(operand.get()))
      return emitError(constant)
             << "expects shape " << toString(domain)
             << ", the domain of its job.kernel, as result #"
             << operand.getOperandNumber() << " but got "
             << toString(getShape(operand.get()));
  return success();
}

LogicalResult RegionVerifier::verify() {
  decompose();
  for (Operation &op : region.without_terminator())
    if (failed(verifyKind(&op)))
      return failure();
  findDomain();
  for (Operation &op : region.without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    auto reduction = dyn_cast<ReductionKernelOpInterface>(op);
    auto read = dyn_cast<StridedReadOpInterface>(op);
    if (failed(reduction ? verifyReduction(reduction)
               : read    ? verifyStridedRead(read)
                         : verifyShape(&op)))
      return failure();
  }
  return verifyYielded();
}

/// An op with loops of its own is alone.
static LogicalResult verifyLoops(KernelOp kernel, Operation *loops) {
  Block &region = kernel.getBody().front();
  for (Operation &op : region.without_terminator())
    if (&op != loops) {
      InFlightDiagnostic error =
          op.emitOpError() << "expects to stand outside of the job.kernel of '"
                           << loops->getName() << "', which has loops of its "
                           << "own";
      error.attachNote(loops->getLoc()) << "which is here";
      return error;
    }
  return success();
}

LogicalResult job::verifyKernelRegion(KernelOp kernel) {
  Block &region = kernel.getBody().front();
  if (kernel->getNumResults() == 0)
    return kernel.emitOpError("expects at least one result but got none");
  llvm::SmallPtrSet<Value, 4> yielded;
  for (OpOperand &operand : region.getTerminator()->getOpOperands()) {
    if (isa<BlockArgument>(operand.get()))
      return kernel.emitOpError() << "expects to compute what it yields but "
                                     "got an input as result #"
                                  << operand.getOperandNumber();
    if (!yielded.insert(operand.get()).second)
      return kernel.emitOpError()
             << "expects to yield each value once but got result #"
             << operand.getOperandNumber() << " a second time";
  }
  for (Operation &op : region.without_terminator())
    if (isa<LoopKernelOpInterface>(op))
      return verifyLoops(kernel, &op);
  return RegionVerifier(kernel).verify();
}
