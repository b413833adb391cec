//===- FileDiagnostics.h - Errors of whole files ----------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_COMMON_FILEDIAGNOSTICS_H
#define JOBMLIR_TOOLS_COMMON_FILEDIAGNOSTICS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace jobmlir {

/// Prints a diagnostic as "file: error: message"; its notes have their lines.
inline void printFileDiagnostic(const mlir::Diagnostic &diagnostic) {
  auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  std::string name;
  if (place) {
    name = place.getFilename().str();
    if (place.getLine() != 0)
      name += ":" + std::to_string(place.getLine()) + ":" +
              std::to_string(place.getColumn());
  }
  auto kind = [&] {
    switch (diagnostic.getSeverity()) {
    case mlir::DiagnosticSeverity::Error:
      return llvm::SourceMgr::DK_Error;
    case mlir::DiagnosticSeverity::Warning:
      return llvm::SourceMgr::DK_Warning;
    case mlir::DiagnosticSeverity::Remark:
      return llvm::SourceMgr::DK_Remark;
    case mlir::DiagnosticSeverity::Note:
      return llvm::SourceMgr::DK_Note;
    }
    llvm_unreachable("expects a known severity");
  }();
  llvm::SMDiagnostic(name, kind, diagnostic.str())
      .print(/*ProgName=*/nullptr, llvm::errs());
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    printFileDiagnostic(note);
}

/// Prints diagnostics at a whole file, to which the parser gives line 0,
/// without a line. Call it behind the handler of all others.
inline void handleFileDiagnostics(mlir::MLIRContext &context) {
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    auto place =
        diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
    if (!place || place.getLine() != 0)
      return mlir::failure();
    printFileDiagnostic(diagnostic);
    return mlir::success();
  });
}

} // namespace jobmlir

#endif // JOBMLIR_TOOLS_COMMON_FILEDIAGNOSTICS_H
