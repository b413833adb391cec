//===- ElementTypes.cpp - The element types of blobs ----------------------===//

#include "JobDialect/IR/ElementTypes.h"

#include "JobDialect/IR/JobOps.h"

#include "jobrt/abi.h"

#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;
using namespace mlir::job;

namespace {
struct Row {
  StringRef name;
  int64_t bytes;
  StringRef compute;
  StringRef cType;
};
} // namespace

static constexpr Row kRows[] = {
#define JOBMLIR_ROW(NAME, TEXT, BYTES, COMPUTE, NPY, SAFETENSORS, C)           \
  {TEXT, BYTES, COMPUTE, C},
    JOBRT_FOR_EACH_ELEMENT_TYPE(JOBMLIR_ROW)
#undef JOBMLIR_ROW
};

/// The row of a name, or null.
static const Row *findRow(StringRef name) {
  auto row = llvm::find_if(kRows, [&](const Row &r) { return r.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

/// The builtin type of a name in the table.
static Type getBuiltinType(MLIRContext *context, StringRef name) {
  Builder builder(context);
  unsigned width = 0;
  if (name == "bf16")
    return builder.getBF16Type();
  if (name.consume_front("f")) {
    name.getAsInteger(10, width);
    return width == 16   ? Type(builder.getF16Type())
           : width == 32 ? Type(builder.getF32Type())
                         : Type(builder.getF64Type());
  }
  bool isUnsigned = name.consume_front("u");
  name.drop_front().getAsInteger(10, width);
  return isUnsigned ? builder.getIntegerType(width, /*isSigned=*/false)
                    : builder.getIntegerType(width);
}

/// The row of a type, or null.
static const Row *findRow(Type type) {
  auto row = llvm::find_if(kRows, [&](const Row &r) {
    return getBuiltinType(type.getContext(), r.name) == type;
  });
  return row == std::end(kRows) ? nullptr : row;
}

StringRef job::getElementTypeNames() { return JOBRT_ELEMENT_TYPE_NAMES; }

bool job::isElementType(Type type) { return findRow(type); }

StringRef job::getElementTypeName(Type type) { return findRow(type)->name; }

Type job::parseElementType(MLIRContext *context, StringRef name) {
  return findRow(name) ? getBuiltinType(context, name) : Type();
}

int64_t job::getElementBytes(Type type) {
  // Asked for often; every type takes whole bytes.
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t job::getElementBytes(StringRef name) { return findRow(name)->bytes; }

StringRef job::getElementCType(StringRef name) { return findRow(name)->cType; }

Type job::getComputeType(Type type) {
  const Row *row = findRow(type);
  return row ? getBuiltinType(type.getContext(), row->compute) : type;
}

Type job::getBodyType(Type type) {
  if (type.isUnsignedInteger())
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return type;
}

RankedTensorType job::getBodyTensorType(MemRefType type) {
  return RankedTensorType::get(type.getShape(),
                               getBodyType(type.getElementType()));
}

MemRefType job::getBodyBufferType(MemRefType type) {
  return MemRefType::get(type.getShape(), getBodyType(type.getElementType()));
}

Type job::getCodeType(Type type) {
  if (type.isInteger(1) || type.isUnsignedInteger() || type.isF16() ||
      type.isBF16())
    return IntegerType::get(type.getContext(), 8 * getElementBytes(type));
  return type;
}

double job::roundToElementType(Type type, double value) {
  if (type.isF64())
    return value;
  APFloat number(value);
  bool losesInfo;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

double job::getEpsilon(Type type) {
  return std::ldexp(
      1.0, 1 - static_cast<int>(cast<FloatType>(type).getFPMantissaWidth()));
}

/// Whether an op only holds elements. A cast is what other ops are widened
/// with.
static bool holdsElements(Operation *op) {
  return op->getNumRegions() > 0 || op->hasTrait<OpTrait::IsTerminator>() ||
         isa<CastOp, ConstantOp, ReadOp, AssignOp, TransferOp, GradientOp,
             HostCallOp>(op);
}

static bool isStorageBlob(Type type) {
  auto blob = dyn_cast<BlobType>(type);
  return blob && isStorageOnly(blob.getElementType());
}

bool job::computesWithStorageType(OpOperand &operand) {
  if (!isStorageBlob(operand.get().getType()) ||
      holdsElements(operand.getOwner()))
    return false;
  auto mover = dyn_cast<MovedElementsOpInterface>(operand.getOwner());
  return !mover || !mover.isMoved(operand);
}

bool job::computesWithStorageType(OpResult result) {
  return isStorageBlob(result.getType()) && !holdsElements(result.getOwner()) &&
         !isa<MovedElementsOpInterface>(result.getOwner());
}

bool job::computesWithStorageType(Operation *op) {
  auto test = [](auto &&value) { return computesWithStorageType(value); };
  return llvm::any_of(op->getOpOperands(), test) ||
         llvm::any_of(op->getResults(), test);
}
