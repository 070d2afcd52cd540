"""Gates: what a run must reach for a build to pass."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge_tui.errors import UsageError, unknown
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.parse import parse_measure
from judge_tui.scoring.scores import Scores

__all__ = ["Gate", "failures", "parse_gate"]

_FORM = re.compile(r"(?:(.*):)?([^:]*?)>=\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Gate:
    """The mean of `measure` is to be at least `least`: for the run `tag`, or for every run."""

    measure: Measure
    least: float
    tag: str | None

    def __str__(self) -> str:
        tag = "" if self.tag is None else f"{self.tag}:"
        return f"{tag}{self.measure}>={self.least:g}"


def parse_gate(text: str) -> Gate:
    """Read `nDCG@10>=0.4` or `TAG:Hit@5>=0.7`. Raises `UsageError` for anything else."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is no gate", "write nDCG@10>=0.4 or TAG:nDCG@10>=0.4")
    tag, measure, least = match.groups()
    return Gate(parse_measure(measure), float(least), None if tag is None else tag.strip())


def failures(gate: Gate, scores: Scores) -> list[str]:
    """One sentence for each run that does not pass; the gate's measure must be among the values.

    Raises `UsageError` where the gate names a run that was not scored.
    """
    tags = [run.tag for run in scores.runs]
    if gate.tag is not None and gate.tag not in tags:
        raise unknown("run", gate.tag, tags)
    return [
        f"{gate}: {run.tag} has {run.mean(gate.measure)!r}"
        for run in scores.runs
        if gate.tag in (None, run.tag) and run.mean(gate.measure) < gate.least
    ]
