"""A server for the client's tests: what it does is the first argument. Not a test file itself."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from editahead.bench.stdio_client import read_message


def send(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Type: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def main(behaviour: str) -> None:
    if behaviour == "crash":
        print("first line", file=sys.stderr)
        sys.exit("the disk is full")
    held: list[dict[str, Any]] = []
    while (message := read_message(sys.stdin.buffer)) is not None:
        method, params = message.get("method"), message.get("params")
        if method == "exit":
            sys.exit(7)
        if method == "die":
            sys.exit("killed by a test")
        if method == "garbage":
            sys.stdout.buffer.write(b"this is no header\r\n\r\n")
            sys.stdout.buffer.flush()
        elif method == "hold":  # answered later, after the next request: out of order
            held.append(message)
        elif method == "ask back":
            send({"id": "s1", "method": "workspace/configuration", "params": {"items": [1]}})
            answer = read_message(sys.stdin.buffer)
            send({"id": message["id"], "result": answer})
        elif method == "notice":
            send({"method": "window/logMessage", "params": params})
        elif method == "fail":
            send({"id": message["id"], "error": {"code": -32603, "message": "no luck"}})
        elif method == "silence" or "id" not in message:
            time.sleep(0)
        else:
            send({"id": message["id"], "result": {"method": method, "params": params}})
            for late in held:
                send({"id": late["id"], "result": "late"})
            held.clear()


if __name__ == "__main__":
    main(sys.argv[1])
