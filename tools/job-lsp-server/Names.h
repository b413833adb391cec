//===- Names.h - Where a name occurs ----------------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_NAMES_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_NAMES_H

#include "Text.h"

namespace joblsp {

/// The locations of the value, block, symbol or alias at a position, by its
/// name: for texts with errors, of which MLIR's server knows none. Names of
/// values and blocks are those of one function.
llvm::json::Array findReferences(llvm::StringRef uri, const Text &text,
                                 LineColumn position);

/// The first of these locations that defines the name; empty if there is none.
llvm::json::Array findDefinition(llvm::StringRef uri, const Text &text,
                                 LineColumn position);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_NAMES_H
