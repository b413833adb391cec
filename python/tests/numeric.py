"""Values and gradients of functions of blobs, against NumPy references."""

import numpy as np

import jobmlir as flow
import jobmlir.typing as tp

# Of central differences in float64.
_STEP = 1e-5


def random(shape, seed=0, low=-2.0, high=2.0, dtype=np.float64):
    """Numbers away from 0, where many functions have a kink."""
    x = np.random.default_rng(seed).uniform(low, high, shape)
    return np.where(np.abs(x) < 0.05, 0.25, x).astype(dtype)


def evaluate(function, *arrays, kind="predict"):
    """The arrays of what `function` makes of blobs with these values."""
    flow.clear_default_session()
    specs = {
        f"a{i}": tp.Numpy.Placeholder(a.shape, dtype=dtype_of(a))
        for i, a in enumerate(arrays)
    }

    def job(*blobs):
        results = function(*blobs)
        if kind == "train":
            w = flow.get_variable("w", (1,), initializer=flow.ones_initializer())
            sgd().minimize(w * 1.0)
        return results

    results = named(job, specs, kind)(*arrays).get()
    if isinstance(results, (list, tuple)):
        return type(results)(one.numpy() for one in results)
    return results.numpy()


def dtype_of(array):
    """The dtype of the API for that of an array."""
    return getattr(flow, array.dtype.name)


def sgd(rate=1.0):
    return flow.optimizer.SGD(
        flow.optimizer.PiecewiseConstantScheduler([], [rate]), momentum=0
    )


def named(body, specs, kind):
    """`body` as a job function with one annotated parameter per spec."""
    names = ", ".join(specs)
    scope = {"body": body}
    exec(f"def job({names}):\n    return body({names})", scope)
    job = scope["job"]
    job.__annotations__ = dict(specs)
    return flow.global_function(type=kind)(job)


def gradients(function, weights, *arrays):
    """The gradients of the sum of `weights` times the result of `function`."""
    flow.clear_default_session()

    @flow.global_function(type="train")
    def job() -> tp.Numpy:
        blobs = [
            flow.get_variable(f"v{i}", a.shape, dtype_of(a), flow.zeros_initializer())
            for i, a in enumerate(arrays)
        ]
        result = function(*blobs)
        factors = [
            flow.get_variable(
                "factors",
                weights.shape,
                result.dtype,
                flow.zeros_initializer(),
                trainable=False,
            )
        ]
        loss = flow.math.reduce_sum(result * factors[0])
        sgd().minimize(loss)
        return loss

    values = {f"v{i}": a for i, a in enumerate(arrays)}
    flow.load_variables({**values, "factors": weights})
    job()
    after = flow.get_all_variables()
    return [a - after[name].numpy() for name, a in values.items()]


def differences(reference, weights, *arrays):
    """The same by central differences of a function of arrays."""
    out = []
    for i, array in enumerate(arrays):
        slope = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            sums = []
            for step in (_STEP, -_STEP):
                moved = [a.copy() for a in arrays]
                moved[i][place] += step
                sums.append((np.asarray(reference(*moved)) * weights).sum())
            slope[place] = (sums[0] - sums[1]) / (2 * _STEP)
        out.append(slope)
    return out


def check(function, reference, *arrays, gradient=True, tolerance=1e-12):
    """Compares values in the type of the arrays and, of float64, the gradients with
    respect to all of them."""
    expected = np.asarray(reference(*arrays))
    result = evaluate(function, *arrays)
    assert result.shape == expected.shape, (result.shape, expected.shape)
    np.testing.assert_allclose(
        result, expected, tolerance, tolerance * max(1, np.abs(expected).max())
    )
    if gradient:
        weights = random(expected.shape, seed=9)
        found = gradients(function, weights, *arrays)
        wanted = differences(reference, weights, *arrays)
        for one, other in zip(found, wanted):
            np.testing.assert_allclose(one, other, 1e-6, 1e-6)
