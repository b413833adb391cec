//===- VerifyMemory.cpp - Prove that no two live buffers share bytes ------===//
//
// Shares no code with plan-assign-offsets, plan-pack-memory, the analysis of
// lifetimes or the planner: an error in one of them must not hide itself. The
// order of commands is that of CommandOrder; unit tests compare it with a
// search for paths.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/CommandOrder.h"
#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/Passes.h"

#include "jobrt/abi.h"
#include "jobrt/calls/common.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace mlir::plan {
#define GEN_PASS_DEF_PLANVERIFYMEMORY
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

namespace {

/// The bytes [begin, end) of a space.
struct ByteRange {
  int64_t begin, end;

  std::string str() const {
    return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
  }
  bool isEmpty() const { return begin == end; }
  bool overlaps(ByteRange other) const {
    return begin < other.end && other.begin < end && !isEmpty() &&
           !other.isEmpty();
  }
};

/// A range and the op that it was given to.
struct Owned {
  Operation *owner;
  ByteRange range;
};

/// What is in each space of a role.
using OwnedBySpace = llvm::MapVector<SpaceAttr, SmallVector<Owned>>;

/// A buffer of the arena, the commands from its first to its last use, and its
/// uses.
struct LiveRange {
  Operation *owner;
  ByteRange range;
  int64_t first, last;
  QueueUses uses;
};

/// The last commands that read and that wrote a buffer, by queue; -1 if none
/// did.
struct LastAccesses {
  SmallVector<int64_t> reads, writes;
};

class ProgramChecker {
public:
  ProgramChecker(ProgramOp program, SymbolTableCollection &symbols)
      : program(program), symbols(symbols), order(program) {}

  LogicalResult check();

private:
  template <typename PortOp> LogicalResult checkPorts(SpaceRole role);
  LogicalResult checkWorkspace();
  LogicalResult checkWorkspaceRaces();
  LogicalResult checkArenas();
  LogicalResult checkArena(SpaceAttr space, ArrayRef<LiveRange> liveRanges);
  LogicalResult checkUnordered(ArrayRef<LiveRange> liveRanges);
  LogicalResult checkRace(int64_t number, OpOperand *operand, bool isWrite);
  LogicalResult failRace(int64_t number, int64_t other, Operation *buffer,
                         StringRef use);
  FailureOr<llvm::MapVector<SpaceAttr, SmallVector<LiveRange>>> getLiveRanges();
  bool isDefined(Operation *command, Value buffer) const;
  LogicalResult checkCommand(PlanCommandOpInterface command);
  LogicalResult checkInPlace(DispatchOp dispatch);
  LogicalResult checkOutputs();
  std::optional<SpaceSize> getRecorded(SpaceAttr space) {
    return program.getSizes() ? program.getSizes()->lookup(space)
                              : std::nullopt;
  }
  LogicalResult checkSize(const SpaceSize &actual);
  LogicalResult checkExtraSizes();

  ProgramOp program;
  SymbolTableCollection &symbols;
  /// What the kernels with a body do.
  DenseMap<Operation *, std::optional<KernelNest>> nests;
  CommandOrder order;
  DenseMap<Operation *, LastAccesses> accesses;
  /// Buffers of the arena and outputs that hold something; for those that a
  /// repeat fills row by row, that repeat.
  DenseSet<Operation *> defined;
  DenseMap<Operation *, Operation *> filledIn;
  /// The spaces whose sizes were checked.
  DenseSet<SpaceAttr> checkedSpaces;
};

struct PlanVerifyMemory
    : public plan::impl::PlanVerifyMemoryBase<PlanVerifyMemory> {
  void runOnOperation() override;
};

} // namespace

/// The bytes of `op`, which lies in a space of `spaceBytes` bytes (nothing when
/// the size is not recorded, which checkSize reports).
static FailureOr<ByteRange> getRange(Operation *op,
                                     std::optional<int64_t> offset,
                                     ShapedType type, SpaceAttr space,
                                     std::optional<SpaceSize> recorded) {
  if (!offset)
    return op->emitOpError("expects an offset but got none");
  if (*offset % JOBRT_ALIGNMENT != 0)
    return op->emitOpError() << "expects an offset that is a multiple of "
                             << JOBRT_ALIGNMENT << " but got " << *offset;
  int64_t limit = recorded ? recorded->bytes : kMaxSpaceBytes;
  int64_t bytes = getBufferBytes(type);
  if (bytes > limit || *offset > limit - bytes)
    return op->emitOpError() << "expects to be within the " << limit
                             << " bytes of the " << space.str() << " but has "
                             << bytes << " bytes at offset " << *offset;
  return ByteRange{*offset, *offset + bytes};
}

/// Checks ranges that are all in use at once. Returns the bytes of the space
/// that they need.
static FailureOr<int64_t> checkDisjoint(SmallVector<Owned> ranges) {
  // Among equals the later op is the one to report.
  llvm::sort(ranges, [](const Owned &a, const Owned &b) {
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin
                                          : a.owner->isBeforeInBlock(b.owner);
  });
  int64_t end = 0;
  const Owned *below = nullptr;
  for (const Owned &owned : ranges) {
    if (owned.range.isEmpty())
      continue;
    if (below && below->range.overlaps(owned.range)) {
      InFlightDiagnostic error = owned.owner->emitOpError()
                                 << "expects no overlap but "
                                 << owned.range.str() << " overlaps";
      error.attachNote(below->owner->getLoc())
          << "with this one at " << below->range.str();
      return failure();
    }
    below = &owned;
    end = owned.range.end;
  }
  return llvm::alignTo(end, JOBRT_ALIGNMENT);
}

//===----------------------------------------------------------------------===//
// Sizes, inputs, outputs, workspace
//===----------------------------------------------------------------------===//

/// Compares a recorded size of a space with what it has to be. `op` has the
/// record.
static LogicalResult compareSize(Operation *op,
                                 std::optional<SpaceSize> recorded,
                                 const SpaceSize &actual) {
  if (recorded == actual)
    return success();
  std::string space = actual.space.str();
  if (!recorded)
    return op->emitOpError() << "expects " << actual.bytes << " bytes of the "
                             << space << " but got no size of it";
  if (recorded->bytes != actual.bytes)
    return op->emitOpError() << "expects " << actual.bytes << " bytes of the "
                             << space << " but got " << recorded->bytes;
  return op->emitOpError() << "expects a lower bound of " << *actual.lowerBound
                           << " bytes of the " << space << " but got "
                           << *recorded->lowerBound;
}

LogicalResult ProgramChecker::checkSize(const SpaceSize &actual) {
  checkedSpaces.insert(actual.space);
  return compareSize(program, getRecorded(actual.space), actual);
}

/// Checks that no size is recorded of a space that the program does not have.
LogicalResult ProgramChecker::checkExtraSizes() {
  for (const SpaceSize &size : program.getSizes()->getSpaces())
    if (!checkedSpaces.contains(size.space))
      return program.emitOpError()
             << "expects no size of the " << size.space.str()
             << ", in which no buffer is, but got " << size.bytes;
  return success();
}

template <typename PortOp>
LogicalResult ProgramChecker::checkPorts(SpaceRole role) {
  OwnedBySpace owned;
  owned.try_emplace(SpaceAttr::get(program.getContext(), role));
  for (auto port : program.getBody().getOps<PortOp>()) {
    SpaceAttr space = getSpace(port.getType());
    FailureOr<ByteRange> range = getRange(
        port, port.getOffset(), port.getType(), space, getRecorded(space));
    if (failed(range))
      return failure();
    owned[space].push_back({port, *range});
  }
  for (auto &[space, ranges] : owned) {
    FailureOr<int64_t> bytes = checkDisjoint(std::move(ranges));
    if (failed(bytes) || failed(checkSize({space, *bytes})))
      return failure();
  }
  return success();
}

LogicalResult ProgramChecker::checkWorkspace() {
  llvm::MapVector<SpaceAttr, int64_t> ends;
  ends[SpaceAttr::get(program.getContext(), SpaceRole::Workspace)] = 0;
  for (auto workspace : getOpsOfProgram<WorkspaceOp>(program)) {
    SpaceAttr space = getSpace(workspace.getType());
    int64_t offset = workspace.getOffset().value_or(0);
    if (offset % jobrt::calls::kWorkspaceAlignment != 0)
      return workspace.emitOpError()
             << "expects an offset that is a multiple of "
             << jobrt::calls::kWorkspaceAlignment << " but got " << offset;
    FailureOr<ByteRange> range =
        getRange(workspace, offset, workspace.getType(), space, std::nullopt);
    if (failed(range))
      return failure();
    ends[space] = std::max(ends[space], range->end);
  }
  for (auto [space, end] : ends) {
    auto bytes = static_cast<int64_t>(llvm::alignTo(end, JOBRT_ALIGNMENT));
    if (failed(checkSize({space, bytes})))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The arena
//===----------------------------------------------------------------------===//

/// The buffers that commands use, directly or through views. A repeat may need
/// what it did not make itself in every iteration.
FailureOr<llvm::MapVector<SpaceAttr, SmallVector<LiveRange>>>
ProgramChecker::getLiveRanges() {
  SmallVector<AllocOp> buffers;
  program.walk([&](AllocOp buffer) { buffers.push_back(buffer); });

  llvm::MapVector<SpaceAttr, SmallVector<LiveRange>> result;
  result.try_emplace(SpaceAttr::get(program.getContext(), SpaceRole::Arena));
  for (AllocOp buffer : buffers) {
    SpaceAttr space = getSpace(buffer.getType());
    SmallVector<LiveRange> &ranges = result[space];
    int64_t first = order.getCommands().size(), last = -1;
    QueueUses uses;
    SmallVector<Value> names = {buffer.getResult()};
    while (!names.empty())
      for (Operation *user : names.pop_back_val().getUsers()) {
        if (isa<ViewOp, MicroViewOp>(user)) {
          names.push_back(user->getResult(0));
          continue;
        }
        SmallVector<Operation *> alive = {user};
        if (user->getBlock() != buffer->getBlock())
          for (Operation &other : *user->getBlock())
            if (isa<PlanCommandOpInterface>(other))
              alive.push_back(&other);
        for (Operation *command : alive) {
          // Commands of a launch may run at once.
          auto [begin, end] = order.getLaunch(order.getNumber(command));
          first = std::min(first, begin);
          last = std::max(last, end);
          for (int64_t number : {begin, end})
            uses.add(cast<PlanCommandOpInterface>(command).getQueue(), number);
        }
      }
    if (last < 0)
      continue;
    FailureOr<ByteRange> range =
        getRange(buffer, buffer.getOffset(), buffer.getType(), space,
                 getRecorded(space));
    if (failed(range))
      return failure();
    ranges.push_back({buffer, *range, first, last, uses});
  }
  return result;
}

LogicalResult ProgramChecker::checkArenas() {
  auto arenas = getLiveRanges();
  if (failed(arenas))
    return failure();
  for (auto &[space, liveRanges] : *arenas)
    if (failed(checkArena(space, liveRanges)))
      return failure();
  return success();
}

LogicalResult ProgramChecker::checkArena(SpaceAttr space,
                                         ArrayRef<LiveRange> liveRanges) {
  // Goes through the commands with the buffers that are alive, by offset. They
  // are disjoint, so that a new one can only overlap its neighbours.
  std::vector<SmallVector<const LiveRange *>> born(order.getCommands().size()),
      dying(order.getCommands().size());
  for (const LiveRange &live : liveRanges)
    if (!live.range.isEmpty()) {
      born[live.first].push_back(&live);
      dying[live.last].push_back(&live);
    }
  std::map<int64_t, const LiveRange *> alive;
  int64_t arenaBytes = 0, liveBytes = 0, peakBytes = 0;
  for (size_t command = 0; command < born.size(); ++command) {
    for (const LiveRange *live : born[command]) {
      auto above = alive.lower_bound(live->range.begin);
      const LiveRange *other = nullptr;
      if (above != alive.end() && above->second->range.overlaps(live->range))
        other = above->second;
      else if (above != alive.begin() &&
               std::prev(above)->second->range.overlaps(live->range))
        other = std::prev(above)->second;
      if (other) {
        InFlightDiagnostic error =
            live->owner->emitOpError()
            << "expects no overlap from command " << live->first << " to "
            << live->last << " but " << live->range.str() << " overlaps";
        error.attachNote(other->owner->getLoc())
            << "with this one at " << other->range.str() << " from command "
            << other->first << " to " << other->last;
        return error;
      }
      alive.emplace(live->range.begin, live);
      arenaBytes = std::max(arenaBytes, live->range.end);
      liveBytes +=
          llvm::alignTo(live->range.end - live->range.begin, JOBRT_ALIGNMENT);
    }
    peakBytes = std::max(peakBytes, liveBytes);
    for (const LiveRange *live : dying[command]) {
      alive.erase(live->range.begin);
      liveBytes -=
          llvm::alignTo(live->range.end - live->range.begin, JOBRT_ALIGNMENT);
    }
  }
  if (failed(checkUnordered(liveRanges)))
    return failure();
  auto bytes = static_cast<int64_t>(llvm::alignTo(arenaBytes, JOBRT_ALIGNMENT));
  return checkSize({space, bytes, peakBytes});
}

/// With several queues, buffers that are not live at one command of the text
/// may still be live at once.
LogicalResult ProgramChecker::checkUnordered(ArrayRef<LiveRange> liveRanges) {
  if (order.isOrderOfText())
    return success();
  for (auto [number, live] : llvm::enumerate(liveRanges))
    for (const LiveRange &other : liveRanges.drop_front(number + 1)) {
      if (!live.range.overlaps(other.range) ||
          live.uses.areBefore(other.uses, order) ||
          other.uses.areBefore(live.uses, order))
        continue;
      InFlightDiagnostic error =
          other.owner->emitOpError()
          << "expects no overlap with a buffer that another queue may use at "
             "the same time but "
          << other.range.str() << " overlaps";
      error.attachNote(live.owner->getLoc())
          << "with this one at " << live.range.str();
      return error;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

LogicalResult ProgramChecker::failRace(int64_t number, int64_t other,
                                       Operation *buffer, StringRef use) {
  PlanCommandOpInterface command = order.getCommands()[number];
  PlanCommandOpInterface earlier = order.getCommands()[other];
  InFlightDiagnostic error = command->emitOpError()
                             << "expects queue " << command.getQueue()
                             << " to wait for command " << other << " on queue "
                             << earlier.getQueue() << ", which " << use
                             << " the same buffer, but got no plan.wait "
                                "between them";
  error.attachNote(earlier->getLoc()) << "command " << other << " is here";
  error.attachNote(buffer->getLoc()) << "the buffer is here";
  return error;
}

/// Checks that a command is ordered after all earlier ones that access the same
/// buffer, where one of the two writes. The last accesses of each queue stand
/// for all: what happens after them happens after those before them.
LogicalResult ProgramChecker::checkRace(int64_t number, OpOperand *operand,
                                        bool isWrite) {
  if (order.isOrderOfText())
    return success();
  Operation *buffer = getBufferRoot(operand->get());
  // The same variable may have several ops.
  if (auto variable = dyn_cast<GetVariableOp>(buffer))
    buffer = symbols.lookupNearestSymbolFrom(program, variable.getSymbolAttr());
  LastAccesses &last = accesses[buffer];
  if (last.reads.empty()) {
    last.reads.assign(order.getNumQueues(), -1);
    last.writes.assign(order.getNumQueues(), -1);
  }
  auto isRace = [&](int64_t other) {
    return other >= 0 && other != number && !order.isBefore(other, number);
  };
  for (unsigned queue = 0; queue < order.getNumQueues(); ++queue) {
    if (isRace(last.writes[queue]))
      return failRace(number, last.writes[queue], buffer, "writes");
    if (isWrite && isRace(last.reads[queue]))
      return failRace(number, last.reads[queue], buffer, "reads");
  }
  PlanCommandOpInterface command = order.getCommands()[number];
  (isWrite ? last.writes : last.reads)[command.getQueue()] = number;
  return success();
}

/// Workspaces of different ops may be the same memory.
LogicalResult ProgramChecker::checkWorkspaceRaces() {
  if (order.isOrderOfText())
    return success();
  struct Use {
    int64_t number;
    Operation *owner;
    SpaceAttr space;
    ByteRange range;
  };
  // By queue: its uses so far, and the bytes of each space in which they are.
  SmallVector<SmallVector<Use>> uses(order.getNumQueues());
  SmallVector<llvm::MapVector<SpaceAttr, ByteRange>> hulls(
      order.getNumQueues());
  for (auto [index, op] : llvm::enumerate(order.getCommands())) {
    PlanCommandOpInterface command = op;
    int64_t number = index;
    for (Value operand : command->getOperands()) {
      Operation *owner =
          isa<MemRefType>(operand.getType()) ? getBufferRoot(operand) : nullptr;
      if (!isa_and_present<WorkspaceOp>(owner))
        continue;
      BufferPlace place = getBufferPlace(operand, symbols);
      Use use{number,
              owner,
              place.space,
              {*place.offset, *place.offset + place.bytes}};
      // Those of one queue are ordered.
      for (unsigned queue = 0; queue < uses.size(); ++queue) {
        auto hull = hulls[queue].find(use.space);
        if (queue == command.getQueue() || hull == hulls[queue].end() ||
            !hull->second.overlaps(use.range))
          continue;
        for (const Use &other : uses[queue])
          if (other.space == use.space && other.range.overlaps(use.range) &&
              other.number != number && !order.isBefore(other.number, number))
            return failRace(number, other.number, owner, "uses");
      }
      uses[command.getQueue()].push_back(use);
      auto [hull, isNew] =
          hulls[command.getQueue()].try_emplace(use.space, use.range);
      hull->second.begin = std::min(hull->second.begin, use.range.begin);
      hull->second.end = std::max(hull->second.end, use.range.end);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// True for a view of an iteration's rows, or a view of one.
static bool isOfRows(Value buffer) {
  Operation *view = buffer.getDefiningOp();
  while (isa<ViewOp>(view))
    view = view->getOperand(0).getDefiningOp();
  return isa<MicroViewOp>(view);
}

/// True when everything that a command reads in `buffer` has been written.
bool ProgramChecker::isDefined(Operation *command, Value buffer) const {
  Operation *root = getBufferRoot(buffer);
  if (defined.contains(root))
    return true;
  auto it = filledIn.find(root);
  // Rows of later iterations are not there before the repeat has ended.
  return it != filledIn.end() &&
         (it->second != command->getParentOp() || isOfRows(buffer));
}

/// Checks what a command reads and writes, and that its operands are disjoint
/// where it writes.
LogicalResult ProgramChecker::checkCommand(PlanCommandOpInterface command) {
  llvm::BitVector read(command->getNumOperands());
  llvm::BitVector written(command->getNumOperands());
  int64_t number = order.getNumber(command);
  for (OpOperand *operand : command.getReadOperands())
    read.set(operand->getOperandNumber());
  for (OpOperand *operand : command.getWrittenOperands())
    written.set(operand->getOperandNumber());
  for (OpOperand &operand : command->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    if (!isa<MemRefType>(operand.get().getType()) ||
        isa<WorkspaceOp>(getBufferRoot(operand.get())))
      continue;
    if ((read[index] && failed(checkRace(number, &operand, false))) ||
        (written[index] && failed(checkRace(number, &operand, true))))
      return failure();
  }
  SmallVector<BufferPlace> places;
  SmallVector<Operation *> roots;
  for (auto [index, operand] : llvm::enumerate(command->getOperands())) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    places.push_back(getBufferPlace(operand, symbols));
    roots.push_back(getBufferRoot(operand));
    SpaceRole role = places.back().space.getRole();
    if (read[index] && role == SpaceRole::Workspace)
      return command->emitOpError()
             << "expects to read a buffer with defined contents but operand #"
             << index << " is a workspace";
    int64_t stride = places.back().stride;
    if (stride % JOBRT_ALIGNMENT != 0 && !command.acceptsUnalignedRows())
      return command->emitOpError()
             << "expects rows of a multiple of " << JOBRT_ALIGNMENT
             << " bytes but operand #" << index << " has " << stride
             << " in each iteration";
    if (read[index] &&
        (role == SpaceRole::Arena || role == SpaceRole::Outputs) &&
        !isDefined(command, operand)) {
      InFlightDiagnostic error = command->emitOpError()
                                 << "reads operand #" << index
                                 << " before anything was written to it";
      error.attachNote(roots.back()->getLoc()) << "the buffer is here";
      return error;
    }
    if (written[index] && role == SpaceRole::Constants)
      return command->emitOpError()
             << "expects to write a writable buffer but operand #" << index
             << " is a constant";
  }
  for (unsigned i = 0; i < places.size(); ++i)
    for (unsigned j = i + 1; j < places.size(); ++j) {
      const BufferPlace &a = places[i], &b = places[j];
      if (a.space != b.space || !(written[i] || written[j]))
        continue;
      // All have offsets, which was checked before.
      auto getAllIterations = [](const BufferPlace &place) {
        return ByteRange{*place.offset, *place.offset + place.bytes +
                                            place.stride * (place.count - 1)};
      };
      ByteRange first = getAllIterations(a), second = getAllIterations(b);
      if (first.overlaps(second))
        return command->emitOpError()
               << "expects buffers that do not overlap but operands #" << i
               << " and #" << j << " have bytes " << first.str() << " and "
               << second.str() << " of the " << a.space.str();
    }
  for (unsigned index : written.set_bits()) {
    if (isOfRows(command->getOperand(index)))
      filledIn.try_emplace(roots[index], command->getParentOp());
    else
      defined.insert(roots[index]);
  }
  return success();
}

static LogicalResult failInPlace(DispatchOp dispatch, unsigned number,
                                 Location kernel) {
  InFlightDiagnostic error =
      dispatch.emitOpError()
      << "expects a kernel that accesses operand #" << number
      << ", which it reads and writes, element by element";
  error.attachNote(kernel) << "the kernel is here";
  return error;
}

/// The same for a body whose loops it cannot see through.
static LogicalResult checkItemLoop(DispatchOp dispatch, ExecutableOp kernel) {
  FailureOr<ItemLoop> loop = ItemLoop::get(kernel.getBody());
  if (failed(loop))
    return failure();
  if (!dispatch.getInouts().empty())
    return failInPlace(dispatch,
                       dispatch.getInoutsMutable()[0].getOperandNumber(),
                       kernel.getLoc());
  for (OpOperand &operand : dispatch.getInsMutable()) {
    unsigned number = operand.getOperandNumber();
    if (!loop->written.test(number))
      continue;
    InFlightDiagnostic error =
        dispatch.emitOpError()
        << "expects a kernel that does not write operand #" << number
        << ", which it only reads";
    error.attachNote(kernel.getLoc()) << "the kernel is here";
    return error;
  }
  return success();
}

/// Checks that a kernel may read and write the buffers that it does both with,
/// and reads none of those that it only writes. What a kernel that has no body
/// does is trusted.
LogicalResult ProgramChecker::checkInPlace(DispatchOp dispatch) {
  auto kernel = symbols.lookupNearestSymbolFrom<ExecutableOp>(
      program, dispatch.getKernelAttr());
  func::FuncOp body = kernel.getBody();
  if (!body)
    return success();
  if (ItemLoop::isFormOf(body))
    return checkItemLoop(dispatch, kernel);
  auto [it, isNew] = nests.try_emplace(kernel);
  std::optional<KernelNest> &nest = it->second;
  if (isNew) {
    FailureOr<KernelNest> read = KernelNest::get(body);
    if (failed(read))
      return failure();
    nest = std::move(*read);
  }
  for (OpOperand &operand : dispatch.getInoutsMutable()) {
    unsigned number = operand.getOperandNumber();
    if (!nest->isUpdatedInPlace(number))
      return failInPlace(dispatch, number, kernel.getLoc());
  }
  for (OpOperand &operand : dispatch.getOutsMutable()) {
    unsigned number = operand.getOperandNumber();
    if (!nest->isRead(number))
      continue;
    InFlightDiagnostic error =
        dispatch.emitOpError()
        << "expects a kernel that does not read operand #" << number
        << ", which it only writes";
    error.attachNote(kernel.getLoc()) << "the kernel is here";
    return error;
  }
  return success();
}

/// Checks that the caller reads no output that no command has written.
LogicalResult ProgramChecker::checkOutputs() {
  for (auto output : program.getBody().getOps<OutputOp>())
    if (getBufferBytes(cast<MemRefType>(output.getResult().getType())) != 0 &&
        !defined.contains(output) && !filledIn.contains(output))
      return output.emitOpError(
          "expects to be written by a command but got none");
  return success();
}

LogicalResult ProgramChecker::check() {
  if (failed(checkPorts<InputOp>(SpaceRole::Inputs)) ||
      failed(checkPorts<OutputOp>(SpaceRole::Outputs)) ||
      failed(checkWorkspace()) || failed(checkWorkspaceRaces()) ||
      failed(checkArenas()) || failed(checkExtraSizes()))
    return failure();
  for (PlanCommandOpInterface command : order.getCommands()) {
    auto dispatch = dyn_cast<DispatchOp>(*command);
    if (failed(checkCommand(command)) ||
        (dispatch && failed(checkInPlace(dispatch))))
      return failure();
  }
  return checkOutputs();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Checks a space that all programs share.
static LogicalResult checkShared(ModuleOp module, SizesAttr recorded,
                                 SpaceAttr space, SmallVector<Owned> ranges) {
  FailureOr<int64_t> bytes = checkDisjoint(std::move(ranges));
  if (failed(bytes))
    return failure();
  return compareSize(module, recorded ? recorded.lookup(space) : std::nullopt,
                     {space, *bytes});
}

/// Checks the variables and the constants.
static LogicalResult checkShared(ModuleOp module) {
  auto recorded = module->getAttrOfType<SizesAttr>(kSizesAttrName);
  OwnedBySpace owned;
  auto add = [&](Operation *op, std::optional<int64_t> offset, ShapedType type,
                 SpaceAttr space) -> LogicalResult {
    FailureOr<ByteRange> range =
        getRange(op, offset, type, space,
                 recorded ? recorded.lookup(space) : std::nullopt);
    if (succeeded(range))
      owned[space].push_back({op, *range});
    return range;
  };
  // A module without any need not say so.
  if (recorded)
    for (const SpaceSize &size : recorded.getSpaces())
      owned.try_emplace(size.space);
  for (auto op : module.getOps<VariableOp>())
    if (failed(add(op, op.getOffset(), cast<ShapedType>(op.getType()),
                   getSpace(op.getType()))))
      return failure();
  for (auto op : module.getOps<ConstantOp>())
    if (failed(add(op, op.getOffset(), op.getValue().getShapedType(),
                   SpaceAttr::get(module.getContext(), SpaceRole::Constants))))
      return failure();
  for (auto &[space, ranges] : owned)
    if (failed(checkShared(module, recorded, space, std::move(ranges))))
      return failure();
  return success();
}

void PlanVerifyMemory::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(checkShared(module)))
    return signalPassFailure();
  SymbolTableCollection symbols;
  for (auto program : module.getOps<ProgramOp>())
    if (failed(ProgramChecker(program, symbols).check()))
      return signalPassFailure();
  markAllAnalysesPreserved();
}
