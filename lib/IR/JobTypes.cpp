//===- JobTypes.cpp - Types of the job dialect ----------------------------===//

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

#define GET_TYPEDEF_CLASSES
#include "JobDialect/IR/JobTypes.cpp.inc"

bool BlobType::isValidElementType(Type type) { return isElementType(type); }

LogicalResult BlobType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               int64_t boundedDim) {
  assert(boundedDim >= kStatic &&
         boundedDim < static_cast<int64_t>(std::max<size_t>(shape.size(), 1)) &&
         "one of the dimensions is bounded");
  if (shape.empty())
    return emitError() << "expects a blob with at least one dimension but got "
                          "none (a scalar has the shape 1)";
  int64_t elements = 1;
  for (auto [index, extent] : llvm::enumerate(shape)) {
    if (static_cast<int64_t>(index) == boundedDim && extent <= 0)
      return emitError() << "expects a positive bound but got " << extent;
    if (extent <= 0)
      return emitError() << "expects positive extents but got "
                         << (ShapedType::isDynamic(extent)
                                 ? std::string("?")
                                 : std::to_string(extent))
                         << " in dimension " << index;
    // Bytes are counted in int64: leave room for eight a element.
    if (__builtin_mul_overflow(elements, extent, &elements) ||
        elements > (int64_t(1) << 59))
      return emitError() << "expects at most 2^59 elements but got more";
  }
  if (!isValidElementType(elementType))
    return emitError() << "expects an element type of " << getElementTypeNames()
                       << " but got " << elementType;
  return success();
}

Type BlobType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  int64_t boundedDim = kStatic;
  while (true) {
    SMLoc extentLoc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalQuestion())) {
      // In brackets of its own: MLIR finds the end of a type by counting them.
      if (parser.parseOptionalLess() || parser.parseOptionalEqual()) {
        parser.emitError(loc, "expects a bound, as in '?<=100>', but got none");
        return {};
      }
      if (boundedDim != kStatic) {
        parser.emitError(extentLoc, "expects one bounded dimension but got "
                                    "another after dimension ")
            << boundedDim;
        return {};
      }
      boundedDim = shape.size();
      if (parser.parseInteger(shape.emplace_back()) || parser.parseGreater() ||
          parser.parseXInDimensionList())
        return {};
      continue;
    }
    // `0x2` is a hexadecimal number unless it is read as dimensions.
    if (StringRef(extentLoc.getPointer(), 1) == "0") {
      if (parser.parseDimensionList(shape))
        return {};
      break;
    }
    int64_t extent;
    OptionalParseResult isExtent = parser.parseOptionalInteger(extent);
    if (!isExtent.has_value())
      break;
    if (failed(*isExtent) || parser.parseXInDimensionList())
      return {};
    shape.push_back(extent);
  }
  if (parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<BlobType>(loc, parser.getContext(), shape,
                                     elementType, boundedDim);
}

void BlobType::print(AsmPrinter &printer) const {
  printer << '<';
  for (auto [dim, extent] : llvm::enumerate(getShape())) {
    if (static_cast<int64_t>(dim) == getBoundedDim())
      printer << "?<=" << extent << ">x";
    else
      printer << extent << 'x';
  }
  printer << getElementType() << '>';
}

ShapedType BlobType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                               Type elementType) const {
  if (!shape)
    return BlobType::get(getShape(), elementType, getBoundedDim());
  return BlobType::get(*shape, elementType);
}

bool BlobType::hasRank() const { return true; }

RankedTensorType BlobType::getTensorType() const {
  return RankedTensorType::get(getShape(), getElementType());
}

MemRefType BlobType::getMemRefType() const {
  return MemRefType::get(getShape(), getElementType());
}

int64_t BlobType::getBytes() const {
  int64_t bytes = getElementBytes(getElementType());
  for (int64_t extent : getShape())
    bytes *= extent;
  return bytes;
}

BlobType BlobType::withElementType(Type type) const {
  return BlobType::get(getShape(), type, getBoundedDim());
}

void JobDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "JobDialect/IR/JobTypes.cpp.inc"
      >();
}
