"""Source files that ship with the package: what the demonstration edits and the doctor measures on."""

from __future__ import annotations

from importlib.resources import files

from editahead.text.buffer import Buffer

SAMPLES = {
    "python": "inventory.py",
    "java": "AccessLog.java",
    "typescript": "basket.ts",
    "go": "basket.go",
    "rust": "basket.rs",
    "javascript": "basket.js",
    "c": "basket.c",
    "cpp": "basket.cpp",
    "c_sharp": "Basket.cs",
}


def sample(name: str) -> Buffer:
    """A sample by its file name; on disk each ends in `.txt`, so that no tool takes it for our code."""
    return Buffer.from_bytes(files(__package__).joinpath(f"{name}.txt").read_bytes())
