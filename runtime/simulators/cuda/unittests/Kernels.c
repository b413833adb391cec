//===- Kernels.c - Kernels with and without faults ------------------------===//
//
// By hand what the compiler makes for the target "simulated".
//
//===----------------------------------------------------------------------===//

#include "simulators/cuda/kernel_abi.h"

typedef struct jobsim_thread Thread;

#define PARAM(type, i) (*(type const *)params[i])
#define TOUCH(p, flags, site)                                                  \
  t->functions->access(t, (const void *)(p), sizeof(*(p)), _Alignof(*(p)),     \
                       flags, site)
#define LOAD(p, site) (TOUCH(p, 0, site), *(p))
#define STORE(p, v, site) (TOUCH(p, JOBSIM_WRITE, site), (void)(*(p) = (v)))
#define LOAD_SHARED(p, site) (TOUCH(p, JOBSIM_SHARED, site), *(p))
#define STORE_SHARED(p, v, site)                                               \
  (TOUCH(p, JOBSIM_WRITE | JOBSIM_SHARED, site), (void)(*(p) = (v)))

static float asFloat(uint32_t bits) {
  union {
    uint32_t bits;
    float value;
  } u = {bits};
  return u.value;
}

static uint32_t asBits(float value) {
  union {
    float value;
    uint32_t bits;
  } u = {value};
  return u.bits;
}

static uint32_t index(const Thread *t) {
  return t->block_id[0] * t->block_dim[0] + t->thread_id[0];
}

// c = a + b
static void add(Thread *t, void *const *params) {
  const float *a = PARAM(const float *, 0), *b = PARAM(const float *, 1);
  float *c = PARAM(float *, 2);
  uint32_t i = index(t);
  if (i < PARAM(uint32_t, 3))
    STORE(&c[i], LOAD(&a[i], 0) + LOAD(&b[i], 1), 2);
}

// out[block] = the sum of the block's elements of in.
static void reduceWith(Thread *t, void *const *params, int barrier) {
  const float *in = PARAM(const float *, 0);
  float *out = PARAM(float *, 1), *shared = t->shared;
  uint32_t lane = t->thread_id[0] % 32, warp = t->thread_id[0] / 32;
  float sum = LOAD(&in[index(t)], 0);
  for (uint32_t delta = 16; delta > 0; delta /= 2)
    sum += asFloat(t->functions->shuffle(t, ~0u, JOBSIM_SHUFFLE_DOWN,
                                         asBits(sum), delta, 31, 1));
  if (lane == 0)
    STORE_SHARED(&shared[warp], sum, 2);
  if (barrier)
    t->functions->barrier(t, 3);
  if (t->thread_id[0] != 0)
    return;
  sum = 0;
  for (uint32_t i = 0; i < t->block_dim[0] / 32; ++i)
    sum += LOAD_SHARED(&shared[i], 4);
  STORE(&out[t->block_id[0]], sum, 5);
}

static void reduce(Thread *t, void *const *params) { reduceWith(t, params, 1); }

static void reduceWithoutBarrier(Thread *t, void *const *params) {
  reduceWith(t, params, 0);
}

// Turns the block's values by one thread, `rounds` times, through shared
// memory; `second`: with the barrier between reading and the next writing.
static void turn(Thread *t, void *const *params) {
  uint32_t *data = PARAM(uint32_t *, 0), *shared = t->shared;
  uint32_t self = t->thread_id[0], size = t->block_dim[0];
  uint32_t value = LOAD(&data[self], 0);
  for (uint32_t i = 0; i < PARAM(uint32_t, 1); ++i) {
    STORE_SHARED(&shared[self], value, 1);
    t->functions->barrier(t, 2);
    value = LOAD_SHARED(&shared[(self + 1) % size], 3);
    if (PARAM(uint32_t, 2))
      t->functions->barrier(t, 4);
  }
  STORE(&data[self], value, 5);
}

static void storeAt(Thread *t, void *const *params) {
  STORE(PARAM(uint32_t *, 0) + PARAM(int64_t, 1), 7u, 0);
}

static void loadAt(Thread *t, void *const *params) {
  (void)LOAD((volatile uint32_t *)PARAM(uint32_t *, 0) + PARAM(int64_t, 1), 0);
}

// A lane whose mask is off.
static void loadNothing(Thread *t, void *const *params) {
  t->functions->access(t, PARAM(char *, 0) + PARAM(int64_t, 1), 0, 4,
                       0, 0);
}

static void misaligned(Thread *t, void *const *params) {
  STORE((uint32_t *)(PARAM(char *, 0) + 2), 7u, 3);
}

// All threads of a block, or one of each block, store to one word.
static void raceOfThreads(Thread *t, void *const *params) {
  if (t->block_id[0] == 0)
    STORE(PARAM(uint32_t *, 0), t->thread_id[0], 0);
}

static void raceOfBlocks(Thread *t, void *const *params) {
  if (t->thread_id[0] == 0)
    STORE(PARAM(uint32_t *, 0), t->block_id[0], 0);
}

// One block reads what another one writes.
static void raceOfReader(Thread *t, void *const *params) {
  uint32_t *data = PARAM(uint32_t *, 0);
  if (t->block_id[0] == 0)
    STORE(&data[t->thread_id[0]], 1u, 0);
  else
    (void)LOAD((volatile uint32_t *)&data[t->thread_id[0]], 1);
}

// Neighbours share a word, and each has a byte.
static void storeBytes(Thread *t, void *const *params) {
  uint8_t *data = PARAM(uint8_t *, 0);
  STORE(&data[index(t)], (uint8_t)index(t), 0);
}

static void storeBytesTwice(Thread *t, void *const *params) {
  uint8_t *data = PARAM(uint8_t *, 0);
  STORE(&data[index(t) / 2], (uint8_t)1, 0);
}

static void countAtomically(Thread *t, void *const *params) {
  uint32_t *data = PARAM(uint32_t *, 0);
  TOUCH(data, JOBSIM_WRITE | JOBSIM_ATOMIC, 0);
  ++*data;
}

static void countAndRead(Thread *t, void *const *params) {
  uint32_t *data = PARAM(uint32_t *, 0);
  if (t->thread_id[0] == 0)
    (void)LOAD((volatile uint32_t *)data, 1);
  else
    countAtomically(t, params);
}

static void uninitialised(Thread *t, void *const *params) {
  uint32_t *shared = t->shared;
  STORE(PARAM(uint32_t *, 0) + t->thread_id[0],
        LOAD_SHARED(&shared[t->thread_id[0]], 0), 1);
}

static void storeBeyondShared(Thread *t, void *const *params) {
  uint32_t *shared = t->shared;
  STORE_SHARED(&shared[PARAM(uint32_t, 0)], 1u, 0);
}

static void partialBarrier(Thread *t, void *const *params) {
  if (t->thread_id[0] < PARAM(uint32_t, 0))
    t->functions->barrier(t, 6);
}

static void barriersAtTwoSites(Thread *t, void *const *params) {
  t->functions->barrier(t, t->thread_id[0] % 2);
}

static void shuffleOfSome(Thread *t, void *const *params) {
  if (t->thread_id[0] < PARAM(uint32_t, 0))
    t->functions->shuffle(t, ~0u, JOBSIM_SHUFFLE_XOR, 0, 1, 31, 4);
}

static void shuffleBesideBarrier(Thread *t, void *const *params) {
  if (t->thread_id[0] % 2)
    t->functions->barrier(t, 0);
  else
    t->functions->shuffle(t, ~0u, JOBSIM_SHUFFLE_XOR, 0, 1, 31, 1);
}

// out[i] = the shuffle of thread numbers.
static void shuffleNumbers(Thread *t, void *const *params) {
  uint32_t self = t->thread_id[0];
  uint32_t value =
      t->functions->shuffle(t, PARAM(uint32_t, 1), PARAM(uint32_t, 2), self,
                            PARAM(uint32_t, 3), PARAM(uint32_t, 4), 0);
  STORE(PARAM(uint32_t *, 0) + self, value, 1);
}

// Of three threads: the first one shuffles as the parameters say.
static void shuffleApart(Thread *t, void *const *params) {
  int isFirst = t->thread_id[0] == 0;
  uint32_t mask = isFirst ? PARAM(uint32_t, 0) : 7;
  uint32_t mode = isFirst ? PARAM(uint32_t, 1) : JOBSIM_SHUFFLE_XOR;
  uint32_t site = isFirst ? PARAM(uint32_t, 2) : 0;
  t->functions->shuffle(t, mask, mode, 0, 0, 31, site);
}

static const uint32_t table[4] = {2, 3, 5, 7};

static void readTable(Thread *t, void *const *params) {
  const uint32_t *volatile hidden = table;
  STORE(PARAM(uint32_t *, 0) + t->thread_id[0],
        LOAD(&hidden[t->thread_id[0] % 4], 0), 1);
}

// Static in the code object: each load of it has its own.
static uint32_t launches;

static void countLaunches(Thread *t, void *const *params) {
  STORE(PARAM(uint32_t *, 0), ++launches, 0);
}

#ifndef NO_MODULE

#ifndef VERSION
#define VERSION JOBSIM_ABI_VERSION
#endif

static const uint32_t param_bytes[] = {8, 8, 8, 8, 8};
static const uint32_t add_bytes[] = {8, 8, 8, 4};
static const uint32_t turn_bytes[] = {8, 4, 4};
static const uint32_t word_bytes[] = {4};
static const uint32_t apart_bytes[] = {4, 4, 4};
static const uint32_t shuffle_bytes[] = {8, 4, 4, 4, 4};

static const struct jobsim_kernel kernels[] = {
    {"add", add, 4, add_bytes, 1024, 0},
    {"reduce", reduce, 2, param_bytes, 512, 64},
    {"reduce_without_barrier", reduceWithoutBarrier, 2, param_bytes, 512, 64},
    {"turn", turn, 3, turn_bytes, 256, 1024},
    {"store_at", storeAt, 2, param_bytes, 1024, 0},
    {"load_at", loadAt, 2, param_bytes, 1024, 0},
    {"load_nothing", loadNothing, 2, param_bytes, 1024, 0},
    {"misaligned", misaligned, 1, param_bytes, 1024, 0},
    {"race_of_threads", raceOfThreads, 1, param_bytes, 1024, 0},
    {"race_of_blocks", raceOfBlocks, 1, param_bytes, 1024, 0},
    {"race_of_reader", raceOfReader, 1, param_bytes, 1024, 0},
    {"store_bytes", storeBytes, 1, param_bytes, 1024, 0},
    {"store_bytes_twice", storeBytesTwice, 1, param_bytes, 1024, 0},
    {"count_atomically", countAtomically, 1, param_bytes, 1024, 0},
    {"count_and_read", countAndRead, 1, param_bytes, 1024, 0},
    {"uninitialised", uninitialised, 1, param_bytes, 1024, 4096},
    {"store_beyond_shared", storeBeyondShared, 1, word_bytes, 1024, 128},
    {"partial_barrier", partialBarrier, 1, word_bytes, 1024, 0},
    {"barriers_at_two_sites", barriersAtTwoSites, 0, 0, 1024, 0},
    {"shuffle_of_some", shuffleOfSome, 1, word_bytes, 1024, 0},
    {"shuffle_beside_barrier", shuffleBesideBarrier, 0, 0, 1024, 0},
    {"shuffle_numbers", shuffleNumbers, 5, shuffle_bytes, 1024, 0},
    {"shuffle_apart", shuffleApart, 3, apart_bytes, 1024, 0},
    {"read_table", readTable, 1, param_bytes, 1024, 0},
    {"count_launches", countLaunches, 1, param_bytes, 1024, 0},
};

__attribute__((visibility("default")))
const struct jobsim_module jobsim_module = {
    VERSION, sizeof(kernels) / sizeof(kernels[0]), kernels};

#else

// Otherwise the compiler would drop all and warn.
void *const unused[] = {(void *)add,
                        (void *)reduce,
                        (void *)reduceWithoutBarrier,
                        (void *)turn,
                        (void *)storeAt,
                        (void *)loadAt,
                        (void *)misaligned,
                        (void *)raceOfThreads,
                        (void *)raceOfBlocks,
                        (void *)raceOfReader,
                        (void *)storeBytes,
                        (void *)storeBytesTwice,
                        (void *)countAndRead,
                        (void *)uninitialised,
                        (void *)storeBeyondShared,
                        (void *)partialBarrier,
                        (void *)barriersAtTwoSites,
                        (void *)shuffleOfSome,
                        (void *)shuffleBesideBarrier,
                        (void *)shuffleNumbers,
                        (void *)shuffleApart,
                        (void *)readTable,
                        (void *)countLaunches};

#endif
