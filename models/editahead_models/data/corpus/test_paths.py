"""Which files of a project are tests, by their paths."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "__tests__", "spec", "specs", "testdata", "test_data"})
_TEST_NAME = re.compile(
    r"^(test_.*|tests?|conftest|.*_tests?|.*[._-](test|spec)|(Test|IT)[A-Z].*|.*(Test|Tests|TestCase|IT))$"
)


def is_test(path: str) -> bool:
    """Whether a path is that of a test."""
    pure = PurePosixPath(path)
    return bool(_TEST_FOLDERS.intersection(pure.parts[:-1]) or _TEST_NAME.match(pure.stem))
