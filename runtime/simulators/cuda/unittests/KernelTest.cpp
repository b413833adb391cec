//===- KernelTest.cpp - Launches and the faults of kernels ----------------===//

#include "SimTest.h"

#include <numeric>

namespace {

class KernelTest : public SimTest {};

TEST_F(KernelTest, AddsInAnyOrder) {
  std::vector<float> a(1000), b(1000);
  std::iota(a.begin(), a.end(), 0.f);
  std::iota(b.begin(), b.end(), 100.f);
  DevicePointer da = upload(a), db = upload(b), dc = allocate(4000);
  repeat(50, [&] {
    ASSERT_OK(cuMemsetD8Async(dc, 0, 4000, stream));
    ASSERT_OK(launch("add", 4, 256, da, db, dc, 1000u));
    std::vector<float> c = download<float>(dc, 1000);
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(c[i], a[i] + b[i]);
  });
}

TEST_F(KernelTest, ReducesInAnyOrder) {
  std::vector<float> in(8 * 128);
  std::iota(in.begin(), in.end(), 1.f);
  DevicePointer din = upload(in), out = allocate(8 * 4);
  repeat(50, [&] {
    ASSERT_OK(launch("reduce", 8, 128, din, out));
    std::vector<float> sums = download<float>(out, 8);
    for (int i = 0; i < 8; ++i)
      ASSERT_EQ(sums[i],
                std::accumulate(&in[128 * i], &in[128 * i] + 128, 0.f));
  });
}

TEST_F(KernelTest, TurnsThroughSharedMemory) {
  std::vector<uint32_t> values(96);
  std::iota(values.begin(), values.end(), 0);
  repeat(20, [&] {
    DevicePointer data = upload(values);
    ASSERT_OK(launch("turn", 1, 96, data, 5u, 1u));
    std::vector<uint32_t> turned = download<uint32_t>(data, 96);
    for (unsigned i = 0; i < 96; ++i)
      ASSERT_EQ(turned[i], (i + 5) % 96);
  });
}

TEST_F(KernelTest, FindsMissingBarrier) {
  DevicePointer in = upload(std::vector<float>(128)), out = allocate(4);
  ASSERT_OK(launch("reduce_without_barrier", 1, 128, in, out));
  EXPECT_EQ(cuStreamSynchronize(stream), kErrorLaunchFailed);
  // By the order of the threads: before the others have written, or after.
  std::string fault = jobsim_last_fault();
  EXPECT_TRUE(fault.find("nothing has written") != std::string::npos ||
              fault.find("race: ") != std::string::npos)
      << fault;
}

TEST_F(KernelTest, FindsMissingSecondBarrier) {
  DevicePointer data = upload(std::vector<uint32_t>(64));
  ASSERT_OK(launch("turn", 1, 64, data, 2u, 0u));
  expectFault(kErrorLaunchFailed, "without a barrier between");
}

TEST_F(KernelTest, FindsStoreOutOfBounds) {
  DevicePointer data = allocate(400);
  ASSERT_OK(launch("store_at", 1, 1, data, int64_t(100)));
  expectFault(kErrorIllegalAddress,
              "kernel store_at, block (0,0,0), thread (0,0,0), site 0: write "
              "of 4 bytes out of bounds: allocation of 400 bytes + 400");
}

TEST_F(KernelTest, LoadsNothingAnywhere) {
  DevicePointer data = allocate(400);
  ASSERT_OK(launch("load_nothing", 1, 1, data, int64_t(401)));
  EXPECT_OK(cuStreamSynchronize(stream));
}

TEST_F(KernelTest, FindsLoadInFrontOfAllocation) {
  DevicePointer data = allocate(400);
  ASSERT_OK(launch("load_at", 1, 1, data, int64_t(-1)));
  expectFault(kErrorIllegalAddress, "read of 4 bytes out of bounds: "
                                    "allocation of 400 bytes - 4");
}

TEST_F(KernelTest, FindsNullPointer) {
  ASSERT_OK(launch("load_at", 1, 1, DevicePointer(0), int64_t(0)));
  expectFault(kErrorIllegalAddress, "no allocation");
}

TEST_F(KernelTest, FindsUseAfterFree) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  DevicePointer data;
  ASSERT_OK(cuMemAlloc_v2(&data, 400));
  ASSERT_OK(launch("store_at", 1, 1, data, int64_t(1)));
  ASSERT_OK(cuMemFree_v2(data));
  expectFault(kErrorIllegalAddress,
              "after the free: freed allocation of 400 bytes + 4");
}

TEST_F(KernelTest, FindsMemoryOfAnotherDevice) {
  Context other, first;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&first, 0));
  ASSERT_OK(cuDevicePrimaryCtxRetain(&other, 1));
  ASSERT_OK(cuCtxSetCurrent(other));
  DevicePointer data;
  ASSERT_OK(cuMemAlloc_v2(&data, 400));
  ASSERT_OK(cuCtxSetCurrent(first));
  ASSERT_OK(launch("store_at", 1, 1, data, int64_t(1)));
  expectFault(kErrorIllegalAddress, "another device");
  ASSERT_OK(cuCtxSetCurrent(other));
  ASSERT_OK(cuMemFree_v2(data));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(1));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
  ASSERT_OK(cuCtxSetCurrent(first));
}

TEST_F(KernelTest, FindsMisalignedStore) {
  DevicePointer data = allocate(400);
  ASSERT_OK(launch("misaligned", 1, 1, data));
  expectFault(kErrorMisalignedAddress, "site 3: misaligned write of 4 bytes");
}

TEST_F(KernelTest, FindsRaceOfThreads) {
  DevicePointer data = allocate(4);
  ASSERT_OK(launch("race_of_threads", 2, 1, data));
  ASSERT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(launch("race_of_threads", 1, 2, data));
  expectFault(kErrorLaunchFailed, "without a barrier between");
}

TEST_F(KernelTest, FindsRaceOfBlocks) {
  DevicePointer data = allocate(4);
  // Two launches are in order.
  ASSERT_OK(launch("race_of_blocks", 1, 64, data));
  ASSERT_OK(launch("race_of_blocks", 1, 64, data));
  ASSERT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(launch("race_of_blocks", 2, 64, data));
  expectFault(kErrorLaunchFailed, "in no order");
}

TEST_F(KernelTest, FindsRaceOfReader) {
  DevicePointer data = allocate(256);
  ASSERT_OK(launch("race_of_reader", 3, 64, data));
  expectFault(kErrorLaunchFailed, "race: ");
}

TEST_F(KernelTest, TellsBytesApart) {
  DevicePointer data = allocate(512);
  ASSERT_OK(launch("store_bytes", 8, 64, data));
  std::vector<uint8_t> bytes = download<uint8_t>(data, 512);
  for (int i = 0; i < 512; ++i)
    ASSERT_EQ(bytes[i], uint8_t(i));
  ASSERT_OK(launch("store_bytes_twice", 1, 64, data));
  expectFault(kErrorLaunchFailed, "race: write of 1 bytes");
}

TEST_F(KernelTest, AllowsAtomicAccesses) {
  DevicePointer data = upload(std::vector<uint32_t>(1));
  ASSERT_OK(launch("count_atomically", 3, 50, data));
  EXPECT_EQ(download<uint32_t>(data, 1)[0], 150u);
  ASSERT_OK(launch("count_and_read", 1, 50, data));
  expectFault(kErrorLaunchFailed, "race: ");
}

TEST_F(KernelTest, FindsUninitialisedSharedMemory) {
  DevicePointer data = allocate(256);
  ASSERT_OK(launch("uninitialised", 1, 64, data));
  expectFault(kErrorLaunchFailed, "nothing has written");
}

TEST_F(KernelTest, FindsStoreBeyondSharedMemory) {
  ASSERT_OK(launch("store_beyond_shared", 1, 1, 31u));
  ASSERT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(launch("store_beyond_shared", 1, 1, 32u));
  expectFault(kErrorIllegalAddress, "shared memory of 128 bytes +128");
}

TEST_F(KernelTest, DynamicSharedMemoryFollowsStatic) {
  uint32_t index = 32;
  void *parameters[] = {&index};
  Function kernel = function("store_beyond_shared");
  ASSERT_OK(
      cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 4, stream, parameters, nullptr));
  ASSERT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 48 << 10, stream,
                           parameters, nullptr),
            kErrorInvalidValue);
}

TEST_F(KernelTest, FindsBarrierOfPartOfBlock) {
  ASSERT_OK(launch("partial_barrier", 1, 64, 0u));
  ASSERT_OK(launch("partial_barrier", 1, 64, 64u));
  ASSERT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(launch("partial_barrier", 1, 64, 63u));
  expectFault(kErrorLaunchFailed,
              "site 6: barrier that a part of the block reaches");
}

TEST_F(KernelTest, FindsBarriersAtTwoSites) {
  ASSERT_OK(launch("barriers_at_two_sites", 1, 64));
  expectFault(kErrorLaunchFailed, "waits at the one of site");
}

TEST_F(KernelTest, FindsShuffleOfPartOfWarp) {
  ASSERT_OK(launch("shuffle_of_some", 1, 64, 64u));
  ASSERT_OK(launch("shuffle_of_some", 1, 64, 32u));
  ASSERT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(launch("shuffle_of_some", 1, 64, 48u));
  expectFault(kErrorLaunchFailed, "which has ended");
}

TEST_F(KernelTest, FindsShuffleBeyondBlock) {
  ASSERT_OK(launch("shuffle_of_some", 1, 48, 48u));
  expectFault(kErrorLaunchFailed, "lane 16, which the block does not have");
}

TEST_F(KernelTest, FindsShuffleBesideBarrier) {
  ASSERT_OK(launch("shuffle_beside_barrier", 1, 32));
  expectFault(kErrorLaunchFailed, "waits at the barrier of site 0");
}

TEST_F(KernelTest, ShufflesAsPtxDefines) {
  DevicePointer out = allocate(128);
  auto shuffle = [&](uint32_t mode, uint32_t lane, uint32_t clamp) {
    EXPECT_OK(launch("shuffle_numbers", 1, 32, out, ~0u, mode, lane, clamp));
    return download<uint32_t>(out, 32);
  };
  // The clamps that __shfl_up_sync and the others pass, widths 32 and 8.
  std::vector<uint32_t> up = shuffle(0, 3, 0), down = shuffle(1, 3, 31),
                        exclusive = shuffle(2, 5, 31), all = shuffle(3, 9, 31),
                        upOf8 = shuffle(0, 3, 24 << 8),
                        downOf8 = shuffle(1, 3, 24 << 8 | 31),
                        allOf8 = shuffle(3, 2, 24 << 8 | 31);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i < 3 ? i : i - 3);
    EXPECT_EQ(down[i], i + 3 < 32 ? i + 3 : i);
    EXPECT_EQ(exclusive[i], i ^ 5);
    EXPECT_EQ(all[i], 9u);
    EXPECT_EQ(upOf8[i], i % 8 < 3 ? i : i - 3);
    EXPECT_EQ(downOf8[i], i % 8 + 3 < 8 ? i + 3 : i);
    EXPECT_EQ(allOf8[i], i / 8 * 8 + 2);
  }
}

TEST_F(KernelTest, FindsShuffleOutsideOfMask) {
  DevicePointer out = allocate(128);
  ASSERT_OK(launch("shuffle_numbers", 1, 16, out, 0xffffu, 3u, 20u, 31u));
  expectFault(kErrorLaunchFailed, "reads lane 20, which is not in it");
}

TEST_F(KernelTest, FindsShuffleWithoutItsThread) {
  DevicePointer out = allocate(128);
  ASSERT_OK(launch("shuffle_numbers", 1, 16, out, 0xfffeu, 3u, 1u, 31u));
  expectFault(kErrorLaunchFailed, "thread (0,0,0), site 0: shuffle with mask "
                                  "0xfffe that lacks the thread itself");
}

TEST_F(KernelTest, FindsShuffleOfUnknownMode) {
  DevicePointer out = allocate(128);
  ASSERT_OK(launch("shuffle_numbers", 1, 16, out, 0xffffu, 4u, 1u, 31u));
  expectFault(kErrorLaunchFailed, "shuffle with mask 0xffff of unknown mode 4");
}

// Which thread finds these depends on the order.

TEST_F(KernelTest, FindsShufflesAtTwoSites) {
  ASSERT_OK(launch("shuffle_apart", 1, 3, 7u, 2u, 0u));
  ASSERT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(launch("shuffle_apart", 1, 3, 7u, 2u, 5u));
  expectFault(kErrorLaunchFailed, "shuffle with mask 0x7 waits for thread (");
  std::string fault = jobsim_last_fault();
  bool isOfFirst = fault.find("site 5: ") != std::string::npos;
  EXPECT_TRUE(fault.ends_with(isOfFirst
                                  ? ", which shuffles at site 0 with mask 0x7"
                                  : ", which shuffles at site 5 with mask 0x7"))
      << fault;
}

TEST_F(KernelTest, FindsShufflesWithTwoMasks) {
  ASSERT_OK(launch("shuffle_apart", 1, 3, 3u, 2u, 0u));
  expectFault(kErrorLaunchFailed, ", which shuffles at site 0 with mask 0x");
  std::string fault = jobsim_last_fault();
  bool isOfFirst = fault.find("shuffle with mask 0x3") != std::string::npos;
  EXPECT_TRUE(fault.ends_with(isOfFirst ? " 0x7" : " 0x3")) << fault;
}

TEST_F(KernelTest, FindsShufflesOfTwoModes) {
  ASSERT_OK(launch("shuffle_apart", 1, 3, 7u, 3u, 0u));
  expectFault(kErrorLaunchFailed, "which shuffles at site 0 with mask 0x7");
}

TEST_F(KernelTest, ReadsConstantsOfTheCodeObject) {
  DevicePointer out = allocate(128);
  ASSERT_OK(launch("read_table", 1, 4, out));
  EXPECT_EQ(download<uint32_t>(out, 4), (std::vector<uint32_t>{2, 3, 5, 7}));
}

TEST_F(KernelTest, RefusesWrongLaunches) {
  EXPECT_EQ(launch("partial_barrier", 0, 1, 0u), kErrorInvalidValue);
  EXPECT_EQ(launch("partial_barrier", 1, 0, 0u), kErrorInvalidValue);
  EXPECT_EQ(launch("partial_barrier", 1, 1025, 0u), kErrorInvalidValue);
  EXPECT_EQ(launch("reduce", 1, 544, DevicePointer(0), DevicePointer(0)),
            kErrorLaunchOutOfResources);
  EXPECT_EQ(launchOn(nullptr, "partial_barrier", 1, 1, 0u),
            kErrorInvalidHandle);
  EXPECT_EQ(
      cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr),
      kErrorInvalidHandle);
  ASSERT_OK(launch("partial_barrier", 1, 1024, 0u));
  ASSERT_OK(cuStreamSynchronize(stream));
}

TEST_F(KernelTest, RefusesLaunchesWithoutTheirParameters) {
  uint32_t count = 0;
  void *parameters[] = {&count}, *extra[] = {nullptr};
  auto launchWith = [&](const char *name, void **values, void **others) {
    return cuLaunchKernel(function(name), 1, 1, 1, 1, 1, 1, 0, stream, values,
                          others);
  };
  auto expectRefused = [&](void **values, void **others) {
    jobsim_clear_fault();
    EXPECT_EQ(launchWith("partial_barrier", values, others),
              kErrorInvalidValue);
    EXPECT_STREQ(jobsim_last_fault(),
                 "launch of kernel partial_barrier: expected its parameters as "
                 "an array of pointers");
  };
  expectRefused(nullptr, nullptr);
  expectRefused(nullptr, extra);
  expectRefused(parameters, extra);
  ASSERT_OK(launchWith("partial_barrier", parameters, nullptr));
  // One that has none.
  ASSERT_OK(launchWith("barriers_at_two_sites", nullptr, nullptr));
  ASSERT_OK(cuStreamSynchronize(stream));
}

TEST_F(KernelTest, ModulesAreIndependent) {
  std::string image = readFile(JOBSIM_TEST_KERNELS);
  Module second;
  ASSERT_OK(cuModuleLoadData(&second, image.data()));
  DevicePointer out = allocate(4);
  ASSERT_OK(launch("count_launches", 1, 1, out));
  ASSERT_OK(launch("count_launches", 1, 1, out));
  EXPECT_EQ(download<uint32_t>(out, 1)[0], 2u);
  std::swap(module, second);
  ASSERT_OK(launch("count_launches", 1, 1, out));
  EXPECT_EQ(download<uint32_t>(out, 1)[0], 1u);
  ASSERT_OK(cuModuleUnload(second));
  EXPECT_EQ(cuModuleUnload(second), kErrorInvalidHandle);
}

TEST_F(KernelTest, RefusesOtherCodeObjects) {
  Module other;
  std::string later = readFile(JOBSIM_TEST_KERNELS_LATER),
              none = readFile(JOBSIM_TEST_KERNELS_NONE),
              cubin = readFile(JOBSIM_TEST_KERNELS);
  EXPECT_EQ(cuModuleLoadData(&other, later.data()), kErrorNoBinary);
  EXPECT_EQ(cuModuleLoadData(&other, none.data()), kErrorInvalidImage);
  EXPECT_EQ(cuModuleLoadData(&other, "cubin"), kErrorInvalidImage);
  // e_machine: EM_CUDA.
  cubin[18] = char(190);
  EXPECT_EQ(cuModuleLoadData(&other, cubin.data()), kErrorNoBinary);
  Function function;
  EXPECT_EQ(cuModuleGetFunction(&function, module, "none"), kErrorNotFound);
}

TEST_F(KernelTest, TellsAttributes) {
  int value;
  ASSERT_OK(cuFuncGetAttribute(&value, kFunctionMaxThreadsPerBlock,
                               function("reduce")));
  EXPECT_EQ(value, 512);
  ASSERT_OK(
      cuFuncGetAttribute(&value, kFunctionSharedBytes, function("reduce")));
  EXPECT_EQ(value, 64);
  EXPECT_EQ(cuFuncGetAttribute(&value, 12345, function("reduce")),
            kErrorInvalidValue);
}

TEST_F(KernelTest, FindsLaunchOfUnloadedModule) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  ASSERT_OK(launch("partial_barrier", 1, 1, 0u));
  ASSERT_OK(cuModuleUnload(module));
  expectFault(kErrorIllegalAddress, "unloaded before it ran");
}

} // namespace
