"""The recipes of docs/editors/http.md: each parses, names the endpoint, and what it sets is read by the server."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.commands.serve import parse
from editahead.endpoint.completion_request import CompletionBody
from editahead.endpoint.http_exchange import ROUTES
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from http_client import HttpClient
from test_request_forms import REGION, ZED

PAGE = (Path(__file__).parents[2] / "docs" / "editors" / "http.md").read_text(encoding="utf-8")
PATH = "http://127.0.0.1:8767/v1/completions"


def block(language: str) -> str:
    """The only block of a language on the page."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(text)


def test_the_server_of_the_recipes_starts_where_they_look_for_it() -> None:
    (command,) = re.findall(r"`(editahead serve --http [^`]*)`\n", PAGE)
    options = parse(shlex.split(command)[1:])
    assert options.http == ("127.0.0.1", 8767)
    assert options.token_file is not None
    token = "~/.config/editahead-token"
    assert PAGE.count(token) == 4, "the same file everywhere"
    assert ROUTES[PATH.partition("8767")[2]] == "POST"


def test_zed(client: HttpClient, tmp_path: Path) -> None:
    provider = json.loads(block("json"))["edit_predictions"]
    settings = provider[provider["provider"]]
    assert settings["api_url"] == PATH
    assert settings["prompt_format"] == "zeta"
    body: dict[str, Any] = {
        "model": settings["model"],
        "max_tokens": settings["max_output_tokens"],
        "prompt": ZED.replace("{path}", f"{tmp_path.name}/a.py"),
        "stop": ["<|im_end|>"],
        "environment": None,
    }
    assert client.post(body).text == REGION.format("al = price + tax")


def test_minuet_is_lua_and_its_fields_are_read() -> None:
    """That the functions return what the server reads is tested in Neovim: tests/editors/nvim/test_http_recipe.py."""
    text = block("lua")
    language = by_id("lua")
    assert language is not None
    try:
        language.grammar()
    except GrammarMissing as error:
        pytest.skip(str(error))
    assert not open_snapshot(Buffer.from_text(text), language).tree.root_node.has_error
    assert f'end_point = "{PATH}"' in text
    (fields,) = re.findall(r"optional = \{(.*?)\}", text)
    assert set(re.findall(r"(\w+) =", fields)) <= set(CompletionBody.__struct_fields__)


def test_the_request_of_the_shell_is_read(client: HttpClient) -> None:
    shell = next(text for text in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) if "curl" in text)
    words = shlex.split(shell.replace("\\\n", ""))
    assert words[1] == PATH
    assert words[words.index("-H") + 1].startswith("Authorization: Bearer ")
    body = json.loads(words[words.index("-d") + 1])
    assert set(body) <= set(CompletionBody.__struct_fields__)
    assert client.post(body).status == 200
