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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::job;

static void buildItemLoop(OpBuilder &builder, LoopKernelOpInterface op,
                          ValueRange operands, ValueRange results) {
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop = scf::ParallelOp::create(builder, loc, index(0),
                                      index(op.getNumItems()), index(1));
  loop->setDiscardableAttr(
      plan::kOperationsAttrName,
      builder.getI64IntegerAttr(std::max<int64_t>(1, op.getItemCost())));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  op.buildItem(builder, loop.getInductionVars().front(), operands, results);
}

/// Builds the body of an op with loops of its own: a loop over its items.
static void buildLoopBody(OpBuilder &builder, KernelOp kernel,
                          LoopKernelOpInterface op,
                          const KernelSignature &signature,
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
  if (containsNonFiniteMaker(body))
    for (unsigned index : llvm::seq<unsigned>(signature.results.size()))
      emitted.unchecked.push_back({index, op->getLoc()});
}

static plan::ExecutableOp buildExecutable(OpBuilder &builder, Location loc,
                                          StringRef name) {
  auto executable = plan::ExecutableOp::create(builder, loc, name);
  executable.getRegion().emplaceBlock();
  return executable;
}

EmittedKernel job::emitKernel(OpBuilder &builder, KernelOp kernel,
                              StringRef name, const KernelSignature &signature,
                              bool checkNumerics,
                              ArrayRef<KernelCheck> inputChecks) {
  EmittedKernel emitted;
  emitted.executable = buildExecutable(builder, kernel.getLoc(), name);
  OpBuilder inner =
      OpBuilder::atBlockBegin(&emitted.executable.getRegion().front());
  if (LoopKernelOpInterface op = getLoopKernel(kernel))
    buildLoopBody(inner, kernel, op, signature, emitted);
  else
    buildKernelBody(inner, kernel, signature, checkNumerics, inputChecks,
                    emitted);
  return emitted;
}

bool job::canCheckInput(KernelOp kernel, unsigned input) {
  if (getLoopKernel(kernel))
    return false;
  // Where an op reads each element of the domain.
  Block &body = kernel.getBody().front();
  return llvm::any_of(body.getArgument(input).getUsers(), [](Operation *user) {
    return isa<ScalarKernelOpInterface, ReductionKernelOpInterface>(user);
  });
}

EmittedKernel job::emitCheckKernel(OpBuilder &builder, Location loc,
                                   StringRef name, MemRefType type) {
  EmittedKernel emitted;
  emitted.executable = buildExecutable(builder, loc, name);
  emitted.checks.push_back({std::nullopt, loc});
  OpBuilder inner =
      OpBuilder::atBlockBegin(&emitted.executable.getRegion().front());
  MemRefType status = plan::getStatusType(builder.getContext());
  SmallVector<Type> types;
  for (MemRefType buffer : {type, status})
    types.push_back(getBodyTensorType(buffer));
  auto body = func::FuncOp::create(inner, loc, plan::kBodyName,
                                   inner.getFunctionType(types, {}));
  Block *entry = body.addEntryBlock();
  inner.setInsertionPointToEnd(entry);
  Value tensor = entry->getArgument(0);
  if (type.getRank() > 1) {
    auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
    tensor = tensor::CollapseShapeOp::create(
        inner, loc, tensor, ArrayRef<ReassociationIndices>(all));
  }
  linalg::GenericOp::create(
      inner, loc, TypeRange(), tensor, ValueRange(),
      inner.getMultiDimIdentityMap(1), utils::IteratorType::parallel,
      [&](OpBuilder &nested, Location, ValueRange elements) {
        createCheck(nested, loc, elements[0]);
        linalg::YieldOp::create(nested, loc, ValueRange());
      });
  func::ReturnOp::create(inner, loc);
  return emitted;
}
