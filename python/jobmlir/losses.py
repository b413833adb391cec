"""Marking losses."""

from jobmlir._src.losses import add_loss as add_loss
