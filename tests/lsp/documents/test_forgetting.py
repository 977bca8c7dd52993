"""A document that is closed is forgotten everywhere: nothing that the server can reach holds a word of it."""

from __future__ import annotations

import functools
import gc
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.commands.serve import parse
from editahead.lsp.inference.engine_startup import EngineStartup, load_engine, warm_up
from fake_engine import FakeEngine
from raw_client import Client, in_process

Start = Callable[..., Client]
KEPT = "import os\n\n\ndef first(path):\n    return os.path.join(path, 'x')\n\n\ndef second(path):\n    return \n"
FAR = 300  # lines between the first names and the end, so that some stand outside of what the network reads
DEADLINES = {f"{surface}DeadlineMs": 20_000 for surface in ("completion", "inline", "nextEdit")}


def planted(word: str) -> str:
    """A text full of a word of its own, with an edit that can be repeated."""
    lines = [f"import os\n\n\nclass {word.title()}:\n    def {word}_all(self, {word}_items):\n"]
    for letter in "abcdef":
        lines.append(f"        self.{word}_{letter} = {word}_old({word}_items, '{word}')  # {word}\n")
        lines.append(f"        print(self.{word}_{letter})\n\n")
    lines.append(f"        return self.{word}_a\n\n\n")
    lines += [f"{word}_{number} = {number}\n" for number in range(FAR)]
    return "".join(lines) + f"\n\ndef {word}_new(path):\n    return {word[:2]}\n"


def holders(server: Any, client: Client, word: str) -> list[str]:
    """What can be reached from the server, its threads and its modules, and holds the word."""
    gc.collect()
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    stacks = [frame for ident, frame in sys._current_frames().items() if names.get(ident) in ("inference", "index")]
    frames = [dict(frame.f_locals) for stack in stacks for frame, _ in traceback.walk_stack(stack)]
    modules = [vars(module) for name, module in list(sys.modules.items()) if name.partition(".")[0] == "editahead"]
    todo: list[tuple[Any, tuple[str, ...]]] = [(root, ()) for root in (server, *frames, *modules)]
    seen = {id(client), id(vars(client)), id(todo)}
    found = []
    while todo:
        thing, path = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, (str, bytes, bytearray)):
            if (word if isinstance(thing, str) else word.encode()) in thing.lower():
                found.append(" < ".join(reversed((*path[-8:], repr(thing[:60])))))
            continue
        module = thing.get("__name__") if isinstance(thing, dict) else None
        foreign = isinstance(module, str) and "__builtins__" in thing and module.partition(".")[0] != "editahead"
        if foreign or isinstance(thing, types.ModuleType):
            continue
        name = getattr(thing, "__qualname__", "") if isinstance(thing, (types.FunctionType, functools.partial)) else ""
        todo += [(other, (*path, f"{type(thing).__name__} {name}")) for other in gc.get_referents(thing)]
    return found


@pytest.fixture(scope="module")
def real() -> Iterator[Client]:
    """The server with the shipped models, in this process."""
    client = in_process(EngineStartup(warm_up, load_engine), parse(["serve", "--stdio"]))
    client.hello(initializationOptions={**DEADLINES, "precision": 0.0})
    yield client
    client.leave()


def ask_everything(client: Client, uri: str, line: int, character: int) -> int:
    """How many places the queue has."""
    at = client.at(uri, line, character, context={"triggerKind": 1})
    client.request("textDocument/completion", at)
    inline = client.request("textDocument/inlineCompletion", at)["items"]
    if inline:
        client.notify("editahead/didReject", {"id": inline[0]["command"]["arguments"][0]})
    client.request("editahead/rank", client.at(uri, line, character, labels=["os", "path"]))
    client.request("editahead/explain", at)
    queue = client.request("editahead/nextEdits", at)["items"]
    edit = client.request("editahead/nextEdit", at)["edits"]
    if edit:
        client.notify("editahead/didReject", {"id": edit[0]["command"]["arguments"][0]})
    place = {"line": line, "character": character}
    actions = {"range": {"start": place, "end": place}, "context": {"diagnostics": [], "triggerKind": 1}}
    client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, **actions})
    return len(queue)


def use(client: Client, word: str) -> str:
    """Edit a planted document, ask everything there and in the other one, and leave it open."""
    other = "file:///w/kept.py"
    assert client.server is not None
    if other not in client.server.session.documents:
        client.open(KEPT, other, version=1)
    text = planted(word)
    uri = client.open(text, f"file:///w/{word[:1]}.py", version=1)
    for version, row in enumerate((5, 8, 11), 2):
        start = text.splitlines()[row].index(f"{word}_old")
        client.change(uri, version, ((row, start, row, start + len(word) + 4), f"{word}_new"))
    last = text.count("\n") - 1
    assert ask_everything(client, uri, last, 11) > 1
    assert client.request("textDocument/completion", client.at(uri, last, 13))["items"]
    ask_everything(client, other, 8, 11)
    ask_everything(client, uri, last, 11)
    client.request("textDocument/completion", client.at(other, 8, 11))
    documents = client.server.indexing._background.documents
    assert wait_until(lambda: word in str([view.words for view in documents.others(other, "python")]))
    return uri


def close(client: Client, uri: str) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.settle()


def wait_until(true: Callable[[], bool]) -> bool:
    """Whether it becomes true within some seconds."""
    for _ in range(30):
        if true():
            return True
        time.sleep(0.1)
    return False


def left_of(client: Client, word: str) -> list[str]:
    """What still holds the word once the threads are done."""
    held: list[str] = []

    def is_forgotten() -> bool:
        held[:] = holders(client.server, client, word)
        return not held

    wait_until(is_forgotten)
    return held


@pytest.mark.slow
def test_nothing_holds_a_word_of_a_closed_document(real: Client) -> None:
    word = "qzx" + "vlw"
    uri = use(real, word)
    assert len(holders(real.server, real, word)) > 10, "the search finds nothing at all"
    close(real, uri)
    assert left_of(real, word) == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", [{"index": {"enabled": False}}, {"exclude": ["Shelf.java"]}])
def test_nothing_of_other_files_stays_that_may_no_longer_be_read(real: Client, tmp_path: Path, rule: object) -> None:
    word = "kxv" + "zqp"
    (tmp_path / "Shelf.java").write_text(f"class Shelf {{\n  int {word}; // {word}\n}}\n")
    folder = {"uri": tmp_path.as_uri(), "name": "shop"}
    real.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    text = "class Use {\n  int f(Shelf shelf) {\n    return shelf.\n  }\n}\n"
    uri = real.open(text, (tmp_path / "Use.java").as_uri(), "java", version=1)
    items = real.request("textDocument/completion", real.at(uri, 2, 17))["items"]
    assert word in [item["label"] for item in items]
    assert holders(real.server, real, word)
    real.notify("workspace/didChangeConfiguration", {"settings": {"editahead": rule}})
    assert left_of(real, word) == []
    close(real, uri)
    real.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    real.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {}}})


@pytest.mark.slow
def test_nor_does_it_when_other_documents_are_asked_meanwhile(real: Client) -> None:
    word = "wzk" + "hju"
    uri = use(real, word)
    other = "file:///w/kept.py"
    places = [real.ask("editahead/nextEdits", real.at(other, 8, 11)) for _ in range(2)]
    places.append(real.ask("textDocument/completion", real.at(other, 8, 11)))
    real.notify("textDocument/didClose", {"textDocument": {"uri": uri}})  # these look at both documents
    for place in places:
        real.wait(place)
    real.settle()
    assert left_of(real, word) == []
    ask_everything(real, other, 8, 11)  # all goes on


def test_the_engine_is_told_of_each_closed_document(start: Start, engine: FakeEngine) -> None:
    client = start()
    first, second = (client.open("alpha = 1\nal\n", f"file:///w/{name}.py", version=1) for name in "ab")
    client.request("textDocument/completion", client.at(first, 1, 2))
    close(client, first)
    client.request("textDocument/completion", client.at(second, 1, 2))
    assert set(engine.forgotten) == {first}


def test_what_was_turned_down_counts_until_the_document_is_closed(start: Start, engine: FakeEngine) -> None:
    client = start(initializationOptions={"precision": 0.5})
    text = "total = price + tax\ntot\n"

    def shown() -> list[Any]:
        return list(client.request("textDocument/inlineCompletion", client.at(uri, 1, 3, context=context))["items"])

    context = {"triggerKind": 1}
    uri = client.open(text, "file:///w/a.py", version=1)
    (item,) = shown()
    client.notify("editahead/didReject", {"id": item["command"]["arguments"][0]})
    assert shown() == []
    close(client, uri)
    client.open(text, uri, version=1)
    assert len(shown()) == 1


def test_a_document_that_is_closed_before_the_models_are_there_costs_nothing(start: Start, engine: FakeEngine) -> None:
    client = start()
    text = "fake:hold\nal\n"
    held = client.open(text, "file:///w/held.py", version=1)
    asked = client.ask("textDocument/completion", client.at(held, 1, 2))
    assert engine.entered.wait(5)
    client.notify("textDocument/didClose", {"textDocument": {"uri": held}})
    client.settle()
    engine.release.set()
    client.wait(asked)
    assert client.server is not None
    began = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - began < 0.25, "a thread spins"
    assert set(engine.forgotten) == {held}
