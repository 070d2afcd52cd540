"""A run file in the light of qrels, a block at a time: what nobody judged is not kept.

Two readers do the work. The plain one takes any layout and starts at once; the fast one needs
numpy, which costs as much to import as a quarter of a million lines to read, and leaves every block
that is not plain to the other. Both see the same, to the last bit. What none of them can read is
read line by line, so that the error can name the line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from judge_tui.errors import InputError
from judge_tui.formats.blocks import BLOCK, SMALL_BLOCK, Block, blocks
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.plain_lists import go_together
from judge_tui.formats.problems import Reporter
from judge_tui.formats.read import PathLike, run_in, tag_by_name
from judge_tui.formats.recognition import format_for
from judge_tui.formats.source import Source, UnreadableError, open_source
from judge_tui.scan.block_fault import BlockFaultError, fault_in
from judge_tui.scan.plain_block import Look, SeenBlock, read_plainly, rounded
from judge_tui.scoring.seen import Knowledge, Known, Seen, see

if TYPE_CHECKING:
    from judge_tui.scan.judged_index import JudgedIndex

__all__ = ["FAST_FROM", "Reading", "SeenRun", "see_part", "see_run", "text_of_run"]

Value = TypeVar("Value")

FAST_FROM = 10_000_000
"""In bytes: how much is read plainly before numpy is worth its import."""


@dataclass
class SeenRun(Generic[Value]):
    """What was made of a run: a value for each judged query, the ids of the others, the tag, and
    those that it is known to have been asked (`Run.asked`)."""

    tag: str | None
    values: dict[str, Value]
    others: list[str]
    asked: frozenset[str] = frozenset()


class _WholeError(Exception):
    """The file has to be read as a whole: a query comes again in a later block, or the tag changes,
    or there is no line."""


@dataclass
class Reading(Generic[Value]):
    """How runs are looked at: the qrels, and what is kept of each judged query.

    `single`: scores are rounded to 32 bits before they are compared. `fast`: read with numpy from
    the first byte on; else from `FAST_FROM` bytes of a file. `told` is that of `open_source`.
    """

    knowledge: Knowledge
    value: Callable[[Seen], Value]
    single: bool = False
    fast: bool = False
    told: Callable[[int], None] | None = None
    _index: JudgedIndex | None = None

    def value_of(self, known: Known, scores: Mapping[str, float]) -> Value:
        """What is kept of one judged query whose scores are all at hand."""
        if self.single:
            scores = rounded(scores)
        return self.value(see(known, scores))

    def fast_index(self) -> JudgedIndex:
        """The judged documents as the fast reader wants them, made once."""
        if self._index is None:
            from judge_tui.scan.judged_index import JudgedIndex  # noqa: PLC0415 - has numpy

            self._index = JudgedIndex(self.knowledge)
        return self._index


def see_run(
    path: PathLike, reading: Reading[Value], *, tag: str | None = None, format: str | None = None
) -> SeenRun[Value]:
    """Look at a whole run, in any format and from anywhere; `-` is standard input.

    `tag` and `format` are those of `read_run`, as are the errors.
    """
    if has_found_nothing(path):
        return SeenRun(tag or tag_by_name(path), {}, [])
    with open_source(path, told=reading.told) as source:
        found = None
        chosen = format_for(source, "run", format)
        if chosen.name == "trec":
            found = _see_source(source, reading, any_tag=tag is not None)
        if found is not None:
            found.tag = tag or found.tag or tag_by_name(path)
            return found
        source.rewind()
        run = run_in(source, Reporter(path), tag=tag, format=format)
    seen: SeenRun[Value] = SeenRun(run.tag, {}, [], run.asked)
    for query_id in run.scores.keys() | run.asked:
        known, scores = reading.knowledge.get(query_id), run.scores.get(query_id)
        if known is None:
            seen.others.append(query_id)
        elif scores is not None:
            seen.values[query_id] = reading.value_of(known, scores)
    return seen


def see_part(
    path: PathLike, span: tuple[int, int], reading: Reading[Value], *, tag: str | None
) -> SeenRun[Value] | None:
    """Look at the bytes of a plain file from the first offset to the second, whole queries.

    None where that cannot be done: `see_run` can say why.
    """
    begin, end = span
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - bytes serve for a path, too
            file.seek(begin)

            def read_into(view: memoryview) -> int:
                count = file.readinto(view[: max(0, end - file.tell())]) or 0
                if reading.told is not None:
                    reading.told(count)
                return count

            return _see(read_into, reading, any_tag=tag is not None)
    except (BlockFaultError, _WholeError, OSError):
        return None


def text_of_run(path: PathLike) -> int | None:
    """Where the text of a plain run file of TREC begins; None where it cannot be read in parts."""
    try:
        with open_source(path) as source:
            whole = source.plain_file
            return whole if format_for(source, "run", None).name == "trec" else None
    except InputError:
        return None


def _see_source(source: Source, reading: Reading[Value], *, any_tag: bool) -> SeenRun[Value] | None:
    """What lines of TREC hold; None where they have to be read as a whole, or line by line."""
    try:
        return _see(source.read_into, reading, any_tag=any_tag)
    except BlockFaultError as fault:
        source.rewind()
        error = fault_in(fault, source, any_tag=any_tag)
        if error is not None:
            raise error from None
    except (_WholeError, UnreadableError):
        pass
    return None


def _see(
    read_into: Callable[[memoryview], int], reading: Reading[Value], *, any_tag: bool
) -> SeenRun[Value]:
    look = Look(reading.knowledge, reading.single, any_tag)
    seen = _Gathered(reading)
    read = 0
    for block in blocks(read_into, BLOCK if reading.fast else SMALL_BLOCK):
        fast = reading.fast or read + block.size > FAST_FROM
        found = _seen_block(block, look, reading, fast=fast)
        if found is None:
            raise BlockFaultError(bytes(block), read, seen.values.keys() | seen.others, seen.tag)
        read += block.size
        seen.add(found, any_tag=any_tag)
    return seen.run()


class _Gathered(Generic[Value]):
    """What was seen so far of a run."""

    def __init__(self, reading: Reading[Value]) -> None:
        self.values: dict[str, Value] = {}
        self.others: set[str] = set()
        self.tag: bytes | None = None
        self._value = reading.value

    def add(self, found: SeenBlock, *, any_tag: bool) -> None:
        """Raises `_WholeError` for a tag, or a query, that does not go with what was before."""
        if not found.seen and not found.others:
            return
        if not go_together(self.tag, found.tag, any_tag=any_tag):
            raise _WholeError
        self.tag = found.tag
        before = len(self.values) + len(self.others)
        for query_id, seen in found.seen:
            self.values[query_id] = self._value(seen)
        self.others.update(found.others)
        if len(self.values) + len(self.others) != before + len(found.seen) + len(found.others):
            raise _WholeError

    def run(self) -> SeenRun[Value]:
        """Raises `_WholeError` where there was no line."""
        if self.tag is None:
            raise _WholeError
        tag = self.tag.decode() or None
        return SeenRun(tag, self.values, list(self.others))


def _seen_block(
    block: Block, look: Look, reading: Reading[Value], *, fast: bool
) -> SeenBlock | None:
    found = None
    if fast:
        from judge_tui.scan.fast import read_fast  # noqa: PLC0415 - has numpy

        found = read_fast(block, look, reading.fast_index())
    return found or read_plainly(block, look)
