"""Runs scored while they are read: what a run holds beside the judged documents is not kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from judge_tui.analysis.warnings import of_shared_tags
from judge_tui.errors import UsageError
from judge_tui.formats.collected import asked_beside
from judge_tui.formats.source import STDIN
from judge_tui.model import Qrels
from judge_tui.scan.scan import RunScan, ScannedRun, scan_in_memory, scan_run
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    Rules,
    Scores,
    parse_measures,
)
from judge_tui.scoring.score import JudgedRun, judged_of, score_judged
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
    on_read: Callable[[int, int], None] | None = None,
    beside: bool = True,
    demanding: Collection[str] = (),
) -> Scores:
    """Score runs wherever they come from, by trec_eval's rules.

    `runs` are those of `named_sources`; files are read a block at a time and never held.
    `precision`: scores are rounded to so many bits before they are ordered (32 is what trec_eval 9
    and pytrec_eval do). `jobs`: how many processes read; by default as many as pay. The result is
    the same whatever `jobs` is. `grades`: the grades an unjudged document might get, for
    `RunScores.bounds`. `on_read` is called with the bytes read so far and their total, where that
    is known. `beside`: a query that the NAME.latency.csv beside a run file says was asked in vain
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
    scan = RunScan(qrels, precision, ignore_self=rules.ignore_self)
    known = scan.known
    judged: list[JudgedRun] = []
    for (_, source), run in zip(sources, _scanned(sources, scan, jobs, on_read), strict=True):
        asked = {*run.asked}
        if beside and isinstance(source, str | os.PathLike):
            asked |= asked_beside(source).keys()
        # Who answers with the query alone (`ignore_self`) was asked it, and found nothing.
        there = run.lists.retrieved > 0
        asked |= {known.query_ids[row] for row in run.lists.query[~there].tolist()}
        lists = run.lists if there.all() else run.lists.rows(there)
        judged.append(judged_of(run.tag, lists, run.others, asked, demanding=demanding))
    tags, shared = distinct_tags(sources, [run.tag for run in judged])
    judged = [run._replace(tag=tag) for run, tag in zip(judged, tags, strict=True)]
    scores = score_judged(judged, known, measures, rules, grades=grades)
    return replace(scores, warnings=of_shared_tags(shared))


def _scanned(
    sources: Sequence[tuple[str | None, Any]],
    scan: RunScan,
    jobs: int | None,
    on_read: Callable[[int, int], None] | None,
) -> Iterator[ScannedRun]:
    """What each source holds, in their order."""
    sizes = [_size(source) for _, source in sources]
    total = sum(sizes)
    if on_read is not None:
        scan.on_read = _Progress(on_read, total)
    jobs = _jobs(jobs, total)
    ready = _in_processes(sources, sizes, scan, jobs) if jobs > 1 else {}
    for place, (tag, source) in enumerate(sources):
        if place in ready:
            yield ready[place]
        elif isinstance(source, str | os.PathLike):
            yield scan_run(source, scan, tag=tag)
        else:
            yield scan_in_memory(run_from(tag, source), scan)


def _in_processes(
    sources: Sequence[tuple[str | None, Any]], sizes: Sequence[int], scan: RunScan, jobs: int
) -> Mapping[int, ScannedRun]:
    """What could be read in several processes, by the place of the source."""
    from judge_tui.scan.parts import RunFile, scan_files  # noqa: PLC0415 - for much to read

    places = [place for place, size in enumerate(sizes) if size]
    files = [
        RunFile(sources[place][0], os.fspath(sources[place][1]), sizes[place]) for place in places
    ]
    found = scan_files(files, scan, jobs=jobs) if files else {}
    return {places[place]: run for place, run in found.items()}


class _Progress:
    """Bytes added up for whoever wants to be told."""

    def __init__(self, on_read: Callable[[int, int], None], total: int) -> None:
        self._on_read, self._total, self._done = on_read, total, 0

    def __call__(self, count: int) -> None:
        self._done += count
        self._on_read(self._done, self._total)


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
