//===- FixIts.cpp - Edits that a diagnostic asks for ----------------------===//

#include "FixIts.h"

#include "Reference.h"
#include "Scanner.h"

#include "JobDialect/Support/Suggestions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace joblsp;
namespace json = llvm::json;
using llvm::StringRef;
using mlir::job::findSimilarName;

namespace {
/// Makes the actions for one diagnostic.
class FixItMaker {
public:
  FixItMaker(StringRef uri, const Text &text, const json::Value &diagnostic,
             size_t offset, json::Array &actions)
      : uri(uri), text(text), diagnostic(diagnostic), offset(offset),
        actions(actions) {
    std::tie(chunkBegin, chunkEnd) = text.getChunk(offset);
  }

  /// Adds what a message or note asks for.
  void takeMessage(StringRef message);

private:
  /// Calls `handle` for the tokens of the chunk.
  void forEachToken(llvm::function_ref<void(Token)> handle) const;
  /// The token at the diagnostic's place; its text is empty if there is none.
  Token getToken() const;
  void replace(size_t begin, size_t end, StringRef replacement,
               const llvm::Twine &title);
  /// Replaces the token `got` that is the nearest from the line of the
  /// diagnostic on.
  void replaceToken(StringRef got, StringRef name);

  /// Replaces a token by the most similar name, if one is similar.
  void suggest(Token got, llvm::ArrayRef<StringRef> names,
               StringRef prefix = "");
  void suggestOp(StringRef got);
  void suggestMnemonic(StringRef message);
  void suggestValue();
  void suggestAttributeValue();
  void suggestParameter(StringRef name);
  /// `list` is "a, b, c".
  void suggestKeyword(StringRef list);
  void addPoint();

  StringRef uri;
  const Text &text;
  const json::Value &diagnostic;
  size_t offset, chunkBegin, chunkEnd;
  json::Array &actions;
};
} // namespace

void FixItMaker::forEachToken(llvm::function_ref<void(Token)> handle) const {
  joblsp::forEachToken(text.str().slice(chunkBegin, chunkEnd),
                       [&](Token token) {
                         token.offset += chunkBegin;
                         handle(token);
                       });
}

Token FixItMaker::getToken() const {
  Token found{offset, ""};
  forEachToken([&](Token token) {
    if (token.offset <= offset && offset < token.offset + token.text.size())
      found = token;
  });
  return found;
}

void FixItMaker::replace(size_t begin, size_t end, StringRef replacement,
                         const llvm::Twine &title) {
  json::Object edit{{"range", getRange(text, begin, end)},
                    {"newText", replacement.str()}};
  json::Object changes;
  changes[uri.str()] = json::Array{std::move(edit)};
  actions.push_back(
      json::Object{{"title", title.str()},
                   {"kind", "quickfix"},
                   {"diagnostics", json::Array{diagnostic}},
                   {"isPreferred", true},
                   {"edit", json::Object{{"changes", std::move(changes)}}}});
}

void FixItMaker::replaceToken(StringRef got, StringRef name) {
  // A verifier's diagnostic is at the op's name, a parser's may be anywhere on
  // the line.
  size_t lineBegin = text.str().take_front(offset).rfind('\n') + 1;
  std::optional<Token> found;
  forEachToken([&](Token token) {
    if (!found && token.offset >= lineBegin && token.text == got)
      found = token;
  });
  if (found)
    replace(found->offset, found->offset + found->text.size(), name,
            "Replace " + got + " by " + name);
}

void FixItMaker::suggest(Token got, llvm::ArrayRef<StringRef> names,
                         StringRef prefix) {
  StringRef rest = got.text;
  if (!rest.consume_front(prefix))
    return;
  std::optional<StringRef> name = findSimilarName(rest, names);
  if (!name)
    return;
  std::string replacement = (prefix + *name).str();
  replace(got.offset, got.offset + got.text.size(), replacement,
          "Replace " + got.text + " by " + replacement);
}

void FixItMaker::suggestOp(StringRef got) {
  llvm::SmallVector<StringRef> names;
  for (const OpInfo &op : getOps())
    names.push_back(op.name);
  if (std::optional<StringRef> name = findSimilarName(got, names))
    replaceToken(got, *name);
}

/// Message: "unknown attribute `x` in dialect `job`", or "unknown  type".
void FixItMaker::suggestMnemonic(StringRef message) {
  StringRef dialect = message.rsplit("dialect `").second.split('`').first;
  Token token = getToken();
  std::string prefix = (token.text.take_front(1) + dialect + ".").str();
  llvm::SmallVector<StringRef> names;
  for (const MnemonicInfo &mnemonic : getMnemonics()) {
    StringRef name = mnemonic.name;
    if (name.consume_front(prefix))
      names.push_back(name);
  }
  suggest(token, names, prefix);
}

void FixItMaker::suggestValue() {
  Token got = getToken();
  // Any value of the text; one of another job gives another diagnostic.
  llvm::SetVector<StringRef> names;
  forEachToken([&](Token token) {
    if (token.text.size() > 1 && token.text.starts_with("%") &&
        token.text != got.text)
      names.insert(token.text.drop_front());
  });
  suggest(got, names.getArrayRef(), "%");
}

/// The diagnostic is at the equal sign or at what follows.
void FixItMaker::suggestAttributeValue() {
  std::optional<Token> got;
  forEachToken([&](Token token) {
    if (!got && token.offset >= offset && token.text != "=")
      got = token;
  });
  if (!got)
    return;
  Place place = scan(text.str().slice(chunkBegin, got->offset));
  const AttributeInfo *attribute = place.kind == Place::Kind::Value
                                       ? place.op->getAttribute(place.attribute)
                                       : nullptr;
  if (attribute)
    suggest(*got, attribute->values);
}

/// The diagnostic is behind the name.
void FixItMaker::suggestParameter(StringRef name) {
  Token got{offset, ""};
  forEachToken([&](Token token) {
    if (token.offset < offset && token.text == name)
      got = token;
  });
  Place place = scan(text.str().slice(chunkBegin, got.offset));
  if (place.kind != Place::Kind::Parameter)
    return;
  llvm::SmallVector<StringRef> names;
  for (const ParameterInfo &parameter : place.mnemonic->parameters)
    if (!llvm::is_contained(place.names, parameter.name))
      names.push_back(parameter.name);
  suggest(got, names);
}

void FixItMaker::suggestKeyword(StringRef list) {
  llvm::SmallVector<StringRef> names;
  list.split(names, ", ");
  suggest(getToken(), names);
}

/// The diagnostic is at a number without a point.
void FixItMaker::addPoint() {
  Token number = getToken();
  size_t end = number.offset + number.text.size();
  if (llvm::all_of(number.text, llvm::isDigit) && !number.text.empty())
    replace(end, end, ".0", "Make " + number.text + " a float");
}

void FixItMaker::takeMessage(StringRef message) {
  if (std::optional<mlir::job::Suggestion> suggestion =
          mlir::job::parseSuggestion(message))
    return replaceToken(suggestion->got, suggestion->name);
  if (message == "add a trailing dot to make the literal a float")
    return addPoint();
  if (message.starts_with("use of undeclared SSA value name"))
    return suggestValue();
  if (message.starts_with("unknown attribute `") ||
      message.starts_with("unknown  type `"))
    return suggestMnemonic(message);
  StringRef rest = message;
  if (rest.consume_front("duplicate or unknown struct parameter name: "))
    return suggestParameter(rest);
  if (message == "expected attribute value")
    return suggestAttributeValue();
  if (rest.consume_front("custom op '")) {
    auto [name, said] = rest.split("' ");
    if (said.starts_with("is unknown"))
      return suggestOp(name);
    rest = said;
  }
  if (!rest.consume_front("expected "))
    return;
  // "expected 'kind'"; "expected one of [a, b] for", "[a, b]" at the end.
  if (rest.consume_front("'"))
    return suggestKeyword(rest.split('\'').first);
  suggestKeyword(rest.split('[').second.split(']').first);
}

json::Array joblsp::getFixIts(StringRef uri, const Text &text,
                              const json::Array &diagnostics) {
  json::Array actions;
  for (const json::Value &diagnostic : diagnostics) {
    const json::Object *object = diagnostic.getAsObject();
    const json::Object *range = object ? object->getObject("range") : nullptr;
    std::optional<LineColumn> start =
        range ? getLineColumn(range->get("start")) : std::nullopt;
    std::optional<StringRef> message =
        object ? object->getString("message") : std::nullopt;
    if (!start || !message)
      continue;
    FixItMaker maker(uri, text, diagnostic, text.getOffset(*start), actions);
    maker.takeMessage(*message);
    const json::Array *notes = object->getArray("relatedInformation");
    for (const json::Value &note : notes ? *notes : json::Array())
      if (const json::Object *members = note.getAsObject())
        maker.takeMessage(members->getString("message").value_or(""));
  }
  return actions;
}
