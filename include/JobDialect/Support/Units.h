//===- Units.h - Numbers as people read them --------------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_UNITS_H
#define JOBDIALECT_SUPPORT_UNITS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::job {

/// Three digits and a unit: "612 B", "9.57 MiB" (1024 to the step).
std::string formatBytes(int64_t bytes);

/// Three digits and a prefix: "612", "39.3 M" (1000 to the step).
std::string formatCount(int64_t count);

/// The same with what is counted: "612 FLOP", "39.3 MFLOP".
std::string formatFlops(int64_t count);

/// All digits, in groups: "10,035,200".
std::string formatDigits(int64_t number);

/// A number of bytes as people write it: digits, and K, M, G or T for 1024, its
/// square and so on, as in "512M". Nothing when it is none of at least 1 and at
/// most 2^48.
std::optional<int64_t> parseBytes(llvm::StringRef text);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_UNITS_H
