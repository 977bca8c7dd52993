"""The body of `POST /v1/completions`, as in OpenAI's completions with a suffix, and the response to it.

A request names its file, which decides the language and whether anything is predicted: in the field `path`, in the
header `X-Editahead-Path`, in a first line `editahead-path: FILE` of the prompt, or in a prompt for Zed's model Zeta.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import msgspec

from editahead.checked_json import FieldError, checked
from editahead.endpoint.http_exchange import HttpError, HttpRequest
from editahead.lsp.rpc.uris import path_of
from editahead.suggest.types import GhostToken
from editahead.text.buffer import encode_text

MODEL = "editahead"
MAX_PATH = 4096  # characters
_PATH_LINE = "editahead-path:"
_NO_PATH = 'no path: send "path", the header X-Editahead-Path, or a first line "editahead-path: FILE" of the prompt'
_EXCERPT = "### User Excerpt:\n\n```"
_START, _CURSOR, _END = "<|editable_region_start|>\n", "<|user_cursor_is_here|>", "\n<|editable_region_end|>"


class CompletionBody(msgspec.Struct, frozen=True):
    """The fields of a body that are read; all others are ignored."""

    prompt: str
    suffix: str | None = None
    path: str | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    n: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    stop: str | list[str] | None = None
    stream: bool | None = None
    precision: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None


@dataclass(frozen=True, slots=True)
class FillInRequest:
    """The file `path` with a cursor between `before` and `after`, in UTF-8.

    `frame` is the text around the cursor that a response for Zeta repeats; its parts are empty in any other.
    """

    path: Path
    before: bytes
    after: bytes
    frame: tuple[str, str]
    body: CompletionBody
    stops: Sequence[str]


def parse_request(request: HttpRequest, folder: Path) -> FillInRequest:
    """Read a request; Zed's paths begin with the name of `folder`. Raises HttpError."""
    try:
        body = checked(json.loads(request.body), CompletionBody)
    except FieldError as error:
        raise HttpError(HTTPStatus.BAD_REQUEST, str(error)) from None
    except (ValueError, RecursionError):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the body is not JSON in UTF-8") from None
    header = request.headers.get("x-editahead-path", "").encode("latin-1").decode("utf-8", "replace")
    before, after, frame, name = body.prompt, body.suffix or "", ("", ""), body.path or header
    stops = [body.stop] if isinstance(body.stop, str) else body.stop or []
    if before.startswith(_PATH_LINE):
        line, _, before = before.partition("\n")
        name = name or line.removeprefix(_PATH_LINE)
    excerpt = before.rpartition(_EXCERPT)[2]
    if all(excerpt.count(mark) == 1 for mark in (_START, _CURSOR, _END)):
        head, _, excerpt = excerpt.partition(_START)
        before, _, excerpt = excerpt.partition(_CURSOR)
        after, _, below = excerpt.partition(_END)
        end = "" if any(stop and stop in _END for stop in stops) else _END
        zed_name, _, above = head.partition("\n")
        frame = _START + before, after + end
        before, after = above.removeprefix("<|start_of_file|>\n") + before, after + below.rpartition("\n```")[0]
        if not name and not (folder.parent / zed_name).is_relative_to(folder):
            where = f"start the server in the folder of the project, not in {folder.name}"
            raise HttpError(HTTPStatus.BAD_REQUEST, where)
        name = name or str(folder.parent / zed_name)
    return FillInRequest(_absolute(name.strip()), encode_text(before), encode_text(after), frame, body, stops)


def _absolute(name: str) -> Path:
    """The path that a request names, which may be a `file:` URI. Raises HttpError."""
    path = path_of(name) or Path(name)
    if not name:
        raise HttpError(HTTPStatus.BAD_REQUEST, _NO_PATH)
    is_text = "\0" not in name and name == name.encode("utf-8", "replace").decode()
    if not path.is_absolute() or not path.name or len(name) > MAX_PATH or not is_text:
        raise HttpError(HTTPStatus.BAD_REQUEST, "the path must be the absolute path of a file, in Unicode")
    return Path(os.path.normpath(path))


def cut(text: str, tokens: Sequence[GhostToken], stops: Sequence[str], most: int | None) -> tuple[str, str, int]:
    """Cut ghost text where a stop text begins, and behind `most` tokens: at the end of a token, or before a line end.

    Returns the text, OpenAI's `finish_reason`, and the number of tokens.
    """
    joined = "".join(token.text for token in tokens)
    typed = len(joined) - len(text)  # of the first token
    ends = [end - typed for end in accumulate(len(token.text) for token in tokens)] if joined.endswith(text) else []
    breaks = [at for at, char in enumerate(text) if char == "\n"]
    positions = [text.find(stop.replace("\r\n", "\n")) for stop in stops if stop]
    limit = min((at for at in positions if at >= 0), default=len(text))
    allowed = [end for end in sorted({*ends, *breaks, len(text)}) if 0 < end <= limit]
    kept = allowed[:most]
    return text[: kept[-1]] if kept else "", "length" if len(kept) < len(allowed) else "stop", len(kept)


def completion_response(choices: Sequence[dict[str, Any]], tokens: int, why: dict[str, str]) -> dict[str, Any]:
    """Return the response; without ghost text, a choice with an empty text, and why."""
    numbered = [{"index": number, "logprobs": None, **choice} for number, choice in enumerate(choices)]
    return {
        "id": f"cmpl-{uuid.uuid4().hex}", "object": "text_completion", "created": int(time.time()), "model": MODEL,
        "choices": numbered, "usage": {"prompt_tokens": 0, "completion_tokens": tokens, "total_tokens": tokens}, **why,
    }  # fmt: skip
