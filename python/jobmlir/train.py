"""Checkpoints."""

from jobmlir._src.checkpoint import CheckPoint as CheckPoint
