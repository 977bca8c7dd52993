"""Where a repeated edit could go on: scopes, comments and strings, other files, places that the user left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.patterns import matching as repeat_match
from editahead.patterns.examples import TokenStream
from editahead.settings import Settings
from editahead.suggest.next_edit.repeats.group_sites import MAX_SITES, PatternCache, Site
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.suggest.next_edit.repeats.pattern_queue import MAX_ELSEWHERE, repeated_sites
from editahead.suggest.types import Document, Rejection
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History


class User:
    """Someone with a file open, in a room where a clock hangs."""

    clock = 0.0

    def __init__(self, text: str, language_id: str = "python", uri: str = "file:///w/a") -> None:
        language = by_id(language_id)
        assert language is not None
        self.uri, self.language_id = uri, language_id
        self.syntax: SyntaxSnapshot = open_snapshot(Buffer.from_text(text), language)
        self.history = History(self.syntax.buffer, lambda: User.clock)

    def edit(self, start: int, end: int, new: str) -> None:
        change = ByteEdit(start, end, new.encode())
        before = self.syntax.buffer
        self.history.push(change, before)
        self.syntax = self.syntax.advance(before.apply(change), [change])
        User.clock += 10.0
        self.history.settle(User.clock)

    def replace(self, *changes: tuple[str, str]) -> User:
        for old, new in changes:
            data = self.syntax.buffer.data
            at = data.index(old.encode())
            change = ByteEdit(at, at + len(old.encode()), new.encode()).trim(data)
            self.edit(change.start, change.old_end, change.new.decode())
        return self

    def document(self, *rejections: str) -> Document:
        refused = tuple(Rejection(key, User.clock) for key in rejections)
        return Document(
            self.uri, Path("/w/a.py"), self.language_id, 1, self.syntax, self.history.view(), Settings(),
            rejections=refused, now=User.clock,
        )  # fmt: skip


def sites(documents: list[Document], memory: PatternCache | None = None) -> list[Site]:
    return repeated_sites(documents, memory).sites


def after(found: list[Site]) -> list[str]:
    """The line of each place with its edit done."""
    lines = []
    for site in found:
        done = site.document.syntax.buffer.apply(site.edit)
        lines.append(done.line_bytes(done.line_at(site.edit.start)).decode())
    return lines


def places(*users: User) -> list[str]:
    return after(sites([user.document() for user in users]))


def value(site: Site, name: str) -> float:
    return site.features[FEATURES.index(name)]


FUNCTIONS = """def f(size):
    total = size + box.size
    return g(size=size, total=total)

def g(size, total):
    return size
"""


def test_a_parameter_is_renamed_inside_its_function_and_nothing_else_is() -> None:
    user = User(FUNCTIONS).replace(("f(size)", "f(width)"), ("= size", "= width"))
    assert places(user) == ["    return g(size=width, total=total)"]


def test_uses_renamed_before_their_declaration_stay_in_the_function_as_well() -> None:
    user = User(FUNCTIONS).replace(("= size", "= width"), ("=size", "=width"))
    assert places(user) == ["def f(width):"]


def test_java_parameters_and_fields() -> None:
    text = "class A {\n  int n;\n  int f(int n) { int m = n; return n + this.n; }\n  int g() { return n; }\n}\n"
    user = User(text, "java").replace(("(int n)", "(int count)"), ("m = n", "m = count"))
    assert places(user) == ["  int f(int count) { int m = count; return count + this.n; }"]


def test_a_function_is_renamed_wherever_it_is_called() -> None:
    first = User("def check(a):\n    return a\n\nx = check(1)\ny = check(2)\n").replace(
        ("check(a)", "verify(a)"), ("check(1)", "verify(1)")
    )
    second = User("from a import check\ncheck(3)\n", uri="file:///w/b")
    assert places(first, second) == ["y = verify(2)", "from a import verify", "verify(3)"]
    far = [value(site, "elsewhere") for site in sites([first.document(), second.document()])]
    assert far == [0.0, 1.0, 1.0]


COMMENTS = 'x = check(a)\ny = check(b)\nz = check(c)  # check it\n"""check(d)"""\n'


def test_comments_and_strings_are_left_alone_when_code_was_changed() -> None:
    user = User(COMMENTS).replace(("check(a)", "verify(a)"), ("check(b)", "verify(b)"))
    assert places(user) == ["z = verify(c)  # check it"]


def test_code_is_reached_when_code_was_put_between_quotes() -> None:
    text = "def f(a: Stream) -> None: ...\ndef g(a: Stream) -> None: ...\n# a Stream: read\n"
    user = User(text).replace((": Stream", ": 'Stream'"))
    assert places(user) == ["def g(a: 'Stream') -> None: ..."]


def test_strings_are_reached_when_one_was_changed() -> None:
    text = 'a = "the color"\nb = "my color"\nc = "no color"\ncolor = 1\n# color\n'
    user = User(text).replace(('the color"', 'the colour"'), ('my color"', 'my colour"'))
    found = sites([user.document()])
    assert after(found) == ['c = "no colour"']
    assert value(found[0], "prose") == 1.0


def test_places_that_were_passed_over_are_told_from_those_to_come() -> None:
    user = User("a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n").replace(("f(1)", "g(1)"), ("f(3)", "g(3)"))
    found = sites([user.document()])
    assert after(found) == ["b = g(2)", "d = g(4)"]
    assert [value(site, "skipped") for site in found] == [1.0, 0.0]
    assert all(value(site, "skips") > 0 for site in found)


def test_what_was_turned_down_is_left_out_and_counts_against_the_rest() -> None:
    user = User("a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n").replace(("f(1)", "g(1)"), ("f(2)", "g(2)"))
    first, second = sites([user.document()])
    assert value(second, "skips") == 0.0
    (left,) = sites([user.document(first.key)])
    assert after([left]) == ["d = g(4)"]
    assert value(left, "skips") > 0.0
    assert sites([user.document(first.pattern)]) == []


def test_rejecting_a_pattern_with_holes_ends_it_whatever_stands_in_them() -> None:
    user = User("f(a)\nf(b)\nf(c)\nf(d.e)\n").replace(("f(a)", "g(a, 1)"), ("f(b)", "g(b, 1)"))
    found = sites([user.document()])
    assert after(found) == ["g(c, 1)", "g(d.e, 1)"]
    assert found[0].pattern == found[1].pattern
    assert "c" not in found[0].pattern.split("-")[1:]
    assert sites([user.document(found[0].pattern)]) == []


def test_an_undo_empties_the_queue_until_something_is_changed() -> None:
    user = User("a = f(1)\nb = f(2)\nc = f(3)\n").replace(("f(1)", "g(1)"), ("f(2)", "g(2)"))
    assert places(user) == ["c = g(3)"]
    at = user.syntax.buffer.data.index(b"g(2)")
    user.edit(at, at + 1, "f")
    assert user.history.view().undone_at is not None
    assert places(user) == []
    user.edit(at, at + 1, "g")  # redone
    assert user.history.view().undone_at is None
    assert places(user) == ["c = g(3)"]


ROW = "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\ne = f(5)\n"


def test_undoing_one_place_keeps_the_others_while_two_examples_stand() -> None:
    user = User(ROW).replace(("f(1)", "g(1)"), ("f(2)", "g(2)"), ("f(4)", "g(4)"))
    assert places(user) == ["c = g(3)", "e = g(5)"]
    at = user.syntax.buffer.data.index(b"g(4)")
    user.edit(at, at + 1, "f")
    assert user.history.view().undone_at is not None
    assert places(user) == ["c = g(3)", "e = g(5)"]  # not where it was undone


def test_two_places_undone_one_after_the_other_are_both_left_out() -> None:
    user = User(ROW).replace(("f(1)", "long_name(1)"), ("f(2)", "long_name(2)"))
    user.replace(("f(5)", "long_name(5)"), ("f(3)", "long_name(3)"))
    for number in (b"3", b"5"):
        at = user.syntax.buffer.data.index(b"long_name(" + number)
        user.edit(at, at + 9, "f")
    assert len(user.history.view().undone) == 2
    assert places(user) == ["d = long_name(4)"]


def test_an_undo_in_another_file_long_ago_is_no_matter() -> None:
    other = User("x = 1\n", uri="file:///w/b").replace(("1", "2"), ("2", "1"))
    assert other.history.view().undone_at is not None
    user = User("a = f(1)\nb = f(2)\nc = f(3)\n").replace(("f(1)", "g(1)"), ("f(2)", "g(2)"))
    assert places(user, other) == ["c = g(3)"]


def test_a_place_that_is_done_already_is_no_place() -> None:
    user = User("f(a)\nf(b)\nf(c, log=True)\nf(d)\n").replace(("f(a)", "f(a, log=True)"), ("f(b)", "f(b, log=True)"))
    assert places(user) == ["f(d, log=True)"]


def test_only_files_of_the_same_language_take_part() -> None:
    first = User("x = f(1)\ny = f(2)\n").replace(("f(1)", "g(1)"), ("f(2)", "g(2)"))
    second = User("class A { int x = f(1); }\n", "java", uri="file:///w/A.java")
    assert places(first, second) == []


def test_very_many_places_are_cut_to_the_nearest() -> None:
    text = "".join(f"x{n} = f({n})\n" for n in range(700))
    user = User(text).replace(("f(0)", "g(0)"), ("f(1)", "g(1)"))
    found = sites([user.document()])
    assert len(found) == MAX_SITES
    assert max(site.line for site in found) <= MAX_SITES + 2


def test_a_name_whose_declaration_stands_is_told_from_one_that_was_renamed() -> None:
    text = "def f(x):\n    return x\n\n\na = f(1)\nb = f(2)\nc = f(3)\n"
    renamed = User(text).replace(("def f", "def g"), ("f(1)", "g(1)"))
    assert [value(site, "stands") for site in sites([renamed.document()])] == [0.0, 0.0]
    replaced = User(text).replace(("f(1)", "g(1)"), ("f(2)", "g(2)"))
    assert [value(site, "stands") for site in sites([replaced.document()])] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = f(1)\nb = f(2)\nc = f(3)\n", 1.0),
        ("a = f(1)\nb = f(2)\nc = f(3)\nd = g_all(f_all)\n", 1.0),
        ("a = f(1)\nb = f(2)\nc = f(3)\nd = g(4)\n", 0.0),
    ],
)
def test_a_word_that_was_there_before_is_not_fresh(text: str, expected: float) -> None:
    user = User(text).replace(("f(1)", "g(1)"), ("f(2)", "g(2)"))
    assert {value(site, "fresh") for site in sites([user.document()])} == {expected}


def test_an_edit_that_brings_no_word_is_neither_fresh_nor_not() -> None:
    user = User("a = f(1)\nb = f(2)\nc = f(3)\n").replace(("(1)", "(1, 0)"), ("(2)", "(2, 0)"))
    assert {value(site, "fresh") for site in sites([user.document()])} == {0.5}


@pytest.mark.parametrize("text", ["", "\n\n", "((((", "x" * 3, "\x0c\u2028", '"""', "𝒳 = 𝒳.", "a\r\nb\rc"])
def test_odd_texts_never_raise(text: str) -> None:
    user = User(text)
    for start, end, new in ((0, 0, "é"), (0, 2, ""), (0, 0, "a(b)\n"), (2, 3, "c")):
        size = len(user.syntax.buffer.data)
        user.edit(min(start, size), min(end, size), new)
        sites([user.document()])


def test_large_files_know_their_functions() -> None:
    """Files in chunks answer `scopes_at` with the bytes of the whole file."""
    text = "".join(f"def f{n}(a):\n    b = a\n    return a + b\n\n\n" for n in range(600))
    user = User(text)
    at = text.index("def f500")
    ((start, end),) = user.syntax.scopes_at(at + 20)
    assert text[start:end] == "def f500(a):\n    b = a\n    return a + b"
    whole = SyntaxSnapshot.open(user.syntax.buffer, user.syntax.language)
    assert whole.scopes_at(at + 20) == [(start, end)]
    user.replace(("f500(a)", "f500(x)"))
    at = user.syntax.buffer.data.index(b"b = a", at)
    user.edit(at + 4, at + 5, "x")
    assert places(user) == ["    return x + b"]


def lines_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows by the number of lines with each stretch of a text that is read into tokens."""
    read: list[int] = []
    real = repeat_match.token_stream

    def counted(buffer: Buffer, first: int, last: int) -> TokenStream:
        read.append(last - first)
        return real(buffer, first, last)

    monkeypatch.setattr(repeat_match, "token_stream", counted)
    return read


def test_a_long_file_costs_what_its_places_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines without the pattern's word are not read into tokens, however many they are."""
    read = lines_read(monkeypatch)
    work = []
    for lines in (500, 5000):
        rest = "".join(f"value_{n} = other({n})\n" for n in range(lines))
        user = User("".join(f"a{n} = f({n})\n" for n in range(12)) + rest).replace(("f(0)", "g(0)"), ("f(1)", "g(1)"))
        document = user.document()
        read.clear()
        assert len(sites([document])) == 10
        work.append(sum(read))
    assert work[0] == work[1] <= 20


@pytest.mark.parametrize(("calls", "least"), [("f({n})\n", MAX_ELSEWHERE), ("f = ({n})\n", 0)])
def test_many_open_files_cost_no_more_than_some(calls: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the others hold places, or only the word: the lines that are read into tokens are bounded."""
    read = lines_read(monkeypatch)
    user = User("".join(f"a{n} = f({n})\n" for n in range(12)))
    user.replace(("f(0)", "f(0, 1)"), ("f(1)", "f(1, 1)"))
    text = "".join(calls.replace("{n}", str(n)) for n in range(60))
    work, found = [], 0
    for count in (5, 50):
        others = [User(text, uri=f"file:///w/{number}").document() for number in range(count)]
        read.clear()
        found = len(sites([user.document(), *others]))
        work.append(sum(read))
    assert MAX_ELSEWHERE <= work[0] == work[1] <= MAX_ELSEWHERE + 20
    assert found == min(10 + least, MAX_SITES)


def test_where_the_edit_was_made_already_is_looked_at_first_however_many_files_are_open() -> None:
    user = User("a = f(1)\nb = f(2)\n").replace(("f(1)", "g(1)"))
    crowd = [User("f(0)\n" * 60, uri=f"file:///w/{number}") for number in range(10)]
    last = User("c = f(3)\nd = f(4)\n", uri="file:///w/z").replace(("f(3)", "g(3)"))
    found = sites([one.document() for one in (user, *crowd, last)])
    assert [site.document.uri for site in found][:: len(found) - 1] == ["file:///w/a", "file:///w/z"]


def test_files_that_did_not_change_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    user = User("".join(f"a{n} = f({n})\n" for n in range(5))).replace(("f(0)", "g(0)"), ("f(1)", "g(1)"))
    other = User("x = f(9)\nf(8)\n", uri="file:///w/b")
    memory = PatternCache()
    before = after(sites([user.document(), other.document()], memory))
    user.replace(("f(2)", "g(2)"))
    read: list[Buffer] = []
    real = repeat_match.token_stream
    monkeypatch.setattr(
        repeat_match, "token_stream", lambda buffer, *lines: read.append(buffer) or real(buffer, *lines)
    )
    again = [user.document(), other.document()]
    found = after(sites(again, memory))
    assert found == before[1:] == ["a3 = g(3)", "a4 = g(4)", "x = g(9)", "g(8)"]
    assert {id(buffer) for buffer in read} == {id(user.syntax.buffer)}
    other.replace(("x", "y"))
    last = [user.document(), other.document()]
    assert after(sites(last, memory)) == after(sites(last))


def test_a_line_of_data_takes_no_part() -> None:
    data = f"DATA = [{'price_of(0), ' * MAX_LINE_BYTES}]\n"
    user = User(f"x = price_of(1)\n{data}y = price_of(2)\nz = price_of(3)\n")
    assert places(user.replace(("price_of(1)", "net(1)"), ("price_of(2)", "net(2)"))) == ["z = net(3)"]
    inside = User(f"{data}y = price_of(2)\n")
    assert places(inside.replace(("price_of(0)", "net(0)"), ("price_of(0)", "net(0)"))) == []
