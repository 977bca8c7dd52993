"""Comments and long strings while they are typed: text in them is never code, and code behind them is code again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Reason, Shown, Suppressed
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language import Language, by_id
from editahead.syntax.regions.region import LOOK_BACK, find_unclosed
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.history import History

from tests.growth import assert_linear

WORDS = """The sum of a/b, as f(x) says.
 * It doesn't end: see "quotes", `ticks` and // signs
   without a star

 * more """
BRACES = "int total(int a) {\n  return a;\n}\n\n"
NEXT = "\nint next(int b) {\n  return b;\n}\n"
SCRIPT = "function total(a) {\n  return `${a}` + '/*' + /[/*]/.source;\n}\n\n"
# The code above, what opens the text, the text, what closes it, and the code below.
TYPED: dict[str, tuple[str, str, str, str, str]] = {
    "c": (BRACES, "/**\n * ", WORDS, "*/", NEXT),
    "cpp": (BRACES, "/* ", WORDS, "*/", NEXT),
    "java": ("class A {\n  int a = 1; /* closed */\n\n", "  /**\n   * ", WORDS, "*/", NEXT),
    "javascript": (SCRIPT, "/**\n * ", WORDS, "*/", "\nfunction next(b) {\n  return b;\n}\n"),
    "typescript": (SCRIPT, "/* ", WORDS, "*/", "\nfunction next(b: number) {\n  return b;\n}\n"),
    "go": ("package a\n\nvar path = `/*` // `\n\n", "/*\n", WORDS, "*/", "\nfunc next(b int) int {\n\treturn b\n}\n"),
    "rust": ("fn total<'a>(a: &'a str) {}\n\n", "/* ", WORDS + "/* inner */ a ", "*/", "\nfn next(b: &str) {}\n"),
    "c_sharp": ("class A {\n  string a = @\"/*\";\n\n", "  /* ", WORDS, "*/", NEXT),
    "python": (
        'def total(a):\n    """Closed."""\n    return a  # """\n\n\ndef next_total(b):\n',
        '    """',
        "The sum.\n\n    Args: it's here, f(x) # and \"so\" on\n    b: '''of''' all\n\n    More ",
        '"""',
        "\n    return b\n",
    ),
}  # fmt: skip


def language(name: str) -> Language:
    found = by_id(name)
    assert found is not None
    return found


def region(name: str, before: str, after: str = "") -> Region:
    snapshot = SyntaxSnapshot.open(Buffer((before + after).encode()), language(name))
    return snapshot.region_at(len(before.encode()))


@pytest.mark.parametrize("below", [False, True], ids=["at the end", "above code"])
@pytest.mark.parametrize("name", TYPED)
def test_no_letter_of_a_text_that_is_still_open_is_code(name: str, below: bool) -> None:
    above, sign, words, _, code = TYPED[name]
    before, after = above + sign, "\n" + code if below else ""
    expected = Region.STRING if name == "python" else Region.COMMENT
    found = {words[:at]: region(name, before + words[:at], after) for at in range(1, len(words) + 1)}
    assert [typed for typed, seen in found.items() if seen is not expected] == []


@pytest.mark.parametrize("name", TYPED)
def test_code_behind_a_text_that_was_closed_is_code(name: str) -> None:
    above, sign, words, close, code = TYPED[name]
    whole = above + sign + words + close
    for at in range(1, len(code) + 1):  # first in broken code: the line and its block are not finished
        assert region(name, whole + code[:at]) is Region.CODE, code[:at]


@pytest.mark.parametrize(
    ("name", "before", "expected"),
    [
        ("typescript", 'const all = glob("src/**/*.ts", "a/*");\nconst next = to', Region.CODE),
        ("typescript", "const all = /[/*]/;\nconst next = to(", Region.CODE),
        ("typescript", "const all = `\n/*\n${a}`;\nconst next = to(", Region.CODE),
        ("typescript", "/* of a/", Region.COMMENT),
        ("typescript", 'const all = "src/*";\nconst next = to', Region.CODE),
        ("typescript", "const all = a ? /[/*]/ : typeof /[/*]/;\nto", Region.CODE),
        ("typescript", "// see src/*\nconst next = to(", Region.CODE),
        ("typescript", "/** closed */\nconst next = to(", Region.CODE),
        ("go", "var a = `\n/*\n`\nvar b = to(", Region.CODE),
        ("java", 'String a = """\n  /*\n  """;\nint b = to(', Region.CODE),
        ("java", 'String a = """\n  wor', Region.STRING),
        ("c_sharp", 'var a = @"\n/*";\nvar b = to(', Region.CODE),
        ("rust", 'let a = r#"\n/* " "#;\nlet b = to(', Region.CODE),
        ("rust", "/* a /* b */ c */\nlet b = to(", Region.CODE),
        ("rust", "/* a /* b */ c\nwor", Region.COMMENT),
        ("rust", "/* a /* /* b */ */ c */ let b = to(", Region.CODE),
        ("c", "int a = 1; /* wor", Region.COMMENT),
        ("c", "int a; int f() { a = a /* b", Region.COMMENT),
        ("c", "/* a /* b */\nint a = to(", Region.CODE),
        ("c", "char a = '\"'; /* b */ int c = to(", Region.CODE),
        ("python", '# """ of a comment\nx = to(', Region.CODE),
        ("python", 'x = \'"""\'\ny = to(', Region.CODE),
        ("python", 'x = "a # b" + """\nwor', Region.STRING),
        ("python", '"""closed\n"""\nx = to(', Region.CODE),
        ("python", '"""escaped \\"""\nwor', Region.STRING),
        ("python", "'''of \"\"\" others\nwor", Region.STRING),
        ("python", 'x = f"""\n{total(', Region.CODE),
        ("python", 'x = rf"""\n{total} wor', Region.STRING),
        ("python", 'x = """\n{total', Region.STRING),
    ],
)
def test_a_sign_counts_where_it_opens_a_text(name: str, before: str, expected: Region) -> None:
    assert region(name, before) is expected
    assert region(name, before, "\n\nx = (\n") is expected


def test_a_text_is_looked_for_in_the_last_part_of_the_file_alone() -> None:
    row = "words of the text\n"
    for size, expected in ((LOOK_BACK // 2, Region.COMMENT), (2 * LOOK_BACK, Region.CODE)):
        assert region("c", "int a;\n/*\n" + row * (size // len(row)) + "wor") is expected


@pytest.mark.parametrize("rows", [100, 700, 2000])
def test_the_part_may_begin_in_a_text_that_is_closed(rows: int) -> None:
    text = 'x = """\n' + 'it\'s "quoted" words\n' * rows + '"""\n' + "y = 'a'\n" * 800 + "z = '''closed'''.get(to"
    assert region("python", text) is Region.CODE
    assert region("python", text + ") + '''\nwor") is Region.STRING


HOSTILE: dict[str, str] = {
    "quotes": "'\"", "long quotes": '"""', "comments": "/* */", "signs that open": "/*", "regular expressions": "=/[",
    "templates": "`${", "backslashes": "\"\\", "raw strings": 'r#"', "line comments": "//\n#\n", "hashes": '"\n#',
    "code in strings": '$@"{', "closed code": "`${a}", "braces": "`${" + "{" * 40, "raw strings of C++": 'R"a(',
    "closed ones of C++": 'R"a()a"', "brackets": "[[", "signs of money": '$"""{', "verbatim strings": '@"" ',
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python", "java", "typescript", "rust", "cpp", "c_sharp", "go", "lua"])
@pytest.mark.parametrize("case", HOSTILE)
def test_the_work_grows_with_the_text_up_to_a_bound(name: str, case: str) -> None:
    """The tree is left out: an empty one, which knows of no string, has everything read again."""
    root = SyntaxSnapshot.open(Buffer(b""), language(name)).tree.root_node

    def work(size: int) -> Callable[[], object]:
        texts = [sign + HOSTILE[case] * (size // len(HOSTILE[case])) for sign in ('"""a"""\n', '/* "" */ /*\n', "")]
        return lambda: [find_unclosed(root, text.encode(), language(name), len(text)) for text in texts]

    assert_linear(work, LOOK_BACK // 4 - 16)


class StoppedError(Exception):
    pass


def stop() -> None:
    raise StoppedError


def test_the_search_ends_when_nobody_wants_it() -> None:
    snapshot = SyntaxSnapshot.open(Buffer(b'"" ' * 2000 + b'# """\nx = ('), language("python"))
    assert snapshot.tree.root_node.has_error  # parsed before: that is another search
    with pytest.raises(StoppedError), interruptible(stop):
        snapshot.region_at(len(snapshot.buffer))
    assert snapshot.region_at(len(snapshot.buffer)) is Region.CODE


@pytest.mark.parametrize("name", ["java", "python"])
def test_completions_return_behind_the_text(name: str) -> None:
    above, sign, words, close, code = TYPED[name]
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)

    def complete(text: str) -> object:
        buffer = Buffer(text.encode())
        view = History(buffer, lambda: 0.0).view()
        syntax = SyntaxSnapshot.open(buffer, language(name))
        document = Document("file:///a", Path("/a"), name, 1, syntax, view, Settings())
        return engine.complete(document, len(buffer), Cancel())

    answer = complete(above + sign + words + "to")
    assert isinstance(answer, Suppressed)
    assert answer.reason is Reason.COMMENT_OR_STRING
    answer = complete(above + sign + words + close + code.split(" b", 1)[0].rsplit("\n", 1)[0] + "\n    to")
    assert isinstance(answer, Shown)
