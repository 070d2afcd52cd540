"""Gates: what runs must reach for a build to pass (`--require`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import Measure, RunScores, Scores, parse_measure
from judge_tui.scoring.measure import DECIMAL, STEP

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparison, Comparisons

__all__ = ["NO_REGRESSION", "Gate", "GateResult", "check_gates", "parse_gates", "refuse_gates"]

NO_REGRESSION = "no-regression"

_FORM = re.compile(
    r"(?:(?P<tag>.*):)?"  # a tag may hold colons, and so may what a measure has in parentheses
    r"(?P<measure>[^:()]*(?:\([^()]*\)[^:()]*)?)"
    rf">=\s*(?:(?P<least>[-+]?{DECIMAL})|baseline\s*(?P<beside>[-+]\s*{DECIMAL})?)\s*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Gate:
    """The mean of `measure` is to be at least `least`: of the run `tag`, or of every run; over the
    queries of one slice, where that is named; `beside_baseline`: at least the baseline's mean plus
    `least`. Without a measure: no verdict is to be worse."""

    text: str
    measure: Measure | None = None
    least: float = 0.0
    tag: str | None = None
    slice: str | None = None
    beside_baseline: bool = False


class GateResult(NamedTuple):
    """Whether a run meets a gate, the mean (or the difference, of `no-regression`) that decides it,
    and why it does not."""

    gate: str
    tag: str
    value: float | None
    met: bool
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found = self._asdict()
        return found if self.why else {k: v for k, v in found.items() if k != "why"}


def parse_gates(
    texts: Iterable[str], *, rel: int | None = None, max_rel: int | None = None
) -> tuple[Gate, ...]:
    """Read `nDCG@10>=0.4`, `TAG:Hit@5>=0.7`, `AP>=baseline-0.01`, `lookup/RR>=0.5` (of a slice), or
    `no-regression`. `rel` and `max_rel` are those of `parse_measure`. Raises `UsageError`."""
    return tuple(_parsed(text.strip(), rel, max_rel) for text in texts)


def _parsed(text: str, rel: int | None, max_rel: int | None) -> Gate:
    if text == NO_REGRESSION:
        return Gate(text)
    match = _FORM.fullmatch(text)
    least = match and float("".join((match["least"] or match["beside"] or "0").split()))
    if match is None or least is None or not isfinite(least):
        raise UsageError(
            f"{text!r} is no gate",
            "write nDCG@10>=0.4, TAG:nDCG@10>=0.4, SLICE/nDCG@10>=0.4, nDCG@10>=baseline-0.01 or"
            " no-regression",
        )
    of_slice, slash, measure = match["measure"].rpartition("/")
    return Gate(
        text,
        parse_measure(measure, rel=rel, max_rel=max_rel),
        least,
        None if match["tag"] is None else match["tag"].strip(),
        of_slice.strip() if slash else None,
        beside_baseline=match["least"] is None,
    )


def refuse_gates(
    gates: Iterable[Gate], tags: Collection[str], slices: Collection[str], beside: Collection[str]
) -> None:
    """Raise `UsageError` for a run or a slice that is none of these, and for a gate beside a
    baseline where no run, or not the one that is named, has any. `beside`: those that have."""
    for gate in gates:
        if gate.tag is not None and gate.tag not in tags:
            raise unknown("run", gate.tag, tags)
        if gate.slice is not None and gate.slice not in slices:
            if not slices:
                raise UsageError(f"gate {gate.text}: there are no slices", "give --by FIELD")
            raise unknown("slice", gate.slice, slices)
        needs = gate.beside_baseline or gate.measure is None
        if needs and (gate.tag not in beside if gate.tag is not None else not beside):
            raise UsageError(
                f"gate {gate.text}: there is no baseline to stand beside",
                "give a run to compare with, or write a number",
            )


def check_gates(
    gates: Iterable[Gate],
    scores: Scores,
    comparisons: Comparisons | None = None,
    *,
    baselines: Mapping[str, RunScores] | None = None,
    tags: Collection[str] | None = None,
    allow_missing: int = 0,
) -> tuple[GateResult, ...]:
    """Hold runs to gates, each run that a gate is about.

    `baselines`: tag -> what that run stands beside, over the queries of both; the baseline of the
    comparisons, where they have one and nothing else is given. `tags`: the runs that a gate
    holds which names none; all by default. A run that lacks results for more than `allow_missing`
    queries, or whose baseline does, meets no gate; those that count as 0 (`complete`) are not
    lacking, and a run that was saved and is not scored is a regression.
    Within `STEP` a mean is enough. `scores` hold the values of all measures, and their slices, if
    gates name any. Raises `UsageError` as `refuse_gates`.
    """
    slices = scores.slices
    if baselines is None and comparisons is not None and comparisons.baseline is not None:
        first = comparisons.baseline
        baselines = {tag: scores[first] for tag in scores if tag != first}
    names = () if slices is None else [one.name for one in slices.slices]
    refuse_gates(gates, list(scores), names, baselines or ())
    found: list[GateResult] = []
    for gate in gates:
        its_tags = [gate.tag] if gate.tag is not None else list(scores if tags is None else tags)
        if baselines is not None and (gate.beside_baseline or gate.measure is None):
            its_tags = [tag for tag in its_tags if tag in baselines]
        for tag in comparisons.gone if comparisons is not None and gate.measure is None else ():
            why = f"{tag} was saved and is not scored"
            found.append(GateResult(gate.text, tag, None, met=False, why=why))
        for tag in its_tags:
            beside = None if baselines is None else baselines.get(tag)
            if gate.measure is None:
                compared = () if comparisons is None else comparisons.comparisons
                found += _no_regression(gate, scores[tag], beside, compared, allow_missing)
            else:
                found.append(_reached(gate, gate.measure, scores, tag, beside, allow_missing))
    return tuple(found)


def _no_regression(
    gate: Gate,
    run: RunScores,
    beside: RunScores | None,
    comparisons: Iterable[Comparison],
    allow_missing: int,
) -> Iterator[GateResult]:
    lacking = _lacking((run, beside), lambda _query_id: True, allow_missing)
    worse = [one for one in comparisons if one.tag == run.tag and one.verdict == "worse"]
    for one in worse:
        where = "" if one.slice is None else f" in slice {one.slice!r}"
        why = f"{run.tag} is worse than {one.baseline} by {one.measure}{where}: {one.delta:+.4f}"
        yield GateResult(gate.text, run.tag, one.delta, met=False, why=why)
    if lacking:
        yield GateResult(gate.text, run.tag, None, met=False, why=lacking)
    elif not worse:
        yield GateResult(gate.text, run.tag, None, met=True)


def _reached(
    gate: Gate,
    measure: Measure,
    scores: Scores,
    tag: str,
    beside: RunScores | None,
    allow_missing: int,
) -> GateResult:
    run, name = scores[tag], gate.slice
    of = {} if scores.slices is None else scores.slices.of_query
    within = [q for q in run.query_ids if name is None or of.get(q, "") == name]
    if gate.beside_baseline and beside is not None:
        within = sorted({*within} & {*beside.query_ids})
    value = _mean(run, measure, within)
    runs = (run, beside if gate.beside_baseline else None)
    if lacking := _lacking(runs, lambda q: name is None or of.get(q, "") == name, allow_missing):
        return GateResult(gate.text, tag, value, met=False, why=lacking)
    if value is None:
        return GateResult(gate.text, tag, None, met=False, why=f"{tag} has no {measure}")
    base = 0.0
    if gate.beside_baseline and beside is not None:
        base = _mean(beside, measure, within) or 0.0
    if value + STEP >= gate.least + base:
        return GateResult(gate.text, tag, value, met=True)
    has, wanted = _shown_apart(value, base, gate.least)
    its = f", the baseline {wanted}" if gate.beside_baseline else ""
    return GateResult(gate.text, tag, value, met=False, why=f"{tag} has {has}{its}")


def _lacking(
    runs: Iterable[RunScores | None], within: Callable[[str], bool], allow_missing: int
) -> str:
    """Why no gate is met, where one of the runs has no results for too many of the queries."""
    for run in runs:
        counted = {*(run.query_ids if run else ())}
        missing = [q for q in (run.missing_run if run else ()) if q not in counted and within(q)]
        if run is not None and len(missing) > allow_missing:
            return (
                f"{run.tag} lacks results for {len(missing):,} queries (--complete counts them as"
                " 0, --allow-missing says how many may lack)"
            )
    return ""


def _mean(run: RunScores, measure: Measure, query_ids: Collection[str]) -> float | None:
    return run.scores.where({*query_ids}).runs[run.row].mean_or_none(measure)


def _shown_apart(value: float, base: float, least: float) -> tuple[str, str]:
    """A mean and the baseline's with as many decimals as it takes to look unmet."""
    for decimals in range(4, 12):
        has, beside = f"{value:.{decimals}f}", f"{base:.{decimals}f}"
        if float(has) < least + float(beside) - STEP / 2:
            break
    return has, beside
