"""A field stands only in a text that is formatted: what `%s` becomes in others is refused."""

from __future__ import annotations

import pytest
from editahead.suggest.next_edit.text_checks.expression_checks import puts_field_in_plain_text
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit


@pytest.mark.parametrize(
    ("text", "old", "new", "refused"),
    [
        ('s = b"%s" % a\n', "%s", "{a}", True),
        ('log.info("got %s", a)\n', "%s", "{a}", True),
        ("db.run(r'where x = %(x)s', a)\n", "%(x)s", "{x}", True),
        ('s = f"%s" % a\n', "%s", "{a}", False),
        ('s = rf"%s" % a\n', "%s", "{a}", False),
        ('s = "%s" % a\n', '"%s" % a', 'f"{a}"', False),
        ('s = "%s" % a\n', "%s", "{}", False),
        ('s = "%s" % a\n', "%s", "%d", False),
        ('s = "{}".format(a)\n', "{}", "{a}", False),
        ("s = x %s\n", "%s", "{a}", False),
    ],
)
def test_only_formatted_texts_take_fields(text: str, old: str, new: str, refused: bool) -> None:
    language = by_id("python")
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text.encode()), language)
    start = text.index(old)
    edit = ByteEdit(start, start + len(old), new.encode())
    assert puts_field_in_plain_text(syntax, edit) is refused
    template = by_id("typescript")
    assert template is not None
    assert not puts_field_in_plain_text(SyntaxSnapshot.open(Buffer(text.encode()), template), edit)
