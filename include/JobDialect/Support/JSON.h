//===- JSON.h - Text in JSON ------------------------------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_JSON_H
#define JOBDIALECT_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace mlir::job {

/// A string that owns its text. JSON is UTF-8; invalid sequences are replaced.
inline llvm::json::Value toJSON(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_JSON_H
