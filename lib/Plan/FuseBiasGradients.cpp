//===- FuseBiasGradients.cpp - Sums of factors with their product ---------===//

#include "Epilogues.h"
#include "Launches.h"

#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSEBIASGRADIENTS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;
using jobrt::calls::Epilogue;

namespace {

/// A kernel that is a sum: item i is the sum of the `terms` elements at
/// `itemStride * i + termStride * j`.
struct Sum {
  int64_t items = 1, terms = 1;
  int64_t itemStride = 0, termStride = 0;
};

/// A dimension of a kernel.
struct Dim {
  int64_t extent, inputStride, outputStride;
};

class BiasGradientFuser {
public:
  BiasGradientFuser(ModuleOp module, bool movesCalls)
      : module(module), movesCalls(movesCalls), nests(symbols),
        users(symbols, module) {}

  /// Returns the number of dispatches that became a part of a call.
  int64_t run();

private:
  bool roundAllReaders(AllocOp sums, Type type);
  AllocOp narrow(AllocOp sums, Type type);
  bool fuse(DispatchOp dispatch);
  bool mayMovePast(CallOp call, ArrayRef<Operation *> commands);
  void replace(CallOp call, DispatchOp dispatch, CallConfigAttrInterface config,
               Operation *place, Operation *last);

  ModuleOp module;
  bool movesCalls;
  SymbolTableCollection symbols;
  KernelNests nests;
  /// Of kernels, as they were before the first one has gone.
  SymbolUserMap users;
  /// Those of dispatches that became a part of a call.
  llvm::SetVector<Operation *> kernels;
};

struct PlanFuseBiasGradients
    : public plan::impl::PlanFuseBiasGradientsBase<PlanFuseBiasGradients> {
  using PlanFuseBiasGradientsBase::PlanFuseBiasGradientsBase;

  void runOnOperation() override {
    int64_t fused = BiasGradientFuser(getOperation(), moveCalls).run();
    numFused += fused;
    if (fused == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace

/// The stride of one dimension for all of `dims`, by `getStride`; nothing if
/// the elements are not that far apart.
static std::optional<int64_t> getCommonStride(SmallVector<Dim> dims,
                                              int64_t Dim::*stride) {
  llvm::sort(dims,
             [&](const Dim &a, const Dim &b) { return a.*stride < b.*stride; });
  int64_t first = dims.empty() ? 1 : dims.front().*stride;
  int64_t next = first;
  for (const Dim &dim : dims) {
    if (dim.*stride != next)
      return std::nullopt;
    next *= dim.extent;
  }
  return first;
}

/// The sum that a kernel with one operand and one result is, if it is one.
static std::optional<Sum> matchSum(const KernelNest &nest) {
  if (nest.passes.size() != 1 || !nest.scalars.empty() || nest.hasChecks)
    return std::nullopt;
  const KernelPass &pass = nest.passes.front();
  if (pass.inputs.size() != 1 || pass.outputs.size() != 1)
    return std::nullopt;
  const KernelInput &input = pass.inputs.front();
  const KernelOutput &output = pass.outputs.front();
  if (input.item || !output.reduction || !output.destination ||
      input.access.offset != 0 || output.destination->offset != 0)
    return std::nullopt;
  auto add = dyn_cast<arith::AddFOp>(output.reduction->combiner);
  if (!add || output.yielded != add.getResult() ||
      !matchPattern(output.reduction->initial, m_AnyZeroFloat()))
    return std::nullopt;
  Value sum = output.reduction->accumulator;
  auto isTerm = [&](Value value) {
    if (auto widened = value.getDefiningOp<arith::ExtFOp>())
      value = widened.getIn();
    return value == input.element;
  };
  if (!(add.getLhs() == sum && isTerm(add.getRhs())) &&
      !(isTerm(add.getLhs()) && add.getRhs() == sum))
    return std::nullopt;

  SmallVector<Dim> items, terms;
  Sum result;
  for (unsigned i = 0; i < nest.getRank(); ++i) {
    Dim dim{nest.extents[i], input.access.strides[i],
            output.destination->strides[i]};
    if (dim.extent == 1)
      continue;
    (nest.isItem[i] ? items : terms).push_back(dim);
    (nest.isItem[i] ? result.items : result.terms) *= dim.extent;
  }
  // Items are in the order of the result, with one stride in the operand.
  std::optional<int64_t> order = getCommonStride(items, &Dim::outputStride),
                         itemStride = getCommonStride(items, &Dim::inputStride),
                         termStride = getCommonStride(terms, &Dim::inputStride);
  if (order != 1 || !itemStride || !termStride)
    return std::nullopt;
  for (const Dim &dim : items)
    if (dim.inputStride != dim.outputStride * *itemStride)
      return std::nullopt;
  result.itemStride = *itemStride;
  result.termStride = *termStride;
  return result;
}

/// Whether these are the sums over k of a factor that is stored as k rows of
/// `items`, which are all that the library has.
static bool isSumOfFactor(const Sum &sum, int64_t items, int64_t k) {
  return sum.items == items && sum.terms == k &&
         (items == 1 || sum.itemStride == 1) &&
         (k == 1 || sum.termStride == items);
}

/// The buffer of the arena that a view shows all of; null if there is none.
static AllocOp getWholeBuffer(Value buffer) {
  auto alloc = dyn_cast_if_present<AllocOp>(getBufferRoot(buffer));
  auto bytes = [](Value value) {
    return getBufferBytes(cast<MemRefType>(value.getType()));
  };
  return alloc && bytes(buffer) == bytes(alloc) ? alloc : AllocOp();
}

/// The configuration of a call with the sums of `buffer`, if it has this buffer
/// as a factor.
static CallConfigAttrInterface getConfig(CallOp call, AllocOp buffer,
                                         const Sum &sum) {
  auto attr = dyn_cast<CublasLtMatMulAttr>(Attribute(call.getConfig()));
  if (!attr || call.getChecked() || call.getIns().size() != 2)
    return {};
  const jobrt::calls::CublasLtMatMul &product = attr.getConfig();
  std::optional<Epilogue> epilogue;
  if (product.transpose_a && getWholeBuffer(call.getIns()[0]) == buffer &&
      isSumOfFactor(sum, product.m, product.k))
    epilogue = Epilogue::kBiasGradA;
  else if (!product.transpose_b && getWholeBuffer(call.getIns()[1]) == buffer &&
           isSumOfFactor(sum, product.n, product.k))
    epilogue = Epilogue::kBiasGradB;
  if (!epilogue)
    return {};
  return dyn_cast_if_present<CallConfigAttrInterface>(
      call.getConfig().getWithEpilogue(*epilogue));
}

/// Whether a buffer or views of it are operands of a call that may add sums.
static bool isUsedByProduct(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    if (auto view = dyn_cast<ViewOp>(user))
      return isUsedByProduct(view->getResult(0));
    auto call = dyn_cast<CallOp>(user);
    return call && isa<CublasLtMatMulAttr>(Attribute(call.getConfig()));
  });
}

static bool accesses(ArrayRef<Value> buffers, AllocOp buffer) {
  return llvm::any_of(buffers, [&](Value value) {
    return getBufferRoot(value) == buffer.getOperation();
  });
}

/// The passes of a kernel that read an argument, if nothing else uses it: the
/// block arguments that stand for its elements.
static std::optional<SmallVector<BlockArgument>>
getElements(BlockArgument argument) {
  SmallVector<BlockArgument> elements;
  for (OpOperand &use : argument.getUses()) {
    auto pass = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!pass || !pass.isDpsInput(&use))
      return std::nullopt;
    elements.push_back(pass.getMatchingBlockArgument(&use));
  }
  return elements;
}

/// Whether all that read sums in f32 are kernels that round them to `type`
/// before anything else. No other program uses such a kernel.
bool BiasGradientFuser::roundAllReaders(AllocOp sums, Type type) {
  for (OpOperand &use : sums.getResult().getUses()) {
    auto reader = dyn_cast<DispatchOp>(use.getOwner());
    if (!reader)
      return false;
    auto written = reader.getWrittenOperands();
    ExecutableOp executable = nests.getExecutable(reader);
    func::FuncOp body = executable.getBody();
    // That of the sums themselves.
    if (written.size() == 1 && written.front() == &use)
      continue;
    if (llvm::is_contained(written, &use) || !body || !nests.lookup(reader) ||
        users.getUsers(executable).size() != 1)
      return false;
    auto elements = getElements(body.getArgument(use.getOperandNumber()));
    if (!elements)
      return false;
    for (BlockArgument element : *elements)
      for (Operation *user : element.getUsers())
        if (auto rounded = dyn_cast<arith::TruncFOp>(user);
            !rounded || rounded.getType() != type)
          return false;
  }
  return true;
}

/// Gives sums the type to which all readers round them.
AllocOp BiasGradientFuser::narrow(AllocOp sums, Type type) {
  OpBuilder builder(sums);
  MemRefType narrow = MemRefType::Builder(sums.getType()).setElementType(type);
  auto narrowed = AllocOp::create(builder, sums.getLoc(), Type(narrow),
                                  /*offset=*/nullptr);
  narrowed->setDiscardableAttrs(sums->getDiscardableAttrDictionary());
  for (OpOperand &use :
       llvm::make_early_inc_range(sums.getResult().getUses())) {
    auto reader = cast<DispatchOp>(use.getOwner());
    use.set(narrowed);
    if (llvm::is_contained(reader.getWrittenOperands(), &use))
      continue;
    ExecutableOp executable = nests.getExecutable(reader);
    func::FuncOp body = executable.getBody();
    BlockArgument argument = body.getArgument(use.getOperandNumber());
    SmallVector<BlockArgument> elements = *getElements(argument);
    for (BlockArgument element : elements) {
      element.setType(type);
      for (Operation *rounded :
           llvm::make_early_inc_range(element.getUsers())) {
        rounded->replaceAllUsesWith(ValueRange(element));
        rounded->erase();
      }
    }
    argument.setType(cast<RankedTensorType>(argument.getType()).clone(type));
    body.setFunctionType(
        builder.getFunctionType(body.getBody().getArgumentTypes(),
                                body.getFunctionType().getResults()));
    nests.forget(executable);
  }
  sums.erase();
  return narrowed;
}

/// Makes a sum a result of the call that multiplies its operand, if there is
/// one. Erases the dispatch.
bool BiasGradientFuser::fuse(DispatchOp dispatch) {
  if (dispatch.getIns().size() != 1 || !dispatch.getInouts().empty() ||
      dispatch.getOuts().size() != 1 || dispatch.getChecks() ||
      dispatch.getEpilogue() || dispatch.getJoined())
    return false;
  AllocOp operand = getWholeBuffer(dispatch.getIns().front());
  auto result = dispatch.getOuts().front().getDefiningOp<AllocOp>();
  // Most sums are of other buffers: no search through long programs.
  if (!operand || !result || !isUsedByProduct(operand))
    return false;
  const KernelNest *nest = nests.lookup(dispatch);
  std::optional<Sum> sum = nest ? matchSum(*nest) : std::nullopt;
  if (!sum)
    return false;
  Type type = operand.getType().getElementType();
  // The function stores the sums in the type of the factor.
  bool isRounded = type != result.getType().getElementType();
  if (isRounded && !roundAllReaders(result, type))
    return false;
  uint64_t queue = cast<PlanCommandOpInterface>(*dispatch).getQueue();
  // The nearest call, before or after it. One behind the first reader of the
  // sums moves in front of it.
  auto search = [&](auto range, bool isAfter) {
    SmallVector<Operation *> passed;
    for (Operation &op : range) {
      auto command = dyn_cast<PlanCommandOpInterface>(op);
      if (!command && op.getNumRegions() == 0)
        continue;
      if (!command || isa<RecordOp, WaitOp>(op) || command.getQueue() != queue)
        return false;
      if (accesses(getWrittenBuffers(command), result))
        return false;
      bool isReader = accesses(getReadBuffers(command), result);
      if (auto call = dyn_cast<CallOp>(op); call && !isReader)
        if (CallConfigAttrInterface config = getConfig(call, operand, *sum)) {
          if (!passed.empty() && !mayMovePast(call, passed))
            return false;
          if (isRounded)
            narrow(result, type);
          replace(call, dispatch, config,
                  passed.empty() ? call.getOperation() : passed.front(),
                  isAfter ? call.getOperation() : dispatch.getOperation());
          return true;
        }
      if (isReader || !passed.empty()) {
        if (!isAfter || !movesCalls)
          return false;
        passed.push_back(&op);
      }
      if (accesses(getWrittenBuffers(command), operand))
        return false;
    }
    return false;
  };
  Block &block = *dispatch->getBlock();
  Block::iterator it(dispatch);
  return search(llvm::make_range(std::next(it), block.end()),
                /*isAfter=*/true) ||
         search(llvm::reverse(llvm::make_range(block.begin(), it)),
                /*isAfter=*/false);
}

/// Whether a call may run before some commands that are before it. Calls share
/// their workspace in any order.
bool BiasGradientFuser::mayMovePast(CallOp call,
                                    ArrayRef<Operation *> commands) {
  return llvm::none_of(commands, [&](Operation *op) {
    auto command = cast<PlanCommandOpInterface>(op);
    SmallVector<Value> ins(call.getIns()), outs(call.getOuts()),
        written = getWrittenBuffers(command), read = getReadBuffers(command);
    return mayOverlap(ins, written, symbols) ||
           mayOverlap(outs, written, symbols) ||
           mayOverlap(outs, read, symbols);
  });
}

/// Makes the sums a result of the call, which is in front of `place` then. The
/// later one of both is `last`.
void BiasGradientFuser::replace(CallOp call, DispatchOp dispatch,
                                CallConfigAttrInterface config,
                                Operation *place, Operation *last) {
  if (auto remark =
          job::explainDone(dispatch.getLoc(), job::ExplainCategory::Kernels,
                           dispatch->getParentOfType<ProgramOp>().getSymName()))
    remark << "is computed by a call of "
           << cast<PlanCommandOpInterface>(*call).getTitle()
           << ", as sums of its factor";
  SmallVector<Value> outs(call.getOuts());
  outs.push_back(dispatch.getOuts().front());
  // The call may be before its buffers.
  SmallVector<Value> buffers(call->getOperands());
  buffers.push_back(outs.back());
  defineBefore(buffers, place, last);
  OpBuilder builder(place);
  auto count = [](auto command) {
    return cast<PlanCommandOpInterface>(*command).getOperationCount();
  };
  auto fused = CallOp::create(
      builder, call.getLoc(), config,
      builder.getI64IntegerAttr(count(call) + count(dispatch)), call.getIns(),
      outs, call.getWorkspace(), call.getCheckedAttr(), call.getQueueAttr());
  fused->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  kernels.insert(nests.getExecutable(dispatch));
  call.erase();
  dispatch.erase();
}

int64_t BiasGradientFuser::run() {
  int64_t fused = 0;
  for (auto program : module.getOps<ProgramOp>())
    for (DispatchOp dispatch : getOpsOfProgram<DispatchOp>(program))
      fused += fuse(dispatch);
  SymbolUserMap remaining(symbols, module);
  for (Operation *kernel : kernels)
    if (remaining.useEmpty(kernel))
      symbols.getSymbolTable(module).erase(kernel);
  return fused;
}
