"""Boxes and polygons of objects in images; not in this version."""

from jobmlir._src import names as _names

__getattr__ = _names.getter(__name__)
