//===- HoverText.h - What a hover adds on an op or array --------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H

#include "Text.h"

#include <memory>
#include <string>

namespace joblsp {

class TextParser;

/// Markdown on the op or blob at `position` of `text`: shape and bytes of its
/// blobs or buffers, what it reads and writes, its FLOPs. Empty when there is
/// nothing to say, and for a text that is no IR.
std::string getHoverText(TextParser &parser,
                         const std::shared_ptr<const Text> &text,
                         LineColumn position);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_HOVERTEXT_H
