//===- JobDistributionAttributes.cpp - Devices of blobs -------------------===//

#include "JobDialect/IR/JobDialect.h"

#include "DeviceRanges.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::job;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// DeviceRange
//===----------------------------------------------------------------------===//

static std::optional<DeviceRange> parseDeviceRange(StringRef text) {
  DeviceRange range;
  if (text.consumeInteger(10, range.machine) || !text.consume_front(":") ||
      text.consumeInteger(10, range.first))
    return std::nullopt;
  range.last = range.first;
  if (text.consume_front("-") && text.consumeInteger(10, range.last))
    return std::nullopt;
  return text.empty() ? std::optional(range) : std::nullopt;
}

ParseResult job::parseDeviceRanges(AsmParser &parser,
                                   SmallVector<DeviceRange> &ranges) {
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return failure();
  for (StringRef part : llvm::split(text, ',')) {
    std::optional<DeviceRange> range = parseDeviceRange(part.trim());
    if (!range)
      return parser.emitError(loc)
             << "expects devices as \"machine:first-last\" but got \""
             << part.trim() << '"';
    ranges.push_back(*range);
  }
  return success();
}

void job::printDeviceRanges(AsmPrinter &printer, ArrayRef<DeviceRange> ranges) {
  raw_ostream &os = printer.getStream();
  os << '"';
  llvm::interleave(
      ranges, os,
      [&](const DeviceRange &range) {
        os << range.machine << ':' << range.first;
        if (range.first != range.last)
          os << '-' << range.last;
      },
      ",");
  os << '"';
}

SmallVector<DeviceRange>
job::normalizeDeviceRanges(ArrayRef<DeviceRange> ranges) {
  SmallVector<DeviceRange> sorted(ranges), joined;
  llvm::sort(sorted, [](const DeviceRange &lhs, const DeviceRange &rhs) {
    return std::tie(lhs.machine, lhs.first, lhs.last) <
           std::tie(rhs.machine, rhs.first, rhs.last);
  });
  for (const DeviceRange &range : sorted) {
    // In 64 bits, where the last device has a successor.
    if (!joined.empty() && joined.back().machine == range.machine &&
        uint64_t(joined.back().last) + 1 == range.first &&
        range.first <= range.last)
      joined.back().last = range.last;
    else
      joined.push_back(range);
  }
  return joined;
}

//===----------------------------------------------------------------------===//
// PlacementAttr
//===----------------------------------------------------------------------===//

LogicalResult PlacementAttr::verify(EmitError emitError, DeviceKind device,
                                    ArrayRef<DeviceRange> ranges) {
  for (const DeviceRange &range : ranges)
    if (range.first > range.last)
      return emitError() << "expects the first device of a range to be at most "
                            "the last but got "
                         << range.first << " and " << range.last;
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i - 1].machine == ranges[i].machine &&
        ranges[i - 1].last >= ranges[i].first)
      return emitError() << "expects each device once but got "
                         << ranges[i].machine << ':' << ranges[i].first
                         << " twice";
  return success();
}

SmallVector<int64_t> PlacementAttr::getDeviceCounts() const {
  SmallVector<int64_t> counts;
  std::optional<uint32_t> machine;
  for (const DeviceRange &range : getRanges()) {
    if (machine != range.machine)
      counts.push_back(0);
    machine = range.machine;
    counts.back() += int64_t(range.last) - range.first + 1;
  }
  return counts;
}

//===----------------------------------------------------------------------===//
// ShardingAttr
//===----------------------------------------------------------------------===//

LogicalResult ShardingAttr::verify(EmitError emitError,
                                   ArrayRef<AxisSharding> axes) {
  if (axes.size() > 2)
    return emitError()
           << "expects one mesh axis (all devices) or two (machines "
              "and their devices) but got "
           << axes.size();
  for (AxisSharding axis : axes)
    if (axis.dim < 0)
      return emitError() << "expects the dimension of a split to be at least 0 "
                            "but got "
                         << axis.dim;
  return success();
}

/// The extents of the mesh axes, or an error.
static FailureOr<SmallVector<int64_t>>
getMeshShape(EmitError emitError, PlacementAttr placement, size_t numAxes) {
  SmallVector<int64_t> counts = placement.getDeviceCounts();
  if (numAxes == 1)
    return SmallVector<int64_t>{llvm::sum_of(counts, int64_t(0))};
  for (int64_t count : counts)
    if (count != counts.front())
      return emitError()
             << "expects machines with equally many devices for two "
                "mesh axes but got "
             << counts.front() << " and " << count;
  return SmallVector<int64_t>{static_cast<int64_t>(counts.size()),
                              counts.front()};
}

LogicalResult ShardingAttr::verifyBlob(EmitError emitError, BlobType type,
                                       PlacementAttr placement) const {
  for (AxisSharding axis : getAxes()) {
    if (axis.kind == AxisSharding::Kind::Split && axis.dim >= type.getRank())
      return emitError() << "expects a sharding to split a dimension below the "
                            "rank of "
                         << type << " but got S(" << axis.dim << ')';
    if (axis.kind == AxisSharding::Kind::Partial &&
        type.getElementType().isInteger(1))
      return emitError()
             << "expects a partial sum (P) to be of numbers but got " << type;
  }
  if (!placement)
    return success();
  FailureOr<SmallVector<int64_t>> mesh =
      getMeshShape(emitError, placement, getAxes().size());
  if (failed(mesh))
    return failure();
  SmallVector<int64_t> parts(type.getRank(), 1);
  for (auto [axis, extent] : llvm::zip_equal(getAxes(), *mesh)) {
    if (axis.kind != AxisSharding::Kind::Split)
      continue;
    // No product overflows: extents of a blob have less than 60 bits.
    if (parts[axis.dim] > type.getDimSize(axis.dim) / extent)
      return emitError() << "expects dimension " << axis.dim << " of " << type
                         << " to have an element for each part but got "
                         << parts[axis.dim] << " x " << extent << " parts";
    parts[axis.dim] *= extent;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ShardAttr
//===----------------------------------------------------------------------===//

LogicalResult ShardAttr::verify(EmitError emitError, ArrayRef<int64_t> offsets,
                                ArrayRef<int64_t> shape) {
  if (offsets.size() != shape.size())
    return emitError() << "expects a shard of rank " << shape.size()
                       << " to have " << shape.size() << " offsets but got "
                       << offsets.size();
  for (auto [dim, offset, extent] : llvm::enumerate(offsets, shape))
    if (offset < 0 || offset >= extent)
      return emitError() << "expects the offset of a shard along dimension "
                         << dim << " to be in [0, " << extent << ") but got "
                         << offset;
  return success();
}

LogicalResult ShardAttr::verifyBlob(EmitError emitError, BlobType part) const {
  if (part.getShape().size() != getShape().size())
    return emitError() << "expects a shard of a blob of rank "
                       << part.getShape().size() << " but got rank "
                       << getShape().size();
  for (auto [dim, extent, offset, whole] :
       llvm::enumerate(part.getShape(), getOffsets(), getShape()))
    if (extent > whole - offset)
      return emitError() << "expects a shard of at most " << whole - offset
                         << " elements along dimension " << dim << " but got "
                         << extent;
  return success();
}

int64_t ShardAttr::getWholeIndex(ArrayRef<int64_t> partShape,
                                 int64_t index) const {
  int64_t result = 0, stride = 1;
  for (size_t dim = partShape.size(); dim-- > 0;) {
    result += (getOffsets()[dim] + index % partShape[dim]) * stride;
    index /= partShape[dim];
    stride *= getShape()[dim];
  }
  return result;
}
