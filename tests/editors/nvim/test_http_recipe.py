"""The recipe for minuet-ai.nvim in Neovim, with a stand-in for the plugin: what it would send gets ghost text.

The plugin itself is not installed here: the stand-in builds the request as the plugin's documentation describes it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "lsp"))
sys.path.insert(0, str(Path(__file__).parents[2] / "endpoint"))

from fake_engine import FakeEngine, loader
from http_client import PATIENCE, RunningEndpoint

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
