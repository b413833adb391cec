//===- Startup.h - What all tools begin with --------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_STARTUP_H
#define JOBMLIR_TOOLS_COMMON_STARTUP_H

#include "JobDialect/Target/Artifact.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

namespace jobmlir {

/// Lets --version print what artifacts say of their compiler. Registers LLVM's
/// common options: call it after llvm::cl::ResetCommandLineParser(), which
/// would remove them.
inline void setVersion() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << mlir::job::getCompilerVersion() << '\n';
  });
}

/// A file larger than the system's limit is an error of its write, as on a full
/// disk, and not a crash. Call it after llvm::InitLLVM, which sets a handler.
inline void ignoreFileSizeSignal() { std::signal(SIGXFSZ, SIG_IGN); }

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_STARTUP_H
