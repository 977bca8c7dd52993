"""Reading orders from a file."""

from pathlib import Path


def read_names(path):
    names = []
    for line in Path(path).read_text().splitlines():
        name = line.strip()
        if name:
            names.append(name
    return names
