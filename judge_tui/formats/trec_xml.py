"""Topics as TREC's newer tracks have them: XML with a <topic> for each query, as of COVID, Health
Misinformation, Clinical Trials, Web and Touché."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.model import Query

_NUMBERS = ("number", "num")
_TEXTS = ("query", "title", "text", "question", "description", "summary")
_DESCRIPTIONS = ("question", "description")


def topic_rows(source: Source, _: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every topic: its number, and what it was that was searched, as a query, a title or the
    bare text; where it has none of these, a description is the text.

    Raises `UnreadableError` for what is no XML, and for a document type that has entities: they can
    be made to fill the memory.
    """
    for line, fields in _Topics(source.path).parse(source.text()):
        query_id = _taken(fields, _NUMBERS)
        text = " ".join(_taken(fields, _TEXTS).split())
        description, narrative = _taken(fields, _DESCRIPTIONS), _taken(fields, ("narrative",))
        yield line, Query(query_id, text, description, narrative, meta=fields)


def _taken(fields: dict[str, str], names: tuple[str, ...]) -> str:
    """Take out the first of these elements that there is."""
    return next((fields.pop(name) for name in names if name in fields), "")


class _Topics:
    """Collects the fields of each <topic>, its attributes and elements, with the line it begins on;
    what stands in it outside of any element is its `text`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: list[tuple[int, dict[str, str]]] = []
        self._open: list[str] = []  # names of elements, from the topic down
        self._pieces: dict[str, list[str]] = {}
        # Texts are UTF-8 here, whatever the file declares that it was once saved as.
        self._parser = expat.ParserCreate("UTF-8")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.SkippedEntityHandler = self._refuse_entity

    def parse(self, text: str) -> list[tuple[int, dict[str, str]]]:
        """Return the topics, in their order."""
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            what = f"not valid XML: {expat.ErrorString(error.code)} at column {error.offset + 1}"
            mend = "see that the file is whole, and write & and < of a text as &amp; and &lt;"
            raise UnreadableError(self._path, error.lineno, what, mend) from error
        return self._found

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        name = name.lower()
        if self._open:
            self._open.append(name)
        elif name == "topic":
            self._open = [name]
            self._pieces = {key.lower(): [value] for key, value in attributes.items()}
            self._found.append((self._parser.CurrentLineNumber, {}))
        if len(self._open) == 2 and name in self._pieces:
            self._add("\n")

    def _add(self, text: str) -> None:
        if self._open:
            self._pieces.setdefault((*self._open, "text")[1], []).append(text)

    def _end(self, _name: str) -> None:
        if len(self._open) == 1:
            written = {name: _unindented("".join(pieces)) for name, pieces in self._pieces.items()}
            self._found[-1][1].update((name, text) for name, text in written.items() if text)
        self._open = self._open[:-1]

    def _refuse_entity(self, name: str, *_declared: object) -> NoReturn:
        line = self._parser.CurrentLineNumber
        what = f"the document type has an entity, {name!r:.70}"
        raise UnreadableError(self._path, line, what, "write its text where it is used")


def _unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())
