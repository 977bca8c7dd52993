"""The recipe for minuet-ai.nvim in Neovim: what it sends gets ghost text.

A stand-in builds the request as the plugin's documentation describes it. The plugin itself runs where EDITAHEAD_CLIENTS
names a folder that holds it: nothing is installed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "lsp"))
sys.path.insert(0, str(Path(__file__).parents[2] / "endpoint"))

import pytest
from editor import Editor
from fake_engine import FakeEngine, loader
from http_client import PATIENCE, TOKEN, RunningEndpoint

RECIPE = Path(__file__).parents[3] / "docs" / "editors" / "http.md"
STAND_IN = """
local recipe, file = arg[1], arg[2]
local options
package.preload.minuet = function()
  return { setup = function(given) options = given end }
end
dofile(recipe)
vim.cmd.edit(vim.fn.fnameescape(file))
local provider = options.provider_options[options.provider]
local before, after = "total = price + tax\\ntot", "\\nlast = 2"
local body = vim.tbl_deep_extend("force", {
  model = provider.model,
  prompt = provider.template.prompt(before, after, {}),
  suffix = provider.template.suffix(before, after, {}),
  stream = provider.stream,
}, provider.optional)
local sent = { url = provider.end_point, token = provider.api_key(), requests = options.n_completions, body = body }
io.stdout:write(vim.json.encode(sent))
"""


def test_what_the_recipe_for_minuet_sends_gets_ghost_text(binary: Path, tmp_path: Path) -> None:
    (recipe,) = re.findall(r"```lua\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "recipe.lua").write_text(recipe, encoding="utf-8")
    (tmp_path / "stand_in.lua").write_text(STAND_IN, encoding="utf-8")
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "editahead-token").write_text("a-token-of-the-user\n", encoding="utf-8")
    file = tmp_path / "größe 1.py"
    arguments = ("--clean", "-l", "stand_in.lua", "recipe.lua", str(file))
    done = subprocess.run(
        [str(binary), *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=PATIENCE,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    sent = json.loads(done.stdout)
    assert sent["url"].endswith("/v1/completions")
    assert (sent["token"], sent["requests"]) == ("a-token-of-the-user", 1)
    engine = FakeEngine()
    endpoint = RunningEndpoint(loader(engine), tmp_path, {"precision": 0.5})
    try:
        sent["body"]["precision"] = 0.5  # the engine of the tests is sure of no more
        assert endpoint.client.post(sent["body"]).text == "al = price + tax"
    finally:
        endpoint.stop()
    assert engine.seen[-1].path == file
    assert engine.seen[-1].syntax.buffer.data == b"total = price + tax\ntot\nlast = 2"


SHOWN = """local ns = vim.api.nvim_get_namespaces()['minuet.virtualtext']
local mark = ns and vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })[1]
return mark and mark[4].virt_text and mark[4].virt_text[1][1]"""


def test_the_plugin_itself_shows_and_inserts_ghost_text(stock: Callable[[str], Editor], tmp_path: Path) -> None:
    plugin = Path(os.environ.get("EDITAHEAD_CLIENTS", "")) / "minuet-ai.nvim"
    if not os.environ.get("EDITAHEAD_CLIENTS") or not plugin.is_dir():
        pytest.skip("EDITAHEAD_CLIENTS has no minuet-ai.nvim")
    (recipe,) = re.findall(r"```lua\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n", encoding="utf-8")
    endpoint = RunningEndpoint(loader(FakeEngine()), tmp_path, {"precision": 0.5})
    try:
        recipe = recipe.replace(":8767/", f":{endpoint.client.port}/").replace("~/.config/editahead-token", str(token))
        recipe = recipe.replace("precision = 0.8", "precision = 0.5")  # the engine of the tests is sure of no more
        editor = stock(f"vim.opt.runtimepath:prepend({str(plugin)!r})\n{recipe}")
        editor.open("a.py", "total = price + tax\n\nlast = 2\n")
        editor.nvim.command("Minuet virtualtext enable")
        editor.keys("jitot")
        editor.until(lambda: editor.lua(SHOWN) == "al = price + tax", "ghost text")
        editor.lua("require('minuet.virtualtext').action.accept()")
        editor.until(lambda: editor.lines()[1] == "total = price + tax", "the text inserted")
    finally:
        endpoint.stop()
