"""The queue of cases, by itself: its order, filters, and what comes in while it is open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from judge_tui.campaign import Settings
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.judges import Judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens.review.docket import UNKNOWN, Docket, Weights
from judge_tui.tui.screens.review.faces import Faces

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
