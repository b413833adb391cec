//===- Explain.h - Reasons of the compiler's decisions ----------*- C++ -*-===//
//
// Passes explain their decisions as MLIR remarks in one of three categories;
// the tools' --explain prints the categories that the user selects. A pass
// builds a text only if its category is enabled:
//
//   if (auto remark = explainDone(loc, ExplainCategory::Fusion, job))
//     remark << text;
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
  /// Updates in place and the packing of the arena.
  Memory,
  /// Loops and chunks of kernels, and library calls.
  Kernels
};

/// "fusion", "memory" or "kernels".
StringRef stringifyExplainCategory(ExplainCategory category);
std::optional<ExplainCategory> symbolizeExplainCategory(StringRef name);

/// Prints the explanations of these categories to `os`, one per line: the
/// user's line, the category, the job, the user's name of the op, the text.
/// Disables multithreading of the context, so that the order of the lines is
/// deterministic. `os` must outlive the context. Call once.
void enableExplanations(MLIRContext &context,
                        ArrayRef<ExplainCategory> categories, raw_ostream &os);

/// While one lives, decisions of its thread are not explained: a pass tries what
/// it may not apply.
class ExplanationSilencer {
public:
  ExplanationSilencer();
  ~ExplanationSilencer();
  ExplanationSilencer(const ExplanationSilencer &) = delete;
  ExplanationSilencer &operator=(const ExplanationSilencer &) = delete;
};

/// Explains an applied decision. The strings must outlive the remark.
remark::detail::InFlightRemark
explainDone(Location loc, ExplainCategory category, StringRef job);

/// Explains why something was not applied.
remark::detail::InFlightRemark
explainMissed(Location loc, ExplainCategory category, StringRef job);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_EXPLAIN_H
