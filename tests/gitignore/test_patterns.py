"""Lists of patterns: the same as pathspec where that follows git, and linear whatever the pattern."""

from __future__ import annotations

import time

import pathspec
import pytest
from editahead.gitignore import patterns as lists
from editahead.gitignore.patterns import PatternList, TooManyPatternsError
from editahead.gitignore.wildmatch import compile_glob
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "ab", "abc", "a.py", "b.py", "x.tar.gz", "build", "-", "A"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
SEGMENTS = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "*",
        "a*",
        "*b",
        "*.py",
        "?",
        "a?",
        "[ab]",
        "[!a]*",
        "[a-c]b",
        "*.tar.*",
        "a*c",
        "build",
        "\\a",
        "**",
    ]
)
LINES = st.builds(
    lambda start, segments, end: start + "/".join(segments) + end,
    st.sampled_from(["", "/", "**/"]),
    st.lists(SEGMENTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/**"]),
).filter(lambda line: not line.endswith("/**/"))  # folders alone in git, files too in pathspec


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=6), PATHS)
def test_paths_are_judged_as_pathspec_judges_them(lines: list[str], where: str) -> None:
    """Without `!` lines, as pathspec takes these to hold for all below a folder: git itself is the oracle for them."""
    ours, theirs = PatternList("\n".join(lines).encode()), pathspec.GitIgnoreSpec.from_lines(lines)
    parts = where.split("/")
    below = (ours.verdict("/".join(parts[:depth]).encode(), True) for depth in range(1, len(parts)))
    assert (any(below) or bool(ours.verdict(where.encode(), False))) == theirs.match_file(where)


def test_two_stars_and_a_slash_at_the_end_mean_folders() -> None:
    """As `git check-ignore` judges them."""
    ours = PatternList(b"a/a\n**/a/**/")
    assert [bool(ours.verdict(b"b/a/a", folder)) for folder in (False, True)] == [False, True]
    assert not ours.verdict(b"b/a", True)


HOSTILE = [
    "*a*a*a*a*a*b",
    "*a*a*a*a*a*[b]",
    "**/*a/**/*a/**/*a/**/b[c]",
    "*?*?*?*?*?b?",
    "[a]*[a]*[a]*[a]*[b]",
    "/**/" * 20 + "[b]",
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_a_pattern_takes_time_in_proportion_to_the_path(pattern: str) -> None:
    def seconds(size: int) -> float:
        compiled = PatternList(pattern.encode())
        text = (b"a/" if "/" in pattern else b"a") * size
        best = 9.0
        for _ in range(5):
            began = time.perf_counter()
            assert compiled.verdict(text + b"a", False) is None
            best = min(best, time.perf_counter() - began)
        return best

    small, large = seconds(500), seconds(2000)
    assert large < 0.02  # exponential or quadratic, this would be seconds
    assert large < 12 * small + 0.001  # four times the text


def test_sixty_thousand_patterns_are_read_and_asked_without_a_delay() -> None:
    lines: list[str] = []
    for number in range(12_000):
        lines += [f"name{number}", f"*.ext{number}", f"/path/to{number}/x", f"build{number}/", f"prefix{number}*"]
    began = time.perf_counter()
    compiled = PatternList("\n".join(lines).encode())
    assert time.perf_counter() - began < 1.0
    asked = [b"src/name7", b"a.ext8", b"path/to9/x", b"b/build10", b"prefix11.py", b"src/good.py"]
    began = time.perf_counter()
    for _ in range(100):
        assert [compiled.verdict(path, True) for path in asked] == [True] * 5 + [None]
    assert time.perf_counter() - began < 0.3  # 600 questions
    assert compiled.verdict(b"b/build10", False) is None


def test_globs_below_many_folders_are_found_by_their_folder() -> None:
    lines = [f"/path/to{number}/x*\n" for number in range(2 * lists.MAX_GLOBS)]
    compiled = PatternList("".join(lines).encode() + b"path/?ny/a*\n!path/to7/x?\na/b/c/**/d\n")
    assert compiled.verdict(b"path/to8/xyz", False) is True
    assert compiled.verdict(b"path/to7/xy", False) is False
    assert compiled.verdict(b"path/any/ab", False) is True
    assert compiled.verdict(b"a/b/c/e/f/d", False) is True
    assert compiled.verdict(b"path/to8/y", False) is None


def test_the_last_line_that_matches_decides_in_whatever_table_it_stands() -> None:
    kinds = ["a.py", "*.py", "a.*", "/a.py", "?.py", "**/a.py", "[a].py", "/[a].py"]
    for first in kinds:
        for last in kinds:
            compiled = PatternList(f"{first}\n!{last}\n".encode())
            assert compiled.verdict(b"a.py", False) is False, (first, last)
            compiled = PatternList(f"!{first}\n{last}\n{last}/\n".encode())
            assert compiled.verdict(b"a.py", False) is True, (first, last)


def test_too_many_patterns_with_wildcards_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_GLOBS", 3)
    PatternList(b"a?1\na?2\na?3\n" + b"*.x\n" * 10)
    with pytest.raises(TooManyPatternsError):
        PatternList(b"a?1\na?2\na?3\na?4\n")


def test_what_nothing_can_match_is_no_pattern() -> None:
    assert compile_glob(b"a[b", in_path=False) is None
    assert compile_glob(b"a\\", in_path=True) is None
    assert compile_glob(b"[[:nope:]]", in_path=True) is None
