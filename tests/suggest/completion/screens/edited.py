"""Screens in files whose latest edits have taken a name away."""

from __future__ import annotations

import random

from tests.suggest.completion.screens.screen import VERBS, Screen, nouns


def renamed_away(draw: random.Random) -> Screen:
    function, old, new, other = nouns(draw, 4)

    def text(name: str) -> str:
        return f"""def {function}({name}, {other}):
    {name}.{draw_verb}({other})
    {use}
"""

    draw_verb, use = draw.choice(VERBS), draw.choice(["return ‸", "print(‸", f"{other}_{function} = ‸"])
    return Screen(text(new), lambda first: first == old, before=text(old))


def deleted_line(draw: random.Random) -> Screen:
    function, gone, given, other = nouns(draw, 4)
    line = f"    {gone} = {draw.choice(VERBS)}({given})\n"
    use = draw.choice(["return ‸", "print(‸", f"{other}_{function} = ‸"])
    head, rest = f"def {function}({given}):\n", f"    {other} = {draw.choice(VERBS)}({given})\n    {use}\n"
    return Screen(head + rest, lambda first: first == gone, before=head + line + rest)


def deleted_function(draw: random.Random) -> Screen:
    gone, function, given, other = nouns(draw, 4)
    dead = f"def {gone}({other}):\n    return {other}\n\n\n"
    use = draw.choice(["return ‸", "print(‸", f"{other}_{given} = ‸"])
    text = f"def {function}({given}):\n    {given}.{draw.choice(VERBS)}()\n    {use}\n"
    return Screen(text, lambda first: first in {gone, other}, before=dead + text)
