//===- CommandTime.h - Estimated times of commands on a GPU -----*- C++ -*-===//
//
// An estimate from the bytes and operations of a command, without a device.
// job-report-time prints it, and plan-assign-queues compares plans by it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_COMMANDTIME_H
#define JOBDIALECT_ANALYSIS_COMMANDTIME_H

#include "JobDialect/Analysis/CommandOrder.h"

namespace mlir::job {

/// What a device reaches.
struct DeviceRates {
  /// GB/s: of its memory, to the host, and to the devices of other ranks.
  double bandwidth, link, network;
  /// TFLOP/s: products of f16 and bf16, of f32 as TF32, all other operations.
  double narrowRate, tf32Rate, f32Rate;
  /// Microseconds: a node of a graph.
  double launch;
  /// The part of the bandwidth that kernels reach, and of their rate that
  /// products reach.
  double bandwidthEfficiency, matrixEfficiency;
};

/// An H200, whose rates are those that large products and copies reach.
inline constexpr DeviceRates kH200Rates = {/*bandwidth=*/4300,
                                           /*link=*/50,
                                           /*network=*/450,
                                           /*narrowRate=*/790,
                                           /*tf32Rate=*/395,
                                           /*f32Rate=*/60,
                                           /*launch=*/2,
                                           /*bandwidthEfficiency=*/0.8,
                                           /*matrixEfficiency=*/0.7};

/// What the time of a command depends on most.
enum class TimeLimit { Memory, Arithmetic, Transfer, Network };

/// "memory", "arithmetic", "transfer" or "network".
StringRef stringifyTimeLimit(TimeLimit limit);

/// The estimate of one command. Times are microseconds, of all of its
/// executions in a step.
struct CommandTime {
  plan::PlanCommandOpInterface command;
  int64_t executions = 1;
  double launch = 0, work = 0;
  TimeLimit limit = TimeLimit::Memory;

  double getTotal() const { return launch + work; }
};

/// Precondition: the command is on a device of kind cuda.
CommandTime estimateTime(plan::PlanCommandOpInterface command,
                         const DeviceRates &rates, bool isOnOneDevice);

/// The time of all commands, each on its queue: `times` of the commands of
/// `order`, which are those of `program`.
double estimateTime(plan::ProgramOp program, ArrayRef<CommandTime> times,
                    const plan::CommandOrder &order);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_COMMANDTIME_H
