//===- KernelEmitter.cpp - Kernel regions to executables ------------------===//
//
// A kernel of scalar ops and reductions gets a body (BodyBuilder.h), from which
// each target makes its code. An op with loops of its own builds the code for
// the CPU itself: a loop over the items of one chunk around its own loops.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "BodyBuilder.h"
#include "NumericsChecks.h"

#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/Support/Explain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// Work below this many operations is not worth handing to another thread: a
/// hand-over costs about a microsecond.
static constexpr int64_t kMinChunkWork = 16384;

static int64_t getChunkCount(int64_t work) {
  return std::clamp<int64_t>(work / kMinChunkWork, 1, plan::kMaxChunks);
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
// Entry points
//===----------------------------------------------------------------------===//

/// Builds the code of an op with loops of its own.
static void buildLoopVariant(OpBuilder &builder, KernelOp kernel,
                             LoopKernelOpInterface op,
                             const KernelSignature &signature,
                             EmittedKernel &emitted) {
  Location loc = kernel.getLoc();
  auto variant = plan::VariantOp::create(
      builder, loc, builder.getStringAttr(plan::kCPUName), /*schedule=*/nullptr,
      /*chunks=*/nullptr,
      FlatSymbolRefAttr::get(builder.getContext(), plan::kCPUCodeName));
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(signature.types.begin(), signature.types.end());
  types.push_back(builder.getIndexType());
  auto func = func::FuncOp::create(builder, loc, plan::kCPUCodeName,
                                   builder.getFunctionType(types, {}));
  Block *entry = func.addEntryBlock();
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
  variant.setChunks(emitLoopKernel(
      builder, kernel, op, entry->getArguments().back(), operands, results));
  func::ReturnOp::create(builder, loc);
  if (containsNonFiniteMaker(func))
    for (unsigned index : llvm::seq<unsigned>(signature.results.size()))
      emitted.unchecked.push_back({index, op->getLoc()});
  // What plan-verify-memory cannot see in loops.
  for (unsigned argument : signature.results)
    if (llvm::is_contained(signature.inputs, argument))
      func.setArgAttr(argument, plan::kInPlaceAttrName, builder.getUnitAttr());
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
    buildLoopVariant(inner, kernel, op, signature, emitted);
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
    types.push_back(
        RankedTensorType::get(buffer.getShape(), buffer.getElementType()));
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
        plan::CheckOp::create(nested, loc, elements[0], /*number=*/0,
                              /*count=*/1);
        linalg::YieldOp::create(nested, loc, ValueRange());
      });
  func::ReturnOp::create(inner, loc);
  return emitted;
}
