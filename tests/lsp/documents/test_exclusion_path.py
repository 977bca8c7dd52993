"""Which documents are left alone by their names: every URI scheme, capitals, links; and what is not silenced."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.exclusion import exclusion, exclusion_by_name
from editahead.lsp.rpc.uris import path_for_exclusion
from editahead.settings import Settings
from fake_engine import FakeEngine
from raw_client import Client

Start = Callable[..., Client]
TEXT = "alpha = 1\nal\n"
SECRET = [
    "file:///w/.env",
    "FILE:///w/.ENV",
    "File:///w/id_rsa.py",
    "vscode-notebook-cell:/w/secrets.ipynb#W0sZmlsZQ%3D%3D",
    "vscode-notebook-cell://ssh-remote%2Bbox/w/my_secrets.ipynb#X",
    "git:/w/credentials.py?%7B%22path%22%3A%22%2Fw%2Fcredentials.py%22%2C%22ref%22%3A%22~%22%7D",
    "git:/w/server.pem.git?%7B%22ref%22%3A%22%22%7D",
    "untitled:.env",
    "untitled:/w/deploy.key",
    "untitled:secret_plan.py",
    "UNTITLED:Credentials.py",
    "vscode-remote://ssh-remote%2Bbox/home/me/.aws/config.py",
    "zipfile:///w/a.zip::inner/.env",
    "fugitive:///w/.git//0/id_ed25519.py",
    "gitlens://61626364/w/.npmrc?%7B%22ref%22%3A%22a%22%7D",
    "git:/w/%2eenv",
    "untitled:/w/x/../.env",
    "vscode-vfs://[broken/w/secret.py",
]
PLAIN = [
    "file:///w/main.py",
    "file:///w/secret-santa/app.py",
    "file:///w/src/secrets_manager/store.py",
    "file:///w/credentials/model.py",
    "untitled:Untitled-1",
    "vscode-notebook-cell:/w/secret-santa/plots.ipynb#W0",
    "untitled:",
    "memory:",
    "secret:/w/main.py",
    "git:/w/main.py.git?x",
]


@pytest.mark.parametrize("uri", SECRET)
def test_a_name_that_may_hold_secrets_counts_in_every_scheme(uri: str, start: Start, engine: FakeEngine) -> None:
    assert exclusion_by_name(Settings(), path_for_exclusion(uri), None) == "may hold secrets"
    client = start()
    client.open(TEXT, uri, version=1)
    assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"] == []
    assert engine.seen == []


@pytest.mark.parametrize("uri", PLAIN)
def test_a_folder_that_sounds_like_secrets_silences_nothing(uri: str, start: Start) -> None:
    client = start()
    client.open(TEXT, uri, version=1)
    assert [item["label"] for item in client.request("textDocument/completion", client.at(uri, 1, 2))["items"]]


def test_folders_that_hold_secrets_are_named_with_a_slash() -> None:
    settings = Settings(secrets=("*.key", "vault/", "config/prod*", "!public.key"))
    judged = {
        where: exclusion_by_name(settings, Path("/w") / where, Path("/w")) is not None
        for where in (
            "a.key",
            "public.key",
            "x.key/a.py",
            "vault/a.py",
            "b/vault/c/a.py",
            "config/prod/a.py",
            "prod/a.py",
        )
    }
    assert [where for where, left_alone in judged.items() if left_alone] == [
        "a.key", "vault/a.py", "b/vault/c/a.py", "config/prod/a.py",
    ]  # fmt: skip
    assert exclusion_by_name(settings, Path("/w/x.key"), Path("/w"), folder=True) is None


def test_the_users_own_patterns_count_in_every_scheme(start: Start, engine: FakeEngine, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("made.ipynb\n", encoding="utf-8")
    client = start(
        workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}],
        initializationOptions={"exclude": ["/private/", "*.gen.*"]},
    )
    place = tmp_path.as_uri().removeprefix("file://")
    for uri in (
        f"vscode-notebook-cell:{place}/private/a.ipynb#W0",
        f"git:{place}/private/a.py?x",
        f"untitled:{place}/b.gen.py",
        "untitled:b.gen.py",
        f"vscode-notebook-cell:{place}/made.ipynb#W0",
    ):
        client.open(TEXT, uri, version=1)
        assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"] == [], uri
    assert engine.seen == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_is_judged_by_where_it_leads_as_well(start: Start, engine: FakeEngine, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "private").mkdir(parents=True)
    (tmp_path / ".aws").mkdir()
    targets = {
        "a.py": tmp_path / ".aws" / "config.py",
        "b.py": tmp_path / "credentials",
        "c.py": root / "private" / "c.py",
        "d.py": root / "made.py",
        "good.py": tmp_path / "good.py",
    }
    for name, target in targets.items():
        target.write_text(TEXT, encoding="utf-8")
        (root / name).symlink_to(target)
    (root / "inner").symlink_to(tmp_path / ".aws")
    (root / ".gitignore").write_text("made.py\n", encoding="utf-8")
    settings = Settings(exclude=("/private/",))
    judged = {name: exclusion(settings, root / name, root) for name in (*targets, "inner/config.py")}
    assert judged == {
        "a.py": "may hold secrets",
        "b.py": "may hold secrets",
        "c.py": "named in editahead.exclude",
        "d.py": "named in a .gitignore",
        "good.py": None,
        "inner/config.py": "may hold secrets",
    }
    (tmp_path / "linked").symlink_to(root)
    assert exclusion(settings, tmp_path / "linked" / "made.py", tmp_path / "linked") == "named in a .gitignore"
    assert exclusion(Settings(exclude=("/root/",)), tmp_path / "linked" / "x.py", tmp_path / "linked") is None
    client = start(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    for name in ("a.py", "b.py", "d.py", "inner/config.py"):
        uri = client.open(TEXT, (root / name).as_uri(), version=1)
        assert client.request("textDocument/completion", client.at(uri, 1, 2))["items"] == []
    assert engine.seen == []
