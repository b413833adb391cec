"""What each op of the API computes, beside the same in NumPy's float64: CASES, and
ELSEWHERE for the ops that a test of its own compares.

A case names an op, its operands, and a function of arrays that computes the result
without the package (see reference_cases.case).
"""

import types

import jobmlir as flow
import reference_arrays
import reference_indices
import reference_math
import reference_nn
import reference_others
import reference_windows
from jobmlir._src import names
from reference_cases import CASES, check

__all__ = ["CASES", "ELSEWHERE", "check", "is_compared", "public_ops"]

_FAMILIES = (
    reference_arrays,
    reference_indices,
    reference_math,
    reference_nn,
    reference_others,
    reference_windows,
)

# The names that no case has, by the test that compares their values.
ELSEWHERE = {
    name: test
    for test, listed in {
        "test_session_helpers.py::test_a_module_is_made_once_and_counts_its_calls": (
            "nn.Module.forward nn.Module.call_seq_no nn.Module.module_name"
        ),
        "test_blob_attributes.py::test_batch_axis": "Blob.batch_axis",
        "test_blob_attributes.py::test_what_a_blob_says": (
            "Blob.shape Blob.dtype Blob.is_dynamic Blob.is_tensor_list Blob.op_name "
            "Blob.logical_blob_name Blob.unique_name"
        ),
        "test_op_errors.py::test_ops_must_fit_their_operands": "Blob.numpy",
        "test_blob_attributes.py::test_devices": (
            "Blob.parallel_conf Blob.parallel_size Blob.split_axis "
            "Blob.with_split_distribute Blob.with_broadcast_distribute"
        ),
        "test_distributions.py::test_hints_change_no_value": (
            "Blob.distribute Blob.with_distribute Blob.with_gradient_distribute"
        ),
        "test_assign.py::test_assign": "assign system.assign",
        "test_assign.py::test_logical_slice_assign": (
            "experimental.logical_slice_assign"
        ),
        "test_random.py::test_distribution": (
            "random.bernoulli random.CoinFlip random.coin_flip nn.random_mask_like "
            "random.uniform random.normal"
        ),
        "test_random.py::test_gen_seed": "random.gen_seed",
        "test_shuffles.py::test_shuffle_moves_whole_rows_anew_in_each_step": (
            "random.shuffle"
        ),
        "test_shuffles.py::test_each_place_gets_each_row_equally_often": (
            "random.generate_random_batch_permutation_indices"
        ),
        "test_ops.py::test_dropout_of_a_train_job_scales_and_changes_with_the_step": (
            "nn.dropout"
        ),
    }.items()
    for name in listed.split()
}


# Functions that are no ops.
_NOT_OPS = "dump_ir graph_svg memory_report memory_totals register_user_op".split()
_MODULES = ("", "math.", "nn.", "layers.", "random.", "experimental.", "linalg.")


def public_ops():
    """The names of all ops: those of the reference that work here, and others."""
    for row in names.reference().values():
        if (
            row.section in ("1.9", "1.10", "1.11", "1.12")
            and row.kind not in ("refused", "no-effect")
            and names.find(row.name) is not None
        ):
            yield row.name
    for module in _MODULES:
        holder = names.find(module.rstrip(".")) if module else flow
        for name, value in vars(holder).items():
            if (
                isinstance(value, types.FunctionType)
                and not name.startswith("_")
                and name not in _NOT_OPS
                and module + name not in names.reference()
            ):
                yield module + name


def is_compared(name):
    return name in ELSEWHERE or any(case.name == name for case in CASES)
