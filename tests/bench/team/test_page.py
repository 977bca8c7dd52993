"""docs/results/team.md says what models/results/team.json says; the search and the computation behind it."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.bench.team.corpora_page import JOBS, corpora
from tests.bench.team.measure import capacity, carried
from tests.bench.team.page import DATA, PAGE, ROOT, text
from tests.bench.team.paper import CORES, TYPING_SHARE, UTILISATION, core_seconds, need


def trial(clients: int, in_time: float) -> dict[str, Any]:
    return {
        "clients": clients,
        "seconds": 10.0,
        "requests": 100 * clients,
        "in_time": in_time,
        "milliseconds": dict.fromkeys(("p50", "p99", "engine", "queue", "rest"), 1.0),
        "outcomes": {},
        "processor": {"replicas": 0.5 * clients, "proxy": 0.4 * clients, "ray": 0.1, "typists": 1.0, "others": 4.0},
    }


class Server:
    """Meets the aim up to so many typists."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.tried: list[int] = []

    def trial(self, clients: int, seconds: float) -> dict[str, Any]:
        self.tried.append(clients)
        return trial(clients, 0.99 if clients <= self.most else 0.5)


@pytest.mark.parametrize("most", [0, 1, 2, 3, 7, 22, 64, 500])
def test_the_search_finds_the_largest_number(most: int) -> None:
    server = Server(most)
    best = carried(capacity(server, 1.0, most=200))  # type: ignore[arg-type]
    assert (best["clients"] if best else 0) == (most if most < 200 else 128)
    assert all(server.tried.count(clients) == 1 + (clients > most) for clients in server.tried)
    assert len(set(server.tried)) <= 16


def test_what_a_company_needs_grows_with_its_developers() -> None:
    measured = trial(4, 0.99)
    assert core_seconds(measured) == pytest.approx((2.0 + 1.6) / 400)
    small, large = need(100, measured), need(10_000, measured)
    assert small.typing == math.ceil(100 * TYPING_SHARE)
    assert small.requests_per_second == pytest.approx(small.typing * 10.0)
    assert small.cores == math.ceil(small.requests_per_second * core_seconds(measured) / UTILISATION + 0.01)
    assert large.machines == math.ceil(large.cores / CORES)
    assert large.dollars > small.dollars


def test_corpora_are_computed_from_the_processor_time_and_the_growth() -> None:
    rows = [
        {
            "job": job,
            "where": where,
            "count": count,
            "seconds": 30.0 / count,
            "processor": 36.0 * (1 + (where == "nodes")),
        }
        for job in JOBS
        for where in ("processes", "nodes")
        for count in (1, 2)
    ]
    made = "\n".join(corpora({"rows": rows, "projects": ["a/b"] * 4, "bytes_of_a_file": 2000}))
    assert "| 36.0 | 72.0 | 0.50 | 2.00 | 2.00 |" in made
    assert "50 core-hours to mine, 50 to prepare" in made
    assert "| 10 | 0.6 | 5.00 |" in made
    assert "keeps 2.0 kB of each file: 4.0 GB" in made


def test_the_page_names_every_search() -> None:
    where = dict.fromkeys(("date", "commit", "processor", "cores", "load", "python", "ray"), "?")
    made = text({"capacity": {"machine": where, "rows": [trial(7, 0.99)], "carried": [5, 7, 9]}})
    assert "3 searches found 5, 7 and 9 typists; the table is that of the middle one." in made


def test_the_page_says_what_was_measured() -> None:
    found = json.loads((ROOT / DATA).read_text(encoding="utf-8"))
    assert (ROOT / PAGE).read_text(encoding="utf-8") == text(found)
