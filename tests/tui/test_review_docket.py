"""The queue of cases, by itself: its order, filters, and what comes in while it is open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from judge_tui.campaign import Settings
from judge_tui.campaign.cases import CANNOT, NOT_DECIDED, SKIPPED, Cases
from judge_tui.campaign.judges import Judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens.review.docket import UNKNOWN, Docket, Weights
from judge_tui.tui.screens.review.faces import Faces
from judge_tui.tui.screens.review.filter_overlay import filter_choices
from judge_tui.tui.screens.review.filters import MARKS, Filter, Mark

ANN, BOB, CYD = (
    Judge(key, name, "judge", "human") for key, name in ((4, "ann"), (2, "bob"), (9, "cyd"))
)
CLASSES = {1: "how-to", 2: "", 3: "how-to"}

# pair -> query, grades of ann, bob and cyd
ROWS: dict[int, tuple[int, tuple[int, int, int]]] = {
    10: (1, (0, 1, NOT_DECIDED)),
    11: (1, (0, 3, 0)),
    12: (2, (2, 2, 2)),
    13: (2, (CANNOT, 1, SKIPPED)),
    14: (3, (1, 1, 3)),
    15: (3, (0, 1, 2)),
}


def cases_of(
    rows: dict[int, tuple[int, tuple[int, int, int]]],
    *,
    settled: dict[int, int] | None = None,
    flagged: Sequence[int] = (),
    noted: Sequence[int] = (),
) -> Cases:
    pairs = sorted(rows)
    return Cases(
        judges=(ANN, BOB, CYD),
        pairs=np.array(pairs, dtype=np.int64),
        queries=np.array([rows[pair][0] for pair in pairs], dtype=np.int64),
        documents=np.array([100 + pair for pair in pairs], dtype=np.int64),
        grades=np.array([rows[pair][1] for pair in pairs], dtype=np.int8).reshape(-1, 3),
        settled=np.array([(settled or {}).get(pair, NOT_DECIDED) for pair in pairs], dtype=np.int8),
        flagged=np.isin(pairs, flagged),
        noted=np.isin(pairs, noted),
    )


def shown(docket: Docket) -> list[int]:
    return [docket[index].pair for index in range(len(docket))]


def weights(of_pair: dict[int, tuple[int, float]]) -> Weights:
    pairs = sorted(of_pair)
    return Weights(
        np.array(pairs, dtype=np.int64),
        np.array([of_pair[pair][0] for pair in pairs], dtype=np.int64),
        np.array([of_pair[pair][1] for pair in pairs]),
    )


@pytest.fixture
def docket() -> Docket:
    return Docket(cases_of(ROWS, flagged=[12], noted=[11, 13]), CLASSES)


def test_before_anything_is_weighed_the_widest_spread_comes_first(docket: Docket) -> None:
    assert shown(docket) == [11, 14, 15, 10]
    assert docket[0].swaps == UNKNOWN
    assert docket[0].spread == 3


def test_swaps_then_change_then_spread(docket: Docket) -> None:
    docket.to_pair(10)
    docket.weigh(weights({10: (2, 0.1), 11: (0, 0.3), 14: (2, 0.2), 15: (0, 0.3)}))
    assert shown(docket) == [11, 14, 15, 10]
    docket.put_in_order()
    # 11 and 15 hang alike, and 11 has the wider spread.
    assert shown(docket) == [14, 10, 11, 15]
    assert docket.here is not None
    assert docket.here.pair == 10
    assert (docket[0].swaps, docket[0].change) == (2, 0.2)


def test_to_the_next_open_one_and_round_the_end(docket: Docket) -> None:
    docket.settle(14, 1)
    docket.to_first_open()
    assert docket.index == 0
    assert docket.to_open()
    assert docket.index == 2
    docket.settle(15, 0)
    docket.settle(10, 0)
    assert docket.to_open()
    assert docket.index == 0
    assert docket.open == 1
    docket.settle(11, 0)
    assert not docket.to_open()
    docket.settle(11, None)
    assert docket.to_open()


@pytest.mark.parametrize(
    ("filter", "pairs"),
    [
        (Filter(), [10, 11, 14, 15]),
        (Filter(query=1), [10, 11]),
        (Filter(query=2), []),
        (Filter(query=2, agreed=True), [12, 13]),
        (Filter(query_class="how-to"), [10, 11, 14, 15]),
        (Filter(query_class="", agreed=True), [12, 13]),
        # Nobody shares the grade; where only one judge graded, nobody stands apart.
        (Filter(apart=BOB.key), [10, 11, 15]),
        (Filter(apart=CYD.key), [14, 15]),
        (Filter(apart=ANN.key), [10, 15]),
        (Filter(graded=CYD.key), [11, 14, 15]),
        (Filter(graded=77), []),
        (Filter(mark=MARKS["flagged"]), [12]),
        (Filter(mark=MARKS["noted"]), [11, 13]),
        (Filter(mark=MARKS["noted"], query=1), [11]),
        (Filter(mark=MARKS["cannot"]), [13]),
        (Filter(settled=True), [14]),
        (Filter(settled=False), [10, 11, 15]),
        (Filter(agreed=True), [10, 11, 12, 13, 14, 15]),
        (Filter(cell=(ANN.key, BOB.key, 0, 1)), [10, 15]),
        (Filter(cell=(BOB.key, CYD.key, 2, 2)), [12]),
    ],
)
def test_filters(docket: Docket, filter: Filter, pairs: list[int]) -> None:
    docket.settle(14, 1)
    docket.show(filter)
    assert sorted(shown(docket)) == pairs
    assert (docket.here is None) == (not pairs)


def test_a_filter_narrows_another_and_says_so(docket: Docket) -> None:
    both = Filter(query=1).but(Filter(mark=MARKS["noted"])).but(Filter(settled=False))
    docket.show(both)
    assert shown(docket) == [11]
    names, queries = {ANN.key: "A"}, {1: "q1"}
    assert both.said(names, queries) == "query q1, with a note, not settled yet"
    assert Filter(cell=(ANN.key, BOB.key, 0, 3)).said({4: "A", 2: "B"}, {}) == "A gave 0 and B 3"
    assert Filter(query_class="").said({}, {}) == "queries of no class"
    assert not both.is_off
    assert Filter().is_off


def test_a_new_mark_is_offered_kept_and_said(
    docket: Docket, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipped = Mark("skipped by a judge", lambda cases: (cases.grades == SKIPPED).any(axis=1))
    monkeypatch.setitem(MARKS, "skipped", skipped)
    offered = filter_choices(docket, {}, Faces(settings_of("", 0), docket.cases.judges))
    marks = [choice for choice in offered if choice.filter.mark is not None]
    assert [(one.what, one.count) for one in marks] == [
        ("flagged by a judge, agreed or not", 1),
        ("with a note, agreed or not", 2),
        ("said to be impossible to judge, agreed or not", 1),
        ("skipped by a judge, agreed or not", 1),
    ]
    docket.show(marks[-1].filter)
    assert shown(docket) == [13]
    for choice in marks:
        assert choice.what == f"{choice.filter.said({}, {})}, agreed or not"


def test_a_filter_keeps_the_case_where_it_is_among_them(docket: Docket) -> None:
    docket.to_pair(15)
    docket.show(Filter(query=3))
    assert docket.here is not None
    assert docket.here.pair == 15
    docket.show(Filter())
    assert docket.here.pair == 15


def test_settled_ones_are_left_out_where_they_are_hidden(docket: Docket) -> None:
    docket.show(Filter(settled=False))
    docket.settle(11, 0)
    assert shown(docket) == [11, 14, 15, 10]
    docket.leave_out_settled()
    assert shown(docket) == [14, 15, 10]
    assert docket.index == 0


def test_what_others_did_meanwhile_comes_last_and_moves_nothing(docket: Docket) -> None:
    docket.weigh(weights({10: (2, 0.1), 11: (0, 0.3), 14: (2, 0.2), 15: (0, 0.3)}))
    docket.put_in_order()
    docket.to_pair(10)
    rows = {**ROWS, 12: (2, (2, 2, 0)), 9: (2, (3, 0, NOT_DECIDED))}
    # A judge may also come round: 11 is no disagreement any more.
    rows[11] = (1, (0, 0, 0))
    assert docket.renew(cases_of(rows, settled={14: 3})) == 2
    assert shown(docket) == [14, 10, 15, 12, 9]
    assert docket.here is not None
    assert docket.here.pair == 10
    assert docket[0].settled == 3
    assert docket[1].swaps == 2
    assert docket[3].swaps == UNKNOWN


def test_what_is_settled_while_the_cases_are_read_stays_settled(docket: Docket) -> None:
    docket.settle(10, 1)
    docket.reads_anew()
    docket.settle(11, 2)
    docket.settle(14, 3)
    docket.settle(14, None)
    # Read before: neither of them, nor that 14 was taken back.
    docket.renew(cases_of(ROWS, settled={10: 1, 14: 3}))
    settled = {docket[index].pair: docket[index].settled for index in range(len(docket))}
    assert settled == {10: 1, 11: 2, 14: None, 15: None}
    docket.reads_anew()
    docket.renew(cases_of(ROWS, settled={10: 1}))
    assert docket.open == 3


def test_an_empty_campaign_has_no_case() -> None:
    docket = Docket(cases_of({}), {})
    assert len(docket) == 0
    assert docket.here is None
    assert not docket.to_open()
    docket.to_first_open()
    docket.put_in_order()
    assert docket.renew(cases_of({})) == 0


def settings_of(name: str, seed: int) -> Settings:
    return Settings("", name, DEFAULT_SCALE, "", seed, show_ranks=False, created="")


def test_letters_do_not_follow_names_and_new_judges_change_none() -> None:
    judges = [Judge(key, f"judge {key}", "judge", "human") for key in range(30)]
    some = settings_of("some campaign", 3)
    faces = Faces(some, judges)
    letters = [faces.of(judge) for judge in judges]
    assert sorted(letters, key=lambda text: (len(text), text))[:3] == ["A", "B", "C"]
    assert len(set(letters)) == 30
    assert "AD" in letters
    assert letters != sorted(letters, key=lambda text: (len(text), text))
    assert [faces.of(judges[at]) for at in faces.in_order(judges)][-1] == "AD"
    faces.meet([*judges, Judge(99, "a new one", "judge", "human")])
    assert [faces.of(judge) for judge in judges] == letters
    for other in (settings_of("another", 3), settings_of("some campaign", 4)):
        assert letters != [Faces(other, judges).of(judge) for judge in judges]
    # Made anew from judges who came in another order.
    again = Faces(some, judges[::-1])
    assert letters == [again.of(judge) for judge in judges]
    faces.named = True
    assert faces.of(judges[3]) == "judge 3"
