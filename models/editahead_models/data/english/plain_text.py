"""`editahead-models prepare plain-text`: English prose in the form of the Penn Treebank files for language models.

Like those files: words in lower case, no punctuation, `N` for numbers, a sentence a line, 10,000 words at most, all
others `<unk>`. Unlike them: prose of the user's choice, split into blocks of sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Annotated

import typer

from editahead_models.data.english.penn_treebank import SPLITS, UNKNOWN

BLOCK = 100
"""Sentences in a row that stay in one split."""
TURN = 12
"""Of so many blocks, one is for validation and one for the test: 8 % each, as in the Treebank."""
_NUMBER = "N"
_MARKUP = (".html", ".xhtml", ".htm")
_SUFFIXES = (".txt", *_MARKUP)
_BREAK = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|\n\s*\n")
_WORD = re.compile(r"\d[\d.,]*|[^\W\d_]+")
_CLITIC = re.compile(r"[’'](?=(?:s|d|m|ll|re|ve|t)\b)", re.IGNORECASE)
_NOT_TEXT = ("head", "script", "style", "nav")
_PARTS = ("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "div", "section")


class _Paragraphs(HTMLParser):
    """The text of a page, an empty line between its paragraphs."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in _NOT_TEXT
        if tag in _PARTS:
            self.found.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _NOT_TEXT and self._hidden > 0
        if tag in _PARTS:
            self.found.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(data)


def sentences(text: str) -> Iterator[list[str]]:
    """The words of each sentence; `don't` is `don t`, as clitics are words of their own in the Treebank."""
    for sentence in _BREAK.split(text):
        words = [_NUMBER if word[0].isdigit() else word.lower() for word in _WORD.findall(_CLITIC.sub(" ", sentence))]
        if len(words) > 1:
            yield words


def read_texts(paths: Iterable[Path]) -> Iterator[str]:
    """The text of files and of all texts below folders, in the order of their names. OSError as `read_text`."""
    for path in paths:
        inside = sorted((one for one in path.rglob("*") if one.suffix in _SUFFIXES), key=_natural)
        for file in inside if path.is_dir() else (path,):
            text = file.read_text(encoding="utf-8", errors="replace")
            if file.suffix in _MARKUP:
                parser = _Paragraphs()
                parser.feed(text)
                text = "".join(parser.found)
            yield text


def _natural(path: Path) -> list[tuple[int, str]]:
    """Chapter 2 before chapter 10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", str(path))]


def split_of(number: int) -> str:
    """The split of the sentence with this number."""
    return {TURN // 2 - 1: "valid", TURN - 1: "test"}.get(number // BLOCK % TURN, "train")


def main(
    text: Annotated[list[Path], typer.Option(help="Files (.txt, .html, .xhtml) or folders of them.")],
    out: Annotated[Path, typer.Option(help="Where ptb.train.txt, ptb.valid.txt and ptb.test.txt go.")],
    words: Annotated[int, typer.Option(help="Different words; the others become <unk>.")] = 10_000,
) -> None:
    """Make English prose look like the Penn Treebank, for `evaluate penn-treebank`."""
    found: dict[str, list[list[str]]] = {split: [] for split in SPLITS}
    try:
        everything = (one for whole in read_texts(text) for one in sentences(whole))
        for number, sentence in enumerate(everything):
            found[split_of(number)].append(sentence)
    except OSError as error:
        raise typer.BadParameter(str(error)) from error
    if not all(found.values()):
        raise typer.BadParameter(f"fewer than {BLOCK * TURN} sentences: too few for three splits")
    counts = Counter(word for sentence in found["train"] for word in sentence)
    known = {word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: words - 1]}
    out.mkdir(parents=True, exist_ok=True)
    for split, lines in found.items():
        kept = (" ".join(word if word in known else UNKNOWN for word in line) for line in lines)
        (out / f"ptb.{split}.txt").write_text("".join(f" {line} \n" for line in kept), encoding="utf-8")
        print(f"{split}: {sum(map(len, lines)):,} words in {len(lines):,} sentences")
