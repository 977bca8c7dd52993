"""`--device auto`: the device that answers faster, and the CPU where the other fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest
from editahead.runtime.bundle import Bundle, find_bundles, load_bundle
from editahead.runtime.device_choice import SECONDS, faster_device
from editahead.runtime.ort import CPU, CUDA, GraphSession, InferenceError, Selection, select_providers
from editahead.runtime.selftest import golden_inputs, open_sessions, self_test

WANTED = Selection("auto", CUDA, "CUDA loads")


class Clock:
    """Time that passes only while a session runs."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Timed:
    """A session whose runs take their own times, the first ones more; it raises after `fails` runs."""

    def __init__(self, clock: Clock, times: Iterator[float], fails: int | None = None) -> None:
        self._clock, self._times, self._left = clock, times, fails

    def run(self, outputs: None, feeds: Mapping[str, Any]) -> list[Any]:
        if self._left == 0:
            raise InferenceError("out of memory")
        self._left = None if self._left is None else self._left - 1
        self._clock.now += next(self._times)
        return []


def times(first: float, later: float) -> Iterator[float]:
    yield from [first] * 2
    while True:
        yield later


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load_bundle(next(path for path in find_bundles() if path.name.startswith("spn-python")))


def chosen(bundle: Bundle, cpu: float, cuda: float, *, fails: int | None = None) -> tuple[Selection, float]:
    clock = Clock()
    sessions = {CPU: Timed(clock, times(cpu, cpu)), CUDA: Timed(clock, times(0.4, cuda), fails)}

    def opened(_: Bundle, selection: Selection) -> Mapping[str, GraphSession]:
        return {"encode": cast(GraphSession, sessions[selection.used])}

    return faster_device(WANTED, [bundle], clock=clock, open_graphs=opened), clock.now


def test_the_faster_one_is_chosen_and_the_reason_has_both_figures(bundle: Bundle) -> None:
    selection, took = chosen(bundle, cpu=0.002, cuda=0.005)
    assert selection.used == CPU
    assert selection.reason.endswith("2.00 ms on CPU, 5.00 ms on CUDA")
    assert took == pytest.approx(SECONDS, abs=0.02)
    selection, took = chosen(bundle, cpu=0.005, cuda=0.002)
    assert (selection.requested, selection.used) == ("auto", CUDA)


def test_a_slow_machine_is_measured_once_each(bundle: Bundle) -> None:
    selection, took = chosen(bundle, cpu=3.0, cuda=4.0)
    assert selection.used == CPU
    assert took < 28


def test_a_device_that_fails_is_not_chosen(bundle: Bundle) -> None:
    selection, _ = chosen(bundle, cpu=0.005, cuda=0.001, fails=9)
    assert selection.used == CPU
    assert "CUDA fails on spn-python" in selection.reason
    assert "out of memory" in selection.reason


def test_nothing_is_measured_without_a_choice(bundle: Bundle) -> None:
    def opened(_: Bundle, selection: Selection) -> Mapping[str, GraphSession]:
        raise AssertionError("opened")

    on_cpu = select_providers("cpu")
    assert faster_device(on_cpu, [bundle], open_graphs=opened) is on_cpu
    assert faster_device(WANTED, [], open_graphs=opened) is WANTED


def test_golden_inputs_are_those_of_the_self_test(bundle: Bundle) -> None:
    sessions = open_sessions(bundle, select_providers("cpu"))
    for name, inputs in golden_inputs(bundle).items():
        assert set(inputs) == set(sessions[name].input_names)
        sessions[name].run(None, inputs)
    assert self_test(bundle, sessions) < 1e-3
