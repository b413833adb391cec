"""Placement and namespaces of ops."""

from jobmlir._src import names as _names
from jobmlir._src.scopes import consistent_view as consistent_view
from jobmlir._src.scopes import consistent_view_enabled as consistent_view_enabled
from jobmlir._src.scopes import mirrored_view as mirrored_view
from jobmlir._src.scopes import mirrored_view_enabled as mirrored_view_enabled
from jobmlir._src.scopes import namespace as namespace
from jobmlir._src.scopes import placement as placement

_names.report_unknown(__name__)
