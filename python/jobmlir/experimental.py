"""Functions that OneFlow had here."""

from jobmlir._src import names as _names
from jobmlir._src.assign_ops import logical_slice as logical_slice
from jobmlir._src.assign_ops import logical_slice_assign as logical_slice_assign
from jobmlir._src.dynamic_ops import dynamic_binary_concat as dynamic_binary_concat
from jobmlir._src.dynamic_ops import dynamic_binary_split as dynamic_binary_split
from jobmlir._src.interface_blobs import (
    get_interface_blob_value as get_interface_blob_value,
)
from jobmlir._src.interface_blobs import (
    set_interface_blob_value as set_interface_blob_value,
)
from jobmlir._src.scopes import name_scope as name_scope
from jobmlir._src.sum_ops import square_sum as square_sum
from jobmlir._src.sort_ops import (
    indexed_slices_reduce_sum as indexed_slices_reduce_sum,
)
from jobmlir._src.sort_ops import unique_with_counts as unique_with_counts
from jobmlir._src.switches import enable_typing_check as enable_typing_check

_names.report_unknown(__name__)
