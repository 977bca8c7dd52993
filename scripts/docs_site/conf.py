"""Configuration of Sphinx; `python -m scripts.docs_site` calls it with the pages that it gathered."""

from __future__ import annotations

import re
from typing import Any

import editahead
from pygments.lexers.javascript import JavascriptLexer

project = "editahead"
author = "the editahead authors"
version = release = editahead.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"editahead {release}"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
language = "en"

# Markdown as a forge reads it: the same anchors, no quotes turned.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
smartquotes = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 100
add_module_names = False
suppress_warnings = ["ref.python"]  # a type in a signature that two rooms define under one name
default_role = "code"
toc_object_entries = False  # or every page would carry them in its navigation

_SPAN = re.compile(r"``.+?``|`[^`\n]+`")
_SPECIAL = re.compile(r"([\\*|_])")


def _plain(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with `code`: nothing else in them is markup."""
    escaped = []
    for line in lines:
        spans = [match.span() for match in _SPAN.finditer(line)]
        text, end = "", 0
        for start, stop in spans:
            text += _SPECIAL.sub(r"\\\1", line[end:start]) + "``" + line[start:stop].strip("`") + "``"
            end = stop
            text += "\\ " if line[stop : stop + 1].isalnum() else ""
        escaped.append(text + _SPECIAL.sub(r"\\\1", line[end:]))
    lines[:] = escaped


def setup(app: Any) -> None:
    """Registers what is above with Sphinx."""
    app.add_lexer("jsonc", JavascriptLexer)  # JSON with comments, and with names in place of values
    app.connect("autodoc-process-docstring", _plain)
