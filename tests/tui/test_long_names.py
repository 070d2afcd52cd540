"""Long names in titles and feet: what they differ by, and what is said of them, stays in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.tui.cells import shortened
from judge_tui.tui.names import by_name, if_room, in_room
from judge_tui.tui.widgets import SplitLine
from tests.tui.results_screen import at_results, below, press, with_run

FIRST, SECOND = (f"bm25-tuned-experiment-2024-11-variant-with-rerank-{n:02d}" for n in (1, 2))


def said(*names: str) -> Content:
    return Content.assemble("best 0.5 ", by_name(names[0]), "  worst 0.1 ", by_name(names[1]))


@pytest.mark.parametrize(
    ("names", "width", "shown"),
    [
        (("a", "b"), 10, "best 0.5 a  worst 0.1 b"),
        ((FIRST, "short"), 78, f"best 0.5 {shortened(FIRST, 52)}  worst 0.1 short"),
        ((FIRST, SECOND), 57, "best 0.5 bm25-…th-rerank-01  worst 0.1 bm25-…th-rerank-02"),
        # As wide as it is where there is no more to be had.
        ((FIRST, "short"), 20, "best 0.5 bm25-…-rerank-01  worst 0.1 short"),
    ],
)
def test_names_are_shortened_as_far_as_the_line_needs(
    names: tuple[str, str], width: int, shown: str
) -> None:
    assert in_room(said(*names), width).plain == shown


def test_each_line_is_by_itself_and_keeps_its_styles() -> None:
    lines = Content("\n").join([by_name(FIRST, "bold"), Content.assemble(by_name(FIRST), "x")])
    whole, cut = in_room(lines, len(FIRST)).split("\n")
    assert (whole.plain, cut.plain) == (FIRST, f"{shortened(FIRST, len(FIRST) - 1)}x")
    assert "bold" in {span.style for span in whole.spans}


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, f"{FIRST} 0.5 +0.1 (0 to 0.2)"),
        # First the name gives way, then the last of what may go.
        (60, f"{shortened(FIRST, 40)} 0.5 +0.1 (0 to 0.2)"),
        (30, f"{shortened(FIRST, 21)} 0.5 +0.1"),
        (23, f"{shortened(FIRST, 19)} 0.5"),
        (10, f"{shortened(FIRST, 16)} 0.5"),
    ],
)
def test_what_may_go_goes_as_a_whole(width: int, shown: str) -> None:
    line = Content.assemble(by_name(FIRST), " 0.5", if_room(" +0.1"), if_room(" (0 to 0.2)"))
    assert in_room(line, width).plain == shown


async def test_titles_and_feet_of_results_show_both_ends_of_tags(
    judged: Campaign, files: Path
) -> None:
    for tag, first, second in ((FIRST, "csv.reader", "list.sort"), (SECOND, "new", "csv.reader")):
        lines = (
            f"{query} Q0 {document} {rank} {3 - rank} {tag}\n"
            for query in ("q1", "q2")
            for rank, document in enumerate((first, second), 1)
        )
        with_run(judged, files, tag, "".join(lines))
    async with at_results(judged, size=(80, 24)) as (app, pilot):

        def title() -> str:
            return app.screen.query_one("#title", SplitLine).render().plain

        await press(pilot, "G", "B", "k", "enter")
        assert title().split()[2:6:2] == [
            "bm25-tun…nt-with-rerank-01",
            "bm25-tun…nt-with-rerank-02",
        ]
        assert title().endswith("nDCG@10")
        await press(pilot, "enter")
        assert below(app)[1].startswith("rank 1 in bm25-")
        assert below(app)[1].endswith("-rerank-02")
        await press(pilot, "5")
        worst = "worst 0.0000 bm25-tu…with-rerank-01, bm25-tu…with-rerank-02"
        assert below(app)[1] == f"best 1.0000 beta   {worst}"
        await press(pilot, "1")
        assert title().endswith("against bm25-tuned-exper…t-2024-11-variant-with-rerank-02")
