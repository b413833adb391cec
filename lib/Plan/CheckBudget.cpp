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

/// Buffers that the report of a too large program names.
static constexpr size_t kMaxReported = 5;

namespace {

struct PlanCheckBudget
    : public plan::impl::PlanCheckBudgetBase<PlanCheckBudget> {
  using PlanCheckBudgetBase::PlanCheckBudgetBase;

  void runOnOperation() override;
};

} // namespace

/// Emits the error and the largest buffers of the command where most bytes are
/// live, at the lines that the user wrote. `memory` has the buffers of the
/// device.
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
    return;
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
  for (auto [program, memory] : llvm::zip_equal(programs, *memories)) {
    if (memory.devices.empty()) {
      job::DeviceMemory device{"",
                               memory.arena,
                               memory.lowerBound,
                               memory.bank,
                               memory.constants,
                               memory.workspace,
                               memory.inputs + memory.outputs};
      if (device.getTotal() > budget) {
        report(program, device, memory, budget);
        signalPassFailure();
      }
    }
    for (auto [number, device] : llvm::enumerate(memory.devices)) {
      if (device.getTotal() <= budget)
        continue;
      report(program, device, job::getArenaOf(memory, number), budget);
      signalPassFailure();
    }
  }
}
