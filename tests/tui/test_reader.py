"""One document, to be read over another screen."""

from __future__ import annotations

from textual.app import App
from textual.widgets import Input

from judge_tui.campaign import Campaign
from judge_tui.tui.screens.reader import ReaderOverlay
from judge_tui.tui.widgets import DocumentView, SplitLine


class _Host(App[None]):
    CSS_PATH = "../../judge_tui/tui/app.tcss"


def _keys(campaign: Campaign, query_id: str, doc_id: str) -> tuple[int, int]:
    rows = campaign.rows(
        "SELECT q.id, d.id FROM queries AS q, documents AS d WHERE q.query_id = ? AND d.doc_id = ?",
        (query_id, doc_id),
    )
    query, document = rows[0]
    return query, document


def _shown(reader: ReaderOverlay) -> list[str]:
    view = reader.query_one(DocumentView)
    lines = (view.render_line(y).text.rstrip(" ▐╴◂").strip() for y in range(view.size.height))
    return [line for line in lines if line]


async def test_a_document_is_read_with_its_query_above_and_closed(campaign: Campaign) -> None:
    app = _Host()
    async with app.run_test(size=(80, 24)) as pilot:
        reader = ReaderOverlay(campaign, *_keys(campaign, "q1", "csv.writer"))
        await app.push_screen(reader)
        await pilot.pause()
        assert _shown(reader) == ["Writes CSV files."]
        assert reader.query_one("#query", SplitLine).plain.startswith("q1  read a CSV file")
        assert "csv.writer(file)" in reader.query_one("#title", SplitLine).plain
        await pilot.press("slash", *"csv", "enter")
        await pilot.pause()
        assert reader.view.finding
        await pilot.press("escape")
        assert not reader.view.finding
        assert app.screen is reader
        await pilot.press("escape")
        assert app.screen is not reader


async def test_what_has_no_text_says_so_and_q_closes(campaign: Campaign) -> None:
    campaign.execute("UPDATE documents SET text = NULL, title = '' WHERE doc_id = 'json.load'")
    app = _Host()
    async with app.run_test(size=(40, 10)) as pilot:
        reader = ReaderOverlay(campaign, *_keys(campaign, "q2", "json.load"))
        await app.push_screen(reader)
        await pilot.pause()
        assert "not loaded" in " ".join(_shown(reader))
        assert not reader.query(Input)
        await pilot.press("j", "G", "v", "w", "q")
        assert app.screen is not reader
