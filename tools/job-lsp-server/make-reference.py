#!/usr/bin/env python3
"""Writes the table that job-lsp-server completes from.

    make-reference.py OUT DIALECT=RECORDS...

RECORDS has the definitions of a dialect as `llvm-tblgen --dump-json` prints them.
The table has the ops with their attributes, and the mnemonics of attributes and
types with their parameters, each with the text of the generated reference.
"""

import json
import re
import sys
import textwrap

# What the signature of a function holds.
SIGNATURE = {"sym_name", "function_type", "arg_attrs", "res_attrs"}


def quote(text):
    """A string literal of C++; none longer than compilers must accept."""
    text = textwrap.dedent(text or "").strip()
    pieces = [text[i:i + 2000] for i in range(0, len(text), 2000)] or [""]
    # No escape of JSON but \uXXXX means something else in C++.
    return " ".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)


def strings(items):
    return "{" + ", ".join(quote(item) for item in items) + "}"


class Records:
    def __init__(self, name, path):
        self.name = name
        with open(path) as file:
            self.records = json.load(file)

    def get(self, reference):
        return self.records[reference["def"]]

    def all(self, cls):
        return [self.records[name] for name in self.records["!instanceof"][cls]]

    def dialect(self, record, field):
        return self.get(record[field])["name"]

    def is_own(self, record, field):
        """Whether it is of this dialect, not of one that it includes."""
        return self.dialect(record, field) == self.name

    def base(self, attribute):
        """The attribute below `OptionalAttr` and the like."""
        while attribute.get("baseAttr"):
            attribute = self.get(attribute["baseAttr"])
        return attribute

    def enumerants(self, enum):
        return [self.get(case)["str"] for case in enum["enumerants"]]

    def values(self, attribute):
        """What may stand behind `attribute = `, as far as it has a fixed form."""
        attribute = self.base(attribute)
        classes = attribute["!superclasses"]
        if attribute["!name"] == "BoolAttr":
            return ["true", "false"]
        if "EnumAttr" in classes:
            prefix = f"#{self.dialect(attribute, 'dialect')}<{attribute['mnemonic']} "
            return [f"{prefix}{case}>"
                    for case in self.enumerants(self.get(attribute["enum"]))]
        if "AttrDef" in classes:
            opening = "<" if attribute["assemblyFormat"] else ""
            return [f"#{self.dialect(attribute, 'dialect')}."
                    f"{attribute['mnemonic']}{opening}"]
        return []

    def default(self, attribute):
        while attribute.get("baseAttr"):
            value = attribute.get("defaultValue")
            if value:
                return value.split("::")[-1]
            attribute = self.get(attribute["baseAttr"])
        return ""

    def attributes(self, op):
        """The attributes of an op that its dictionary holds."""
        assembly = op["assemblyFormat"]
        for type, name in op["arguments"]["args"]:
            record = self.get(type)
            if "Attr" not in record["!superclasses"]:
                continue
            is_optional = bool(record.get("isOptional") or self.default(record))
            if name in SIGNATURE:
                continue
            # A hand-written form has what is required outside of the dictionary.
            if (not is_optional if assembly is None else
                    re.search(rf"\${name}\b", assembly)):
                continue
            yield (name, record["summary"], self.default(record), is_optional,
                   record["!name"] == "UnitAttr", self.values(record))


TOKEN = re.compile(r"`[^`]*`|functional-type\([^)]*\)|(?:type|ref)\([^)]*\)|"
                   r"custom<\w+>\([^)]*\)|\)\?|[()^]|[\w$-]+")


def get_required_part(assembly):
    """The tokens of a declarative form outside of its optional groups."""
    levels = [[]]
    for token in TOKEN.findall(assembly):
        if token == "(":
            levels.append([])
        elif token == ")?":
            levels.pop()
        else:
            levels[-1].append(token)
    return levels[0]


def get_snippet(op, records):
    """A declarative form as a snippet: its required parts with a place for each
    operand, attribute and type. Empty if there is none."""
    # What is around the name of an argument or region.
    frames = {name: ("{\n\t", "\n}") for _, name in op["regions"]["args"]}
    for type, name in op["arguments"]["args"]:
        record = records.get(type)
        if "Attr" not in record["!superclasses"]:
            frames[name] = ("%", "")
        elif "Symbol" in records.base(record)["!name"]:
            frames[name] = ("@", "")
        elif records.base(record)["!name"] == "StrAttr":
            frames[name] = ('"', '"')
    snippet, count = "", 0

    def add(text):
        nonlocal snippet
        is_tight = text in (",", ")", "}", ">") or snippet.endswith(("(", "<"))
        snippet += text if is_tight or not snippet else " " + text

    def add_place(name, before="", after=""):
        nonlocal count
        count += 1
        add(f"{before}${{{count}:{name}}}{after}")

    for token in get_required_part(op["assemblyFormat"] or ""):
        if token.startswith("attr-dict"):
            required = [attribute for attribute in records.attributes(op)
                        if not attribute[3]]
            for index, (name, *_) in enumerate(required):
                add(f"{'' if index else '{'}{name} =")
                add_place("value")
                add("}" if index + 1 == len(required) else ",")
        elif token.startswith("`"):
            if token[1:-1].strip():
                add(token[1:-1])
        else:
            name = re.search(r"\$(\w+)", token)[1]
            if token.startswith(("type", "functional")):
                add_place(f"type of {name}")
            else:
                add_place(name, *frames.get(name, ()))
    return snippet


def write_ops(out, records):
    for op in sorted(records.all("Op"), key=lambda op: op["opName"]):
        if not records.is_own(op, "opDialect"):
            continue
        name = f"{records.dialect(op, 'opDialect')}.{op['opName']}"
        arguments = [argument for _, argument in op["arguments"]["args"]]
        out.write(f"OpInfo{{{quote(name)}, {quote(op['summary'])},\n"
                  f"  {quote(op['description'])},\n"
                  f"  {quote(get_snippet(op, records))},\n"
                  f"  {str('sym_name' in arguments).lower()},"
                  f" {str(bool(op['regions']['args'])).lower()}, {{\n")
        for attribute, summary, default, is_optional, is_unit, values in \
                records.attributes(op):
            out.write(f"    {{{quote(attribute)}, {quote(summary)},"
                      f" {quote(default)}, {str(is_optional).lower()},"
                      f" {str(is_unit).lower()}, {strings(values)}}},\n")
        out.write("  }},\n")


def write_mnemonics(out, records, cls, sigil):
    for record in sorted(records.all(cls), key=lambda r: r["mnemonic"] or ""):
        if not record["mnemonic"] or not records.is_own(record, "dialect"):
            continue
        name = f"{sigil}{records.dialect(record, 'dialect')}.{record['mnemonic']}"
        assembly = record["assemblyFormat"] or ""
        parameters = record["parameters"]["args"] if "struct(params)" in assembly else []
        out.write(f"MnemonicInfo{{{quote(name)}, {quote(record['summary'])},\n"
                  f"  {quote(record['description'])},\n  {{")
        for type, parameter in parameters:
            type = type if isinstance(type, str) else records.get(type)["cppType"]
            out.write(f"{{{quote(parameter)}, {quote(type.split('::')[-1])}}}, ")
        out.write("}},\n")


def main():
    out_path, *paths = sys.argv[1:]
    all_records = [Records(*path.split("=", 1)) for path in paths]
    with open(out_path, "w") as out:
        out.write("#ifdef JOB_LSP_OPS\n")
        for records in all_records:
            write_ops(out, records)
        out.write("#endif\n#ifdef JOB_LSP_MNEMONICS\n")
        for records in all_records:
            write_mnemonics(out, records, "AttrDef", "#")
            write_mnemonics(out, records, "TypeDef", "!")
        out.write("#endif\n")


if __name__ == "__main__":
    main()
