"""Gates: what a run must reach for a build to pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from judge_tui.errors import UsageError, unknown
from judge_tui.model import tag_meant
from judge_tui.scoring.class_terms import DEMANDS, Demand, class_called
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.parse import parse_measure

__all__ = [
    "NO_REGRESSION",
    "ClassGate",
    "Gate",
    "Required",
    "parse_class_gate",
    "parse_gate",
    "reaches",
    "unmet",
    "worse_by",
]

NO_REGRESSION = "no-regression"
"""The gate that asks for no number: no verdict is to be worse."""

_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_FORM = (
    r"(?:(?P<tag>.*):)?"  # a tag may hold colons, and so may what a measure has in parentheses
    r"(?P<measure>[^:()]*(?:\([^()]*\)[^:()]*)?)"
    rf">=\s*(?:(?P<least>[-+]?{_NUMBER})|baseline\s*(?P<beside>[-+]\s*{_NUMBER})?)\s*"
)

_STEP = 1e-9
"""By so much a mean may fall short: .6 is a sum of tenths away from .6000000000000001, and one to a
reader. Tests of significance compare in the same steps."""

_DECIMALS = 4
"""As tables print means and differences."""

_MOST_DECIMALS = 12
"""More than enough to show apart what differs by more than `_STEP`."""

_DEMANDS: dict[str, Demand] = {name: name for name in DEMANDS}


class Gate(NamedTuple):
    """The mean of `measure` is to be at least `least`: for the run `tag`, or for every run.

    With `beside_baseline` it is to be at least the baseline's mean plus `least`. As it is shown,
    a number has all the digits that it needs.
    """

    measure: Measure
    least: float
    tag: str | None
    beside_baseline: bool = False

    def __str__(self) -> str:
        return _written(self.tag, str(self.measure), self.least, beside=self.beside_baseline)


class ClassGate(NamedTuple):
    """The same of one class of queries, `name`: the mean over these alone; or the share of them
    that hold, where what is asked for is no measure but a demand.
    """

    name: str
    asked: Measure | Demand
    least: float
    tag: str | None
    beside_baseline: bool = False

    def __str__(self) -> str:
        what = f"{self.name}/{self.asked}"
        return _written(self.tag, what, self.least, beside=self.beside_baseline)


class Required(NamedTuple):
    """A gate, and one sentence for each run that does not pass it; `over`: over which queries of a
    class, where these are not all of it."""

    gate: str
    unmet: tuple[str, ...]
    over: str = ""

    @property
    def words(self) -> str:
        """Whether it held, and why it did not."""
        why = "".join(f"; {one.removeprefix(f'{self.gate}: ')}" for one in self.unmet)
        over = f", {self.over}" if self.over else ""
        return f"{self.gate}: {'not met' if self.unmet else 'held'}{over}{why}"


def _written(tag: str | None, what: str, least: float, *, beside: bool) -> str:
    whose = "" if tag is None else f"{tag}:"
    if not beside:
        return f"{whose}{what}>={_shown(least)}"
    return f"{whose}{what}>=baseline{_shown(least, '+') if least else ''}"


def _shown(number: float, sign: str = "") -> str:
    """The shortest text of the number, never one that was rounded: 0.4, -0.01, 1."""
    short = f"{number:{sign}g}"
    return short if float(short) == number else f"{number:{sign}}"


def parse_gate(text: str, *, rel: int | None = None, max_rel: int | None = None) -> Gate:
    """Read `nDCG@10>=0.4`, `TAG:Hit@5>=0.7`, `AP>=baseline`, `AP>=baseline-0.01`.

    `rel` and `max_rel` are those of `parse_measure`. Raises `UsageError` for anything else, and for
    a number that what is asked for can never have, or always has.
    """
    tag, what, least, beside = _read(text)
    gate = Gate(parse_measure(what, rel=rel, max_rel=max_rel), least, tag, beside)
    _refuse_out_of_reach(gate, share=gate.measure.share)
    return gate


def parse_class_gate(
    text: str, *, rel: int | None = None, max_rel: int | None = None
) -> ClassGate | None:
    """Read `lookup/RR>=0.4`, `TAG:lookup/RR>=0.4`, `modern/prefer>=0.8`, `lookup/RR>=baseline`:
    what stands before the last `/` is the class, a standard one in any spelling. None for a
    gate of no class; else as `parse_gate`."""
    tag, what, least, beside = _read(text)
    name, slash, asked = what.rpartition("/")
    if not slash:
        return None
    demand = _DEMANDS.get(asked.strip())
    measure = demand or parse_measure(asked, rel=rel, max_rel=max_rel)
    gate = ClassGate(class_called(name.strip()), measure, least, tag, beside)
    _refuse_out_of_reach(gate, share=not isinstance(measure, Measure) or measure.share)
    return gate


def _refuse_out_of_reach(gate: Gate | ClassGate, *, share: bool) -> None:
    """Raise `UsageError` for one that always holds, or never: `share` is whether what it asks for
    lies from 0 to 1, and so from -1 to 1 beside the baseline."""
    least = -1 if gate.beside_baseline else 0
    if share and not least <= gate.least <= 1:
        whose = "the difference from the baseline" if gate.beside_baseline else "it"
        raise UsageError(
            f"gate {gate} {'never' if gate.least > 1 else 'always'} holds: {whose} is from {least}"
            " to 1",
            "write a number in between",
        )


def _read(text: str) -> tuple[str | None, str, float, bool]:
    """The tag, what is asked for, the number, and whether it stands beside the baseline's."""
    match = re.fullmatch(_FORM, text, re.DOTALL)
    least = match and float("".join((match["least"] or match["beside"] or "0").split()))
    if match is None or least is None or not isfinite(least):
        raise UsageError(
            f"{text!r} is no gate",
            "write nDCG@10>=0.4, TAG:nDCG@10>=0.4, nDCG@10>=baseline-0.01 or no-regression",
        )
    tag = match["tag"]
    return None if tag is None else tag.strip(), match["measure"], least, match["least"] is None


def unmet(
    gate: Gate | ClassGate, means: Mapping[str, float], baselines: Mapping[str, float] | None = None
) -> list[str]:
    """One sentence for each of the `means`, by tag, that does not pass: that is less than what is
    asked for by more than 1e-9, within which sums of the same values may differ.

    `baselines`: for each tag the mean that the run's own stands beside, by the gate's measure; None
    where there is no baseline. Raises `UsageError` where the gate names a run that is none of
    them, and where it asks for a baseline that is not there.
    """
    wanted = None if gate.tag is None else tag_meant(gate.tag, means)
    if gate.tag is not None and wanted is None:
        raise unknown("run", gate.tag, means)
    sentences = []
    for tag, mean in means.items():
        if wanted not in (None, tag):
            continue
        baseline = 0.0
        if gate.beside_baseline:
            if baselines is None or tag not in baselines:
                raise UsageError(
                    f"gate {gate}: there is no baseline for run {tag!r}",
                    "give one to compare with, or write a number",
                )
            baseline = baselines[tag]
        if not reaches(mean, gate.least + baseline):
            has, beside = _apart(gate, mean, baseline)
            its = f", the baseline {beside}" if gate.beside_baseline else ""
            sentences.append(f"{gate}: {tag} has {has}{its}")
    return sentences


def reaches(mean: float, least: float) -> bool:
    """Whether a mean is at least so much, or short of it by no more than sums of the same values
    may differ (1e-9); never where it is undefined."""
    return mean + _STEP >= least


def worse_by(delta: float) -> str:
    """A difference as tables print it, with more decimals where it would be 0 in these."""
    shown = (f"{delta:+.{decimals}f}" for decimals in range(_DECIMALS, _MOST_DECIMALS))
    return next((text for text in shown if float(text)), f"{delta:+}")


def _apart(gate: Gate | ClassGate, mean: float, baseline: float) -> tuple[str, str]:
    """A mean that does not pass, and that of the baseline, as tables print them, with more decimals
    where it would pass in these."""
    measure = gate.measure if isinstance(gate, Gate) else gate.asked
    whole = isinstance(measure, Measure) and measure.definition.whole
    has = beside = ""
    for decimals in range(_DECIMALS, _MOST_DECIMALS):
        has, beside = (
            f"{value:.{0 if whole and value.is_integer() else decimals}f}"
            for value in (mean, baseline)
        )
        # Sums of decimals are not exact, and less apart than what they are shown to.
        if float(has) < gate.least + float(beside) - _STEP / 2:
            break
    return has, beside
