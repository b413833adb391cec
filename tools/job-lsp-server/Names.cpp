//===- Names.cpp - Where a name occurs ------------------------------------===//

#include "Names.h"

#include "Reference.h"
#include "Scanner.h"

#include "llvm/ADT/STLExtras.h"

using namespace joblsp;
namespace json = llvm::json;
using llvm::StringRef;

/// Whether a function begins with the token.
static bool isFunction(Token token) {
  const OpInfo *op = findOp(token.text);
  return token.text == "func.func" || (op && op->isSymbol && op->hasRegions);
}

/// The tokens with the name at `offset`, in the order of the text.
static llvm::SmallVector<Token> findTokens(const Text &text, size_t offset) {
  auto [begin, end] = text.getChunk(offset);
  llvm::SmallVector<Token> tokens;
  forEachToken(text.str().slice(begin, end), [&, begin = begin](Token token) {
    tokens.push_back({token.offset + begin, token.text});
  });
  // An editor's cursor may be behind the name.
  auto at = llvm::find_if(llvm::reverse(tokens), [&](Token token) {
    return token.offset <= offset &&
           offset <= token.offset + token.text.size() &&
           token.text.size() > 1 && StringRef("%@^#!").contains(token.text[0]);
  });
  if (at == llvm::reverse(tokens).end())
    return {};
  StringRef name = at->text;
  llvm::ArrayRef<Token> scope = tokens;
  if (name.starts_with("%") || name.starts_with("^")) {
    // From the last function that begins before the name up to the next one.
    size_t index = &*at - tokens.begin();
    size_t begin = index, end = index;
    while (begin > 0 && !isFunction(scope[begin]))
      --begin;
    while (end < scope.size() && !isFunction(scope[end]))
      ++end;
    scope = scope.slice(begin, end - begin);
  }
  llvm::SmallVector<Token> found;
  llvm::copy_if(scope, std::back_inserter(found),
                [&](Token token) { return token.text == name; });
  return found;
}

static json::Object getLocation(StringRef uri, const Text &text, Token token) {
  return json::Object{{"uri", uri.str()},
                      {"range", getRange(text, token.offset,
                                         token.offset + token.text.size())}};
}

json::Array joblsp::findReferences(StringRef uri, const Text &text,
                                   LineColumn position) {
  json::Array locations;
  for (Token token : findTokens(text, text.getOffset(position)))
    locations.push_back(getLocation(uri, text, token));
  return locations;
}

json::Array joblsp::findDefinition(StringRef uri, const Text &text,
                                   LineColumn position) {
  llvm::SmallVector<Token> tokens = findTokens(text, text.getOffset(position));
  for (Token token : tokens) {
    StringRef before = text.str().take_front(token.offset);
    StringRef behind =
        text.str().drop_front(token.offset + token.text.size()).ltrim();
    bool isDefinition = false;
    switch (token.text[0]) {
    case '@': {
      StringRef word = before.rtrim();
      for (StringRef visibility : {"private", "public"})
        if (word.consume_back(visibility))
          word = word.rtrim();
      word = word.take_back(word.size() - (word.find_last_of(" \t\r\n") + 1));
      const OpInfo *op = findOp(word);
      isDefinition = word == "func.func" || (op && op->isSymbol);
      break;
    }
    case '#':
    case '!':
      isDefinition = behind.starts_with("=");
      break;
    default:
      // The first text with a value is its definition; a block's begins a line.
      isDefinition =
          token.text[0] == '%' || before.rtrim(" \t").ends_with("\n");
    }
    if (isDefinition)
      return json::Array{getLocation(uri, text, token)};
  }
  return {};
}
