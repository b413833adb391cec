//===- Implementation.cpp - How an op is computed -------------------------===//

#include "JobDialect/Analysis/Implementation.h"

#include "JobDialect/Support/Implementations.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::job;

/// Whether the op is to be computed by loops: the job excludes the library of
/// the function, which is named before the dot.
static bool isExcluded(LibraryCallOpInterface op, Attribute config) {
  auto func = op->getParentOfType<FuncOp>();
  ArrayAttr excluded = func ? func.getExcludedLibrariesAttr() : ArrayAttr();
  if (!excluded || !isa<LoopKernelOpInterface>(op.getOperation()))
    return false;
  StringRef library =
      cast<plan::CallConfigAttrInterface>(config).getCallee().split('.').first;
  return llvm::is_contained(excluded.getAsValueRange<StringAttr>(), library);
}

Attribute job::chooseImplementation(LibraryCallOpInterface op,
                                    StringRef target) {
  std::string element;
  llvm::raw_string_ostream(element)
      << cast<BlobType>(op->getResult(0).getType()).getElementType();
  const Implementation *row = findImplementation(
      op->getName().stripDialect(), target, element, op.getCallFlops());
  if (row && row->kind == Implementation::Library) {
    Attribute config = op.getCallConfig(target, row->maxChunks);
    if (config && !isExcluded(op, config))
      return config;
  }
  return plan::GeneratedKernelAttr::get(op->getContext());
}

Attribute job::getImplementation(LibraryCallOpInterface op) {
  if (Attribute chosen = op->getAttr(plan::kImplementationAttrName))
    return chosen;
  return chooseImplementation(op, getJobTarget(op));
}

plan::CallConfigAttrInterface job::getCallConfig(Operation *op) {
  auto call = dyn_cast<LibraryCallOpInterface>(op);
  return call ? dyn_cast<plan::CallConfigAttrInterface>(getImplementation(call))
              : plan::CallConfigAttrInterface();
}
