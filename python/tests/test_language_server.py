"""job-lsp-server, as an editor talks to it."""

import copy
import json
import os
import random
import subprocess

import pytest

from language_client import ROOT, SERVER, Client, apply, encode, to_offset, to_position

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason="no job-lsp-server here")

MODEL = """\
job.variable @weight : !job.blob<8x4xf32>
  init #job.constant_init<1.0>
job.func @predict(%x: !job.blob<4x4xf32>)
    -> !job.blob<4x8xf32> kind predict {
  %w = job.read @weight : !job.blob<8x4xf32>
  %y = job.matmul %x, %w {transpose_rhs = true}
    : !job.blob<4x4xf32>, !job.blob<8x4xf32>
  %z = job.relu %y : !job.blob<4x8xf32>
  job.return %z : !job.blob<4x8xf32>
}
"""

# Of a request for references or completion.
CONTEXT = {"includeDeclaration": True, "triggerKind": 1}


@pytest.fixture
def client():
    with Client() as client:
        yield client


def complete(client, text, **options):
    """The items where `text` has a bar."""
    offset = text.index("|")
    client.open(text.replace("|", "", 1))
    items = client.at("textDocument/completion", offset)["items"]
    return {item["label"]: item for item in items}


def accept(client, text, label):
    """The text after the item is chosen where `text` has a bar."""
    item = complete(client, text)[label]
    return apply(text.replace("|", "", 1), [item["textEdit"]])


# ---------------------------------------------------------------------------
# Completion


def test_the_server_says_who_it_is(client):
    assert client.capabilities["serverInfo"]["name"] == "job-lsp-server"
    characters = client.capabilities["capabilities"]["completionProvider"]
    assert {"@", "{", "#", "!", "%", "."} <= set(characters["triggerCharacters"])
    # A dot is a part of an op's name.
    assert "allCommitCharacters" not in characters


@pytest.mark.parametrize("tail", ["", "\n", "\n" + "}\n"], ids=["end", "line", "brace"])
def test_ops_complete_in_a_text_that_ends_anywhere(client, tail):
    head = MODEL[: MODEL.index("  %y")]
    items = complete(client, head + "  %y = job.mat|" + tail)
    assert list(items) == ["job.matmul"]
    item = items["job.matmul"]
    assert item["detail"] == "matrix product"
    assert "where `op` transposes" in item["documentation"]["value"].replace("\n", " ")
    assert apply(head + "  %y = job.mat" + tail, [item["textEdit"]]) == (
        head + "  %y = job.matmul" + tail)


def test_ops_of_all_dialects_complete_at_an_empty_place(client):
    items = complete(client, "|")
    assert {"job.func", "job.variable", "plan.program", "arith", "func"} <= set(items)


def test_other_dialects_keep_their_ops(client):
    items = complete(client, "func.func @f(%a: f32) {\n  %b = arith.|\n  return\n}\n")
    assert "addf" in items and not any(name.startswith("job.") for name in items)


def test_every_op_has_a_text():
    with Client(snippets=True) as client:
        items = complete(client, "job.|") | complete(client, "plan.|")
    names = set()
    for dialect in ("Job", "Plan"):
        page = (ROOT / f"docs/generated/{dialect}Ops.md").read_text()
        names |= {line.split("`")[1] for line in page.splitlines()
                  if line.startswith("### `") and f"`{dialect.lower()}." in line}
    assert len(names) > 140 and set(items) == names
    for item in items.values():
        assert item["detail"] and item["documentation"]["value"]


def test_snippets_follow_the_form_of_an_op():
    with Client(snippets=True) as client:
        items = complete(client, "job.|")
        texts = {name: item["textEdit"]["newText"] for name, item in items.items()}
        assert all(item["insertTextFormat"] == 2 for name, item in items.items()
                   if texts[name] != name)
    assert texts["job.matmul"] == (
        "job.matmul %${1:lhs}, %${2:rhs} : ${3:type of lhs}, ${4:type of rhs}")
    assert texts["job.read"] == "job.read @${1:variable} : ${2:type of result}"
    assert texts["job.concat"] == (
        "job.concat %${1:operands} {axis = ${2:value}} : ${3:type of operands}")
    # What is optional is left out; so is a form that is written by hand.
    assert texts["job.gelu"] == "job.gelu %${1:operand} : ${2:type of result}"
    assert texts["job.func"] == "job.func"


def test_without_snippets_only_the_name_is_inserted(client):
    item = complete(client, "job.|")["job.matmul"]
    assert item["textEdit"]["newText"] == "job.matmul"
    assert item["insertTextFormat"] == 1


@pytest.mark.parametrize("dictionary", ["{|", "{|}", "{ |\n", "{tr|", "{transpose_|}"])
def test_attributes_of_the_op(client, dictionary):
    text = MODEL.replace("{transpose_rhs = true}", dictionary)
    items = complete(client, text)
    assert set(items) == {"transpose_lhs", "transpose_rhs"}
    assert items["transpose_lhs"]["detail"] == "bool attribute, default false"
    assert items["transpose_lhs"]["textEdit"]["newText"] == "transpose_lhs = "


def test_attributes_that_are_there_are_not_offered(client):
    items = complete(client, MODEL.replace("= true}", "= true, |}"))
    assert set(items) == {"transpose_lhs"}


def test_attributes_stand_over_several_lines_and_nested_lists(client):
    text = "%0 = job.conv2d %x, %f {\n  strides = array<i64: 1, 1>, // one\n" \
           "  layout = #job<layout nhwc>,\n  |"
    assert set(complete(client, text)) == {"padding", "dilations", "groups"}


def test_required_attributes_come_first(client):
    items = complete(client, "%0 = job.conv2d %x, %f {|")
    names = sorted(items, key=lambda name: items[name]["sortText"])
    assert names[-1] == "layout" and items["strides"]["detail"].endswith(", required")


def test_attributes_of_a_job_stand_behind_a_keyword(client):
    head = "job.func @f() kind predict "
    items = complete(client, head + "attributes {|} {\n  job.return\n}\n")
    assert {"placement", "precision", "in_place", "tf32"} <= set(items)
    assert "sym_name" not in items and "kind" not in items
    # Its body is no dictionary.
    assert "job.relu" in complete(client, head + "{\n  |\n  job.return\n}\n")


def test_values_of_attributes(client):
    assert set(complete(client, MODEL.replace("rhs = true", "rhs = |"))) == {
        "true", "false"}
    assert accept(client, MODEL.replace("rhs = true", "rhs = fa|"), "false") == (
        MODEL.replace("rhs = true", "rhs = false"))
    assert set(complete(client, "%0 = job.conv2d %x, %f {layout = |")) == {
        "#job<layout nchw>", "#job<layout nhwc>"}


def test_parameters_of_attributes(client):
    items = complete(client, "job.minimize #job.adam<beta1 = 0.9, |")
    assert set(items) == {"beta2", "epsilon", "bias_correction"}


def test_attributes_and_types_of_the_dialects(client):
    items = complete(client, MODEL.replace("#job.constant_init<1.0>", "#job.|"))
    assert items["#job.constant_init"]["detail"] == (
        "initializes every element with one value")
    assert "#job.adam" in items and "!job.blob" not in items
    assert accept(client, "job.variable @w : !job.b|", "!job.blob") == (
        "job.variable @w : !job.blob")
    assert "!job.blob" in complete(client, "job.variable @w : !|")


def test_values_in_scope(client):
    assert set(complete(client, MODEL.replace("%x, %w", "%x, %|"))) == {"%x", "%w"}


def test_symbols(client):
    items = complete(client, MODEL.replace("read @weight", "read @|"))
    assert items["@weight"]["detail"] == "job.variable"
    assert items["@predict"]["detail"] == "job.func"
    assert accept(client, MODEL.replace("read @weight", "read @we|"), "@weight") == MODEL


def test_symbols_are_those_of_the_module(client):
    items = complete(client, MODEL + "// -----\n" + MODEL.replace("weight", "other")
                     .replace("read @other", "read @|"))
    assert "@other" in items and "@weight" not in items


def test_keywords_of_the_form(client):
    assert set(complete(client, MODEL.replace("kind predict", "kind |"))) == {
        "train", "predict", "init"}


@pytest.mark.parametrize("text", ["// job.|", 'job.func @f(%x: f32 {job.name = "job.|'])
def test_nothing_completes_in_comments_and_strings(client, text):
    assert not [name for name in complete(client, text) if name.startswith("job.")]


# ---------------------------------------------------------------------------
# Definitions, references, symbols


def ranges(locations, text):
    return [text[to_offset(text, location["range"]["start"]):
                 to_offset(text, location["range"]["end"])]
            for location in locations]


@pytest.mark.parametrize("what, count", [("%x", 2), ("%w", 2), ("@weight", 2), ("%z", 2)])
def test_definitions_and_references(client, what, count):
    client.open(MODEL)
    uses = [i for i in range(len(MODEL)) if MODEL.startswith(what, i)]
    assert len(uses) == count
    definition = client.at("textDocument/definition", uses[-1] + 1)
    assert [to_offset(MODEL, location["range"]["start"])
            for location in definition] == [
                uses[0] if what[0] == "%" else MODEL.index("job.variable")]
    references = client.at("textDocument/references", uses[-1] + 1,
                           context=CONTEXT)
    if what[0] == "%":
        assert sorted(to_offset(MODEL, location["range"]["start"])
                      for location in references) == uses
        assert set(ranges(references, MODEL)) == {what}
    else:
        assert what in ranges(references, MODEL)


def test_variables_in_lists_are_references(client):
    text = """\
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@w]}
  job.return
}
"""
    client.open(text)
    assert client.diagnostics() == []
    definition = client.at("textDocument/definition", text.rindex("@w"))
    assert [location["range"]["start"]["line"] for location in definition] == [0]


BROKEN = MODEL + MODEL.replace("predict(", "other(").split("job.constant_init<1.0>\n")[1] + """\
func.func private @helper(%w: f32) {
  %z = arith.
"""


@pytest.mark.parametrize("what, function, count, definition", [
    ("%w", "@predict", 2, "%w = job.read"),
    ("%x", "@other", 2, "%x: "),
    ("%w", "@helper", 1, "%w: f32"),
    ("@weight", "", 3, "@weight :"),
    ("@helper", "", 1, "@helper("),
])
def test_names_in_a_text_with_errors(client, what, function, count, definition):
    client.open(BROKEN)
    assert client.diagnostics()
    start = BROKEN.index(function)
    last = BROKEN.index(what, start)
    for place in (last, last + len(what)):
        references = client.at("textDocument/references", place, context=CONTEXT)
        assert ranges(references, BROKEN) == [what] * count
        if function:
            first = to_offset(BROKEN, references[0]["range"]["start"])
            assert first >= start
        (found,) = client.at("textDocument/definition", place)
        assert to_offset(BROKEN, found["range"]["start"]) == BROKEN.index(
            definition, start)


def test_blocks_and_aliases_in_a_text_with_errors(client):
    text = """\
!t = f32
func.func @f(%a: !t) {
  cf.br ^end(%a : !t)
^end(%b: !t):
  return %
}
func.func @g() {
  cf.br ^end
}
"""
    client.open(text)
    for what, count, definition in [("!t", 4, "!t ="), ("^end", 2, "^end(%b")]:
        references = client.at("textDocument/references", text.index(what), context=CONTEXT)
        assert ranges(references, text) == [what] * count
        (found,) = client.at("textDocument/definition", text.index(what))
        assert to_offset(text, found["range"]["start"]) == text.index(definition)
    # No name, and one that nothing defines.
    assert client.at("textDocument/references", text.index("return"), context=CONTEXT) == []
    place = text.rindex("^end")
    assert client.at("textDocument/definition", place) == []


def test_document_symbols(client):
    client.open(MODEL)
    symbols = client.request("textDocument/documentSymbol",
                             textDocument={"uri": "file:///model.mlir"})
    names = [symbol["name"] for symbol in symbols[0]["children"]] if (
        symbols[0].get("children")) else [symbol["name"] for symbol in symbols]
    assert names == ["weight", "predict"]


# ---------------------------------------------------------------------------
# Quick fixes


@pytest.mark.parametrize("right, wrong", [
    # notes of the compiler
    ("read @weight", "read @wieght"),
    ("kind predict", "kind predcit"),
    # names that the parser does not know
    ("job.matmul", "job.matmull"),
    ("job.return", "job.retrun"),
    ("%x, %w", "%x, %ww"),
    ("#job.constant_init", "#job.constnt_init"),
    ("!job.blob<4x4xf32>)", "!job.blub<4x4xf32>)"),
])
def test_names_are_replaced(client, right, wrong):
    text = MODEL.replace(right, wrong, 1)
    assert text != MODEL
    client.open(text)
    fixes = client.fix_its()
    assert MODEL in fixes.values(), fixes
    client.open(MODEL)
    assert client.diagnostics() == []


@pytest.mark.parametrize("line, wrong", [
    ("%0 = job.compare ge %x, %x : !job.blob<4x4x4x4xf32>", "gee"),
    ("%0 = job.gelu %x approximate tanh : !job.blob<4x4x4x4xf32>", "tahn"),
    ("%0 = job.gelu %x approximate tanh : !job.blob<4x4x4x4xf32>", "tan"),
    ("%0 = job.avg_pool2d %x {ksize = array<i64: 2, 2>, layout = #job<layout nhwc>, "
     "padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}"
     " : !job.blob<4x4x4x4xf32>", "nhc"),
    ("%0 = job.reduce_sum %x {axes = array<i64: 0>, keepdims = true}"
     " : !job.blob<4x4x4x4xf32>", "ture"),
])
def test_words_of_enumerations_are_replaced(client, line, wrong):
    text = "job.func @f(%x: !job.blob<4x4x4x4xf32>) kind predict {\n  LINE\n  job.return\n}\n"
    right = text.replace("LINE", line)
    client.open(right)
    assert client.diagnostics() == []
    word = {"gee": "ge ", "tahn": "tanh", "tan": "tanh", "nhc": "nhwc", "ture": "true"}
    client.open(right.replace(word[wrong].strip(), wrong, 1)
                if wrong != "gee" else right.replace(" ge ", " gee "))
    assert right in client.fix_its().values()


@pytest.mark.parametrize("right, wrong", [
    ("kind predict", "kin predict"),
    ("<mean = 0.0", "<men = 0.0"),
    ("stddev = 1.0", "sttdev = 1.0"),
    ('<cpu, "0:0">', '<cpuu, "0:0">'),
    ("job.placement =", "job.placment ="),
])
def test_other_words_are_replaced(client, right, wrong):
    text = """\
job.variable @w : !job.blob<4xf32>
  init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @f(%x: !job.blob<4xf32> {job.placement = #job.placement<cpu, "0:0">}) kind predict {
  job.return
}
"""
    client.open(text)
    assert client.diagnostics() == []
    client.open(text.replace(right, wrong))
    assert text in client.fix_its().values()


def test_attributes_are_replaced(client):
    # The parser takes any name; only the passes know better.
    for head in ("", "// é𝄞\r\n" + MODEL + "// -----\n", "// -----\n// -----\n"):
        text = head + MODEL.replace("transpose_rhs", "transpose_rsh").replace(
            "job.blob<8x4xf32>\n  init", "job.blob<4x8xf32>\n  init").replace(
            "read @weight : !job.blob<8x4xf32>", "read @weight : !job.blob<4x8xf32>").replace(
            ", !job.blob<8x4xf32>", ", !job.blob<4x8xf32>")
        client.open(text)
        (diagnostic,) = client.diagnostics()
        assert diagnostic["message"] == (
            "'job.matmul' op expects attributes of its own or of a dialect"
            ' but got "transpose_rsh"')
        place = text.rindex("job.matmul")
        assert diagnostic["range"] == {
            "start": to_position(text, place),
            "end": to_position(text, place + len("job.matmul"))}
        assert client.fix_its() == {
            "Replace transpose_rsh by transpose_rhs":
                text.replace("transpose_rsh", "transpose_rhs")}
    client.close()
    client.open(MODEL)
    assert client.diagnostics() == []


def test_numbers_get_a_point(client):
    client.open(MODEL.replace("<1.0>", "<1>"))
    assert client.fix_its() == {"Make 1 a float": MODEL}


def test_the_first_use_from_the_diagnostic_on_is_replaced(client):
    # A comment and a string with the same name stay.
    text = "// job.matmull\n" + MODEL.replace("job.matmul", "job.matmull") + "// job.matmull\n"
    client.open(text)
    assert client.fix_its() == {
        "Replace job.matmull by job.matmul":
            "// job.matmull\n" + MODEL + "// job.matmull\n"}


def test_no_fix_for_names_that_are_not_similar(client):
    client.open(MODEL.replace("read @weight", "read @bias"))
    assert len(client.diagnostics()) == 1 and client.fix_its() == {}


def test_an_editor_may_ask_for_other_kinds_only(client):
    client.open(MODEL.replace("job.matmul", "job.matmull"))
    diagnostics = client.diagnostics()
    assert client.request(
        "textDocument/codeAction",
        textDocument={"uri": "file:///model.mlir"},
        range=diagnostics[0]["range"],
        context={"diagnostics": diagnostics, "only": ["refactor"]},
    ) == []


# ---------------------------------------------------------------------------
# Texts and positions


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_columns_count_utf16_units(client, newline):
    text = newline.join([
        'module attributes {test.name = "é—𝄞"} { // é—𝄞',
        'job.func @f(%x: !job.blob<4xf32> {job.name = "é—𝄞"}, %b: !job.blob<4xf32>'
        ' {job.name = "b"}) kind predict {',
        '  job.return } job.func @g(%x: !job.blob<4xf32> {job.name = "𝄞𝄞"})'
        ' kind predict { %y = job.relu %xx : !job.blob<4xf32>',
        '  job.return',
        '}', '}', ''])
    client.open(text)
    diagnostics = client.diagnostics()
    assert len(diagnostics) == 1
    place = text.index("%xx")
    assert diagnostics[0]["range"] == {
        "start": to_position(text, place), "end": to_position(text, place + 3)}
    right = text.replace("%xx", "%x")
    assert client.fix_its() == {"Replace %xx by %x": right}
    client.open(right)
    assert client.diagnostics() == []
    place = right.index("%b:")
    hover = client.at("textDocument/hover", place)
    assert "blob `4xf32`: 4 elements" in hover["contents"]["value"]
    assert hover["range"] == {"start": to_position(right, place),
                              "end": to_position(right, place + 2)}
    place = right.index("%x :")
    (definition,) = client.at("textDocument/definition", place)
    assert to_offset(right, definition["range"]["start"]) == right.rindex("%x:")
    items = complete(client, right.replace("relu %x", "relu %|"))
    assert set(items) == {"%x"}
    assert accept(client, right.replace("job.relu", "job.rel|"), "job.relu") == right


@pytest.mark.parametrize("text", [
    '%a = job.read @"kern\r\nel"\r\n', 'x @"ab\r\n', '"\r', "a\rb\r\r\nc", '// "a\r\n"b\r\n'])
def test_strings_that_end_with_a_carriage_return(client, text):
    client.open(text)
    (diagnostic,) = client.diagnostics()
    assert diagnostic["message"]


def test_changes_of_parts_are_applied(client):
    client.open("// é𝄞\n" + MODEL)
    uri = "file:///model.mlir"
    text = "// é𝄞x\n" + MODEL.replace("job.relu", "job.tanh")
    client.version += 1
    client.notify(
        "textDocument/didChange",
        textDocument={"uri": uri, "version": client.version},
        contentChanges=[
            {"range": {"start": {"line": 0, "character": 6},
                       "end": {"line": 0, "character": 6}}, "text": "x"},
            {"range": {"start": {"line": 8, "character": 7},
                       "end": {"line": 8, "character": 15}}, "text": "job.tanhh"},
            {"range": {"start": {"line": 8, "character": 15},
                       "end": {"line": 8, "character": 16}}, "text": ""},
        ])
    client.texts[uri] = text
    assert client.diagnostics() == []
    assert '"job.tanh"' in client.at(
        "textDocument/hover", text.index("job.tanh"))["contents"]["value"]


def test_positions_outside_of_the_text_are_its_ends(client):
    client.open(MODEL)
    for line, character in [(0, 10**9), (10**9, 0), (10**9, 10**9), (2, 2**31 - 1)]:
        for method in ("hover", "definition", "references", "completion"):
            client.request(
                f"textDocument/{method}",
                textDocument={"uri": "file:///model.mlir"},
                position={"line": line, "character": character},
                context=CONTEXT)


def test_long_lines(client):
    job = MODEL.replace("\n", " ").replace("%z = job.relu %y", " ".join(
        ["%a0 = job.relu %y : !job.blob<4x8xf32>"]
        + [f"%a{i + 1} = job.relu %a{i} : !job.blob<4x8xf32>" for i in range(2000)]
        + ["%z = job.relu %a2000"]))
    assert len(job) > 80_000
    client.open(job)
    assert client.diagnostics() == []
    (definition,) = client.at("textDocument/definition", job.index("%a1999 :"))
    assert to_offset(job, definition["range"]["start"]) == job.index("%a1999 =")


def test_several_files_have_texts_of_their_own(client):
    client.open(MODEL, "file:///a.mlir")
    client.open(MODEL.replace("relu", "rellu"), "file:///b%20c.mlir")
    assert len(client.diagnostics("file:///b%20c.mlir")) == 1
    client.open(MODEL, "file:///b%20c.mlir")
    assert client.diagnostics("file:///b%20c.mlir") == []
    client.close("file:///a.mlir")
    answer = client.request("textDocument/hover", textDocument={"uri": "file:///a.mlir"},
                            position={"line": 0, "character": 3})
    assert answer is None
    # Its diagnostics are cleared.
    last = [message["params"] for message in client.notifications
            if message["params"]["uri"] == "file:///a.mlir"][-1]
    assert last["diagnostics"] == []


def test_diagnostics_follow_the_text(client):
    for text, count in [(MODEL, 0), (MODEL[:-4], 1), (MODEL, 0), ("", 0), ("{", 1)]:
        client.open(text)
        assert len(client.diagnostics()) == count


# ---------------------------------------------------------------------------
# What no editor should send


def ask_all(client, text, offset):
    """All requests at a place of a text. Each has an answer."""
    client.open(text)
    diagnostics = client.diagnostics()
    for method in ("hover", "definition", "references", "completion"):
        client.at(f"textDocument/{method}", offset, context=CONTEXT)
    for diagnostic in diagnostics:
        begin, end = (to_offset(text, diagnostic["range"][name])
                      for name in ("start", "end"))
        assert 0 <= begin <= len(text) and begin <= end + 1
    client.request(
        "textDocument/codeAction",
        textDocument={"uri": "file:///model.mlir"},
        range={"start": to_position(text, offset), "end": to_position(text, offset)},
        context={"diagnostics": diagnostics})


def test_every_prefix_of_a_text(client):
    for size in range(len(MODEL) + 1):
        ask_all(client, MODEL[:size], size)


def test_random_edits(client):
    seed = int(os.environ.get("JOBMLIR_EDITS_SEED", random.randrange(2**32)))
    print(f"JOBMLIR_EDITS_SEED={seed}")
    rng = random.Random(seed)
    texts = [MODEL + "// -----\n" + MODEL]
    for path in ["examples/mlp.mlir", "test/Plan/ops.mlir"]:
        texts.append((ROOT / path).read_text()[:6000])
    pieces = ['"', "{", "}", "<", ">", "(", ")", "%", "@", "#", "!", "^", "//", "\r\n",
              "// -----", "job.", "= ", ", ", "é", "𝄞", "\\", "\0", "->", "x" * 300,
              "!job.blob<", "#job.adam<", "{a = ", "dense<", "\x7f", "99999999999999999999"]
    for _ in range(int(os.environ.get("JOBMLIR_EDITS", 300))):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 4)):
            begin = rng.randrange(len(text) + 1)
            end = min(len(text), begin + rng.choice([0, 0, 1, 3, 40]))
            text = text[:begin] + rng.choice(pieces + [""]) + text[end:]
        ask_all(client, text, rng.randrange(len(text) + 1))


def test_changes_of_a_file_that_is_not_open(client):
    """Those of a part and of the whole text are ignored, before it is open and
    after it is closed; so is an open without a text."""
    document = {"uri": "file:///model.mlir"}
    everything = {"start": {"line": 0, "character": 0},
                  "end": {"line": 99, "character": 0}}

    def send_and_ask():
        for change in ({"range": everything, "text": MODEL}, {"text": MODEL}):
            client.notify("textDocument/didChange", textDocument=document | {"version": 1},
                          contentChanges=[change])
            client.notify("textDocument/didOpen", textDocument=document | {
                "languageId": "mlir", "version": 1})
            for method, nothing in (
                    ("hover", None), ("definition", []), ("references", []),
                    ("documentSymbol", []), ("codeAction", []),
                    ("completion", {"isIncomplete": False, "items": []})):
                assert nothing == client.request(
                    f"textDocument/{method}", textDocument=document, range=everything,
                    position={"line": 5, "character": 8}, context=CONTEXT | {"diagnostics": []})
        assert client.notifications == []

    send_and_ask()
    client.open(MODEL)
    assert client.diagnostics() == []
    client.close()
    client.request("textDocument/documentSymbol", textDocument=document)
    client.notifications.clear()
    send_and_ask()


@pytest.mark.parametrize("changes", [
    None, {}, [None], [{}], [{"text": 1}], [{"text": "x"}, 1], [{"text": "", "range": {}}],
    [{"text": "x"}, {"text": "", "range": {"start": {"line": 0, "character": 0}}}]])
def test_malformed_changes_leave_the_text(client, changes):
    client.open(MODEL)
    client.notify("textDocument/didChange", contentChanges=changes,
                  textDocument={"uri": "file:///model.mlir", "version": 2})
    assert client.diagnostics() == []
    assert '"job.relu"' in client.at(
        "textDocument/hover", MODEL.index("job.relu"))["contents"]["value"]


def test_an_open_without_a_text_leaves_the_text(client):
    client.open(MODEL)
    client.notify("textDocument/didOpen", textDocument={
        "uri": "file:///model.mlir", "languageId": "mlir", "version": 2})
    assert client.diagnostics() == []
    assert client.at("textDocument/hover", MODEL.index("job.relu"))


PLACE = {"line": 5, "character": 8}
DOCUMENT = {"uri": "file:///model.mlir"}
RANGE = {"start": PLACE, "end": {"line": 6, "character": 2}}
NOTIFICATIONS = {
    "textDocument/didOpen": {"textDocument": DOCUMENT | {
        "languageId": "mlir", "version": 1, "text": MODEL}},
    "textDocument/didChange": {
        "textDocument": DOCUMENT | {"version": 2},
        "contentChanges": [{"range": RANGE, "text": "x"}, {"text": MODEL},
                           {"range": RANGE, "text": "y"}]},
    "textDocument/didClose": {"textDocument": DOCUMENT},
}
REQUESTS = {
    "initialize": {"capabilities": {"textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": {"codeActionLiteralSupport": {}}}}},
    "textDocument/hover": {"textDocument": DOCUMENT, "position": PLACE},
    "textDocument/definition": {"textDocument": DOCUMENT, "position": PLACE},
    "textDocument/references": {
        "textDocument": DOCUMENT, "position": PLACE, "context": CONTEXT},
    "textDocument/completion": {
        "textDocument": DOCUMENT, "position": PLACE, "context": CONTEXT},
    "textDocument/documentSymbol": {"textDocument": DOCUMENT},
    "textDocument/codeAction": {
        "textDocument": DOCUMENT, "range": RANGE, "context": {
            "only": ["quickfix"], "diagnostics": [{
                "range": RANGE, "message": "custom op 'job.matmull' is unknown",
                "relatedInformation": [{
                    "location": DOCUMENT | {"range": RANGE},
                    "message": "did you mean @a instead of @b?"}]}]}},
    "mlir/convertToBytecode": DOCUMENT,
}
ODD_VALUES = [
    None, True, 0, -1, 0.5, 1e300, 2**31 - 1, -2**31, 2**31, 2**63 - 1, -2**63, 2**63,
    "", "x", "\0", [], [None], [{}], {}, {"start": None}, PLACE, RANGE,
    {"line": -1, "character": -1}, {"line": 2**40, "character": 3},
    {"line": 1, "character": 2**40}, {"start": {"line": 9, "character": 0}, "end": PLACE},
    "file:///other.mlir", "file:", "ftp://host/x.mlir", "file:///%zz"]


def get_paths(value):
    """The keys that lead to each part of a value."""
    keys = (value if isinstance(value, dict) else
            range(len(value)) if isinstance(value, list) else ())
    return [()] + [(key, *path) for key in keys for path in get_paths(value[key])]


def get_odd_params(params):
    """Params with one part that is missing or has an odd value."""
    yield from ODD_VALUES
    for path in get_paths(params)[1:]:
        for value in ["missing"] + ODD_VALUES:
            changed = copy.deepcopy(params)
            part = changed
            for key in path[:-1]:
                part = part[key]
            if value == "missing":
                del part[path[-1]]
            else:
                part[path[-1]] = value
            yield changed


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
@pytest.mark.parametrize("method", [*NOTIFICATIONS, *REQUESTS])
def test_odd_params(method, is_open):
    messages = [("initialize", {"capabilities": {}})]
    for params in get_odd_params((NOTIFICATIONS | REQUESTS)[method]):
        if is_open:
            messages.append(("textDocument/didOpen", NOTIFICATIONS["textDocument/didOpen"]))
        messages.append((method, params))
        if method in NOTIFICATIONS:
            messages += REQUESTS.items()
        messages.append(("textDocument/didClose", {"textDocument": DOCUMENT}))
    messages += [("shutdown", None), ("exit", None)]
    asked, data = [], []
    for number, (name, params) in enumerate(messages):
        message = {"jsonrpc": "2.0", "method": name, "params": params}
        if name not in [*NOTIFICATIONS, "exit"]:
            message["id"] = number
            asked.append(number)
        data.append(encode(message))
    done = run_server(b"".join(data))
    assert done.returncode == 0
    answers = [json.loads(part.partition(b"\r\n\r\n")[2])
               for part in done.stdout.split(b"Content-Length: ")[1:]]
    assert [answer["id"] for answer in answers if "id" in answer] == asked


def test_errors_leave_the_server_running(client):
    for method, params in [("textDocument/bake", {}), *NOTIFICATIONS.items()]:
        assert client.answer(method, params)["error"]["code"] == -32601
    for params in [{}, {"textDocument": 1}, {"textDocument": {"uri": 3}},
                   {"textDocument": {"uri": "ftp://host/x.mlir"}, "position": None},
                   {"textDocument": {"uri": "file:///none.mlir"},
                    "position": {"line": -1, "character": -1}}]:
        for method in ("didOpen", "didChange", "didClose"):
            client.notify(f"textDocument/{method}", **params)
        for method in ("hover", "completion", "codeAction", "definition"):
            client.answer(f"textDocument/{method}", params)
    client.write(encode(b"{"))
    client.write(encode(b"[1]"))
    client.write(encode(b"\xff\xfe"))
    client.write(b"Content-Length: x\r\n\r\n")
    client.write(b"Content-Type: a\r\n\r\n")
    client.write(b"Content-Length: 99999999999999999999\r\n\r\n")
    client.open(MODEL)
    assert client.diagnostics() == []


def run_server(data, *arguments):
    return subprocess.run([SERVER, "--log=error", *arguments], input=data,
                          capture_output=True, timeout=60)


def test_exit_codes():
    initialize = encode({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                         "params": {"capabilities": {}}})
    shutdown = encode({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})
    leave = encode({"jsonrpc": "2.0", "method": "exit"})
    assert run_server(initialize + shutdown + leave).returncode == 0
    # Clients add this option, some of them to one of the user.
    for arguments in (["--stdio"], ["--stdio", "--stdio"]):
        done = run_server(initialize + shutdown + leave, *arguments)
        assert done.returncode == 0 and b'"job-lsp-server"' in done.stdout
    assert b"--stdio " in run_server(b"", "--help").stdout
    # An exit that was not announced, and an editor that is gone.
    assert run_server(initialize + leave).returncode == 1
    assert run_server(initialize).returncode == 1
    assert run_server(b"").returncode == 1
    assert run_server(initialize + b"Content-Length: 100\r\n\r\n{").returncode == 1
