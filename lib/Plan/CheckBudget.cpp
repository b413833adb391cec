//===- CheckBudget.cpp - Programs need no more than they may --------------===//

#include "JobDialect/Plan/Passes.h"

#include "JobDialect/Analysis/MemoryReport.h"
#include "JobDialect/Support/Locations.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANCHECKBUDGET
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Buffers, and variables, that the report of a too large program names.
static constexpr size_t kMaxReported = 5;

namespace {

struct PlanCheckBudget
    : public plan::impl::PlanCheckBudgetBase<PlanCheckBudget> {
  using PlanCheckBudgetBase::PlanCheckBudgetBase;

  void runOnOperation() override;
};

} // namespace

/// Notes the largest variables of a device, which has no name where there is
/// one.
static void noteVariables(InFlightDiagnostic &error, ProgramOp program,
                          StringRef device) {
  auto module = program->getParentOfType<ModuleOp>();
  SmallVector<VariableOp> variables;
  // Spaces of the first device do not name it.
  auto isOnDevice = [&](VariableOp variable) {
    FlatSymbolRefAttr own = getSpace(variable.getType()).getDevice();
    return own ? own.getValue() == device
               : device.empty() ||
                     (*module.getOps<DeviceOp>().begin()).getSymName() ==
                         device;
  };
  for (auto variable : module.getOps<VariableOp>())
    if (isOnDevice(variable))
      variables.push_back(variable);
  auto getBytes = [](VariableOp variable) {
    return llvm::alignTo(getBufferBytes(variable.getType()), JOBRT_ALIGNMENT);
  };
  llvm::stable_sort(variables, [&](VariableOp a, VariableOp b) {
    return getBytes(a) > getBytes(b);
  });
  for (VariableOp variable : ArrayRef(variables).take_front(kMaxReported))
    error.attachNote(variable.getLoc())
        << getBytes(variable) << " bytes, "
        << job::formatBufferType(variable.getDeclaredType()) << " of variable '"
        << variable.getSymName() << "'";
}

/// Emits the error with the largest buffers of the command where most bytes are
/// live, and the largest variables, at the lines that the user wrote. `memory`
/// has the buffers of the device.
static void report(ProgramOp program, const job::DeviceMemory &device,
                   const job::ProgramMemory &memory, int64_t budget) {
  InFlightDiagnostic error = mlir::emitError(program.getLoc())
                             << "expects job '" << program.getSymName()
                             << "' to need at most " << budget << " bytes";
  if (!device.name.empty())
    error << " on " << device.name;
  error << " but it needs " << device.getTotal() << ": an arena of "
        << device.arena << ", variables of " << device.bank << ", staging of "
        << device.staging << ", a workspace of " << device.workspace
        << " and constants of " << device.constants;
  if (memory.buffers.empty())
    return noteVariables(error, program, device.name);
  error << "; " << memory.commands[memory.peakCommand].liveBytes
        << " are live at command " << memory.peakCommand;
  std::vector<size_t> live = memory.getPeakBuffers();
  for (size_t index : ArrayRef<size_t>(live).take_front(kMaxReported)) {
    const job::MemoryBuffer &buffer = memory.buffers[index];
    Diagnostic &note = error.attachNote(buffer.loc)
                       << buffer.bytes << " bytes, " << buffer.type;
    // Many ops may come of one line, a loop over layers, say.
    if (std::string name = job::getUserName(buffer.loc); !name.empty())
      note << " of '" << name << "'";
    note << ", are live there";
  }
  noteVariables(error, program, device.name);
}

/// Whether a device needs more for a program than the budget; reports those.
static bool exceeds(ProgramOp program, const job::ProgramMemory &memory,
                    int64_t budget) {
  if (memory.devices.empty()) {
    job::DeviceMemory device{"",
                             memory.arena,
                             memory.lowerBound,
                             memory.bank,
                             memory.constants,
                             memory.workspace,
                             memory.inputs + memory.outputs};
    if (device.getTotal() <= budget)
      return false;
    report(program, device, memory, budget);
    return true;
  }
  bool isAny = false;
  for (auto [number, device] : llvm::enumerate(memory.devices))
    if (device.getTotal() > budget) {
      report(program, device, job::getArenaOf(memory, number), budget);
      isAny = true;
    }
  return isAny;
}

void PlanCheckBudget::runOnOperation() {
  markAllAnalysesPreserved();
  if (budget < 0) {
    getOperation().emitError("expects a budget of at least 0 bytes but got ")
        << budget.getValue();
    return signalPassFailure();
  }
  auto programs = getOperation().getOps<ProgramOp>();
  if (budget == 0 || programs.empty())
    return;
  FailureOr<std::vector<job::ProgramMemory>> memories =
      job::collectMemory(getOperation());
  if (failed(memories))
    return signalPassFailure();
  // The initializer, which no user has written, has nothing to add to the jobs.
  bool hasFailed = false;
  for (bool isInit : {false, true})
    for (auto [program, memory] : llvm::zip_equal(programs, *memories)) {
      if ((program.getKind() == job::JobKind::Init) != isInit ||
          (hasFailed && isInit))
        continue;
      hasFailed |= exceeds(program, memory, budget);
    }
  if (hasFailed)
    signalPassFailure();
}
