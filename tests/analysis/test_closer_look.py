"""How evenly systems do, where they disagree and which documents they find: worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.closer_look import Extreme, Wanted, closer_look
from judge_tui.model import Document, Run
from judge_tui.scoring import parse_measure, score_run

RR = parse_measure("RR@10")

QRELS = {
    "q1": {"a": 1, "b": 2, "c": 0},
    "q2": {"a": 0, "d": 90_000, "e": 1},
    "q3": {"c": 1},
    "q4": {"b": -1, "d": 1},
}
LISTS = {
    "one": {"q1": ["a", "b"], "q2": ["x", "d"], "q3": ["c"], "q4": ["a", "d"]},
    "two": {"q1": ["c", "a"], "q2": ["e", "d"], "q3": [], "q4": ["b", "a", "c", "d"]},
}
DOCUMENTS = {
    "a": Document("a", text="aaaa", kind="guide"),
    "b": Document("b", text="bb", kind="api"),
    "c": Document("c", text="c", kind="guide"),
    "d": Document("d", text="dddddddd", kind="api"),
    "e": Document("e", text="eeeee"),
}


def looked_at(lists=LISTS, documents=None, qrels=QRELS):
    runs = [
        Run(tag, {q: {d: 1 / rank for rank, d in enumerate(its, 1)} for q, its in found.items()})
        for tag, found in lists.items()
    ]
    scored = tuple(score_run(qrels, run, [RR], complete=True) for run in runs)
    return closer_look([Wanted(None, RR, scored)], lists, qrels, documents)


def only_look(lists=LISTS):
    (look,) = looked_at(lists).looks
    return look


def test_how_values_lie_over_the_queries():
    """one: 1, 1/2, 1, 1/2. two: 1/2, 1, 0, 1/4."""
    one, two = only_look().systems
    assert (one.tag, two.tag) == ("one", "two")
    assert one.spread.mean == pytest.approx(0.75)
    assert one.spread.sd == pytest.approx(0.25)
    assert one.quartiles == (0.5, 1.0)
    assert one.best == Extreme(1.0, ("q1", "q3"))
    assert one.worst == Extreme(0.5, ("q2", "q4"))
    # The mean is 7/16; the squares of what is off it, in 256ths: 1, 81, 49, 9; a fourth of 140/256.
    assert two.spread.mean == pytest.approx(7 / 16)
    assert two.spread.sd == pytest.approx(math.sqrt(140 / 256 / 4))
    assert two.spread.median == pytest.approx(3 / 8)
    assert two.quartiles == (0.0, 1.0)
    assert two.best == Extreme(1.0, ("q2",))
    assert two.worst == Extreme(0.0, ("q3",))


@pytest.mark.parametrize(
    ("n", "low", "high"),
    [
        # The right document is at rank 1 to n, each once; the ranks of which a quarter are …
        *((1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 4, 1)),  # … one at least,
        *((5, 4, 2), (7, 6, 2), (8, 7, 2), (9, 7, 3), (10, 8, 3)),  # two, three.
    ],
)
def test_a_quarter_have_at_most_the_first_quartile_and_at_least_the_third(n, low, high):
    filler = [f"x{at}" for at in range(n)]
    found = {f"q{rank}": [*filler[: rank - 1], "r"] for rank in range(1, n + 1)}
    (look,) = looked_at({"it": found}, qrels={query_id: {"r": 1} for query_id in found}).looks
    (one,) = look.systems
    assert one.quartiles == (1 / low, 1 / high)


def test_a_query_for_which_nothing_is_right_counts_and_is_not_the_worst():
    (look,) = looked_at(qrels={**QRELS, "q0": {"a": 0}}).looks
    one = look.systems[0]
    assert one.spread.mean == pytest.approx(3 / 5)
    assert one.spread.least == 0
    assert one.worst == Extreme(0.5, ("q2", "q4"))


def test_where_they_are_furthest_apart():
    """q3: 1 and 0, where one found nothing. q1: 1 and 1/2, one document of three in common. q2: 1/2
    and 1, also one of three. q4: 1/2 and 1/4. Equals in the order of their ids."""
    rows = only_look().divided.rows
    assert [(row.query_id, row.sd) for row in rows] == [
        ("q3", 0.5),
        ("q1", 0.25),
        ("q2", 0.25),
        ("q4", 0.125),
    ]
    assert rows[0].overlap == 0.0
    assert [row.overlap for row in rows[1:3]] == pytest.approx([1 / 3, 1 / 3])
    assert (rows[2].best, rows[2].worst) == (("two",), ("one",))


def test_which_kinds_of_relevant_documents_each_finds():
    """Relevant guides: a for q1, c for q3. Of kind api: b for q1, d for q2 and q4. Without: e for
    q2. What a system finds nothing for counts as none found of it."""
    by_kind, by_length = looked_at(documents=DOCUMENTS).documents
    assert by_kind.by == "document.kind"
    assert [
        (one.name, one.relevant, one.query_ids, [run.mean for run in one.runs])
        for one in by_kind.slices
    ] == [
        ("api", 3, ("q1", "q2", "q4"), [1.0, pytest.approx(2 / 3)]),
        ("guide", 2, ("q1", "q3"), [1.0, 0.5]),
        ("", 1, ("q2",), [0.0, 1.0]),
    ]
    # Lengths of the relevant ones: 4, 2, 8, 5 and 1.
    assert [one.name for one in by_length.slices] == [
        "1–2 characters",
        "3–4 characters",
        "5 characters",
        "6–8 characters",
    ]


def test_what_tells_no_documents_apart_is_no_slice():
    alike = {doc_id: Document(doc_id, text="text") for doc_id in DOCUMENTS}
    assert looked_at(documents=alike).documents == ()
    assert looked_at().documents == ()


def test_of_a_document_that_is_not_known_there_is_its_id():
    known = {doc_id: one for doc_id, one in DOCUMENTS.items() if doc_id != "d"}
    by_kind, by_length = looked_at(documents=known).documents
    assert [(one.name, one.relevant) for one in by_kind.slices] == [
        ("api", 1),
        ("guide", 2),
        ("", 3),
    ]
    assert [one.relevant for one in by_length.slices if one.name == ""] == [2]
    assert looked_at(documents={}).documents == ()


def test_one_system_disagrees_with_nobody():
    look = only_look({"one": LISTS["one"]})
    assert look.divided.rows == ()
    assert len(look.systems) == 1


@given(st.permutations(["one", "two"]), st.permutations(list(QRELS)))
def test_the_order_of_systems_and_queries_plays_no_part(tags, query_ids):
    lists = {tag: {query_id: LISTS[tag][query_id] for query_id in query_ids} for tag in tags}
    look, usual = looked_at(lists, DOCUMENTS), looked_at(documents=DOCUMENTS)
    assert sorted(look.looks[0].systems, key=lambda one: one.tag) == list(usual.looks[0].systems)
    assert [row.query_id for row in look.looks[0].divided.rows] == [
        row.query_id for row in usual.looks[0].divided.rows
    ]
    assert [one.name for part in look.documents for one in part.slices] == [
        one.name for part in usual.documents for one in part.slices
    ]


def test_classes_are_looked_at_one_by_one():
    first = {"q1": QRELS["q1"], "q3": QRELS["q3"]}
    runs = tuple(
        score_run(
            first,
            Run(tag, {q: {d: 1 / n for n, d in enumerate(its[q], 1)} for q in first}),
            [RR],
            complete=True,
        )
        for tag, its in LISTS.items()
    )
    look = closer_look([Wanted("lookup", RR, runs)], LISTS, QRELS).looks[0]
    assert look.name == "lookup"
    assert [one.spread.n for one in look.systems] == [2, 2]
    assert [row.query_id for row in look.divided.rows] == ["q3", "q1"]
