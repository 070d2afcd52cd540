"""What the Review screen says of its queue, and how a matrix of large counts stands."""

import pytest

from judge_tui.agreement import Estimate
from judge_tui.campaign.agreed import Agreed
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens import glance
from judge_tui.tui.screens.review.about import Known, agreement_content, cases_content
from judge_tui.tui.screens.review.confusion import Matrix


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (Known(), "working out which of them matter …"),
        (Known(weighed=True), "by spread: S puts swaps first"),
        (Known(weighed=True, ordering=True), "working out which of them matter …"),
        (Known(weighed=True, ordered=True), "most swaps by nDCG@10 first"),
        (Known(weighed=True, why="there are no runs"), "by spread: there are no runs"),
    ],
)
def test_the_order_that_is_said_is_the_order_that_is_shown(known, said):
    content = cases_content(3, "", known, models=False, order_key="S")
    assert content.plain == f"3 disagreements  {said}"


def test_alpha_is_shown_in_the_band_that_is_named_beside_it():
    overall = Agreed(Estimate(0.797, (0.6669, 0.7999)), 400)
    shown = "0.797 (0.666 to 0.799), tentative"
    assert agreement_content(overall, 80).plain == f"alpha {shown}, uncertain"
    assert f"{shown}, but the interval reaches down to 0.666 (weak)" in (
        glance.agreement_content(overall).plain
    )


@pytest.mark.parametrize("greatest", [0, 7, 10_536, 1_234_567])
def test_columns_stand_below_each_other_whatever_the_counts(greatest):
    matrix = Matrix(DEFAULT_SCALE)
    matrix.show([[greatest, 1, 0, 12], [1, greatest, 2, 0], [0, 0, 0, 0], [5, 0, 0, greatest]])
    head, *rows = matrix.render().plain.split("\n")
    ends = [place for place, sign in enumerate(head) if sign.isdigit()]
    assert len(ends) == 4
    for row in rows:
        cells = row[20:]
        assert len(cells) == len(head) - 20
        # Each cell ends below the grade of its column, and nothing stands behind it.
        for end in ends:
            assert row[end] not in " ,"
            assert row[end + 1 :][:1] in ("", " ")
