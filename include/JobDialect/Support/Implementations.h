//===- Implementations.h - The table of implementations ---------*- C++ -*-===//
//
// The implementation of an op that a library function can compute: the function
// or a generated kernel, by op, target, element type and amount of work. The
// rows are in lib/Support/Implementations.inc. No time is measured during a
// compile, so results do not depend on timing.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_IMPLEMENTATIONS_H
#define JOBDIALECT_SUPPORT_IMPLEMENTATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::job {

struct Implementation {
  enum Kind { Library, Generated };

  /// The op's name without the dialect.
  llvm::StringLiteral op, target, element;
  /// The row is for 2^workClass floating-point operations or more.
  int workClass;
  Kind kind;
  /// The maximum number of chunks of a call of the library function.
  int64_t maxChunks;
};

/// All rows. Those of one op, target and element type are together, by class.
llvm::ArrayRef<Implementation> getImplementations();

/// The layout of images with which a function of a library is fastest, or "any":
/// a row of lib/Support/PreferredLayouts.inc.
struct PreferredLayout {
  llvm::StringLiteral callee, element, layout;
};

/// All these rows.
llvm::ArrayRef<PreferredLayout> getPreferredLayouts();

/// The layout in the row for a function, or "" without one.
llvm::StringRef findLayout(llvm::StringRef callee, llvm::StringRef element);

/// The row for an op with this number of floating-point operations, or null.
const Implementation *findImplementation(llvm::StringRef op,
                                         llvm::StringRef target,
                                         llvm::StringRef element,
                                         int64_t flops);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_IMPLEMENTATIONS_H
