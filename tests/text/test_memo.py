"""What is remembered of texts is dropped when they are forgotten."""

from __future__ import annotations

from editahead.text.memo import cache_texts, forget_texts, on_forget


def test_everybody_who_remembers_forgets() -> None:
    asked: list[str] = []

    @cache_texts(8)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    cleared: list[int] = []
    on_forget(lambda: cleared.append(1))
    assert [length("ab"), length("ab")] == [2, 2]
    assert asked == ["ab"]
    forget_texts()
    assert cleared == [1]
    assert length("ab") == 2
    assert asked == ["ab", "ab"]
