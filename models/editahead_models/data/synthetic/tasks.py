"""The tasks of the suite: a pattern and what replaces it, in the syntax of Python's `re`, x and y standing for letters.

Source: Zhao et al. 2019, section 5.1 and Table 2. Append3 has no definition in the paper; it is taken as A to ABBB.
"""

from __future__ import annotations

from typing import NamedTuple

ALPHABET = "ABCDEFGHIJ"
LENGTH = 30
MIN_MATCHES = 3
SIZES = {"train": 10_000, "dev": 1_000, "test": 1_000}
MULTI_TASK = "MultiTask"


class Task(NamedTuple):
    """A pattern task. `edits`: edits of one replacement; `distance`: mean copy distance (Table 2: EPR and ACD).

    `meta`: x and y are drawn anew for each instance; otherwise they are A and B.
    """

    name: str
    pattern: str
    replacement: str
    edits: int
    distance: float
    meta: bool = False


_PLAIN = (
    Task("Append1", "x", "xy", 1, 0),
    Task("Append3", "x", "xyyy", 3, 0),
    Task("ContextAppend11", "(.)x", r"\1x\1", 1, 2),
    Task("ContextAppend13", "(.)x", r"\1x\1\1\1", 3, 3),
    Task("ContextAppend31", "(...)x", r"\1x\1", 3, 4),
    Task("ContextAppend33", "(...)x", r"\1x\1\1\1", 9, 7),
    Task("ContextAppend52", "(.....)x", r"\1x\1\1", 10, 8.5),
    Task("ContextReverse31", "(.)(.)(.)x", r"\1\2\3x\3\2\1", 3, 4),
    Task("ContextReverse51", "(.)(.)(.)(.)(.)x", r"\1\2\3\4\5x\5\4\3\2\1", 5, 6),
    Task("Delete2", "xx", "", 2, 0),
    Task("Flip11", "(.)x(.)", r"\2\1x\2\1", 2, 3),
    Task("Flip33", "(...)x(...)", r"\2\2\2\1x\2\1\1\1", 18, 10),
    Task("Replace2", "xx", "yy", 4, 0),
    Task("Surround11", "(.)x(.)", r"\1\1x\2\2", 2, 1),
    Task("Surround33", "(...)x(...)", r"\1\1\1\1x\2\2\2\2", 18, 6),
)

_MAIN = tuple(task for task in _PLAIN if task.name != "Append3")

PATTERN_TASKS: dict[str, Task] = {
    **{task.name: task for task in _PLAIN},
    **{f"Meta{task.name}": task._replace(name=f"Meta{task.name}", meta=True) for task in _MAIN},
}
"""The 29 tasks of the tables: 15 with A and B, and the 14 of the main table with drawn letters."""

MAIN_TASKS = tuple(name for name in PATTERN_TASKS if name != "Append3")
SCALING_TASKS: dict[str, int] = {f"Scaling{count}": count for count in (10, 50, 100)}
"""Insertions of one instance, by task."""

ALL_TASKS = (*PATTERN_TASKS, MULTI_TASK, *SCALING_TASKS)
