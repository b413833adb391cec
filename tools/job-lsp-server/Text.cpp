//===- Text.cpp - The text of an open file --------------------------------===//

#include "Text.h"

#include <algorithm>

using namespace joblsp;
namespace json = llvm::json;

Text::Text(std::string contents) : text(std::move(contents)) {
  lineStarts.push_back(0);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lineStarts.push_back(i + 1);
}

llvm::StringRef Text::getLine(int64_t line) const {
  llvm::StringRef rest = str().drop_front(lineStarts[line]);
  rest = rest.take_until([](char c) { return c == '\n'; });
  rest.consume_back("\r");
  return rest;
}

/// The bytes of the code point that begins with `first`.
static size_t getByteCount(char first) {
  auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Bytes and UTF-16 units of the longest part at the begin of a line that has
/// at most so many of each.
static std::pair<int64_t, int64_t> measure(llvm::StringRef line,
                                           size_t maxBytes, size_t maxUnits) {
  size_t bytes = 0, units = 0;
  while (bytes < line.size()) {
    size_t count = getByteCount(line[bytes]);
    size_t nextUnits = units + (count == 4 ? 2 : 1);
    if (bytes + count > std::min(maxBytes, line.size()) || nextUnits > maxUnits)
      break;
    bytes += count;
    units = nextUnits;
  }
  return {bytes, units};
}

LineColumn Text::toBytes(LineColumn utf16) const {
  int64_t last = static_cast<int64_t>(lineStarts.size()) - 1;
  if (utf16.line > last)
    return {last, static_cast<int64_t>(getLine(last).size())};
  if (utf16.line < 0 || utf16.column < 0)
    return {std::max<int64_t>(utf16.line, 0), 0};
  llvm::StringRef line = getLine(utf16.line);
  return {utf16.line, measure(line, line.size(), utf16.column).first};
}

LineColumn Text::toUTF16(LineColumn bytes) const {
  int64_t last = static_cast<int64_t>(lineStarts.size()) - 1;
  if (bytes.line < 0 || bytes.column < 0 || bytes.line > last)
    return bytes;
  llvm::StringRef line = getLine(bytes.line);
  return {bytes.line, measure(line, bytes.column, line.size()).second};
}

size_t Text::getOffset(LineColumn utf16) const {
  LineColumn bytes = toBytes(utf16);
  return lineStarts[bytes.line] + bytes.column;
}

LineColumn Text::getPosition(size_t offset) const {
  auto it = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset) - 1;
  return toUTF16({it - lineStarts.begin(), static_cast<int64_t>(offset - *it)});
}

std::pair<size_t, size_t> Text::getChunk(size_t offset) const {
  constexpr llvm::StringLiteral marker("// -----");
  size_t begin = str().take_front(offset).rfind(marker);
  begin = begin == llvm::StringRef::npos ? 0 : begin + marker.size();
  return {begin, std::min(str().find(marker, offset), text.size())};
}

std::optional<LineColumn> joblsp::getLineColumn(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return std::nullopt;
  std::optional<int64_t> line = object->getInteger("line");
  std::optional<int64_t> column = object->getInteger("character");
  if (!line || !column)
    return std::nullopt;
  return LineColumn{*line, *column};
}

json::Object joblsp::toJSON(LineColumn position) {
  return json::Object{{"line", position.line}, {"character", position.column}};
}

json::Object joblsp::getRange(const Text &text, size_t begin, size_t end) {
  return json::Object{{"start", toJSON(text.getPosition(begin))},
                      {"end", toJSON(text.getPosition(end))}};
}
