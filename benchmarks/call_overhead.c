/*===- call_overhead.c - The time of a blocking call from C ---------------===*\
|*
|* call_overhead ARTIFACT ENTRY [CALLS]: calls a job with one input and one
|* output again and again and prints the median time of a call, and the least,
|* in nanoseconds. benchmarks/call_overhead.py makes the artifact and runs this.
|*
\*===----------------------------------------------------------------------===*/

#define _POSIX_C_SOURCE 199309L

#include "jobrt/c_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Calls that are timed together: reading the clock takes time as well. */
enum { BATCH = 100 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static int fail(const jobrt_error *error) {
  fprintf(stderr, "call_overhead: %s\n", jobrt_error_message(error));
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: call_overhead ARTIFACT ENTRY [CALLS]\n");
    return 2;
  }
  int batches = (argc > 3 ? atoi(argv[3]) : 100000) / BATCH;
  jobrt_artifact *artifact = NULL;
  jobrt_session *session = NULL;
  jobrt_error *error = NULL;
  if (jobrt_artifact_load(argv[1], &artifact, &error) != JOBRT_OK ||
      jobrt_session_create(artifact, NULL, &session, &error) != JOBRT_OK ||
      jobrt_session_initialize(session, 1, &error) != JOBRT_OK)
    return fail(error);
  const jobrt_entry *entry = jobrt_artifact_find_entry(artifact, argv[2]);
  const jobrt_port *in = jobrt_entry_input(entry, 0);
  const jobrt_port *out = jobrt_entry_output(entry, 0);
  if (!in || !out) {
    fprintf(stderr, "call_overhead: expects a job with input and output\n");
    return 1;
  }
  void *from = calloc(1, (size_t)jobrt_port_bytes(in));
  void *to = calloc(1, (size_t)jobrt_port_bytes(out));
  double *times = calloc((size_t)batches, sizeof(double));
  jobrt_view input = {jobrt_port_dtype(in), jobrt_port_rank(in),
                      jobrt_port_shape(in), from};
  jobrt_buffer output = {jobrt_port_dtype(out), jobrt_port_rank(out),
                         jobrt_port_shape(out), to};
  for (int batch = 0; batch < batches; ++batch) {
    double start = now();
    for (int i = 0; i < BATCH; ++i)
      if (jobrt_session_call(session, argv[2], &input, 1, &output, 1, &error) !=
          JOBRT_OK)
        return fail(error);
    times[batch] = (now() - start) / BATCH;
  }
  qsort(times, (size_t)batches, sizeof(double), compare);
  printf("%.0f %.0f\n", times[batches / 2], times[0]);
  free(times);
  free(to);
  free(from);
  jobrt_session_destroy(session);
  jobrt_artifact_destroy(artifact);
  return 0;
}
