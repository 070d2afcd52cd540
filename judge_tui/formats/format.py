"""What a format is: a kind of file, a name within that kind, and how it is told and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from judge_tui.formats.problems import Reporter
from judge_tui.formats.sniff import Shape, ShapeKind

if TYPE_CHECKING:
    from judge_tui.formats.sieve import IdOf
    from judge_tui.formats.source import Source

__all__ = ["CALLED", "Format", "Kind", "Signature"]

Kind: TypeAlias = Literal["run", "qrels", "judgments", "queries", "documents"]

CALLED: dict[Kind, str] = {
    "run": "a run",
    "qrels": "qrels",
    "queries": "a queries file",
    "documents": "a documents file",
    "judgments": "judgments of several judges",
}


class Signature(NamedTuple):
    """What a file of a format looks like: its shape, the names that must be in it, and what else
    must be true (`fits`). `surer`: that says as much as half a name."""

    shape: ShapeKind
    needs: frozenset[str] = frozenset()
    fits: Callable[[Shape], bool] | None = None
    surer: bool = False

    @property
    def weight(self) -> float:
        """How much it says of a file that has it."""
        return len(self.needs) + self.surer / 2

    def is_of(self, shape: Shape) -> bool:
        """Whether a file of that shape has it."""
        names = shape.inner if self.shape in ("json", "array") else shape.names
        if not self.needs <= names or not (self.fits is None or self.fits(shape)):
            return False
        # One object in one line may be a line of JSON Lines, or all of a JSON file.
        return self.shape == shape.kind or (self.shape, shape.kind) == ("json", "jsonl")


class Format(NamedTuple):
    """One format of one kind of file.

    `layout` says in a few words what a line or a record holds; it has one of the `signatures`.
    `reader` names what yields its rows, `module:function`, imported when a file needs it: the rows
    come in file order and with line numbers, what is malformed is reported and left out, and what
    concerns several rows (duplicates) is not its business. `id_of` names what tells a record's id
    by a look at its line, where a record is a line. `several_runs`: a file may hold some, told by
    the tags of their rows. `by_text`: it has no ids of queries, whose text stands for the id.
    `has_texts`: it has ids of queries and their texts as well, which the format of queries of the
    same name reads.
    """

    kind: Kind
    name: str
    layout: str
    reader: str
    signatures: tuple[Signature, ...] = ()
    id_of_line: str = ""
    several_runs: bool = False
    by_text: bool = False
    has_texts: bool = False

    @property
    def rows(self) -> Callable[[Source, Reporter], Iterator[Any]]:
        """What reads a source, and reports what is malformed."""
        reader: Callable[[Source, Reporter], Iterator[Any]] = _named(self.reader)
        return reader

    @property
    def id_of(self) -> IdOf | None:
        """What tells the id of a record by its line; None where a look does not do."""
        return _named(self.id_of_line) if self.id_of_line else None


def _named(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"judge_tui.formats.{module}"), name)
