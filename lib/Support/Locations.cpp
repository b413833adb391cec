//===- Locations.cpp - What the user wrote --------------------------------===//

#include "JobDialect/Support/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

/// Names of ops that became one that are spelled out.
static constexpr size_t kMaxNames = 3;
static constexpr llvm::StringLiteral kRecomputation = "recomputation of";

std::string UserLocation::str() const {
  return (file + ":" + Twine(line) + ":" + Twine(column)).str();
}

std::optional<UserLocation> job::getUserLocation(Location loc) {
  using Result = std::optional<UserLocation>;
  return TypeSwitch<LocationAttr, Result>(loc)
      .Case([](FileLineColRange range) -> Result {
        return UserLocation{range.getFilename().getValue(),
                            range.getStartLine(), range.getStartColumn()};
      })
      .Case([](NameLoc name) { return getUserLocation(name.getChildLoc()); })
      .Case([](CallSiteLoc call) {
        Result callee = getUserLocation(call.getCallee());
        return callee ? callee : getUserLocation(call.getCaller());
      })
      .Case([](FusedLoc fused) -> Result {
        for (Location part : fused.getLocations())
          if (Result result = getUserLocation(part))
            return result;
        return std::nullopt;
      })
      .Case([](OpaqueLoc opaque) {
        return getUserLocation(opaque.getFallbackLocation());
      })
      .Default([](LocationAttr) { return std::nullopt; });
}

static std::string getFusedName(FusedLoc fused) {
  llvm::SmallSetVector<StringAttr, 4> names;
  MLIRContext *context = fused.getContext();
  for (Location part : fused.getLocations()) {
    std::string name = getUserName(part);
    if (!name.empty())
      names.insert(StringAttr::get(context, name));
  }
  size_t shown = std::min<size_t>(names.size(), kMaxNames);
  std::string text = llvm::join(
      llvm::map_range(names.getArrayRef().take_front(shown),
                      [](StringAttr name) { return name.getValue(); }),
      ", ");
  if (names.size() > shown)
    text += " and " + std::to_string(names.size() - shown) + " more";

  auto what = dyn_cast_or_null<StringAttr>(fused.getMetadata());
  if (!what)
    return text;
  if (text.empty())
    if (std::optional<UserLocation> line = getUserLocation(Location(fused)))
      text = line->str();
  return text.empty() ? text : (what.getValue() + " " + text).str();
}

std::string job::getUserName(Location loc) {
  return TypeSwitch<LocationAttr, std::string>(loc)
      .Case([](NameLoc name) { return name.getName().str(); })
      .Case([](CallSiteLoc call) {
        std::string callee = getUserName(call.getCallee());
        return callee.empty() ? getUserName(call.getCaller()) : callee;
      })
      .Case([](FusedLoc fused) { return getFusedName(fused); })
      .Case([](OpaqueLoc opaque) {
        return getUserName(opaque.getFallbackLocation());
      })
      .Default([](LocationAttr) { return std::string(); });
}

Location job::getRecomputationLoc(Location loc) {
  MLIRContext *context = loc.getContext();
  return FusedLoc::get({loc}, StringAttr::get(context, kRecomputation),
                       context);
}

bool job::isRecomputation(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused)
    return false;
  auto what = dyn_cast_or_null<StringAttr>(fused.getMetadata());
  return what && what.getValue() == kRecomputation;
}
