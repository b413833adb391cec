//===- Artifact.cpp - Artifacts and what is in them, in C -----------------===//

#include "lib/c_api/Handles.h"

using namespace jobrt;
using namespace jobrt::c_api;

static_assert(JOBRT_JOB_TRAIN == int(JobKind::kTrain) &&
              JOBRT_JOB_PREDICT == int(JobKind::kPredict) &&
              JOBRT_JOB_INIT == int(JobKind::kInit));
static_assert(JOBRT_COMMAND_DISPATCH == int(Command::Kind::kDispatch) &&
              JOBRT_COMMAND_CALL == int(Command::Kind::kCall) &&
              JOBRT_COMMAND_COPY == int(Command::Kind::kCopy) &&
              JOBRT_COMMAND_FILL == int(Command::Kind::kFill) &&
              JOBRT_COMMAND_RECORD == int(Command::Kind::kRecord) &&
              JOBRT_COMMAND_WAIT == int(Command::Kind::kWait) &&
              JOBRT_COMMAND_HOST_CALL == int(Command::Kind::kHostCall) &&
              JOBRT_COMMAND_COLLECTIVE == int(Command::Kind::kCollective));
static_assert(JOBRT_SPACE_ARENA == int(Space::kArena) &&
              JOBRT_SPACE_BANK == int(Space::kBank) &&
              JOBRT_SPACE_INPUT == int(Space::kInput) &&
              JOBRT_SPACE_OUTPUT == int(Space::kOutput) &&
              JOBRT_SPACE_CONSTANT == int(Space::kConstant) &&
              JOBRT_SPACE_WORKSPACE == int(Space::kWorkspace));

/// The i-th element under its name in C; null when there is none.
template <typename T>
static auto elementAt(const std::vector<T> &all, int32_t index)
    -> decltype(wrap(all.data())) {
  if (index < 0 || static_cast<size_t>(index) >= all.size())
    return nullptr;
  return wrap(&all[index]);
}

template <typename T> static int32_t sizeOf(const T &all) {
  return static_cast<int32_t>(all.size());
}

/// The i-th pair of a call's configuration; null when there is none.
static const std::pair<const std::string, ConfigValue> *
configAt(const jobrt_command *command, int32_t index) {
  if (!command || index < 0 || index >= sizeOf(unwrap(command)->config))
    return nullptr;
  return &*std::next(unwrap(command)->config.begin(), index);
}

extern "C" {

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

jobrt_status jobrt_artifact_load(const char *path, jobrt_artifact **artifact,
                                 jobrt_error **error) {
  return guarded(error, [&]() -> Status {
    if (Status status =
            firstFailure(require(path, "a path"),
                         require(artifact, "a place for the artifact"));
        !status.ok())
      return status;
    Expected<std::shared_ptr<const Artifact>> loaded = Artifact::load(path);
    if (!loaded.ok())
      return loaded.status();
    *artifact = new jobrt_artifact{std::move(*loaded)};
    return {};
  });
}

void jobrt_artifact_destroy(jobrt_artifact *artifact) { delete artifact; }

const char *jobrt_artifact_path(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->path().c_str() : "";
}

const char *jobrt_artifact_compiler(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->compiler().c_str() : "";
}

const char *jobrt_artifact_driver(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->driver().c_str() : "";
}

int32_t jobrt_artifact_ranks(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->ranks() : 0;
}

int32_t jobrt_artifact_num_devices(const jobrt_artifact *artifact) {
  return artifact ? sizeOf(artifact->artifact->devices()) : 0;
}

const char *jobrt_artifact_device_name(const jobrt_artifact *artifact,
                                       int32_t index) {
  if (index < 0 || index >= jobrt_artifact_num_devices(artifact))
    return "";
  return artifact->artifact->devices()[index].name.c_str();
}

int64_t jobrt_artifact_bank_bytes(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->bankBytes() : 0;
}

int64_t jobrt_artifact_constants_bytes(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->constantsBytes() : 0;
}

const void *jobrt_artifact_constants(const jobrt_artifact *artifact) {
  return artifact ? artifact->artifact->constants() : nullptr;
}

int32_t jobrt_artifact_num_entries(const jobrt_artifact *artifact) {
  return artifact ? sizeOf(artifact->artifact->entries()) : 0;
}

const jobrt_entry *jobrt_artifact_entry(const jobrt_artifact *artifact,
                                        int32_t index) {
  return artifact ? elementAt(artifact->artifact->entries(), index) : nullptr;
}

const jobrt_entry *jobrt_artifact_find_entry(const jobrt_artifact *artifact,
                                             const char *name) {
  return artifact && name ? wrap(artifact->artifact->findEntry(name)) : nullptr;
}

int32_t jobrt_artifact_num_variables(const jobrt_artifact *artifact) {
  return artifact ? sizeOf(artifact->artifact->variables()) : 0;
}

const jobrt_variable *jobrt_artifact_variable(const jobrt_artifact *artifact,
                                              int32_t index) {
  return artifact ? elementAt(artifact->artifact->variables(), index) : nullptr;
}

const jobrt_variable *
jobrt_artifact_find_variable(const jobrt_artifact *artifact, const char *name) {
  return artifact && name ? wrap(artifact->artifact->findVariable(name))
                          : nullptr;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

const char *jobrt_job_kind_name(jobrt_job_kind kind) {
  if (kind < JOBRT_JOB_TRAIN || kind > JOBRT_JOB_INIT)
    return "";
  return jobKindName(static_cast<JobKind>(kind));
}

const char *jobrt_entry_name(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->name.c_str() : "";
}

jobrt_job_kind jobrt_entry_kind(const jobrt_entry *entry) {
  return entry ? static_cast<jobrt_job_kind>(unwrap(entry)->kind) : -1;
}

const char *jobrt_entry_result_structure(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->resultStructure.c_str() : "";
}

int32_t jobrt_entry_num_inputs(const jobrt_entry *entry) {
  return entry ? sizeOf(unwrap(entry)->inputs) : 0;
}

const jobrt_port *jobrt_entry_input(const jobrt_entry *entry, int32_t index) {
  return entry ? elementAt(unwrap(entry)->inputs, index) : nullptr;
}

int32_t jobrt_entry_num_outputs(const jobrt_entry *entry) {
  return entry ? sizeOf(unwrap(entry)->outputs) : 0;
}

const jobrt_port *jobrt_entry_output(const jobrt_entry *entry, int32_t index) {
  return entry ? elementAt(unwrap(entry)->outputs, index) : nullptr;
}

int64_t jobrt_entry_input_bytes(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->inputBytes : 0;
}

int64_t jobrt_entry_output_bytes(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->outputBytes : 0;
}

int64_t jobrt_entry_arena_bytes(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->arenaBytes : 0;
}

int64_t jobrt_entry_arena_lower_bound(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->arenaLowerBound : 0;
}

int64_t jobrt_entry_workspace_bytes(const jobrt_entry *entry) {
  return entry ? unwrap(entry)->workspaceBytes : 0;
}

int32_t jobrt_entry_num_commands(const jobrt_entry *entry) {
  return entry ? sizeOf(unwrap(entry)->commands) : 0;
}

const jobrt_command *jobrt_entry_command(const jobrt_entry *entry,
                                         int32_t index) {
  return entry ? elementAt(unwrap(entry)->commands, index) : nullptr;
}

//===----------------------------------------------------------------------===//
// Inputs, outputs and variables
//===----------------------------------------------------------------------===//

const char *jobrt_port_name(const jobrt_port *port) {
  return port ? unwrap(port)->name.c_str() : "";
}

jobrt_dtype jobrt_port_dtype(const jobrt_port *port) {
  return port ? static_cast<jobrt_dtype>(unwrap(port)->dtype) : -1;
}

int32_t jobrt_port_rank(const jobrt_port *port) {
  return port ? sizeOf(unwrap(port)->shape) : 0;
}

const int64_t *jobrt_port_shape(const jobrt_port *port) {
  return port ? unwrap(port)->shape.data() : nullptr;
}

int32_t jobrt_port_count(const jobrt_port *port) {
  return port ? unwrap(port)->count : -1;
}

int32_t jobrt_port_bounded_dim(const jobrt_port *port) {
  return port && unwrap(port)->count >= 0 ? unwrap(port)->boundedDim : -1;
}

int64_t jobrt_port_bytes(const jobrt_port *port) {
  return port ? unwrap(port)->bytes : 0;
}

int64_t jobrt_port_offset(const jobrt_port *port) {
  return port ? unwrap(port)->offset : 0;
}

const char *jobrt_variable_name(const jobrt_variable *variable) {
  return variable ? unwrap(variable)->name.c_str() : "";
}

jobrt_dtype jobrt_variable_dtype(const jobrt_variable *variable) {
  return variable ? static_cast<jobrt_dtype>(unwrap(variable)->dtype) : -1;
}

int32_t jobrt_variable_rank(const jobrt_variable *variable) {
  return variable ? sizeOf(unwrap(variable)->shape) : 0;
}

const int64_t *jobrt_variable_shape(const jobrt_variable *variable) {
  return variable ? unwrap(variable)->shape.data() : nullptr;
}

int64_t jobrt_variable_bytes(const jobrt_variable *variable) {
  return variable ? unwrap(variable)->bytes : 0;
}

int64_t jobrt_variable_offset(const jobrt_variable *variable) {
  return variable ? unwrap(variable)->offset : 0;
}

int32_t jobrt_variable_trainable(const jobrt_variable *variable) {
  return variable && unwrap(variable)->trainable;
}

const char *jobrt_variable_location(const jobrt_variable *variable) {
  return variable ? unwrap(variable)->location.c_str() : "";
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

const char *jobrt_space_name(jobrt_space space) {
  if (space < 0 || space >= kNumSpaces)
    return "";
  return spaceName(static_cast<Space>(space));
}

jobrt_command_kind jobrt_command_get_kind(const jobrt_command *command) {
  return command ? static_cast<jobrt_command_kind>(unwrap(command)->kind) : -1;
}

const char *jobrt_command_name(const jobrt_command *command) {
  return command ? unwrap(command)->name.c_str() : "";
}

const char *jobrt_command_location(const jobrt_command *command) {
  return command ? unwrap(command)->location.c_str() : "";
}

int64_t jobrt_command_chunks(const jobrt_command *command) {
  return command ? unwrap(command)->chunks : 0;
}

int64_t jobrt_command_flops(const jobrt_command *command) {
  return command ? unwrap(command)->flops : 0;
}

int64_t jobrt_command_kernel(const jobrt_command *command) {
  return command ? unwrap(command)->kernelIndex : -1;
}

const char *jobrt_command_callee(const jobrt_command *command) {
  return command ? unwrap(command)->callee.c_str() : "";
}

uint8_t jobrt_command_fill_value(const jobrt_command *command) {
  return command ? unwrap(command)->fillValue : 0;
}

int32_t jobrt_command_num_args(const jobrt_command *command) {
  return command ? sizeOf(unwrap(command)->args) : 0;
}

jobrt_range jobrt_command_arg(const jobrt_command *command, int32_t index) {
  if (!command || index < 0 || index >= sizeOf(unwrap(command)->args))
    return {};
  const BufferRef &arg = unwrap(command)->args[index];
  return {static_cast<jobrt_space>(arg.space), arg.offset, arg.bytes,
          arg.isRead, arg.isWritten};
}

int32_t jobrt_command_num_config(const jobrt_command *command) {
  return command ? sizeOf(unwrap(command)->config) : 0;
}

const char *jobrt_command_config_key(const jobrt_command *command,
                                     int32_t index) {
  auto *pair = configAt(command, index);
  return pair ? pair->first.c_str() : nullptr;
}

double jobrt_command_config_value(const jobrt_command *command, int32_t index) {
  auto *pair = configAt(command, index);
  if (!pair)
    return 0;
  return std::visit([](auto number) { return static_cast<double>(number); },
                    pair->second);
}

} // extern "C"
