"""POMP: position oracle, match pattern. It knows where and what will be replaced, and repeats what it saw in training.

If the matched text, context included, was replaced in the training data, all edits of the replacement are right;
otherwise each is a uniform guess among all contents: cov + (1 - cov) / classes, cov being the share of replacements
whose text was seen.
Source: Zhao et al. 2019, section 5.1 (baseline of Tables 1 and 2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Pomp:
    """The texts that were replaced in training, and the number of content classes (DELETE included)."""

    seen: frozenset[str]
    classes: int

    @classmethod
    def fit(cls, matched: Iterable[Sequence[str]], classes: int) -> Pomp:
        """From the matched texts of each training instance."""
        return cls(frozenset(text for texts in matched for text in texts), classes)

    def accuracy(self, matched: Iterable[Sequence[str]]) -> float:
        """Expected share of right edits, from the matched texts of each test instance. ValueError without any."""
        tested = [text for texts in matched for text in texts]
        if not tested:
            raise ValueError("POMP needs the matched texts: files of `editahead-models prepare synthetic` hold them")
        covered = sum(text in self.seen for text in tested) / len(tested)
        return covered + (1 - covered) / self.classes

    def save(self, path: Path) -> None:
        """Write as JSON."""
        path.write_text(json.dumps({"seen": sorted(self.seen), "classes": self.classes}), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Pomp:
        """Read what `save` wrote."""
        raw = json.loads(path.read_text(encoding="utf-8"))
        return cls(frozenset(raw["seen"]), int(raw["classes"]))
