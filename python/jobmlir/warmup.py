"""Warm-ups of learning rates."""

from jobmlir._src.schedules import linear_warmup as linear
