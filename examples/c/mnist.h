/*===- mnist.h - MNIST or Fashion-MNIST for the examples ------------------===*/

#ifndef MNIST_H
#define MNIST_H

#include "jobrt/c_api.h"

/** The command line of an example. */
typedef struct options {
  const char *artifact; /**< the file to run */
  const char *data;     /**< folder of the IDX files, gzipped or not */
  const char *losses;   /**< .npy file for all losses, or NULL */
  const char *save;     /**< new folder for a checkpoint, or NULL */
  int64_t steps;        /**< 0 takes the whole data set once */
  int32_t threads;      /**< 0 takes all cores */
} options;

/** Images in [0, 1] and their classes. */
typedef struct mnist {
  int64_t count;
  int64_t pixels; /**< of an image */
  jobrt_tensor *image_tensor, *label_tensor;
  const float *images;   /**< count x pixels */
  const int32_t *labels; /**< count */
} mnist;

/** Reads the command line; ends the program when it is wrong. */
options parse_options(int argc, char **argv);

/** Loads the artifact and makes a session on it. */
jobrt_session *open_session(const options *options);

/** Ends the program with the error's text, unless it is NULL. */
void check(jobrt_error *error);

/** Reads a part, "train" or "t10k"; images of `pixels` bytes each. Ends the
 *  program when a file is missing or is not what it should be. */
mnist mnist_load(const char *folder, const char *part, int64_t pixels);

void mnist_destroy(mnist *data);

/** How many steps to run: what the options say, at most one pass. */
int64_t count_steps(const options *options, const mnist *data, int64_t batch);

/** Writes the losses of all steps, one row each, when the options say where. */
void write_losses(const options *options, const jobrt_tensor *losses);

/** The mean of `count` values, summed in double. */
double mean(const float *values, int64_t count);

#endif /* MNIST_H */
