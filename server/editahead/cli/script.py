"""The editing sessions of the demonstration: what a person types, and where they stop to look.

Only the keystrokes are written down here. Every suggestion comes from the server.
"""

from __future__ import annotations

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
    """Select the `nth` occurrence of `old` and type `new` in its place."""

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
        Type("\n    public int errors() {\n        int count = 0;\n        for (Entry entry : "),
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
        ScriptedChange("hitsByPath.get(", "hitsByPath.getOrDefault(", nth=1),
        ScriptedChange("hitsByPath.put(", "hitsByPath.merge("),
        ScriptedNextEdit(accept=1),
    ),
)

TYPESCRIPT = Script(
    "typescript",
    "basket.ts",
    (
        Put("    return item;\n  }\n"),
        Type("\n  clear(): void {\n    this."),
        Complete("items"),
        Type(" = [];\n    this."),
        Complete("discount"),
        Type(" = 0;\n  }\n"),
        ScriptedChange("quantity", "count", nth=2),
        Put("number): Item {\n"),
        ScriptedNextEdit(accept=3),
    ),
)

GO = Script(
    "go",
    "basket.go",
    (
        Put("\treturn nil\n}\n"),
        Type("\nfunc (b *Basket) Clear() {\n\tb."),
        Complete("items"),
        Type(" = nil\n\tb."),
        Complete("discount"),
        Type(" = 0\n}\n"),
        ScriptedChange("quantity", "count", nth=1),
        Put("int) error {\n"),
        ScriptedNextEdit(accept=3),
    ),
)

RUST = Script(
    "rust",
    "basket.rs",
    (
        Put("        Ok(())\n    }\n"),
        Type("\n    pub fn clear(&mut self) {\n        self."),
        Complete("items"),
        Type(".clear();\n        self."),
        Complete("discount"),
        Type(" = 0.0;\n    }\n"),
        ScriptedChange("quantity", "count", nth=2),
        Put("String> {\n"),
        ScriptedNextEdit(accept=3),
    ),
)

SCRIPTS = {script.language_id: script for script in (PYTHON, JAVA, TYPESCRIPT, GO, RUST)}
