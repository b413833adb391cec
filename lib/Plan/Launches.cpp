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
  return llvm::any_of(buffers, [&](Value buffer) {
    return buffer && llvm::any_of(others, [&](Value other) {
             return other && mayOverlap(buffer, other, symbols);
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

void plan::defineBefore(Value buffer, Operation *op) {
  Operation *def = buffer.getDefiningOp();
  if (!def || def->getBlock() != op->getBlock() || def->isBeforeInBlock(op))
    return;
  for (Value operand : def->getOperands())
    defineBefore(operand, op);
  def->moveBefore(op);
}

int64_t plan::getNumParameters(DispatchOp dispatch) {
  return dispatch->getNumOperands() + dispatch.getScalarTypes().size();
}
