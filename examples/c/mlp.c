/*===- mlp.c - Trains a multi-layer perceptron ----------------------------===*\
|*
|*   job-compile ../mlp.mlir -o mlp.so --emit-header=mlp.h
|*   cc mlp.c mnist.c $(pkg-config --cflags --libs jobrt) -o mlp
|*   ./mlp mlp.so --steps 10
|*
\*===----------------------------------------------------------------------===*/

#include "mnist.h"

/* Written by job-compile. */
#include "mlp.h"

#include <stdio.h>

#define BATCH MLP_TRAIN_INPUT_LABELS_ELEMENTS
#define PIXELS (MLP_TRAIN_INPUT_IMAGES_ELEMENTS / BATCH)

int main(int argc, char **argv) {
  const options options = parse_options(argc, argv);
  jobrt_session *session = open_session(&options);
  mnist data = mnist_load(options.data, "train", PIXELS);
  int64_t steps = count_steps(&options, &data, BATCH), step;
  int64_t shape[2];
  jobrt_tensor *losses = NULL;
  jobrt_error *error = NULL;
  float *loss;

  printf("memory: %lld bytes\n", (long long)MLP_MEMORY_BYTES(4));
  shape[0] = steps;
  shape[1] = BATCH;
  jobrt_tensor_create(JOBRT_F32, 2, shape, &losses, &error);
  check(error);
  jobrt_session_initialize(session, 1, &error);
  check(error);

  loss = jobrt_tensor_data(losses);
  for (step = 0; step < steps; ++step, loss += BATCH) {
    mlp_train(session, data.images + step * BATCH * PIXELS,
              data.labels + step * BATCH, loss, &error);
    check(error);
    printf("step %lld: loss %.9g\n", (long long)step, mean(loss, BATCH));
  }
  write_losses(&options, losses);
  if (options.save) {
    jobrt_save_checkpoint(session, options.save, JOBRT_CHECKPOINT_NATIVE,
                          JOBRT_EXISTING_REFUSE, &error);
    check(error);
  }

  jobrt_tensor_destroy(losses);
  mnist_destroy(&data);
  jobrt_session_destroy(session);
  return 0;
}
