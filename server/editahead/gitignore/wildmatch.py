"""Glob patterns as git's `wildmatch` reads them, on bytes, without backtracking.

A pattern becomes a non-deterministic automaton with a state per token, and a set of states is an integer, so that
matching takes a single pass over the text, whatever the pattern. `*a*a*a*b` costs what `a` costs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_SLASH = 0x2F
_EVERY = (1 << 256) - 1
_NO_SLASH = _EVERY & ~(1 << _SLASH)
_STAR, _DEEP, _DEEP_SLASH = -1, -2, -3  # `*`, `**`, `**/` as tokens; the others are sets of bytes, bit b for byte b


def _named(*ranges: tuple[int, int]) -> int:
    return sum(1 << byte for first, last in ranges for byte in range(first, last + 1))


_UPPER, _LOWER, _DIGIT = _named((0x41, 0x5A)), _named((0x61, 0x7A)), _named((0x30, 0x39))
_CLASSES = {
    b"alnum": _UPPER | _LOWER | _DIGIT, b"alpha": _UPPER | _LOWER, b"blank": _named((9, 9), (32, 32)),
    b"cntrl": _named((0, 31), (127, 127)), b"digit": _DIGIT, b"graph": _named((33, 126)), b"lower": _LOWER,
    b"print": _named((32, 126)), b"punct": _named((33, 47), (58, 64), (91, 96), (123, 126)),
    b"space": _named((9, 13), (32, 32)), b"upper": _UPPER,
    b"xdigit": _DIGIT | _named((0x41, 0x46), (0x61, 0x66)),
}  # fmt: skip


@dataclass(eq=False, slots=True)
class Glob:
    """A compiled pattern. With `fold`, the texts that are matched must have their ASCII capitals lowered already."""

    tokens: list[int]
    prefix: bytes = b""
    suffix: bytes = b""
    inner: bytes = b""  # a literal stretch that every match holds
    _automaton: _Automaton | None = field(default=None, repr=False)

    def matches(self, text: bytes) -> bool:
        """Whether the whole text matches."""
        if not text.startswith(self.prefix) or not text.endswith(self.suffix) or self.inner not in text:
            return False
        if self._automaton is None:
            self._automaton = _Automaton(self.tokens)
        return self._automaton.matches(text)


def compile_glob(pattern: bytes, *, in_path: bool, fold: bool = False) -> Glob | None:
    """The compiled pattern, or None if nothing can match it (as git treats an unclosed `[`).

    With `in_path`, `*`, `?` and sets stop at slashes and `**` passes them; without, the text is a name.
    """
    tokens: list[int] = []
    at = 0
    while at < len(pattern):
        byte = pattern[at]
        at += 1
        if byte == 0x5C:  # a backslash; what it protects keeps its case
            if at == len(pattern):
                return None
            tokens.append(1 << pattern[at])
            at += 1
        elif byte == 0x3F:  # ?
            tokens.append(_NO_SLASH if in_path else _EVERY)
        elif byte == 0x5B:  # [
            parsed = _bracket(pattern, at, fold)
            if parsed is None:
                return None
            members, at = parsed
            tokens.append(members & (_NO_SLASH if in_path else _EVERY))
        elif byte == 0x2A:  # *
            start = at - 1
            while at < len(pattern) and pattern[at] == 0x2A:
                at += 1
            token = _DEEP if not in_path else _STAR
            if in_path and at - start > 1 and (start == 0 or pattern[start - 1] == _SLASH):
                if pattern[at : at + 1] == b"/":
                    token = _DEEP_SLASH
                    at += 1
                elif at == len(pattern) or pattern[at : at + 2] == b"\\/":
                    token = _DEEP
            tokens.append(token)
        else:
            tokens.append(1 << (byte + 0x20 if fold and 0x41 <= byte <= 0x5A else byte))
    return Glob(tokens, *_literals(tokens))


def _literals(tokens: list[int]) -> tuple[bytes, bytes, bytes]:
    """The literal bytes at the start, at the end, and the longest stretch of them."""
    stretches = [bytearray()]
    for token in tokens:
        if token > 0 and token & (token - 1) == 0:
            stretches[-1].append(token.bit_length() - 1)
        else:
            stretches.append(bytearray())
    return bytes(stretches[0]), bytes(stretches[-1]), bytes(max(stretches, key=len))


def _bracket(pattern: bytes, at: int, fold: bool) -> tuple[int, int] | None:
    """The bytes of a set whose `[` stands before `at`, and where it ends; None where it is unclosed or unsupported."""
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    members, previous, first = 0, 0, True
    while True:
        if at >= len(pattern):
            return None
        byte = pattern[at]
        if byte == 0x5D and not first:  # ]
            break
        first = False
        if byte == 0x5C:
            at += 1
            if at >= len(pattern):
                return None
            byte = pattern[at]
            members |= 1 << byte
        elif byte == 0x2D and previous and pattern[at + 1 : at + 2] not in (b"", b"]"):
            at += 1
            if pattern[at] == 0x5C:
                at += 1
                if at >= len(pattern):
                    return None
            members |= _range(previous, pattern[at], fold)
            byte = 0
        elif byte == 0x5B and pattern[at + 1 : at + 2] == b":":
            end = pattern.find(b"]", at + 2)
            if end < 0:
                return None
            if end > at + 2 and pattern[end - 1] == 0x3A:
                named = _CLASSES.get(pattern[at + 2 : end - 1])
                if named is None:
                    return None
                members |= named | (_LOWER if fold and named == _UPPER else 0)
                byte, at = 0, end
            else:
                members |= 1 << byte
        else:
            members |= 1 << byte
        previous = byte
        at += 1
    return (_EVERY & ~members if negated else members), at + 1


def _range(first: int, last: int, fold: bool) -> int:
    members = _named((first, last)) if first <= last else 0
    if fold:  # a small letter is in a range of capitals as well
        members |= (members & _UPPER) << 0x20
    return members


class _Automaton:
    """States as bits: bit i is set where the next token to match is token i."""

    __slots__ = ("_end", "_jump", "_other", "_slash_stay", "_start", "_stay", "_step", "_take")

    def __init__(self, tokens: list[int]) -> None:
        step = jump = star = deep = 0  # states with a step to the next, to the second next; that stay
        sets: list[tuple[int, int]] = []
        state = 1
        for token in tokens:
            if token == _DEEP_SLASH:  # nothing, or anything and a slash: two states
                step |= state
                jump |= state
                state <<= 1
                deep |= state
                sets.append((state, 1 << _SLASH))
            elif token == _STAR:
                step |= state
                star |= state
            elif token == _DEEP:
                step |= state
                deep |= state
            else:
                sets.append((state, token))
            state <<= 1
        self._end, self._step, self._jump = state, step, jump
        self._stay, self._slash_stay = star | deep, deep
        # Bytes that no set distinguishes share an entry.
        common = [(bit, members) for bit, members in sets if members & (members - 1) and members.bit_count() >= 128]
        self._other = sum(bit for bit, _ in common)
        self._take: dict[int, int] = {}
        distinguished: set[int] = set()
        for _, members in sets:
            rare = members if members.bit_count() < 128 else _EVERY & ~members
            while rare:
                low = rare & -rare
                distinguished.add(low.bit_length() - 1)
                rare ^= low
        for byte in distinguished:
            self._take[byte] = sum(bit for bit, members in sets if members >> byte & 1)
        self._start = self._closed(1)

    def _closed(self, states: int) -> int:
        while True:
            more = states | (states & self._step) << 1 | (states & self._jump) << 2
            if more == states:
                return states
            states = more

    def matches(self, text: bytes) -> bool:
        states, take, other, stay = self._start, self._take, self._other, self._stay
        for byte in text:
            states = (states & take.get(byte, other)) << 1 | states & (self._slash_stay if byte == _SLASH else stay)
            if not states:
                return False
            states = self._closed(states)
        return bool(states & self._end)


NO_MATCH = Glob([0], b"\0", b"\0")  # a byte that no path holds
