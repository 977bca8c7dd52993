"""Renames that follow from scopes in Rust: through the modules of a file, and the paths that lead to them."""

from __future__ import annotations

import pytest

from .marked_renames import assert_follows

RENAMES = {
    "a function and the test beside it": (
        "fn «helper>assist»() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::‹helper>assist›;\n\n"
        "    #[test]\n    fn works() {\n        assert_eq!(‹helper>assist›(), 1);\n"
        "        assert_eq!(super::‹helper>assist›(), crate::‹helper>assist›());\n    }\n}\n"
    ),
    "one of several names": (
        "fn a() {}\nfn «helper>assist»() {}\n\nmod inner {\n    use super::{a, ‹helper>assist›};\n\n"
        "    fn run() {\n        a();\n        ‹helper>assist›();\n    }\n}\n\n"
        "fn main() {\n    self::‹helper>assist›();\n}\n"
    ),
    "a struct": (
        "pub struct «Cart>Basket» {\n    items: i32,\n}\n\nmod tests {\n    use super::‹Cart>Basket›;\n\n"
        "    fn make() -> super::‹Cart>Basket› {\n        ‹Cart>Basket› { items: 1 }\n    }\n}\n"
    ),
    "a name that comes from elsewhere": (
        "fn «helper>assist»() {}\n\nmod inner {\n    use other::helper;\n\n    fn run() {\n        helper();\n    }\n}"
        "\n\nfn main() {\n    ‹helper>assist›();\n}\n"
    ),
}


@pytest.mark.parametrize("marked", RENAMES.values(), ids=RENAMES)
def test_renames(marked: str) -> None:
    assert_follows({"file:///w/src/main.rs": marked})
