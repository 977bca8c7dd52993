"""Names of open documents and of the project, as one document sees them."""

from __future__ import annotations

from pathlib import Path

from editahead.index.documents import MAX_RECENT, OpenDocuments, OpenText
from editahead.index.ngram_index import NgramIndex
from editahead.index.sliced_work import finish
from editahead.index.types import OPEN, PROJECT, NameOrigin
from editahead.index.view import EMPTY, MAX_NAMES, MAX_WITHOUT_PREFIX, WorkspaceNames
from editahead.index.walk import MAX_BYTES
from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer

from tests.index.test_view import view_of

ROOT = Path("/w")


def text(name: str, content: str, language: str = "python") -> OpenText:
    known = by_id(language)
    assert known is not None
    return OpenText(f"file:///w/{name}", ROOT / name, ROOT, known, Buffer.from_text(content))


def read_all(documents: OpenDocuments, settings: Settings | None = None) -> list[str]:
    """Read what waits; the URIs in the order in which they were read."""
    done = []
    while (waiting := documents.waiting()) is not None:
        done.append(waiting.uri.rpartition("/")[2])
        finish(documents.read(waiting, settings or Settings()))
    return done


def test_surroundings_are_the_same_while_all_that_they_see_is() -> None:
    opened, project = [view_of({"alpha": (1, 1)}, OPEN)], view_of({"beta": (1, 1)}, PROJECT)
    first = WorkspaceNames(opened, project, "a.py")
    assert first.is_same_as(WorkspaceNames(list(opened), project, "a.py"))
    assert not first.is_same_as(WorkspaceNames(opened, project, "b.py"))
    assert not first.is_same_as(WorkspaceNames([], project, "a.py"))
    assert not first.is_same_as(WorkspaceNames([view_of({"alpha": (1, 1)}, OPEN)], project, "a.py"))
    assert not first.is_same_as(WorkspaceNames(opened, EMPTY, "a.py"))
    assert not first.is_same_as(WorkspaceNames(opened, project, "a.py", NgramIndex()))


def test_a_document_is_read_when_it_is_left_and_once_for_each_version() -> None:
    documents = OpenDocuments()
    assert not documents.put(text("a.py", "first = 1\n"))
    assert read_all(documents) == []  # the user is still in it
    assert documents.put(text("b.py", "other = 1\n"))
    assert read_all(documents) == ["a.py"]
    assert read_all(documents) == []
    assert not documents.put(text("b.py", "other = 2\n"))
    assert documents.put(text("a.py", "second = 1\n"))
    assert read_all(documents) == ["b.py"]
    (view,) = documents.others("file:///w/a.py", "python")
    assert view.best("") == [("other", NameOrigin(OPEN, "file:///w/b.py", 0, 1, 1))]
    documents.put(text("c.py", ""))
    read_all(documents)
    newest = documents.others("file:///w/c.py", "python")
    assert [[*view.words] for view in newest] == [["second"], ["other"]]  # the one last touched first


def test_a_request_about_all_open_documents_leaves_their_order_alone() -> None:
    """A next-edit request puts every open document again, the most recent first and its own last."""
    documents = OpenDocuments()
    texts = [text(f"{name}.py", f"{name} = 1\n") for name in ("oldest", "older", "newest", "own")]
    for each in texts:
        documents.put(each)
    read_all(documents)
    own = texts[-1].uri
    for _ in range(2):
        for each in (*reversed(texts[:-1]), texts[-1]):
            documents.put(each)
        assert [[*view.words] for view in documents.others(own, "python")] == [["newest"], ["older"], ["oldest"]]


def test_a_document_that_is_left_for_an_unchanged_one_is_read() -> None:
    documents = OpenDocuments()
    first = text("a.py", "first = 1\n")
    documents.put(first)
    documents.put(text("b.py", "other = 1\n"))
    assert read_all(documents) == ["a.py"]
    assert documents.put(first)  # a completion is requested there
    assert read_all(documents) == ["b.py"]
    documents.close("file:///w/a.py")
    assert not documents.put(text("b.py", "other = 2\n"))


def test_the_buffer_counts_and_not_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("on_disk = 1\n", encoding="utf-8")
    python = by_id("python")
    assert python is not None
    documents = OpenDocuments()
    documents.put(OpenText("u:a", tmp_path / "a.py", tmp_path, python, Buffer.from_text("in_buffer = 1\n")))
    documents.put(text("b.py", ""))
    read_all(documents)
    (view,) = documents.others("file:///w/b.py", "python")
    assert [*view.words] == ["in_buffer"]


def test_closed_excluded_and_very_large_documents_have_no_names() -> None:
    documents = OpenDocuments()
    for name in ("credentials.py", "vendor.py", "closed.py"):
        documents.put(text(name, "hidden = 1\n"))
    documents.put(text("large.py", "hidden = 1\n" * (MAX_BYTES // 10)))
    documents.put(text("b.py", ""))
    documents.close("file:///w/closed.py")
    read_all(documents, Settings(exclude=("vendor.py",)))
    assert all(len(view) == 0 for view in documents.others("file:///w/b.py", "python"))
    documents.clear()  # the rules have changed
    assert "vendor.py" in read_all(documents)
    assert [*documents.others("file:///w/b.py", "python")[1].words] == ["hidden"]


def test_a_document_that_is_closed_while_it_is_read_stays_closed() -> None:
    documents = OpenDocuments()
    documents.put(text("a.py", "aa = 1\n"))
    documents.put(text("b.py", ""))
    waiting = documents.waiting()
    assert waiting is not None
    steps = documents.read(waiting, Settings())
    next(steps)
    documents.close(waiting.uri)
    finish(steps)
    assert documents.others("file:///w/b.py", "python") == ()


def test_only_the_most_recent_documents_are_read() -> None:
    documents = OpenDocuments()
    for n in range(3 * MAX_RECENT):
        documents.put(text(f"{n}.py", f"name_{n} = 1\n"))
    assert len(read_all(documents)) == MAX_RECENT - 1


def test_languages_are_kept_apart() -> None:
    documents = OpenDocuments()
    documents.put(text("A.java", "class Shop {}\n", "java"))
    documents.put(text("b.py", ""))
    read_all(documents)
    assert documents.others("file:///w/b.py", "python") == ()
    assert len(documents.others("file:///w/b.py", "java")) == 1


# -- put together


def test_open_documents_go_first_and_the_recent_among_them() -> None:
    project = view_of({"far": (90, 9), "both": (5, 4), "only_project": (1, 1)})
    recent = view_of({"both": (1, 1), "near": (2, 1)}, OPEN)
    older = view_of({"near": (1, 1), "old": (2, 1)}, OPEN)
    names = WorkspaceNames([recent, older], project).names("")
    assert list(names) == ["near", "old", "both", "far", "only_project"]
    assert names["near"] == NameOrigin(OPEN, "pkg/a.py", 1, 3, 2)
    assert names["both"] == NameOrigin(OPEN, "pkg/a.py", 0, 5, 4)  # counts of the project, where they are larger
    assert names["far"].source == PROJECT
    assert set(WorkspaceNames([recent, older], project).names("o")) == {"old", "only_project"}


def test_there_is_room_for_both() -> None:
    project = view_of({f"project{n:04}": (1, 1) for n in range(1000)})
    opened = [view_of({f"p_open{n:04}": (1, 1) for n in range(d * 1000, d * 1000 + 1000)}, OPEN) for d in range(6)]
    for prefix, most in (("p", MAX_NAMES), ("", MAX_WITHOUT_PREFIX)):
        names = WorkspaceNames(opened, project).names(prefix)
        assert len(names) == most
        assert sum(origin.source == OPEN for origin in names.values()) == most // 2
        assert len(WorkspaceNames(opened, EMPTY).names(prefix)) == most
        assert len(WorkspaceNames((), project).names(prefix)) == most


def test_an_answer_is_made_once() -> None:
    surroundings = WorkspaceNames([view_of({"alpha": (1, 1)}, OPEN)], EMPTY)
    assert surroundings.names("al") is surroundings.names("al")
    assert dict(surroundings.names("zz")) == {}


def test_a_document_has_no_surroundings_unless_somebody_gives_them() -> None:
    assert Document.__dataclass_fields__["elsewhere"].default is None
