"""What lies beside a run that `collect` wrote: which queries were asked in vain, and with which
texts. A run file cannot hold a query without results; NAME.latency.csv does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.ids import id_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.source import STDIN, open_source

if TYPE_CHECKING:
    from judge_tui.formats.latency_csv import AskedQuery

LATENCY = ".latency.csv"
"""What the name of such a file has in place of `.run`."""

DOCUMENTS = "documents.jsonl"
"""What live systems said of the documents that they found, beside the runs."""

QUERIES = "queries.jsonl"
"""The queries that were asked, `{"query_id", "text"}` a line, beside the runs."""

SETTINGS = "collect.json"
"""What says that `collect` wrote the folder: runs in it are the files *.run alone, be they
compressed."""

_RUNS = frozenset({".run", ".trec", ".txt", ".json", ".csv", ".tsv"})


def latency_name(run: str | os.PathLike[str]) -> Path | None:
    """Return the name of the file of seconds and failures beside NAME.run, in whatever form the run
    is, and whether it is compressed; None for a file that is named like no run."""
    path = Path(run)
    name = path.with_suffix("").name if path.suffix in ENDINGS else path.name
    stem, dot, form = name.rpartition(".")
    known = stem and f"{dot}{form}" in _RUNS
    return path.with_name(f"{stem}{LATENCY}") if known else None


def latency_beside(run: str | os.PathLike[str]) -> Path | None:
    """Return that file (`latency_name`), which may be compressed, where there is one."""
    name = latency_name(run)
    if name is None:
        return None
    named = (name.with_name(f"{name.name}{packed}") for packed in ("", *ENDINGS))
    return next((one for one in named if one.is_file()), None)


def asked_beside(run: str | os.PathLike[str]) -> dict[str, str]:
    """query_id -> why the system failed, "" where it found nothing, of the queries that had no
    results; empty where the file is none of collect's. Raises `InputError` for a bad row."""
    return {id_in(one.query_id): one.failure for one in _queries_beside(run) if not one.results}


def has_found_nothing(run: str | os.PathLike[str]) -> bool:
    """Whether a run file is empty, and the file beside it says that it was asked, all in vain.
    Raises `InputError` for a bad row there."""
    if latency_beside(run) is None:
        return False
    with open_source(run) as source:
        if source.head:
            return False
    asked = _queries_beside(run)
    return bool(asked) and not any(one.results for one in asked)


def _queries_beside(run: str | os.PathLike[str]) -> Sequence[AskedQuery]:
    beside = latency_beside(run)
    if beside is None:
        return ()
    from judge_tui.formats.latency_csv import read_latency  # noqa: PLC0415 - most runs have none

    return read_latency(beside) or ()


def refuse_other_texts(run: str | os.PathLike[str], known: KnownQueries) -> None:
    """Raise `InputError` where `collect` asked a query of a run with another text than it is known
    by, and for a bad line of the file that says so."""
    asked = Path(run).parent / QUERIES
    if os.fspath(run) == STDIN or not asked.is_file() or not (asked.parent / SETTINGS).is_file():
        return
    from judge_tui.formats.jsonl_files import query_rows  # noqa: PLC0415 - most runs have none

    here = known.at(asked)
    with open_source(asked) as source:
        for line, query in query_rows(source, Reporter(asked)):
            here.find(line, id_in(query.query_id), query.text)
