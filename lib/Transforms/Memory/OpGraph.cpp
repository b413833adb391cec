//===- OpGraph.cpp - A block of a job as a graph --------------------------===//

#include "OpGraph.h"

#include "JobDialect/Analysis/InPlace.h"

#include "jobrt/abi.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

namespace {

/// Builds the graph of one block: a job's, or that of its micro-steps.
class GraphBuilder {
public:
  GraphBuilder(Block &block, bool inPlace) : block(block), inPlace(inPlace) {}

  ScheduleProblem build();

private:
  unsigned addBlob(Value value);
  int64_t getArenaBytes(Value value) const;
  void addOp(Operation *op);
  void orderVariables();
  void orderOtherEffects();
  void addEdge(Operation *before, Operation *after) {
    if (before->isBeforeInBlock(after))
      problem.ops[number.lookup(after)].after.push_back(number.lookup(before));
  }

  Block &block;
  bool inPlace;
  ScheduleProblem problem;
  DenseMap<Operation *, unsigned> number;
  DenseMap<Value, unsigned> blobs;
  /// Values that are written straight into a variable.
  DenseMap<Value, AssignOp> updates;
};

} // namespace

SmallVector<unsigned> job::getGivenOrder(const ScheduleProblem &problem) {
  return llvm::to_vector(llvm::seq<unsigned>(0, problem.ops.size()));
}

Value job::getMemory(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

/// Bytes that the plan will keep for a value in the arena.
int64_t GraphBuilder::getArenaBytes(Value value) const {
  Operation *maker = value.getDefiningOp();
  if (!isa_and_present<KernelOp, MicroStepsOp, LibraryCallOpInterface>(maker) ||
      updates.contains(value))
    return 0;
  // What is returned is made in the caller's slot, and what micro-steps yield
  // in memory that is alive during all of them.
  if (llvm::any_of(value.getUsers(), [](Operation *user) {
        return isa<ReturnOp, YieldOp>(user);
      }))
    return 0;
  return llvm::alignTo(cast<BlobType>(value.getType()).getBytes(),
                       JOBRT_ALIGNMENT);
}

unsigned GraphBuilder::addBlob(Value value) {
  auto [it, isNew] = blobs.try_emplace(value, problem.bytes.size());
  if (isNew)
    problem.bytes.push_back(getArenaBytes(value));
  return it->second;
}

void GraphBuilder::addOp(Operation *op) {
  number[op] = problem.ops.size();
  ScheduledOp &scheduled = problem.ops.emplace_back();
  for (Value operand : op->getOperands()) {
    scheduled.reads.push_back(addBlob(getMemory(operand)));
    if (auto reshape = operand.getDefiningOp<ReshapeOp>())
      scheduled.after.push_back(number.lookup(reshape));
  }
  if (isa<ReshapeOp>(op))
    return;
  for (Value result : op->getResults())
    scheduled.makes.push_back(addBlob(result));
  if (auto loop = dyn_cast<MicroStepsOp>(op)) {
    // What the loop needs for itself, as a blob that nobody reads.
    ScheduleProblem inner =
        GraphBuilder(loop.getBody().front(), inPlace).build();
    scheduled.makes.push_back(problem.bytes.size());
    problem.bytes.push_back(getPeakBytes(inner, getGivenOrder(inner)));
    return;
  }
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel || !inPlace)
    return;
  for (auto [result, made] : llvm::enumerate(scheduled.makes))
    for (auto [input, read] : llvm::enumerate(scheduled.reads))
      if (llvm::count(scheduled.reads, read) == 1 &&
          canOverwrite(kernel, input, result))
        scheduled.overwrites.emplace_back(made, read);
}

/// Reads and assignments of a variable keep their order, and whoever looks at
/// the value from before an assignment still comes before it, so that no copy
/// of the old value becomes necessary.
void GraphBuilder::orderVariables() {
  struct Accesses {
    SmallVector<AssignOp> assigns;
    SmallVector<Operation *> readers;
  };
  llvm::MapVector<StringAttr, Accesses> variables;
  for (Operation &op : block) {
    if (auto assign = dyn_cast<AssignOp>(op))
      variables[assign.getVariableAttr().getAttr()].assigns.push_back(assign);
    auto read = dyn_cast<ReadOp>(op);
    if (!read)
      continue;
    auto &readers = variables[read.getVariableAttr().getAttr()].readers;
    SmallVector<Operation *> users = {read};
    while (!users.empty()) {
      Operation *user = users.pop_back_val();
      readers.push_back(user);
      if (isa<ReadOp, ReshapeOp>(user))
        llvm::append_range(users, user->getResult(0).getUsers());
    }
  }
  for (auto &[name, accesses] : variables)
    for (AssignOp assign : accesses.assigns) {
      bool isInPlace = updates.lookup(assign.getValue()) == assign;
      for (Operation *reader : accesses.readers) {
        addEdge(reader, assign);
        if (isa<ReadOp>(reader))
          addEdge(assign, reader);
        // The variable changes where its new value is made.
        if (isInPlace)
          addEdge(reader, assign.getValue().getDefiningOp());
      }
      for (AssignOp other : accesses.assigns)
        addEdge(other, assign);
    }
}

/// Any op with effects that are not on a variable stays where it is among all
/// ops with effects.
void GraphBuilder::orderOtherEffects() {
  SmallVector<Operation *> since;
  Operation *barrier = nullptr;
  for (Operation &op : block.without_terminator()) {
    if (isMemoryEffectFree(&op))
      continue;
    if (barrier)
      addEdge(barrier, &op);
    since.push_back(&op);
    if (isa<ReadOp, AssignOp>(op))
      continue;
    for (Operation *before : since)
      addEdge(before, &op);
    since.clear();
    barrier = &op;
  }
}

ScheduleProblem GraphBuilder::build() {
  if (auto func = dyn_cast<FuncOp>(block.getParentOp()))
    for (auto [assign, obstacle] : findVariableUpdates(func))
      if (obstacle.empty())
        updates.try_emplace(assign.getValue(), assign);
  for (Operation &op : block)
    addOp(&op);
  orderVariables();
  orderOtherEffects();
  // The block ends with its terminator.
  for (unsigned op = 0, last = problem.ops.size() - 1; op < last; ++op)
    problem.ops[last].after.push_back(op);
  return std::move(problem);
}

ScheduleProblem job::buildGraph(Block &block, bool inPlace) {
  return GraphBuilder(block, inPlace).build();
}
