"""Runs scanned for their graded documents: nothing else of a run stays in memory.

A run file of TREC is read a block at a time, each by one of two readers: the fast one takes all
lines at once where their layout is plain; the exact one takes any block, line by line, and names
the line of a fault. Both see the same, to the last bit: ranks by score descending, then doc_id
descending (`fast._Ranking`, `exact.judge_lists`). A run in another format than TREC's, and
one in which a query comes again in a later block, is read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.problems import Reporter
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.source import PathLike, Source, open_source
from judge_tui.formats.trec import RunLines
from judge_tui.formats.urls import open_bytes
from judge_tui.formats.whole_files import run_in, run_under_ids, tag_by_name
from judge_tui.model import Qrels, Run
from judge_tui.scan.blocks import BLOCK, Block, blocks
from judge_tui.scan.exact import judge_lists, read_lines, rounded
from judge_tui.scan.fast import read_fast
from judge_tui.scan.judged_index import JudgedIndex
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries, with_own

OnRead: TypeAlias = Callable[[int], None]
"""Called with the number of bytes that were read."""


class QueryAgainError(Exception):
    """A query of an earlier block comes again: its results have to be read together."""


class GradeLookup:
    """What the documents of runs are looked up in: the `qrels`, and the `queries` that they grade.

    `precision`: the bits that scores are rounded to before they are compared. With `ignore_self`
    lists leave out the result whose id is the query's. `names`: the queries, for runs that have
    their texts.
    """

    def __init__(
        self,
        qrels: Qrels,
        precision: Literal[64, 32] = 64,
        *,
        ignore_self: bool = False,
        names: KnownQueries | None = None,
    ) -> None:
        self.queries = JudgedQueries.of(qrels)
        self.qrels = with_own(qrels) if ignore_self else qrels
        self.precision = precision
        self.names = names

    @cached_property
    def index(self) -> JudgedIndex:
        """The graded documents in the form that the fast reader needs."""
        return JudgedIndex(self.qrels, self.queries)

    def look_up(
        self, lists: Iterable[tuple[str, Mapping[str, float]]]
    ) -> tuple[JudgedLists, list[str]]:
        """Return the `judge_lists` of queries and the scores of their documents."""
        if self.precision == 32:
            lists = ((query_id, rounded(scores)) for query_id, scores in lists)
        return judge_lists(lists, self.qrels, self.queries)


class ScannedRun(NamedTuple):
    """What stays of a run: the `lists` of its judged queries, the ids of its `ungraded_queries`,
    and the queries that it was asked as far as its file says (`Run.asked`)."""

    tag: str
    lists: JudgedLists
    ungraded_queries: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()


def scan_run(
    path: PathLike,
    lookup: GradeLookup,
    *,
    tag: str | None = None,
    on_read: OnRead | None = None,
) -> ScannedRun:
    """Scan the run in a file of any format; `-` is standard input.

    `tag` and the errors are those of `read_run`, `on_read` is that of `open_source`.
    """
    if has_found_nothing(path):
        return scan_scores(Run(tag or tag_by_name(path), {}), lookup)
    with open_source(path, on_read=on_read) as source:
        if not format_for(source, "run").is_trec:
            found = run_in(source, tag)
            if lookup.names is not None:
                found = run_under_ids(found, lookup.names.at(path), source)
            return scan_scores(found, lookup)
        run = _read_source(source, lookup, tag)
        if run.tag is None:
            raise nothing_in(source, "run")
        return run.under(tag or run.tag or tag_by_name(path))


def scan_part(
    path: PathLike,
    span: tuple[int, int],
    lookup: GradeLookup,
    *,
    tag: str | None,
    on_read: OnRead,
) -> ScannedRun | None:
    """Scan the bytes of a plain file from the first offset to the second, whole queries.

    The tag is empty where the lines have none. Returns None where that cannot be done: `scan_run`
    can say why.
    """
    begin, end = span
    try:
        with open_bytes(path) as file:
            file.seek(begin)

            def read_into(view: memoryview) -> int:
                count: int = file.readinto(view[: max(0, end - file.tell())]) or 0  # type: ignore[attr-defined]
                on_read(count)
                return count

            run = _read_blocks(blocks(read_into, BLOCK), lookup, "", tag)
    except (InputError, QueryAgainError, OSError):
        return None
    return None if run.tag is None else run.under(run.tag)


def scan_scores(run: Run, lookup: GradeLookup) -> ScannedRun:
    """Scan a run whose scores are in memory."""
    lists, others = lookup.look_up(run.scores.items())
    return ScannedRun(run.tag, lists, tuple(others), run.asked)


def text_of_run(path: PathLike) -> int | None:
    """Return the offset of the text in a plain run file of TREC; None where it cannot be read in
    parts."""
    try:
        with open_source(path) as source:
            text = source.plain_file
            return text if format_for(source, "run").is_trec else None
    except InputError:
        return None


def _read_source(source: Source, lookup: GradeLookup, tag: str | None) -> _RunSoFar:
    """Read the run in a source a block at a time, or whole where a query comes again."""
    try:
        return _read_blocks(blocks(source.read_into, BLOCK), lookup, source.path, tag)
    except QueryAgainError:
        source.rewind()
        return _read_blocks(blocks(source.read_into, BLOCK, whole=True), lookup, source.path, tag)


def _read_blocks(
    found: Iterable[Block], lookup: GradeLookup, path: str, tag: str | None
) -> _RunSoFar:
    """Read the blocks of a run that is given this tag, if any. Raises `InputError` for the first
    fault, and `QueryAgainError` for a query that an earlier block had."""
    run = _RunSoFar(lookup, path, any_tag=tag is not None)
    for block in found:
        run.take(block)
    return run


class _RunSoFar:
    """The part of a run that was read so far, block by block; `tag` and `tag_line` are those of
    `RunLines`, `line` is the number of the next line."""

    def __init__(self, lookup: GradeLookup, path: str, *, any_tag: bool) -> None:
        self.lookup, self.path, self.any_tag = lookup, path, any_tag
        self.tag: str | None = None
        self.tag_line = 0
        self.line = 1
        self.lists: list[JudgedLists] = []
        self.rows: set[int] = set()
        self.ungraded_queries: set[str] = set()

    def take(self, block: Block) -> None:
        """Add what a block holds."""
        lookup = self.lookup
        fast = read_fast(block, lookup.index, precision=lookup.precision, any_tag=self.any_tag)
        if fast is not None and self._goes_on(fast.tag):
            if self.tag is None:
                self.tag, self.tag_line = fast.tag, self.line
            self.line += fast.lines
            self._add(fast.lists, fast.ungraded_queries)
            return
        text = bytes(block)
        lines = RunLines(Reporter(self.path), any_tag=self.any_tag)
        lines.tag, lines.tag_line = self.tag, self.tag_line
        try:
            read_lines(lines, text, self.path, self.line)
        except InputError:
            # The first fault may be a document that an earlier block had, too.
            if any(map(self._had, lines.lines)):
                raise QueryAgainError from None
            raise
        self.tag, self.tag_line = lines.tag, lines.tag_line
        self.line += text.count(b"\n")
        self._add(
            *lookup.look_up(
                (query_id, dict(zip(docs, lines.values[query_id], strict=True)))
                for query_id, docs in lines.lines.items()
            )
        )

    def under(self, tag: str) -> ScannedRun:
        """Return the whole run under that tag."""
        lists = JudgedLists.joined(self.lists, self.lookup.queries)
        return ScannedRun(tag, lists, tuple(self.ungraded_queries))

    def _goes_on(self, tag: str) -> bool:
        """Whether lines with this tag can follow those before."""
        return self.tag is None or self.tag == tag or (self.any_tag and bool(self.tag and tag))

    def _had(self, query_id: str) -> bool:
        return (
            query_id in self.ungraded_queries
            or self.lookup.queries.row_of.get(query_id, -1) in self.rows
        )

    def _add(self, lists: JudgedLists, others: Iterable[str]) -> None:
        rows = lists.query.tolist()
        if not (self.rows.isdisjoint(rows) and self.ungraded_queries.isdisjoint(others)):
            raise QueryAgainError
        self.lists.append(lists)
        self.rows.update(rows)
        self.ungraded_queries.update(others)
