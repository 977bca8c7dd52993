"""Build and check a release: `python -m scripts.release build`, `... version 1.2.3`, `... notes --tag v1.2.3`."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.release import artefacts, changelog, clean_install, contents, sbom
from scripts.release.tree import ROOT, ReleaseError, export, source_date, uncommitted
from scripts.release.version import SOURCE, outdated, version_of, write

CHECKSUMS = "SHA256SUMS"


def build(arguments: argparse.Namespace) -> None:
    """All artefacts, checked, in the folder that the command line names. Raises ReleaseError."""
    dirty = uncommitted(ROOT)
    if dirty and not arguments.allow_dirty:
        raise ReleaseError(f"{len(dirty)} files are not committed ({dirty[0]}): commit them, or use --allow-dirty")
    if names := list(outdated(ROOT)):
        raise ReleaseError(f"{', '.join(names)} has another version than {SOURCE}: python -m scripts.release version")
    out: Path = arguments.out.resolve()
    os.umask(0o022)  # modes of built files are the same on every machine
    with tempfile.TemporaryDirectory(prefix="editahead-release-") as scratch:
        folder = Path(scratch).resolve()
        made = folder / "made"
        made.mkdir()
        files = _build(folder, made, arguments)
        (made / CHECKSUMS).write_text(checksums(files), encoding="utf-8")
        out.mkdir(parents=True, exist_ok=True)
        for old in [*out.glob("editahead[-.]*"), out / CHECKSUMS]:
            old.unlink(missing_ok=True)
        for path in sorted(made.iterdir()):
            shutil.copyfile(path, out / path.name)
            print(f"{path.stat().st_size / 1e6:8.2f} MB  {os.path.relpath(out / path.name)}")


def _build(folder: Path, made: Path, arguments: argparse.Namespace) -> list[Path]:
    source = folder / "source"
    tracked, epoch, version = export(ROOT, source), source_date(ROOT), version_of(ROOT)
    print(f"editahead {version}, SOURCE_DATE_EPOCH={epoch}", flush=True)
    wheel, sdist = artefacts.python_packages(source, made, epoch)
    files = [wheel, sdist, artefacts.neovim_plugin(source, made, version, epoch)]
    _same_from_sdist(wheel, sdist, folder / "again", epoch)
    packages: list[dict[str, str]] = []
    found: list[str] = []
    if not arguments.without_vscode:
        vsix = artefacts.vscode_extension(source, artefacts.node_modules(ROOT), wheel, made, epoch)
        packages = json.loads((source / artefacts.EXTENSION / "dist" / "packages.json").read_text(encoding="utf-8"))
        files.append(vsix)
        found += contents.vsix_problems(vsix, wheel, {each["name"]: each["version"] for each in packages})
    traces = [f"{place}{os.sep}" for place in (folder, ROOT, Path.home()) if place != Path(place.anchor)]
    for path in files:
        found += contents.problems(path, source, tracked, traces)
    if found:
        raise ReleaseError(f"{len(found)} problems in the artefacts:\n  " + "\n  ".join(found[:20]))
    methods = ["pip"] if arguments.without_install else list(clean_install.INSTALLERS)
    for method in methods:
        program = clean_install.INSTALLERS[method](wheel, folder / method)
        print(f"{method}: {clean_install.check_program(program, folder / method / 'user', version)}", flush=True)
    python = clean_install.python_of(folder / "pip")
    text = json.dumps(sbom.create_sbom(python, source, packages, files, version), indent=2) + "\n"
    if error := sbom.schema_errors(text):
        raise ReleaseError(f"the SBOM is not valid CycloneDX {sbom.SPECIFICATION}: {error}")
    if named := [trace for trace in traces if trace in text]:
        raise ReleaseError(f"the SBOM names the local path {named[0]}")
    sbom_file = made / f"editahead-{version}.cdx.json"
    sbom_file.write_text(text, encoding="utf-8")
    return [*files, sbom_file]


def _same_from_sdist(wheel: Path, sdist: Path, folder: Path, epoch: int) -> None:
    """The sdist is whole: what it builds is the wheel, byte by byte. Raises ReleaseError."""
    shutil.unpack_archive(sdist, folder, filter="data")
    target = folder / "built"
    again, _ = artefacts.python_packages(folder / sdist.name.removesuffix(".tar.gz"), target, epoch)
    if again.read_bytes() != wheel.read_bytes():
        raise ReleaseError(f"{sdist.name} builds another wheel than the repository does")


def checksums(files: Sequence[Path]) -> str:
    """The lines that `sha256sum --check` reads."""
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))


def set_version(arguments: argparse.Namespace) -> None:
    """Set the version, or write the present one wherever it is mentioned. Raises ReleaseError."""
    for name in write(ROOT, arguments.version):
        print(f"written: {name}")
    print(version_of(ROOT))


def print_notes(arguments: argparse.Namespace) -> None:
    """The version's section of the changelog. Raises ReleaseError, also if the tag is another version's."""
    version = version_of(ROOT)
    if arguments.tag:
        changelog.check_tag(arguments.tag, version)
    print(changelog.notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version), end="")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description="Build and check a release.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("build", help="wheel, sdist, .vsix, Neovim plugin, SBOM, checksums")
    one.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the artefacts (default: dist)")
    one.add_argument("--allow-dirty", action="store_true", help="build although files are not committed")
    one.add_argument("--without-vscode", action="store_true", help="leave the extension out (no Node here)")
    one.add_argument(
        "--without-install", action="store_true", help="do not install with pipx and uv; pip is always used"
    )
    one.set_defaults(do=build)
    one = commands.add_parser("version", help="set the version, or bring all mentions in line with it")
    one.add_argument("version", nargs="?", metavar="X.Y.Z", help="the new version; none: keep the present one")
    one.set_defaults(do=set_version)
    one = commands.add_parser("notes", help="print what CHANGELOG.md says of this version")
    one.add_argument("--tag", help="fail unless this tag belongs to the version")
    one.set_defaults(do=print_notes)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """The command line; 1 with one line on standard error if something is wrong."""
    arguments = _parser().parse_args(words)
    try:
        arguments.do(arguments)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
