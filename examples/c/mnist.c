/*===- mnist.c - MNIST or Fashion-MNIST for the examples ------------------===*/

#include "mnist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where Debian's package dataset-fashion-mnist puts its files. */
#define DEFAULT_FOLDER "/usr/share/datasets/fashion-mnist"

static void usage(const char *program) {
  fprintf(stderr,
          "usage: %s artifact.so [--steps N] [--threads N] [--data FOLDER] "
          "[--losses FILE.npy] [--save FOLDER]\n",
          program);
  exit(2);
}

static int64_t parse_count(const char *program, const char *text) {
  char *end;
  long long value = strtoll(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 1 || value > INT32_MAX)
    usage(program);
  return value;
}

options parse_options(int argc, char **argv) {
  options options = {NULL, DEFAULT_FOLDER, NULL, NULL, 0, 0};
  int i;
  if (argc < 2)
    usage(argv[0]);
  options.artifact = argv[1];
  for (i = 2; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--steps") == 0)
      options.steps = parse_count(argv[0], value);
    else if (strcmp(argv[i], "--threads") == 0)
      options.threads = (int32_t)parse_count(argv[0], value);
    else if (strcmp(argv[i], "--data") == 0)
      options.data = value;
    else if (strcmp(argv[i], "--losses") == 0)
      options.losses = value;
    else if (strcmp(argv[i], "--save") == 0)
      options.save = value;
    else
      usage(argv[0]);
  }
  if (i != argc)
    usage(argv[0]);
  return options;
}

void check(jobrt_error *error) {
  if (!error)
    return;
  const char *location = jobrt_error_location(error);
  fprintf(stderr, "error: %s%s%s\n", location, *location ? ": " : "",
          jobrt_error_message(error));
  jobrt_error_destroy(error);
  exit(1);
}

jobrt_session *open_session(const options *options) {
  jobrt_artifact *artifact = NULL;
  jobrt_session *session = NULL;
  jobrt_session_options settings = JOBRT_SESSION_OPTIONS_INIT;
  jobrt_error *error = NULL;
  settings.threads = options->threads;
  jobrt_artifact_load(options->artifact, &artifact, &error);
  check(error);
  jobrt_session_create(artifact, &settings, &session, &error);
  check(error);
  jobrt_artifact_destroy(artifact);
  return session;
}

/* Reads folder/part-rest, or the same with ".gz". */
static jobrt_tensor *read_part(const char *folder, const char *part,
                               const char *rest) {
  char path[4096];
  jobrt_tensor *tensor = NULL;
  jobrt_error *error = NULL;
  snprintf(path, sizeof(path), "%s/%s-%s", folder, part, rest);
  if (jobrt_read_idx(path, &tensor, &error) == JOBRT_NOT_FOUND) {
    jobrt_error_destroy(error);
    error = NULL;
    strncat(path, ".gz", sizeof(path) - strlen(path) - 1);
    jobrt_read_idx(path, &tensor, &error);
  }
  check(error);
  return tensor;
}

mnist mnist_load(const char *folder, const char *part, int64_t pixels) {
  jobrt_tensor *image_bytes = read_part(folder, part, "images-idx3-ubyte");
  jobrt_tensor *label_bytes = read_part(folder, part, "labels-idx1-ubyte");
  jobrt_view images = jobrt_tensor_view(image_bytes);
  jobrt_view labels = jobrt_tensor_view(label_bytes);
  const unsigned char *image_data = images.data, *label_data = labels.data;
  jobrt_error *error = NULL;
  mnist data = {0, 0, NULL, NULL, NULL, NULL};
  float *image_values;
  int32_t *label_values;
  int64_t i;

  if (images.rank != 3 || labels.rank != 1 ||
      images.shape[0] != labels.shape[0] ||
      images.shape[1] * images.shape[2] != pixels) {
    fprintf(stderr, "error: expects images of %lld bytes and as many labels\n",
            (long long)pixels);
    exit(1);
  }
  data.count = labels.shape[0];
  data.pixels = pixels;
  jobrt_tensor_create(JOBRT_F32, 3, images.shape, &data.image_tensor, &error);
  check(error);
  jobrt_tensor_create(JOBRT_I32, 1, labels.shape, &data.label_tensor, &error);
  check(error);
  image_values = jobrt_tensor_data(data.image_tensor);
  label_values = jobrt_tensor_data(data.label_tensor);
  for (i = 0; i < data.count * pixels; ++i)
    image_values[i] = (float)image_data[i] / 255.0f;
  for (i = 0; i < data.count; ++i)
    label_values[i] = label_data[i];
  jobrt_tensor_destroy(image_bytes);
  jobrt_tensor_destroy(label_bytes);
  data.images = image_values;
  data.labels = label_values;
  return data;
}

void mnist_destroy(mnist *data) {
  jobrt_tensor_destroy(data->image_tensor);
  jobrt_tensor_destroy(data->label_tensor);
}

int64_t count_steps(const options *options, const mnist *data, int64_t batch) {
  int64_t all = data->count / batch;
  return options->steps != 0 && options->steps < all ? options->steps : all;
}

void write_losses(const options *options, const jobrt_tensor *losses) {
  jobrt_view view = jobrt_tensor_view(losses);
  jobrt_error *error = NULL;
  if (!options->losses)
    return;
  jobrt_write_npy(options->losses, &view, &error);
  check(error);
}

double mean(const float *values, int64_t count) {
  double sum = 0;
  int64_t i;
  for (i = 0; i < count; ++i)
    sum += values[i];
  return sum / (double)count;
}
