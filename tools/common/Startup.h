//===- Startup.h - What all tools begin with --------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_STARTUP_H
#define JOBMLIR_TOOLS_COMMON_STARTUP_H

#include "JobDialect/Support/SystemError.h"
#include "JobDialect/Target/Artifact.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>

namespace jobmlir {

/// Lets --version print what artifacts say of their compiler. Registers LLVM's
/// common options: call it after llvm::cl::ResetCommandLineParser(), which
/// would remove them.
inline void setVersion() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << mlir::job::getCompilerVersion() << '\n';
  });
}

/// Makes what cannot be written, as on a full disk, an error of the tool of
/// that name. LLVM would abort when the process ends with an error of standard
/// output, and take a file larger than the system's limit for a crash. Call it
/// first, but after llvm::InitLLVM, which handles signals.
inline void reportOutputErrors(const char *tool) {
  std::signal(SIGXFSZ, SIG_IGN);
  // Streams that are there when the function below is registered are there
  // still when it runs.
  llvm::outs();
  llvm::errs();
  static const char *name;
  name = tool;
  std::atexit([] {
    llvm::outs().flush();
    std::error_code code = llvm::outs().error();
    if (!code)
      return;
    llvm::outs().clear_error();
    llvm::errs() << name << ": error: cannot write to standard output: "
                 << mlir::job::describeSystemError(code) << '\n';
    std::_Exit(1);
  });
}

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_STARTUP_H
