"""Parameters and results of job functions: annotations in a signature.

A parameter is a placeholder, or a tuple, list or dictionary of parameters. A
result annotation describes the containers of blobs that a job returns.
"""

import inspect
import typing

import numpy

from . import dtype as dtypes
from . import errors, frames
from .arguments import is_int, too_many_elements
from .future import LocalMirroredTensor

# ===- Placeholders --------------------------------------------------------===#


def _fail(message, cls=errors.ArgumentError):
    raise cls(errors.located(message, frames.user_frames()))


class TensorDef:
    """Shape and element type of one argument, given as a default value."""

    def __init__(self, shape, dtype=dtypes.float, batch_axis=0, name=None):
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

    def __repr__(self):
        return f"FixedTensorDef({self.shape}, dtype={self.dtype!r})"


class FixedTensorDef(TensorDef):
    """An argument of a static shape."""


def MirroredTensorDef(*unused_args, **unused_kwargs):
    """An argument with one array per device; needs the mirrored view."""
    _fail(
        "expects FixedTensorDef in this version but got MirroredTensorDef",
        errors.UnsupportedError,
    )


class _Placeholder:
    """Base class of annotations made by Placeholder()."""

    definition = None


class Numpy:
    """One numpy array; Numpy.Placeholder(shape, dtype) annotates a parameter."""

    @staticmethod
    def Placeholder(shape, dtype=dtypes.float, batch_axis=0):
        """The annotation of a parameter that takes one array."""
        definition = FixedTensorDef(shape, dtype, batch_axis)
        # A class, because typing.Tuple accepts classes only.
        return type("Numpy.Placeholder", (_Placeholder,), {"definition": definition})


class ListNumpy:
    """A list of numpy arrays, one per device."""

    @staticmethod
    def Placeholder(shape, dtype=dtypes.float, batch_axis=0):
        """The annotation of a parameter with one array per device."""
        _fail(
            "expects Numpy.Placeholder in this version but got ListNumpy.Placeholder",
            errors.UnsupportedError,
        )


_T = typing.TypeVar("_T")


class Callback(typing.Generic[_T]):
    """Return annotation: a call returns a function that takes the callback."""


class Bundle(typing.Generic[_T]):
    """Return annotation: any nesting of containers with leaves of one kind."""


# ===- Parameters ----------------------------------------------------------===#


def _signature(function):
    try:
        return inspect.signature(function, eval_str=True)
    except errors.JobMLIRError:
        raise
    except Exception as error:  # an annotation in quotes may raise anything
        raise errors.JobDefinitionError(
            f"expects annotations of {function.__name__} that can be evaluated where "
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


def _parse_placeholder(name, annotation):
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


def parse_parameters(function):
    """The parameters of a job as a list of (name, structure)."""
    parameters = list(_signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise errors.JobDefinitionError(
                "no parameters like *args or **kwargs supported, but got "
                f"{parameter.name}"
            )
    annotated = [p for p in parameters if p.annotation is not p.empty]
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
                f"expects an annotation or a default for parameter {parameter.name} "
                "but got neither"
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
        out.append(_check_array(job, place, name, structure, value))
        return
    wanted = type(structure)
    if not isinstance(value, wanted):
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


def _check_array(job, place, name, definition, value):
    if isinstance(value, LocalMirroredTensor):
        value = value.numpy()
    if not isinstance(value, numpy.ndarray):
        _fail_argument(
            job,
            place,
            f"expects a numpy array for argument {name} but got {type(value).__name__}",
            errors.ArgumentTypeError,
        )
    if isinstance(value, numpy.ma.MaskedArray):
        _fail_argument(
            job,
            place,
            f"expects a numpy array without a mask for argument {name} but got a "
            "masked array",
            errors.ArgumentTypeError,
        )
    if value.shape != definition.shape:
        _fail_argument(
            job,
            place,
            f"expects shape {definition.shape} for argument {name} but got "
            f"{value.shape}",
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

    def __init__(self, kind, items=(), text=""):
        self.kind = kind  # numpy, list_numpy, tuple, list, dict, bundle, none
        self.items = items
        self.text = text


def _invalid(annotation):
    raise errors.JobDefinitionError(f"invalid return annotation {annotation!r} found")


def _parse_result(annotation):
    if annotation is None or annotation is type(None):
        return Result("none", text="None")
    if annotation is Numpy:
        return Result("numpy", text="Numpy")
    if annotation is ListNumpy:
        return Result("list_numpy", text="ListNumpy")
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
    if origin is Bundle and args and args[0] in (Numpy, ListNumpy):
        return Result("bundle", [_parse_result(args[0])], str(annotation))
    return _invalid(annotation)


def parse_return(function):
    """(annotation or None, whether it is a Callback)."""
    annotation = _signature(function).return_annotation
    if annotation is inspect.Signature.empty:
        return None, False
    if annotation is Callback:
        raise errors.JobDefinitionError(
            "T in oneflow.typing.Callback[T] cannot be omitted"
        )
    if typing.get_origin(annotation) is Callback:
        return _parse_result(typing.get_args(annotation)[0]), True
    return _parse_result(annotation), False


def check_result(structure, annotation, is_leaf, fail):
    """Checks the returned value of a job against its annotation; `fail` raises."""
    kind = annotation.kind
    if kind == "none":
        if structure is not None:
            fail()
    elif kind in ("numpy", "list_numpy"):
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
        if not isinstance(structure, tuple) or len(structure) != len(annotation.items):
            fail()
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


def convert_result(structure, annotation, arrays):
    """The arrays of a step in the job's structure: `structure` holds an index
    at each leaf. Without an annotation leaves become LocalMirroredTensors."""
    if structure is None:
        return None
    if isinstance(structure, int):
        if annotation is None:
            return LocalMirroredTensor(arrays[structure])
        if annotation.kind == "bundle":
            return convert_result(structure, annotation.items[0], arrays)
        array = arrays[structure]
        return [array] if annotation.kind == "list_numpy" else array

    def inner(index):
        if annotation is None or annotation.kind == "bundle":
            return annotation
        if annotation.kind == "tuple":
            return annotation.items[index]
        return annotation.items[-1]

    if isinstance(structure, dict):
        return {
            key: convert_result(item, inner(0), arrays)
            for key, item in structure.items()
        }
    return type(structure)(
        convert_result(item, inner(index), arrays)
        for index, item in enumerate(structure)
    )
