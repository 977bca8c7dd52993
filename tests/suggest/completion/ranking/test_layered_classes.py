"""Members of elements, values and what is awaited, of classes that other files declare."""

from __future__ import annotations

import pytest

from tests.suggest.completion.ranking.project_evidence import Evidence
from tests.suggest.completion.ranking.test_project_classes import C_SHARP, GO, JAVA

CASES = {
    "of an element of Go": (
        GO,
        "cmd/main.go",
        'package main\n\nimport "example.com/x/pkg/store"\n\nfunc use(all map[string][]*store.Store) {\n'
        '\tfor _, s := range all["a"] {\n\t\ts.‸\n\t}\n}\n',
        {"Name", "Open", "Close"},
    ),
    "of an element of Java": (
        {
            **JAVA,
            "src/main/java/c/Many.java": (
                "package c;\nimport java.util.*;\npublic class Many { public List<Base> all; }\n"
            ),
        },
        "src/main/java/c/Main.java",
        "package c;\nclass Main {\n  void run(Many m) {\n    m.all.stream().filter(b -> b.‸);\n  }\n}\n",
        {"rest"},
    ),
    "of what is awaited in C#": (
        {**C_SHARP, "A/Made.cs": "public class Made {\n  public Task<Shop> Load() => null;\n}\n"},
        "B/Main.cs",
        "class Main {\n  async void Run(Made m) {\n    var s = await m.Load();\n    s.‸\n  }\n}\n",
        {"Title", "Open"},
    ),
}


@pytest.mark.parametrize(("files", "path", "text", "members"), CASES.values(), ids=CASES)
def test_members_of_what_is_in_a_type_are_known(
    evidence: Evidence, files: dict[str, str], path: str, text: str, members: set[str]
) -> None:
    assert evidence(files, path, text)[0] == members
