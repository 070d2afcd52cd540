"""The Judge screen, whole: with what can be looked up beside the document."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.tui.screens.judge.deciding import Deciding
from judge_tui.tui.screens.judge.showing import WIDE
from judge_tui.tui.screens.pager import pager_bindings
from judge_tui.tui.widgets import Need

if TYPE_CHECKING:
    from judge_tui.tui.screens.help import Keys

_MORE = Binding.Group("Look up")
_GUTTER = "Gutter: a map of the whole document"
_CASE = "Find heeds case only with a capital"
_SECTIONS: dict[str, Keys] = {
    "Judge": (),
    "Go": (),
    _GUTTER: [
        ("▐", "what is on screen"),
        ("╴", "the query's words are there"),
        ("◂", "what was sought is there"),
    ],
    _CASE: [("text", "finds Text and TEXT, too"), ("Text", "finds Text only")],
    "Read": (),
    "Look up": (),
}


class JudgeScreen(Deciding):
    """Grade the documents of one judge's desk."""

    SECTIONS = _SECTIONS

    BINDINGS: ClassVar[list[BindingType]] = [
        *pager_bindings("judge"),
        Binding("d", "fold", "narrative, shown or folded", id="judge.fold", group=_MORE),
        Binding(
            "e", "whole_need", "query and narrative, whole", id="judge.whole-need", group=_MORE
        ),
        Binding("i", "guidelines", "guidelines", id="judge.guidelines", group=_MORE),
        Binding(
            "I",
            "guidelines_over",
            "guidelines, over the document",
            id="judge.guidelines-over",
            group=_MORE,
        ),
        Binding("t", "statistics", "statistics, your own", id="judge.statistics", group=_MORE),
        Binding("question_mark", "help", "all keys", id="judge.help", group=_MORE),
        Binding("q", "leave", "back", id="judge.leave", group=_MORE),
    ]

    def action_fold(self) -> None:
        need = self.query_one(Need)
        folded = need.fold()
        self.tastes.keep(folded=folded)
        shows, whole = self.keys["judge.fold"], self.keys["judge.whole-need"]
        said = f"narratives are folded: {shows} shows them, {whole} this one whole"
        if not need.has_text:
            said = f"narratives are {'folded' if folded else 'shown'}; this query has none"
        elif not folded:
            said = ""
        self.say(Content(said))

    def action_whole_need(self) -> None:
        from judge_tui.tui.screens.whole_need import WholeNeedOverlay  # noqa: PLC0415

        if self._query is not None:
            self.app.push_screen(WholeNeedOverlay(self._query))

    def action_guidelines(self) -> None:
        """Beside the document where there is room, else over it."""
        width = self.app.size.width
        if width < WIDE:
            self.action_guidelines_over()
            return
        self.beside = not self.beside
        if self.has_guidelines:
            self.tastes.keep(beside=self.beside)
        self.show_beside(width)
        # The document is about to be laid out anew.
        self.expect_anew()
        beside, over = self.keys["judge.guidelines"], self.keys["judge.guidelines-over"]
        said = f"guidelines are hidden: {beside} shows them, {over} over the document"
        self.say(Content("" if self.beside else said))

    def action_guidelines_over(self) -> None:
        from judge_tui.tui.screens.guidelines import GuidelinesOverlay  # noqa: PLC0415

        self.app.push_screen(GuidelinesOverlay(self.desk.campaign.settings))

    def action_statistics(self) -> None:
        from judge_tui.tui.screens.statistics import StatisticsOverlay  # noqa: PLC0415

        self.app.push_screen(StatisticsOverlay(self.desk, *self.route.progress))
