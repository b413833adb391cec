"""The decorators that make functions jobs of the session."""

from __future__ import annotations

from .default_session import get_default_session
from .function_config import FunctionConfig
from .job import JobDecorator, decorator, decorator_of_config


def global_function(
    type: str | FunctionConfig = "predict",
    function_config: FunctionConfig | None = None,
) -> JobDecorator:
    """Makes a function a job: its body describes what the calls do.

    The parameters are annotated with typing.Numpy.Placeholder and the like, or have
    FixedTensorDef and the like as defaults. The result is annotated with typing.Numpy
    and the like, so that a call waits and gives arrays; without an annotation a call
    gives a LazyFuture. Jobs are compiled at the first call of one of them.

    Args:
        type: "train" or "predict". A training job has a loss and an optimizer.
        function_config: What function_config() gives, or None.

    Returns:
        A decorator.

    Raises:
        ArgumentError: type is neither.
        ArgumentTypeError: function_config is none, or the decorator gets no function.
        JobDefinitionError: The parameters or results of the function do not fit.
        SessionStateError: The session is running.
    """
    return decorator(get_default_session, type, function_config)


def function(function_config: FunctionConfig) -> JobDecorator:
    """The oldest form of global_function: a job that trains if config.train was set.

    Args:
        function_config: What function_config() gives.

    Returns:
        A decorator.

    Raises:
        ArgumentTypeError: function_config is none, or the decorator gets no function.
        JobDefinitionError: The parameters or results of the function do not fit.
        SessionStateError: The session is running.
    """
    return decorator_of_config(get_default_session, function_config)
