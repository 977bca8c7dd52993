"""Screens in Java: static code, blocks, inner classes, generics."""

from __future__ import annotations

import random

from tests.suggest.completion.screens.screen import VERBS, Screen, nouns

_USES = ("return ‸", "print(‸", "verify(‸")


def own_initialiser(draw: random.Random) -> Screen:
    name, owner, kind = nouns(draw, 3)
    head = f"class {kind.title()} {{\n  {owner.title()} {owner};\n  void run() {{\n"
    text = f"{head}    int {name} = {owner}.‸\n  }}\n}}\n"
    return Screen(text, lambda first: first == name, "java")


def getter(draw: random.Random) -> Screen:
    field, local, parameter, kind = nouns(draw, 4)
    text = f"""class {kind.title()} {{
  private String {field};

  void change(String {parameter}) {{
    String {local} = {parameter}.trim();
    this.{field} = {local};
  }}

  String get{field.title()}() {{
    return ‸
  }}
}}
"""
    return Screen(text, lambda first: first in {local, parameter}, "java")


def static_method(draw: random.Random) -> Screen:
    kind, field, other, parameter = nouns(draw, 4)
    text = f"""class {kind.title()} {{
  private int {field};
  private String {other};

  {kind.title()}(int {field}) {{
    this.{field} = {field};
  }}

  static int {draw.choice(VERBS)}(int {parameter}) {{
    {draw.choice(_USES)}
  }}
}}
"""
    return Screen(text, lambda first: first in {field, other}, "java")


def static_class(draw: random.Random) -> Screen:
    kind, inner, field, own, parameter = nouns(draw, 5)
    text = f"""class {kind.title()} {{
  private int {field};

  static class {inner.title()} {{
    private int {own};

    int {draw.choice(VERBS)}(int {parameter}) {{
      {draw.choice(_USES)}
    }}
  }}
}}
"""
    return Screen(text, lambda first: first == field, "java")


def closed_block(draw: random.Random) -> Screen:
    kind, local, parameter, other = nouns(draw, 4)
    head = draw.choice([f"if ({parameter} > 0)", f"while ({parameter} > 0)", "for (;;)", "synchronized (this)"])
    text = f"""class {kind.title()} {{
  int {draw.choice(VERBS)}(int {parameter}) {{
    {head} {{
      int {local} = {parameter} + 1;
      {other}({local});
    }}
    {draw.choice(_USES)}
  }}
}}
"""
    return Screen(text, lambda first: first == local, "java")


def loop_in_block(draw: random.Random) -> Screen:
    kind, item, rows, total = nouns(draw, 4)
    text = f"""class {kind.title()} {{
  int {draw.choice(VERBS)}(int[] {rows}) {{
    int {total} = 0;
    for (int {item} : {rows}) {{
      {total} += {item};
    }}
    {draw.choice(_USES)}
  }}
}}
"""
    return Screen(text, lambda first: first == item, "java")


def inner_class(draw: random.Random) -> Screen:
    kind, inner, field, own, parameter = nouns(draw, 5)
    text = f"""class {kind.title()} {{
  private int {field};

  class {inner.title()} {{
    private int {own};
  }}

  int {draw.choice(VERBS)}(int {parameter}) {{
    {draw.choice(_USES)}
  }}
}}
"""
    return Screen(text, lambda first: first == own, "java")


def type_parameter(draw: random.Random) -> Screen:
    kind, parameter, other, given = nouns(draw, 4)
    name = draw.choice(["T", "K", "E", "R", "S", "U"])
    text = f"""class {kind.title()} {{
  <{name}> {name} {draw.choice(VERBS)}({name} {parameter}) {{
    return {parameter};
  }}

  int {draw.choice(VERBS)}_{other}(int {given}) {{
    {draw.choice(_USES)}
  }}
}}
"""
    return Screen(text, lambda first: first in {name, parameter}, "java")


def behind_catch(draw: random.Random) -> Screen:
    kind, path, rows, error = nouns(draw, 4)
    name = draw.choice([error, "e", "error", "ex"])
    text = f"""class {kind.title()} {{
  int {draw.choice(VERBS)}(String {path}) {{
    int {rows} = 0;
    try {{
      {rows} = {draw.choice(VERBS)}_{rows}({path});
    }} catch (RuntimeException {name}) {{
      report({name});
    }}
    {draw.choice(_USES)}
  }}
}}
"""
    return Screen(text, lambda first: first == name, "java")


def made_object(draw: random.Random) -> Screen:
    """Of an object that has just been made only its own members can be meant."""
    kind, other, field, method = nouns(draw, 4)
    verb, elsewhere = draw.sample(VERBS, 2)
    made = draw.choice((f"new {kind.title()}()", f"new {kind.title()}(1, {other})", f"new {kind.title()}<>({other})"))
    text = f"""class {kind.title()} {{
  int {field};

  void {verb}{method.title()}() {{
    {other}.{elsewhere}();
  }}

  static void main(Other {other}) {{
    {other}.{elsewhere}();
    {other}.{elsewhere}All();
    {made}.‸
  }}
}}
"""
    return Screen(text, lambda first: first not in {field, verb + method.title(), "main"}, "java")


def behind_type_name(draw: random.Random) -> Screen:
    """Behind the name of a type no other name stands."""
    kind, field, package = nouns(draw, 3)
    head = draw.choice(("public final class", "class", "interface", "enum"))
    name = f"{kind.title()}{field.title()}"
    text = f"package {package}.{kind};\n\nimport {package}.{field};\n\n{head} {name} ‸\n  int {field};\n}}\n"
    return Screen(text, lambda first: first not in {"extends", "implements", "permits"}, "java")


def behind_long_head(draw: random.Random) -> Screen:
    """Behind parameters on lines of their own no name stands."""
    kind, one, other = nouns(draw, 3)
    text = f"""interface {kind.title()} {{
  void {draw.choice(VERBS)}{kind.title()}(
      String {one},
      Iterable<Integer> {other}) ‸
}}
"""
    return Screen(text, lambda first: first != "throws", "java")


def row_of_numbers(draw: random.Random) -> Screen:
    """In a table of numbers the next one is a number."""
    name, kind = nouns(draw, 2)
    rows = "".join(f"    {draw.randrange(99)}, {hex(draw.randrange(9999))}, -{draw.randrange(9)},\n" for _ in range(3))
    return Screen(f"class {kind.title()} {{\n  int[] {name} = {{\n{rows}    ‸\n", lambda first: True, "java")


def behind_declared_name(draw: random.Random) -> Screen:
    """Behind a type and the name that it declares stands a sign."""
    name, kind, other = nouns(draw, 3)
    text = f"""class {kind.title()} {{
  static final int {other.upper()} = 1;

  void {draw.choice(VERBS)}(int {other}) {{
    {kind.title()} {name} ‸ {other.upper()};
  }}
}}
"""
    return Screen(text, lambda first: True, "java")


def before_literal(draw: random.Random) -> Screen:
    """Before a literal no name stands."""
    name, other = nouns(draw, 2)
    after = draw.choice((str(draw.randrange(99)), f'"{other}"'))
    text = f"""class Box {{
  void {draw.choice(VERBS)}(int {other}) {{
    int {name} = {other};
    {name} ‸ {after};
  }}
}}
"""
    return Screen(text, lambda first: first in {name, other}, "java")


def before_assignment(draw: random.Random) -> Screen:
    """Left of an assignment or an index stands no keyword."""
    name, other = nouns(draw, 2)
    after = draw.choice((" = true;", f"[{other}] = false;", f".{other} = 1;"))
    head = draw.choice(("", "if (ready) {\n      ", "while (ready) {\n      "))
    text = f"class Box {{\n  boolean {name};\n\n  boolean {draw.choice(VERBS)}(int {other}) {{\n    {head}‸{after}\n"
    return Screen(text, lambda first: first in {"return", "if", "for", "while", "int", "throw", "boolean"}, "java")


def behind_if(draw: random.Random) -> Screen:
    """Behind `if` stands a bracket."""
    name, other = nouns(draw, 2)
    word = draw.choice(("if", "while", "for", "switch"))
    text = f"class Box {{\n  void {draw.choice(VERBS)}(int {other}) {{\n    int {name} = {other};\n    {word} ‸\n"
    return Screen(text, lambda first: True, "java")
