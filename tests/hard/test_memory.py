"""Memory: what asks for too much gets an error and nothing more, and what files took comes back on close."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from editahead.bench.drive import memory_mb

from tests.hard.test_storms import SHOP, at, labels, put, start

onnx = pytest.importorskip("onnx")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a limit of memory that holds")
KEPT = 0.33  # of what twelve files took: 0.25 to 0.30 measured, 0.36 where freed memory stays with the allocator
GREEDY = 4_000_000_000  # floats: 16 GB


def greedy_bundle(folder: Path) -> Path:
    """The shipped language model of Python, whose graphs each want 16 GB more."""
    spec = find_spec("editahead_bundles")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("no bundles are installed")
    (shipped,) = Path(next(iter(spec.submodule_search_locations))).glob("spn-python-*")
    bundle = folder / shipped.name
    shutil.copytree(shipped, bundle)
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    for graph in manifest["graphs"].values():
        path = bundle / graph["file"]
        model = onnx.load(path, load_external_data=False)  # the arrays that graphs share are handed over at the start
        output = next(o for o in model.graph.output if o.type.tensor_type.elem_type == onnx.TensorProto.FLOAT)
        for node in model.graph.node:
            node.output[:] = ["modest" if name == output.name else name for name in node.output]
        shape = onnx.helper.make_tensor("greedy_shape", onnx.TensorProto.INT64, [1], [GREEDY])
        model.graph.initializer.append(shape)
        model.graph.node.extend(
            [
                onnx.helper.make_node("ConstantOfShape", ["greedy_shape"], ["greedy"]),
                onnx.helper.make_node("ReduceSum", ["greedy"], ["nothing"], keepdims=0),
                onnx.helper.make_node("Add", ["modest", "nothing"], [output.name]),
            ]
        )
        onnx.save(model, path)
    for entry in manifest["files"]:
        data = (bundle / entry["path"]).read_bytes()
        entry |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return bundle


JAVA = "class Shop {\n    int total(int items) {\n        return ;\n    }\n}\n"


@pytest.mark.slow
def test_a_model_that_asks_for_16_gb_gets_an_error_and_the_machine_lives(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    with start(root, "--bundle", str(greedy_bundle(tmp_path))) as client:
        uri = put(client, (root / "a.py").as_uri())
        assert labels(client, uri, 6, 25) == []
        (gate,) = client.request("editahead/explain", at(uri, 6, 25)).result["gates"]
        assert (gate["reason"], gate["passed"]) == ("failed", False)
        assert "bad_alloc" in gate["value"]
        memory = client.request("editahead/stats", {}).result["memory"]
        assert memory["limit"] <= 4 << 30
        _, peak = memory_mb(client.pid)
        assert peak < 1000  # MB
        document = {"uri": (root / "Shop.java").as_uri(), "languageId": "java", "version": 1, "text": JAVA}
        client.notify("textDocument/didOpen", {"textDocument": document})
        assert "items" in labels(client, document["uri"], 2, 15)  # another model is not concerned


@pytest.mark.slow
def test_what_open_files_took_comes_back_when_they_are_closed(tmp_path: Path) -> None:
    lines = "".join(f"value_{number} = compute_{number % 700}(argument_{number % 50})\n" for number in range(20_000))
    with start(tmp_path) as client:
        first = put(client, (tmp_path / "first.py").as_uri())
        labels(client, first, 6, 25)
        before, _ = memory_mb(client.pid)
        uris = [put(client, (tmp_path / f"m{number}.py").as_uri(), lines) for number in range(12)]
        for uri in uris:
            labels(client, uri, 10_000, 5)
        opened, _ = memory_mb(client.pid)
        said = client.request("editahead/stats", {}).result["memory"]
        assert said["documents"] == 12 * len(lines) + len(SHOP)
        sizes = {name.split("-")[0]: size for name, size in said["models"].items()}
        assert 1_000_000 < sizes["spn"] < 100_000_000
        assert 1_000_000 < said["states"] < 100_000_000
        assert min(said["cached"].values()) > 100
        assert abs(said["resident"] / 1e6 - opened) < 0.2 * opened
        for uri in uris:
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert opened - before > 50  # MB, or there is nothing to see
        deadline = time.monotonic() + 20
        while (now := memory_mb(client.pid)[0]) - before > KEPT * (opened - before):
            if time.monotonic() > deadline:
                break
            labels(client, first, 6, 25)
            time.sleep(0.1)
        print(before, opened, now)
        assert now - before <= KEPT * (opened - before)
        left = client.request("editahead/stats", {}).result["memory"]
        assert left["documents"] == len(SHOP)
        assert left["states"] < said["states"] / 4
        assert all(left["cached"][kind] < count / 2 for kind, count in said["cached"].items())
