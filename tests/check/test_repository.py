"""The check on real repositories: what git can hold, and what must not be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import tree_sitter
from editahead.check.git import CheckedRepository, CheckError, Span
from editahead.check.report import as_json, as_sarif
from editahead.check.texts import RepositoryTexts
from editahead.settings import Settings
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import Language

from tests.check.repos import Repo, checked, places

CALLS = "a = load(1)\nb = load(2)\nc = load(3)\nd = load(4)\n"
TWO = (("load(1)", "load(1, now)"), ("load(2)", "load(2, now)"))
LEFT = [("a.py", "c = load(3, now)"), ("a.py", "d = load(4, now)")]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "a project")
    made.put("a.py", CALLS).commit()
    return made


def test_what_the_working_tree_leaves_out_is_found(repo: Repo) -> None:
    repo.change("a.py", *TWO)
    found = checked(repo)
    assert places(found) == LEFT
    assert (found.files, found.answer.edits, found.answer.notes) == (1, 1, ())
    assert [one.examples for one in found.answer.missed] == [[("a.py", 0), ("a.py", 1)]] * 2
    assert {one.open for one in found.answer.missed} == {2}


def test_nothing_changed_and_nothing_repeated_are_silent(repo: Repo) -> None:
    assert (checked(repo).answer.missed, checked(repo).answer.edits) == ((), 0)
    repo.change("a.py", TWO[0])
    assert places(checked(repo)) == []


def test_other_files_are_searched_also_those_that_git_does_not_know_yet(repo: Repo) -> None:
    repo.put("lib/b.py", "def f(x):\n    return load(x)\n").put("lib/c.py", "load(7)\n").put("z.java", "load(8);\n")
    repo.git("add", "lib/b.py", "z.java")
    repo.git("commit", "-q", "-m", "b")
    repo.change("a.py", *TWO, ("load(3)", "load(3, now)"), ("load(4)", "load(4, now)"))
    assert places(checked(repo)) == [("lib/b.py", "return load(x, now)"), ("lib/c.py", "load(7, now)")]
    assert places(checked(repo, "HEAD", "lib/c.py")) == [("lib/c.py", "load(7, now)")]
    assert len(places(checked(repo, "HEAD", "lib"))) == len(places(checked(repo, "HEAD", "."))) == 2
    assert places(checked(repo, "HEAD", "a.py")) == []


def test_examples_may_stand_in_different_files(repo: Repo) -> None:
    for name in ("b", "c"):
        repo.put(f"{name}.py", f"{name} = load({name})\n")
    repo.commit()
    repo.change("b.py", ("load(b)", "load(b, now)")).change("c.py", ("load(c)", "load(c, now)"))
    assert len(places(checked(repo))) == 4


def test_two_commits_are_compared_without_the_working_tree(repo: Repo) -> None:
    repo.change("a.py", *TWO)
    repo.put("b.py", "load(9)\n")
    first, second = repo.git("rev-parse", "HEAD"), repo.commit()
    repo.put("a.py", "nothing = 1\n").put("b.py", "nothing = 2\n").commit()
    expected = [*LEFT, ("b.py", "load(9, now)")]
    assert places(checked(repo, f"{first}..{second}")) == expected
    repo.git("checkout", "-q", "--detach", second)
    assert places(checked(repo, f"{first}..")) == expected
    assert places(checked(repo, first)) == expected


def test_a_commit_is_read_as_it_was_whatever_the_working_tree_ignores_or_lacks(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.change("a.py", *TWO).put("sub/b.py", "load(9)\n")
    second = repo.commit()
    repo.put(".gitignore", "*.py\n")
    repo.git("rm", "-q", "-r", "--cached", ".")
    (repo.root / "sub" / "b.py").unlink()
    (repo.root / "sub").rmdir()
    span = f"{first}..{second}"
    assert places(checked(repo, span)) == [*LEFT, ("sub/b.py", "load(9, now)")]
    for named in ("sub", "sub/b.py"):
        assert places(checked(repo, span, named)) == [("sub/b.py", "load(9, now)")]
    with pytest.raises(CheckError, match="does not exist"):
        checked(repo, span, "sub/c.py")
    with pytest.raises(CheckError, match="does not exist"):
        checked(repo, "HEAD", "sub/b.py")


def test_three_dots_compare_with_where_the_branch_began(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    repo.change("a.py", *TWO).commit()
    repo.git("checkout", "-q", "main")
    repo.put("other.py", "load(1, later)\nload(2, later)\nload(3)\n").commit()
    assert places(checked(repo, "main...topic")) == LEFT
    repo.git("checkout", "-q", "--orphan", "alone")
    repo.commit()
    with pytest.raises(CheckError, match="share no commit here: fetch more"):
        checked(repo, "main...alone")


def test_a_renamed_file_is_compared_with_what_it_was(repo: Repo) -> None:
    repo.put("a.py", CALLS + "kept = [\n    1,\n    2,\n    3,\n]\n").commit()
    repo.git("mv", "a.py", "new name.py")
    repo.change("new name.py", *TWO)
    assert [where for where, _ in places(checked(repo))] == ["new name.py"] * 2


def test_deleted_and_binary_files_and_other_languages_say_nothing(repo: Repo) -> None:
    repo.put("gone.py", CALLS).put("image.py", b"load(1)\0\nload(2)\nload(3)\n").put("notes.txt", CALLS).put(
        "x.md", CALLS
    ).commit()
    (repo.root / "gone.py").unlink()
    repo.put("image.py", b"load(1, now)\0\nload(2, now)\nload(3)\n").change("notes.txt", *TWO).change("x.md", *TWO)
    found = checked(repo)
    assert (places(found), found.files) == ([], 1)  # a module that others may import
    repo.change("a.py", *TWO)
    assert places(checked(repo)) == LEFT


def test_line_ends_are_kept_and_their_change_is_none(repo: Repo) -> None:
    repo.put("a.py", CALLS.replace("\n", "\r\n"))
    assert checked(repo).answer.edits == 0
    repo.change("a.py", *TWO, ("b = ", "b = -"))
    found = checked(repo)
    assert [line for _, line in places(found)] == ["c = load(3, now)", "d = load(4, now)"]
    one = found.answer.missed[0]
    assert b"c = load(3, now)\r\n" in one.site.edit.apply(one.site.document.syntax.buffer.data)


def test_a_submodule_is_another_project(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.put("lib.py", CALLS).commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), "sub")
    repo.commit()
    Repo(repo.root / "sub").change("lib.py", *TWO)
    repo.change("a.py", *TWO)
    assert places(checked(repo)) == LEFT


def test_a_file_in_conflict_is_left_out_and_that_is_said(repo: Repo) -> None:
    repo.put("b.py", "load(5)\n").commit()
    repo.git("checkout", "-q", "-b", "topic")
    repo.change("a.py", TWO[0]).commit()
    repo.git("checkout", "-q", "main")
    repo.change("a.py", ("load(1)", "load(0)")).commit()
    repo.git("merge", "topic", fails=True)
    assert "<<<<<<<" in (repo.root / "a.py").read_text()
    found = checked(repo)
    assert (places(found), found.answer.notes) == ([], ("a.py is left out: it has a merge conflict",))


def test_secret_ignored_excluded_and_generated_files_and_links_are_not_read(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("load(6)\n")
    for where in ("my_secret.py", "skip/b.py", "build/c.py", "made.py"):
        repo.put(where, ("# Generated, do not edit\n" if where == "made.py" else "") + "load(5)\n")
    (repo.root / "link.py").symlink_to(outside)
    repo.put(".gitignore", "build/\n").commit()
    repo.change("a.py", *TWO)
    assert places(checked(repo, settings=Settings(exclude=("skip/",)))) == LEFT
    assert len(places(checked(repo, settings=Settings(secrets=(), respect_gitignore=False)))) == 4
    assert places(checked(repo, settings=Settings(languages=(("python", False),)))) == []


def test_a_tracked_file_is_read_whatever_gitignore_says(repo: Repo) -> None:
    repo.put(".gitignore", "gen/\nlocal/\n").put("gen/b.py", "load(5)\n").put("local/c.py", "load(6)\n").commit()
    repo.git("add", "-f", "gen/b.py")
    repo.commit()
    repo.change("a.py", *TWO)
    assert places(checked(repo)) == [*LEFT, ("gen/b.py", "load(5, now)")]
    repo.put("gen/b.py", "load(5)\nprint(gone)\n")
    assert checked(repo).files == 2
    texts = RepositoryTexts(CheckedRepository.around(repo.root), Span("HEAD", None), Settings())
    assert [one.uri for one in texts.at(["gen/b.py", "local/c.py", "no.py"])] == ["gen/b.py"]


def test_bytes_that_are_no_text_get_no_fix(repo: Repo) -> None:
    repo.put("a.py", "f(1)\nf(2)\nf(3)\n").commit()
    repo.put("a.py", b"f(1, 'caf\xe9')\nf(2, 'caf\xe9')\nf(3)\n")
    result = checked(repo)
    assert result.answer.notes == ("a.py: no replacements are given where the text is not UTF-8",)
    assert [one["newText"] for one in as_json(result, 0.8)["missed"]] == [None]
    (run,) = as_sarif(result)["runs"]
    (row,) = run["results"]
    assert "fixes" not in row
    assert "\ufffd" not in json.dumps(row, ensure_ascii=False)


def test_a_folder_that_sounds_like_secrets_is_searched_and_one_that_holds_them_is_not(repo: Repo) -> None:
    for where in ("secret-santa/b.py", ".ssh/c.py", "deep/.ssh/d.py", "config/prod/e.py", "other/config/prod/f.py"):
        repo.put(where, "load(5)\n")
    repo.commit()
    repo.change("a.py", *TWO)
    found = checked(repo, settings=Settings(secrets=("*secret*", ".ssh/", "config/prod*")))
    assert {one.where for one in found.answer.missed} >= {"secret-santa/b.py", "other/config/prod/f.py"}
    assert not {one.where for one in found.answer.missed} & {".ssh/c.py", "deep/.ssh/d.py", "config/prod/e.py"}
    repository = CheckedRepository.around(repo.root)
    opened = repository.holding(["load"], repository.span("HEAD"), ("*secret*", ".ssh/", "config/prod*"))
    assert set(opened) >= {"secret-santa/b.py", "other/config/prod/f.py"}
    assert not set(opened) & {".ssh/c.py", "deep/.ssh/d.py", "config/prod/e.py"}


def test_no_setting_of_the_repository_changes_the_answer_or_runs_a_program(repo: Repo, tmp_path: Path) -> None:
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    spy.chmod(0o755)
    repo.put(".gitattributes", "*.py diff=spy\n").commit()
    repo.change("a.py", *TWO)
    for key in ("diff.external", "diff.spy.command", "diff.spy.textconv", "core.fsmonitor", "core.pager"):
        repo.git("config", key, str(spy))
    for key, value in (("color.ui", "always"), ("diff.noprefix", "true"), ("grep.lineNumber", "true")):
        repo.git("config", key, value)
    for key, value in (("grep.column", "true"), ("diff.relative", "true"), ("grep.fullName", "false")):
        repo.git("config", key, value)
    assert places(checked(repo)) == LEFT
    assert not (tmp_path / "ran").exists()


def test_variables_of_a_hook_do_not_lead_elsewhere(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.change("a.py", *TWO)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert places(checked(repo)) == LEFT


def said(repo: Repo, base: str) -> str:
    """What was left out and why, whether the check could run or not: versions of git differ in that."""
    try:
        return "\n".join(checked(repo, base).answer.notes)
    except CheckError as error:
        return str(error)


def test_a_clone_without_its_files_is_not_filled_from_the_network(repo: Repo, tmp_path: Path) -> None:
    repo.change("a.py", *TWO).commit()
    repo.put("a.py", "x = 1\n").commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = Repo(tmp_path / "partial")
    partial.git("clone", "-q", "--filter=blob:none", repo.root.as_uri(), "here")
    partial.root = partial.root / "here"
    assert "this clone" in said(partial, "HEAD~2..HEAD~1")
    missing = partial.git("rev-list", "--objects", "--all", "--missing=print")
    assert "\n?" in missing


def test_a_file_that_was_too_large_is_left_out_and_that_is_said(repo: Repo) -> None:
    repo.put("large.py", CALLS + "# more\n" * 200_000).commit()
    repo.put("large.py", CALLS.replace("load(1)", "load(1, now)"))
    repo.change("a.py", *TWO)
    found = checked(repo)
    assert found.answer.notes == ("large.py is left out: what it was is too large, or not in this clone",)
    assert [where for where, _ in places(found)] == ["a.py", "a.py"]


def test_before_the_first_commit_nothing_was_forgotten(tmp_path: Path) -> None:
    """A pre-commit hook runs there, too: it must not keep anybody from that commit."""
    repo = Repo(tmp_path / "new")
    assert checked(repo).answer.missed == ()
    repo.put("a.py", CALLS).git("add", "a.py")
    found = checked(repo)
    assert (found.files, found.answer.missed, found.answer.notes) == (0, (), ())
    assert found.span.old == repo.git("hash-object", "-t", "tree", os.devnull)


def test_why_it_cannot_run(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for base in ("nope", "--all", "HEAD..nope"):
        with pytest.raises(CheckError, match=r"there is no revision .* here: see git log"):
            checked(repo, base)
    with pytest.raises(CheckError, match="no revision HEAD here: commit something first"):
        checked(Repo(tmp_path / "empty"), "HEAD..HEAD")
    for path, why in (("missing.py", "does not exist"), ("..", "is not in the repository")):
        with pytest.raises(CheckError, match=why):
            checked(repo, "HEAD", path)
    plain = tmp_path / "plain"
    plain.mkdir()
    repo.root = plain
    with pytest.raises(CheckError, match="is in no git repository: run this inside one"):
        checked(repo)
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(CheckError, match="git was not found: install it"):
        checked(repo)


def test_a_repository_without_files_has_no_working_tree(tmp_path: Path) -> None:
    made = Repo(tmp_path / "bare")
    made.git("config", "core.bare", "true")
    made.root = made.root / ".git"
    with pytest.raises(CheckError, match="has no working tree"):
        checked(made)


def test_files_without_an_installed_grammar_are_left_out(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Language.grammar

    def grammar(language: Language) -> tree_sitter.Language:
        if language.id == "html":
            raise GrammarMissing("the grammar for html is not installed")
        return whole(language)

    monkeypatch.setattr(Language, "grammar", grammar)
    repo.put("page.html", "<p>load(1)</p>\n<p>load(2)</p>\n<p>load(3)</p>\n").put("other.html", "load(9)\n").commit()
    repo.change("page.html", *TWO)
    assert places(checked(repo)) == []
    repo.change("a.py", *TWO)
    assert places(checked(repo)) == LEFT
