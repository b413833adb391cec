//===- Locations.h - What the user wrote ------------------------*- C++ -*-===//
//
// Reads the locations that the frontend and the passes build: a NameLoc around
// the frames of the user's program gives an op its name, a FusedLoc with a text
// ("gradient of", "update of", "recomputation of") marks what was derived from
// it, and one without joins ops that became one.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_LOCATIONS_H
#define JOBDIALECT_SUPPORT_LOCATIONS_H

#include "mlir/IR/Location.h"

#include <optional>
#include <string>

namespace mlir::job {

/// A place in a file that the user wrote.
struct UserLocation {
  StringRef file;
  unsigned line, column;

  /// "file:line:column".
  std::string str() const;
};

/// The innermost line of the user's program: of a call the callee, of ops that
/// became one the first that has a line.
std::optional<UserLocation> getUserLocation(Location loc);

/// What the user calls it: "conv1", "gradient of conv1", and "a, b" for ops
/// that became one (three names at most, then how many more). What was derived
/// from something without a name is called after its line. Empty when there is
/// nothing to say.
std::string getUserName(Location loc);

/// `loc` as the place of what runs again: its name is "recomputation of" that
/// of `loc`.
Location getRecomputationLoc(Location loc);

/// True for what getRecomputationLoc made.
bool isRecomputation(Location loc);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_LOCATIONS_H
