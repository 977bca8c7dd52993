"""The check of artefacts sees each thing that must not be in one."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from scripts.release import contents
from scripts.release.tree import ReleaseError

LICENCE = b"MIT\n"
INFO = "editahead-1.0.0.dist-info"
WHEEL = {
    "editahead/cli/main.py": b"x = 1\n",
    f"{INFO}/licenses/LICENSE": LICENCE,
    f"{INFO}/METADATA": b"Name: editahead\n",
}
SOURCES = {"server/editahead/cli/main.py": b"x = 1\n", "LICENSE": LICENCE, "secret.txt": b"word"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, content in SOURCES.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "source"


def packed(folder: Path, members: Mapping[str, bytes], name: str = "editahead-1.0.0-py3-none-any.whl") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return path


def found(path: Path, source: Path, traces: tuple[str, ...] = ()) -> list[str]:
    tracked = [name for name in SOURCES if name != "secret.txt"]
    return [line.removeprefix(f"{path.name}: ") for line in contents.problems(path, source, tracked, traces)]


def test_a_good_wheel_has_no_problem(tmp_path: Path, source: Path) -> None:
    assert found(packed(tmp_path, WHEEL), source, ("/home/builder",)) == []


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({"editahead/secret.py": b""}, "editahead/secret.py comes from no tracked file"),
        ({"notes.txt": b""}, "notes.txt comes from no tracked file"),
        ({"editahead/cli/main.py": b"x = 2\n"}, "editahead/cli/main.py is not server/editahead/cli/main.py as it is"),
        ({f"{INFO}/METADATA": b"built in /home/builder/x"}, f"{INFO}/METADATA holds /home/builder"),
        ({f"{INFO}/licenses/LICENSE": b"other"}, f"{INFO}/licenses/LICENSE is not LICENSE as it is"),
        ({"editahead/../../etc/x": b""}, "editahead/../../etc/x leads out of the archive"),
        ({"/etc/x": b""}, "/etc/x leads out of the archive"),
    ],
)
def test_what_must_not_be_in_a_wheel_is_named(
    tmp_path: Path, source: Path, members: dict[str, bytes], problem: str
) -> None:
    (line,) = found(packed(tmp_path, {**WHEEL, **members}), source, ("/home/builder",))
    assert line.startswith(problem)


def test_a_missing_licence_is_named(tmp_path: Path, source: Path) -> None:
    members = {name: content for name, content in WHEEL.items() if "LICENSE" not in name}
    (line,) = found(packed(tmp_path, members), source)
    assert "LICENSE" in line


def test_a_large_wheel_is_named(tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "MAX_WHEEL", 100)
    (line,) = found(packed(tmp_path, WHEEL), source)
    assert line.startswith("it has ")


def test_a_link_in_an_archive_is_refused(tmp_path: Path, source: Path) -> None:
    path = tmp_path / "editahead-1.0.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        content = tarfile.TarInfo("editahead-1.0.0/LICENSE")
        content.size = len(LICENCE)
        archive.addfile(content, io.BytesIO(LICENCE))
        link = tarfile.TarInfo("editahead-1.0.0/x")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(ReleaseError, match="x is a link or a device"):
        contents.problems(path, source, SOURCES)


def test_an_extension_holds_this_wheel_and_the_licences_of_its_packages(tmp_path: Path) -> None:
    wheel = packed(tmp_path, WHEEL)
    notices = b"head\n\nsemver 7.0.0 (ISC)\n\ntext\n"
    good = {f"extension/bundled/{wheel.name}": wheel.read_bytes(), "extension/ThirdPartyNotices.txt": notices}
    vsix = packed(tmp_path, good, "editahead-1.0.0.vsix")
    assert contents.vsix_problems(vsix, wheel, {"semver": "7.0.0"}) == []
    assert len(contents.vsix_problems(vsix, wheel, {"semver": "7.0.1", "minimatch": "10.0.0"})) == 2
    other = packed(tmp_path, {**good, f"extension/bundled/{wheel.name}": b"another"}, "editahead-1.0.0.vsix")
    assert len(contents.vsix_problems(other, wheel, {})) == 1


def test_what_is_no_artefact_is_refused() -> None:
    assert contents.kind_of("editahead.nvim-1.0.0.tar.gz") == "neovim"
    assert contents.kind_of("editahead-1.0.0.tar.gz") == "sdist"
    with pytest.raises(ReleaseError, match=r"notes\.txt is no artefact"):
        contents.kind_of("notes.txt")
