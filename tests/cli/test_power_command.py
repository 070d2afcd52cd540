"""`judge-tui power`, by published numbers and by SciPy."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.as_typed import judge_tui
from tests.comparison.paired_power import power_by_scipy


def power(*words: str) -> dict[str, Any]:
    """The JSON."""
    found: dict[str, Any] = json.loads(judge_tui("power", *words, "-f", "json").stdout)
    return found


def test_how_many_queries() -> None:
    (needed,) = power("--effect", ".5")["answers"]
    # G*Power: 34 queries, actual power .8078.
    assert (needed["queries"], needed["power"]) == (34, pytest.approx(0.8078, abs=5e-5))


def test_what_so_many_queries_can_show() -> None:
    document = power("--delta", ".02", "--sd", ".1", "--queries", "50")
    assert document["settings"]["effect"] == pytest.approx(0.2)
    _, known, seen = document["answers"]
    # SciPy's power, and the published .404 for 50 queries.
    assert known["power"] == pytest.approx(power_by_scipy(0.2, 50, 0.05), abs=1e-9)
    assert seen["effect"] == pytest.approx(0.404, abs=5e-4)
    assert seen["delta"] == pytest.approx(0.0404, abs=5e-5)


def test_what_is_undefined_has_its_reason() -> None:
    assert power("--queries", "1")["answers"][0]["why"].startswith("too few queries (1)")
    known = power("--effect", ".3", "--queries", "1")["answers"][1]
    assert (known["power"], known["why"]) == (None, "a variance needs at least 2 queries, here 1")
