"""The thread that reads: it follows what it is told, rests, gives way, and does not fall over."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from editahead.index import background as room
from editahead.index import project as project_module
from editahead.index.background import (
    LONGEST_REST,
    MAX_DEFERRAL,
    POLL_INTERVAL,
    REST,
    SLICE,
    BackgroundIndexer,
    Throttle,
)
from editahead.index.project import ProjectIndex
from editahead.index.types import IndexState
from editahead.index.view import EMPTY
from editahead.settings import Settings

from tests.index.test_stored_files import MemoryStore
from tests.index.test_workspace_names import text
from tests.index.trees import plant

WAIT = 20.0  # seconds; only a test that fails waits so long


class Watcher:
    """Hears every state, and waits for one."""

    def __init__(self) -> None:
        self.heard: list[tuple[Path, IndexState]] = []
        self._changed = threading.Condition()

    def __call__(self, root: Path, state: IndexState) -> None:
        with self._changed:
            self.heard.append((root, state))
            self._changed.notify_all()

    def until(self, fits: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(fits, WAIT), self.heard

    def built(self, root: Path, times: int = 1) -> None:
        self.until(lambda: sum(where == root and state.share is None for where, state in self.heard) >= times)


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


@pytest.fixture
def background(watcher: Watcher) -> Iterator[BackgroundIndexer]:
    made = BackgroundIndexer(Throttle(lambda: False), watcher)
    made.start()
    yield made
    made.stop()
    assert not made._thread.is_alive()


def words(background: BackgroundIndexer, root: Path | None) -> set[str]:
    return set(background.view(root, "python").words)


def test_folders_are_read_and_followed(background: BackgroundIndexer, watcher: Watcher, tmp_path: Path) -> None:
    one, two = plant(tmp_path / "one", {"a.py": "alpha = 1\n"}), plant(tmp_path / "two", {"b.py": "beta = 1\n"})
    background.configure([one, two, one], Settings())
    watcher.built(one)
    watcher.built(two)
    assert (words(background, one), words(background, two)) == ({"alpha"}, {"beta"})
    assert words(background, None) == words(background, tmp_path) == set()
    plant(one, {"c.py": "gamma = 1\n"})
    background.file_changed(one / "c.py")
    background.file_changed(tmp_path / "elsewhere.py")
    watcher.built(one, times=2)
    assert words(background, one) == {"alpha", "gamma"}
    assert {root: state.files for root, state in background.states().items()} == {one: 2, two: 1}


def test_other_rules_forget_at_once_what_was_read(
    background: BackgroundIndexer, watcher: Watcher, tmp_path: Path
) -> None:
    root = plant(tmp_path, {"a.py": "alpha = 1\n", "b.py": "beta = 1\n"})
    background.configure([root], Settings())
    watcher.built(root)
    before = background.view(root, "python")
    background.configure([root], Settings(precision=0.5))  # no rule of the index
    assert background.view(root, "python") is before
    background.configure([root], Settings(exclude=("b.py",)))
    assert "beta" not in words(background, root)
    watcher.built(root, times=2)
    assert words(background, root) == {"alpha"}
    for off in (Settings(index_enabled=False), Settings(enabled=False)):
        background.configure([root], off)
        assert background.view(root, "python") is EMPTY
        assert background.states() == {}
        background.configure([root], Settings())
    background.configure([], Settings())
    assert background.states() == {}


def test_nothing_holds_an_index_that_is_switched_off(
    background: BackgroundIndexer, watcher: Watcher, tmp_path: Path
) -> None:
    root = plant(tmp_path, {"a.py": "alpha = 1\n"})
    background.configure([root], Settings())
    watcher.built(root)
    index = weakref.ref(background._projects[root])
    background.configure([root], Settings(index_enabled=False))
    until = time.monotonic() + WAIT
    while gc.collect() >= 0 and index() is not None and time.monotonic() < until:
        time.sleep(0.01)
    assert index() is None


def test_documents_are_read_before_the_rest_of_a_folder(
    background: BackgroundIndexer, watcher: Watcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = plant(tmp_path, {f"f{n}.py": "alpha = 1\n" for n in range(20)})
    documents = background.documents
    seen: list[int] = []
    original = ProjectIndex._read

    def reading(project: ProjectIndex, candidate: object) -> object:
        if not seen:
            documents.put(text("a.py", "opened = 1\n"))
            documents.put(text("b.py", ""))
        seen.append(len(documents.others("file:///w/b.py", "python")))
        return original(project, candidate)  # type: ignore[arg-type]

    monkeypatch.setattr(ProjectIndex, "_read", reading)
    background.configure([root], Settings())
    watcher.built(root)
    assert seen[0] == 0
    assert seen[1:] == [1] * 19


def test_a_left_document_is_read_without_any_folder(
    background: BackgroundIndexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()
    original = room.OpenDocuments.read

    def reading(*arguments: object) -> Iterator[None]:
        yield from original(*arguments)  # type: ignore[arg-type]
        done.set()

    monkeypatch.setattr(room.OpenDocuments, "read", reading)
    background.documents.put(text("a.py", "alpha = 1\n"))
    assert background.documents.put(text("b.py", ""))
    background.wake()
    assert done.wait(WAIT)
    assert [*background.documents.others("file:///w/b.py", "python")[0].words] == ["alpha"]


def test_a_fault_costs_its_own_folder_and_one_line(
    background: BackgroundIndexer, watcher: Watcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    bad, good = plant(tmp_path / "bad", {"a.py": "alpha = 1\n"}), plant(tmp_path / "good", {"b.py": "beta = 1\n"})
    original = ProjectIndex._read

    def failing(project: ProjectIndex, candidate: object) -> object:
        if project.root == bad:
            raise RuntimeError("the disk\nfell off")
        return original(project, candidate)  # type: ignore[arg-type]

    monkeypatch.setattr(ProjectIndex, "_read", failing)
    background.configure([bad, good], Settings())
    watcher.built(good)
    assert words(background, good) == {"beta"}
    assert list(background.states()) == [good]
    assert (bad, IndexState()) in watcher.heard  # so that whoever shows progress ends it
    (record,) = (record for record in caplog.records if record.name == "editahead.index")
    assert "RuntimeError" in record.getMessage()


def test_a_build_can_be_cancelled_and_stopped(tmp_path: Path) -> None:
    root = plant(tmp_path, {f"f{n}.py": "alpha = 1\n" for n in range(50)})
    watcher = Watcher()
    gate = threading.Event()

    class Held(Throttle):
        def wait(self) -> None:
            gate.wait(WAIT)

    background = BackgroundIndexer(Held(lambda: False), watcher)
    background.start()
    background.configure([root], Settings())
    watcher.until(lambda: bool(watcher.heard))
    background.cancel(root)
    background.cancel(tmp_path / "unknown")
    gate.set()
    watcher.built(root)
    assert background.states()[root].files <= 1
    background.stop()
    assert not background._thread.is_alive()
    background.configure([root], Settings())  # too late, and harmless
    background.file_changed(root / "f1.py")


def test_stopping_ends_a_build_in_the_middle(tmp_path: Path) -> None:
    root = plant(tmp_path, {f"f{n}.py": "alpha = 1\n" for n in range(50)})
    watcher = Watcher()
    entered = threading.Event()

    class Slow(Throttle):
        def wait(self) -> None:
            entered.set()

    background = BackgroundIndexer(Slow(lambda: True), watcher)
    background.configure([root], Settings())
    background.start()
    assert entered.wait(WAIT)
    background.stop(WAIT)
    assert not background._thread.is_alive()


class NeverBusy(Throttle):
    """Counts the pauses of the thread, and how long it gave way before."""

    def __init__(self) -> None:
        super().__init__(lambda: False)
        self.waits = 0
        self.gave_way: list[float] = []

    def wait(self) -> None:
        self.waits += 1

    def give_way(self, seconds: float) -> float:
        self.gave_way.append(seconds)
        return 0.0


@pytest.mark.parametrize("most", [room.MAX_URGENT, 0.0])
def test_what_is_stored_is_read_without_pauses_for_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: float
) -> None:
    root, store = plant(tmp_path, {f"f{n}.py": f"alpha_{n} = 1\n" for n in range(30)}), MemoryStore()
    monkeypatch.setattr(project_module, "_SETTLED", -(10**15))
    monkeypatch.setattr(room, "MAX_URGENT", most)
    waits = []
    for _ in range(2):
        throttle, watcher = NeverBusy(), Watcher()
        background = BackgroundIndexer(throttle, watcher)
        background.open_store = lambda root: store
        background.configure([root], Settings(memory=True))
        background.start()
        watcher.built(root)
        background.stop(WAIT)
        assert throttle.gave_way == [room.MAX_FIRST_DEFERRAL]
        waits.append(throttle.waits)
    assert waits[0] > 100
    assert (waits[1] == 0) == (most > 0)


# -- the pace, under a clock of its own


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_work_comes_in_slices_with_rests() -> None:
    clock = Clock()
    throttle = Throttle(lambda: False, clock.sleep, clock)
    for _ in range(100):
        clock.now += SLICE / 10
        throttle.wait()
    assert 8 <= len(clock.slept) <= 10
    assert all(rest == pytest.approx(SLICE, rel=0.2) for rest in clock.slept)


def test_rests_are_longer_where_the_machine_is_overloaded() -> None:
    clock = Clock()
    throttle = Throttle(lambda: False, clock.sleep, clock)
    clock.now += 20 * SLICE  # others had the processor most of the time
    throttle.wait()
    assert clock.slept == [pytest.approx(20 * SLICE)]
    clock.now += 1000.0
    throttle.wait()
    assert clock.slept[1:] == [LONGEST_REST]
    clock.now += 1000.0  # nothing was to be done
    throttle.begin()
    clock.now += SLICE / 10
    throttle.wait()
    assert len(clock.slept) == 2


def test_it_gives_way_at_the_next_step_and_comes_back_when_nobody_waits() -> None:
    clock = Clock()
    busy = iter([True, True, True, False])
    throttle = Throttle(lambda: next(busy), clock.sleep, clock)
    throttle.wait()
    assert clock.slept == [REST, POLL_INTERVAL, POLL_INTERVAL]
    assert next(busy, "all asked") == "all asked"


def test_it_gives_way_for_so_long_and_no_longer() -> None:
    clock = Clock()
    assert Throttle(lambda: True, clock.sleep, clock).give_way(0.3) >= 0.3
    assert clock.now == pytest.approx(0.3, abs=2 * POLL_INTERVAL)
    assert Throttle(lambda: False, clock.sleep, clock).give_way(0.3) == 0.0
    assert clock.now == pytest.approx(0.3, abs=2 * POLL_INTERVAL)


def test_it_gets_on_even_while_others_are_always_busy() -> None:
    clock = Clock()
    throttle = Throttle(lambda: True, clock.sleep, clock)
    worked = 0.0
    for _ in range(1000):
        clock.now += SLICE / 10
        worked += SLICE / 10
        throttle.wait()
    slices = len([seconds for seconds in clock.slept if seconds != POLL_INTERVAL])
    assert MAX_DEFERRAL <= sum(clock.slept) / slices <= MAX_DEFERRAL + 2 * POLL_INTERVAL
    assert 0.5 * SLICE / MAX_DEFERRAL < worked / clock.now < 2 * SLICE / MAX_DEFERRAL


@pytest.mark.slow
def test_it_is_at_rest_only_when_everything_is_read(watcher: Watcher, tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "def one():\n    pass\n"})
    gate, reached = threading.Event(), threading.Event()

    def held() -> bool:
        reached.set()
        return not gate.wait(WAIT)

    background = BackgroundIndexer(Throttle(held, clock=iter(range(10**6)).__next__), watcher)
    assert not background.is_idle
    background.configure([tmp_path], Settings())
    background.start()
    assert reached.wait(WAIT)
    assert not background.is_idle
    gate.set()
    watcher.built(tmp_path)
    wait = time.monotonic() + WAIT
    while not background.is_idle and time.monotonic() < wait:
        time.sleep(0.001)
    assert background.is_idle
    background.stop()
