//===- Implementation.cpp - How an op is computed -------------------------===//

#include "JobDialect/Analysis/Implementation.h"

#include "JobDialect/Support/Implementations.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::job;

Attribute job::chooseImplementation(LibraryCallOpInterface op,
                                    StringRef target) {
  std::string element;
  llvm::raw_string_ostream(element)
      << cast<BlobType>(op->getResult(0).getType()).getElementType();
  const Implementation *row = findImplementation(
      op->getName().stripDialect(), target, element, op.getCallFlops());
  if (row && row->kind == Implementation::Library)
    if (Attribute config = op.getCallConfig(target, row->maxChunks))
      return config;
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
