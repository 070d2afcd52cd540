"""What was searched, by whom, and which documents were judged."""

from __future__ import annotations

from collections import Counter

from judge_tui.percent import percent
from judge_tui.report.layout import Column, Grid
from judge_tui.report.page.content import Block, Paragraph, Section, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.naming import not_shown
from judge_tui.report.page.sections.phrases import counted, listed

__all__ = ["collection"]

_CLASSES = 12

_BLIND = (
    "Who grades in the app sees neither which system found a document nor at which rank, and no"
    " other judge's grade."
)
_SHOWN = "Who grades in the app is shown at which rank a document was found, but no other grade."

_STRATA = {
    "audit": "drawn at random from what the pool leaves out",
    "depth": "at the top of a run",
    "gold": "of known grade, to check the judges",
    "loaded": "from a file of grades",
    "results": "sent by somebody who looked at the results",
    "rrf": "at the top of all runs fused",
}
"""Why a pair is in the pool."""


def collection(found: Findings) -> Section:
    """Queries, documents, runs and the pool."""
    data = found.data
    state, pool = data.progress, data.pool
    blocks: list[Block] = [
        Paragraph(
            f"{counted(state.queries, 'query', 'queries')}{_classes(found)},"
            f" {counted(state.runs, 'system')} and {counted(state.documents, 'document')} that they"
            f" returned or that were judged, {state.documents_with_text:,} of them with their text."
        ),
        Paragraph(
            f"The pool, which is what judges are given, has {counted(pool.pairs, 'pair')} of a"
            f" query and a document: {_strata(found)}. {_SHOWN if data.show_ranks else _BLIND}"
            f"{_loaded(*data.graded)}"
        ),
        Table(
            Grid(
                f"Each system's part in the pool, and what of its first {state.depth} was judged",
                [
                    Column("system", right=False),
                    Column("pairs in the pool"),
                    Column(f"results in the first {state.depth}"),
                    Column("of these pooled"),
                    Column("of these judged"),
                    Column("share judged"),
                ],
                [
                    (
                        one.tag,
                        pool.by_run.get(one.tag, 0),
                        one.results,
                        one.pooled,
                        one.judged,
                        percent(one.judged / one.results) if one.results else None,
                    )
                    for one in state.coverage
                    if one.tag in found.shown
                ],
            ),
            f"{_by_whom(found)}{not_shown(found)}",
        ),
    ]
    return Section("collection", "What was searched and what was judged", blocks)


def _loaded(every: int, loaded: int) -> str:
    if not loaded:
        return ""
    how = "All" if loaded == every else f"{loaded:,} of the"
    verb = "was" if loaded == 1 else "were"
    return (
        f" {how} {counted(every, 'grade')} that the judges gave {verb} loaded from files, however:"
        " what was seen by who gave them is not known here."
    )


def _by_whom(found: Findings) -> str:
    state = found.data.progress
    only_models = found.data.results.basis.only_models
    also = "models" if only_models else "people and models"
    judges = also if state.models else "people"
    said = f"Over all queries, graded or not; judged by {judges}."
    if not state.aside:
        return said
    pairs = "1 pair that a model" if state.aside == 1 else f"{state.aside:,} pairs that models"
    return f"{said} Not counted: {pairs} alone graded."


def _classes(found: Findings) -> str:
    of_query = found.data.queries.fields.get("class")
    if of_query is None:
        return ""
    sizes = Counter(name or "without a class" for name in of_query.values())
    told = [f"{name} {size:,}" for name, size in sizes.most_common()]
    return f" ({listed(told, _CLASSES)})"


def _strata(found: Findings) -> str:
    strata = found.data.pool.by_stratum
    order = sorted(strata.items(), key=lambda one: (-one[1], one[0]))
    return listed((f"{size:,} {_told(name)}" for name, size in order), 8) or "empty"


def _told(stratum: str) -> str:
    return _STRATA.get(stratum, f"of stratum {stratum}" if stratum else "from elsewhere")
