"""Whether judged documents may be spelt otherwise in runs: codes such as %20, by sort of file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from judge_tui.formats.ids import encode_id
from judge_tui.formats.problems import quoted
from judge_tui.formats.recognition import format_for
from judge_tui.formats.source import UnreadableError, open_source
from judge_tui.model import Qrels

__all__ = ["spelt_otherwise"]


def spelt_otherwise(
    grades: Qrels, qrels: str, runs: Sequence[str], qrels_format: str | None
) -> list[str]:
    """A note where a judged document has a code of its own (`%2520` in TREC, `%20` elsewhere) and
    some run is of the other sort of file: one that judge_tui wrote spells it otherwise there."""
    coded = [doc for by_doc in grades.values() for doc in by_doc if "%" in doc and _is_coded(doc)]
    if not coded or not _is_file(qrels):
        return []
    trec = _is_trec("qrels", qrels, qrels_format)
    if trec:
        coded = [doc for doc in coded if "%25" in doc]
    others = [run for run in runs if _is_file(run) and _is_trec("run", run, None) != trec]
    if not coded or not others:
        return []
    return [
        f"judged documents with a code such as %20 in their id: {len(coded):,}, such as"
        f" {quoted(coded[0])}; judge_tui writes them otherwise into"
        f" {'tables and JSON' if trec else 'files of TREC'}, as {quoted(others[0])} may be, and"
        " then they do not match: export both in one form"
    ]


def _is_coded(doc_id: str) -> bool:
    return encode_id(doc_id) != doc_id


def _is_file(path: str) -> bool:
    """Pipes can be read but once."""
    return Path(path).is_file()


def _is_trec(kind: str, path: str, name: str | None) -> bool:
    """What cannot be recognised is refused by who reads it."""
    try:
        with open_source(path) as source:
            return format_for(source, "qrels" if kind == "qrels" else "run", name).name == "trec"
    except UnreadableError:
        return True
