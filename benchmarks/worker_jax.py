"""The benchmark's small models on JAX, one jitted step with donated state."""

import functools
import os
import sys

os.environ.setdefault(
    "XLA_FLAGS",
    f"--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads={sys.argv[2]}")

import jax
import jax.numpy as jnp
import numpy as np

import worker


def dense(key, inputs, units):
    return {"w": 0.1 * jax.random.truncated_normal(key, -2, 2, (units, inputs)),
            "b": jnp.zeros(units)}


def conv(key, inputs, filters):
    return {"w": 0.1 * jax.random.truncated_normal(
                key, -2, 2, (filters, inputs, 5, 5)),
            "b": jnp.zeros(filters)}


def apply_conv(p, x):
    y = jax.lax.conv_general_dilated(x, p["w"], (1, 1), "SAME")
    y = jax.nn.relu(y + p["b"][None, :, None, None])
    return jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 1, 2, 2),
                                 (1, 1, 2, 2), "VALID")


def logits(name, params, images, key):
    x = images
    if name == "lenet":
        x = apply_conv(params["conv1"], x)
        x = apply_conv(params["conv2"], x)
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ params["hidden"]["w"].T + params["hidden"]["b"])
    if name == "lenet":
        x = jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x * 2, 0)
    return x @ params["output"]["w"].T + params["output"]["b"]


def main():
    name = sys.argv[1]
    keys = jax.random.split(jax.random.key(1), 4)
    params = {"hidden": dense(keys[0], 784 if name == "mlp" else 3136, 512),
              "output": dense(keys[1], 512, 10)}
    if name == "lenet":
        params["conv1"] = conv(keys[2], 1, 32)
        params["conv2"] = conv(keys[3], 32, 64)

    def loss_of(params, images, labels, key):
        scores = jax.nn.log_softmax(logits(name, params, images, key))
        return -jnp.take_along_axis(scores, labels[:, None], 1).mean()

    @functools.partial(jax.jit, donate_argnums=0)
    def train(state, images, labels):
        params, m, v, count = state
        key = jax.random.fold_in(jax.random.key(0), count)
        loss, grads = jax.value_and_grad(loss_of)(params, images, labels, key)
        count = count + 1
        if name == "mlp":
            params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
            return (params, m, v, count), loss
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
        rate = (0.001 * jnp.sqrt(1 - 0.999 ** count) / (1 - 0.9 ** count))
        params = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, m, v)
        return (params, m, v, count), loss

    zeros = lambda: jax.tree.map(jnp.zeros_like, params)
    moments = (zeros(), zeros()) if name == "lenet" else ({}, {})
    state = [(params, *moments, jnp.zeros((), jnp.int32))]

    def step(images, labels):
        state[0], loss = train(state[0], images, labels)
        return float(np.asarray(loss))

    worker.serve(name, {"version": jax.__version__}, lambda: step)


if __name__ == "__main__":
    main()
