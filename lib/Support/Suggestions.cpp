//===- Suggestions.cpp - Names that a diagnostic proposes -----------------===//

#include "JobDialect/Support/Suggestions.h"

using namespace mlir;

std::optional<StringRef> job::findSimilarName(StringRef got,
                                              ArrayRef<StringRef> candidates) {
  std::optional<StringRef> nearest;
  unsigned limit = std::max<size_t>(1, got.size() / 3);
  for (StringRef candidate : candidates) {
    if (candidate == got)
      return std::nullopt;
    unsigned distance = got.edit_distance(candidate, /*AllowReplacements=*/true,
                                          /*MaxEditDistance=*/limit);
    if (distance > limit)
      continue;
    // From here on only a candidate that is nearer; none has distance 0.
    nearest = candidate;
    if ((limit = distance - 1) == 0)
      break;
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
