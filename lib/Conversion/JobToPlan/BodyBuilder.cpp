//===- BodyBuilder.cpp - Kernel regions as structured operations ----------===//
//
// The ops of a kernel work on its domain, or on its rows: the domain without
// the dimensions that its reductions reduce. A reduction ends a pass over the
// domain; what needs its result comes in the next one. So there is one
// linalg.generic over the domain for each stage, and one over the rows for what
// is computed of the results of reductions.
//
//===----------------------------------------------------------------------===//

#include "BodyBuilder.h"

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/IR/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::job;

/// Replaces ops that other ops compute. Only their results are checked: on the
/// way there may be infinities that do no harm.
void BodyBuilder::decompose() {
  for (Operation &op : llvm::make_early_inc_range(region)) {
    auto decomposable = dyn_cast<DecomposableOpInterface>(op);
    if (!decomposable)
      continue;
    Operation *before = op.getPrevNode();
    OpBuilder builder(&op);
    SmallVector<Value> results(decomposable.decompose(builder));
    for (Value result : results)
      if (Operation *part = result.getDefiningOp();
          part && !isa<ConstantOp>(part) &&
          isa<FloatType>(getElementTypeOrSelf(result.getType())))
        decomposedResults.try_emplace(part, op.getLoc());
    op.replaceAllUsesWith(results);
    for (Operation &part : llvm::make_range(
             before ? std::next(before->getIterator()) : region.begin(),
             op.getIterator()))
      decomposed.insert(&part);
    op.erase();
  }
  // A result that no op uses takes no pass.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(region)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Builds what is computed in a stage and needed outside of it.
void BodyBuilder::buildPass(Stage stage) {
  loops = getLoops(stage.isRow);
  SmallVector<Operation *> outputs;
  for (Operation &op : region.without_terminator()) {
    Value result = op.getResult(0);
    bool isReduction = isa<ReductionKernelOpInterface>(op);
    // A reduction makes a value of the rows in a pass over the domain.
    Stage made = stageOf.lookup(result);
    made.isRow &= !isReduction;
    if (isa<ConstantOp>(op)) {
      // One that is yielded is written in the first pass over the domain.
      if (yieldedAs.contains(result) && stage == Stage())
        outputs.push_back(&op);
      continue;
    }
    if (!isComputed(result) || !(made == stage))
      continue;
    // Other ops of the same pass over the rows take the scalar.
    auto isOutside = [&](Operation *user) {
      return user->getNumResults() == 1 &&
             (isa<StridedReadOpInterface>(user) ||
              !(stageOf.lookup(user->getResult(0)) == stage));
    };
    bool isNeeded =
        isReduction
            ? !result.use_empty()
            : yieldedAs.contains(result) || keptIn.contains(result) ||
                  (stage.isRow && llvm::any_of(result.getUsers(), isOutside));
    if (isNeeded)
      outputs.push_back(&op);
  }
  // A reduction is checked when it is complete.
  SmallVector<Value> reductions;
  if (stage.isRow)
    for (auto reduction : region.getOps<ReductionKernelOpInterface>())
      if (Value result = reduction->getResult(0);
          stageOf.lookup(result) == stage && tensorOf.contains(result) &&
          isChecked(reduction))
        reductions.push_back(result);
  if (outputs.empty() && reductions.empty())
    return;

  block = std::make_unique<Block>();
  inner.emplace(b.getContext());
  inner->setInsertionPointToStart(block.get());
  inputs.clear();
  inputMaps.clear();
  scalarOf.clear();
  accumulatorOf.clear();
  checkedScalars.clear();
  llvm::SmallBitVector isLoopReduced(loops.size());
  SmallVector<Value> destinations;
  SmallVector<AffineMap> destinationMaps;
  SmallVector<Type> types;
  for (Operation *op : outputs) {
    Value result = op->getResult(0);
    Value destination = getDestination(result);
    SmallVector<int64_t> groups;
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
      Value identity =
          arith::ConstantOp::create(b, op->getLoc(), reduction.getIdentity());
      destination =
          linalg::FillOp::create(b, op->getLoc(), identity, destination)
              .getResult(0);
      for (unsigned group : getLoops(/*isRow=*/true))
        groups.push_back(group);
      for (auto [loop, group] : llvm::enumerate(loops))
        if (isGroupReduced[group])
          isLoopReduced.set(loop);
    } else {
      groups.append(loops.begin(), loops.end());
    }
    auto type = cast<RankedTensorType>(destination.getType());
    if (groups.empty())
      groups.assign(type.getRank(), -1);
    destinations.push_back(destination);
    destinationMaps.push_back(getMap(groups));
    types.push_back(type);
    accumulatorOf[result] = block->addArgument(type.getElementType(), loc);
  }
  for (Value reduction : reductions)
    getScalar(reduction);
  SmallVector<Value> yielded;
  for (Operation *op : outputs) {
    if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op))
      yielded.push_back(buildReduction(reduction));
    else
      yielded.push_back(getScalar(op->getResult(0)));
  }
  // After all checks of the pass.
  for (auto [op, scalar] : llvm::zip_equal(outputs, yielded))
    if (!isa<ReductionKernelOpInterface>(op))
      scalar = guard(op->getResult(0), scalar);
  linalg::YieldOp::create(*inner, loc, yielded);
  addExtents(destinationMaps);

  SmallVector<AffineMap> maps(inputMaps);
  llvm::append_range(maps, destinationMaps);
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop : llvm::seq<unsigned>(loops.size()))
    iterators.push_back(isLoopReduced[loop] ? utils::IteratorType::reduction
                                            : utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(b, loc, types, inputs, destinations,
                                           maps, iterators);
  generic.getRegion().push_back(block.release());
  for (auto [op, result] : llvm::zip_equal(outputs, generic->getResults()))
    tensorOf[op->getResult(0)] = result;
}

func::FuncOp BodyBuilder::build(bool withChecks, EmittedKernel &emitted) {
  checkNumerics = withChecks;
  decompose();
  findDomain();
  collapseDomain();
  findStages();
  findKeptValues();

  SmallVector<Type> types;
  for (MemRefType type : signature.types)
    types.push_back(getBodyTensorType(type));
  auto written = ArrayRef<Type>(types).take_back(signature.numWritten);
  body = func::FuncOp::create(b, loc, plan::kBodyName,
                              b.getFunctionType(types, written));
  Block *entry = body.addEntryBlock();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(entry);

  unsigned numStages = 0;
  for (auto [value, stage] : stageOf)
    numStages = std::max(numStages, stage.number + 1);
  numStages = std::max(numStages, 1u);
  for (unsigned number : llvm::seq(numStages)) {
    buildPass({number, /*isRow=*/false});
    buildPass({number, /*isRow=*/true});
  }

  SmallVector<Value> returned(signature.numWritten);
  for (auto [index, value] :
       llvm::enumerate(region.getTerminator()->getOperands())) {
    unsigned place = signature.results[index] -
                     (signature.types.size() - signature.numWritten);
    auto type = cast<RankedTensorType>(written[place]);
    Value tensor = tensorOf.lookup(value);
    if (tensor.getType() != type)
      tensor = tensor::ExpandShapeOp::create(
          b, loc, type, tensor,
          collapse(body.getArgument(signature.results[index]), getPlaces(value))
              .reassociation);
    returned[place] = tensor;
  }
  func::ReturnOp::create(b, loc, returned);
  numberChecks(emitted);
  return body;
}

func::FuncOp job::buildKernelBody(OpBuilder &builder, KernelOp kernel,
                                  const KernelSignature &signature,
                                  bool checkNumerics, EmittedKernel &emitted) {
  auto build = [&](bool keepsValues) {
    EmittedKernel attempt{emitted.executable, {}};
    func::FuncOp body = BodyBuilder(builder, kernel, signature, keepsValues)
                            .build(checkNumerics, attempt);
    return std::pair(body, std::move(attempt));
  };
  auto [body, attempt] = build(/*keepsValues=*/true);
  // A value in the memory of a result may not stand where a later pass reads
  // the input that the result overwrites.
  FailureOr<plan::KernelNest> nest = plan::KernelNest::get(body);
  bool isSafe = llvm::all_of(signature.inputs, [&](unsigned argument) {
    return !llvm::is_contained(signature.results, argument) || failed(nest) ||
           nest->isUpdatedInPlace(argument);
  });
  if (!isSafe) {
    body.erase();
    std::tie(body, attempt) = build(/*keepsValues=*/false);
  }
  emitted = std::move(attempt);
  return body;
}
