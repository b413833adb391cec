"""Colours of MLIR text, which Pygments has no lexer for."""

from pygments.lexer import RegexLexer, bygroups
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
)

_ID = r"[A-Za-z_$][\w$.]*"


class MLIRLexer(RegexLexer):
    """The generic syntax, and what assembly formats of dialects have in common."""

    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    url = "https://mlir.llvm.org/docs/LangRef/"

    tokens = {
        "root": [
            (r"\s+", Text),
            # Lines that a page leaves out.
            (r"\.\.\.", Generic.Output),
            (r"//.*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String.Double),
            # Values, symbols, blocks.
            (rf"%(?:{_ID}|\d+)(?:[:#]\d+)?", Name.Variable),
            (rf'@(?:{_ID}|\d+|"[^"\n]*")', Name.Function),
            (rf"\^(?:{_ID}|\d+)", Name.Label),
            # Aliases, attributes and types of dialects.
            (rf"[#!]{_ID}", Name.Class),
            (r"(?:b?f|tf)\d+\w*\b|(?:index|none)\b|[su]?i\d+\b", Keyword.Type),
            (
                r"\b(tensor|memref|vector|complex|tuple|array|dense|dense_resource"
                r"|affine_map|affine_set|strided|loc)(<|\()",
                bygroups(Keyword.Type, Punctuation),
            ),
            (r"\b(?:true|false|unit)\b", Keyword.Constant),
            # A shape, up to its element type: 4x?x8xf32.
            (r"(?:(?:\d+|\?)x)+(?=[a-z!?\d])", Number.Integer),
            (r"0x[0-9A-Fa-f]+", Number.Hex),
            (r"-?\d+\.\d*(?:[eE][-+]?\d+)?", Number.Float),
            (r"-?\d+", Number.Integer),
            # Names of ops have their dialect before them.
            (r"[a-z_]\w*\.[A-Za-z_][\w$.]*", Keyword),
            (r"\b(?:module|func)\b", Keyword),
            (_ID, Name.Attribute),
            (r"->|::=|==|=|\+|-|\*|\?|\|", Operator),
            (r"[{}()\[\]<>,:;/!#@%^.&]", Punctuation),
        ],
    }
