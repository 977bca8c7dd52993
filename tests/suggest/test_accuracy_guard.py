"""The accuracy of the shipped language models on files of our own may rise, and cannot fall unnoticed.

Every identifier of three and more letters (keywords, `self` and comments left out) is asked for with nothing typed, in
the file cut off before it. The fixtures are frozen: they are no code of this project any more, but look like it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.types import Shown
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer

from tests.suggest.documents import document

FOLDER = Path(__file__).parent / "guard"
EVERY = 3  # every third identifier: enough, and quick
LANGUAGES = {"py": "python", "java": "java", "ts": "typescript", "go": "go", "rs": "rust", "cc": "cpp", "cs": "c_sharp"}
SLACK = 2  # places: near ties may fall the other way on another processor
LEAST = {  # first and among the first five, of how many: what the shipped bundles reach
    "edits.py.txt": (40, 89, 116),
    "typist.py.txt": (26, 47, 79),
    "Shelves.java.txt": (37, 60, 80),
    "tableWriter.ts.txt": (19, 47, 80),
    "courier.go.txt": (26, 44, 59),
    "pantry.rs.txt": (37, 64, 97),
    "tiles.cc.txt": (25, 53, 81),
    "Harvest.cs.txt": (37, 58, 81),
}


def identifiers(text: str, language_id: str) -> list[tuple[int, str]]:
    """Byte offsets and texts of the identifiers that are asked for."""
    language = by_id(language_id)
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(text.encode()), language)
    starts = snapshot.buffer.line_starts
    found = [
        (int(starts[line]) + token.start, token.text)
        for line in range(snapshot.line_count)
        for token in snapshot.line_tokens(line)
        if token.kind is TokenKind.NAME and len(token.text) >= 3 and token.text != "self"
    ]
    return found[::EVERY]


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAST)
def test_the_shipped_models_are_as_good_as_they_were(name: str) -> None:
    language_id = LANGUAGES[name.split(".")[1]]
    text = (FOLDER / name).read_text(encoding="utf-8")
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    first = five = 0
    asked = identifiers(text, language_id)
    for byte, wanted in asked:
        made, at = document(text.encode()[:byte].decode() + "‸", language_id)
        decision = engine.complete(made, at, Cancel())
        labels = [item.label for item in decision.value.items] if isinstance(decision, Shown) else []
        first += labels[:1] == [wanted]
        five += wanted in labels[:5]
    least_first, least_five, count = LEAST[name]
    assert len(asked) == count
    assert first >= least_first - SLACK, f"{first} first guesses of {count}"
    assert five >= least_five - SLACK, f"{five} of {count} among the first five"
