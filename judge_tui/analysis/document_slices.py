"""Which kinds of relevant documents a run finds: by what they are, and by how long they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median_low

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.run_slices import (
    RunSlice,
    RunSlices,
    ShareFound,
    consistency_of,
    spread_of,
)
from judge_tui.arrays import Floats, Ints, sorted_unique

NO_TEXT = -1
"""What stands for a length where only the id of the document is known."""

_DEPTHS = (5, 3, 1)


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


def telling_depth(counts: Iterable[int], k: int) -> int:
    """Return the depth at which a share of relevant documents tells orders apart.

    `counts`: how many documents queries have in their lists. The depth is `k`; where the median of
    the counts (of two the lower) is no more than `k`, it is the greatest of 5, 3 and 1 below that:
    among the first ten of ten all are found, whatever their order.
    """
    every = list(counts)
    if not every or (typical := median_low(every)) > k:
        return k
    return min(k, next((one for one in _DEPTHS if one < typical), _DEPTHS[-1]))


def document_slices(
    judged: JudgedRuns, facts: DocumentFacts, k: int = 10
) -> Iterator[RunSlices[ShareFound]]:
    """Slice relevant documents by kind and by length, as far as there are several."""
    for cut in (kind_slices, length_slices) if len(facts.documents) else ():
        found = cut(judged, facts, k)
        if len(found.slices) > 1:
            yield found


def kind_slices(judged: JudgedRuns, facts: DocumentFacts, k: int = 10) -> RunSlices[ShareFound]:
    """Slice relevant documents by their kind: the share of each in each run's top k.

    Kinds are in byte order, documents without a kind last. Capitals make no kind of their own: it
    has the spelling that comes first.

    `facts` are of the `relevant_documents` at least.
    """
    spelt: dict[str, str] = {}
    for kind in sorted(set(facts.kinds)):
        spelt.setdefault(kind.casefold(), kind)
    names = sorted(spelt.values(), key=lambda name: (not name, name))
    place = {name.casefold(): number for number, name in enumerate(names)}
    group = np.array([place[kind.casefold()] for kind in facts.kinds], dtype=np.int64)
    return _slices(judged, "document.kind", names, facts, group, k)


def length_slices(judged: JudgedRuns, facts: DocumentFacts, k: int = 10) -> RunSlices[ShareFound]:
    """Slice relevant documents by their length: the share of each slice in each run's top k.

    Lengths are in characters. The slices are the quarters of all relevant documents that have a
    text, shortest first (fewer where many are of one length), then the documents without one.
    """
    wanted = np.isin(facts.documents, relevant_documents(judged))
    known = facts.lengths[wanted & (facts.lengths != NO_TEXT)]
    ends: list[int] = []
    if len(known):
        quarters = np.quantile(known, [0.25, 0.5, 0.75, 1.0], method="inverted_cdf")
        ends = np.unique(quarters).astype(int).tolist()
    starts = [int(known.min()) if len(known) else 0, *(end + 1 for end in ends[:-1])]
    names = [_named(start, end) for start, end in zip(starts, ends, strict=False)]
    group = np.minimum(np.searchsorted(ends, facts.lengths), max(len(ends) - 1, 0))
    group[facts.lengths == NO_TEXT] = len(names)
    return _slices(judged, "document.length", [*names, ""], facts, group, k)


def _named(start: int, end: int) -> str:
    return f"{start:,} characters" if start == end else f"{start:,}–{end:,} characters"


def _slices(
    judged: JudgedRuns, by: str, names: Sequence[str], facts: DocumentFacts, group: Ints, k: int
) -> RunSlices[ShareFound]:
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

    by_name, overall = shares(found, known), shares(found.sum(axis=2), known.sum(axis=1))
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
    consistency = consistency_of(dict(zip(tags, overall, strict=True)), slices)
    return RunSlices(by, ShareFound(k), slices, consistency)


def _counts(shape: tuple[int, ...], *places: Ints) -> Ints:
    """Count how often each place comes: int64 of that shape."""
    cells = np.ravel_multi_index(places, shape)
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
