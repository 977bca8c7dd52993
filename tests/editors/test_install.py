"""The scripts that install editors: a network that is away for a moment costs a pause, one that stays away one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import install_neovim
import install_vscode
from install_neovim import InstallError


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_neovim, "PAUSE", 0)


@pytest.mark.parametrize(("failures", "calls"), [(0, 1), (2, 3)])
def test_what_fails_is_tried_again(failures: int, calls: int) -> None:
    seen: list[int] = []

    def do() -> None:
        seen.append(1)
        if len(seen) <= failures:
            raise InstallError("away")

    install_neovim.again(do)
    assert len(seen) == calls


def test_after_three_tries_the_reason_is_told() -> None:
    seen: list[int] = []

    def do() -> None:
        seen.append(1)
        raise InstallError(f"away {len(seen)}")

    with pytest.raises(InstallError, match=r"^away 3$"):
        install_neovim.again(do)


def test_a_failure_is_one_line() -> None:
    with pytest.raises(InstallError, match=r"^sh failed: last$"):
        install_neovim.run("sh", "-c", "echo first >&2; echo last >&2; exit 3")


def test_without_npm_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InstallError, match="install Node 20"):
        install_vscode.install_code(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_browser_that_is_named_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", sys.executable)
    monkeypatch.setattr(install_vscode, "run", lambda *_, **__: pytest.fail("nothing is to be installed"))
    install_vscode.install_chromium()
