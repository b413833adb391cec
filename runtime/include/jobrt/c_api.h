/*===- c_api.h - The runtime for C ----------------------------------------===*\
|*
|* Loads artifacts and runs their steps, for C99 and all languages that call C.
|* docs/c-api.md is the guide; this file is the specification.
|*
|* Names and semantics are stable: those of a version never change. New
|* functions increase JOBRT_C_API_VERSION.
|*
|* Ownership. A function with a `T **` result creates an object that the caller
|* destroys with jobrt_T_destroy(), which accepts NULL. A returned `const T *`
|* or `const char *` is owned by the object that was queried and is valid as
|* long as that object. Arrays passed by the caller are read or written before
|* the function returns; the function keeps no pointer to them.
|*
|* Errors. A function that can fail returns a jobrt_status, 0 (JOBRT_OK) on
|* success, and its last parameter is `jobrt_error **error`. On failure, if
|* `error` is not NULL, `*error` is overwritten with a new error object that the
|* caller destroys with jobrt_error_destroy(). On success `*error` does not
|* change. Results are written on success only. Errors are not stored in
|* thread-local or global state; no function throws, prints or aborts.
|* Functions without a status cannot fail: for NULL, or an index out of range,
|* they return NULL or 0 unless their comment says otherwise.
|*
|* Threads. All functions may be called from any thread, also concurrently on
|* one object, except that an object must not be destroyed while another call
|* uses it. A function blocks only if its comment says so.
|*
\*===----------------------------------------------------------------------===*/

#ifndef JOBRT_C_API_H
#define JOBRT_C_API_H

#include <stddef.h>
#include <stdint.h>

/** Version of this header. A library supports headers of its own and of earlier
 *  versions; jobrt_c_api_version() returns the version of the library. */
#define JOBRT_C_API_VERSION 1

#if defined(__GNUC__)
#define JOBRT_C_API __attribute__((visibility("default")))
#else
#define JOBRT_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Versions
\*===----------------------------------------------------------------------===*/

/** JOBRT_C_API_VERSION of the loaded library. */
JOBRT_C_API int32_t jobrt_c_api_version(void);
/** The version of the runtime, such as "0.1.0". */
JOBRT_C_API const char *jobrt_version(void);
/** The version of artifact files that this runtime loads. */
JOBRT_C_API int32_t jobrt_artifact_format_version(void);

/*===----------------------------------------------------------------------===*\
|* Errors
\*===----------------------------------------------------------------------===*/

/** The kind of a failure. */
typedef int32_t jobrt_status;
enum {
  JOBRT_OK = 0,
  JOBRT_INVALID_ARGUMENT = 1,   /**< wrong shape, dtype, count, name or NULL */
  JOBRT_NOT_FOUND = 2,          /**< no such entry, variable or file */
  JOBRT_ALREADY_EXISTS = 3,     /**< saving to a folder that is not empty */
  JOBRT_DATA_LOSS = 4,          /**< damaged, truncated or wrong file format */
  JOBRT_UNIMPLEMENTED = 5,      /**< unsupported version, target or callee */
  JOBRT_RESOURCE_EXHAUSTED = 6, /**< memory or disk */
  JOBRT_IO = 7,                 /**< a read or write failed */
  JOBRT_CANCELLED = 8, /**< the session was cancelled before the step ran */
  JOBRT_INTERNAL = 9,
  JOBRT_NOT_FINITE = 10 /**< a checked step computed a NaN or infinity */
};

/** Name of a status ("invalid argument"); never NULL. */
JOBRT_C_API const char *jobrt_status_name(jobrt_status status);

/** A failure. */
typedef struct jobrt_error jobrt_error;

JOBRT_C_API jobrt_status jobrt_error_status(const jobrt_error *error);
/** Lower case, without a full stop. "" for NULL. */
JOBRT_C_API const char *jobrt_error_message(const jobrt_error *error);
/** The user's line of the failed command ("train.py:12:4"), or "". */
JOBRT_C_API const char *jobrt_error_location(const jobrt_error *error);
JOBRT_C_API void jobrt_error_destroy(jobrt_error *error);

/*===----------------------------------------------------------------------===*\
|* Arrays
\*===----------------------------------------------------------------------===*/

/** Element types. JOBRT_I1 is one byte, 0 or 1; JOBRT_F16 and JOBRT_BF16 are
    the bits of a number in 16-bit IEEE 754 and bfloat16 format. */
typedef int32_t jobrt_dtype;
enum {
  JOBRT_I1 = 0,
  JOBRT_I8 = 1,
  JOBRT_I32 = 2,
  JOBRT_I64 = 3,
  JOBRT_F32 = 4,
  JOBRT_F64 = 5,
  JOBRT_UI8 = 6,
  JOBRT_F16 = 7,
  JOBRT_BF16 = 8
};

/** Bytes of one element; 0 for an unknown dtype. */
JOBRT_C_API int64_t jobrt_dtype_bytes(jobrt_dtype dtype);
/** "f32"; "" for an unknown dtype. */
JOBRT_C_API const char *jobrt_dtype_name(jobrt_dtype dtype);
/** The inverse of jobrt_dtype_name(). */
JOBRT_C_API jobrt_status jobrt_dtype_parse(const char *name, jobrt_dtype *dtype,
                                           jobrt_error **error);

/** Product of the extents; -1 on overflow, if an extent is negative, or if
 *  `shape` is NULL and `rank` is not 0. */
JOBRT_C_API int64_t jobrt_num_elements(int32_t rank, const int64_t *shape);
/** Writes "100x784xf32" to `text`, truncated to `capacity` bytes including the
 *  terminating zero. Returns the length of the whole text without the zero. */
JOBRT_C_API size_t jobrt_format_type(jobrt_dtype dtype, int32_t rank,
                                     const int64_t *shape, char *text,
                                     size_t capacity);

/** A dense row-major array on the host, read only. Does not own its memory. */
typedef struct jobrt_view {
  jobrt_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  const void *data;
} jobrt_view;

/** The same for an array that is written. */
typedef struct jobrt_buffer {
  jobrt_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  void *data;
} jobrt_buffer;

/** A dense row-major array on the host, 64-byte aligned, that owns its memory.
 */
typedef struct jobrt_tensor jobrt_tensor;

/** Creates a zero-filled tensor. */
JOBRT_C_API jobrt_status jobrt_tensor_create(jobrt_dtype dtype, int32_t rank,
                                             const int64_t *shape,
                                             jobrt_tensor **tensor,
                                             jobrt_error **error);
/** Its memory. The caller synchronizes concurrent accesses. */
JOBRT_C_API void *jobrt_tensor_data(jobrt_tensor *tensor);
/** A view of the tensor's memory, valid as long as the tensor. All members are
 *  0 for NULL. */
JOBRT_C_API jobrt_view jobrt_tensor_view(const jobrt_tensor *tensor);
JOBRT_C_API int64_t jobrt_tensor_bytes(const jobrt_tensor *tensor);
JOBRT_C_API void jobrt_tensor_destroy(jobrt_tensor *tensor);

/** Reads a NumPy .npy file (version 1.0, 2.0; C order). Blocks on the disk. */
JOBRT_C_API jobrt_status jobrt_read_npy(const char *path, jobrt_tensor **tensor,
                                        jobrt_error **error);
/** Writes a .npy file; an error leaves the file that was there. Blocks on the
 *  disk. */
JOBRT_C_API jobrt_status jobrt_write_npy(const char *path,
                                         const jobrt_view *value,
                                         jobrt_error **error);
/** Reads an IDX file of unsigned bytes (the format of MNIST), gzipped or not,
 *  as an array of JOBRT_UI8 with the file's shape. Blocks on the disk. */
JOBRT_C_API jobrt_status jobrt_read_idx(const char *path, jobrt_tensor **tensor,
                                        jobrt_error **error);

/*===----------------------------------------------------------------------===*\
|* Artifacts
|*
|* A loaded artifact is immutable and may be used by any number of sessions.
|* Sessions, and futures that outlive them, keep it alive.
\*===----------------------------------------------------------------------===*/

typedef struct jobrt_artifact jobrt_artifact;
/** A job of an artifact. */
typedef struct jobrt_entry jobrt_entry;
/** An input or output of a job. */
typedef struct jobrt_port jobrt_port;
/** A variable, shared by all jobs of an artifact. */
typedef struct jobrt_variable jobrt_variable;
/** One command of a job's plan. */
typedef struct jobrt_command jobrt_command;

/** Reads, checks and opens a file written by job-compile. Blocks on the disk.
 *  Errors: JOBRT_NOT_FOUND, JOBRT_IO, JOBRT_DATA_LOSS (damaged, or not an
 *  artifact), JOBRT_UNIMPLEMENTED (version or machine). Kernels, library calls
 *  and processor features are checked when a session is created. */
JOBRT_C_API jobrt_status jobrt_artifact_load(const char *path,
                                             jobrt_artifact **artifact,
                                             jobrt_error **error);
/** Releases the handle; existing sessions keep the artifact alive. */
JOBRT_C_API void jobrt_artifact_destroy(jobrt_artifact *artifact);

JOBRT_C_API const char *jobrt_artifact_path(const jobrt_artifact *artifact);
/** "jobmlir 0.1.0, LLVM 22.1.8". */
JOBRT_C_API const char *jobrt_artifact_compiler(const jobrt_artifact *artifact);
/** The devices that the jobs are placed on, as jobrt_session_options names
 * them: "host", "cuda:0", "host,cuda:0". */
JOBRT_C_API const char *jobrt_artifact_driver(const jobrt_artifact *artifact);
/** The devices of the artifact, at least one. */
JOBRT_C_API int32_t jobrt_artifact_num_devices(const jobrt_artifact *artifact);
/** The name of a device in the plan, such as "gpu0"; "" for an index out of
 *  range. */
JOBRT_C_API const char *
jobrt_artifact_device_name(const jobrt_artifact *artifact, int32_t index);
/** How many ranks run its jobs together; 1 if no job has a collective. */
JOBRT_C_API int32_t jobrt_artifact_ranks(const jobrt_artifact *artifact);
/** Bytes of all variables together. */
JOBRT_C_API int64_t jobrt_artifact_bank_bytes(const jobrt_artifact *artifact);
JOBRT_C_API int64_t
jobrt_artifact_constants_bytes(const jobrt_artifact *artifact);
/** Start of the constants; NULL if there are none. */
JOBRT_C_API const void *
jobrt_artifact_constants(const jobrt_artifact *artifact);

JOBRT_C_API int32_t jobrt_artifact_num_entries(const jobrt_artifact *artifact);
JOBRT_C_API const jobrt_entry *
jobrt_artifact_entry(const jobrt_artifact *artifact, int32_t index);
/** NULL if there is none of that name. */
JOBRT_C_API const jobrt_entry *
jobrt_artifact_find_entry(const jobrt_artifact *artifact, const char *name);

JOBRT_C_API int32_t
jobrt_artifact_num_variables(const jobrt_artifact *artifact);
JOBRT_C_API const jobrt_variable *
jobrt_artifact_variable(const jobrt_artifact *artifact, int32_t index);
/** NULL if there is none of that name. */
JOBRT_C_API const jobrt_variable *
jobrt_artifact_find_variable(const jobrt_artifact *artifact, const char *name);

typedef int32_t jobrt_job_kind;
enum {
  JOBRT_JOB_TRAIN = 0,
  JOBRT_JOB_PREDICT = 1,
  JOBRT_JOB_INIT = 2 /**< initializes the variables */
};
/** "train"; "" for an unknown kind. */
JOBRT_C_API const char *jobrt_job_kind_name(jobrt_job_kind kind);

JOBRT_C_API const char *jobrt_entry_name(const jobrt_entry *entry);
/** -1 for NULL. */
JOBRT_C_API jobrt_job_kind jobrt_entry_kind(const jobrt_entry *entry);
/** The nesting of the results as JSON text (docs/artifact.md). */
JOBRT_C_API const char *jobrt_entry_result_structure(const jobrt_entry *entry);
JOBRT_C_API int32_t jobrt_entry_num_inputs(const jobrt_entry *entry);
JOBRT_C_API const jobrt_port *jobrt_entry_input(const jobrt_entry *entry,
                                                int32_t index);
JOBRT_C_API int32_t jobrt_entry_num_outputs(const jobrt_entry *entry);
JOBRT_C_API const jobrt_port *jobrt_entry_output(const jobrt_entry *entry,
                                                 int32_t index);
/** Bytes of one staging slot of the inputs, and of the outputs. */
JOBRT_C_API int64_t jobrt_entry_input_bytes(const jobrt_entry *entry);
JOBRT_C_API int64_t jobrt_entry_output_bytes(const jobrt_entry *entry);
/** Bytes of the step's scratch memory on all devices together, and a lower
 * bound of them for any plan with this order of commands. */
JOBRT_C_API int64_t jobrt_entry_arena_bytes(const jobrt_entry *entry);
JOBRT_C_API int64_t jobrt_entry_arena_lower_bound(const jobrt_entry *entry);
/** Bytes of the library calls' scratch memory. */
JOBRT_C_API int64_t jobrt_entry_workspace_bytes(const jobrt_entry *entry);
JOBRT_C_API int32_t jobrt_entry_num_commands(const jobrt_entry *entry);
JOBRT_C_API const jobrt_command *jobrt_entry_command(const jobrt_entry *entry,
                                                     int32_t index);

JOBRT_C_API const char *jobrt_port_name(const jobrt_port *port);
/** -1 for NULL. */
JOBRT_C_API jobrt_dtype jobrt_port_dtype(const jobrt_port *port);
JOBRT_C_API int32_t jobrt_port_rank(const jobrt_port *port);
/** Extent jobrt_port_bounded_dim() of an output with a count is an upper bound.
 */
JOBRT_C_API const int64_t *jobrt_port_shape(const jobrt_port *port);
/** The index of the output, a 1xi64, that has the true extent of the bounded
 *  dimension of this one; -1 if the shape is static. */
JOBRT_C_API int32_t jobrt_port_count(const jobrt_port *port);
/** The bounded dimension of an output with a count, mostly 0; -1 if the shape
 * is static. */
JOBRT_C_API int32_t jobrt_port_bounded_dim(const jobrt_port *port);
JOBRT_C_API int64_t jobrt_port_bytes(const jobrt_port *port);
/** Bytes from the start of the staging slot. */
JOBRT_C_API int64_t jobrt_port_offset(const jobrt_port *port);

JOBRT_C_API const char *jobrt_variable_name(const jobrt_variable *variable);
/** -1 for NULL. */
JOBRT_C_API jobrt_dtype jobrt_variable_dtype(const jobrt_variable *variable);
JOBRT_C_API int32_t jobrt_variable_rank(const jobrt_variable *variable);
JOBRT_C_API const int64_t *jobrt_variable_shape(const jobrt_variable *variable);
JOBRT_C_API int64_t jobrt_variable_bytes(const jobrt_variable *variable);
/** Bytes from the start of the bank, where the dimensions may have another
 *  order than where a variable is read and written. */
JOBRT_C_API int64_t jobrt_variable_offset(const jobrt_variable *variable);
/** 1 if an optimizer may update it, else 0. */
JOBRT_C_API int32_t jobrt_variable_trainable(const jobrt_variable *variable);
/** The user's line that defined it; "" if unknown. */
JOBRT_C_API const char *jobrt_variable_location(const jobrt_variable *variable);

typedef int32_t jobrt_command_kind;
enum {
  JOBRT_COMMAND_DISPATCH = 0, /**< a kernel of the artifact */
  JOBRT_COMMAND_CALL = 1,     /**< a library function */
  JOBRT_COMMAND_COPY = 2,
  JOBRT_COMMAND_FILL = 3,
  JOBRT_COMMAND_RECORD = 4,    /**< an event of a queue */
  JOBRT_COMMAND_WAIT = 5,      /**< a queue waits for an event */
  JOBRT_COMMAND_HOST_CALL = 6, /**< a function of the session */
  JOBRT_COMMAND_COLLECTIVE = 7 /**< runs together with other ranks */
};
typedef int32_t jobrt_space;
enum {
  JOBRT_SPACE_ARENA = 0,
  JOBRT_SPACE_BANK = 1,
  JOBRT_SPACE_INPUT = 2,
  JOBRT_SPACE_OUTPUT = 3,
  JOBRT_SPACE_CONSTANT = 4,
  JOBRT_SPACE_WORKSPACE = 5
};
/** "arena"; "" for an unknown space. */
JOBRT_C_API const char *jobrt_space_name(jobrt_space space);

/** A range of bytes in one of the spaces of a step, and whether its command
 *  reads or writes it (1 or 0); both are 0 for a workspace. */
typedef struct jobrt_range {
  jobrt_space space;
  int64_t offset, bytes;
  int32_t is_read, is_written;
} jobrt_range;

/** -1 for NULL. */
JOBRT_C_API jobrt_command_kind
jobrt_command_get_kind(const jobrt_command *command);
/** The user's name of the op; may be "". */
JOBRT_C_API const char *jobrt_command_name(const jobrt_command *command);
/** The user's line; "" if unknown. */
JOBRT_C_API const char *jobrt_command_location(const jobrt_command *command);
/** Number of chunks that may run in parallel. */
JOBRT_C_API int64_t jobrt_command_chunks(const jobrt_command *command);
/** Floating-point and integer operations of all chunks. */
JOBRT_C_API int64_t jobrt_command_flops(const jobrt_command *command);
/** The number of the kernel of a dispatch; -1 for other commands. */
JOBRT_C_API int64_t jobrt_command_kernel(const jobrt_command *command);
/** The library function of a call ("onednn.matmul"), the session's function of
 *  a host call, what a collective does ("all_reduce"); "" for other commands.
 */
JOBRT_C_API const char *jobrt_command_callee(const jobrt_command *command);
/** The byte that a fill stores; 0 for other commands. */
JOBRT_C_API uint8_t jobrt_command_fill_value(const jobrt_command *command);
JOBRT_C_API int32_t jobrt_command_num_args(const jobrt_command *command);
/** All members are 0 if the index is out of range. */
JOBRT_C_API jobrt_range jobrt_command_arg(const jobrt_command *command,
                                          int32_t index);
/** A call's configuration, by key in ascending order. */
JOBRT_C_API int32_t jobrt_command_num_config(const jobrt_command *command);
/** NULL if the index is out of range. */
JOBRT_C_API const char *jobrt_command_config_key(const jobrt_command *command,
                                                 int32_t index);
/** An integer (exact up to 2^53) or a fraction; 0 if the index is out of range.
 */
JOBRT_C_API double jobrt_command_config_value(const jobrt_command *command,
                                              int32_t index);

/*===----------------------------------------------------------------------===*\
|* Sessions
|*
|* A session owns the variables and the memory that an artifact needs to run,
|* and two threads, for its steps and its callbacks. Calls from several threads
|* are put in one order.
|*
|* All sessions of a process share one pool of worker threads, which has as many
|* threads as this process has cores: those of its affinity mask, but no more
|* than its cgroup's quota of processor time. A session that requests more
|* threads adds them. The pool ends with the last session. Steps of several
|* sessions run at the same time.
|*
|* A session and its futures belong to the process that created them. In a
|* forked child, which has none of the threads, every call on the session and
|* every wait for a step that was in flight fails (JOBRT_INVALID_ARGUMENT)
|* instead of blocking; destroying them there does nothing. A new session in the
|* child works.
|*
|* Between the call of a job and its completion the runtime allocates no memory,
|* apart from errors, and from memory for outputs when more futures are kept
|* than the session has credits.
\*===----------------------------------------------------------------------===*/

typedef struct jobrt_session jobrt_session;
/** The result of one call. */
typedef struct jobrt_future jobrt_future;

/** Initialize with JOBRT_SESSION_OPTIONS_INIT, then change members. */
typedef struct jobrt_session_options {
  /** sizeof(jobrt_session_options): identifies the version of the header. */
  size_t struct_bytes;
  /** The most threads that compute a step, the one that runs it included; 0
   *  takes the cores that this process may use. Results do not depend on it. */
  int32_t threads;
  /** Maximum number of steps in flight, at least 1. */
  int32_t credits;
  /** "host", "null" (completes steps without computing them), "cuda" (the first
   *  GPU) or "cuda:1" (the second one); for an artifact of several devices one
   *  for each, with commas between them. NULL is jobrt_artifact_driver(). */
  const char *driver;
  /** The library of CUDA; NULL is what the environment variable
   *  JOBMLIR_CUDA_LIBRARY names, otherwise libcuda.so.1. */
  const char *cuda_library;
  /** Of an artifact that several ranks run together, each in a session on a
   *  device of its own: their number, jobrt_artifact_ranks() (0 is 1), and
   * which of them this one is. The session's creation then blocks until the
   * sessions of all ranks are being created: ranks of one process need a thread
   * each. */
  int32_t ranks, rank;
  /** JOBRT_COMMUNICATOR_ID_BYTES bytes of jobrt_communicator_id_create(), the
   *  same for all ranks; NULL if there is one rank. */
  const void *communicator_id;
} jobrt_session_options;

#define JOBRT_SESSION_OPTIONS_INIT                                             \
  {sizeof(jobrt_session_options), 0, 4, NULL, NULL, 1, 0, NULL}

#define JOBRT_COMMUNICATOR_ID_BYTES 128
/** Stores a new id for a group of ranks in `id`, which has room for
 *  JOBRT_COMMUNICATOR_ID_BYTES bytes. One rank makes it, and the others get it
 *  by any means. `options` name the driver and its library; they may be NULL,
 *  and the driver is "cuda" if it is NULL. Any thread may call it. Errors:
 *  JOBRT_UNIMPLEMENTED (the driver has no collectives), JOBRT_NOT_FOUND (there
 *  is no library). */
JOBRT_C_API jobrt_status jobrt_communicator_id_create(
    const jobrt_session_options *options, void *id, jobrt_error **error);

/** Creates a session whose variables are zero. `options` may be NULL for the
 *  defaults. The artifact may be destroyed right afterwards. Errors:
 *  JOBRT_INVALID_ARGUMENT (options), JOBRT_RESOURCE_EXHAUSTED,
 *  JOBRT_UNIMPLEMENTED (the artifact needs a processor feature or library call
 *  that is missing here), JOBRT_DATA_LOSS (it lacks a kernel). */
JOBRT_C_API jobrt_status jobrt_session_create(
    const jobrt_artifact *artifact, const jobrt_session_options *options,
    jobrt_session **session, jobrt_error **error);
/** Blocks until the steps in flight, their callbacks, and the steps that these
 *  callbacks begin are done; jobrt_session_cancel() shortens this. Inside a
 *  callback of the session it waits for the steps alone: their callbacks run
 *  afterwards and must not use the session. */
JOBRT_C_API void jobrt_session_destroy(jobrt_session *session);

/** Owned by the session. */
JOBRT_C_API const jobrt_artifact *
jobrt_session_artifact(const jobrt_session *session);
/** Fails with JOBRT_INVALID_ARGUMENT unless the jobs, inputs, outputs and
 *  variables of the artifact have the names, shapes, types and order of those
 *  in a header of job-compile; `interface` is that header's ..._INTERFACE. */
JOBRT_C_API jobrt_status jobrt_session_check_interface(
    const jobrt_session *session, const char *interface, jobrt_error **error);
/** The number of threads that compute. */
JOBRT_C_API int32_t jobrt_session_threads(const jobrt_session *session);

/** A buffer of a host call, dense and row-major, valid during the call. Only
 *  one that is written may be changed. */
typedef struct jobrt_host_buffer {
  jobrt_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  void *data;
  int64_t bytes;
  int32_t is_read;    /**< 0 or 1 */
  int32_t is_written; /**< 0 or 1 */
} jobrt_host_buffer;

/** A function that commands call by name. Gets the buffers in the order of the
 *  command. A status other than JOBRT_OK ends the step: its future gets an
 *  error with that status, the text that `*message` was set to (it may stay
 *  NULL, and is copied), and the user's line. It writes all of each buffer that
 *  is written and not read, which holds arbitrary bytes before. The calls on
 * one queue of commands are in order; those on several queues may run on
 * several threads at once. Must not call the session, whose step waits for it.
 */
typedef jobrt_status (*jobrt_host_function)(const jobrt_host_buffer *buffers,
                                            int32_t num_buffers,
                                            const char **message,
                                            void *user_data);
/** Registers a function for the commands that call `name`, until the end of the
 *  session. A call of a job with such a command fails with JOBRT_NOT_FOUND
 *  before the function is registered. Fails with JOBRT_ALREADY_EXISTS if a
 *  function of that name is registered. */
JOBRT_C_API jobrt_status jobrt_session_register_function(
    jobrt_session *session, const char *name, jobrt_host_function function,
    void *user_data, jobrt_error **error);

/** Sets all variables to their initial values, a function of `seed`. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_initialize(jobrt_session *session,
                                                  int64_t seed,
                                                  jobrt_error **error);

/** Runs one step, on this thread if no step is in flight, and copies its
 *  outputs to the caller's memory. Blocks. `num_inputs` must be the number of
 *  inputs of the job, `num_outputs` its number of outputs or 0 (with `outputs`
 *  NULL); an output whose `data` is NULL is not copied. All arguments are
 *  checked before the step runs. An output with a count (jobrt_port_count()) is
 *  copied with the bytes of its bound: the array of the true extents, dense,
 *  and zeros behind it. */
JOBRT_C_API jobrt_status jobrt_session_call(
    jobrt_session *session, const char *entry, const jobrt_view *inputs,
    int32_t num_inputs, const jobrt_buffer *outputs, int32_t num_outputs,
    jobrt_error **error);

/** The same, but the outputs stay in `*future`. Fails if the arguments do not
 *  fit; jobrt_future_wait() returns errors of the step itself. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_run(
    jobrt_session *session, const char *entry, const jobrt_view *inputs,
    int32_t num_inputs, jobrt_future **future, jobrt_error **error);

/** Copies the inputs, queues one step and returns. Blocks while as many steps
 *  are in flight as the session has credits. A step is in flight until it and
 *  the callbacks that were registered before its completion are done. */
JOBRT_C_API jobrt_status jobrt_session_submit(
    jobrt_session *session, const char *entry, const jobrt_view *inputs,
    int32_t num_inputs, jobrt_future **future, jobrt_error **error);

/** Drops all work that has not begun: steps that are queued complete with
 *  JOBRT_CANCELLED, in order and with their callbacks, without running; steps
 *  that the driver has begun are completed. Every later call of a job fails
 *  with JOBRT_CANCELLED. Variables can be read, written and saved as before.
 *  Does not block; jobrt_session_synchronize() waits for the steps and does not
 *  report that they were cancelled. */
JOBRT_C_API void jobrt_session_cancel(jobrt_session *session);

/** Blocks until every step queued so far and its callbacks are done. Returns
 *  the first error since the last call of this function, except for errors that
 *  a wait for their future has returned. Fails in a callback, since it would
 *  wait for that callback. */
JOBRT_C_API jobrt_status jobrt_session_synchronize(jobrt_session *session,
                                                   jobrt_error **error);

/** Reads a variable, in order with the steps. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_read_variable(jobrt_session *session,
                                                     const char *name,
                                                     jobrt_tensor **tensor,
                                                     jobrt_error **error);
/** Reads `count` variables between the same two steps into tensors[0] to
 *  tensors[count - 1]: all, or none on failure. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_read_variables(jobrt_session *session,
                                                      const char *const *names,
                                                      int32_t count,
                                                      jobrt_tensor **tensors,
                                                      jobrt_error **error);
/** Writes a variable, in order with the steps. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_write_variable(jobrt_session *session,
                                                      const char *name,
                                                      const jobrt_view *value,
                                                      jobrt_error **error);
/** Writes `count` variables between the same two steps: all, or none if one
 *  does not fit. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_write_variables(jobrt_session *session,
                                                       const char *const *names,
                                                       const jobrt_view *values,
                                                       int32_t count,
                                                       jobrt_error **error);

/** Starts a trace to the file `path`: when each command and chunk ran and on
 *  which thread, with the user's op and line (docs/tracing.md). A temporary
 *  file beside it is created now and takes its place when the trace is written.
 *  The last `steps` steps are kept. Fails if a trace is active. Blocks until
 *  the steps queued so far are done. */
JOBRT_C_API jobrt_status jobrt_session_start_trace(jobrt_session *session,
                                                   const char *path,
                                                   int64_t steps,
                                                   jobrt_error **error);
/** Writes the trace after the steps queued so far. Fails if no trace is active.
 *  A trace that is active when the session ends is written then. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_finish_trace(jobrt_session *session,
                                                    jobrt_error **error);

/** All memory of a session in bytes, by kind. */
typedef struct jobrt_memory_report {
  int64_t arena, bank, staging, workspace, constants, total;
} jobrt_memory_report;

/** All members 0 for NULL. */
JOBRT_C_API jobrt_memory_report
jobrt_session_memory(const jobrt_session *session);
/** That on one device of the artifact, without staging memory of the host. All
 *  members 0 for NULL and an index out of range. */
JOBRT_C_API jobrt_memory_report
jobrt_session_device_memory(const jobrt_session *session, int32_t index);

/** Heap allocations between submit and completion of the last step. */
typedef struct jobrt_allocation_report {
  int64_t ours;    /**< by the runtime itself: 0 */
  int64_t library; /**< inside library calls */
} jobrt_allocation_report;

/** Both members are -1 if no counter is installed, and for NULL. */
JOBRT_C_API jobrt_allocation_report
jobrt_session_last_allocations(const jobrt_session *session);
/** Returns the number of heap allocations of the calling thread so far. */
typedef int64_t (*jobrt_allocation_source)(void);
/** Installs, or with NULL removes, the counter for the whole process. Only a
 *  program that replaces malloc can count allocations. */
JOBRT_C_API void jobrt_set_allocation_source(jobrt_allocation_source source);

/*===----------------------------------------------------------------------===*\
|* Futures
|*
|* A future holds the outputs of its step, not a credit: any number may be kept,
|* also after the session is destroyed.
\*===----------------------------------------------------------------------===*/

/** Blocks until the step is done; its status: JOBRT_CANCELLED when the
 *  session was cancelled before the step ran. */
JOBRT_C_API jobrt_status jobrt_future_wait(const jobrt_future *future,
                                           jobrt_error **error);
/** 1 if the step is done, else 0. */
JOBRT_C_API int32_t jobrt_future_done(const jobrt_future *future);
/** The job that was called. */
JOBRT_C_API const jobrt_entry *jobrt_future_entry(const jobrt_future *future);
JOBRT_C_API int32_t jobrt_future_num_outputs(const jobrt_future *future);
/** Gets an output of a completed step; one with a count (jobrt_port_count())
 *  has its true extents. `*output` is valid until the last handle of this call
 * is destroyed. Fails if the step is not done, or if the step failed, with its
 *  error. */
JOBRT_C_API jobrt_status jobrt_future_output(const jobrt_future *future,
                                             int32_t index, jobrt_view *output,
                                             jobrt_error **error);
/** `future` is valid during the callback; jobrt_future_copy() extends its
 *  lifetime. */
typedef void (*jobrt_callback)(const jobrt_future *future, void *user_data);
/** Calls `callback` once when the step is done, failed or not. Callbacks of a
 *  session run one at a time, in the order of the steps, on the session's
 *  callback thread; when the step is done already and no callback is waiting or
 *  running, at once on this thread. A C++ exception that leaves the callback is
 *  reported by jobrt_session_synchronize(). The callback may destroy the
 *  session and the future. In a forked child it is called at once, and
 *  jobrt_future_wait() reports whether the step was done. */
JOBRT_C_API jobrt_status jobrt_future_on_done(const jobrt_future *future,
                                              jobrt_callback callback,
                                              void *user_data,
                                              jobrt_error **error);
/** Creates a second handle of the same call. */
JOBRT_C_API jobrt_status jobrt_future_copy(const jobrt_future *future,
                                           jobrt_future **copy,
                                           jobrt_error **error);
/** Releases this handle of the outputs. Does not wait for the step. */
JOBRT_C_API void jobrt_future_destroy(jobrt_future *future);

/*===----------------------------------------------------------------------===*\
|* Checkpoints
\*===----------------------------------------------------------------------===*/

typedef int32_t jobrt_checkpoint_layout;
enum {
  JOBRT_CHECKPOINT_NATIVE = 0, /**< one safetensors file and a manifest */
  /** one folder of raw bytes per variable, and a list of checksums */
  JOBRT_CHECKPOINT_LEGACY = 1
};

/** What to do if a checkpoint exists at the path. */
typedef int32_t jobrt_existing_checkpoint;
enum {
  JOBRT_EXISTING_REFUSE = 0, /**< JOBRT_ALREADY_EXISTS */
  /** Replace it atomically; a folder that is not a checkpoint, or has other
   *  files too, is still an error. */
  JOBRT_EXISTING_REPLACE = 1
};

/** Writes all variables, after the steps queued so far. The folder `path` must
 *  not exist, be empty, or be a checkpoint to replace. It cannot be a mount
 *  point or the working directory, since the new folder is renamed to it. If
 *  the process is killed at any time, the old or the new checkpoint is intact.
 *  Blocks. */
JOBRT_C_API jobrt_status jobrt_save_checkpoint(
    jobrt_session *session, const char *path, jobrt_checkpoint_layout layout,
    jobrt_existing_checkpoint existing, jobrt_error **error);
/** Reads all variables from a checkpoint of either layout: all, or none if one
 *  is missing or does not fit. Blocks. */
JOBRT_C_API jobrt_status jobrt_load_checkpoint(jobrt_session *session,
                                               const char *path,
                                               jobrt_error **error);

#ifdef __cplusplus
}
#endif

#endif /* JOBRT_C_API_H */
