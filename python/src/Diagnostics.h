//===- Diagnostics.h - The compiler's diagnostics as values -----*- C++ -*-===//
//
// What the compiler reports, captured so that Python can raise it with the
// user's line.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_PYTHON_DIAGNOSTICS_H
#define JOBMLIR_PYTHON_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <exception>
#include <string>
#include <vector>

namespace jobmlir {

/// A place in the user's program. Lines and columns count from 1; a column of
/// 0 is unknown.
struct Frame {
  std::string file;
  unsigned line = 0, column = 0;
};

/// The frames as one location, the innermost first; named when `name` is not
/// empty. No frames give an unknown place.
mlir::Location makeLocation(mlir::MLIRContext *context, llvm::StringRef name,
                            llvm::ArrayRef<Frame> frames);

struct CapturedDiagnostic {
  std::string message;
  /// The user-visible name of the op that the diagnostic is about; may be
  /// empty.
  std::string name;
  /// Innermost first; may be empty.
  std::vector<Frame> frames;
  std::vector<CapturedDiagnostic> notes;
};

/// Thrown by the functions of this module that report errors.
class DiagnosticError : public std::exception {
public:
  explicit DiagnosticError(std::vector<CapturedDiagnostic> diagnostics)
      : diagnostics(std::move(diagnostics)) {}
  const char *what() const noexcept override;
  const std::vector<CapturedDiagnostic> diagnostics;
};

/// Captures the errors of a context while it is alive; warnings and remarks
/// are left to other handlers.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext *context);
  /// The error that the captured diagnostics make; `fallback` is its message
  /// when there is none.
  [[noreturn]] void raise(llvm::StringRef fallback);

private:
  std::vector<CapturedDiagnostic> captured;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace jobmlir

#endif // JOBMLIR_PYTHON_DIAGNOSTICS_H
