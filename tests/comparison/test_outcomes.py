"""Two columns of values side by side, of whatever they are."""

import numpy as np

from judge_tui.comparison import (
    Settings,
    Sides,
    Verdict,
    adjust,
    differences_of,
    outcomes_of,
)


def sides(before, after):
    return Sides(np.array(before, dtype=float), np.array(after, dtype=float))


def test_a_mean_that_only_rounding_parts_from_0_points_nowhere():
    # Twenty queries gain .05 and one loses 1: 0 to a reader, 3.3e-16 to a float.
    one = sides([0.6] * 20 + [1.0], [0.65] * 20 + [0.0])
    (difference,) = differences_of([one], 0)
    assert 0 < difference.after - difference.before < 1e-15
    assert difference.delta == 0.0
    for each in (one, Sides(one.after, one.before)):
        (outcome,) = outcomes_of([each], Settings(tests=("wilcoxon",)))
        assert outcome.p_adjusted["wilcoxon"] < 0.05
        assert outcome.verdict is Verdict.NOTHING_SHOWN


def test_what_could_not_be_tested_belongs_to_the_family():
    one = sides([0.0] * 8, np.linspace(0.1, 0.8, 8))
    (alone,) = outcomes_of([one], Settings(tests=("wilcoxon",)))
    (among,) = outcomes_of([one], Settings(tests=("wilcoxon",)), others=[None] * 2)
    # Two patterns of signs of 2^8 are as extreme.
    assert alone.p_adjusted["wilcoxon"] == alone.tests["wilcoxon"].p == 2 / 2**8
    assert among.p_adjusted["wilcoxon"] == adjust([2 / 2**8, None, None], "holm")[0] == 6 / 2**8


def test_sides_of_any_number_of_queries_stand_beside_each_other():
    rows = [sides([0.0] * n, np.linspace(0.1, 0.5, n)) for n in (3, 1, 9, 3)]
    rows.append(sides([0.0] * 9, [0.5] * 9))
    found = differences_of(rows, 0)
    assert [each.wins for each in found] == [3, 1, 9, 3, 9]
    for place in (0, 2, 3):
        assert [found[place]] == differences_of([rows[place]], 0)
        assert found[place].ci95[0] < found[place].ci95[1]
    assert found[4].ci95 is None
    assert found[4].why == {
        "ci95": "the difference is the same for all 9 queries, and so in every resample"
    }
    assert found[1].ci95 is None
    assert found[1].why == {"ci95": "an interval needs at least 2 queries, here 1"}
    verdicts = [each.verdict for each in outcomes_of(rows, Settings())]
    few, better = Verdict.TOO_FEW, Verdict.BETTER
    assert verdicts == [few, few, better, few, better]


def test_the_difference_is_that_of_the_means():
    (found,) = differences_of([sides([0.25, 0.5, 1.0, 0.0], [0.5, 0.5, 0.0, 0.0])], 0)
    assert (found.before, found.after, found.delta) == (0.4375, 0.25, -0.1875)
    assert (found.wins, found.ties, found.losses) == (1, 2, 1)
