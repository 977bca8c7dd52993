"""A program that runs `editahead` and writes down what it does to files and sockets."""

from __future__ import annotations

# Runs `editahead` with the arguments behind the first, a file, under an audit hook, which Python calls for every file
# and socket that it touches.
WATCHED = """
import os, sys
log = open(sys.argv[1], "w", buffering=1)
NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
def watch(event, values):
    if event in NETWORK:
        print("network", event, values[1:], file=log)
    elif event == "open" and isinstance(values[0], (str, bytes)):
        writes = values[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        print("write" if writes else "read", os.path.abspath(os.fsdecode(values[0])), file=log)
    elif event in ("os.remove", "os.rename", "os.mkdir"):
        print("write", event, values[0], file=log)
sys.addaudithook(watch)
sys.argv = ["editahead", *sys.argv[2:]]
from editahead.cli.main import main
main()
"""
