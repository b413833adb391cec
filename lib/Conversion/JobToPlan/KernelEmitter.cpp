//===- KernelEmitter.cpp - Kernel regions to executables ------------------===//
//
// A kernel of scalar ops and reductions gets a body of structured operations
// (BodyBuilder.h). An op with loops of its own builds a loop over its items.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "BodyBuilder.h"
#include "NumericsChecks.h"

#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::job;

static void buildItemLoop(OpBuilder &builder, LoopKernelOpInterface op,
                          ValueRange operands, ValueRange results) {
  Location loc = op.getLoc();
  const TargetCosts &costs = getTargetCosts(getJobTarget(op));
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop = scf::ParallelOp::create(builder, loc, index(0),
                                      index(op.getNumItems(costs)), index(1));
  loop->setDiscardableAttr(
      plan::kOperationsAttrName,
      builder.getI64IntegerAttr(std::max<int64_t>(1, op.getItemCost(costs))));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  op.buildItem(builder, costs, loop.getInductionVars().front(), operands,
               results);
}

/// Builds the body of an op with loops of its own: a loop over its items.
static void buildLoopBody(OpBuilder &builder, KernelOp kernel,
                          LoopKernelOpInterface op,
                          const KernelSignature &signature, bool checkNumerics,
                          EmittedKernel &emitted) {
  Location loc = kernel.getLoc();
  // Integers have no sign here.
  SmallVector<Type> types;
  for (MemRefType type : signature.types)
    types.push_back(getBodyBufferType(type));
  auto body = func::FuncOp::create(builder, loc, plan::kBodyName,
                                   builder.getFunctionType(types, {}));
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = body.addEntryBlock();
  builder.setInsertionPointToEnd(entry);

  // A result that no other op uses has no buffer.
  SmallVector<Value> operands, results(op->getNumResults());
  for (Value operand : op->getOperands())
    operands.push_back(entry->getArgument(
        signature.inputs[cast<BlockArgument>(operand).getArgNumber()]));
  Operation *yield = kernel.getBody().front().getTerminator();
  for (auto [value, argument] :
       llvm::zip_equal(yield->getOperands(), signature.results))
    results[cast<OpResult>(value).getResultNumber()] =
        entry->getArgument(argument);
  buildItemLoop(builder, op, operands, results);
  func::ReturnOp::create(builder, loc);
  if (!checkNumerics || !containsNonFiniteMaker(body))
    return;
  checkStores(body, results, op->getLoc());
  if (!body.walk([](plan::CheckOp) { return WalkResult::interrupt(); })
           .wasInterrupted())
    return;
  emitted.checks.push_back(op->getLoc());
  plan::appendArgument(body, plan::getStatusType(builder.getContext()), loc);
}

static plan::ExecutableOp buildExecutable(OpBuilder &builder, Location loc,
                                          StringRef name) {
  auto executable = plan::ExecutableOp::create(builder, loc, name);
  executable.getRegion().emplaceBlock();
  return executable;
}

EmittedKernel job::emitKernel(OpBuilder &builder, KernelOp kernel,
                              StringRef name, const KernelSignature &signature,
                              bool checkNumerics) {
  EmittedKernel emitted;
  emitted.executable = buildExecutable(builder, kernel.getLoc(), name);
  OpBuilder inner =
      OpBuilder::atBlockBegin(&emitted.executable.getRegion().front());
  if (LoopKernelOpInterface op = getLoopKernel(kernel))
    buildLoopBody(inner, kernel, op, signature, checkNumerics, emitted);
  else
    buildKernelBody(inner, kernel, signature, checkNumerics, emitted);
  return emitted;
}
