"""The extension for Visual Studio Code, and what scripts/build-editors.sh packs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import xml.etree.ElementTree as xml
import zipfile

import pytest
from textmate_grammar.parsers.base import LanguageParser

from language_client import ROOT, SERVER

EXTENSION = ROOT / "editors" / "vscode"
VERSION = (ROOT / "runtime" / "VERSION").read_text().split()[0]


def load(path):
    return json.loads((EXTENSION / path).read_text())


# ---------------------------------------------------------------------------
# The extension


def test_the_package_has_what_an_extension_needs():
    package = load("package.json")
    assert re.fullmatch(r"[a-z0-9-]+", package["name"])
    assert package["publisher"] and package["displayName"] and package["description"]
    assert re.fullmatch(r"\^\d+\.\d+\.\d+", package["engines"]["vscode"])
    assert (EXTENSION / package["main"]).is_file()
    contributes = package["contributes"]
    (language,) = contributes["languages"]
    assert language["id"] == "mlir" and language["extensions"] == [".mlir"]
    load(language["configuration"])
    (grammar,) = contributes["grammars"]
    assert grammar["language"] == "mlir"
    assert load(grammar["path"])["scopeName"] == grammar["scopeName"]
    assert package["activationEvents"] == ["onLanguage:mlir"]
    # Each setting that the code reads is declared, and the other way round.
    code = (EXTENSION / package["main"]).read_text()
    read = {f"jobmlir.{name}" for name in re.findall(r'settings\.get\("(\w+)"\)', code)}
    assert read == set(contributes["configuration"]["properties"])
    commands = set(re.findall(r'registerCommand\("([\w.]+)"', code))
    assert commands == {command["command"] for command in contributes["commands"]}


def test_the_lock_file_has_the_dependencies():
    package, lock = load("package.json"), load("package-lock.json")
    packages = lock["packages"]
    assert packages[""]["dependencies"] == package["dependencies"]
    assert packages[""]["engines"] == package["engines"]
    for name, entry in packages.items():
        for dependency in entry.get("dependencies", {}):
            assert f"node_modules/{dependency}" in packages
        if name:
            assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", entry["integrity"])
            # npm asks the registry that it is configured for.
            assert "resolved" not in entry
    client = packages["node_modules/vscode-languageclient"]
    assert client["version"] == package["dependencies"]["vscode-languageclient"]
    assert client["engines"]["vscode"] == package["engines"]["vscode"]


def test_patterns_of_the_language_configuration():
    configuration = load("language-configuration.json")
    word = re.compile(configuration["wordPattern"])
    line = "  %h-1 = job.matmul %x, @w {a = #job.adam} ^bb0 !job.blob<4xf32>"
    assert word.findall(line)[:5] == ["%h-1", "job.matmul", "%x", "@w", "a"]
    rules = configuration["indentationRules"]
    increase = re.compile(rules["increaseIndentPattern"])
    assert increase.match("job.func @f() kind train {  // why")
    assert not increase.match("// {") and not increase.match("} // {")
    assert re.match(rules["decreaseIndentPattern"], "  }")


# Stand-ins for the modules of the editor: they record what the extension does.
STUBS = {
    "vscode": """
const log = global.log = { commands: {}, errors: [] };
module.exports = {
  workspace: {
    workspaceFolders: process.env.FOLDER && [{ uri: { fsPath: process.env.FOLDER } }],
    getConfiguration: () => ({
      get: (name) => JSON.parse(process.env.SETTINGS)[name] }),
    onDidChangeConfiguration: (listener) => { log.listener = listener; return {}; },
  },
  commands: { registerCommand: (name, run) => { log.commands[name] = run; return {}; } },
  window: { showErrorMessage: (message) => log.errors.push(message) },
};
""",
    "vscode-languageclient/node": """
const { spawnSync } = require("child_process");
const TransportKind = { stdio: 0 };
const MESSAGES = [
  { id: 1, method: "initialize", params: { capabilities: {} } },
  { id: 2, method: "shutdown" },
  { method: "exit" },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
  .map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`).join("");
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { id, name, server, options }); }
  async start() {
    // As the library runs an executable.
    const { command, args, transport } = this.server.run;
    const all = transport === TransportKind.stdio ? [...args, "--stdio"] : args;
    const done = spawnSync(command, all, { input: MESSAGES });
    if (done.error) throw done.error;
    global.log.starts = (global.log.starts || []).concat([this]);
    this.output = done.stdout.toString();
    this.status = done.status;
  }
  async stop() { global.log.stops = (global.log.stops || 0) + 1; }
}
module.exports = { LanguageClient, TransportKind };
""",
}

DRIVER = """
const extension = require("./extension.js");
(async () => {
  const context = { subscriptions: [] };
  await extension.activate(context);
  if (process.env.RESTART) {
    await log.commands["jobmlir.restartServer"]();
    await log.listener({ affectsConfiguration: (name) => name === "jobmlir" });
    await log.listener({ affectsConfiguration: () => false });
  }
  await extension.deactivate();
  log.subscriptions = context.subscriptions.length;
  console.log(JSON.stringify(log));
})();
"""


def activate(folder, restart=False, workspace=None, **settings):
    extension = folder / "extension"
    shutil.copytree(EXTENSION, extension, dirs_exist_ok=True)
    for name, text in STUBS.items():
        path = extension / "node_modules" / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (extension / "driver.js").write_text(DRIVER)
    done = subprocess.run(
        ["node", "driver.js"], cwd=extension, capture_output=True, text=True,
        timeout=120, env=os.environ | {
            "SETTINGS": json.dumps(settings), "RESTART": "1" if restart else "",
            "FOLDER": str(workspace or "")})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


needs_node = pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here")


@needs_node
@pytest.mark.skipif(not SERVER.exists(), reason="no job-lsp-server here")
def test_the_extension_starts_the_server_and_stops_it(tmp_path):
    log = activate(tmp_path, restart=True, serverPath=str(SERVER),
                   serverArguments=["--log=error"])
    assert len(log["starts"]) == 3 and log["stops"] == 3 and log["errors"] == []
    start = log["starts"][0]
    assert start["server"]["run"] == {
        "command": str(SERVER), "args": ["--log=error"], "transport": 0}
    assert start["status"] == 0 and '"name":"job-lsp-server"' in start["output"]
    assert start["options"]["documentSelector"] == [{"scheme": "file", "language": "mlir"}]
    assert log["subscriptions"] == 2


@needs_node
def test_a_path_may_begin_with_the_folder(tmp_path):
    server = tmp_path / "build" / "server"
    server.parent.mkdir()
    server.write_text("#!/bin/sh\ncat >/dev/null\necho $0 $*\n")
    server.chmod(0o755)
    for path in ("${workspaceFolder}/build/server", "build/server", "./build/server"):
        log = activate(tmp_path, workspace=tmp_path, serverPath=path)
        assert log["starts"][0]["output"] == f"{server} --stdio\n"


@needs_node
def test_a_server_that_is_not_there_is_an_error_message(tmp_path):
    log = activate(tmp_path, restart=True, serverPath="/none/job-lsp-server")
    assert "starts" not in log and "stops" not in log and len(log["errors"]) == 3
    assert log["errors"][0].startswith("job-lsp-server does not start: ")
    assert "jobmlir.serverPath" in log["errors"][0]


# ---------------------------------------------------------------------------
# The grammar


def tokenize(text):
    """The innermost scope of each part of a text that has one."""
    parser = LanguageParser(load("syntaxes/mlir.tmLanguage.json"))
    lines = text.splitlines()
    scopes = {}
    for token in parser.parse_string(text + "\n").flatten():
        (line, column), part, names = token[:3]
        if part.strip() and len(names) > 1:
            scopes.setdefault(part.strip(), []).append(names[-1])
            assert lines[line].startswith(part, column)
    return scopes


@pytest.mark.parametrize("line, part, scope", [
    ("job.func @f(%x: f32) kind train {", "job.func", "keyword.declaration.mlir"),
    ("job.func @f(%x: f32) kind train {", "@f", "entity.name.function.mlir"),
    ("job.func @f(%x: f32) kind train {", "%x", "variable.other.value.mlir"),
    ("job.func @f(%x: f32) kind train {", "f32", "storage.type.scalar.mlir"),
    ("job.func @f(%x: f32) kind train {", "kind", "keyword.other.mlir"),
    ("job.func @f(%x: f32) kind train {", "train", "constant.language.mlir"),
    ('job.variable @"a b" : i32', '@"a b"', "entity.name.function.symbol.mlir"),
    ("%y = job.matmul %x, %w {transpose_rhs = true}", "job.matmul",
     "support.function.op.job.mlir"),
    ("%y = job.matmul %x, %w {transpose_rhs = true}", "transpose_rhs",
     "variable.other.property.attribute.mlir"),
    ("%y = job.matmul %x, %w {transpose_rhs = true}", "true", "constant.language.mlir"),
    ("%c = arith.addf %a, %b : f32", "arith.addf", "support.function.op.mlir"),
    ('"job.relu"(%x) : (f32) -> f32', "job.relu", "support.function.op.mlir"),
    ("!job.blob<100x784xbf16>", "!job.blob", "storage.type.blob.mlir"),
    ("!job.blob<100x784xbf16>", "784", "constant.numeric.dimension.mlir"),
    ("!job.blob<100x784xbf16>", "bf16", "storage.type.scalar.mlir"),
    ("!job.blob<?<=100>x2xi32>", "?<=", "keyword.operator.bound.mlir"),
    ("!job.blob<?<=100>x2xi32>", "i32", "storage.type.scalar.mlir"),
    ("memref<4xf32, #plan.space<arena>>", "memref", "storage.type.array.mlir"),
    ("memref<4xf32, #plan.space<arena>>", "#plan.space", "support.constant.attribute.mlir"),
    ("#job.adam<beta1 = 0.9>", "beta1", "variable.other.property.attribute.mlir"),
    ("#job.adam<epsilon = 1.0e-08>", "1.0e-08", "constant.numeric.mlir"),
    ("layout = #job<layout nhwc>", "nhwc", "constant.language.enumerant.mlir"),
    ("%a:2 = job.x %b#1", "#1", "constant.numeric.result.mlir"),
    ("^bb0(%a: f32):", "^bb0", "entity.name.label.mlir"),
    ("// job.relu", "// job.relu", "comment.line.double-slash.mlir"),
    ("// -----", "// -----", "comment.line.separator.mlir"),
])
def test_colours(line, part, scope):
    assert scope in tokenize(line)[part]


def test_words_in_comments_and_strings_have_no_colour():
    scopes = tokenize('%x = job.relu %y {job.name = "job.tanh // no"} // job.sin "')
    assert "job.tanh" not in scopes and "job.sin" not in scopes


def test_every_op_and_value_of_the_examples_has_a_colour():
    text = (ROOT / "examples" / "mlp.mlir").read_text()
    scopes = tokenize(text)
    code = re.sub(r'//.*|"[^"]*"', "", text)
    for op in set(re.findall(r"\bjob\.[a-z0-9_]+", code)) - {"job.blob"}:
        if f"#{op}" not in code and f"{op} =" not in code:
            assert op in scopes, op
    for value in set(re.findall(r"%\w+", code)):
        assert scopes[value] and set(scopes[value]) == {"variable.other.value.mlir"}


# ---------------------------------------------------------------------------
# The packages


@pytest.fixture
def packages(tmp_path):
    modules = tmp_path / "modules" / "vscode-languageclient"
    modules.mkdir(parents=True)
    (modules / "node.js").write_text("")
    (modules / "LICENSE").write_text("")

    def build(name):
        out = tmp_path / name
        done = subprocess.run(
            [ROOT / "scripts" / "build-editors.sh", "--node-modules",
             tmp_path / "modules", out], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        files = [pathlib.Path(line) for line in done.stdout.splitlines()]
        assert sorted(files) == sorted(out.iterdir())
        return files

    return build


def test_what_is_packed(packages):
    extension, plugin = packages("out")
    assert extension.name == f"jobmlir-{VERSION}.vsix"
    with zipfile.ZipFile(extension) as archive:
        names = set(archive.namelist())
        package = json.loads(archive.read("extension/package.json"))
        manifest = xml.fromstring(archive.read("extension.vsixmanifest"))
        types = xml.fromstring(archive.read("[Content_Types].xml"))
    assert package == load("package.json") | {"version": VERSION}
    assert {f"extension/{name}" for name in (
        "extension.js", "README.md", "LICENSE.txt", "language-configuration.json",
        "syntaxes/mlir.tmLanguage.json",
        "node_modules/vscode-languageclient/node.js")} <= names
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    identity = manifest.find("v:Metadata/v:Identity", space)
    assert identity.attrib == {"Language": "en-US", "Id": package["name"],
                               "Version": VERSION, "Publisher": package["publisher"]}
    properties = {item.get("Id"): item.get("Value") for item in
                  manifest.findall("v:Metadata/v:Properties/v:Property", space)}
    assert properties["Microsoft.VisualStudio.Code.Engine"] == package["engines"]["vscode"]
    assert {asset.get("Path") for asset in
            manifest.findall("v:Assets/v:Asset", space)} <= names
    # Every file has a type.
    known = {item.get("Extension") or item.get("PartName") for item in types}
    for name in names - {"[Content_Types].xml"}:
        assert os.path.splitext(name)[1] in known or f"/{name}" in known

    assert plugin.name == f"jobmlir-nvim-{VERSION}.tar.gz"
    with tarfile.open(plugin) as archive:
        members = {member.name for member in archive if member.isfile()}
    folder = ROOT / "editors" / "nvim"
    assert members == {f"jobmlir/{path.relative_to(folder)}"
                       for path in folder.rglob("*") if path.is_file()}


def test_equal_files_give_equal_packages(packages):
    for one, other in zip(packages("one"), packages("other")):
        assert one.read_bytes() == other.read_bytes()


def test_options_of_the_script():
    script = ROOT / "scripts" / "build-editors.sh"
    done = subprocess.run([script, "--bake"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown option --bake" in done.stderr
    done = subprocess.run([script, "--node-modules"], capture_output=True, text=True)
    assert done.returncode != 0 and "expects a folder" in done.stderr
