//===- Suggestions.h - Names that a diagnostic proposes ---------*- C++ -*-===//
//
// A diagnostic on a name that does not exist ends with the note
//
//   did you mean NAME instead of GOT?
//
// if a name of the same kind is similar. job-lsp-server turns the note into an
// edit that replaces GOT at the location of the diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_SUGGESTIONS_H
#define JOBDIALECT_SUPPORT_SUGGESTIONS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

#include <optional>

namespace mlir::job {

/// The candidate with the smallest edit distance to `got`, the first of
/// several; letters that have changed places count as one edit. None if the
/// distance of each is more than a third of the letters of `got`, but at least
/// 1, or if `got` itself is a candidate.
std::optional<StringRef> findSimilarName(StringRef got,
                                         ArrayRef<StringRef> candidates);

/// A name that may replace another one.
struct Suggestion {
  StringRef name, got;
};

/// Attaches the note if a candidate is similar to `got`. `prefix` is what the
/// syntax has before both names, such as "@".
void suggestName(InFlightDiagnostic &diagnostic, StringRef got,
                 ArrayRef<StringRef> candidates, StringRef prefix = "");

/// The names in such a note; none of any other text.
std::optional<Suggestion> parseSuggestion(StringRef note);

/// Attaches the note if the nearest symbol table of `from` has an op of type
/// `Op` for which `isCandidate` holds and whose name is similar.
template <typename Op>
void suggestSymbol(
    InFlightDiagnostic &diagnostic, Operation *from, FlatSymbolRefAttr symbol,
    function_ref<bool(Op)> isCandidate = [](Op) { return true; }) {
  Operation *table = SymbolTable::getNearestSymbolTable(from);
  if (!table)
    return;
  SmallVector<StringRef> names;
  for (Op op : table->getRegion(0).getOps<Op>())
    if (isCandidate(op))
      names.push_back(op.getSymName());
  suggestName(diagnostic, symbol.getValue(), names, "@");
}

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_SUGGESTIONS_H
