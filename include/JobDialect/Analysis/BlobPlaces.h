//===- BlobPlaces.h - The memory of the blobs of a job ----------*- C++ -*-===//
//
// Decides in which memory the plan keeps every blob of a block: a job's, or
// that of its micro-steps. job-schedule and job-rematerialize predict the arena
// from these decisions, and convert-job-to-plan follows them, so the arena of
// the plan is the predicted one. Only the status of a kernel's checks may be
// counted for a kernel that turns out to need none.
//
// Decisions that depend on the order of the ops are for the block's current
// order.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_BLOBPLACES_H
#define JOBDIALECT_ANALYSIS_BLOBPLACES_H

#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Support/Schedule.h"

namespace mlir::job {

/// The memory that an op writes a result to.
struct BlobPlace {
  enum Kind {
    /// A buffer of its own in the arena.
    Arena,
    /// The buffer of the op's input `index`.
    Input,
    /// The memory of the variable that the result is assigned to.
    Variable,
    /// Output `index` of the job.
    Output,
    /// Sum `index` of the micro-steps.
    Sum,
    /// The rows of packed result `index` of the micro-steps.
    Rows
  };
  Kind kind = Arena;
  unsigned index = 0;
};

/// The value that defines the memory of `value`, looking through reshapes.
Value getMemory(Value value);

struct BlobPlacesOptions {
  /// Kernels may overwrite their inputs, unless the job forbids it.
  bool inPlace = true;
  /// What kernels and library calls compute is checked for NaN and infinity.
  bool checkNumerics = false;
  /// Of several devices, the one whose arena is asked about: what other devices
  /// hold has no bytes. Places are those of all devices without it.
  PlacementAttr device = {};
};

class BlobPlaces {
public:
  /// The block contains kernels.
  BlobPlaces(Block &block, BlobPlacesOptions options);

  /// The place of a result of a kernel, a library call or `job.micro_steps`.
  BlobPlace getPlace(OpResult result) const;

  /// Whether the plan copies a blob to the arena at its definition: the value
  /// of a variable that is needed after the variable has changed, or the rows
  /// of a micro-step that are not aligned.
  bool isCopied(Value value) const { return copied.contains(value); }

  /// The assignments of the job.
  ArrayRef<VariableUpdate> getUpdates() const { return updates; }
  /// Whether the assigned value is written straight to the variable.
  bool isInPlace(AssignOp assign) const {
    return variables.lookup(assign.getValue()) == assign;
  }
  /// The variable that a result with a place of kind Variable is written to.
  FlatSymbolRefAttr getVariable(Value value) const {
    AssignOp assign = variables.at(value);
    return assign.getVariableAttr();
  }

  /// The block as a graph: op number i is the i-th of the block, and a blob has
  /// bytes if it is in the arena. The last blob that a `job.micro_steps`
  /// defines stands for the buffers inside its region. The commands of one
  /// device are a group, and so are the copies between the same two.
  const ScheduleProblem &getGraph() const { return graph; }

  /// Bytes of the arena that are live at the peak.
  int64_t getPeakBytes() const;

private:
  void placeResults();
  void placeYielded(MicroStepsOp loop);
  void findCopies();
  bool needsOldValue(ReadOp read, Value value) const;
  int64_t getArenaBytes(Value value) const;
  bool isOnDevice(Value value) const;
  unsigned addBlob(Value value);
  unsigned getGroup(Operation *op);
  void addRead(ScheduledOp &scheduled, Value value, bool isRead);
  void addOp(Operation *op);
  void addHidden(ScheduledOp &scheduled, int64_t bytes);
  void addEdge(Operation *before, Operation *after);
  void orderVariables();
  void orderOtherEffects();
  void takeInputs();

  Block &block;
  BlobPlacesOptions options;
  /// The place of each result that is not in a buffer of its own.
  DenseMap<Value, BlobPlace> places;
  DenseSet<Value> copied;
  SmallVector<VariableUpdate> updates;
  /// New values that are written straight to a variable.
  DenseMap<Value, AssignOp> variables;
  ScheduleProblem graph;
  DenseMap<Operation *, unsigned> number;
  DenseMap<Value, unsigned> blobs;
  /// Of the devices that commands copy from and to, or run on.
  DenseMap<std::pair<PlacementAttr, PlacementAttr>, unsigned> groups;
};

/// The numbers of the ops in the order of the graph.
SmallVector<unsigned> getGivenOrder(const ScheduleProblem &problem);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_BLOBPLACES_H
