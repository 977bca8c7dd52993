"""What `make docs` hands to Sphinx: pages, links, chapters; and what a browser would fetch from the built site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from editahead.syntax.language import all_languages

from scripts.docs_site import bundles, commands, gather, navigation
from scripts.docs_site.__main__ import fetched
from scripts.docs_site.links import BrokenLinkError, moved


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in ("README.md", "docs/a.md", "docs/adr/README.md", "docs/adr/0001.md", "src/code.py", "docs/p.svg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# x\n", encoding="utf-8")
    return tmp_path


def links(text: str, repository: Path, page: str = "docs/a.md") -> tuple[str, set[Path]]:
    pages = {
        repository / "README.md": "index",
        repository / "docs/a.md": "a",
        repository / "docs/adr/0001.md": "adr/0001",
    }
    pages[repository / "docs/adr/README.md"] = "adr/index"
    assets: set[Path] = set()
    return moved(text, repository / page, pages[repository / page], pages, repository, assets), assets


@pytest.mark.parametrize(
    ("page", "written", "there"),
    [
        ("docs/a.md", "[b](adr/0001.md#top)", "[b](adr/0001.md#top)"),
        ("docs/a.md", "[b](../README.md)", "[b](index.md)"),
        ("docs/adr/0001.md", "[b](../../README.md)", "[b](../index.md)"),
        ("README.md", "[`b`](docs/adr)", "[`b`](adr/index.md)"),
        ("docs/a.md", "[the code](../src/code.py)", "the code (`src/code.py`)"),
        ("docs/a.md", "[b](https://example.org/x.md)", "[b](https://example.org/x.md)"),
        ("docs/a.md", "`[b](none.md)`", "`[b](none.md)`"),
        ("docs/a.md", "a [b\nc](../README.md) d", "a [b\nc](index.md) d"),
        ("docs/a.md", "[b\n```\nc](none.md)\n```", "[b\n```\nc](none.md)\n```"),
        ("docs/a.md", "```\n[b](none.md)\n```", "```\n[b](none.md)\n```"),
    ],
)
def test_links_lead_to_the_pages_of_the_site(repository: Path, page: str, written: str, there: str) -> None:
    assert links(written, repository, page) == (there, set())


def test_a_folder_leads_to_the_page_that_is_made_for_it() -> None:
    for folder, page in gather.MADE_FOR.items():
        assert folder.is_dir()
        assert page in gather.generated()
    text = moved(
        "[cards](../models/editahead_bundles)", gather.ROOT / "docs" / "a.md", "a", gather.MADE_FOR, gather.ROOT, set()
    )
    assert text == "[cards](bundles/index.md)"


def test_pictures_come_along(repository: Path) -> None:
    assert links("![b](p.svg)", repository) == ("![b](/docs/p.svg)", {repository / "docs/p.svg"})


def test_a_broken_link_names_its_page(repository: Path) -> None:
    with pytest.raises(BrokenLinkError, match=r"^docs/a\.md: no none\.md$"):
        links("[b](none.md)", repository)


def test_every_page_has_one_place() -> None:
    pages = [*gather.sources().values(), *gather.generated()]
    placed = [page for below in navigation.chapters(pages).values() for page in below]
    assert sorted(placed) == sorted(set(pages) - {"index"})


def test_every_chapter_names_pages_that_are_there() -> None:
    pages = {*gather.sources().values(), *gather.generated()}
    named = {name for names in navigation.CHAPTERS.values() for name in names if "*" not in name}
    assert named - pages == set()


@pytest.mark.slow
def test_every_command_has_a_page_with_its_options() -> None:
    folder = gather.ROOT / "docs" / "commands"
    assert {path.stem for path in folder.glob("*.md")} - {"README"} == set(commands.names())
    for name in commands.names():
        page = (folder / f"{name}.md").read_text(encoding="utf-8")
        assert commands.MARK.findall(page) == (commands.below(name) or [name])


def test_options_are_those_of_the_command_line() -> None:
    table = commands.with_options("before\n\n<!-- options: check -->\n\nafter")
    assert table.startswith("before\n\n```\neditahead check [OPTIONS] [PATH...]\n```\n")
    assert "| `--format text\\|json\\|sarif` | `text` | Output format. |\n" in table
    assert "| `--base REV` | `HEAD` | " in table
    assert "| `--json` |  | Print JSON. |\n" in table
    assert "| `FILE:LINE` | required | " in commands.options("describe")
    with pytest.raises(KeyError):
        commands.with_options("<!-- options: none -->")


def test_every_surface_that_a_model_serves_has_a_page() -> None:
    folder = gather.ROOT / "docs" / "surfaces"
    assert {page for _, surfaces in bundles.FAMILIES.values() for page, _ in surfaces} == {
        path.stem for path in folder.glob("*.md")
    }


def test_next_edits_name_every_language_with_scopes() -> None:
    page = (gather.ROOT / "docs" / "surfaces" / "next-edit.md").read_text(encoding="utf-8")
    words = set(re.findall(r"[\w#+]+", page.partition("**Consequences of one edit**")[2].partition(")")[0].lower()))
    spelled = {"c_sharp": "c#", "cpp": "c++"}
    assert {spelled.get(one.id, one.id) for one in all_languages() if one.scopes is not None} - words == set()


def test_what_a_browser_would_fetch_elsewhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://a.org"></a><script src="b.js"></script>', encoding="utf-8")
    (tmp_path / "a.css").write_text("a { background: url(data:x) }", encoding="utf-8")
    assert list(fetched(tmp_path)) == []
    (tmp_path / "b.html").write_text('<link rel="x" href="https://b.org/f.css">', encoding="utf-8")
    (tmp_path / "b.css").write_text("@import '//b.org/f.css';", encoding="utf-8")
    assert list(fetched(tmp_path)) == ["b.css fetches //b.org/f.css", "b.html fetches https://b.org/f.css"]
