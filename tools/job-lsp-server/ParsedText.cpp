//===- ParsedText.cpp - The IR of an open file ----------------------------===//

#include "ParsedText.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace joblsp;

ParsedText::ParsedText(const DialectRegistry &registry, StringRef text)
    : context(registry, MLIRContext::Threading::DISABLED) {
  // MLIR's server parses the text, too, and reports the errors.
  ScopedDiagnosticHandler ignore(&context,
                                 [](Diagnostic &) { return success(); });
  sourceMgr.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               llvm::SMLoc());
  if (succeeded(parseAsmSourceFile(sourceMgr, &block, &context, &state)))
    return;
  block.clear();
  state = AsmParserState();
}

StringRef ParsedText::getText() const {
  return sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID())->getBuffer();
}

std::optional<size_t> ParsedText::getOffset(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return std::nullopt;
  llvm::SMLoc place = sourceMgr.FindLocForLineAndColumn(
      sourceMgr.getMainFileID(), file.getLine(), file.getColumn());
  if (!place.isValid())
    return std::nullopt;
  return place.getPointer() - getText().begin();
}

ParsedText &TextParser::parse(const std::shared_ptr<const Text> &text,
                              size_t begin, size_t end) {
  if (parsedText != text || parsedBegin != begin || !parsed) {
    parsed =
        std::make_unique<ParsedText>(registry, text->str().slice(begin, end));
    parsedText = text;
    parsedBegin = begin;
  }
  return *parsed;
}
