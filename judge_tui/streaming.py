"""Runs scored while they are read: what a run holds beside the judged documents is not kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from judge_tui.errors import UsageError
from judge_tui.formats.seen_run import FAST_FROM, Reading, SeenRun, see_part, see_run, text_of_run
from judge_tui.formats.source import STDIN
from judge_tui.model import Qrels, Run
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Knowledge,
    Measure,
    QueryValues,
    Rules,
    RunScores,
    Scores,
    Seen,
    gather,
    know,
    parse_measures,
    values_of,
)
from judge_tui.sources import Tags, named_sources, origin_of, run_from

if TYPE_CHECKING:
    from judge_tui.sources import RunsSource

__all__ = ["PARALLEL_FROM", "score_sources"]

PARALLEL_FROM = 24_000_000
"""In bytes: how much there must be to read for a second process to pay."""

_PART_FROM = 8_000_000
_DEFAULT = Rules()


def score_sources(
    qrels: Qrels,
    runs: RunsSource,
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    rules: Rules = _DEFAULT,
    precision: Literal[64, 32] = 64,
    jobs: int | None = None,
    format: str | None = None,
    grades: Sequence[int] | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score runs wherever they come from, by trec_eval's rules (`scoring.score_run`).

    `runs` are those of `sources.runs_from`; files are read a block at a time and never held.
    `precision`: scores are rounded to so many bits before they are ordered (32 is what trec_eval 9
    and pytrec_eval do). `jobs`: how many processes read; by default as many as pay.
    `format`: that of the run files. `grades`: the grades an unjudged document might get, for
    `RunScores.bounds`. `told` is called with the bytes read so far and their total, where that is
    known. The result is the same whatever `jobs` is. Raises `InputError` for a file that is no run,
    `UsageError` for two runs with one tag and for a run without a judged query.
    """
    if precision not in (32, 64):
        raise UsageError(f"scores of {precision} bits are not known", "give 64 or 32")
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} processes cannot score", "give at least 1")
    measures = parse_measures(measures)
    sources = list(named_sources(runs))
    work = _Work(know(qrels), measures, rules, precision, grades, format)
    tags = Tags()
    scored = []
    for (tag, source), seen in zip(sources, work.all(sources, jobs, told), strict=True):
        tags.take(seen.tag or "", origin_of(tag, source))
        scored.append(work.gather(seen))
    return Scores(measures, tuple(scored), rules.complete, rules.judged_only, rules.depth)


class _Task(NamedTuple):
    """A file to be read, or one part of it, as the run at that place."""

    place: int
    path: str
    span: tuple[int, int] | None
    size: int


class _Work:
    """How one run after another is scored."""

    def __init__(
        self,
        knowledge: Knowledge,
        measures: tuple[Measure, ...],
        rules: Rules,
        precision: int,
        grades: Sequence[int] | None,
        format: str | None,
    ) -> None:
        self.knowledge, self.measures, self.rules = knowledge, measures, rules
        self.grades, self.format = grades, format
        self.value = self._values if grades is None else self._values_and_bounds(grades)
        self.reading: Reading[Any] = Reading(knowledge, self.value, single=precision == 32)

    def all(
        self,
        sources: Sequence[tuple[str | None, Any]],
        jobs: int | None,
        told: Callable[[int, int], None] | None,
    ) -> Iterable[SeenRun[Any]]:
        """What each source holds, in their order."""
        sizes = [_size(source) for _, source in sources]
        total = sum(sizes)
        self.reading.fast = total > FAST_FROM
        if told is not None:
            self.reading.told = _Progress(told, total)
        jobs = _jobs(jobs, total)
        by_part = self._parts(sources, sizes, jobs) if jobs > 1 else {}
        for place, (tag, source) in enumerate(sources):
            yield by_part.get(place) or self._one(tag, source)

    def gather(self, seen: SeenRun[Any]) -> RunScores:
        """The scores of a run, with its bounds where they were asked for."""
        tag, others = seen.tag or "", seen.others
        if self.grades is None:
            return gather(tag, self.knowledge, self.measures, self.rules, seen.values, others)
        from judge_tui.scoring.bounds import average_bounds, bounds_of_missing  # noqa: PLC0415

        values = {query_id: values for query_id, (values, _) in seen.values.items()}
        scores = gather(tag, self.knowledge, self.measures, self.rules, values, others)
        bounds = [
            seen.values[query_id][1]
            if query_id in seen.values
            else bounds_of_missing(self.knowledge[query_id], self.measures)
            for query_id in scores.query_ids
        ]
        return scores.within(average_bounds(self.measures, bounds))

    def _values(self, seen: Seen) -> QueryValues:
        return values_of(seen, self.measures, self.rules)

    def _values_and_bounds(self, grades: Sequence[int]) -> Callable[[Seen], Any]:
        from judge_tui.scoring.bounds import bounds_of  # noqa: PLC0415 - seldom asked for

        def value(seen: Seen) -> Any:
            return self._values(seen), bounds_of(seen, self.measures, self.rules, grades)

        return value

    def _one(self, tag: str | None, source: Any) -> SeenRun[Any]:
        if isinstance(source, str | os.PathLike):
            return see_run(source, self.reading, tag=tag, format=self.format)
        return self._of_run(run_from(tag, source))

    def _of_run(self, run: Run) -> SeenRun[Any]:
        answered = {query_id: scores for query_id, scores in run.scores.items() if scores}
        values = {
            query_id: self.reading.value_of(self.knowledge[query_id], scores)
            for query_id, scores in answered.items()
            if query_id in self.knowledge
        }
        return SeenRun(run.tag, values, [q for q in answered if q not in values])

    def _parts(
        self, sources: Sequence[tuple[str | None, Any]], sizes: Sequence[int], jobs: int
    ) -> Mapping[int, SeenRun[Any]]:
        """What could be read in several processes, by the place of the source."""
        from judge_tui.processes import in_processes  # noqa: PLC0415 - only for much to read

        tasks = []
        for place, (_, source) in enumerate(sources):
            if sizes[place]:
                tasks += self._tasks(place, source, sizes[place], sum(sizes), jobs)
        if len(tasks) < 2:
            return {}
        tags = [tag for tag, _ in sources]

        def work(task: _Task) -> tuple[str | None, dict[str, Any], list[str]] | None:
            if task.span is None:
                # An error is met again, and told, by the process that everybody knows.
                seen = _quiet(lambda: self._one(tags[task.place], task.path))
            else:
                seen = see_part(task.path, task.span, self.reading, tag=tags[task.place])
            return None if seen is None else (seen.tag, seen.values, seen.others)

        found: dict[int, list[Any]] = {}
        results = in_processes(tasks, [task.size for task in tasks], work, jobs)
        for task, result in zip(tasks, results, strict=True):
            found.setdefault(task.place, []).append(result)
        joined = {
            place: _joined(results, tags[place], sources[place][1])
            for place, results in found.items()
        }
        return {place: seen for place, seen in joined.items() if seen is not None}

    def _tasks(self, place: int, source: Any, size: int, total: int, jobs: int) -> list[_Task]:
        path = os.fspath(source)
        parts = min(jobs, -(-size * jobs // total), size // _PART_FROM)
        start = text_of_run(path, self.format) if parts > 1 else None
        if start is None:
            return [_Task(place, path, None, size)]
        from judge_tui.formats.blocks import split_points  # noqa: PLC0415

        points = split_points(path, start, parts)
        return [_Task(place, path, (begin, end), end - begin) for begin, end in pairwise(points)]


class _Progress:
    """Bytes added up for whoever wants to be told."""

    def __init__(self, told: Callable[[int, int], None], total: int) -> None:
        self._told, self._total, self._done = told, total, 0

    def __call__(self, count: int) -> None:
        self._done += count
        self._told(self._done, self._total)


def _quiet(read: Callable[[], SeenRun[Any]]) -> SeenRun[Any] | None:
    from judge_tui.errors import JudgeTuiError  # noqa: PLC0415

    try:
        return read()
    except JudgeTuiError:
        return None


def _joined(results: Sequence[Any], tag: str | None, source: Any) -> SeenRun[Any] | None:
    """The parts of one run put together; None where one is missing or they do not go together."""
    if any(result is None for result in results):
        return None
    found = {its_tag for its_tag, _, _ in results if its_tag}
    values: dict[str, Any] = {}
    others: set[str] = set()
    for _, its_values, its_others in results:
        values.update(its_values)
        others.update(its_others)
    whole = sum(len(its_values) + len(its_others) for _, its_values, its_others in results)
    if len(values) + len(others) != whole or (tag is None and len(found) > 1):
        return None
    from judge_tui.formats.runs_and_qrels import tag_by_name  # noqa: PLC0415

    return SeenRun(tag or next(iter(found), None) or tag_by_name(source), values, sorted(others))


def _size(source: Any) -> int:
    """How many bytes a regular file has; 0 for anything else, so also for standard input."""
    if not isinstance(source, str | os.PathLike) or os.fspath(source) == STDIN:
        return 0
    return os.path.getsize(source) if os.path.isfile(source) else 0  # noqa: PTH113, PTH202


def _jobs(jobs: int | None, total: int) -> int:
    if jobs is None and total < PARALLEL_FROM:
        return 1
    from judge_tui.processes import processors  # noqa: PLC0415

    return jobs or processors()
