"""Write the members of Python's built-in classes and modules as the running interpreter shows them.

    python -m scripts.builtin_members

Each method of a class is called once on a sample. `T0` and `T1` stand for the type arguments of the class. Modules are
those of the standard library without a source file: built into the interpreter, or compiled.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import io
import json
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent.parent / "server" / "editahead" / "environment" / "builtin_members.json"


class T0:
    """An element, or a key."""


class T1:
    """A value of a mapping."""


ELEMENT, VALUE = T0(), T1()
SAMPLES: dict[str, Callable[[], Any]] = {
    "object": object,
    "str": lambda: "a b",
    "bytes": lambda: b"a b",
    "bytearray": lambda: bytearray(b"a b"),
    "memoryview": lambda: memoryview(b"a b"),
    "int": lambda: 1,
    "bool": lambda: True,
    "float": lambda: 1.5,
    "complex": lambda: 1j,
    "range": lambda: range(2),
    "slice": lambda: slice(2),
    "list": lambda: [ELEMENT],
    "tuple": lambda: (ELEMENT,),
    "set": lambda: {ELEMENT},
    "frozenset": lambda: frozenset([ELEMENT]),
    "dict": lambda: {ELEMENT: VALUE},
    "Generator": lambda: (ELEMENT for _ in (0,)),
    "TextIOWrapper": lambda: io.TextIOWrapper(io.BytesIO(b"a\nb"), encoding="utf-8"),
    "StringIO": lambda: io.StringIO("a\nb"),
    "BytesIO": lambda: io.BytesIO(b"a\nb"),
    "BufferedReader": lambda: io.BufferedReader(io.BytesIO(b"a\nb")),
    "BufferedWriter": lambda: io.BufferedWriter(io.BytesIO(b"a\nb")),
}
NAMES = {"generator": "Generator", "dict_keys": "Iterable", "dict_values": "Iterable", "dict_items": "Iterable"}
MOST_PARTS = 3  # of a tuple whose elements have types of their own
LEFT_OUT = frozenset(("builtins", "antigravity", "this", "idlelib", "_tkinter", "tkinter"))
TEXTS = (str, bytes, bytearray, memoryview, range, io.IOBase)


def table() -> dict[str, Any]:
    """The names of the members of each class, what calls of them give where that is known, and those of exceptions.

    Of an exception only what it has besides the members of BaseException. Members that many classes have, and types
    that many calls give, are written once, with the names of all of these.
    """
    common = {*dir(BaseException)}
    exceptions = {
        name: " ".join(sorted({*dir(held)} - common))
        for name, held in vars(builtins).items()
        if isinstance(held, type) and issubclass(held, BaseException)
    }
    exceptions["BaseException"] = " ".join(sorted(common))
    modules = {name: found for name in sorted(sys.stdlib_module_names) if (found := _module(name))}
    classes = {name: _members(make) for name, make in SAMPLES.items()}
    return {"classes": classes, "exceptions": _names_by_text(exceptions), "modules": modules}


def as_json(parts: dict[str, dict[str, Any]]) -> str:
    """The text of the table, a line for each class, module and row of exceptions."""
    lines = (
        f"{json.dumps(part)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(rows.items()))
        + "\n}"
        for part, rows in sorted(parts.items())
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _module(name: str) -> dict[str, Any]:
    """The names of a module without source, the members of its classes, and the types of its variables."""
    spec = importlib.util.find_spec(name) if name not in LEFT_OUT and "test" not in name else None
    if spec is None or (spec.origin or "").endswith(".py") or (spec.origin or "") == "frozen":
        return {}
    held = importlib.import_module(name)
    names = {key: value for key, value in vars(held).items() if not key.startswith("__")}
    classes = {
        key: " ".join(sorted({*dir(value)} - {*dir(object)}))
        for key, value in names.items()
        if isinstance(value, type) and value is not getattr(builtins, key, None)
    }
    variables = {
        key: text
        for key, value in names.items()
        if key not in classes and not callable(value) and (text := _type(value)) not in ("", "int", "bool")
    }
    return {
        "names": " ".join(sorted(names)),
        "classes": _names_by_text(classes),
        "variables": _names_by_text(variables),
    }


def _names_by_text(texts: dict[str, str]) -> dict[str, str]:
    names: dict[str, list[str]] = {}
    for name, text in sorted(texts.items()):
        names.setdefault(text, []).append(name)
    return {text: " ".join(row) for text, row in names.items()}


def _members(make: Callable[[], Any]) -> dict[str, Any]:
    names = sorted(dir(make()))
    results = {name: found for name in names if not name.startswith("_") and (found := _result(make, name))}
    return {"names": " ".join(names), "results": _names_by_text(results)}


def _result(make: Callable[[], Any], name: str) -> str:
    """What a call of a member gives, with the first arguments that it takes."""
    if not callable(getattr(make(), name, None)):
        return ""
    for arguments in ((), (ELEMENT,), (make(),), ("a",), (0,), ([make()],), (0, "big")):
        try:
            return _type(getattr(make(), name)(*arguments))
        except Exception:  # not of this method
            continue
    return ""


def _type(value: Any) -> str:
    """A class with the classes of its elements; "" for None."""
    if value is None:
        return ""
    name = NAMES.get(type(value).__name__, type(value).__name__)
    if name not in SAMPLES and name not in ("T0", "T1", "Iterable"):
        return ""
    if not isinstance(value, Iterable) or isinstance(value, TEXTS):
        return name
    if isinstance(value, tuple) and len(value) > MOST_PARTS:
        return name
    parts = next(iter(value.items()), ()) if isinstance(value, dict) else value
    elements = [_type(part) for part in islice(parts, MOST_PARTS if isinstance(value, (tuple, dict)) else 1)]
    return f"{name}[{', '.join(elements)}]" if elements and all(elements) else name


if __name__ == "__main__":
    TABLE.write_text(as_json(table()), encoding="utf-8")
    print(f"wrote {TABLE}")
