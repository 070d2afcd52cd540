"""One run beside the baseline, query by query, as bars to the left and to the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import ClassVar, NamedTuple

from textual.content import Content

from judge_tui.analysis.queries import Deltas, deltas
from judge_tui.analysis.warnings import of_results
from judge_tui.comparison.comparison import QueryDifference
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.report import Report
from judge_tui.scoring import Measure
from judge_tui.tui.cells import widest
from judge_tui.tui.names import by_name, without_results
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.figures import queries, signed, worth
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.screens.results.rankings import RankingsView
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.shown import foreign
from judge_tui.tui.widgets.line_list import Piece

_GREATEST_NAME = 80
_HALF = 10
_COLUMNS = (
    Column("before", 6, rank=2),
    Column("after", 6, rank=2),
    Column("delta", 7),
    Column("", 2 * _HALF + 1, rank=1, right=False),
    Column("became", 9, rank=3, right=False),
)
_TONES = {"added": "good", "improved": "good", "removed": "poor", "degraded": "poor"}


class Part(NamedTuple):
    """Some of the queries: those of one slice by a field. `query_ids` looks up which they are, as
    the file may have been read again; `measure`: the one that they declare."""

    by: str
    name: str
    query_ids: Callable[[], Set[str]]
    measure: Measure | None = None

    def __str__(self) -> str:
        return f"{self.by} {self.shown}"

    @property
    def shown(self) -> str:
        """The name as readers see it."""
        return self.name or "(none)"

    @property
    def content(self) -> tuple[Content, Content]:
        """As it stands in the title of a view."""
        by = foreign(f" of {self.by} ", "bold $accent")
        return by, by_name(self.shown, "bold $accent")


class DeltasView(View):
    """A row for each query, of all or of a part, that both runs are scored for, greatest gain
    first."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("list.choose", "both rankings", "rankings"),
        ("results.next", "next run", "next"),
        ("results.measure", "measure"),
        ("results.export", "export"),
    )

    def __init__(self, findings: Findings, tag: str, part: Part | None = None) -> None:
        super().__init__(findings)
        self._tag = tag
        self._part = part
        self._among: Set[str] | None = None
        self._found: Deltas | None = None
        self._rows: tuple[QueryDifference, ...] = ()

    @property
    def name(self) -> str:
        return f"deltas-{self._tag}" if self._part is None else f"deltas-{self._tag}-{self._part}"

    @property
    def run(self) -> str | None:
        return self._tag

    @property
    def title(self) -> Content:
        return Content.assemble(
            ("Per query", "bold $accent"),
            *(() if self._part is None else self._part.content),
            ("  ", "bold $accent"),
            by_name(self._tag, "bold"),
            " less ",
            by_name(self.findings.baseline or "", "bold"),
            f"  {self.measure}",
        )

    @property
    def measure(self) -> Measure | None:
        """What the queries declare, else what is chosen."""
        declared = None if self._part is None else self._part.measure
        return declared or self.findings.measure

    def look(self) -> None:
        findings = self.findings
        measure, baseline = self.measure, findings.baseline
        if measure is None or baseline is None or findings.basis is None:
            raise UsageError("nothing is compared yet", "again in a moment")
        among = self._among = None if self._part is None else self._part.query_ids()
        self._found = deltas(findings.judged, measure, baseline, self._tag, among)
        compared = self._found.comparison
        self._rows = () if compared is None else compared.by_query
        self._most = max((abs(row.difference) for row in self._rows), default=0.0)
        ids = [row.query_id for row in self._rows]
        self._widest = widest(_GREATEST_NAME, map(findings.called, ids))
        self.name_rows(ids)

    def find_warnings(self) -> tuple[str, ...]:
        findings, found = self.findings, self._found
        if found is None:
            return ()
        runs = found.baseline, found.tag
        return of_results(findings.judged, findings.stated, runs, among=self._among)

    @property
    def empty(self) -> str:
        return "Both runs share no judged query."

    def _laid(self, width: int) -> Laid:
        return self.lay(_COLUMNS, width, max(self._widest, len("query")), least=26, cuts_end=True)

    def head(self, width: int) -> str:
        return self._laid(width).head("query")

    def draw(self, row: int, width: int) -> list[Piece]:
        one = self._rows[row]
        tone = f"list--{_TONES[one.bucket]}" if one.bucket in _TONES else "list--faint"
        cells: list[Piece] = [
            (worth(one.before, [self._why_empty(one, self.findings.baseline)]), ""),
            (worth(one.after, [self._why_empty(one, self._tag)]), ""),
            (signed(one.difference), tone),
            # Under the cursor colours are reversed, and what is empty would look full.
            (self._bar(one.difference), "" if row == self.cursor else tone),
            (one.bucket, tone),
        ]
        return self._laid(width).row((self.findings.called(one.query_id), ""), cells)

    def _why_empty(self, row: QueryDifference, tag: str | None) -> str:
        nothing = {} if self._found is None else self._found.nothing.get(row.query_id, {})
        return nothing.get(tag or "", "")

    def _bar(self, difference: float) -> str:
        """Half a cell is the least that is drawn: what is not 0 is seen."""
        share = abs(difference) / self._most if self._most else 0.0
        halves = max(round(2 * _HALF * share), 1 if share else 0)
        if difference < 0:
            return f"{'▐' * (halves % 2)}{'█' * (halves // 2)}".rjust(_HALF) + "│"
        return " " * _HALF + "│" + f"{'█' * (halves // 2)}{'▌' * (halves % 2)}"

    def below(self, row: int) -> Content:
        found, one = self._found, self._rows[row]
        if found is None or (compared := found.comparison) is None:
            return Content("")
        text = self.findings.queries.texts.get(one.query_id, "")
        mean = f"mean {signed(compared.delta)}"
        if compared.ci95 is not None:
            mean += f" ({signed(compared.ci95[0])} to {signed(compared.ci95[1])})"
        counts = ", ".join(
            [
                counted(compared.wins, "win"),
                counted(compared.ties, "tie"),
                counted(compared.losses, "loss", "losses"),
            ]
        )
        changed = compared.changed.to_dict()
        buckets = ", ".join(f"{len(its):,} {name}" for name, its in changed.items() if its)
        alone = [
            Content.assemble(f"   {queries(count)} of ", by_name(whose), " alone.")
            for count, whose in (
                (found.only_run, found.tag),
                (found.only_baseline, found.baseline),
            )
            if count
        ]
        last = Content.assemble(f"{buckets}.", *alone).stylize("dim")
        why = without_results(found.nothing.get(one.query_id, {}).items())
        return Content("\n").join(
            [
                Content.assemble(foreign(one.query_id, "bold"), "  ", foreign(text)),
                Content(f"{mean}   {counts}"),
                why or last,
            ]
        )

    def opened(self, row: int) -> View | None:
        baseline = self.findings.baseline
        if baseline is None:
            return None
        ids = [one.query_id for one in self._rows]
        return RankingsView(self.findings, (baseline, self._tag), ids, row)

    def turned(self, by: int) -> bool:
        tags = [tag for tag in self.findings.tags if tag != self.findings.baseline]
        if self._tag not in tags or len(tags) < 2:
            return False
        self._tag = tags[(tags.index(self._tag) + by) % len(tags)]
        return True

    def report(self) -> Report:
        from judge_tui.report.results import deltas_report  # noqa: PLC0415 - few export

        findings = self.findings
        if self._found is None:
            raise UsageError("nothing is compared yet")
        among = "" if self._part is None else f"{self._part.by}={self._part.name}"
        return deltas_report(self._found, self.stated, findings.queries.texts, among=among)
