"""The Results screen: views that lie on each other, the uppermost one shown."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from judge_tui.analysis.asked import Asked
from judge_tui.campaign import Campaign
from judge_tui.campaign.sent_to_pool import Sent, send_to_pool
from judge_tui.errors import CampaignError, JudgeTuiError, UsageError
from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import bound_of, keymap_of, keys_on, quit_keys
from judge_tui.tui.patience import Patience
from judge_tui.tui.screens.results.findings import Findings, Lens
from judge_tui.tui.screens.results.leaderboard import LeaderboardView
from judge_tui.tui.screens.results.resting import resting_content
from judge_tui.tui.screens.results.rows import Rows
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.shown import error_content, fitting, foreign, keys_content, pressable
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import LineList, SaidLine, SplitLine

__all__ = ["ResultsScreen"]

_LOOK_EVERY = 0.05
_OTHERS_EVERY = 1.0
_VIEWS = Binding.Group("Views")
_TABLE = Binding.Group("In a view")
_FILE = Binding.Group("File")
_MOVES = (
    ("down", "down"),
    ("up", "up"),
    ("page-down", "page down"),
    ("page-up", "page up"),
    ("first", "first row"),
    ("last", "last row"),
    ("choose", "look closer: per query, both rankings, read the document"),
)


class ResultsScreen(Screen[None]):
    """Which run is better, on which queries, and what came instead."""

    CSS_PATH = "results.tcss"
    AUTO_FOCUS = "#rows"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "leaderboard", "leaderboard", id="results.leaderboard", group=_VIEWS),
        Binding(
            "2,f",
            "failures",
            "failures of a run, and what came",
            id="results.failures",
            group=_VIEWS,
        ),
        Binding(
            "3,t",
            "first_relevant",
            "the rank of the first relevant",
            id="results.first-relevant",
            group=_VIEWS,
        ),
        Binding("4,c", "slices", "by class, field, document", id="results.slices", group=_VIEWS),
        Binding(
            "5,d", "divided", "where the systems disagree", id="results.disagreements", group=_VIEWS
        ),
        Binding("q,escape", "back", "back", id="results.back", group=_VIEWS),
        Binding("m", "measure(1)", "next measure", id="results.measure", group=_TABLE),
        Binding(
            "M", "measure(-1)", "previous measure", id="results.previous-measure", group=_TABLE
        ),
        Binding("s", "sort", "sort runs by another measure", id="results.sort", group=_TABLE),
        Binding(
            "B",
            "baseline",
            "compare with the run under the cursor",
            id="results.baseline",
            group=_TABLE,
        ),
        Binding(
            "right_square_bracket",
            "turn(1)",
            "next run, query or field",
            id="results.next",
            group=_TABLE,
        ),
        Binding(
            "left_square_bracket",
            "turn(-1)",
            "previous run, query or field",
            id="results.previous",
            group=_TABLE,
        ),
        Binding("h,left", "side(0)", "the left ranking", id="results.left", group=_TABLE),
        Binding("l,right", "side(1)", "the right ranking", id="results.right", group=_TABLE),
        Binding(
            "p", "send", "send an unjudged document to the pool", id="results.pool", group=_FILE
        ),
        Binding("e", "export", "write this view to a file", id="results.export", group=_FILE),
        Binding("r", "refresh", "read the file again", id="results.refresh", group=_FILE),
        Binding("question_mark", "help", "keys", id="results.help", group=_FILE),
    ]

    def __init__(
        self,
        campaign: Campaign,
        tastes: Keeper | None = None,
        *,
        asked: Asked = Asked(),  # noqa: B008 - frozen
        findings: Findings | None = None,
    ) -> None:
        """`findings`: what was begun to be read of what is asked, if anything was."""
        super().__init__()
        self.campaign = campaign
        self.patience = Patience(self, lambda: quit_keys(self.app))
        self.keys: dict[str, str] = {}
        self._tastes = tastes or Keeper()
        self._asked = asked
        self._findings = findings or Findings(campaign, asked, Lens())
        self._lens = self._findings.lens
        # What is read anew, until it can be shown.
        self._coming: Findings | None = None
        self._known = -1
        self._views: list[View] = [LeaderboardView(self._findings)]
        self._looking: Timer | None = None
        self._others = False
        # When this screen was there again (monotonic).
        self._back_at = 0.0

    def compose(self) -> ComposeResult:
        yield SplitLine(id="title")
        yield SplitLine(id="rests")
        with Vertical(id="table"):
            yield Static(id="head", markup=False)
            yield Rows(id="rows")
        yield Static(id="below", markup=False)
        yield SaidLine(Content(""))
        yield SplitLine(id="legend", keep="left")

    def on_mount(self) -> None:
        self.keys = self._keys()
        self._look()
        self._looking = self.set_interval(_LOOK_EVERY, self._look)
        self.set_interval(_OTHERS_EVERY, self._notice_others)

    def on_unmount(self) -> None:
        for findings in (self._findings, self._coming):
            if findings is not None:
                findings.stop()

    def on_screen_resume(self) -> None:
        self._back_at = monotonic()

    def takes(self, event: events.Key) -> bool:
        """Whether a key that comes here was meant for the screen before, which was still there when
        it was pressed: nothing is done then. A second q would leave this one, too."""
        return event.time < self._back_at

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    @property
    def view(self) -> View:
        """The view that is shown."""
        return self._views[-1]

    @property
    def working(self) -> bool:
        """Whether something of what is on screen is still to come."""
        return self._coming is not None or self._findings.busy

    # What is found, as it comes

    def _look(self) -> None:
        """Show what has come since the last look."""
        if self._coming is not None and (self._coming.now is not None or not self._coming.busy):
            self._take(self._coming)
            self._coming = None
        if self._findings.done != self._known:
            self._known = self._findings.done
            self._look_again()
            if self._findings.error is not None:
                self.say_error("CANNOT READ", self._findings.error)

    def _take(self, findings: Findings) -> None:
        """Look at what was read anew, if it could be read."""
        if findings.error is not None:
            self.say_error("CANNOT READ", findings.error)
            findings.stop()
            return
        self._findings.stop()
        self._findings, self._known = findings, -1
        self._others = False
        for view in self._views:
            view.findings = findings
        self.say(Content("read again"))

    def _look_again(self) -> None:
        """Work out anew what is shown; what is about something that is gone is left."""
        for place, view in enumerate(self._views):
            if view is self.view:
                view.cursor = self._rows.cursor
            try:
                view.look()
            except (LookupError, UsageError) as error:
                if not place:
                    continue
                del self._views[place:]
                self.say(Content.assemble("gone meanwhile: ", foreign(str(error))))
                break
        self._show()

    def _notice_others(self) -> None:
        if self._others or self._coming is not None or self.campaign.lost:
            return
        try:
            self._others = self.campaign.version() != self._findings.version
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        if self._others:
            self._show_resting()

    # What is on screen

    @property
    def _rows(self) -> Rows:
        return self.query_one("#rows", Rows)

    def _show(self) -> None:
        view = self.view
        rows = self._rows
        width = rows.size.width or self.app.size.width
        settings = self.campaign.settings
        self.query_one("#title", SplitLine).show(view.title, foreign(settings.name, "dim"))
        self._show_resting()
        self.query_one("#head", Static).update(Content(view.head(width)))
        nothing = self._findings.nothing
        if nothing is not None:
            said = f" {nothing.what}. {nothing.mend}".rstrip()
            rows.show(1, lambda _row: [(said, "")])
        elif view.count:
            rows.show(view.count, partial(view.draw, width=width), cursor=view.cursor)
        else:
            said = " reading …" if self._findings.now is None else f" {view.empty}"
            rows.show(1, lambda _row: [(said, "list--faint")])
        self._show_below()
        self._show_legend()

    def _show_resting(self) -> None:
        stale = ""
        if self._others:
            stale = f"written to since: {self.keys['results.refresh']} reads again"
        right = Content.styled("reading …" if self._coming is not None else stale, "$text-warning")
        self.query_one("#rests", SplitLine).show(resting_content(self._findings), right)

    def _show_below(self) -> None:
        view = self.view
        below = view.below(view.cursor) if view.cursor < view.count else Content("")
        self.query_one("#below", Static).update(below)

    def _show_legend(self) -> None:
        common = (("results.help", "keys"), ("results.back", "back"))
        actions = self._actions()
        known = [
            pressable(keys_content([(self.keys[name], what)]), actions[name])
            for name, what in (*self.view.hints, *common)
        ]
        views = Content(" ").join(
            pressable(Content.styled(self.keys[f"results.{name}"], "bold"), action)
            for name, action in (
                ("leaderboard", "leaderboard"),
                ("failures", "failures"),
                ("first-relevant", "first_relevant"),
                ("slices", "slices"),
                ("disagreements", "divided"),
            )
        )
        right = Content.assemble(views, (" views", "dim"))
        room = self.app.size.width - right.cell_length - 4
        hints, always = known[: -len(common)], known[-len(common) :]
        left = fitting(
            [Content("  ").join([*hints[:count], *always]) for count in range(len(hints), -1, -1)],
            room,
        )
        self.query_one("#legend", SplitLine).show(left, right)

    def _keys(self) -> dict[str, str]:
        """The first key of each binding here, as it is shown."""
        return keys_on(self) | {
            bound.id: shown_keys(bound.keys[:1]) for bound in bound_of(LineList, keymap_of(self))
        }

    def _actions(self) -> dict[str, str]:
        actions = {bound.id: bound.action for bound in bound_of(type(self), {})}
        return actions | {"list.choose": "choose"}

    @on(SplitLine.Pressed)
    async def _pressed(self, message: SplitLine.Pressed) -> None:
        """The mouse on the legend does what the key does."""
        await self.run_action(message.action)

    @on(Rows.Moved)
    def _moved(self, message: Rows.Moved) -> None:
        if message.index < self.view.count:
            self.view.cursor = message.index
            for row in (message.before, message.index):
                self._rows.refresh_line(row)
            self._show_below()

    # Saying

    def say(self, said: Content) -> None:
        """Put one line above the legend, where the screen has one already."""
        for line in self.query(SaidLine):
            line.say(said)

    def say_error(self, start: str, error: JudgeTuiError) -> None:
        """Put an error above the legend, whole, where the screen has a place for it already."""
        for line in self.query(SaidLine):
            line.say_whole(error_content(start, error))

    # From view to view

    def action_choose(self) -> None:
        self._rows.action_choose()

    @on(LineList.Chosen, "#rows")
    def _chosen(self, message: LineList.Chosen) -> None:
        view = self.view
        if message.index >= view.count:
            return
        view.cursor = message.index
        clicked = self._rows.clicked
        if clicked is not None:
            view.side(0 if clicked < 0.5 else 1)
            self._show()
        spot = view.spot(message.index)
        if spot is not None:
            from judge_tui.tui.screens.reader import ReaderOverlay  # noqa: PLC0415

            reader = ReaderOverlay(self.campaign, spot.query, spot.document, self._tastes)
            self.app.push_screen(reader)
            return
        opened = view.opened(message.index)
        if opened is not None:
            self._open(opened)
        elif self._findings.now is None:
            self.say(Content("the runs are still being read"))
        else:
            self.say(Content(view.closed(message.index)))

    def _open(self, view: View, *, above: int | None = None) -> None:
        """Lay a view on the others, or on the first `above` of them."""
        try:
            view.look()
        except (LookupError, UsageError, CampaignError) as error:
            self.say(foreign(str(error)))
            return
        self.view.cursor = self._rows.cursor
        self._views = [*self._views[:above], view]
        self.say(Content(""))
        self._show()

    def action_leaderboard(self) -> None:
        if len(self._views) > 1:
            del self._views[1:]
            self._look_again_at_top()

    def action_failures(self) -> None:
        from judge_tui.tui.screens.results.failures import FailuresView  # noqa: PLC0415

        tag = self._tag()
        if tag is not None:
            self._open(FailuresView(self._findings, tag), above=1)

    def action_first_relevant(self) -> None:
        from judge_tui.tui.screens.results.ranks import RanksView  # noqa: PLC0415

        self._open(RanksView(self._findings), above=1)

    def action_slices(self) -> None:
        from judge_tui.tui.screens.results.slices import SlicesView  # noqa: PLC0415

        self._open(SlicesView(self._findings), above=1)

    def action_divided(self) -> None:
        from judge_tui.tui.screens.results.divided import DividedView  # noqa: PLC0415

        self._open(DividedView(self._findings), above=1)

    def action_back(self) -> None:
        if len(self._views) > 1:
            del self._views[-1]
            self._look_again_at_top()
        elif self.is_active and not self.patience.waiting:
            self.dismiss()

    def _look_again_at_top(self) -> None:
        self.say(Content(""))
        self._change(cursor=self.view.cursor)

    def _tag(self) -> str | None:
        """The run that one is at, here or in the view below."""
        here = [view.run for view in reversed(self._views)]
        return next((tag for tag in here if tag is not None), None)

    # In a view

    def action_measure(self, by: int) -> None:
        measure, measures = self._findings.measure, self._findings.measures
        if measure is None or len(measures) < 2:
            return
        self._lens.measure = measures[(measures.index(measure) + by) % len(measures)].name
        self._change()

    def action_sort(self) -> None:
        orders = [*(measure.name for measure in self._findings.measures), ""]
        now = self._findings.sorted_by
        at = orders.index(now.name if now is not None else "")
        self._lens.sort = orders[(at + 1) % len(orders)]
        order = self._findings.sorted_by
        self._change()
        self.say(Content(f"sorted by {order}" if order else "runs as they were loaded"))

    def action_baseline(self) -> None:
        tag = self._tag()
        if tag is None or tag == self._findings.baseline:
            return
        self._findings.turn_to(tag)
        self._change()
        self.say(Content.assemble("compared with ", foreign(tag, "bold")))

    def action_turn(self, by: int) -> None:
        if self.view.turned(by):
            self._change(cursor=self.view.cursor)
        else:
            self.say(Content("there is no other one"))

    def action_side(self, to: int) -> None:
        if self.view.side(to):
            self._show()

    def _change(self, cursor: int | None = None) -> None:
        """Show what was changed through the lens."""
        view = self.view
        if cursor is None:
            view.cursor = self._rows.cursor if view.count else 0
        try:
            view.look()
        except (LookupError, UsageError) as error:
            self.say(foreign(str(error)))
        if cursor is not None:
            view.cursor = min(cursor, max(0, view.count - 1))
        self._show()

    # The file

    def action_send(self) -> None:
        view = self.view
        spot = view.spot(view.cursor) if view.cursor < view.count else None
        if spot is None:
            self.say(Content("go to a document of a ranking first: it is sent to the pool then"))
        elif spot.judged:
            self.say(Content("this document has a grade"))
        elif not self.patience.waiting:
            self.patience.attempt(
                lambda: send_to_pool(self.campaign, spot.query, spot.document), self._sent
            )

    def _sent(self, sent: Sent) -> None:
        if not sent.new:
            said = "in the pool already: a judge must grade it, or the lead decide"
        elif sent.to_nobody:
            said = "in the pool, but given to nobody: judge-tui assign --judges … gives it out"
        else:
            said = "in the pool now: it counts here once a judge has graded it"
        self._change()
        self.say(Content(said))

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
        """Read all of it again; what is on screen stays until that is there."""
        if self._coming is not None:
            return
        self._coming = Findings(self.campaign, self._asked, self._lens)
        self._show_resting()
        self._look()

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay  # noqa: PLC0415

        keymap = keymap_of(self)
        sections: dict[str, list[tuple[str, str]]] = {}
        for bound in bound_of(type(self), keymap):
            sections.setdefault(bound.group, []).append((shown_keys(bound.keys), bound.what))
        keys = {bound.id: shown_keys(bound.keys) for bound in bound_of(LineList, keymap)}
        sections["Rows"] = [(keys[f"list.{name}"], what) for name, what in _MOVES]
        sections["Signs"] = [
            ("·", "unjudged: no final grade"),
            ("+", "unjudged, and in the pool"),
            ("↑3 ↓2", "moved from the left ranking to the right one"),
            ("new gone", "not in what is kept of the other ranking"),
        ]
        self.app.push_screen(HelpOverlay(sections))
