"""What a run was asked, by the files beside its own, which cannot say it: queries without results,
by NAME.latency.csv, and the texts of all, by NAME.answers.jsonl, or FILE.provenance.json of one
that a campaign has exported."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.ids import decode_id, encode_id, plain_field
from judge_tui.formats.problems import counted
from judge_tui.formats.provenance import texts_exported
from judge_tui.formats.source import open_source

if TYPE_CHECKING:
    from judge_tui.formats.latency_csv import AskedQuery

__all__ = [
    "HEAD",
    "LATENCY",
    "REPLIES",
    "SAID",
    "WRITTEN",
    "AskedBeside",
    "AskedTexts",
    "asked_beside",
    "has_found_nothing",
    "latency_beside",
    "texts_beside",
    "why_of_another",
]

LATENCY = ".latency.csv"
"""What the name of such a file has in place of `.run`."""

REPLIES = ".answers.jsonl"
"""What the name of the replies of a live system has there (`collect.journal`)."""

HEAD = "judge_tui"
"""What a line of such replies has that is none: the first does, and some behind it."""

WRITTEN = "written"
"""What such a line has behind the replies that were all there when the run was written."""

SAID = "said"
"""What such a line has beside it: what was said of each query that had no id of its own, but for
its text (`said_of_queries.said_of`), by native query_id."""

_RUNS = frozenset({".run", ".trec", ".txt", ".json", ".csv", ".tsv"})


Results: TypeAlias = Mapping[str, Mapping[str, float]]
"""Those of a run, as `run_in` has them where they are `exact`: query_id -> doc_id -> score."""

ResultCounts: TypeAlias = Mapping[str, int | None]
"""The queries of which a run has results -> how many, None where nobody counted."""


class AskedTexts(NamedTuple):
    """What a run was asked, as the file `path` says: native query_id -> text, in its order, and
    what else was `said` of those that had no ids of their own; None where nobody knows which."""

    path: Path
    texts: dict[str, str]
    said: Mapping[str, Mapping[str, Any]] | None


@dataclass(frozen=True, slots=True)
class AskedBeside:
    """`name`: of the file, "" where there is none. `nothing`: the queries without results, as the
    run spells its own -> why the system failed, "" where it found nothing. `other`: why the file is
    not of this run, "" where it is; then nothing is taken from it."""

    name: str = ""
    nothing: Mapping[str, str] = field(default_factory=dict)
    other: str = ""


def latency_beside(run: str | os.PathLike[str]) -> Path | None:
    """The file of seconds and failures beside NAME.run, where there is one."""
    return _beside(run, LATENCY)


def texts_beside(
    run: str | os.PathLike[str], results: Callable[[], Results | None]
) -> AskedTexts | None:
    """What the provenance of an exported run says was asked, else the file of a live system's
    replies beside NAME.run; None where there is none of these, and where the run has no `results`
    by ids, which are asked for only where there are replies.

    Raises `InputError` where these are not the results of those replies: work that ended early adds
    to the replies, and leaves the run as it was.
    """
    if exported := texts_exported(run):
        return AskedTexts(*exported, said={})
    beside = _beside(run, REPLIES)
    if beside is None:
        return None
    import json  # noqa: PLC0415 - few runs have such a file

    is_collects = False
    texts: dict[str, str] = {}
    hits: dict[str, list[str]] = {}
    said: Mapping[str, Mapping[str, Any]] | None = None
    since: dict[str, None] | None = None  # the run was written; nobody knows it of older files
    try:
        with open_source(beside) as source:
            for _number, raw in source.lines():
                line = json.loads(raw)
                is_collects = is_collects or HEAD in line
                if not is_collects:
                    return None
                if HEAD in line:
                    if WRITTEN in line:
                        since, its = {}, line.get(SAID)
                        said = its and {query_id: {**about} for query_id, about in its.items()}
                    continue
                query_id = str(line["query_id"])
                texts[query_id] = str(line["query"])
                hits[query_id] = [hit["doc_id"] for hit in line.get("hits", ())]
                if since is not None:
                    since[query_id] = None
    except (InputError, ValueError, TypeError, KeyError):
        # What a crash cut short is the last line; of a file of another sort nothing has come.
        pass
    its = results() if is_collects else None
    if its is None:
        return None
    asked = _asked_last(run)
    if differs := _why_of_others(its, hits, since or (), asked):
        raise InputError(
            run,
            None,
            f"{differs} in {beside}: the run was not written since that changed",
            "give the collect or evaluate command again; a run of something else needs another"
            " name",
        )
    if asked:
        # Replies to what was asked before, of another file perhaps, are there, too.
        texts = {one.query_id: texts[one.query_id] for one in asked if one.query_id in texts}
    return AskedTexts(beside, texts, said) if texts else None


def _asked_last(run: str | os.PathLike[str]) -> list[AskedQuery]:
    """The queries for which a run was written last, by the file of seconds beside it; none where
    there is no such file."""
    latency = latency_beside(run)
    if latency is None:
        return []
    from judge_tui.formats.latency_csv import read_latency  # noqa: PLC0415 - reads tables

    return read_latency(latency) or []


def _why_of_others(
    results: Results,
    hits: Mapping[str, Sequence[str]],
    since: Collection[str],
    asked: Iterable[AskedQuery],
) -> str:
    """The first query of which the run has other results than were answered, in words; "" where it
    has none. Of a run that was cut off, what is left is held, and what was `asked` last; it may be
    of fewer queries than were ever answered, but for those that were `since` it was written.
    """
    there = set()
    for query_id, scores in results.items():
        native = decode_id(query_id)
        there.add(native)
        if native not in hits:
            return f"query {native!r} is not"
        by_doc = {decode_id(doc_id): score for doc_id, score in scores.items()}
        in_order = [by_doc[doc_id] for doc_id in hits[native] if doc_id in by_doc]
        if len(in_order) < len(by_doc) or any(a < b for a, b in pairwise(in_order)):
            return f"query {native!r} has other results"
    for native in since:
        if hits[native] and native not in there:
            found = counted(len(hits[native]), "result")
            return f"query {native!r} has no results here, and {found}"
    for one in asked:
        if one.results != len(hits.get(one.query_id, ())):
            return f"query {one.query_id!r} has another number of results"
    return ""


def _beside(run: str | os.PathLike[str], ending: str) -> Path | None:
    """The file of that ending beside NAME.run, where there is one: in whatever form the run is, and
    whether either of the two is compressed."""
    path = Path(run)
    name = path.with_suffix("").name if path.suffix in ENDINGS else path.name
    stem, dot, form = name.rpartition(".")
    if not stem or f"{dot}{form}" not in _RUNS:
        return None
    named = (path.with_name(f"{stem}{ending}{packed}") for packed in ("", *ENDINGS))
    return next((one for one in named if one.is_file()), None)


def asked_beside(run: str | os.PathLike[str], answered: ResultCounts) -> AskedBeside:
    """What the file beside a run says.

    A file of that name that is none of collect's is nothing. Raises `InputError` for a bad row.
    """
    beside = latency_beside(run)
    if beside is None:
        return AskedBeside()
    from judge_tui.formats.latency_csv import read_latency  # noqa: PLC0415 - reads tables

    asked = read_latency(beside)
    if asked is None:
        return AskedBeside()
    other = ""
    # A run that was written anew as a table or JSON has ids as they are.
    for spelt in (encode_id, plain_field):
        differs = why_of_another(asked, answered, spelt)
        if not differs:
            nothing = {spelt(one.query_id): one.failure for one in asked if not one.results}
            return AskedBeside(beside.name, nothing)
        other = other or differs
    return AskedBeside(beside.name, other=other)


def has_found_nothing(run: str | os.PathLike[str]) -> bool:
    """Whether a run file is empty, and the file beside it says that it was asked, all in vain.
    Raises `InputError` for a bad row there."""
    if latency_beside(run) is None:
        return False
    with open_source(run) as source:
        if next(iter(source.lines()), None) is not None:
            return False
    return bool(asked_beside(run, {}).nothing)


def why_of_another(
    asked: Collection[AskedQuery], answered: ResultCounts, spelt: Callable[[str], str] = encode_id
) -> str:
    """Why a file is not of this run: the first query that has results in one of the two alone, or
    more in the run than there, in words; "" where it is. A run that was cut off has fewer, and is
    the same run. `spelt`: how the run spells a native id."""
    there = {spelt(one.query_id): one.results for one in asked}
    for query_id, here in sorted(answered.items(), key=lambda one: one[0]):
        if query_id not in there:
            return f"query {query_id!r} is not in it"
        if not there[query_id]:
            return f"query {query_id!r} has no results there"
        if here is not None and there[query_id] < here:
            more = f"{counted(there[query_id], 'result')} there and {here:,} here"
            return f"query {query_id!r} has {more}"
    lacking = sorted(
        query_id for query_id, found in there.items() if found and query_id not in answered
    )
    return f"query {lacking[0]!r} has results there" if lacking else ""
