//===- ReferenceTensor.cpp - Values of the interpreter --------------------===//

#include "JobDialect/Reference/ReferenceTensor.h"

#include "JobDialect/IR/ElementTypes.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::job;

ReferenceTensor::ReferenceTensor(BlobType type) : type(type) {
  if (isFloat())
    floats.resize(getNumElements());
  else
    integers.resize(getNumElements());
}

void ReferenceTensor::setInteger(int64_t index, int64_t value) {
  assert(!isFloat() && "a tensor of floats has no integers");
  unsigned width = type.getElementTypeBitWidth();
  bool isSigned = width > 1 && !type.getElementType().isUnsignedInteger();
  integers[index] = isSigned ? llvm::SignExtend64(value, width)
                             : value & llvm::maskTrailingOnes<uint64_t>(width);
}

ReferenceTensor ReferenceTensor::fromElements(ElementsAttr elements) {
  ShapedType shaped = elements.getShapedType();
  ReferenceTensor result(
      BlobType::get(shaped.getShape(), shaped.getElementType()));
  if (result.isFloat()) {
    for (auto [to, from] :
         llvm::zip_equal(result.floats, elements.getValues<APFloat>()))
      // All types of floats are exact in a double.
      to = from.convertToDouble();
    return result;
  }
  for (auto [index, value] : llvm::enumerate(elements.getValues<APInt>()))
    result.setInteger(index, value.getSExtValue());
  return result;
}

/// The bits of an element in memory.
static uint64_t loadBits(const char *from, int64_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

// An APFloat for each element takes most of the time of a comparison with large
// variables: the processor converts its own types.

template <typename T>
static void loadFloats(ArrayRef<char> bytes, MutableArrayRef<double> floats) {
  for (auto [i, to] : llvm::enumerate(floats)) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    to = value;
  }
}

template <typename T>
static void storeFloats(ArrayRef<double> floats, MutableArrayRef<char> bytes) {
  for (auto [i, from] : llvm::enumerate(floats)) {
    T value = static_cast<T>(from);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

FailureOr<ReferenceTensor> ReferenceTensor::fromBytes(BlobType type,
                                                      ArrayRef<char> bytes) {
  if (static_cast<int64_t>(bytes.size()) != type.getBytes())
    return failure();
  ReferenceTensor result(type);
  Type element = type.getElementType();
  if (element.isF32()) {
    loadFloats<float>(bytes, result.floats);
    return result;
  }
  if (element.isF64()) {
    loadFloats<double>(bytes, result.floats);
    return result;
  }
  int64_t size = getElementBytes(element);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    uint64_t bits = loadBits(bytes.data() + i * size, size);
    if (auto format = dyn_cast<FloatType>(element))
      result.floats[i] =
          APFloat(format.getFloatSemantics(), APInt(8 * size, bits))
              .convertToDouble();
    else
      result.setInteger(i, element.isInteger(1) ? bits != 0
                                                : static_cast<int64_t>(bits));
  }
  return result;
}

std::vector<char> ReferenceTensor::toBytes() const {
  std::vector<char> bytes(type.getBytes());
  Type element = type.getElementType();
  if (element.isF32()) {
    storeFloats<float>(floats, bytes);
    return bytes;
  }
  if (element.isF64()) {
    storeFloats<double>(floats, bytes);
    return bytes;
  }
  int64_t size = getElementBytes(element);
  for (int64_t i = 0, e = getNumElements(); i < e; ++i) {
    uint64_t bits;
    if (auto format = dyn_cast<FloatType>(element)) {
      APFloat value(floats[i]);
      bool losesInfo;
      value.convert(format.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      bits = value.bitcastToAPInt().getZExtValue();
    } else {
      bits = static_cast<uint64_t>(integers[i]);
    }
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

void ReferenceTensor::roundToType() {
  Type element = type.getElementType();
  if (element.isF32())
    for (double &value : floats)
      value = static_cast<float>(value);
  else if (isFloat() && !element.isF64())
    for (double &value : floats)
      value = roundToElementType(element, value);
}

ReferenceTensor ReferenceTensor::reshape(BlobType newType) const {
  assert(newType.getNumElements() == getNumElements() &&
         newType.getElementType() == type.getElementType() &&
         "a reshape keeps the elements");
  ReferenceTensor result = *this;
  result.type = newType;
  return result;
}

/// Prints the elements of the dimensions from `dim` on, from `index`, which is
/// moved past them.
static void printElements(raw_ostream &os, const ReferenceTensor &tensor,
                          int digits, size_t dim, int64_t &index) {
  if (dim == tensor.getShape().size()) {
    if (!tensor.isFloat())
      os << tensor.getIntegers()[index];
    else if (std::isnan(tensor.getFloats()[index]))
      os << "nan"; // Never "-nan": the sign of a NaN means nothing.
    else
      os << llvm::format("%.*g", digits, tensor.getFloats()[index]);
    ++index;
    return;
  }
  os << '[';
  for (int64_t i = 0; i < tensor.getShape()[dim]; ++i) {
    if (i)
      os << ", ";
    printElements(os, tensor, digits, dim + 1, index);
  }
  os << ']';
}

std::string ReferenceTensor::toString(int digits) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t index = 0;
  printElements(os, *this, digits, 0, index);
  return text;
}

SmallVector<int64_t> job::getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}
