"""Boxes and polygons of objects in images; not in this version."""

from jobmlir._src import names as _names

_names.report_unknown(__name__)
