//===- FuseCallEpilogues.cpp - Kernels that library calls compute ---------===//

#include "CallEpilogues.h"

#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSECALLEPILOGUES
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

namespace {

class CallEpilogueFuser {
public:
  explicit CallEpilogueFuser(ModuleOp module)
      : module(module), nests(symbols) {}

  /// Returns the number of dispatches that became a part of a call.
  int64_t run();

private:
  std::optional<CallEpilogue> find(CallOp call, DispatchOp dispatch,
                                   unsigned product);
  bool fuse(DispatchOp dispatch, unsigned product);
  bool fuse(DispatchOp dispatch);

  ModuleOp module;
  SymbolTableCollection symbols;
  KernelNests nests;
  /// Those of dispatches that became a part of a call.
  llvm::SetVector<Operation *> kernels;
};

struct PlanFuseCallEpilogues
    : public plan::impl::PlanFuseCallEpiloguesBase<PlanFuseCallEpilogues> {
  void runOnOperation() override {
    int64_t fused = CallEpilogueFuser(getOperation()).run();
    numFused += fused;
    if (fused == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace

/// Whether a command's chunks follow those of the one before it, or it joins
/// the launch of that one.
static bool isTied(Operation *command) {
  auto dispatch = dyn_cast_if_present<DispatchOp>(command);
  return dispatch && (dispatch.getEpilogue() || dispatch.getJoined());
}

static Operation *getNextCommand(Operation *op) {
  do
    op = op->getNextNode();
  while (op && !isa<PlanCommandOpInterface>(op));
  return op;
}

/// Whether two buffers may share memory. Those of the arena do not before they
/// have offsets.
static bool mayOverlap(Value a, Value b) {
  if (getSpace(a.getType()) != getSpace(b.getType()))
    return false;
  auto first = dyn_cast_if_present<AllocOp>(getBufferRoot(a)),
       second = dyn_cast_if_present<AllocOp>(getBufferRoot(b));
  return !first || !second || first == second || first.getOffset() ||
         second.getOffset();
}

static bool mayOverlap(ArrayRef<Value> buffers, ValueRange others) {
  return llvm::any_of(buffers, [&](Value buffer) {
    return llvm::any_of(others,
                        [&](Value other) { return mayOverlap(buffer, other); });
  });
}

/// Whether a call writes a buffer of the arena, or views of it.
static bool isWrittenByCall(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<ViewOp>(user))
      return isWrittenByCall(view->getResult(0));
    auto call = dyn_cast<CallOp>(user);
    return call && llvm::is_contained(call.getOuts(), buffer);
  });
}

/// The call before a dispatch that writes a buffer which the dispatch reads, if
/// it may as well run where the dispatch does.
static CallOp findCall(DispatchOp dispatch, Value product) {
  // Most buffers are results of kernels: no search through long programs.
  auto alloc = dyn_cast_if_present<AllocOp>(getBufferRoot(product));
  if (alloc && !alloc.getOffset() && !isWrittenByCall(alloc))
    return {};
  uint64_t queue = cast<PlanCommandOpInterface>(*dispatch).getQueue();
  SmallVector<Value> written;
  for (Operation *op = dispatch->getPrevNode(); op; op = op->getPrevNode()) {
    auto command = dyn_cast<PlanCommandOpInterface>(op);
    if (!command && op->getNumRegions() == 0)
      continue;
    if (!command || isa<RecordOp, WaitOp>(op) || command.getQueue() != queue ||
        isTied(getNextCommand(op)))
      return {};
    SmallVector<Value> writes(getWrittenBuffers(command));
    if (mayOverlap(writes, product)) {
      auto call = dyn_cast<CallOp>(op);
      return call && !mayOverlap(written, call.getIns()) ? call : CallOp();
    }
    if (mayOverlap(SmallVector<Value>(getReadBuffers(command)), product))
      return {};
    llvm::append_range(written, writes);
  }
  return {};
}

/// Whether only these two use a buffer of the arena, or views of it.
static bool isOnlyUsedBy(Value buffer, CallOp call, DispatchOp dispatch) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<ViewOp>(user))
      return isOnlyUsedBy(view->getResult(0), call, dispatch);
    return user == call || user == dispatch;
  });
}

/// The call with what the dispatch computes of its result, the operand number
/// `product` of the dispatch, if the call's function can compute it.
std::optional<CallEpilogue>
CallEpilogueFuser::find(CallOp call, DispatchOp dispatch, unsigned product) {
  Value result = dispatch->getOperand(product);
  bool isUpdated = llvm::is_contained(dispatch.getInouts(), result);
  if (isUpdated)
    if (auto epilogue = findCallEpilogue(call, dispatch, nests))
      return epilogue;
  auto alloc = dyn_cast_if_present<AllocOp>(getBufferRoot(result));
  if (!isUpdated && (!alloc || !isOnlyUsedBy(alloc, call, dispatch)))
    return std::nullopt;
  auto addition = findCallAddition(call, dispatch, product, nests);
  // The function does not add in place.
  if (!addition || mayOverlap(addition->operands, addition->outs))
    return std::nullopt;
  return addition;
}

/// Makes a dispatch a part of the call whose result it reads, if the call's
/// function can compute it. Erases the dispatch.
bool CallEpilogueFuser::fuse(DispatchOp dispatch, unsigned product) {
  CallOp call = findCall(dispatch, dispatch->getOperand(product));
  if (!call)
    return false;
  std::optional<CallEpilogue> epilogue = find(call, dispatch, product);
  if (!epilogue)
    return false;
  // What the call reads is no longer live when the dispatch writes: with an
  // offset, another result may be in its place.
  for (Value out : dispatch.getOuts())
    if (mayOverlap(SmallVector<Value>{out}, call.getIns()))
      return false;
  SmallVector<Value> ins(call.getIns());
  llvm::append_range(ins, epilogue->operands);
  auto command = [](auto op) { return cast<PlanCommandOpInterface>(*op); };
  if (auto remark =
          job::explainDone(dispatch.getLoc(), job::ExplainCategory::Kernels,
                           dispatch->getParentOfType<ProgramOp>().getSymName()))
    remark << "is computed by the call of " << command(call).getTitle()
           << " before it";
  // Where the dispatch is: views of what it reads may be between the two.
  OpBuilder builder(dispatch);
  int64_t count =
      command(call).getOperationCount() + command(dispatch).getOperationCount();
  auto fused = CallOp::create(builder, call.getLoc(), epilogue->config,
                              builder.getI64IntegerAttr(count), ins,
                              epilogue->outs, call.getWorkspace(),
                              call.getCheckedAttr(), call.getQueueAttr());
  fused->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  kernels.insert(nests.getExecutable(dispatch));
  call.erase();
  dispatch.erase();
  return true;
}

bool CallEpilogueFuser::fuse(DispatchOp dispatch) {
  if (isTied(dispatch) || isTied(getNextCommand(dispatch)) ||
      !nests.hasDefaultSchedule(dispatch))
    return false;
  // The operands are first what the kernel reads, then what it updates.
  unsigned numIns = dispatch.getIns().size();
  if (dispatch.getInouts().size() == 1)
    return fuse(dispatch, numIns);
  if (!dispatch.getInouts().empty())
    return false;
  for (unsigned product = 0; product < numIns; ++product)
    if (fuse(dispatch, product))
      return true;
  return false;
}

int64_t CallEpilogueFuser::run() {
  int64_t fused = 0;
  for (auto program : module.getOps<ProgramOp>())
    for (DispatchOp dispatch : getOpsOfProgram<DispatchOp>(program))
      fused += fuse(dispatch);
  SymbolUserMap users(symbols, module);
  for (Operation *kernel : kernels)
    if (users.useEmpty(kernel))
      symbols.getSymbolTable(module).erase(kernel);
  return fused;
}
