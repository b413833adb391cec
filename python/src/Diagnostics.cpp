//===- Diagnostics.cpp - The compiler's diagnostics as values -------------===//

#include "Diagnostics.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace mlir;
using namespace jobmlir;

Location jobmlir::makeLocation(MLIRContext *context, StringRef name,
                               ArrayRef<Frame> frames) {
  Location loc = UnknownLoc::get(context);
  for (const Frame &frame : llvm::reverse(frames)) {
    Location place =
        FileLineColLoc::get(context, frame.file, frame.line, frame.column);
    loc = isa<UnknownLoc>(loc) ? place : Location(CallSiteLoc::get(place, loc));
  }
  if (name.empty())
    return loc;
  return NameLoc::get(StringAttr::get(context, name), loc);
}

/// Appends the frames of `loc`, innermost first; the first name that is met is
/// that of the op.
static void collectFrames(Location loc, CapturedDiagnostic &out) {
  if (auto place = dyn_cast<FileLineColLoc>(loc)) {
    out.frames.push_back(
        {place.getFilename().str(), place.getLine(), place.getColumn()});
  } else if (auto name = dyn_cast<NameLoc>(loc)) {
    if (out.name.empty())
      out.name = name.getName().str();
    collectFrames(name.getChildLoc(), out);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectFrames(call.getCallee(), out);
    collectFrames(call.getCaller(), out);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    // The parts of a fused location are alternatives, not callers.
    for (Location part : fused.getLocations())
      if (out.frames.empty())
        collectFrames(part, out);
  }
}

/// The text of a diagnostic without "'job.unpack' op ": errors in Python begin
/// with the user's name of the op.
static std::string getText(const Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  StringRef message = text, rest = message;
  if (rest.consume_front("'job."))
    if (size_t end = rest.find("' op "); end != StringRef::npos)
      message = rest.drop_front(end + strlen("' op "));
  return message.str();
}

static CapturedDiagnostic capture(Diagnostic &diagnostic) {
  CapturedDiagnostic out;
  out.message = getText(diagnostic);
  collectFrames(diagnostic.getLocation(), out);
  for (Diagnostic &note : diagnostic.getNotes())
    out.notes.push_back(capture(note));
  return out;
}

const char *DiagnosticError::what() const noexcept {
  return diagnostics.front().message.c_str();
}

DiagnosticCapture::DiagnosticCapture(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        captured.push_back(capture(diagnostic));
        return success();
      }) {}

void DiagnosticCapture::raise(StringRef fallback) {
  if (captured.empty())
    captured.push_back({fallback.str(), {}, {}, {}});
  throw DiagnosticError(std::move(captured));
}
