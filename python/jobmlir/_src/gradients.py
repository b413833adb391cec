"""Where gradients flow."""

from .trace import begin


def stop_gradient(x, name=None):
    """The blob x itself, which no gradient flows to: what x is computed from is not
    trained by what depends on the result.

    x: a blob of any shape and element type. The gradient is 0."""
    op = begin("stop_gradient", name, "StopGradient")
    x = op.blob(x, "x")
    if not x.dtype.is_float():
        return x  # Has no gradient.
    out = op("stop_gradient", x)
    # Nothing that looks for trained variables goes past it.
    out._operands = ()
    return out
