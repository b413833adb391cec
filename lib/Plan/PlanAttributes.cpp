//===- PlanAttributes.cpp - Attributes of the plan dialect ----------------===//

#include "JobDialect/Plan/PlanDialect.h"

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Interfaces/Interfaces.h"
#include "JobDialect/Support/Suggestions.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::plan;

//===----------------------------------------------------------------------===//
// Spaces and their sizes
//===----------------------------------------------------------------------===//

/// Parses `@device role` with `separator` between them, or `role`.
static FailureOr<SpaceAttr>
parseSpace(AsmParser &parser, function_ref<ParseResult()> parseSeparator) {
  StringAttr device;
  if (succeeded(parser.parseOptionalSymbolName(device)) && parseSeparator())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<SpaceRole> role = symbolizeSpaceRole(keyword);
  if (!role) {
    InFlightDiagnostic error =
        parser.emitError(loc)
        << "expects arena, variables, constants, inputs, outputs or "
           "workspace but got "
        << keyword;
    job::suggestName(
        error, keyword,
        {"arena", "variables", "constants", "inputs", "outputs", "workspace"});
    return error;
  }
  return SpaceAttr::get(
      parser.getContext(),
      device ? FlatSymbolRefAttr::get(device) : FlatSymbolRefAttr(), *role);
}

Attribute SpaceAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<SpaceAttr> space =
      parseSpace(parser, [&] { return parser.parseComma(); });
  if (failed(space) || parser.parseGreater())
    return {};
  return *space;
}

void SpaceAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (getDevice())
    printer << getDevice() << ", ";
  printer << stringifySpaceRole(getRole()) << ">";
}

std::string SpaceAttr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (getDevice())
    os << getDevice() << " ";
  os << stringifySpaceRole(getRole());
  return text;
}

Attribute SizesAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<SpaceSize> spaces;
  auto parseSize = [&]() -> ParseResult {
    FailureOr<SpaceAttr> space =
        parseSpace(parser, [] { return ParseResult(success()); });
    if (failed(space))
      return failure();
    SpaceSize &size = spaces.emplace_back(SpaceSize{*space, 0});
    if (parser.parseEqual() || parser.parseInteger(size.bytes))
      return failure();
    if (failed(parser.parseOptionalKeyword("above")))
      return success();
    return parser.parseInteger(size.lowerBound.emplace());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseSize))
    return {};
  return SizesAttr::getChecked([&] { return parser.emitError(start); },
                               parser.getContext(), spaces);
}

void SizesAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getSpaces(), printer, [&](const SpaceSize &size) {
    printer << size.space.str() << " = " << size.bytes;
    if (size.lowerBound)
      printer << " above " << *size.lowerBound;
  });
  printer << ">";
}

LogicalResult SizesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<SpaceSize> spaces) {
  llvm::SmallDenseSet<SpaceAttr> seen;
  for (const SpaceSize &size : spaces) {
    if (!seen.insert(size.space).second)
      return emitError() << "expects a size of the " << size.space.str()
                         << " once but got it twice";
    if (size.bytes < 0 || size.bytes > kMaxSpaceBytes)
      return emitError() << "expects from 0 to " << kMaxSpaceBytes
                         << " bytes of the " << size.space.str() << " but got "
                         << size.bytes;
    bool isArena = size.space.getRole() == SpaceRole::Arena;
    if (size.lowerBound.has_value() != isArena)
      return emitError() << "expects " << (isArena ? "a" : "no")
                         << " lower bound of the " << size.space.str()
                         << " but got " << (isArena ? "none" : "one");
    if (size.lowerBound && *size.lowerBound < 0)
      return emitError() << "expects a lower bound of at least 0 but got "
                         << *size.lowerBound;
  }
  return success();
}

std::optional<SpaceSize> SizesAttr::lookup(SpaceAttr space) const {
  const auto *it = llvm::find_if(
      getSpaces(), [&](const SpaceSize &size) { return size.space == space; });
  if (it == getSpaces().end())
    return std::nullopt;
  return *it;
}

std::optional<SpaceSize> SizesAttr::lookup(SpaceRole role) const {
  return lookup(SpaceAttr::get(getContext(), role));
}

SpaceAttr plan::getSpace(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? dyn_cast_if_present<SpaceAttr>(memref.getMemorySpace())
                : SpaceAttr();
}

MemRefType plan::getBufferType(MemRefType type, SpaceAttr space) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

MemRefType plan::getBufferType(MemRefType type, SpaceRole role) {
  return getBufferType(type, SpaceAttr::get(type.getContext(), role));
}

namespace {
/// Names of spaces in text.
struct SpaceAliases : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    auto space = dyn_cast<SpaceAttr>(attr);
    if (!space)
      return AliasResult::NoAlias;
    if (space.getDevice())
      os << space.getDevice().getValue() << "_";
    os << stringifySpaceRole(space.getRole());
    return AliasResult::FinalAlias;
  }
};
} // namespace

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
    result = parameter.words ? parseWord(parameter, value)
                             : parser.parseInteger(value);
  }
  void operator()(const char *key, double &value) {
    if (name != key)
      return;
    isKnown = true;
    result = parser.parseFloat(value);
  }

  ParseResult parseWord(const jobrt::calls::Parameter &parameter,
                        int64_t &value) {
    ArrayRef<const char *> words(parameter.words, parameter.high + 1);
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    auto found = llvm::find(words, word);
    if (found == words.end()) {
      InFlightDiagnostic error = parser.emitError(loc)
                                 << "expects '" << name << "' to be one of "
                                 << llvm::join(words, ", ") << " but got "
                                 << word;
      job::suggestName(error, word,
                       SmallVector<StringRef>(words.begin(), words.end()));
      return error;
    }
    value = found - words.begin();
    return success();
  }
};

/// Collects the names of all parameters.
struct ParameterNames {
  SmallVector<StringRef> names;

  void operator()(const jobrt::calls::Parameter &parameter, int64_t) {
    names.push_back(parameter.key);
  }
  void operator()(const char *key, double) { names.push_back(key); }
};
} // namespace

/// Parses `<key = value, ...>`, in any order, and each key once.
/// `parseValue(key, loc)` parses the value.
static ParseResult
parseMembers(AsmParser &parser, llvm::SmallDenseSet<StringRef> &seen,
             function_ref<ParseResult(StringRef, SMLoc)> parseValue) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        StringRef name;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&name))
          return failure();
        if (!seen.insert(name).second)
          return parser.emitError(loc)
                 << "expects '" << name << "' once but got it twice";
        if (parser.parseEqual())
          return failure();
        return parseValue(name, loc);
      });
}

template <typename Attr, typename Config>
static Attribute parseCallConfig(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Config config;
  llvm::SmallDenseSet<StringRef> seen;
  auto parseParameter = [&](StringRef name, SMLoc loc) -> ParseResult {
    ParameterParser value{parser, name};
    Config::visit(config, value);
    if (!value.isKnown) {
      InFlightDiagnostic error = parser.emitError(loc)
                                 << "expects a parameter of " << Config::kCallee
                                 << " but got " << name;
      ParameterNames names;
      Config::visit(config, names);
      job::suggestName(error, name, names.names);
      return error;
    }
    return value.result;
  };
  if (parseMembers(parser, seen, parseParameter))
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
    if (parameter.fallback == value)
      return;
    printer << StringRef(separator) << parameter.key << " = ";
    if (parameter.words)
      printer << parameter.words[value];
    else
      printer << value;
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
  addInterfaces<SpaceAliases>();
}

/// Verifies the sizes of a module.
static LogicalResult verifySharedSizes(Operation *op, Attribute attr) {
  auto sizes = dyn_cast<SizesAttr>(attr);
  if (!isa<ModuleOp>(op) || !sizes)
    return op->emitOpError() << "expects " << kSizesAttrName
                             << " to be a #plan.sizes of a module";
  for (const SpaceSize &size : sizes.getSpaces())
    if (size.space.getRole() != SpaceRole::Variables &&
        size.space.getRole() != SpaceRole::Constants)
      return op->emitOpError()
             << "expects sizes of variables and constants in " << kSizesAttrName
             << " but got that of the " << size.space.str();
  return success();
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() == kSizesAttrName)
    return verifySharedSizes(op, attr.getValue());
  if (attr.getName() == kOperationsAttrName)
    return success();
  if (attr.getName() != kImplementationAttrName) {
    InFlightDiagnostic error =
        op->emitOpError() << "expects an attribute of the plan dialect but got "
                          << attr.getName();
    job::suggestName(
        error, attr.getName(),
        {kSizesAttrName, kOperationsAttrName, kImplementationAttrName});
    return error;
  }
  auto call = dyn_cast<job::LibraryCallOpInterface>(op);
  if (!call)
    return op->emitOpError() << "expects no " << attr.getName()
                             << ": no library function computes it";
  if (isa<GeneratedKernelAttr>(attr.getValue()))
    return success();
  auto expected = dyn_cast_if_present<CallConfigAttrInterface>(
      call.getCallConfig(job::getJobTarget(op), /*maxChunks=*/1));
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

/// Parses `[a, b]`, or several of them with `x` between.
static ParseResult parseDistribute(AsmParser &parser,
                                   SmallVectorImpl<DistributedDim> &out) {
  do {
    SmallVector<int64_t> pair;
    if (parsePair(parser, pair))
      return failure();
    out.push_back({pair[0], pair[1]});
  } while (succeeded(parser.parseOptionalKeyword("x")));
  return success();
}

//===----------------------------------------------------------------------===//
// Schedules for the CPU
//===----------------------------------------------------------------------===//

Attribute CPUScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<DistributedDim> distribute;
  SmallVector<int64_t> tile, vectorize;
  int64_t interleave = 1, accumulate = kDefaultAccumulate;
  llvm::SmallDenseSet<StringRef> seen;
  auto parseMember = [&](StringRef name, SMLoc loc) -> ParseResult {
    if (name == "distribute")
      return parseDistribute(parser, distribute);
    if (name == "tile")
      return parsePair(parser, tile);
    if (name == "vectorize")
      return parsePair(parser, vectorize);
    if (name == "interleave")
      return parser.parseInteger(interleave);
    if (name == "accumulate")
      return parser.parseInteger(accumulate);
    InFlightDiagnostic error =
        parser.emitError(loc)
        << "expects distribute, tile, vectorize, interleave or accumulate but "
           "got "
        << name;
    job::suggestName(
        error, name,
        {"distribute", "tile", "vectorize", "interleave", "accumulate"});
    return error;
  };
  if (parseMembers(parser, seen, parseMember))
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
  if (!getDistribute().empty()) {
    printer << StringRef(separator) << "distribute = ";
    llvm::interleave(
        getDistribute(), printer,
        [&](const DistributedDim &distributed) {
          printer << "[" << distributed.dim << ", " << distributed.size << "]";
        },
        " x ");
  }
  printPair("tile", getTile());
  printPair("vectorize", getVectorize());
  printer << StringRef(separator) << "interleave = " << getInterleave();
  printer << StringRef(separator) << "accumulate = " << getAccumulate();
  printer << ">";
}

LogicalResult
CPUScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        ArrayRef<DistributedDim> distribute,
                        ArrayRef<int64_t> tile, ArrayRef<int64_t> vectorize,
                        int64_t interleave, int64_t accumulate) {
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [dim, size] : distribute) {
    if (dim < 0 || size < 1)
      return emitError()
             << "expects distribute to be a dimension and a positive "
                "number of iterations but got ["
             << dim << ", " << size << "]";
    if (!seen.insert(dim).second)
      return emitError() << "expects distribute to name a dimension once but "
                            "got "
                         << dim << " twice";
  }
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

//===----------------------------------------------------------------------===//
// Schedules for CUDA
//===----------------------------------------------------------------------===//

Attribute CUDAScheduleAttr::parse(AsmParser &parser, Type) {
  int64_t blocks = 0, threads = 0, lanes = 1, accumulate = kDefaultAccumulate;
  SmallVector<int64_t> vectorize;
  std::optional<int64_t> transpose;
  llvm::SmallDenseSet<StringRef> seen;
  auto parseMember = [&](StringRef name, SMLoc loc) -> ParseResult {
    if (name == "blocks")
      return parser.parseInteger(blocks);
    if (name == "threads")
      return parser.parseInteger(threads);
    if (name == "lanes")
      return parser.parseInteger(lanes);
    if (name == "vectorize")
      return parsePair(parser, vectorize);
    if (name == "accumulate")
      return parser.parseInteger(accumulate);
    if (name == "transpose")
      return parser.parseInteger(transpose.emplace());
    InFlightDiagnostic error =
        parser.emitError(loc)
        << "expects blocks, threads, lanes, vectorize, accumulate or transpose "
           "but got "
        << name;
    job::suggestName(
        error, name,
        {"blocks", "threads", "lanes", "vectorize", "accumulate", "transpose"});
    return error;
  };
  if (parseMembers(parser, seen, parseMember))
    return {};
  return CUDAScheduleAttr::getChecked(
      [&] { return parser.emitError(parser.getNameLoc()); },
      parser.getContext(), blocks, threads, lanes, vectorize, accumulate,
      transpose);
}

void CUDAScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<blocks = " << getBlocks() << ", threads = " << getThreads()
          << ", lanes = " << getLanes();
  if (!getVectorize().empty())
    printer << ", vectorize = [" << getVectorize()[0] << ", "
            << getVectorize()[1] << "]";
  printer << ", accumulate = " << getAccumulate();
  if (getTranspose())
    printer << ", transpose = " << *getTranspose();
  printer << ">";
}

LogicalResult
CUDAScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         int64_t blocks, int64_t threads, int64_t lanes,
                         ArrayRef<int64_t> vectorize, int64_t accumulate,
                         std::optional<int64_t> transpose) {
  if (blocks < 1 || blocks > kMaxBlocks)
    return emitError() << "expects 1 to " << kMaxBlocks << " blocks but got "
                       << blocks;
  if (threads < kWarpSize || threads > kMaxThreads ||
      !llvm::isPowerOf2_64(threads))
    return emitError() << "expects threads to be a power of two from "
                       << kWarpSize << " to " << kMaxThreads << " but got "
                       << threads;
  if (lanes < 1 || lanes > threads || !llvm::isPowerOf2_64(lanes))
    return emitError() << "expects lanes to be a power of two, at most the "
                       << threads << " threads, but got " << lanes;
  if (!vectorize.empty() &&
      (vectorize[0] < 0 || vectorize[1] < 2 || vectorize[1] > kMaxAccess ||
       !llvm::isPowerOf2_64(vectorize[1])))
    return emitError() << "expects vectorize to be a dimension and a power of "
                          "two of elements, at most "
                       << kMaxAccess << ", but got [" << vectorize[0] << ", "
                       << vectorize[1] << "]";
  if (accumulate < 2)
    return emitError() << "expects accumulate to be at least 2 but got "
                       << accumulate;
  if (transpose && (lanes != 1 || !vectorize.empty()))
    return emitError() << "expects transpose without lanes and vectorize but "
                          "got one of them as well";
  return success();
}
