"""FunctionDesc.job_config_proto: the settings of a job as fields of a message."""

import warnings

import pytest

import jobmlir as flow
import jobmlir.typing as tp
from jobmlir._src import function_config, job_config
from models import raises_here


def described(kind, config, body):
    """What `body` returns of the message of a job that is being traced."""
    seen = []

    @flow.global_function(type=kind, function_config=config)
    def job(x: tp.Numpy.Placeholder((2, 4))):
        def message():
            return flow.current_global_function_desc().job_config_proto

        seen.append(body(x, message))

    flow.dump_ir()
    return seen[0]


def test_a_job_that_predicts():
    message = described("predict", flow.function_config(), lambda x, now: now())
    assert message.job_name == "job" and message.HasField("job_name")
    assert message.HasField("predict_conf") and not message.HasField("train_conf")
    assert message.WhichOneof("job_type") == "predict_conf"
    assert message.train_conf is None
    assert message.concurrency_width == 128
    assert not message.HasField("concurrency_width")
    assert message.default_data_type == 2
    assert str(message) == 'job_name: "job"\npredict_conf {\n}\n'


def test_settings_are_fields():
    config = flow.function_config()
    config.default_data_type(flow.double)
    config.concurrency_width(4)
    config.enable_inplace(False)
    config.enable_reused_mem(False)
    config.cudnn_conv_enable_true_half(True)
    config.default_placement_scope(flow.scope.placement("cpu", "0:0"))
    config.default_initializer_conf({"constant_conf": {"value": 2.5}})
    message = config.function_desc.job_config_proto
    assert message.default_data_type == 3 and message.concurrency_width == 4
    assert message.enable_inplace is False and message.enable_reuse_mem is False
    assert message.cudnn_conv_enable_pseudo_half is False
    assert message.default_initializer_conf.constant_conf.value == 2.5
    assert message.default_initializer_conf.HasField("constant_conf")
    assert message.job_name == ""
    assert [name for name, _ in message.ListFields()] == [
        "concurrency_width",
        "cudnn_conv_enable_pseudo_half",
        "default_data_type",
        "default_initializer_conf",
        "enable_inplace",
        "enable_reuse_mem",
        "predict_conf",
    ]
    assert str(message) == (
        "concurrency_width: 4\ncudnn_conv_enable_pseudo_half: false\n"
        "default_data_type: kDouble\ndefault_initializer_conf {\n  constant_conf {\n"
        "    value: 2.5\n  }\n}\nenable_inplace: false\nenable_reuse_mem: false\n"
        "predict_conf {\n}\n"
    )


@pytest.mark.parametrize(
    "make, rule, fields",
    [
        (lambda rate: flow.optimizer.SGD(rate, momentum=0), "naive_conf", {}),
        (lambda rate: flow.optimizer.SGD(rate), "momentum_conf", {"beta": 0.9}),
        (
            lambda rate: flow.optimizer.Adam(rate, do_bias_correction=True),
            "adam_conf",
            {
                "beta1": 0.9,
                "beta2": 0.999,
                "epsilon": 1e-8,
                "do_bias_correction": True,
            },
        ),
    ],
)
def test_the_optimizer_of_a_job(make, rule, fields):
    def body(x, now):
        before = now().train_conf
        assert not before.HasField("model_update_conf") and before.loss_lbn == []
        loss = flow.layers.dense(x, 2, name="dense")
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        make(rate).minimize(loss)
        assert now().train_conf.loss_lbn == [loss.logical_blob_name]
        return now()

    message = described("train", flow.function_config(), body)
    assert message.WhichOneof("job_type") == "train_conf"
    conf = message.train_conf.model_update_conf
    assert conf.HasField(rule)
    assert dict(getattr(conf, rule).ListFields()) == fields
    assert message.train_conf.loss_scale_factor == 1


def test_a_loss_scale_of_the_optimizer():
    def body(x, now):
        rate = flow.optimizer.PiecewiseConstantScheduler([], [0.1])
        flow.optimizer.SGD(rate, loss_scale_factor=8).minimize(flow.layers.dense(x, 2))
        return now()

    message = described("train", flow.function_config(), body)
    assert message.train_conf.loss_scale_factor == 8


def test_settings_of_training():
    config = flow.function_config()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config.train.primary_lr(0.5)
        config.train.loss_scale_factor(4)
        config.train.model_update_conf(
            {
                "momentum_conf": {"beta": 0.75},
                "learning_rate_decay": {
                    "piecewise_constant_conf": {
                        "boundaries": [1, 2],
                        "values": [1, 2, 3],
                    }
                },
            }
        )
    conf = config.function_desc.job_config_proto.train_conf
    assert conf.primary_lr == 0.5 and conf.loss_scale_factor == 4
    assert conf.secondary_lr is None and not conf.HasField("secondary_lr")
    update = conf.model_update_conf
    assert update.momentum_conf.beta == 0.75
    assert update.learning_rate_decay.piecewise_constant_conf.boundaries == [1, 2]
    assert "      boundaries: 1\n      boundaries: 2\n" in str(conf)


def test_mistakes():
    message = flow.function_config().function_desc.job_config_proto
    expected = "expects a field of job_config_proto but got 'fast'"
    with raises_here(AttributeError, expected):
        message.fast
    with raises_here(flow.errors.ConfigError, expected):
        message.HasField("fast")
    with raises_here(AssertionError, "expects a oneof of job_config_proto but got 'f"):
        message.WhichOneof("fast")
    with raises_here(
        AssertionError,
        "expects no assignment to field 'concurrency_width' of job_config_proto, which "
        "the settings of function_config are for, but got 3",
    ):
        message.concurrency_width = 3


def test_every_setting_is_a_field_or_known_to_be_none():
    desc = flow.function_config().function_desc
    message = desc.job_config_proto
    for name in set(function_config._SETTINGS) - job_config._NO_FIELDS:
        assert not message.HasField(name), name
        if name != "default_data_type":
            assert getattr(message, name) == getattr(desc, name), name
    for name in job_config._NO_FIELDS - {"default_placement_scope"}:
        assert name in function_config._SETTINGS
    for name, (field, _) in job_config._RENAMED.items():
        assert name in job_config._NO_FIELDS and not message.HasField(field)
