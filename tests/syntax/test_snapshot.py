"""Trees and tokens derived step by step equal those of a full parse, on broken code too."""

from __future__ import annotations

import pytest
from editahead.syntax.language import by_id
from editahead.syntax.regions.unfinished_text import region_at_end
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.syntax.tokens import TokenKind, tokens_between
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given, settings
from hypothesis import strategies as st

PYTHON = b'''"""A module.

Two lines of it.
"""
import os

class Reader(Base):
    limit = 10

    def read(self, path: str, *rest) -> list[str]:
        with open(path) as handle:  # closes it
            lines = [line.strip() for line in handle if f"{line!r:>{self.limit}d} {self.limit}"]
        return lines
'''
JAVA = b"""package a.b;
/* A block
   comment. */
class Reader<T> {
    private final Map<String, Integer> counts = new HashMap<>();
    int read(String path) { for (String s : list(path)) { counts.put(s, 1 + 'c'); } return counts.size(); }
}
"""
PIECES = [
    "x",
    "(",
    ")",
    "\n",
    '"',
    "'''",
    "/*",
    "*/",
    "//",
    "#",
    "{",
    "}",
    "é",
    "𝒳",
    "\r\n",
    "    ",
    "def f(a):\n",
    "\t",
]


def test_a_line_of_broken_code_reads_the_same_alone_and_with_all_others() -> None:
    """A string that never ends hides a part of the tree: no child stands at the bytes of the line before `read`."""
    text = b'"""Module.\n\nTwo lines of it.\n"read(1) as handle:\n    x = [y for y in h'
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(text), language)
    starts = snapshot.buffer.line_starts.tolist()
    whole = tokens_between(snapshot.tree, language, text, starts, 0, len(starts))
    assert [tokens_between(snapshot.tree, language, text, starts, n, n + 1)[0] for n in range(len(starts))] == whole
    assert [token.text for token in whole[3]][:2] == ["read", "("]


@pytest.mark.parametrize(
    ("language_id", "line", "texts"),
    [
        ("python", "f'{x:02x}'", ["f'", "{", "x", ":", "02x", "}", "'"]),
        ("python", "f'{x!r:>{w}.2f}b'", ["f'", "{", "x", "!r", ":", ">", "{", "w", "}", ".2f", "}", "b", "'"]),
        ("python", "f'{x:{a:>{b}}d}'", ["f'", "{", "x", ":", "{", "a", ":", ">", "{", "b", "}", "}", "d", "}", "'"]),
        ("python", "f'{t:%Y é}{x:}'", ["f'", "{", "t", ":", "%Y é", "}", "{", "x", ":", "}", "'"]),
        ("c_sharp", 'var s = $"{x,4:F2}";', ["var", "s", "=", "$", '"', "{", "x", ",", "4", ":", "F2", "}", '"', ";"]),
    ],
)
def test_the_format_of_a_value_in_a_string_is_a_token(language_id: str, line: str, texts: list[str]) -> None:
    """The grammars have no node for it: an edit model that writes a line from its tokens would lose it."""
    language = by_id(language_id)
    assert language is not None
    data = f"{line}\n{line}".encode()
    snapshot = SyntaxSnapshot.open(Buffer(data), language)
    for row in (0, 1):
        tokens = snapshot.line_tokens(row)[1:]
        assert [token.text for token in tokens] == texts
        assert all(line.encode()[token.start : token.end].decode() == token.text for token in tokens)


def test_the_format_of_a_value_goes_as_far_as_its_line() -> None:
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(b'f"""{x:>\n<}"""\n'), language)
    assert [token.text for token in snapshot.line_tokens(0)[1:]] == ['f"""', "{", "x", ":", ">"]


@pytest.mark.slow
@pytest.mark.parametrize(("language_id", "source"), [("python", PYTHON), ("java", JAVA)])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_edits_give_the_tokens_and_tree_of_a_full_parse(
    language_id: str, source: bytes, data: st.DataObject
) -> None:
    language = by_id(language_id)
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(source), language)
    for _ in range(data.draw(st.integers(1, 8))):
        edits = []
        buffer = snapshot.buffer
        for _ in range(data.draw(st.integers(1, 3))):
            text = buffer.data.decode("utf-8")
            start = data.draw(st.integers(0, len(text)))
            end = min(len(text), start + data.draw(st.sampled_from([0, 0, 0, 1, 5, 60])))
            new = data.draw(st.sampled_from(PIECES))
            edit = ByteEdit(len(text[:start].encode()), len(text[:end].encode()), new.encode())
            edits.append(edit)
            buffer = buffer.apply(edit)
        errors = snapshot.errors_with(edits) if data.draw(st.booleans()) else None
        snapshot = snapshot.advance(buffer, edits)
        assert errors in (None, snapshot.error_count())
        if data.draw(st.booleans()):  # a version that nobody looks at is skipped over
            continue
        starts = [int(start) for start in buffer.line_starts]
        anew = tokens_between(snapshot.tree, language, buffer.data, starts, 0, len(starts))
        assert [snapshot.line_tokens(n) for n in range(snapshot.line_count)] == anew
        full = SyntaxSnapshot.open(Buffer(buffer.data), language)
        if full.error_count() == 0:  # in broken code the parser may recover in another way than from scratch
            assert str(snapshot.tree.root_node) == str(full.tree.root_node)
            assert snapshot.error_count() == 0


def test_tokens_cover_all_text_but_blanks() -> None:
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(PYTHON), language)
    covered = bytearray(PYTHON)
    for number in range(snapshot.line_count):
        start = int(snapshot.buffer.line_starts[number])
        for token in snapshot.line_tokens(number):
            covered[start + token.start : start + token.end] = b" " * (token.end - token.start)
    assert not covered.strip()


def test_an_unchanged_line_is_the_same_object_after_an_edit() -> None:
    language = by_id("python")
    assert language is not None
    before = SyntaxSnapshot.open(Buffer(PYTHON), language)
    lines = [before.line_tokens(n) for n in range(before.line_count)]
    at = PYTHON.index(b"return") + len(b"return lines")
    edit = ByteEdit(at, at, b"\n")
    after = before.advance(before.buffer.apply(edit), [edit])
    assert all(after.line_tokens(n) is lines[n] for n in range(8))


def test_asking_the_old_version_again_gives_the_old_answer() -> None:
    language = by_id("python")
    assert language is not None
    before = SyntaxSnapshot.open(Buffer(PYTHON), language)
    tokens = before.tokens()
    edit = ByteEdit(0, len(PYTHON), b"pass")
    after = before.advance(before.buffer.apply(edit), [edit])
    assert [token.text for token in after.tokens()] == ["", "pass"]
    assert before.tokens() == tokens


@pytest.mark.parametrize(
    ("language_id", "text", "region"),
    [
        ("python", "x = 1|", Region.CODE),
        ("python", "x = 1  # no|te", Region.COMMENT),
        ("python", "x = 1  # note|\n", Region.COMMENT),
        ("python", "x = |# note", Region.CODE),
        ("python", 'x = "a|b"', Region.STRING),
        ("python", 'x = "ab"|', Region.CODE),
        ("python", 'x = "ab|', Region.STRING),
        ("python", 'print(f"{na|me}")', Region.CODE),
        ("python", 'print(f"te|xt {name}")', Region.STRING),
        ("python", '"""doc\nmo|re\n"""\n', Region.STRING),
        ("java", "int a; // no|te", Region.COMMENT),
        ("java", "int a; /* no|te */ int b;", Region.COMMENT),
        ("java", "int a; /* note */| int b;", Region.CODE),
        ("java", 'String s = "a|b";', Region.STRING),
        ("python", "|", Region.CODE),
        ("python", 'x = f"{|', Region.CODE),
        ("python", 'x = f"{|"', Region.CODE),
        ("python", 'x = f"{na|\n\n\ndef more():\n    pass\n', Region.CODE),
        ("python", "print(rf'{name} of {len(|", Region.CODE),
        ("python", 'print(f"{{|', Region.STRING),
        ("python", 'print("{|', Region.STRING),
        ("python", "print(of'{|", Region.STRING),
        ("python", "print(f'{name:>{|", Region.CODE),
        ("python", "print(f'{name:>{width}|", Region.STRING),
        ("python", "print(f'{name!|", Region.STRING),
        ("python", "print(f'{name[\"|", Region.STRING),
        ("python", "print(f'''one\ntwo {|", Region.CODE),
        ("javascript", 'x = "{|', Region.STRING),
    ],
)
def test_region_at_the_cursor(language_id: str, text: str, region: Region) -> None:
    language = by_id(language_id)
    assert language is not None
    before, after = text.split("|")
    snapshot = SyntaxSnapshot.open(Buffer((before + after).encode()), language)
    assert snapshot.region_at(len(before.encode())) is region


@pytest.mark.parametrize(
    "text",
    [
        """x = f'{name!r:>{width}} of {{all}} {row["key"]:.2} end' + other  # done""",
        """print(f"{a != b} {a == b!s:^{w}.{p}}", "{no}", F'{x:%H} {(lambda: y)()} {d[1:2]} {dict(k={1: 2})}', z)""",
        """call('it', "a # b", f'{one}{two}' f"three {four}")  # {five}""",
    ],
)
def test_an_unfinished_line_ends_where_the_finished_one_goes_on(text: str) -> None:
    language = by_id("python")
    assert language is not None
    whole = SyntaxSnapshot.open(Buffer(text.encode()), language)
    assert whole.error_count() == 0
    inside = [at for at in range(1, len(text)) if text[at - 1].isalnum() and text[at].isalnum()]
    assert len(inside) > 10
    for at in inside:
        assert region_at_end(text[:at], "python", "#") is whole.region_at(at), text[:at]


def test_edits_that_do_not_lead_to_the_buffer_are_refused() -> None:
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(b"x"), language)
    with pytest.raises(ValueError, match="do not lead"):
        snapshot.advance(Buffer(b"xyz"), [ByteEdit(0, 0, b"y")])


def test_no_edits_lead_to_the_same_version() -> None:
    """A change of a parameter that left its row as it was ended the server's answer with a ValueError."""
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(b"def f(a):\n    return a\n"), language)
    assert snapshot.line_tokens(0)
    after = snapshot.advance(snapshot.buffer, [])
    assert after.tree.root_node.has_error is False
    assert after.line_tokens(1) == snapshot.line_tokens(1)


@pytest.mark.parametrize("text", ["class A { void F(this IContext ", "class A {\n  void F() { }\n    TimeSpan "])
def test_a_name_at_the_end_that_no_node_covers_is_a_token(text: str) -> None:
    language = by_id("c_sharp")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(text.encode()), language)
    last = snapshot.line_tokens(snapshot.line_count - 1)[-1]
    line = text.rpartition("\n")[2]
    assert (last.kind, last.text, last.end) == (TokenKind.NAME, line.rpartition(" ")[0].split()[-1], len(line) - 1)
