"""Install Emacs and Helix, stock clients that `make e2e` tests: `python scripts/install_terminal_editors.py [FOLDER]`.

Emacs with Eglot comes from this machine's apt where it is missing and we are root. FOLDER/helix/bin/hx comes from
Debian's unstable suite, without root, as Neovim 0.12 does. FOLDER is EDITAHEAD_EDITORS, or `editahead-editors` in the
user's cache folder. What works already is left alone.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from install_neovim import InstallError, again, folder_wanted, install_each, unpack_from_debian, write_starter
from install_vscode import install_packages, says

EMACS = ("emacs-nox", "elpa-eglot")  # the packages of Debian; Emacs 29 has Eglot itself
EGLOT = ("--batch", "-q", "--eval", "(progn (package-initialize) (require 'eglot) (princ 'eglot))")


def install_emacs() -> None:
    """Emacs with Eglot. Raises InstallError where it is missing and we may not install it."""
    if says("emacs", EGLOT) != "eglot":
        install_packages(EMACS, "there is none with Eglot: install the packages emacs-nox and elpa-eglot")


def install_helix(folder: Path) -> None:
    """Helix in `folder`, unless it works there already. Raises InstallError."""
    target = folder / "helix"
    if says(target / "bin" / "hx").startswith("helix "):
        return

    def attempt() -> None:
        shutil.rmtree(target, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            root = target / "root"
            loader = unpack_from_debian("hx", root, Path(scratch))
            program = root / "usr/lib/hx/hx"
            write_starter(target / "bin" / "hx", loader, root, program, f'HELIX_RUNTIME="{root}/usr/lib/hx/runtime"')

    again(attempt)
    if not says(target / "bin" / "hx").startswith("helix "):
        raise InstallError(f"{target}/bin/hx does not start")


def main() -> int:
    """Install both editors; 1 if one could not be installed."""
    folder = folder_wanted("Install Emacs and Helix for the editor tests.")
    return install_each({"Emacs": install_emacs, "Helix": lambda: install_helix(folder)})


if __name__ == "__main__":
    sys.exit(main())
