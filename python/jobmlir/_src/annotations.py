"""Parameters and results of job functions: annotations in a signature.

A parameter is a placeholder, or a tuple, list or dictionary of parameters. A
result annotation describes the containers of blobs that a job returns.

In the mirrored view an argument or a result is a list with one item per device, of
which there is one in this version.
"""

from __future__ import annotations

import inspect
import typing
from typing import Any

import numpy

from . import dtype as dtypes
from . import errors
from .arguments import is_int, is_masked, too_many_elements
from .documentation import documented, family_of_values
from .future import LocalMirroredTensor, LocalMirroredTensorList, result_array
from .hints import DType, Shape

# ===- Placeholders --------------------------------------------------------===#

_fail = errors.failing(errors.ArgumentError)


class TensorDef:
    """Shape and element type of one argument, given as a default value."""

    # How deep the array of a device is nested in lists.
    depth = 0

    def __init__(
        self,
        shape: Shape,
        dtype: DType = dtypes.float,
        batch_axis: int | None = 0,
        name: str | None = None,
    ) -> None:
        if not isinstance(shape, tuple):
            _fail(f"shape should be a tuple. {shape!r} found", errors.ArgumentTypeError)
        if not all(map(is_int, shape)):
            _fail(
                f"expects the extents of a shape to be ints but got {shape!r}",
                errors.ArgumentTypeError,
            )
        if any(extent <= 0 for extent in shape):
            _fail(f"expects the extents of a shape to be positive but got {shape!r}")
        if not shape:
            _fail("expects a shape of at least one dimension but got ()")
        if reason := too_many_elements(shape):
            _fail(reason)
        dtypes.require_mlir(dtype, "a placeholder")
        if batch_axis is not None:
            if not is_int(batch_axis):
                _fail(
                    f"expects batch_axis to be None or an int but got {batch_axis!r}",
                    errors.ArgumentTypeError,
                )
            if not -len(shape) <= batch_axis < len(shape):
                _fail(
                    f"expects batch_axis in [{-len(shape)}, {len(shape)}) but got "
                    f"{batch_axis}"
                )
            batch_axis %= len(shape)
        self.shape = tuple(int(extent) for extent in shape)
        self.dtype = dtype
        self.batch_axis = batch_axis
        self.name = name

    def with_shape(self, shape: Shape) -> TensorDef:
        """The definition of arrays of another shape of the same rank.

        Args:
            shape: The other shape.

        Returns:
            A definition of the same kind.
        """
        return type(self)(shape, self.dtype, self.batch_axis, self.name)

    def __repr__(self):
        return f"{type(self).__name__}({self.shape}, dtype={self.dtype!r})"


@documented
class FixedTensorDef(TensorDef):
    """An argument of a static shape, as the default of a parameter.

    Args:
        shape: A tuple of positive ints.
        dtype: The element type.
        batch_axis: The axis of the examples, or None.
        name: Has no effect: the argument has the name of the parameter.

    Raises:
        ArgumentError: The shape or the batch axis is out of range.
        ArgumentTypeError: An argument has another type.
        UnsupportedError: dtype is none that blobs have.
    """


@documented
class MirroredTensorDef(TensorDef):
    """An argument with one array for each device, of at most a shape.

    Args:
        shape: A tuple of positive ints.
        dtype: The element type.
        batch_axis: The axis of the examples, or None.
        name: Has no effect: the argument has the name of the parameter.

    Raises:
        ArgumentError: The shape or the batch axis is out of range.
        ArgumentTypeError: An argument has another type.
        UnsupportedError: dtype is none that blobs have.
    """

    depth = 1


@documented
class MirroredTensorListDef(TensorDef):
    """An argument with a list of arrays for each device, of at most a shape.

    Args:
        shape: A tuple of positive ints.
        dtype: The element type.
        batch_axis: The axis of the examples, or None.
        name: Has no effect: the argument has the name of the parameter.

    Raises:
        ArgumentError: The shape or the batch axis is out of range.
        ArgumentTypeError: An argument has another type.
        UnsupportedError: dtype is none that blobs have.
    """

    depth = 2


class _Placeholder:
    """Base class of annotations made by Placeholder()."""

    definition = None


def _placeholder(kind, definition):
    # A class, because typing.Tuple accepts classes only.
    return type(
        f"{kind}.Placeholder",
        (_Placeholder,),
        {"definition": definition, "__module__": "jobmlir.typing"},
    )


_of_placeholder = family_of_values(
    returns="A class that annotates the parameter.",
    raises={
        "ArgumentError": "The shape or the batch axis is out of range.",
        "ArgumentTypeError": "An argument has another type.",
        "UnsupportedError": "dtype is none that blobs have.",
    },
    shape="A tuple of positive ints.",
    dtype="The element type.",
    batch_axis="The axis of the examples, or None.",
)


class _OneBlob:
    """Base class of the result annotations of one blob."""

    if typing.TYPE_CHECKING:
        # For type checkers it is no Callback or Bundle, so that JobDecorator tells them
        # apart where the parameters of a job are of type Any, as placeholders are.
        __sizeof__: None  # type: ignore[assignment]


class Numpy(_OneBlob):
    """One numpy array; Numpy.Placeholder(shape, dtype) annotates a parameter."""

    @staticmethod
    @_of_placeholder
    def Placeholder(
        shape: Shape, dtype: DType = dtypes.float, batch_axis: int | None = 0
    ) -> Any:
        """The annotation of a parameter that takes one array."""
        return _placeholder("Numpy", FixedTensorDef(shape, dtype, batch_axis))


class ListNumpy(_OneBlob):
    """A list of numpy arrays, one for each device.

    Arrays may be smaller than the shape of the Placeholder: the first call with arrays
    of other shapes traces and compiles the job for them.
    """

    @staticmethod
    @_of_placeholder
    def Placeholder(
        shape: Shape, dtype: DType = dtypes.float, batch_axis: int | None = 0
    ) -> Any:
        """The annotation of a parameter with one array for each device."""
        return _placeholder("ListNumpy", MirroredTensorDef(shape, dtype, batch_axis))


class ListListNumpy(_OneBlob):
    """A list of lists of numpy arrays: a list of arrays for each device."""

    @staticmethod
    @_of_placeholder
    def Placeholder(
        shape: Shape, dtype: DType = dtypes.float, batch_axis: int | None = 0
    ) -> Any:
        """The annotation of a parameter with a list of arrays for each device."""
        return _placeholder(
            "ListListNumpy", MirroredTensorListDef(shape, dtype, batch_axis)
        )


# The result annotations of one blob, and how deep its array is nested in lists.
_LEAVES = {Numpy: 0, ListNumpy: 1, ListListNumpy: 2}


_T = typing.TypeVar("_T")


# For type checkers all values of a body are such results: each object has the method.
class Callback(typing.Protocol[_T]):
    """Return annotation: a call returns a function that takes the callback."""

    if typing.TYPE_CHECKING:

        def __sizeof__(self) -> int: ...


class Bundle(typing.Protocol[_T]):
    """Return annotation: any nesting of containers with leaves of one kind."""

    if typing.TYPE_CHECKING:

        def __sizeof__(self) -> int: ...


# Messages show where users find them.
for _each in (Numpy, ListNumpy, ListListNumpy, Callback, Bundle):
    _each.__module__ = "jobmlir.typing"


# ===- Parameters ----------------------------------------------------------===#


def _name(function):
    return getattr(function, "__name__", type(function).__name__)


def signature(function):
    """The signature of a function, with annotations that are no strings; a
    JobDefinitionError if there is none."""
    try:
        return inspect.signature(function, eval_str=True)
    except errors.JobMLIRError:
        raise
    except Exception as error:  # an annotation in quotes may raise anything
        raise errors.JobDefinitionError(
            f"expects annotations of {_name(function)} that can be evaluated where "
            f"it is defined but got {type(error).__name__}: {error}"
        ) from error


def _sequence(kind, items):
    """A list, tuple or named tuple of the items."""
    return kind._make(items) if hasattr(kind, "_make") else kind(items)


def _parse_default(name, value):
    if isinstance(value, TensorDef):
        return value
    if isinstance(value, (tuple, list)):
        return _sequence(type(value), [_parse_default(name, item) for item in value])
    if isinstance(value, dict):
        return {key: _parse_default(name, item) for key, item in value.items()}
    raise errors.JobDefinitionError(
        f"expects the default of parameter {name} to be a tensor definition such as "
        f"FixedTensorDef but got {value!r}"
    )


def _reject_containers(annotation, what):
    """Containers of annotations, of which there are types in the module typing."""
    for kind in (tuple, list, dict):
        if isinstance(annotation, kind):
            name = kind.__name__.capitalize()
            raise errors.JobDefinitionError(
                f"expects typing.{name}[...] as the annotation of {what} but got a "
                f"{kind.__name__} of annotations: use typing.{name}[...]"
            )


def _parse_placeholder(name, annotation):
    _reject_containers(annotation, f"parameter {name}")
    if isinstance(annotation, type) and issubclass(annotation, _Placeholder):
        return annotation.definition
    if typing.get_origin(annotation) is tuple:
        parts = typing.get_args(annotation)
        if parts and Ellipsis not in parts:
            return tuple(_parse_placeholder(name, part) for part in parts)
    if annotation is typing.Tuple or annotation is tuple:
        raise errors.JobDefinitionError("T in typing.Tuple[T, ...] cannot be omitted")
    raise errors.JobDefinitionError(
        f"invalid parameter annotation {annotation!r} found for parameter {name}"
    )


def parse_parameters(function, strict=False):
    """The parameters of a job as a list of (name, structure). If `strict`, all are
    annotated."""
    parameters = list(signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise errors.JobDefinitionError(
                "no parameters like *args or **kwargs supported, but got "
                f"{parameter.name}"
            )
    annotated = [p for p in parameters if p.annotation is not p.empty]
    for parameter in parameters if strict else ():
        if parameter.annotation is parameter.empty:
            raise errors.JobDefinitionError(
                f"parameter {parameter.name} is not annotated, which "
                "experimental.enable_typing_check asks for"
            )
    if annotated:
        for parameter in parameters:
            if parameter.annotation is parameter.empty:
                raise errors.JobDefinitionError(
                    "All parameters of global function should be annotated, but "
                    f"{parameter.name} is not"
                )
        return [(p.name, _parse_placeholder(p.name, p.annotation)) for p in parameters]
    for parameter in parameters:
        if parameter.default is parameter.empty:
            raise errors.JobDefinitionError(
                f"parameter {parameter.name} has neither an annotation nor a default: "
                "annotate it with the shape and dtype of its arrays, such as "
                f"{parameter.name}: oneflow.typing.Numpy.Placeholder((100, 784))"
            )
    return [(p.name, _parse_default(p.name, p.default)) for p in parameters]


def leaves(name, structure):
    """(name, definition) of each array in a parameter, in order."""
    if isinstance(structure, TensorDef):
        yield name, structure
    elif isinstance(structure, dict):
        for key, item in structure.items():
            yield from leaves(f"{name}_{key}", item)
    else:
        for index, item in enumerate(structure):
            yield from leaves(f"{name}_{index}", item)


def rebuild(structure, values):
    """The structure with the next value of the iterator `values` at each leaf."""
    if isinstance(structure, TensorDef):
        return next(values)
    if isinstance(structure, dict):
        return {key: rebuild(item, values) for key, item in structure.items()}
    return _sequence(type(structure), [rebuild(item, values) for item in structure])


def _fail_argument(job, place, message, cls=errors.ArgumentError):
    raise cls(errors.located(message, place(), job))


def _flatten(job, place, name, structure, value, out):
    if isinstance(structure, TensorDef):
        out.append(_check_leaf(job, place, name, structure, value))
        return
    wanted = type(structure)
    # Scripts pass lists for tuples.
    if not isinstance(value, (tuple, list) if wanted is tuple else wanted):
        _fail_argument(
            job,
            place,
            f"expects a {wanted.__name__} for argument {name} but got a "
            f"{type(value).__name__}",
            errors.ArgumentTypeError,
        )
    if isinstance(structure, dict):
        if value.keys() != structure.keys():
            _fail_argument(
                job,
                place,
                f"expects keys {sorted(map(str, structure))} for argument {name} but "
                f"got {sorted(map(str, value))}",
            )
        for key, item in structure.items():
            _flatten(job, place, f"{name}_{key}", item, value[key], out)
        return
    if len(value) != len(structure):
        _fail_argument(
            job,
            place,
            f"expects {len(structure)} items for argument {name} but got {len(value)}",
        )
    for index, item in enumerate(structure):
        _flatten(job, place, f"{name}_{index}", item, value[index], out)


def _check_list(job, place, name, value, what):
    """The only item of the list for the devices, or of a device's arrays."""
    if not isinstance(value, (list, tuple)):
        _fail_argument(
            job,
            place,
            f"expects a list with one {what} for argument {name} but got a "
            f"{type(value).__name__}",
            errors.ArgumentTypeError,
        )
    if len(value) != 1:
        _fail_argument(
            job,
            place,
            f"expects a list with one {what} in this version for argument {name} but "
            f"got {len(value)}",
        )
    return value[0]


def _check_leaf(job, place, name, definition, value):
    """The checked array of a tensor definition."""
    if definition.depth == 0:
        if isinstance(value, LocalMirroredTensor):
            value = value.numpy()
        return check_array(job, place, name, definition, value)
    if isinstance(value, LocalMirroredTensor):
        value = value.numpy_list()
    if isinstance(value, LocalMirroredTensorList):
        value = value.numpy_lists()
    for what in ("item per device", "array")[: definition.depth]:
        value = _check_list(job, place, name, value, what)
    return check_array(job, place, name, definition, value)


def _is_smaller(shape, bound):
    return len(shape) == len(bound) and all(s <= b for s, b in zip(shape, bound))


def check_array(job, place, name, definition, value):
    """The array of an argument, checked against its definition, in C order. `place`
    returns the user's frames."""
    if not isinstance(value, numpy.ndarray):
        _fail_argument(
            job,
            place,
            f"expects a numpy array for argument {name} but got {type(value).__name__}",
            errors.ArgumentTypeError,
        )
    if is_masked(value):
        _fail_argument(
            job,
            place,
            f"expects a numpy array without a mask for argument {name} but got a "
            "masked array",
            errors.ArgumentTypeError,
        )
    if value.shape != definition.shape and not (
        definition.depth and _is_smaller(value.shape, definition.shape)
    ):
        most = "at most " if definition.depth else ""
        _fail_argument(
            job,
            place,
            f"expects {most}shape {definition.shape} for argument {name} but got "
            f"{value.shape}",
        )
    if not value.size:
        _fail_argument(
            job,
            place,
            f"expects arrays with elements in this version for argument {name} but got "
            f"one of shape {value.shape}",
            errors.UnsupportedError,
        )
    if value.dtype != definition.dtype.numpy:
        # NumPy may lack the type.
        dtypes.convert_oneflow_dtype_to_numpy_dtype(definition.dtype)
        _fail_argument(
            job,
            place,
            f"expects dtype {definition.dtype.numpy} for argument {name} but got "
            f"{value.dtype}",
            errors.ArgumentTypeError,
        )
    return numpy.ascontiguousarray(value)


def bind_keywords(job, parameters, values, keywords, place):
    """The arguments of a call in the order of the parameters."""
    names = [name for name, _ in parameters]
    for name in keywords:
        if name not in names:
            _fail_argument(
                job,
                place,
                f"expects arguments out of {', '.join(names) or 'none'} but got keyword "
                f"{name}",
                errors.ArgumentTypeError,
            )
        if name in names[: len(values)]:
            _fail_argument(
                job,
                place,
                f"expects one value for argument {name} but got one by position and one "
                "by keyword",
                errors.ArgumentTypeError,
            )
    for name in names[len(values) :]:
        if name not in keywords:
            _fail_argument(
                job,
                place,
                f"expects {len(names)} arguments ({', '.join(names)}) but got none for "
                f"{name}",
            )
    return [*values, *(keywords[name] for name in names[len(values) :])]


def flatten_arguments(job, parameters, values, place):
    """The checked arrays of a call. `place` returns the user's frames."""
    if len(values) != len(parameters):
        names = ", ".join(name for name, _ in parameters)
        _fail_argument(
            job,
            place,
            f"expects {len(parameters)} arguments ({names}) but got {len(values)}",
        )
    out = []
    for (name, structure), value in zip(parameters, values):
        _flatten(job, place, name, structure, value, out)
    return out


# ===- Results -------------------------------------------------------------===#


class Result:
    """A parsed return annotation."""

    def __init__(self, kind, items=(), text="", depth=0):
        self.kind = kind  # leaf, tuple, list, dict, bundle, none
        self.items = items
        self.text = text
        self.depth = depth  # of a leaf


def _invalid(annotation):
    raise errors.JobDefinitionError(f"invalid return annotation {annotation!r} found")


def _parse_result(annotation):
    if annotation is None or annotation is type(None):
        return Result("none", text="None")
    if isinstance(annotation, type) and annotation in _LEAVES:
        return Result("leaf", text=annotation.__name__, depth=_LEAVES[annotation])
    for bare, what in (
        (typing.Tuple, "typing.Tuple[T, ...]"),
        (tuple, "typing.Tuple[T, ...]"),
        (typing.List, "typing.List[T]"),
        (list, "typing.List[T]"),
        (typing.Dict, "typing.Dict[K, V]"),
        (dict, "typing.Dict[K, V]"),
    ):
        if annotation is bare:
            raise errors.JobDefinitionError(f"T in {what} cannot be omitted")
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple and args and Ellipsis not in args:
        return Result("tuple", [_parse_result(a) for a in args], str(annotation))
    if origin is list and args:
        return Result("list", [_parse_result(args[0])], str(annotation))
    if origin is dict and len(args) == 2 and isinstance(args[0], type):
        return Result("dict", [args[0], _parse_result(args[1])], str(annotation))
    if origin is Bundle and args and args[0] in _LEAVES:
        return Result("bundle", [_parse_result(args[0])], str(annotation))
    _reject_containers(annotation, "the results")
    return _invalid(annotation)


def parse_return(function, strict=False):
    """(annotation or None, whether it is a Callback). If `strict`, there is one."""
    annotation = signature(function).return_annotation
    if annotation is inspect.Signature.empty:
        if strict:
            raise errors.JobDefinitionError(
                "no return annotation found. experimental.enable_typing_check asks for "
                "one, which is None for a job without results"
            )
        return None, False
    if annotation is Callback:
        raise errors.JobDefinitionError(
            "T in oneflow.typing.Callback[T] cannot be omitted"
        )
    if typing.get_origin(annotation) is Callback:
        return _parse_result(typing.get_args(annotation)[0]), True
    return _parse_result(annotation), False


def check_result(structure, annotation, is_leaf, fail):
    """Checks the returned value of a job against its annotation; `fail` raises, with a
    reason if it gets one."""
    kind = annotation.kind
    if kind == "none":
        if structure is not None:
            fail()
    elif kind == "leaf":
        if not is_leaf(structure):
            fail()
    elif kind == "bundle":
        if isinstance(structure, (list, tuple)):
            for item in structure:
                check_result(item, annotation, is_leaf, fail)
        elif isinstance(structure, dict):
            for item in structure.values():
                check_result(item, annotation, is_leaf, fail)
        elif not is_leaf(structure):
            fail()
    elif kind == "tuple":
        if not isinstance(structure, tuple):
            fail()
        given, expected = len(structure), len(annotation.items)
        if given != expected:
            fail(f" length compare: {given} v.s. {expected}")
        for item, expected in zip(structure, annotation.items):
            check_result(item, expected, is_leaf, fail)
    elif kind == "list":
        if not isinstance(structure, list):
            fail()
        for item in structure:
            check_result(item, annotation.items[0], is_leaf, fail)
    else:
        key_type, expected = annotation.items
        if not isinstance(structure, dict) or not all(
            isinstance(key, key_type) for key in structure
        ):
            fail()
        for item in structure.values():
            check_result(item, expected, is_leaf, fail)


def nested(array, depth):
    """The array in `depth` lists of one item."""
    return nested([array], depth - 1) if depth else array


def split_list(array, shapes=None):
    """The arrays of the examples of a tensor list, of shape (1, ...): their elements are
    the first ones of `array` along each dimension, as many as a row of `shapes` says."""
    parts = [array[index : index + 1] for index in range(len(array))]
    if shapes is None:
        return parts
    return [
        numpy.ascontiguousarray(part[tuple(map(slice, row))])
        for part, row in zip(parts, shapes)
    ]


def convert_result(structure, annotation, arrays, lists):
    """The arrays of a step in the job's structure: `structure` holds an index
    at each leaf. Without an annotation leaves become LocalMirroredTensors or, if `lists`
    has a list of arrays for the index, LocalMirroredTensorLists."""
    if structure is None:
        return None
    if isinstance(structure, int):
        array = result_array(arrays[structure])
        if annotation is None:
            if structure in lists:
                return LocalMirroredTensorList([lists[structure]])
            return LocalMirroredTensor(array)
        if annotation.kind == "bundle":
            annotation = annotation.items[0]
        if annotation.depth == 2 and structure in lists:
            return [lists[structure]]
        return nested(array, annotation.depth)

    def inner(index):
        if annotation is None or annotation.kind == "bundle":
            return annotation
        if annotation.kind == "tuple":
            return annotation.items[index]
        return annotation.items[-1]

    if isinstance(structure, dict):
        return {
            key: convert_result(item, inner(0), arrays, lists)
            for key, item in structure.items()
        }
    return type(structure)(
        convert_result(item, inner(index), arrays, lists)
        for index, item in enumerate(structure)
    )
