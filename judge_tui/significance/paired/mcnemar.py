"""McNemar's test: of the queries that one run answers and the other does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from judge_tui.significance.grid import Floats
from judge_tui.significance.paired.samples import Samples
from judge_tui.significance.paired.sign import sign
from judge_tui.significance.result import TestResult

__all__ = ["mcnemar"]


def mcnemar(samples: Samples, _: int) -> list[TestResult]:
    """Exact test of the discordant queries, b gained and c lost (McNemar, 1947).

    `statistic` is min(b, c), as in statsmodels' `mcnemar(exact=True)`; p is that of b heads among
    b + c fair coins. Undefined where a value of either run is neither 0 nor 1, and where no query
    differs.
    """
    return [
        _of_discordant(after - before)
        if np.isin((before, after), (0, 1)).all()
        else TestResult(why=_NOT_BINARY)
        for before, after in zip(samples.before, samples.after, strict=True)
    ]


_NOT_BINARY = "the test is for measures whose values are 0 or 1, such as Success@10"


def _of_discordant(differences: Floats) -> TestResult:
    result = sign(differences)
    if result.p is None:
        return result
    gained, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return replace(result, statistic=float(min(gained, lost)))
