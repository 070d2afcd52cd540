"""Bringing home what judges did on copies of the campaign: judgments, what models answered, and
nothing else.

Events are joined by their ids, so that merging again changes nothing and the order of the files is
all the same; what holds follows by `fold`. With them come the judges, and the pairs that they name,
with query and document, where this file lacks them. Runs, settings, gold grades, assignments
and whatever else is loaded are the lead's: they are loaded, not merged. Nothing comes of a judge
who was removed, there or here.

An answer stays. Where one model answered here and there, as two machines may have asked it, nothing
of its work on that pair comes, so that the grade that holds is the one that was answered.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice, starmap
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from judge_tui.campaign.store.backend import insertion
from judge_tui.campaign.store.check import refuse_damage
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import DOCUMENT_FIELDS
from judge_tui.campaign.store.event import DECISIONS, EVENT_FIELDS, Slot
from judge_tui.campaign.store.events import refresh
from judge_tui.campaign.store.foreign_answers import ForeignAnswer
from judge_tui.campaign.store.foreign_file import (
    ForeignEvent,
    ForeignFile,
    checked_by_tables,
    foreign_file,
)
from judge_tui.campaign.store.judges import Judge, removed_judges
from judge_tui.campaign.store.judgments import SETTLED
from judge_tui.campaign.store.model_answers import ANSWER_FIELDS, WHO, AskedModel
from judge_tui.campaign.store.pool import add_pairs
from judge_tui.campaign.store.queries import QUERY_FIELDS, known_queries
from judge_tui.campaign.store.same_judges import CHANGED, by_who, take_in_judges
from judge_tui.campaign.store.sqlite import SqliteBackend
from judge_tui.errors import CampaignError
from judge_tui.model import Pair
from judge_tui.pooling.strategies import MERGED

_AT_ONCE = 5_000

_Named: TypeAlias = ForeignEvent | ForeignAnswer
"""What names a judge, a query and a document."""

_LEADS = 0
"""In the place of a judge's key: what leads settle is of all of them."""


@dataclass(frozen=True, slots=True)
class DoubleDecision:
    """A pair that one judge decided here and there since the files parted, or that leads settled
    (`judge` is ""), and what holds of it now: a grade, skip or cannot, None where both took it
    back."""

    judge: str
    query_id: str
    doc_id: str
    repeat: bool
    holds: int | str | None


@dataclass(frozen=True, slots=True)
class FileMerge:
    """What one file brought: `events` and `answers` of models by judge, new `pairs`; `known` counts
    its events that were here already. Of its answers those did not come, by judge, whose words were
    here already, `known_answers`, and those to what was answered otherwise here, `other_answers`.
    `itself`: it is this campaign's own file."""

    file: str
    events: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    known_answers: dict[str, int] = field(default_factory=dict)
    other_answers: dict[str, int] = field(default_factory=dict)
    known: int = 0
    pairs: int = 0
    decided_twice: tuple[DoubleDecision, ...] = ()
    itself: bool = False


@dataclass(frozen=True, slots=True)
class _Incoming:
    """What was read of one file: `events` and `answers` that are not here, and what they name;
    `known`: the ids of its events that are here."""

    file: str
    events: list[ForeignEvent]
    known: set[str]
    answers: list[ForeignAnswer]
    judges: dict[str, Judge]
    models: dict[str, AskedModel]
    queries: list[tuple[str, ...]]
    documents: list[tuple[str, ...]]


def merge(
    campaign: Campaign,
    paths: Sequence[str | os.PathLike[str]],
    *,
    on_file: Callable[[str], None] = lambda _name: None,
    on_write: Callable[[str], None] = lambda _name: None,
) -> list[FileMerge]:
    """Take in what these files have, all of them or none; what each brought.

    They are read and checked while others go on judging, who wait only for the events to be
    written. Raises `CampaignError` for a file that is no copy of the campaign, that is damaged or
    holds what no judge_tui writes, and where an event is here with another content, or a judge is
    somebody else here, and `InputError` where a query has another text there.
    """
    refuse_damage(campaign)
    incoming: list[_Incoming | None] = []
    for path in paths:
        if _is_of_itself(campaign, Path(path)):
            incoming.append(None)
            continue
        on_file(str(path))
        with foreign_file(Path(path), campaign) as theirs:
            incoming.append(_read(campaign, str(path), theirs))
    merged = []
    with campaign.writing():
        for path, one in zip(paths, incoming, strict=True):
            if one is None:
                merged.append(FileMerge(str(path), itself=True))
            else:
                on_write(str(path))
                with checked_by_tables(path, campaign):
                    merged.append(_join(campaign, one))
    return merged


def _is_of_itself(campaign: Campaign, path: Path) -> bool:
    backend = campaign.backend
    return isinstance(backend, SqliteBackend) and path.exists() and backend.place.samefile(path)


def _read(campaign: Campaign, file: str, theirs: ForeignFile) -> _Incoming:
    removed = by_who(campaign, removed_judges(campaign))
    events = (event for event in theirs.events() if event.judge not in removed)
    new, known = _split(campaign, file, events)
    answers = _split_answers(
        campaign, (answer for answer in theirs.answers() if answer.judge not in removed)
    )
    every = [*answers.free, *answers.known, *answers.others]
    named: list[_Named] = [*new, *answers.free]
    by_judges: list[_Named] = [*new, *every]
    queries = theirs.queries({one.query_id for one in named})
    ours = known_queries(campaign, file)
    for query_id, text, *_ in queries:
        ours.find(None, query_id, text)
    doc_ids = {one.doc_id for one in named}
    condition, values = campaign.among("doc_id", doc_ids)
    here = campaign.rows(f"SELECT doc_id FROM documents WHERE {condition}", values)
    return _Incoming(
        file=file,
        events=new,
        known=known,
        answers=every,
        judges={one.judge: theirs.judges[one.judge] for one in by_judges},
        models=theirs.models,
        queries=queries,
        documents=theirs.documents(doc_ids - {doc_id for (doc_id,) in here}),
    )


def _join(campaign: Campaign, incoming: _Incoming) -> FileMerge:
    """Add it, inside the caller's transaction, which others may have written before."""
    judges = take_in_judges(campaign, incoming.file, incoming.judges, incoming.models)
    answers, known_answers, others = _split_answers(campaign, incoming.answers)
    new, known = _split(campaign, incoming.file, incoming.events)
    known |= incoming.known
    answered = (*known_answers, *others)
    taken = {(one.judge, one.query_id, one.doc_id) for one in answered if not one.probe}
    new = [one for one in new if (one.judge, one.query_id, one.doc_id) not in taken]
    for sql, missing in (
        (insertion("queries", "query_id", *QUERY_FIELDS), incoming.queries),
        (insertion("documents", "doc_id", *DOCUMENT_FIELDS), incoming.documents),
    ):
        campaign.execute_many(f"{sql} ON CONFLICT DO NOTHING", missing)
    named: list[_Named] = [*new, *answers]
    pairs, added = _pairs(campaign, {(one.query_id, one.doc_id) for one in named})
    slots = [
        (judges[event.judge].key, pairs[event.query_id, event.doc_id], event.turn) for event in new
    ]
    decided = {
        (_LEADS if event.action == SETTLED else judge, pair, turn)
        for event, (judge, pair, turn) in zip(new, slots, strict=True)
        if event.action in (*DECISIONS, SETTLED)
    }
    before = _decisions(campaign, {pair for _, pair, _ in decided})
    twice = [slot for slot in decided & before.keys() if before[slot][0] not in known]
    rows = (
        (event.id, judge, pair, *event[4:])
        for event, (judge, pair, _) in zip(new, slots, strict=True)
    )
    campaign.execute_many(insertion("events", "id", "judge", "pair", *EVENT_FIELDS), rows)
    campaign.execute_many(
        insertion("model_answers", "judge", "pair", *ANSWER_FIELDS),
        ((judges[one.judge].key, pairs[one.query_id, one.doc_id], *one[3:]) for one in answers),
    )
    refresh(campaign, slots)
    after = _decisions(campaign, {pair for _, pair, _ in twice})
    names = {_LEADS: "", **{judge.key: judge.name for judge in judges.values()}}
    ids = {key: pair for pair, key in pairs.items()} if twice else {}
    decided_twice = []
    for slot in twice:
        judge, pair, turn = slot
        _, holds = after.get(slot, (None, None))
        decided_twice.append(DoubleDecision(names[judge], *ids[pair], bool(turn), holds))
    decided_twice.sort(key=lambda one: (one.judge, one.query_id, one.doc_id, one.repeat))

    def by_judge(came: Iterable[_Named]) -> dict[str, int]:
        return dict(sorted(Counter(judges[one.judge].name for one in came).items()))

    return FileMerge(
        file=incoming.file,
        events=by_judge(new),
        answers=by_judge(answers),
        known_answers=by_judge(known_answers),
        other_answers=by_judge(others),
        known=len(known),
        pairs=added,
        decided_twice=tuple(decided_twice),
    )


def _split(
    campaign: Campaign, file: str, events: Iterable[ForeignEvent]
) -> tuple[list[ForeignEvent], set[str]]:
    """The events that are not here, and the ids of those that are. Raises `CampaignError` for one
    that is here with another content."""
    new: list[ForeignEvent] = []
    known: set[str] = set()
    for chunk in _chunks(events):
        condition, ids = campaign.among("e.id", [event.id for event in chunk])
        rows = campaign.rows(f"{_EVENTS} WHERE {condition}", ids)
        here = {row[0]: ForeignEvent(*row) for row in rows}
        for event in chunk:
            if event.id not in here:
                new.append(event)
            elif here[event.id] != event:
                raise CampaignError(
                    file,
                    f"event {event.id} is in this campaign with another content",
                    CHANGED,
                )
        known |= here.keys()
    return new, known


_EVENTS = (
    f"SELECT e.id, coalesce({WHO}, j.formerly, j.name), q.query_id, d.doc_id,"
    f" {', '.join(f'e.{one}' for one in EVENT_FIELDS)} FROM events AS e"
    " JOIN judges AS j ON j.id = e.judge LEFT JOIN model_judges AS m ON m.judge = e.judge"
    " JOIN pool AS p ON p.id = e.pair"
    " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
)


class _Answers(NamedTuple):
    """Answers of a file: to what their judges have not answered here, in the words that are here,
    and in others."""

    free: list[ForeignAnswer]
    known: list[ForeignAnswer]
    others: list[ForeignAnswer]


def _split_answers(campaign: Campaign, answers: Iterable[ForeignAnswer]) -> _Answers:
    found = _Answers([], [], [])
    for chunk in _chunks(answers):
        condition, query_ids = campaign.among("q.query_id", {one.query_id for one in chunk})
        rows = campaign.rows(f"{_ANSWERS} WHERE {condition})", query_ids)
        here = {one.slot: one for one in starmap(ForeignAnswer, rows)}
        for answer in chunk:
            if answer.slot not in here:
                found.free.append(answer)
            elif here[answer.slot].raw == answer.raw:
                found.known.append(answer)
            else:
                found.others.append(answer)
    return found


_ANSWERS = (
    f"SELECT {WHO}, q.query_id, d.doc_id,"
    f" {', '.join(f'a.{one}' for one in ANSWER_FIELDS)} FROM model_answers AS a"
    " JOIN model_judges AS m ON m.judge = a.judge JOIN pool AS p ON p.id = a.pair"
    " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
    # So that all of the key is known, and not every answer is looked at.
    " WHERE a.judge IN (SELECT judge FROM model_judges) AND a.pair IN"
    " (SELECT p.id FROM queries AS q JOIN pool AS p ON p.query = q.id"
)


def _pairs(campaign: Campaign, wanted: Set[Pair]) -> tuple[dict[Pair, int], int]:
    """The keys of the pairs of their queries, those that were not in the pool added, and how many
    were not."""
    condition, query_ids = campaign.among("q.query_id", {one for one, _ in wanted})
    sql = (
        "SELECT q.query_id, d.doc_id, p.id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        f" JOIN documents AS d ON d.id = p.document WHERE {condition}"
    )

    def keys() -> dict[Pair, int]:
        return {(query_id, doc_id): key for query_id, doc_id, key in campaign.each(sql, query_ids)}

    found = keys()
    missing = sorted(wanted - found.keys())
    if missing:
        add_pairs(campaign, missing, MERGED)
        found = keys()
    return found, len(missing)


def _decisions(campaign: Campaign, pairs: Collection[int]) -> dict[Slot, tuple[str, int | str]]:
    """What is decided of these pairs: the id of the event that holds, and its grade, or skip or
    cannot."""
    condition, values = campaign.among("pair", pairs)
    found: dict[Slot, tuple[str, int | str]] = {
        (judge, pair, turn): (event, decision if grade is None else grade)
        for judge, pair, turn, event, decision, grade in campaign.each(
            "SELECT judge, pair, turn, event, decision, grade FROM judgments"
            f" WHERE decision IS NOT NULL AND {condition}",
            values,
        )
    }
    sql = f"SELECT pair, event, grade FROM adjudications WHERE {condition}"
    for pair, event, grade in campaign.each(sql, values):
        found[_LEADS, pair, 0] = event, grade
    return found


_Row = TypeVar("_Row")


def _chunks(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    one_by_one = iter(rows)
    while chunk := list(islice(one_by_one, _AT_ONCE)):
        yield chunk
