//===- Implementations.h - The table of implementations ---------*- C++ -*-===//
//
// How an op is computed that a library function can compute: by op, target,
// element type and amount of work. The rows are in
// lib/Support/Implementations.inc. No time is measured during a compile, so
// results do not depend on it.
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
  /// The most chunks that a library function's work is split into.
  int64_t maxChunks;
};

/// All rows. Those of one op, target and element type are together, by class.
llvm::ArrayRef<Implementation> getImplementations();

/// The row for an op of so many floating-point operations, or null.
const Implementation *findImplementation(llvm::StringRef op,
                                         llvm::StringRef target,
                                         llvm::StringRef element,
                                         int64_t flops);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_IMPLEMENTATIONS_H
