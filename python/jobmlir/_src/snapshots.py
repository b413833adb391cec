"""The files of a checkpoint: the values in them and their descriptions.

The legacy layout is one folder per variable with its bytes in a file `out`, and
since OneFlow 0.3 its shape and type in a file `meta`, which is protobuf's text
format of `message {required ShapeProto shape = 2; required DataType data_type = 3;}`.
Beside these folders is a list of the checksums of their files, which OneFlow neither
writes nor reads. The native layout is one safetensors file and a manifest with its
checksum.
"""

import json
import math
import os
import re
import stat
import typing
import zlib

import numpy

from . import arguments, errors, names, text
from . import dtype as dtypes
from .snapshot_folders import (
    CHECKSUMS,
    DATA,
    DONE,
    MANIFEST,
    META,
    NATIVE_DATA,
    fail,
    fail_at,
    is_complete,
    is_folder_name,
    require_folder_name,
)

# DataType of OneFlow: number and name of each type.
_DATA_TYPES = {
    1: ("kChar", dtypes.char),
    2: ("kFloat", dtypes.float32),
    3: ("kDouble", dtypes.float64),
    4: ("kInt8", dtypes.int8),
    5: ("kInt32", dtypes.int32),
    6: ("kInt64", dtypes.int64),
    7: ("kUInt8", dtypes.uint8),
    9: ("kFloat16", dtypes.float16),
    11: ("kBFloat16", dtypes.bfloat16),
    12: ("kBool", dtypes.bool_),
}
_SAFETENSORS = {
    "F16": dtypes.float16,
    "BF16": dtypes.bfloat16,
    "F32": dtypes.float32,
    "F64": dtypes.float64,
    "I8": dtypes.int8,
    "U8": dtypes.uint8,
    "I32": dtypes.int32,
    "I64": dtypes.int64,
    "BOOL": dtypes.bool_,
}

_MAX_META, _MAX_MANIFEST, _MAX_HEADER = 1 << 16, 1 << 20, 100 << 20
_MAX_CHECKSUMS = 64 << 20
_MAX_DEPTH = 16


# ===- Reading files --------------------------------------------------------===#


def _fail_system(path, error):
    missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
    cls = errors.CheckpointNotFoundError if missing else errors.CheckpointIOError
    fail_at(path, f"cannot open: {errors.reason(error)}", cls)


def _status(path, look=os.stat):
    """What the system says about a path; None if nothing is there. os.path's functions
    say the same of what they are not permitted to see."""
    try:
        return look(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _fail_system(path, error)


def _is_there(path):
    return _status(path, os.lstat) is not None


class _File:
    """A regular file: a pipe would block its reader."""

    def __init__(self, path):
        self.path = path
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            _fail_system(path, error)
        status = os.fstat(descriptor)
        self.size = status.st_size
        # What identifies the file and its contents.
        self.version = (status.st_dev, status.st_ino, status.st_mtime_ns, self.size)
        if stat.S_ISREG(status.st_mode):
            self._file = open(descriptor, "rb", buffering=0)
        else:
            os.close(descriptor)
            given = "folder" if stat.S_ISDIR(status.st_mode) else "device or pipe"
            fail_at(path, f"expects a file but got a {given}")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._file.close()

    def read_into(self, offset, view):
        """Fills a view of bytes."""
        wanted = view.nbytes
        try:
            self._file.seek(offset)
            while view.nbytes:
                count = self._file.readinto(view)
                if not count:
                    fail_at(
                        self.path,
                        f"truncated: expects {wanted} bytes but got "
                        f"{wanted - view.nbytes}",
                    )
                view = view[count:]
        except OSError as error:
            if isinstance(error, errors.CheckpointError):
                raise
            fail_at(
                self.path,
                f"cannot read: {errors.reason(error)}",
                errors.CheckpointIOError,
            )

    def read(self, offset, count):
        data = bytearray(count)
        self.read_into(offset, memoryview(data))
        return bytes(data)

    def read_all(self, most):
        if self.size > most:
            fail_at(
                self.path, f"expects at most {most} bytes but got {self.size} bytes"
            )
        return self.read(0, self.size)

    def read_text(self, most):
        return self.decode(self.read_all(most))

    def decode(self, data):
        try:
            return data.decode()
        except UnicodeDecodeError:
            fail_at(self.path, "expects text in UTF-8 but got other bytes")


# ===- The file meta --------------------------------------------------------===#

_TOKEN = re.compile(r"""\s+|\#[^\n]*|[{}<>\[\]:,;]|"[^"\n]*"|'[^'\n]*'|[\w.+-]+""")


def _tokens(path, content):
    position = 0
    while position < len(content):
        found = _TOKEN.match(content, position)
        if found is None:
            fail_at(
                path,
                "expects a description in protobuf's text format but got "
                f"{content[position : position + 10]!r}",
            )
        position = found.end()
        token = found.group()
        if not token.isspace() and token[0] not in "#,;":
            yield token


def _parse_message(path, content):
    """Fields of a text message: pairs of a name and a token or such a list."""
    tokens = [*_tokens(path, content), None]
    index = 0

    def mistake(expected):
        given = "the end" if tokens[index] is None else repr(tokens[index])
        fail_at(path, f"expects {expected} but got {given}")

    closers = {"{": "}", "<": ">"}
    stack, fields, end = [], [], None
    while True:
        token = tokens[index]
        if token == end:
            if not stack:
                return fields
            index += 1
            fields, end = stack.pop()
            continue
        if token is None or not re.fullmatch(r"\w+", token):
            mistake("the name of a field")
        name = token
        index += 1
        has_colon = tokens[index] == ":"
        index += has_colon
        token = tokens[index]
        if token in ("{", "<"):
            if len(stack) == _MAX_DEPTH:
                fail_at(path, f"expects at most {_MAX_DEPTH} levels but got more")
            inner = []
            fields.append((name, inner))
            stack.append((fields, end))
            fields, end = inner, closers[token]
        elif has_colon and token == "[":
            index += 1
            while tokens[index] != "]":
                if tokens[index] is None:
                    mistake("']'")
                fields.append((name, tokens[index]))
                index += 1
        elif not has_colon or token is None or not re.match(r"[\w.+\"'-]", token):
            mistake("the value of a field")
        else:
            fields.append((name, token))
        index += 1


def parse_meta(path, content):
    """(shape, dtype) of the text of a file `meta`."""
    fields = _parse_message(path, content)
    shape = None
    kind = None
    for name, value in fields:
        if name == "shape" and isinstance(value, list):
            dims = [inner for field, inner in value if field == "dim"]
            for dim in dims:
                if not isinstance(dim, str) or not re.fullmatch(r"\d{1,19}", dim):
                    fail_at(path, f"expects an extent of shape but got {dim!r}")
            shape = tuple(map(int, dims))
        if name == "data_type" and isinstance(value, str):
            kind = value
    if shape is None or kind is None:
        missing = "shape" if shape is None else "data_type"
        fail_at(path, f"expects a field {missing} but got none")
    for number, (name, dtype) in _DATA_TYPES.items():
        if kind in (name, str(number)):
            break
    else:
        fail_at(path, f"expects a data_type of variables but got {kind}")
    if reason_ := arguments.too_many_elements(shape):
        fail_at(path, reason_)
    return shape, dtype


def read_meta(folder, checksums=None):
    """(shape, dtype) of a variable's folder, or None without the file, which has to
    have the checksum that is listed."""
    path = os.path.join(folder, META)
    if not _is_there(path):
        if checksums is not None:
            checksums.require_none(path)
        return None
    with _File(path) as file:
        data = file.read_all(_MAX_META)
        if checksums is not None:
            checksums.require(path).check(path, data)
        return parse_meta(path, file.decode(data))


# ===- Checksums of the legacy layout ----------------------------------------===#


class Checksum(typing.NamedTuple):
    """What is listed of a file."""

    bytes: int
    crc32: int

    def check(self, path, data):
        """Compares it with the contents of the file."""
        size = memoryview(data).nbytes
        if size != self.bytes:
            fail_at(path, f"damaged: expects {self.bytes} bytes but got {size}")
        given = zlib.crc32(data)
        if given != self.crc32:
            fail_at(
                path,
                f"damaged: expects checksum {self.crc32:08x} but got {given:08x}",
            )


class Checksums:
    """The list beside the folders of a checkpoint."""

    def __init__(self, folder, files):
        self._folder = folder
        self._files = files

    def of(self, path):
        """The Checksum of a file in the folder of a variable, or None."""
        folder, file = os.path.split(path)
        return self._files.get(f"{os.path.basename(folder)}/{file}")

    def names(self):
        """The variables whose values are listed."""
        return {
            name
            for name, _, file in (path.rpartition("/") for path in self._files)
            if file == DATA and is_folder_name(name) and text.is_unicode(name)
        }

    def require_none(self, path):
        """Fails if a file that is not there is listed."""
        if self.of(path) is not None:
            fail_at(path, f"expects the file that '{CHECKSUMS}' has but there is none")

    def require(self, path):
        found = self.of(path)
        if found is None:
            name = os.path.relpath(path, self._folder)
            fail_at(
                os.path.join(self._folder, CHECKSUMS),
                f"expects a checksum of '{name}' but there is none",
            )
        return found


def read_checksums(folder):
    """The Checksums of a checkpoint in the legacy layout, or None."""
    path = os.path.join(folder, CHECKSUMS)
    if not _is_there(path):
        return None
    with _File(path) as file:
        content = _read_json(path, file.read_text(_MAX_CHECKSUMS))
    if content.get("format") != 1:
        fail_at(path, f"expects format 1 but got {content.get('format')!r}")
    entries = content.get("files")
    if not isinstance(entries, dict):
        fail_at(path, f"expects 'files' to be a JSON object but got {entries!r}")
    files = {}
    for name, entry in entries.items():
        numbers = (
            [entry.get(key) for key in Checksum._fields]
            if isinstance(entry, dict)
            else [None]
        )
        if not all(arguments.is_int(each) and each >= 0 for each in numbers):
            fail_at(path, f"expects bytes and crc32 of '{name}' but got {entry!r}")
        files[name] = Checksum(*numbers)
    return Checksums(folder, files)


# ===- Values ---------------------------------------------------------------===#


def _numpy_type(dtype):
    """NumPy's type, which may be missing."""
    if dtype is dtypes.bfloat16:
        dtypes.convert_oneflow_dtype_to_numpy_dtype(dtype)
    return dtype.numpy


def bytes_of(shape, dtype):
    """The size of a value in a file."""
    size = 2 if dtype == dtypes.bfloat16 else dtype.numpy.itemsize
    return math.prod(shape) * size


class StoredValue:
    """The value of a variable in a checkpoint, which numpy() reads.

    `shape` is a tuple and `dtype` a dtype of this package; `file_path` is the file
    that has the value. A variable that OneFlow 0.2 wrote has no description: its
    `has_meta_info` is False, shape and dtype are None, and only load_variables,
    which knows what the variable is, can use it."""

    def __init__(self, name, file, shape, dtype, offset=0, checksums=None):
        self.name = name
        self.file_path = file.path
        self.shape = shape
        self.dtype = dtype
        self._version = file.version
        self._offset = offset
        self._checksums = checksums

    @property
    def has_meta_info(self):
        """Whether shape and dtype are known."""
        return self.shape is not None

    def numpy(self):
        """The value, read from the file."""
        if not self.has_meta_info:
            fail(
                f"expects variable {self.name} of '{os.path.dirname(self.file_path)}' "
                "to have a file meta but got none: load_variables and "
                "train.CheckPoint.load can read it"
            )
        return self.read_as(self.shape, self.dtype)

    def read_as(self, shape, dtype):
        """The value as an array of this shape and dtype."""
        array = numpy.empty(shape, _numpy_type(dtype))
        with _File(self.file_path) as file:
            if file.version != self._version:
                fail_at(
                    file.path,
                    "expects the file that the checkpoint had when it was opened but "
                    f"got one that was written later: {names.public('checkpoint.get')} "
                    "opens it again",
                )
            if self._offset == 0:
                _check_size(file.path, file.size, shape, dtype)
            data = memoryview(array.reshape(-1).view("u1"))
            file.read_into(self._offset, data)
        if self._checksums is not None:
            self._checksums.require(self.file_path).check(self.file_path, data)
        return array

    def __repr__(self):
        if not self.has_meta_info:
            return f"<variable {self.name} in '{self.file_path}'>"
        return (
            f"<variable {self.name}, {self.dtype.canonical} of shape {self.shape}, in "
            f"'{self.file_path}'>"
        )


def _check_size(path, size, shape, dtype):
    expected = bytes_of(shape, dtype)
    if size != expected:
        fail_at(
            path,
            f"expects {expected} bytes for {dtype.canonical} of shape {shape} but got "
            f"{size}",
        )


def _read_legacy_variable(folder, name, checksums):
    """The StoredValue of a folder, or None if it is not that of a variable. Its
    checksum is compared when it is read."""
    path = os.path.join(folder, DATA)
    # Folders that others have added do not matter until their values are read.
    is_listed = checksums is not None and checksums.of(path) is not None
    is_there = _is_there if is_listed or checksums is None else os.path.lexists
    if not is_there(path):
        if is_listed:
            checksums.require_none(path)
        if is_there(os.path.join(folder, META)):
            fail_at(path, "expects the value of the variable but there is none")
        return None
    if not text.is_unicode(name):
        fail_at(folder, "expects a name that UTF-8 can encode but got another")
    meta = read_meta(folder, checksums if is_listed else None)
    shape, dtype = meta or (None, None)
    with _File(path) as file:
        if shape is not None:
            _check_size(path, file.size, shape, dtype)
        return StoredValue(name, file, shape, dtype, checksums=checksums)


def _read_json(path, content):
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        fail_at(path, "expects a JSON object but got another text")
    return value


def _check_native(folder, file):
    """Compares the file of the data with the manifest."""
    manifest_path = os.path.join(folder, MANIFEST)
    with _File(manifest_path) as text_file:
        manifest = _read_json(manifest_path, text_file.read_text(_MAX_MANIFEST))
    for key, value in (("format", 1), ("file", NATIVE_DATA)):
        if manifest.get(key) != value:
            fail_at(
                manifest_path,
                f"expects {value!r} for '{key}' but got {manifest.get(key)!r}",
            )
    if file.size != manifest.get("bytes"):
        fail_at(
            file.path, f"expects {manifest.get('bytes')} bytes but got {file.size}"
        )
    checksum, chunk = 0, 1 << 20
    for offset in range(0, file.size, chunk):
        data = file.read(offset, min(chunk, file.size - offset))
        checksum = zlib.crc32(data, checksum)
    if checksum != manifest.get("crc32"):
        fail_at(
            file.path,
            "damaged: expects the checksum of the manifest but got another",
        )


def _native_entry(file, name, entry, start):
    def is_list(value):
        return isinstance(value, list) and all(
            arguments.is_int(each) and each >= 0 for each in value
        )

    fields = entry if isinstance(entry, dict) else {}
    shape, offsets = fields.get("shape"), fields.get("data_offsets")
    dtype = _SAFETENSORS.get(str(fields.get("dtype")))
    if not is_list(shape) or not is_list(offsets) or len(offsets) != 2 or not dtype:
        fail_at(
            file.path,
            f"expects the type and place of variable {name} but got {entry}",
        )
    begin, end = offsets
    if end > file.size - start or bytes_of(shape, dtype) != end - begin:
        fail_at(
            file.path,
            f"expects the bytes of {dtype.canonical} of shape {tuple(shape)} inside of "
            f"the file for variable {name} but got {begin} to {end}",
        )
    return StoredValue(name, file, tuple(shape), dtype, start + begin)


def _read_native(folder):
    path = os.path.join(folder, NATIVE_DATA)
    with _File(path) as file:
        _check_native(folder, file)
        length = int.from_bytes(file.read(0, 8), "little") if file.size >= 8 else -1
        if not 0 <= length <= min(file.size - 8, _MAX_HEADER):
            fail_at(path, "expects the length of a header but got another number")
        header = _read_json(path, file.read(8, length).decode(errors="replace"))
        return {
            name: _native_entry(file, name, entry, 8 + length)
            for name, entry in header.items()
            if name != "__metadata__"
        }


def _without_targets(path, names, listed):
    """`names` in a checkpoint without the folders that links of listed variables lead
    to, which are not variables of their own."""
    links = [os.path.join(path, name) for name in listed]
    targets = {os.path.realpath(link) for link in links if os.path.islink(link)}
    if not targets:
        return names
    return {n for n in names if os.path.realpath(os.path.join(path, n)) not in targets}


def read(path):
    """The StoredValues of a checkpoint by name, or that of a variable's folder."""
    if not _is_there(path):
        fail_at(
            path,
            "expects a checkpoint folder but there is none",
            errors.CheckpointNotFoundError,
        )
    status = _status(path)
    if status is None or not stat.S_ISDIR(status.st_mode):
        fail_at(path, "expects a checkpoint folder but got a file")
    for name in (MANIFEST, NATIVE_DATA):
        if _is_there(os.path.join(path, name)):
            return _read_native(path)
    if os.path.isfile(os.path.join(path, DATA)):
        folder = os.path.abspath(path)
        above, name = os.path.split(folder)
        checksums = read_checksums(above) if is_complete(above) else None
        return _read_legacy_variable(path, name, checksums)
    if not is_complete(path):
        fail_at(
            path, f"expects a checkpoint with '{MANIFEST}' or '{DONE}' but got neither"
        )
    try:
        names = set(os.listdir(path))
    except OSError as error:
        _fail_system(path, error)
    checksums = read_checksums(path)
    if checksums is not None:
        listed = checksums.names()
        names = listed | _without_targets(path, names, listed)
    values = {
        name: _read_legacy_variable(os.path.join(path, name), name, checksums)
        for name in sorted(names)
    }
    return {name: value for name, value in values.items() if value is not None}


def check_metas(path, known):
    """Compares the descriptions in a legacy checkpoint, as far as there are any, with
    (shape, dtype) of the variables to load, by name."""
    if not os.path.isfile(os.path.join(path, DONE)):
        return
    for name in (MANIFEST, NATIVE_DATA):
        if os.path.lexists(os.path.join(path, name)):
            return
    checksums = read_checksums(path)
    for name, (shape, dtype) in known.items():
        require_folder_name(name)
        folder = os.path.join(path, name)
        meta = read_meta(folder, checksums)
        if meta is not None and meta != (shape, dtype):
            fail_at(
                os.path.join(folder, META),
                f"expects {dtype.canonical} of shape {shape} for variable {name} but "
                f"got {meta[1].canonical} of shape {meta[0]}",
            )
