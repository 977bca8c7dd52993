"""Import paths that rankers learn from: what is drawn, what is asked, and that a fit finds what the project says."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from editahead.index.import_paths import read_path_imports
from editahead.index.project_imports import FileImports, build_project_imports
from editahead.index.sliced_work import finish
from editahead.index.types import OtherImports
from editahead.suggest.completion.import_paths.complete import CANDIDATE_FEATURES, PLACE_FEATURES
from editahead.syntax.language import by_id
from editahead_models.evaluate.completions.import_path_fit import fit_paths
from editahead_models.evaluate.completions.own_weights_fit import crossed, figures, rank_of, ranked
from editahead_models.evaluate.places.import_path_places import CUT, FOLLOWING, WHOLE, drawn_paths, place_of
from editahead_models.evaluate.places.ranker_data import RankedPlace

GO = b'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc f() { fmt.Println(os.Args) }\n'
FILES = {"a/a.go": GO, "a/b.go": GO.replace(b'\t"os"\n', b""), "c/c.go": b'package c\n\nimport "net/http"\n'}


def others(own: str) -> OtherImports:
    read = {path: FileImports(*read_path_imports(text, "go", path)) for path, text in FILES.items()}
    return OtherImports(finish(build_project_imports(read, dotted=False)), own)


@pytest.mark.parametrize(("language_id", "text", "paths"), [
    ("go", GO, ["fmt", "os"]),
    ("typescript", b"import { a } from './a'\nimport b from \"b\"\n", ["./a", "b"]),
    ("cpp", b'#include <vector>\n#include "a.h"\nint x;\n', ["vector", "a.h"]),
])  # fmt: skip
def test_the_paths_of_a_file_are_drawn_behind_their_quote(language_id: str, text: bytes, paths: list[str]) -> None:
    language = by_id(language_id)
    assert language is not None
    drawn = drawn_paths("a/a", text, language)
    assert [text[one.start : one.end].decode() for one in drawn] == paths
    assert {one.imports_end for one in drawn} == {drawn[-1].line_end}


@pytest.mark.parametrize("situation", [WHOLE, FOLLOWING, CUT])
@pytest.mark.parametrize("letters", [0, 1])
def test_a_path_is_asked_for_as_if_it_were_not_written(situation: str, letters: int) -> None:
    language = by_id("go")
    assert language is not None
    fmt, os_path = drawn_paths("a/a.go", GO, language)
    place = place_of("p", fmt, language, others("a/a.go"), letters, situation, {"fmt": 3.0, "io": 1.0})
    assert place is not None
    assert place.texts[place.right] == "fmt"
    assert place.whole is (situation != CUT)
    assert place.candidates.shape == (len(place.texts), len(CANDIDATE_FEATURES))
    assert place.place.shape == (len(PLACE_FEATURES),)
    row = dict(zip(CANDIDATE_FEATURES, place.candidates[place.right].tolist(), strict=True))
    assert row["files"] == pytest.approx(np.log1p(1) / 5)  # the file itself does not count
    assert row["used"] == float(situation != CUT)
    alone = place_of("p", os_path, language, None, letters, situation, {})
    assert alone is not None
    assert alone.right == -1
    assert place_of("p", fmt, language, None, 3, situation, {}) is None  # nothing is left to type


def test_a_fit_learns_what_the_project_says() -> None:
    random = np.random.default_rng(1)
    places = []
    for number in range(200):
        candidates = random.random((12, len(CANDIDATE_FEATURES)), np.float32) * np.float32(0.2)
        right = int(random.integers(12))
        candidates[right, CANDIDATE_FEATURES.index("taken")] = 1.0
        places.append(
            RankedPlace(
                f"p{number % 4}",
                number // 4 % 2,
                True,
                "import path",
                candidates,
                np.zeros(len(PLACE_FEATURES), np.float32),
                right,
                False,
                (),
            )
        )
    shown = figures(list(crossed(places, fit_paths)))
    assert shown["nothing typed/first"] > 0.9
    assert shown["typed/n"] == 100.0
    ranker = fit_paths(places)
    assert figures(ranked(ranker, places))["typed/first"] > 0.9
    assert rank_of(ranker, places[0]._replace(right=-1))[0] == -1
