"""The whole of it: a real file, the real server, the shipped models; typed, accepted, jumped, applied, saved."""

from __future__ import annotations

import pytest
from editor import Editor
from shared import CALLS, PYTHON, Start


def test_ghost_text_finishes_a_name(start: Start) -> None:
    editor = start(real=True)
    editor.open("inventory.py", PYTHON)
    editor.ready()
    editor.go("pass")
    editor.keys("Cself.quant")
    ghost = editor.until(editor.ghost, "ghost text")
    assert ghost.startswith("ities")
    editor.until(lambda: "editahead" in editor.mapped("i", "<C-Right>"), "the keys")
    editor.keys("<C-Right>")
    editor.until(lambda: editor.lines()[-1] == "        self.quantities", "a word of it taken")
    editor.keys("<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.save() == PYTHON.replace("pass", "self.quantities")


BASKETS = {
    "basket.ts": (
        "export class Basket {\n  private readonly quantities: Map<string, number>;\n\n"
        "  constructor(quantities: Map<string, number>) {\n    this.quantities = quantities;\n  }\n\n"
        "  clear(): void {\n    here\n  }\n}\n",
        "this.quant",
    ),
    "shop.go": (
        "package shop\n\ntype Basket struct {\n\tquantities map[string]int\n}\n\n"
        "func (b *Basket) Count() int {\n\treturn len(b.quantities)\n}\n\nfunc (b *Basket) Clear() {\n\there\n}\n",
        "b.quant",
    ),
}


@pytest.mark.parametrize("name", BASKETS)
def test_ghost_text_finishes_a_name_in_typescript_and_go(start: Start, name: str) -> None:
    text, begun = BASKETS[name]
    editor = start(real=True)
    editor.open(name, text)
    editor.ready()
    editor.go("here")
    editor.keys(f"C{begun}")
    assert editor.until(editor.ghost, "ghost text").startswith("ities")
    editor.until(lambda: "editahead" in editor.mapped("i", "<C-Right>"), "the keys")
    editor.keys("<C-Right>")
    editor.until(lambda: any(f"{begun}ities" in line for line in editor.lines()), "a word of it taken")
    editor.keys("<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    assert editor.save() == text.replace("here", f"{begun}ities")


def test_an_edit_made_twice_is_offered_the_third_time(start: Start) -> None:
    editor = start(real=True)
    editor.open("calls.py", CALLS)
    editor.ready()
    for piece in ("check(a)", "check(b)"):
        editor.go(piece)
        editor.keys("cwverify<Esc>")
        editor.until(lambda: editor.mode() == "n", "normal mode")
    seen = editor.until(editor.preview, "the next edit")
    assert (seen["sign"], seen["old"], seen["new"]) == (4, ["check"], ["verify"])
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor() == (4, 15), "the jump")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[4] == "        return verify(c)", "applied")
    assert editor.save() == CALLS.replace("check", "verify")


def test_a_next_edit_that_was_turned_down_stays_away(start: Start) -> None:
    editor = start(real=True)
    editor.open("turned_down.py", CALLS.replace("check", "measure"))
    editor.ready()
    for piece in ("measure(a)", "measure(b)"):
        editor.go(piece)
        editor.keys("cwweigh<Esc>")
        editor.until(lambda: editor.mode() == "n", "normal mode")
    editor.until(editor.preview, "the next edit")
    editor.keys("<Esc>")
    editor.until(lambda: editor.preview() == {}, "gone")
    editor.lua("require('editahead.next_edit').request()")
    answered = "local q = require('editahead.next_edit').no_edit_reason(vim.api.nvim_get_current_buf()) return q or ''"
    editor.until(lambda: editor.lua(answered) or editor.preview(), "an answer")
    assert editor.preview().get("sign") != 4
    expected = CALLS.replace("check(a)", "weigh(a)").replace("check(b)", "weigh(b)").replace("check(c)", "measure(c)")
    assert editor.save() == expected


LANGUAGES = {
    "area.ts": "export function area(size: number) {\n  const label = size;\n  return { size, label };\n}\n",
    "area.go": "package area\n\nfunc area(size int) int {\n\tlabel := size\n\treturn label + size\n}\n",
    "area.html": "<p>Café: size</p>\n<script>\n"
    "function area(size) {\n  const label = size;\n  return label + size;\n}\n</script>\n",
    "area.rs": "fn area(size: u32) -> u32 {\n    let label = size;\n    label + size\n}\n",
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_rename_by_hand_leads_through_the_uses(start: Start, name: str) -> None:
    text = LANGUAGES[name]
    editor = start(real=True)
    editor.open(name, text)
    editor.ready()
    editor.go("size)" if name.endswith(".html") else "size")
    editor.keys("cwwidth<Esc>j")
    for _ in range(2):
        editor.until(editor.preview, "the next use")
        row = editor.preview()["rows"][0]
        editor.keys("<Tab>")
        editor.until(lambda row=row: editor.cursor()[0] == row, "the jump")
        editor.keys("<Tab>")
        editor.until(lambda row=row: "width" in editor.lines()[row], "the edit applied")
    expected = text.replace("{ size,", "{ size: width,") if name.endswith(".ts") else text
    assert editor.save() == expected.replace("size", "width").replace("{ width:", "{ size:").replace(
        "é: width", "é: size"
    )


def answers(editor: Editor) -> int:
    """How many requests for a next edit were answered."""
    ask = "return vim.lsp.get_clients()[1]:request_sync('editahead/stats', vim.empty_dict(), 60000, 0).result"
    counts = editor.lua(ask)["surfaces"].get("next_edit", {})
    return int(counts.get("offered", 0)) + sum(counts.get("quiet", {}).values())


HINTED = "def run(kind, count):\n    print(kind)\n    if kind == 3:\n        count = kind + 1\n    return count\n"


@pytest.mark.parametrize("typed", ["kind: int", "sort: int"])
def test_a_type_hint_deletes_nothing_that_uses_the_parameter(start: Start, typed: str) -> None:
    editor = start(real=True)
    editor.open("hinted.py", HINTED)
    editor.ready()
    before = answers(editor)
    editor.go("kind, count")
    editor.keys(f"cw{typed}<Esc>")
    editor.until(lambda: editor.mode() == "n" or editor.keys("<Esc>"), "normal mode")
    editor.until(lambda: answers(editor) > before, "an answer")
    for _ in range(4):
        if "editahead" in editor.mapped("n", "<Tab>"):
            editor.keys("<Tab>")
            editor.until(lambda: editor.mode() == "n", "normal mode")
    lines = editor.text().replace("sort", "kind").replace(": int", "").split("\n")
    assert lines == HINTED.split("\n")
