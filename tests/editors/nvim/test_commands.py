"""`:Editahead ...`, `:checkhealth editahead`, the statusline, and that all of it can be undone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from editahead.recording.session_file import Open, RecordedChange, read_session
from editor import PLUGIN, Editor
from shared import FAKE, Start, config

TEXT = "value = 1\n\n"
TELL = "_G.said = {} vim.notify = function(text) table.insert(_G.said, text) end"


def at_work(start: Start, options: str = "") -> Editor:
    editor = start(options, before=TELL)
    editor.open("a.py", TEXT)
    editor.ready()
    return editor


def said(editor: Editor) -> str:
    return "\n".join(editor.lua("return _G.said"))


def until_said(editor: Editor, text: str) -> None:
    editor.until(lambda: text in said(editor), f"{text!r} among {said(editor)!r}")


def enabled(editor: Editor) -> bool:
    """Whether the server predicts: its explanation says so."""
    code = """local client_of = require('editahead.client')
        local client = client_of.get(0)
        return client:request_sync('editahead/explain', client_of.place(client, 0), 60000, 0).result.gates[1].passed"""
    return bool(editor.lua(code))


def test_explain_says_why(start: Start) -> None:
    editor = at_work(start)
    editor.nvim.command("Editahead explain")
    lines = editor.until(
        lambda: [line for window in editor.nvim.windows[1:] for line in window.buffer[:]], "the explanation"
    )
    assert lines[0] == "python: fake"
    assert any(line.startswith("next edit") and "quiet: empty (nothing was edited)" in line for line in lines)
    assert any(line.startswith("✓ language known") for line in lines)
    editor.lua("vim.cmd('only') vim.api.nvim_set_current_win(vim.api.nvim_list_wins()[1])")
    page = editor.lua("""return require('editahead.explain').lines({ languageId = 'python', surfaces = {
        inline = { shown = true, probability = 0.9, value = { insertText = 'first\\nsecond' } } },
        gates = { { reason = 'disabled', passed = true, value = 'on' },
                  { reason = 'disabled', passed = false, value = 'off' } },
        sources = { next_edit = { rename = { offered = 2, shown = 2, accepted = 1 } } } })""")
    assert "first ⏎ second" in "\n".join(page)
    assert [line.split() for line in page[-5:-3]] == [["✓", "switched", "on", "on"], ["✗", "disabled", "off"]]
    assert page[-1].split() == ["rename", "shown", "2,", "accepted", "1,", "rejected", "0"]


def test_stats_shows_the_scoreboard_of_the_session(start: Start) -> None:
    editor = at_work(start)
    editor.nvim.command("Editahead stats")
    editor.until(lambda: editor.lines()[:1] != ["value = 1"], "the scoreboard")
    lines = editor.lines()
    assert lines[0] == "This session; earlier sessions are not remembered, as editahead.memory is off"
    assert any(line.startswith("Keys saved: 0 beside") for line in lines)
    assert not editor.nvim.current.buffer.options["modifiable"]
    editor.nvim.feedkeys("q", "x")
    assert editor.lines()[0] == "value = 1"


def test_next_says_that_the_user_requests_it(start: Start) -> None:
    editor = at_work(start)
    editor.lua("""local client_of, request = require('editahead.client'), require('editahead.client').request
        _G.kinds = {}
        client_of.request = function(client, method, params, ...)
          if method == 'editahead/nextEdit' then
            table.insert(_G.kinds, params.context.triggerKind or 0)
          end
          return request(client, method, params, ...)
        end""")
    editor.nvim.command("Editahead next")
    assert editor.lua("return _G.kinds") == [1]


def test_toggle_reaches_the_server_and_comes_back(start: Start) -> None:
    editor = at_work(start)
    editor.nvim.command("Editahead toggle")
    editor.until(lambda: not enabled(editor), "off")
    editor.until(lambda: "switched off" in editor.lua("return require('editahead').status()"), "the status says so")
    editor.nvim.command("Editahead toggle")
    editor.until(lambda: enabled(editor), "on again")
    editor.nvim.command("Editahead toggle python")
    editor.until(lambda: not enabled(editor), "off for Python")
    editor.nvim.command("Editahead toggle python")
    editor.until(lambda: enabled(editor), "on again for Python")
    assert "python is on" in said(editor)
    editor.nvim.command("Editahead toggle ghost")
    editor.keys("Goval")
    editor.nvim.command("Editahead toggle ghost")
    editor.keys("u")
    editor.until(editor.ghost, "ghost text after it was switched on again")


def test_snooze_and_wake(start: Start) -> None:
    editor = at_work(start)
    editor.nvim.command("Editahead snooze 5")
    until_said(editor, "snoozed for 5 minutes")
    editor.until(lambda: editor.lua("return require('editahead').status()") == "editahead: snoozed", "snoozed")
    editor.nvim.command("Editahead snooze 0")
    until_said(editor, "snoozing has ended")
    editor.ready()
    editor.nvim.command("Editahead snooze soon")
    until_said(editor, "is not a number of minutes")
    editor.nvim.command("Editahead snooze 99999999")
    until_said(editor, "from 0 to 10080")


def test_a_session_is_recorded_until_it_is_stopped(start: Start, tmp_path: Path) -> None:
    editor = at_work(start)
    out = tmp_path / "s.jsonl"
    editor.nvim.command("Editahead record stop")
    until_said(editor, "no recording is running")
    editor.nvim.command(f"Editahead record {out}")
    until_said(editor, f"recording to {out}; ")
    editor.keys("Gotyped<Esc>")
    editor.nvim.command(f"Editahead record {out}")
    until_said(editor, "already: stop that first")
    editor.nvim.command("Editahead record stop")
    until_said(editor, f"events were recorded to {out}")
    events = read_session(out)
    (opened,) = [event for event in events if isinstance(event, Open)]
    assert opened.path == "a.py"
    assert opened.text.decode() == TEXT
    text = opened.text
    for event in events:
        for edit in event.edits if isinstance(event, RecordedChange) else ():
            text = edit.apply(text)
    assert text.decode() == TEXT + "typed\n"
    shape = tmp_path / "shape.jsonl"
    editor.nvim.command(f"Editahead! record {shape}")
    until_said(editor, "without code")
    assert "value" not in shape.read_text(encoding="utf-8")


def test_restart_gives_a_new_server(start: Start) -> None:
    editor = at_work(start)
    ask = "local c = vim.lsp.get_clients({ name = 'editahead', bufnr = 0 }) return #c == 1 and c[1].id or 0"
    before = editor.lua(ask)
    editor.nvim.command("Editahead restart")
    editor.until(lambda: editor.lua(ask) > before, "another client")
    editor.ready()
    editor.keys("Goval")
    editor.until(editor.ghost, "ghost text from the new server")


def test_log_and_words_and_unknown_words(start: Start) -> None:
    editor = at_work(start)
    words = editor.nvim.funcs.getcompletion("Editahead ", "cmdline")
    assert {"explain", "queue", "restart", "toggle", "snooze", "next", "accept", "reject", "log", "doctor"} <= set(
        words
    )
    assert editor.nvim.funcs.getcompletion("Editahead toggle g", "cmdline") == ["ghost"]
    editor.nvim.command("Editahead dance")
    until_said(editor, '"dance" is not a command')
    editor.nvim.command("Editahead reject")
    until_said(editor, "no next edit is shown")
    editor.nvim.command("Editahead")
    until_said(editor, "ready")
    editor.nvim.command("Editahead log")
    assert editor.nvim.current.buffer.name.endswith("lsp.log")


def test_completions_in_neovims_own_menu(start: Start) -> None:
    editor = start("completion = true, ghost = { enabled = false }", before=TELL)
    editor.open("a.py", "value = 1\nvaluable = 2\n\n")
    editor.ready()
    editor.keys("Goval")
    editor.until(lambda: editor.lines()[-1] == "val", "typed")
    editor.lua("vim.lsp.completion.get()")
    editor.until(editor.nvim.funcs.pumvisible, "the menu")
    words = editor.lua("return vim.tbl_map(function(i) return i.word end, vim.fn.complete_info({ 'items' }).items)")
    assert sorted(words) == ["valuable", "value"]


def test_disable_undoes_everything(start: Start) -> None:
    editor = at_work(start)
    editor.keys("Goval")
    editor.until(editor.ghost, "ghost text")
    editor.lua("require('editahead').disable()")
    editor.until(lambda: editor.lua("return #vim.lsp.get_clients({ name = 'editahead' })") == 0, "no client")
    assert editor.ghost() == ""
    assert "editahead" not in editor.mapped("i", "<Tab>")
    assert editor.lua("return pcall(vim.api.nvim_get_autocmds, { group = 'editahead' })") is False
    assert editor.lua("return require('editahead').status()") == ""
    editor.keys("<Esc>")
    editor.lua("require('editahead').enable()")
    editor.ready()


def test_health_finds_the_shipped_models(start: Start) -> None:
    editor = start(real=True, before=TELL)
    editor.open("a.py", TEXT)
    editor.ready()
    editor.nvim.command("checkhealth editahead")
    report = "\n".join(editor.lines())
    assert "found no problems" in report, report
    assert "a.py" in report
    assert "ERROR" not in report


def test_health_and_doctor_name_what_is_missing(bare: Editor) -> None:
    bare.lua("vim.lsp.config('editahead', { cmd = { '/nowhere/editahead', '--stdio' } })" + TELL)
    bare.nvim.command("checkhealth editahead")
    report = "\n".join(bare.lines())
    assert "/nowhere/editahead cannot be found" in report
    assert "pip install" in report
    bare.nvim.command("Editahead doctor")
    assert "/nowhere/editahead cannot be started" in said(bare)


def test_plain_enable_is_enough(bare: Editor) -> None:
    """Without setup: what `vim.lsp.enable` starts is served with the defaults."""
    bare.nvim.command("enew!")
    bare.lua(f"vim.lsp.config('editahead', {config(FAKE)}) vim.lsp.enable('editahead')")
    bare.open("a.py", TEXT)
    bare.ready()
    bare.keys("Goval")
    bare.until(bare.ghost, "ghost text")


def test_the_help_file_has_every_command_option_and_highlight(bare: Editor, tmp_path: Path) -> None:
    shutil.copy(PLUGIN / "doc" / "editahead.txt", tmp_path)
    bare.nvim.command(f"helptags {tmp_path}")
    tags = {line.split("\t")[0] for line in (tmp_path / "tags").read_text(encoding="utf-8").splitlines()}
    words = bare.nvim.funcs.getcompletion("Editahead ", "cmdline")
    assert {f":Editahead-{word}" for word in words} <= tags
    options = bare.lua("""local names = {}
        local function walk(values, path)
          for key, value in pairs(values) do
            names[#names + 1] = path .. key
            if type(value) == 'table' then walk(value, path .. key .. '.') end
          end
        end
        walk(require('editahead.config').defaults, '')
        return names""")
    assert {f"editahead-{option}" for option in options} <= tags
    groups = set(re.findall(r"\bEditahead[A-Z]\w+", (PLUGIN / "lua/editahead/preview.lua").read_text(encoding="utf-8")))
    assert {f"hl-{group}" for group in groups} <= tags
    assert all(len(line) <= 78 for line in (tmp_path / "editahead.txt").read_text(encoding="utf-8").splitlines())
