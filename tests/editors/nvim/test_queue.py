"""The queue of a repeated edit as a quickfix list, in a real Neovim with an engine whose answers are known."""

from __future__ import annotations

from typing import Any

from editor import Editor
from shared import Start

FIRST = "one = old(1)\ntwo = old(2)  # naïve 🎉\nthree = old(3)\n"
SECOND = "four = old(4)\nfive = maybe(old)\n"


def at_work(start: Start, other: str = SECOND) -> tuple[Editor, str]:
    """Two files open, the first place changed by hand; the second file's name."""
    editor = start("next_edit = { enabled = false }")
    second = editor.open("b.py", other)
    editor.ready()
    editor.open("a.py", FIRST)
    editor.ready()
    editor.go("old(1)")
    editor.keys("cwnew<Esc>")
    editor.until(lambda: editor.lines()[0] == "one = new(1)" and editor.mode() == "n", "one change made")
    return editor, str(second)


def listed(editor: Editor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = editor.lua("""return vim.tbl_map(function(item)
        return { text = item.text, row = item.lnum - 1, name = vim.fs.basename(vim.fn.bufname(item.bufnr)) }
    end, vim.fn.getqflist())""")
    return found


def opened(editor: Editor) -> list[dict[str, Any]]:
    editor.nvim.command("Editahead queue")
    editor.until(lambda: editor.lua("return vim.bo.buftype") == "quickfix", "the quickfix window")
    return listed(editor)


def text_of(editor: Editor, name: str) -> str:
    code = "return vim.api.nvim_buf_get_lines(vim.fn.bufnr(...), 0, -1, false)"
    return "".join(f"{line}\n" for line in editor.lua(code, name))


def test_every_place_is_listed_with_its_probability(start: Start) -> None:
    editor, _ = at_work(start)
    places = opened(editor)
    assert [(place["name"], place["row"]) for place in places] == [("a.py", 1), ("a.py", 2), ("b.py", 0), ("b.py", 1)]
    assert places[0]["text"] == "90 %  old → new  in  two = old(2)  # naïve 🎉"
    assert places[3]["text"].startswith("30 %")


def test_one_place_is_applied_and_the_list_goes_on(start: Start) -> None:
    other = "unwanted = old(4)\n"
    editor, second = at_work(start, other)
    known = editor.counts("next_edits")["accepted"]
    opened(editor)
    editor.keys("a")
    editor.until(lambda: len(listed(editor)) == 2, "two places left")
    assert text_of(editor, "a.py") == "one = new(1)\ntwo = new(2)  # naïve 🎉\nthree = old(3)\n"
    editor.until(lambda: editor.counts("next_edits")["accepted"] == known + 1, "the server hears of it")
    editor.keys("jx")  # in the second file
    editor.until(lambda: len(listed(editor)) == 1, "one place left")
    assert text_of(editor, second) == other


def test_all_sure_places_are_applied_in_all_files(start: Start) -> None:
    editor, second = at_work(start)
    opened(editor)
    editor.keys("A")
    editor.until(lambda: text_of(editor, "a.py") == FIRST.replace("old", "new"), "the first file changed")
    assert text_of(editor, second) == SECOND.replace("old(4)", "new(4)")  # the other place is not sure
    editor.nvim.command("wincmd p")
    assert editor.save() == FIRST.replace("old", "new")


def test_one_undo_takes_all_files_back(start: Start) -> None:
    editor, second = at_work(start)
    opened(editor)
    editor.keys("A")
    editor.until(lambda: text_of(editor, "a.py") == FIRST.replace("old", "new"), "the first file changed")
    editor.keys("u")
    editor.until(lambda: text_of(editor, "a.py") == FIRST.replace("old(1)", "new(1)"), "the first file as before")
    assert text_of(editor, second) == SECOND
    assert editor.lua("return require('editahead.group_undo').undo()") == "there is nothing to undo"


def test_a_file_that_was_changed_since_keeps_its_text(start: Start) -> None:
    editor, second = at_work(start)
    opened(editor)
    editor.keys("A")
    editor.until(lambda: text_of(editor, "a.py") == FIRST.replace("old", "new"), "the first file changed")
    editor.lua("vim.api.nvim_buf_set_lines(vim.fn.bufnr(...), 0, 0, false, { '# mine' })", second)
    editor.lua("_G.said = nil vim.notify = function(text) _G.said = text end")
    editor.nvim.command("Editahead undo")
    assert text_of(editor, "a.py") == FIRST.replace("old(1)", "new(1)")
    assert text_of(editor, second) == "# mine\n" + SECOND.replace("old(4)", "new(4)")
    said = editor.lua("return _G.said")
    assert said.startswith("editahead: undone in 1 file; changed since and left alone: ")
    assert said.endswith("b.py")


def test_a_buffer_that_cannot_be_changed_keeps_all_from_being_changed(start: Start) -> None:
    editor, second = at_work(start)
    opened(editor)
    editor.lua("vim.bo[vim.fn.bufnr(...)].modifiable = false", second)
    editor.lua("_G.said = nil vim.notify = function(text) _G.said = text end")
    editor.keys("A")
    said = editor.until(lambda: editor.lua("return _G.said"), "a message")
    assert said.endswith("b.py cannot be modified ('modifiable' is off); nothing was applied")
    assert text_of(editor, "a.py") == FIRST.replace("old(1)", "new(1)")


def test_a_range_is_applied_by_command(start: Start) -> None:
    editor, second = at_work(start)
    opened(editor)
    editor.nvim.command("1,2Editahead apply")
    editor.until(lambda: text_of(editor, "a.py") == FIRST.replace("old", "new"), "two places changed")
    assert text_of(editor, second) == SECOND


def test_a_list_that_is_out_of_date_changes_nothing(start: Start) -> None:
    editor, _ = at_work(start)
    opened(editor)
    editor.lua("vim.api.nvim_buf_set_lines(vim.fn.bufnr('a.py'), 0, 0, false, { '# new first line' })")
    editor.keys("a")
    editor.until(lambda: listed(editor) == [], "the list made anew: the last change is another one")
    assert text_of(editor, "a.py") == "# new first line\n" + FIRST.replace("old(1)", "new(1)")


def test_without_a_repeated_edit_it_says_why(start: Start) -> None:
    editor = start()
    editor.open("c.py", "a = 1\n")
    editor.ready()
    editor.lua("_G.said = nil vim.notify = function(text) _G.said = text end")
    editor.nvim.command("Editahead queue")
    said = editor.until(lambda: editor.lua("return _G.said"), "a message")
    assert said.startswith("editahead: no other places: ")
    editor.nvim.command("Editahead apply")
    assert editor.lua("return _G.said") == "editahead: there is no queue; :Editahead queue opens it"
