"""Rust."""

from editahead.syntax.languages.rust.language import RUST

__all__ = ["RUST"]
