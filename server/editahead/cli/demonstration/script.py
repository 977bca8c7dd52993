"""The editing sessions of the demonstration: what a person types, and where they stop to look.

Only the keystrokes are written down here. Every suggestion comes from the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Put:
    """Place the cursor behind the `nth` (from 1) occurrence of `text`."""

    text: str
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Type:
    """Type a text, key by key."""

    text: str


@dataclass(frozen=True, slots=True)
class Complete:
    """Type `typed` letters of `word`, look at the completions, then type the rest, whatever was offered."""

    word: str
    typed: int = 0


@dataclass(frozen=True, slots=True)
class Ghost:
    """Look at the ghost text, and type on without taking it."""


@dataclass(frozen=True, slots=True)
class ScriptedChange:
    """Select the `nth` occurrence of `old` and type `new` over it."""

    old: str
    new: str
    nth: int = 1


@dataclass(frozen=True, slots=True)
class ScriptedNextEdit:
    """Look at the suggested next edit; take it, and look again, up to `accept` times."""

    accept: int = 1


Step = Put | Type | Complete | Ghost | ScriptedChange | ScriptedNextEdit


@dataclass(frozen=True, slots=True)
class Script:
    """A sample file, its language, and the session."""

    language_id: str
    file: str
    steps: tuple[Step, ...]


PYTHON = Script(
    "python",
    "inventory.py",
    (
        Put("        return item\n", nth=2),
        Type("\n    def adjust(self, sku, quantity):\n        item = self."),
        Complete("items"),
        Type("["),
        Complete("sku"),
        Type("]\n        item."),
        Complete("quantity", typed=1),
        Type(" = "),
        Ghost(),
        Type("quantity\n        self."),
        Complete("movements", typed=1),
        Type("."),
        Ghost(),
        Type("append((sku, quantity))\n        return i"),
        Ghost(),
        Type("tem\n"),
        ScriptedChange("logger.info", "logger.debug"),
        ScriptedChange("logger.info", "logger.debug"),
        ScriptedNextEdit(accept=2),
    ),
)

JAVA = Script(
    "java",
    "AccessLog.java",
    (
        Put("        return brokenLines;\n    }\n"),
        Type("\n    public int errors() {\n        int count = 0;\n        for (Entry"),
        Ghost(),
        Type(" entry : "),
        Complete("entries"),
        Type(") {\n            if ("),
        Complete("entry"),
        Type("."),
        Complete("isError", typed=1),
        Type("()) {\n                "),
        Ghost(),
        Type("count++;\n            }\n        }\n        return "),
        Complete("count"),
        Type(";\n    }\n"),
        ScriptedChange("String line)", "String row)"),
        Put("String row) {\n"),
        ScriptedNextEdit(accept=1),
    ),
)


def _basket(
    language_id: str,
    file_name: str,
    put: str,
    begin: Sequence[str],
    items_reset: str,
    end: str,
    renamed: int,
    parameter: str,
) -> Script:
    """The session in a sample of a basket: a method that empties it is written, and an argument is renamed.

    Between the parts of `begin` there is ghost text. `renamed` is the occurrence of the argument; the cursor goes
    behind the texts `put` and `parameter`.
    """
    first, *further = begin
    steps = (
        Put(put),
        Type(first),
        *(step for part in further for step in (Ghost(), Type(part))),
        Complete("items"),
        Type(items_reset),
        Complete("discount"),
        Type(end),
        ScriptedChange("quantity", "count", nth=renamed),
        Put(parameter),
        ScriptedNextEdit(accept=3),
    )
    return Script(language_id, file_name, steps)


TYPESCRIPT = _basket(
    "typescript", "basket.ts", "    return item;\n  }\n", ("\n  clear(): v", "oid {\n    this."),
    " = [];\n    this.", " = 0;\n  }\n", 2, "number): Item {\n",
)  # fmt: skip
GO = _basket(
    "go", "basket.go", "\treturn nil\n}\n", ("\nfunc (", "b *Basket) Clear() {\n\tb."), " = nil\n\tb.",
    " = 0\n}\n", 1, "int) error {\n",
)  # fmt: skip
RUST = _basket(
    "rust", "basket.rs", "        Ok(())\n    }\n", ("\n    pub fn clear(&m", "ut self) {\n        self."),
    ".clear();\n        self.", " = 0.0;\n    }\n", 2, "String> {\n",
)  # fmt: skip

JAVASCRIPT = _basket(
    "javascript", "basket.js", "    return item;\n  }\n",
    ("\n  size() {\n    ret", "urn this.items.le", "ngth;\n  }\n\n  clear() {\n    this."),
    " = [];\n    this.", " = 0;\n  }\n", 1, "count) {\n",
)  # fmt: skip
C = _basket(
    "c", "basket.c", "    return 0;\n}\n", ("\nvoid basket_clear(struct bas", "ket *basket)\n{\n    free(basket->"),
    ");\n    basket->", " = 0.0;\n}\n", 2, "int count)\n",
)  # fmt: skip
CPP = _basket(
    "cpp", "basket.cpp", "        return items.back();\n    }\n", ("\n    void cle", "ar() {\n        "),
    ".clear();\n        ", " = 0.0;\n    }\n", 2, "int count) {\n",
)  # fmt: skip
C_SHARP = _basket(
    "c_sharp", "Basket.cs", "            return item;\n        }\n",
    ("\n        public vo", "id Clear()\n        {\n            "), ".Clear();\n            ", " = 0;\n        }\n", 1,
    "int count)\n",
)  # fmt: skip

SCRIPTS = {script.language_id: script for script in (PYTHON, JAVA, TYPESCRIPT, JAVASCRIPT, GO, RUST, C, CPP, C_SHARP)}
