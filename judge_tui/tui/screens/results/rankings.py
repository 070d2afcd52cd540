"""The ranking of one query in a run, or in two side by side: what each has where, and where the
other has it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from judge_tui.analysis.misses import RankedDocument, SideBySide, side_by_side
from judge_tui.analysis.warnings import of_query
from judge_tui.campaign.store.pool import pooled_documents
from judge_tui.errors import UsageError
from judge_tui.report import Report
from judge_tui.scoring import Measure
from judge_tui.tui.cells import padded
from judge_tui.tui.names import by_name, without_results
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.screens.results.view import Spot, View
from judge_tui.tui.shown import foreign, grade_class, grade_content
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

UNJUDGED = "·"
"""What stands for the grade of a document that has none."""

_BETWEEN = " │ "


class RankingsView(View):
    """A row for each rank, the first run at the left, the second, where there is one, at the right.
    One document of the row is the one that keys mean: that on the side where one is."""

    def __init__(
        self, findings: Findings, tags: tuple[str, ...], query_ids: Sequence[str], at: int
    ) -> None:
        """The query at the place `at` of some, to which one can go on from there."""
        super().__init__(findings)
        self._tags = tags
        self._ids = query_ids
        self._at = at
        self._side = len(tags) - 1
        self._found: SideBySide | None = None
        self._pooled: frozenset[int] = frozenset()
        self._unresolved: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        return f"rankings-{self._ids[self._at]}"

    @property
    def hints(self) -> Sequence[tuple[str, ...]]:
        sides = (("results.left", "left"), ("results.right", "right"))
        return (
            ("list.choose", "read"),
            ("results.pool", "to the pool", "pool"),
            *(sides if len(self._tags) > 1 else ()),
            ("results.export", "export"),
            ("results.next", "next query", "next"),
        )

    @property
    def run(self) -> str | None:
        return self._tags[self._side]

    @property
    def title(self) -> Content:
        query_id = self._ids[self._at]
        text = self.findings.queries.texts.get(query_id, "")
        return Content.assemble(foreign(query_id, "bold $accent"), "  ", foreign(text, "bold"))

    def look(self) -> None:
        judged = self.findings.judged
        place = judged.lists.index_of_query(self._ids[self._at])
        depth = judged.lists.documents.shape[2]
        self._found = side_by_side(judged, place, *self._tags, depth=depth)
        self._query = self.findings.query(place)
        self._pooled = pooled_documents(self.findings.campaign, self._query)
        self._unresolved = self.findings.unresolved(self._query)
        documents = [one.document for row in self._found.rows for one in row if one is not None]
        self._named = self.findings.named(documents)
        self.name_rows(range(len(self._found.rows)))

    def find_warnings(self) -> tuple[str, ...]:
        findings, found = self.findings, self._found
        if found is None:
            return ()
        return of_query(findings.judged, findings.stated, found.query_id, self._tags)

    @property
    def empty(self) -> str:
        if self._found is None:
            return ""
        why = [
            f"{visible_line(tag)} {visible_line(nothing)}"
            for tag, nothing in zip(self._found.tags, self._found.nothing, strict=True)
        ]
        if len(why) == 1:
            return f"The run has no result for this query: {why[0]}"
        return f"Neither run has a result for this query: {'; '.join(why)}"

    def head(self, width: int) -> str:
        found = self._found
        if found is None:
            return ""
        named = [
            f"  {visible_line(tag)}, {visible_line(nothing) or f'{length:,} kept'}"
            for tag, length, nothing in zip(found.tags, found.lengths, found.nothing, strict=True)
        ]
        return _BETWEEN.join(map(padded, named, self._widths(width)))

    def _widths(self, width: int) -> tuple[int, ...]:
        if len(self._tags) == 1:
            return (width,)
        room = max(2, width - len(_BETWEEN))
        return room // 2, room - room // 2

    def draw(self, row: int, width: int) -> list[Piece]:
        if self._found is None:
            return []
        pieces: list[Piece] = []
        for side, one in enumerate(self._found.rows[row]):
            if side:
                pieces.append((_BETWEEN, "list--faint"))
            pieces += self._list(one, side, self._widths(width)[side], row)
        return pieces

    def _list(self, one: RankedDocument | None, side: int, width: int, row: int) -> list[Piece]:
        if one is None:
            return [(" " * width, "")]
        here = row == self.cursor and side == self._side
        waits = one.grade is None and one.document in self._pooled
        front = f"{'▸' if here else ' '}{one.rank:>3} "
        mark = UNJUDGED if one.grade is None else str(one.grade)
        move = _move(one, side) if len(self._tags) > 1 else ""
        room = max(1, width - len(front) - 2 - 5)
        style = "list--faint" if one.grade is None else f"list--{self._class(one.grade)}"
        return [
            (front, "list--strong" if here else "list--faint"),
            (mark, style),
            ("+" if waits else " ", "list--fair"),
            (f"{move:<5}", _move_style(move)),
            (padded(visible_line(self._called(one.document)), room), ""),
        ]

    def _called(self, document: int) -> str:
        named = self._named.get(document)
        return "" if named is None else named.doc_id

    def _class(self, grade: int) -> str:
        return grade_class(grade, self.findings.campaign.settings.scale)

    def _under(self, row: int) -> RankedDocument | None:
        if self._found is None or row >= len(self._found.rows):
            return None
        return self._found.rows[row][self._side]

    def below(self, row: int) -> Content:
        one = self._under(row)
        if one is None:
            if self._found is not None and (why := self._found.nothing[self._side]):
                return without_results([(self._tags[self._side], why)])
            return Content.styled("Nothing at this rank: the list is shorter.", "dim")
        named = self._named.get(one.document)
        title = named.title if named is not None and named.title else ""
        if one.grade is not None:
            state = grade_content(one.grade, self.findings.campaign.settings.scale)
        else:
            state = Content.styled(self.unjudged(one.document), "$text-warning")
        return Content("\n").join(
            [
                Content.assemble(foreign(self._called(one.document), "bold"), "  ", foreign(title)),
                Content.assemble(
                    f"rank {one.rank} in ", by_name(self._tags[self._side]), *self._elsewhere(one)
                ),
                state,
            ]
        )

    def _elsewhere(self, one: RankedDocument) -> Sequence[Content]:
        """Where the other list has the document."""
        if len(self._tags) == 1:
            return ()
        where = "not in what is kept of" if one.other_rank is None else f"rank {one.other_rank} in"
        return Content(f", {where} "), by_name(self._tags[1 - self._side])

    def unjudged(self, document: int) -> str:
        """Why a document has no final grade, in words."""
        if document not in self._pooled:
            return "unjudged, and not in the pool"
        if document in self._unresolved:
            return "unresolved: judged, but without a final grade; counts as unjudged"
        return "unjudged: in the pool, and not judged yet"

    def spot(self, row: int) -> Spot | None:
        one = self._under(row)
        if one is None:
            return None
        return Spot(self._query, one.document, one.grade is not None)

    def side(self, to: int) -> bool:
        if len(self._tags) == 1:
            return False
        self._side = to
        return True

    def turned(self, by: int) -> bool:
        if len(self._ids) < 2:
            return False
        self._at = (self._at + by) % len(self._ids)
        self.cursor = 0
        return True

    def report(self) -> Report:
        from judge_tui.report.results import rankings_report  # noqa: PLC0415 - few export

        findings, found = self.findings, self._found
        if found is None:
            raise UsageError("the runs are still being read")
        basis = self.stated
        return rankings_report(
            found,
            basis,
            findings.queries.texts,
            self._named,
            self._pooled,
            values={one.name: self._worth(one) for one in (*basis.measures, *basis.shares)},
        )

    def _worth(self, measure: Measure) -> tuple[float | None, ...]:
        """What the query is worth in each run, None where it is not scored."""
        found = self._found
        if found is None:
            return ()
        return self.findings.judged.values_of_query(measure, found.query, found.tags)


def _move(one: RankedDocument, side: int) -> str:
    """How a document moved from the left list to the right one, said at the right; at the left only
    that it is gone."""
    if one.moved is None:
        return "new" if side else "gone"
    if not side or not one.moved:
        return ""
    return f"{'↑' if one.moved > 0 else '↓'}{abs(one.moved)}"


def _move_style(move: str) -> str:
    if move in ("new", "gone"):
        return "list--fair"
    return "list--good" if move.startswith("↑") else "list--poor"
