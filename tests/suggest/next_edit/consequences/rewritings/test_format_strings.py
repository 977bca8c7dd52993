"""Formatted texts that have no f-string which says the same."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

PERCENT = 'a = «"x %s" % b>f"x {b}"»\n'
FORMAT = 'a = «"x {}".format(b)>f"x {b}"»\n'
TEXTS = {
    "a character by its name": PERCENT + 'c = "\\N{EM DASH} %s" % (d,)\n',
    "a character by its name, with format": FORMAT + 'c = "\\N{EM DASH} {}".format(d)\n',
    "a precision of a whole number": PERCENT + 'c = "%.3d" % 5\nd = "%.3x" % 5\n',
    "a number that may be no whole one": PERCENT + 'c = "%5d" % 2.5\nd = "%d" % e.f\ng = "%i" % (h,)\n',
    "a number that is a whole one": PERCENT + 'c = ‹"%5d, %d" % (5, len(d))>f"{5:5d}, {len(d)}"›\n',
    "what may be a tuple": PERCENT + 'c = "%s" % d\ne = "%r" % f\n',
    "what is in a tuple": PERCENT + 'c = ‹"%s %s" % (d, e)>f"{d} {e}"›\n',
    "a call that is made once": FORMAT + 'c = "{0}{0}".format(next(b))\nd = "{e}{e}".format(e=f())\n',
    "calls in another order": FORMAT + 'c = "{1}{0}".format(f(), g())\nd = ‹"{1}{0}".format(h, g())>f"{g()}{h}"›\n',
    "what is translated": PERCENT
    + 'c = _("x %s" % (b,))\nd = i18n.gettext("x %s" % (b,))\nf = ngettext("x %s" % (b,), y, 1)\n',
    "what is logged": PERCENT + 'log.info(‹"x %s" % (c,)>f"x {c}"›)\n',
}


@pytest.mark.parametrize("marked", TEXTS.values(), ids=TEXTS.keys())
def test_formatted_texts(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "idiom")
