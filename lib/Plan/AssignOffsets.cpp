//===- AssignOffsets.cpp - Lay out banks, constants and slots -------------===//

#include "JobDialect/Plan/Passes.h"

#include "jobrt/abi.h"

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
  explicit Layout(StringRef content) : content(content) {}

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
             << "expects at most " << kMaxSpaceBytes << " bytes of " << content
             << " but got at least " << end + bytes << ", of which "
             << largestBytes << " are here";
    op.setOffset(end);
    end = llvm::alignTo(end + bytes, JOBRT_ALIGNMENT);
    return success();
  }

  int64_t getBytes() const { return end; }

private:
  /// "variables", say.
  StringRef content;
  int64_t end = 0;
  Operation *largest = nullptr;
  int64_t largestBytes = 0;
};

struct PlanAssignOffsets
    : public plan::impl::PlanAssignOffsetsBase<PlanAssignOffsets> {
  void runOnOperation() override;
};

} // namespace

static int64_t getResultBytes(Operation *op) {
  return getBufferBytes(cast<MemRefType>(op->getResult(0).getType()));
}

/// Lays out the inputs or the outputs of a program and returns their bytes.
template <typename PortOp>
static FailureOr<int64_t> placePorts(ProgramOp program, StringRef content) {
  SmallVector<PortOp> ports =
      llvm::to_vector(program.getBody().getOps<PortOp>());
  llvm::sort(ports,
             [](PortOp a, PortOp b) { return a.getIndex() < b.getIndex(); });
  Layout layout(content);
  for (PortOp port : ports)
    if (failed(layout.place(port, getResultBytes(port))))
      return failure();
  return layout.getBytes();
}

/// Gives each queue a workspace of its own, one behind the other, and returns
/// the bytes of all.
static FailureOr<int64_t> placeWorkspaces(ProgramOp program) {
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
  int64_t offset = 0;
  for (auto &[queue, ops] : workspaces) {
    int64_t bytes = 0;
    for (WorkspaceOp workspace : ops) {
      if (offset > 0)
        workspace.setOffset(offset);
      else
        workspace.removeOffsetAttr();
      bytes = std::max(bytes, getResultBytes(workspace));
    }
    offset = llvm::alignTo(offset + bytes, JOBRT_ALIGNMENT);
    if (offset > kMaxSpaceBytes)
      return program.emitOpError()
             << "expects workspaces of at most " << kMaxSpaceBytes
             << " bytes but got " << offset;
  }
  return offset;
}

static LogicalResult assignOffsets(ProgramOp program) {
  FailureOr<int64_t> inputBytes = placePorts<InputOp>(program, "inputs");
  FailureOr<int64_t> outputBytes = placePorts<OutputOp>(program, "outputs");
  if (failed(inputBytes) || failed(outputBytes))
    return failure();
  FailureOr<int64_t> workspaceBytes = placeWorkspaces(program);
  if (failed(workspaceBytes))
    return failure();
  program.setInputBytes(*inputBytes);
  program.setOutputBytes(*outputBytes);
  program.setWorkspaceBytes(*workspaceBytes);
  return success();
}

void PlanAssignOffsets::runOnOperation() {
  ModuleOp module = getOperation();
  Layout bank("variables"), constants("constants");
  for (auto variable : module.getOps<VariableOp>())
    if (failed(bank.place(
            variable, getBufferBytes(cast<MemRefType>(variable.getType())))))
      return signalPassFailure();
  for (auto constant : module.getOps<ConstantOp>())
    if (failed(constants.place(
            constant, getBufferBytes(constant.getValue().getShapedType()))))
      return signalPassFailure();
  for (auto program : module.getOps<ProgramOp>())
    if (failed(assignOffsets(program)))
      return signalPassFailure();
}
