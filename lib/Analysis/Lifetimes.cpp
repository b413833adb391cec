//===- Lifetimes.cpp - When buffers of the arena are alive ----------------===//

#include "JobDialect/Analysis/Lifetimes.h"

using namespace mlir;
using namespace mlir::plan;

Lifetimes::Lifetimes(ProgramOp program) {
  SmallVector<Operation *> commands = getCommands(program);
  // A buffer from outside of a repeat lives as long as all of its commands.
  DenseMap<Operation *, Lifetime> repeats;
  for (auto [index, command] : llvm::enumerate(commands)) {
    int64_t number = index;
    auto [it, isFirst] =
        repeats.try_emplace(command->getParentOp(), Lifetime{number, number});
    it->second.last = number;
  }
  for (auto [index, command] : llvm::enumerate(commands))
    for (Value operand : command->getOperands()) {
      auto buffer = dyn_cast<AllocOp>(getBufferRoot(operand));
      if (!buffer)
        continue;
      int64_t number = index;
      Lifetime use{number, number};
      if (buffer->getParentOp() != command->getParentOp())
        use = repeats.at(command->getParentOp());
      auto [it, isFirst] = lifetimes.try_emplace(buffer, use);
      it->second.last = use.last;
    }
}

std::optional<Lifetime> Lifetimes::lookup(AllocOp buffer) const {
  auto it = lifetimes.find(buffer);
  if (it == lifetimes.end())
    return std::nullopt;
  return it->second;
}
