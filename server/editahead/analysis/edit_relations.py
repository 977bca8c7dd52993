"""Relations between two edits of one change: what ties a later edit to the first one.

They are tried in this order, and a pair of edits has the first one that holds. An arrow points from the first edit to
the later one; relations without an arrow hold in both directions.
"""

from __future__ import annotations

from enum import Enum


class EditRelation(str, Enum):
    """What ties two edits. Without a note, names are compared as the resolver binds them."""

    MOVED = "text moved"
    RENAME = "rename of one declaration"
    RENAME_ELSEWHERE = "rename in another file"
    RENAME_NAMESAKE = "rename of another declaration of the same name"
    RENAME_MENTION = "rename -> text that mentions the name"
    MENTION_RENAME = "text that mentions the name -> rename"
    RENAME_PART = "the same part of two names renamed"
    PARAMETER_FIELD = "constructor parameter -> field"
    FIELD_PARAMETER = "field -> constructor parameter"
    PARAMETER_OVERRIDE = "parameter -> the same parameter of an override or overload"
    PARAMETER_CALL = "parameter -> call"
    CALL_PARAMETER = "call -> parameter"
    PARAMETER_USE = "parameter -> use in the body"
    USE_PARAMETER = "use in the body -> parameter"
    PARAMETER_DOC = "parameter -> text about it"
    DOC_PARAMETER = "text about it -> parameter"
    PARAMETER_ELSEWHERE = "the same parameter of another function"
    RETURN_TYPE = "return type and return statements or calls"
    ASYNC = "async and await"
    IMPORT_USE = "import added -> use"
    USE_IMPORT = "use -> import added"
    IMPORT_GONE_USE = "import removed -> use removed"
    USE_GONE_IMPORT = "use removed -> import removed"
    DECLARED_ALIKE = "the same declaration added or removed elsewhere"
    DECLARATION_USE = "declaration added -> use"
    USE_DECLARATION = "use -> declaration added"
    DECLARATION_GONE_USE = "declaration removed -> use removed"
    USE_GONE_DECLARATION = "use removed -> declaration removed"
    SAME_SUBSTITUTION = "the same substitution"
    SAME_INSERTION = "the same tokens inserted"
    SAME_DELETION = "the same tokens deleted"
    NUMBERED = "numbers changed alike"
    DELETED_ALIKE = "similar lines deleted"
    INSERTED_ALIKE = "similar lines inserted"
    REPLACED_ALIKE = "similar lines replaced"
    SAME_CALL = "calls of the same function added or removed"
    SAME_ARGUMENT = "an argument to the same function"
    NEW_NAME_SHARED = "two uses of one new declaration"
    GONE_NAME_SHARED = "two uses of one removed declaration"
    MENTION = "code and text that mentions its names"
    PAIRED = "paired functions"
    CODE_TEST = "code and its test"
    OTHER = "no relation found"


NAMED = tuple(relation for relation in EditRelation if relation is not EditRelation.OTHER)
"""The relations that tie two edits."""
