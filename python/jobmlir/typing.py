"""Annotations of job functions: `import jobmlir.typing as tp`."""

from jobmlir._src import names as _names
from jobmlir._src.annotations import Bundle as Bundle
from jobmlir._src.annotations import Callback as Callback
from jobmlir._src.annotations import ListListNumpy as ListListNumpy
from jobmlir._src.annotations import ListNumpy as ListNumpy
from jobmlir._src.annotations import Numpy as Numpy

_names.report_unknown(__name__)
