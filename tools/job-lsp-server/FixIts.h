//===- FixIts.h - Edits that a diagnostic asks for --------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_FIXITS_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_FIXITS_H

#include "Text.h"

namespace joblsp {

/// The code actions of the protocol for diagnostics that this server published
/// on a text: names that a note proposes ("Support/Suggestions.h"), similar
/// names for those that the parser does not know, and what a message says is
/// missing. `uri` names the text in the edits.
llvm::json::Array getFixIts(llvm::StringRef uri, const Text &text,
                            const llvm::json::Array &diagnostics);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_FIXITS_H
