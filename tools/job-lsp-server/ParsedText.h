//===- ParsedText.h - The IR of an open file --------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_PARSEDTEXT_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_PARSEDTEXT_H

#include "Text.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <optional>

namespace joblsp {

/// A module and where its ops, values and blocks are in the text. Both are
/// empty if the text has errors.
class ParsedText {
public:
  ParsedText(const mlir::DialectRegistry &registry, llvm::StringRef text);

  mlir::MLIRContext &getContext() { return context; }
  mlir::Block &getBlock() { return block; }
  /// Its places point into getText().
  const mlir::AsmParserState &getState() const { return state; }
  llvm::StringRef getText() const;
  /// The offset of a location; none if it is not in the text.
  std::optional<size_t> getOffset(mlir::Location loc);

private:
  mlir::MLIRContext context;
  llvm::SourceMgr sourceMgr;
  mlir::Block block;
  mlir::AsmParserState state;
};

/// Parses texts and keeps the last one. For one thread.
class TextParser {
public:
  explicit TextParser(const mlir::DialectRegistry &registry)
      : registry(registry) {}

  /// The module in a part of a text. Valid until the next call.
  ParsedText &parse(const std::shared_ptr<const Text> &text, size_t begin,
                    size_t end);

private:
  const mlir::DialectRegistry &registry;
  /// What was parsed last: the text and the begin of the part.
  std::shared_ptr<const Text> parsedText;
  size_t parsedBegin = 0;
  std::unique_ptr<ParsedText> parsed;
};

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_PARSEDTEXT_H
