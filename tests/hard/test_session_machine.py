"""A whole session in any order, for some hundred steps; `make soak` runs 100,000."""

from __future__ import annotations

from hypothesis import settings

from tests.hard.machine import SessionMachine

TestSession = SessionMachine.TestCase
TestSession.settings = settings(max_examples=12, stateful_step_count=40, deadline=None)
