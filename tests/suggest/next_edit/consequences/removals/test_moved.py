"""What follows from lines that were written and stood in the file already: they go where they stood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.removals.moved import moved
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Rejection
from editahead.syntax.language import by_path

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import played, wanted

_HELPER = "def helper(alpha, beta):\n    return compute(alpha, beta)\n"
_END = "\n\nend = 1\n"
PYTHON = {
    "a function": f"«>{_HELPER}\n\n»space = 1\n\n\n‹{_HELPER}\n\n>›last = 1\n",
    "a function as a comparison shows it": (
        "def «>helper(alpha, beta):\n    return compute(alpha, beta)\n\n\ndef »a():\n    pass\n\n\n"
        f"‹{_HELPER}\n\n>›last = 1\n"
    ),
    "a method": (
        "class A:\n«>    def size(self):\n        return 1\n\n»    one = 1\n\n‹    def size(self):\n"
        "        return 1\n\n>›    two = 1\n"
    ),
    "an import": f"import os\n«>import sys\n»import re\n‹import sys\n>›{_END}",
    "an import that stood in a function": (
        f"import os\n«>import sys\n»\n\ndef f():\n‹    import sys\n>›    return sys.x\n{_END}"
    ),
    "a value of the module": f"A = 1\n«>LIMIT = 100\n»B = 2\n\n\n‹LIMIT = 100\n>›C = 1\n{_END}",
    "several lines": (
        "def f(x):\n«>    one = call(x)\n    two = other(one)\n»\n    # as before\n"
        "‹    one = call(x)\n    two = other(one)\n>›"
        f"    return two\n{_END}"
    ),
    "all that is the same": (f"«>LIMIT = 100\n{_HELPER}\n\n»A = 1\nB = 2\n‹LIMIT = 100\n{_HELPER}\n\n>›C = 3\n{_END}"),
    "nothing for a function in another class": (
        "class A:\n«>    def size(self):\n        return 1\n\n»    one = 1\n\n\nclass B:\n"
        "    def size(self):\n        return 1\n\n"
        f"    two = 1\n{_END}"
    ),
    "nothing for a method that became a function": (
        "«>def size(self):\n    return 1\n\n\n»class A:\n    one = 1\n\n"
        + f"    def size(self):\n        return 1\n\n    two = 1\n{_END}"
    ),
    "lines that went outside": (
        f"def f(x):\n«>    one = call(x)\n    two = other(one)\n»    if x:\n        y = 1\n"
        f"‹        one = call(x)\n        two = other(one)\n>›    return two\n{_END}"
    ),
    "nothing for lines of another function": (
        f"def f(x):\n«>    one = call(x)\n    two = other(one)\n»    y = 1\n\n\ndef g(x):\n"
        f"    one = call(x)\n    two = other(one)\n    return two\n{_END}"
    ),
    "nothing for one line": f"def f(x):\n«>    call(x, 1, 2)\n»    y = 1\n    call(x, 1, 2)\n    return y\n{_END}",
    "nothing for what differs": f"«>{_HELPER}\n\n»space = 1\n\n\n{_HELPER}    x = 2\n\n\nlast = 1\n",
    "nothing for what stands a third time": f"«>LIMIT = 100\n»A = 1\nLIMIT = 100\nB = 2\nLIMIT = 100\n{_END}",
    "nothing where the user wrote both": f"«>LIMIT = 100\n»A = 1\nB = 2\n«>LIMIT = 100\n»C = 1\n{_END}",
    "not all of a block": f"import os\n«>import sys\n»\n\ndef f():\n    import sys\n{_END}",
    "an import in a function stays for the module": (
        f"import sys\n\n\ndef f():\n«>    import sys\n»    return sys.x\n{_END}"
    ),
    "nothing for what was changed": f"A = 1\nLIMIT = «10>100»\nB = 2\nLIMIT = 100\n{_END}",
    "nothing beside other text": f"A = 1\n«>LIMIT = 100\n»B = 2\nLIMIT = 100; C = 1\n{_END}",
    "nothing for broken text": (
        f"«>def helper(alpha, :\n    return compute(\n»A = 1\n\ndef helper(alpha, :\n    return compute(\n{_END}"
    ),
}
OTHERS = {
    "home.java": (
        "class A {\n«>  int f(int x) {\n    return x + 1;\n  }\n\n»  int y;\n\n‹  int f(int x) {\n"
        "    return x + 1;\n  }\n\n>›  int z;\n}\n\n"
        "class End {}\n"
    ),
    "home.ts": (
        "«>export function f(x: number) {\n  return x + 1;\n}\n\n»let a = 1;\n"
        "‹export function f(x: number) {\n  return x + 1;\n}\n\n>›"
        "let b;\nlet end;\n"
    ),
    "home.go": (
        "package a\n\n«>func f(x int) int {\n\treturn x\n}\n\n»var a = 1\n\n‹func f(x int) int {\n"
        "\treturn x\n}\n\n>›var b = 1\n"
    ),
}


def _found(marked: str, path: str = "home.py", byte: int = -1, *, idle: bool = True) -> list[Consequence]:
    document = played(marked, f"file:///w/{path}", idle=idle)
    size = len(document.syntax.buffer.data)
    return moved(Moment(document, size if byte < 0 else byte, ResolverCache().of, lambda: None)).candidates


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_what_was_written_anew_goes(marked: str) -> None:
    data = played(marked).syntax.buffer.data
    found = [(one.edit.start, one.edit.new) for one in _found(marked)]
    assert found == wanted(marked)
    whole = marked.replace("‹", "").replace(">›", "")
    left = marked[: marked.find("‹")] + marked[marked.find("›") + 1 :] if "‹" in marked else whole
    after = played(left).syntax.buffer.data
    for one in _found(marked):
        assert one.edit.apply(data) == after


@pytest.mark.parametrize("path", OTHERS)
def test_in_other_languages(path: str) -> None:
    assert by_path(path) is not None
    assert [(one.edit.start, one.edit.new) for one in _found(OTHERS[path], path)] == wanted(OTHERS[path])


def test_nothing_goes_while_the_cursor_is_at_what_was_written() -> None:
    marked = PYTHON["a function"]
    size = len(_HELPER)
    assert not _found(marked, byte=0)
    assert not _found(marked, byte=size + 1)
    assert _found(marked, byte=size + 15)


def test_a_rejected_removal_is_not_given_again() -> None:
    document = played(PYTHON["a function"])
    end = len(document.syntax.buffer.data)
    found = moved(Moment(document, end, ResolverCache().of, lambda: None)).candidates
    for key in (found[0].key, found[0].pattern):
        rejected = replace(document, rejections=(Rejection(key, document.now),))
        assert not moved(Moment(rejected, end, ResolverCache().of, lambda: None)).candidates


@pytest.mark.parametrize("name", PYTHON)
def test_no_edit_breaks_the_syntax(name: str) -> None:
    document = played(PYTHON[name])
    for one in _found(PYTHON[name]):
        buffer = document.syntax.buffer.apply(one.edit)
        assert document.syntax.advance(buffer, [one.edit]).error_count() <= document.syntax.error_count()


def test_the_work_can_be_stopped() -> None:
    class _StopError(Exception):
        pass

    def stop() -> None:
        raise _StopError

    document = played(PYTHON["a function"])
    with pytest.raises(_StopError):
        moved(Moment(document, 0, ResolverCache().of, stop))


def test_the_work_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        text = "".join(f"name_{number} = {number}\n" for number in range(size))
        document = played(f"«>{text[:15_000]}»\nspace = 1\n\n\n{text}")
        assert document.syntax.error_count() == 0  # reads it
        return lambda: moved(Moment(document, len(document.syntax.buffer.data), ResolverCache().of, lambda: None))

    assert_linear(work, 2_000)
