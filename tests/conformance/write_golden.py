"""Accept the roles and meanings as they are: `python -m tests.conformance.write_golden`."""

from __future__ import annotations

import json

from .languages import GOLDEN, languages
from .test_languages import golden


def main() -> None:
    """Write a file for each language."""
    GOLDEN.mkdir(exist_ok=True)
    for language in languages():
        text = json.dumps(golden(language), indent=0, ensure_ascii=False) + "\n"
        (GOLDEN / f"{language.id}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
