"""Lua."""

from editahead.syntax.languages.lua.language import LUA

__all__ = ["LUA"]
