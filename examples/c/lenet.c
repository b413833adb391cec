/*===- lenet.c - Trains LeNet and counts what it gets right ---------------===*\
|*
|* Keeps several steps in flight: a callback takes the losses while the next
|* steps are queued.
|*
|*   job-compile ../lenet.mlir -o lenet.so --emit-header=lenet.h
|*   cc lenet.c mnist.c $(pkg-config --cflags --libs jobrt) -o lenet
|*   ./lenet lenet.so --save checkpoint
|*
\*===----------------------------------------------------------------------===*/

#include "mnist.h"

/* Written by job-compile. */
#include "lenet.h"

#include <stdio.h>
#include <string.h>

#define BATCH LENET_TRAIN_INPUT_LABELS_ELEMENTS
#define PIXELS (LENET_TRAIN_INPUT_IMAGES_ELEMENTS / BATCH)
#define CLASSES (LENET_EVAL_OUTPUT_LOGITS_ELEMENTS / BATCH)

/* What the callback has to know of a run. */
typedef struct run {
  float *next; /* where the next step's losses go */
  int64_t step;
} run;

/* Called in the order of the steps, one at a time. */
static void on_loss(const jobrt_future *future, void *user_data) {
  run *run = user_data;
  jobrt_view loss;
  jobrt_error *error = NULL;
  jobrt_future_output(future, LENET_TRAIN_OUTPUT_LOSS_INDEX, &loss, &error);
  check(error);
  memcpy(run->next, loss.data, LENET_TRAIN_OUTPUT_LOSS_BYTES);
  printf("step %lld: loss %.9g\n", (long long)run->step++,
         mean(run->next, BATCH));
  run->next += BATCH;
}

static void train(jobrt_session *session, const options *options) {
  mnist data = mnist_load(options->data, "train", PIXELS);
  int64_t steps = count_steps(options, &data, BATCH), step;
  int64_t shape[2];
  jobrt_tensor *losses = NULL;
  jobrt_future *future = NULL;
  jobrt_error *error = NULL;
  run run = {NULL, 0};

  shape[0] = steps;
  shape[1] = BATCH;
  jobrt_tensor_create(JOBRT_F32, 2, shape, &losses, &error);
  check(error);
  run.next = jobrt_tensor_data(losses);
  for (step = 0; step < steps; ++step) {
    lenet_train_submit(session, data.images + step * BATCH * PIXELS,
                       data.labels + step * BATCH, &future, &error);
    check(error);
    jobrt_future_on_done(future, on_loss, &run, &error);
    check(error);
    jobrt_future_destroy(future);
  }
  jobrt_session_synchronize(session, &error);
  check(error);
  write_losses(options, losses);
  jobrt_tensor_destroy(losses);
  mnist_destroy(&data);
}

static int64_t count_right(const float *logits, const int32_t *labels) {
  int64_t right = 0, image, c;
  for (image = 0; image < BATCH; ++image, logits += CLASSES) {
    int64_t best = 0;
    for (c = 1; c < CLASSES; ++c)
      if (logits[c] > logits[best])
        best = c;
    right += best == labels[image];
  }
  return right;
}

static void evaluate(jobrt_session *session, const options *options) {
  static float logits[LENET_EVAL_OUTPUT_LOGITS_ELEMENTS];
  mnist data = mnist_load(options->data, "t10k", PIXELS);
  int64_t steps = count_steps(options, &data, BATCH), step, right = 0;
  jobrt_error *error = NULL;
  for (step = 0; step < steps; ++step) {
    lenet_eval(session, data.images + step * BATCH * PIXELS, logits, &error);
    check(error);
    right += count_right(logits, data.labels + step * BATCH);
  }
  printf("test accuracy: %.3f\n", (double)right / (double)(steps * BATCH));
  mnist_destroy(&data);
}

int main(int argc, char **argv) {
  const options options = parse_options(argc, argv);
  jobrt_session *session = open_session(&options);
  jobrt_error *error = NULL;

  printf("memory: %lld bytes\n", (long long)LENET_MEMORY_BYTES(4));
  jobrt_session_initialize(session, 1, &error);
  check(error);
  train(session, &options);
  if (options.save) {
    jobrt_save_checkpoint(session, options.save, JOBRT_CHECKPOINT_NATIVE,
                          JOBRT_EXISTING_REFUSE, &error);
    check(error);
  }
  evaluate(session, &options);
  jobrt_session_destroy(session);
  return 0;
}
