"""Who may send what: token, web pages, paths, sizes and times. Everything else gets one line and changes nothing."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable

import pytest
from editahead.endpoint import completion_endpoint
from editahead.endpoint.http_exchange import MAX_BODY, MAX_HEAD, HttpError, read_request
from fake_engine import FakeEngine
from http_client import HttpClient, Reply, RunningEndpoint, receive
from hypothesis import given
from hypothesis import strategies as st

BODY = json.dumps({"prompt": "total = 1\nto", "path": "/w/a.py"}).encode()


def message(reply: Reply) -> str:
    """The message of an error, which is a single line."""
    text: str = reply.json["error"]["message"]
    assert "\n" not in text
    return text


def post(client: HttpClient, **headers: str | None) -> Reply:
    return client.request("POST", "/v1/completions", BODY, **headers)


@pytest.mark.parametrize(("host", "address"), [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::1", "::1")])
def test_a_loopback_address_is_listened_at(start: Callable[..., RunningEndpoint], host: str, address: str) -> None:
    if ":" in host:
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind((host, 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    running = start(host=host)
    assert running.host == address
    with socket.create_connection((address, running.port), 10) as connection:
        connection.sendall(running.client.encode("POST", "/v1/completions", BODY))
        assert receive(connection).status == 200


@given(
    st.lists(st.text(st.characters(max_codepoint=255), max_size=20), max_size=5).map("\r\n".join)
    | st.sampled_from(["GET /health HTTP/1.1\r\n", "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\n"]),
    st.binary(max_size=50),
)
def test_a_request_of_any_bytes_is_read_or_refused(head: str, rest: bytes) -> None:
    async def read() -> str:
        reader = asyncio.StreamReader(limit=MAX_HEAD)
        reader.feed_data(head.encode("latin-1") + b"\r\n\r\n" + rest)
        reader.feed_eof()
        try:
            return (await read_request(reader, None, "token")).path  # type: ignore[arg-type]  # writes nothing
        except HttpError as error:
            return str(error)

    assert "\n" not in asyncio.run(read())


def test_the_token_is_required(client: HttpClient, engine: FakeEngine) -> None:
    assert post(client).status == 200
    seen = len(engine.seen)
    wrong = (None, "", "Bearer", "Bearer ", f"Bearer {client.token[:-1]}", f"Bearer {client.token}x", "Bearer größe",
             f"Basic {client.token}", client.token)  # fmt: skip
    for value in wrong:
        reply = post(client, authorization=value)
        assert reply.status == 401, value
        assert client.token not in reply.body.decode()
        assert client.request("GET", "/v1/models", authorization=value).status == 401
    assert len(engine.seen) == seen


def test_health_needs_no_token_and_says_nothing_else(client: HttpClient) -> None:
    reply = client.request("GET", "/health", authorization=None)
    assert (reply.status, reply.body) == (200, b"ok")


@pytest.mark.parametrize("path", ["/health", "/v1/models", "/v1/completions"])
def test_requests_of_web_pages_are_refused(client: HttpClient, path: str) -> None:
    method = "POST" if path == "/v1/completions" else "GET"
    for origin in ("https://example.com", "null", "http://127.0.0.1", ""):
        assert client.request(method, path, BODY, origin=origin).status == 403
    preflight = client.request("OPTIONS", path, origin="https://example.com", access_control_request_method="POST")
    assert preflight.status == 403
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_other_host_names_are_refused(client: HttpClient) -> None:
    for host in (None, "", "example.com", "127.0.0.1.example.com", f"example.com:{client.port}", "127.0.0.2", "0.0.0.0",
                 "localhost.", "[::1", "127.0.0.1@example.com", "127.0.0.1:x"):  # fmt: skip
        assert post(client, host=host).status == 403, host
        assert client.request("GET", "/health", host=host).status == 403, host
    for host in ("127.0.0.1", "localhost", f"LOCALHOST:{client.port}", "[::1]:1"):
        assert post(client, host=host).status == 200, host


def test_other_paths_and_methods_do_not_exist(client: HttpClient) -> None:
    for path in ("/", "/v1", "/v1/completions/", "/v1/chat/completions", "/health/", "//health", "/../health", "*",
                 "http://127.0.0.1/health", "/infill"):  # fmt: skip
        assert client.request("GET", path).status == 404, path
    for method in ("GET", "PUT", "HEAD", "DELETE", "OPTIONS", "post"):
        reply = client.send(client.encode(method, "/v1/completions"))
        assert reply.status == 405, method
    assert client.request("POST", "/health").status == 405
    assert client.request("POST", "/v1/completions?x=1", BODY).status == 200


def test_without_a_path_the_message_says_how_to_give_one(client: HttpClient, engine: FakeEngine) -> None:
    reply = client.post({"prompt": "to"})
    assert reply.status == 400
    assert "X-Editahead-Path" in message(reply)
    assert "editahead-path: FILE" in message(reply)
    assert not engine.seen


@pytest.mark.parametrize("path", ["a.py", "./a.py", "/w/a\0.py", "/w/" + "a" * 5000, "/w/\ud800.py", "/", "file:a.py"])
def test_a_path_that_is_none_is_refused(client: HttpClient, engine: FakeEngine, path: str) -> None:
    reply = client.complete("to", path=path)
    assert reply.status == 400
    assert message(reply)
    assert not engine.seen


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "not JSON"), (b"{", "not JSON"), (b"\xff\xfe", "not JSON"), (b"[" * 100_000, "not JSON"),
        (b"[]", "a JSON object"), (b"null", "a JSON object"), (b"{}", "prompt"),
        (b'{"prompt": ["a"]}', "prompt: expected a string, found a list"), (b'{"prompt": 1}', "prompt"),
        (b'{"prompt": "a", "n": 5}', "n:"), (b'{"prompt": "a", "n": 0}', "n:"), (b'{"prompt": "a", "n": "2"}', "n:"),
        (b'{"prompt": "a", "max_tokens": 0}', "max_tokens:"), (b'{"prompt": "a", "stop": 3}', "stop:"),
        (b'{"prompt": "a", "stop": [1]}', "stop[0]:"), (b'{"prompt": "a", "stream": 1}', "stream:"),
        (b'{"prompt": "a", "precision": 2}', "precision:"), (b'{"prompt": "a", "precision": NaN}', "precision:"),
        (b'{"prompt": "a", "suffix": {}}', "suffix:"),
    ],
)  # fmt: skip
def test_a_body_that_is_wrong_is_one_line(client: HttpClient, engine: FakeEngine, body: bytes, expected: str) -> None:
    reply = client.post(body, x_editahead_path="/w/a.py")
    assert reply.status == 400
    assert expected in message(reply)
    assert not engine.seen


def test_sizes_are_limited(client: HttpClient) -> None:
    prefix, end = b'{"path": "/w/a.py", "prompt": "', b'"}'
    fitting = prefix + b"a" * (MAX_BODY - len(prefix) - len(end)) + end
    assert client.post(fitting).status == 200
    assert client.post(fitting + b" ").status == 413
    assert client.post(fitting * 5).status == 413, "the response arrives although the body was not read"
    assert post(client, content_length="9" * 19).status == 413
    assert post(client, filler="a" * MAX_HEAD).status == 431
    for length in ("", "-1", "1e3", "+5", "١"):
        assert post(client, content_length=length).status == 411, length
    assert post(client, transfer_encoding="chunked", content_length=None).status == 411


def test_a_damaged_head_is_refused(client: HttpClient) -> None:
    host = f"Host: 127.0.0.1:{client.port}".encode()
    for line in (host, b"no colon", b" folded", b"A B: c"):
        assert client.send(b"GET /health HTTP/1.1\r\n%b\r\n%b\r\n\r\n" % (host, line)).status == 400
    for head in (b"", b"\x16\x03\x01\x02\x00", b"GET"):
        assert client.send(head + b"\r\n\r\n").status == 403


def test_a_client_that_waits_for_permission_gets_it(client: HttpClient) -> None:
    data = client.encode("POST", "/v1/completions", BODY, expect="100-continue")
    with client.connect() as connection:
        connection.sendall(data[: -len(BODY)])
        assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(BODY)
        assert receive(connection).status == 200


def test_a_client_that_hangs_is_given_up_and_others_are_served(
    start: Callable[..., RunningEndpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(completion_endpoint, "READ_SECONDS", 0.3)
    client = start().client
    data = client.encode("POST", "/v1/completions", BODY)
    with client.connect() as hanging, client.connect() as slow:
        slow.sendall(data[:-1])
        assert post(client).status == 200
        for connection in (hanging, slow):
            assert connection.recv(100) == b""


def test_there_are_so_many_connections_and_no_more(start: Callable[..., RunningEndpoint]) -> None:
    running = start()
    client = running.client
    connections = [client.connect() for _ in range(completion_endpoint.MAX_CONNECTIONS)]
    try:
        last = time.monotonic() + 10
        while running.endpoint.connections < len(connections) and time.monotonic() < last:
            time.sleep(0.01)
        assert client.request("GET", "/health").status == 503
    finally:
        for connection in connections:
            connection.close()
    while running.endpoint.connections and time.monotonic() < last:
        time.sleep(0.01)
    assert client.request("GET", "/health").status == 200


def test_a_client_that_does_not_read_is_given_up(
    start: Callable[..., RunningEndpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editahead.endpoint.http_exchange.CLOSE_SECONDS", 0.3)
    client = start().client
    with client.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(client.encode("GET", "/health"))
        last = time.monotonic() + 10
        while client.request("GET", "/health").status != 200:
            assert time.monotonic() < last
