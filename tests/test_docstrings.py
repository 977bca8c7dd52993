"""What a public docstring owes its reader: the errors that the code raises, and the shapes of arrays."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = (ROOT / "server" / "editahead", ROOT / "models" / "editahead_models")
SPECIAL = ("__init__", "__post_init__", "__call__", "__getitem__", "__enter__")
END_OF_PROGRAM = ("Exit", "SystemExit", "KeyboardInterrupt", "NotImplementedError")
OF_A_COMMAND = ("CliError", "BadParameter")  # a command's docstring is its help, where no exception belongs
SHAPE = re.compile(r"[\[(](\.\.\.|[A-Z]\w*|\d\w*|length|order|size)( ?[+-] ?\w+)?(, [^()\[\]]*|,)?[\])]|\bscalar\b")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Public(NamedTuple):
    """A public function, with the docstring that speaks for it: for a constructor that of its class as well."""

    path: Path
    function: Function
    text: str

    @property
    def where(self) -> str:
        """File, line and name."""
        return f"{self.path.relative_to(ROOT)}:{self.function.lineno} {self.function.name}"


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def public_functions() -> Iterator[Public]:
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            yield from _public(path, tree_of(path).body, None)


def _public(path: Path, body: list[ast.stmt], holder: ast.ClassDef | None) -> Iterator[Public]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(path, node.body, node)
        elif isinstance(node, Function) and (not node.name.startswith("_") or node.name in SPECIAL):
            text = ast.get_docstring(node) or ""
            if holder is not None and node.name in (*SPECIAL, "forward"):
                text += f"\n{ast.get_docstring(holder) or ''}"
            yield Public(path, node, text)


@cache
def private_helpers(path: Path) -> dict[str, Function]:
    """The private functions of a file by name, methods as `Class._name`."""
    found: dict[str, Function] = {}
    for node in tree_of(path).body:
        if isinstance(node, Function):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{item.name}": item for item in node.body if isinstance(item, Function)}
    return {name: function for name, function in found.items() if name.rpartition(".")[2].startswith("_")}


def raised_by(public: Public) -> set[str]:
    """The exceptions that leave a function: raised by its body, or by private helpers of its file that it calls."""
    classes = [node for node in tree_of(public.path).body if isinstance(node, ast.ClassDef)]
    holder = next((node.name for node in classes if public.function in node.body), "")
    return set(_raised_in(public.function, holder, private_helpers(public.path), frozenset()))


def _raised_in(
    function: Function, holder: str, helpers: dict[str, Function], callers: frozenset[Function]
) -> Iterator[str]:
    for statement in function.body:
        for node, caught in _with_caught(statement, frozenset()):
            names: list[str] = []
            if isinstance(node, ast.Raise) and node.exc is not None:
                names = [_name(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)]
            elif isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                owner, _, name = called.rpartition(".")
                helper = helpers.get(f"{holder}.{name}" if owner in ("self", "cls") else called)
                if helper is not None and helper not in callers:
                    names = list(_raised_in(helper, holder, helpers, callers | {helper}))
            yield from (name for name in names if name[:1].isupper() and not {name, "Exception"} & caught)


def _with_caught(node: ast.AST, caught: frozenset[str]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """The nodes that run when a statement does, each with what is caught around it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    yield node, caught
    inside = caught
    if isinstance(node, ast.Try):
        types = [handler.type for handler in node.handlers if handler.type is not None]
        inside |= {_name(one) for kind in types for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind])}
    elif isinstance(node, ast.With) and any(_may_catch(item.context_expr) for item in node.items):
        inside |= {"Exception"}
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _with_caught(child, inside if field == "body" else caught)


def _may_catch(context: ast.expr) -> bool:
    """Whether a context manager may end an exception: `suppress`, or a private one of the file."""
    name = _name(context.func) if isinstance(context, ast.Call) else ""
    return name == "suppress" or name.startswith("_")


def _name(node: ast.AST) -> str:
    return ast.unparse(node).rsplit(".", maxsplit=1)[-1]


def is_command(public: Public) -> bool:
    """Whether the command line calls it: its docstring is what `--help` prints."""
    arguments = [*public.function.args.args, *public.function.args.kwonlyargs]
    texts = [ast.unparse(argument.annotation) for argument in arguments if argument.annotation is not None]
    return any("typer." in text or text.endswith(("Option", "Argument")) for text in texts)


@pytest.mark.slow
def test_errors_are_named() -> None:
    silent = []
    for public in public_functions():
        raised = raised_by(public) - set(END_OF_PROGRAM)
        if is_command(public):
            raised -= set(OF_A_COMMAND)
        missing = sorted(name for name in raised if name not in public.text)
        if missing:
            silent.append(f"{public.where}: {', '.join(missing)}")
    assert silent == []


@cache
def array_names(path: Path) -> frozenset[str]:
    """What stands for an array in the annotations of a file: types of the libraries, and aliases of them."""
    names = {"NDArray", "ndarray", "Tensor"}
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            text = ast.unparse(node.value)
            if re.search(r"\bNDArray\b", text) and "dict[" not in text and "Callable" not in text:
                names.add(node.targets[0].id)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("editahead"):
            names |= {alias.name for alias in node.names if alias.name in _aliases_of(node.module)}
    return frozenset(names)


def _aliases_of(module: str) -> frozenset[str]:
    parts = module.split(".")
    package = PACKAGES[parts[0] == "editahead_models"]
    path = package.joinpath(*parts[1:]).with_suffix(".py")
    return array_names(path) - {"NDArray", "ndarray", "Tensor"} if path.is_file() else frozenset()


def is_array(annotation: ast.expr | None, names: frozenset[str]) -> bool:
    """Whether it is an array or a row of them; arrays by name speak through their names."""
    if annotation is None or re.search(r"\b(dict|Mapping|Callable)\[", ast.unparse(annotation)):
        return False
    nodes = list(ast.walk(annotation))
    return any(
        (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)
        for node in nodes
    )


@pytest.mark.slow
def test_shapes_are_named() -> None:
    """A shape stands in the docstring, or every argument's name ends in it (`rows_NF`)."""
    silent = []
    for public in public_functions():
        names = array_names(public.path)
        function = public.function
        arguments = [*function.args.args, *function.args.kwonlyargs]
        arrays = [one.arg for one in arguments if is_array(one.annotation, names)]
        bare = [name for name in arrays if not re.search(r"_[A-Z0-9]\w*$", name)]
        returns = is_array(function.returns, names)
        if (bare or returns) and not SHAPE.search(public.text):
            silent.append(f"{public.where}: {', '.join([*bare, *(['the result'] if returns else [])])}")
    assert silent == []


def test_arrays_have_an_element_type() -> None:
    """`NDArray[np.float32]`, not `np.ndarray`: what an array holds is part of what a function promises."""
    bare = re.compile(r"np\.ndarray(?!\[Any, np\.dtype)")
    assert not [
        public.where
        for public in public_functions()
        for annotation in [
            *(one.annotation for one in (*public.function.args.args, *public.function.args.kwonlyargs)),
            public.function.returns,
        ]
        if annotation is not None and bare.search(ast.unparse(annotation))
    ]
