//===- Units.cpp - Numbers as people read them ----------------------------===//

#include "JobDialect/Support/Units.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::job;

static std::string formatScaled(int64_t number, double step,
                                llvm::ArrayRef<llvm::StringRef> units) {
  double value = number;
  size_t unit = 0;
  // What would be rounded to a full step has the next unit.
  while (unit + 1 < units.size() && value >= step - 0.5) {
    value /= step;
    ++unit;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  os << llvm::format("%.*f", decimals, value);
  if (!units[unit].empty())
    os << ' ' << units[unit];
  return text;
}

std::string mlir::job::formatBytes(int64_t bytes) {
  return formatScaled(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string mlir::job::formatCount(int64_t count) {
  return formatScaled(count, 1000, {"", "k", "M", "G", "T", "P", "E"});
}

std::string mlir::job::formatFlops(int64_t count) {
  std::string text = formatCount(count);
  return text + (text.find(' ') == std::string::npos ? " FLOP" : "FLOP");
}

std::string mlir::job::formatDigits(int64_t number) {
  std::string text = std::to_string(number);
  for (int64_t i = int64_t(text.size()) - 3; i > (number < 0 ? 1 : 0); i -= 3)
    text.insert(i, ",");
  return text;
}

std::optional<int64_t> mlir::job::parseBytes(llvm::StringRef text) {
  constexpr int64_t most = int64_t(1) << 48;
  int64_t unit = 1;
  size_t suffix = llvm::StringRef("KMGT").find(text.take_back());
  if (!text.empty() && suffix != llvm::StringRef::npos) {
    unit <<= 10 * (suffix + 1);
    text = text.drop_back();
  }
  int64_t number;
  if (!llvm::all_of(text, llvm::isDigit) || text.getAsInteger(10, number) ||
      number < 1 || number > most / unit)
    return std::nullopt;
  return number * unit;
}
