/*===- Program.c - A whole program in plain C -----------------------------===*\
|*
|* Compiled as C99 with all warnings as errors: the header is plain C, and a C
|* program gets through a whole training run with it.
|*
\*===----------------------------------------------------------------------===*/

#include "Program.h"

#include "jobrt/c_api.h"

#include <stdio.h>
#include <string.h>

#define SIZE 64

static char failure[512];

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      snprintf(failure, sizeof(failure), "%s:%d: %s", __FILE__, __LINE__,      \
               #condition);                                                    \
      return failure;                                                          \
    }                                                                          \
  } while (0)

/* A call that must succeed; the error's text goes into the message. */
#define CHECK_OK(call)                                                         \
  do {                                                                         \
    jobrt_error *error = NULL;                                                 \
    if ((call) != JOBRT_OK) {                                                  \
      snprintf(failure, sizeof(failure), "%s:%d: %s: %s", __FILE__, __LINE__,  \
               #call, jobrt_error_message(error));                             \
      jobrt_error_destroy(error);                                              \
      return failure;                                                          \
    }                                                                          \
  } while (0)

static const int64_t shape[] = {SIZE};

static jobrt_view view_of(const float *data) {
  jobrt_view view = {JOBRT_F32, 1, shape, NULL};
  view.data = data;
  return view;
}

static const char *inspect(const jobrt_artifact *artifact) {
  const jobrt_entry *train = jobrt_artifact_find_entry(artifact, "train_job");
  const jobrt_variable *weight =
      jobrt_artifact_find_variable(artifact, "weight");
  const jobrt_port *product = jobrt_entry_output(train, 0);
  char type[32];

  CHECK(jobrt_artifact_num_entries(artifact) == 4);
  CHECK(jobrt_artifact_entry(artifact, 1) == train);
  CHECK(jobrt_entry_kind(train) == JOBRT_JOB_TRAIN);
  CHECK(jobrt_entry_num_inputs(train) == 1);
  CHECK(strcmp(jobrt_port_name(jobrt_entry_input(train, 0)), "x") == 0);
  CHECK(jobrt_entry_num_outputs(train) == 2);
  CHECK(strcmp(jobrt_port_name(product), "product") == 0);
  CHECK(jobrt_format_type(jobrt_port_dtype(product), jobrt_port_rank(product),
                          jobrt_port_shape(product), type,
                          sizeof(type)) == strlen("64xf32"));
  CHECK(strcmp(type, "64xf32") == 0);
  CHECK(jobrt_artifact_num_variables(artifact) == 2);
  CHECK(jobrt_variable_bytes(weight) == 4 * SIZE);
  CHECK(jobrt_variable_trainable(weight) == 1);
  return NULL;
}

static void count_up(const jobrt_future *future, void *user_data) {
  int *calls = user_data;
  *calls += jobrt_future_done(future);
}

static const char *train(jobrt_session *session) {
  float x[SIZE], product[SIZE];
  int64_t count = 0;
  static const int64_t one[] = {1};
  jobrt_view input, output;
  jobrt_buffer outputs[2] = {{JOBRT_F32, 1, shape, NULL},
                             {JOBRT_I64, 1, one, NULL}};
  jobrt_future *future = NULL;
  jobrt_memory_report memory = jobrt_session_memory(session);
  int i, step, calls = 0;

  for (i = 0; i < SIZE; ++i)
    x[i] = 2.0f;
  input = view_of(x);
  outputs[0].data = product;
  outputs[1].data = &count;

  CHECK_OK(jobrt_session_initialize(session, 1, &error));
  for (step = 0; step < 5; ++step) {
    CHECK_OK(jobrt_session_call(session, "train_job", &input, 1, outputs, 2,
                                &error));
    CHECK(product[3] == 2.0f * (4.0f + 2.0f * (float)step));
    CHECK(count == step + 1);
  }
  CHECK_OK(
      jobrt_session_submit(session, "train_job", &input, 1, &future, &error));
  CHECK_OK(jobrt_future_on_done(future, count_up, &calls, &error));
  CHECK_OK(jobrt_future_wait(future, &error));
  CHECK_OK(jobrt_session_synchronize(session, &error));
  CHECK(calls == 1);
  CHECK_OK(jobrt_future_output(future, 1, &output, &error));
  CHECK(*(const int64_t *)output.data == 6);
  jobrt_future_destroy(future);

  CHECK(memory.arena == 512 && memory.bank == 320);
  CHECK(memory.total == memory.arena + memory.bank + memory.staging +
                            memory.workspace + memory.constants);
  return NULL;
}

static const char *variables_and_files(jobrt_session *session,
                                       const char *folder) {
  char path[512];
  float zeros[SIZE] = {0};
  jobrt_view value = view_of(zeros);
  jobrt_tensor *weight = NULL, *saved = NULL;
  const float *data;

  CHECK_OK(jobrt_session_read_variable(session, "weight", &weight, &error));
  data = jobrt_tensor_view(weight).data;
  CHECK(data[0] == 13.0f && data[1] == 14.0f);

  snprintf(path, sizeof(path), "%s/weight.npy", folder);
  value = jobrt_tensor_view(weight);
  CHECK_OK(jobrt_write_npy(path, &value, &error));
  CHECK_OK(jobrt_read_npy(path, &saved, &error));
  CHECK(jobrt_tensor_bytes(saved) == 4 * SIZE);
  CHECK(memcmp(jobrt_tensor_data(saved), data, 4 * SIZE) == 0);
  jobrt_tensor_destroy(saved);

  snprintf(path, sizeof(path), "%s/checkpoint", folder);
  CHECK_OK(jobrt_save_checkpoint(session, path, JOBRT_CHECKPOINT_NATIVE,
                                 JOBRT_EXISTING_REFUSE, &error));
  value = view_of(zeros);
  CHECK_OK(jobrt_session_write_variable(session, "weight", &value, &error));
  CHECK_OK(jobrt_load_checkpoint(session, path, &error));
  CHECK_OK(jobrt_session_read_variable(session, "weight", &saved, &error));
  CHECK(memcmp(jobrt_tensor_data(saved), data, 4 * SIZE) == 0);
  jobrt_tensor_destroy(saved);
  jobrt_tensor_destroy(weight);
  return NULL;
}

const char *run_c_program(const char *artifact_path, const char *folder) {
  jobrt_artifact *artifact = NULL;
  jobrt_session *session = NULL;
  jobrt_session_options options = JOBRT_SESSION_OPTIONS_INIT;
  jobrt_error *error = NULL;
  const char *problem;

  if (jobrt_c_api_version() < JOBRT_C_API_VERSION)
    return "an old library";
  CHECK(jobrt_artifact_load("gone.so", &artifact, &error) == JOBRT_NOT_FOUND);
  CHECK(jobrt_error_status(error) == JOBRT_NOT_FOUND);
  jobrt_error_destroy(error);

  CHECK_OK(jobrt_artifact_load(artifact_path, &artifact, &error));
  problem = inspect(artifact);
  if (problem)
    return problem;
  options.threads = 2;
  CHECK_OK(jobrt_session_create(artifact, &options, &session, &error));
  jobrt_artifact_destroy(artifact);
  problem = train(session);
  if (!problem)
    problem = variables_and_files(session, folder);
  jobrt_session_destroy(session);
  return problem;
}
