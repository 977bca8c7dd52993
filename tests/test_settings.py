"""Settings: read from what clients send, wrong values named once, documentation in step."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.exclusion import exclusion
from editahead.settings import SECRETS, Settings, key_of, parse_settings, setting_fields

from scripts.settings_doc import configuration_markdown, configuration_properties

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "layer",
    [
        {"precision": 0.9, "maxCompletions": 5},
        {"editahead": {"precision": 0.9, "maxCompletions": 5}},
        {"editahead.precision": 0.9, "editahead.maxCompletions": 5},
    ],
)
def test_every_shape_in_which_clients_send_the_section_is_read(layer: object) -> None:
    parsed = parse_settings(layer)
    assert (parsed.settings.precision, parsed.settings.max_completions) == (0.9, 5)
    assert parsed.problems == ()
    assert parsed.unknown == ()


@pytest.mark.parametrize(
    "layer",
    [
        {"index": {"maxNames": 500}},
        {"index.maxNames": 500},
        {"editahead": {"index": {"maxNames": 500}}},
        {"editahead": {"index.maxNames": 500}},
        {"editahead.index.maxNames": 500},
        {"editahead.index": {"maxNames": 500}},
    ],
)
def test_a_section_in_the_section_is_read_in_every_shape(layer: object) -> None:
    parsed = parse_settings(layer)
    assert parsed == parse_settings({"index": {"maxNames": 500, "enabled": None}})
    assert parsed.settings == Settings(index_max_names=500)
    assert key_of("index_max_names") == "index.maxNames"


def test_what_is_wrong_in_a_section_of_the_section_is_named() -> None:
    parsed = parse_settings({"index": {"maxNames": 0, "maxName": 7, "enabled": False}})
    assert parsed.settings == Settings(index_enabled=False)
    (problem,) = parsed.problems
    assert problem.startswith("editahead.index.maxNames: expected a whole number from 100 ")
    assert parsed.unknown == ("editahead.index.maxName (did you mean editahead.index.maxNames?)",)
    assert parse_settings({"index": False}).problems == (
        "editahead.index: expected an object with settings, got false; using the defaults",
    )
    assert parse_settings({"index": None}) == parse_settings({})


def test_later_layers_win_key_by_key() -> None:
    parsed = parse_settings({"precision": 0.9, "inStrings": True}, {"precision": 0.7})
    assert parsed.settings.precision == 0.7
    assert parsed.settings.in_strings is True


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("precision", "high"),
        ("precision", 1.5),
        ("precision", True),
        ("precision", float("nan")),
        ("maxCompletions", 2.5),
        ("maxCompletions", 0),
        ("enabled", 1),
        ("enabled", "yes"),
        ("device", "tpu"),
        ("device", ["cpu"]),
        ("exclude", "*.py"),
        ("exclude", [1]),
        ("languages", {"python": "off"}),
        ("languages", []),
        ("preset", "loud"),
        ("languagePrecision", {"python": "loud"}),
        ("languagePrecision", {"python": 1.5}),
        ("languagePrecision", 0.9),
    ],
)
def test_a_wrong_value_gives_the_default_of_that_key_and_one_text(key: str, wrong: object) -> None:
    parsed = parse_settings({key: wrong, "inComments": True})
    assert parsed.settings == Settings(in_comments=True)
    (problem,) = parsed.problems
    assert problem.startswith(f"editahead.{key}: expected ")
    assert "; using " in problem
    assert "\n" not in problem


def test_a_layer_that_is_no_object_is_one_problem() -> None:
    assert parse_settings([1]).settings == Settings()
    assert len(parse_settings([1]).problems) == 1
    assert len(parse_settings({"editahead": "on"}).problems) == 1
    assert parse_settings(None, {"editahead": None}, {}).problems == ()


def test_unknown_keys_are_named_with_the_nearest_known_one() -> None:
    parsed = parse_settings({"precison": 0.5, "editorInfo": {"name": "x"}})
    assert parsed.settings == Settings()
    assert parsed.problems == ()
    hint = "editahead.precison (did you mean editahead.precision?)"
    assert parsed.unknown == (hint, "editahead.editorInfo")


def test_languages_fall_back_to_the_star() -> None:
    settings = parse_settings({"languages": {"*": False, "python": True}}).settings
    assert settings.language_enabled("python")
    assert not settings.language_enabled("java")
    assert Settings().language_enabled("java")


@pytest.mark.parametrize(
    ("layer", "ghost_text", "next_edit", "place"),
    [
        ({}, 0.8, 0.8, 0.8),
        ({"preset": "quiet"}, 0.9, 0.9, 0.9),
        ({"preset": "eager"}, 0.65, 0.65, 0.65),
        ({"preset": "eager", "precision": 0.7}, 0.7, 0.7, 0.7),
        ({"precision": 0.7, "languagePrecision": {"python": "quiet", "go": 0.1}}, 0.9, 0.9, 0.9),
        ({"precision": 0.7, "languagePrecision": {"go": 0.1}}, 0.7, 0.7, 0.7),
        ({"languagePrecision": {"python": 1}, "ghostTextPrecision": 0, "placePrecision": 0.75}, 0.0, 1.0, 0.75),
        ({"precision": 0.7, "nextEditPrecision": 1.0}, 0.7, 1.0, 0.7),
    ],
)
def test_the_most_specific_target_precision_wins(
    layer: object, ghost_text: float, next_edit: float, place: float
) -> None:
    parsed = parse_settings(layer)
    assert parsed.problems == ()
    target = parsed.settings.target_precision
    assert (target("ghost_text", "python"), target("next_edit", "python"), target("jump", "python")) == (
        ghost_text, next_edit, place,
    )  # fmt: skip


def test_every_field_is_described_and_camel_case() -> None:
    for item in setting_fields():
        assert len(item.metadata["doc"]) > 10
        assert "\n" not in item.metadata["doc"]
        assert "_" not in key_of(item.name)


def test_defaults_pass_their_own_checks() -> None:
    defaults = {key.removeprefix("editahead."): p["default"] for key, p in configuration_properties().items()}
    assert parse_settings(defaults) == parse_settings({})


def test_documentation_is_current() -> None:
    written = (REPOSITORY / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert written == configuration_markdown(), "python -m scripts.settings_doc > docs/configuration.md"


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".env.local",
        "deploy/a.pem",
        "TLS.KEY",
        "id_rsa",
        "home/.ssh/config",
        "my_secrets.py",
        "credentials.json",
    ],
)
def test_files_that_may_hold_secrets_are_excluded(name: str, tmp_path: Path) -> None:
    assert exclusion(Settings(), tmp_path / name, tmp_path) == "may hold secrets"
    assert exclusion(Settings(), tmp_path / name, None) == "may hold secrets"
    assert exclusion(Settings(secrets=()), tmp_path / name, tmp_path) is None


def test_ordinary_files_are_not_excluded(tmp_path: Path) -> None:
    for name in ["main.py", "src/keyboard.py", "environment.py", "Key.java"]:
        assert exclusion(Settings(), tmp_path / name, tmp_path) is None
    assert exclusion(Settings(), None, None) is None
    assert "*.key" in SECRETS


def test_exclude_patterns_are_relative_to_the_workspace(tmp_path: Path) -> None:
    settings = Settings(exclude=("vendor/", "*.gen.py", "["))
    assert exclusion(settings, tmp_path / "vendor" / "a.py", tmp_path) == "named in editahead.exclude"
    assert exclusion(settings, tmp_path / "x.gen.py", tmp_path) == "named in editahead.exclude"
    assert exclusion(settings, tmp_path / "x.py", tmp_path) is None


def test_gitignore_is_honoured_from_the_root_down_and_deeper_files_win(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / ".gitignore").write_text("!wanted.log\n/local.py\n")
    ignored = {
        name: exclusion(Settings(), tmp_path / name, tmp_path) is not None
        for name in ("a.log", "build/x.py", "kept/other.log", "kept/wanted.log", "kept/local.py", "local.py")
    }
    assert ignored == {
        "a.log": True,
        "build/x.py": True,
        "kept/other.log": True,
        "kept/wanted.log": False,
        "kept/local.py": True,
        "local.py": False,
    }
    assert exclusion(Settings(respect_gitignore=False), tmp_path / "a.log", tmp_path) is None


def test_gitignore_is_read_again_when_it_changes(tmp_path: Path) -> None:
    assert exclusion(Settings(), tmp_path / "a.py", tmp_path) is None
    (tmp_path / ".gitignore").write_text("a.py\n")
    assert exclusion(Settings(), tmp_path / "a.py", tmp_path) == "named in a .gitignore"
