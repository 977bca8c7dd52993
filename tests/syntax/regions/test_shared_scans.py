"""Scans of a text share what they have read, and say what a scan of the text alone says."""

from __future__ import annotations

import random
from typing import Any

import pytest
from editahead.syntax.language import by_id
from editahead.syntax.regions import region
from editahead.syntax.regions.region import scan

PIECES = (
    b"a = b\n", b"name ", b'"', b"'", b"`", b'"""', b"'''", b"/*", b"*/", b"//", b"# ", b"\\", b"\\\n", b"\r\n", b"\n",
    b"{", b"}", b"${", b'R"x(', b')x"', b'$"', b'@"', b'r#"', b'"#', b"/a[/]b/g", b"return ", b"f'",
    b"\xc3\xa9", b"   ",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language_id", ["python", "java", "typescript", "go", "rust", "cpp", "c_sharp"])
def test_a_shared_scan_gives_the_same_state(language_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language = by_id(language_id)
    assert language is not None
    monkeypatch.setattr(region, "_MARK_EVERY", 4)  # more marks in short texts
    chance = random.Random(language_id)
    for _ in range(300):
        data = b"".join(chance.choices(PIECES, k=chance.randrange(5, 80)))
        firsts = [0, *(chance.randrange(len(data)) for _ in range(2))]
        for _ in range(30):
            if chance.random() < 0.3:  # as an edit: what was read of other lines holds
                start = chance.randrange(len(data) + 1)
                data = data[:start] + chance.choice(PIECES) + data[start + chance.randrange(3) :]
            first, last = chance.choice(firsts), chance.randrange(len(data) + 1)
            shared = scan(language, data, first, last)
            with monkeypatch.context() as alone:
                alone.setattr(region, "_marks", [])
                assert shared == scan(language, data, first, last), (data, first, last)


def test_a_letter_does_not_have_the_lines_above_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    language = by_id("python")
    assert language is not None
    above = b'a = """x"""\n' * 400
    scan(language, above, 0, len(above))
    in_text, signs = region._in_text, list[int]()

    def counting(*arguments: Any) -> int:
        signs.append(arguments[4])
        return in_text(*arguments)

    monkeypatch.setattr(region, "_in_text", counting)
    for typed in (b"b", b"b ", b"b =", b'b = "'):
        scan(language, above + typed, 0, len(above + typed))
    assert len(signs) < 4 * 40


def test_lines_below_do_not_read_the_text_above_again(monkeypatch: pytest.MonkeyPatch) -> None:
    language = by_id("typescript")
    assert language is not None
    data, signs = b"const a = `x`; // b\nlet c = 'd';\n" * 400, 0
    in_text = region._in_text

    def counting(*arguments: object) -> int:
        nonlocal signs
        signs += 1
        return in_text(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(region, "_in_text", counting)
    places = [at for at in range(len(data) // 2, len(data)) if data.startswith(b"let", at)]
    for at in places:
        assert scan(language, data, 0, at).region is None
    assert len(places) == 200
    assert signs < 2 * 400 + 10 * len(places), "each scan began at the start of the text"
