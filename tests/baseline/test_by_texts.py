"""Whatever ids queries have by now, those that ask the same are the same."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from judge_tui.baseline import SavedRun, SavedScores, by_texts, graded_otherwise, qrels_sha256
from judge_tui.baseline.fingerprint import grades_digest
from judge_tui.model import Query

TEXTS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot")
QRELS = {text: {f"right for {text}": 1} for text in TEXTS}

orders = st.lists(st.sampled_from(TEXTS), min_size=1, unique=True)
forms = st.sampled_from(["q{place:03}", "{place}", "my{text}"])


def ids_of(texts: list[str], form: str) -> dict[str, str]:
    """The text of each id."""
    return {form.format(place=place, text=text): text for place, text in enumerate(texts, 1)}


def saved(texts: dict[str, str], *, own_ids: bool) -> SavedScores:
    """A result in which the value of a query tells which one it is."""
    query_ids = tuple(sorted(texts))
    values = tuple(float(TEXTS.index(texts[query_id])) for query_id in query_ids)
    run = SavedRun("s", query_ids, {"RR": values}, 1, query_ids[:1])
    graded = qrels_sha256({query_id: QRELS[text] for query_id, text in texts.items()})
    by_place = frozenset[str]() if own_ids else frozenset(texts)
    grades = {query_id: grades_digest(QRELS[text]) for query_id, text in texts.items()}
    return SavedScores("base.json", "1", graded, {}, (), (run,), texts, by_place, grades=grades)


@given(orders, orders, forms, forms, st.booleans(), st.booleans())
def test_queries_of_both_are_paired_by_what_they_ask(then, now, was, form, own_then, own_now):
    before, after = ids_of(then, was), ids_of(now, form)
    queries = [Query(query_id, text, own_id=own_now) for query_id, text in after.items()]
    qrels = {query_id: QRELS[text] for query_id, text in after.items()}
    earlier = by_texts(saved(before, own_ids=own_then), queries, qrels)
    (run,) = earlier.runs
    assert list(run.query_ids) == sorted({*run.query_ids})
    assert len(run.query_ids) == len(then)
    assert all(
        run.value("RR", query_id) == TEXTS.index(text)
        for query_id, text in after.items()
        if text in then
    )
    (nothing,) = run.without_results
    assert before[min(before)] == TEXTS[int(run.value("RR", nothing) or 0)]
    # Any other text is paired under an id of the file's own alone, and told.
    others = [one for one in after if after[one] not in then and one in run.query_ids]
    assert not others or (own_then and own_now and not any(one.startswith("q0") for one in others))
    assert any("have other texts than" in told for told in earlier.remarks) == bool(others)
    assert sorted(graded_otherwise(earlier, qrels, by_place=False) or ()) == sorted(others)
    # A file of an earlier version tells the grades of all queries together.
    older = graded_otherwise(replace(earlier, grades={}), qrels, by_place=False)
    assert older == (() if {*then} == {*now} else None)
