//===- Scanner.h - What stands at a place of an unfinished text -*- C++ -*-===//
//
// A text that is being typed is seldom one that the parser accepts. This reads
// its tokens up to the cursor and keeps what surrounds it: the op, the
// dictionary or parameter list, and the name of the attribute.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_SCANNER_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_SCANNER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace joblsp {

struct OpInfo;
struct MnemonicInfo;

/// A word with its sigil, a string, or one character of punctuation.
struct Token {
  size_t offset;
  llvm::StringRef text;
};

/// Calls `handle` for each token of a text; comments and space are none.
/// Returns false if the end of the text is within a comment or a string.
bool forEachToken(llvm::StringRef text, llvm::function_ref<void(Token)> handle);

/// What may be typed at the end of a text.
struct Place {
  enum class Kind {
    /// Nothing that we know.
    None,
    /// The name of an op.
    Op,
    /// The name of an attribute in the dictionary of `op`.
    Attribute,
    /// The value of `attribute` of `op`.
    Value,
    /// A parameter of `mnemonic`.
    Parameter,
    /// A symbol, with the `@`.
    Symbol,
    /// An attribute or type of a dialect, with its sigil.
    Mnemonic,
  };

  Kind kind = Kind::None;
  /// What is there already of the word that is typed, at the end of the text.
  llvm::StringRef word;
  const OpInfo *op = nullptr;
  const MnemonicInfo *mnemonic = nullptr;
  llvm::StringRef attribute;
  /// Names that the dictionary or parameter list has already.
  llvm::SmallVector<llvm::StringRef> names;
};

Place scan(llvm::StringRef text);

/// A symbol that a text defines.
struct SymbolDefinition {
  /// With the `@`.
  llvm::StringRef name;
  /// The op that defines it.
  llvm::StringRef op;
};

/// The symbols that ops of our dialects define in a text, in its order.
llvm::SmallVector<SymbolDefinition> findSymbols(llvm::StringRef text);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_SCANNER_H
