"""The Review screen, whole: with what can be looked up beside the cases."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.errors import CampaignError
from judge_tui.tui.screens.pager import pager_bindings
from judge_tui.tui.screens.review.filters import Cell, Filter
from judge_tui.tui.screens.review.moving import Moving
from judge_tui.tui.screens.review.reasons import waiting_content
from judge_tui.tui.screens.speaking import unsaved_line
from judge_tui.tui.widgets import Need

if TYPE_CHECKING:
    from judge_tui.tui.screens.help import Keys
    from judge_tui.tui.screens.review.agreeing import Agreeing

_MORE = Binding.Group("Look up")
_SECTIONS: dict[str, Keys] = {
    **dict.fromkeys(("Settle", "Go", "Which cases", "Look up", "Read"), ()),
    "The queue": [
        ("swaps", "pairs of systems it can swap"),
        ("change", "at most, of their difference"),
        ("spread", "greatest less least grade"),
        ("✓2", "settled with that grade"),
        ("· s x", "not judged, skipped, cannot"),
    ],
}


class ReviewScreen(Moving):
    """Settle what the judges disagree about."""

    SECTIONS = _SECTIONS

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("M", "matrix", "confusion of two judges", id="review.matrix", group=_MORE),
        Binding("a", "agreement", "agreement", id="review.agreement", group=_MORE),
        Binding("p", "by_query", "agreement, query by query", id="review.by-query", group=_MORE),
        Binding(
            "e",
            "whole_case",
            "query, notes and reason, whole",
            id="review.whole-case",
            group=_MORE,
        ),
        Binding("d", "fold", "narrative, shown or folded", id="review.fold", group=_MORE),
        Binding("i", "guidelines", "guidelines", id="review.guidelines", group=_MORE),
        Binding("question_mark", "help", "all keys", id="review.help", group=_MORE),
        Binding("q", "leave", "back", id="review.leave", group=_MORE),
        *pager_bindings(),
    ]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._agreeing: Agreeing | None = None
        self._between: tuple[int, int] | None = None

    def on_unmount(self) -> None:
        if self._agreeing is not None:
            self._agreeing.stop()

    def action_matrix(self) -> None:
        from judge_tui.tui.screens.review.confusion import ConfusionOverlay  # noqa: PLC0415

        overlay = ConfusionOverlay(self.docket.cases, self.faces, self.scale, self._between)
        if not overlay.has_judges:
            self.say(Content("a confusion matrix takes two judges who graded"))
            return

        def open_cell(cell: Cell | None) -> None:
            if cell is not None:
                self._between = cell[:2]
                self.narrow(Filter(cell=cell))

        self.app.push_screen(overlay, open_cell)

    def action_agreement(self) -> None:
        from judge_tui.tui.screens.review.agreement_overlay import (  # noqa: PLC0415
            AgreementOverlay,
        )

        def go_on(to_queries: bool | None) -> None:
            if to_queries:
                self.action_by_query()

        self.app.push_screen(AgreementOverlay(self.agreeing, self.scale), go_on)

    def action_by_query(self) -> None:
        from judge_tui.tui.screens.review.by_query import ByQueryOverlay  # noqa: PLC0415

        def open_query(query: int | None) -> None:
            if query is not None:
                self.narrow(Filter(query=query))

        self.app.push_screen(ByQueryOverlay(self.agreeing, self.queries), open_query)

    def agreeing(self) -> Agreeing:
        """What is being worked out about agreement, or was: anew where others wrote meanwhile, or
        judges are called otherwise."""
        from judge_tui.tui.screens.review.agreeing import Agreeing  # noqa: PLC0415

        work = self._agreeing
        cases = self.docket.cases
        order = self.faces.in_order(cases.judges)
        names = {cases.judges[at].name: self.faces.of(cases.judges[at]) for at in order}
        if work is not None and work.names == names:
            # What is on screen stays while the file cannot be read.
            if not work.done or monotonic() < work.rests_until:
                return work
            try:
                if self.campaign.version() == work.version:
                    return work
            except CampaignError:
                return work
        if work is not None:
            work.stop()
        self._agreeing = Agreeing(self.campaign, names, self.now.models)
        return self._agreeing

    def action_whole_case(self) -> None:
        from judge_tui.tui.screens.review.whole_case import WholeCaseOverlay  # noqa: PLC0415

        seen = self._seen
        if seen is not None:
            self.app.push_screen(
                WholeCaseOverlay(seen.query, self.named_opinions(), seen.settlements, self.scale)
            )

    def action_fold(self) -> None:
        need = self.query_one(Need)
        folded = need.fold()
        self.tastes.keep(folded=folded)
        said = "narratives are folded" if folded else ""
        self.say(Content(said if need.has_text else f"{said or 'narratives are shown'}; none here"))
        # The document is about to be laid out anew.
        self.expect_anew()

    def action_guidelines(self) -> None:
        from judge_tui.tui.screens.guidelines import GuidelinesOverlay  # noqa: PLC0415

        self.app.push_screen(GuidelinesOverlay(self.campaign.settings))

    def may_leave(self, keys: str) -> bool:
        reasons = self.reasons
        if reasons.told or not reasons.waiting:
            return True
        reasons.told = True
        ids = [query_id for query_id, *_ in reasons.waiting]
        self.say_whole(waiting_content(ids, keys), stays=False)
        return False

    @property
    def unsaved(self) -> list[str]:
        """Where nothing hinders, a reason that waits is left by who was asked."""
        hinders = self.campaign.loss is not None or self.failed
        return [unsaved_line("reason", *one) for one in self.reasons.waiting if hinders]

    def action_leave(self) -> None:
        if self.may_leave(self.keys["review.leave"]):
            super().action_leave()
