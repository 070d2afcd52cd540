"""Filled runs against a plain reading: each unjudged document counts as what others gained."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.analysis.filled_runs import ModelGrades, fill_runs
from judge_tui.errors import UsageError
from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import parse_measure
from judge_tui.scoring.filled import gain_by
from tests.analysis.small import judged_runs_of

# One document of each query is found by nobody (i), one was judged in vain (c in q3).
LISTS = {
    "x": {"q1": "abcd", "q2": "dcba", "q3": "ab", "q4": "hgfe"},
    "y": {"q1": "efga", "q2": "abef", "q4": "abcdefgh"},
}
GRADES = {"q1": "a2 b0 e1 i3", "q2": "d3 c1 a0", "q3": "c1", "q4": "h0 a1 b2"}
NAMES = ["P@3", "nDCG@3", "AP", "R@2", "RR", "Success@1", "RBP", "ERR@4"]


def plain(judged, measure, by_model=None):
    """run x query -> value, by dictionaries. `by_model`: (query, document) -> the gain expected by
    the grade of a model, in place of what is expected by ranks."""
    lists = judged.lists
    pairs = RetrievedPairs.of(lists.documents)
    grade = {
        (query, document): one
        for query, document, one in zip(
            judged.queries.tolist(), judged.documents.tolist(), judged.grades.tolist(), strict=True
        )
        if one >= 0
    }
    gain = gain_by(measure)
    keys = list(zip(pairs.query.tolist(), pairs.document.tolist(), strict=True))
    known = np.array([gain(grade[key]) if key in grade else np.nan for key in keys])
    expected = expected_gains(pairs.query, pairs.octile, known).gain.tolist()
    gains = dict(zip(keys, expected, strict=True))
    if by_model is not None:
        gains = {**dict.fromkeys(keys, 0.0), **by_model}
    gains |= {k: gain(g) for k, g in grade.items()}
    values = np.full((len(lists.tags), len(lists.query_ids)), np.nan)
    for run, query in np.ndindex(values.shape):
        ranked = [gains[query, d] for d in lists.documents[run, query].tolist() if d >= 0]
        every = [its for (of, _), its in gains.items() if of == query]
        if ranked and any(of == query for of, _ in grade):
            values[run, query] = PLAIN[measure.definition.name](ranked, every, measure)
    return values


def dcg(gains, depth):
    return sum(one / np.log2(rank + 1) for rank, one in enumerate(gains[:depth], 1))


def summed(gains):
    return sum(one * (1 + sum(gains[: rank - 1])) / rank for rank, one in enumerate(gains, 1))


def first(gains):
    left, found = 1.0, 0.0
    for rank, one in enumerate(gains, 1):
        found, left = found + left * one / rank, left * (1 - one)
    return found


PLAIN = {
    "P": lambda ranked, _, m: sum(ranked[: m.depth]) / m.depth,
    "nDCG": lambda ranked, every, m: (
        dcg(ranked, m.depth) / dcg(sorted(every, reverse=True), m.depth)
    ),
    "AP": lambda ranked, every, _: summed(ranked) / sum(every),
    "R": lambda ranked, every, m: sum(ranked[: m.depth]) / sum(every),
    "RR": lambda ranked, _, __: first(ranked),
    "Success": lambda ranked, _, m: 1 - np.prod([1 - one for one in ranked[: m.depth]]),
    "RBP": lambda ranked, _, __: 0.2 * sum(one * 0.8**at for at, one in enumerate(ranked)),
    "ERR": lambda ranked, _, m: first(ranked[: m.depth]),
}


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_expected_gains(name):
    judged, measure = judged_runs_of(LISTS, GRADES), parse_measure(name)
    values = fill_runs(judged, "expected").values(measure)
    assert values == pytest.approx(plain(judged, measure), rel=1e-12, nan_ok=True)
    assert (values != judged.values(measure))[~np.isnan(values)].any()


# What a model graded: i of q3 is in no list.
BY_MODEL = {
    "q1": "a3 b1 c2 d0 e1 f1 g0",
    "q2": "a0 b2 c1 d3 e0 f2",
    "q3": "a1 b0 i2",
    "q4": "a1",
}


def with_model():
    """Judged runs that know the pairs of both, the model's grades, and both by pair."""
    ids = sorted(BY_MODEL)
    model = {
        (ids.index(query), ord(pair[0])): int(pair[1:])
        for query, text in BY_MODEL.items()
        for pair in text.split()
    }
    people = {query: {pair[0]: pair[1:] for pair in GRADES[query].split()} for query in ids}
    for query, document in model:
        people[ids[query]].setdefault(chr(document), "-1")
    grades = {query: " ".join(map("".join, its.items())) for query, its in people.items()}
    judged = judged_runs_of(LISTS, grades)
    pairs = list(zip(judged.queries.tolist(), judged.documents.tolist(), strict=True))
    known = dict(zip(pairs, judged.grades.tolist(), strict=True))
    table = np.array([model.get(pair, -1) for pair in pairs])
    return judged, ModelGrades("m", table, (0, 1, 2, 3)), model, known


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_that_grades_of_a_model_let_expect(name):
    measure, (judged, grades, model, known) = parse_measure(name), with_model()
    gain, expected = gain_by(measure), {}
    for (query, document), its in model.items():
        alike = [
            known[pair]
            for pair, other in model.items()
            if other == its and pair[0] != query and known[pair] >= 0
        ]
        chances = [(alike.count(grade) + 1) / (len(alike) + 4) for grade in range(4)]
        expected[query, document] = sum(map(float.__mul__, chances, map(gain, range(4))))
    filled = fill_runs(judged, grades)
    values = filled.values(measure)
    assert values == pytest.approx(plain(judged, measure, expected), rel=1e-12, nan_ok=True)
    assert (values != judged.values(measure))[~np.isnan(values)].any()
    retrieved = {
        (query, document)
        for (_, query, _), document in np.ndenumerate(judged.lists.documents)
        if document >= 0
    }
    unfilled = {pair for pair in retrieved if pair not in model and known.get(pair, -1) < 0}
    assert filled.scores([measure]).settings["unfilled"] == len(unfilled)


@pytest.mark.parametrize("name", [*NAMES, "Judged@3", "NumRet"])
def test_where_all_is_judged_nothing_is_filled(name):
    grades = {"q1": "a2 b0 c1 d0 e1 f0 g3 i3", "q3": "a0 b1 c1", "q4": "a1 b2 c0 d0 e0 f1 g0 h0"}
    judged = judged_runs_of({tag: {**of, "q2": ""} for tag, of in LISTS.items()}, grades)
    measure = parse_measure(name)
    values = fill_runs(judged, "expected").values(measure)
    assert values == pytest.approx(judged.values(measure), rel=0, abs=1e-12, nan_ok=True)


def test_zero_is_as_it_was_and_judged_stays():
    judged = judged_runs_of(LISTS, GRADES)
    assert fill_runs(judged, "zero") is judged
    filled = fill_runs(judged, "expected")
    shares = [parse_measure("Judged@3")]
    assert filled.scores(shares).runs == judged.scores(shares).runs
    with pytest.raises(UsageError):
        filled.values(parse_measure("Bpref"))


def test_grades_of_a_query_say_nothing_of_its_own_unjudged_documents():
    p = parse_measure("P@1")
    lists = {"x": {"q1": "a", "q2": "a", "q3": "a"}}
    found = fill_runs(judged_runs_of(lists, {"q1": "i1", "q2": "a1", "q3": "a0"}), "expected")
    # q1 is half of q2 and q3; whatever was found for q1 itself.
    assert found.values(p).tolist() == [[0.5, 1.0, 0.0]]
