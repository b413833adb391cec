//===- Implementations.cpp - The table of implementations -----------------===//

#include "JobDialect/Support/Implementations.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::job;

static constexpr Implementation kRows[] = {
#define IMPLEMENTATION(op, target, element, workClass, kind, chunks)           \
  {llvm::StringLiteral(op),      llvm::StringLiteral(target),                  \
   llvm::StringLiteral(element), workClass,                                    \
   Implementation::kind,         chunks},
#include "Implementations.inc"
#undef IMPLEMENTATION
};

static constexpr PreferredLayout kLayouts[] = {
#define LAYOUT(callee, element, layout)                                        \
  {llvm::StringLiteral(callee), llvm::StringLiteral(element),                  \
   llvm::StringLiteral(layout)},
#include "PreferredLayouts.inc"
#undef LAYOUT
};

llvm::ArrayRef<Implementation> mlir::job::getImplementations() { return kRows; }

const Implementation *mlir::job::findImplementation(llvm::StringRef op,
                                                    llvm::StringRef target,
                                                    llvm::StringRef element,
                                                    int64_t flops) {
  int workClass = flops > 0 ? llvm::Log2_64(flops) : 0;
  const Implementation *found = nullptr;
  for (const Implementation &row : kRows)
    if (row.op == op && row.target == target && row.element == element &&
        row.workClass <= workClass)
      found = &row;
  return found;
}

llvm::ArrayRef<PreferredLayout> mlir::job::getPreferredLayouts() {
  return kLayouts;
}

llvm::StringRef mlir::job::findLayout(llvm::StringRef callee,
                                      llvm::StringRef element) {
  for (const PreferredLayout &row : kLayouts)
    if (row.callee == callee && row.element == element)
      return row.layout;
  return "";
}
