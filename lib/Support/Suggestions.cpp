//===- Suggestions.cpp - Names that a diagnostic proposes -----------------===//

#include "JobDialect/Support/Suggestions.h"

#include <algorithm>

using namespace mlir;

/// Whether two neighbours have changed places, one slip in spite of its edit
/// distance of 2.
static bool isSwapped(StringRef got, StringRef name) {
  if (got.size() != name.size())
    return false;
  auto [left, right] = std::mismatch(got.begin(), got.end(), name.begin());
  return got.end() - left >= 2 && left[0] == right[1] && left[1] == right[0] &&
         std::equal(left + 2, got.end(), right + 2);
}

std::optional<StringRef> job::findSimilarName(StringRef got,
                                              ArrayRef<StringRef> candidates) {
  if (llvm::is_contained(candidates, got))
    return std::nullopt;
  std::optional<StringRef> nearest;
  unsigned limit = std::max<size_t>(1, got.size() / 3);
  for (StringRef candidate : candidates) {
    unsigned distance = isSwapped(got, candidate)
                            ? 1
                            : got.edit_distance(candidate,
                                                /*AllowReplacements=*/true,
                                                /*MaxEditDistance=*/limit);
    if (distance > limit)
      continue;
    nearest = candidate;
    // The next one must be nearer, and none has distance 0.
    if (distance == 1)
      break;
    limit = distance - 1;
  }
  return nearest;
}

void job::suggestName(InFlightDiagnostic &diagnostic, StringRef got,
                      ArrayRef<StringRef> candidates, StringRef prefix) {
  if (std::optional<StringRef> name = findSimilarName(got, candidates))
    diagnostic.attachNote() << "did you mean " << prefix << *name
                            << " instead of " << prefix << got << '?';
}

std::optional<job::Suggestion> job::parseSuggestion(StringRef note) {
  Suggestion suggestion;
  if (!note.consume_front("did you mean ") || !note.consume_back("?"))
    return std::nullopt;
  std::tie(suggestion.name, suggestion.got) = note.split(" instead of ");
  if (suggestion.name.empty() || suggestion.got.empty())
    return std::nullopt;
  return suggestion;
}
