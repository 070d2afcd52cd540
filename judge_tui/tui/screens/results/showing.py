"""What stands on the Results screen, and how it comes there."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign
from judge_tui.counts import counted
from judge_tui.errors import CampaignError, UsageError
from judge_tui.tui.key_names import shown_key
from judge_tui.tui.keymap import bound_of, keymap_of, keys_on
from judge_tui.tui.names import in_room
from judge_tui.tui.screens.results.findings import Findings, Lens
from judge_tui.tui.screens.results.leaderboard import LeaderboardView
from judge_tui.tui.screens.results.resting import resting_content
from judge_tui.tui.screens.results.rows import Rows
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.screens.returning import Returning
from judge_tui.tui.screens.speaking import Speaking
from judge_tui.tui.shown import Hint, foot, foreign, pressable
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import LineList, SaidLine, SplitLine

VIEWS = (
    ("1", "leaderboard", "leaderboard", "leaderboard"),
    ("2,f", "failures", "failures of a run", "failures"),
    ("3,t", "first_relevant", "first relevant, by rank", "first-relevant"),
    ("4,c", "slices", "by class, field, document", "slices"),
    ("5,d", "divided", "where systems disagree", "disagreements"),
)
"""The views that have keys of their own: these, the screen's action, what is shown, and the name of
the binding."""

_BELOW = 3
"""Lines that a view says of its row."""
_AROUND = 7 + _BELOW
"""Lines around the rows, where all is shown."""
_FEWEST_ROWS = 5
_LOOK_EVERY = 0.05
_OTHERS_EVERY = 1.0
_ALWAYS = (("results.help", "keys"), ("results.back", "back"))


class Showing(Returning, Speaking):
    """Views that lie on each other; the uppermost one is shown."""

    CSS_PATH = "results.tcss"
    AUTO_FOCUS = "#rows"

    def __init__(
        self,
        campaign: Campaign,
        tastes: Keeper | None = None,
        *,
        asked: Question = Question(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__()
        self.campaign = campaign
        self.tastes = tastes or Keeper()
        self.keys: dict[str, str] = {}
        self.findings = Findings(campaign, asked, Lens())
        self.views: list[View] = [LeaderboardView(self.findings)]
        self._asked = asked
        # What is read anew, until it can be shown.
        self._coming: Findings | None = None
        self._known = -1
        self._others = False

    def compose(self) -> ComposeResult:
        yield SplitLine(id="title", keep="left")
        yield SplitLine(id="rests")
        with Vertical(id="table"):
            yield Static(id="head", markup=False)
            yield Rows(self._moved, id="rows")
        yield Static(id="below", markup=False)
        yield SaidLine(Content(""))
        yield SplitLine(id="legend", keep="left")

    def on_mount(self) -> None:
        rows = bound_of(LineList, keymap_of(self))
        self.keys = keys_on(self) | {bound.id: shown_key(bound.keys[0]) for bound in rows}
        self._look()
        self.set_interval(_LOOK_EVERY, self._look)
        self.set_interval(_OTHERS_EVERY, self._notice_others)

    def on_unmount(self) -> None:
        for findings in (self.findings, self._coming):
            if findings is not None:
                findings.stop()

    def on_resize(self, event: events.Resize) -> None:
        self._make_room(event.size.height)
        self.call_after_refresh(self.show)

    def _make_room(self, height: int) -> None:
        """On a low screen, give what stands around the rows to them: the hints first, then what is
        said of the row, then the rules, then what the numbers rest on."""
        wanted = _AROUND + _FEWEST_ROWS - height
        below = min(_BELOW, _BELOW - wanted + 1)
        self.query_one("#legend").display = wanted < 1
        self.query_one("#below").display = below > 0
        self.query_one("#below").styles.height = max(1, below)
        self.query_one("#table").set_class(wanted > _BELOW + 1, "-bare")
        self.query_one("#rests").display = wanted <= _BELOW + 3

    @property
    def view(self) -> View:
        """The view that is shown."""
        return self.views[-1]

    @property
    def rows(self) -> Rows:
        """Its rows."""
        return self.query_one("#rows", Rows)

    @property
    def working(self) -> bool:
        """Whether something of what is on screen is still to come."""
        return self._coming is not None or self.findings.busy

    # What is found, as it comes

    def read_again(self) -> None:
        """Read all of it again; what is on screen stays until that is there."""
        if self._coming is not None:
            return
        try:
            self._coming = Findings(self.campaign, self._asked, self.findings.lens)
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        self._show_resting()
        self._look()

    def _look(self) -> None:
        """Show what has come since the last look."""
        coming = self._coming
        if coming is not None and (coming.now is not None or not coming.busy):
            self._coming = None
            self._take(coming)
        if self.findings.done != self._known:
            self._known = self.findings.done
            self.look_again()
            if self.findings.error is not None:
                self.say_error("CANNOT READ", self.findings.error)

    def _take(self, findings: Findings) -> None:
        """Look at what was read anew, if it could be read."""
        if findings.error is not None:
            self.say_error("CANNOT READ", findings.error)
            findings.stop()
            self._show_resting()
            return
        self.findings.stop()
        self.findings, self._known, self._others = findings, -1, False
        for view in self.views:
            view.findings = findings
        self.say(Content("read again"))

    def look_again(self) -> None:
        """Work out anew what is shown; a view of something that is gone is left."""
        while True:
            try:
                self.view.see()
                break
            except UsageError as error:
                if len(self.views) == 1:
                    break
                del self.views[-1]
                self.say(foreign(str(error)))
            except CampaignError as error:
                self.say_error("CANNOT READ", error)
                break
        self.show()

    def _notice_others(self) -> None:
        if self._others or self._coming is not None or self.campaign.loss is not None:
            return
        try:
            self._others = self.campaign.version() != self.findings.version
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        if self._others:
            self._show_resting()

    # What is on screen

    def show(self) -> None:
        """Put the view on the screen, as wide as that is now."""
        view, rows = self.view, self.rows
        width = rows.size.width or self.app.size.width
        name = self.campaign.settings.name
        self.query_one("#title", SplitLine).show(view.title, foreign(name, "dim"))
        self._show_resting()
        self.query_one("#head", Static).update(Content(view.head(width)))
        nothing = self.findings.nothing
        if nothing is not None:
            self._show_words(f"{nothing.what}; {nothing.mend}" if nothing.mend else nothing.what)
        elif view.count:
            rows.show(view.count, partial(view.draw, width=width), cursor=view.cursor)
        elif self.findings.now is None:
            self._show_words("reading …" if self.findings.busy else "")
        else:
            self._show_words(view.empty)
        self._show_below()
        self._show_legend()

    def _show_words(self, said: str) -> None:
        line = foreign(f" {said}").plain
        self.rows.show(1, lambda _row: [(line, "list--faint")])

    def _show_resting(self) -> None:
        told = ""
        if self._coming is not None:
            told = "reading …"
        elif self._others:
            told = f"written to since: {self.keys['results.refresh']} reads again"
        left, right = resting_content(self.findings), Content.styled(told, "$text-warning")
        warnings = self.view.warnings
        if warnings and not told:
            what = f" {counted(len(warnings), 'warning')}"
            hint = Content.assemble((self.keys["results.warnings"], "bold"), what)
            # There, all of what is cut off here is told.
            right = pressable(hint, "warnings")
        self.query_one("#rests", SplitLine).show(left, right)

    def _show_below(self) -> None:
        view = self.view
        below = view.below(view.cursor) if view.cursor < view.count else Content("")
        static = self.query_one("#below", Static)
        static.update(in_room(below, static.content_size.width or self.app.size.width))

    def _show_legend(self) -> None:
        actions = {bound.id: bound.action for bound in bound_of(type(self), {})}
        actions["list.choose"] = "choose"
        hints, always = (
            [Hint(self.keys[name], what, actions[name], *short) for name, what, *short in known]
            for known in (self.view.hints if self.findings.nothing is None else (), _ALWAYS)
        )
        views = Content(" ").join(
            pressable(Content.styled(self.keys[f"results.{name}"], "bold"), action)
            for _, action, _, name in VIEWS
        )
        right = Content.assemble(views, (" views", "dim"))
        room = self.app.size.width - right.cell_length - 4
        self.query_one("#legend", SplitLine).show(foot(hints, always, room), right)

    def _moved(self, row: int) -> None:
        if row < self.view.count:
            self.view.cursor = row
            self._show_below()
