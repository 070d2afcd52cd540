"""What the campaign keeps of a run, as a run file again."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from judge_tui.campaign.chosen_runs import chosen_runs
from judge_tui.campaign.file import Campaign
from judge_tui.errors import UsageError
from judge_tui.formats import decode_id, encode_id, write_run
from judge_tui.formats.row_files import write_lines
from judge_tui.formats.trec_run import run_lines
from judge_tui.model import Run

__all__ = ["ExportedRun", "export_run"]


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """What was written: `results` of so many `queries`, under `tag`, which is percent-encoded where
    the campaign's holds white space.

    `depth`: how many results of each query the campaign keeps; `cut`: some query has as many, so
    that the file the run came from, named `source`, may have had more.
    """

    tag: str
    source: str
    queries: int
    results: int
    depth: int
    cut: bool


def export_run(campaign: Campaign, path: str | os.PathLike[str], tag: str) -> ExportedRun:
    """Write the kept top of a run in TREC's six columns; `-` is standard output.

    Loaded again, it is the same: documents, scores to the last bit and order. Raises `UsageError`
    for a tag that is not there and for a run of which nothing is kept, `InputError` where the file
    cannot be written.
    """
    with campaign.reading():
        (chosen,) = chosen_runs(campaign, [tag])
        if not chosen.depth:
            raise UsageError(
                f"of run {tag!r} only the ranks of one judge's documents are here",
                "export it from the campaign that this part was made of",
            )
        rows = campaign.rows(
            "SELECT query_id, doc_id, score FROM results AS r"
            " JOIN queries ON queries.id = r.query JOIN documents ON documents.id = r.document"
            " WHERE r.run = ? ORDER BY r.query, r.rank",
            (chosen.key,),
        )
    scores: dict[str, dict[str, float]] = {}
    for query_id, doc_id, score in rows:
        scores.setdefault(query_id, {})[doc_id] = score
    # Tags are kept as files have them, where ids are kept as they are meant.
    run = Run(decode_id(tag), scores)
    if os.fspath(path) == "-" and sys.stdout.isatty():
        write_lines(path, (line.decode() for line in run_lines(run)))
    else:
        write_run(run, path)
    return ExportedRun(
        tag=encode_id(decode_id(tag)),
        source=chosen.source,
        queries=len(scores),
        results=len(rows),
        depth=chosen.depth,
        cut=any(len(one) >= chosen.depth for one in scores.values()),
    )
