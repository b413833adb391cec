"""A multi-layer perceptron on Fashion-MNIST: the whole program."""

import jobmlir as flow
import jobmlir.typing as tp

BATCH = 100


@flow.global_function(type="train")
def train_job(
    images: tp.Numpy.Placeholder((BATCH, 1, 28, 28)),
    labels: tp.Numpy.Placeholder((BATCH,), dtype=flow.int32),
) -> tp.Numpy:
    x = flow.reshape(images, [BATCH, -1])
    init = flow.truncated_normal(0.1)
    x = flow.layers.dense(x, 512, activation=flow.nn.relu, kernel_initializer=init)
    logits = flow.layers.dense(x, 10, kernel_initializer=init)
    loss = flow.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
    flow.optimizer.SGD(rate, momentum=0).minimize(loss)
    return loss


(images, labels), _ = flow.data.load_mnist(BATCH)
for i, batch in enumerate(zip(images, labels)):
    loss = train_job(*batch)
    if i % 100 == 0:
        print(f"step {i}: loss {loss.mean():.4f}")
