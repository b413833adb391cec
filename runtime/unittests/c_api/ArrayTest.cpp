//===- ArrayTest.cpp - Element types, arrays and their files in C ---------===//

#include "unittests/c_api/CApiTest.h"

#include <climits>
#include <cstring>

using namespace jobrt::test;

TEST(CArrayTest, ElementTypes) {
  const int64_t bytes[] = {1, 1, 4, 8, 4, 8, 1, 2, 2};
  const char *names[] = {"i1",  "i8", "i32", "i64", "f32",
                         "f64", "ui8", "f16", "bf16"};
  for (jobrt_dtype dtype = JOBRT_I1; dtype <= JOBRT_BF16; ++dtype) {
    EXPECT_EQ(jobrt_dtype_bytes(dtype), bytes[dtype]);
    EXPECT_STREQ(jobrt_dtype_name(dtype), names[dtype]);
    jobrt_dtype parsed = -1;
    EXPECT_EQ(jobrt_dtype_parse(names[dtype], &parsed, nullptr), JOBRT_OK);
    EXPECT_EQ(parsed, dtype);
  }
  for (jobrt_dtype unknown : {-1, 9, INT_MAX, INT_MIN}) {
    EXPECT_EQ(jobrt_dtype_bytes(unknown), 0);
    EXPECT_STREQ(jobrt_dtype_name(unknown), "");
  }
}

TEST(CArrayTest, ParsingErrors) {
  jobrt_dtype dtype;
  expectError(JOBRT_INVALID_ARGUMENT,
              "expects a dtype of i1, i8, i32, i64, f32, f64, ui8, f16 or bf16 "
              "but got 'half'",
              [&](jobrt_error **error) {
                return jobrt_dtype_parse("half", &dtype, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT, "expects a name but got NULL",
              [&](jobrt_error **error) {
                return jobrt_dtype_parse(nullptr, &dtype, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT,
              "expects a place for the dtype but got NULL",
              [&](jobrt_error **error) {
                return jobrt_dtype_parse("f32", nullptr, error);
              });
}

TEST(CArrayTest, NumberOfElements) {
  const int64_t shape[] = {3, 4, 5}, negative[] = {3, -1}, zero[] = {3, 0},
                huge[] = {INT64_MAX, 2};
  EXPECT_EQ(jobrt_num_elements(3, shape), 60);
  EXPECT_EQ(jobrt_num_elements(0, nullptr), 1);
  EXPECT_EQ(jobrt_num_elements(2, zero), 0);
  EXPECT_EQ(jobrt_num_elements(2, negative), -1);
  EXPECT_EQ(jobrt_num_elements(2, huge), -1);
  EXPECT_EQ(jobrt_num_elements(1, nullptr), -1);
  EXPECT_EQ(jobrt_num_elements(-1, shape), -1);
}

TEST(CArrayTest, FormatsTypes) {
  const int64_t shape[] = {100, 784};
  char text[16];
  std::memset(text, '#', sizeof(text));
  EXPECT_EQ(jobrt_format_type(JOBRT_F32, 2, shape, text, sizeof(text)), 11u);
  EXPECT_STREQ(text, "100x784xf32");
  std::memset(text, '#', sizeof(text));
  EXPECT_EQ(jobrt_format_type(JOBRT_F32, 2, shape, text, 5), 11u);
  EXPECT_STREQ(text, "100x");
  EXPECT_EQ(text[5], '#');
  EXPECT_EQ(jobrt_format_type(JOBRT_F32, 2, shape, nullptr, 0), 11u);
  EXPECT_EQ(jobrt_format_type(JOBRT_I1, 0, nullptr, text, sizeof(text)), 2u);
  EXPECT_STREQ(text, "i1");
  EXPECT_EQ(jobrt_format_type(99, 1, nullptr, text, sizeof(text)), 0u);
  EXPECT_STREQ(text, "");
}

TEST(CArrayTest, Tensors) {
  const int64_t shape[] = {2, 3};
  jobrt_tensor *tensor = nullptr;
  ASSERT_EQ(jobrt_tensor_create(JOBRT_I64, 2, shape, &tensor, nullptr),
            JOBRT_OK);
  EXPECT_EQ(jobrt_tensor_bytes(tensor), 48);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(jobrt_tensor_data(tensor)) % 64, 0u);
  jobrt_view view = jobrt_tensor_view(tensor);
  EXPECT_EQ(view.dtype, JOBRT_I64);
  ASSERT_EQ(view.rank, 2);
  EXPECT_NE(view.shape, shape);
  EXPECT_EQ(view.shape[1], 3);
  EXPECT_EQ(view.data, jobrt_tensor_data(tensor));
  EXPECT_EQ(static_cast<const int64_t *>(view.data)[5], 0);
  jobrt_tensor_destroy(tensor);

  EXPECT_EQ(jobrt_tensor_data(nullptr), nullptr);
  EXPECT_EQ(jobrt_tensor_bytes(nullptr), 0);
  EXPECT_EQ(jobrt_tensor_view(nullptr).data, nullptr);
  jobrt_tensor_destroy(nullptr);
}

TEST(CArrayTest, TensorErrors) {
  const int64_t one[] = {1}, negative[] = {4, -2}, huge[] = {INT64_MAX / 4};
  jobrt_tensor *tensor;
  auto expect = [&](jobrt_status code, const char *message, jobrt_dtype dtype,
                    int32_t rank, const int64_t *shape, jobrt_tensor **place) {
    expectError(code, message, [&](jobrt_error **error) {
      return jobrt_tensor_create(dtype, rank, shape, place, error);
    });
  };
  expect(JOBRT_INVALID_ARGUMENT,
         "tensor: expects a dtype from 0 to 8 but got 9", 9, 1, one, &tensor);
  expect(JOBRT_INVALID_ARGUMENT,
         "tensor: expects a rank of at least 0 but got -1", JOBRT_I8, -1, one,
         &tensor);
  expect(JOBRT_INVALID_ARGUMENT,
         "tensor: expects a shape of rank 1 but got NULL", JOBRT_I8, 1, nullptr,
         &tensor);
  expect(JOBRT_INVALID_ARGUMENT,
         "tensor: expects extents that fit into memory but got 4x-2xi8",
         JOBRT_I8, 2, negative, &tensor);
  expect(JOBRT_INVALID_ARGUMENT,
         "tensor: expects extents that fit into memory but got "
         "2305843009213693951xf64",
         JOBRT_F64, 1, huge, &tensor);
  expect(JOBRT_RESOURCE_EXHAUSTED,
         "cannot allocate 2305843009213693951 bytes for a tensor "
         "2305843009213693951xi8",
         JOBRT_I8, 1, huge, &tensor);
  expect(JOBRT_INVALID_ARGUMENT, "expects a place for the tensor but got NULL",
         JOBRT_I8, 1, one, nullptr);
}

TEST(CArrayTest, Files) {
  TemporaryFolder folder;
  std::string path = folder.file("a.npy");
  const int32_t data[] = {1, -2, 3};
  const int64_t shape[] = {3};
  jobrt_view view{JOBRT_I32, 1, shape, data};
  ASSERT_EQ(jobrt_write_npy(path.c_str(), &view, nullptr), JOBRT_OK);
  jobrt_tensor *tensor = nullptr;
  ASSERT_EQ(jobrt_read_npy(path.c_str(), &tensor, nullptr), JOBRT_OK);
  EXPECT_EQ(std::memcmp(jobrt_tensor_data(tensor), data, sizeof(data)), 0);
  jobrt_tensor_destroy(tensor);

  // IDX: unsigned bytes, one dimension of three.
  writeFile(path, std::string("\0\0\x08\x01\0\0\0\x03\x05\xff\x07", 11));
  ASSERT_EQ(jobrt_read_idx(path.c_str(), &tensor, nullptr), JOBRT_OK);
  EXPECT_EQ(jobrt_tensor_view(tensor).dtype, JOBRT_UI8);
  EXPECT_EQ(static_cast<uint8_t *>(jobrt_tensor_data(tensor))[1], 255);
  jobrt_tensor_destroy(tensor);
}

TEST(CArrayTest, FileErrors) {
  TemporaryFolder folder;
  std::string path = folder.file("damaged");
  writeFile(path, "no array");
  const int64_t shape[] = {3};
  jobrt_view noData{JOBRT_I32, 1, shape, nullptr};
  float data[3] = {};
  jobrt_view good{JOBRT_F32, 1, shape, data};
  jobrt_tensor *tensor;
  for (auto read : {jobrt_read_npy, jobrt_read_idx}) {
    EXPECT_EQ(read("/gone/file", &tensor, nullptr), JOBRT_NOT_FOUND);
    EXPECT_EQ(read(path.c_str(), &tensor, nullptr), JOBRT_DATA_LOSS);
    expectError(
        JOBRT_INVALID_ARGUMENT, "expects a path but got NULL",
        [&](jobrt_error **error) { return read(nullptr, &tensor, error); });
    expectError(JOBRT_INVALID_ARGUMENT,
                "expects a place for the tensor but got NULL",
                [&](jobrt_error **error) { return read("a", nullptr, error); });
  }
  EXPECT_NE(jobrt_write_npy("/gone/file", &good, nullptr), JOBRT_OK);
  expectError(JOBRT_INVALID_ARGUMENT, "value: expects data but got NULL",
              [&](jobrt_error **error) {
                return jobrt_write_npy("a", &noData, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT, "expects value but got NULL",
              [&](jobrt_error **error) {
                return jobrt_write_npy("a", nullptr, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT, "expects a path but got NULL",
              [&](jobrt_error **error) {
                return jobrt_write_npy(nullptr, &good, error);
              });
}
