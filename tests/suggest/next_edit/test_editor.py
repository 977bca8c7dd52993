"""Next edits: what is computed again, every gate with its reason, repeated edits with the shipped model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.encode.edit_model.history import LineRegion
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel, select_providers
from editahead.settings import Settings
from editahead.suggest.gate import meets_threshold
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.next_edit.editor import NextEditor, pattern_key
from editahead.suggest.next_edit.rollout.decoder_cache import DecoderCache, rebase_regions
from editahead.suggest.next_edit.rollout.hunk_search import RollOut
from editahead.suggest.next_edit.rollout.rollout_features import FEATURES, JOINT, line_numbers, past_hunks, program_of
from editahead.suggest.next_edit.scoring.candidate_scorer import shipped_scorer
from editahead.suggest.types import Decision, Document, NextEdit, Reason, Rejection, Shown, Suppressed
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History

from tests.encode.edit_model.reference import track
from tests.suggest.next_edit.deciding import deciding, next_edit, queue

SHIPPED = [path for path in find_bundles() if path.name.startswith("implicit-attention-")]
needs_bundle = pytest.mark.skipif(not SHIPPED, reason="no edit bundle is shipped")

RENAME = """import os


def total(items):
    res = 0
    for item in items:
        res += item.price
    print(len(items))
    if res > 100:
        res = res * 0.9
    print(os.name)
    return res
"""


class Typist:
    """A user at one open file."""

    def __init__(self, text: str, language_id: str = "python") -> None:
        self.now = 0.0
        self.language_id = language_id
        self.buffer = Buffer.from_text(text)
        self.history = History(self.buffer, lambda: self.now)

    def do(self, edit: ByteEdit, *, settle: bool = True) -> None:
        self.history.push(edit, self.buffer)
        self.buffer = self.buffer.apply(edit)
        if settle:
            self.now += 10
            self.history.settle(self.now)

    def replace(self, old: str, new: str, *, settle: bool = True) -> None:
        at = self.buffer.data.index(old.encode())
        self.do(ByteEdit(at, at + len(old.encode()), new.encode()).trim(self.buffer.data), settle=settle)

    def document(self, precision: float = 0.0, rejections: Sequence[Rejection] = (), **settings: object) -> Document:
        language = by_id(self.language_id)
        assert language is not None
        return Document(
            "file:///project/a",
            Path("/project/a.py"),
            self.language_id,
            1,
            SyntaxSnapshot.open(self.buffer, language),
            self.history.view(),
            Settings(precision=precision, **settings),  # type: ignore[arg-type]
            rejections=tuple(rejections),
            now=self.now,
        )


@pytest.fixture(scope="module")
def editor() -> NextEditor:
    """The shipped model, with time enough on a busy machine: what it may compute is bounded by work."""
    return NextEditor(load_bundle(SHIPPED[-1], verify=False), select_providers("cpu"))


def ask(editor: NextEditor, typist: Typist, **options: object) -> Decision[NextEdit]:
    return next_edit(editor, typist.document(**options))  # type: ignore[arg-type]


def rename_twice() -> Typist:
    typist = Typist(RENAME)
    typist.replace("res = 0", "amount = 0")
    typist.replace("res +=", "amount +=")
    return typist


@needs_bundle
def test_nothing_without_history(editor: NextEditor) -> None:
    found = ask(editor, Typist(RENAME))
    assert isinstance(found, Suppressed)
    assert found.reason is Reason.EMPTY


@needs_bundle
def test_a_rename_goes_on(editor: NextEditor) -> None:
    typist = rename_twice()
    found = ask(editor, typist)
    assert isinstance(found, Shown)
    line = typist.buffer.line_at(found.value.edit.start)
    after = typist.buffer.apply(found.value.edit)
    assert b"res" in typist.buffer.line_bytes(line)
    assert b"amount" in after.line_bytes(line)
    assert after.data.count(b"res") < typist.buffer.data.count(b"res")
    assert 0.0 < found.probability <= 1.0
    assert found.value.steps


@needs_bundle
def test_a_call_changed_twice_is_offered_the_third_time(editor: NextEditor) -> None:
    names = ("start", "prepared", "worked")
    body = "".join(f'    print("{name}")\n    self.step_{name}()\n' for name in names)
    typist = Typist(f"def run(self):\n{body}")
    typist.replace('print("start")', 'logger.info("start")')
    typist.replace('print("prepared")', 'logger.info("prepared")')
    found = ask(editor, typist)
    assert isinstance(found, Shown)
    assert b'logger.info("worked")' in typist.buffer.apply(found.value.edit).data


@needs_bundle
def test_java_fields(editor: NextEditor) -> None:
    typist = Typist(
        "class A {\n    private int count;\n\n    void a() {\n        this.count = 1;\n    }\n\n    int b() {\n"
        "        return this.count;\n    }\n}\n",
        "java",
    )
    typist.replace("int count;", "int total;")
    typist.replace("this.count = 1", "this.total = 1")
    found = ask(editor, typist)
    assert isinstance(found, Shown)
    assert b"return this.total;" in typist.buffer.apply(found.value.edit).data


@needs_bundle
def test_a_keystroke_never_encodes_the_file_again(editor: NextEditor) -> None:
    typist = rename_twice()
    ask(editor, typist)
    encoded, appended = editor.model.encoder_runs, editor.model.append_runs
    memory = DecoderCache(editor.model)
    present = memory.present(typist.document())
    assert present is not None
    assert editor.model.encoder_runs == encoded + 1
    assert editor.model.append_runs == appended + len(present.decoder.edits)
    for letter in ("a", "am", "amo", "amou", "amoun", "amount"):
        at = typist.buffer.data.index(b"return ") + len(b"return ")
        end = typist.buffer.line_span(typist.buffer.line_at(at))[1]
        typist.do(ByteEdit(at, end, letter.encode()), settle=False)
        before = editor.model.append_runs
        grown = memory.present(typist.document())
        assert grown is not None
        assert grown.decoder.encoded is present.decoder.encoded
        assert editor.model.append_runs - before <= 2
    assert editor.model.encoder_runs == encoded + 1
    assert memory.present(typist.document()) is not None
    assert editor.model.append_runs - before <= 2


@needs_bundle
def test_an_undo_steps_back_without_work(editor: NextEditor) -> None:
    typist = rename_twice()
    memory = DecoderCache(editor.model)
    one = memory.present(typist.document())
    typist.replace("return res", "return amount")
    two = memory.present(typist.document())
    typist.replace("return amount", "return res")
    runs = editor.model.append_runs
    back = memory.present(typist.document())
    assert one is not None
    assert two is not None
    assert back is not None
    assert len(two.decoder.edits) == len(one.decoder.edits) + 2
    assert back.decoder is one.decoder
    assert editor.model.append_runs == runs


@needs_bundle
def test_a_document_opened_again_is_not_mistaken_for_the_old_one(editor: NextEditor) -> None:
    memory = DecoderCache(editor.model)
    memory.present(rename_twice().document())
    other = Typist("a = 1\nb = 2\nc = a + b\n")
    other.replace("a = 1", "x = 1")
    present = memory.present(other.document())
    assert present is not None
    assert "total" not in {key.text for key in present.window.keys}


@needs_bundle
def test_many_hunks_are_absorbed_into_the_base_text(editor: NextEditor) -> None:
    lines = [f"value_{number} = old_{number} + 1" for number in range(40)]
    typist = Typist("\n\n".join(lines) + "\n")
    for number in range(30):
        typist.replace(f"old_{number} ", f"new_{number} ")
    present = DecoderCache(editor.model).present(typist.document())
    assert present is not None
    assert len(present.regions) <= 8
    assert len(present.decoder.edits) <= 32
    assert "value_29 = old_29 + 1" in present.base
    assert "value_0 = new_0 + 1" in present.base
    assert "".join(line + "\n" for line in present.base).count("new_") == 30 - len(present.regions)


def test_rebasing_keeps_the_lines_of_the_kept_regions() -> None:
    anchor = Buffer.from_text("a\nb\nc\nd\ne\n")
    first = ByteEdit(0, 1, b"a1\na2")
    second = ByteEdit(10, 11, b"D")
    regions, buffer = track(anchor, [first, second])
    base, moved = rebase_regions(["a", "b", "c", "d", "e", ""], regions, [regions[1]], buffer)
    assert base == ["a1", "a2", "b", "c", "d", "e", ""]
    assert moved == [LineRegion(4, 5, 4, 5, 1)]


@needs_bundle
def test_gates_give_their_reasons(editor: NextEditor) -> None:
    typist = rename_twice()
    found = ask(editor, typist)
    assert isinstance(found, Shown)
    assert {gate.reason for gate in found.gates} >= {
        Reason.NO_OP, Reason.LOW_PROBABILITY, Reason.REJECTED, Reason.REVERSAL, Reason.PARSES_WORSE,
    }  # fmt: skip
    assert all(gate.passed for gate in found.gates)

    strict = ask(editor, typist, precision=1.0)
    assert isinstance(strict, Suppressed)
    assert strict.reason is Reason.LOW_PROBABILITY

    off = ask(editor, typist, next_edit=False)
    assert isinstance(off, Suppressed)
    assert off.reason is Reason.DISABLED

    turned_down = ask(editor, typist, rejections=[Rejection(found.value.key, typist.now)])
    assert not isinstance(turned_down, Shown) or turned_down.value.key != found.value.key

    cancel = Cancel()
    cancel.cancel()
    stopped = NextEditDecision().next_edit(rename_twice().document(), 0, cancel, editor)
    assert isinstance(stopped, Suppressed)
    assert stopped.reason is Reason.CANCELLED


@needs_bundle
def test_never_offers_to_take_back_what_was_just_done(editor: NextEditor) -> None:
    typist = Typist("def area(w, h):\n    size = w * h\n    return size\n")
    typist.replace("size = w", "extent = w")
    typist.replace("extent = w", "size = w2")
    for _ in range(4):
        found = ask(editor, typist)
        if not isinstance(found, Shown):
            break
        after = typist.buffer.apply(found.value.edit)
        assert after.data != Buffer.from_text("def area(w, h):\n    size = w * h\n    return size\n").data
        typist.do(found.value.edit)


@needs_bundle
def test_an_undo_keeps_quiet_until_something_is_changed(editor: NextEditor) -> None:
    typist = rename_twice()
    typist.replace("amount +=", "res +=")
    quiet = ask(editor, typist)
    assert isinstance(quiet, Suppressed)
    assert quiet.reason is Reason.REVERSAL
    typist.replace("res +=", "amount +=")
    assert isinstance(ask(editor, typist), Shown)


@needs_bundle
def test_shown_edits_never_parse_worse(editor: NextEditor) -> None:
    typist = rename_twice()
    for _ in range(5):
        document = typist.document()
        found = next_edit(editor, document)
        if not isinstance(found, Shown):
            break
        after = typist.buffer.apply(found.value.edit)
        language = by_id("python")
        assert language is not None
        assert SyntaxSnapshot.open(after, language).error_count() <= document.syntax.error_count()
        typist.do(found.value.edit)


@needs_bundle
def test_the_network_is_asked_only_where_no_other_source_is_sure(editor: NextEditor) -> None:
    for sure in (True, False):
        document = replace(rename_twice().document(precision=0.5), uri=f"file:///project/{sure}")
        before = (editor.model.encoder_runs, editor.model.append_runs)
        deciding(lambda row, sure=sure: 0.9 if sure else 0.1).next_edit(document, 0, Cancel(), editor)
        assert ((editor.model.encoder_runs, editor.model.append_runs) == before) is sure


@needs_bundle
def test_replaying_an_earlier_hunk_is_among_the_proposals(editor: NextEditor) -> None:
    model: EditModel = editor.model
    present = DecoderCache(model).present(rename_twice().document())
    assert present is not None
    hunks = past_hunks(present.decoder, line_numbers(present.window.keys))
    programs = {program_of(present.decoder, hunk) for hunk in hunks}
    assert len(hunks) == 2
    assert len(programs) == 1  # the same edit at two places is one program
    proposals = RollOut(model, present.decoder).proposals()
    assert proposals
    assert all(len(proposal.features) == len(FEATURES) for proposal in proposals)
    assert len({proposal.edits for proposal in proposals}) == len(proposals)


def test_patterns_and_scores() -> None:
    assert pattern_key(ByteEdit(4, 7, b" new"), b"let old = 1") == "old -> new"
    certain = LogisticModel(FEATURES, {"bias": 50.0}).probability([1.0] + [0.0] * (len(FEATURES) - 1))
    assert certain == pytest.approx(1.0)
    parts = {"start": -3.0, "inside": -2.0, "end": -0.1, "go": -0.5}
    sure = [1.0 if name == "bias" else 0.0 for name in FEATURES]
    unsure = [1.0 if name == "bias" else parts.get(name, 0.0) for name in FEATURES]
    assert JOINT.probability(sure) > JOINT.probability(unsure)


@needs_bundle
def test_a_refusal_tells_the_probability_of_the_likeliest_candidate(editor: NextEditor) -> None:
    typist = Typist(RENAME)
    typist.replace("items):", "items, tax):")
    decision, document = NextEditDecision(), typist.document(precision=0.99)
    refused = decision.next_edit(document, 0, Cancel(), editor)
    likeliest = max(one.probability for one in decision.pool.rated(document, 0, Cancel(), editor).items)
    assert isinstance(refused, Suppressed)
    figures = [reading.value for reading in refused.gates if reading.reason is Reason.LOW_PROBABILITY]
    assert figures == [meets_threshold(likeliest, shipped_scorer().threshold(0.99)).value]


@needs_bundle
def test_after_the_last_place_and_before_a_less_sure_one_the_reason_says_so(editor: NextEditor) -> None:
    typist = Typist("a = check(1)\nb = check(2)\n")
    typist.replace("check(1)", "verify(1)")
    typist.replace("check(2)", "verify(2)")
    for decision in (
        next_edit(editor, typist.document(0.8)),
        queue(editor, typist.document(0.8)),
    ):
        assert isinstance(decision, Suppressed)
        assert decision.detail == "no more places"
    typist = Typist('raise A("x")\nraise A("y")\nraise A("z")\n')
    typist.replace('("x")', '("x") from error')
    typist.replace('("y")', '("y") from error')
    unsure = next_edit(editor, typist.document(0.99))
    assert isinstance(unsure, Suppressed)
    assert unsure.detail == "1 more, less sure"
