"""The end of the process while a thread is still at work: at once, without the end of the interpreter."""

from __future__ import annotations

import os
import threading

import pytest
from editahead.lsp.process.ending import ProcessTermination
from editahead.syntax.interrupt import run_apart


def test_a_model_that_is_being_opened_does_not_outlive_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's threads ended with `terminate called without an active exception` on standard error."""
    codes, go_on = list[int](), threading.Event()
    monkeypatch.setattr(os, "_exit", codes.append)
    opening = run_apart(lambda: go_on.wait(60))
    ProcessTermination().end(3)
    assert codes == [3]
    go_on.set()
    opening.result(60)


def test_without_other_threads_the_interpreter_ends_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "_exit", lambda code: pytest.fail("ended at once"))
    monkeypatch.setattr(threading, "enumerate", lambda: [threading.current_thread()])
    assert ProcessTermination().end(3) == 3
