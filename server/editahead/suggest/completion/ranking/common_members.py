"""How common members are in open-source code: of popular modules and classes, and behind any dot.

`editahead-models mine members` writes the table from the projects that networks learn from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("common_members.json")
_NONE: Mapping[str, float] = MappingProxyType({})


def common_members(module: str = "") -> Mapping[str, float]:
    """Shares of the members of a module or class, given by its dotted name; behind any dot if it is empty.

    A share is that of the files that use the member in all such pairs of file and member.
    """
    return _table().get(module, _NONE)


@cache
def _table() -> dict[str, dict[str, float]]:
    counts: dict[str, dict[str, int]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        module: {name: count / total for name, count in names.items()}
        for module, names in counts.items()
        if (total := sum(names.values()))
    }
