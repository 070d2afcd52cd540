"""Runs scored while they are read: what a run holds beside the judged documents is not kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.formats.collected import asked_beside
from judge_tui.formats.source import STDIN
from judge_tui.model import Qrels, Run
from judge_tui.scan.scan import FAST_FROM, Reading, SeenRun, see_run
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    JudgedLists,
    JudgedQueries,
    Measure,
    Rules,
    Scores,
    parse_measures,
)
from judge_tui.scoring.judged_lists import Ints, with_own
from judge_tui.scoring.score import JudgedRun, judged_of, score_judged
from judge_tui.scoring.seen import Knowledge, Seen, know
from judge_tui.sources import distinct_tags, named_sources, run_from

if TYPE_CHECKING:
    from judge_tui.sources import RunsSource

__all__ = ["PARALLEL_FROM", "score_sources"]

PARALLEL_FROM = 24_000_000
"""In bytes: how much there must be to read for a second process to pay."""

_DEFAULT = Rules()


def score_sources(
    qrels: Qrels,
    runs: RunsSource,
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    rules: Rules = _DEFAULT,
    precision: Literal[64, 32] = 64,
    jobs: int | None = None,
    grades: Sequence[int] | None = None,
    told: Callable[[int, int], None] | None = None,
    beside: bool = True,
    demanding: Collection[str] = (),
) -> Scores:
    """Score runs wherever they come from, by trec_eval's rules (`scoring.score_run`).

    `runs` are those of `named_sources`; files are read a block at a time and never held.
    `precision`: scores are rounded to so many bits before they are ordered (32 is what trec_eval 9
    and pytrec_eval do). `jobs`: how many processes read; by default as many as pay. The result is
    the same whatever `jobs` is. `grades`: the grades an unjudged document might get, for
    `RunScores.bounds`. `told` is called with the bytes read so far and their total, where that is
    known. `beside`: a query that the NAME.latency.csv beside a run file says was asked in vain
    counts as nothing found (`Run.asked`). `demanding`: as in `judged_of`.

    Raises `InputError` for a file that is no run, `UsageError` for two runs with one tag, but for
    files, which are then named by their names (`distinct_tags`), and for a run without a judged
    query.
    """
    if precision not in (32, 64):
        raise UsageError(f"scores of {precision} bits are not known", "give 64 or 32")
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} processes cannot score", "give at least 1")
    measures = parse_measures(measures)
    sources = list(named_sources(runs))
    known = JudgedQueries.of(qrels)
    looked_up = with_own(qrels) if rules.ignore_self else qrels
    scorer = _Scorer(know(looked_up), single=precision == 32)
    judged: list[JudgedRun] = []
    for (_, source), seen in zip(sources, scorer.seen(sources, jobs, told), strict=True):
        asked = {*seen.asked}
        if beside and isinstance(source, str | os.PathLike):
            asked |= asked_beside(source).keys()
        lists = _lists(seen.values, known)
        if rules.ignore_self:
            # Who answers with the query alone was asked it, and found nothing.
            rest = lists.retrieved > 0
            asked |= {known.query_ids[row] for row in lists.query[~rest].tolist()}
            lists = lists.rows(rest)
        judged.append(judged_of(seen.tag or "", lists, seen.others, asked, demanding=demanding))
    tags, warnings = distinct_tags(sources, [run.tag for run in judged])
    judged = [run._replace(tag=tag) for run, tag in zip(judged, tags, strict=True)]
    scores = score_judged(judged, known, measures, rules, grades=grades)
    return replace(scores, warnings=warnings)


_Hits: TypeAlias = tuple[list[int], list[int], int]
"""Of one query: the ranks and grades of what has a grade, and how many results there are."""


def _hits(seen: Seen) -> _Hits:
    ranks, grades = seen.ranks + seen.pooled, seen.grades + [-1] * len(seen.pooled)
    return ranks, grades, seen.retrieved


def _lists(hits: Mapping[str, _Hits], known: JudgedQueries) -> JudgedLists:
    """The judged queries of one run."""
    each = hits.values()

    def together(some: Iterable[Iterable[int]]) -> Ints:
        return np.array(list(chain.from_iterable(some)), dtype=np.int64)

    return JudgedLists.of_hits(
        np.repeat(np.arange(len(hits)), [len(ranks) for ranks, _, _ in each]),
        together(ranks for ranks, _, _ in each),
        together(grades for _, grades, _ in each),
        np.array([retrieved for _, _, retrieved in each], dtype=np.int64),
        np.array([known.place[query_id] for query_id in hits], dtype=np.int64),
        known,
    )


class _Scorer:
    """Reads one run after another in the light of the same qrels."""

    def __init__(self, knowledge: Knowledge, *, single: bool) -> None:
        self.knowledge = knowledge
        self.reading: Reading[_Hits] = Reading(knowledge, _hits, single=single)

    def seen(
        self,
        sources: Sequence[tuple[str | None, Any]],
        jobs: int | None,
        told: Callable[[int, int], None] | None,
    ) -> Iterable[SeenRun[_Hits]]:
        """What each source holds, in their order."""
        sizes = [_size(source) for _, source in sources]
        total = sum(sizes)
        self.reading.fast = total > FAST_FROM
        if told is not None:
            self.reading.told = _Progress(told, total)
        jobs = _jobs(jobs, total)
        shared = self._shares(sources, sizes, jobs)
        for place, (tag, source) in enumerate(sources):
            yield shared.get(place) or self._one(tag, source)

    def _one(self, tag: str | None, source: Any) -> SeenRun[_Hits]:
        if isinstance(source, str | os.PathLike):
            return see_run(source, self.reading, tag=tag)
        return self._of_run(run_from(tag, source))

    def _of_run(self, run: Run) -> SeenRun[_Hits]:
        answered = {query_id: scores for query_id, scores in run.scores.items() if scores}
        values = {
            query_id: self.reading.value_of(self.knowledge[query_id], scores)
            for query_id, scores in answered.items()
            if query_id in self.knowledge
        }
        others = (answered.keys() | run.asked) - self.knowledge.keys()
        return SeenRun(run.tag, values, list(others), run.asked)

    def _shares(
        self, sources: Sequence[tuple[str | None, Any]], sizes: Sequence[int], jobs: int
    ) -> Mapping[int, SeenRun[_Hits]]:
        """What could be read in several processes, by the place of the source."""
        places = [place for place, size in enumerate(sizes) if size]
        if jobs == 1 or not places:
            return {}
        from judge_tui.scan.parts import RunFile, read_in_shares  # noqa: PLC0415 - for much to read

        files = [
            RunFile(sources[place][0], os.fspath(sources[place][1]), sizes[place])
            for place in places
        ]
        seen = read_in_shares(files, self.reading, jobs=jobs)
        return {places[place]: found for place, found in seen.items()}


class _Progress:
    """Bytes added up for whoever wants to be told."""

    def __init__(self, told: Callable[[int, int], None], total: int) -> None:
        self._told, self._total, self._done = told, total, 0

    def __call__(self, count: int) -> None:
        self._done += count
        self._told(self._done, self._total)


def _size(source: Any) -> int:
    """How many bytes a regular file has; 0 for anything else, so also for standard input."""
    if not isinstance(source, str | os.PathLike) or os.fspath(source) == STDIN:
        return 0
    return os.path.getsize(source) if os.path.isfile(source) else 0  # noqa: PTH113, PTH202


def _jobs(jobs: int | None, total: int) -> int:
    if jobs is None and total < PARALLEL_FROM:
        return 1
    from judge_tui.processes import processors  # noqa: PLC0415 - for much to read

    return jobs or processors()
