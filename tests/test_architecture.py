"""The invariants of docs/invariants.md: each test fails when one of them is broken."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import logging
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent
RUNTIME = ROOT / "server" / "editahead"
SCIENCE = ROOT / "models" / "editahead_models"
HARD_STOP = 400  # lines; a longer file is split

# third-party package -> the folders that may import it
ONLY_IMPORTER = {
    "tree_sitter": [RUNTIME / "syntax"],
    "tree_sitter_python": [RUNTIME / "syntax"],
    "tree_sitter_java": [RUNTIME / "syntax"],
    "tree_sitter_languages": [RUNTIME / "syntax"],
    "pygls": [RUNTIME / "lsp"],
    "lsprotocol": [],  # a dependency of pygls; answers are plain JSON, and tests use it as the other side
    "cattrs": [],  # a dependency of pygls
    "onnxruntime": [RUNTIME / "runtime"],
    "ray": [
        RUNTIME / "team" / "cluster",
    ],  # inside functions: the extra `team` installs it
    "starlette": [],  # of Ray Serve, as the next ones; the server is an ASGI application without them
    "fastapi": [],
    "websockets": [],
    "typer": [RUNTIME / "cli", SCIENCE],
    "rich": [RUNTIME / "cli", SCIENCE],
    "torch": [SCIENCE],
    "onnx": [SCIENCE],
    "matplotlib": [SCIENCE],
}

# what training may take from the runtime: the featuriser, the bundles and what runs them, nothing of policy
SHARED_ROOMS = ("analysis", "patterns", "encode", "syntax", "text", "runtime", "grammar", "git", "checked_json")
SCIENCE_MAY_IMPORT = tuple(f"editahead.{room}" for room in SHARED_ROOMS)
# evaluate/ asks the real engine
EVALUATION_MAY_IMPORT = (
    "editahead.suggest", "editahead.check", "editahead.settings", "editahead.index", "editahead.environment.exports",
)  # fmt: skip
# publishing/ asks it too, and, as replay/, the real server as the bench does
PUBLISHING_MAY_IMPORT = ("editahead.suggest", "editahead.check", "editahead.bench", "editahead.recording")
REPLAY_MAY_IMPORT = ("editahead.bench",)


def python_files(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


@cache
def parsed(path: Path) -> tuple[ast.Module, tuple[ast.Import | ast.ImportFrom, ...]]:
    """The syntax tree of a file, and its import statements."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tree, tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


@cache
def imported(path: Path) -> frozenset[tuple[str, int]]:
    """Every absolute module that the file imports, with its line; `from a import b` is `a` and `a.b`."""
    return frozenset(_imports(parsed(path)[1]))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


@cache
def module_graph() -> dict[str, set[str]]:
    """Module -> the modules of `editahead` that its file imports anywhere: in functions and for type checkers, too."""
    files = {".".join(path.relative_to(RUNTIME.parent).with_suffix("").parts): path for path in python_files(RUNTIME)}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    graph: dict[str, set[str]] = {name: set() for name in files}
    for name, path in files.items():
        for node in parsed(path)[1]:
            targets = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            if isinstance(node, ast.ImportFrom):
                longer = {f"{node.module}.{alias.name}" for alias in node.names}
                targets = {target if target in files else f"{node.module}" for target in longer}
            graph[name] |= targets & files.keys() - {name}
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """What is left when modules without imports, or without importers, in the rest are taken away."""
    left = {name: set(targets) for name, targets in graph.items()}
    while True:
        wanted = {target for targets in left.values() for target in targets}
        ends = {name for name, targets in left.items() if not targets & left.keys() or name not in wanted}
        if not ends:
            return [sorted(left)] if left else []
        left = {name: targets - ends for name, targets in left.items() if name not in ends}


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def test_import_contracts_hold(capsys: pytest.CaptureFixture[str]) -> None:
    loggers = [logger for logger in logging.Logger.manager.loggerDict.values() if isinstance(logger, logging.Logger)]
    enabled = [logger for logger in loggers if not logger.disabled]
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    for logger in enabled:  # it configures logging anew, which silences every logger that was there
        logger.disabled = False
    assert code == 0, capsys.readouterr().out


def test_the_reader_of_imports_sees_every_form() -> None:
    source = "import a.b\nfrom c import d as e\nfrom . import f\ndef g():\n    import h\n"
    assert set(_imports(ast.walk(ast.parse(source)))) == {("a.b", 1), ("c", 2), ("c.d", 2), ("h", 5)}


def test_no_circle_of_imports() -> None:
    """Not even of imports for type checkers only, or inside functions."""
    assert circles(module_graph()) == []


def test_the_graph_of_imports_has_edges_and_circles_are_seen() -> None:
    graph = module_graph()
    assert "editahead.lsp.context" in graph["editahead.lsp.routes"]
    assert "editahead.runtime.ort" in graph["editahead.lsp.inference.jobs"]  # for type checkers
    assert "editahead.lsp.server" in graph["editahead.cli.commands.serve"]  # inside a function
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == [["b", "c"]]


@pytest.mark.slow
@pytest.mark.parametrize("package", ONLY_IMPORTER)
def test_a_third_party_package_has_one_importer(package: str) -> None:
    allowed = ONLY_IMPORTER[package]
    strangers = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in python_files(RUNTIME, SCIENCE)
        if not any(path.is_relative_to(folder) for folder in allowed)
        for module, line in imported(path)
        if within(module, package)
    ]
    assert strangers == []


def test_only_one_module_runs_git() -> None:
    """No other module starts a program, but the bench, which starts the server that it measures."""
    starters = {
        str(path.relative_to(RUNTIME)) for path in python_files(RUNTIME) if "subprocess" in dict(imported(path))
    }  # fmt: skip
    assert starters == {"git.py", str(Path("bench") / "stdio_client.py")}
    science = {str(path.relative_to(SCIENCE)) for path in python_files(SCIENCE) if "subprocess" in dict(imported(path))}
    asked = ("consequences/rename_chains.py", "references/language_server.py")  # what is right is asked of others
    truth = {str(Path("evaluate") / name) for name in asked}
    assert {Path(name).parts[0] for name in science - truth} == {"queue"}  # which starts stages


def test_the_science_takes_only_the_shared_rooms() -> None:
    """`from editahead.runtime import bundle` names an allowed module by its second form: no fault."""
    faults = []
    for path in python_files(SCIENCE):
        allowed = SCIENCE_MAY_IMPORT
        if SCIENCE / "evaluate" in path.parents:
            allowed += EVALUATION_MAY_IMPORT
        if SCIENCE / "publishing" in path.parents:
            allowed += PUBLISHING_MAY_IMPORT
        if path.parent == SCIENCE / "replay":
            allowed += REPLAY_MAY_IMPORT
        names = {name for name, _ in imported(path) if within(name, "editahead")}
        for name, line in imported(path):
            if not within(name, "editahead") or any(within(name, ok) for ok in allowed):
                continue
            children = {other for other in names if other.startswith(name + ".")}
            if not children or not all(any(within(c, ok) for ok in allowed) for c in children):
                faults.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert faults == []


@pytest.mark.slow
def test_the_server_starts_without_the_science() -> None:
    script = (
        "import sys, editahead.lsp.server, editahead.suggest.engine, editahead.cli.main\n"
        "science = {'torch', 'editahead_models', 'onnx', 'matplotlib'}\n"
        "print(sorted(science & {name.split('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]"


def test_no_file_is_too_long() -> None:
    folders = [ROOT / name for name in ("server", "models", "tests", "docs")]
    long = {
        str(path.relative_to(ROOT)): count
        for path in python_files(*folders)
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > HARD_STOP
    }
    assert long == {}


def test_a_public_class_has_a_name_of_its_own() -> None:
    """Who reads a class name anywhere in the server knows which class it is."""
    places: dict[str, list[str]] = {}
    for path in python_files(RUNTIME):
        for node in parsed(path)[0].body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(RUNTIME)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_the_interfaces_of_the_page_are_there() -> None:
    page = (ROOT / "docs/invariants.md").read_text(encoding="utf-8").partition("## Interfaces between the rooms")[2]
    rows = re.findall(r"^\| `([\w/]+)\.py` \| (.+?) \|", page, re.MULTILINE)
    assert rows
    missing = []
    for path, names in rows:
        module = importlib.import_module(f"editahead.{path.replace('/', '.')}")
        missing += [f"{path}.py: {name}" for name in re.findall(r"`(\w+)`", names) if not hasattr(module, name)]
    assert missing == []


@pytest.mark.parametrize("folder", ["scripts", "docs"])
def test_scripts_import_modules_that_exist(folder: str) -> None:
    """Those of `scripts` and `docs` run seldom: an import inside a function would fail first where it is needed."""
    wrong = []
    for path in (*(ROOT / folder).glob("*.py"), *(ROOT / folder / "release").glob("*.py")):
        for node in parsed(path)[1]:
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if module and within(module, "editahead") and importlib.util.find_spec(module) is None:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: {module}")
    assert wrong == []
