"""The table of surfaces, CONTRIBUTING's recipe for a new one, and pygls' public interface."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.options import ServeOptions
from editahead.lsp.routes import ROUTES, methods
from editahead.lsp.rpc import params
from editahead.lsp.surfaces.surface import PRIME
from editahead.lsp.surfaces.surface_context import SurfaceContext, SurfaceSpec
from editahead.lsp.surfaces.table import SURFACES
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Decision, Document, Reason, Shown, Suppressed
from fake_engine import FakeEngine, loader
from pygls.protocol import JsonRPCProtocol, default_converter
from pygls.server import JsonRPCServer
from raw_client import Client, in_process

REPOSITORY = Path(__file__).resolve().parents[3]
LSP = REPOSITORY / "server" / "editahead" / "lsp"


# -- the rows


def test_every_surface_has_its_own_name_urgency_and_methods() -> None:
    counts = Counter([*methods(), *(one.name for one in SURFACES), *(one.urgency for one in (*SURFACES, PRIME))])
    assert [entry for entry, count in counts.items() if count > 1] == []
    assert not set(ROUTES) & {method for one in SURFACES for method in one.methods}


def test_settings_of_the_table_exist() -> None:
    types = {item.name: item.type for item in fields(Settings)}
    assert {one.setting for one in SURFACES} - {None} <= {name for name, kind in types.items() if kind == "bool"}
    assert {one.deadline for one in SURFACES} - {None} <= {name for name, kind in types.items() if kind == "int"}


def test_engine_methods_of_the_table_are_those_that_are_called() -> None:
    """Both the interface and the real engine have them, and each module calls just what its row says."""
    interface = {name for name in vars(EngineLike) if not name.startswith("_")} - {"forget"}
    assert {name for one in SURFACES for name in one.engine} == interface
    assert [name for name in interface if not callable(getattr(Engine, name))] == []
    for surface in SURFACES:
        modules = {handler.__module__ for handler in surface.methods.values()}
        trees = [
            ast.parse((LSP.parents[1] / f"{module.replace('.', '/')}.py").read_text("utf-8")) for module in modules
        ]
        called = {
            node.func.attr
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name) and node.func.value.id == "engine"
        }  # fmt: skip
        assert called == set(surface.engine), surface.name


def test_only_the_table_names_the_methods_of_surfaces() -> None:
    """Docstrings aside: a name in code would be a second place that knows the surface."""
    names = {method for one in SURFACES for method in one.methods}
    second = [
        f"{path.name}:{node.lineno} {node.value}"
        for path in LSP.rglob("*.py")
        if path != LSP / "surfaces" / "table.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert second == []


# -- a new surface, by the recipe of CONTRIBUTING.md: a method of the engine, a handler, a row


class ToyEngine(FakeEngine):
    def shout(self, document: Document, byte: int, cancel: Any) -> Decision[str]:
        word = self._obey(document, cancel)[:byte].decode()
        return Shown(word.upper(), 0.9) if word else Suppressed(Reason.EMPTY)


def shout(context: SurfaceContext, raw: params.Raw) -> object:
    snapshot = context.snapshot(params.document_position(raw))
    if isinstance(snapshot, Suppressed):
        return context.empty(snapshot)

    def run(engine: Any, cancel: Any) -> Decision[str]:
        answer: Decision[str] = engine.shout(snapshot.document, snapshot.byte, cancel)
        return answer

    text = {"not JSON"} if params.field(raw, "broken") else None
    return context.ask(snapshot, run, lambda shown: {"text": text or shown.value, "probability": shown.probability})


TOY = SurfaceSpec(
    name="shout",
    urgency=7,
    setting="next_edit",
    deadline="next_edit_deadline_ms",
    empty=lambda why: {"text": "", "reason": why.reason.value},
    engine=("shout",),
    methods={"editahead/shout": shout},
    experimental=("shout",),
)


@pytest.fixture
def toy() -> Iterator[Client]:
    engine = ToyEngine()
    client = in_process(loader(engine), ServeOptions(), (*SURFACES, TOY))
    yield client
    engine.release.set()
    client.leave()
    assert client.faults == []


def at(uri: str, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": character}}


def test_a_toy_surface_needs_a_row_a_handler_and_a_method_of_the_engine(toy: Client) -> None:
    capabilities = toy.hello()["capabilities"]
    assert capabilities["experimental"]["editahead"]["shout"] is True
    uri = toy.open("total = 1\n")
    assert toy.request("editahead/shout", at(uri, 5)) == {"text": "TOTAL", "probability": 0.9}
    assert toy.request("editahead/shout", at(uri, 0)) == {"text": "", "reason": "empty"}
    assert toy.request("editahead/shout", at("file:///w/closed.py", 0)) == {"text": "", "reason": "stale"}
    stats = toy.request("editahead/stats", {})
    assert stats["surfaces"]["shout"] == {"quiet": {"empty": 1, "stale": 1}}
    assert stats["milliseconds"]["shout"]["p50"] >= 0


def test_a_toy_surface_is_switched_off_and_breaks_like_any_other(toy: Client) -> None:
    toy.hello()
    uri = toy.open("fake:fail\n")
    for _ in range(3):
        assert toy.request("editahead/shout", at(uri, 5)) == {"text": "", "reason": "failed"}
    toy.wait_told("window/showMessage", lambda shown: "shout failed three times in a row" in shown["message"])
    toy.notify("workspace/didChangeConfiguration", {"settings": {"editahead": {"nextEdit": False}}})
    other = toy.open("total = 1\n", "file:///w/other.py")
    toy.request("workspace/executeCommand", {"command": "editahead.restart-models"})
    assert toy.request("editahead/shout", at(other, 5)) == {"text": "", "reason": "disabled"}


def test_an_answer_that_is_not_json_is_an_error_of_its_request(toy: Client) -> None:
    toy.hello()
    uri = toy.open("total = 1\n")
    assert toy.error("editahead/shout", {**at(uri, 5), "broken": True})["code"] == -32603
    assert toy.request("editahead/shout", at(uri, 5)) == {"text": "TOTAL", "probability": 0.9}
    assert toy.told("window/showMessage") == []


def test_the_recipe_names_the_places_that_the_toy_needs() -> None:
    recipe = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").split("- A surface:")[1].split("\n- ")[0]
    for name in ("suggest/engine.py", "lsp/inference/jobs.py", "lsp/surfaces/table.py"):
        assert name in recipe, name
        assert (REPOSITORY / "server" / "editahead" / name).is_file()
    assert "docs/protocol.md" in recipe


# -- pygls


def test_nothing_private_of_pygls_is_used() -> None:
    """No name with an underscore that pygls' server, protocol or base classes have is read, set or defined in lsp/."""
    server = JsonRPCServer(JsonRPCProtocol, default_converter)
    things = (server, server.protocol, server.protocol.fm)
    private = {name for thing in things for name in dir(thing) if name.startswith("_") and not name.startswith("__")}
    assert "_send_data" in private
    used = [
        f"{path.name}:{node.lineno} {name}"
        for path in (LSP / "server.py", LSP / "rpc" / "json_rpc.py", LSP / "rpc" / "outgoing.py", LSP / "client.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (name := getattr(node, "attr", getattr(node, "name", ""))) in private
    ]
    assert used == []
