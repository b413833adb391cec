//===- tensor.h - Element types, shapes and host arrays ---------*- C++ -*-===//

#ifndef JOBRT_TENSOR_H
#define JOBRT_TENSOR_H

#include "jobrt/abi.h"
#include "jobrt/status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jobrt {

#define JOBRT_ENUMERATOR(NAME, ...) k##NAME,
enum class DType : uint8_t { JOBRT_FOR_EACH_ELEMENT_TYPE(JOBRT_ENUMERATOR) };
#undef JOBRT_ENUMERATOR

/// Bytes of one element (i1 is stored as one byte).
JOBRT_API int64_t dtypeBytes(DType dtype);
/// The name that manifests use: "f32".
JOBRT_API const char *dtypeName(DType dtype);
/// The names that .npy and safetensors files use: "<f4", "F32".
JOBRT_API const char *dtypeNpyName(DType dtype);
JOBRT_API const char *dtypeSafetensorsName(DType dtype);
/// All element types.
JOBRT_API const std::vector<DType> &allDTypes();
JOBRT_API std::optional<DType> parseDType(std::string_view name);

using Shape = std::vector<int64_t>;

/// "100x784xf32".
JOBRT_API std::string formatType(const Shape &shape, DType dtype);
/// Product of the extents; nullopt on overflow or if an extent is negative.
JOBRT_API std::optional<int64_t> numElements(const Shape &shape);

/// Moves the elements of a dense array that are before `count` in dimension
/// `dim` together: they become a dense array at its start, and zeros follow. No
/// element from `count` on is read. Does not allocate.
JOBRT_API void packElements(void *data, const Shape &shape, DType dtype,
                            size_t dim, int64_t count);

/// The inverse of a permutation of dimensions.
JOBRT_API Shape invertPermutation(const Shape &permutation);
/// The shape whose dimension `i` is dimension `permutation[i]` of `shape`.
JOBRT_API Shape permuteShape(const Shape &shape, const Shape &permutation);
/// Copies the elements of a dense array of that shape to a dense array of the
/// permuted shape, which does not overlap it.
JOBRT_API void permuteElements(const void *from, void *to, const Shape &shape,
                               DType dtype, const Shape &permutation);

/// A dense row-major array on the host. Does not own its memory.
struct JOBRT_API TensorView {
  DType dtype = DType::kF32;
  Shape shape;
  void *data = nullptr;
  int64_t bytes() const;
};

/// A dense row-major array on the host, 64-byte aligned. Owns its memory.
class JOBRT_API Tensor {
public:
  Tensor() = default;
  /// Zero-filled. Fails with kResourceExhausted if out of memory.
  static Expected<Tensor> create(DType dtype, Shape shape);

  DType dtype() const { return type; }
  const Shape &shape() const { return extents; }
  int64_t bytes() const;
  void *data() { return storage.get(); }
  const void *data() const { return storage.get(); }
  TensorView view() { return {type, extents, storage.get()}; }

private:
  struct JOBRT_API Free {
    void operator()(void *pointer) const;
  };
  DType type = DType::kF32;
  Shape extents;
  std::unique_ptr<void, Free> storage;
};

} // namespace jobrt

#endif // JOBRT_TENSOR_H
