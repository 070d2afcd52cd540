"""Final grades as arrays are those of one pair after the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.agreement import POLICIES, decide_all, decide_at_once
from judge_tui.agreement.at_once import grade_counts
from judge_tui.errors import UsageError

SCALE = (0, 1, 4, 5)

grades = st.dictionaries(st.integers(1, 12), st.sampled_from(SCALE), max_size=12)


def arrays(of_judge):
    pairs = np.array(sorted(of_judge), dtype=np.int64)
    return pairs, np.array([of_judge[int(pair)] for pair in pairs], dtype=np.int64)


@settings(max_examples=200)
@given(
    policy=st.sampled_from(list(POLICIES)),
    undisputed_only=st.booleans(),
    judges=st.lists(grades, max_size=5),
    lead=grades,
)
def test_as_one_by_one(policy, undisputed_only, judges, lead):
    def pair(key):
        return ("q", f"{key:03}")

    one_by_one = decide_all(
        {str(at): {pair(key): g for key, g in one.items()} for at, one in enumerate(judges)},
        policy,
        adjudicated={pair(key): g for key, g in lead.items()},
        undisputed_only=undisputed_only,
        scale=SCALE,
    )
    found = decide_at_once(
        [arrays(one) for one in judges],
        policy,
        SCALE,
        settled=arrays(lead),
        undisputed_only=undisputed_only,
    )
    told = {pair(int(k)): int(g) for k, g in zip(found.pairs, found.grades, strict=True)}
    assert told == {("q", d): g for d, g in one_by_one.qrels.get("q", {}).items()}
    assert found.rules == one_by_one.rules
    assert tuple(pair(int(key)) for key in found.unresolved) == one_by_one.unresolved


def test_one_judge():
    found = decide_at_once([arrays({3: 1, 2: 5})], "judge:ann", SCALE, settled=arrays({2: 0}))
    assert (found.pairs.tolist(), found.grades.tolist()) == ([2, 3], [5, 1])
    assert found.rules == {"judge": 2}
    with pytest.raises(UsageError, match="one judge"):
        decide_at_once([], "judge:ann", SCALE)


def test_counts_of_grades_by_hand():
    judges = [arrays({3: 5, 1: 0}), arrays({3: 5, 2: 4}), arrays({})]
    pairs, counts = grade_counts(judges, SCALE)
    assert pairs.tolist() == [1, 2, 3]
    assert counts.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]
    # Who is beside them was graded by nobody, or is there already.
    pairs, counts = grade_counts(judges, SCALE, beside=np.array([3, 0]))
    assert pairs.tolist() == [0, 1, 2, 3]
    assert counts.sum(axis=1).tolist() == [0, 1, 1, 2]
    pairs, counts = grade_counts([], SCALE)
    assert (pairs.shape, counts.shape) == ((0,), (0, len(SCALE)))
