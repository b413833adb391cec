//===- ReferenceTensor.cpp - Values of the interpreter --------------------===//

#include "JobDialect/Reference/ReferenceTensor.h"

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
  integers[index] = width == 1 ? value & 1 : llvm::SignExtend64(value, width);
}

ReferenceTensor ReferenceTensor::fromElements(ElementsAttr elements) {
  ShapedType shaped = elements.getShapedType();
  ReferenceTensor result(
      BlobType::get(shaped.getShape(), shaped.getElementType()));
  if (result.isFloat()) {
    for (auto [to, from] :
         llvm::zip_equal(result.floats, elements.getValues<APFloat>()))
      // f32 and f64 are both exact in a double.
      to = from.convertToDouble();
    return result;
  }
  for (auto [index, value] : llvm::enumerate(elements.getValues<APInt>()))
    result.setInteger(index, value.getSExtValue());
  return result;
}

/// Calls `function` with a null pointer to the C++ type that holds an element
/// of `type` in memory.
template <typename Function>
static void withMemoryType(Type type, Function function) {
  if (type.isF32())
    return function(static_cast<float *>(nullptr));
  if (type.isF64())
    return function(static_cast<double *>(nullptr));
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
  case 8:
    return function(static_cast<int8_t *>(nullptr));
  case 32:
    return function(static_cast<int32_t *>(nullptr));
  case 64:
    return function(static_cast<int64_t *>(nullptr));
  }
  llvm_unreachable("no blob has such elements");
}

FailureOr<ReferenceTensor> ReferenceTensor::fromBytes(BlobType type,
                                                      ArrayRef<char> bytes) {
  if (static_cast<int64_t>(bytes.size()) != type.getBytes())
    return failure();
  ReferenceTensor result(type);
  withMemoryType(type.getElementType(), [&](auto *tag) {
    using Element = std::remove_pointer_t<decltype(tag)>;
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
      Element element;
      std::memcpy(&element, bytes.data() + i * sizeof(Element),
                  sizeof(Element));
      if constexpr (std::is_floating_point_v<Element>)
        result.floats[i] = element;
      else if (type.getElementType().isInteger(1))
        result.integers[i] = element != 0;
      else
        result.integers[i] = element;
    }
  });
  return result;
}

std::vector<char> ReferenceTensor::toBytes() const {
  std::vector<char> bytes(type.getBytes());
  withMemoryType(type.getElementType(), [&](auto *tag) {
    using Element = std::remove_pointer_t<decltype(tag)>;
    for (int64_t i = 0, e = getNumElements(); i < e; ++i) {
      Element element;
      if constexpr (std::is_floating_point_v<Element>)
        element = static_cast<Element>(floats[i]);
      else
        element = static_cast<Element>(integers[i]);
      std::memcpy(bytes.data() + i * sizeof(Element), &element,
                  sizeof(Element));
    }
  });
  return bytes;
}

void ReferenceTensor::roundToType() {
  if (type.getElementType().isF32())
    for (double &value : floats)
      value = static_cast<float>(value);
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
