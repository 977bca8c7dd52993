"""Strings of several lines while they are typed: words in them are never code, code in their braces always is."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from editahead.syntax.language import Language, all_languages, by_id
from editahead.syntax.regions.region import long_texts_of, scan
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st


def language(name: str) -> Language:
    definition = by_id(name)
    assert definition is not None
    return definition


def region(name: str, before: str, after: str = "") -> Region:
    snapshot = SyntaxSnapshot.open(Buffer((before + after).encode()), language(name))
    return snapshot.region_at(len(before.encode()))


@dataclass(frozen=True)
class Kind:
    """What opens a string, what closes it, what opens and closes code in it, and words that only look like these."""

    name: str
    opens: str
    closes: str
    code: tuple[str, str] = ("", "")
    words: tuple[str, ...] = ()


KINDS = {
    "go": Kind("go", "`", "`", words=("\\", '"', "${")),
    "template": Kind("typescript", "`", "`", ("${", "}"), ("\\`", "\\${", '"', "$ ", "{", "}")),
    "template of JavaScript": Kind("javascript", "`", "`", ("${", "}"), ("\\`", "\\${", '"', "} ")),
    "verbatim": Kind("c_sharp", '@"', '"', words=('""', "\\ ", "{", "$")),
    "verbatim with code": Kind("c_sharp", '$@"', '"', ("{", "}"), ('""', "{{", "}}")),
    "verbatim with code, the other way round": Kind("c_sharp", '@$"', '"', ("{", "}"), ('""', "{{")),
    "raw": Kind("c_sharp", '"""\n', '"""', words=('" ', '"" ', "{", "\\")),
    "raw of more quotes": Kind("c_sharp", '""""\n', '""""', words=('"" ', '""" ')),
    "raw with code": Kind("c_sharp", '$$"""\n', '"""', ("{{", "}}"), ('" ', "{ ", "} ", "\\ ")),
    "Rust": Kind("rust", '"', '"', words=('\\"', "#", "{")),
    "raw of Rust": Kind("rust", 'r#"', '"#', words=('" ', "\\ ", "r#\" ")),
    "raw bytes": Kind("rust", 'br"', '"', words=("\\ ", "#")),
    "raw of C++": Kind("cpp", 'R"x(', ')x"', words=('"', ")", ')"', ')y"', "\\ ")),
    "raw of C++ without a name": Kind("cpp", 'u8R"(', ')"', words=('"', ") ", ")x ")),
    "Lua": Kind("lua", "[[", "]]", words=('"', "] ", "[", "\\ ")),
    "Lua with a level": Kind("lua", "[==[", "]==]", words=("]] ", "]=] ", "[[")),
    "Java": Kind("java", '"""', '"""', words=('" ', '\\""" ', "{")),
    "Python": Kind("python", '"""', '"""', words=('" ', '\\""" ', "'''", "{")),
}  # fmt: skip
WORDS = ("it's ", "of ", "\n", "// ", "/* ", "*/ ", "# ", "-- ", "f(x) ", "naïve ", "' ")
SIGNS = (
    *("`", "${", "{", "}", '"', '"""', '$@"', "$", "'", "\\", "\n", "/*", "*/", "//", 'r#"', "#", 'R"x(', ')x"'),
    *("[[", "--[=[", "]]", "a", "é"),
)
SHORT = ('"a" ', "a.b ", "(", ") ", "+ ")  # code, in every language


@st.composite
def inside(draw: st.DrawFn, kind: Kind) -> str:
    return "".join(draw(st.lists(st.sampled_from((*WORDS, *kind.words)), max_size=8))) + " "


@st.composite
def code(draw: st.DrawFn, kind: Kind, depth: int = 2) -> str:
    """Code in which every string is closed, and whole braces."""
    parts = draw(st.lists(st.sampled_from(("short", "string", "braces") if depth else ("short",)), max_size=4))
    text = ""
    for part in parts:
        if part == "short":
            text += draw(st.sampled_from(SHORT))
        elif part == "braces":
            text += "{ " + draw(code(kind, depth - 1)) + " } "
        else:
            text += draw(string(kind, depth - 1)) + kind.closes + " "
    return text


@st.composite
def string(draw: st.DrawFn, kind: Kind, depth: int = 2) -> str:
    """A string without its end, whose code is closed."""
    text = kind.opens + draw(inside(kind))
    if kind.code[0] and draw(st.booleans()):
        text += kind.code[0] + " " + draw(code(kind, depth - 1 if depth > 0 else 0)) + kind.code[1] + draw(inside(kind))
    return text


@pytest.mark.slow
@pytest.mark.parametrize("case", KINDS)
@given(data=st.data())
def test_words_are_in_the_string_and_code_is_code(case: str, data: st.DataObject) -> None:
    """Also in code around it that does not parse: strings before it are closed, those in its code too."""
    kind = KINDS[case]
    before = "x = " + data.draw(code(kind)) + "\n("
    opened = data.draw(string(kind))
    after = data.draw(st.sampled_from(("", "\n", "\ny = (\n", kind.closes + ";\n")))
    assert region(kind.name, before + opened + "wor", after) is Region.STRING
    assert region(kind.name, before + opened + kind.closes + " + wor", "\n(") is Region.CODE
    if kind.code[0]:
        part = kind.code[0] + " " + data.draw(code(kind, 1)) + "+ "
        assert region(kind.name, before + opened + part + "wor", after) is Region.CODE
        assert region(kind.name, before + opened + part + '"wor', after) is Region.STRING
        assert region(kind.name, before + opened + part + kind.code[1] + "wor", after) is Region.STRING


@given(st.lists(st.sampled_from(SIGNS), max_size=40), st.data())
def test_any_signs_are_read_in_every_language(signs: list[str], data: st.DataObject) -> None:
    """What is open begins with an opening of the language, before the cursor; reading on does not change the past."""
    definition = data.draw(st.sampled_from([found for found in all_languages() if found.long_texts]))
    text = "".join(signs).encode()
    state = scan(definition, text, 0, len(text))
    assert 0 <= state.start <= state.inside <= len(text)
    kinds = [kind.opens for kind in long_texts_of(definition)]
    if state.region is not None and b"\\\n" not in text:
        assert any(re.compile(opens).match(text, state.start) for opens in kinds)
    assert scan(definition, text + b" more", 0, len(text)) == state


@pytest.mark.parametrize(
    ("name", "before", "expected"),
    [
        ("typescript", "const a = `it's ${f(`b ${c}`)} wor", Region.STRING),
        ("typescript", "const a = `it's ${f(`b ${c}`", Region.CODE),
        ("typescript", "const a = `${all.map(b => { return `${b}` })} wor", Region.STRING),
        ("typescript", "const a = `${all.map(b => { wor", Region.CODE),
        ("typescript", "const a = `${all['wor", Region.STRING),
        ("typescript", "const a = `${all // wor", Region.COMMENT),
        ("typescript", "const a = `${all /* it's\nwor", Region.COMMENT),
        ("typescript", "const a = /`/; to(wor", Region.CODE),
        ("typescript", "// see `this\nto(wor", Region.CODE),
        ("typescript", "to(`it's ${a}`, wor", Region.CODE),
        ("javascript", 'a = "of \\\nwor', Region.STRING),
        ("tsx", "const a = <p>a ` of it</p>;\nto(wor", Region.CODE),
        ("tsx", "const a = <p>{`of ${wor", Region.CODE),
        ("go", "a := '`'\nto(wor", Region.CODE),
        ("go", "to(`it's`, wor", Region.CODE),
        ("c_sharp", 'var a = $"{{wor', Region.STRING),
        ("c_sharp", 'var a = $"{{{wor', Region.CODE),
        ("c_sharp", 'var a = $"{b["c"]} wor', Region.STRING),
        ("c_sharp", 'var a = $"{b\n  .wor', Region.CODE),
        ("c_sharp", 'var a = $"of\nto(wor', Region.CODE),
        ("c_sharp", "var a = '\"'; to(wor", Region.CODE),
        ("rust", "to('\"', wor", Region.CODE),
        ("rust", "fn of<'a>(b: &'a str) { to(wor", Region.CODE),
        ("rust", 'let r#type = "of"; to(wor', Region.CODE),
        ("rust", 'let a = r##"of "# \nwor', Region.STRING),
        ("cpp", 'auto a = FOOR"(of"; to(wor', Region.CODE),
        ("c", 'char *a = "of \\\nwor', Region.STRING),
        ("c", "#define A \\\n  to(wor", Region.CODE),
        ("lua", "a = b[c[1]] + to(wor", Region.CODE),
        ("lua", "--[[ it's\nwor", Region.COMMENT),
        ("lua", "--[=[ of ]] \nwor", Region.COMMENT),
        ("lua", "-- [[ of\nto(wor", Region.CODE),
        ("python", "x = 'of \\\nwor", Region.STRING),
        ("python", "x = to('''\nit's''', wor", Region.CODE),
    ],
)
def test_a_sign_counts_where_it_opens_a_string(name: str, before: str, expected: Region) -> None:
    assert region(name, before) is expected
    assert region(name, before, "\n\nx = (\n") is expected


@pytest.mark.parametrize(
    "before",
    [
        "impl<'r, R, T> Unindexed<T> for ",
        "type IntoIter = std::slice::Iter<'",
        "impl<'a> From<& ",
        "fn unknown(self, db: &'db dyn Db) -> ",
        "impl<'a> From<char> for A<'a> where 'a: 'static, X<'\\'', '\"', '",
    ],
)
def test_a_lifetime_opens_no_string(before: str) -> None:
    assert region("rust", before) is Region.CODE


def test_text_behind_a_lifetime_is_in_its_string() -> None:
    assert region("rust", "impl<'a> A<'a> for f('x', \"b ") is Region.STRING
