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
