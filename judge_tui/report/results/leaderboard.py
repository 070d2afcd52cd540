"""The leaderboard as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    Report,
    Tone,
    Toned,
    count,
    difference,
    number,
    probability,
)
from judge_tui.report.measure_columns import MeasuredRow, measure_grids
from judge_tui.report.plots import Interval, Picture
from judge_tui.report.plots import Intervals as IntervalsPicture
from judge_tui.report.results.view import between, left, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.bounds import LooseEnds
    from judge_tui.analysis.leaderboard import Intervals, Leaderboard, RunRow, Verdicts
    from judge_tui.scoring import Measure
    from judge_tui.significance import Comparison

__all__ = ["leaderboard_report"]

_DETAILED = 60
"""Rows of detail beyond those of the first measure."""

_HEADER = (
    "tag",
    "measure",
    "queries",
    "value",
    "ci95_low",
    "ci95_high",
    "low",
    "high",
    "baseline",
    "delta",
    "delta_low",
    "delta_high",
    "p",
    "p_adjusted",
    "verdict",
)


def leaderboard_report(
    board: Leaderboard,
    basis: Basis,
    *,
    intervals: Intervals | None = None,
    loose: LooseEnds | None = None,
    verdicts: Verdicts | None = None,
    by: Measure | None = None,
) -> Report:
    """The runs, best first `by` a measure (the first unless named), which is shown in detail; the
    others as far as there is room. What was not worked out is left out."""
    made = _Made(board, basis, intervals, loose, verdicts, by or board.measures[0])
    return view_report(
        "leaderboard",
        basis,
        made.body(),
        header=_HEADER,
        rows=list(made.rows()),
        grids=list(made.grids()),
        notes=list(made.notes()),
        pictures=[made.picture()],
    )


class _Made:
    def __init__(
        self,
        board: Leaderboard,
        basis: Basis,
        intervals: Intervals | None,
        loose: LooseEnds | None,
        verdicts: Verdicts | None,
        by: Measure,
    ) -> None:
        self.board, self.basis = board, basis
        self.intervals, self.loose, self.verdicts = intervals, loose, verdicts
        self.measures = (by, *(one for one in board.measures if one != by))
        self.every = tuple(dict.fromkeys([*board.measures, *board.shares]))
        self.order = board.by(by)

    def grids(self) -> Iterator[Grid]:
        yield self._detail(self.measures[0])
        others = self.measures[1:]
        if others:
            rows: list[MeasuredRow] = [
                (
                    [row.tag, row.queries, row.missing_run, row.missing_qrels],
                    lambda measure, row=row: row.means[measure.name],  # type: ignore[misc]
                )
                for row in self.order
            ]
            columns = [*left("run"), Column("queries"), Column("not in run")]
            columns.append(Column("not in qrels"))
            yield from measure_grids(
                "All measures", columns, rows, self.board.measures, self.board.shares
            )
        if self._has_room:
            yield from map(self._detail, others)

    @property
    def _has_room(self) -> bool:
        return (len(self.measures) - 1) * len(self.order) <= _DETAILED

    def _detail(self, measure: Measure) -> Grid:
        show = count if measure.definition.whole else number
        columns = [*left("run"), Column("queries"), Column(measure.name, show)]
        if self.intervals is not None:
            columns.append(Column("95% interval"))
        if self.loose is not None:
            columns += [Column("low", show), Column("high", show)]
        columns += [Column(share.name, number) for share in self.board.shares]
        if self._compares(measure):
            columns += [Column("delta", difference), Column(self._correction, probability)]
            columns += left("verdict")
        rows = [self._cells(row, measure) for row in self.order]
        return Grid(f"By {measure}", columns, rows)

    def _cells(self, row: RunRow, measure: Measure) -> list[Cell]:
        cells: list[Cell] = [row.tag, row.queries, row.means[measure.name]]
        if self.intervals is not None:
            cells.append(between(self.intervals.of[measure.name][row.tag]))
        if self.loose is not None:
            cells += self._bounds(row, measure) or (None, None)
        cells += [row.means[share.name] for share in self.board.shares]
        if self._compares(measure):
            found = self._comparison(row, measure)
            if found is None:
                own = self.verdicts is not None and row.tag == self.verdicts.baseline
                cells += [None, None, "baseline" if own else None]
            else:
                cells += [found.delta, _adjusted(found), _toned(found)]
        return cells

    def _compares(self, measure: Measure) -> bool:
        return self.verdicts is not None and measure.definition.quality

    @property
    def _correction(self) -> str:
        found = self.verdicts.comparisons if self.verdicts is not None else None
        return "p" if found is None else f"p ({found.settings.correction})"

    def _bounds(self, row: RunRow, measure: Measure) -> tuple[float, float] | None:
        return self.loose.of.get(measure.name, {}).get(row.tag) if self.loose is not None else None

    def _interval(self, row: RunRow, measure: Measure) -> tuple[float, float] | None:
        return None if self.intervals is None else self.intervals.of[measure.name][row.tag]

    def _comparison(self, row: RunRow, measure: Measure) -> Comparison | None:
        return None if self.verdicts is None else self.verdicts.of.get((row.tag, measure.name))

    def notes(self) -> Iterator[str]:
        if self.intervals is not None:
            yield (
                "95% interval of the mean over queries: percentile bootstrap, seed "
                f"{self.basis.seed}"
            )
            yield from _reasons("interval", self.intervals.why)
        if self.loose is not None:
            grades = ", ".join(map(str, self.basis.grades))
            yield (
                f"low and high: the least and the greatest mean over the grades {grades} for every "
                "unjudged document in the lists"
            )
            yield from (f"no bounds of {name}: {why}" for name, why in self.loose.why.items())
            yield from self._cut()
        if self.verdicts is not None:
            found = self.verdicts.comparisons
            if not any(map(self._compares, self.measures)):
                yield "no verdicts: more of it does not make a run better"
            elif found is None:
                yield f"no verdicts: there is nothing to compare with {self.verdicts.baseline}"
            else:
                yield (
                    f"verdict beside {self.verdicts.baseline} by {found.settings.tests[0]}, "
                    f"{found.settings.alternative}, correction {found.settings.correction} over a "
                    f"family of {len(found)}, alpha {found.settings.alpha:g}; judge-tui compare "
                    "has all tests"
                )
            yield from (f"{tag}: no verdict: {why}" for tag, why in self.verdicts.why.items())
        if not self._has_room:
            yield "in detail by another measure: -m MEASURE; -f json and csv have all"

    def _cut(self) -> Iterator[str]:
        if not (self.basis.cut and self.loose is not None and self.loose.of_kept):
            return
        depths = sorted(set(self.basis.cut.values()))
        yield (
            f"the bounds of {', '.join(self.loose.of_kept)} look at what is kept of the lists, and "
            f"{len(self.basis.cut)} of {len(self.order)} runs were cut when they were loaded, at "
            f"{' or '.join(map(str, depths))} results a query: what was relevant below could "
            "lower them further"
        )

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"measures": [measure.name for measure in self.every]}
        found = self.verdicts.comparisons if self.verdicts is not None else None
        if found is not None:
            body["comparison"] = {**found.settings.to_dict(), "family": len(found)}
        if self.loose is not None:
            body["cut"] = dict(self.basis.cut)
        return {**body, "runs": [self._entry(row) for row in self.order]}

    def _entry(self, row: RunRow) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "tag": row.tag,
            "queries": row.queries,
            "missing": {"run": row.missing_run, "qrels": row.missing_qrels},
            "mean": dict(row.means),
        }
        why: dict[str, Any] = {}
        if not row.queries:
            why["mean"] = "the run answers no judged query"
        if self.intervals is not None:
            entry["ci95"] = {one.name: self._interval(row, one) for one in self.board.measures}
            reasons = {
                name: of[row.tag] for name, of in self.intervals.why.items() if row.tag in of
            }
            why |= {"ci95": reasons} if reasons else {}
        if self.loose is not None:
            entry["bounds"] = {one.name: self._bounds(row, one) for one in self.board.measures}
            why |= {"bounds": dict(self.loose.why)} if self.loose.why else {}
        if self.verdicts is not None:
            entry["verdicts"] = {
                one.name: None if (found := self._comparison(row, one)) is None else _told(found)
                for one in self.board.measures
                if one.definition.quality
            }
            if row.tag == self.verdicts.baseline:
                why["verdicts"] = "it is the baseline"
            elif row.tag in self.verdicts.why:
                why["verdicts"] = self.verdicts.why[row.tag]
        return {**entry, "why": why} if why else entry

    def rows(self) -> Iterator[Sequence[Cell]]:
        for row in self.order:
            for measure in self.every:
                bounds = self._bounds(row, measure) or (None, None)
                asked = measure in self.board.measures
                interval = (self._interval(row, measure) if asked else None) or (None, None)
                found = self._comparison(row, measure)
                yield (
                    row.tag,
                    measure.name,
                    row.queries,
                    row.means[measure.name],
                    *interval,
                    *bounds,
                    *_compared(found),
                )

    def picture(self) -> Picture:
        measure = self.measures[0]
        mark = {row.tag: row.means[measure.name] for row in self.order}.get(self.basis.baseline)
        return IntervalsPicture(
            title=f"Runs by {measure}",
            unit=measure.name,
            rows=[self._drawn(row, measure) for row in self.order],
            mark=mark,
            note=f"the line is {self.basis.baseline}; whiskers: 95% interval of the mean; band: "
            "what unjudged documents leave open",
        )

    def _drawn(self, row: RunRow, measure: Measure) -> Interval:
        low, high = self._interval(row, measure) or (None, None)
        least, greatest = self._bounds(row, measure) or (None, None)
        found = self._comparison(row, measure)
        words = "baseline" if row.tag == self.basis.baseline else ""
        if not row.queries:
            words = "answers no judged query"
        return Interval(
            label=row.tag,
            value=row.means[measure.name],
            low=low,
            high=high,
            least=least,
            greatest=greatest,
            words=words if found is None else str(found.verdict),
            tone=None if found is None else _tone(found),
        )


def _adjusted(found: Comparison) -> float | None:
    return next(iter(found.p_adjusted.values()))


def _told(found: Comparison) -> dict[str, Any]:
    test = next(iter(found.tests.values()))
    told: dict[str, Any] = {
        "queries": found.queries,
        "delta": found.delta,
        "ci95": found.ci95,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "p": test.p,
        "p_adjusted": _adjusted(found),
        "verdict": str(found.verdict),
    }
    return told if test.p is not None else {**told, "why": test.why}


def _compared(found: Comparison | None) -> Sequence[Cell]:
    if found is None:
        return (None,) * 7
    test = next(iter(found.tests.values()))
    ends = found.ci95 or (None, None)
    verdict = str(found.verdict)
    return (found.baseline, found.delta, *ends, test.p, _adjusted(found), verdict)


def _tone(found: Comparison) -> Tone | None:
    tones: dict[str, Tone] = {"better": "good", "worse": "bad"}
    return tones.get(str(found.verdict))


def _toned(found: Comparison) -> Cell:
    tone = _tone(found)
    return str(found.verdict) if tone is None else Toned(str(found.verdict), tone)


def _reasons(what: str, why: Any) -> Iterator[str]:
    """Why there is no number, once for all runs of which it is said."""
    told: dict[tuple[str, str], list[str]] = {}
    for name, of in why.items():
        for tag, reason in of.items():
            told.setdefault((name, reason), []).append(tag)
    for (name, reason), tags in told.items():
        whose = tags[0] if len(tags) == 1 else f"{tags[0]} and {len(tags) - 1} more"
        yield f"no {what} of {name} for {whose}: {reason}"
