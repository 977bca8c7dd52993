"""Languages with a grammar and no model: completions from the file's own words, and repeated edits."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.grammars import available_grammars
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

# Three functions that read the settings in the same way, and the beginning of a fourth.
SOURCES = {
    "kotlin": """class Shapes(private val settings: Settings) {
    fun area(width: Int, height: Int): Int {
        log.print("area " + width)
        return width * height * settings.scale
    }

    fun border(width: Int, height: Int): Int {
        log.print("border " + width)
        return 2 * (width + height)
    }

    fun cube(width: Int): Int {
        log.print("cube " + width)
        return width * width * wi‸
    }
}
""",
    "ruby": """class Shapes
  def area(width, height)
    log.print("area " + width)
    width * height * @settings.scale
  end

  def border(width, height)
    log.print("border " + width)
    2 * (width + height)
  end

  def cube(width)
    log.print("cube " + width)
    width * width * wi‸
  end
end
""",
    "php": """<?php
class Shapes {
    function area($width, $height) {
        $this->log->print("area " . $width);
        return $width * $height * $this->settings->scale;
    }

    function border($width, $height) {
        $this->log->print("border " . $width);
        return 2 * ($width + $height);
    }

    function cube($width) {
        $this->log->print("cube " . $width);
        return $width * $width * $wi‸;
    }
}
""",
    "scala": """class Shapes(settings: Settings) {
  def area(width: Int, height: Int): Int = {
    log.print("area " + width)
    width * height * settings.scale
  }

  def border(width: Int, height: Int): Int = {
    log.print("border " + width)
    2 * (width + height)
  }

  def cube(width: Int): Int = {
    log.print("cube " + width)
    width * width * wi‸
  }
}
""",
}
LANGUAGES = [
    pytest.param(
        language_id,
        marks=pytest.mark.skipif(
            language_id not in available_grammars(), reason=f"no grammar for {language_id}: pip install '.[languages]'"
        ),
    )
    for language_id in SOURCES
]
ALL = pytest.mark.parametrize("language_id", LANGUAGES)


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The engine with all shipped models."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def document(language_id: str, text: str, *changes: tuple[str, str]) -> Document:
    """A document after changes by hand."""
    now = [0.0]
    buffer = Buffer.from_text(text)
    history = History(buffer, lambda: now[0])
    for old, new in changes:
        at = buffer.data.index(old.encode())
        edit = ByteEdit(at, at + len(old.encode()), new.encode()).trim(buffer.data)
        history.push(edit, buffer)
        buffer = buffer.apply(edit)
        now[0] += 10.0
        history.settle(now[0])
    language = by_id(language_id)
    assert language is not None
    syntax = open_snapshot(buffer, language)
    return Document("file:///a", None, language_id, 1, syntax, history.view(), Settings(), now=now[0])


@ALL
def test_a_name_of_the_file_is_completed(engine: Engine, language_id: str) -> None:
    before, after = SOURCES[language_id].split("‸")
    found = engine.complete(document(language_id, before + after), len(before.encode()), Cancel())
    assert isinstance(found, Shown)
    assert found.value.items[0].label.lstrip("$") == "width"


@ALL
def test_an_edit_made_twice_is_offered_at_its_third_place(engine: Engine, language_id: str) -> None:
    text = SOURCES[language_id].replace("wi‸", "width")
    twice = [(f'print("{name} "', f'write("{name} "') for name in ("area", "border")]
    made = document(language_id, text, *twice)
    found = engine.next_edit(made, made.syntax.buffer.data.index(b"border"), Cancel())
    assert isinstance(found, Shown), found
    after = made.syntax.buffer.apply(found.value.edit)
    assert b'write("cube "' in after.data
