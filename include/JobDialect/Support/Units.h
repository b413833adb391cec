//===- Units.h - Human-readable numbers -------------------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_UNITS_H
#define JOBDIALECT_SUPPORT_UNITS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::job {

/// Three digits and a unit: "612 B", "9.57 MiB" (powers of 1024).
std::string formatBytes(int64_t bytes);

/// Three digits and a prefix: "612", "39.3 M" (powers of 1000).
std::string formatCount(int64_t count);

/// The same with the unit FLOP: "612 FLOP", "39.3 MFLOP".
std::string formatFlops(int64_t count);

/// All digits, in groups: "10,035,200".
std::string formatDigits(int64_t number);

/// Parses a number of bytes: digits, optionally followed by K, M, G or T for
/// powers of 1024, as in "512M". std::nullopt if `text` is not a number from 1
/// to 2^48.
std::optional<int64_t> parseBytes(llvm::StringRef text);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_UNITS_H
