"""What can be looked up on the Review screen: filters, confusion, agreement, the whole case."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot

from judge_tui.agreement.study import study
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.agreement import read_ratings
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, reviewing
from judge_tui.tui.screens.review.confusion import ConfusionOverlay, Matrix
from judge_tui.tui.widgets import LineList
from tests.tui.reviewing import disputed, here, key_of, line, press, queue, review, said, whole


@pytest.fixture
def judges(campaign: Campaign) -> dict[str, Judge]:
    return disputed(campaign)


@pytest.fixture
def app(campaign: Campaign, judges: dict[str, Judge]) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=reviewing(add_judge(campaign, "lea", role="lead")))


async def shows(pilot: Pilot[None], text: str) -> None:
    """Wait until a text is on screen, which something is worked out for."""
    for _ in range(400):
        if text in whole(pilot.app):
            return
        await pilot.pause(0.05)
    raise AssertionError(f"{text!r} never came:\n{whole(pilot.app)}")


async def filtered(pilot: Pilot[None], typed: str) -> None:
    await press(pilot, "F", *("space" if one == " " else one for one in typed), "enter")


async def test_what_is_no_disagreement_is_reached_by_filters(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(110, 34)) as pilot:
        await filtered(pilot, "flagged")
        assert [row.split()[-1] for row in queue(app)] == ["csv.reader"]
        assert "1 case: flagged by a judge" in line(app, "about")
        assert "A shows all disagreements again" in said(app)
        assert "!" in line(app, "opinions")
        await press(pilot, "A")
        assert "3 disagreements" in line(app, "about")
        await filtered(pilot, "impossible")
        assert here(app) == "csv.writer"
        assert "cannot be judged" in line(app, "opinions")
        await press(pilot, "A")
        await filtered(pilot, "with a note")
        assert here(app) == "json.load"
        assert len(queue(app)) == 1
        await press(pilot, "A")
        await filtered(pilot, "everything")
        assert "of 6" in line(app, "query")


async def test_filters_narrow_each_other_until_nothing_is_left(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(110, 34)) as pilot:
        await filtered(pilot, "query q2")
        assert len(queue(app)) == 2
        assert "2 cases: query q2" in line(app, "about")
        await filtered(pilot, "with a note")
        assert here(app) == ""
        assert "No case is query q2, with a note" in whole(app)
        assert "A shows all" in whole(app)
        await press(pilot, "1")
        assert "no case is shown" in said(app)
        await filtered(pilot, "no filter")
        assert len(queue(app)) == 3


async def test_a_cell_of_the_confusion_matrix_opens_its_cases(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(110, 34)) as pilot:
        await press(pilot, "r", "M")
        overlay = app.screen
        assert isinstance(overlay, ConfusionOverlay)
        # ann and bob graded five pairs both: csv.reader 2 2, json.load 0 1 and 0 0, list.sort 1 2,
        # sorted 0 3. Either may stand in the rows.
        matrix = overlay.query_one(Matrix)
        heading = str(overlay.query_one("#who").render())
        rows = [line.split()[-4:] for line in str(matrix.render()).splitlines()[1:]]
        by_ann = [["1", "1", "·", "1"], ["·", "·", "1", "·"], ["·", "·", "1", "·"], list("····")]
        if heading.index("bob") < heading.index("ann"):
            by_ann = [list(column) for column in zip(*by_ann, strict=True)]
        at = (matrix.row, matrix.column)
        # Under the cursor, none is 0 and not a point.
        if by_ann[at[0]][at[1]] == "·":
            by_ann[at[0]][at[1]] = "0"
        assert rows == by_ann
        kappa = str(overlay.query_one("#kappa").render())
        assert "both graded 5, 40 % the same" in kappa
        assert re.search(r"quadratic kappa -?\d\.\d\d \(.+ to .+, from too few\)$", kappa)
        ann_first = heading.index("ann") < heading.index("bob")
        to_cell = ["right", "right"] if ann_first else ["left", "down", "down", "down"]
        await pilot.press(*to_cell)
        assert matrix.count == 1
        await press(pilot, "enter")
        assert [row.split()[-1] for row in queue(app)] == ["sorted"]
        said_of = line(app, "about")
        assert "ann gave 0 and bob 3" in said_of or "bob gave 3 and ann 0" in said_of
        await press(pilot, "A", "M", "escape")
        assert len(queue(app)) == 3


async def test_agreement_is_that_of_the_command_under_letters(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    found = study(read_ratings(campaign), seed=campaign.settings.seed)
    alpha = found.agreement.alpha["ordinal"].value
    assert alpha is not None
    async with app.run_test(size=(140, 90)) as pilot:
        await press(pilot, "a")
        await shows(pilot, "alpha ordinal")
        await shows(pilot, "Order of the systems by nDCG@10")
        text = whole(app)
        row = next(one for one in text.splitlines() if "alpha ordinal" in one)
        assert f"{alpha:.4f}" in row
        assert "ann" not in text
        assert "bob" not in text
        assert "second half" in text
        await press(pilot, "escape", "r", "a")
        await shows(pilot, "alpha ordinal")
        assert "bob" in whole(app)
        await press(pilot, "q")


async def test_query_by_query_opens_the_cases_of_one(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(110, 34)) as pilot:
        await press(pilot, "p")
        await shows(pilot, "enter opens the cases")
        rows = app.screen.query_one(LineList)
        shown = [rows.render_line(y).text.split() for y in range(2)]
        # On q1 csv.reader and json.load were graded by both, on q2 all three.
        assert sorted((row[0], row[1], row[2]) for row in shown) == [
            ("q1", "3", "2"),
            ("q2", "3", "3"),
        ]
        assert float(shown[0][3]) <= float(shown[1][3])
        first = shown[0][0]
        await press(pilot, "enter")
        assert f"query {first}" in line(app, "about")
        await press(pilot, "a")
        await shows(pilot, "Agreement")
        await press(pilot, "p")
        await shows(pilot, "query by query")
        await press(pilot, "escape")


async def test_a_file_that_cannot_be_read_is_said_everywhere(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(110, 34)) as pilot:
        await press(pilot)
        campaign.backend.connection.close()
        for key in ("s", "right_square_bracket", "1", "u"):
            await pilot.press(key)
            await pilot.pause()
        assert "CANNOT READ" in said(app) or "NOT SAVED" in said(app)
        # Nothing ends the app: what needs the file says so.
        for key in ("a", "escape", "p", "escape", "M", "escape", "F", "escape", "z", "r", "tab"):
            await pilot.press(key)
            await pilot.pause()
        assert review(app).is_current


async def test_the_whole_case_shows_long_notes_whole(
    app: JudgeTuiApp, campaign: Campaign, judges: dict[str, Judge]
) -> None:
    note = "first line\n" + "many words " * 60 + "the end"
    pair = key_of(campaign, "q1", "json.load")
    append_event(campaign, judge=judges["ann"].key, pair=pair, action="comment", note=note)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        assert "the end" not in whole(app)
        assert "e shows all" in line(app, "notes")
        await press(pilot, "e", "G")
        text = whole(app)
        assert "the end" in text
        assert "not settled" in text
        assert "ann" not in text
        await press(pilot, "q", "1", "left_square_bracket", "c", *"because", "enter", "e", "G")
        assert "because" in whole(app)
        assert "settled  1 some" in whole(app)
        await press(pilot, "escape")
