"""Screens in Python: scopes, and bindings that have ended."""

from __future__ import annotations

import random

from editahead.environment.module_index import ModuleIndex

from tests.suggest.completion.screens.screen import MODULES, VERBS, Screen, nouns


def loop_variable(draw: random.Random) -> Screen:
    item, rows, other = nouns(draw, 3)
    name = draw.choice([item, item[0], f"{item}_{other}"])
    return Screen(f"def {other}({rows}s):\n    for {name} in ‸\n", lambda first: first == name)


def module_member(draw: random.Random) -> Screen:
    module = draw.choice(MODULES)
    found = ModuleIndex(None).names(tuple(module.split(".")))
    assert found is not None
    name, value = nouns(draw, 2)
    text = f"import {module.split('.', maxsplit=1)[0]}\n\n\ndef {name}({value}):\n    return {module}.‸\n"
    return Screen(text, lambda first: first not in found)


def class_member(draw: random.Random) -> Screen:
    kind, first_member, second, variable = nouns(draw, 4)
    method = draw.choice(VERBS)
    text = f"""class {kind.title()}:
    def __init__(self, {first_member}):
        self.{first_member} = {first_member}
        self.{second} = None

    def {method}(self):
        return self.{second}


def use({variable}: {kind.title()}):
    {variable}.‸
"""
    return Screen(text, lambda first: first not in {first_member, second, method, "__init__"})


def call_in_function(draw: random.Random) -> Screen:
    source, target, amount, hidden, inner = nouns(draw, 5)
    text = f"""def {draw.choice(VERBS)}_all({hidden}):
    with open({hidden}) as {inner}:
        return {inner}.read()


def {draw.choice(VERBS)}_{source}({source}, {target}, {amount}=0):
    {source}_write = {target}.write
    while True:
        part = {source}.read({amount})
        if not part:
            break
        {source}_write(‸
"""
    return Screen(text, lambda first: first in {hidden, inner})


def closed_comprehension(draw: random.Random) -> Screen:
    rows, function, total, item = nouns(draw, 4)
    name = draw.choice([item, item[0]])
    opened, closed = draw.choice([("sum(", ")"), ("[", "]"), ("{", "}"), ("max(", ")"), ("list(", ")")])
    above = f"    {total} = {opened}{name} for {name} in {rows}s{closed}\n"
    use = draw.choice(["print(‸", "return ‸", f"{rows}_{total} = ‸", "verify(‸"])
    return Screen(f"def {function}({rows}s):\n{above}    {use}\n", lambda first: first == name)


def closed_lambda(draw: random.Random) -> Screen:
    rows, function, key, item = nouns(draw, 4)
    name = draw.choice([item, item[0]])
    use = draw.choice(["print(‸", "return ‸", f"{key} = ‸"])
    text = f"def {function}({rows}s):\n    {rows}s.sort(key=lambda {name}: {name}.{key})\n    {use}\n"
    return Screen(text, lambda first: first == name)


def behind_except(draw: random.Random) -> Screen:
    function, path, rows, error = nouns(draw, 4)
    name = draw.choice([error, "e", "error", "err", "exc"])
    kind = draw.choice(["OSError", "ValueError", "Exception", "KeyError"])
    use = draw.choice(["print(‸", "return ‸", f"{rows} = ‸", "verify(‸"])
    text = f"""def {function}({path}):
    try:
        {rows} = {draw.choice(VERBS)}({path})
    except {kind} as {name}:
        report({name})
    {use}
"""
    return Screen(text, lambda first: first == name)


def behind_del(draw: random.Random) -> Screen:
    function, parameter, gone, other = nouns(draw, 4)
    use = draw.choice(["print(‸", "return ‸", f"{other} = ‸", "verify(‸"])
    text = f"""def {function}({parameter}):
    {gone} = {draw.choice(VERBS)}({parameter})
    {other} = {draw.choice(VERBS)}({gone})
    del {gone}
    {use}
"""
    return Screen(text, lambda first: first == gone)


def nested_function(draw: random.Random) -> Screen:
    outer, inner, parameter, local, given = nouns(draw, 5)
    use = draw.choice(["print(‸", "return ‸", f"verify({inner}, ‸"])
    text = f"""def {outer}({given}):
    def {inner}({parameter}):
        {local} = {parameter}.{draw.choice(VERBS)}()
        return {local}

    {use}
"""
    return Screen(text, lambda first: first in {parameter, local})


def behind_global(draw: random.Random) -> Screen:
    counter, function, local, given, other = nouns(draw, 5)
    text = f"""{counter} = None


def {function}({given}):
    global {counter}
    {local} = {draw.choice(VERBS)}({given})
    {counter} = {local}


def {draw.choice(VERBS)}_{other}():
    {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first in {local, given})


def bound_by_global(draw: random.Random) -> Screen:
    """The module's name is bound in a function only; it is the only name that the other function can mean."""
    counter, function, local, given, other = nouns(draw, 5)
    text = f"""def {function}({given}):
    global {counter}
    {local} = {draw.choice(VERBS)}({given})
    {counter} = {local}


def {draw.choice(VERBS)}_{other}():
    {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first in {local, given})


def behind_nonlocal(draw: random.Random) -> Screen:
    outer, inner, counter, local, hidden = nouns(draw, 5)
    text = f"""def {draw.choice(VERBS)}({hidden}):
    return {hidden}


def {outer}({counter}):
    def {inner}({local}):
        nonlocal {counter}
        {counter} += {local}

    {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first in {local, hidden})


def class_body(draw: random.Random) -> Screen:
    kind, constant, parameter, other = nouns(draw, 4)
    text = f"""class {kind.title()}:
    {constant} = {draw.randrange(100)}

    def {draw.choice(VERBS)}(self, {parameter}):
        return {parameter}

    def {draw.choice(VERBS)}_{other}(self, {other}):
        {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first in {constant, parameter})


def walrus_elsewhere(draw: random.Random) -> Screen:
    rows, count, function, other, given = nouns(draw, 5)
    text = f"""def {function}({rows}):
    if ({count} := len({rows})) > {draw.randrange(9)}:
        return {count}
    return None


def {other}({given}):
    {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first in {count, rows})


def match_elsewhere(draw: random.Random) -> Screen:
    command, first_part, rest, function, other, given = nouns(draw, 6)
    text = f"""def {function}({command}):
    match {command}:
        case [{first_part}, *{rest}]:
            return {draw.choice(VERBS)}({first_part}, {rest})
        case _:
            return None


def {other}({given}):
    {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first in {command, first_part, rest})


def other_case(draw: random.Random) -> Screen:
    command, first_part, second, function, other = nouns(draw, 5)
    kinds = draw.sample(["Move", "Turn", "Stop", "Jump", "Draw"], 2)
    text = f"""def {function}({command}):
    match {command}:
        case {kinds[0]}({first_part}):
            return {draw.choice(VERBS)}({first_part})
        case {kinds[1]}({second}, {other}):
            {draw.choice(["return ‸", "print(‸", "verify(‸"])}
"""
    return Screen(text, lambda first: first == first_part)


def row_of_texts(draw: random.Random) -> Screen:
    """In a list of texts the next one is a text."""
    name, *words = nouns(draw, 6)
    return Screen(f"{name} = [{', '.join(map(repr, words))}, ‸]\n", lambda first: True)


def behind_first_name(draw: random.Random) -> Screen:
    """Behind the name that begins a statement stands a sign."""
    name, other = nouns(draw, 2)
    return Screen(f"{other} = 1\n\n\ndef {draw.choice(VERBS)}({name}):\n    {name} ‸\n", lambda first: True)


def before_loop_variable(draw: random.Random) -> Screen:
    """Before a name only a keyword stands."""
    one, many, other = nouns(draw, 3)
    head = f"def {draw.choice(VERBS)}({many}, {other}):\n    print({other})\n"
    text = f"{head}    ‸ {one} in {many}.values():\n        print({one}, {other})\n"
    return Screen(text, lambda first: first in {one, many, other})


def default_of_parameter(draw: random.Random) -> Screen:
    """A parameter is no default of another one, on whichever line it stands."""
    one, two, three, four = nouns(draw, 4)
    text = f"def {draw.choice(VERBS)}({one}=None, {two}=‸,\n        {three}=1, **{four}):\n    return {four}, {three}\n"
    return Screen(text, lambda first: first in {one, two, three, four})
