//===- PlanAttributes.cpp - Attributes of the plan dialect ----------------===//

#include "JobDialect/Plan/PlanDialect.h"

#include "JobDialect/Interfaces/Interfaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::plan;

//===----------------------------------------------------------------------===//
// Configurations of library functions
//===----------------------------------------------------------------------===//

namespace {
/// Parses the value of the parameter `name`, if it is this one.
struct ParameterParser {
  AsmParser &parser;
  StringRef name;
  bool isKnown = false;
  ParseResult result = success();

  void operator()(const jobrt::calls::Parameter &parameter, int64_t &value) {
    if (name != parameter.key)
      return;
    isKnown = true;
    result = parser.parseInteger(value);
  }
  void operator()(const char *key, double &value) {
    if (name != key)
      return;
    isKnown = true;
    result = parser.parseFloat(value);
  }
};
} // namespace

/// Parses `<key = value, ...>`, in any order.
template <typename Attr, typename Config>
static Attribute parseCallConfig(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Config config;
  llvm::SmallDenseSet<StringRef> seen;
  auto parseParameter = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (!seen.insert(name).second)
      return parser.emitError(loc)
             << "expects '" << name << "' once but got it twice";
    if (parser.parseEqual())
      return failure();
    ParameterParser value{parser, name};
    Config::visit(config, value);
    if (!value.isKnown)
      return parser.emitError(loc) << "expects a parameter of "
                                   << Config::kCallee << " but got " << name;
    return value.result;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseParameter))
    return {};
  const char *missing = nullptr;
  struct {
    const llvm::SmallDenseSet<StringRef> &seen;
    const char *&missing;
    void operator()(const jobrt::calls::Parameter &parameter, int64_t) {
      if (!missing && !parameter.fallback && !seen.contains(parameter.key))
        missing = parameter.key;
    }
    void operator()(const char *, double) {}
  } finder{seen, missing};
  Config::visit(config, finder);
  if (missing)
    return parser.emitError(start)
               << "expects '" << missing << "' in the configuration but got "
               << "none",
           Attribute();
  return Attr::getChecked([&] { return parser.emitError(start); },
                          parser.getContext(), config);
}

namespace {
/// Prints the parameters that are not what they are without text.
struct ParameterPrinter {
  AsmPrinter &printer;
  llvm::ListSeparator separator;

  void operator()(const jobrt::calls::Parameter &parameter, int64_t value) {
    if (parameter.fallback != value)
      printer << StringRef(separator) << parameter.key << " = " << value;
  }
  void operator()(const char *key, double value) {
    if (value != 1) {
      printer << StringRef(separator) << key << " = ";
      printer.printFloat(APFloat(value));
    }
  }
};
} // namespace

template <typename Config>
static void printCallConfig(AsmPrinter &printer, const Config &config) {
  printer << "<";
  Config::visit(config, ParameterPrinter{printer, {}});
  printer << ">";
}

template <typename Config>
static LogicalResult
verifyCallConfig(function_ref<InFlightDiagnostic()> emitError,
                 const Config &config) {
  if (std::string error = jobrt::calls::check(config); !error.empty())
    return emitError() << error;
  return success();
}

#define GET_ATTRDEF_CLASSES
#include "JobDialect/Plan/PlanAttributes.cpp.inc"

void PlanDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "JobDialect/Plan/PlanAttributes.cpp.inc"
      >();
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() != kImplementationAttrName)
    return success();
  auto call = dyn_cast<job::LibraryCallOpInterface>(op);
  if (!call)
    return op->emitOpError() << "expects no " << attr.getName()
                             << ": no library function computes it";
  if (isa<GeneratedKernelAttr>(attr.getValue()))
    return success();
  auto expected = dyn_cast_if_present<CallConfigAttrInterface>(
      call.getCallConfig(/*maxChunks=*/1));
  if (!expected)
    return op->emitOpError()
           << "expects " << GeneratedKernelAttr::get(getContext()) << " as "
           << attr.getName()
           << ", since no library function computes it, but got "
           << attr.getValue();
  auto config = dyn_cast<CallConfigAttrInterface>(attr.getValue());
  if (config && config.getUnsplit() == expected.getUnsplit())
    return success();
  return op->emitOpError() << "expects a split of " << expected.getUnsplit()
                           << " as " << attr.getName() << " but got "
                           << attr.getValue();
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// Parses `[a, b]`.
static ParseResult parsePair(AsmParser &parser, SmallVectorImpl<int64_t> &out) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(out.emplace_back());
      }))
    return failure();
  if (out.size() != 2)
    return parser.emitError(loc)
           << "expects two numbers but got " << out.size();
  return success();
}

Attribute CPUScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> distribute, tile, vectorize;
  int64_t interleave = 1, accumulate = kDefaultAccumulate;
  llvm::SmallDenseSet<StringRef> seen;
  auto parseMember = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (!seen.insert(name).second)
      return parser.emitError(loc)
             << "expects '" << name << "' once but got it twice";
    if (parser.parseEqual())
      return failure();
    if (name == "distribute")
      return parsePair(parser, distribute);
    if (name == "tile")
      return parsePair(parser, tile);
    if (name == "vectorize")
      return parsePair(parser, vectorize);
    if (name == "interleave")
      return parser.parseInteger(interleave);
    if (name == "accumulate")
      return parser.parseInteger(accumulate);
    return parser.emitError(loc) << "expects distribute, tile, vectorize, "
                                    "interleave or accumulate but "
                                    "got "
                                 << name;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseMember))
    return {};
  return CPUScheduleAttr::getChecked(
      [&] { return parser.emitError(parser.getNameLoc()); },
      parser.getContext(), distribute, tile, vectorize, interleave, accumulate);
}

void CPUScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::ListSeparator separator;
  auto printPair = [&](StringRef name, ArrayRef<int64_t> pair) {
    if (!pair.empty())
      printer << StringRef(separator) << name << " = [" << pair[0] << ", "
              << pair[1] << "]";
  };
  printPair("distribute", getDistribute());
  printPair("tile", getTile());
  printPair("vectorize", getVectorize());
  printer << StringRef(separator) << "interleave = " << getInterleave();
  printer << StringRef(separator) << "accumulate = " << getAccumulate();
  printer << ">";
}

LogicalResult
CPUScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        ArrayRef<int64_t> distribute, ArrayRef<int64_t> tile,
                        ArrayRef<int64_t> vectorize, int64_t interleave,
                        int64_t accumulate) {
  if (!distribute.empty() && (distribute[0] < 0 || distribute[1] < 1))
    return emitError() << "expects distribute to be a dimension and a positive "
                          "number of iterations but got ["
                       << distribute[0] << ", " << distribute[1] << "]";
  if (!tile.empty() && (tile[0] < 0 || tile[1] < 1))
    return emitError() << "expects tile to be a dimension and a positive "
                          "number of iterations but got ["
                       << tile[0] << ", " << tile[1] << "]";
  if (!tile.empty() && !vectorize.empty() && tile[0] == vectorize[0])
    return emitError() << "expects tile and vectorize to be different "
                          "dimensions but got "
                       << tile[0];
  if (!vectorize.empty() &&
      (vectorize[0] < 0 || vectorize[1] < 2 || vectorize[1] > kMaxLanes ||
       !llvm::isPowerOf2_64(vectorize[1])))
    return emitError() << "expects vectorize to be a dimension and a power of "
                          "two of lanes, at most "
                       << kMaxLanes << ", but got [" << vectorize[0] << ", "
                       << vectorize[1] << "]";
  if (interleave < 1 || interleave > kMaxInterleave ||
      !llvm::isPowerOf2_64(interleave))
    return emitError() << "expects interleave to be a power of two, at most "
                       << kMaxInterleave << ", but got " << interleave;
  if (accumulate < 2)
    return emitError() << "expects accumulate to be at least 2 but got "
                       << accumulate;
  return success();
}
