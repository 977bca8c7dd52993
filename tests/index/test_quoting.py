"""What a pattern takes for a string or a comment is what the tree says, in time that grows with the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.index.lexicon import lexicon_of
from editahead.index.ngram_index import Words, stream_of
from editahead.index.sliced_work import finish
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer

from tests.growth import assert_linear

SAMPLES = Path(__file__).parents[1] / "conformance" / "samples"
READ = ("python", "java", "javascript", "typescript", "tsx", "go", "rust", "c", "cpp", "c_sharp")
# Text between tags and lines of the preprocessor are read like code.
NO_NAMES = {"add", "to", "algorithm", "string", "vector", "stdio", "h", "include", "define", "ifdef", "endif"}
BEGINNINGS = ("=/[", "=/a", "return /", "/*", "/* /* */ ", "`${", "`${`", "`${{", '"', "'", 'r#"', 'R"x(', '@"', '$"{')


@pytest.mark.parametrize("language_id", READ)
def test_no_name_is_read_where_the_tree_has_none(language_id: str) -> None:
    """Words of the language aside; names inside strings with code in them are left out."""
    language, path = by_id(language_id), next(SAMPLES.glob(f"{language_id}.*"))
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None
    buffer, words = Buffer(path.read_bytes()), Words(10_000)
    syntax = SyntaxSnapshot.open(buffer, language)
    tokens = [token for line in range(syntax.line_count) for token in syntax.line_tokens(line)]
    quoted = (TokenKind.STRING, TokenKind.COMMENT)
    names = Counter(token.text for token in tokens if token.kind is TokenKind.NAME)
    others = {token.text for token in tokens if token.kind not in quoted}
    read = Counter(words.texts[number] for number in finish(stream_of(buffer, lexicon, words)).tolist())
    read = Counter({text: count for text, count in read.items() if text.isidentifier()})
    assert set(read) - others <= NO_NAMES
    assert sum((names & read).values()) >= 0.9 * sum(names.values())


@pytest.mark.slow
@pytest.mark.parametrize("language_id", READ)
def test_beginnings_without_an_end_cost_what_the_text_costs(language_id: str) -> None:
    language = by_id(language_id)
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None

    def matched(size: int) -> Callable[[], object]:
        texts = [(piece * (size // len(piece))).encode() for piece in BEGINNINGS]
        return lambda: [sum(1 for _ in lexicon.tokens.finditer(text)) for text in texts]

    assert_linear(matched, 8_000)
