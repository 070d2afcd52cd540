"""The demands `prefer` and `authority`, and how one list meets them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.scoring.authority import Authority
from judge_tui.scoring.demands import Demands, found_nowhere, meet, undemanding
from judge_tui.scoring.prefer import Fate, Hit, Prefer

NEW_BEFORE_OLD = Prefer(re.compile("^new/"), re.compile("^old/"))
SOURCES = Authority(tuple(map(re.compile, ("^docs/", "^wiki/", "^forum/"))))


@pytest.mark.parametrize(
    ("found", "fate", "sign"),
    [
        (["new/a", "old/a"], Fate.MODERN, 1),
        (["x", "new/a", "y", "old/a", "new/b"], Fate.MODERN, 1),
        (["old/a", "new/a"], Fate.LEGACY, -1),
        (["x", "new/a"], Fate.ONLY_MODERN, 1),
        (["x", "old/a"], Fate.ONLY_LEGACY, -1),
        (["x", "y"], Fate.MISSING, 0),
        ([], Fate.MISSING, 0),
    ],
)
def test_each_way_in_which_a_query_can_end(found, fate, sign):
    one = NEW_BEFORE_OLD.met_by(found)
    assert (one.fate, one.sign, one.held) == (fate, sign, sign > 0)


def test_one_document_of_both_kinds_ties():
    both = Prefer(re.compile("guide"), re.compile("2009"))
    one = both.met_by(["x", "guide-2009", "guide-2024", "2009"])
    assert one.better == one.worse == Hit(2, "guide-2009")
    assert (one.fate, one.sign, one.held) == (Fate.TIED, 0, False)
    assert both.met_by(["guide-2024", "guide-2009"]).fate is Fate.MODERN


@given(st.lists(st.sampled_from(["new/a", "new/b", "old/a", "old/b", "x", "y"]), unique=True))
def test_it_is_the_comparison_of_two_ranks_of_which_a_missing_one_is_last(found):
    last = float("inf")
    better, worse = (
        next((rank for rank, one in enumerate(found, 1) if one.startswith(kind)), last)
        for kind in ("new/", "old/")
    )
    one = NEW_BEFORE_OLD.met_by(found)
    assert one.sign == (better < worse) - (better > worse)
    assert one.held == (better < worse)
    # Turned round, what is wished for turns with it.
    other = Prefer(NEW_BEFORE_OLD.worse, NEW_BEFORE_OLD.better).met_by(found)
    assert other.sign == -one.sign


@pytest.mark.parametrize(
    ("found", "highest", "held"),
    [
        (["docs/a", "wiki/a"], 0, True),
        (["wiki/a", "docs/a"], 0, False),  # there is a result from docs, and it is not first
        (["wiki/a", "forum/a"], 1, True),  # nothing from docs: wiki is the highest that has any
        (["x", "wiki/a"], 1, False),  # result 1 is from no source at all
        (["forum/a"], 2, True),
        (["x"], None, False),
        ([], None, False),
    ],
)
def test_result_1_is_from_the_highest_source_that_has_any(found, highest, held):
    one = SOURCES.met_by(found)
    assert (one.highest, one.held) == (highest, held)


def test_the_reciprocal_rank_of_each_source_is_its_own():
    one = SOURCES.met_by(["x", "wiki/a", "docs/a", "wiki/b", "docs/b"])
    assert [one.reciprocal_rank(place) for place in range(3)] == [1 / 3, 1 / 2, 0.0]
    assert one.written == ("^docs/", "^wiki/", "^forum/")


def test_a_document_of_two_sources_is_one_of_each():
    one = Authority(tuple(map(re.compile, ("a", "b")))).met_by(["ab"])
    assert one.first == (Hit(1, "ab"), Hit(1, "ab"))
    assert one.held


def test_an_id_is_looked_up_in_both_of_its_spellings():
    blank = Prefer(re.compile("new doc"), re.compile("old%20doc"))
    doc_ids = ["old%20doc", "new%20doc"]
    found = blank.met_by(doc_ids, [(one, one.replace("%20", " ")) for one in doc_ids])
    assert (found.better, found.worse) == (Hit(2, "new%20doc"), Hit(1, "old%20doc"))


def test_a_query_without_results_is_held_to_its_demand_all_the_same():
    demands = Demands(
        {
            "q1": {"prefer": NEW_BEFORE_OLD},
            "q2": {"prefer": NEW_BEFORE_OLD},
            "q3": {"authority": SOURCES},
        }
    )
    met = meet(demands, {"q1": ["new/a"], "q9": ["new/a"]})
    assert {query: one.fate for query, one in met.of("prefer").items()} == {
        "q1": Fate.ONLY_MODERN,
        "q2": Fate.MISSING,
    }
    assert not met.of("authority")["q3"].held


def test_queries_of_a_demanding_class_without_its_demand_are_named_three_at_most():
    prefer = Prefer(re.compile("new"), re.compile("old"))
    class_of = dict.fromkeys("abcdef", "modern") | {"g": "lookup", "h": "cross-source"}
    demands = Demands({"a": {"prefer": prefer}}, class_of)
    # Of f nothing is known.
    assert undemanding(demands, {*"bcdeg"}) == (
        "queries of class 'modern' that have right answers but no prefer, and so no part in its"
        " numbers by prefer: 4 (b, c, d and 1 more); declare prefer for them, or give them another"
        " class",
    )
    assert undemanding(demands, {"a", "g"}) == ()


def test_a_class_of_which_no_query_makes_its_demand_is_told_to_be_measured_as_usual():
    prefer = Prefer(re.compile("new"), re.compile("old"))
    # A demand of another kind is none of the class.
    of_query = {"a": {"prefer": prefer}, "h": {"prefer": prefer}}
    demands = Demands(of_query, {"a": "modern", "g": "lookup", "h": "cross-source"})
    assert undemanding(demands, {*"agh"}) == (
        "no query of class 'cross-source' declares authority, so that the class is measured as"
        " usual, and not by what comes first: 1 (h)",
    )
    assert undemanding(demands, {*"ag"}) == ()
    assert undemanding(replace(demands, of_query={}), {"a"}) == (
        "no query of class 'modern' declares prefer, so that the class is measured as usual, and"
        " not by what comes first: 1 (a)",
    )


def test_a_pattern_that_no_result_of_any_run_has_is_told_with_its_queries():
    mistyped = Prefer(re.compile("^new/"), re.compile("^odl/"))
    of_query = {name: {"prefer": mistyped} for name in "abcde"}
    demands = Demands(of_query | {"f": {"prefer": NEW_BEFORE_OLD, "authority": SOURCES}})
    # What one run has, for one of the queries, is there. Of f nothing is found.
    runs = [meet(demands, {"a": ["old/a"], "b": ["x"]}), meet(demands, {"e": ["old/a", "new/a"]})]
    assert found_nowhere(demands, runs) == (
        "no result of any run has what prefer seeks by '^odl/' (queries a, b, e): a pattern that is"
        " mistyped may make the demand met, or missed; look at it beside the ids",
    )
    every = meet(demands, {query_id: ["docs/a"] for query_id in "abcdef"})
    prefer, authority = found_nowhere(demands, [every])
    assert "'^new/' (queries a, b, c and 3 more), '^odl/' (queries a, b, c and 2 more)" in prefer
    assert "'^old/' (query f):" in prefer
    assert "authority seeks by '^wiki/' (query f), '^forum/' (query f):" in authority
    assert found_nowhere(Demands(of_query), [meet(demands, {"a": ["odl/a", "new/a"]})]) == ()
