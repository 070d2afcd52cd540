"""A campaign in which judges disagree, driving the Review screen, and reading it.

By nDCG@10, with what the two judges disagree about left out (linear gains, log2 discounts; a pair
that is set joins in):

- q1 json.load, 0 or 1. With 0, alpha has 1 and .6309 has beta on q1; on q2 both have 0: alpha is
  better by .1845 on average. With 1 the ideal is 2 + .6309: alpha has 2 / 2.6309 = .7602, beta
  (1 + 1.2619) / 2.6309 = .8597, so that beta is better by .0498. One swap, a change of .2343.
- q2 sorted, 0 or 3. With 3, alpha has .6309 and beta 1 on q2, and both have the same mean, where
  alpha was better by .1845. One swap, a change of .1845.
- q2 list.sort, 1 or 2: it is the only relevant document either way. With it alpha has 1 on q2, and
  beta 0, where both have 0 as it stands: no swap, a change of .5.
"""

from __future__ import annotations

from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.review import ReviewScreen
from judge_tui.tui.widgets import LineList, SplitLine
from tests.tui.judging import has_room

# Judge -> pair -> what the judge did.
JUDGED: dict[str, dict[tuple[str, str], int | str]] = {
    "ann": {
        ("q1", "csv.reader"): 2,
        ("q1", "csv.writer"): 0,
        ("q1", "json.load"): 0,
        ("q2", "list.sort"): 1,
        ("q2", "sorted"): 0,
        ("q2", "json.load"): 0,
    },
    "bob": {
        ("q1", "csv.reader"): 2,
        ("q1", "csv.writer"): "cannot",
        ("q1", "json.load"): 1,
        ("q2", "list.sort"): 2,
        ("q2", "sorted"): 3,
        ("q2", "json.load"): 0,
    },
}

IN_ORDER = ["json.load", "sorted", "list.sort"]


def key_of(campaign: Campaign, query_id: str, doc_id: str) -> int:
    rows = campaign.rows(
        "SELECT p.id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document WHERE q.query_id = ? AND d.doc_id = ?",
        (query_id, doc_id),
    )
    return int(rows[0][0])


def disputed(campaign: Campaign) -> dict[str, Judge]:
    """Let ann and bob judge; bob has a note and ann a flag."""
    judges = {name: add_judge(campaign, name) for name in JUDGED}
    for name, given in JUDGED.items():
        for (query_id, doc_id), done in given.items():
            append_event(
                campaign,
                judge=judges[name].key,
                pair=key_of(campaign, query_id, doc_id),
                action="cannot" if done == "cannot" else "grade",
                grade=done if isinstance(done, int) else None,
                looked=12.0 if name == "ann" else None,
            )
    pair = key_of(campaign, "q1", "json.load")
    append_event(campaign, judge=judges["bob"].key, pair=pair, action="comment", note="see [/] row")
    pair = key_of(campaign, "q1", "csv.reader")
    append_event(campaign, judge=judges["ann"].key, pair=pair, action="flag")
    return judges


def review(app: JudgeTuiApp) -> ReviewScreen:
    return next(one for one in app.screen_stack if isinstance(one, ReviewScreen))


def here(app: JudgeTuiApp) -> str:
    document = review(app).in_front
    return document.doc_id if document is not None else ""


def line(app: JudgeTuiApp, name: str) -> str:
    widget = review(app).query_one(f"#{name}")
    return widget.plain if isinstance(widget, SplitLine) else str(widget.render())


def said(app: JudgeTuiApp) -> str:
    return line(app, "said")


def queue(app: JudgeTuiApp) -> list[str]:
    """The rows of the queue that are on screen."""
    rows = review(app).query_one("#queue", LineList)
    lines = (rows.render_line(y).text.rstrip() for y in range(rows.size.height))
    return [text for text in lines if text]


def whole(app: JudgeTuiApp) -> str:
    """All that is on screen, as text."""
    return "\n".join(
        "".join(segment.text for segment in strip)
        for strip in app.screen._compositor.render_strips(app.size)
    )


async def opened(pilot: Pilot[None]) -> None:
    """Wait until the first document is painted, if there is one, and room for it."""
    for tried in range(600):
        screen = pilot.app.screen
        if not isinstance(screen, ReviewScreen):
            return
        if screen.is_mounted and not screen.guard.waiting and not screen.weighing:
            return
        if screen.is_mounted and screen.in_front is None and not screen.weighing:
            await pilot.pause()
            return
        if tried > 40 and not screen.weighing and not has_room(screen.view):
            return
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Keys as a person presses them: the screen has settled before each."""
    await opened(pilot)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        await opened(pilot)
