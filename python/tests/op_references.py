"""What each op of the API computes, beside the same in NumPy's float64: CASES, and
ELSEWHERE for the names that a test of its own compares.

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
            "nn.Module.forward nn.Module.call_seq_no"
        ),
        "test_session_helpers.py::test_names_of_modules": "nn.Module.module_name",
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
        "test_optimizers.py::test_rules_of_model_update_conf": (
            "FunctionConfig.train.primary_lr FunctionConfig.train.model_update_conf "
            "losses.add_loss"
        ),
        "test_optimizers.py::test_secondary_lr_is_that_of_biases": (
            "FunctionConfig.train.secondary_lr"
        ),
        "test_optimizers.py::test_loss_scale_factor_scales_gradients_only": (
            "FunctionConfig.train.loss_scale_factor"
        ),
        "test_optimizers.py::test_rules": (
            "optimizer.SGD optimizer.Adam optimizer.AdamW optimizer.RMSProp "
            "optimizer.LARS optimizer.LAMB optimizer.SGDW"
        ),
        "test_parameter_groups.py::test_combined_optimizers": (
            "optimizer.CombinedOptimizer"
        ),
        "test_schedules.py::test_rates": (
            "optimizer.PiecewiseConstantScheduler optimizer.PiecewiseScalingScheduler "
            "optimizer.ExponentialScheduler optimizer.NaturalExpScheduler "
            "optimizer.InverseTimeScheduler optimizer.PolynomialSchduler "
            "optimizer.PolynomialScheduler optimizer.CosineScheduler "
            "optimizer.LinearCosineScheduler optimizer.warmup.constant "
            "optimizer.warmup.linear"
        ),
        "test_optimizers.py::test_lazy_adam_keeps_rows_that_were_not_read": (
            "optimizer.LazyAdam"
        ),
        "test_optimizers.py::test_custom_scheduler": "optimizer.CustomScheduler",
        "test_optimizers.py::test_gradients_are_unscaled_regularised_and_clipped": (
            "optimizer.grad_clipping.by_global_norm "
            "optimizer.loss_scale.dynamic_loss_scale"
        ),
        "test_initializer_statistics.py::test_distribution": (
            "random_uniform_initializer random_normal_initializer truncated_normal "
            "truncated_normal_initializer glorot_uniform_initializer "
            "xavier_uniform_initializer glorot_normal_initializer "
            "xavier_normal_initializer variance_scaling_initializer "
            "kaiming_initializer"
        ),
        "test_initializer_statistics.py::test_equal_elements": (
            "constant_initializer zeros_initializer ones_initializer"
        ),
        "test_regularizers.py::test_gradients": (
            "regularizers.l1_l2 regularizers.l1 regularizers.l2"
        ),
        "test_array_initializers.py::test_a_variable_starts_with_the_array": (
            "get_variable"
        ),
        "test_data.py::test_shapes_and_values": "data.load_mnist",
        "test_readers.py::test_numbers_of_every_type": (
            "data.ofrecord_reader data.OFRecordRawDecoder"
        ),
        "test_images.py::test_bytes_as_a_blob": "data.OFRecordBytesDecoder",
        "test_images.py::test_colors": "data.OFRecordImageDecoder",
        "test_images.py::test_random_crops_depend_on_the_seed_only": (
            "data.OFRecordImageDecoderRandomCrop"
        ),
        "test_images.py::test_the_classification_reader": (
            "data.ofrecord_image_classification_reader"
        ),
        "test_images.py::test_decode_crop_and_resize": (
            "data.ImageDecoderRandomCropResize"
        ),
        "test_decode_ofrecord.py::test_images_and_numbers": (
            "data.decode_ofrecord data.BlobConf data.RawCodec data.ImageCodec"
        ),
        "test_decode_ofrecord.py::test_preprocessors_of_images": (
            "data.ImageResizePreprocessor"
        ),
        "test_decode_ofrecord.py::test_normalization": "data.NormByChannelPreprocessor",
        "test_decode_ofrecord.py::test_distributions": "data.decode_random",
        "test_images.py::test_bytes_and_image_decode": "image.decode",
        "test_image_pixels.py::test_interpolation": "image.Resize",
        "test_images.py::test_image_random_crop_is_a_part": "image.random_crop",
        "test_image_pixels.py::test_crop_mirror_normalize_of_a_blob": (
            "image.CropMirrorNormalize"
        ),
        "test_image_pixels.py::test_batch_align": "image.batch_align",
        "test_image_pixels.py::test_normalize": "image.normalize",
        "test_image_pixels.py::test_flip": "image.flip",
        "test_image_pixels.py::test_sizes_with_the_same_ratio": "image.target_resize",
        "test_watch.py::test_the_value_of_each_step": "watch",
        "test_watch_diff.py::test_gradients_of_a_variable_an_argument_and_what_is_between": "watch_diff",
        "test_summary.py::test_types_of_scalars": "summary.scalar",
        "test_summary.py::test_histograms": "summary.histogram",
        "test_summary.py::test_images": "summary.image",
        "test_summary.py::test_messages": "summary.pb",
        "test_summary_files.py::test_the_example_of_the_documentation": (
            "summary.text summary.hparams summary.HParam summary.IntegerRange "
            "summary.RealRange summary.ValueSet summary.Metric"
        ),
        "test_summary_files.py::test_attributes_of_descriptions": "summary.Hparam",
        "test_summary_files.py::test_projectors": "summary.Projector",
        "test_summary_files.py::test_a_structure_graph": "summary.Graph",
        "test_mixed_precision.py::"
        "test_a_static_loss_scale_of_a_power_of_two_changes_nothing": (
            "optimizer.loss_scale.static_loss_scale"
        ),
    }.items()
    for name in listed.split()
}


# The sections of the reference whose names compute values: not those of settings,
# sessions, devices, checkpoints and tests.
_SECTIONS = "1.7 1.8 1.9 1.10 1.11 1.12 1.13 1.14 1.18 1.19".split()
# Names there, and functions beside the reference, that compute none.
_NO_VALUES = """
    FunctionConfig.train.function_desc summary.create_summary_writer
    summary.flush_summary_writer dump_ir explain graph_svg memory_report memory_totals
    register_user_op register_user_kernel
""".split()
_MODULES = ("", "math.", "nn.", "layers.", "random.", "experimental.", "linalg.")


def public_ops():
    """The names that compute values: those of the reference that work here, and
    others."""
    for row in names.reference().values():
        if (
            row.section in _SECTIONS
            and row.kind not in ("refused", "no-effect")
            and row.name not in _NO_VALUES
            and names.find(row.name) is not None
        ):
            yield row.name
    for module in _MODULES:
        holder = names.find(module.rstrip(".")) if module else flow
        for name, value in vars(holder).items():
            if (
                isinstance(value, types.FunctionType)
                and not name.startswith("_")
                and module + name not in _NO_VALUES
                and module + name not in names.reference()
            ):
                yield module + name


def is_compared(name):
    return name in ELSEWHERE or any(case.name == name for case in CASES)
