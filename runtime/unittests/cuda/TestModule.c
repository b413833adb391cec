//===- TestModule.c - The test kernels for a simulated GPU ----------------===//
//
// The kernels of unittests/TestKernels.c for blocks of threads: a thread has
// one element.
//
//===----------------------------------------------------------------------===//

#include "simulators/cuda/kernel_abi.h"

typedef struct jobsim_thread Thread;

static uint32_t indexOf(const Thread *thread) {
  return thread->block_id[0] * thread->block_dim[0] + thread->thread_id[0];
}

/// Element `i` of an array, which is about to be accessed.
#define AT(array, i, flags, site)                                              \
  (*(thread->functions->access(thread, &(array)[i], sizeof((array)[i]),        \
                               sizeof((array)[i]), flags, site),               \
     &(array)[i]))
#define READ(array, i, site) AT(array, i, 0, site)
#define WRITE(array, i, site) AT(array, i, JOBSIM_WRITE, site)

static void run0(Thread *thread, void *const *params) {
  const int64_t *seed = *(const int64_t *const *)params[0];
  float *weight = *(float *const *)params[1];
  uint32_t i = indexOf(thread);
  int64_t value = READ(seed, 0, 0) + i;
  WRITE(weight, i, 1) = (float)value;
}

static void run1(Thread *thread, void *const *params) {
  const float *x = *(const float *const *)params[0];
  const float *weight = *(const float *const *)params[1];
  float *product = *(float *const *)params[2];
  uint32_t i = indexOf(thread);
  float value = READ(x, i, 0) * READ(weight, i, 1);
  WRITE(product, i, 2) = value;
}

static void run2(Thread *thread, void *const *params) {
  const float *x = *(const float *const *)params[0];
  float *weight = *(float *const *)params[1];
  uint32_t i = indexOf(thread);
  float value = READ(weight, i, 0) + READ(x, i, 1);
  WRITE(weight, i, 2) = value;
}

static void run3(Thread *thread, void *const *params) {
  int64_t *count = *(int64_t *const *)params[0];
  int64_t value = READ(count, 0, 0) + 1;
  WRITE(count, 0, 1) = value;
}

static void run4(Thread *thread, void *const *params) {
  const float *product = *(const float *const *)params[0];
  const float *constant = *(const float *const *)params[1];
  float *sum = *(float *const *)params[2];
  uint32_t i = indexOf(thread);
  float value = READ(product, i, 0) + READ(constant, i % 16, 1);
  WRITE(sum, i, 2) = value;
}

/// x[i] = a + b + c + d, of scalars of each type.
static void runScalars(Thread *thread, void *const *params) {
  float *x = *(float *const *)params[0];
  double sum = *(const int32_t *)params[1] +
               (double)*(const int64_t *)params[2] + *(const float *)params[3] +
               *(const double *)params[4];
  WRITE(x, indexOf(thread), 0) = (float)sum;
}

/// Writes far outside of every allocation.
static void runFault(Thread *thread, void *const *params) {
  float *x = *(float *const *)params[0];
  WRITE(x, (int64_t)1 << 40, 0) = 1;
}

static const uint32_t kBytes[] = {8, 8, 8};
static const uint32_t kScalarBytes[] = {8, 4, 8, 4, 8};

static const struct jobsim_kernel kKernels[] = {
    {"jobk_0", run0, 2, kBytes, 256, 0},
    {"jobk_1", run1, 3, kBytes, 256, 0},
    {"jobk_2", run2, 2, kBytes, 256, 0},
    {"jobk_3", run3, 1, kBytes, 256, 0},
    {"jobk_4", run4, 3, kBytes, 256, 0},
    {"scalars", runScalars, 5, kScalarBytes, 256, 0},
    {"fault", runFault, 1, kBytes, 256, 0},
};

__attribute__((visibility("default")))
const struct jobsim_module jobsim_module = {
    JOBSIM_ABI_VERSION, sizeof(kKernels) / sizeof(kKernels[0]), kKernels};
