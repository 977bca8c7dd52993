"""What the tests share: the servers, their configuration, and two files that the shipped models can go on with."""

from __future__ import annotations

import sys
from collections.abc import Callable

from editor import ROOT, Editor

Start = Callable[..., Editor]

SERVER = [sys.executable, "-m", "editahead", "--stdio"]
FAKE = [sys.executable, str(ROOT / "tests" / "lsp" / "serve_fake.py")]
# Silence because a busy machine was late is no fault here.
PATIENT = "completionDeadlineMs = 60000, inlineDeadlineMs = 60000, nextEditDeadlineMs = 60000"


def lua_list(words: list[str]) -> str:
    return "{ " + ", ".join(f"[==[{word}]==]" for word in words) + " }"


def config(command: list[str]) -> str:
    """The language server's configuration, as Lua: default settings, but the fake engine is sure of 70 % alone."""
    settings = f"precision = 0.5, {PATIENT}" if command == FAKE else PATIENT
    return f"{{ cmd = {lua_list(command)}, settings = {{ editahead = {{ {settings} }} }} }}"


PYTHON = """class Inventory:
    def __init__(self, location):
        self.location = location
        self.quantities = {}

    def add(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count

    def remove(self, name, count):
        pass
"""
CALLS = """def run(a, b, c):
    first = check(a)
    second = check(b)
    if first and second:
        return check(c)
    return None
"""
