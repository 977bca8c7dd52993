"""What follows from one edit, with the shipped models and default settings, each as one step.

A rename across two open files and one that is not open, an import, and the calls that lack a new argument.
"""

from __future__ import annotations

from editor import Editor
from shared import Start

SHAPES = "def area(size):\n    return size * size\n\n\nprint(area(3))\n"
USER = "from shapes import area\n\nprint(area(1))\n"
REPORT = "import shapes\n\n\ndef report(size):\n    return shapes.area(size)\n"
ROWS = "import os\n\n\ndef read(path):\n    return os.fspath(path)\n\n\ndef write(rows):\n    pass\n"
OF_A_PROJECT = "vim.tbl_filter(function(client) return client.root_dir end, vim.lsp.get_clients())"
CALLERS = "def read(path):\n    return path\n\n\nread(1)\nprint(read(2))\n"


def apply_shown(editor: Editor, wanted: str) -> None:
    """Jump to the next edit that is shown in this file, and apply it; a line then reads so."""
    row = editor.until(editor.preview, "the next edit")["rows"][0]
    editor.keys("<Tab>")
    editor.until(lambda: editor.cursor()[0] == row, "the jump")
    editor.keys("<Tab>")
    editor.until(lambda: wanted in editor.lines(), "the edit applied")


def test_a_rename_goes_on_in_other_files_and_each_step_is_undone_alone(start: Start) -> None:
    editor = start(real=True)
    shapes = editor.open("shapes.py", SHAPES, {"pyproject.toml": "", "report.py": REPORT})
    user = shapes.with_name("user.py")
    user.write_text(USER, encoding="utf-8")
    editor.nvim.command(f"edit {user}")
    there = editor.nvim.current.buffer
    editor.nvim.command(f"edit {shapes}")
    editor.ready()
    editor.go("area(size")
    editor.keys("cwsurface<Esc>")
    apply_shown(editor, "print(surface(3))")
    editor.until(lambda: editor.hint() == "→ next edit: user.py:1", "the way to the other file")
    assert editor.save() == SHAPES.replace("area", "surface")
    editor.keys("<Tab>")
    editor.until(lambda: editor.nvim.current.buffer.number == there.number, "the other file")
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[0] == "from shapes import surface", "the import renamed")
    apply_shown(editor, "print(surface(1))")
    assert editor.save() == USER.replace("area", "surface")
    editor.until(lambda: editor.hint() == "→ next edit: report.py:5", "the way to a file that is not open")
    editor.keys("<Tab>")
    editor.until(lambda: editor.nvim.current.buffer.name.endswith("report.py") and editor.preview(), "its next edit")
    assert editor.cursor() == (4, 18)
    editor.keys("<Tab>")
    editor.until(lambda: editor.lines()[4] == "    return shapes.surface(size)", "the edit applied")
    assert editor.save() == REPORT.replace("area", "surface")
    editor.nvim.command("buffer user.py")
    editor.keys("u")
    editor.until(lambda: editor.lines()[2] == "print(area(1))", "one step undone")
    assert editor.lines()[0] == "from shapes import surface"
    editor.lua(
        f"for _, client in ipairs({OF_A_PROJECT}) do client:stop() end"
    )  # later tests have a server of their own
    editor.until(lambda: editor.lua(f"return #{OF_A_PROJECT} == 0"), "the project's server gone")


def test_a_rename_of_all_places_is_listed_and_undone_as_one_in_open_and_unopened_files(start: Start) -> None:
    circle, plane, cone = (text.replace("area", "width").replace("shapes", "circle") for text in (SHAPES, USER, REPORT))
    editor = start(real=True)
    here = editor.open("circle.py", circle, {"pyproject.toml": "", "cone.py": cone, "plane.py": plane})
    editor.nvim.command(f"edit {here.with_name('plane.py')}")
    editor.nvim.command(f"edit {here}")
    editor.ready()
    editor.go("width(size")
    editor.keys("cwspan<Esc>")
    editor.until(editor.preview, "the next edit")
    editor.nvim.command("Editahead queue")
    editor.until(lambda: editor.lua("return vim.bo.buftype") == "quickfix", "the list")
    rows = editor.lua("return vim.tbl_map(function(item) return item.text end, vim.fn.getqflist())")
    assert sorted(row.split("  in  ")[1] for row in rows) == [
        "from circle import width",
        "print(width(1))",
        "print(width(3))",
        "return circle.width(size)",
    ]
    texts = "return vim.tbl_map(function(name) return table.concat(vim.fn.getbufline(name, 1, '$'), '\\n') end, ...)"
    names = ["circle.py", "plane.py", "cone.py"]
    before = editor.lua(texts, names)
    editor.keys("A")
    after = [text.replace("width", "span").rstrip("\n") for text in (circle, plane, cone)]
    editor.until(lambda: editor.lua(texts, names) == after, "all files renamed")
    editor.nvim.command("Editahead undo")
    assert editor.lua(texts, names) == before
    assert before[1:] == [plane.rstrip("\n"), cone.rstrip("\n")]
    editor.lua(f"for _, client in ipairs({OF_A_PROJECT}) do client:stop() end")
    editor.until(lambda: editor.lua(f"return #{OF_A_PROJECT} == 0"), "the project's server gone")


def test_an_import_is_added_for_a_name_that_was_written(start: Start) -> None:
    editor = start(real=True)
    editor.open("rows.py", ROWS)
    editor.ready()
    editor.go("pass")
    editor.keys("Creturn json.dumps(rows)<Esc>")
    editor.until(lambda: editor.mode() == "n", "normal mode")
    apply_shown(editor, "import json")
    done = ROWS.replace("pass", "return json.dumps(rows)")
    assert editor.save() == done.replace("import os\n", "import json\nimport os\n")
    editor.keys("u")
    editor.until(lambda: editor.text() == done, "one step undone")


def test_calls_that_lack_a_new_argument_are_led_to(start: Start) -> None:
    editor = start(real=True)
    editor.open("calls.py", CALLERS)
    editor.ready()
    editor.go(":")
    editor.keys("hi, size<Esc>")
    for row, text in ((4, "read(1, 7)"), (5, "print(read(2, 7))")):
        shown = editor.until(lambda row=row: editor.preview() if editor.preview().get("sign") == row else {}, "a place")
        assert (shown["old"], shown["new"]) == ([], ["  `read` takes `size`"])
        editor.keys("<Tab>")
        editor.until(lambda row=row: editor.cursor()[0] == row, "the jump")
        editor.keys("i, 7<Esc>")
        editor.until(lambda row=row, text=text: editor.lines()[row] == text, "the argument")
    assert editor.save() == CALLERS.replace("path)", "path, size)", 1).replace("1)", "1, 7)").replace("2)", "2, 7)")
