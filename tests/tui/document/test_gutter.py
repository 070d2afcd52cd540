"""The gutter tells which of its lines are to be painted anew: those that changed, and no others."""

from __future__ import annotations

from rich.style import Style

from judge_tui.tui.document import Finding, ReadyDocument
from judge_tui.tui.document.gutter import Gutter
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading

HEIGHT = 20


def document(lines: list[str]) -> ReadyDocument:
    found = ReadyDocument(StyledText(PlainReading("\n".join(lines))), query_words("words"))
    found.lay_out(40)
    settle(found)
    return found


def settle(ready: ReadyDocument) -> None:
    while not ready.is_settled:
        ready.advance()


def test_only_the_lines_that_changed_are_painted_anew() -> None:
    lines = ["nothing"] * 200
    lines[45], lines[155] = "a word", "a needle"
    ready = document(lines)
    gutter = Gutter(ready)
    assert gutter.look(HEIGHT, 0, marked=True) == list(range(HEIGHT))
    assert gutter.look(HEIGHT, 0, marked=True) == []
    # The bar, two lines long, goes down by five of them.
    assert gutter.look(HEIGHT, 50, marked=True) == [0, 1, 5, 6]
    assert gutter.look(HEIGHT, 50, marked=False) == [4]
    assert gutter.look(HEIGHT, 50, marked=True) == [4]
    ready.finding = Finding("needle")
    settle(ready)
    assert gutter.look(HEIGHT, 50, marked=True) == [4, 15]
    # On a higher screen there are more of them.
    assert {20, 21} <= set(gutter.look(22, 50, marked=True))


def test_there_is_no_bar_where_all_of_it_is_on_screen() -> None:
    gutter = Gutter(document(["nothing", "a word"]))
    gutter.look(HEIGHT, 0, marked=True)
    painted = [gutter.paint(y, lambda _names: Style()).text for y in range(HEIGHT)]
    assert painted == ["  ", "╴ ", *["  "] * 18]
