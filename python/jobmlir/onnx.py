"""Jobs as models of ONNX."""

from jobmlir._src import names as _names
from jobmlir._src.onnx_export import export as export

_names.report_unknown(__name__)
