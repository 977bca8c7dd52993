"""Matching the elements of a pattern with the tokens around an anchor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.patterns.pattern import LINE, MAX_HOLE, Element, Pattern, is_balanced
from editahead.patterns.token_stream import TokenStream

Span = tuple[int, int]


def match_at(pattern: Pattern, tokens: TokenStream, at: int) -> tuple[Span, ...] | None:
    """Match a pattern with its anchor at token `at`: the token range of each element, None without a match."""
    bound: dict[int, tuple[str, ...]] = {}
    right = _match_elements(pattern.elements[pattern.anchor :], tokens.texts, at, 1, bound)
    if right is None:
        return None
    left = _match_elements(pattern.elements[: pattern.anchor + 1][::-1], tokens.texts, at, -1, bound)
    return None if left is None else (*left[:0:-1], *right)


def _match_elements(
    elems: Sequence[Element], texts: Sequence[str], at: int, step: int, bound: dict[int, tuple[str, ...]]
) -> list[Span] | None:
    """Match consecutive elements from token `at` on, rightwards (step 1) or leftwards (step -1)."""
    spans: list[Span] = []
    for number, elem in enumerate(elems):
        if not 0 <= at < len(texts):
            return None
        size = 1
        if elem.text is None:
            size = _hole_size(elem, elems[number + 1 :], texts, at, step, bound)
        elif not (texts[at] == elem.text or (elem.text == LINE and texts[at].startswith("\n"))):
            return None
        if not size:
            return None
        spans.append((at, at + size) if step > 0 else (at - size + 1, at + 1))
        if elem.text is None:
            bound[elem.hole] = tuple(texts[slice(*spans[-1])])
        at += step * size
    return spans


def _hole_size(
    elem: Element,
    rest: Sequence[Element],
    texts: Sequence[str],
    at: int,
    step: int,
    bound: dict[int, tuple[str, ...]],
) -> int:
    """Return how many tokens a hole matches so that the next element follows; 0 without a match."""
    bound_texts = bound.get(elem.hole)
    for size in range(1, MAX_HOLE + 1) if bound_texts is None else (len(bound_texts),):
        low, high = (at, at + size) if step > 0 else (at - size + 1, at + 1)
        follows = at + step * size
        if low < 0 or high > len(texts):
            return 0
        inside = tuple(texts[low:high])
        if (bound_texts is not None and inside != bound_texts) or not is_balanced(inside) or _has_separator(inside):
            continue
        if not rest:
            return size
        if 0 <= follows < len(texts) and (
            rest[0].text is None
            or rest[0].text == texts[follows]
            or (rest[0].text == LINE and texts[follows].startswith("\n"))
        ):
            return size
    return 0


def _has_separator(texts: Sequence[str]) -> bool:
    """Whether there is a comma or semicolon outside all brackets and strings."""
    depth = 0
    for text in texts:
        depth += (text in "([{") - (text in ")]}")
        if depth == 0 and text in (",", ";"):
            return True
    return False


def match_spans(pattern: Pattern, tokens: TokenStream) -> Iterator[tuple[Span, ...]]:
    """Yield every match in a stream: the token range of each element."""
    word = pattern.word
    for at, text in enumerate(tokens.texts):
        if text == word and (spans := match_at(pattern, tokens, at)) is not None:
            yield spans
