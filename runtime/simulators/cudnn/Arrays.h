//===- Arrays.h - Elements of tensors in memory -----------------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDNN_ARRAYS_H
#define JOBRT_SIMULATORS_CUDNN_ARRAYS_H

#include "simulators/common/Elements.h"
#include "simulators/cudnn/State.h"

namespace jobsim::cudnn {

/// Calls `visit(index, offset)` for each element in the order n, c, h, w with
/// its place in memory.
template <typename Visit>
void forEachElement(const Tensor &tensor, Visit visit) {
  const std::vector<int64_t> &dims = tensor.dims, &strides = tensor.strides;
  int64_t index = 0;
  for (int64_t n = 0; n < dims[0]; ++n)
    for (int64_t c = 0; c < dims[1]; ++c)
      for (int64_t h = 0; h < dims[2]; ++h) {
        int64_t offset = n * strides[0] + c * strides[1] + h * strides[2];
        for (int64_t w = 0; w < dims[3]; ++w, offset += strides[3])
          visit(index++, offset);
      }
}

inline float load(int type, const void *array, int64_t offset) {
  if (type == kTypeF32)
    return static_cast<const float *>(array)[offset];
  uint16_t bits = static_cast<const uint16_t *>(array)[offset];
  return type == kTypeF16 ? fromF16(bits) : fromBF16(bits);
}

inline void store(int type, void *array, int64_t offset, float value) {
  if (type == kTypeF32)
    static_cast<float *>(array)[offset] = value;
  else
    static_cast<uint16_t *>(array)[offset] =
        type == kTypeF16 ? toF16(value) : toBF16(value);
}

/// All elements in the order n, c, h, w.
inline std::vector<float> loadAll(const Tensor &tensor, const void *array) {
  std::vector<float> values(tensor.count());
  forEachElement(tensor, [&](int64_t index, int64_t offset) {
    values[index] = load(tensor.type, array, offset);
  });
  return values;
}

} // namespace jobsim::cudnn

#endif // JOBRT_SIMULATORS_CUDNN_ARRAYS_H
