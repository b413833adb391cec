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

bool plan::mayOverlap(Value a, Value b, SymbolTableCollection &symbols) {
  BufferPlace placeA = getBufferPlace(a, symbols);
  BufferPlace placeB = getBufferPlace(b, symbols);
  if (!placeA.offset || !placeB.offset)
    return getMemory(a) == getMemory(b);
  return plan::mayOverlap(placeA, placeB);
}

bool plan::mayOverlap(ArrayRef<Value> buffers, ArrayRef<Value> others,
                      SymbolTableCollection &symbols) {
  return llvm::any_of(buffers, [&](Value buffer) {
    return buffer && llvm::any_of(others, [&](Value other) {
             return other && mayOverlap(buffer, other, symbols);
           });
  });
}

bool plan::mayConflict(PlanCommandOpInterface a, PlanCommandOpInterface b,
                       SymbolTableCollection &symbols) {
  auto meets = [&](PlanCommandOpInterface writer,
                   PlanCommandOpInterface other) {
    return llvm::any_of(writer.getWrittenOperands(), [&](OpOperand *written) {
      return llvm::any_of(other->getOperands(), [&](Value buffer) {
        return isa<MemRefType>(buffer.getType()) &&
               mayOverlap(written->get(), buffer, symbols);
      });
    });
  };
  return meets(a, b) || meets(b, a);
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
