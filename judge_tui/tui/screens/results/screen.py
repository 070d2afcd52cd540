"""The Results screen: views that lie on each other, of which the last one is seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Footer, Static, Tab, Tabs

from judge_tui.analysis.basis import Question
from judge_tui.campaign.overview.findings import Findings
from judge_tui.campaign.overview.model_grades import all_models
from judge_tui.counts import counted
from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.tui.on_disk import OnDisk, read_beside
from judge_tui.tui.screens.results.basis import basis_parts, basis_text
from judge_tui.tui.screens.results.document_at import (
    DocumentAt,
    document_panel,
    pool_document,
)
from judge_tui.tui.screens.results.export import ask_for_file
from judge_tui.tui.screens.results.other_question import (
    count_models,
    estimate_with,
    fill_unjudged,
)
from judge_tui.tui.screens.results.read_findings import read_findings, refuse_unknown
from judge_tui.tui.screens.results.view import Level, MakeView, View, in_lines
from judge_tui.tui.screens.results.views import TABS, leaderboard
from judge_tui.tui.session import Session
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.dialogs import name_picker
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Heading, Table
from judge_tui.tui.widgets.text_panel import TextPanel


class ResultsScreen(SizedScreen[None]):
    """Which run is better, on which queries, and what came instead."""

    BINDING_GROUP_TITLE = "Results"
    AUTO_FOCUS = "#rows"
    HELP = """\
## The columns

- **verdict** beside the baseline, by a test of the measure
- `├──●──┤` the mean and its 95 % interval; `┊` the mean of the baseline
- **unbiased** the difference with what is not judged made up for by a random sample
- **with model**, **worth** behind `M`: what a model makes more exact, and how many judged queries
  would give a difference as exact
- **low**, **high** what grades for unjudged results could make of the mean
- **now at**, **move** where the other run has the document, and how far it came from there
- `·` no final grade, `·+` nor that, but it is in the pool; `p` sends a document there
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            # Not by its place: a view that comes in between moves no key in a user's config file.
            Binding(
                str(at),
                f"view({at})",
                tab.name.lower(),
                show=False,
                id=f"results.{tab.name.lower().replace(' ', '-')}",
            )
            for at, tab in TABS.items()
        ),
        Binding("m", "measure", "measure", id="results.measure"),
        Binding("s", "sort", "sort", id="results.sort"),
        Binding("B", "baseline", "baseline", id="results.baseline"),
        Binding("p", "pool", "to the pool", id="results.pool"),
        Binding("left_square_bracket", "turn(-1)", "previous", show=False, id="results.previous"),
        Binding("right_square_bracket", "turn(1)", "next", id="results.next"),
        Binding("I", "models", "include models", show=False, id="results.include-models"),
        Binding("U", "unjudged", "fill unjudged", show=False, id="results.unjudged"),
        Binding("M", "with_model", "with a model", show=False, id="results.with-model"),
        Binding("W", "warnings", "warnings", show=False, id="results.warnings"),
        Binding("e", "export", "export", id="results.export"),
        Binding("r", "reload", "reload", show=False, id="results.reload"),
        Binding("q", "back", "back", id="results.back"),
        Binding("escape", "up", "close a view", show=False, id="results.close"),
    ]

    def __init__(self, session: Session, question: Question = Question()) -> None:  # noqa: B008
        """Raises `UsageError` for what is asked and not there."""
        super().__init__()
        refuse_unknown(session.campaign, question)
        self.session = session
        self.question = question
        self.findings: Findings | None = None
        self.levels = [Level(leaderboard)]
        # What enter leads to, where there is room for it.
        self._ahead: Level | None = None
        self._nothing = "reading …"
        self._version = -1
        self._changed = False
        self._tab = 1
        models = bool(all_models(session.campaign))
        self._tabs = {at: tab for at, tab in TABS.items() if models or not tab.needs_model}

    def compose(self) -> ComposeResult:
        tabs = Tabs(*(Tab(f"{at} {tab.name}", id=f"view-{at}") for at, tab in self._tabs.items()))
        tabs.can_focus = False
        yield tabs
        yield Static(id="path", markup=False)
        with Container(id="tables"):
            yield Table(id="rows")
            yield Table(id="beside")
            yield Static(id="nothing", classes="pane", markup=False)
        yield Static(id="detail", markup=False)
        yield Static(id="basis", markup=False)
        yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self._status = self.query_one(StatusLine)
        self._rows = self.query_one("#rows", Table)
        self._beside = self.query_one("#beside", Table)
        self._tables = self.query_one("#tables")
        self._find()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)

    # --- what is known, as it comes

    @work(exclusive=True)
    async def _find(self, findings: Findings | None = None) -> None:
        """Work out what is missing; where nothing is given, read all of it first. What is on screen
        stays until there is something better."""
        campaign, question, before = self.session.campaign, self.question, self.findings
        try:
            if findings is None:
                self._version, self._changed = campaign.version(), False
                findings = await read_beside(
                    campaign, lambda reader: read_findings(campaign, reader, question, before)
                )
                if before is None:
                    self._take(findings)
            await asyncio.to_thread(findings.work_out)
            self._take(findings)
            while (view := self.level.view) is not None and view.work_out is not None:
                await read_beside(campaign, view.work_out)
                self._take(findings)
        except UsageError as error:
            # Nobody has judged, or what was asked for is not there any more.
            self._nothing = str(error)
            self._take(None)
        except JudgeTuiError as error:
            self._status.fail("CANNOT READ", error)

    def _take(self, findings: Findings | None) -> None:
        self.findings = findings
        self.make()

    def on_worker_state_changed(self) -> None:
        self._show_basis()

    @property
    def working(self) -> bool:
        """Whether something is still to come."""
        return any(one.node is self and not one.is_finished for one in self.workers)

    @on(OnDisk)
    def _notice_others(self, message: OnDisk) -> None:
        if message.version != self._version:
            self._changed = True
            self._show_basis()

    # --- what is on screen

    @property
    def level(self) -> Level:
        """The view that is seen."""
        return self.levels[-1]

    @property
    def row(self) -> int | None:
        """The row of the view that is under the cursor, however it is sorted."""
        at = self._rows.cursor
        return self.level.rows[at] if at < len(self.level.rows) else None

    @property
    def target(self) -> MakeView | DocumentAt | None:
        """Where that row leads."""
        view, row = self.level.view, self.row
        return None if view is None or row is None else view.open(row, self.side)

    @property
    def side(self) -> int:
        """1 on the right one of two rankings."""
        return int(self._is_split and self.focused is self._beside)

    @property
    def _is_split(self) -> bool:
        return self.level.view is not None and bool(self.level.view.right)

    def look(self) -> None:
        """Make the view anew for another question, and clear the status line."""
        self._status.say()
        self.make()
        view = self.level.view
        if view is not None and view.work_out is not None and not self.working:
            self._find(self.findings)

    def make(self) -> None:
        """Make the view anew, of what is known; one of something that is gone is left."""
        level, level.view, findings = self.level, None, self.findings
        try:
            if findings is not None:
                self.session.read(lambda: level.make(findings), self._status)
        except UsageError as error:
            self._nothing = str(error)
            if len(self.levels) > 1:
                self.levels.pop()
                self._status.say(foreign(str(error)))
                self.make()
                return
        self.show()

    def show(self) -> None:
        """Put the view on screen."""
        view = self.level.view
        self._tables.set_class(view is None, "-nothing")
        self._tables.set_class(self._is_split, "-split")
        if view is None:
            self.query_one("#nothing", Static).update(foreign(self._nothing))
            self._rows.show([Heading()], 0, lambda _row: ())
        else:
            self._fill(self._rows, self.level, view)
            if self._is_split:
                self._fill(self._beside, self.level, view, side=1)
        path = self.query_one("#path", Static)
        path.update(Content(" › ").join(one.view.path for one in self.levels if one.view))
        path.display = len(self.levels) > 1
        self._show_row()
        if self.focused is None or not self.focused.display:
            self.set_focus(self._rows)
        self._show_basis()
        self.refresh_bindings()

    def _fill(self, table: Table, level: Level, view: View, side: int = 0) -> None:
        rows, columns = level.rows, view.columns(side, level.sort, downwards=level.downwards)
        before = "enter: " if level is self._ahead else ""
        table.border_title = foreign(before + view.title(side))
        table.show(
            [one.heading for one in columns],
            len(rows),
            lambda row: [one.cell(rows[row]) for one in columns],
            cursor=level.cursor,
            empty=view.empty,
        )

    def _show_row(self) -> None:
        """What there is to say of the row under the cursor. Where the table leaves a third of the
        room or more, what enter leads to stands below it."""
        level, view, row = self.level, self.level.view, self.row
        leads, detail = self.target, Content("")
        if view is not None and row is not None:
            level.here = view.keys[row]
            detail = view.describe(row, self.side, self.size.width - 4)
        self.query_one("#detail", Static).update(detail)
        needed, ahead, self._ahead = len(level.rows) + 3, None, None
        if callable(leads) and self.findings and 3 * needed <= 2 * self._tables.size.height:
            self._ahead = Level(leads)
            with suppress(JudgeTuiError):
                self._ahead.make(self.findings)
            if (ahead := self._ahead.view) is not None:
                self._fill(self._beside, self._ahead, ahead)
        self._tables.set_class(ahead is not None, "-ahead")
        self._rows.styles.height = "1fr" if ahead is None else needed

    def _show_basis(self) -> None:
        """What happens, what has to be known, and whose grades the numbers rest on."""
        known, view = self.findings, self.level.view
        parts: list[Content | str] = []
        if self.working:
            parts.append(Content.styled("working …", "$text-accent"))
        elif self._changed:
            parts.append(Content.styled("changed on disk: r reloads", "bold $text-warning"))
        if view is not None and (count := len(view.report.warnings)):
            parts.append(Content.styled(f"W {counted(count, 'warning')}", "bold $text-warning"))
        if known is not None:
            parts += basis_parts(known)
        shown = (Content(one) if isinstance(one, str) else one for one in parts if one)
        self.query_one("#basis", Static).update(in_lines(shown, self.size.width - 2))

    @on(Table.Moved)
    @on(Table.Opened)
    def _act(self, message: Table.Moved | Table.Opened) -> None:
        """The cursor moved, or a row was opened. What is done in the table below makes it the
        view."""
        ahead = self._ahead and self._ahead.view
        if message.table is self._beside is self.focused and self._ahead and ahead:
            self.open(self._ahead.make_view, ahead.keys[self._ahead.rows[message.row]])
        elif isinstance(message, Table.Moved):
            for table in (self._rows, self._beside) if self._is_split else ():
                table.move(message.row)
            self._status.say()
            self._show_row()
        elif isinstance(target := self.target, DocumentAt):
            self._read_document(target)
        elif target is not None:
            self.open(target)

    def on_descendant_focus(self) -> None:
        if self._is_split:
            self._show_row()

    # --- from view to view

    def open(self, make_view: MakeView, here: Hashable = None) -> None:
        """Lay a view on the others."""
        self.levels.append(Level(make_view, here))
        self.look()
        self.set_focus(self._rows)

    def _read_document(self, at: DocumentAt) -> None:
        panel = self.session.read(lambda: document_panel(self.session.campaign, at), self._status)
        if panel is not None:
            self.app.push_screen(panel)

    @on(Tabs.TabActivated)
    def _chosen(self, message: Tabs.TabActivated) -> None:
        at = int(str(message.tab.id).rpartition("-")[2])
        if at != self._tab:
            self.action_view(at)

    def action_view(self, at: int) -> None:
        if at not in self._tabs:
            self._status.say("no model has graded")
            return
        self._tab, self.levels = at, []
        self.query_one(Tabs).active = f"view-{at}"
        self.open(self._tabs[at].make_view)

    def action_up(self) -> None:
        """Back by one view; never away from the screen."""
        if len(self.levels) > 1:
            self._close()

    def action_back(self) -> None:
        if len(self.levels) > 1:
            self._close()
        else:
            self.app.pop_screen()

    def _close(self) -> None:
        self.levels.pop()
        self.look()
        self.set_focus(self._rows)

    def action_turn(self, by: int) -> None:
        """To what the next row below leads to, or to the next run or field."""
        level, leads = self.level, None
        below = self.levels[-2] if len(self.levels) > 1 else level
        if below.view is None or (below is not level and not below.rows):
            return
        if below is not level:
            row = below.rows[(below.cursor + by) % len(below.rows)]
            below.here, leads = below.view.keys[row], below.view.open(row, 0)
        elif below.view.turn is not None:
            leads = below.view.turn(by)
        if callable(leads):
            self.levels[-1] = replace(level, make_view=leads, here=None)
            self.look()

    def _tag(self) -> str:
        """The run that one is at, here or in a view below; "" for none."""
        at = [tag for one in self.levels if one.view for tag in (one.view.tag, one.here)]
        tags = () if self.findings is None else self.findings.tags
        return next((str(tag) for tag in reversed(at) if tag in tags), "")

    # --- how it is looked at

    def _pick(self, title: str, names: Sequence[str], at: int, then: Callable[[int], None]) -> None:
        """Ask for one of the names, of which the one `at` that place is it now, and go on with the
        place of the answer."""
        picker = name_picker(title, names, at)
        self.app.push_screen(picker, lambda at: None if at is None else then(at))

    def action_measure(self) -> None:
        if (known := self.findings) is not None:
            measures = known.basis.measures

            def measure(at: int) -> None:
                known.measure = measures[at]
                self.look()
                self._find(known)

            names = [measure.name for measure in measures]
            self._pick("Measure", names, measures.index(known.measure), measure)

    def action_baseline(self) -> None:
        if (known := self.findings) is not None:
            tags, tag = known.tags, self._tag() or known.baseline

            def compare(at: int) -> None:
                known.compare_with(tags[at])
                self.look()
                self._find(known)

            self._pick("Compare with", tags, tags.index(tag), compare)

    def action_sort(self) -> None:
        if (view := self.level.view) is not None:
            columns = view.table.columns
            names = ["as it was", *(column.title or "" for column in columns)]
            keys = ["", *(column.key for column in columns)]
            at = keys.index(self.level.sort) if self.level.sort in keys else 0
            self._pick("Sort by", names, at, lambda at: self._sort(keys[at]))

    def _sort(self, key: str) -> None:
        """By a column: numbers downwards first, words upwards; once more the other way."""
        level, view = self.level, self.level.view
        if view is not None:
            is_number = any(one.right for one in view.table.columns if one.key == key)
            level.downwards = not level.downwards if level.sort == key else is_number
            level.sort = key
            self.look()

    def action_models(self) -> None:
        """Look at the grades with those of models, or without."""
        self._ask(*count_models(self.session.campaign, self.question))

    def action_unjudged(self) -> None:
        """Fill measures in the next way, or in none again."""
        try:
            asked, sentence = fill_unjudged(self.findings, self.question)
        except UsageError as error:
            self._status.say(foreign(str(error)))
        else:
            self._ask(asked, sentence)

    def action_with_model(self) -> None:
        """Make means more exact by the next model, or by none again."""
        self._ask(*estimate_with(self.findings, self.question))

    def _ask(self, question: Question, sentence: str) -> None:
        self._status.say(foreign(sentence))
        if question != self.question:
            self.question = question
            self._find()

    def action_warnings(self) -> None:
        view, known = self.level.view, self.findings
        if view is not None and known is not None:
            document = basis_text(view.report, known.basis)
            self.app.push_screen(TextPanel("What the numbers rest on", document))

    # --- the campaign and files

    def action_reload(self) -> None:
        self._status.say()
        self._find()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing here are not among those of the footer."""
        view = self.level.view
        if action == "pool":
            return view is not None and view.name.startswith("rankings-")
        if action == "turn":
            return len(self.levels) > 1 or (view is not None and view.turn is not None)
        return True

    def action_pool(self) -> None:
        """Send an unjudged document of a ranking to the pool."""
        campaign, at = self.session.campaign, self.target
        if not isinstance(at, DocumentAt):
            return
        if at.grade is not None:
            self._status.say("this document has a final grade")
        elif pooled := self.session.write(lambda: pool_document(campaign, at), self._status):
            is_new, sentence = pooled
            self._status.say(foreign(sentence))
            if is_new:
                self._find()

    def action_export(self) -> None:
        """Write what is on screen, in the form that the name says; never over a file."""
        view = self.level.view
        if view is None or self.working:
            self._status.say("not all of it is worked out yet: again in a moment")
            return
        ask_for_file(self.app, view.name, view.report.brief(), self._status.say)
