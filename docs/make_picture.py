"""Draw docs/demo.svg from what `editahead demo` really prints: `python docs/make_picture.py`."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

WIDTH = 100  # columns
TARGET = Path(__file__).parent / "demo.svg"


def demo_output(arguments: list[str]) -> str:
    """What the demo prints on a colour terminal. Raises CalledProcessError if it fails."""
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "editahead", "demo", *arguments]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return run.stdout


def picture(ansi: str) -> str:
    """The output as an SVG that loads nothing from elsewhere: the font is the reader's own monospace font."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(ansi.rstrip()))
    without_fonts = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title="make demo", code_format=without_fonts, unique_id="demo")


def main() -> int:
    """Draw the picture and write it."""
    svg = picture(demo_output(sys.argv[1:]))
    TARGET.write_text(svg, encoding="utf-8")
    print(f"wrote {TARGET} ({len(svg) // 1024} KiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
