"""What a reader of results must know before believing them, view by view: of the runs and the
queries that are shown, and of no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.asked import Basis
from judge_tui.analysis.deltas import place_of_run, places_of
from judge_tui.analysis.document_kinds import telling_depth
from judge_tui.analysis.query_counts import query_counts, waiting_queries
from judge_tui.analysis.rankings import NO_DOCUMENT
from judge_tui.analysis.standing import Standing
from judge_tui.nothing_found import asked_in_vain, failed_among, still_to_count
from judge_tui.percent import percent
from judge_tui.scoring import Measure, parse_measures
from judge_tui.scoring.at_once import UNJUDGED
from judge_tui.scoring.class_terms import DEMANDS, class_called, saying_nothing, taken_together
from judge_tui.scoring.demands import first_named, measured_as_usual
from judge_tui.significance.cautions import FEW_QUERIES
from judge_tui.significance.verdict import FEWEST_QUERIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "of_classes",
    "of_divided",
    "of_document_slices",
    "of_failures",
    "of_first_relevant",
    "of_leaderboard",
    "of_query",
    "of_run",
    "of_slices",
    "of_two_runs",
]


_RUNS_TOLD = 5


@dataclass(frozen=True, slots=True)
class _Part:
    """What is shown of a standing: the places of runs, and bool[queries]."""

    standing: Standing
    runs: Sequence[int]
    queries: NDArray[np.bool_]

    @property
    def judged(self) -> NDArray[np.bool_]:
        """bool[queries]: which of them somebody judged."""
        return self.queries & self.standing.judged

    @property
    def in_vain(self) -> NDArray[np.bool_]:
        """bool[queries]: which of them a run that is shown was asked, and no run found anything."""
        asked = self.standing.rankings.counted[list(self.runs)].any(axis=0)
        return self.queries & self.standing.in_vain & asked

    def tag(self, place: int) -> str:
        """Of the run that stands there among those shown."""
        return self.standing.rankings.tags[self.runs[place]]


def of_leaderboard(standing: Standing, basis: Basis) -> tuple[str, ...]:
    """One sentence each on unlike classes that are taken together, measures that say nothing of
    one of them, demands that no grade tells, few queries to compare by, queries that runs miss,
    unjudged documents in the top k, and pairs without a final grade."""
    counts, part = query_counts(standing, basis.baseline), _whole(standing)
    if counts.common is None:
        few = _few("the means are", counts.scored)
    else:
        few = _few_compared(f"runs are compared with {basis.baseline!r}", counts.common)
    return (
        *of_classes(standing, basis),
        *few,
        *_missing(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_two_runs(
    standing: Standing,
    basis: Basis,
    baseline: str,
    tag: str,
    among: Set[str] | None = None,
    *,
    by: Measure,
) -> tuple[str, ...]:
    """The same for two runs query by query, by one measure. `among`: the ids of the queries that
    count, None for all. Raises `UsageError` for a run that is not there, and for one beside itself.
    """
    places = places_of(standing, baseline, tag)
    ids = standing.rankings.query_ids
    counts = np.array([among is None or query_id in among for query_id in ids], dtype=bool)
    part = _Part(standing, places, counts)
    both = int((standing.scored[list(places)].all(axis=0) & counts).sum())
    few = _few_compared(f"{tag!r} is compared with {baseline!r}", (both, both)) if both else ()
    return (
        *_of_classes(part, basis, [by]),
        *few,
        *_missing(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_run(
    standing: Standing, basis: Basis, tag: str, among: Set[str] | None = None, *, by: Measure
) -> tuple[str, ...]:
    """The same for one run query by query, by one measure: few queries are no fault of an order.
    `among`: the ids of the queries that count, None for all. Raises `UsageError` for a run that is
    not there."""
    ids = standing.rankings.query_ids
    counts = np.array([among is None or query_id in among for query_id in ids], dtype=bool)
    part = _Part(standing, [place_of_run(standing, tag)], counts)
    return (
        *_of_classes(part, basis, [by]),
        *_missing(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_failures(standing: Standing, basis: Basis, tag: str) -> tuple[str, ...]:
    """The same for one run; a query that it misses is one of its failures. Raises `UsageError` for
    a run that is not there."""
    part = _whole(standing, [place_of_run(standing, tag)])
    judged = int((part.judged | part.in_vain).sum())
    few = _few("failures are counted", (judged, judged))
    return (
        *_demanding(part, basis),
        *few,
        *_in_vain(part),
        *_waiting(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_first_relevant(standing: Standing, basis: Basis) -> tuple[str, ...]:
    """The same for the ranks of all runs, where nothing is compared."""
    part, counts = _whole(standing), query_counts(standing, basis.baseline)
    few = _few("ranks are counted", counts.scored)
    return (
        *saying_nothing(
            _classes(part, basis), parse_measures(["RR"]), "the rank of the first relevant document"
        ),
        *_demanding(part, basis),
        *few,
        *_missing(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_slices(
    standing: Standing,
    basis: Basis,
    sizes: Iterable[int],
    by: str = "",
    measures: Iterable[Measure] = (),
) -> tuple[str, ...]:
    """The same for slices `by` a field and some measures; each slice has so many queries."""
    part, sizes = _whole(standing), sorted(sizes)
    few = _few("the means of a slice are", (sizes[0], sizes[-1])) if sizes else ()
    # By class, each is told by itself; slices of documents are the same share for all.
    unlike = () if by in ("", "class") else _unlike(part, basis, measures)
    return (
        *(_as_usual(part, basis) if by == "class" else ()),
        *unlike,
        *_demanding(part, basis),
        *few,
        *_missing(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_document_slices(standing: Standing, basis: Basis, sizes: Iterable[int]) -> tuple[str, ...]:
    """The same for slices by documents, and whether the top is so deep that all is in it."""
    rankings, k = standing.rankings, basis.asked.k
    longest = (rankings.documents != NO_DOCUMENT).sum(axis=2).max(axis=0, initial=0)
    telling = telling_depth(longest[longest > 0].tolist(), k)
    shallow = (
        f"half of the queries or more have no more than {k:,} results in any run: in which order"
        f" these are plays no part in a share of the top {k:,}; results -k {telling} is less deep"
    )
    return (*of_slices(standing, basis, sizes), *([shallow] if telling < k else []))


def of_divided(standing: Standing, basis: Basis, by: Measure) -> tuple[str, ...]:
    """The same for queries that stand each for itself, in an order by one measure: few of them are
    no fault."""
    part = _whole(standing)
    return (
        *_of_classes(part, basis, [by]),
        *_missing(part),
        *_unjudged(part, basis),
        *_grades(basis),
    )


def of_query(standing: Standing, basis: Basis, query: int, *tags: str) -> tuple[str, ...]:
    """The same for one query (a place in the rankings) in some runs: what has no grade in them is
    marked there. Raises `UsageError` for a run that is not there, and for a run beside itself."""
    queries = np.zeros(len(standing.rankings.query_ids), dtype=bool)
    queries[query] = True
    part = _Part(standing, places_of(standing, *tags), queries)
    return (
        *_demanding(part, basis),
        *_nothing_there(part, query),
        *_unjudged(part, basis),
        *_whose(basis),
    )


def of_classes(standing: Standing, basis: Basis) -> tuple[str, ...]:
    """The same for what is told over all queries, as far as it is of classes: a sentence where
    those that some run is scored for are unlike, one for each of which a measure says nothing, and
    one on demands."""
    return _of_classes(_whole(standing), basis, basis.measures)


def _of_classes(part: _Part, basis: Basis, measures: Iterable[Measure]) -> tuple[str, ...]:
    return (*_unlike(part, basis, measures), *_demanding(part, basis))


def _unlike(part: _Part, basis: Basis, measures: Iterable[Measure]) -> tuple[str, ...]:
    """On classes that are taken together, and measures that say nothing of one of them."""
    names = _classes(part, basis)
    return (*taken_together(names), *saying_nothing(names, measures))


def _classes(part: _Part, basis: Basis) -> set[str]:
    """The classes of the queries that some run is scored for."""
    scored = part.queries & part.standing.scored[list(part.runs)].any(axis=0)
    ids = part.standing.rankings.query_ids
    places = np.flatnonzero(scored).tolist() if basis.classes else ()
    return {basis.classes.get(ids[place], "") for place in places}


def _demanding(part: _Part, basis: Basis) -> Iterator[str]:
    """On queries that demand anything, of which grades know nothing."""
    ids = part.standing.rankings.query_ids
    places = [p for p in np.flatnonzero(part.queries).tolist() if ids[p] in basis.demanding]
    if not places:
        return
    ungraded = len(places) - int(part.judged[places].sum())
    none = f", of which without grades and in no number here: {ungraded:,}" if ungraded else ""
    yield (
        f"queries that demand something of the order of their results ({', '.join(DEMANDS)}), which"
        f" no number here tells: {first_named([ids[p] for p in places])}{none}; judge-tui score"
        " --db FILE --by class shows how it is met"
    )


def _as_usual(part: _Part, basis: Basis) -> tuple[str, ...]:
    """On classes whose name asks for a demand that none of their queries makes."""
    class_of = {query_id: class_called(name) for query_id, name in basis.classes.items()}
    ids = part.standing.rankings.query_ids
    judged = {ids[place] for place in np.flatnonzero(part.judged).tolist()}
    return measured_as_usual(class_of, basis.demanding, judged)


def _whole(standing: Standing, runs: Sequence[int] | None = None) -> _Part:
    rankings = standing.rankings
    every = range(len(rankings.tags)) if runs is None else runs
    return _Part(standing, every, np.ones(len(rankings.query_ids), dtype=bool))


def _few_compared(what: str, counts: tuple[int, int]) -> Iterator[str]:
    least, _ = counts
    if least < FEW_QUERIES:
        none = f", with fewer than {FEWEST_QUERIES} none" if least < FEWEST_QUERIES else ""
        yield (
            f"{what} over {_queries(counts)}: with fewer than {FEW_QUERIES}, only a large"
            f" difference can be shown{none}"
        )


def _few(what: str, counts: tuple[int, int]) -> Iterator[str]:
    # Of no query there is no picture yet.
    if counts[1] and counts[0] < FEW_QUERIES:
        yield (
            f"{what} over {_queries(counts)}: with fewer than {FEW_QUERIES}, other queries may"
            " give another picture"
        )


def _queries(counts: tuple[int, int]) -> str:
    least, most = counts
    count = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{count} {'query' if most == 1 else 'queries'}"


def _missing(part: _Part) -> Iterator[str]:
    yield from _nothing_found(part)
    yield from _in_vain(part)
    yield from _waiting(part)
    counted = part.standing.rankings.counted[list(part.runs)]
    missing = (part.judged & ~counted).sum(axis=1)
    runs, judged = int((missing > 0).sum()), int(part.judged.sum())
    if not runs:
        return
    most = int(missing.argmax())
    tag, count = part.tag(most), int(missing[most])
    of = f"{judged:,} judged {'query' if judged == 1 else 'queries'}"
    if runs == 1:
        yield f"run {tag!r} has no result for {count:,} of the {of}: left out of its numbers"
    else:
        yield (
            f"{runs:,} runs have no result for some of the {of}, {tag!r} for the most, {count:,}:"
            " left out of the numbers of each"
        )


def _nothing_found(part: _Part) -> Iterator[str]:
    rankings = part.standing.rankings
    runs = list(part.runs)
    nothing = part.judged & (rankings.counted & ~rankings.answered)[runs]
    judged = int(part.judged.sum())
    of = f"{judged:,} judged {'query' if judged == 1 else 'queries'}"
    places = np.flatnonzero(nothing.any(axis=1)).tolist()
    for place in places[:_RUNS_TOLD]:
        queries = np.flatnonzero(nothing[place]).tolist()
        why = {
            query: reason
            for query in queries
            if (reason := rankings.failed.get((runs[place], query))) is not None
        }
        failed = failed_among(len(queries), len(why))
        if why:
            first = next(iter(why))
            others = "; and others" if len(why) > 1 else ""
            failed += f" ({rankings.query_ids[first]}: {why[first]}{others})"
        fate = "it counts" if len(queries) == 1 else "they count"
        yield (
            f"run {part.tag(place)!r} found nothing for {len(queries):,} of the {of}{failed}:"
            f" {fate} as 0"
        )
    if len(places) > _RUNS_TOLD:
        more = len(places) - _RUNS_TOLD
        yield (
            f"{more:,} more {'run' if more == 1 else 'runs'} found nothing for some of the {of}:"
            " they count as 0"
        )


def _in_vain(part: _Part) -> Iterator[str]:
    queries = part.in_vain
    if not queries.any():
        return
    shown = set(part.runs)
    failed = {query for run, query in part.standing.rankings.failed if run in shown}
    places = set(np.flatnonzero(queries).tolist())
    yield asked_in_vain(len(places), len(places & failed))


def _waiting(part: _Part) -> Iterator[str]:
    if said := still_to_count(waiting_queries(part.standing, part.runs, part.queries)):
        yield said


def _nothing_there(part: _Part, query: int) -> Iterator[str]:
    """Of the runs shown, those that were asked this one query and have no result."""
    rankings = part.standing.rankings
    for place, run in enumerate(part.runs):
        if rankings.counted[run, query] and not rankings.answered[run, query]:
            why = rankings.failed.get((run, query))
            what = "found nothing" if why is None else f"failed ({why})"
            once = "" if part.standing.counting[query] else ", once it has a final grade"
            yield f"run {part.tag(place)!r} {what}: the query counts as 0{once}"


def _unjudged(part: _Part, basis: Basis) -> Iterator[str]:
    k, runs = basis.asked.k, list(part.runs)
    top = part.standing.seen[runs, :, :k]
    mine = (part.standing.scored[runs] & part.queries)[:, :, None]
    results = ((top >= UNJUDGED) & mine).sum(axis=(1, 2))
    unjudged = ((top == UNJUDGED) & mine).sum(axis=(1, 2))
    if not unjudged.any():
        return
    share = unjudged / np.maximum(results, 1)
    most = int(share.argmax())
    told = percent(float(share[most]), 1)
    of = f"{int(unjudged.sum()):,} of {int(results.sum()):,}"
    which = f"{of} ({told})" if len(runs) == 1 else f"{of}, most in run {part.tag(most)!r} ({told})"
    yield f"unjudged among the first {k} results: {which}; they count as not relevant"


def _grades(basis: Basis) -> Iterator[str]:
    """What is to be known of the grades themselves, whatever is shown."""
    yield from _whose(basis)
    if basis.unresolved:
        one = basis.unresolved == 1
        yield (
            f"{basis.unresolved:,} {'pair is' if one else 'pairs are'} unresolved, judged but not"
            f" decided by policy {basis.asked.policy!r}: {'it counts' if one else 'they count'} as"
            f" unjudged until the lead settles {'it' if one else 'them'}"
        )


def _whose(basis: Basis) -> Iterator[str]:
    if basis.only_models:
        yield "no person has graded: the grades are those of models"
