"""How the wanted counts are spread over projects, and the projected time."""

from __future__ import annotations

import pytest
from editahead_models.publishing.parts import CHECK, COMPLETIONS, PARTS
from editahead_models.publishing.sizes import SECONDS, SESSION_SECONDS, Sizes


def test_a_project_measures_its_share_rounded_up() -> None:
    quota = Sizes(identifiers=2000, requests=1000).quota(11)
    assert (quota.identifiers, quota.requests) == (182, 91)
    assert Sizes(identifiers=5).quota(0).identifiers == 5


def test_only_the_parts_that_are_measured_take_time() -> None:
    sizes = Sizes(identifiers=100, check_commits=10)
    expected = 3 * SESSION_SECONDS + 100 * SECONDS[COMPLETIONS] + 10 * SECONDS[CHECK]
    assert sizes.projected_seconds(3, frozenset({COMPLETIONS, CHECK})) == pytest.approx(expected)


def test_the_sizes_that_are_published_fit_into_the_time_of_a_language() -> None:
    assert set(SECONDS) == set(PARTS)
    assert Sizes().projected_seconds(11, frozenset(PARTS)) < 35 * 60
