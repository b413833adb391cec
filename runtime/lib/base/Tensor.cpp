//===- Tensor.cpp - Element types, shapes and host arrays -----------------===//

#include "jobrt/tensor.h"
#include "jobrt/abi.h"

#include <cstdlib>
#include <cstring>

using namespace jobrt;

namespace {
struct DTypeRow {
  const char *name;
  int64_t bytes;
  const char *npy, *safetensors;
};
} // namespace

/// Indexed by DType.
static constexpr DTypeRow kDTypes[] = {
#define JOBRT_ROW(NAME, TEXT, BYTES, COMPUTE, NPY, SAFETENSORS, C)             \
  {TEXT, BYTES, NPY, SAFETENSORS},
    JOBRT_FOR_EACH_ELEMENT_TYPE(JOBRT_ROW)
#undef JOBRT_ROW
};

int64_t jobrt::dtypeBytes(DType dtype) {
  return kDTypes[static_cast<int>(dtype)].bytes;
}

const char *jobrt::dtypeName(DType dtype) {
  return kDTypes[static_cast<int>(dtype)].name;
}

const char *jobrt::dtypeNpyName(DType dtype) {
  return kDTypes[static_cast<int>(dtype)].npy;
}

const char *jobrt::dtypeSafetensorsName(DType dtype) {
  return kDTypes[static_cast<int>(dtype)].safetensors;
}

const std::vector<DType> &jobrt::allDTypes() {
  static const std::vector<DType> all = [] {
    std::vector<DType> types;
    for (size_t i = 0; i < std::size(kDTypes); ++i)
      types.push_back(static_cast<DType>(i));
    return types;
  }();
  return all;
}

std::optional<DType> jobrt::parseDType(std::string_view name) {
  for (size_t i = 0; i < std::size(kDTypes); ++i)
    if (name == kDTypes[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

std::string jobrt::formatType(const Shape &shape, DType dtype) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + dtypeName(dtype);
}

void jobrt::packElements(void *data, const Shape &shape, DType dtype,
                         size_t dim, int64_t count) {
  int64_t slices = 1, elementBytes = dtypeBytes(dtype);
  for (size_t i = 0; i < dim; ++i)
    slices *= shape[i];
  for (size_t i = dim + 1; i < shape.size(); ++i)
    elementBytes *= shape[i];
  int64_t from = shape[dim] * elementBytes, to = count * elementBytes;
  if (from == to)
    return;
  char *bytes = static_cast<char *>(data);
  for (int64_t slice = 1; slice < slices; ++slice)
    std::memmove(bytes + slice * to, bytes + slice * from,
                 static_cast<size_t>(to));
  std::memset(bytes + slices * to, 0,
              static_cast<size_t>(slices * (from - to)));
}

Shape jobrt::invertPermutation(const Shape &permutation) {
  Shape inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse[permutation[i]] = static_cast<int64_t>(i);
  return inverse;
}

Shape jobrt::permuteShape(const Shape &shape, const Shape &permutation) {
  Shape permuted;
  for (int64_t dim : permutation)
    permuted.push_back(shape[dim]);
  return permuted;
}

/// Copies the dimensions from `dim` on, of an array whose elements are that far
/// apart, to a dense one. Returns the end of what it wrote.
template <typename Element>
static Element *permuteFrom(const Element *from, Element *to,
                            const Shape &extents, const Shape &strides,
                            size_t dim) {
  int64_t extent = extents[dim], stride = strides[dim];
  if (dim + 1 == extents.size()) {
    for (int64_t i = 0; i < extent; ++i)
      to[i] = from[i * stride];
    return to + extent;
  }
  for (int64_t i = 0; i < extent; ++i)
    to = permuteFrom(from + i * stride, to, extents, strides, dim + 1);
  return to;
}

void jobrt::permuteElements(const void *from, void *to, const Shape &shape,
                            DType dtype, const Shape &permutation) {
  Shape sourceStrides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    sourceStrides[i] = stride;
    stride *= shape[i];
  }
  if (stride == 0)
    return;
  // At most 63 dimensions have several elements; others take no level of the
  // recursion.
  Shape extents, strides;
  for (int64_t dim : permutation)
    if (shape[dim] > 1) {
      extents.push_back(shape[dim]);
      strides.push_back(sourceStrides[dim]);
    }
  if (extents.empty()) {
    extents.push_back(1);
    strides.push_back(1);
  }
  auto permute = [&]<typename Element>(Element) {
    permuteFrom(static_cast<const Element *>(from), static_cast<Element *>(to),
                extents, strides, 0);
  };
  switch (dtypeBytes(dtype)) {
  case 1:
    return permute(uint8_t());
  case 2:
    return permute(uint16_t());
  case 4:
    return permute(uint32_t());
  default:
    return permute(uint64_t());
  }
}

std::optional<int64_t> jobrt::numElements(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return std::nullopt;
  return count;
}

/// Bytes of an array, nullopt when there is no such number.
static std::optional<int64_t> byteSize(const Shape &shape, DType dtype) {
  std::optional<int64_t> count = numElements(shape);
  int64_t bytes;
  if (!count || __builtin_mul_overflow(*count, dtypeBytes(dtype), &bytes))
    return std::nullopt;
  return bytes;
}

int64_t TensorView::bytes() const { return byteSize(shape, dtype).value_or(0); }

int64_t Tensor::bytes() const { return byteSize(extents, type).value_or(0); }

void Tensor::Free::operator()(void *pointer) const { std::free(pointer); }

Expected<Tensor> Tensor::create(DType dtype, Shape shape) {
  std::optional<int64_t> bytes = byteSize(shape, dtype);
  if (!bytes)
    return Status(StatusCode::kInvalidArgument,
                  "a tensor expects a shape with a size below 2^63 bytes and "
                  "no negative extent but got " +
                      formatType(shape, dtype));
  // At least one line, so that an empty tensor has an address too.
  size_t size = (static_cast<size_t>(*bytes) + JOBRT_ALIGNMENT) /
                JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
  Tensor tensor;
  tensor.type = dtype;
  tensor.storage.reset(std::aligned_alloc(JOBRT_ALIGNMENT, size));
  if (!tensor.storage)
    return Status(StatusCode::kResourceExhausted,
                  "cannot allocate " + std::to_string(*bytes) +
                      " bytes for a tensor " + formatType(shape, dtype));
  std::memset(tensor.storage.get(), 0, size);
  tensor.extents = std::move(shape);
  return tensor;
}
