"""Runs scored while they are read: what a run holds beside the judged documents is not kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.evaluation.runs import TaggedRun, distinct_tags, is_file, run_from
from judge_tui.formats.collected import asked_beside
from judge_tui.formats.source import STDIN
from judge_tui.formats.urls import is_url, size_of
from judge_tui.model import Run
from judge_tui.scan.exact import rounded
from judge_tui.scan.scan import GradeLookup, ScannedRun, scan_run, scan_scores
from judge_tui.scoring import Measure, MeasureLike, Rules, Scores
from judge_tui.scoring.filled import StandIn
from judge_tui.scoring.score import RunToScore, run_to_score, score_judged

if TYPE_CHECKING:
    from judge_tui.scoring.answers import Credit

Measures: TypeAlias = Iterable[MeasureLike] | MeasureLike

SlicesSource: TypeAlias = Mapping[Any, Any]
"""query_id -> name of its slice; a series of pandas has items, too."""

_USUAL = Rules()

PARALLEL_FROM = 24_000_000
"""In bytes: how much there must be to read for a second process to pay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringQuestion:
    """What is asked of inputs: by which measures they are scored, by which rules, and how they are
    read. `api.score` says what most of these are. `also`: what is measured and not shown.
    `cluster`: the address of a Ray cluster that reads the files, in place of `jobs` processes.
    `use_latency`: whether what lies beside a run file says which queries were asked in vain.
    `on_read` is called with the bytes that are read and their total."""

    measures: Measures | None = None
    also: Measures = ()
    rel: int | None = None
    max_rel: int | None = None
    bounds: bool = False
    slices: SlicesSource | None = None
    by: str | None = None
    rules: Rules = _USUAL
    unjudged: StandIn = "zero"
    credit: Credit = "once"
    precision: Literal[64, 32] = 64
    jobs: int | None = 1
    cluster: str | None = None
    use_latency: bool = True
    on_read: Callable[[int, int], None] | None = None

    @property
    def filled(self) -> str:
        """As `Scores.filled`."""
        return "" if self.unjudged == "zero" else self.unjudged


def score_runs(
    inputs: EvaluationInputs,
    measures: Sequence[Measure],
    question: ScoringQuestion,
    *,
    possible_grades: Sequence[int] | None = None,
    demanding: Collection[str] = (),
) -> Scores:
    """Score the runs by these measures, wherever they come from, by trec_eval's rules.

    Of the question its rules, and how runs are read. Files are read a block at a time, and no run
    is in memory whole that was in none. Of `precision` bits, 32 are what trec_eval 9 and
    pytrec_eval round scores to. The result is the same whatever `jobs` and `cluster` are.
    `possible_grades`: those that an unjudged document might get, for `RunScores.bounds`.
    `demanding`: as in `run_to_score`.

    Raises `InputError` for a file that is not a run. Raises `UsageError` for a run without a judged
    query, for a cluster that cannot be used, and for two runs with one tag, but for files: these
    then go by their names (`distinct_tags`).
    """
    rules, precision = question.rules, question.precision
    if precision not in (32, 64):
        raise UsageError(f"scores of {precision} bits are not known", "give 64 or 32")
    if rules.depth is not None and rules.depth < 1:
        raise UsageError(f"depth is {rules.depth}", "give a whole number from 1")
    lookup = GradeLookup(inputs.qrels, precision, ignore_self=rules.ignore_self, names=inputs.names)
    known = lookup.queries
    judged: list[RunToScore] = []
    for run, found in zip(inputs.runs, _scan(inputs.runs, lookup, question), strict=True):
        # Who answers with the query alone (`ignore_self`) was asked it, and found nothing.
        there = found.lists.retrieved > 0
        alone = {known.query_ids[row] for row in found.lists.query[~there].tolist()}
        asked = found.asked | _asked_beside(run, question) | alone
        lists = found.lists if there.all() else found.lists.rows(there)
        judged.append(
            run_to_score(found.tag, lists, found.ungraded_queries, asked, demanding=demanding)
        )
    tags = distinct_tags(inputs.runs, [one.tag for one in judged])
    judged = [one._replace(tag=tag) for one, tag in zip(judged, tags, strict=True)]
    return score_judged(judged, known, measures, rules, possible_grades=possible_grades)


def whole_runs(inputs: EvaluationInputs, question: ScoringQuestion) -> list[Run]:
    """Read the runs whole, as `score_runs` does."""
    found = []
    for one in inputs.runs:
        run = run_from(one, inputs.names)
        run = replace(run, asked=run.asked | _asked_beside(one, question))
        if question.precision == 32:
            run = replace(run, scores={q: rounded(by_doc) for q, by_doc in run.scores.items()})
        if question.rules.ignore_self:
            run = _without_own(run)
        found.append(run)
    tags = distinct_tags(inputs.runs, [run.tag for run in found])
    return [replace(run, tag=tag) for run, tag in zip(found, tags, strict=True)]


def _asked_beside(run: TaggedRun, question: ScoringQuestion) -> frozenset[str]:
    """Return the queries that the NAME.latency.csv beside a run file says were asked in vain."""
    if not question.use_latency or not is_file(run.source):
        return frozenset()
    return frozenset(asked_beside(run.source))


def _without_own(run: Run) -> Run:
    """Return the run without results whose doc_id is the query's own. A query that has no other was
    asked, and counts as nothing found."""
    scores = {
        query_id: {doc_id: score for doc_id, score in by_doc.items() if doc_id != query_id}
        for query_id, by_doc in run.scores.items()
    }
    return replace(
        run, scores=scores, asked=run.asked | {q for q, by_doc in scores.items() if not by_doc}
    )


def _scan(
    runs: Sequence[TaggedRun], lookup: GradeLookup, question: ScoringQuestion
) -> Iterator[ScannedRun]:
    """Scan the runs in their order."""
    # Another machine reads what a URL names; a copy of this process, which may speak with the store
    # already, cannot.
    urls = question.cluster is not None
    sizes = [_size(run.source, urls=urls) for run in runs]
    progress = question.on_read and _add_up(question.on_read, sum(sizes))
    ready = _elsewhere(runs, sizes, lookup, question, progress)
    for at, run in enumerate(runs):
        if at in ready:
            yield ready[at]
        elif is_file(run.source) and run.layout is None:
            yield scan_run(run.source, lookup, tag=run.tag, on_read=progress)
        else:
            yield scan_scores(run_from(run, lookup.names), lookup)


def _elsewhere(
    runs: Sequence[TaggedRun],
    sizes: Sequence[int],
    lookup: GradeLookup,
    question: ScoringQuestion,
    on_read: Callable[[int], None] | None,
) -> Mapping[int, ScannedRun]:
    """Scan what can be read by a cluster, or in several processes where that pays; returns the runs
    by their index."""
    jobs, cluster = question.jobs, question.cluster
    if cluster is None and (jobs == 1 or (jobs is None and sum(sizes) < PARALLEL_FROM)):
        return {}
    from judge_tui.scan.parts import (  # noqa: PLC0415 - for much to read
        RunFile,
        scan_files,
        scan_in_processes,
    )

    files = {
        at: RunFile(run.tag, os.fspath(run.source), size)
        for at, (run, size) in enumerate(zip(runs, sizes, strict=True))
        if size and is_file(run.source) and run.layout is None
    }
    named = list(files.values())
    if cluster is not None:
        from judge_tui.evaluation.cluster import open_cluster  # noqa: PLC0415 - few have one

        with open_cluster(cluster) as nodes:
            do = partial(nodes.scan, lookup=lookup, on_read=on_read)
            found = scan_files(named, lookup, nodes.parts, do)
    else:
        from judge_tui.processes import processors  # noqa: PLC0415 - as above

        jobs = jobs or processors()
        do = partial(scan_in_processes, lookup=lookup, jobs=jobs, on_read=on_read)
        found = scan_files(named, lookup, jobs, do)
    return {at: found[number] for number, at in enumerate(files) if number in found}


def _add_up(on_read: Callable[[int, int], None], total: int) -> Callable[[int], None]:
    """Return what is called with the bytes of each part, and adds them up."""
    done = 0

    def add(count: int) -> None:
        nonlocal done
        done += count
        on_read(done, total)

    return add


def _size(source: Any, *, urls: bool) -> int:
    """Return how many bytes a regular file has, or what a URL names (`urls`); 0 for anything else,
    so also for standard input."""
    if not is_file(source) or os.fspath(source) == STDIN or (is_url(source) and not urls):
        return 0
    return size_of(os.fspath(source))
