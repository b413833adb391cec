//===- MemoryTest.cpp - Allocations and copies ----------------------------===//

#include "SimTest.h"

namespace {

class MemoryTest : public SimTest {};

TEST_F(MemoryTest, CountsBytes) {
  size_t before, after, total;
  ASSERT_OK(cuMemGetInfo_v2(&before, &total));
  EXPECT_EQ(total, size_t(1) << 30);
  DevicePointer data;
  ASSERT_OK(cuMemAlloc_v2(&data, 1024));
  ASSERT_OK(cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before - after, 1024u);
  ASSERT_OK(cuMemFree_v2(data));
  ASSERT_OK(cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before, after);
}

TEST_F(MemoryTest, RunsOutOfMemory) {
  jobsim_set_memory(1 << 20);
  DevicePointer data, more;
  ASSERT_OK(cuMemAlloc_v2(&data, 1 << 19));
  EXPECT_EQ(cuMemAlloc_v2(&more, (1 << 19) + 1), kErrorOutOfMemory);
  EXPECT_STREQ(jobsim_last_fault(),
               "cuMemAlloc of 524289 bytes where 524288 of 1048576 are in use");
  ASSERT_OK(cuMemAlloc_v2(&more, 1 << 19));
  ASSERT_OK(cuMemFree_v2(data));
  ASSERT_OK(cuMemFree_v2(more));
}

TEST_F(MemoryTest, FindsWrongFrees) {
  DevicePointer data;
  ASSERT_OK(cuMemAlloc_v2(&data, 400));
  EXPECT_EQ(cuMemFree_v2(data + 4), kErrorInvalidValue);
  EXPECT_EQ(cuMemFreeHost(reinterpret_cast<void *>(data)), kErrorInvalidValue);
  ASSERT_OK(cuMemFree_v2(data));
  EXPECT_EQ(cuMemFree_v2(data), kErrorInvalidValue);
  EXPECT_STREQ(jobsim_last_fault(),
               "cuMemFree of freed allocation of 400 bytes + 0");
  ASSERT_OK(cuMemFree_v2(0));
  EXPECT_EQ(cuMemAlloc_v2(&data, 0), kErrorInvalidValue);
}

TEST_F(MemoryTest, FindsCopiesOutOfBounds) {
  DevicePointer data = allocate(400);
  int *pinned = allocatePinned<int>(100);
  int local[101] = {};
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(data, local, 404, stream), kErrorInvalidValue);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(data + 200, local, 400, stream),
            kErrorInvalidValue);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(data, pinned + 1, 400, stream),
            kErrorInvalidValue);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(pinned + 1, data, 400, stream),
            kErrorInvalidValue);
  EXPECT_EQ(cuMemsetD8Async(data + 1, 0, 400, stream), kErrorInvalidValue);
  EXPECT_EQ(cuMemcpyDtoDAsync_v2(data, data + 100, 200, stream),
            kErrorInvalidValue);
  // The arguments in the wrong order.
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(reinterpret_cast<DevicePointer>(pinned),
                                 reinterpret_cast<void *>(data), 400, stream),
            kErrorInvalidValue);
  EXPECT_EQ(
      cuMemcpyHtoDAsync_v2(data, reinterpret_cast<void *>(data), 400, stream),
      kErrorInvalidValue);
}

TEST_F(MemoryTest, CopiesUnpinnedMemoryAtTheCall) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  DevicePointer data = allocate(4);
  int value = 3;
  ASSERT_OK(cuMemcpyHtoDAsync_v2(data, &value, 4, stream));
  value = 4;
  int result = 0;
  ASSERT_OK(cuMemcpyDtoHAsync_v2(&result, data, 4, stream));
  EXPECT_EQ(result, 3);
}

TEST_F(MemoryTest, CopiesPinnedMemoryLater) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  DevicePointer data = allocate(4), other = allocate(4);
  int *value = allocatePinned<int>(2);
  value[0] = 3;
  ASSERT_OK(cuMemcpyHtoDAsync_v2(data, value, 4, stream));
  // Without waiting for the copy.
  value[0] = 4;
  ASSERT_OK(cuMemcpyDtoDAsync_v2(other, data, 4, stream));
  ASSERT_OK(cuMemcpyDtoHAsync_v2(value + 1, other, 4, stream));
  EXPECT_EQ(value[1], -1);
  ASSERT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(value[1], 4);
}

TEST_F(MemoryTest, FindsFreeBeforeCopy) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  void *pinned;
  ASSERT_OK(cuMemHostAlloc(&pinned, 4, 0));
  DevicePointer data = allocate(4);
  ASSERT_OK(cuMemcpyDtoHAsync_v2(pinned, data, 4, stream));
  ASSERT_OK(cuMemFreeHost(pinned));
  expectFault(kErrorIllegalAddress,
              "freed pinned allocation of 4 bytes + 0, freed before it ran");
}

TEST_F(MemoryTest, FreshMemoryIsNotZero) {
  EXPECT_EQ(download<uint32_t>(allocate(4), 1)[0], ~0u);
}

TEST_F(MemoryTest, ReportsLeaks) {
  DevicePointer data;
  Event event;
  ASSERT_OK(cuMemAlloc_v2(&data, 16));
  ASSERT_OK(cuEventCreate(&event, 0));
  // With the stream and the module of the test.
  EXPECT_EQ(jobsim_report_leaks(), 4u);
  close();
  EXPECT_EQ(jobsim_report_leaks(), 2u);
  EXPECT_EQ(jobsim_report_leaks(), 0u);
  open();
}

TEST_F(MemoryTest, ContextsOwnTheirObjects) {
  Event event;
  ASSERT_OK(cuEventCreate(&event, 0));
  close();
  EXPECT_EQ(jobsim_report_leaks(), 1u);
  size_t free, total;
  EXPECT_EQ(cuMemGetInfo_v2(&free, &total), kErrorInvalidContext);
  open();
  EXPECT_EQ(cuEventQuery(event), kErrorInvalidHandle);
}

TEST_F(MemoryTest, DescribesDevices) {
  int count, major, device;
  ASSERT_OK(cuDeviceGetCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cuDeviceGet(&device, 2), kErrorInvalidDevice);
  char name[64];
  ASSERT_OK(cuDeviceGetName(name, sizeof(name), 1));
  EXPECT_STREQ(name, "simulated GPU 1");
  ASSERT_OK(cuDeviceGetAttribute(&major, kComputeCapabilityMajor, 1));
  EXPECT_EQ(major, 9);
  EXPECT_EQ(jobsim_abi_version(), 1u);
  const char *text;
  ASSERT_OK(cuGetErrorName(kErrorOutOfMemory, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(cuGetErrorString(12345, &text), kErrorInvalidValue);
  EXPECT_EQ(text, nullptr);
}

} // namespace
