"""The benchmark's models on JobMLIR."""

import sys

import jobmlir as flow
import jobmlir.typing as tp

import worker

BATCH = worker.BATCH


def mlp(images):
    initializer = flow.truncated_normal(0.1)
    x = flow.reshape(images, [images.shape[0], -1])
    x = flow.layers.dense(x, 512, activation=flow.nn.relu,
                          kernel_initializer=initializer, name="hidden")
    return flow.layers.dense(x, 10, kernel_initializer=initializer,
                             name="output")


def lenet(images):
    initializer = flow.truncated_normal(0.1)
    x = flow.layers.conv2d(images, 32, 5, padding="SAME",
                           activation=flow.nn.relu,
                           kernel_initializer=initializer, name="conv1")
    x = flow.nn.max_pool2d(x, 2, 2, padding="SAME", name="pool1")
    x = flow.layers.conv2d(x, 64, 5, padding="SAME", activation=flow.nn.relu,
                           kernel_initializer=initializer, name="conv2")
    x = flow.nn.max_pool2d(x, 2, 2, padding="SAME", name="pool2")
    x = flow.reshape(x, [x.shape[0], -1])
    x = flow.layers.dense(x, 512, activation=flow.nn.relu,
                          kernel_initializer=initializer, name="hidden")
    x = flow.nn.dropout(x, rate=0.5)
    return flow.layers.dense(x, 10, kernel_initializer=initializer,
                             name="output")


def main():
    model = {"mlp": mlp, "lenet": lenet}[sys.argv[1]]
    threads = int(sys.argv[2])
    flow.config.compute_thread_pool_size(threads)

    @flow.global_function(type="train")
    def train(images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
              labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32)
              ) -> tp.Numpy:
        loss = flow.nn.sparse_softmax_cross_entropy_with_logits(
            labels, model(images))
        if model is mlp:
            schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
            flow.optimizer.SGD(schedule, momentum=0).minimize(loss)
        else:
            schedule = flow.optimizer.PiecewiseConstantScheduler([], [0.001])
            flow.optimizer.Adam(schedule, do_bias_correction=True
                                ).minimize(loss)
        return loss

    worker.serve({"version": flow.__version__},
                 lambda images, labels: float(train(images, labels).mean()))


if __name__ == "__main__":
    main()
