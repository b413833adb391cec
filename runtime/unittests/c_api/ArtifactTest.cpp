//===- ArtifactTest.cpp - Artifacts and what is in them, in C -------------===//

#include "unittests/c_api/CApiTest.h"

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

TEST(CArtifactTest, Describes) {
  CArtifact artifact;
  EXPECT_EQ(jobrt_artifact_path(artifact.handle), artifact.path);
  EXPECT_STREQ(jobrt_artifact_compiler(artifact.handle),
               "jobmlir 0.1.0, LLVM 22.1.8");
  EXPECT_STREQ(jobrt_artifact_driver(artifact.handle), "host");
  EXPECT_EQ(jobrt_artifact_num_devices(artifact.handle), 1);
  EXPECT_STREQ(jobrt_artifact_device_name(artifact.handle, 0), "cpu0");
  EXPECT_STREQ(jobrt_artifact_device_name(artifact.handle, 1), "");
  EXPECT_STREQ(jobrt_artifact_device_name(artifact.handle, -1), "");
  EXPECT_EQ(jobrt_artifact_bank_bytes(artifact.handle), 320);
  EXPECT_EQ(jobrt_artifact_constants_bytes(artifact.handle), 64);
  EXPECT_EQ(
      static_cast<const float *>(jobrt_artifact_constants(artifact.handle))[1],
      1.5f);

  const jobrt_entry *train =
      jobrt_artifact_find_entry(artifact.handle, "train_job");
  ASSERT_NE(train, nullptr);
  EXPECT_STREQ(jobrt_entry_name(train), "train_job");
  EXPECT_EQ(jobrt_entry_kind(train), JOBRT_JOB_TRAIN);
  EXPECT_STREQ(jobrt_entry_result_structure(train),
               R"({"dict": {"product": 0, "count": [1, null]}})");
  EXPECT_EQ(jobrt_entry_input_bytes(train), 256);
  EXPECT_EQ(jobrt_entry_output_bytes(train), 320);
  EXPECT_EQ(jobrt_entry_arena_bytes(train), 512);
  EXPECT_EQ(jobrt_entry_arena_lower_bound(train), 256);
  EXPECT_EQ(jobrt_entry_workspace_bytes(train), 0);

  const jobrt_port *count = jobrt_entry_output(train, 1);
  EXPECT_STREQ(jobrt_port_name(count), "count");
  EXPECT_EQ(jobrt_port_dtype(count), JOBRT_I64);
  EXPECT_EQ(jobrt_port_rank(count), 1);
  EXPECT_EQ(jobrt_port_shape(count)[0], 1);
  EXPECT_EQ(jobrt_port_bytes(count), 8);
  EXPECT_EQ(jobrt_port_offset(count), 256);

  const jobrt_variable *variable =
      jobrt_artifact_find_variable(artifact.handle, "count");
  EXPECT_EQ(variable, jobrt_artifact_variable(artifact.handle, 1));
  EXPECT_STREQ(jobrt_variable_name(variable), "count");
  EXPECT_EQ(jobrt_variable_dtype(variable), JOBRT_I64);
  EXPECT_EQ(jobrt_variable_rank(variable), 1);
  EXPECT_EQ(jobrt_variable_shape(variable)[0], 1);
  EXPECT_EQ(jobrt_variable_bytes(variable), 8);
  EXPECT_EQ(jobrt_variable_offset(variable), 256);
  EXPECT_EQ(jobrt_variable_trainable(variable), 0);
  EXPECT_STREQ(jobrt_variable_location(variable), "");
  const jobrt_variable *weight = jobrt_artifact_variable(artifact.handle, 0);
  EXPECT_EQ(jobrt_variable_trainable(weight), 1);
  EXPECT_STREQ(jobrt_variable_location(weight), "train.py:12:4");
}

TEST(CArtifactTest, Commands) {
  CArtifact artifact;
  const jobrt_entry *copy =
      jobrt_artifact_find_entry(artifact.handle, "copy_job");
  ASSERT_EQ(jobrt_entry_num_commands(copy), 3);
  const jobrt_command *call = jobrt_entry_command(copy, 0);
  EXPECT_EQ(jobrt_command_get_kind(call), JOBRT_COMMAND_CALL);
  EXPECT_STREQ(jobrt_command_name(call), "hidden");
  EXPECT_STREQ(jobrt_command_location(call), "train.py:20:8");
  EXPECT_STREQ(jobrt_command_callee(call), "test.call");
  EXPECT_EQ(jobrt_command_chunks(call), 4);
  EXPECT_EQ(jobrt_command_kernel(call), -1);
  ASSERT_EQ(jobrt_command_num_config(call), 1);
  EXPECT_STREQ(jobrt_command_config_key(call, 0), "size");
  EXPECT_EQ(jobrt_command_config_value(call, 0), kBlobSize);
  EXPECT_EQ(jobrt_command_config_key(call, 1), nullptr);
  EXPECT_EQ(jobrt_command_config_value(call, -1), 0);
  ASSERT_EQ(jobrt_command_num_args(call), 3);
  jobrt_range input = jobrt_command_arg(call, 0),
              output = jobrt_command_arg(call, 1),
              workspace = jobrt_command_arg(call, 2);
  EXPECT_EQ(input.space, JOBRT_SPACE_INPUT);
  EXPECT_EQ(input.bytes, 4 * kBlobSize);
  EXPECT_TRUE(input.is_read && !input.is_written);
  EXPECT_TRUE(!output.is_read && output.is_written);
  EXPECT_EQ(workspace.space, JOBRT_SPACE_WORKSPACE);
  EXPECT_TRUE(!workspace.is_read && !workspace.is_written);
  EXPECT_EQ(jobrt_command_arg(call, 3).bytes, 0);
  EXPECT_EQ(jobrt_command_arg(call, -1).bytes, 0);

  const jobrt_command *fill = jobrt_entry_command(copy, 1);
  EXPECT_EQ(jobrt_command_get_kind(fill), JOBRT_COMMAND_FILL);
  EXPECT_EQ(jobrt_command_fill_value(fill), 0);
  EXPECT_EQ(jobrt_command_flops(fill), 0);
  EXPECT_STREQ(jobrt_command_callee(fill), "");
  EXPECT_EQ(jobrt_command_arg(fill, 0).offset, 256);
  EXPECT_EQ(jobrt_command_get_kind(jobrt_entry_command(copy, 2)),
            JOBRT_COMMAND_COPY);

  const jobrt_command *dispatch = jobrt_entry_command(
      jobrt_artifact_find_entry(artifact.handle, "train_job"), 1);
  EXPECT_EQ(jobrt_command_get_kind(dispatch), JOBRT_COMMAND_DISPATCH);
  EXPECT_EQ(jobrt_command_kernel(dispatch), 2);
}

TEST(CArtifactTest, NamesOfEnumerations) {
  EXPECT_STREQ(jobrt_job_kind_name(JOBRT_JOB_PREDICT), "predict");
  EXPECT_STREQ(jobrt_space_name(JOBRT_SPACE_WORKSPACE), "workspace");
  for (int32_t unknown : {-1, 6}) {
    EXPECT_STREQ(jobrt_job_kind_name(unknown), "");
    EXPECT_STREQ(jobrt_space_name(unknown), "");
  }
}

TEST(CArtifactTest, NothingThere) {
  json manifest = testManifest();
  manifest["variables"] = json::array();
  manifest["entries"] = json::array();
  manifest["constants_bytes"] = 0;
  manifest["bank_bytes"] = 0;
  CArtifact artifact(manifest);
  EXPECT_EQ(jobrt_artifact_num_entries(artifact.handle), 0);
  EXPECT_EQ(jobrt_artifact_entry(artifact.handle, 0), nullptr);
  EXPECT_EQ(jobrt_artifact_num_variables(artifact.handle), 0);
  EXPECT_EQ(jobrt_artifact_variable(artifact.handle, -1), nullptr);
  EXPECT_EQ(jobrt_artifact_find_entry(artifact.handle, "train"), nullptr);
  EXPECT_EQ(jobrt_artifact_find_entry(artifact.handle, nullptr), nullptr);
  EXPECT_EQ(jobrt_artifact_find_variable(artifact.handle, "w"), nullptr);
  EXPECT_EQ(jobrt_artifact_find_variable(artifact.handle, nullptr), nullptr);
  EXPECT_EQ(jobrt_artifact_constants(artifact.handle), nullptr);
}

TEST(CArtifactTest, Null) {
  EXPECT_STREQ(jobrt_artifact_path(nullptr), "");
  EXPECT_STREQ(jobrt_artifact_compiler(nullptr), "");
  EXPECT_STREQ(jobrt_artifact_driver(nullptr), "");
  EXPECT_EQ(jobrt_artifact_num_devices(nullptr), 0);
  EXPECT_STREQ(jobrt_artifact_device_name(nullptr, 0), "");
  EXPECT_EQ(jobrt_artifact_bank_bytes(nullptr), 0);
  EXPECT_EQ(jobrt_artifact_constants_bytes(nullptr), 0);
  EXPECT_EQ(jobrt_artifact_constants(nullptr), nullptr);
  EXPECT_EQ(jobrt_artifact_num_entries(nullptr), 0);
  EXPECT_EQ(jobrt_artifact_entry(nullptr, 0), nullptr);
  EXPECT_EQ(jobrt_artifact_find_entry(nullptr, "a"), nullptr);
  EXPECT_EQ(jobrt_artifact_num_variables(nullptr), 0);
  EXPECT_EQ(jobrt_artifact_variable(nullptr, 0), nullptr);
  EXPECT_EQ(jobrt_artifact_find_variable(nullptr, "a"), nullptr);
  EXPECT_STREQ(jobrt_entry_name(nullptr), "");
  EXPECT_EQ(jobrt_entry_kind(nullptr), -1);
  EXPECT_STREQ(jobrt_entry_result_structure(nullptr), "");
  EXPECT_EQ(jobrt_entry_num_inputs(nullptr), 0);
  EXPECT_EQ(jobrt_entry_input(nullptr, 0), nullptr);
  EXPECT_EQ(jobrt_entry_num_outputs(nullptr), 0);
  EXPECT_EQ(jobrt_entry_output(nullptr, 0), nullptr);
  EXPECT_EQ(jobrt_entry_num_commands(nullptr), 0);
  EXPECT_EQ(jobrt_entry_command(nullptr, 0), nullptr);
  for (auto bytes : {jobrt_entry_input_bytes, jobrt_entry_output_bytes,
                     jobrt_entry_arena_bytes, jobrt_entry_arena_lower_bound,
                     jobrt_entry_workspace_bytes})
    EXPECT_EQ(bytes(nullptr), 0);
  EXPECT_STREQ(jobrt_port_name(nullptr), "");
  EXPECT_EQ(jobrt_port_dtype(nullptr), -1);
  EXPECT_EQ(jobrt_port_rank(nullptr), 0);
  EXPECT_EQ(jobrt_port_shape(nullptr), nullptr);
  EXPECT_EQ(jobrt_port_bytes(nullptr), 0);
  EXPECT_EQ(jobrt_port_offset(nullptr), 0);
  EXPECT_STREQ(jobrt_variable_name(nullptr), "");
  EXPECT_EQ(jobrt_variable_dtype(nullptr), -1);
  EXPECT_EQ(jobrt_variable_rank(nullptr), 0);
  EXPECT_EQ(jobrt_variable_shape(nullptr), nullptr);
  EXPECT_EQ(jobrt_variable_bytes(nullptr), 0);
  EXPECT_EQ(jobrt_variable_offset(nullptr), 0);
  EXPECT_EQ(jobrt_variable_trainable(nullptr), 0);
  EXPECT_STREQ(jobrt_variable_location(nullptr), "");
  EXPECT_EQ(jobrt_command_get_kind(nullptr), -1);
  EXPECT_STREQ(jobrt_command_name(nullptr), "");
  EXPECT_STREQ(jobrt_command_location(nullptr), "");
  EXPECT_EQ(jobrt_command_chunks(nullptr), 0);
  EXPECT_EQ(jobrt_command_flops(nullptr), 0);
  EXPECT_EQ(jobrt_command_kernel(nullptr), -1);
  EXPECT_STREQ(jobrt_command_callee(nullptr), "");
  EXPECT_EQ(jobrt_command_fill_value(nullptr), 0);
  EXPECT_EQ(jobrt_command_num_args(nullptr), 0);
  EXPECT_EQ(jobrt_command_arg(nullptr, 0).bytes, 0);
  EXPECT_EQ(jobrt_command_num_config(nullptr), 0);
  EXPECT_EQ(jobrt_command_config_key(nullptr, 0), nullptr);
  EXPECT_EQ(jobrt_command_config_value(nullptr, 0), 0);
  jobrt_artifact_destroy(nullptr);
}

TEST(CArtifactTest, LoadingErrors) {
  TemporaryFolder folder;
  std::string path = folder.file("text.so");
  writeFile(path, std::string(200, 'x'));
  jobrt_artifact *artifact = nullptr;
  EXPECT_EQ(jobrt_artifact_load("/gone.so", &artifact, nullptr),
            JOBRT_NOT_FOUND);
  EXPECT_EQ(jobrt_artifact_load(path.c_str(), &artifact, nullptr),
            JOBRT_DATA_LOSS);
  EXPECT_EQ(artifact, nullptr);
  expectError(JOBRT_INVALID_ARGUMENT, "expects a path but got NULL",
              [&](jobrt_error **error) {
                return jobrt_artifact_load(nullptr, &artifact, error);
              });
  expectError(JOBRT_INVALID_ARGUMENT,
              "expects a place for the artifact but got NULL",
              [&](jobrt_error **error) {
                return jobrt_artifact_load(path.c_str(), nullptr, error);
              });
}
