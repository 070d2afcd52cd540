"""How runs do on each kind of query, and which kinds of relevant documents they find; and how
values lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from types import MappingProxyType

import numpy as np

from judge_tui.analysis.basis import Basis
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.arrays import Floats, Ints, sorted_unique
from judge_tui.model import Query
from judge_tui.scoring import Measure, Scores, mean, parse_measures
from judge_tui.scoring.slices import CLASS, declared_measures, slice_scores


@dataclass(frozen=True, slots=True)
class Spread:
    """How `n` values are spread: the least, the median (of two in the middle their mean), the
    arithmetic mean, the greatest and the population standard deviation; None where there is no
    value."""

    n: int
    least: float | None
    median: float | None
    mean: float | None
    greatest: float | None
    sd: float | None


def spread_of(values: Floats) -> Spread:
    """Return how values, float64[n], are spread; NaN is no value."""
    known = values[~np.isnan(values)].tolist()
    if not known:
        return Spread(0, None, None, None, None, None)
    middle = mean(known)
    sd = mean([(value - middle) ** 2 for value in known]) ** 0.5
    return Spread(len(known), min(known), median(known), middle, max(known), sd)


def spreads(scores: Scores, measure: Measure) -> dict[str, Spread]:
    """Return tag -> how the values of the run are spread over the queries that have one."""
    values = scores.by_measure[measure.name]
    return {tag: spread_of(row) for tag, row in zip(scores.tags, values, strict=True)}


@dataclass(frozen=True, slots=True)
class RunSlice:
    """The queries that have one value of the field, or relevant documents of one kind. `name`: the
    value or kind, "" for none; `query_ids`: the queries for which any run is scored. `runs`: tag ->
    how the values of the run lie over those of them that it is scored for. `relevant`: how many
    pairs with a relevant document of the kind there are."""

    name: str
    query_ids: tuple[str, ...]
    runs: Mapping[str, Spread]
    relevant: int = 0

    @property
    def queries(self) -> int:
        """How many queries are in the slice."""
        return len(self.query_ids)


@dataclass(frozen=True, slots=True)
class RunSlices:
    """How runs do in each slice of the field `by`, in the order of the names, "" last: by a
    `measure`, or where there is none, by the share of a query's relevant documents of a kind that
    is in the top `k`."""

    by: str
    slices: tuple[RunSlice, ...]
    measure: Measure | None = None
    k: int = 0

    @property
    def what(self) -> str:
        """What the values are."""
        return str(self.measure) if self.measure else f"share found in the top {self.k}"


# Of queries


def query_slices(
    judged: JudgedRuns,
    measures: Sequence[Measure],
    by: str,
    of_query: Mapping[str, str],
    declared: Mapping[str, Sequence[Measure]] = MappingProxyType({}),
) -> tuple[RunSlices, ...]:
    """Return the slices of `scoring.slices.slice_scores`, without those in which no run is scored,
    by each of their measures: a slice has those that it has `declared` (name -> measures), else
    `measures`. `of_query`: query_id -> its value of the field; one that is not in it has none.
    """
    every = dict.fromkeys((*measures, *(one for its in declared.values() for one in its)))
    scores = judged.scores(every).only(measures)
    cut = [
        one
        for one in slice_scores(scores, by, of_query, declared).slices
        if one.scores.counted.any()
    ]
    found = []
    for measure in every:
        slices = tuple(
            RunSlice(
                one.name,
                tuple(sorted({query_id for run in one.runs for query_id in run.query_ids})),
                spreads(one.scores, measure),
            )
            for one in cut
            if measure in one.measures
        )
        found.append(RunSlices(by, slices, measure))
    return tuple(one for one in found if one.slices) or (found[0],)


def measures_by(
    field: str, queries: Iterable[Query], of_query: Mapping[str, str], basis: Basis
) -> tuple[dict[str, tuple[Measure, ...]], Basis]:
    """Return what the classes of a campaign declare, if `field` is the class, but for what its
    grades and kept runs cannot tell: that is left out, and the basis returned says so."""
    if field != CLASS:
        return {}, basis
    parse = partial(parse_measures, max_rel=basis.scale[-1])
    declared = declared_measures(queries, of_query, parse)
    every = dict.fromkeys(one for measures in declared.values() for one in measures)
    left_out = {measure: why for measure in every if (why := basis.cannot_tell(measure))}
    can = {
        name: tuple(one for one in measures if one not in left_out)
        for name, measures in declared.items()
    }
    named = {measure.name: why for measure, why in left_out.items()}
    return can, replace(basis, left_out={**basis.left_out, **named})


# Of relevant documents

NO_TEXT = -1
"""What stands for a length where only the id of the document is known."""


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is known of some documents: their numbers, ascending; their kinds, "" for none; and the
    lengths of their texts in characters, or `NO_TEXT`."""

    documents: Ints
    kinds: tuple[str, ...]
    lengths: Ints


def relevant_documents(judged: JudgedRuns) -> Ints:
    """Return the numbers of all documents that are relevant to any query, ascending."""
    return sorted_unique(judged.documents[judged.grades > 0])


def document_slices(judged: JudgedRuns, facts: DocumentFacts, k: int = 10) -> Iterator[RunSlices]:
    """Slice relevant documents by kind and by length, as far as there are several."""
    for cut in SLICES_OF_DOCUMENTS.values() if len(facts.documents) else ():
        found = cut(judged, facts, k)
        if len(found.slices) > 1:
            yield found


def kind_slices(judged: JudgedRuns, facts: DocumentFacts, k: int = 10) -> RunSlices:
    """Slice relevant documents by their kind: the share of each in each run's top k.

    Kinds are in byte order, documents without a kind last. Capitals make no kind of their own: it
    has the spelling that comes first.

    `facts` are of the `relevant_documents` at least.
    """
    kinds = spelt_alike(facts.kinds)
    names = sorted({*kinds}, key=lambda name: (not name, name))
    place = {name: number for number, name in enumerate(names)}
    group = np.array([place[kind] for kind in kinds], dtype=np.int64)
    return _slice_documents(judged, "document.kind", names, facts, group, k)


def spelt_alike(kinds: Sequence[str]) -> list[str]:
    """Return each kind; those that differ in capitals alone, as the first of them is spelt."""
    spelt = {kind.casefold(): kind for kind in sorted({*kinds}, reverse=True)}
    return [spelt[kind.casefold()] for kind in kinds]


def length_slices(judged: JudgedRuns, facts: DocumentFacts, k: int = 10) -> RunSlices:
    """Slice relevant documents by their length: the share of each slice in each run's top k.

    Lengths are in characters. The slices are the quarters of all relevant documents that have a
    text, shortest first (fewer where many are of one length), then the documents without one.
    """
    wanted = np.isin(facts.documents, relevant_documents(judged))
    names, ends = length_parts(facts.lengths[wanted & (facts.lengths != NO_TEXT)], 4)
    group = np.minimum(np.searchsorted(ends, facts.lengths), max(len(ends) - 1, 0))
    group[facts.lengths == NO_TEXT] = len(names)
    return _slice_documents(judged, "document.length", [*names, ""], facts, group, k)


def length_parts(lengths: Ints, parts: int) -> tuple[list[str], list[int]]:
    """Cut lengths in characters, int64[n], into so many parts, as nearly equal in number as ties
    allow, fewer where many are of one length: the names of the parts, shortest first, and the
    greatest length of each. None where there is no length."""
    if not len(lengths):
        return [], []
    shares = np.arange(1, parts + 1) / parts
    ends = np.unique(np.quantile(lengths, shares, method="inverted_cdf")).astype(int).tolist()
    starts = [int(lengths.min()), *(end + 1 for end in ends[:-1])]
    return [_named(start, end) for start, end in zip(starts, ends, strict=True)], ends


def _named(start: int, end: int) -> str:
    return f"{start:,} characters" if start == end else f"{start:,}–{end:,} characters"


def _slice_documents(
    judged: JudgedRuns, by: str, names: Sequence[str], facts: DocumentFacts, group: Ints, k: int
) -> RunSlices:
    tags, ids, documents = judged.lists.tags, judged.lists.query_ids, judged.lists.documents
    shape = (*judged.scored.shape, len(names))
    relevant = judged.grades > 0
    of = group[np.searchsorted(facts.documents, judged.documents[relevant])]
    # int64[queries, names], and of each run the same within the top k.
    known = _counts(shape[1:], judged.queries[relevant], of)
    run, query, rank = np.nonzero(judged.grade_by_rank[:, :, :k] > 0)
    hit = group[np.searchsorted(facts.documents, documents[run, query, rank])]
    found = _counts(shape, run, query, hit)

    def shares(part: Ints, whole: Ints) -> Floats:
        with np.errstate(invalid="ignore"):
            its = part / np.where(whole, whole, np.nan)
        its[~judged.scored] = np.nan
        return its

    by_name = shares(found, known)
    slices = tuple(
        RunSlice(
            name,
            tuple(ids[query] for query in np.flatnonzero(known[:, place]).tolist()),
            {tag: spread_of(row) for tag, row in zip(tags, by_name[:, :, place], strict=True)},
            relevant=int(known[:, place].sum()),
        )
        for place, name in enumerate(names)
        if known[:, place].any()
    )
    return RunSlices(by, slices, k=k)


SLICES_OF_DOCUMENTS = {"document.kind": kind_slices, "document.length": length_slices}
"""What relevant documents are sliced by, and how."""


def _counts(shape: tuple[int, ...], *places: Ints) -> Ints:
    """Count how often each place comes: int64 of that shape."""
    cells = np.ravel_multi_index(places, shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
