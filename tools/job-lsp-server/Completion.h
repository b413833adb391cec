//===- Completion.h - What may be typed at a place --------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_COMPLETION_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_COMPLETION_H

#include "Text.h"

namespace joblsp {

/// Adds ops, attributes, values and symbols to a list of completions that
/// MLIR's server made for a position. It knows the names of ops and mnemonics
/// but not their texts, and neither attributes nor symbols; from the parser it
/// has values, blocks, keywords, and what belongs to other dialects.
void addCompletions(llvm::json::Object &list, const Text &text,
                    LineColumn position, bool hasSnippets);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_COMPLETION_H
