"""Pieces joined to parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge_tui.model import Document
from judge_tui.tui.reading import Part, reading_of
from judge_tui.tui.reading.streamed import BROKEN_OFF, Piece, StreamedReading
from judge_tui.tui.widgets import DocumentView
from tests.tui.viewing import Viewer, settled


def pieces(count: int, *, fails: bool = False) -> Iterator[Piece]:
    for number in range(count):
        yield Part(f"piece {number:03}\n", ((0, 5, "code"),)), (number + 1) / count / (1 + fails)
    if fails:
        raise RecursionError


def test_pieces_are_joined_until_there_is_enough() -> None:
    reading = StreamedReading(pieces(10))
    part = reading.take(25)
    assert part.text == "piece 000\npiece 001\npiece 002\n"
    assert part.spans == ((0, 5, "code"), (10, 15, "code"), (20, 25, "code"))
    assert reading.done == 0.3
    assert reading.take(10).text == "piece 003\n"
    assert len(reading.take(1000).text) == 60
    assert reading.done == 1
    assert reading.take(1000) == Part("")


def test_a_part_of_slow_pieces_ends_early_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.0009
        return now

    monkeypatch.setattr("judge_tui.tui.reading.streamed.perf_counter", clock)
    reading = StreamedReading(pieces(10))
    text = ""
    counts = []
    while reading.done < 1:
        part = reading.take(1000)
        text += part.text
        counts.append(part.text.count("\n"))
    assert counts == [3, 3, 3, 1]
    assert text == "".join(part.text for part, _ in pieces(10))


def test_a_piece_is_given_however_slow_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr("judge_tui.tui.reading.streamed.perf_counter", lambda: next(clock))
    assert StreamedReading(pieces(10)).take(1000).text == "piece 000\n"


def test_a_generator_that_stops_short_of_the_end_is_at_its_end() -> None:
    reading = StreamedReading(iter([(Part("all of it"), 0.5)]))
    assert reading.take(5).text == "all of it"
    assert reading.done == 0.5
    assert reading.take(5).text == ""
    assert reading.done == 1


def test_what_cannot_be_rendered_is_said_where_it_would_stand() -> None:
    reading = StreamedReading(pieces(2, fails=True))
    part = reading.take(1000)
    assert part.text == f"piece 000\npiece 001\n\n{BROKEN_OFF}\n"
    start, end, name = part.spans[-1]
    assert (part.text[start:end], name) == (BROKEN_OFF, "note")
    assert reading.done == 1
    assert reading.take(1000).text == ""


@pytest.mark.parametrize("kind", ["markdown", "html"])
async def test_a_document_that_no_parser_takes_is_shown_raw(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> object:
        raise MemoryError

    monkeypatch.setattr("judge_tui.tui.reading.markdown._Writer.write", fail)
    monkeypatch.setattr("judge_tui.tui.reading.html_writer.HtmlWriter.data", fail)
    document = Document("d", text="<p>Some text.</p>\n" * 300, kind=kind)
    app = Viewer()
    async with app.run_test(size=(100, 20)) as pilot:
        app.view.show(reading_of(document), note="empty")
        await settled(pilot)
        assert BROKEN_OFF in [line.strip() for line in app.lines()]
        app.query_one(DocumentView).show(reading_of(document, raw=True))
        await settled(pilot)
        assert app.lines()[0] == " <p>Some text.</p>"
