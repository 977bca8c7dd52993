"""HTTP/1.1 in bounded size and time: each connection carries a request and its response."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

MAX_HEAD = 16_384  # bytes of the request line and the header fields
MAX_BODY = 1_000_000  # bytes
CLOSE_SECONDS = 2.0  # for a client to take the response
ROUTES = {"/health": "GET", "/v1/models": "GET", "/v1/completions": "POST"}
_FIELD_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNIQUE_FIELDS = frozenset({"authorization", "content-length", "expect", "host", "origin", "x-editahead-path"})
_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)


class HttpError(Exception):
    """A refused request: the status code, and what to do in a single line."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(" ".join(message.split()))
        self.status = status


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """The path without its query, the header fields by their names in small letters, and the body."""

    path: str
    headers: Mapping[str, str]
    body: bytes


async def read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> HttpRequest:
    """Read a request that the token allows. Raises HttpError, and EOFError if the client leaves."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise HttpError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"at most {MAX_HEAD} bytes of headers") from None
    request_line, *lines = head.decode("latin-1")[:-4].split("\r\n")
    method, _, target = request_line.removesuffix(" HTTP/1.1").removesuffix(" HTTP/1.0").partition(" ")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not _FIELD_NAME.fullmatch(name) or name.lower() in _UNIQUE_FIELDS & headers.keys():
            raise HttpError(HTTPStatus.BAD_REQUEST, "a header field is malformed or repeated")
        headers[name.lower()] = value.strip(" \t")
    path = target.partition("?")[0]
    _authorize(method, path, headers, token)
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not re.fullmatch(r"[0-9]{1,20}", length):
        raise HttpError(HTTPStatus.LENGTH_REQUIRED, "send the body as a whole, with Content-Length")
    if int(length) > MAX_BODY:
        raise HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {MAX_BODY} bytes: send less text")
    if headers.get("expect", "").lower() == "100-continue":  # as curl does with large bodies
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return HttpRequest(path, headers, await reader.readexactly(int(length)))


def _authorize(method: str, path: str, headers: Mapping[str, str], token: str) -> None:
    """Refuse web pages in a browser, also those whose own host name leads to this machine, and a wrong token."""
    if "origin" in headers or not _HOST.fullmatch(headers.get("host", "")):
        raise HttpError(HTTPStatus.FORBIDDEN, "requests of web pages and for other host names are refused")
    if path not in ROUTES:
        raise HttpError(HTTPStatus.NOT_FOUND, f"the paths are {', '.join(ROUTES)}")
    if method != ROUTES[path]:
        raise HttpError(HTTPStatus.METHOD_NOT_ALLOWED, f"{path} takes {ROUTES[path]} alone")
    scheme, _, given = headers.get("authorization", "").partition(" ")
    is_right = hmac.compare_digest(given.strip().encode(), token.encode())
    if path != "/health" and not (is_right and scheme.lower() == "bearer"):
        raise HttpError(HTTPStatus.UNAUTHORIZED, "send the header Authorization: Bearer TOKEN")


def response(body: str, content_type: str = "application/json", status: HTTPStatus = HTTPStatus.OK) -> bytes:
    """Return a whole response in ASCII, after which the connection is closed."""
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nConnection: close\r\n\r\n{body}"
    ).encode("ascii")


async def finish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send a response and close the connection. What the client still sends is read: it would lose the response."""

    async def send() -> None:
        writer.write(data)
        writer.write_eof()
        while await reader.read(MAX_HEAD):
            pass

    with contextlib.suppress(OSError, asyncio.TimeoutError):
        await asyncio.wait_for(send(), CLOSE_SECONDS)
    writer.transport.abort()
