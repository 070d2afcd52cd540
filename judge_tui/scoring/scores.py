"""Several runs scored with one set of qrels: what `judge-tui score` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from judge_tui.errors import UsageError, unknown
from judge_tui.model import Qrels, Run, Warning  # noqa: A004 - the noun of the product
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures import DEFAULT_MEASURES
from judge_tui.scoring.names import parse_measures
from judge_tui.scoring.rules import Rules
from judge_tui.scoring.run import RunScores, score_run

if TYPE_CHECKING:
    from judge_tui.scoring.slices import Slices

__all__ = [
    "NO_COMPOSITE",
    "Scores",
    "UnknownRunError",
    "of_one_tag_each",
    "score_runs",
]

NO_COMPOSITE = "the slices are scored by different measures: no value over all queries"


class UnknownRunError(UsageError, KeyError):
    """Scores have no run of that tag: an error of the caller's, and of a mapping."""


@dataclass(frozen=True, slots=True)
class Scores(Mapping[str, RunScores]):
    """The values of several runs; `measures` and `runs` in the order in which they were given.

    Also a mapping tag -> run: `scores["bm25"]`, `"bm25" in scores`, `for tag in scores`,
    `scores.items()`; `len(scores)` counts the runs.

    `slices` are the same scores slice by slice, where that was asked for. `by`: what says what is
    right, as it is called when readers are told.
    """

    columns: ClassVar = ("tag", "query_id", "measure", "value")
    """The names of what is in a row of `to_rows`."""

    measures: tuple[Measure, ...]
    runs: tuple[RunScores, ...]
    complete: bool
    judged_only: bool
    depth: int | None = None
    slices: Slices | None = None
    by: str = "qrels"
    warnings: tuple[Warning, ...] = ()

    @classmethod
    def by_rules(
        cls,
        rules: Rules,
        measures: Iterable[Measure],
        runs: Iterable[RunScores],
        *,
        by: str = "qrels",
    ) -> Scores:
        """Those of runs that were scored by these rules."""
        return cls(
            tuple(measures),
            tuple(runs),
            rules.complete,
            rules.judged_only,
            rules.depth,
            by=by,
        )

    def __getitem__(self, tag: str) -> RunScores:
        """The run of that tag. Raises `UsageError`, which is a `KeyError` too, if there is none."""
        for run in self.runs:
            if run.tag == tag:
                return run
        refusal = unknown("run", str(tag), self)
        raise UnknownRunError(refusal.what, refusal.mend)

    def __iter__(self) -> Iterator[str]:
        """The tags, in the order of the runs."""
        return (run.tag for run in self.runs)

    def __len__(self) -> int:
        """How many runs there are."""
        return len(self.runs)

    def only(self, measures: Iterable[Measure]) -> Scores:
        """The same scores seen through some of their measures."""
        return replace(self, measures=tuple(measures))

    def cut_into(self, slices: Slices) -> Scores:
        """The same scores with their slices."""
        return replace(self, slices=slices)

    def to_dict(
        self, *, per_query: bool = False, settings: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The result as JSON has it; floats at full precision.

        With the bounds and the slices that were asked for; what is undefined is None, and `why`
        says the reason. `settings` are told beside those of the scores.
        """
        from judge_tui.scoring.document import document_of  # noqa: PLC0415 - tables need none

        return document_of(self, per_query=per_query, settings=settings or {})

    def to_rows(self, *, per_query: bool = False) -> list[tuple[str, str, str, float]]:
        """(tag, query_id, measure, value), named by `columns`; the mean stands under the query_id
        `all`.

        Where slices have different measures, a query has those of its slice, and in place of `all`
        each slice has its own means, under FIELD=VALUE.
        """
        cut = None if self.slices is None or self.slices.composite else self.slices
        rows: list[tuple[str, str, str, float]] = []
        for run in self.runs:
            for place, query_id in enumerate(run.query_ids if per_query else ()):
                own = self.measures if cut is None else cut.of(query_id).measures
                rows += [
                    (run.tag, query_id, str(measure), value)
                    for measure in own
                    if (value := run.value(measure, place)) is not None
                ]
            if cut is None:
                rows += [
                    (run.tag, "all", str(measure), mean)
                    for measure in self.measures
                    if (mean := run.mean_or_none(measure)) is not None
                ]
        if cut is not None:
            rows += [
                (tag, f"{cut.by}={name}", measure, value)
                for name, tag, _, measure, value in cut.to_rows()
                if value is not None
            ]
        return rows


def score_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    complete: bool = False,
    judged_only: bool = False,
    depth: int | None = None,
) -> Scores:
    """Score each run as `score_run` does: runs in memory, by this room alone.

    Raises `UsageError` where two runs share a tag."""
    measures = parse_measures(measures)
    scored = tuple(
        score_run(
            qrels,
            run,
            measures,
            complete=complete,
            judged_only=judged_only,
            depth=depth,
        )
        for run in of_one_tag_each(runs)
    )
    return Scores.by_rules(Rules(complete, judged_only, depth), measures, scored)


def of_one_tag_each(runs: Iterable[Run]) -> Iterator[Run]:
    """The runs as they come. Raises `UsageError` at one whose tag another one had."""
    tags: set[str] = set()
    for run in runs:
        if run.tag in tags:
            raise UsageError(f"two runs have the tag {run.tag!r}", "give each run its own tag")
        tags.add(run.tag)
        yield run
