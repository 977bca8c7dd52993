"""The server's arguments: what starts a server, what is refused, and that nothing heavy is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from editahead.cli.commands.serve import is_server, parse
from editahead.cli.errors import CliError
from editahead.lsp.options import ServeOptions


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--stdio"], ServeOptions()),
        (["serve", "--stdio"], ServeOptions()),
        (["--stdio", "--clientProcessId=77"], ServeOptions()),
        (["--stdio", "--deterministic"], ServeOptions(deterministic=True)),
        (
            ["--device", "cuda", "--stdio", "--log-level=DEBUG", "--copilot"],
            ServeOptions(device="cuda", log_level="debug", compat=True),
        ),
        (
            ["--stdio", "--bundle", "a", "--bundle=b", "--log-file", "log"],
            ServeOptions(bundles=(Path("a"), Path("b")), log_file=Path("log")),
        ),
        (["serve", "--http", "127.0.0.1:8767"], ServeOptions(http=("127.0.0.1", 8767))),
        (
            ["serve", "--http=[::1]:0", "--token-file", "t", "--settings", "s.json"],
            ServeOptions(http=("::1", 0), token_file=Path("t"), settings=Path("s.json")),
        ),
        (["serve", "--http", "localhost:65535"], ServeOptions(http=("localhost", 65_535))),
    ],
)
def test_parse(arguments: list[str], expected: ServeOptions) -> None:
    assert is_server(arguments)
    assert parse(arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve"], "needs --stdio, .* or --http"),
        (["--stdio", "--log-file", "~nosuchuser/log"], "--log-file: '~nosuchuser/log' begins with a user"),
        (["--stdio", "--record=~nosuchuser/s"], "--record: '~nosuchuser/s' begins with a user"),
        (["--stdio", "--device", "tpu"], "choose one of auto, cpu, cuda"),
        (["--stdio", "--log-level", "loud"], "choose one of error, warning, info, debug"),
        (["--stdio", "--fast"], "unknown argument '--fast'"),
        (["--stdio", "complete"], "unknown argument 'complete'"),
        (["--stdio", "--bundle"], "--bundle needs a value"),
        (["serve", "--stdio", "--http", "127.0.0.1:1"], "--http excludes --stdio"),
        (["serve", "--http", "127.0.0.1:1", "--remote", "wss://a"], "--http excludes .*--remote"),
        (["serve", "--http", "127.0.0.1:1", "--record", "s"], "--http excludes .*--record"),
        (["--stdio", "--token-file", "t"], "belong to --http"),
        (["--stdio", "--settings", "s"], "belong to --http"),
        *(
            (["serve", "--http", address], "is no loopback address")
            for address in ("0.0.0.0:1", "192.168.1.2:1", "127.0.0.2:1", "[::]:1", ":1", "8767", "example.com:1", "::1")
        ),
        *(
            (["serve", "--http", f"127.0.0.1:{port}"], "has no port from 0 to 65535")
            for port in ("", "x", "-1", "65536", "1" * 5000, "\u0661", " 1")
        ),
    ],
)
def test_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(CliError, match=message):
        parse(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--help"],
        ["serve", "--help"],
        ["--stdio", "-h"],
        ["complete", "a.py:1:1"],
        ["complete", "--stdio"],
    ],
)
def test_not_a_server(arguments: list[str]) -> None:
    assert not is_server(arguments)


def test_a_server_starts_without_what_only_people_need() -> None:
    code = (
        "import sys, editahead.lsp.server as s\n"
        "s.serve_stdio = lambda *given: 0\n"
        "sys.argv = ['editahead', '--stdio']\n"
        "from editahead.cli.main import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0, end\n"
        "print(sorted({'typer', 'rich', 'click', 'torch', 'onnx', 'editahead_models'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
