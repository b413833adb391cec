"""A model of the benchmark on JAX, one jitted step with donated state:
MODEL THREADS OPTIONS.

OPTIONS is JSON: `layout`, "nchw" or "nhwc"; `device` ("cpu" or "cuda"), `precision`
("f32", "tf32" or "bf16") and `shape`, the batch and the shape of an input. The
number of threads is that of the processors that the process may use.
"""

import functools
import json
import sys

import jax
import jax.numpy as jnp

import models_jax
import worker


def main():
    model = sys.argv[1]
    options = json.loads(sys.argv[3])
    device, precision = options.get("device", "cpu"), options.get("precision", "f32")
    jax.config.update("jax_platforms", device)
    if device == "cuda":
        products = {"f32": "highest", "tf32": "tensorfloat32", "bf16": "default"}
        jax.config.update("jax_default_matmul_precision", products[precision])
    worker.use_shape(model, options)
    data = worker.batches(model, options["layout"])

    def make_step():
        init, apply = models_jax.build(
            model,
            options["layout"],
            jnp.bfloat16 if precision == "bf16" else jnp.float32,
            attention="cudnn" if (device, precision) == ("cuda", "bf16") else None,
        )
        parameters, averages = init(jax.random.key(1))
        make_state, update = models_jax.optimizer(model)

        def loss_of(parameters, averages, inputs, labels, key):
            logits, averages = apply(parameters, averages, inputs, key)
            logits = logits.astype(jnp.float32)
            picked = jnp.take_along_axis(logits, labels.reshape(-1, 1), 1)
            # Faster than picking from a log_softmax.
            losses = jax.nn.logsumexp(logits, axis=1, keepdims=True) - picked
            return losses.mean(), averages

        @functools.partial(jax.jit, donate_argnums=0)
        def train(everything, inputs, labels):
            parameters, averages, state, count = everything
            key = jax.random.fold_in(jax.random.key(0), count)
            (loss, averages), gradients = jax.value_and_grad(loss_of, has_aux=True)(
                parameters, averages, inputs, labels, key
            )
            count = count + 1
            parameters, state = update(parameters, gradients, state, count)
            return (parameters, averages, state, count), loss

        everything = (
            parameters,
            averages,
            make_state(parameters),
            jnp.zeros((), jnp.int32),
        )

        def step(inputs, labels):
            nonlocal everything
            everything, loss = train(everything, inputs, labels)
            return float(loss)

        return worker.training(data, step)

    worker.serve({"version": f"JAX {jax.__version__}"}, make_step)


if __name__ == "__main__":
    main()
