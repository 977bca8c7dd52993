"""What is read from bodies of any form, where ghost text is cut, and the prompt of Zed's model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.endpoint.completion_request import cut, parse_request
from editahead.endpoint.http_exchange import HttpError, HttpRequest
from editahead.suggest.types import GhostToken
from editahead.text.buffer import Buffer
from fake_engine import FakeEngine
from http_client import HttpClient, RunningEndpoint
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear

TOKENS = tuple(GhostToken(text, 0.9) for text in ("result", " =", " größe", "(", "x", ")", "\n    ", "return", " x"))
TEXT = "".join(token.text for token in TOKENS)[3:]  # `res` is typed
ENDS = {TEXT.find(text) + len(text) for text in ("ult", " =", "größe", "(", "(x", ")", ")\n    ", "return", "return x")}


@pytest.mark.parametrize(
    ("stops", "most", "text", "reason", "count"),
    [
        ((), None, TEXT, "stop", 9),
        (("\n",), None, "ult = größe(x)", "stop", 6),
        (("\r\n",), None, "ult = größe(x)", "stop", 6),
        (("ö",), None, "ult =", "stop", 2),
        (("(", "zzz"), None, "ult = größe", "stop", 3),
        (("ult",), None, "", "stop", 0),
        (("l",), None, "", "stop", 0),
        ((), 1, "ult", "length", 1),
        ((), 3, "ult = größe", "length", 3),
        (("(",), 2, "ult =", "length", 2),
        ((), 100, TEXT, "stop", 9),
    ],
)
def test_ghost_text_is_cut_at_a_token(
    stops: tuple[str, ...], most: int | None, text: str, reason: str, count: int
) -> None:
    assert cut(TEXT, TOKENS, stops, most) == (text, reason, count)


@given(st.lists(st.text("rö(\nx =", max_size=4), max_size=3), st.none() | st.integers(1, 12))
def test_a_cut_text_is_a_beginning_before_every_stop_text(stops: list[str], most: int | None) -> None:
    text, reason, count = cut(TEXT, TOKENS, stops, most)
    assert TEXT.startswith(text)
    assert not [stop for stop in stops if stop and stop in text]
    assert len(text) in {0, *ENDS}
    assert most is None or count <= most
    assert reason == "stop" or count == most


def test_a_body_that_was_written_as_a_whole_is_cut_before_its_line_ends() -> None:
    written = (GhostToken("if x:\n        return 1\n    return 2", 0.9, "written"),)
    assert cut(written[0].text, written, ("\n    return",), None)[0] == "if x:\n        return 1"
    assert cut("beyond the tokens\nof it", TOKENS, ("\n",), None)[0] == "beyond the tokens"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ("prompt", "suffix", "path", "max_tokens", "n", "stop", "stream", "precision", "model", "temperature")


@given(
    st.dictionaries(st.sampled_from(FIELDS), VALUES | st.text(), max_size=6)
    | st.fixed_dictionaries({"prompt": st.text()}, optional={"suffix": st.text(), "path": st.text()})
)
def test_a_body_of_any_values_is_read_or_refused_in_a_line(body: dict[str, Any]) -> None:
    request = HttpRequest("/v1/completions", {}, json.dumps(body).encode())
    refused = ""
    try:
        read = parse_request(request, Path("/w/project"))
        assert read.path.as_uri().startswith("file:///")
        assert Buffer(read.before + read.after).text is not None, "UTF-8"
    except HttpError as error:
        refused = str(error)
    assert "\n" not in refused


@given(st.binary(max_size=200))
def test_a_body_of_any_bytes_is_read_or_refused(data: bytes) -> None:
    with pytest.raises(HttpError):
        parse_request(HttpRequest("/v1/completions", {}, data), Path("/w/project"))


def test_reading_and_cutting_grow_with_the_body() -> None:
    def work(size: int) -> Callable[[], object]:
        line = "a = 1  # <|editable_region <|user_cursor ```\n"
        prompt = ZED.replace("{path}", "project/a.py").replace("end = 3\n", line * size)
        data = json.dumps({"prompt": prompt, "stop": ["zzz"] * size}).encode()
        tokens = [GhostToken(text, 0.9) for text in ("a", " =", " 1", "\n") * (size // 10)]
        text = "".join(token.text for token in tokens)

        def run() -> None:
            parse_request(HttpRequest("/v1/completions", {}, data), Path("/w/project"))
            cut(text, tokens, ["zzz"], None)

        return run

    assert_linear(work, 5000)


@pytest.mark.parametrize("prompt", ["\ud800", "a\ud83d", "\0", "\ufeffx", "a\r", "\u2028\x85\x0c"])
def test_odd_characters_are_kept_or_replaced(client: HttpClient, engine: FakeEngine, prompt: str) -> None:
    for suffix in ("\nb", "\udc00"):
        assert client.complete(f"total = 1\n{prompt}\ntot", suffix).text == "al = 1"
    text = f"total = 1\n{prompt}\ntot\udc00".encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    assert len(engine.seen[-1].syntax.buffer.text) <= len(text)


ZED = """### Instruction:
You are a code completion assistant.

### User Edits:

User edited "project/a.py":
```diff
@@ -1,2 +1,2 @@
-pri
+price
```

### User Excerpt:

```{path}
<|start_of_file|>
total = price + tax
<|editable_region_start|>
other = 1
tot<|user_cursor_is_here|>
last = 2
<|editable_region_end|>
end = 3
```

### Response:
"""
REGION = "<|editable_region_start|>\nother = 1\ntot{}\nlast = 2\n<|editable_region_end|>"


@pytest.fixture
def project(tmp_path: Path) -> str:
    """The name of the folder that the endpoint was started in."""
    return tmp_path.name


def test_the_prompt_of_zeds_model_is_answered_with_the_region(
    client: HttpClient, engine: FakeEngine, tmp_path: Path, project: str
) -> None:
    prompt = ZED.replace("{path}", f"{project}/sub/a.py")
    assert client.complete(prompt, path=None).text == REGION.format("al = price + tax")
    document = engine.seen[-1]
    assert document.path == tmp_path / "sub" / "a.py"
    assert document.syntax.buffer.data == b"total = price + tax\nother = 1\ntot\nlast = 2\nend = 3"
    assert client.complete(prompt, path=None, precision=0.9).text == REGION.format("")


def test_a_stop_text_of_zed_ends_the_region(client: HttpClient, project: str) -> None:
    prompt = ZED.replace("{path}", f"{project}/a.py")
    whole = REGION.format("al = price + tax")
    for stop in (["<|editable_region_end|>"], ["\n<|editable_region_end|>", "<|im_end|>"]):
        assert client.complete(prompt, path=None, stop=stop).text == whole.removesuffix("\n<|editable_region_end|>")


@pytest.mark.parametrize("path", ["elsewhere/a.py", "a.py", "/etc/a.py", ""])
def test_a_file_outside_the_folder_is_refused(client: HttpClient, engine: FakeEngine, path: str) -> None:
    reply = client.complete(ZED.replace("{path}", path), path=None)
    assert reply.status == 400
    assert "start the server in the folder of the project" in reply.json["error"]["message"]
    assert not engine.seen


def test_a_path_that_is_given_goes_before_that_of_the_prompt(client: HttpClient, engine: FakeEngine) -> None:
    prompt = ZED.replace("{path}", "elsewhere/a.py")
    assert client.complete(prompt, path="/w/b.py").text == REGION.format("al = price + tax")
    assert engine.seen[-1].path == Path("/w/b.py")


def test_rules_hold_for_zed_as_well(start: Callable[..., RunningEndpoint], project: str) -> None:
    client = start().client
    for name in (".env.py", "sub/../id_rsa.py"):
        reply = client.complete(ZED.replace("{path}", f"{project}/{name}"), path=None)
        assert (reply.json["reason"], reply.text) == ("excluded", REGION.format(""))


def test_a_file_that_holds_the_marks_itself_is_no_prompt_of_zed(client: HttpClient, project: str) -> None:
    prompt = ZED.replace("{path}", f"{project}/a.py").replace("last = 2", "last = '<|user_cursor_is_here|>'")
    assert client.complete(prompt, path=None).status == 400
