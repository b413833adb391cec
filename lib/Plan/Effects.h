//===- Effects.h - Memory effects of commands -------------------*- C++ -*-===//

#ifndef LIB_PLAN_EFFECTS_H
#define LIB_PLAN_EFFECTS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::plan {

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

inline void addReads(Effects &effects, MutableOperandRange operands) {
  for (OpOperand &operand : operands)
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

inline void addWrites(Effects &effects, MutableOperandRange operands) {
  for (OpOperand &operand : operands)
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

/// Those of a command with operands `ins`, `inouts` and `outs`.
template <typename Op> void addBufferEffects(Op op, Effects &effects) {
  addReads(effects, op.getInsMutable());
  addReads(effects, op.getInoutsMutable());
  addWrites(effects, op.getInoutsMutable());
  addWrites(effects, op.getOutsMutable());
}

} // namespace mlir::plan

#endif // LIB_PLAN_EFFECTS_H
