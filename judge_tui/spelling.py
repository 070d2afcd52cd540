"""Whether judged documents are spelt otherwise in runs: codes such as %20, or a form of Unicode."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence

from judge_tui.formats.ids import decode_id, encode_id, plain_field, table_field
from judge_tui.formats.problems import quoted
from judge_tui.formats.recognition import format_for
from judge_tui.formats.seen_run import Reading, see_run
from judge_tui.formats.source import STDIN, open_source
from judge_tui.model import Qrels, Run, form_in_words, other_forms
from judge_tui.scoring.known import know

__all__ = ["Spellings"]

_EXPORT = "export both as TREC has them, or score the campaign (--db)"
_ANEW = "and load again, a run with --replace, grades into a new campaign"


class Spellings:
    """Judged documents that another file has under another id: TREC's has `%2520` where a table
    has `%20`, and paths listed on one system have accents apart (NFD) that are composed on others.

    `judged_in`: where the qrels are from. A file tells its form (`qrels_format`, if that is given);
    what is in memory, or can be read but once, is taken for a table. `loaded`: qrels and runs are
    those of a campaign, with the ids that exports of it have. True where there are any.
    """

    def __init__(
        self,
        qrels: Qrels,
        judged_in: object = None,
        qrels_format: str | None = None,
        *,
        loaded: bool = False,
    ) -> None:
        self._loaded = loaded
        judged = _file(judged_in)
        literal = judged is None or _literal(judged, qrels_format)
        self._pairs = {
            query_id: pairs
            for query_id, docs in qrels.items()
            if (pairs := _pairs(docs, literal=literal))
        }
        # Told by the number of each spelling, which stands where a grade does.
        numbered = {
            query_id: {spelling: number for number, (_, spelling) in enumerate(pairs)}
            for query_id, pairs in self._pairs.items()
        }
        self._reading = Reading(know(numbered), lambda seen: seen.grades)

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def told_of(self, tag: str, source: object, run_format: str | None) -> list[str]:
        """A sentence for either way in which a run spells judged documents otherwise, where it does
        not have them under the spelling of the qrels: they count as not retrieved.

        A file is read once more for it; one that can be read but once is not looked at.
        """
        found = [
            pair
            for query_id, numbers in self._numbers(tag, source, run_format).items()
            for pair in _otherwise([self._pairs[query_id][number] for number in numbers])
        ]
        coded = [pair for pair in found if form_in_words(*pair) is None]
        in_form = [pair for pair in found if form_in_words(*pair) is not None]
        sentences = []
        if coded:
            doc_id, other = map(self._shown, min(coded))
            mend = f"write the ids of both in one way, {_ANEW}" if self._loaded else _EXPORT
            sentences.append(
                f"judged documents that run {tag!r} has under another spelling of blanks and codes"
                f" such as %20: {len(coded):,}, such as {doc_id}, which is {other} there; they"
                f" count as not retrieved: {mend}"
            )
        if in_form:
            doc_id, other = min(in_form)
            sentences.append(
                f"judged documents that run {tag!r} has in another form of Unicode:"
                f" {len(in_form):,}, such as {self._shown(doc_id)}, which is in"
                f" {form_in_words(doc_id, other)} there; they look the same and count as not"
                " retrieved: write the ids of both in one form, NFC or NFD"
                + (f", {_ANEW}" if self._loaded else "")
            )
        return sentences

    def _shown(self, doc_id: str) -> str:
        """As its file has it, or the campaign."""
        return quoted(decode_id(doc_id) if self._loaded else doc_id)

    def _numbers(
        self, tag: str, source: object, run_format: str | None
    ) -> Mapping[str, Sequence[int]]:
        """Of each query, the spellings that the run has."""
        if isinstance(source, Run):
            return {
                query_id: self._reading.value_of(known, source.scores[query_id])
                for query_id, known in self._reading.knowledge.items()
                if query_id in source.scores
            }
        path = _file(source)
        return (
            {} if path is None else see_run(path, self._reading, tag=tag, format=run_format).values
        )


def _file(source: object) -> str | None:
    """The file that a source is, None where it is none or, as a pipe, can be read but once."""
    if not isinstance(source, str | os.PathLike) or (path := os.fspath(source)) == STDIN:
        return None
    return path if os.path.isfile(path) else None  # noqa: PTH113 - may hold anything


def _otherwise(pairs: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Those of the documents that are not there under their own id, each once."""
    there = {doc_id for doc_id, spelling in pairs if doc_id == spelling}
    return {doc_id: other for doc_id, other in pairs if doc_id not in there}.items()


def _pairs(docs: Collection[str], *, literal: bool) -> list[tuple[str, str]]:
    """Judged documents, each as it is and as each other sort of file, or one in another form of
    Unicode, may have it; only those for which that differs."""
    own = set(docs)
    pairs = []
    for doc_id in docs:
        coded = {doc_id}
        if "%" in doc_id:
            # What a campaign may call a document that qrels of that format call so.
            natives = {doc_id, decode_id(doc_id)} if literal else {decode_id(doc_id)}
            coded |= {
                plain_field(spelling)
                for native in natives
                for spelling in (encode_id(native), table_field(native))
            }
        if others := {form for one in coded for form in (one, *other_forms(one).values())} - own:
            pairs += [(doc_id, spelling) for spelling in (doc_id, *sorted(others))]
    return pairs


def _literal(path: str, name: str | None) -> bool:
    """Whether ids stand for themselves in the qrels, which have been read."""
    with open_source(path) as source:
        return format_for(source, "qrels", name).literal
