"""Whether judged documents are spelt otherwise in runs: codes such as %20, by sort of file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from judge_tui.cli.inputs import Inputs
from judge_tui.formats.ids import decode_id, encode_id, plain_field, table_field
from judge_tui.formats.problems import quoted
from judge_tui.formats.recognition import format_for
from judge_tui.formats.source import open_source
from judge_tui.model import Run
from judge_tui.scoring import Scores
from judge_tui.scoring.known import know
from judge_tui.sources import NamedFile

__all__ = ["spelt_otherwise"]


def spelt_otherwise(
    inputs: Inputs, scores: Scores, qrels_format: str | None, run_format: str | None
) -> tuple[str, ...]:
    """A sentence for each run that has judged documents under the id that another sort of file has
    for them (`%2520` in TREC's where tables have `%20`) and not under that of the qrels: they
    count as not retrieved.

    Only qrels that hold such an id, or may have lost one, are looked at, and then each file of a
    run is read once more.
    """
    files = [source for source in inputs.runs if not isinstance(source, Run)]
    # Pipes can be read but once.
    if not files or inputs.truths is not None or not all(map(os.path.isfile, inputs.files)):
        return ()
    form = _form(inputs.files[0], qrels_format)
    spellings = {query_id: _spellings(docs, form) for query_id, docs in inputs.qrels.items()}
    if not any(spellings.values()):
        return ()
    from judge_tui.formats.seen_run import Reading, see_run

    # Told by the number of each spelling, which stands where a grade does.
    numbered = {
        query_id: {spelling: number for number, (_, spelling) in enumerate(pairs)}
        for query_id, pairs in spellings.items()
    }
    reading = Reading(know(numbered), lambda seen: seen.grades)
    told = []
    for source, run in zip(files, scores.runs, strict=True):
        path = source.path if isinstance(source, NamedFile) else source
        seen = see_run(path, reading, tag=run.tag, format=run_format)
        found = [
            pair
            for query_id, numbers in seen.values.items()
            for pair in _otherwise([spellings[query_id][number] for number in numbers])
        ]
        if found:
            doc_id, other = min(found)
            told.append(
                f"judged documents that run {run.tag!r} has under another spelling of blanks and"
                f" codes such as %20: {len(found):,}, such as {quoted(doc_id)}, which is"
                f" {quoted(other)} there; they count as not retrieved: export both as TREC has"
                " them, or score the campaign (--db)"
            )
    return tuple(told)


def _otherwise(pairs: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Those of the documents that are not there under their own id, each once."""
    there = {doc_id for doc_id, spelling in pairs if doc_id == spelling}
    return {doc_id: other for doc_id, other in pairs if doc_id not in there}.items()


def _spellings(docs: Iterable[str], form: str) -> list[tuple[str, str]]:
    """Judged documents, each as it is and as each other sort of file may have it; only those for
    which that differs."""
    own = set(docs)
    pairs = []
    for doc_id in own if _is_bare(form) else [one for one in own if "%" in one]:
        others = {
            plain_field(spelling)
            for native in _natives(doc_id, form)
            for spelling in (encode_id(native), table_field(native), native)
        }
        if others := others - own:
            pairs += [(doc_id, spelling) for spelling in (doc_id, *sorted(others))]
    return pairs


def _natives(doc_id: str, form: str) -> set[str]:
    """What a campaign may call a document that qrels of that form call so."""
    natives = {decode_id(doc_id)} if form == "trec" else {doc_id, decode_id(doc_id)}
    # White space at the ends is lost there.
    return natives | {f" {doc_id}", f"{doc_id} "} if _is_bare(form) else natives


def _is_bare(form: str) -> bool:
    """Whether qrels of that form hold ids as they are, whatever stands at their ends."""
    if form == "trec":
        return False
    from judge_tui.formats.qrels_files import QRELS_FORMS

    how = QRELS_FORMS.get(form)
    return form == _READ_ALONE if how is None else not how.any_id


_READ_ALONE = "quepid-ltr"
"""A form of Quepid's that nothing is written in."""


def _form(path: str, name: str | None) -> str:
    """That of the qrels, which have been read."""
    with open_source(path) as source:
        return format_for(source, "qrels", name).name
