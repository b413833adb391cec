//===- Launches.cpp - Dispatches that run in one launch -------------------===//

#include "Launches.h"

#include "Epilogues.h"

using namespace mlir;
using namespace mlir::plan;

SmallVector<DispatchOp> plan::getLaunch(DispatchOp last) {
  SmallVector<DispatchOp> launch{last};
  while (launch.back().getJoined()) {
    Operation *before = getPredecessor(launch.back());
    auto dispatch = dyn_cast_if_present<DispatchOp>(before);
    if (!dispatch)
      break;
    launch.push_back(dispatch);
  }
  std::reverse(launch.begin(), launch.end());
  return launch;
}

const void *plan::getMemory(Value buffer) {
  Operation *root = getBufferRoot(buffer);
  if (auto variable = dyn_cast<GetVariableOp>(root))
    return variable.getSymbolAttr().getAsOpaquePointer();
  return root;
}

BufferLocation plan::getLocation(Value buffer, SymbolTableCollection &symbols) {
  return {getBufferPlace(buffer, symbols), getMemory(buffer)};
}

bool plan::mayOverlap(const BufferLocation &a, const BufferLocation &b) {
  if (!a.place.offset || !b.place.offset)
    return a.memory == b.memory;
  return mayOverlap(a.place, b.place);
}

bool plan::mayOverlap(Value a, Value b, SymbolTableCollection &symbols) {
  return mayOverlap(getLocation(a, symbols), getLocation(b, symbols));
}

bool plan::mayOverlap(ArrayRef<Value> buffers, ArrayRef<Value> others,
                      SymbolTableCollection &symbols) {
  auto getLocations = [&](ArrayRef<Value> values) {
    SmallVector<BufferLocation> locations;
    for (Value value : values)
      if (value)
        locations.push_back(getLocation(value, symbols));
    return locations;
  };
  SmallVector<BufferLocation> otherLocations = getLocations(others);
  return llvm::any_of(getLocations(buffers), [&](const BufferLocation &buffer) {
    return llvm::any_of(otherLocations, [&](const BufferLocation &other) {
      return mayOverlap(buffer, other);
    });
  });
}

const SmallVector<CommandConflicts::Access> &
CommandConflicts::getAccesses(PlanCommandOpInterface command) {
  std::unique_ptr<SmallVector<Access>> &found = accesses[command];
  if (found)
    return *found;
  found = std::make_unique<SmallVector<Access>>();
  SmallVector<OpOperand *> written = command.getWrittenOperands();
  for (OpOperand &operand : command->getOpOperands())
    if (Value buffer = operand.get(); isa<MemRefType>(buffer.getType()))
      found->push_back({getLocation(buffer, symbols),
                        llvm::is_contained(written, &operand)});
  return *found;
}

bool CommandConflicts::mayConflict(PlanCommandOpInterface a,
                                   PlanCommandOpInterface b) {
  ArrayRef<Access> others = getAccesses(b);
  return llvm::any_of(getAccesses(a), [&](const Access &access) {
    return llvm::any_of(others, [&](const Access &other) {
      return (access.isWritten || other.isWritten) &&
             mayOverlap(access.location, other.location);
    });
  });
}

/// The operations that define buffers, and those that they need for it.
static void collectDefinitions(ValueRange buffers,
                               llvm::DenseSet<Operation *> &definitions) {
  for (Value buffer : buffers)
    if (Operation *def = buffer.getDefiningOp();
        def && definitions.insert(def).second)
      collectDefinitions(def->getOperands(), definitions);
}

void plan::defineBefore(ValueRange buffers, Operation *op, Operation *end) {
  // Operations are not asked for their order: a block numbers all of them again
  // after each move.
  llvm::DenseSet<Operation *> definitions;
  collectDefinitions(buffers, definitions);
  for (Operation &other : llvm::make_early_inc_range(
           llvm::make_range(op->getIterator(), end->getIterator())))
    if (definitions.contains(&other))
      other.moveBefore(op);
}

int64_t plan::getNumParameters(DispatchOp dispatch) {
  return dispatch->getNumOperands() + dispatch.getScalarTypes().size();
}
