"""The Results screen: tables that lie on each other, the last one is seen."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static, Tab, Tabs
from textual.worker import get_current_worker

from judge_tui.analysis.basis import Question
from judge_tui.campaign.store.assignments import pairs_are_assigned
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.opening import second_reader
from judge_tui.campaign.store.pool import send_to_pool
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.campaign.typed import typed
from judge_tui.counts import counted
from judge_tui.errors import CampaignError, JudgeTuiError, UsageError
from judge_tui.formats.writing import refuse_target, write_text
from judge_tui.model import Document
from judge_tui.report import FORMS, Report, render
from judge_tui.report.basis import undefined_lines
from judge_tui.tui_new.rendering import query_terms
from judge_tui.tui_new.screens.document_reader import DocumentReader
from judge_tui.tui_new.screens.results.findings import Findings, read_findings, refuse_unknown
from judge_tui.tui_new.screens.results.leaderboard import leaderboard
from judge_tui.tui_new.screens.results.view import (
    DocumentAt,
    Place,
    ShownColumn,
    View,
    name_of,
    other_table,
)
from judge_tui.tui_new.screens.results.views import (
    disagreements,
    failures,
    first_ranks,
    slices,
)
from judge_tui.tui_new.session import Session
from judge_tui.tui_new.text import foreign
from judge_tui.tui_new.widgets.dialogs import Picker, Prompt
from judge_tui.tui_new.widgets.status_line import StatusLine
from judge_tui.tui_new.widgets.table import Heading, Table
from judge_tui.tui_new.widgets.text_panel import TextPanel
from judge_tui.visible import visible_line

_VIEWS = ("Leaderboard", "Failures", "First relevant", "Slices", "Disagreements")
_FORMS = {form.suffix: name for name, form in FORMS.items()}
_UNUSUAL = re.compile(r"[^\w.]+")
_FINDING = "finding"
_LEAST_AHEAD = 7
"""Lines that what lies behind the row under the cursor is shown in, or it is not."""
_FEW_QUERIES = 1000
"""Of more, it is not worked out at each move of the cursor."""


@dataclass
class Level:
    """One of the views that lie on each other, and how it is looked at: the row under the cursor
    by what it is about, the column that it is sorted by (its title, and whether downwards), and
    the words that rows must have."""

    place: Place
    here: Hashable = None
    sort: tuple[str, bool] | None = None
    words: str = ""
    view: View | None = None
    rows: Sequence[int] = ()

    def make(self, findings: Findings) -> None:
        """Make the view of what is known. Raises as `Place` does."""
        view = self.view = self.place(findings)
        places = {column.title: at for at, column in enumerate(view.table.columns)}
        self.rows = range(len(view.table.rows))
        if self.sort is not None and self.sort[0] in places:
            self.rows = view.in_order(places[self.sort[0]], descending=self.sort[1])
        for word in self.words.casefold().split():
            self.rows = [row for row in self.rows if word in view.text(row).casefold()]

    @property
    def cursor(self) -> int:
        """Where the row that it is on stands now, else the first."""
        if self.view is None:
            return 0
        keys = self.view.keys
        return next((at for at, row in enumerate(self.rows) if keys[row] == self.here), 0)

    @property
    def report(self) -> Report:
        """The report as it is on screen: its rows in this order."""
        if self.view is None:
            raise UsageError("there is nothing to write yet", "again in a moment")
        report = self.view.report
        if self.sort is None and not self.words:
            return report
        first, *rest = report.tables
        rows = [first.rows[row] for row in self.rows]
        return replace(report, tables=[first._replace(rows=rows), *rest])


class ResultsScreen(Screen[None]):
    """Which run is better, on which queries, and what came instead."""

    BINDING_GROUP_TITLE = "Results"
    AUTO_FOCUS = "#rows"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(at + 1), f"view({at})", name.lower(), show=False, id=f"results.view-{at + 1}"
            )
            for at, name in enumerate(_VIEWS)
        ),
        Binding("m", "measure", "measure", id="results.measure"),
        Binding("s", "sort", "sort", id="results.sort"),
        Binding("B", "baseline", "baseline", id="results.baseline"),
        Binding("M", "models", "count models or not", show=False, id="results.models"),
        Binding("p", "pool", "to the pool", id="results.pool"),
        Binding("left_square_bracket", "turn(-1)", "previous", show=False, id="results.previous"),
        Binding("right_square_bracket", "turn(1)", "next", id="results.next"),
        Binding("F,slash", "filter", "filter rows", show=False, id="results.filter"),
        Binding("t", "tables", "more tables", show=False, id="results.tables"),
        Binding("e", "export", "export", id="results.export"),
        Binding("W", "warnings", "warnings", show=False, id="results.warnings"),
        Binding("r", "reload", "reload", show=False, id="results.reload"),
        Binding("q", "back", "back", id="results.back"),
        Binding("escape", "up", "close a view", show=False, id="results.close"),
    ]

    @dataclass
    class Found(Message):
        """There is more to be seen."""

        findings: Findings

    @dataclass
    class Failed(Message):
        """It could not be read."""

        error: JudgeTuiError

    def __init__(self, session: Session, question: Question = Question()) -> None:  # noqa: B008
        super().__init__()
        refuse_unknown(session.campaign, question)
        self.session = session
        self.question = question
        self.findings: Findings | None = None
        self.levels = [Level(leaderboard)]
        self._ahead: Level | None = None
        self._nothing = "reading …"
        self._version = -1
        self._tab = 0

    def compose(self) -> ComposeResult:
        tabs = Tabs(*(Tab(f"{at} {name}", id=f"view-{at}") for at, name in enumerate(_VIEWS, 1)))
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
        self._read()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)

    # --- what is known, as it comes

    def _read(self) -> None:
        """Read all of it again; what is on screen stays until that is there."""
        try:
            self._version = self.session.campaign.version()
        except CampaignError as error:
            self.query_one(StatusLine).fail("CANNOT READ", error)
            return
        self._find(None)

    @work(thread=True, exclusive=True, group=_FINDING)
    def _find(self, findings: Findings | None) -> None:
        """In a thread: read what is not known, and work out what is missing."""
        worker, campaign = get_current_worker(), self.session.campaign
        try:
            if findings is None:
                with second_reader(campaign, lambda: worker.is_cancelled) as reader:
                    findings = read_findings(campaign, reader, self.question, self.findings)
                    self.post_message(self.Found(findings))
                    findings.read_facts(reader)
            for _ in findings.work_out():
                if worker.is_cancelled:
                    return
                self.post_message(self.Found(findings))
        except JudgeTuiError as error:
            if not worker.is_cancelled:
                self.post_message(self.Failed(error))

    @on(Found)
    def _take(self, message: Found) -> None:
        self.findings = message.findings
        self.make()

    @on(Failed)
    def _say_failed(self, message: Failed) -> None:
        error = message.error
        if isinstance(error, UsageError):
            # Nobody has judged, or what was asked for is not there any more.
            self.findings, self._nothing = None, f"{error.what}; {error.mend}".removesuffix("; ")
            self.make()
        else:
            self.query_one(StatusLine).fail("CANNOT READ", error)

    def on_worker_state_changed(self) -> None:
        self._show_basis()

    @property
    def working(self) -> bool:
        """Whether something is still to come."""
        its = (worker for worker in self.workers if worker.node is self)
        return any(worker.group == _FINDING and not worker.is_finished for worker in its)

    def make(self) -> None:
        """Make the view anew, of what is known; one of something that is gone is left."""
        level = self.levels[-1]
        try:
            level.view = None
            if self.findings is not None:
                level.make(self.findings)
        except UsageError as error:
            self._nothing = f"{error.what}; {error.mend}".removesuffix("; ")
            if len(self.levels) > 1:
                self.levels.pop()
                self.make()
                self.query_one(StatusLine).say(foreign(self._nothing))
                return
        except CampaignError as error:
            self.query_one(StatusLine).fail("CANNOT READ", error)
        self.show()

    # --- what is on screen

    @property
    def level(self) -> Level:
        """The view that is seen."""
        return self.levels[-1]

    @property
    def side(self) -> int:
        """1 on the right one of two rankings."""
        view = self.level.view
        return int(view is not None and view.split > 0 and self.focused is self._beside)

    @property
    def _rows(self) -> Table:
        return self.query_one("#rows", Table)

    @property
    def _beside(self) -> Table:
        return self.query_one("#beside", Table)

    def show(self) -> None:
        """Put the view on screen."""
        level, view = self.level, self.level.view
        split = view is not None and view.split > 0
        self.query_one("#tables").set_class(split, "-split")
        self.query_one("#tables").set_class(view is None, "-nothing")
        self.query_one("#nothing", Static).update(foreign(self._nothing))
        sides = 2 if split else 1
        self._fill(self._rows, level, sides, 0)
        if split:
            self._fill(self._beside, level, sides, 1)
        elif self.focused is self._beside:
            self._rows.focus()
        path = Content(" › ").join(one.view.path for one in self.levels if one.view is not None)
        line = self.query_one("#path", Static)
        line.update(path)
        line.display = len(self.levels) > 1
        self._make_room()
        self._show_row()
        self._show_basis()
        self.refresh_bindings()

    def _fill(self, table: Table, level: Level, sides: int, side: int) -> None:
        view = level.view
        if view is None:
            table.show([Heading()], 0, _no_cells)
            return
        columns = view.columns(sides, side)
        rows = level.rows
        headings = [self._heading(one, level) for one in columns]
        title = visible_line(name_of(view.table)) if sides == 1 else columns[1].heading.title
        if level is self._ahead:
            title = f"enter: {title}"
        table.border_title = Content(title)

        def cells(row: int) -> list[Content]:
            return [one.cell(rows[row]) for one in columns]

        nothing = "no row has that" if level.words else view.empty
        table.show(headings, len(rows), cells, cursor=level.cursor, empty=nothing)

    def _heading(self, column: ShownColumn, level: Level) -> Heading:
        """With a sign where the rows are sorted by it."""
        heading, view = column.heading, level.view
        if view is None or level.sort is None or heading.title != level.sort[0]:
            return heading
        return replace(heading, title=f"{heading.title} {'↓' if level.sort[1] else '↑'}")

    def _make_room(self) -> None:
        """Below few rows, show what lies behind the one under the cursor."""
        view, rows = self.level.view, self.level.rows
        tables, here = self.query_one("#tables"), self._rows
        wanted = len(rows) + 3
        known = self.findings
        few = known is not None and len(known.judged.lists.query_ids) <= _FEW_QUERIES
        room = tables.size.height - wanted >= _LEAST_AHEAD
        leads = view is not None and not view.split and bool(rows) and view.open(rows[0], 0)
        ahead = callable(leads) and few and room
        tables.set_class(ahead, "-ahead")
        here.styles.height = wanted if ahead else "1fr"

    def _show_row(self) -> None:
        """What there is to say of the row under the cursor, and what lies behind it."""
        level, view = self.level, self.level.view
        detail, self._ahead = Content(""), None
        at = self._rows.cursor
        if view is not None and at < len(level.rows):
            row = level.rows[at]
            level.here = view.keys[row]
            detail = view.detail(row, self.side)
            leads = view.open(row, 0)
            if self.query_one("#tables").has_class("-ahead"):
                self._look_ahead(leads if callable(leads) else None)
        self.query_one("#detail", Static).update(detail)

    def _look_ahead(self, place: Place | None) -> None:
        level = Level(place) if place is not None else None
        try:
            if level is not None and self.findings is not None:
                level.make(self.findings)
        except JudgeTuiError:
            level = None
        self._ahead = level
        if level is None:
            self._beside.border_title = ""
            self._beside.show([Heading()], 0, _no_cells)
        else:
            self._fill(self._beside, level, 1, 0)

    def _show_basis(self) -> None:
        """Whose grades, how many, and what has to be known; at the end what happens."""
        parts: list[Content] = []
        known = self.findings
        if known is not None:
            its = known.basis.grades
            models = "counted" if its.models else "not counted"
            graded = int(known.judged.graded_queries.sum())
            parts = [
                foreign(its.policy, "bold"),
                Content(f"models: {models}{', no others' if its.only_models else ''}"),
                Content(f"{graded:,} queries, {its.pairs:,} grades"),
                *([Content(f"{its.unresolved:,} unresolved")] if its.unresolved else []),
                *([Content(f"{its.unjudged:,} not judged")] if its.unjudged else []),
            ]
        view = self.level.view
        if view is not None and (count := len(view.report.warnings)):
            parts.insert(0, Content.styled(f"W {counted(count, 'warning')}", "bold $text-warning"))
        if self._is_changed():
            parts.insert(0, Content.styled("changed on disk: r reloads", "bold $text-warning"))
        elif self.working:
            parts.insert(0, Content.styled("working …", "$text-accent"))
        self.query_one("#basis", Static).update(Content("   ").join(parts))

    def _is_changed(self) -> bool:
        """Whether somebody else wrote to the file since it was read."""
        try:
            return self.session.campaign.version() != self._version
        except CampaignError:
            # The app says what became of it.
            return False

    @on(Table.Moved)
    def _moved(self, message: Table.Moved) -> None:
        view = self.level.view
        if view is not None and view.split:
            for table in (self._rows, self._beside):
                table.move(message.row)
        if message.table is self._rows or self.side:
            self._show_row()
            self._show_basis()

    def on_descendant_focus(self) -> None:
        self._show_row()

    # --- from view to view

    def open(self, place: Place) -> None:
        """Lay a view on the others."""
        self.levels.append(Level(place))
        self.query_one(StatusLine).say()
        self.make()
        self._rows.focus()

    @on(Table.Opened)
    def _opened(self, message: Table.Opened) -> None:
        view, row = self.level.view, message.row
        if message.table is self._beside and self._ahead is not None:
            # What lies behind the row is seen already: open that, and go on to its row.
            ahead = self._ahead
            self.open(ahead.place)
            view, self.level.here = self.level.view, None
            row = ahead.rows[row]
            if view is not None:
                self.level.here = view.keys[row]
        elif view is not None:
            row = self.level.rows[row]
        leads = None if view is None else view.open(row, self.side)
        if isinstance(leads, DocumentAt):
            self._read_document(leads)
        elif leads is not None:
            self.open(leads)

    def _read_document(self, at: DocumentAt) -> None:
        try:
            query = query_by_key(self.session.campaign, at.query)
            document, loaded = document_by_key(self.session.campaign, at.document)
        except CampaignError as error:
            self.query_one(StatusLine).fail("CANNOT READ", error)
            return
        self.app.push_screen(
            DocumentReader(
                self.session,
                document,
                title=f"{document.doc_id}  {document.title}   {query.query_id} {query.text}",
                marks=query_terms(query.text),
                loaded=loaded,
            )
        )

    @on(Tabs.TabActivated)
    def _chosen(self, message: Tabs.TabActivated) -> None:
        self.action_view(int(str(message.tab.id).rpartition("-")[2]) - 1)

    def action_view(self, at: int) -> None:
        tabs = self.query_one(Tabs)
        places: Sequence[Place] = (
            leaderboard,
            partial(failures, tag=self._tag()),
            first_ranks,
            slices,
            disagreements,
        )
        if tabs.active != f"view-{at + 1}":
            # Comes back here as a message.
            tabs.active = f"view-{at + 1}"
            return
        if at == self._tab and len(self.levels) == 1:
            return
        self._tab, self.levels = at, [Level(places[at])]
        self.query_one(StatusLine).say()
        self.make()
        self._rows.focus()

    def action_up(self) -> None:
        """Back by one view; never away from the screen."""
        if len(self.levels) > 1:
            self.levels.pop()
            self.query_one(StatusLine).say()
            self.make()

    def action_back(self) -> None:
        if len(self.levels) > 1:
            self.action_up()
        else:
            self.app.pop_screen()

    def action_turn(self, by: int) -> None:
        view = self.level.view
        if view is None or view.turn is None:
            self.query_one(StatusLine).say("there is no other one")
            return
        self.level.place = view.turn(by)
        self.level.here = None
        self.make()

    def _tag(self) -> str:
        """The run that one is at, here or in a view below; else the first."""
        tags = () if self.findings is None else self.findings.tags
        for level in reversed(self.levels):
            for tag in (level.here, level.view.tag if level.view is not None else ""):
                if tag in tags:
                    return str(tag)
        return next(iter(tags), "")

    # --- how it is looked at

    @work
    async def action_measure(self) -> None:
        known = self.findings
        if known is None:
            return
        measures = known.basis.measures
        names = [measure.name for measure in measures]
        chosen = await self._pick("Measure", names, names.index(known.measure.name))
        if chosen is not None:
            known.measure = measures[chosen]
            self.make()
            self._find(known)

    @work
    async def action_baseline(self) -> None:
        known = self.findings
        if known is None:
            return
        tags = known.tags
        at = tags.index(self._tag())
        chosen = await self._pick("Compare with", tags, at)
        if chosen is not None:
            known.compare_with(tags[chosen])
            self.make()
            self._find(known)

    @work
    async def action_sort(self) -> None:
        view = self.level.view
        if view is None:
            return
        titles = [column.title or "" for column in view.table.columns]
        order = "as it was"
        chosen = await self._pick("Sort by", [order, *titles], 0)
        if chosen is not None:
            self._sort("" if chosen == 0 else titles[chosen - 1])

    @on(Table.HeadingPressed)
    def _heading_pressed(self, message: Table.HeadingPressed) -> None:
        view = self.level.view
        if view is not None and not view.split and message.table is self._rows:
            place = view.columns()[message.column].place
            self._sort(view.table.columns[place].title or "")

    def _sort(self, title: str) -> None:
        """By a column: numbers downwards first, words upwards; once more the other way."""
        level, view = self.level, self.level.view
        if view is None:
            return
        downwards = next((one.right for one in view.table.columns if one.title == title), True)
        if level.sort is not None and level.sort[0] == title:
            downwards = not level.sort[1]
        level.sort = (title, downwards) if title else None
        self.make()

    @work
    async def action_filter(self) -> None:
        level = self.level
        hint = "words that a row must have; none shows all rows"
        words = await self.app.push_screen_wait(Prompt("Rows with", value=level.words, hint=hint))
        if words is not None:
            level.words = words
            self.make()

    def action_models(self) -> None:
        """Look at the grades with those of models, or without; the campaign stays as it is."""
        now = self.question.include_models
        counted_now = self.session.campaign.settings.include_models if now is None else now
        self.question = replace(self.question, include_models=not counted_now)
        said = "not counted" if counted_now else "counted"
        self.query_one(StatusLine).say(f"models {said} here; the campaign's setting stays")
        self._read()

    async def _pick(self, title: str, names: Sequence[str], cursor: int) -> int | None:
        rows = [[foreign(name)] for name in names]
        picker = Picker(title, [Heading(fill=True)], rows, cursor=cursor, words=names)
        return await self.app.push_screen_wait(picker)

    # --- the campaign and files

    def action_reload(self) -> None:
        self.query_one(StatusLine).say("reading again …")
        self._read()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing here are not among those of the footer."""
        view = self.level.view
        if action == "pool":
            return view is not None and view.name.startswith("rankings-")
        if action == "turn":
            return view is not None and view.turn is not None
        if action in ("sort", "filter", "measure"):
            return view is None or not view.split
        return True

    def action_pool(self) -> None:
        view, status = self.level.view, self.query_one(StatusLine)
        at = None if view is None else view.open(self._rows.cursor, self.side)
        if not isinstance(at, DocumentAt):
            status.say("go to a document in a ranking first: that is sent to the pool")
        elif at.grade is not None:
            status.say("this document has a final grade")
        else:
            campaign = self.session.campaign
            try:
                is_new = send_to_pool(campaign, at.query, at.document)
                assigned = pairs_are_assigned(campaign)
            except CampaignError as error:
                status.fail("NOT SAVED", error)
                return
            said = "in the pool now: it counts here once a judge has graded it"
            if not is_new:
                said = "in the pool already: a judge must grade it, or the lead decide"
            elif assigned:
                assigning = typed(campaign.path, "assign", "--judges …")
                said = f"in the pool, but given to nobody: {assigning} gives it out"
            status.say(foreign(said))
            if is_new:
                self._read()

    @work
    async def action_tables(self) -> None:
        """The other tables of the report: what the numbers rest on, in numbers."""
        level = self.level
        if level.view is None:
            return
        tables = level.view.report.tables
        places = [at for at, table in enumerate(tables) if at and table.for_readers().rows]
        names = [name_of(tables[at]) for at in places]
        chosen = await self._pick("More tables", names, 0) if names else None
        if chosen is not None:
            self.open(partial(other_table, place=level.place, at=places[chosen]))

    @work
    async def action_export(self) -> None:
        """Write what is on screen, in the form that the name says; never over a file."""
        status = self.query_one(StatusLine)
        if self.working:
            status.say("not all of it is worked out yet: again in a moment")
            return
        try:
            report = self.level.report.brief()
        except UsageError as error:
            status.fail("NOT WRITTEN", error)
            return
        name: str | None = file_name("" if self.level.view is None else self.level.view.name)
        forms = hint = f"the form is that of the name: {' '.join(_FORMS)}"
        while name is not None:
            prompt = Prompt("Write this view to a file", value=name, hint=hint)
            name = await self.app.push_screen_wait(prompt)
            if name is None:
                return
            if not (wrong := _written(report, name)):
                status.say(Content.assemble("written: ", foreign(name, "bold")))
                return
            hint = f"{wrong}\n{forms}"

    def action_warnings(self) -> None:
        view = self.level.view
        if view is None or self.findings is None:
            return
        basis = self.findings.basis
        lines = [
            basis.about,
            f"The top is the first {basis.question.k:,} results.",
            *undefined_lines(basis.left_out.items()),
            *view.report.warnings,
            f"What is drawn is drawn from the seed {basis.seed}.",
        ]
        text = "\n\n".join(map(str, lines))
        self.app.push_screen(TextPanel("What the numbers rest on", Document("", text=text)))


def _no_cells(_row: int) -> Sequence[Content]:
    return (Content(""),)


def file_name(view: str) -> str:
    """What a file with that view is called unless somebody says otherwise. Ids and tags are
    foreign: none leads out of the folder, or needs quoting."""
    name = _UNUSUAL.sub("-", view)[:80].strip("-.")
    return f"{name or 'results'}.csv"


def _written(report: Report, name: str) -> str:
    """Write a report; why that is not possible, "" where it is done."""
    form = _FORMS.get(Path(name).suffix.lower())
    if form is None:
        return f"a name that ends in one of {' '.join(_FORMS)} says the form"
    try:
        path = Path(name).expanduser()
        refuse_target(path)
        if path.exists():
            return f"{path.name} is there already: give another name"
        write_text(render(report, form), path)
    except (JudgeTuiError, OSError, RuntimeError, ValueError) as error:
        # A name that is too long, or has a NUL; a home folder that nobody has.
        return f"NOT WRITTEN  {error}"
    return ""
