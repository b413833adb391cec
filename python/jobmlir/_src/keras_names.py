"""The activations under the names that the first scripts have for them."""

import types

from . import math_ops
from .deprecation import old_name

keras = types.SimpleNamespace(
    activations=types.SimpleNamespace(
        **{
            name: old_name(
                f"keras.activations.{name}", getattr(math_ops, name), f"math.{name}"
            )
            for name in ("relu", "sigmoid", "tanh")
        }
    )
)
