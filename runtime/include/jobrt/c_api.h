/*===- c_api.h - The runtime for C ----------------------------------------===*\
|*
|* Loads artifacts and runs their steps, from C99 and everything that calls C.
|* docs/c-api.md is the guide; this file is the contract.
|*
|* Names and meanings are stable: what is here stays as it is as long as
|* JOBRT_C_API_VERSION starts at 1, and new functions raise that number.
|*
|* Ownership. A function that gives out a `T **` makes an object that the caller
|* ends with jobrt_T_destroy(), which takes NULL as well. Everything returned as
|* `const T *` or `const char *` is borrowed: it lives as long as the object it
|* was asked of. Arrays that the caller passes are read or written before the
|* function returns and never kept.
|*
|* Errors. A function that can fail returns a jobrt_status, JOBRT_OK being 0,
and
|* takes `jobrt_error **error` last. When it fails and `error` is not NULL,
|* `*error` is set to a new error object, which the caller ends with
|* jobrt_error_destroy(); what it held before is overwritten. When it succeeds,
|* `*error` is left alone. Results are written only on success. Nothing is kept
|* in thread-local or global state, nothing is thrown, printed or aborted on.
|* Functions without a status cannot fail: given NULL, or an index out of range,
|* they return NULL, 0, or what their comment says.
|*
|* Threads. All functions may be called from any thread, also on one object at
|* the same time, except that an object must not be destroyed while another call
|* uses it. Functions that block say so.
|*
\*===----------------------------------------------------------------------===*/

#ifndef JOBRT_C_API_H
#define JOBRT_C_API_H

#include <stddef.h>
#include <stdint.h>

/** Version of this header. A library serves every header of its version or an
 *  earlier one; jobrt_c_api_version() says which the library's is. */
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

/** JOBRT_C_API_VERSION of the library that is loaded. */
JOBRT_C_API int32_t jobrt_c_api_version(void);
/** The runtime's version, as "0.1.0". */
JOBRT_C_API const char *jobrt_version(void);
/** The version of artifact files that this runtime loads. */
JOBRT_C_API int32_t jobrt_artifact_format_version(void);

/*===----------------------------------------------------------------------===*\
|* Errors
\*===----------------------------------------------------------------------===*/

/** What kind of failure it was. */
typedef int32_t jobrt_status;
enum {
  JOBRT_OK = 0,
  JOBRT_INVALID_ARGUMENT = 1,   /**< wrong shape, dtype, count, name or NULL */
  JOBRT_NOT_FOUND = 2,          /**< no such entry, variable or file */
  JOBRT_ALREADY_EXISTS = 3,     /**< saving onto a folder that is not empty */
  JOBRT_DATA_LOSS = 4,          /**< damaged, truncated or foreign file */
  JOBRT_UNIMPLEMENTED = 5,      /**< unsupported version, target or callee */
  JOBRT_RESOURCE_EXHAUSTED = 6, /**< memory or disk */
  JOBRT_IO = 7,                 /**< the system refused a read or write */
  JOBRT_CANCELLED = 8, /**< the session was cancelled before the step ran */
  JOBRT_INTERNAL = 9,
  JOBRT_NOT_FINITE = 10 /**< a checked step made a NaN or infinity */
};

/** Name of a status ("invalid argument"); never NULL. */
JOBRT_C_API const char *jobrt_status_name(jobrt_status status);

/** A failure. */
typedef struct jobrt_error jobrt_error;

JOBRT_C_API jobrt_status jobrt_error_status(const jobrt_error *error);
/** Lower case, without a full stop. "" for NULL. */
JOBRT_C_API const char *jobrt_error_message(const jobrt_error *error);
/** The user's line that the failing command came from ("train.py:12:4"); ""
 *  when there is none. */
JOBRT_C_API const char *jobrt_error_location(const jobrt_error *error);
JOBRT_C_API void jobrt_error_destroy(jobrt_error *error);

/*===----------------------------------------------------------------------===*\
|* Arrays
\*===----------------------------------------------------------------------===*/

/** Element types. JOBRT_I1 is one byte, 0 or 1. */
typedef int32_t jobrt_dtype;
enum {
  JOBRT_I1 = 0,
  JOBRT_I8 = 1,
  JOBRT_I32 = 2,
  JOBRT_I64 = 3,
  JOBRT_F32 = 4,
  JOBRT_F64 = 5
};

/** Bytes of one element; 0 when it is none of the above. */
JOBRT_C_API int64_t jobrt_dtype_bytes(jobrt_dtype dtype);
/** "f32"; "" when it is none of the above. */
JOBRT_C_API const char *jobrt_dtype_name(jobrt_dtype dtype);
/** The inverse of jobrt_dtype_name(). */
JOBRT_C_API jobrt_status jobrt_dtype_parse(const char *name, jobrt_dtype *dtype,
                                           jobrt_error **error);

/** Product of the extents; -1 when it overflows, when an extent is negative, or
 *  when `shape` is NULL and `rank` is not 0. */
JOBRT_C_API int64_t jobrt_num_elements(int32_t rank, const int64_t *shape);
/** Writes "100x784xf32" to `text`, cut off at `capacity` bytes with the
 *  terminating zero. Returns the length of the whole text without the zero. */
JOBRT_C_API size_t jobrt_format_type(jobrt_dtype dtype, int32_t rank,
                                     const int64_t *shape, char *text,
                                     size_t capacity);

/** A dense row-major array on the host that is read; somebody else's memory. */
typedef struct jobrt_view {
  jobrt_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  const void *data;
} jobrt_view;

/** The same for one that is written. */
typedef struct jobrt_buffer {
  jobrt_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  void *data;
} jobrt_buffer;

/** A dense row-major array on the host, 64-byte aligned, that owns its memory.
 */
typedef struct jobrt_tensor jobrt_tensor;

/** Makes a zero-filled tensor. */
JOBRT_C_API jobrt_status jobrt_tensor_create(jobrt_dtype dtype, int32_t rank,
                                             const int64_t *shape,
                                             jobrt_tensor **tensor,
                                             jobrt_error **error);
/** Its memory; whoever writes it from several threads takes care of order. */
JOBRT_C_API void *jobrt_tensor_data(jobrt_tensor *tensor);
/** Borrowed. For NULL: all members 0. */
JOBRT_C_API jobrt_view jobrt_tensor_view(const jobrt_tensor *tensor);
JOBRT_C_API int64_t jobrt_tensor_bytes(const jobrt_tensor *tensor);
JOBRT_C_API void jobrt_tensor_destroy(jobrt_tensor *tensor);

/** Reads NumPy's .npy (version 1.0 and 2.0, C order). Blocks on the disk. */
JOBRT_C_API jobrt_status jobrt_read_npy(const char *path, jobrt_tensor **tensor,
                                        jobrt_error **error);
/** Writes a .npy file. Blocks on the disk. */
JOBRT_C_API jobrt_status jobrt_write_npy(const char *path,
                                         const jobrt_view *value,
                                         jobrt_error **error);
/** Reads an IDX file as MNIST's, gzipped or not: its unsigned bytes as the bits
 *  of JOBRT_I8, with the file's shape. Blocks on the disk. */
JOBRT_C_API jobrt_status jobrt_read_idx(const char *path, jobrt_tensor **tensor,
                                        jobrt_error **error);

/*===----------------------------------------------------------------------===*\
|* Artifacts
|*
|* An artifact is immutable once loaded and may serve any number of sessions.
|* Sessions, and futures that outlive them, keep what they need of it alive.
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

/** Reads, checks and opens a file that job-compile wrote. Blocks on the disk.
 *  JOBRT_NOT_FOUND, JOBRT_IO, JOBRT_DATA_LOSS (damaged, or no artifact),
 *  JOBRT_UNIMPLEMENTED (version, processor or library call). */
JOBRT_C_API jobrt_status jobrt_artifact_load(const char *path,
                                             jobrt_artifact **artifact,
                                             jobrt_error **error);
/** Lets go of it; sessions on it go on. */
JOBRT_C_API void jobrt_artifact_destroy(jobrt_artifact *artifact);

JOBRT_C_API const char *jobrt_artifact_path(const jobrt_artifact *artifact);
/** "jobmlir 0.1.0, LLVM 22.1.8". */
JOBRT_C_API const char *jobrt_artifact_compiler(const jobrt_artifact *artifact);
/** Bytes of all variables together. */
JOBRT_C_API int64_t jobrt_artifact_bank_bytes(const jobrt_artifact *artifact);
JOBRT_C_API int64_t
jobrt_artifact_constants_bytes(const jobrt_artifact *artifact);
/** Start of the constants; NULL when there are none. */
JOBRT_C_API const void *
jobrt_artifact_constants(const jobrt_artifact *artifact);

JOBRT_C_API int32_t jobrt_artifact_num_entries(const jobrt_artifact *artifact);
JOBRT_C_API const jobrt_entry *
jobrt_artifact_entry(const jobrt_artifact *artifact, int32_t index);
/** NULL when there is none of that name. */
JOBRT_C_API const jobrt_entry *
jobrt_artifact_find_entry(const jobrt_artifact *artifact, const char *name);

JOBRT_C_API int32_t
jobrt_artifact_num_variables(const jobrt_artifact *artifact);
JOBRT_C_API const jobrt_variable *
jobrt_artifact_variable(const jobrt_artifact *artifact, int32_t index);
/** NULL when there is none of that name. */
JOBRT_C_API const jobrt_variable *
jobrt_artifact_find_variable(const jobrt_artifact *artifact, const char *name);

typedef int32_t jobrt_job_kind;
enum {
  JOBRT_JOB_TRAIN = 0,
  JOBRT_JOB_PREDICT = 1,
  JOBRT_JOB_INIT = 2 /**< gives the variables their first values */
};
/** "train"; "" when it is none of the above. */
JOBRT_C_API const char *jobrt_job_kind_name(jobrt_job_kind kind);

JOBRT_C_API const char *jobrt_entry_name(const jobrt_entry *entry);
/** -1 for NULL. */
JOBRT_C_API jobrt_job_kind jobrt_entry_kind(const jobrt_entry *entry);
/** JSON text: the nesting of the results (docs/artifact.md). */
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
/** Bytes of the step's scratch memory, and what no plan could go below. */
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
JOBRT_C_API const int64_t *jobrt_port_shape(const jobrt_port *port);
JOBRT_C_API int64_t jobrt_port_bytes(const jobrt_port *port);
/** Bytes from the start of the staging slot. */
JOBRT_C_API int64_t jobrt_port_offset(const jobrt_port *port);

JOBRT_C_API const char *jobrt_variable_name(const jobrt_variable *variable);
/** -1 for NULL. */
JOBRT_C_API jobrt_dtype jobrt_variable_dtype(const jobrt_variable *variable);
JOBRT_C_API int32_t jobrt_variable_rank(const jobrt_variable *variable);
JOBRT_C_API const int64_t *jobrt_variable_shape(const jobrt_variable *variable);
JOBRT_C_API int64_t jobrt_variable_bytes(const jobrt_variable *variable);
/** Bytes from the start of the bank. */
JOBRT_C_API int64_t jobrt_variable_offset(const jobrt_variable *variable);
/** 1 when an optimizer changes it by a gradient, else 0. */
JOBRT_C_API int32_t jobrt_variable_trainable(const jobrt_variable *variable);
/** The user's line that made it; "" when it is not known. */
JOBRT_C_API const char *jobrt_variable_location(const jobrt_variable *variable);

typedef int32_t jobrt_command_kind;
enum {
  JOBRT_COMMAND_DISPATCH = 0, /**< a kernel of the artifact */
  JOBRT_COMMAND_CALL = 1,     /**< a library function */
  JOBRT_COMMAND_COPY = 2,
  JOBRT_COMMAND_FILL = 3
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
/** "arena"; "" when it is none of the above. */
JOBRT_C_API const char *jobrt_space_name(jobrt_space space);

/** A range of bytes in one of the spaces of a step, and what its command does
 *  with it (1 or 0): neither for the scratch of a library call. */
typedef struct jobrt_range {
  jobrt_space space;
  int64_t offset, bytes;
  int32_t is_read, is_written;
} jobrt_range;

/** -1 for NULL. */
JOBRT_C_API jobrt_command_kind
jobrt_command_get_kind(const jobrt_command *command);
/** What the user called the op; may be "". */
JOBRT_C_API const char *jobrt_command_name(const jobrt_command *command);
/** The user's line; "" when it is not known. */
JOBRT_C_API const char *jobrt_command_location(const jobrt_command *command);
/** Number of chunks that may run in parallel. */
JOBRT_C_API int64_t jobrt_command_chunks(const jobrt_command *command);
/** Floating-point and integer operations of all chunks. */
JOBRT_C_API int64_t jobrt_command_flops(const jobrt_command *command);
/** The kernel's number; -1 unless a dispatch. */
JOBRT_C_API int64_t jobrt_command_kernel(const jobrt_command *command);
/** The library function ("onednn.matmul"); "" unless a call. */
JOBRT_C_API const char *jobrt_command_callee(const jobrt_command *command);
/** The byte that a fill stores; 0 for others. */
JOBRT_C_API uint8_t jobrt_command_fill_value(const jobrt_command *command);
JOBRT_C_API int32_t jobrt_command_num_args(const jobrt_command *command);
/** All members 0 when out of range. */
JOBRT_C_API jobrt_range jobrt_command_arg(const jobrt_command *command,
                                          int32_t index);
/** A call's configuration, by key in ascending order. */
JOBRT_C_API int32_t jobrt_command_num_config(const jobrt_command *command);
/** NULL when out of range. */
JOBRT_C_API const char *jobrt_command_config_key(const jobrt_command *command,
                                                 int32_t index);
/** An integer (exact up to 2^53) or a fraction; 0 when out of range. */
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
|* than its cgroup's quota of processor time. A session that asks for more
|* threads adds them. The pool ends with the last session. Steps of several
|* sessions run at the same time.
|*
|* A session and its futures belong to the process that made them. In a forked
|* child, which has none of the threads, every call on the session and every
|* wait for a step that was in flight fails (JOBRT_INVALID_ARGUMENT) instead of
|* blocking; destroying them there does nothing. A new session in the child
|* works.
|*
|* Between the call of a job and its completion the runtime allocates no memory,
|* apart from errors, and from room for outputs when more futures are kept than
|* the session has credits.
\*===----------------------------------------------------------------------===*/

typedef struct jobrt_session jobrt_session;
/** The result of one call. */
typedef struct jobrt_future jobrt_future;

/** Start from JOBRT_SESSION_OPTIONS_INIT and change what differs. */
typedef struct jobrt_session_options {
  /** sizeof(jobrt_session_options): tells headers of several versions apart. */
  size_t struct_bytes;
  /** The most threads that compute a step, the one that runs it included; 0
   *  takes the cores that this process may use. Results do not depend on it. */
  int32_t threads;
  /** Steps in flight, at least 1. */
  int32_t credits;
  /** "host", or "null": checks and completes steps but computes nothing. */
  const char *driver;
} jobrt_session_options;

#define JOBRT_SESSION_OPTIONS_INIT {sizeof(jobrt_session_options), 0, 4, "host"}

/** Makes a session with zeroes in its variables. `options` may be NULL for the
 *  defaults. The artifact may be destroyed right afterwards. */
JOBRT_C_API jobrt_status jobrt_session_create(
    const jobrt_artifact *artifact, const jobrt_session_options *options,
    jobrt_session **session, jobrt_error **error);
/** Blocks until the steps in flight, their callbacks, and the steps that those
 *  begin are done; jobrt_session_cancel() makes that short. Inside a callback
 *  of the session it waits for the steps alone: their callbacks follow, and
 *  none of them may use the session any more. */
JOBRT_C_API void jobrt_session_destroy(jobrt_session *session);

/** Borrowed; lives as long as the session. */
JOBRT_C_API const jobrt_artifact *
jobrt_session_artifact(const jobrt_session *session);
/** Fails with JOBRT_INVALID_ARGUMENT unless the artifact has the jobs, inputs,
 *  outputs and variables, by name, shape, type and order, of the one that a
 *  header was written for: `interface` is that header's ..._INTERFACE. */
JOBRT_C_API jobrt_status jobrt_session_check_interface(
    const jobrt_session *session, const char *interface, jobrt_error **error);
/** The number of threads that compute. */
JOBRT_C_API int32_t jobrt_session_threads(const jobrt_session *session);

/** Gives all variables their first values, a function of `seed`. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_initialize(jobrt_session *session,
                                                  int64_t seed,
                                                  jobrt_error **error);

/** Runs one step, on this thread when nothing is in flight, and copies its
 *  outputs to the caller's memory. Blocks. There must be as many `inputs` as
 *  the job has and either as many `outputs` or none (0, NULL); an output whose
 *  `data` is NULL is left out. Everything is checked before the step runs. */
JOBRT_C_API jobrt_status jobrt_session_call(
    jobrt_session *session, const char *entry, const jobrt_view *inputs,
    int32_t num_inputs, const jobrt_buffer *outputs, int32_t num_outputs,
    jobrt_error **error);

/** The same, its outputs left in `*future`. Fails when the arguments do not
 *  fit; what the step itself meets comes from jobrt_future_wait(). Blocks. */
JOBRT_C_API jobrt_status jobrt_session_run(
    jobrt_session *session, const char *entry, const jobrt_view *inputs,
    int32_t num_inputs, jobrt_future **future, jobrt_error **error);

/** Queues one step and returns; inputs are copied before that. Blocks while as
 *  many steps as the session has credits are in flight: called, and not yet
 *  done with the callbacks they had by then. */
JOBRT_C_API jobrt_status jobrt_session_submit(
    jobrt_session *session, const char *entry, const jobrt_view *inputs,
    int32_t num_inputs, jobrt_future **future, jobrt_error **error);

/** Gives up all work that has not begun: steps that are queued complete with
 *  JOBRT_CANCELLED, in order and with their callbacks, without running; the
 *  step that is running is completed. Every later call of a job fails with
 *  JOBRT_CANCELLED. Variables can be read, written and saved as before. Does
 *  not block; jobrt_session_synchronize() waits for the steps and does not
 *  report that they were cancelled. */
JOBRT_C_API void jobrt_session_cancel(jobrt_session *session);

/** Blocks until every step queued so far and its callbacks are done. Gives the
 *  first error since the last call that nobody has seen by waiting for its
 *  future. Fails inside of a callback, which it would wait for. */
JOBRT_C_API jobrt_status jobrt_session_synchronize(jobrt_session *session,
                                                   jobrt_error **error);

/** Copies a variable out, in order with the steps. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_read_variable(jobrt_session *session,
                                                     const char *name,
                                                     jobrt_tensor **tensor,
                                                     jobrt_error **error);
/** Copies `count` variables out, as they were between the same two steps, to
 *  tensors[0] to tensors[count - 1]: all, or none when it fails. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_read_variables(jobrt_session *session,
                                                      const char *const *names,
                                                      int32_t count,
                                                      jobrt_tensor **tensors,
                                                      jobrt_error **error);
/** Copies a value to a variable, in order with the steps. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_write_variable(jobrt_session *session,
                                                      const char *name,
                                                      const jobrt_view *value,
                                                      jobrt_error **error);
/** Writes `count` variables between the same two steps: all, or none when one
 *  does not fit. Blocks. */
JOBRT_C_API jobrt_status jobrt_session_write_variables(jobrt_session *session,
                                                       const char *const *names,
                                                       const jobrt_view *values,
                                                       int32_t count,
                                                       jobrt_error **error);

/** Records the steps from here on for the file `path`, which is made or emptied
 *  now: when each command and chunk ran and on which thread, with the user's op
 *  and line (docs/tracing.md). The newest `steps` steps are kept. One trace at
 * a time. Blocks until the steps queued so far are done. */
JOBRT_C_API jobrt_status jobrt_session_start_trace(jobrt_session *session,
                                                   const char *path,
                                                   int64_t steps,
                                                   jobrt_error **error);
/** Writes the trace's file, once the steps queued so far are done. Fails when
 * no trace is on. A trace that is on when the session ends is written then.
 *  Blocks. */
JOBRT_C_API jobrt_status jobrt_session_finish_trace(jobrt_session *session,
                                                    jobrt_error **error);

/** Bytes of a session by kind; nothing is left out. */
typedef struct jobrt_memory_report {
  int64_t arena, bank, staging, workspace, constants, total;
} jobrt_memory_report;

/** All members 0 for NULL. */
JOBRT_C_API jobrt_memory_report
jobrt_session_memory(const jobrt_session *session);

/** Heap allocations between submit and completion of the last step. */
typedef struct jobrt_allocation_report {
  int64_t ours;    /**< by the runtime itself: 0 */
  int64_t library; /**< inside library calls */
} jobrt_allocation_report;

/** -1 in both members when nobody counts, and for NULL. */
JOBRT_C_API jobrt_allocation_report
jobrt_session_last_allocations(const jobrt_session *session);
/** Returns how many heap allocations the calling thread has made so far. */
typedef int64_t (*jobrt_allocation_source)(void);
/** Installs, or with NULL removes, the counter for the whole process. Only who
 *  replaces malloc can count. */
JOBRT_C_API void jobrt_set_allocation_source(jobrt_allocation_source source);

/*===----------------------------------------------------------------------===*\
|* Futures
|*
|* A future holds the outputs of its step, not a credit: any number may be kept,
|* also after the session is gone.
\*===----------------------------------------------------------------------===*/

/** Blocks until the step is done; its status: JOBRT_CANCELLED when the
 *  session was cancelled before the step ran. */
JOBRT_C_API jobrt_status jobrt_future_wait(const jobrt_future *future,
                                           jobrt_error **error);
/** 1 when the step is done, else 0. */
JOBRT_C_API int32_t jobrt_future_done(const jobrt_future *future);
/** The job that was called. */
JOBRT_C_API const jobrt_entry *jobrt_future_entry(const jobrt_future *future);
JOBRT_C_API int32_t jobrt_future_num_outputs(const jobrt_future *future);
/** An output, once the step is done. `*output` is valid until the last handle
 *  of this call is destroyed. Fails while the step is not done, or with what
 *  the step failed with. */
JOBRT_C_API jobrt_status jobrt_future_output(const jobrt_future *future,
                                             int32_t index, jobrt_view *output,
                                             jobrt_error **error);
/** `future` is borrowed for the length of the call; jobrt_future_copy() keeps
 *  it. */
typedef void (*jobrt_callback)(const jobrt_future *future, void *user_data);
/** Calls `callback` once when the step is done, failed or not. Callbacks of a
 *  session run one at a time, in the order of the steps, on the session's
 *  callback thread; when the step is done already and no callback is waiting or
 *  running, at once on this thread. A C++ exception that leaves the callback is
 *  reported by jobrt_session_synchronize(). The callback may destroy the
 *  session and the future. In a forked child it is called at once, and
 *  jobrt_future_wait() tells whether the step was done. */
JOBRT_C_API jobrt_status jobrt_future_on_done(const jobrt_future *future,
                                              jobrt_callback callback,
                                              void *user_data,
                                              jobrt_error **error);
/** A second handle of the same call. */
JOBRT_C_API jobrt_status jobrt_future_copy(const jobrt_future *future,
                                           jobrt_future **copy,
                                           jobrt_error **error);
/** Lets go of the outputs. Does not wait for the step. */
JOBRT_C_API void jobrt_future_destroy(jobrt_future *future);

/*===----------------------------------------------------------------------===*\
|* Checkpoints
\*===----------------------------------------------------------------------===*/

typedef int32_t jobrt_checkpoint_layout;
enum {
  JOBRT_CHECKPOINT_NATIVE = 0, /**< one safetensors file and a manifest */
  JOBRT_CHECKPOINT_LEGACY = 1  /**< a folder a variable with its raw bytes */
};

/** What to do about a checkpoint that is at the path already. */
typedef int32_t jobrt_existing_checkpoint;
enum {
  JOBRT_EXISTING_REFUSE = 0, /**< JOBRT_ALREADY_EXISTS */
  /** Exchanged for the new one in one step; anything but a checkpoint is
   *  refused all the same. */
  JOBRT_EXISTING_REPLACE = 1
};

/** Writes all variables, after the steps queued so far. The folder `path` must
 *  not exist or be empty, or be a checkpoint to replace; it is renamed to, so
 *  it cannot be a mount point or the working directory. Killed at any moment,
 *  it leaves the old state or the new one. Blocks. */
JOBRT_C_API jobrt_status jobrt_save_checkpoint(
    jobrt_session *session, const char *path, jobrt_checkpoint_layout layout,
    jobrt_existing_checkpoint existing, jobrt_error **error);
/** Reads all variables, of either layout: all, or none when one is missing or
 *  does not fit. Blocks. */
JOBRT_C_API jobrt_status jobrt_load_checkpoint(jobrt_session *session,
                                               const char *path,
                                               jobrt_error **error);

#ifdef __cplusplus
}
#endif

#endif /* JOBRT_C_API_H */
