//===- BlobPlaces.cpp - The memory of the blobs of a job ------------------===//

#include "JobDialect/Analysis/BlobPlaces.h"

#include "JobDialect/Analysis/BlobDevices.h"
#include "jobrt/abi.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

SmallVector<unsigned> job::getGivenOrder(const ScheduleProblem &problem) {
  return llvm::to_vector(llvm::seq<unsigned>(0, problem.ops.size()));
}

Value job::getMemory(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

static int64_t getBytes(Value value) {
  return cast<BlobType>(value.getType()).getBytes();
}

/// Whether a command of the plan will read a blob: a reshape is none.
static bool isRead(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return !isa<ReshapeOp>(user) || isRead(user->getResult(0));
  });
}

BlobPlaces::BlobPlaces(Block &block, BlobPlacesOptions options)
    : block(block), options(options) {
  unsigned count = 0;
  for (Operation &op : block)
    number[&op] = count++;
  auto job = block.getParent()->getParentOfType<FuncOp>();
  if (job && !job.getInPlace().value_or(true))
    this->options.inPlace = false;
  if (auto func = dyn_cast<FuncOp>(block.getParentOp())) {
    updates = findVariableUpdates(func, options.checkNumerics);
    for (auto [assign, obstacle] : updates)
      if (obstacle.empty())
        variables.try_emplace(assign.getValue(), assign);
  }
  placeResults();
  if (auto loop = dyn_cast<MicroStepsOp>(block.getParentOp()))
    placeYielded(loop);
  findCopies();
  for (Operation &op : block)
    addOp(&op);
  orderVariables();
  orderOtherEffects();
  // The block ends with its terminator.
  for (unsigned op = 0, last = graph.ops.size() - 1; op < last; ++op)
    graph.ops[last].after.push_back(op);
  takeInputs();
}

BlobPlace BlobPlaces::getPlace(OpResult result) const {
  return places.lookup(result);
}

int64_t BlobPlaces::getPeakBytes() const {
  return job::getPeakBytes(graph, getGivenOrder(graph));
}

//===----------------------------------------------------------------------===//
// Places that do not depend on when other ops run
//===----------------------------------------------------------------------===//

/// A new value of a variable is written straight to it, and a blob that is
/// returned straight to its output, the first one if it is returned twice.
void BlobPlaces::placeResults() {
  for (auto [value, assign] : variables)
    places[value] = {BlobPlace::Variable};
  auto ret = dyn_cast<ReturnOp>(block.getTerminator());
  if (!ret)
    return;
  for (OpOperand &operand : ret->getOpOperands())
    if (isa_and_present<KernelOp, MicroStepsOp, LibraryCallOpInterface,
                        HostCallOp>(operand.get().getDefiningOp()))
      places.try_emplace(operand.get(), BlobPlace{BlobPlace::Output,
                                                  operand.getOperandNumber()});
}

/// A sum grows in its own memory. What is packed is computed in its rows, if
/// they are aligned as kernels and libraries expect; what is not is copied when
/// it is yielded.
void BlobPlaces::placeYielded(MicroStepsOp loop) {
  for (auto [index, value] : llvm::enumerate(loop.getYieldedSums()))
    if (isa_and_present<KernelOp>(value.getDefiningOp()))
      places.try_emplace(
          value, BlobPlace{BlobPlace::Sum, static_cast<unsigned>(index)});
  for (auto [index, value] : llvm::enumerate(loop.getYieldedParts()))
    if (isa_and_present<KernelOp, LibraryCallOpInterface>(
            value.getDefiningOp()) &&
        getBytes(value) % JOBRT_ALIGNMENT == 0)
      places.try_emplace(
          value, BlobPlace{BlobPlace::Rows, static_cast<unsigned>(index)});
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Whether an op reads `value`, which is what `read` read or a reshape of it,
/// after the variable has changed.
bool BlobPlaces::needsOldValue(ReadOp read, Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<ReshapeOp>(user))
      return needsOldValue(read, user->getResult(0));
    // See addOp().
    if (isa<ReturnOp>(user) && value == read.getResult())
      return false;
    return llvm::any_of(updates, [&](const VariableUpdate &update) {
      AssignOp assign = update.assign;
      if (assign.getVariableAttr() != read.getVariableAttr() ||
          number.lookup(assign) < number.lookup(read))
        return false;
      Operation *change = update.isInPlace() ? assign.getValue().getDefiningOp()
                                             : assign.getOperation();
      return number.lookup(change) < number.lookup(user);
    });
  });
}

void BlobPlaces::findCopies() {
  for (auto read : block.getOps<ReadOp>())
    if (needsOldValue(read, read.getResult()))
      copied.insert(read.getResult());
  if (auto loop = dyn_cast<MicroStepsOp>(block.getParentOp()))
    for (Value part : loop.getPartArguments())
      if (getBytes(part) % JOBRT_ALIGNMENT != 0 && isRead(part))
        copied.insert(part);
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// Whether what the plan keeps of a value is on the device of the options.
bool BlobPlaces::isOnDevice(Value value) const {
  if (!options.device)
    return true;
  return options.device == (isa<BlockArgument>(value) ? getPartDevices(value)
                                                      : getBlobDevices(value));
}

/// Bytes that the plan keeps for a value in the arena.
int64_t BlobPlaces::getArenaBytes(Value value) const {
  bool isComputed =
      isa_and_present<KernelOp, MicroStepsOp, LibraryCallOpInterface,
                      HostCallOp, TransferOp>(value.getDefiningOp());
  if ((isComputed ? places.contains(value) : !isCopied(value)) ||
      !isOnDevice(value))
    return 0;
  return llvm::alignTo(getBytes(value), JOBRT_ALIGNMENT);
}

unsigned BlobPlaces::addBlob(Value value) {
  auto [it, isNew] = blobs.try_emplace(value, graph.bytes.size());
  if (isNew)
    graph.bytes.push_back(getArenaBytes(value));
  return it->second;
}

/// Says that an op comes after what makes its operand, and whether the plan
/// reads it then.
void BlobPlaces::addRead(ScheduledOp &scheduled, Value value, bool isRead) {
  Value memory = getMemory(value);
  if (isRead)
    scheduled.reads.push_back(addBlob(memory));
  else if (Operation *producer = memory.getDefiningOp())
    scheduled.after.push_back(number.lookup(producer));
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    scheduled.after.push_back(number.lookup(reshape));
}

/// Adds what an op needs in the arena for itself, as a blob that no op reads.
void BlobPlaces::addHidden(ScheduledOp &scheduled, int64_t bytes) {
  scheduled.makes.push_back(graph.bytes.size());
  graph.bytes.push_back(bytes);
}

/// Bytes of the status of a kernel's checks in the arena.
static constexpr int64_t kStatusBytes = JOBRT_MAX_CHUNKS * sizeof(int32_t);

/// Whether a kernel may have checks for NaN and infinity.
static bool mayHaveChecks(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front(), [](Operation &op) {
    return llvm::any_of(op.getResultTypes(), [](Type type) {
      return canBeNonFinite(cast<BlobType>(type));
    });
  });
}

/// The devices that all commands of micro-steps run on; null for several.
static PlacementAttr getLoopDevices(MicroStepsOp loop) {
  PlacementAttr devices;
  bool areSeveral = false;
  loop.walk([&](Operation *op) {
    areSeveral |= isa<TransferOp>(op);
    if (isa<KernelOp, LibraryCallOpInterface, HostCallOp>(op))
      devices = getPlacement(op);
  });
  return areSeveral ? PlacementAttr() : devices;
}

unsigned BlobPlaces::getGroup(Operation *op) {
  PlacementAttr from, to;
  if (auto transfer = dyn_cast<TransferOp>(op)) {
    from = getBlobDevices(transfer.getOperand());
    to = transfer.getPlacement();
  } else if (auto loop = dyn_cast<MicroStepsOp>(op)) {
    from = to = getLoopDevices(loop);
  } else if (isa<KernelOp, LibraryCallOpInterface, HostCallOp>(op)) {
    from = to = getPlacement(op);
  } else {
    return kNoGroup;
  }
  return groups.try_emplace({from, to}, groups.size()).first->second;
}

void BlobPlaces::addOp(Operation *op) {
  ScheduledOp &scheduled = graph.ops.emplace_back();
  scheduled.group = getGroup(op);
  if (isa<ReshapeOp>(op))
    return addRead(scheduled, op->getOperand(0), isRead(op->getResult(0)));
  if (auto loop = dyn_cast<MicroStepsOp>(op)) {
    for (auto [value, argument] :
         llvm::zip_equal(loop.getRows(), loop.getPartArguments()))
      addRead(scheduled, value, isRead(argument));
    for (auto [value, argument] :
         llvm::zip_equal(loop.getShared(), loop.getSharedArguments()))
      addRead(scheduled, value, isRead(argument));
    for (Value result : op->getResults())
      scheduled.makes.push_back(addBlob(result));
    addHidden(scheduled,
              BlobPlaces(loop.getBody().front(), options).getPeakBytes());
    return;
  }
  // What is returned as it was read is copied when it is read.
  for (Value operand : op->getOperands())
    addRead(scheduled, operand,
            !isa<ReturnOp>(op) || !operand.getDefiningOp<ReadOp>());
  for (Value result : op->getResults())
    scheduled.makes.push_back(addBlob(result));
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    return;
  if (options.inPlace) {
    KernelOverwrites overwrites(kernel);
    SmallVector<unsigned> readOnce;
    for (auto [input, read] : llvm::enumerate(scheduled.reads))
      if (llvm::count(scheduled.reads, read) == 1)
        readOnce.push_back(input);
    for (auto [result, made] : llvm::enumerate(scheduled.makes))
      for (unsigned input : readOnce)
        if (overwrites.canOverwrite(input, result))
          scheduled.overwrites.emplace_back(made, scheduled.reads[input]);
  }
  if (options.checkNumerics && mayHaveChecks(kernel) &&
      (!options.device || options.device == getPlacement(op)))
    addHidden(scheduled, kStatusBytes);
}

void BlobPlaces::addEdge(Operation *before, Operation *after) {
  if (before->isBeforeInBlock(after))
    graph.ops[number.lookup(after)].after.push_back(number.lookup(before));
}

/// Reads and assignments of a variable keep their order, and every op that
/// reads the value from before an assignment still comes before it, so that no
/// further copy of the old value becomes necessary.
void BlobPlaces::orderVariables() {
  struct Accesses {
    SmallVector<AssignOp> assigns;
    SmallVector<Operation *> readers;
  };
  llvm::MapVector<StringAttr, Accesses> accessed;
  for (Operation &op : block) {
    if (auto assign = dyn_cast<AssignOp>(op))
      accessed[assign.getVariableAttr().getAttr()].assigns.push_back(assign);
    auto read = dyn_cast<ReadOp>(op);
    if (!read)
      continue;
    auto &readers = accessed[read.getVariableAttr().getAttr()].readers;
    SmallVector<Operation *> users = {read};
    while (!users.empty()) {
      Operation *user = users.pop_back_val();
      readers.push_back(user);
      if (isa<ReadOp, ReshapeOp>(user))
        llvm::append_range(users, user->getResult(0).getUsers());
    }
  }
  for (auto &[name, accesses] : accessed)
    for (AssignOp assign : accesses.assigns) {
      for (Operation *reader : accesses.readers) {
        addEdge(reader, assign);
        if (isa<ReadOp>(reader))
          addEdge(assign, reader);
        // The variable changes where its new value is made.
        if (isInPlace(assign))
          addEdge(reader, assign.getValue().getDefiningOp());
      }
      for (AssignOp other : accesses.assigns)
        addEdge(other, assign);
    }
}

/// Any op with effects that are not on a variable stays where it is among all
/// ops with effects.
void BlobPlaces::orderOtherEffects() {
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

/// Results take the buffers of inputs as assignBuffers() decides.
void BlobPlaces::takeInputs() {
  BlobBuffers buffers = assignBuffers(graph);
  for (auto kernel : block.getOps<KernelOp>()) {
    const ScheduledOp &scheduled = graph.ops[number.lookup(kernel)];
    // After the results comes what the kernel needs for itself.
    for (auto [result, made] :
         llvm::zip_first(kernel->getResults(), scheduled.makes)) {
      unsigned source = buffers.overwritten[made];
      if (source == kNoBlob)
        continue;
      auto input = static_cast<unsigned>(llvm::find(scheduled.reads, source) -
                                         scheduled.reads.begin());
      places[result] = {BlobPlace::Input, input};
    }
  }
}
