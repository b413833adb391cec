//===- TimeReport.cpp - An estimate of the time of programs ---------------===//

#include "JobDialect/Analysis/CommandTime.h"
#include "JobDialect/Analysis/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/OutputFile.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Support/Units.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace mlir::job {
#define GEN_PASS_DEF_JOBREPORTTIME
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The rates are those of a GPU.
static LogicalResult verifyDevice(plan::ProgramOp program) {
  for (plan::PlanCommandOpInterface command : plan::getCommands(program))
    if (plan::getTarget(command) != kCUDATarget)
      return command.emitOpError("expects a program on a device of kind cuda "
                                 "but got a command on the host");
  return success();
}

namespace {

struct ReportTimePass : public job::impl::JobReportTimeBase<ReportTimePass> {
  using JobReportTimeBase::JobReportTimeBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyOptions()))
      return signalPassFailure();
    std::string text;
    llvm::raw_string_ostream os(text);
    for (auto program : getOperation().getOps<plan::ProgramOp>()) {
      if (failed(verifyDevice(program)))
        return signalPassFailure();
      write(os, program);
    }
    if (text.empty()) {
      emitError(getOperation().getLoc(),
                "expects a plan.program: run job-plan-pipeline first");
      return signalPassFailure();
    }
    if (failed(writeOutputFile(getOperation().getLoc(), output, text)))
      return signalPassFailure();
  }

private:
  LogicalResult verifyOptions();
  DeviceRates getRates() const {
    return {bandwidth,       link,    network, narrowRate,
            tf32Rate,        f32Rate, launch,  bandwidthEfficiency,
            matrixEfficiency};
  }
  template <typename PortOp> double getCopyTime(plan::ProgramOp program) const;
  void write(raw_ostream &os, plan::ProgramOp program) const;
};

} // namespace

LogicalResult ReportTimePass::verifyOptions() {
  for (const auto *option :
       {&bandwidth, &link, &network, &narrowRate, &tf32Rate, &f32Rate,
        &bandwidthEfficiency, &matrixEfficiency})
    if (!(*option > 0))
      return emitError(getOperation().getLoc())
             << "expects a positive number for " << option->getArgStr()
             << " but got " << llvm::formatv("{0}", double(*option)).str();
  if (!(launch >= 0))
    return emitError(getOperation().getLoc())
           << "expects 0 or more microseconds for launch but got "
           << llvm::formatv("{0}", double(launch)).str();
  return success();
}

/// The time in which the driver copies all inputs, or all outputs, between the
/// host and a device.
template <typename PortOp>
double ReportTimePass::getCopyTime(plan::ProgramOp program) const {
  if (!plan::isOnOneDevice(program))
    return 0;
  constexpr double kGiga = 1e3;
  double bytes = 0;
  for (auto port : program.getBody().getOps<PortOp>())
    bytes += plan::getBufferBytes(port.getResult().getType());
  return bytes / (link * kGiga);
}

void ReportTimePass::write(raw_ostream &os, plan::ProgramOp program) const {
  DeviceRates rates = getRates();
  plan::CommandOrder commandOrder(program);
  bool isOnOneDevice = plan::isOnOneDevice(program);
  std::vector<CommandTime> times;
  for (plan::PlanCommandOpInterface command : commandOrder.getCommands())
    times.push_back(estimateTime(command, rates, isOnOneDevice));
  auto sum = [&](auto part) {
    return std::accumulate(
        times.begin(), times.end(), 0.0,
        [&](double sum, const CommandTime &time) { return sum + part(time); });
  };
  auto sumLimit = [&](TimeLimit limit) {
    return sum([&](const CommandTime &time) {
      return time.limit == limit ? time.work : 0;
    });
  };
  auto row = [&](StringRef what, double microseconds) {
    os << "  " << llvm::left_justify(what, 18)
       << llvm::format("%14.2f", microseconds) << '\n';
  };
  int64_t executions =
      sum([](const CommandTime &time) { return double(time.executions); });
  os << "time of '" << program.getSymName() << "' ("
     << stringifyJobKind(program.getKind()) << "), " << formatDigits(executions)
     << " commands, estimated, microseconds:\n";
  row("launches", sum([](const CommandTime &time) { return time.launch; }));
  row("memory", sumLimit(TimeLimit::Memory));
  row("arithmetic", sumLimit(TimeLimit::Arithmetic));
  if (double time = sumLimit(TimeLimit::Transfer))
    row("transfers", time);
  if (double time = sumLimit(TimeLimit::Network))
    row("network", time);
  double commands = estimateTime(program, times, commandOrder);
  double inputs = getCopyTime<plan::InputOp>(program);
  double outputs = getCopyTime<plan::OutputOp>(program);
  row("commands", commands);
  row("inputs", inputs);
  row("outputs", outputs);
  row("total", std::max({commands, inputs, outputs}));

  // Those with the same time stay in their order.
  std::vector<size_t> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-times[a].getTotal(), a) <
           std::pair(-times[b].getTotal(), b);
  });
  size_t shown = std::min<size_t>(times.size(), largest);
  for (size_t index : ArrayRef(order).take_front(shown)) {
    CommandTime &time = times[index];
    Location loc = time.command->getLoc();
    os << llvm::format("    %14.2f", time.getTotal()) << "  "
       << llvm::left_justify(stringifyTimeLimit(time.limit), 10) << "  "
       << time.command.getTitle();
    if (std::string name = getUserName(loc); !name.empty())
      os << ", " << name;
    if (std::optional<UserLocation> line = getUserLocation(loc))
      os << " (" << line->str() << ')';
    os << '\n';
  }
  if (shown < times.size())
    os << "    and " << times.size() - shown << " shorter\n";
}
