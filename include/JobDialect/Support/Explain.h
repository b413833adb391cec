//===- Explain.h - Why the compiler decided as it did -----------*- C++ -*-===//
//
// Passes explain their decisions as MLIR's remarks, in one of three categories;
// the tools' --explain prints those that the user asks for. A pass builds a
// text only when somebody listens:
//
//   if (auto remark = explainDone(loc, ExplainCategory::Fusion, job))
//     remark << text;
//
// Nothing is computed otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_EXPLAIN_H
#define JOBDIALECT_SUPPORT_EXPLAIN_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/LLVM.h"

namespace mlir::job {

enum class ExplainCategory {
  /// Which ops became one kernel, and which did not.
  Fusion,
  /// What is updated in place, how the arena was packed.
  Memory,
  /// How kernels are looped and cut, which calls of libraries there are.
  Kernels
};

/// "fusion", "memory" or "kernels".
StringRef stringifyExplainCategory(ExplainCategory category);

/// Prints the explanations of these categories to `os` from now on, a line
/// each: the user's line, the category, the job, what the user calls the op,
/// the text. Switches the context's threads off, so that the lines come in
/// order. `os` must outlive the context. Call once.
void enableExplanations(MLIRContext &context,
                        ArrayRef<ExplainCategory> categories, raw_ostream &os);

/// Explains what was done. The strings must live until the remark is gone.
remark::detail::InFlightRemark
explainDone(Location loc, ExplainCategory category, StringRef job);

/// Explains what was not done, and why not.
remark::detail::InFlightRemark
explainMissed(Location loc, ExplainCategory category, StringRef job);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_EXPLAIN_H
