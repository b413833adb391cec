//===- Completion.cpp - What may be typed at a place ----------------------===//

#include "Completion.h"

#include "Reference.h"
#include "Scanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LSP/Protocol.h"

using namespace joblsp;
namespace json = llvm::json;
namespace lsp = llvm::lsp;
using llvm::StringRef;

namespace {
/// Makes the items for one place.
class Completer {
public:
  Completer(const Text &text, size_t offset, bool hasSnippets);

  void addItems();
  /// Whether no item of MLIR's server belongs here.
  bool isComplete() const;

  json::Array items;

private:
  /// Adds an item if what is there of the word begins it.
  void add(StringRef name, lsp::CompletionItemKind kind, StringRef detail,
           StringRef description, std::string inserted, bool isSnippet = false,
           StringRef rank = "1");

  void addOps();
  void addAttributes();
  void addValues();
  void addParameters();
  void addSymbols();
  void addMnemonics();

  const Text &text;
  Place place;
  /// Of the chunk that holds the place.
  StringRef chunk;
  size_t offset;
  bool hasSnippets;
};
} // namespace

Completer::Completer(const Text &text, size_t offset, bool hasSnippets)
    : text(text), offset(offset), hasSnippets(hasSnippets) {
  auto [begin, end] = text.getChunk(offset);
  chunk = text.str().slice(begin, end);
  place = scan(text.str().slice(begin, offset));
}

bool Completer::isComplete() const {
  switch (place.kind) {
  case Place::Kind::None:
    return false;
  case Place::Kind::Op:
  case Place::Kind::Mnemonic:
    // Without a dot it may be the name of another dialect, or an alias.
    return !items.empty() && place.word.contains('.');
  case Place::Kind::Value:
    return !items.empty();
  case Place::Kind::Attribute:
  case Place::Kind::Parameter:
  case Place::Kind::Symbol:
    return true;
  }
  llvm_unreachable("unknown kind of place");
}

void Completer::add(StringRef name, lsp::CompletionItemKind kind,
                    StringRef detail, StringRef description,
                    std::string inserted, bool isSnippet, StringRef rank) {
  if (!name.starts_with(place.word))
    return;
  json::Object item{
      {"label", name.str()},
      {"kind", static_cast<int>(kind)},
      {"sortText", (rank + name).str()},
      {"filterText", name.str()},
      {"insertTextFormat", isSnippet ? 2 : 1},
      {"textEdit",
       json::Object{
           {"range", getRange(text, offset - place.word.size(), offset)},
           {"newText", std::move(inserted)}}}};
  if (!detail.empty())
    item["detail"] = detail.str();
  if (!description.empty())
    item["documentation"] =
        json::Object{{"kind", "markdown"}, {"value", description.str()}};
  items.push_back(std::move(item));
}

void Completer::addOps() {
  for (const OpInfo &op : getOps()) {
    bool hasSnippet = hasSnippets && !op.snippet.empty();
    add(op.name, lsp::CompletionItemKind::Function, op.summary, op.description,
        hasSnippet ? (op.name + " " + op.snippet).str() : op.name.str(),
        hasSnippet);
  }
}

/// What an attribute is, for people: "bool attribute, default false".
static std::string describe(const AttributeInfo &attribute) {
  std::string text = attribute.summary.str();
  if (!attribute.defaultValue.empty())
    text += ", default " + attribute.defaultValue.str();
  else if (!attribute.isOptional)
    text += ", required";
  return text;
}

void Completer::addAttributes() {
  for (const AttributeInfo &attribute : place.op->attributes)
    if (!llvm::is_contained(place.names, attribute.name))
      add(attribute.name, lsp::CompletionItemKind::Property,
          describe(attribute), "",
          (attribute.name + (attribute.isUnit ? "" : " = ")).str(),
          /*isSnippet=*/false, attribute.isOptional ? "2" : "1");
}

void Completer::addValues() {
  const AttributeInfo *attribute = place.op->getAttribute(place.attribute);
  if (!attribute)
    return;
  for (StringRef value : attribute->values)
    add(value, lsp::CompletionItemKind::Value, attribute->summary, "",
        value.str());
}

void Completer::addParameters() {
  for (const ParameterInfo &parameter : place.mnemonic->parameters)
    if (!llvm::is_contained(place.names, parameter.name))
      add(parameter.name, lsp::CompletionItemKind::Property, parameter.type, "",
          (parameter.name + " = ").str());
}

void Completer::addSymbols() {
  for (const SymbolDefinition &symbol : findSymbols(chunk))
    add(symbol.name,
        symbol.op.ends_with(".variable") ? lsp::CompletionItemKind::Variable
                                         : lsp::CompletionItemKind::Function,
        symbol.op, "", symbol.name.str());
}

void Completer::addMnemonics() {
  for (const MnemonicInfo &mnemonic : getMnemonics())
    add(mnemonic.name,
        mnemonic.name.starts_with("!") ? lsp::CompletionItemKind::Class
                                       : lsp::CompletionItemKind::EnumMember,
        mnemonic.summary, mnemonic.description, mnemonic.name.str());
}

void Completer::addItems() {
  switch (place.kind) {
  case Place::Kind::None:
    return;
  case Place::Kind::Op:
    return addOps();
  case Place::Kind::Attribute:
    return addAttributes();
  case Place::Kind::Value:
    return addValues();
  case Place::Kind::Parameter:
    return addParameters();
  case Place::Kind::Symbol:
    return addSymbols();
  case Place::Kind::Mnemonic:
    return addMnemonics();
  }
}

void joblsp::addCompletions(json::Object &list, const Text &text,
                            LineColumn position, bool hasSnippets) {
  Completer completer(text, text.getOffset(position), hasSnippets);
  completer.addItems();
  json::Array *items = list.getArray("items");
  if (!items)
    return;
  if (completer.isComplete())
    items->clear();
  for (json::Value &item : completer.items)
    items->push_back(std::move(item));
}
