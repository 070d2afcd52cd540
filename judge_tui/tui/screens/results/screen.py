"""The Results screen: views that lie on each other, of which the last one is seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
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
from judge_tui.formats.writing import write_text
from judge_tui.model import Document
from judge_tui.report import FORMS, render
from judge_tui.tui.rendering import query_terms
from judge_tui.tui.screens.document_reader import DocumentReader
from judge_tui.tui.screens.results.findings import Findings, read_findings, refuse_unknown
from judge_tui.tui.screens.results.view import DocumentAt, Place, View, name_of, other_table
from judge_tui.tui.screens.results.views import (
    disagreements,
    failures,
    first_ranks,
    leaderboard,
    slices,
)
from judge_tui.tui.session import Session
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.dialogs import Picker, Prompt
from judge_tui.tui.widgets.file_prompt import ask_for_file
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Heading, Table
from judge_tui.tui.widgets.text_panel import TextPanel

_VIEWS = ("Leaderboard", "Failures", "First relevant", "Slices", "Disagreements")
_FORMS = {form.suffix: name for name, form in FORMS.items()}
_UNUSUAL = re.compile(r"[^\w.]+")
_FINDING = "finding"
_LEAST_AHEAD = 7
"""Lines that what lies behind the row under the cursor is shown in, or it is not."""
_FEW_QUERIES = 400
"""Of more, it is not worked out at each move of the cursor."""
_FEW_RESULTS = 100_000
"""Of more, the means are shown before the rest is worked out."""


@dataclass
class Level:
    """One of the views that lie on each other, and how it is looked at: the row under the cursor by
    what it is about, the column that it is sorted by (its title, and whether downwards), and the
    words that rows must have."""

    place: Place
    here: Hashable = None
    sort: tuple[str, bool] = ("", False)
    words: str = ""
    view: View | None = None
    rows: Sequence[int] = ()

    def make(self, findings: Findings) -> None:
        """Make the view of what is known. Raises as `Place` does."""
        view = self.view = self.place(findings)
        words = self.words.casefold().split()
        self.rows = [
            row
            for row in view.in_order(self.sort[0], descending=self.sort[1])
            if all(word in view.said(row).plain.casefold() for word in words)
        ]

    @property
    def cursor(self) -> int:
        """Where the row that it is on stands now, else the first."""
        keys = () if self.view is None else self.view.keys
        return next((at for at, row in enumerate(self.rows) if keys[row] == self.here), 0)


class ResultsScreen(SizedScreen[None]):
    """Which run is better, on which queries, and what came instead."""

    BINDING_GROUP_TITLE = "Results"
    AUTO_FOCUS = "#rows"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(at), f"view({at})", name.lower(), show=False, id=f"results.view-{at}")
            for at, name in enumerate(_VIEWS, 1)
        ),
        Binding("m", "measure", "measure", id="results.measure"),
        Binding("s", "sort", "sort", id="results.sort"),
        Binding("B", "baseline", "baseline", id="results.baseline"),
        Binding("p", "pool", "to the pool", id="results.pool"),
        Binding("left_square_bracket", "turn(-1)", "previous", show=False, id="results.previous"),
        Binding("right_square_bracket", "turn(1)", "next", id="results.next"),
        Binding("M", "models", "count models or not", show=False, id="results.models"),
        Binding("F,slash", "filter", "filter rows", show=False, id="results.filter"),
        Binding("t", "tables", "more tables", show=False, id="results.tables"),
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
        self._tab = 1

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
        self._status = self.query_one(StatusLine)
        self._rows = self.query_one("#rows", Table)
        self._beside = self.query_one("#beside", Table)
        self._tables = self.query_one("#tables")
        self._read()

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)

    # --- what is known, as it comes

    def _read(self) -> None:
        """Read all of it again; what is on screen stays until that is there."""
        try:
            self._version = self.session.campaign.version()
        except CampaignError as error:
            self._status.fail("CANNOT READ", error)
        else:
            self._find()

    @work(thread=True, exclusive=True, group=_FINDING)
    def _find(self, findings: Findings | None = None) -> None:
        """Read what is not known, and work out what is missing."""
        worker, campaign = get_current_worker(), self.session.campaign
        try:
            if findings is None:
                with second_reader(campaign, lambda: worker.is_cancelled) as reader:
                    findings = read_findings(campaign, reader, self.question, self.findings)
                    findings.read_facts(reader)
            # Of few results all is known before anybody could read the first of it.
            many = findings.judged.lists.documents.size > _FEW_RESULTS
            for _ in findings.work_out():
                if worker.is_cancelled:
                    return
                if many:
                    self.call_later(self._take, findings)
            if not worker.is_cancelled:
                self.call_later(self._take, findings)
        except JudgeTuiError as error:
            if not worker.is_cancelled:
                self.call_later(self._fail, error)

    def _take(self, findings: Findings) -> None:
        self.findings = findings
        self.make()

    def _fail(self, error: JudgeTuiError) -> None:
        if isinstance(error, UsageError):
            # Nobody has judged, or what was asked for is not there any more.
            self.findings, self._nothing = None, str(error)
            self.make()
        else:
            self._status.fail("CANNOT READ", error)

    def on_worker_state_changed(self) -> None:
        self._show_basis()

    @property
    def working(self) -> bool:
        """Whether something is still to come."""
        its = (worker for worker in self.workers if worker.node is self)
        return any(worker.group == _FINDING and not worker.is_finished for worker in its)

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

    def make(self) -> None:
        """Make the view anew, of what is known; one of something that is gone is left."""
        level, level.view = self.level, None
        try:
            if self.findings is not None:
                level.make(self.findings)
        except UsageError as error:
            self._nothing = str(error)
            if len(self.levels) > 1:
                self.levels.pop()
                self._status.say(foreign(str(error)))
                self.make()
                return
        except CampaignError as error:
            self._status.fail("CANNOT READ", error)
        self.show()

    def show(self) -> None:
        """Put the view on screen."""
        view = self.level.view
        split = view is not None and view.split > 0
        self._tables.set_class(view is None, "-nothing")
        self._tables.set_class(split, "-split")
        self._make_room()
        if view is None:
            self.query_one("#nothing", Static).update(foreign(self._nothing))
            self._rows.show([Heading()], 0, lambda _row: ())
        else:
            self._fill(self._rows, self.level, 0 if split else None)
            if split:
                self._fill(self._beside, self.level, 1)
        if self.focused is None or not self.focused.display:
            self._rows.focus()
        path = self.query_one("#path", Static)
        path.update(Content(" › ").join(one.view.path for one in self.levels if one.view))
        path.display = len(self.levels) > 1
        self._show_row()
        self._show_basis()
        self.refresh_bindings()

    def _fill(self, table: Table, level: Level, side: int | None = None) -> None:
        view, rows = level.view, level.rows
        if view is None:
            return
        columns = view.columns(side)
        headings = [one.heading for one in columns]
        for at, heading in enumerate(headings):
            if heading.title and heading.title == level.sort[0]:
                sign = "↓" if level.sort[1] else "↑"
                headings[at] = replace(heading, title=f"{heading.title} {sign}")
        title = view.title if side is None else view.titles[side]
        table.border_title = Content(f"enter: {title}" if level is self._ahead else title)
        table.show(
            headings,
            len(rows),
            lambda row: [one.cell(rows[row]) for one in columns],
            cursor=level.cursor,
            empty="no row has that" if level.words else view.empty,
        )

    def _make_room(self) -> None:
        """Below few rows, show what lies behind the one under the cursor."""
        known, view, rows = self.findings, self.level.view, self.level.rows
        wanted = len(rows) + 3
        ahead = (
            known is not None
            and len(known.judged.lists.query_ids) <= _FEW_QUERIES
            and self._tables.size.height - wanted >= _LEAST_AHEAD
            and view is not None
            and bool(rows)
            and callable(view.open(rows[0], 0))
        )
        self._tables.set_class(ahead, "-ahead")
        self._rows.styles.height = wanted if ahead else "1fr"

    def _show_row(self) -> None:
        """What there is to say of the row under the cursor, and what lies behind it."""
        level, view, at = self.level, self.level.view, self._rows.cursor
        detail, said = self.query_one("#detail", Static), Content("")
        if view is not None and at < len(level.rows):
            row = level.rows[at]
            level.here = view.keys[row]
            said = view.said(row, self.side, detail.content_size.width)
            leads = view.open(row, 0)
            if self.findings is not None and callable(leads) and self._tables.has_class("-ahead"):
                self._ahead = Level(leads)
                try:
                    self._ahead.make(self.findings)
                except JudgeTuiError:
                    self._ahead.view, self._ahead.rows = view, ()
                self._fill(self._beside, self._ahead)
        detail.update(said)

    def _show_basis(self) -> None:
        """What happens, what has to be known, and whose grades the numbers rest on."""
        known, view = self.findings, self.level.view
        parts: list[Content | str] = []
        if self._is_changed():
            parts.append(Content.styled("changed on disk: r reloads", "bold $text-warning"))
        elif self.working:
            parts.append(Content.styled("working …", "$text-accent"))
        if view is not None and (count := len(view.report.warnings)):
            parts.append(Content.styled(f"W {counted(count, 'warning')}", "bold $text-warning"))
        if known is not None:
            its = known.basis.grades
            queries = int(known.judged.graded_queries.sum())
            models = "counted" if its.models else "not counted"
            parts += [
                foreign(its.policy, "bold"),
                f"models: {models}{', no others' if its.only_models else ''}",
                f"{counted(queries, 'query', 'queries')}, {counted(its.pairs, 'grade')}",
                f"{its.unresolved:,} unresolved" if its.unresolved else "",
                f"{its.unjudged:,} not judged" if its.unjudged else "",
            ]
        shown = [Content(one) if isinstance(one, str) else one for one in parts if one]
        self.query_one("#basis", Static).update(Content("   ").join(shown))

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
        elif message.table is self._beside:
            return
        self._show_row()
        self._show_basis()

    def on_descendant_focus(self) -> None:
        self._show_row()

    # --- from view to view

    def open(self, place: Place, here: Hashable = None) -> None:
        """Lay a view on the others."""
        self.levels.append(Level(place, here))
        self._status.say()
        self.make()
        self._rows.focus()

    @on(Table.Opened)
    def _opened(self, message: Table.Opened) -> None:
        level, ahead, side = self.level, self._ahead, self.side
        if message.table is self._beside and not side and ahead is not None and ahead.view:
            # What lies behind the row is seen already: go on to what lies behind that.
            self.open(ahead.place, ahead.view.keys[ahead.rows[message.row]])
            level = self.level
        if level.view is None:
            return
        leads = level.view.open(level.rows[message.row], side)
        if isinstance(leads, DocumentAt):
            self._read_document(leads)
        elif leads is not None:
            self.open(leads)

    def _read_document(self, at: DocumentAt) -> None:
        try:
            query = query_by_key(self.session.campaign, at.query)
            document, loaded = document_by_key(self.session.campaign, at.document)
        except CampaignError as error:
            self._status.fail("CANNOT READ", error)
            return
        title = f"{document.doc_id}  {document.title}   {query.query_id} {query.text}"
        marks = query_terms(query.text)
        self.app.push_screen(
            DocumentReader(self.session, document, title=title, marks=marks, loaded=loaded)
        )

    @on(Tabs.TabActivated)
    def _chosen(self, message: Tabs.TabActivated) -> None:
        at = int(str(message.tab.id).rpartition("-")[2])
        if at != self._tab:
            self.action_view(at)

    def action_view(self, at: int) -> None:
        places = (
            leaderboard,
            partial(failures, tag=self._tag()),
            first_ranks,
            slices,
            disagreements,
        )
        self._tab, self.levels = at, []
        self.query_one(Tabs).active = f"view-{at}"
        self.open(places[at - 1])

    def action_up(self) -> None:
        """Back by one view; never away from the screen."""
        if len(self.levels) > 1:
            self.levels.pop()
            self._status.say()
            self.make()
            self._rows.focus()

    def action_back(self) -> None:
        if len(self.levels) > 1:
            self.action_up()
        else:
            self.app.pop_screen()

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
            self.levels[-1] = replace(level, place=leads, here=None)
            self.make()

    def _tag(self) -> str:
        """The run that one is at, here or in a view below; "" for none."""
        at = [tag for one in self.levels if one.view for tag in (one.view.tag, one.here)]
        tags = () if self.findings is None else self.findings.tags
        return next((str(tag) for tag in reversed(at) if tag in tags), "")

    # --- how it is looked at

    def _pick(
        self, title: str, names: Sequence[str], now: str, then: Callable[[int], None]
    ) -> None:
        """Ask for one of the names, and go on with its place."""
        rows = [[foreign(name)] for name in names]
        at = names.index(now) if now in names else 0
        picker = Picker(title, [Heading(fill=True)], rows, cursor=at, words=names)
        self.app.push_screen(picker, lambda at: None if at is None else then(at))

    def action_measure(self) -> None:
        if (known := self.findings) is not None:
            measures = known.basis.measures

            def look(at: int) -> None:
                known.measure = measures[at]
                self.make()
                self._find(known)

            names = [measure.name for measure in measures]
            self._pick("Measure", names, known.measure.name, look)

    def action_baseline(self) -> None:
        if (known := self.findings) is not None:

            def compare(at: int) -> None:
                known.compare_with(known.tags[at])
                self.make()
                self._find(known)

            self._pick("Compare with", known.tags, self._tag(), compare)

    def action_sort(self) -> None:
        if (view := self.level.view) is not None:
            titles = ["", *(column.title or "" for column in view.table.columns)]
            names = ["as it was", *titles[1:]]
            self._pick("Sort by", names, self.level.sort[0], lambda at: self._sort(titles[at]))

    @on(Table.HeadingPressed, "#rows")
    def _heading_pressed(self, message: Table.HeadingPressed) -> None:
        if (view := self.level.view) is not None:
            place = view.columns(0 if view.split else None)[message.column].place
            self._sort(view.table.columns[place].title or "")

    def _sort(self, title: str) -> None:
        """By a column: numbers downwards first, words upwards; once more the other way."""
        level, view = self.level, self.level.view
        if view is not None:
            downwards = any(one.right for one in view.table.columns if one.title == title)
            again = level.sort[0] == title
            level.sort = (title, not level.sort[1] if again else downwards)
            self.make()

    def action_filter(self) -> None:
        def keep(words: str | None) -> None:
            if words is not None:
                self.level.words = words
                self.make()

        hint = "words that a row must have; none shows all rows"
        self.app.push_screen(Prompt("Rows with", value=self.level.words, hint=hint), keep)

    def action_models(self) -> None:
        """Look at the grades with those of models, or without; the campaign stays as it is."""
        now = self.question.include_models
        now = self.session.campaign.settings.include_models if now is None else now
        self.question = replace(self.question, include_models=not now)
        said = "not counted" if now else "counted"
        self._status.say(f"models {said} here; the campaign's setting stays")
        self._read()

    def action_tables(self) -> None:
        """The other tables of the report: what the numbers rest on, in numbers."""
        if (view := self.level.view) is not None:
            tables, place = view.report.tables, self.level.place
            places = [at for at, table in enumerate(tables) if at and table.for_readers().rows]

            def show(at: int) -> None:
                self.open(partial(other_table, place=place, at=places[at]))

            self._pick("More tables", [name_of(tables[at]) for at in places], "", show)

    def action_warnings(self) -> None:
        view, known = self.level.view, self.findings
        if view is None or known is None:
            return
        basis, tables = known.basis, view.report.tables
        reasons = (row[0] for table in tables if table.about == "reasons" for row in table.rows)
        lines = [
            *view.report.warnings,
            basis.about,
            *(f"without a value: {one}" for one in reasons),
            f"the top is the first {basis.question.k:,} results; drawn from the seed {basis.seed}",
        ]
        document = Document("", text="\n\n".join(map(str, lines)), kind="text")
        self.app.push_screen(TextPanel("What the numbers rest on", document))

    # --- the campaign and files

    def action_reload(self) -> None:
        self._status.say()
        self._read()

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
        view, campaign, row = self.level.view, self.session.campaign, self._rows.cursor
        at = view.open(row, self.side) if view is not None and self.level.rows else None
        if not isinstance(at, DocumentAt):
            return
        if at.grade is not None:
            self._status.say("this document has a final grade")
            return
        try:
            is_new = send_to_pool(campaign, at.query, at.document)
            is_assigned = pairs_are_assigned(campaign)
        except CampaignError as error:
            self._status.fail("NOT SAVED", error)
            return
        said = "in the pool now: it counts here once a judge has graded it"
        if not is_new:
            said = "in the pool already: a judge must grade it, or the lead decide"
        elif is_assigned:
            assigning = typed(campaign.path, "assign", "--judges …")
            said = f"in the pool, but given to nobody: {assigning} gives it out"
        self._status.say(foreign(said))
        if is_new:
            self._read()

    def action_export(self) -> None:
        """Write what is on screen, in the form that the name says; never over a file."""
        view = self.level.view
        if view is None or self.working:
            self._status.say("not all of it is worked out yet: again in a moment")
            return
        report, suffixes = view.report.brief(), " ".join(_FORMS)

        def write(path: Path) -> None:
            form = _FORMS.get(path.suffix.lower())
            if form is None:
                raise UsageError(f"a name that ends in one of {suffixes} says the form")
            write_text(render(report, form), path)

        hint = f"the form is that of the name: {suffixes}"
        ask_for_file(self, "Write this view to a file", file_name(view.name), hint, write)


def file_name(view: str) -> str:
    """What a file with that view is called unless somebody says otherwise. Ids and tags are
    foreign: none leads out of the folder, or needs quoting."""
    name = _UNUSUAL.sub("-", view)[:80].strip("-.")
    return f"{name or 'results'}.csv"
