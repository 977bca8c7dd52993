"""The tour and the hint that leads to it: shown once, with the user's keys, and each step does what it says."""

from __future__ import annotations

from editor import PLUGIN, Editor
from shared import Start

PAGE = (PLUGIN / "tutor" / "editahead.py").read_text(encoding="utf-8")
TELL = "_G.said = {} vim.notify = function(text) table.insert(_G.said, text) end"
HINT = "vim.fs.joinpath(vim.fn.stdpath('state'), 'editahead-hint-shown')"


def said(editor: Editor) -> str:
    return "\n".join(editor.lua("return _G.said"))


def test_the_hint_is_shown_once(start: Start) -> None:
    editor = start("ghost = { keys = { accept = '<C-l>' } }", before=f"{TELL} vim.fn.delete({HINT})")
    editor.open("a.py", "value = 1\n")
    editor.until(lambda: "<C-l> accepts what is shown; for a tour, :Editahead tour" in said(editor), "the hint")
    editor.open("b.py", "value = 1\n")
    editor.ready()
    assert said(editor).count(":Editahead tour") == 1


def test_the_page_has_five_steps_and_the_users_keys(start: Start) -> None:
    editor = start("queue = { keys = { apply = 'gs', reject = false } }", before=TELL)
    editor.nvim.command("Editahead tour")
    text = editor.text()
    assert [number for number in range(1, 9) if f"# {number}. " in text] == [1, 2, 3, 4, 5]
    assert "{" not in text.replace("quantities = {}", "").replace("{ server = { settings = { editahead = {", "")
    assert "gs applies one" in text
    assert "(no key) rejects one" in text
    compile(text, "tour.py", "exec")


def test_its_steps_do_what_they_say(start: Start) -> None:
    """With the shipped models: the ghost text of step 1, the next edit of step 2."""
    editor = start("", real=True, before=TELL)
    editor.nvim.command("Editahead tour")
    editor.ready()
    editor.go("self.check(name)")
    editor.keys("A<CR>self.quant")
    assert editor.until(editor.ghost, "ghost text").startswith("ities")
    editor.keys("<Esc>u")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    for piece in ("check(a)", "check(b)"):
        editor.go(piece)
        editor.keys("cwverify<Esc>")
        editor.until(lambda: editor.mode() == "n", "normal mode")
    editor.until(editor.preview, "the third place")
    assert editor.preview()["old"] == ["check"]
