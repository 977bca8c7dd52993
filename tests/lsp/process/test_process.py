"""The server's process: it ends when it should, whatever is stuck, and nobody's full pipe holds it up."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from editahead.lsp.process.logs import QueuedLog
from editahead.lsp.rpc.transport import FrameWriter, read_frames
from fake_engine import FakeEngine, loader
from raw_client import PATIENCE, Client, in_process, over_stdio

from tests.open_files import open_files

Start = Callable[..., Client]
HERE = Path(__file__).parents[1]
FAKE_SERVER = [sys.executable, str(HERE / "serve_fake.py")]
posix = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked and their pipes watched")

# The server with the fake engine and two more requests: one that never comes back, one that keeps the interpreter's
# lock as well, as a bad regular expression does.
STUCK = """
import re, sys
sys.path.insert(0, sys.argv[1])
from editahead.lsp import routes
from editahead.lsp.options import ServeOptions
from editahead.lsp.server import serve_stdio
from fake_engine import FakeEngine, loader
def spin(server, raw):
    while True: pass
routes.ROUTES["stuck/loop"] = spin
routes.ROUTES["stuck/lock"] = lambda server, raw: re.match("(a+)+$", "a" * 60 + "b")
if len(sys.argv) > 2:
    from functools import partial
    from editahead.lsp import server
    from editahead.lsp.process import ending as watchdog
    watchdog.INTERVAL, server.start_watchdog = 0.1, partial(watchdog.start_watchdog, grace=0.5)
sys.exit(serve_stdio(ServeOptions(), loader(FakeEngine())))
"""


def ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    return True


@pytest.fixture
def stuck() -> Iterator[Callable[..., Client]]:
    """Starts a server that can be made to hang, and says hello; `hasty` makes its watchdog wait less long."""
    clients: list[Client] = []

    def begin(process_id: int | None = None, hasty: bool = False) -> Client:
        client = over_stdio([sys.executable, "-c", STUCK, str(HERE), *(["hasty"] if hasty else [])])
        clients.append(client)
        client.request("initialize", {"processId": process_id, "capabilities": {}})
        return client

    yield begin
    for client in clients:
        assert client.process is not None
        client.process.kill()
        client.exit_code()


@pytest.mark.parametrize("length", [b"--5", b"-", b"5-", b"+5", b"0x5", b"5 5"])
def test_a_length_that_is_no_number_is_passed_over(start: Start, length: bytes) -> None:
    client = start()
    body = json.dumps({"jsonrpc": "2.0", "id": "h", "method": "editahead/stats", "params": {}}).encode()
    client.send_bytes(body, b"Content-Length: " + length + b"\r\n\r\nContent-Length: %d\r\n\r\n" % len(body))
    assert "surfaces" in client.wait("h")["result"]


@pytest.mark.slow
def test_a_length_of_thousands_of_digits_ends_the_server(stdio: Start) -> None:
    client = stdio()
    client.send_bytes(b"", b"Content-Length: %s\r\n\r\n" % (b"9" * 5_000))
    assert client.exit_code() == 1
    assert b"a message whose length has 5000 digits" in client.stderr


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("odd"), KeyError("x")])
def test_any_error_of_the_reader_is_a_hang_up(error: Exception) -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise error

    client = in_process(loader(FakeEngine()))
    client.hello()
    assert client.server is not None
    client.server._read(Broken())
    assert client.exit_code() == 1


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


LOUD = 100  # requests, each with an answer of 10 kB: sixteen pipes full
HELLO = framed({"id": "hello", "method": "initialize", "params": {"processId": None, "capabilities": {}}})


def loud(number: int) -> bytes:
    return framed({"id": number, "method": "unknown/" + "x" * 10_000})


def launched(blocking: bool) -> subprocess.Popen[bytes]:
    """A server whose output nobody reads as yet; its pipes may be non-blocking, as some launchers have them."""
    before = "" if blocking else "os.set_blocking(0, False); os.set_blocking(1, False); "
    code = f"import os, sys; {before}os.execv(sys.executable, {FAKE_SERVER!r})"
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)


@posix
@pytest.mark.parametrize("blocking", [True, False])
def test_answers_that_nobody_reads_hold_nothing_up_and_none_is_lost(blocking: bool) -> None:
    with launched(blocking) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(HELLO + b"".join(map(loud, range(LOUD))))
        process.stdin.write(framed({"method": "textDocument/didOpen", "params": 7}))
        line = process.stderr.readline()  # the loop has come past all the answers
        assert b"didOpen" in line
        frames = read_frames(process.stdout, pytest.fail)
        answers = [json.loads(next(frames)) for _ in range(LOUD + 1)]
        assert [answer["id"] for answer in answers] == ["hello", *range(LOUD)]
        process.stdin.write(framed({"id": "end", "method": "shutdown"}) + framed({"method": "exit"}))
        assert json.loads(next(frames))["id"] == "end"
        assert process.wait(PATIENCE) == 0


@posix
def test_exit_ends_a_server_whose_answers_nobody_reads() -> None:
    with launched(blocking=True) as process:
        assert process.stdin is not None
        process.stdin.write(HELLO + b"".join(map(loud, range(LOUD))) + framed({"id": "end", "method": "shutdown"}))
        process.stdin.write(framed({"method": "exit"}))
        began = time.monotonic()
        assert ended_within(process, PATIENCE)
        assert time.monotonic() - began < 4.0  # of which two are the start of the interpreter, at most
        assert process.returncode == 0


def test_a_client_that_reads_nothing_for_ever_is_given_up() -> None:
    lost = threading.Event()
    go_on = threading.Event()

    class Full:
        def write(self, data: bytes | memoryview) -> int:
            go_on.wait(PATIENCE)
            return len(data)

        def flush(self) -> None: ...

    writer = FrameWriter(Full(), lost.set, most=1_000)
    for _ in range(10):
        writer.write(b"x" * 100)
    assert not lost.is_set()
    writer.write(b"x")
    assert lost.is_set()
    go_on.set()


def test_an_answer_beyond_the_limit_ends_nothing_while_the_client_reads() -> None:
    lost, go_on, stream = threading.Event(), threading.Event(), io.BytesIO()

    class Waiting:
        def write(self, data: bytes | memoryview) -> int:
            go_on.wait(PATIENCE)
            return stream.write(bytes(data))

        def flush(self) -> None: ...

    writer = FrameWriter(Waiting(), lost.set, most=1_000)
    for data in (b"a" * 5_000, b"b" * 100, b"c" * 100):
        writer.write(data)
    go_on.set()
    assert writer.finish(PATIENCE)
    assert not lost.is_set()
    assert stream.getvalue() == b"a" * 5_000 + b"b" * 100 + b"c" * 100


def test_messages_of_many_threads_stay_whole_and_in_order() -> None:
    class Slow(io.BytesIO):
        def write(self, data: Any) -> int:  # a few bytes at a time, as a socket that is nearly full
            time.sleep(0.0001)
            return super().write(bytes(data[:7]))

    stream = Slow()
    writer = FrameWriter(stream, lambda: None)

    def send(name: int) -> None:
        for number in range(20):
            body = b"%d %d" % (name, number)
            writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    threads = [threading.Thread(target=send, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert writer.finish(PATIENCE)
    bodies = list(read_frames(io.BytesIO(stream.getvalue()), pytest.fail))
    for name in range(4):
        assert [body for body in bodies if body.startswith(b"%d " % name)] == [b"%d %d" % (name, n) for n in range(20)]


def test_an_error_output_that_nobody_reads_holds_nothing_up() -> None:
    """64 kB fit into a pipe; these are 2,000 lines."""
    with subprocess.Popen(
        FAKE_SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        bad = b"Content-Length: 1\r\n\r\n{"
        process.stdin.write(HELLO)
        frames = read_frames(process.stdout, pytest.fail)
        next(frames)
        sender = threading.Thread(target=process.stdin.write, args=(bad * 2_000 + loud(1),), daemon=True)
        sender.start()
        answered: list[bytes] = []
        reader = threading.Thread(target=lambda: answered.append(next(frames)), daemon=True)
        reader.start()
        reader.join(PATIENCE)
        if not answered:
            process.kill()
        assert answered, "the server waits for somebody to read its log"
        process.stdin.write(framed({"id": "end", "method": "shutdown"}) + framed({"method": "exit"}))
        assert process.wait(PATIENCE) == 0


def test_lines_beyond_the_queue_of_the_log_are_dropped_and_counted() -> None:
    theirs, ours = os.pipe()
    handler = QueuedLog(ours, most=10)
    handler.setFormatter(logging.Formatter("%(message)s"))
    record = logging.LogRecord("x", logging.ERROR, "", 0, "y" * 100_000, (), None)  # more than a pipe holds
    handler.emit(record)
    while not handler._writing:
        time.sleep(0.001)
    for number in range(25):
        handler.emit(logging.LogRecord("x", logging.ERROR, "", 0, f"line {number}", (), None))
    with os.fdopen(theirs, encoding="utf-8") as reader:
        lines = [reader.readline().rstrip() for _ in range(12)]
        assert lines[1:11] == [f"line {number}" for number in range(10)]
        assert lines[11] == "15 log lines were dropped: nobody read them in time"
        assert handler.drain(PATIENCE)
    handler.emit(record)  # nobody reads any more: no error, no wait
    assert handler.drain(PATIENCE)
    os.close(ours)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("read", [False, True], ids=["that nobody reads", "that somebody reads"])
def test_a_log_file_that_is_a_pipe_is_refused_in_one_line(stdio: Start, tmp_path: Path, read: bool) -> None:
    os.mkfifo(tmp_path / "log")
    reader = os.open(tmp_path / "log", os.O_RDONLY | os.O_NONBLOCK) if read else None
    client = stdio("--log-file", str(tmp_path / "log"))
    client.leave()
    (line,) = client.stderr.splitlines()
    assert b"cannot write the log" in line
    if reader is not None:
        os.close(reader)


# -- the end


@pytest.mark.slow
@posix
@pytest.mark.parametrize("how", ["exit", "input"])
def test_the_server_ends_in_time_while_its_loop_is_stuck(stuck: Callable[..., Client], how: str) -> None:
    client = stuck()
    client.ask("stuck/loop")
    if how == "exit":
        client.notify("exit")
    else:
        client.hang_up()
    assert client.process is not None
    assert ended_within(client.process, 2.0)


@pytest.mark.slow
@posix
def test_the_end_of_the_input_ends_a_server_that_holds_the_interpreters_lock(stuck: Callable[..., Client]) -> None:
    client = stuck()
    client.ask("stuck/lock")
    client.hang_up()
    assert client.process is not None
    assert ended_within(client.process, 5.0)
    assert client.process.returncode == -signal.SIGKILL


@posix
def test_the_death_of_the_editor_ends_a_server_that_holds_the_interpreters_lock(stuck: Callable[..., Client]) -> None:
    with subprocess.Popen(["sleep", "100"]) as editor:
        client = stuck(editor.pid, hasty=True)
        client.ask("stuck/lock")
        editor.kill()
    assert client.process is not None
    assert ended_within(client.process, 5.0)


@pytest.mark.slow
@posix
def test_a_server_that_is_busy_and_has_an_editor_is_left_alone(stuck: Callable[..., Client]) -> None:
    client = stuck(os.getpid(), hasty=True)
    client.ask("stuck/lock")
    assert client.process is not None
    with pytest.raises(subprocess.TimeoutExpired):
        client.process.wait(1.5)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not list processes")
@pytest.mark.parametrize("how", ["killed", "left"])
def test_the_watching_process_ends_with_the_server_and_holds_nothing_open(stdio: Start, how: str) -> None:
    client = stdio()
    assert client.process is not None
    (child,) = children(client.process.pid)
    held = open_files(child)
    assert len(held) == 2  # standard input, and the pipe from the server
    if how == "killed":
        client.process.kill()
        client.exit_code()
    else:
        client.leave()
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE and Path(f"/proc/{child}/fd").exists():
        with contextlib.suppress(OSError):
            if not os.listdir(f"/proc/{child}/fd"):  # a zombie until somebody asks
                break
        time.sleep(0.01)
    else:
        pytest.fail("it lives on")


@pytest.mark.slow
def test_an_editor_that_dies_ends_the_server(stdio: Start) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        client = stdio(processId=editor.pid)
        editor.kill()
    assert client.exit_code() == 1
    assert b"the editor's process has ended" in client.stderr


@pytest.mark.slow
def test_an_editor_that_does_not_live_where_the_server_runs_is_not_waited_for(stdio: Start) -> None:
    """In a container the number is of another namespace."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    client = stdio(processId=gone.pid)
    uri = client.open("alpha = 1\nal")
    assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"]
    client.hang_up()
    assert client.exit_code() == 1


@pytest.mark.slow
def test_in_a_process_namespace_of_its_own_the_server_serves_and_ends_with_its_input() -> None:
    unshare = shutil.which("unshare")
    options = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
    if unshare is None or subprocess.run([unshare, *options, "true"], capture_output=True).returncode:
        pytest.skip("this system does not let us make a process namespace")
    client = over_stdio([unshare, *options, "--kill-child", *FAKE_SERVER])
    client.hello()  # with our own number, which is nobody's there
    uri = client.open("alpha = 1\nal")
    assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"]
    client.hang_up()
    assert client.exit_code() == 1
