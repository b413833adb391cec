//===- Startup.h - What all tools begin with --------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_STARTUP_H
#define JOBMLIR_TOOLS_COMMON_STARTUP_H

#include "JobDialect/Target/Artifact.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace jobmlir {

/// Lets --version print what artifacts say of their compiler. Registers LLVM's
/// common options: call it after llvm::cl::ResetCommandLineParser(), which
/// would remove them.
inline void setVersion() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << mlir::job::getCompilerVersion() << '\n';
  });
}

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_STARTUP_H
