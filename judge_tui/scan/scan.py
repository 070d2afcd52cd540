"""A run in the light of qrels, a block at a time: what nobody judged is not kept.

Two readers do the work. The fast one takes all lines of a block at once where their layout is
plain; the exact one takes any block, line by line, and names the line of a fault. Both see the
same, to the last bit. A run in another form than TREC's, and one in which a query comes again in a
later block, is read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from judge_tui.errors import InputError
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.problems import Reporter
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.source import PathLike, Source, open_source
from judge_tui.formats.trec import RunLines, whole_run
from judge_tui.formats.whole_files import run_in, tag_by_name
from judge_tui.model import Qrels, Run
from judge_tui.scan.blocks import BLOCK, Block, blocks
from judge_tui.scan.exact import QueryAgainError, read_lines
from judge_tui.scan.fast import read_fast
from judge_tui.scan.judged_hits import JudgedHits, ranked_hits, rounded
from judge_tui.scan.judged_index import JudgedIndex

__all__ = ["RunScan", "ScannedRun", "scan_in_memory", "scan_part", "scan_run", "text_of_run"]


@dataclass
class RunScan:
    """What runs are looked at with: the `qrels`, and the bits that scores are rounded to before
    they are compared. `on_read` is that of `open_source`."""

    qrels: Qrels
    precision: Literal[64, 32] = 64
    on_read: Callable[[int], None] | None = None

    @cached_property
    def index(self) -> JudgedIndex:
        """The judged documents as the fast reader wants them."""
        return JudgedIndex(self.qrels)

    @cached_property
    def places(self) -> dict[str, int]:
        """Where the queries stand in the qrels."""
        return {query_id: place for place, query_id in enumerate(self.qrels)}


@dataclass(frozen=True, slots=True)
class ScannedRun:
    """What a run holds: the `hits` of the queries that are judged, the ids of the others, its tag,
    and those that it is known to have been asked (`Run.asked`)."""

    tag: str
    hits: JudgedHits
    others: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()


def scan_run(
    path: PathLike, scan: RunScan, *, tag: str | None = None, format: str | None = None
) -> ScannedRun:
    """Look at a whole run, in any format and from anywhere; `-` is standard input.

    `tag` and `format` are those of `read_run`, as are the errors.
    """
    if has_found_nothing(path):
        return ScannedRun(tag or tag_by_name(path), JudgedHits.of_lists(()))
    with open_source(path, on_read=scan.on_read, layout=format) as source:
        if format_for(source, "run").name != "trec":
            return scan_in_memory(run_in(source, tag), scan)
        seen = _Seen(scan, source.path, any_tag=tag is not None)
        try:
            for block in blocks(source.read_into, BLOCK):
                seen.take(block)
        except QueryAgainError:
            source.rewind()
            return _of_whole(source, scan, tag)
        if seen.tag is None:
            raise nothing_in(source, "run")
        return seen.run(tag or seen.tag or tag_by_name(path))


def scan_part(
    path: PathLike, span: tuple[int, int], scan: RunScan, *, tag: str | None
) -> ScannedRun | None:
    """Look at the bytes of a plain file from the first offset to the second, whole queries; the tag
    is empty where the lines have none. None where that cannot be done: `scan_run` can say why.
    """
    begin, end = span
    seen = _Seen(scan, "", any_tag=tag is not None)
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - bytes serve for a path, too
            file.seek(begin)

            def read_into(view: memoryview) -> int:
                count = file.readinto(view[: max(0, end - file.tell())]) or 0
                if scan.on_read is not None:
                    scan.on_read(count)
                return count

            for block in blocks(read_into, BLOCK):
                seen.take(block)
    except (InputError, QueryAgainError, OSError):
        return None
    return None if seen.tag is None else seen.run(seen.tag)


def scan_in_memory(run: Run, scan: RunScan) -> ScannedRun:
    """The same of a run whose scores are all at hand."""
    hits, others = _looked_up(run.scores.items(), scan)
    return ScannedRun(run.tag, hits, tuple(others), run.asked)


def text_of_run(path: PathLike) -> int | None:
    """Where the text of a plain run file of TREC begins; None where it cannot be read in parts."""
    try:
        with open_source(path) as source:
            whole = source.plain_file
            return whole if format_for(source, "run").name == "trec" else None
    except InputError:
        return None


@dataclass
class _Seen:
    """What was seen so far of a run, block by block; `tag` and `tag_line` are those of `RunLines`,
    `line` is the number of the next one."""

    scan: RunScan
    path: str
    any_tag: bool
    tag: str | None = None
    tag_line: int = 0
    line: int = 1
    hits: list[JudgedHits] = field(default_factory=list)
    places: set[int] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    def take(self, block: Block) -> None:
        """Raises `InputError` for the first fault, and `QueryAgainError` for a query that an
        earlier block had."""
        fast = read_fast(
            block,
            self.scan.index,
            precision=self.scan.precision,
            any_tag=self.any_tag,
        )
        if fast is not None and self._goes_on(fast.tag):
            if self.tag is None:
                self.tag, self.tag_line = fast.tag, self.line
            self.line += fast.lines
            self._add(fast.hits, fast.others)
            return
        text = bytes(block)
        lines = read_lines(
            text,
            self.path,
            first_line=self.line,
            tag=self.tag,
            tag_line=self.tag_line,
            any_tag=self.any_tag,
            came_before=self._had,
        )
        self.tag, self.tag_line = lines.tag, lines.tag_line
        self.line += text.count(b"\n")
        self._add(*_looked_up(_lists_of(lines), self.scan))

    def run(self, tag: str) -> ScannedRun:
        """All of it, under that tag."""
        return ScannedRun(tag, JudgedHits.joined(self.hits), tuple(self.others))

    def _goes_on(self, tag: str) -> bool:
        """Whether lines with this tag can follow those before."""
        return self.tag is None or self.tag == tag or (self.any_tag and bool(self.tag and tag))

    def _had(self, query_id: str) -> bool:
        return query_id in self.others or self.scan.places.get(query_id, -1) in self.places

    def _add(self, hits: JudgedHits, others: Iterable[str]) -> None:
        places = hits.query.tolist()
        if not (self.places.isdisjoint(places) and self.others.isdisjoint(others)):
            raise QueryAgainError
        self.hits.append(hits)
        self.places.update(places)
        self.others.update(others)


def _of_whole(source: Source, scan: RunScan, tag: str | None) -> ScannedRun:
    scores, found = whole_run(source, Reporter(source.path), any_tag=tag is not None)
    return scan_in_memory(Run(tag or found or tag_by_name(source.path), scores), scan)


def _lists_of(lines: RunLines) -> Iterable[tuple[str, dict[str, float]]]:
    for query_id, docs in lines.lines.items():
        yield query_id, dict(zip(docs, lines.values[query_id], strict=True))


def _looked_up(
    lists: Iterable[tuple[str, Mapping[str, float]]], scan: RunScan
) -> tuple[JudgedHits, list[str]]:
    """The hits of lists (a query, and the scores of its documents), and the queries not judged."""
    others: list[str] = []
    found = []
    for query_id, scores in lists:
        place = scan.places.get(query_id)
        if not scores:
            continue
        if place is None:
            others.append(query_id)
        else:
            taken = rounded(scores) if scan.precision == 32 else scores
            found.append((place, *ranked_hits(scan.qrels[query_id], taken), len(scores)))
    return JudgedHits.of_lists(found), others
