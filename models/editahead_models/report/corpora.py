"""docs/results/corpora.md: the projects and tokens of prepared corpora, from what `prepare` wrote beside the arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from editahead_models.report.results import LANGUAGE_NAMES, in_order, table

NAME = "corpora"
HEAD = """# Corpora of the language models

Written by `editahead-models report` from `models/results/corpora.json`. Files are those of the newest commit without
vendored, generated, very large and near-duplicate ones; no project gives more than a twentieth of the training code
of its language, or twice the mean where there are fewer than forty projects. The tables count the starts of lines as
tokens too, as the models read them. Corpora that were prepared before this page are listed in the
[cards of their bundles](../../models/editahead_bundles).
"""
_KEPT = ("data_hash", "vocab_size", "distinct_symbols", "near_duplicates_dropped", "missing")
_PER_PROJECT = ("name", "commit", "licence", "split", "files", "tokens")


def take_in(corpus: Path, data: Path) -> str:
    """Keep what a prepared corpus says of itself in `data`, in place of an earlier one of its language; the language.

    ValueError for a folder that `prepare` did not write.
    """
    try:
        described = json.loads((corpus / "data.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{corpus}: no prepared corpus ({error})") from error
    target = data / f"{NAME}.json"
    corpora: dict[str, Any] = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    corpora[described["language"]] = {
        **{key: described[key] for key in _KEPT},
        "projects": [{key: project[key] for key in _PER_PROJECT} for project in described["projects"]],
    }
    target.write_text(json.dumps(corpora, indent=1) + "\n", encoding="utf-8")
    return str(described["language"])


def write(docs: Path, data: Path) -> Path | None:
    """Write the page; None where no corpus was taken in."""
    source, target = data / f"{NAME}.json", docs / f"{NAME}.md"
    if not source.exists():
        return None
    lines = page(json.loads(source.read_text(encoding="utf-8")))
    target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return target


def page(corpora: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the page."""
    yield HEAD.rstrip("\n")
    for language, corpus in in_order(corpora).items():
        projects = {
            split: [project for project in corpus["projects"] if project["split"] == split and project["files"]]
            for split in ("train", "dev")
        }
        tokens = {split: sum(project["tokens"] for project in projects[split]) for split in projects}
        dropped = corpus["near_duplicates_dropped"]
        yield f"\n## {LANGUAGE_NAMES[language]}\n"
        yield (
            f"{len(projects['train'])} projects with {tokens['train'] / 1e6:.1f} million tokens to train on, "
            f"{len(projects['dev'])} with {tokens['dev'] / 1e6:.1f} million to choose on; {dropped['train']:,} "
            f"near-duplicate files left the training projects. Vocabulary: {corpus['vocab_size']:,} of "
            f"{corpus['distinct_symbols']:,} symbols; data hash `{corpus['data_hash']}`."
        )
        for split, title in (("train", "Training projects"), ("dev", "Dev projects")):
            rows = [
                (
                    project["name"], f"`{project['commit'][:12]}`", project["licence"] or "", f"{project['files']:,}",
                    f"{project['tokens'] / 1000:,.0f}", f"{100 * project['tokens'] / tokens[split]:.1f}",
                )
                for project in sorted(projects[split], key=lambda project: -project["tokens"])
            ]  # fmt: skip
            yield "\n" + table((title, "commit", "licence", "files", "tokens, thousand", "share, %"), rows).rstrip("\n")
        if corpus["missing"]:
            reasons = "; ".join(f"{name} ({reason})" for name, reason in corpus["missing"].items())
            yield f"\nListed, but not read: {reasons}."
