"""The activations under the names that the first scripts have for them."""

from . import math_ops
from .deprecation import old_name
from .names import Group

keras = Group(
    "keras",
    activations=Group(
        "keras.activations",
        **{
            name: old_name(
                f"keras.activations.{name}", getattr(math_ops, name), f"math.{name}"
            )
            for name in ("relu", "sigmoid", "tanh")
        },
    ),
)
