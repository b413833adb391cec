"""Messages of protobuf by their schema: in the wire format, and as the text that str()
of a message gives.

A schema is a dictionary: the name of a field gives its number and its kind, which is a
name of _WRITERS, an Enum, or the schema of a message. A message is a list of pairs of
a name and a value, in which repeated fields occur several times.
"""

import re

import numpy

from . import wire


class Enum(dict):
    """The numbers of an enum by name."""



def _float32(value):
    """The nearest number of 32 bits, which may be an infinity."""
    with numpy.errstate(over="ignore"):
        return numpy.float32(value)


_WRITERS = {
    "string": wire.string,
    "bytes": wire.data,
    "float": lambda number, value: wire.float32(number, _float32(value)),
    "double": wire.float64,
    "int": wire.integer,
    "bool": wire.integer,
}


class Message:
    """A message whose fields are known. str() of it is protobuf's text format."""

    def __init__(self, schema, fields):
        self._schema = schema
        self._fields = fields

    def SerializeToString(self):
        """The message in the wire format."""
        return encode(self._schema, self._fields)

    def __str__(self):
        return "".join(line + "\n" for line in _lines(self._schema, self._fields))

    __repr__ = __str__


def encode(schema, fields):
    """A message in the wire format."""
    out = b""
    for name, value in fields:
        number, kind = schema[name]
        if isinstance(kind, Enum):
            out += wire.integer(number, kind[value])
        elif isinstance(kind, dict):
            out += wire.data(number, encode(kind, value))
        else:
            out += _WRITERS[kind](number, value)
    return out


# ===- Writing -------------------------------------------------------------===#

_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def _quoted(data):
    """Bytes as a literal of ASCII."""
    return '"{}"'.format(
        "".join(
            _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")
            for byte in data
        )
    )


def _scalar(kind, value):
    if kind == "string":
        return _quoted(value.encode())
    if kind == "bytes":
        return _quoted(value)
    if kind == "bool":
        return "true" if value else "false"
    if isinstance(kind, Enum):
        return value
    return repr(value)


def _lines(schema, fields):
    for name, value in fields:
        kind = schema[name][1]
        if isinstance(kind, dict) and not isinstance(kind, Enum):
            yield f"{name} {{"
            yield from (f"  {line}" for line in _lines(kind, value))
            yield "}"
        else:
            yield f"{name}: {_scalar(kind, value)}"


# ===- Reading -------------------------------------------------------------===#


class Malformed(ValueError):
    """Text that is not the message that was expected."""


_TOKEN = re.compile(
    r"""(?P<space>(?:\s|\#[^\n]*)+)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?|
       (?:inf|infinity|nan)\b))
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>[{}<>:;,\[\]])""",
    re.VERBOSE | re.IGNORECASE,
)
_CLOSERS = {"{": "}", "<": ">"}
_ESCAPED = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_CHARACTERS = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v"))


def _tokens(text):
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Malformed(f"{text[at]!r} at character {at}")
        at = found.end()
        if found.lastgroup != "space":
            yield found.lastgroup, found.group()
    yield "end", ""


def _unescape(found):
    octal, hexadecimal, char = found.groups()
    if octal or hexadecimal:
        return bytes([int(octal or hexadecimal, 8 if octal else 16) & 255])
    return bytes([_CHARACTERS.get(char[0], char[0])])


class _Parser:
    def __init__(self, text):
        self._tokens = _tokens(text)
        self.kind, self.token = next(self._tokens)

    def take(self, kind, *expected):
        """The token, which is of this kind, and one of these if there are any."""
        token = self.token
        if self.kind != kind or (expected and token not in expected):
            raise Malformed(token or "the end")
        self.kind, self.token = next(self._tokens, ("end", ""))
        return token

    def is_at(self, *signs):
        return self.kind == "sign" and self.token in signs

    def fields(self, schema, closer):
        out = []
        while self.token != closer:
            name = self.take("name")
            if name not in schema:
                raise Malformed(name)
            out += [(name, value) for value in self._values(schema[name][1])]
            if self.is_at(",", ";"):
                self.take("sign")
        self.take("sign" if closer else "end", closer)
        return out

    def _values(self, kind):
        is_message = isinstance(kind, dict) and not isinstance(kind, Enum)
        if self.is_at(":"):
            self.take("sign")
        elif not is_message:
            raise Malformed(self.token or "the end")
        read = self._message if is_message else self._scalar
        if not self.is_at("["):
            return [read(kind)]
        self.take("sign")
        out = []
        while not self.is_at("]"):
            out.append(read(kind))
            if not self.is_at("]"):
                self.take("sign", ",")
        self.take("sign")
        return out

    def _message(self, schema):
        return self.fields(schema, _CLOSERS[self.take("sign", "{", "<")])

    def _scalar(self, kind):
        if kind in ("string", "bytes"):
            # Literals side by side are one.
            literals = [self.take("text")]
            while self.kind == "text":
                literals.append(self.take("text"))
            data = b"".join(
                _ESCAPED.sub(_unescape, each[1:-1].encode()) for each in literals
            )
            try:
                return data.decode() if kind == "string" else data
            except UnicodeDecodeError:
                raise Malformed(repr(data)) from None
        if isinstance(kind, Enum):
            name = self.take("name")
            if name not in kind:
                raise Malformed(name)
            return name
        if kind == "bool":
            return self.take("name", "true", "false") == "true"
        literal = self.take("number")
        try:
            if kind == "int":
                return int(literal, 0)
            return float(literal.rstrip("fF") if literal[-2:] != "nf" else literal)
        except ValueError:
            raise Malformed(literal) from None


def parse(schema, text):
    """The message that `text` is. Raises Malformed, whose text is what was found in
    place of something else."""
    return Message(schema, _Parser(text).fields(schema, ""))
