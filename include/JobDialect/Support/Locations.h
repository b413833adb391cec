//===- Locations.h - Locations in the user's program ------------*- C++ -*-===//
//
// Interprets the locations that the frontend and the passes build: a NameLoc
// around the frames of the user's program holds the name of an op, a FusedLoc
// with a text ("gradient of", "update of", "recomputation of") marks ops that
// are derived from it, and a FusedLoc without a text is the location of fused
// ops.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_LOCATIONS_H
#define JOBDIALECT_SUPPORT_LOCATIONS_H

#include "mlir/IR/Location.h"

#include <optional>
#include <string>

namespace mlir::job {

/// A position in a source file of the user.
struct UserLocation {
  StringRef file;
  unsigned line, column;

  /// "file:line:column".
  std::string str() const;
};

/// The innermost line of the user's program: for a call the line in the callee,
/// for fused ops the first line that is known.
std::optional<UserLocation> getUserLocation(Location loc);

/// The user's name of an op: "conv1", "gradient of conv1", or "a, b" for fused
/// ops (at most three names, then the number of further ones). An op that is
/// derived from an op without a name gets the line of that op as its name.
/// Empty if neither name nor line is known.
std::string getUserName(Location loc);

/// The location of a recomputation of the op at `loc`: its name is
/// "recomputation of" the name of `loc`.
Location getRecomputationLoc(Location loc);

/// True for a location made by getRecomputationLoc.
bool isRecomputation(Location loc);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_LOCATIONS_H
