//===- TestKernels.c - The ELF part of the test artifacts -----------------===//
//
// Kernels of the plan in TestArtifact.cpp. Blobs have 64 floats, in 4 chunks.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

#define CHUNK 16

_Alignas(64) const float jobmlir_constants[16] = {0.5f, 1.5f, 2.5f, 3.5f};

/// Variables from a seed: weight[i] = seed + i.
void jobk_0(void *const *args, int64_t chunk) {
  const int64_t *seed = args[0];
  float *weight = args[1];
  for (int64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; ++i)
    weight[i] = (float)(seed[0] + i);
}

/// product[i] = x[i] * weight[i]; the replaced file adds 1000.
void jobk_1(void *const *args, int64_t chunk) {
  const float *x = args[0], *weight = args[1];
  float *product = args[2];
  for (int64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; ++i) {
    product[i] = x[i] * weight[i];
#ifdef REPLACED
    product[i] += 1000.0f;
#endif
  }
}

/// weight[i] += x[i].
void jobk_2(void *const *args, int64_t chunk) {
  const float *x = args[0];
  float *weight = args[1];
  for (int64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; ++i)
    weight[i] += x[i];
}

/// count += 1.
void jobk_3(void *const *args, int64_t chunk) {
  (void)chunk;
  int64_t *count = args[0];
  count[0] += 1;
}

/// sum[i] = product[i] + constant[i % 16].
void jobk_4(void *const *args, int64_t chunk) {
  const float *product = args[0], *constant = args[1];
  float *sum = args[2];
  for (int64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; ++i)
    sum[i] = product[i] + constant[i % 16];
}

/// The status word of each chunk is the bits of the input's first elements.
void jobk_5(void *const *args, int64_t chunk) {
  const uint32_t *words = args[0];
  uint32_t *status = args[1];
  status[chunk] = words[chunk];
}
