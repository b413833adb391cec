//===- Partition.cpp - Parts of a module to compile apart -----------------===//

#include "Partition.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::job;

/// Whether each part that refers to the symbol may have one of its own.
static bool mayBeCopied(Operation *op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return function.isExternal();
  auto global = dyn_cast<LLVM::GlobalOp>(op);
  return global && global.getConstant() &&
         global.getLinkage() == LLVM::Linkage::Internal;
}

/// The ops of the module that `op` names, without itself.
static SmallVector<Operation *> getReferences(Operation *op,
                                              SymbolTable &symbols) {
  llvm::SetVector<Operation *> references;
  if (auto uses = SymbolTable::getSymbolUses(op))
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *other =
              symbols.lookup(use.getSymbolRef().getRootReference());
          other && other != op)
        references.insert(other);
  return references.takeVector();
}

SmallVector<ModulePart> job::partitionModule(ModuleOp module, unsigned minOps) {
  SymbolTable symbols(module);
  // Definitions that refer to each other, by the first one.
  DenseMap<Operation *, SmallVector<Operation *>> references;
  llvm::EquivalenceClasses<Operation *> classes;
  SmallVector<Operation *> ops;
  for (Operation &op : *module.getBody()) {
    if (!isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()))
      continue;
    ops.push_back(&op);
    references[&op] = getReferences(&op, symbols);
    if (mayBeCopied(&op))
      continue;
    classes.insert(&op);
    for (Operation *other : references[&op])
      if (!mayBeCopied(other))
        classes.unionSets(&op, other);
  }
  llvm::MapVector<Operation *, SmallVector<Operation *>> groups;
  for (Operation *op : ops)
    if (!mayBeCopied(op))
      groups[classes.getLeaderValue(op)].push_back(op);

  SmallVector<ModulePart> parts;
  DenseMap<Operation *, unsigned> position;
  for (auto [index, op] : llvm::enumerate(ops))
    position[op] = index;
  llvm::SetVector<Operation *> members;
  unsigned numOps = 0;
  auto finish = [&] {
    // What is referred to is copied, and what that refers to.
    for (unsigned i = 0; i < members.size(); ++i)
      for (Operation *other : references[members[i]])
        members.insert(other);
    parts.push_back(members.takeVector());
    llvm::sort(parts.back(), [&](Operation *a, Operation *b) {
      return position.lookup(a) < position.lookup(b);
    });
    numOps = 0;
  };
  for (auto &[leader, group] : groups) {
    for (Operation *op : group) {
      members.insert(op);
      op->walk([&](Operation *) { ++numOps; });
    }
    if (numOps >= minOps)
      finish();
  }
  if (!members.empty())
    finish();
  return parts;
}
