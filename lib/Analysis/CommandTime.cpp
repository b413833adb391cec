//===- CommandTime.cpp - Estimated times of commands on a GPU -------------===//

#include "JobDialect/Analysis/CommandTime.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Support/QueueSchedule.h"

using namespace mlir;
using namespace mlir::job;

StringRef job::stringifyTimeLimit(TimeLimit limit) {
  switch (limit) {
  case TimeLimit::Memory:
    return "memory";
  case TimeLimit::Arithmetic:
    return "arithmetic";
  case TimeLimit::Transfer:
    return "transfer";
  case TimeLimit::Network:
    return "network";
  }
  llvm_unreachable("unknown limit");
}

/// Whether a buffer is an input or an output, or a part of one.
static bool isStaging(Value buffer) {
  plan::SpaceAttr space = plan::getSpace(buffer.getType());
  return space && (space.getRole() == plan::SpaceRole::Inputs ||
                   space.getRole() == plan::SpaceRole::Outputs);
}

/// Operations a microsecond that the command can compute.
static double getArithmeticRate(plan::PlanCommandOpInterface command,
                                const DeviceRates &rates) {
  constexpr double kTera = 1e6;
  auto call = dyn_cast<plan::CallOp>(*command);
  if (!call || plan::getReadBuffers(command).empty())
    return rates.f32Rate * kTera;
  // Products of libraries run on tensor cores.
  auto type = cast<MemRefType>(plan::getReadBuffers(command).front().getType());
  double rate = type.getElementTypeBitWidth() <= 16 ? rates.narrowRate
                : call.getConfig().usesTF32()       ? rates.tf32Rate
                                                    : rates.f32Rate;
  return rate * rates.matrixEfficiency * kTera;
}

CommandTime job::estimateTime(plan::PlanCommandOpInterface command,
                              const DeviceRates &rates, bool isOnOneDevice) {
  constexpr double kGiga = 1e3;
  CommandTime time;
  time.command = command;
  if (auto loop = command->getParentOfType<plan::RepeatOp>())
    time.executions = loop.getCount();
  // Events are edges of the graph; a launch has one node.
  if (!isa<plan::RecordOp, plan::WaitOp>(*command) &&
      !command.isInLaunchBefore())
    time.launch = rates.launch * time.executions;
  OpCost cost = getOpCost(command);
  SmallVector<Value> buffers = plan::getReadBuffers(command);
  llvm::append_range(buffers, plan::getWrittenBuffers(command));
  double bytes = double(cost.bytesRead) + cost.bytesWritten;
  if (auto call = dyn_cast<plan::CallOp>(*command))
    bytes += call.getConfig().getWorkspaceTraffic();
  double memory = bytes / (rates.bandwidth * rates.bandwidthEfficiency * kGiga);
  double arithmetic = cost.flops / getArithmeticRate(command, rates);
  time.limit = memory >= arithmetic ? TimeLimit::Memory : TimeLimit::Arithmetic;
  time.work = std::max(memory, arithmetic) * time.executions;
  double network = command.getNetworkBytes() / (rates.network * kGiga);
  if (network > std::max(memory, arithmetic)) {
    time.limit = TimeLimit::Network;
    time.work = network * time.executions;
  }
  // Those of a program on one device are in its memory.
  if (!isOnOneDevice && llvm::any_of(buffers, isStaging)) {
    time.limit = TimeLimit::Transfer;
    time.work = cost.bytesWritten / (rates.link * kGiga) * time.executions;
  }
  return time;
}

double job::estimateTime(plan::ProgramOp program, ArrayRef<CommandTime> times,
                         const plan::CommandOrder &order) {
  SmallVector<unsigned> devices =
      plan::getDevicesOfQueues(program->getParentOfType<ModuleOp>());
  std::vector<QueueUnit> units;
  std::vector<unsigned> queueOf;
  // By queue, the commands so far, and for each command its unit.
  std::vector<SmallVector<unsigned>> earlier(devices.size());
  std::vector<unsigned> unitOf;
  for (auto [number, time] : llvm::enumerate(times)) {
    plan::PlanCommandOpInterface command = time.command;
    unsigned queue = command.getQueue();
    if (!command.isInLaunchBefore()) {
      units.emplace_back();
      queueOf.push_back(queue);
    }
    unitOf.push_back(units.size() - 1);
    QueueUnit &unit = units.back();
    unit.launch += time.launch;
    unit.work += time.work;
    // Those of its own queue are before it anyway.
    for (unsigned other = 0; other < earlier.size(); ++other) {
      if (other == queue)
        continue;
      auto end = llvm::partition_point(earlier[other], [&](unsigned command) {
        return order.isBefore(command, number);
      });
      if (end != earlier[other].begin())
        unit.waits.push_back(unitOf[*std::prev(end)]);
    }
    earlier[queue].push_back(number);
  }
  return getQueueTime(units, queueOf, devices);
}
