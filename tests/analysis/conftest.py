"""What the analyses rest on, for tests that have no campaign."""

from __future__ import annotations

import pytest

from judge_tui.analysis.basis import Basis, Question
from judge_tui.scoring import parse_measures


@pytest.fixture
def basis_of():
    """Makes a basis; `k` is asked for, anything else is said of the campaign."""

    def make(k=10, **more):
        return Basis(
            asked=Question(k=k),
            campaign="small",
            seed=1,
            measures=parse_measures(["RR"]),
            shares=(),
            baseline="x",
            grades=(0, 1, 2, 3),
            pairs=3,
            unresolved=more.pop("unresolved", 0),
            unjudged=0,
            **more,
        )

    return make
