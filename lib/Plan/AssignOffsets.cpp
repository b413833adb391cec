//===- AssignOffsets.cpp - Lay out banks, constants and slots -------------===//

#include "JobDialect/Plan/Passes.h"

#include "jobrt/abi.h"
#include "jobrt/calls/common.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace mlir::plan {
#define GEN_PASS_DEF_PLANASSIGNOFFSETS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

namespace {

/// A space that is filled from its beginning, nothing shared.
class Layout {
public:
  explicit Layout(SpaceAttr space) : space(space) {}

  /// Gives `op` the next `bytes` bytes. The largest op is to blame when they
  /// are too many, not the one that happens to come last.
  template <typename OpTy> LogicalResult place(OpTy op, int64_t bytes) {
    if (!largest || bytes > largestBytes) {
      largest = op;
      largestBytes = bytes;
    }
    // Neither is above kMaxSpaceBytes: the sum is no overflow.
    if (end + bytes > kMaxSpaceBytes)
      return emitError(largest->getLoc())
             << "expects at most " << kMaxSpaceBytes << " bytes of "
             << space.str() << " but got at least " << end + bytes
             << ", of which " << largestBytes << " are here";
    op.setOffset(end);
    end = llvm::alignTo(end + bytes, JOBRT_ALIGNMENT);
    return success();
  }

  SpaceSize getSize() const { return {space, end}; }

private:
  SpaceAttr space;
  int64_t end = 0;
  Operation *largest = nullptr;
  int64_t largestBytes = 0;
};

/// The spaces of one role, on the first device and wherever else something is.
class Layouts {
public:
  explicit Layouts(SpaceAttr first) { layouts.try_emplace(first, first); }

  template <typename OpTy>
  LogicalResult place(OpTy op, SpaceAttr space, int64_t bytes) {
    return layouts.try_emplace(space, space).first->second.place(op, bytes);
  }
  void appendSizes(SmallVectorImpl<SpaceSize> &sizes) const {
    for (const auto &[space, layout] : layouts)
      sizes.push_back(layout.getSize());
  }

private:
  llvm::MapVector<SpaceAttr, Layout> layouts;
};

struct PlanAssignOffsets
    : public plan::impl::PlanAssignOffsetsBase<PlanAssignOffsets> {
  void runOnOperation() override;
};

} // namespace

static int64_t getResultBytes(Operation *op) {
  return getBufferBytes(cast<MemRefType>(op->getResult(0).getType()));
}

/// Lays out the inputs or the outputs of a program.
template <typename PortOp>
static LogicalResult placePorts(ProgramOp program, SpaceRole role,
                                SmallVectorImpl<SpaceSize> &sizes) {
  SmallVector<PortOp> ports =
      llvm::to_vector(program.getBody().getOps<PortOp>());
  llvm::sort(ports,
             [](PortOp a, PortOp b) { return a.getIndex() < b.getIndex(); });
  Layouts layouts(SpaceAttr::get(program.getContext(), role));
  for (PortOp port : ports)
    if (failed(layouts.place(port, getSpace(port.getType()),
                             getResultBytes(port))))
      return failure();
  layouts.appendSizes(sizes);
  return success();
}

/// Gives each queue a workspace of its own, one behind the other, each at a
/// multiple of kWorkspaceAlignment.
static LogicalResult placeWorkspaces(ProgramOp program,
                                     SmallVectorImpl<SpaceSize> &sizes) {
  // By queue; a workspace belongs to the first queue that uses it.
  std::map<uint64_t, SmallVector<WorkspaceOp>> workspaces;
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (PlanCommandOpInterface command : getCommands(program))
    for (Value operand : command->getOperands())
      if (auto workspace = dyn_cast<WorkspaceOp>(getBufferRoot(operand)))
        if (seen.insert(workspace).second)
          workspaces[command.getQueue()].push_back(workspace);
  for (auto workspace : getOpsOfProgram<WorkspaceOp>(program))
    if (!seen.contains(workspace))
      workspaces[0].push_back(workspace);

  llvm::MapVector<SpaceAttr, int64_t> ends;
  ends[SpaceAttr::get(program.getContext(), SpaceRole::Workspace)] = 0;
  auto getBegin = [&](SpaceAttr space) -> int64_t {
    return llvm::alignTo(ends[space], jobrt::calls::kWorkspaceAlignment);
  };
  for (auto &[queue, ops] : workspaces) {
    // Those of one queue are on its device.
    llvm::MapVector<SpaceAttr, int64_t> bytes;
    for (WorkspaceOp workspace : ops) {
      SpaceAttr space = getSpace(workspace.getType());
      if (int64_t offset = getBegin(space); offset > 0)
        workspace.setOffset(offset);
      else
        workspace.removeOffsetAttr();
      bytes[space] = std::max(bytes[space], getResultBytes(workspace));
    }
    for (auto [space, added] : bytes) {
      int64_t end = llvm::alignTo(getBegin(space) + added, JOBRT_ALIGNMENT);
      if (end > kMaxSpaceBytes)
        return program.emitOpError()
               << "expects workspaces of at most " << kMaxSpaceBytes
               << " bytes but got " << end;
      ends[space] = end;
    }
  }
  for (auto [space, end] : ends)
    sizes.push_back({space, end});
  return success();
}

static LogicalResult assignOffsets(ProgramOp program) {
  SmallVector<SpaceSize> sizes;
  if (failed(placePorts<InputOp>(program, SpaceRole::Inputs, sizes)) ||
      failed(placePorts<OutputOp>(program, SpaceRole::Outputs, sizes)) ||
      failed(placeWorkspaces(program, sizes)))
    return failure();
  program.updateSizes(sizes);
  return success();
}

void PlanAssignOffsets::runOnOperation() {
  ModuleOp module = getOperation();
  auto getShared = [&](SpaceRole role) {
    return SpaceAttr::get(&getContext(), role);
  };
  Layouts variables(getShared(SpaceRole::Variables));
  // Programs of every device find a constant at the same offset.
  SpaceAttr constantsSpace = getShared(SpaceRole::Constants);
  Layouts constants(constantsSpace);
  for (auto variable : module.getOps<VariableOp>())
    if (failed(variables.place(
            variable, getSpace(variable.getType()),
            getBufferBytes(cast<MemRefType>(variable.getType())))))
      return signalPassFailure();
  for (auto constant : module.getOps<ConstantOp>())
    if (failed(constants.place(
            constant, constantsSpace,
            getBufferBytes(constant.getValue().getShapedType()))))
      return signalPassFailure();
  for (auto program : module.getOps<ProgramOp>())
    if (failed(assignOffsets(program)))
      return signalPassFailure();
  SmallVector<SpaceSize> sizes;
  variables.appendSizes(sizes);
  constants.appendSizes(sizes);
  module->setAttr(kSizesAttrName, SizesAttr::get(&getContext(), sizes));
}
