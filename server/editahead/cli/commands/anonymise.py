"""`editahead anonymise`: a recorded session that can be shared, since it holds no code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead.cli.errors import CliError, reason_of
from editahead.cli.options import JsonOption
from editahead.cli.printing import output


def anonymise(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="A recorded session.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="File to write the anonymised session to.")],
    as_json: JsonOption = False,
) -> None:
    """Copy a recorded session without its code: every name, text and number is replaced consistently.

    Keywords, punctuation, the lengths of words and the layout stay, so that the session can still be replayed.
    """
    from editahead.recording.anonymise import anonymise_events
    from editahead.recording.session_file import SessionError, read_session, write_session

    try:
        events = list(anonymise_events(read_session(session)))
        write_session(out, events, anonymised=True)
    except SessionError as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"cannot write {out}: {reason_of(error)}") from None
    if as_json:
        output.print_json({"file": str(out), "events": len(events)})
    else:
        print(f"{out}: {len(events)} events; only the shape of the code is left")
