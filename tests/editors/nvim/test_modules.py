"""Single modules of the plugin, without a server: texts, changes, keys, options."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from editor import ROOT, Editor


@pytest.mark.parametrize(
    ("old", "new", "head", "tail"),
    [
        ("check(a)", "verify(a)", 0, 3),
        ("check(a)", "check(a, b)", 7, 1),
        ("a = old_name", "a = old_names", 12, 0),
        ("same", "same", 4, 0),
        ("naïve", "naive", 0, 0),
        ("", "x", 0, 0),
    ],
)
def test_words_differ_not_letters(bare: Editor, old: str, new: str, head: int, tail: int) -> None:
    assert bare.lua("return { require('editahead.text').common_words(...) }", old, new) == [head, tail]


def test_common_ends_never_split_a_character(bare: Editor) -> None:
    # é and è share their first byte, ✓ and ✗ their first two.
    assert bare.lua("return { require('editahead.text').common(...) }", "aé", "aè") == [1, 0]
    assert bare.lua("return { require('editahead.text').common(...) }", "✓x", "✗x") == [0, 1]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("name(a, b)", "name"),
        (" = value", " ="),
        (" value + 1", " value"),
        ("(a)", "("),
        ("\n    return x", "\n    "),
        ("naïve = 1", "naïve"),
        ("   ", "   "),
        ("", ""),
    ],
)
def test_first_word(bare: Editor, text: str, word: str) -> None:
    assert bare.lua("return require('editahead.text').first_word(...)", text) == word


def test_insertions_between_what_stands_there(bare: Editor) -> None:
    ask = "return require('editahead.text').insertions(...)"
    assert bare.lua(ask, ")", "a, b)") == [[0, "a, b"]]
    assert bare.lua(ask, "()", "f(a)") == [[0, "f"], [1, "a"]]
    assert bare.lua(ask, "", "abc") == [[0, "abc"]]
    assert bare.lua(ask, "x", "abc") is None


CHANGE = """
local rows, edit = ...
vim.cmd.enew({ bang = true })
local buf = vim.api.nvim_get_current_buf()
vim.api.nvim_buf_set_lines(buf, 0, -1, false, rows)
local client = { offset_encoding = 'utf-16' }
local change = require('editahead.change')
local hunks = change.hunks(client, buf, edit.range, edit.newText)
local row, column = change.apply(buf, hunks)
local ours = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
vim.cmd.enew({ bang = true })
vim.api.nvim_buf_set_lines(0, 0, -1, false, rows)
vim.lsp.util.apply_text_edits({ edit }, vim.api.nvim_get_current_buf(), 'utf-16')
return { ours, vim.api.nvim_buf_get_lines(0, 0, -1, false), hunks, { row, column } }
"""


def edit(line: int, end_line: int, text: str, character: int = 0, end_character: int = 0) -> dict[str, Any]:
    start, end = {"line": line, "character": character}, {"line": end_line, "character": end_character}
    return {"range": {"start": start, "end": end}, "newText": text}


def test_random_whole_line_edits_make_what_neovim_makes(bare: Editor) -> None:
    """Hunk by hunk or at once: the same buffer. Every shape that the server sends, on random lines."""
    random_ = random.Random(7)
    words = ["alpha", "beta", "naïve 🎉", "", "    return x", "x"]
    for _ in range(150):
        rows = [random_.choice(words) for _ in range(random_.randint(1, 6))]
        first = random_.randint(0, len(rows) - 1)
        new = [random_.choice(words) for _ in range(random_.randint(0, 3))]
        shape = random_.randint(0, 2)
        if shape == 0:  # whole lines, with their line ends
            asked = edit(first, random_.randint(first, len(rows)), "".join(f"{line}\n" for line in new))
        elif shape == 1:  # behind the end of a line
            units = len(rows[first].encode("utf-16-le")) // 2
            asked = edit(first, first, "".join(f"\n{line}" for line in new), units, units)
        else:  # up to the end of a line, without its line end
            units = len(rows[-1].encode("utf-16-le")) // 2
            asked = edit(first, len(rows) - 1, "\n".join(new), 0, units)
        ours, theirs, hunks, (row, column) = bare.lua(CHANGE, rows, asked)
        assert ours == theirs, (rows, asked, hunks)
        assert 0 <= row < len(ours)
        assert 0 <= column <= len(ours[row].encode()) or not hunks


def test_a_change_inside_a_line_is_one_small_piece(bare: Editor) -> None:
    _, _, hunks, end = bare.lua(
        CHANGE, ["a", "    x = check(b)  # naïve", "c"], edit(1, 2, "    x = verify(b)  # naïve\n")
    )
    assert hunks == [
        {
            "row": 1,
            "old": ["    x = check(b)  # naïve"],
            "new": ["    x = verify(b)  # naïve"],
            "inline": {"first": 8, "last": 13, "insert": "verify"},
        }
    ]
    assert end == [1, 14]


def test_untouched_lines_are_no_part_of_a_hunk(bare: Editor) -> None:
    _, _, hunks, _ = bare.lua(CHANGE, ["a", "b", "c"], edit(0, 3, "a\nb\nnew\nc\n"))
    assert [(hunk["row"], hunk["old"], hunk["new"]) for hunk in hunks] == [(2, [], ["new"])]


def test_wrong_options_are_named_once_and_defaults_used(bare: Editor) -> None:
    faults = bare.lua("""return require('editahead.config').set({
        ghost = { debounce = 'soon', keys = { accept = 5 }, colour = 1 }, next_edit = { keys = { reject = false } },
        completion = 'yes' })""")
    assert faults == [
        "completion must be a boolean",
        "ghost.colour is not an option",
        "ghost.debounce must be milliseconds, 0 or more",
        "ghost.keys.accept must be a key or false",
    ]
    config = bare.lua("local c = require('editahead.config').get() return { c.ghost, c.next_edit.keys, c.completion }")
    assert config[0]["keys"]["accept"] == "<Tab>"
    assert config[0]["debounce"] == 40
    assert config[1] == {"accept": "<Tab>", "reject": False}
    assert config[2] is False
    assert bare.lua("return require('editahead.config').set('loud')") == ["setup takes a table"]
    assert bare.lua("return require('editahead.config').set(nil)") == []


KEYS = """
local keys = require('editahead.keys')
local all = {}
keys.add(all, 'i', '<Tab>', 'test', function() return _G.take end)
keys.add(all, 'i', false, 'none', function() end)
keys.show(0, 'ghost', all)
"""


@pytest.mark.parametrize(
    ("mapping", "typed"),
    [
        ("", "\t"),
        ("vim.keymap.set('i', '<Tab>', 'plain')", "plain"),
        ("vim.keymap.set('i', '<Tab>', function() return 'made' end, { expr = true })", "made"),
        ("vim.keymap.set('i', '<Tab>', function() vim.api.nvim_put({ 'done' }, 'c', false, true) end)", "done"),
        ("vim.keymap.set('i', '<Tab>', 'local', { buffer = true })", "local"),
        ("vim.cmd([[inoremap <expr> <Tab> 'vim' .. 'script']])", "vimscript"),
    ],
)
def test_a_key_that_we_pass_does_what_it_did(bare: Editor, mapping: str, typed: str) -> None:
    bare.nvim.command("enew! | set noexpandtab")
    bare.lua(f"pcall(vim.keymap.del, 'i', '<Tab>') _G.take = false\n{mapping}\n{KEYS}")
    bare.keys("i<Tab>x<Esc>")
    bare.until(lambda: bare.lines() == [f"{typed}x"], "the key passed on")
    bare.lua("_G.take = true")
    bare.keys("A<Tab>y<Esc>")
    bare.until(lambda: bare.lines() == [f"{typed}xy"], "the key used up")
    bare.lua("require('editahead.keys').hide(0, 'ghost')")
    assert "editahead" not in bare.mapped("i", "<Tab>")
    bare.keys("A<Tab>z<Esc>")
    bare.until(lambda: bare.lines() == [f"{typed}xy{typed}z"], "the key as it was")


def test_a_mapping_that_somebody_made_meanwhile_stays(bare: Editor) -> None:
    bare.nvim.command("enew!")
    bare.lua(f"_G.take = true\n{KEYS}\nvim.keymap.set('i', '<Tab>', 'theirs', {{ buffer = true }})")
    bare.lua("require('editahead.keys').hide(0, 'ghost')")
    assert bare.mapped("i", "<Tab>") == "theirs"


def test_every_lua_snippet_of_the_documentation_compiles(bare: Editor) -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs" / "editors").glob("*.md"))]
    found = [block for page in pages for block in re.findall(r"```lua\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]
    assert len(found) >= 3
    for block in found:
        assert bare.lua("local f, err = loadstring(...) return err or (f and 'fine')", block) == "fine"
