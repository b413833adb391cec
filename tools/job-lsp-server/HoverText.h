//===- HoverText.h - Shapes, bytes and FLOPs of what is there ---*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H

#include "Text.h"

#include "mlir/IR/DialectRegistry.h"

#include <memory>
#include <string>

namespace joblsp {

class ParsedText;

/// Tells what stands at a place of a text. For one thread.
class HoverText {
public:
  explicit HoverText(const mlir::DialectRegistry &registry);
  ~HoverText();

  /// Markdown on the op or blob at `position` of `text`: shape and bytes of its
  /// blobs or buffers, what it reads and writes, its FLOPs. Empty when there is
  /// nothing to say, and for a text that is no IR.
  std::string describe(const std::shared_ptr<const Text> &text,
                       LineColumn position);

private:
  const mlir::DialectRegistry &registry;
  /// The last text that was asked about.
  std::shared_ptr<const Text> parsedText;
  size_t parsedBegin = 0;
  std::unique_ptr<ParsedText> parsed;
};

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H
