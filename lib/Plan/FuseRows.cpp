//===- FuseRows.cpp - Small matrix products with kernels of their rows ----===//
//
// A small matrix product and the kernels around it that compute row by row
// (a dropout before it, a loss behind it, the product that is the gradient of
// its operand, the mask of a relu) are a chain of launches that compute little.
// One kernel computes them all: its items are the rows.
//
// RowBody.cpp makes bodies of commands, whose passes are those of the new
// kernel. The rules of bodies (KernelNest.h) decide what may be in one.
//
//===----------------------------------------------------------------------===//

#include "Epilogues.h"
#include "Launches.h"
#include "NewKernels.h"
#include "RowBody.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSEROWS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Commands on each side of a product that are looked at.
static constexpr int64_t kMaxDistance = 32;

//===----------------------------------------------------------------------===//
// What to fuse
//===----------------------------------------------------------------------===//

namespace {

class RowFuser {
public:
  explicit RowFuser(ModuleOp module)
      : module(module), nests(symbols), table(symbols.getSymbolTable(module)) {}

  /// Returns the number of commands that are in kernels with others.
  int64_t run();

private:
  std::unique_ptr<RowMember> getMember(Operation *op, int64_t rows);
  std::unique_ptr<RowMember> getProductMember(CallOp call);
  std::unique_ptr<RowMember> getKernelMember(DispatchOp dispatch, int64_t rows);
  int64_t fuse(CallOp product);
  bool accesses(Operation *op, ArrayRef<Value> buffers, bool isWrite);
  bool mayConflict(const RowMember &member, Operation *other);
  bool moveResults(RowMember &member, ArrayRef<Operation *> skipped);
  void settleResults(RowMember &member, bool isFused);
  bool mayFuse(ArrayRef<const RowMember *> members, int64_t rows);
  FailureOr<func::FuncOp> buildBody(RowBodyBuilder &builder, OpBuilder &b,
                                    int64_t rows, Location loc);
  void replace(ArrayRef<const RowMember *> members, CallOp product,
               int64_t rows);
  SmallVector<Value> getColumnSums(const RowMember &member);
  void buildColumnSums(const RowMember &member, OpBuilder &at);

  ModuleOp module;
  SymbolTableCollection symbols;
  KernelNests nests;
  SymbolTable &table;
  /// Those of dispatches that are fused.
  llvm::SetVector<Operation *> kernels;
  /// Commands that are in kernels with others, and no more.
  llvm::DenseSet<Operation *> erased;
};

struct PlanFuseRows : public plan::impl::PlanFuseRowsBase<PlanFuseRows> {
  void runOnOperation() override {
    int64_t fused = RowFuser(getOperation()).run();
    numFused += fused;
    if (fused == 0)
      markAllAnalysesPreserved();
  }
};

} // namespace

std::unique_ptr<RowMember> RowFuser::getProductMember(CallOp call) {
  auto member = std::make_unique<RowMember>();
  Value out = call.getOuts().front();
  Type sums;
  if (Type f32 = Float32Type::get(call.getContext());
      cast<MemRefType>(out.getType()).getElementType() != f32) {
    auto type = cast<MemRefType>(out.getType());
    sums = RankedTensorType::get(type.getShape(), f32);
    OpBuilder b(call);
    SpaceAttr arena =
        SpaceAttr::get(b.getContext(), getDevice(call), SpaceRole::Arena);
    member->sums = AllocOp::create(
        b, call.getLoc(),
        getBufferType(MemRefType::get(type.getShape(), f32), arena),
        /*offset=*/nullptr);
  }
  member->product = buildProduct(call, sums);
  member->body = *member->product;
  FailureOr<KernelNest> nest = KernelNest::get(member->body);
  if (failed(nest))
    return {};
  member->productNest = std::move(*nest);
  member->nest = &*member->productNest;
  llvm::append_range(member->sources, call.getIns());
  member->targets.resize(call.getIns().size());
  member->targets.push_back(out);
  if (sums)
    member->targets.push_back(member->sums);
  member->sources.resize(member->targets.size());
  return member;
}

std::unique_ptr<RowMember> RowFuser::getKernelMember(DispatchOp dispatch,
                                                     int64_t rows) {
  const KernelNest *nest = nests.lookup(dispatch);
  ExecutableOp executable = nests.getExecutable(dispatch);
  if (!nest || nest->rowDim || !nest->scalars.empty() || nest->getRank() == 0 ||
      dispatch.getChecks() || dispatch.getEpilogue() || dispatch.getJoined() ||
      !executable.getVariants().empty())
    return {};
  job::OpCost cost = job::getOpCost(dispatch);
  int64_t limit = job::kCUDACosts.launchBytes;
  if (cost.bytesRead + cost.bytesWritten > limit || cost.flops > limit)
    return {};
  auto member = std::make_unique<RowMember>();
  // Every pass has the rows, as items or in one dimension with what is in them.
  int64_t extent = nest->extents[0];
  bool isFlat = nest->getRank() == 1 && nest->passes.size() == 1 &&
                nest->isItem.test(0) && extent % rows == 0;
  if (!isFlat) {
    if (extent != rows ||
        !llvm::all_of(nest->passes,
                      [](const KernelPass &pass) { return pass.hasDim(0); }))
      return {};
    if (!nest->isItem.test(0)) {
      auto sums = findColumnSums(*nest);
      if (!sums || sums->size() == nest->passes.front().outputs.size())
        return {};
      member->columnSums = std::move(*sums);
    }
  }
  member->body = executable.getBody();
  member->nest = nest;
  llvm::append_range(member->sources, dispatch.getIns());
  llvm::append_range(member->sources, dispatch.getInouts());
  member->sources.resize(dispatch->getNumOperands());
  member->targets.resize(dispatch.getIns().size());
  llvm::append_range(member->targets, dispatch.getInouts());
  llvm::append_range(member->targets, dispatch.getOuts());
  return member;
}

/// A command on a GPU that may be computed row by row.
std::unique_ptr<RowMember> RowFuser::getMember(Operation *op, int64_t rows) {
  if (getTarget(cast<PlanCommandOpInterface>(op)) != job::kCUDATarget)
    return {};
  std::unique_ptr<RowMember> member;
  if (auto call = dyn_cast<CallOp>(op)) {
    if (getRowsOfSmallProduct(call) == rows)
      member = getProductMember(call);
  } else if (auto dispatch = dyn_cast<DispatchOp>(op)) {
    member = getKernelMember(dispatch, rows);
  }
  if (!member)
    return {};
  member->command = op;
  // The sums stay behind, in a kernel of their own.
  for (auto [number, rowsOf] : member->columnSums) {
    unsigned argument =
        member->nest->passes.front().outputs[number].destination->argument;
    member->targets[argument] = {};
  }
  return member;
}

/// Whether a command reads or writes bytes of one of some buffers.
bool RowFuser::accesses(Operation *op, ArrayRef<Value> buffers, bool isWrite) {
  SmallVector<OpOperand *> written =
      cast<PlanCommandOpInterface>(op).getWrittenOperands();
  SmallVector<Value> accessed;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) &&
        (!isWrite || llvm::is_contained(written, &operand)))
      accessed.push_back(operand.get());
  return mayOverlap(buffers, accessed, symbols);
}

/// Whether a kernel with a member and another command have to stay in order. A
/// kernel needs no workspace of a call.
bool RowFuser::mayConflict(const RowMember &member, Operation *other) {
  return accesses(other, member.sources, /*isWrite=*/true) ||
         accesses(other, member.targets, /*isWrite=*/false);
}

/// The buffers of the sums that stay behind.
SmallVector<Value> RowFuser::getColumnSums(const RowMember &member) {
  return llvm::map_to_vector(member.columnSums, [&](auto sum) {
    const KernelOutput &output = member.nest->passes.front().outputs[sum.first];
    return member.command->getOperand(output.destination->argument);
  });
}

/// Whether all users of a buffer of the arena are commands beside it, to which
/// it may be another one.
static bool isFree(AllocOp buffer) {
  return !buffer.getOffset() &&
         llvm::all_of(buffer->getUsers(), [&](Operation *user) {
           return isa<PlanCommandOpInterface>(user) &&
                  user->getBlock() == buffer->getBlock();
         });
}

/// Gives a member, which is to run before some commands, buffers of its own for
/// what it writes over operands of theirs. Returns whether it may then.
bool RowFuser::moveResults(RowMember &member, ArrayRef<Operation *> skipped) {
  for (auto [source, target] :
       llvm::zip_equal(member.sources, member.targets)) {
    auto buffer = target ? target.getDefiningOp<AllocOp>() : AllocOp();
    if (source == target && buffer && isFree(buffer) &&
        llvm::any_of(skipped, [&](Operation *other) {
          return accesses(other, target, /*isWrite=*/false);
        })) {
      OpBuilder b(member.command);
      target = cast<AllocOp>(b.clone(*buffer)).getResult();
    }
  }
  if (llvm::none_of(skipped, [&](Operation *other) {
        return mayConflict(member, other);
      }))
    return true;
  settleResults(member, /*isFused=*/false);
  return false;
}

/// Makes later commands read the buffers of its own that a member has, or
/// removes these if it stays as it is.
void RowFuser::settleResults(RowMember &member, bool isFused) {
  for (auto [source, target] :
       llvm::zip_equal(member.sources, member.targets)) {
    if (!source || !target || source == target)
      continue;
    if (isFused)
      source.replaceUsesWithIf(target, [&](OpOperand &use) {
        return member.command->isBeforeInBlock(use.getOwner());
      });
    else
      target.getDefiningOp()->erase();
  }
}

/// Whether one kernel can compute some commands.
bool RowFuser::mayFuse(ArrayRef<const RowMember *> members, int64_t rows) {
  // Buffers of one place have to be one operand.
  llvm::MapVector<Value, bool> buffers;
  for (const RowMember *member : members)
    for (auto [source, target] :
         llvm::zip_equal(member->sources, member->targets)) {
      if (source)
        buffers.insert({source, false});
      if (target)
        buffers[target] = true;
    }
  // Sums of columns are computed from what the kernel leaves.
  for (auto [index, member] : llvm::enumerate(members)) {
    SmallVector<Value> sums = getColumnSums(*member), terms;
    for (auto [number, rowsOf] : member->columnSums)
      terms.push_back(member->targets[member->nest->passes.front()
                                          .outputs[rowsOf]
                                          .destination->argument]);
    for (const RowMember *later : members.drop_front(index + 1))
      if (mayOverlap(later->targets, terms, symbols) ||
          mayOverlap(later->targets, sums, symbols) ||
          mayOverlap(later->sources, sums, symbols))
        return false;
  }
  SmallVector<std::pair<BufferLocation, bool>> locations;
  for (auto [buffer, isWritten] : buffers)
    locations.push_back({getLocation(buffer, symbols), isWritten});
  for (auto [index, location] : llvm::enumerate(locations))
    for (const auto &other : ArrayRef(locations).drop_front(index + 1))
      if ((location.second || other.second) &&
          mayOverlap(location.first, other.first))
        return false;
  OpBuilder b(module.getContext());
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(b, module.getLoc());
  b.setInsertionPointToEnd(scratch->getBody());
  RowBodyBuilder builder(members, rows);
  return succeeded(buildBody(builder, b, rows, module.getLoc()));
}

/// The body, if it obeys the rules of kernels and its items are the rows.
FailureOr<func::FuncOp> RowFuser::buildBody(RowBodyBuilder &builder,
                                            OpBuilder &b, int64_t rows,
                                            Location loc) {
  FailureOr<func::FuncOp> body = builder.build(b, loc);
  if (failed(body))
    return failure();
  // What it does not obey is no error of the text.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<KernelNest> nest = KernelNest::get(*body);
  if (failed(nest) || nest->rowDim || nest->extents[0] != rows ||
      nest->isItem.find_first() != 0 || nest->isItem.count() != 1)
    return failure();
  for (unsigned argument : llvm::seq<unsigned>(
           builder.ins.size(), builder.ins.size() + builder.inouts.size()))
    if (!nest->isUpdatedInPlace(argument))
      return failure();
  return body;
}

//===----------------------------------------------------------------------===//
// The new commands
//===----------------------------------------------------------------------===//

/// Adds up the columns of what the new kernel writes.
void RowFuser::buildColumnSums(const RowMember &member, OpBuilder &at) {
  auto dispatch = cast<DispatchOp>(member.command);
  const KernelPass &pass = member.nest->passes.front();
  ExecutableOp like = nests.getExecutable(dispatch);
  Location loc = dispatch.getLoc();
  for (auto [number, rowsOf] : member.columnSums) {
    const KernelOutput &sum = pass.outputs[number],
                       &term = pass.outputs[rowsOf];
    Value terms = member.targets[term.destination->argument],
          out = dispatch->getOperand(sum.destination->argument);
    func::FuncOp body =
        startKernel(table, like, "_columns", getTensorTypes({terms, out}), 1);
    OpBuilder b = OpBuilder::atBlockEnd(&body.getBody().front());
    Value sums = reduceColumns(b, loc, *sum.reduction, body.getArgument(0),
                               body.getArgument(1));
    func::ReturnOp::create(b, loc, sums);
    auto executable = cast<ExecutableOp>(body->getParentOp());
    int64_t flops = cast<MemRefType>(terms.getType()).getNumElements();
    DispatchOp::create(at, loc,
                       FlatSymbolRefAttr::get(executable.getSymNameAttr()),
                       b.getI64IntegerAttr(flops), terms,
                       /*inouts=*/ValueRange(), out, /*scalars=*/nullptr,
                       /*checks=*/nullptr, /*epilogue=*/nullptr,
                       /*joined=*/nullptr, dispatch.getQueueAttr());
  }
}

/// Puts one dispatch in the place of a product, for the commands of all
/// members.
void RowFuser::replace(ArrayRef<const RowMember *> members, CallOp product,
                       int64_t rows) {
  SmallVector<Location> locs;
  SmallVector<Value> buffers;
  int64_t flops = 0;
  for (const RowMember *member : members) {
    locs.push_back(member->command->getLoc());
    flops += cast<PlanCommandOpInterface>(member->command).getOperationCount();
    for (ArrayRef<Value> used :
         {ArrayRef(member->sources), ArrayRef(member->targets)})
      llvm::copy_if(used, std::back_inserter(buffers),
                    [](Value buffer) { return buffer != nullptr; });
  }
  defineBefore(buffers, product, members.back()->command);
  OpBuilder b(module.getContext());
  Location loc = b.getFusedLoc(locs);
  if (auto remark =
          job::explainDone(product.getLoc(), job::ExplainCategory::Kernels,
                           product->getParentOfType<ProgramOp>().getSymName()))
    remark << "is computed by one kernel with "
           << std::to_string(members.size() - 1)
           << (members.size() == 2 ? " other command, " : " other commands, ")
           << std::to_string(rows) << " rows one by one";
  b.setInsertionPointToEnd(module.getBody());
  std::string name = "rows";
  for (const RowMember *member : members)
    if (auto dispatch = dyn_cast<DispatchOp>(member->command)) {
      name = (dispatch.getKernel() + "_rows").str();
      b.setInsertionPoint(nests.getExecutable(dispatch));
      break;
    }
  auto executable = ExecutableOp::create(b, loc, name);
  table.insert(executable);
  b.setInsertionPointToStart(&executable.getRegion().emplaceBlock());
  RowBodyBuilder builder(members, rows);
  FailureOr<func::FuncOp> body = buildBody(builder, b, rows, loc);
  assert(succeeded(body) && "it has been tried");
  (void)body;
  b.setInsertionPoint(product);
  auto fused = DispatchOp::create(
      b, loc, FlatSymbolRefAttr::get(executable.getSymNameAttr()),
      b.getI64IntegerAttr(flops), builder.ins, builder.inouts, builder.outs,
      /*scalars=*/nullptr, /*checks=*/nullptr,
      /*epilogue=*/nullptr, /*joined=*/nullptr, product.getQueueAttr());
  for (const RowMember *member : members) {
    // Where the member was, or behind what it is computed by now.
    if (!member->columnSums.empty()) {
      if (member->command->isBeforeInBlock(fused))
        b.setInsertionPointAfter(fused);
      else
        b.setInsertionPoint(member->command);
      buildColumnSums(*member, b);
    }
    if (auto dispatch = dyn_cast<DispatchOp>(member->command))
      kernels.insert(nests.getExecutable(dispatch));
    Value workspace;
    if (auto call = dyn_cast<CallOp>(member->command))
      workspace = call.getWorkspace();
    erased.insert(member->command);
    member->command->erase();
    if (workspace && workspace.use_empty())
      workspace.getDefiningOp()->erase();
  }
}

/// Fuses a product with what computes its rows before and after it. Returns how
/// many commands are in the new kernel.
int64_t RowFuser::fuse(CallOp product) {
  std::optional<int64_t> found = getRowsOfSmallProduct(product);
  if (!found)
    return 0;
  int64_t rows = *found;
  std::vector<std::unique_ptr<RowMember>> members;
  members.push_back(getMember(product, rows));
  if (!members.front())
    return 0;
  auto queue = cast<PlanCommandOpInterface>(*product).getQueue();
  auto isTied = [](Operation *op) {
    auto dispatch = dyn_cast_if_present<DispatchOp>(op);
    return dispatch && (dispatch.getEpilogue() || dispatch.getJoined());
  };
  auto getRefs = [&] {
    return llvm::map_to_vector(members, [](const auto &member) {
      return (const RowMember *)member.get();
    });
  };
  for (bool isAfter : {true, false}) {
    SmallVector<Operation *> skipped;
    Operation *op = product;
    for (int64_t distance = 0; distance < kMaxDistance;) {
      op = isAfter ? op->getNextNode() : op->getPrevNode();
      if (!op || op->getNumRegions() > 0)
        break;
      auto command = dyn_cast<PlanCommandOpInterface>(op);
      if (!command)
        continue;
      if (!isa<DispatchOp, CallOp, CopyOp, FillOp>(op) ||
          command.getQueue() != queue || isTied(op))
        break;
      ++distance;
      // It accesses what a member writes, or the other way round, and may move
      // past what is between them.
      std::unique_ptr<RowMember> member;
      if (llvm::any_of(members, [&](const auto &other) {
            return mayConflict(*other, op);
          }))
        member = getMember(op, rows);
      bool isMoved = false;
      if (member && llvm::any_of(skipped, [&](Operation *other) {
            return mayConflict(*member, other);
          })) {
        isMoved = isAfter && moveResults(*member, skipped);
        if (!isMoved)
          member.reset();
      }
      // Sums of columns are there behind the product only.
      if (member && !isAfter && llvm::any_of(skipped, [&](Operation *other) {
            return accesses(other, getColumnSums(*member), /*isWrite=*/false);
          }))
        member.reset();
      if (!member) {
        skipped.push_back(op);
        continue;
      }
      auto place = isAfter ? members.end() : members.begin();
      auto added = members.insert(place, std::move(member));
      bool isFused = mayFuse(getRefs(), rows);
      if (isMoved)
        settleResults(**added, isFused);
      if (!isFused) {
        members.erase(added);
        skipped.push_back(op);
      }
    }
  }
  if (members.size() < 2)
    return 0;
  replace(getRefs(), product, rows);
  return members.size();
}

int64_t RowFuser::run() {
  int64_t fused = 0;
  for (auto program : module.getOps<ProgramOp>())
    for (CallOp call : getOpsOfProgram<CallOp>(program))
      if (!erased.contains(call))
        fused += fuse(call);
  SymbolUserMap remaining(symbols, module);
  for (Operation *kernel : kernels)
    if (remaining.useEmpty(kernel))
      table.erase(kernel);
  return fused;
}
