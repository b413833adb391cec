//===- SessionTest.cpp - Sessions, calls and checkpoints in C -------------===//

#include "unittests/MixedArtifact.h"
#include "unittests/c_api/CApiTest.h"

#include <fstream>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------===//

TEST(CSessionTest, OutlivesTheArtifactsHandle) {
  CArtifact artifact;
  jobrt_session *session = nullptr;
  ASSERT_EQ(jobrt_session_create(artifact.handle, nullptr, &session, nullptr),
            JOBRT_OK);
  jobrt_artifact_destroy(artifact.handle);
  artifact.handle = nullptr;
  EXPECT_EQ(jobrt_artifact_num_entries(jobrt_session_artifact(session)), 4);
  EXPECT_EQ(jobrt_session_initialize(session, 1, nullptr), JOBRT_OK);
  jobrt_session_destroy(session);
}

TEST(CSessionTest, SeveralDevicesNeedNoOptions) {
  CArtifact artifact(mixedManifest());
  EXPECT_STREQ(jobrt_artifact_driver(artifact.handle), "host,host");
  EXPECT_EQ(jobrt_artifact_num_devices(artifact.handle), 2);
  EXPECT_STREQ(jobrt_artifact_device_name(artifact.handle, 1), "dev1");
  jobrt_session *session = nullptr;
  ASSERT_EQ(jobrt_session_create(artifact.handle, nullptr, &session, nullptr),
            JOBRT_OK);
  EXPECT_EQ(jobrt_session_initialize(session, 1, nullptr), JOBRT_OK);
  jobrt_memory_report all = jobrt_session_memory(session);
  jobrt_memory_report first = jobrt_session_device_memory(session, 0);
  jobrt_memory_report second = jobrt_session_device_memory(session, 1);
  EXPECT_EQ(first.bank, 320);
  EXPECT_EQ(second.bank, 256);
  EXPECT_EQ(first.total + second.total + all.staging, all.total);
  EXPECT_EQ(jobrt_session_device_memory(session, 2).total, 0);
  EXPECT_EQ(jobrt_session_device_memory(session, -1).total, 0);
  jobrt_session_destroy(session);
}

TEST(CSessionTest, Interface) {
  CSession session;
  EXPECT_EQ(jobrt_session_check_interface(session.handle, "0123456789abcdef",
                                          nullptr),
            JOBRT_OK);
  auto check = [&](const jobrt_session *handle, const char *interface) {
    return [=](jobrt_error **error) {
      return jobrt_session_check_interface(handle, interface, error);
    };
  };
  expectError(JOBRT_INVALID_ARGUMENT,
              "expects the artifact that the header was written for, of "
              "interface f, but got '" +
                  session.artifact.path + "' of interface 0123456789abcdef",
              check(session.handle, "f"));
  expectError(JOBRT_INVALID_ARGUMENT, "expects a session but got NULL",
              check(nullptr, "f"));
  expectError(JOBRT_INVALID_ARGUMENT, "expects an interface but got NULL",
              check(session.handle, nullptr));
}

namespace {
/// A session with functions of C for its host calls.
class CFunctionTest : public testing::Test {
protected:
  CFunctionTest() {
    registerTestCall();
    std::string path = folder.file("host.so");
    writeFile(path, makeContainer(testKernels(), hostCallManifest().dump()));
    jobrt_artifact *artifact = nullptr;
    EXPECT_EQ(jobrt_artifact_load(path.c_str(), &artifact, nullptr), JOBRT_OK);
    EXPECT_EQ(jobrt_session_create(artifact, nullptr, &session, nullptr),
              JOBRT_OK);
    jobrt_artifact_destroy(artifact);
    EXPECT_EQ(jobrt_session_register_function(session, "twice", twice, nullptr,
                                              nullptr),
              JOBRT_OK);
  }
  ~CFunctionTest() override { jobrt_session_destroy(session); }

  static jobrt_status twice(const jobrt_host_buffer *buffers, int32_t count,
                            const char **, void *) {
    EXPECT_EQ(count, 2);
    EXPECT_EQ(buffers[0].dtype, JOBRT_F32);
    EXPECT_EQ(buffers[0].rank, 2);
    EXPECT_EQ(buffers[0].shape[1], 8);
    EXPECT_EQ(buffers[0].bytes, 256);
    EXPECT_TRUE(buffers[0].is_read && !buffers[0].is_written);
    EXPECT_TRUE(!buffers[1].is_read && buffers[1].is_written);
    for (int64_t i = 0; i < kBlobSize; ++i)
      static_cast<float *>(buffers[1].data)[i] =
          2 * static_cast<const float *>(buffers[0].data)[i];
    return JOBRT_OK;
  }

  /// Keeps the first element.
  static jobrt_status watch(const jobrt_host_buffer *buffers, int32_t,
                            const char **, void *user_data) {
    *static_cast<float *>(user_data) =
        *static_cast<const float *>(buffers[0].data);
    return JOBRT_OK;
  }

  jobrt_status call(jobrt_error **error) {
    jobrt_view input = x.view();
    jobrt_buffer output = y.buffer();
    return jobrt_session_call(session, "host_job", &input, 1, &output, 1,
                              error);
  }

  TemporaryFolder folder;
  jobrt_session *session = nullptr;
  CBlob x{1, 1}, y;
};
} // namespace

TEST_F(CFunctionTest, AreCalledByCommands) {
  float seen = 0;
  ASSERT_EQ(
      jobrt_session_register_function(session, "watch", watch, &seen, nullptr),
      JOBRT_OK);
  ASSERT_EQ(call(nullptr), JOBRT_OK);
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(y.blob.values[63], 128);
}

TEST_F(CFunctionTest, Failures) {
  expectError(JOBRT_NOT_FOUND,
              "job 'host_job': expects a function 'watch' to be registered "
              "with the session but got none",
              [&](jobrt_error **error) { return call(error); });
  ASSERT_EQ(jobrt_session_register_function(
                session, "watch",
                [](const jobrt_host_buffer *, int32_t, const char **message,
                   void *user_data) -> jobrt_status {
                  if (user_data)
                    *message = "no";
                  return JOBRT_IO;
                },
                session, nullptr),
            JOBRT_OK);
  expectError(JOBRT_IO,
              "job 'host_job', 'watched': watch: no; variables are as they "
              "were before this step",
              [&](jobrt_error **error) { return call(error); });
  expectError(JOBRT_ALREADY_EXISTS,
              "expects one function 'watch' but got a second one",
              [&](jobrt_error **error) {
                return jobrt_session_register_function(session, "watch", watch,
                                                       nullptr, error);
              });
}

TEST_F(CFunctionTest, FailuresWithoutAMessage) {
  ASSERT_EQ(jobrt_session_register_function(
                session, "watch",
                [](const jobrt_host_buffer *, int32_t, const char **,
                   void *) -> jobrt_status { return -7; },
                nullptr, nullptr),
            JOBRT_OK);
  expectError(JOBRT_INTERNAL,
              "job 'host_job', 'watched': watch: the function failed; "
              "variables are as they were before this step",
              [&](jobrt_error **error) { return call(error); });
}

TEST_F(CFunctionTest, Null) {
  auto add = [&](jobrt_session *handle, const char *name,
                 jobrt_host_function function) {
    return [=](jobrt_error **error) {
      return jobrt_session_register_function(handle, name, function, nullptr,
                                             error);
    };
  };
  expectError(JOBRT_INVALID_ARGUMENT, "expects a session but got NULL",
              add(nullptr, "f", watch));
  expectError(JOBRT_INVALID_ARGUMENT, "expects a name but got NULL",
              add(session, nullptr, watch));
  expectError(JOBRT_INVALID_ARGUMENT, "expects a function but got NULL",
              add(session, "f", nullptr));
}

TEST(CSessionTest, Options) {
  jobrt_session_options options = JOBRT_SESSION_OPTIONS_INIT;
  options.threads = 3;
  CSession session(options);
  EXPECT_EQ(jobrt_session_threads(session.handle), 3);
  options.driver = "null";
  CSession idle(options);
  EXPECT_NE(jobrt_session_threads(idle.handle), 0);
  // That of the artifact.
  options.driver = nullptr;
  CSession placed(options);
  EXPECT_EQ(jobrt_session_threads(placed.handle), 3);
}

TEST(CSessionTest, OptionErrors) {
  CArtifact artifact;
  jobrt_session *session = nullptr;
  auto expect = [&](jobrt_status code, const std::string &message,
                    jobrt_session_options options) {
    expectError(code, message, [&](jobrt_error **error) {
      return jobrt_session_create(artifact.handle, &options, &session, error);
    });
    EXPECT_EQ(session, nullptr);
  };
  const size_t size = sizeof(jobrt_session_options);
  const std::string text =
      "expects options with struct_bytes of " + std::to_string(size);
  expect(JOBRT_INVALID_ARGUMENT, text + " but got 0",
         {0, 0, 4, "host", nullptr, 1, 0, nullptr});
  expect(JOBRT_UNIMPLEMENTED, text + " but got " + std::to_string(size + 8),
         {size + 8, 0, 4, "host", nullptr, 1, 0, nullptr});
  expect(JOBRT_NOT_FOUND,
         "cannot open CUDA's library '/nowhere/libcuda.so': "
         "/nowhere/libcuda.so: cannot open shared object file: No such file or "
         "directory",
         {size, 0, 4, "cuda", "/nowhere/libcuda.so", 1, 0, nullptr});
  std::string path = jobrt_artifact_path(artifact.handle);
  expect(JOBRT_INVALID_ARGUMENT,
         "'" + path +
             "': expects a session of one of 1 ranks, as the artifact "
             "is for, but got one of 2",
         {size, 0, 4, "host", nullptr, 2, 0, nullptr});
  expect(JOBRT_INVALID_ARGUMENT, "expects a rank from 0 to 0 but got 1",
         {size, 0, 4, "host", nullptr, 1, 1, nullptr});
  jobrt_session_options options = JOBRT_SESSION_OPTIONS_INIT;
  options.credits = 0;
  EXPECT_EQ(jobrt_session_create(artifact.handle, &options, &session, nullptr),
            JOBRT_INVALID_ARGUMENT);
  options = JOBRT_SESSION_OPTIONS_INIT;
  options.driver = "abacus";
  EXPECT_NE(jobrt_session_create(artifact.handle, &options, &session, nullptr),
            JOBRT_OK);
}

TEST(CSessionTest, CommunicatorIds) {
  CArtifact artifact;
  EXPECT_EQ(jobrt_artifact_ranks(artifact.handle), 1);
  EXPECT_EQ(jobrt_artifact_ranks(nullptr), 0);
  jobrt_session_options options = JOBRT_SESSION_OPTIONS_INIT;
  options.driver = "host";
  char id[JOBRT_COMMUNICATOR_ID_BYTES];
  expectError(JOBRT_UNIMPLEMENTED, "the driver host has no collectives",
              [&](jobrt_error **error) {
                return jobrt_communicator_id_create(&options, id, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT, "expects a place for the id but got NULL",
              [&](jobrt_error **error) {
                return jobrt_communicator_id_create(&options, nullptr, error);
              });
}

TEST(CSessionTest, Null) {
  CArtifact artifact;
  jobrt_session *session = nullptr;
  expectError(JOBRT_INVALID_ARGUMENT, "expects an artifact but got NULL",
              [&](jobrt_error **error) {
                return jobrt_session_create(nullptr, nullptr, &session, error);
              });
  expectError(
      JOBRT_INVALID_ARGUMENT, "expects a place for the session but got NULL",
      [&](jobrt_error **error) {
        return jobrt_session_create(artifact.handle, nullptr, nullptr, error);
      });
  EXPECT_EQ(jobrt_session_artifact(nullptr), nullptr);
  EXPECT_EQ(jobrt_session_threads(nullptr), 0);
  EXPECT_EQ(jobrt_session_memory(nullptr).total, 0);
  EXPECT_EQ(jobrt_session_device_memory(nullptr, 0).total, 0);
  EXPECT_EQ(jobrt_session_last_allocations(nullptr).ours, -1);
  jobrt_session_destroy(nullptr);

  jobrt_view view{};
  jobrt_tensor *tensor;
  jobrt_future *future;
  const char *name = "weight";
  auto expect = [](auto call) {
    expectError(JOBRT_INVALID_ARGUMENT, "expects a session but got NULL", call);
  };
  expect([](jobrt_error **error) {
    return jobrt_session_initialize(nullptr, 1, error);
  });
  expect([](jobrt_error **error) {
    return jobrt_session_call(nullptr, "a", nullptr, 0, nullptr, 0, error);
  });
  expect([&](jobrt_error **error) {
    return jobrt_session_run(nullptr, "a", nullptr, 0, &future, error);
  });
  expect([&](jobrt_error **error) {
    return jobrt_session_submit(nullptr, "a", nullptr, 0, &future, error);
  });
  expect([](jobrt_error **error) {
    return jobrt_session_synchronize(nullptr, error);
  });
  expect([](jobrt_error **error) {
    return jobrt_session_start_trace(nullptr, "a", 1, error);
  });
  expect([](jobrt_error **error) {
    return jobrt_session_finish_trace(nullptr, error);
  });
  expect([&](jobrt_error **error) {
    return jobrt_session_read_variable(nullptr, "a", &tensor, error);
  });
  expect([&](jobrt_error **error) {
    return jobrt_session_read_variables(nullptr, &name, 1, &tensor, error);
  });
  expect([&](jobrt_error **error) {
    return jobrt_session_write_variable(nullptr, "a", &view, error);
  });
  expect([&](jobrt_error **error) {
    return jobrt_session_write_variables(nullptr, &name, &view, 1, error);
  });
  expect([](jobrt_error **error) {
    return jobrt_save_checkpoint(nullptr, "a", JOBRT_CHECKPOINT_NATIVE,
                                 JOBRT_EXISTING_REFUSE, error);
  });
  expect([](jobrt_error **error) {
    return jobrt_load_checkpoint(nullptr, "a", error);
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(CSessionTest, CallLeavesOutOutputs) {
  CSession session;
  CBlob x(2);
  jobrt_view input = x.view();
  int64_t count = 0;
  const int64_t one[] = {1};
  jobrt_buffer outputs[2] = {{JOBRT_F32, 1, x.shape, nullptr},
                             {JOBRT_I64, 1, one, &count}};
  EXPECT_EQ(jobrt_session_call(session.handle, "train_job", &input, 1, outputs,
                               2, nullptr),
            JOBRT_OK);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(jobrt_session_call(session.handle, "train_job", &input, 1, nullptr,
                               0, nullptr),
            JOBRT_OK);
}

TEST(CSessionTest, CallErrors) {
  CSession session;
  CBlob x(2), sum;
  const int64_t short_[] = {63};
  jobrt_view input = x.view();
  jobrt_buffer output = sum.buffer();
  auto expect = [&](jobrt_status code, const std::string &message,
                    const char *entry, const jobrt_view *in, int32_t numIn,
                    const jobrt_buffer *out, int32_t numOut) {
    expectError(code, message, [&](jobrt_error **error) {
      return jobrt_session_call(session.handle, entry, in, numIn, out, numOut,
                                error);
    });
  };
  expect(JOBRT_INVALID_ARGUMENT, "expects a job's name but got NULL", nullptr,
         &input, 1, &output, 1);
  expect(JOBRT_NOT_FOUND,
         "expects a job of 'jobmlir_init', 'train_job', 'predict_job', "
         "'copy_job' but got 'gone'",
         "gone", &input, 1, &output, 1);
  expect(JOBRT_INVALID_ARGUMENT, "expects inputs but got NULL", "predict_job",
         nullptr, 1, &output, 1);
  expect(JOBRT_INVALID_ARGUMENT,
         "expects a number of inputs of at least 0 but got -1", "predict_job",
         &input, -1, &output, 1);
  expect(JOBRT_INVALID_ARGUMENT, "job 'predict_job' expects 1 inputs but got 0",
         "predict_job", nullptr, 0, &output, 1);
  jobrt_view bad = input;
  bad.dtype = 9;
  expect(JOBRT_INVALID_ARGUMENT,
         "inputs 0: expects a dtype from 0 to 8 but got 9", "predict_job", &bad,
         1, &output, 1);
  bad = input;
  bad.shape = short_;
  expect(JOBRT_INVALID_ARGUMENT,
         "job 'predict_job', input 'x': expects 64xf32 but got 63xf32",
         "predict_job", &bad, 1, &output, 1);
  bad = input;
  bad.data = nullptr;
  expect(JOBRT_INVALID_ARGUMENT,
         "job 'predict_job', input 'x': expects data but got a null pointer",
         "predict_job", &bad, 1, &output, 1);
  expect(JOBRT_INVALID_ARGUMENT, "expects outputs but got NULL", "predict_job",
         &input, 1, nullptr, 1);
  expect(JOBRT_INVALID_ARGUMENT,
         "expects a number of outputs of at least 0 but got -2", "predict_job",
         &input, 1, &output, -2);
  expect(JOBRT_INVALID_ARGUMENT,
         "job 'train_job' has 2 outputs but got room for 1", "train_job",
         &input, 1, &output, 1);
  jobrt_buffer wrong = output;
  wrong.shape = short_;
  expect(JOBRT_INVALID_ARGUMENT,
         "job 'predict_job', output 'sum': has 64xf32 but got room for 63xf32",
         "predict_job", &input, 1, &wrong, 1);
  wrong.rank = -3;
  expect(JOBRT_INVALID_ARGUMENT,
         "outputs 0: expects a rank of at least 0 but got -3", "predict_job",
         &input, 1, &wrong, 1);

  // None of them has run a step.
  jobrt_tensor *count = nullptr;
  ASSERT_EQ(
      jobrt_session_read_variable(session.handle, "count", &count, nullptr),
      JOBRT_OK);
  EXPECT_EQ(*static_cast<int64_t *>(jobrt_tensor_data(count)), 0);
  jobrt_tensor_destroy(count);
}

TEST(CSessionTest, StartingErrors) {
  CSession session;
  CBlob x(2);
  jobrt_view input = x.view();
  jobrt_future *future = nullptr;
  for (auto start : {jobrt_session_run, jobrt_session_submit}) {
    expectError(JOBRT_INVALID_ARGUMENT, "expects a job's name but got NULL",
                [&](jobrt_error **error) {
                  return start(session.handle, nullptr, &input, 1, &future,
                               error);
                });
    expectError(
        JOBRT_INVALID_ARGUMENT, "expects a place for the future but got NULL",
        [&](jobrt_error **error) {
          return start(session.handle, "train_job", &input, 1, nullptr, error);
        });
    expectError(JOBRT_INVALID_ARGUMENT, "expects inputs but got NULL",
                [&](jobrt_error **error) {
                  return start(session.handle, "train_job", nullptr, 1, &future,
                               error);
                });
    EXPECT_EQ(start(session.handle, "gone", &input, 1, &future, nullptr),
              JOBRT_NOT_FOUND);
    EXPECT_EQ(future, nullptr);
  }
}

TEST(CSessionTest, SynchronizeReturnsTheErrorOfADestroyedFuture) {
  CSession session;
  CallScope scope({.beforeChunk = [](int64_t) {
    return Status(StatusCode::kInternal, "broke");
  }});
  CBlob x(1);
  jobrt_view input = x.view();
  jobrt_future *future = nullptr;
  ASSERT_EQ(jobrt_session_submit(session.handle, "copy_job", &input, 1, &future,
                                 nullptr),
            JOBRT_OK);
  jobrt_future_destroy(future);
  EXPECT_EQ(jobrt_session_synchronize(session.handle, nullptr), JOBRT_INTERNAL);
  EXPECT_EQ(jobrt_session_synchronize(session.handle, nullptr), JOBRT_OK);
}

TEST(CSessionTest, Allocations) {
  CSession session;
  EXPECT_EQ(jobrt_session_last_allocations(session.handle).ours, -1);
  jobrt_set_allocation_source([]() -> int64_t { return 0; });
  CBlob x(1);
  jobrt_view input = x.view();
  EXPECT_EQ(jobrt_session_call(session.handle, "train_job", &input, 1, nullptr,
                               0, nullptr),
            JOBRT_OK);
  jobrt_allocation_report report =
      jobrt_session_last_allocations(session.handle);
  EXPECT_EQ(report.ours, 0);
  EXPECT_EQ(report.library, 0);
  jobrt_set_allocation_source(nullptr);
  EXPECT_EQ(jobrt_session_last_allocations(session.handle).library, -1);
}

TEST(CSessionTest, Traces) {
  CSession session;
  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  ASSERT_EQ(jobrt_session_start_trace(session.handle, path.c_str(), 2, nullptr),
            JOBRT_OK);
  EXPECT_EQ(jobrt_session_start_trace(session.handle, path.c_str(), 2, nullptr),
            JOBRT_INVALID_ARGUMENT);
  CBlob x(1);
  jobrt_view input = x.view();
  ASSERT_EQ(jobrt_session_call(session.handle, "train_job", &input, 1, nullptr,
                               0, nullptr),
            JOBRT_OK);
  EXPECT_EQ(jobrt_session_finish_trace(session.handle, nullptr), JOBRT_OK);
  EXPECT_EQ(jobrt_session_finish_trace(session.handle, nullptr),
            JOBRT_INVALID_ARGUMENT);
  std::ifstream stream(path);
  json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(trace.is_object() || trace.is_array());
  expectError(JOBRT_INVALID_ARGUMENT, "expects a path but got NULL",
              [&](jobrt_error **error) {
                return jobrt_session_start_trace(session.handle, nullptr, 2,
                                                 error);
              });
}

//===----------------------------------------------------------------------===//
// Variables and checkpoints
//===----------------------------------------------------------------------===//

TEST(CSessionTest, SeveralVariables) {
  CSession session;
  CBlob value(7);
  const int64_t five = 5, one[] = {1};
  const char *names[] = {"count", "weight"};
  jobrt_view values[] = {{JOBRT_I64, 1, one, &five}, value.view()};
  ASSERT_EQ(
      jobrt_session_write_variables(session.handle, names, values, 2, nullptr),
      JOBRT_OK);
  jobrt_tensor *read[2] = {};
  ASSERT_EQ(
      jobrt_session_read_variables(session.handle, names, 2, read, nullptr),
      JOBRT_OK);
  EXPECT_EQ(*static_cast<int64_t *>(jobrt_tensor_data(read[0])), 5);
  EXPECT_EQ(static_cast<float *>(jobrt_tensor_data(read[1]))[63], 7.0f);
  for (jobrt_tensor *tensor : read)
    jobrt_tensor_destroy(tensor);
  EXPECT_EQ(jobrt_session_read_variables(session.handle, nullptr, 0, nullptr,
                                         nullptr),
            JOBRT_OK);
}

TEST(CSessionTest, VariableErrors) {
  CSession session;
  CBlob value(7);
  jobrt_view view = value.view();
  const char *names[] = {"weight", nullptr}, *unknown[] = {"weight", "gone"};
  jobrt_tensor *read[2] = {};
  auto expectRead = [&](jobrt_status code, const char *message,
                        const char *const *list, int32_t count,
                        jobrt_tensor **place) {
    expectError(code, message, [&](jobrt_error **error) {
      return jobrt_session_read_variables(session.handle, list, count, place,
                                          error);
    });
    EXPECT_EQ(read[0], nullptr);
  };
  expectRead(JOBRT_INVALID_ARGUMENT, "expects names but got NULL", nullptr, 1,
             read);
  expectRead(JOBRT_INVALID_ARGUMENT, "expects a variable's name but got NULL",
             names, 2, read);
  expectRead(JOBRT_INVALID_ARGUMENT, "expects tensors but got NULL", names, 1,
             nullptr);
  expectRead(JOBRT_INVALID_ARGUMENT,
             "expects a number of tensors of at least 0 but got -1", names, -1,
             read);
  expectRead(JOBRT_NOT_FOUND,
             "expects a variable of 'weight', 'count' but got 'gone'", unknown,
             2, read);
  auto expectWrite = [&](jobrt_status code, const char *message,
                         const char *const *list, const jobrt_view *values,
                         int32_t count) {
    expectError(code, message, [&](jobrt_error **error) {
      return jobrt_session_write_variables(session.handle, list, values, count,
                                           error);
    });
  };
  expectWrite(JOBRT_INVALID_ARGUMENT, "expects values but got NULL", names,
              nullptr, 1);
  expectWrite(JOBRT_INVALID_ARGUMENT, "expects names but got NULL", nullptr,
              &view, 1);
  jobrt_view bad = view;
  bad.data = nullptr;
  expectWrite(JOBRT_INVALID_ARGUMENT,
              "variable 'weight': expects data but got a null pointer", names,
              &bad, 1);
  bad.dtype = JOBRT_I32;
  jobrt_error *error = nullptr;
  EXPECT_EQ(
      jobrt_session_write_variable(session.handle, "weight", &bad, &error),
      JOBRT_INVALID_ARGUMENT);
  EXPECT_STREQ(jobrt_error_location(error), "train.py:12:4");
  jobrt_error_destroy(error);
}

TEST(CSessionTest, Checkpoints) {
  CSession session;
  TemporaryFolder folder;
  std::string path = folder.file("saved");
  for (jobrt_checkpoint_layout layout :
       {JOBRT_CHECKPOINT_NATIVE, JOBRT_CHECKPOINT_LEGACY}) {
    ASSERT_EQ(jobrt_session_initialize(session.handle, 5, nullptr), JOBRT_OK);
    ASSERT_EQ(jobrt_save_checkpoint(session.handle, path.c_str(), layout,
                                    JOBRT_EXISTING_REPLACE, nullptr),
              JOBRT_OK);
    EXPECT_EQ(jobrt_save_checkpoint(session.handle, path.c_str(), layout,
                                    JOBRT_EXISTING_REFUSE, nullptr),
              JOBRT_ALREADY_EXISTS);
    ASSERT_EQ(jobrt_session_initialize(session.handle, 9, nullptr), JOBRT_OK);
    ASSERT_EQ(jobrt_load_checkpoint(session.handle, path.c_str(), nullptr),
              JOBRT_OK);
    jobrt_tensor *weight = nullptr;
    ASSERT_EQ(
        jobrt_session_read_variable(session.handle, "weight", &weight, nullptr),
        JOBRT_OK);
    EXPECT_EQ(static_cast<float *>(jobrt_tensor_data(weight))[0], 5.0f);
    jobrt_tensor_destroy(weight);
  }
}

TEST(CSessionTest, CheckpointErrors) {
  CSession session;
  TemporaryFolder folder;
  std::string path = folder.file("saved");
  expectError(JOBRT_INVALID_ARGUMENT,
              "expects a layout of 0 (native) or 1 (legacy) but got 2",
              [&](jobrt_error **error) {
                return jobrt_save_checkpoint(session.handle, path.c_str(), 2,
                                             JOBRT_EXISTING_REFUSE, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT,
              "expects 0 (refuse) or 1 (replace) for a checkpoint that exists "
              "but got 3",
              [&](jobrt_error **error) {
                return jobrt_save_checkpoint(session.handle, path.c_str(),
                                             JOBRT_CHECKPOINT_NATIVE, 3, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT, "expects a path but got NULL",
              [&](jobrt_error **error) {
                return jobrt_save_checkpoint(session.handle, nullptr,
                                             JOBRT_CHECKPOINT_NATIVE,
                                             JOBRT_EXISTING_REFUSE, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT, "expects a path but got NULL",
              [&](jobrt_error **error) {
                return jobrt_load_checkpoint(session.handle, nullptr, error);
              });
  EXPECT_EQ(jobrt_load_checkpoint(session.handle, path.c_str(), nullptr),
            JOBRT_NOT_FOUND);
}
