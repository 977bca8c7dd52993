"""`editahead-models golden`: record what the product answers on dev projects, and compare two records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_cache_path

SMALL = 280
"""Moments of the small record, which is made after every step."""
FULL = 2000
SEED = 53

app = typer.Typer(no_args_is_help=True, help="Record what the product answers on dev projects, and compare records.")


@app.command("record")
def record_command(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories.", envvar="EDITAHEAD_MIRROR")],
    folder: Annotated[
        Path | None, typer.Argument(help="Where the record goes, outside of the repository; else the cache folder.")
    ] = None,
    part: Annotated[list[str] | None, typer.Option(help="Only these parts.")] = None,
    count: Annotated[
        int, typer.Option(help=f"Moments of next edits, and in proportion of the other parts; {FULL} are all.")
    ] = SMALL,
    seed: Annotated[int, typer.Option(help="Which requests are drawn.")] = SEED,
    check: Annotated[bool, typer.Option("--check", help="Compare the hashes with those in the repository.")] = False,
    store: Annotated[bool, typer.Option("--store", help="Keep the hashes in the repository.")] = False,
) -> None:
    """Record candidates for the next edit, facts of names, sessions of the server, completions, and missed edits."""
    from editahead_models.evaluate.golden.record import DIGEST, PARTS, ROOT, digest_of, write_record

    unknown = sorted(set(part or ()) - set(PARTS))
    if unknown:
        raise typer.BadParameter(f"no part {', '.join(unknown)}: parts are {', '.join(PARTS)}")
    folder = folder or user_cache_path("editahead") / "golden" / "latest"
    if folder.resolve().is_relative_to(ROOT):
        raise typer.BadParameter(f"{folder} is in the repository: a record holds code of other projects")
    try:
        write_record(folder, mirror, part or PARTS, count, seed, lambda line: typer.echo(line, err=True))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    digest = digest_of(folder)
    if store:
        DIGEST.write_text(json.dumps(digest, indent=1) + "\n", encoding="utf-8")
    if check and not _is_as_stored(digest, json.loads(DIGEST.read_text(encoding="utf-8"))):
        raise typer.Exit(1)


def _is_as_stored(digest: Mapping[str, Any], stored: Mapping[str, Any]) -> bool:
    """Whether the hashes of all recorded parts are the stored ones; prints what differs."""
    for name in ("count", "seed", "data"):
        if digest[name] != stored[name]:
            raise typer.BadParameter(f"the stored hashes are of another record: {name} {stored[name]}")
    is_equal = True
    for part, hashes in digest["buckets"].items():
        pairs = list(zip(hashes.split(), stored["buckets"][part].split(), strict=True))
        changed = sum(now != before for now, before in pairs)
        is_equal = is_equal and not changed
        typer.echo(f"{part}: {f'{changed} of {len(pairs)} groups of answers changed' if changed else 'equal'}")
    if not is_equal:
        typer.echo(f"stored: {stored['commit']}, bundles {stored['bundles']}, {stored['machine']}")
        typer.echo(f"here: {digest['commit']}, bundles {digest['bundles']}, {digest['machine']}")
    return is_equal


@app.command("compare")
def compare_command(
    old: Annotated[Path, typer.Argument(help="The record before a change.")],
    new: Annotated[Path, typer.Argument(help="The record after it.")],
    allow: Annotated[
        Path | None, typer.Option(help="Differences that are meant: a name, or the beginning of names, a line.")
    ] = None,
    show: Annotated[int, typer.Option(help="Differences of each part and kind that are printed.")] = 5,
) -> None:
    """Print what differs, by part and kind; the exit code is 1 if anything does that is not allowed."""
    from editahead_models.evaluate.golden.answers import read_answers
    from editahead_models.evaluate.golden.compare import compare_part
    from editahead_models.evaluate.golden.record import read_header

    try:
        headers = [read_header(folder) for folder in (old, new)]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    for name, value in headers[0].items():
        if name != "answers" and value != headers[1][name]:
            typer.echo(f"{name}: {value} -> {headers[1][name]}")
    lines = allow.read_text(encoding="utf-8").splitlines() if allow is not None else []
    allowed = [line for line in lines if line.strip() and not line.startswith("#")]
    parts = [part for part in headers[0]["answers"] if part in headers[1]["answers"]]
    if not parts:
        raise typer.BadParameter("the records have no part in common")
    for part in sorted({*headers[0]["answers"], *headers[1]["answers"]} - set(parts)):
        typer.echo(f"{part}: in one record only, not compared")
    is_equal = True
    for part in parts:
        before, now = (read_answers(folder / f"{part}.jsonl") for folder in (old, new))
        result = compare_part(part, before, now, allowed)
        is_equal = is_equal and result.is_equal
        typer.echo(f"{part}: {result.describe()}")
        for difference in result.first_of_each_kind(show):
            typer.echo(f"  {difference.kind}: {difference.name}\n    was {difference.before}\n    is {difference.now}")
        for word, names in (("missing", result.missing), ("new", result.new)):
            for name in names[:show]:
                typer.echo(f"  {word}: {name}")
    if not is_equal:
        raise typer.Exit(1)
