"""Measures editahead beside other servers on the same places of the same projects; writes docs/results/bench.md.

    python scripts/bench_peers.py REPOSITORY...           # git repositories, bare or not, that no model has learnt from
    python scripts/bench_peers.py --render                # the page again, from models/results/bench.json

What is in models/results/bench.json already is not measured again, so that a run may be cut short and gone on with.

The peers are installed into an environment of their own in the user's cache folder (once, about 400 MB).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from editahead.bench.figures import FIGURES, Report, compare, percentile, read_report, with_unit
from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parent.parent
DATA, PAGE = ROOT / "models" / "results" / "bench.json", ROOT / "docs" / "results" / "bench.md"
PACKAGES = ("jedi-language-server==0.47.0", "python-lsp-server==1.15.0", "basedpyright==1.40.2")
LEAST_PLACES = 5
OURS, WORDS = "editahead", "words of the buffer"
SEMANTIC = ("jedi-language-server", "python-lsp-server", "basedpyright")
ROWS = ("keys_saved", "keys_saved_menu", "top1", "top5", "top1_typed", "top5_typed", "completion_quiet",
        "completion_p50", "completion_p95", "completion_p99", "completion_cpu")  # fmt: skip
OWN_ROWS = ("inline_shown", "inline_right", "inline_kept", "inline_p50", "inline_p99", "edit_shown", "edit_right",
            "edit_found", "edit_kept", "edit_reversal", "edit_ece", "completion_ece", "next_edit_p50",
            "next_edit_p99", "inline_cpu", "next_edit_cpu")  # fmt: skip


def peers() -> dict[str, str]:
    """Commands of the other servers, installed if they are not yet."""
    home = user_cache_path("editahead", appauthor=False) / "peers"
    programs = home / ("Scripts" if sys.platform == "win32" else "bin")
    if not (home / "installed").exists():
        print(f"installing the peers into {home}", file=sys.stderr)
        venv.create(home, with_pip=True)
        subprocess.run([programs / "python", "-m", "pip", "install", "-q", *PACKAGES], check=True)
        (home / "installed").write_text("\n".join(PACKAGES), encoding="utf-8")
    return {
        "jedi-language-server": f"{programs / 'jedi-language-server'}",
        "python-lsp-server": f"{programs / 'pylsp'}",
        "basedpyright": f"{programs / 'basedpyright-langserver'} --stdio",
    }


def measure(repository: Path, server: str, arguments: list[str]) -> dict[str, Any]:
    """One bench run, as its JSON."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        command = [sys.executable, "-m", "editahead", "bench", repository, "--json", out, *arguments]
        subprocess.run([*map(str, command), *(["--server", server] if server else [])], check=True, stdout=sys.stderr)
        return json.loads(out.read_text(encoding="utf-8"))


def joined(reports: list[dict[str, Any]], sources: tuple[str, ...] = ("retype", "commits")) -> Report:
    """Several reports of one server as one."""
    read = [read_report(raw) for raw in reports]
    failed: dict[str, int] = {}
    for one in read:
        for key, count in one.failed.items():
            failed[key] = failed.get(key, 0) + count
    places = tuple(place for one in read for place in one.places if place.source in sources)
    return Report(
        read[0].about, places, tuple(row for one in read for row in one.process[:1]), read[0].surfaces, failed
    )


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path)
    parser.add_argument("--places", type=int, default=6, help="of each project (default 6)")
    parser.add_argument("--commits", type=int, default=6, help="of each project, for editahead alone (default 6)")
    parser.add_argument("--language", default="python", help="peers are measured for python alone")
    parser.add_argument("--fresh", action="store_true", help="measure again what was measured before")
    parser.add_argument("--render", action="store_true", help="write the page from the data that is there")
    args = parser.parse_args()
    data = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    if not args.render:
        if not args.repositories:
            parser.error("name the repositories to measure on")
        servers = {OURS: "", WORDS: f"{sys.executable} -m editahead_models.publishing.keystrokes.nearest_words"}
        servers |= peers() if args.language == "python" else {}
        if args.fresh:
            data.pop(args.language, None)
        found: dict[str, list[dict[str, Any]]] = data.setdefault(args.language, {})
        with tempfile.TemporaryDirectory() as folder:
            for path in args.repositories:
                title = path.parent.name if path.name in ("repo", ".git") else path.name
                link = Path(folder) / title.rpartition("+")[2]  # names the places in the report
                link.symlink_to(path.resolve())
                for name, command in servers.items():
                    reports = found.setdefault(name, [])
                    if any(place["name"].startswith(f"{link.name} ") for raw in reports for place in raw["places"]):
                        continue
                    wanted = ["--places", str(args.places), "--language", args.language]
                    wanted += ["--commits", str(args.commits if name == OURS else 0)]
                    print(f"{title}: {name}", file=sys.stderr, flush=True)
                    reports.append({**measure(link, command, wanted), "server": name})
                    DATA.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    PAGE.write_text(page(data), encoding="utf-8")
    return 0


def page(data: dict[str, Any]) -> str:
    """The results as Markdown."""
    parts = [
        "# Comparison with other servers\n",
        "Generated by `python scripts/bench_peers.py`, which measures all servers one after the other on each project: "
        "the same stretches of code are retyped key by key in the same files, and every server gets the files without "
        "these stretches. [bench](../commands/bench.md) defines the figures. No model was trained on these "
        "projects.\n",
    ]
    for language, found in data.items():
        parts += _language(language, found)
    parts += [
        "## Notes\n",
        "Completions are compared as a menu shows them: items that begin with the typed letters, by `sortText`. The "
        "semantic servers sort by kind and name, not by probability, and were not given the dependencies of the "
        "projects. Their lists are complete, and they know types, signatures and imports; editahead predicts from "
        "what it has read, and its lists are short. Both can be combined: "
        "[bench](../commands/bench.md#beside-another-server) describes how to rank the items of another server.\n",
        "httpcore contains most of its code twice, with and without `async`: a server that reads the project finds the "
        "other version of what is typed. Under the load named above, some answers of editahead exceed its deadlines "
        "(2 s for next edits) and count as empty.\n",
        "Only the paths of the places are stored. PyGithub is measured like the others, although its licence (LGPL) "
        "excludes it from training.\n",
        "Of these servers, only editahead has ghost text and next edits. No GPU was measured.\n",
    ]
    return "\n".join(parts)


def _language(language: str, found: dict[str, list[dict[str, Any]]]) -> list[str]:
    typed = {name: joined(reports, ("retype",)) for name, reports in found.items() if reports}
    values = {name: report.values() for name, report in typed.items()}
    units = {figure.key: (figure.title, figure.unit) for figure in FIGURES}
    units |= {
        "start_ms": ("process start to first answer, median", "ms"),
        "rss_mb": ("resident memory, the most", "MB"),
    }
    about = typed[OURS].about
    machine = about["machine"]
    projects = list(dict.fromkeys(place.name.split(" ")[0] for place in typed[OURS].places))
    parts = [
        f"## {language.capitalize()}\n",
        f"{len(typed[OURS].places)} places of {', '.join(projects)}; {machine['processor']}, {machine['cores']} cores, "
        f"load at the start of the runs {_loads(found)}, Python {machine['python']}, {about['date']}.\n",
        "| | " + " | ".join(typed) + " |",
        "|---|" + "---:|" * len(typed),
    ]
    for key in (*ROWS, "start_ms", "rss_mb"):
        title, unit = units[key]
        parts.append(f"| {title} | " + " | ".join(with_unit(values[name][key], unit) for name in typed) + " |")
    late = {name: sum(report.failed.values()) for name, report in typed.items()}
    parts.append("| answers with an error or after 10 s | " + " | ".join(str(late[name]) for name in typed) + " |\n")
    missing = [name for name in SEMANTIC if name not in typed]
    if missing and language == "python":
        parts.append(f"Not measured in this run: {', '.join(missing)}.\n")
    if len(typed[OURS].places) < LEAST_PLACES:
        parts.append(
            f"**Only {len(typed[OURS].places)} places: only a first impression.** No bounds are given below "
            f"{LEAST_PLACES} places, and wall-clock times were taken on a busy machine: use the processor time.\n"
        )
    else:
        parts += [_against(name, typed[name], typed[OURS]) for name in typed if name != OURS]
    for key, what in (("completion_p50", "wall-clock time"), ("completion_cpu", "processor time")):
        semantic = {name: value for name in SEMANTIC if name in values and (value := values[name][key]) is not None}
        ours = values[OURS][key]
        if semantic and ours:
            fastest = min(semantic, key=semantic.__getitem__)
            ratio = semantic[fastest] / ours
            parts.append(
                f"\nThe aim is a fifth of the time of the fastest semantic server at p50. By {what} that is {fastest}: "
                f"{with_unit(semantic[fastest], 'ms')}, {ratio:.1f} times that of editahead: "
                f"{'reached' if ratio >= 5 else 'missed'}.\n"
            )
    whole = joined(found[OURS])
    own = whole.values()
    edits = sum(place.source == "commits" for place in whole.places)
    parts += [
        f"\nGhost text and next edits of editahead; next edits on {edits} files of replayed commits:\n",
        "| | editahead |", "|---|---:|",
        *(f"| {units[key][0]} | {with_unit(own[key], units[key][1])} |" for key in OWN_ROWS), "",
    ]  # fmt: skip
    return parts


def _against(name: str, other: Report, ours: Report) -> str:
    """One line: what is better and worse than a peer, beyond noise."""
    differences = [one for one in compare(other, ours) if one.figure.key in ROWS]
    said = []
    for verdict in ("better", "worse"):
        titles = [difference.figure.title for difference in differences if difference.verdict == verdict]
        said.append(f"{verdict} in {'; '.join(titles) or 'nothing'}")
    return f"- Against {name}, beyond noise (bootstrap over places, 99 %): {', '.join(said)}."


def _loads(found: dict[str, list[dict[str, Any]]]) -> str:
    loads = [
        raw["machine"]["load"] for reports in found.values() for raw in reports if raw["machine"]["load"] is not None
    ]
    return f"{min(loads)} to {max(loads)} (median {percentile(loads, 0.5)})" if loads else "unknown"


if __name__ == "__main__":
    if shutil.which("git") is None:
        sys.exit("git was not found: install it, or put it on the PATH")
    sys.exit(main())
