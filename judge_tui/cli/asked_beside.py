"""What a live system was asked, for which its run file has nothing: told beside `score` and
`compare`, which leave such queries out unless `--complete` is given."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.cli.inputs import STDIN, Inputs
from judge_tui.errors import InputError
from judge_tui.model import Run
from judge_tui.nothing_found import failed_among
from judge_tui.scoring import RunScores, Scores
from judge_tui.scoring.scores import first_few

if TYPE_CHECKING:
    from judge_tui.formats.latency_csv import AskedQuery

__all__ = ["asked_and_left_out", "left_out_of"]

_REASON = 80


def asked_and_left_out(inputs: Inputs, scores: Scores) -> tuple[str, ...]:
    """A sentence for each run that the NAME.latency.csv beside it says to have been asked queries
    that are left out of its means, with those at which it failed. A file there that is of
    something else is nothing; one that cannot be read is told."""
    told = []
    for source, run in zip(inputs.runs, scores.runs, strict=False):
        path = _path(source)
        if path is not None and set(run.missing_run) - set(run.query_ids):
            told += _told(path, run)
    return tuple(told)


def left_out_of(inputs: Inputs, scores: Scores, tag: str) -> int:
    """How many queries that are left out of a run's means it is known to have been asked."""
    for source, run in zip(inputs.runs, scores.runs, strict=False):
        path = _path(source) if run.tag == tag else None
        if path is not None:
            with suppress(InputError):  # which is told
                return len(_left_out(_asked(path)[1], run))
    return 0


def _path(source: object) -> Path | None:
    """The file of a run; None for what is none."""
    if isinstance(source, Run):
        return None
    name = str(getattr(source, "path", source))
    return None if name == STDIN else Path(name)


def _told(path: Path, run: RunScores) -> list[str]:
    try:
        name, asked = _asked(path)
    except InputError as error:
        return [f"what run {run.tag!r} was asked is not known: {error}"]
    left_out = _left_out(asked, run)
    if not left_out:
        return []
    failed = {query_id: why for query_id, why in left_out.items() if why}
    said = (
        f"run {run.tag!r} was asked {len(left_out):,} of the queries that are left out"
        f"{failed_among(len(left_out), len(failed))} ({name})"
    )
    if failed:
        first, *others = failed
        said += f": {first!r} ({_short(failed[first])})"
        said += f", {first_few(others)}" if others else ""
    return [said]


def _asked(path: Path) -> tuple[str, list[AskedQuery]]:
    """The name of the file beside a run, and what it says; nothing where there is none. Raises
    `InputError`."""
    from judge_tui.formats.latency_csv import latency_beside, read_latency

    beside = latency_beside(path)
    return ("", []) if beside is None else (beside.name, read_latency(beside) or [])


def _left_out(asked: list[AskedQuery], run: RunScores) -> dict[str, str]:
    """query_id as the run has it -> why it failed, "" where it found nothing."""
    from judge_tui.formats import encode_id

    missing = set(run.missing_run) - set(run.query_ids)
    found = {}
    for one in asked:
        for query_id in (one.query_id, encode_id(one.query_id)):
            if query_id in missing and not one.results:
                found[query_id] = one.failure
                break
    return found


def _short(reason: str) -> str:
    line = " ".join(reason.split())
    return line if len(line) <= _REASON else f"{line[: _REASON - 1]}…"
