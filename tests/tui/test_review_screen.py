"""The Review screen: the queue, settling, undoing, and what stays hidden."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.adjudication import settle, settlement_of, undo_settling
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, reviewing
from judge_tui.tui.widgets import DocumentView
from tests.graded import adjudications
from tests.tui.reviewing import (
    IN_ORDER,
    disputed,
    here,
    key_of,
    line,
    opened,
    press,
    queue,
    review,
    said,
    whole,
)


@pytest.fixture
def lead(campaign: Campaign) -> Judge:
    disputed(campaign)
    return add_judge(campaign, "lea", role="lead")


@pytest.fixture
def app(campaign: Campaign, lead: Judge) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=reviewing(lead))


async def test_what_swaps_systems_comes_first(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        assert [row.split()[-1] for row in queue(app)] == IN_ORDER
        assert here(app) == "json.load"
        # swaps, change, spread: see reviewing.py.
        assert queue(app)[0].split()[-4:-1] == ["1", ".2343", "1"]
        assert queue(app)[1].split()[-4:-1] == ["1", ".1845", "3"]
        assert queue(app)[2].split()[-4:-1] == ["0", ".5000", "1"]
        assert line(app, "about").startswith("3 disagreements")
        assert "1 of 3   0 settled" in line(app, "query")


async def test_the_judges_stand_side_by_side_and_are_letters_until_r(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        text = whole(app)
        assert "ann" not in text
        assert "bob" not in text
        judge, grade, looked = line(app, "opinions").splitlines()
        assert judge.split() == ["judge", "A", "B"]
        assert sorted(grade.replace("grade", "").split()) == ["0", "1", "no", "some"]
        assert "12 s" in looked
        assert "see [/] row" in line(app, "notes")
        await press(pilot, "r")
        assert {"ann", "bob"} < set(line(app, "opinions").splitlines()[0].split())
        assert line(app, "notes").startswith("bob: ")
        assert "ann" in line(app, "queue-header")
        await press(pilot, "r")
        assert "bob" not in whole(app)


async def test_letters_are_the_same_at_every_start(
    campaign: Campaign, lead: Judge, app: JudgeTuiApp
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        before = queue(app)
    again = JudgeTuiApp(campaign, opening=reviewing(lead))
    async with again.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        assert queue(again) == before


async def test_a_digit_settles_and_goes_on(app: JudgeTuiApp, campaign: Campaign) -> None:
    given = dict(grades_by_judge(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "1")
        assert adjudications(campaign) == {("q1", "json.load"): 1}
        assert here(app) == "sorted"
        assert "settled: 1 some  json.load" in said(app)
        assert "✓1" in queue(app)[0]
        await press(pilot, "3", "2")
        assert "all of these cases are settled" in said(app)
        assert "3 settled" in line(app, "query")
    assert grades_by_judge(campaign) == given
    # Nothing is left unresolved.
    exported = export_qrels(campaign, campaign.path.with_name("final.qrels"))
    assert exported is not None
    text = campaign.path.with_name("final.qrels").read_text()
    assert "q1 0 json.load 1\n" in text
    assert "q2 0 sorted 3\n" in text
    assert "q2 0 list.sort 2\n" in text


async def test_the_same_again_is_no_event(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "1", "left_square_bracket", "1")
        assert "settled so already" in said(app)
        assert here(app) == "json.load"
    assert campaign.rows("SELECT count(*) FROM events WHERE action = 'adjudicate'") == [(1,)]


async def test_a_grade_off_the_scale_is_refused_in_words(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "7")
        assert "7 is not on the scale (0, 1, 2, 3)" in said(app)
    assert not adjudications(campaign)


async def test_undo_and_redo_go_to_the_case(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "1", "3", "u")
        assert here(app) == "sorted"
        assert "undone: 3 perfect" in said(app)
        assert adjudications(campaign) == {("q1", "json.load"): 1}
        await press(pilot, "u")
        assert here(app) == "json.load"
        assert not adjudications(campaign)
        await press(pilot, "u")
        assert "nothing that you settled is left to undo" in said(app)
        await press(pilot, "ctrl+r", "ctrl+r")
        assert adjudications(campaign) == {("q1", "json.load"): 1, ("q2", "sorted"): 3}
        assert here(app) == "sorted"
        await press(pilot, "ctrl+r")
        assert "nothing to redo" in said(app)


async def test_settled_again_the_later_holds_and_the_reason_of_another_grade_goes(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    pair = key_of(campaign, "q1", "json.load")
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "c", *"as the text says", "enter")
        assert "kept until you settle it: 0 1 2 3 settle with this reason" in said(app)
        assert settlement_of(campaign, pair) is None
        await press(pilot, "1")
        found = settlement_of(campaign, pair)
        assert found is not None
        assert (found.grade, found.reason) == (1, "as the text says")
        await press(pilot, "left_square_bracket", "0")
        found = settlement_of(campaign, pair)
        assert found is not None
        assert (found.grade, found.reason) == (0, "")
        assert "settled: 0 no, without your reason for 1" in said(app)


@pytest.mark.parametrize(("keys", "size"), [("q", (100, 30)), ("ctrl+q", (80, 24))])
async def test_leaving_says_once_which_reasons_wait(
    app: JudgeTuiApp, campaign: Campaign, keys: str, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "c", *"one", "enter", "right_square_bracket", "c", *"two", "enter")
        await press(pilot, keys)
        assert app.is_running
        waiting = "NOT SETTLED  2 reasons wait for a grade, on queries q1, q2"
        assert said(app) == f"{waiting}  {keys} once more leaves without them"
        # Whole, over two lines if need be.
        assert all(word in whole(app) for word in said(app).split())
        # What is settled with its reason waits no more; what is typed anew is told anew.
        await press(pilot, "0", "c", *"too", "enter", keys)
        assert app.is_running
        assert said(app).startswith(waiting)
        await press(pilot, keys)
    assert app.return_code == 0
    assert adjudications(campaign) == {("q2", "sorted"): 0}


async def test_a_reason_after_settling_is_one_more_event_and_undone_alone(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    pair = key_of(campaign, "q1", "json.load")
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "1", "left_square_bracket", "c", *"why", "enter")
        assert here(app) == "json.load"
        assert "reason: why" in line(app, "notes")
        found = settlement_of(campaign, pair)
        assert found is not None
        assert (found.grade, found.reason) == (1, "why")
        await press(pilot, "u")
        found = settlement_of(campaign, pair)
        assert found is not None
        assert (found.grade, found.reason) == (1, "")
        await press(pilot, "c", "escape")
        assert settlement_of(campaign, pair) == found


async def test_moving_by_keys_and_mouse(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "right_square_bracket", "right_square_bracket", "right_square_bracket")
        assert here(app) == "list.sort"
        await press(pilot, "left_square_bracket")
        assert here(app) == "sorted"
        await press(pilot, "2", "tab")
        assert here(app) == "json.load"
        await press(pilot, "ctrl+d")
        assert here(app) == "list.sort"
        await press(pilot, "ctrl+u")
        assert here(app) == "json.load"
        await pilot.click("#queue", offset=(5, 1))
        await press(pilot)
        assert here(app) == "sorted"


async def test_the_document_is_read_as_in_judge(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "slash", *"JSON", "enter")
        assert review(app).view.finding
        await press(pilot, "escape", "j", "k", "space", "b", "g", "G", "m", "w", "l", "h", "v")
        assert not review(app).view.finding
        assert "raw text" in said(app)
        await press(pilot, "v", "y", "d")
        assert here(app) == "json.load"


async def test_what_another_lead_settles_is_seen_before_it_is_settled_again(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        with open_campaign(campaign.path) as other:
            max_ = add_judge(other, "max", role="lead")
            settle(other, max_, key_of(other, "q1", "json.load"), 2)
        await press(pilot, "1")
        assert "changed elsewhere meanwhile: please look again" in said(app)
        assert adjudications(campaign) == {("q1", "json.load"): 2}
        assert "settled 2 good" in line(app, "title")
        await press(pilot, "1")
        assert adjudications(campaign) == {("q1", "json.load"): 1}
        # Each lead undoes what is one's own.
        await press(pilot, "u")
        assert adjudications(campaign) == {("q1", "json.load"): 2}
        with open_campaign(campaign.path) as other:
            undo_settling(other, max_)
    assert not adjudications(campaign)


async def test_new_disagreements_come_last_and_s_puts_them_in_order(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "right_square_bracket")
        with open_campaign(campaign.path) as other:
            cyd = add_judge(other, "cyd")
            pair = key_of(other, "q1", "csv.reader")
            append_event(other, judge=cyd.key, pair=pair, action="grade", grade=0)
        for _ in range(600):
            await pilot.pause(0.05)
            if "others went on" in said(app):
                break
        assert "1 new case; s puts them in order" in said(app)
        assert here(app) == "sorted"
        assert [row.split()[-1] for row in queue(app)] == [*IN_ORDER, "csv.reader"]
        await press(pilot, "s")
        for _ in range(600):
            await pilot.pause(0.05)
            if "in order again" in said(app):
                break
        rows = [row.split() for row in queue(app)]
        assert sorted(row[-1] for row in rows) == sorted([*IN_ORDER, "csv.reader"])
        weights = [(int(row[-4]), float(row[-3]), int(row[-2])) for row in rows]
        assert weights == sorted(weights, reverse=True)


async def test_models_do_not_count_beside_two_people(app: JudgeTuiApp, campaign: Campaign) -> None:
    bot = add_judge(campaign, "bot", kind="model")
    pair = key_of(campaign, "q1", "csv.reader")
    append_event(campaign, judge=bot.key, pair=pair, action="grade", grade=0)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        assert len(queue(app)) == 3
        assert "models" not in line(app, "about")


async def test_with_models_asked_for_they_count(campaign: Campaign, lead: Judge) -> None:
    bot = add_judge(campaign, "bot", kind="model")
    pair = key_of(campaign, "q1", "csv.reader")
    append_event(campaign, judge=bot.key, pair=pair, action="grade", grade=0)
    app = JudgeTuiApp(campaign, opening=reviewing(lead, include_models=True))
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        assert len(queue(app)) == 4
        assert "models included" in line(app, "about")


@pytest.mark.parametrize("size", [(40, 10), (40, 7)])
async def test_nothing_is_settled_where_no_row_of_the_document_has_room(
    campaign: Campaign, app: JudgeTuiApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        has_room = review(app).query_one(DocumentView).size.height > 0
        assert has_room == (size[1] >= 10)
        await pilot.pause(0.6)
        await press(pilot, "2")
        settled = campaign.rows("SELECT count(*) FROM events WHERE action = 'adjudicate'")[0][0]
        assert settled == (1 if has_room else 0)
