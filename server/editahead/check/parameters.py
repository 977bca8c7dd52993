"""Whether a call of Python fits the parameters of a function: what is missing, and what is too much."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.signatures import Item, Row


class Misfit(NamedTuple):
    """Why a call does not fit: `missing` is a parameter that it must give, `extra` an argument that is not taken.

    `extra` is a name, or empty where there are too many positional arguments.
    """

    missing: str = ""
    extra: str | None = None


class Parameters(NamedTuple):
    """What a function takes: by position (most also by name), by name alone, and whether more of either sort."""

    by_position: tuple[Item, ...]
    by_name: tuple[Item, ...]
    any_position: bool
    any_name: bool


def taken_by(row: Row, data: bytes, implicit: int) -> Parameters:
    """The parameters of a function in the text `data`, without the first `implicit` ones, which no caller gives."""
    by_place: list[Item] = []
    by_name: list[Item] = []
    any_place = any_name = behind = False
    for item in row.items[implicit:]:
        if item.form == "rest":
            double = data[item.start : item.start + 2] == b"**"
            any_name |= double
            any_place |= not double
            behind = True
        elif item.form == "object":
            continue
        elif item.form == "separator":
            behind |= data[item.start : item.start + 1] == b"*"
        else:
            (by_name if behind else by_place).append(item)
    return Parameters(tuple(by_place), tuple(by_name), any_place, any_name)


def find_misfit(call: Row, taken: Parameters) -> Misfit | None:
    """What is wrong with a call; None where it fits, or where this is undecidable: `f(*args)`."""
    if any(item.form == "rest" for item in call.items):
        return None
    given = sum(not item.name for item in call.items)
    named = [item.name for item in call.items if item.name]
    if given > len(taken.by_position) and not taken.any_position:
        return Misfit(extra="")
    parameter_names = {item.name for item in (*taken.by_position, *taken.by_name)}
    extra = next((name for name in named if name not in parameter_names and not taken.any_name), None)
    if extra is not None:
        return Misfit(extra=extra)
    missing = [
        parameter
        for parameter in (*taken.by_position[given:], *taken.by_name)
        if not parameter.optional and parameter.name not in named
    ]
    return Misfit(missing=missing[0].name) if missing else None
