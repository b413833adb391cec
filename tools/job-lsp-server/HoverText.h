//===- HoverText.h - What we say on a text that parses ----------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H

#include "Text.h"

#include "mlir/IR/DialectRegistry.h"

#include <memory>
#include <string>

namespace joblsp {

class ParsedText;

/// What we say on a text that MLIR's server accepts. For one thread.
class HoverText {
public:
  explicit HoverText(const mlir::DialectRegistry &registry);
  ~HoverText();

  /// Markdown on the op or blob at `position` of `text`: shape and bytes of its
  /// blobs or buffers, what it reads and writes, its FLOPs. Empty when there is
  /// nothing to say, and for a text that is no IR.
  std::string describe(const std::shared_ptr<const Text> &text,
                       LineColumn position);

  /// Diagnostics of the protocol on attributes that an op does not have, which
  /// only the passes job-verify and plan-verify refuse. `uri` names the text.
  llvm::json::Array verifyNames(llvm::StringRef uri,
                                const std::shared_ptr<const Text> &text);

private:
  /// The module in the part of a text from `begin` on.
  ParsedText &parse(const std::shared_ptr<const Text> &text, size_t begin,
                    size_t end);

  const mlir::DialectRegistry &registry;
  /// The last text that was asked about.
  std::shared_ptr<const Text> parsedText;
  size_t parsedBegin = 0;
  std::unique_ptr<ParsedText> parsed;
};

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H
