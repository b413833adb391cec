//===- NameDiagnostics.cpp - Errors on names of attributes ----------------===//

#include "NameDiagnostics.h"

#include "ParsedText.h"

#include "JobDialect/IR/AttributeNames.h"
#include "JobDialect/Support/Suggestions.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace joblsp;
namespace json = llvm::json;

/// A diagnostic of the protocol on the op that begins at `offset`.
static json::Object convertDiagnostic(StringRef uri, const Text &text,
                                      const Diagnostic &diagnostic,
                                      size_t offset) {
  StringRef name = text.str().drop_front(offset).take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  json::Object range = getRange(text, offset, offset + name.size());
  json::Array notes;
  for (const Diagnostic &note : diagnostic.getNotes())
    if (job::parseSuggestion(note.str()))
      notes.push_back(json::Object{
          {"location",
           json::Object{{"uri", uri.str()}, {"range", json::Object(range)}}},
          {"message", note.str()}});
  return json::Object{{"range", std::move(range)},
                      {"severity", 1},
                      {"source", "job"},
                      {"message", diagnostic.str()},
                      {"relatedInformation", std::move(notes)}};
}

json::Array
joblsp::getNameDiagnostics(TextParser &parser, StringRef uri,
                           const std::shared_ptr<const Text> &text) {
  json::Array diagnostics;
  size_t chunk = 0;
  while (true) {
    auto [begin, end] = text->getChunk(chunk);
    ParsedText &parsed = parser.parse(text, begin, end);
    ScopedDiagnosticHandler handler(
        &parsed.getContext(), [&, begin = begin](Diagnostic &diagnostic) {
          if (auto offset = parsed.getOffset(diagnostic.getLocation()))
            diagnostics.push_back(
                convertDiagnostic(uri, *text, diagnostic, begin + *offset));
          return success();
        });
    for (Operation &op : parsed.getBlock())
      for (StringRef dialect : {"job", "plan"})
        (void)job::verifyAttributeNames(&op, dialect);
    if (end == text->str().size())
      return diagnostics;
    // The marker begins at `end`.
    chunk = end + StringRef("// -----").size();
  }
}
