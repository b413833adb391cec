"""Functions with newer names, and some without an effect."""

from jobmlir._src import names as _names
from jobmlir._src.environment import delete_worker as delete_worker
from jobmlir._src.environment import init_worker as init_worker
from jobmlir._src.scopes import variable_scope as variable_scope

_names.report_unknown(__name__)
