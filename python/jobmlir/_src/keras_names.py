"""The activations under the names that the first scripts have for them."""

from . import math_ops
from .deprecation import old_name
from .names import Group


class _Activations(Group):
    relu = staticmethod(old_name("keras.activations.relu", math_ops.relu, "math.relu"))
    sigmoid = staticmethod(
        old_name("keras.activations.sigmoid", math_ops.sigmoid, "math.sigmoid")
    )
    tanh = staticmethod(old_name("keras.activations.tanh", math_ops.tanh, "math.tanh"))


class _Keras(Group):
    activations = _Activations("keras.activations")


keras = _Keras("keras")
