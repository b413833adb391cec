//===- Text.h - The text of an open file ------------------------*- C++ -*-===//
//
// The protocol counts the columns of a position in UTF-16 units, MLIR's server
// in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef JOBMLIR_TOOLS_JOB_LSP_SERVER_TEXT_H
#define JOBMLIR_TOOLS_JOB_LSP_SERVER_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace joblsp {

/// A line and a column, both from 0.
struct LineColumn {
  int64_t line = 0, column = 0;
};

class Text {
public:
  explicit Text(std::string text);

  llvm::StringRef str() const { return text; }

  /// The offset of a position; the nearest one if there is no such position.
  size_t getOffset(LineColumn utf16) const;
  /// The position of an offset, which is at most the size.
  LineColumn getPosition(size_t offset) const;

  /// The same position with its column in the other unit. What is behind the
  /// end of a line or of the text becomes that end.
  LineColumn toBytes(LineColumn utf16) const;
  LineColumn toUTF16(LineColumn bytes) const;

  /// The part between two lines `// -----` that holds `offset`, as offsets:
  /// such parts are modules of their own.
  std::pair<size_t, size_t> getChunk(size_t offset) const;

private:
  /// The line without its end.
  llvm::StringRef getLine(int64_t line) const;

  std::string text;
  std::vector<size_t> lineStarts;
};

/// A position of the protocol; none if the value is not one.
std::optional<LineColumn> getLineColumn(const llvm::json::Value *value);
llvm::json::Object toJSON(LineColumn position);
/// The range between two offsets of a text.
llvm::json::Object getRange(const Text &text, size_t begin, size_t end);

} // namespace joblsp

#endif // JOBMLIR_TOOLS_JOB_LSP_SERVER_TEXT_H
