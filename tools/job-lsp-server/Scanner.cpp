//===- Scanner.cpp - What stands at a place of an unfinished text ---------===//

#include "Scanner.h"

#include "Reference.h"

#include "llvm/ADT/StringExtras.h"

using namespace joblsp;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

static bool isSigil(char c) { return StringRef("%@^#!").contains(c); }

/// The text up to the end of the string that it begins with, or of the line.
static StringRef takeString(StringRef text, bool &isClosed) {
  isClosed = false;
  for (size_t i = 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '"') {
      isClosed = true;
      return text.take_front(i + 1);
    }
    i += text[i] == '\\';
  }
  return text.take_until([](char c) { return c == '\n'; });
}

bool joblsp::forEachToken(StringRef text,
                          llvm::function_ref<void(Token)> handle) {
  size_t i = 0;
  auto take = [&](size_t count) {
    handle({i, text.substr(i, count)});
    i += count;
  };
  while (i < text.size()) {
    StringRef rest = text.drop_front(i);
    if (llvm::isSpace(rest.front())) {
      ++i;
    } else if (rest.starts_with("//")) {
      i = text.find('\n', i);
      if (i == StringRef::npos)
        return false;
    } else if (rest.front() == '"') {
      bool isClosed;
      StringRef string = takeString(rest, isClosed);
      if (!isClosed && i + string.size() == text.size())
        return false;
      take(string.size());
    } else if (isSigil(rest.front())) {
      bool isClosed = true;
      StringRef name = rest.drop_front();
      // @"a name" is a symbol as well; names of symbols may have a minus.
      size_t count = name.starts_with("\"")
                         ? takeString(name, isClosed).size()
                         : name.take_while([](char c) {
                                 return isWordChar(c) || c == '-';
                               })
                               .size();
      if (!isClosed && i + 1 + count == text.size())
        return false;
      // `%a->` does not occur, but `-> type` follows some names.
      if (count && name[count - 1] == '-' &&
          name.drop_front(count).starts_with(">"))
        --count;
      take(1 + count);
    } else if (isWordChar(rest.front())) {
      take(rest.take_while(isWordChar).size());
    } else if (rest.starts_with("->")) {
      take(2);
    } else {
      take(1);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The place
//===----------------------------------------------------------------------===//

namespace {
/// Follows the tokens of a text.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  void take(Token token);
  /// What may follow; `word` is the token that is being typed, or empty.
  Place getPlace(StringRef word) const;

private:
  /// An open bracket and what has been read since.
  struct Level {
    char bracket = 0;
    /// Whose dictionary or parameters are in it, if it is one.
    const OpInfo *op = nullptr;
    const MnemonicInfo *mnemonic = nullptr;
    llvm::SmallVector<StringRef> names;
    enum { Name, Equal, Value, Rest } next = Name;

    bool isList() const { return op || mnemonic; }
  };

  Level open(char bracket) const;
  bool isOnNewLine(size_t offset) const {
    return text.slice(previous.offset + previous.text.size(), offset)
        .contains('\n');
  }

  StringRef text;
  llvm::SmallVector<Level> levels{Level()};
  /// The op whose text is read, and those around it.
  llvm::SmallVector<const OpInfo *> ops{nullptr};
  Token previous{0, ""};
  /// The first token of the line of `previous`.
  StringRef first;
};
} // namespace

Scanner::Level Scanner::open(char bracket) const {
  Level level;
  level.bracket = bracket;
  const OpInfo *op = ops.back();
  if (levels.back().isList())
    return level;
  // `attributes` stands before the dictionary of an op with regions.
  if (bracket == '{' && op &&
      (op->hasRegions ? previous.text == "attributes"
                      : levels.back().bracket != '('))
    level.op = op;
  else if (bracket == '<')
    level.mnemonic = findMnemonic(previous.text);
  return level;
}

void Scanner::take(Token token) {
  StringRef word = token.text;
  bool isNewLine = previous.text.empty() || isOnNewLine(token.offset);
  bool isStart = isNewLine || previous.text == "=" || previous.text == "{";
  if (isNewLine)
    first = word;
  Level &level = levels.back();
  if (StringRef("{([<").contains(word.front()) && word.size() == 1) {
    Level inner = open(word.front());
    level.next = Level::Rest;
    levels.push_back(std::move(inner));
    ops.push_back(ops.back());
  } else if (StringRef("})]>").contains(word.front()) && word.size() == 1) {
    // A bracket that was never opened closes nothing.
    if (levels.size() > 1) {
      levels.pop_back();
      ops.pop_back();
    }
  } else if (level.isList()) {
    if (word == ",")
      level.next = Level::Name;
    else if (word == "=")
      level.next = level.next == Level::Equal ? Level::Value : Level::Rest;
    else if (level.next == Level::Name) {
      level.names.push_back(word);
      level.next = Level::Equal;
    } else {
      level.next = Level::Rest;
    }
  } else if (isStart && (llvm::isAlpha(word.front()) || word.front() == '"') &&
             word.contains('.')) {
    // The generic form has the name as a string, and a dictionary of another
    // form.
    ops.back() = findOp(word);
  }
  previous = token;
}

Place Scanner::getPlace(StringRef word) const {
  Place place;
  place.word = word;
  const Level &level = levels.back();
  if (word.starts_with("@")) {
    place.kind = Place::Kind::Symbol;
  } else if (word.starts_with("#") || word.starts_with("!")) {
    place.kind = Place::Kind::Mnemonic;
  } else if (!word.empty() && !llvm::isAlpha(word.front())) {
    place.kind = Place::Kind::None;
  } else if (level.isList()) {
    place.op = level.op;
    place.mnemonic = level.mnemonic;
    place.names = level.names;
    if (level.next == Level::Name) {
      place.kind = level.op ? Place::Kind::Attribute : Place::Kind::Parameter;
    } else if (level.next == Level::Value && level.op) {
      place.kind = Place::Kind::Value;
      place.attribute = place.names.back();
    }
  } else if ((level.bracket == 0 || level.bracket == '{') &&
             (previous.text.empty() || isOnNewLine(text.size() - word.size()) ||
              previous.text == "{" ||
              (previous.text == "=" && !first.starts_with("#") &&
               !first.starts_with("!")))) {
    place.kind = Place::Kind::Op;
  }
  return place;
}

Place joblsp::scan(StringRef text) {
  Scanner scanner(text);
  std::optional<Token> pending;
  bool isOutside = forEachToken(text, [&](Token token) {
    if (pending)
      scanner.take(*pending);
    pending = token;
  });
  if (!isOutside)
    return {};
  StringRef word;
  if (pending) {
    char front = pending->text.front();
    if (pending->offset + pending->text.size() == text.size() &&
        (isWordChar(front) || isSigil(front)))
      word = pending->text;
    else
      scanner.take(*pending);
  }
  return scanner.getPlace(word);
}

llvm::SmallVector<SymbolDefinition> joblsp::findSymbols(StringRef text) {
  llvm::SmallVector<SymbolDefinition> symbols;
  const OpInfo *op = nullptr;
  forEachToken(text, [&](Token token) {
    const OpInfo *next = findOp(token.text);
    if (op && op->isSymbol && token.text.size() > 1 &&
        token.text.starts_with("@"))
      symbols.push_back({token.text, op->name});
    // Only a keyword of visibility may stand between the op and its name.
    else if (!next && (token.text == "private" || token.text == "public"))
      return;
    op = next;
  });
  return symbols;
}
