"""Where an element's name is typed, and which elements are open there: HTML without a grammar, JSX among code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from editahead.suggest.completion.markup.complete import ElementSite, _Scan, complete_element, element_site, elements_of
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer

from tests.growth import assert_linear
from tests.suggest.documents import document


def html(text: str) -> tuple[Document, int]:
    """A HTML document with the cursor at the mark; its grammar need not be installed."""
    made, _ = document("x‸", "python")
    before, _, after = text.partition("‸")
    language = by_id("html")
    assert language is not None
    syntax = open_snapshot(Buffer((before + after).encode()), language)
    return replace(made, language_id="html", syntax=syntax), len(before.encode())


def site(text: str, language_id: str = "html") -> ElementSite | None:
    made, byte = html(text) if language_id == "html" else document(text, language_id)
    return element_site(made, byte)


OPENED = {
    "children": ("<ul><li>one</li><‸", ("ul",)),
    "a closing tag": ("<main><p>text</‸", ("main", "p")),
    "elements that have no end": ("<p><br><img src='a'><input></‸", ("p",)),
    "an element closed at once": ("<svg><path d='x'/></‸", ("svg",)),
    "ends that are left out": ("<ul><li>one<li>two</ul></‸", ()),
    "upper and lower case": ("<DIV><P>x</p></‸", ("DIV",)),
    "signs in attributes": ("<a title=\"x > y < z\" href='</b>'></‸", ("a",)),
    "a comment": ("<p><!-- <b> --></‸", ("p",)),
    "a script": ("<body><script>if (a < b) '<i>'</script></‸", ("body",)),
    "an unfinished tag before": ('<div><span class="x\n<p></‸', ("div",)),
    "names with signs": ("<x-card><svg:g></‸", ("x-card", "svg:g")),
}


@pytest.mark.parametrize(("text", "opened"), OPENED.values(), ids=OPENED)
def test_the_open_elements_of_html(text: str, opened: tuple[str, ...]) -> None:
    found = site(text)
    assert found is not None
    assert found.opened == opened
    assert found.is_closing == ("</‸" in text)


JSX = {
    "children": ("const a = <ul><li>one</li></‸", ("ul",)),
    "components": ("const a = (<Grid.Row size={3}><Card onClick={() => a > b}>x</‸", ("Grid.Row", "Card")),
    "a fragment": ("return (<>text</‸", ("",)),
    "text with an apostrophe": ("return <p>don't <em>do</em> it</‸", ("p",)),
    "expressions between": ("return <ul>{rows.map((row) => <li key={row}>{row}</‸", ("ul", "li")),
    "a comparison": ("return <p>{a < b && c}</‸", ("p",)),
    "types": ("const [a] = useState<string>(f<T>(b)); return <p></‸", ("p",)),
    "parameters of types": ("const f = <T,>(x: T) => 1; const g = <U extends V>(x) => 1; return <p></‸", ("p",)),
    "comments and strings": ("// <b>\nconst a = '<i>'; return <p></‸", ("p",)),
    "an element in an attribute": ("return <Row icon={<Icon><b>x</‸", ("Icon", "b")),
    "letters typed": ("return <section><Ca</se‸", ("section",)),
}


@pytest.mark.parametrize(("text", "opened"), JSX.values(), ids=JSX)
def test_the_open_elements_of_jsx(text: str, opened: tuple[str, ...]) -> None:
    found = site(f"function Page() {{\n  {text}\n}}\n", "tsx")
    assert found is not None
    assert found.opened == opened
    assert found.typed == ("se" if "</se" in text else "")


@pytest.mark.parametrize(
    "text",
    [
        "return <‸",
        "return (\n    <‸",
        "return <div>\n    <‸",
        "a = b ? <‸",
        "return <p>so <‸",
    ],
)
def test_an_element_begins_in_jsx(text: str) -> None:
    assert site(f"function Page() {{\n  {text}\n}}\n", "tsx") is not None


@pytest.mark.parametrize("text", ["if (a <‸", "if (a <b‸", "x = f<‸", "x: Array<‸", "return <p>{a <‸", "x = f() <‸"])
def test_no_element_begins_in_a_comparison_or_a_type(text: str) -> None:
    assert site(f"function Page() {{\n  {text}\n}}\n", "tsx") is None


@pytest.mark.parametrize("text", ["<script>a <‸", "<!-- <‸", "text ‸", "<p class='‸"])
def test_no_element_begins_in_scripts_comments_and_attributes(text: str) -> None:
    assert site(text) is None


def listed(text: str, language_id: str = "html") -> list[tuple[str, float]]:
    made, byte = html(text) if language_id == "html" else document(text, language_id)
    at = element_site(made, byte)
    assert at is not None
    decision = complete_element(made, at)
    return [(item.label, item.probability) for item in decision.value.items] if isinstance(decision, Shown) else []


def test_letters_of_a_name_do_not_have_the_tags_above_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    region_at, offsets = SyntaxSnapshot.region_at, list[int]()

    def counting(syntax: SyntaxSnapshot, byte: int) -> Region:
        offsets.append(byte)
        return region_at(syntax, byte)

    monkeypatch.setattr(SyntaxSnapshot, "region_at", counting)
    above = "const a = <ul>\n" + "  <li>\n    <b>x</b>\n  </li>\n" * 50
    for typed in ("</", "</u", "</ul"):
        found = site(f"{above}{typed}‸", "tsx")
        assert found is not None
        assert found.opened == ("ul",)
    assert len(offsets) == 1 + 4 * 50
    assert site(above.replace("<b>x</b>", '"<b>x"') + "</‸", "tsx") is not None
    assert len(offsets) > 1 + 4 * 50  # another text


def test_the_innermost_open_element_is_closed_first() -> None:
    assert [name for name, _ in listed("<main><ul><li>x</‸")] == ["li>", "ul>", "main>"]
    items = listed("<main><ul><li>x</u‸")
    assert items == [("ul>", 1.0)]
    assert listed("<p>x</‸>")[0][0] == "p"  # the sign stands there
    assert listed("x</‸") == []
    assert listed("function P() { return <>x</‸ }", "tsx")[0][0] == ">"


def test_the_elements_of_the_file_are_listed_those_of_the_same_parent_first() -> None:
    items = listed("<body><p></p><p></p><p></p><ul><li>a</li><li>b</li><‸</ul></body>")
    assert items[0][0] == "li"
    assert {name for name, _ in items} == {"li", "p", "ul", "body"}
    assert 0 < sum(share for _, share in items) < 1  # elements that the file does not have are possible
    typed = listed("<body><p></p><ul><li>a</li><u‸")
    assert [name for name, _ in typed] == ["ul"]


def test_elements_around_an_element() -> None:
    assert elements_of(b"<ul><li><b>x</b></li></ul>") == [("", "ul"), ("ul", "li"), ("li", "b")]


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["<a ", '<a "', "<a {", "<a {'", "a<b", "</a>", "<a>", "<!--", "<script>", "<a {`{<"])
@pytest.mark.parametrize("language_id", ["html", "tsx"])
def test_it_takes_time_in_proportion_to_the_text(piece: str, language_id: str) -> None:
    def scan(size: int) -> Callable[[], object]:
        data = (piece * (size // len(piece))).encode()
        return lambda: _Scan(data, len(data), None if language_id == "html" else lambda at: True).is_in_text(0)

    assert_linear(scan, 8_000)
