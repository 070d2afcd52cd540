"""Which queries a run was asked in vain, by the NAME.latency.csv that `collect` writes beside it: a
run file cannot hold a query without results."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.ids import id_in
from judge_tui.formats.source import open_source

if TYPE_CHECKING:
    from judge_tui.formats.latency_csv import AskedQuery

__all__ = ["LATENCY", "asked_beside", "has_found_nothing", "latency_beside"]

LATENCY = ".latency.csv"
"""What the name of such a file has in place of `.run`."""

_RUNS = frozenset({".run", ".trec", ".txt", ".json", ".csv", ".tsv"})


def latency_beside(run: str | os.PathLike[str]) -> Path | None:
    """The file of seconds and failures beside NAME.run, where there is one: in whatever form the
    run is, and whether either of the two is compressed."""
    path = Path(run)
    name = path.with_suffix("").name if path.suffix in ENDINGS else path.name
    stem, dot, form = name.rpartition(".")
    if not stem or f"{dot}{form}" not in _RUNS:
        return None
    named = (path.with_name(f"{stem}{LATENCY}{packed}") for packed in ("", *ENDINGS))
    return next((one for one in named if one.is_file()), None)


def asked_beside(run: str | os.PathLike[str]) -> dict[str, str]:
    """query_id -> why the system failed, "" where it found nothing, of the queries that had no
    results; empty where the file is none of collect's. Raises `InputError` for a bad row."""
    return {id_in(one.query_id): one.failure for one in _asked(run) if not one.results}


def has_found_nothing(run: str | os.PathLike[str]) -> bool:
    """Whether a run file is empty, and the file beside it says that it was asked, all in vain.
    Raises `InputError` for a bad row there."""
    if latency_beside(run) is None:
        return False
    with open_source(run) as source:
        if next(iter(source.lines()), None) is not None:
            return False
    asked = _asked(run)
    return bool(asked) and not any(one.results for one in asked)


def _asked(run: str | os.PathLike[str]) -> Sequence[AskedQuery]:
    beside = latency_beside(run)
    if beside is None:
        return ()
    from judge_tui.formats.latency_csv import read_latency  # noqa: PLC0415 - reads tables

    return read_latency(beside) or ()
