//===- QueueSchedule.h - Which queue runs what ------------------*- C++ -*-===//
//
// Pure functions on the units that a device runs, independent of IR;
// plan-assign-queues and job-report-time call them. A unit is what a device
// starts at once: a kernel, several kernels of one launch, or a call.
//
// The model: a unit is ready when all that it waits for, and the unit before it
// on its queue, have ended. The device launches one unit at a time, and works on
// one at a time, both in the order in which they become ready. So on several
// queues one unit is launched while the device works on another one; launches,
// and the work, take as long as on one queue. Kernels that leave parts of a
// device idle would gain more.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_QUEUESCHEDULE_H
#define JOBDIALECT_SUPPORT_QUEUESCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::job {

/// A unit of a list in which each one is behind those that it waits for.
struct QueueUnit {
  /// Times in one unit, such as microseconds.
  double launch = 0, work = 0;
  /// The numbers of others, each smaller than its own.
  llvm::SmallVector<unsigned, 4> waits;
};

/// The end of the last unit: units in a valid order, for each one its queue,
/// and for each queue its device. Units of one queue run in this order.
/// Precondition: there is a queue.
double getQueueTime(llvm::ArrayRef<QueueUnit> units,
                    llvm::ArrayRef<unsigned> queueOf,
                    llvm::ArrayRef<unsigned> deviceOf);

struct QueueSchedule {
  /// The numbers of all units, in an order in which they may run.
  std::vector<unsigned> order;
  /// For each unit its queue.
  std::vector<unsigned> queueOf;
  /// By getQueueTime(), of one device.
  double time = 0;
};

/// Distributes the units to the queues of one device: again and again the unit
/// that the device can begin to work on first, of several the one behind which
/// the longest chain of units waits. Takes the number of units times the number
/// of those that are ready at once.
/// Precondition: numQueues >= 1.
QueueSchedule planQueues(llvm::ArrayRef<QueueUnit> units, unsigned numQueues);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_QUEUESCHEDULE_H
