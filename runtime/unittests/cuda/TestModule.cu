//===- TestModule.cu - The test kernels for a GPU -------------------------===//
//
// Those of TestModule.c, in CUDA.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

static __device__ uint32_t indexOfThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" {

__global__ void jobk_0(const int64_t *seed, float *weight) {
  uint32_t i = indexOfThread();
  weight[i] = static_cast<float>(seed[0] + i);
}

__global__ void jobk_1(const float *x, const float *weight, float *product) {
  uint32_t i = indexOfThread();
  product[i] = x[i] * weight[i];
}

__global__ void jobk_2(const float *x, float *weight) {
  uint32_t i = indexOfThread();
  weight[i] = weight[i] + x[i];
}

__global__ void jobk_3(int64_t *count) { count[0] = count[0] + 1; }

__global__ void jobk_4(const float *product, const float *constant,
                       float *sum) {
  uint32_t i = indexOfThread();
  sum[i] = product[i] + constant[i % 16];
}

/// x[i] = a + b + c + d, of scalars of each type.
__global__ void scalars(float *x, int32_t a, int64_t b, float c, double d) {
  double sum = a + static_cast<double>(b) + c + d;
  x[indexOfThread()] = static_cast<float>(sum);
}

/// Writes far outside of every allocation.
__global__ void fault(float *x) { x[static_cast<int64_t>(1) << 40] = 1; }

} // extern "C"
