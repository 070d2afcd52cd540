"""What holds by the events alone, and pairs by their ids: what arrays are compared with."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.event import Event, State, fold
from judge_tui.campaign.store.events import EVENT_COLUMNS
from judge_tui.campaign.store.judges import all_judges
from judge_tui.model import Pair


def states(campaign: Campaign) -> dict[tuple[str, int, int], State]:
    """(Judge, key of a pair, turn) -> what holds."""
    names = {judge.key: judge.name for judge in all_judges(campaign)}
    events = [Event(*row) for row in campaign.rows(f"SELECT {EVENT_COLUMNS} FROM events")]

    def slot(event: Event) -> tuple[str, int, int]:
        return names[event.judge], event.pair, event.turn

    return {key: fold(its) for key, its in groupby(sorted(events, key=slot), slot)}


def ids(campaign: Campaign) -> dict[int, Pair]:
    """Key of a pair -> query_id and doc_id."""
    rows = campaign.rows(
        "SELECT p.id, q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document ORDER BY p.id"
    )
    return {key: (query_id, doc_id) for key, query_id, doc_id in rows}


def grades(campaign: Campaign, *kinds: str) -> dict[str, dict[Pair, int]]:
    """Judge of one of these kinds -> pair -> the grade of the first look."""
    pairs = ids(campaign)
    kind = {judge.name: judge.kind for judge in all_judges(campaign)}
    found: dict[str, dict[Pair, int]] = {}
    for (judge, pair, turn), state in states(campaign).items():
        if state.grade is not None and not turn and kind[judge] in kinds:
            found.setdefault(judge, {})[pairs[pair]] = state.grade
    return found


def majority(
    grades: dict[str, dict[Pair, int]], settled: dict[Pair, int]
) -> dict[Pair, int | None]:
    """Pair -> its final grade by majority, None where it is unresolved."""
    votes: dict[Pair, Counter[int]] = {}
    for its in grades.values():
        for pair, grade in its.items():
            votes.setdefault(pair, Counter())[grade] += 1
    final: dict[Pair, int | None] = {}
    for pair, counted in votes.items():
        (grade, most), *others = counted.most_common(2)
        final[pair] = None if others and others[0][1] == most else grade
    return {**final, **settled}
