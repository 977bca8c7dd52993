"""The earlier hunks of a history: those that match another position, and the similarity of the positions."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.encode.edit_model.tokens import EditToken
from editahead.runtime.edit_model.states import DecoderState
from editahead.suggest.next_edit.rollout.edit_programs import (
    Edits,
    Program,
    is_offset,
    offset_of,
    past_hunks,
    program_of,
)


class PastHunks:
    """The hunks of a decoder state with their programs; `line` is the initial line of each initial name."""

    def __init__(self, decoder: DecoderState, line: Sequence[int]) -> None:
        self._decoder, self._line = decoder, line
        self._hunks = past_hunks(decoder, line)
        self._programs = [program_of(decoder, hunk) for hunk in self._hunks]

    def __len__(self) -> int:
        return len(self._hunks)

    def has_repetition(self, decoder: DecoderState, edits: Edits) -> bool:
        """Whether `edits`, after which the state is `decoder`, repeat the contents of a hunk at the same token."""
        pieces: dict[int, tuple[int, list[EditToken | None]]] = {}
        for name, key in edits:
            line = self._line[name if name < decoder.encoded.size else decoder.state.root(name)]
            pieces.setdefault(line, (decoder.state.root(name), []))[1].append(key)
        done = [(self._decoder.state.root(hunk.edits[0][0]), [key for _, key in hunk.edits]) for hunk in self._hunks]
        return any(piece in done for piece in pieces.values())

    def matching_program(self, name: int) -> Program | None:
        """The program of the last hunk whose first and deleted tokens match those from `name` on."""
        if name >= self._decoder.encoded.size:
            return None
        keys = self._decoder.encoded.window.keys
        alive = set(self._decoder.state.names)
        for hunk, program in reversed(list(zip(self._hunks, self._programs, strict=True))):
            if not program:
                continue
            root = self._decoder.state.root(hunk.edits[0][0])
            targets = [name + offset_of(offset) for offset, _ in program if is_offset(offset)]
            if any(target not in alive or not 1 <= target < len(keys) for target in targets):
                continue
            pairs = [(name + offset_of(o), root + offset_of(o)) for o, key in program if is_offset(o) and key is None]
            if all(keys[here].text == keys[there].text for here, there in pairs) and (
                pairs or keys[name].text == keys[root].text
            ):
                return program
        return None

    def agreement(self, root: int, begun: Program) -> float | None:
        """The best agreement, in [0, 1], of the position `root` with that of a hunk that begins with `begun`.

        None if there is no such hunk.
        """
        around = self._decoder.encoded.around
        return max(
            (
                float((around[self._decoder.state.root(hunk.edits[0][0])] == around[root]).mean())
                for hunk, other in zip(self._hunks, self._programs, strict=True)
                if not other or other[: len(begun)] == begun
            ),
            default=None,
        )

    def likeness(self, program: Program, root: int) -> tuple[int, float]:
        """The number of hunks with the same program, and the best share of equal neighbours of their positions."""
        around = self._decoder.encoded.around
        roots = [
            self._decoder.state.root(hunk.edits[0][0])
            for hunk, other in zip(self._hunks, self._programs, strict=True)
            if other == program
        ]
        agreement = max((float((around[other] == around[root]).mean()) for other in roots), default=0.0)
        return len(roots), agreement
