"""Runs into a campaign: of each, the top of every ranked list is kept, and what it was asked.

Files are read into a spill without holding the campaign: judges go on working meanwhile, and wait
only while one run is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from judge_tui.campaign.loading import LoadCounts, OnCount
from judge_tui.campaign.loading.spill import Spill, spilling
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import known_queries, query_keys
from judge_tui.campaign.store.runs import (
    AskedRows,
    RankedList,
    RunRecord,
    asked_rows,
    run_of_tag,
    write_run,
)
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.collected import latency_beside, refuse_other_texts
from judge_tui.formats.ids import id_in
from judge_tui.formats.latency_csv import read_latency
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.source import AsLayout, open_source
from judge_tui.formats.whole_files import queries_of_run, run_in
from judge_tui.model import Query, Run, rank

DEFAULT_DEPTH = 100

PathLike = str | os.PathLike[str]

_Outcome: TypeAlias = tuple[float | None, str]
"""Seconds, and why it failed, as `AskedRows` have them."""


@dataclass(frozen=True, slots=True)
class RunLoad:
    """What came of one run: its tag, the file that it is in, the `queries` and `results` that are
    kept of it, and for how many of the queries that it was asked it found nothing, among them those
    at which it failed; 0 where nobody knows."""

    tag: str
    path: str
    counts: LoadCounts
    queries: int
    results: int
    nothing_found: int = 0
    failed: int = 0


def load_runs(
    campaign: Campaign,
    paths: Sequence[PathLike],
    *,
    depth: int | None = None,
    tag: str | None = None,
    layout: AsLayout = None,
    replace: bool = False,
    skip_unknown: bool = False,
    on_bytes: OnCount | None = None,
) -> list[RunLoad]:
    """Load run files, keeping the top `depth` of each query (None: 100).

    All files are read before the first run is written: a fault in one keeps out all. Each run is
    written in a transaction of its own; judges can write in between. `tag` names the run of a
    single file. The same file again is a no-op, unless it brings more: a greater depth, queries
    that were left out, or what was asked.

    Raises `InputError` at the first bad line, for a query that the campaign does not have (left out
    with `skip_unknown`), for another file under a known tag without `replace`, and for a run that
    was asked other texts than the campaign's queries have.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"--depth {depth} keeps nothing", "give at least 1")
    queries = known_queries(campaign, "")
    with spilling() as spill:
        tops: list[_Top] = []
        for path in paths:
            known = queries.at(path)
            refuse_other_texts(path, known)
            with open_source(path, on_read=on_bytes, layout=layout) as source:
                sha256 = source.sha256()
                run = run_in(source, tag)
                found = queries_of_run(source, run, known, skip_unknown=skip_unknown)
                asked = _asked(path, run, found, queries, skip_unknown=skip_unknown)
                tops.append(_cut(campaign, spill, path, sha256, run, found, asked, depth))
        _refuse_one_tag_twice(tops)
        for top in tops:
            _known(campaign, top, replace=replace)
        waiting: Iterator[RankedList] = iter(spill)
        return [_write(campaign, top, waiting, replace=replace) for top in tops]


@dataclass(frozen=True, slots=True)
class _Top:
    """What is kept of a run, so many `lists` of which wait; `asked` is None where nobody knows it.
    For the queries `with_results` it found something."""

    path: PathLike
    run: RunRecord
    lists: int
    asked: AskedRows | None
    with_results: frozenset[int]


def _cut(
    campaign: Campaign,
    spill: Spill,
    path: PathLike,
    sha256: str,
    run: Run,
    found: Mapping[str, Query | None],
    asked: Mapping[str, _Outcome] | None,
    depth: int | None,
) -> _Top:
    """Let the tops of a run's lists wait."""
    depth = DEFAULT_DEPTH if depth is None else depth
    before = run_of_tag(campaign, run.tag)
    if before is not None and before.sha256 == sha256:
        # Never less of a run than was asked for before.
        depth = max(depth, before.depth)
    keys = query_keys(campaign)
    known = {name: keys[query.query_id] for name, query in found.items() if query is not None}
    lists = {key: run.scores[name] for name, key in known.items() if run.scores.get(name)}
    for key, scores in sorted(lists.items()):
        top = rank(scores)[:depth]
        spill.add((key, top, [scores[doc_id] for doc_id in top]))
    longest = max(map(len, lists.values()), default=0)
    return _Top(
        path,
        RunRecord(run.tag, Path(path).name, sha256, depth, len(found) - len(known), longest),
        len(lists),
        None if asked is None else {keys[query_id]: how for query_id, how in asked.items()},
        frozenset(lists),
    )


def _asked(
    path: PathLike,
    run: Run,
    found: Mapping[str, Query | None],
    queries: KnownQueries,
    *,
    skip_unknown: bool,
) -> dict[str, _Outcome] | None:
    """What the run was asked, by query_id, as it says itself, or the NAME.latency.csv beside it;
    None where neither does."""
    if run.asked:
        return {query.query_id: (None, "") for name in run.asked if (query := found[name])}
    beside = latency_beside(path)
    asked = read_latency(beside) if beside is not None else None
    if beside is None or asked is None:
        return None
    known = queries.at(beside)
    query_of = known.find if skip_unknown else known.get
    by_query: dict[str, _Outcome] = {}
    for one in asked:
        query_id = id_in(one.query_id)
        # Of a run that was cut off, nobody knows what else was asked: as for `score`.
        if one.results and query_id not in run.scores:
            continue
        query = query_of(one.line, query_id)
        if query is not None:
            by_query[query.query_id] = one.seconds, one.failure
    return by_query


def _refuse_one_tag_twice(tops: Sequence[_Top]) -> None:
    by_tag: dict[str, _Top] = {}
    for top in tops:
        first = by_tag.setdefault(top.run.tag, top)
        if first.run.sha256 != top.run.sha256:
            raise UsageError(
                f"{first.path} and {top.path} have the same tag {top.run.tag!r}",
                "load each by itself, one with another --tag",
            )


def _known(campaign: Campaign, top: _Top, *, replace: bool) -> RunRecord | None:
    """The run that has the tag. Raises `InputError` where it is of another file, without
    `replace`."""
    known = run_of_tag(campaign, top.run.tag)
    if known is not None and known.sha256 != top.run.sha256 and not replace:
        raise InputError(
            top.path,
            None,
            f"run {quoted(top.run.tag)} is in the campaign already, from another file",
            "give this one another name with --tag, or replace the known run with --replace",
        )
    return known


def _write(
    campaign: Campaign, top: _Top, waiting: Iterator[RankedList], *, replace: bool
) -> RunLoad:
    """Write one run, the lists of which are the next."""
    run, lists = top.run, list(islice(waiting, top.lists))
    with campaign.writing():
        known = _known(campaign, top, replace=replace)
        asked = top.asked
        is_new = True
        if known is not None and known.sha256 == run.sha256:
            before = asked_rows(campaign, known.key)
            asked = before if asked is None else asked
            of_before = known.queries_left_out, known.longest, before
            is_same = of_before == (run.queries_left_out, run.longest, asked)
            is_new = known.depth < run.depth or not is_same
        if is_new:
            write_run(campaign, run, lists, asked or {})
    asked = top.asked or {}
    return RunLoad(
        run.tag,
        os.fspath(top.path),
        LoadCounts(
            added=int(known is None),
            replaced=int(known is not None and is_new),
            unchanged=int(not is_new),
            left_out=run.queries_left_out,
        ),
        queries=len(lists),
        results=sum(len(doc_ids) for _, doc_ids, _ in lists),
        nothing_found=sum(key not in top.with_results for key in asked),
        failed=sum(bool(failure) for _, failure in asked.values()),
    )
