"""Gates: what runs must reach for a build to pass (`--require`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.counts import counted
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import Measure, RunScores, Scores, parse_measure
from judge_tui.scoring.measure import DECIMAL, STEP

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparisons

__all__ = ["NO_REGRESSION", "Gate", "GateResult", "check_gates", "parse_gates", "refuse_gates"]

NO_REGRESSION = "no-regression"

_FORM = (
    r"(?:(?P<tag>.*):)?"  # a tag may hold colons, and so may what a measure has in parentheses
    r"(?P<measure>[^:()]*(?:\([^()]*\)[^:()]*)?)"
    rf">=\s*(?:(?P<least>[-+]?{DECIMAL})|baseline\s*(?P<more>[-+]\s*{DECIMAL})?)\s*"
)


class Gate(NamedTuple):
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
        """Return the result as JSON has it."""
        found = self._asdict()
        return found if self.why else {k: v for k, v in found.items() if k != "why"}


def parse_gates(
    texts: Iterable[str],
    *,
    rel: int | None = None,
    max_rel: int | None = None,
    known: Iterable[Measure] = (),
) -> tuple[Gate, ...]:
    """Read `nDCG@10>=0.4`, `TAG:Hit@5>=0.7`, `AP>=baseline-0.01`, `lookup/RR>=0.5` (of a slice), or
    `no-regression`. `rel` and `max_rel` are those of `parse_measure`; `known`: measures that have
    their own names. Raises `UsageError`."""
    by_name = {str(measure): measure for measure in known}

    def measure_named(name: str) -> Measure:
        return by_name.get(name.strip()) or parse_measure(name, rel=rel, max_rel=max_rel)

    return tuple(_parsed(text.strip(), measure_named) for text in texts)


def _parsed(text: str, measure_named: Callable[[str], Measure]) -> Gate:
    if text == NO_REGRESSION:
        return Gate(text)
    match = re.fullmatch(_FORM, text, re.DOTALL)
    least = match and float("".join((match["least"] or match["more"] or "0").split()))
    if match is None or least is None or not isfinite(least):
        raise UsageError(
            f"{text!r} is no gate",
            "write nDCG@10>=0.4, TAG:nDCG@10>=0.4, SLICE/nDCG@10>=0.4, nDCG@10>=baseline-0.01 or"
            " no-regression",
        )
    of_slice, slash, measure = match["measure"].rpartition("/")
    return Gate(
        text,
        measure_named(measure),
        least,
        None if match["tag"] is None else match["tag"].strip(),
        of_slice.strip() if slash else None,
        beside_baseline=match["least"] is None,
    )


def refuse_gates(
    gates: Iterable[Gate],
    tags: Collection[str],
    slices: Collection[str],
    with_baseline: Collection[str],
) -> None:
    """Raise `UsageError` for a run or a slice that is none of these, and for a gate beside a
    baseline where no run, or not the one that is named, has any. `with_baseline`: the
    runs that have one."""
    for gate in gates:
        if gate.tag is not None and gate.tag not in tags:
            raise unknown("run", gate.tag, tags)
        if gate.slice is not None and gate.slice not in slices:
            if not slices:
                raise UsageError(f"gate {gate.text}: there are no slices", "give --by FIELD")
            raise unknown("slice", gate.slice, slices)
        needs = gate.beside_baseline or gate.measure is None
        if needs and (gate.tag not in with_baseline if gate.tag is not None else not with_baseline):
            raise UsageError(
                f"gate {gate.text}: there is no baseline to stand beside",
                "give a run to compare with, or write a number",
            )


def check_gates(
    gates: Iterable[Gate],
    scores: Scores,
    comparisons: Comparisons | None = None,
    *,
    tags: Collection[str] | None = None,
    allow_missing: int = 0,
) -> tuple[GateResult, ...]:
    """Hold runs to gates, each run that a gate is about.

    A run stands beside the baseline of `comparisons`, over the queries of both. `tags`: the runs
    that a gate is about which names none; all by default. A run that lacks results for more than
    `allow_missing` queries, or whose baseline does, meets no gate; those that count as 0
    (`complete`) are not lacking, and a run that was saved and is not scored is a regression. Within
    `STEP` a mean is enough. `scores` hold the values of all measures, and their slices, if gates
    name any. Raises `UsageError` as `refuse_gates`.
    """
    baselines: dict[str, RunScores] = {}
    if comparisons is not None and not comparisons.settings.all_pairs:
        baselines = {run.tag: baseline for baseline, run in comparisons.paired}
    names = () if scores.slices is None else [one.name for one in scores.slices.slices]
    refuse_gates(gates, list(scores), names, baselines)
    found: list[GateResult] = []
    for gate in gates:
        about = [gate.tag] if gate.tag is not None else list(scores if tags is None else tags)
        if gate.measure is not None:
            for tag in about:
                baseline = baselines.get(tag) if gate.beside_baseline else None
                if baseline is not None or not gate.beside_baseline:
                    found.append(_reached(gate, gate.measure, scores[tag], baseline, allow_missing))
        elif comparisons is not None:
            for tag in comparisons.gone:
                why = f"{tag} was saved and is not scored"
                found.append(GateResult(gate.text, tag, None, met=False, why=why))
            for tag in about:
                if tag in baselines:
                    runs = (scores[tag], baselines[tag])
                    found += _regressions(gate, runs, comparisons, allow_missing)
    return tuple(found)


def _regressions(
    gate: Gate, runs: tuple[RunScores, RunScores], comparisons: Comparisons, allow_missing: int
) -> Iterator[GateResult]:
    tag = runs[0].tag
    worse = [one for one in comparisons if one.tag == tag and one.verdict == "worse"]
    for one in worse:
        where = "" if one.slice is None else f" in slice {one.slice!r}"
        why = f"{tag} is worse than {one.baseline} by {one.measure}{where}: {one.delta:+.4f}"
        yield GateResult(gate.text, tag, one.delta, met=False, why=why)
    if lacking := _lacking(runs, allow_missing):
        yield GateResult(gate.text, tag, None, met=False, why=lacking)
    elif not worse:
        yield GateResult(gate.text, tag, None, met=True)


def _reached(
    gate: Gate,
    measure: Measure,
    run: RunScores,
    baseline: RunScores | None,
    allow_missing: int,
) -> GateResult:
    slices = run.scores.slices
    if gate.slice is not None and slices is not None:
        inside = {q for q in run.scores.query_ids if slices.of_query.get(q, "") == gate.slice}
        run = _over(run, inside)
        baseline = baseline and _over(baseline, inside)
    lacking = _lacking([run] if baseline is None else [run, baseline], allow_missing)
    base = 0.0
    if baseline is not None:
        both = {*run.query_ids} & {*baseline.query_ids}
        run, baseline = _over(run, both), _over(baseline, both)
        base = baseline.mean_or_none(measure) or 0.0
    value = run.mean_or_none(measure)
    if lacking:
        return GateResult(gate.text, run.tag, value, met=False, why=lacking)
    if value is None:
        return GateResult(gate.text, run.tag, None, met=False, why=f"{run.tag} has no {measure}")
    if value + STEP >= gate.least + base:
        return GateResult(gate.text, run.tag, value, met=True)
    why = f"{run.tag} has {_shown_below(value, gate.least + base)}"
    if gate.beside_baseline:
        why += f" (baseline {base:.4f})"
    return GateResult(gate.text, run.tag, value, met=False, why=why)


def _over(run: RunScores, queries: Set[str]) -> RunScores:
    """Return the run over some of the queries."""
    return run.scores.where(queries).runs[run.row]


def _lacking(runs: Iterable[RunScores], allow_missing: int) -> str:
    """Return why no gate is met, where one of the runs has no results for too many of the
    queries."""
    for run in runs:
        missing = {*run.missing_run} - {*run.query_ids}
        if len(missing) > allow_missing:
            complete = "" if run.scores.grounds == "values" else "--complete counts them as 0, "
            return (
                f"{run.tag} lacks results for {counted(len(missing), 'query', 'queries')}"
                f" ({complete}--allow-missing says how many may lack)"
            )
    return ""


def _shown_below(value: float, least: float) -> str:
    """Return a mean with four decimals, or with all of them where four would look like enough."""
    text = f"{value:.4f}"
    return text if float(text) < least else repr(value)
