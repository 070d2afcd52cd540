"""The Results screen, whole: what its keys do."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.campaign.store.assignments import pairs_are_assigned
from judge_tui.campaign.store.pool import send_to_pool
from judge_tui.campaign.typed import typed
from judge_tui.errors import CampaignError, UsageError
from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import bound_of, keymap_of
from judge_tui.tui.screens.results.showing import VIEWS, Showing
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.shown import foreign
from judge_tui.tui.widgets import LineList

_VIEWS = Binding.Group("Views")
_TABLE = Binding.Group("In a view")
_FILE = Binding.Group("The campaign")
_MOVES = (
    ("down", "down"),
    ("up", "up"),
    ("page-down", "page down"),
    ("page-up", "page up"),
    ("first", "first row"),
    ("last", "last row"),
    ("choose", "look closer, down to the document"),
)
_SIGNS = [
    ("·", "unjudged: no final grade"),
    ("+", "in the pool, without a final grade"),
    ("↑3 ↓2", "moved, from left to right"),
    ("new gone", "not in what the other list keeps"),
    ("… –", "still to come; undefined"),
    ("‹ +4 ›", "so many more columns, to both sides"),
]


class ResultsScreen(Showing):
    """Which run is better, on which queries, and what came instead."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(keys, action, what, id=f"results.{name}", group=_VIEWS)
            for keys, action, what, name in (
                *VIEWS,
                ("q", "back", "back", "back"),
                ("escape", "close", "close a view", "close"),
            )
        ),
        *(
            Binding(keys, action, what, id=f"results.{name}", group=_TABLE)
            for keys, action, what, name in (
                ("m", "measure(1)", "next measure", "measure"),
                ("M", "measure(-1)", "previous measure", "previous-measure"),
                ("s", "sort", "sort by another measure", "sort"),
                ("B", "baseline", "make it the baseline", "baseline"),
                ("right_square_bracket", "turn(1)", "next run, query, field", "next"),
                ("left_square_bracket", "turn(-1)", "previous one", "previous"),
                ("h,left", "side(0)", "the left ranking, columns before", "left"),
                ("l,right", "side(1)", "the right ranking, more columns", "right"),
            )
        ),
        *(
            Binding(keys, action, what, id=f"results.{name}", group=_FILE)
            for keys, action, what, name in (
                ("p", "send", "send document to the pool", "pool"),
                ("e", "export", "write view to a file", "export"),
                ("r", "refresh", "read the file again", "refresh"),
                ("w", "warnings", "what the numbers rest on", "warnings"),
                ("question_mark", "help", "keys", "help"),
            )
        ),
    ]

    # From view to view

    def action_choose(self) -> None:
        self.rows.action_choose()

    @on(LineList.Chosen, "#rows")
    def _chosen(self, message: LineList.Chosen) -> None:
        view = self.view
        if message.index >= view.count:
            return
        view.cursor = message.index
        clicked = self.rows.clicked
        if clicked is not None and view.side(0 if clicked < 0.5 else 1):
            self.show()
        spot = view.spot(message.index)
        if spot is not None:
            from judge_tui.tui.screens.reader import ReaderOverlay  # noqa: PLC0415

            reader = ReaderOverlay(self.campaign, spot.query, spot.document, self.tastes)
            self.app.push_screen(reader)
            return
        opened = view.opened(message.index)
        if opened is not None:
            self._open(opened)
        else:
            self.say(Content(view.closed(message.index)))

    def _open(self, view: View, *, above: int | None = None) -> None:
        """Lay a view on the others, or on the first `above` of them."""
        try:
            view.see()
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
        except UsageError as error:
            self.say(foreign(str(error)))
        else:
            self.views = [*self.views[:above], view]
            self.say(Content(""))
            self.show()

    def action_leaderboard(self) -> None:
        del self.views[1:]
        self.say(Content(""))
        self.look_again()

    def action_failures(self) -> None:
        from judge_tui.tui.screens.results.failures import FailuresView  # noqa: PLC0415

        tag = self._tag()
        if tag is not None:
            self._open(FailuresView(self.findings, tag), above=1)

    def action_first_relevant(self) -> None:
        from judge_tui.tui.screens.results.ranks import RanksView  # noqa: PLC0415

        self._open(RanksView(self.findings), above=1)

    def action_slices(self) -> None:
        from judge_tui.tui.screens.results.slices import SlicesView  # noqa: PLC0415

        self._open(SlicesView(self.findings), above=1)

    def action_divided(self) -> None:
        from judge_tui.tui.screens.results.divided import DividedView  # noqa: PLC0415

        self._open(DividedView(self.findings), above=1)

    def action_close(self) -> None:
        """A view, as an overlay is closed; never the last one."""
        if len(self.views) > 1:
            del self.views[-1]
            self.say(Content(""))
            self.look_again()

    def action_back(self) -> None:
        if len(self.views) > 1:
            self.action_close()
        else:
            self.action_leave()

    def _tag(self) -> str | None:
        """The run that one is at, here or in the view below."""
        here = [view.run for view in reversed(self.views)]
        return next((tag for tag in here if tag is not None), None)

    # In a view

    def action_measure(self, by: int) -> None:
        measure, measures = self.findings.measure, self.findings.measures
        if measure is not None and len(measures) > 1:
            place = (measures.index(measure) + by) % len(measures)
            self.findings.lens.measure = measures[place].name
            self.look_again()

    def action_sort(self) -> None:
        if len(self.views) > 1:
            there = self.keys["results.leaderboard"]
            self.say(Content(f"runs are sorted on the leaderboard: {there}"))
            return
        orders = [*(measure.name for measure in self.findings.measures), ""]
        now = self.findings.sorted_by
        at = orders.index(now.name if now is not None else "")
        self.findings.lens.sort = orders[(at + 1) % len(orders)]
        order = self.findings.sorted_by
        self.look_again()
        self.say(Content(f"sorted by {order}" if order else "runs as they were loaded"))

    def action_baseline(self) -> None:
        tag = self._tag()
        if tag is not None and tag != self.findings.baseline:
            self.findings.turn_to(tag)
            self.look_again()
            self.say(Content.assemble("compared with ", foreign(tag, "bold")))

    def action_turn(self, by: int) -> None:
        if self.view.turned(by):
            self.say(Content(""))
            self.look_again()
        else:
            self.say(Content("there is no other one"))

    def action_side(self, to: int) -> None:
        if self.view.side(to) or self.view.sideways(1 if to else -1):
            self.show()

    # The campaign

    def action_send(self) -> None:
        view = self.view
        spot = view.spot(view.cursor) if view.cursor < view.count else None
        if spot is None:
            self.say(Content("go to a document in a ranking first: that is sent to the pool"))
        elif spot.judged:
            self.say(Content("this document has a final grade"))
        else:
            self.write(lambda: send_to_pool(self.campaign, spot.query, spot.document), self._sent)

    def _sent(self, is_new: bool) -> None:
        said = "in the pool now: it counts here once a judge has graded it"
        if not is_new:
            said = "in the pool already: a judge must grade it, or the lead decide"
        elif pairs_are_assigned(self.campaign):
            assigning = typed(self.campaign.path, "assign", "--judges …")
            said = f"in the pool, but given to nobody: {assigning} gives it out"
        if is_new:
            self.findings.sent()
        self.look_again()
        self.say(foreign(said))

    def action_export(self) -> None:
        from judge_tui.tui.screens.results.exporting import (  # noqa: PLC0415
            ExportOverlay,
            file_name,
        )

        if self.working:
            self.say(Content("not all of it is worked out yet: again in a moment"))
            return
        try:
            report = self.view.report()
        except UsageError as error:
            self.say_error("NOT WRITTEN", error)
            return

        def written(name: str | None) -> None:
            if name is not None:
                self.say(Content.assemble("written: ", foreign(name, "bold")))

        self.app.push_screen(ExportOverlay(report, file_name(self.view.name)), written)

    def action_refresh(self) -> None:
        self.read_again()

    def action_warnings(self) -> None:
        from judge_tui.tui.screens.results.resting import RestingOverlay  # noqa: PLC0415

        if self.findings.basis is not None:
            self.app.push_screen(RestingOverlay(self.view.stated))

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay, keys_by_group  # noqa: PLC0415

        sections = keys_by_group(self)
        moves = bound_of(LineList, keymap_of(self))
        keys = {bound.id: shown_keys(bound.keys) for bound in moves}
        sections["Rows"] = [(keys[f"list.{name}"], what) for name, what in _MOVES]
        sections["Signs"] = _SIGNS
        self.app.push_screen(HelpOverlay(sections))
