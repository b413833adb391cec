//===- NameDiagnostics.h - Errors on names of attributes --------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_NAMEDIAGNOSTICS_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_NAMEDIAGNOSTICS_H

#include "Text.h"

#include <memory>

namespace joblsp {

class TextParser;

/// Diagnostics of the protocol on attributes that an op does not have, which
/// only the passes job-verify and plan-verify refuse. `uri` names the text.
llvm::json::Array getNameDiagnostics(TextParser &parser, llvm::StringRef uri,
                                     const std::shared_ptr<const Text> &text);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_NAMEDIAGNOSTICS_H
