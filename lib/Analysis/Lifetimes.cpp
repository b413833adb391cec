//===- Lifetimes.cpp - When buffers of the arena are alive ----------------===//

#include "JobDialect/Analysis/Lifetimes.h"

using namespace mlir;
using namespace mlir::plan;

Lifetimes::Lifetimes(ProgramOp program) {
  int64_t command = 0;
  for (Operation &op : program.getBody().front()) {
    if (!isCommand(&op))
      continue;
    for (Value operand : op.getOperands()) {
      auto buffer = dyn_cast<AllocOp>(getBufferRoot(operand));
      if (!buffer)
        continue;
      auto [it, isFirst] = lifetimes.try_emplace(buffer, command, command);
      it->second.last = command;
    }
    ++command;
  }
}

std::optional<Lifetime> Lifetimes::lookup(AllocOp buffer) const {
  auto it = lifetimes.find(buffer);
  if (it == lifetimes.end())
    return std::nullopt;
  return it->second;
}
