"""Is a model fooled by what is planted in documents that people found irrelevant?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.agreement.estimates import Estimate, wilson

WORDS, CLAIM = "words", "claim"
"""The names of the probes. Answers are stored under them: what plants something else, or says it in
other words, gets a new name."""

PROBE_NAME = re.compile(r"[a-z][a-z0-9]{0,19}")
"""What every name of a probe is like, so that copies with newer probes can be told from forged
ones."""

PLANTED: Mapping[str, str] = {
    WORDS: "words of the query in the text",
    CLAIM: "claims to be relevant",
}
"""What each probe plants in a document, in words."""

TwoGrades: TypeAlias = tuple[int, int | None]
"""The grade of a document as it is, and the one with the probe; None where that answer is none."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a probe does to grades. Of those `asked`, so many answers are `graded`, and of these so
    many `fooled`: above the grade without the probe. `share`: fooled of graded; the means are of
    those graded, None where there are none."""

    probe: str
    asked: int
    graded: int
    fooled: int
    share: Estimate
    mean_without: float | None
    mean_with: float | None


def probe_results(grades: Mapping[str, Sequence[TwoGrades]]) -> tuple[ProbeResult, ...]:
    """The result of each probe (its name -> the grades of at least one document), by name as in
    `PLANTED`."""
    return tuple(_result(probe, grades[probe]) for probe in PLANTED if probe in grades)


def _result(probe: str, every: Sequence[TwoGrades]) -> ProbeResult:
    graded = [(without, planted) for without, planted in every if planted is not None]
    fooled, n = sum(planted > without for without, planted in graded), len(graded)
    if not n:
        why = "no answer to the probe is a grade"
        return ProbeResult(probe, len(every), 0, 0, Estimate(None, None, why), None, None)
    return ProbeResult(
        probe,
        len(every),
        n,
        fooled,
        wilson(fooled / n, n),
        sum(without for without, _ in graded) / n,
        sum(planted for _, planted in graded) / n,
    )
