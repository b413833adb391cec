//===- Launches.h - Dispatches that run in one launch -----------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_LAUNCHES_H
#define JOBDIALECT_LIB_PLAN_LAUNCHES_H

#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// The dispatches of the launch that ends with `last`, in order.
SmallVector<DispatchOp> getLaunch(DispatchOp last);

/// What the memory of a buffer is named by before it has an offset: buffers
/// with the same one share memory, all others are apart.
const void *getMemory(Value buffer);

/// The bytes of a buffer, which need not have an offset.
struct BufferLocation {
  BufferPlace place;
  const void *memory;
};
BufferLocation getLocation(Value buffer, SymbolTableCollection &symbols);
bool mayOverlap(const BufferLocation &a, const BufferLocation &b);

/// Whether two buffers may share bytes. They need not have offsets.
bool mayOverlap(Value a, Value b, SymbolTableCollection &symbols);
/// The same for one of some buffers and one of others; null is none.
bool mayOverlap(ArrayRef<Value> buffers, ArrayRef<Value> others,
                SymbolTableCollection &symbols);

/// Which commands depend on the order that they have. What a command accesses
/// is found out once: commands may move meanwhile, but not change.
class CommandConflicts {
public:
  explicit CommandConflicts(SymbolTableCollection &symbols)
      : symbols(symbols) {}

  /// Whether one of two commands may write what the other one accesses. Buffers
  /// need not have offsets.
  bool mayConflict(PlanCommandOpInterface a, PlanCommandOpInterface b);

private:
  struct Access {
    BufferLocation location;
    bool isWritten;
  };
  const SmallVector<Access> &getAccesses(PlanCommandOpInterface command);

  SymbolTableCollection &symbols;
  /// By command. Not moved when another one is added.
  llvm::DenseMap<Operation *, std::unique_ptr<SmallVector<Access>>> accesses;
};

/// Makes buffers be defined before an operation of their block; all are before
/// `end`. Buffers are defined by operations that are no commands.
void defineBefore(ValueRange buffers, Operation *op, Operation *end);

/// The parameters of a dispatch's kernel.
int64_t getNumParameters(DispatchOp dispatch);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_LAUNCHES_H
