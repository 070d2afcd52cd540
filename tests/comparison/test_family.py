"""Families of two columns of values side by side, of whatever they are."""

import numpy as np

from judge_tui.comparison.family import Settings, Verdict, adjust, outcomes_of

WILCOXON = Settings(tests=("wilcoxon",))


def sides(before, after):
    return np.array(before, dtype=float), np.array(after, dtype=float)


def test_a_mean_that_only_rounding_parts_from_0_points_nowhere():
    # Twenty queries gain .05 and one loses 1: 0 to a reader, 3.3e-16 to a float.
    before, after = sides([0.6] * 20 + [1.0], [0.65] * 20 + [0.0])
    for each in ((before, after), (after, before)):
        (outcome,) = outcomes_of([each], WILCOXON)
        assert outcome.p_adjusted["wilcoxon"] < 0.05
        assert outcome.verdict is Verdict.NOTHING_SHOWN


def test_sides_without_a_query_belong_to_the_family():
    one, none = sides([0.0] * 8, np.linspace(0.1, 0.8, 8)), sides([], [])
    (alone,) = outcomes_of([one], WILCOXON)
    nothing, among, _ = outcomes_of([none, one, none], WILCOXON)
    # Two patterns of signs of 2^8 are as extreme.
    assert alone.p_adjusted["wilcoxon"] == alone.tests["wilcoxon"].p == 2 / 2**8
    assert among.p_adjusted["wilcoxon"] == adjust([2 / 2**8, None, None], "holm")[0] == 6 / 2**8
    assert (nothing.p_adjusted["wilcoxon"], nothing.verdict) == (None, Verdict.TOO_FEW)


def test_sides_of_any_number_of_queries_stand_beside_each_other():
    rows = [sides([0.0] * n, np.linspace(0.1, 0.5, n)) for n in (3, 1, 9, 3)]
    rows.append(sides([0.0] * 9, [0.5] * 9))
    found = outcomes_of(rows, Settings())
    few, better = Verdict.TOO_FEW, Verdict.BETTER
    assert [each.verdict for each in found] == [few, few, better, few, better]
    for row, each in zip(rows, found, strict=True):
        assert outcomes_of([row], Settings())[0].tests == each.tests
