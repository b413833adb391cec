"""The plugin for Neovim, in a headless one."""

import json
import os
import shutil
import subprocess

import pytest

from language_client import ROOT, SERVER

pytestmark = [
    pytest.mark.skipif(not SERVER.exists(), reason="no job-lsp-server here"),
    pytest.mark.skipif(not shutil.which("nvim"), reason="no Neovim here"),
]

# Opens the file, asks the server, and writes what it gets.
SCRIPT = r"""
local out = {}

local function wait(what)
  assert(vim.wait(20000, what, 20), 'nothing came in time')
end

local buffer = vim.api.nvim_get_current_buf()
out.filetype = vim.bo[buffer].filetype
wait(function() return #vim.lsp.buf_get_clients(buffer) > 0 or next(vim.lsp.buf_get_clients(buffer)) ~= nil end)
local _, client = next(vim.lsp.buf_get_clients(buffer))
out.server = client.name
out.commentstring = vim.bo[buffer].commentstring
out.omnifunc = vim.bo[buffer].omnifunc

local function place(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return
    end
  end
  error('no ' .. text)
end

local function ask(method, text, more)
  place(text)
  local params = vim.lsp.util.make_position_params()
  for key, value in pairs(more or {}) do
    params[key] = value
  end
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  return answers[client.id].result
end

wait(function() return #vim.diagnostic.get(buffer) > 0 end)
out.diagnostics = vim.tbl_map(function(d)
  return { message = d.message, line = d.lnum, column = d.col }
end, vim.diagnostic.get(buffer))

-- The quick fix, as the editor applies it.
local diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buffer, out.diagnostics[1].line)
place('job.matmull')
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = diagnostics }
local actions = vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', params, 20000)
local action = actions[client.id].result[1]
out.action = action.title
vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
wait(function() return #vim.diagnostic.get(buffer) == 0 end)
out.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')

out.hover = ask('textDocument/hover', 'job.matmul').contents.value
out.references = #ask('textDocument/references', '%images:', { context = { includeDeclaration = true } })
out.definition = ask('textDocument/definition', '%images :')[1].range.start.line

-- Completion by the omnifunc, at the end of a line that is being typed.
place('job.matmul')
local line = vim.api.nvim_get_current_line()
local cursor = vim.api.nvim_win_get_cursor(0)
vim.api.nvim_set_current_line(line:sub(1, cursor[2]) .. 'job.mat')
local items = vim.lsp.buf_request_sync(buffer, 'textDocument/completion', {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  position = { line = cursor[1] - 1, character = cursor[2] + 7 },
}, 20000)[client.id].result
out.completion = vim.tbl_map(function(item)
  return item.word
end, vim.lsp.util.text_document_completion_list_to_complete_items(items, 'job.mat'))

local file = io.open(os.getenv('OUT'), 'w')
file:write(vim.fn.json_encode(out))
file:close()
vim.cmd('qa!')
"""


def test_an_editor_with_the_plugin(tmp_path):
    text = (ROOT / "examples" / "mlp.mlir").read_text()
    first = text.index("job.matmul")
    model = tmp_path / "é model.mlir"
    model.write_text(text[:first] + "job.matmull" + text[first + len("job.matmul"):])
    script = tmp_path / "script.lua"
    script.write_text(
        "local ok, message = pcall(function()\n" + SCRIPT + "\nend)\n"
        "if not ok then io.stderr:write(tostring(message)) vim.cmd('cquit') end\n")
    init = tmp_path / "init.lua"
    init.write_text(
        f"vim.opt.runtimepath:prepend({json.dumps(str(ROOT / 'editors' / 'nvim'))})\n"
        "vim.cmd('filetype plugin on')\nvim.cmd('syntax on')\n"
        f"require('jobmlir').setup({{ cmd = {{ {json.dumps(str(SERVER))} }} }})\n")
    out = tmp_path / "out.json"
    done = subprocess.run(
        ["nvim", "--headless", "-n", "-i", "NONE", "-u", init, model,
         "-c", f"luafile {script}"],
        env=os.environ | {"OUT": str(out), "HOME": str(tmp_path),
                          "XDG_STATE_HOME": str(tmp_path / "state"),
                          "XDG_CACHE_HOME": str(tmp_path / "cache")},
        cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    got = json.loads(out.read_text())
    assert got["filetype"] == "mlir" and got["server"] == "job-lsp-server"
    assert got["commentstring"] == "// %s" and "lsp" in got["omnifunc"]
    line = text[:first].count("\n")
    assert [d["message"] for d in got["diagnostics"]] == ["custom op 'job.matmull' is unknown"]
    assert got["diagnostics"][0]["line"] == line
    assert got["action"] == "Replace job.matmull by job.matmul"
    assert got["text"] == text.rstrip("\n")
    assert "FLOPs" in got["hover"]
    assert got["references"] >= 2 and got["definition"] < line
    assert got["completion"] == ["job.matmul"]
