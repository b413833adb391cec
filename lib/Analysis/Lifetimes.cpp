//===- Lifetimes.cpp - When buffers of the arena are alive ----------------===//

#include "JobDialect/Analysis/Lifetimes.h"

using namespace mlir;
using namespace mlir::plan;

Lifetimes::Lifetimes(ProgramOp program) : order(program) {
  // A buffer from outside of a repeat lives as long as all of its commands.
  llvm::DenseMap<Operation *, SmallVector<int64_t>> repeats;
  for (auto [index, command] : llvm::enumerate(order.getCommands()))
    if (isa<RepeatOp>(command->getParentOp()))
      repeats[command->getParentOp()].push_back(index);
  for (auto [index, command] : llvm::enumerate(order.getCommands()))
    for (Value operand : command->getOperands()) {
      auto buffer = dyn_cast<AllocOp>(getBufferRoot(operand));
      if (!buffer)
        continue;
      auto [first, last] = order.getLaunch(index);
      SmallVector<int64_t, 2> launch{first, last};
      ArrayRef<int64_t> uses = launch;
      if (buffer->getParentOp() != command->getParentOp())
        uses = repeats.at(command->getParentOp());
      auto [it, isFirst] = lifetimes.try_emplace(
          buffer, Lifetime{uses.front(), uses.back(), {}});
      it->second.last = std::max(it->second.last, uses.back());
      for (int64_t use : uses) {
        PlanCommandOpInterface user = order.getCommands()[use];
        it->second.uses.add(user.getQueue(), use);
      }
    }
}

const Lifetime *Lifetimes::lookup(AllocOp buffer) const {
  auto it = lifetimes.find(buffer);
  return it == lifetimes.end() ? nullptr : &it->second;
}
