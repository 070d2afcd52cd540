"""Gates: what runs must reach for a build to pass (`--require`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Set
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.counts import counted
from judge_tui.errors import UsageError, check_known
from judge_tui.scoring import Measure, RunScores, Scores, parse_measure
from judge_tui.scoring.measure import DECIMAL, STEP

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparison, Comparisons

GATE_FORMS = (
    '"nDCG@10>=0.4" for every run, "TAG:nDCG@10>=0.4" for one, "SLICE/nDCG@10>=0.4" for some'
    ' queries; beside a baseline "nDCG@10>=baseline-0.01", or no-regression: no verdict is worse'
)
"""How gates are written."""

NO_REGRESSION = "no-regression"

_LEAST_MEAN = (
    r"(?:(?P<tag>.*):)?"  # a tag may hold colons, and so may what a measure has in parentheses
    r"(?P<measure>[^:()]*(?:\([^()]*\)[^:()]*)?)"
    rf">=\s*(?:(?P<least>[-+]?{DECIMAL})|baseline\s*(?P<more>[-+]\s*{DECIMAL})?)\s*"
)


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


class Gate(NamedTuple):
    """The mean by the `measure` is at least `least`, or `beside_baseline` at least the baseline's
    mean plus `least`: of the run `tag`, or of every run; over the queries of one `slice`, where
    that is named. Without a measure it is `no-regression`: no verdict is worse, and no run that was
    saved is gone."""

    text: str
    measure: Measure | None = None
    least: float = 0.0
    tag: str | None = None
    slice: str | None = None
    beside_baseline: bool = True


def parse_gates(
    texts: Iterable[str],
    *,
    rel: int | None = None,
    max_rel: int | None = None,
    known: Iterable[Measure] = (),
) -> tuple[Gate, ...]:
    """Read gates as `GATE_FORMS` has them. `rel` and `max_rel` are those of `parse_measure`;
    `known`: measures that have their own names. Raises `UsageError`."""
    by_name = {str(measure): measure for measure in known}
    gates = []
    for text in map(str.strip, texts):
        if text == NO_REGRESSION:
            gates.append(Gate(text))
            continue
        match = re.fullmatch(_LEAST_MEAN, text, re.DOTALL)
        least = match and float("".join((match["least"] or match["more"] or "0").split()))
        if match is None or least is None or not isfinite(least):
            raise UsageError(f"{text!r} is not a gate", f"write {GATE_FORMS}")
        of_slice, slash, name = match["measure"].rpartition("/")
        gates.append(
            Gate(
                text,
                by_name.get(name.strip()) or parse_measure(name, rel=rel, max_rel=max_rel),
                least,
                None if match["tag"] is None else match["tag"].strip(),
                of_slice.strip() if slash else None,
                beside_baseline=match["least"] is None,
            )
        )
    return tuple(gates)


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
        if gate.tag is not None:
            check_known("run", gate.tag, tags)
        if gate.slice is not None:
            if not slices:
                raise UsageError(f"gate {gate.text}: there are no slices", "give --by FIELD")
            check_known("slice", gate.slice, slices)
        has_baseline = bool(with_baseline) if gate.tag is None else gate.tag in with_baseline
        if gate.beside_baseline and not has_baseline:
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
) -> tuple[GateResult, ...]:
    """Hold runs to gates, each run that a gate is about.

    A run stands beside the baseline of `comparisons`, over the queries of both. `tags`: the runs
    that a gate is about which names none; all by default. A run that lacks results for a query, or
    whose baseline does, meets no gate; those that count as 0 (`complete`) are not lacking, and a
    run that was saved and is not scored is a regression. Within `STEP` a mean is enough. `scores`
    hold the values of all measures, and their slices, if gates name any. Raises `UsageError` as
    `refuse_gates`.
    """
    baselines: dict[str, RunScores] = {}
    if comparisons is not None and not comparisons.settings.all_pairs:
        baselines = {run.tag: baseline for baseline, run in comparisons.paired}
    names = () if scores.slices is None else [one.name for one in scores.slices.slices]
    refuse_gates(gates, list(scores), names, baselines)
    found: list[GateResult] = []
    worse: list[Comparison] = []
    if comparisons is not None and any(gate.measure is None for gate in gates):
        worse = [one for one in comparisons if one.verdict == "worse"]
    for gate in gates:
        about = [gate.tag] if gate.tag is not None else list(scores if tags is None else tags)
        if gate.measure is None and comparisons is not None:
            for tag in comparisons.gone:
                why = f"{tag} was saved and is not scored"
                found.append(GateResult(gate.text, tag, None, met=False, why=why))
        for tag in about:
            baseline = baselines.get(tag) if gate.beside_baseline else None
            if gate.beside_baseline and baseline is None:
                continue
            if gate.measure is not None:
                found.append(_check_mean(gate, gate.measure, scores[tag], baseline))
            elif comparisons is not None and baseline is not None:
                found += _check_verdicts(gate.text, scores[tag], baseline, worse)
    return tuple(found)


def _check_mean(
    gate: Gate, measure: Measure, run: RunScores, baseline: RunScores | None
) -> GateResult:
    slices = run.scores.slices
    if gate.slice is not None and slices is not None:
        inside = {q for q in run.scores.query_ids if slices.of_query.get(q, "") == gate.slice}
        run = _over(run, inside)
        baseline = baseline and _over(baseline, inside)
    why = _lacking([run] if baseline is None else [run, baseline])
    least, beside = gate.least, ""
    if baseline is not None:
        both = {*run.query_ids} & {*baseline.query_ids}
        run, baseline = _over(run, both), _over(baseline, both)
        base = baseline.mean_or_none(measure) or 0.0
        least, beside = least + base, f" (baseline {base:.4f})"
    value = run.mean_or_none(measure)
    if value is None:
        why = why or f"{run.tag} has no {measure}"
    elif value + STEP < least:
        why = why or f"{run.tag} has {_shown_below(value, least)}{beside}"
    return GateResult(gate.text, run.tag, value, met=not why, why=why)


def _check_verdicts(
    gate: str, run: RunScores, baseline: RunScores, worse: Iterable[Comparison]
) -> Iterator[GateResult]:
    its = [one for one in worse if one.tag == run.tag]
    for one in its:
        where = "" if one.slice is None else f" in slice {one.slice!r}"
        why = f"{run.tag} is worse than {one.baseline} by {one.measure}{where}: {one.delta:+.4f}"
        yield GateResult(gate, run.tag, one.delta, met=False, why=why)
    lacking = _lacking([run, baseline])
    if lacking or not its:
        yield GateResult(gate, run.tag, None, met=not lacking, why=lacking)


def _over(run: RunScores, queries: Set[str]) -> RunScores:
    """Return the run over some of the queries."""
    return run.scores.where(queries).runs[run.row]


def _lacking(runs: Iterable[RunScores]) -> str:
    """Return why no gate is met, where one of the runs has no results for some of the queries."""
    for run in runs:
        missing = {*run.missing_run} - {*run.query_ids}
        if missing:
            values = run.scores.reference == "values"
            mend = "give it a value for each" if values else "--complete counts them as 0"
            return (
                f"{run.tag} lacks results for {counted(len(missing), 'query', 'queries')} ({mend})"
            )
    return ""


def _shown_below(value: float, least: float) -> str:
    """Return a mean with four decimals, or with all of them where four would look like enough."""
    text = f"{value:.4f}"
    return text if float(text) < least else repr(value)
