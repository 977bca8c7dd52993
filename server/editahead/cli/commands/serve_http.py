"""The start of `editahead serve --http`: the token, the settings and the lines that are printed."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
from pathlib import Path

from editahead.cli.errors import CliError, reason_of
from editahead.cli.options import current_folder
from editahead.lsp.options import ServeOptions
from editahead.lsp.rpc.params import JsonValue
from editahead.regular_file import read_regular
from editahead.settings import parse_settings

_TOKEN = re.compile(r"[!-~]{16,200}")
_MAX_FILE = 1_000_000  # bytes


def start_endpoint(options: ServeOptions) -> int:
    """Serve HTTP requests until SIGINT or SIGTERM; the exit code. Raises CliError."""
    from editahead.endpoint.completion_endpoint import serve_http

    assert options.http is not None
    host, port = options.http
    settings = {} if options.settings is None else read_settings(options.settings)
    token = secrets.token_urlsafe(32) if options.token_file is None else read_token(options.token_file)

    def announce(port: int) -> None:
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        print(f"editahead: ghost text at http://{address}/v1/completions", flush=True)
        if options.token_file is None:
            print(f"editahead: the token, until this server ends, is {token}", flush=True)

    try:
        return serve_http(options, settings, token, current_folder(), announce)
    except OSError as error:
        raise CliError(f"cannot listen at {host}, port {port}: {reason_of(error)}; choose another port") from None


def read_token(path: Path) -> str:
    """The token in a file that only its owner can read. Raises CliError, which never holds the token."""
    token = _read("--token-file", path)
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise CliError(f"--token-file {path} can be read by other users: run chmod 600 on it")
    if not _TOKEN.fullmatch(token.strip()):
        raise CliError(f"--token-file {path} holds no token: write 16 to 200 ASCII characters without blanks into it")
    return token.strip()


def read_settings(path: Path) -> JsonValue:
    """The settings in a JSON file. Raises CliError for the first that is wrong or unknown."""
    try:
        settings: JsonValue = json.loads(_read("--settings", path))
    except (ValueError, RecursionError):
        raise CliError(f'--settings {path} is not JSON: write an object such as {{"precision": 0.8}}') from None
    parsed = parse_settings(settings)
    for problem in (*parsed.problems, *(f"{name} is no setting" for name in parsed.unknown)):
        raise CliError(f"--settings {path}: {problem}")
    return settings


def _read(option: str, path: Path) -> str:
    try:
        data = read_regular(path, _MAX_FILE, follow=True)
    except OSError as error:
        raise CliError(f"{option} {path} cannot be read: {reason_of(error)}") from None
    if data is None:
        raise CliError(f"{option} {path} is no file")
    return data.decode("utf-8", "replace")
