"""On drawn programs the resolver agrees with Python itself.

Renaming one binding to a fresh name changes its scope's symbols and nothing else, as Python's own `symtable` sees them.
"""

from __future__ import annotations

import random
import symtable

import pytest
from editahead.syntax.scope_table import Action

from .marked import resolver

NAMES = "abcd"
FRESH = "fresh"


def program(seed: int) -> str:
    """Nested functions, classes, comprehensions and declarations over four names."""
    chooser = random.Random(seed)
    lines: list[str] = []

    def name() -> str:
        return chooser.choice(NAMES)

    def expression() -> str:
        return chooser.choice(
            [
                name, lambda: f"{name()} + {name()}", lambda: f"[{name()} for {name()} in {name()} if {name()}]",
                lambda: f"(lambda {name()}, *{FRESH}0: {name()} + {name()})({name()})",
                lambda: f"{{{name()}: {name()} for {name()} in {name()} for {name()} in {name()}}}",
                lambda: f"g({name()}={name()})",
                lambda: f"f'{{{name()}}}'",
            ]
        )()  # fmt: skip

    def block(depth: int, indent: str, function: bool) -> None:
        if function and chooser.random() < 0.3:
            declared = name()
            lines.append(f"{indent}global {declared}")
        for _ in range(chooser.randint(1, 4)):
            choice = chooser.randint(0, 9 if depth < 3 else 6)
            if choice <= 2:
                lines.append(f"{indent}{name()} = {expression()}")
            elif choice == 3:
                lines.append(f"{indent}for {name()} in {expression()}: {name()}")
            elif choice == 4:
                lines.append(f"{indent}with {expression()} as {name()}: pass")
            elif choice == 5:
                lines.append(f"{indent}import {name()}.x, y as {name()}")
            elif choice == 6:
                lines.append(f"{indent}{expression()}")
            elif choice == 7:
                lines.append(f"{indent}class {name()}({name()}):")
                block(depth + 1, indent + "    ", False)
            else:
                first, second = chooser.sample(NAMES, 2)
                lines.append(f"{indent}def {name()}({first}, {second}: {name()} = {name()}) -> {name()}:")
                block(depth + 1, indent + "    ", True)

    block(0, "", False)
    return "\n".join(lines) + "\n"


def symbols(source: str) -> list[dict[str, tuple[bool, ...]]]:
    """Of every scope, in text order, its symbols and what they are."""
    found: list[dict[str, tuple[bool, ...]]] = []
    row = [symtable.symtable(source, "drawn", "exec")]
    while row:
        table = row.pop(0)
        found.append(
            {
                one.get_name(): (
                    one.is_parameter(), one.is_local(), one.is_global(), one.is_declared_global(), one.is_free(),
                    one.is_assigned(), one.is_referenced(), one.is_imported(),
                )
                for one in table.get_symbols()
            }
        )  # fmt: skip
        row = [*table.get_children(), *row]
    return found


def valid(source: str) -> bool:
    try:
        compile(source, "drawn", "exec")
    except SyntaxError:  # a name that is parameter and global, a comprehension that binds its own iterable
        return False
    return True


def faults(source: str) -> list[str]:
    """The bindings whose renaming Python does not see as the renaming of one name."""
    names, before, wrong = resolver(source), symbols(source), list[str]()
    tried: set[object] = set()
    for name in NAMES:
        for at in names.names(name):
            binding = names.binding(at)
            if at.occurrence.action is Action.KEYWORD or binding is None or binding in tried:
                continue
            tried.add(binding)
            data = source
            references = names.references(binding)
            for one in reversed(references):
                data = data[: one.start] + FRESH + data[one.end :]
            after = symbols(data)
            renamed = [
                {FRESH if key == name and key not in new else key: flags for key, flags in old.items()}
                for old, new in zip(before, after, strict=True)
            ]
            class_body = any(name in new and FRESH in new for new in after)  # read before it is bound: the outer one
            if renamed != after and not class_body:
                wrong.append(f"{name} at {[one.start for one in references]}")
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(8))
def test_renaming_a_binding_renames_one_symbol(chunk: int) -> None:
    checked = 0
    for seed in range(chunk * 100, chunk * 100 + 100):
        source = program(seed)
        if valid(source):
            checked += 1
            assert faults(source) == [], f"seed {seed}:\n{source}"
    assert checked > 40
