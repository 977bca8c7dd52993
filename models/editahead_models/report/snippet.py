"""The qualitative page: one snippet read by several models, shaded by the probability that each gave to every token."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report.results import table

_CHAR, _LINE, _LEFT, _TOP = 7.25, 17, 34, 40
_PANEL = 66  # characters
_FAINT = (247, 247, 247)
_SURE = (116, 190, 126)


def write(docs: Path, data: Path, languages: Sequence[str]) -> Path | None:
    """The page and one picture a language below `docs`; None where nothing was predicted yet."""
    found = {language: data / f"snippet-{language}.json" for language in languages}
    saved = {language: json.loads(path.read_text()) for language, path in found.items() if path.exists()}
    if not saved:
        return None
    for language, snippet in saved.items():
        (docs / f"snippet-{language}.svg").write_text(picture(snippet), encoding="utf-8")
    page = docs / "snippet.md"
    page.write_text(markdown(saved), encoding="utf-8")
    return page


def markdown(saved: Mapping[str, Mapping[str, Any]]) -> str:
    """The page's text: the picture, then each copied name with the line that the pointer stood on."""
    parts = ["# The same snippet, read by four models\n", INTRODUCTION]
    for language, snippet in saved.items():
        parts += [
            f"## {language.capitalize()}\n",
            f"![{language} snippet shaded by probability](snippet-{language}.svg)\n",
        ]
        names = list(snippet["rows"])
        lines = snippet["text"].splitlines()
        columns = ["name", *(snippet["rows"][name]["label"] for name in names)]
        parts += ["Each use of a declared name: its probability, and the line from which the pointer copied it.\n"]
        parts += [table(columns, _uses(snippet, names, lines))]
    return "\n".join(parts)


def _uses(snippet: Mapping[str, Any], names: Sequence[str], lines: Sequence[str]) -> list[list[str]]:
    """One row for every token that some model copied."""
    rows = []
    streams = [snippet["rows"][name]["tokens"] for name in names]
    for tokens in zip(*streams, strict=True):
        if any("from" in token for token in tokens):
            first = tokens[0]
            cells = [f"line {first['line'] + 1}: `{first['text']}`"]
            for token in tokens:
                source = f", from line {token['from'] + 1} `{_short(lines[token['from']])}`" if "from" in token else ""
                guess = "" if token["right"] else f", guessed `{_short(token['guess'])}`"
                cells.append(f"{percentage(token['p'], 0)} %{source}{guess}")
            rows.append(cells)
    return rows


def _short(text: str, length: int = 28) -> str:
    text = text.strip().replace("|", "\\|").replace("`", "'")
    return text if len(text) <= length else text[: length - 1] + "…"


def picture(snippet: Mapping[str, Any]) -> str:
    """An SVG: one panel a model, two side by side, every token shaded from faint (0) to green (1)."""
    lines = snippet["text"].splitlines()
    width, height = _LEFT + _PANEL * _CHAR, _TOP + _LINE * (len(lines) + 1)
    rows = list(snippet["rows"].values())
    deep = -(-len(rows) // 2)
    body = [_panel(row, lines, (n % 2) * width, (n // 2) * height) for n, row in enumerate(rows)]
    size = f'width="{2 * width:.0f}" height="{deep * height + 30:.0f}"'
    box = f'viewBox="0 0 {2 * width:.0f} {deep * height + 30:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="ui-monospace, Menlo, Consolas, monospace" '
        f'font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>{"".join(body)}'
        f"{_legend(deep * height + 8)}</svg>\n"
    )


def _panel(row: Mapping[str, Any], lines: Sequence[str], x: float, y: float) -> str:
    parts = [
        f'<text x="{x + _LEFT}" y="{y + 22}" font-weight="bold" font-family="sans-serif">{escape(row["label"])}</text>'
    ]
    for token in row["tokens"]:
        if token["text"]:
            line = lines[token["line"]]
            start = len(line.encode()[: token["column"]].decode("utf-8", "replace"))
            text = token["text"].split("\n")[0]
            left, top = x + _LEFT + start * _CHAR, y + _TOP + token["line"] * _LINE
            tip = f"{percentage(token['p'], 0)} %, guessed {token['guess']}"
            tip += f", copied from line {token['from'] + 1}" if "from" in token else ""
            mark = ' stroke="#2b6cb0" stroke-width="1"' if "from" in token else ""
            parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{len(text) * _CHAR:.1f}" height="{_LINE - 2}" rx="2" '
                f'fill="{_shade(token["p"])}"{mark}><title>{escape(tip)}</title></rect>'
            )
    for number, line in enumerate(lines):
        base = y + _TOP + number * _LINE + 12
        parts.append(f'<text x="{x + 6}" y="{base}" fill="#9aa0a6" font-size="9">{number + 1}</text>')
        parts.append(
            f'<text x="{x + _LEFT}" y="{base}" xml:space="preserve" '
            f'textLength="{len(line) * _CHAR:.1f}">{escape(line)}</text>'
            if line
            else ""
        )
    return "".join(parts)


def _shade(p: float) -> str:
    mixed = (round(a + (b - a) * p) for a, b in zip(_FAINT, _SURE, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _legend(y: float) -> str:
    parts = [f'<text x="{_LEFT}" y="{y + 12}" font-family="sans-serif" fill="#5f6368">probability of the token:</text>']
    for n in range(11):
        left = _LEFT + 170 + n * 24
        parts.append(f'<rect x="{left}" y="{y}" width="24" height="15" fill="{_shade(n / 10)}"/>')
    parts.append(f'<text x="{_LEFT + 170}" y="{y + 12}" font-size="9">0</text>')
    parts.append(f'<text x="{_LEFT + 412}" y="{y + 12}" font-size="9">1</text>')
    parts.append(f'<rect x="{_LEFT + 470}" y="{y}" width="40" height="14" rx="2" fill="#ffffff" stroke="#2b6cb0"/>')
    parts.append(
        f'<text x="{_LEFT + 520}" y="{y + 12}" font-family="sans-serif" fill="#5f6368">copied by the pointer</text>'
    )
    return "".join(parts)


INTRODUCTION = """
Every token is shaded by the probability that the model gave it from the text before it; a blue frame
marks a name that the pointer copied. Hover over a token in the picture for the first guess. The four rows of the
[table](language-models.md) differ only in the model: the LSTM cannot produce a random number that it has read; the
pointer network copies it from an earlier use. `editahead explain FILE:LINE:COL` shows the same for the shipped models.
"""
