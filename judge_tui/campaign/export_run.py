"""What the campaign keeps of a run, as a run file again: TREC's, or one of another tool."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge_tui.agreement.decide import FinalGrades
from judge_tui.campaign.asked_queries import nothing_found
from judge_tui.campaign.asked_texts import asked_as
from judge_tui.campaign.chosen_runs import ChosenRun, chosen_runs, scores_kept
from judge_tui.campaign.export import final_grades, refuse_unresolved
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.provenance import (
    digest,
    exported_from,
    is_stream,
    refuse_beside,
    write_both,
)
from judge_tui.campaign.queries import all_queries
from judge_tui.errors import UsageError
from judge_tui.formats import decode_id, encode_id, write_run
from judge_tui.formats.ids import read_back_otherwise
from judge_tui.formats.provenance import TEXTS
from judge_tui.formats.qrels_files import one_text_each
from judge_tui.formats.row_files import write_lines
from judge_tui.formats.run_files import RUN_FORMS, RunToWrite
from judge_tui.formats.trec_run import run_lines
from judge_tui.formats.writing import as_named, run_bytes
from judge_tui.model import Run

__all__ = ["ExportedRun", "WhichGrades", "export_run"]


@dataclass(frozen=True, slots=True)
class WhichGrades:
    """How judgments become the one grade that stands beside a result: as in `export_qrels`."""

    policy: str = "majority"
    unresolved: str = "refuse"
    include_models: bool | None = None


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """What was written: `results` of so many `queries`, under `tag`, which is percent-encoded where
    the campaign's holds white space.

    `graded`: of how many pairs the grade stands there, `not_returned`: how many graded pairs of the
    campaign the run did not return, which a results file has and Quepid's has not; both are None
    for a form without grades. `unresolved`: pairs that were judged and have no grade.
    `read_back_otherwise`: doc_ids that the form has no way to write so that they are read as they
    are.

    `has_provenance`: it says beside the file where that came from, and what was asked.

    `depth`: how many results of each query the campaign keeps; `cut`: some query has as many, so
    that the file the run came from, named `source`, may have had more. `nothing_found`: queries
    that it was asked and has no results for, which few forms have a place for.
    """

    tag: str
    source: str
    queries: int
    results: int
    depth: int
    cut: bool
    graded: int | None = None
    not_returned: int | None = None
    unresolved: int = 0
    read_back_otherwise: int = 0
    nothing_found: int = 0
    has_provenance: bool = False


def export_run(
    campaign: Campaign,
    path: str | os.PathLike[str],
    tag: str,
    *,
    form: str = "trec",
    grades: WhichGrades = WhichGrades(),
) -> ExportedRun:
    """Write the kept top of a run in TREC's six columns, or as one of `RUN_FORMS`; `-` is standard
    output, and a name that ends with .gz is compressed. Beside a file `path`.provenance.json says
    where it came from, with the texts that were asked, where the form has ids for them.

    TREC's loaded again is the same: documents, scores to the last bit and order. Raises
    `UsageError` for a tag that is not there, for a run of which nothing is kept, and where the form
    has grades or texts as `export_qrels` does; `InputError` where the file cannot be written.
    """
    final: FinalGrades | None = None
    alone = is_stream(path) or (Path(path).exists() and not Path(path).is_file())
    if not alone:
        refuse_beside(path)
    with campaign.reading():
        (chosen,) = chosen_runs(campaign, [tag])
        scores = _scores(campaign, chosen)
        if form != "trec" and RUN_FORMS[form].has_grades:
            final = final_grades(
                campaign,
                policy=grades.policy,
                undisputed_only=grades.unresolved == "lead",
                include_models=grades.include_models,
            )
            if grades.unresolved == "refuse":
                refuse_unresolved(campaign, final, grades.policy)
        # Tags are kept as files have them, where ids are kept as they are meant.
        run = Run(decode_id(tag), scores)
        qrels = {} if final is None else final.qrels
        nothing = nothing_found(campaign, chosen.key)
        to_write = None if form == "trec" else _to_write(campaign, run, nothing, form, qrels)
        texts = {query.query_id: query.text for query in all_queries(campaign)}
        texts |= asked_as(campaign, chosen.key)
    if not alone:
        content = _bytes(run, to_write, form)
        provenance: dict[str, Any] = {
            **exported_from(campaign),
            "tag": tag,
            "format": form,
            **digest(content),
        }
        if form == "trec" or not RUN_FORMS[form].by_text:
            named = {*scores, *nothing, *qrels}
            provenance[TEXTS] = {its: text for its, text in texts.items() if its in named}
        write_both(path, as_named(path, content), provenance)
    elif to_write is not None:
        write_lines(path, RUN_FORMS[form].lines(to_write))
    elif os.fspath(path) == "-" and sys.stdout.isatty():
        write_lines(path, (line.decode() for line in run_lines(run)))
    else:
        write_run(run, path)
    pairs = {(query_id, doc_id) for query_id, docs in scores.items() for doc_id in docs}
    graded = {(query_id, doc_id) for query_id, docs in qrels.items() for doc_id in docs}
    return ExportedRun(
        tag=encode_id(decode_id(tag)),
        source=chosen.source,
        queries=len(scores),
        results=len(pairs),
        depth=chosen.depth,
        cut=any(len(one) >= chosen.depth for one in scores.values()),
        graded=None if final is None else len(pairs & graded),
        not_returned=None if final is None else len(graded - pairs),
        unresolved=0 if final is None else len(final.unresolved),
        read_back_otherwise=(
            read_back_otherwise(doc_id for _, doc_id in pairs)
            if form != "trec" and not RUN_FORMS[form].any_id
            else 0
        ),
        nothing_found=len(nothing),
        has_provenance=not alone,
    )


def _scores(campaign: Campaign, chosen: ChosenRun) -> dict[str, dict[str, float]]:
    if not chosen.depth:
        raise UsageError(
            f"of run {chosen.tag!r} only the ranks of one judge's documents are here",
            "export it from the campaign that this part was made of",
        )
    return scores_kept(campaign, chosen.key)


def _bytes(run: Run, to_write: RunToWrite | None, form: str) -> bytes:
    if to_write is None:
        return run_bytes(run)
    return "".join(RUN_FORMS[form].lines(to_write)).encode()


def _to_write(
    campaign: Campaign,
    run: Run,
    nothing: Sequence[str],
    form: str,
    qrels: Mapping[str, Mapping[str, int]],
) -> RunToWrite:
    texts = {query.query_id: query.text for query in all_queries(campaign)}
    titles: dict[str, str] = {}
    if RUN_FORMS[form].by_text:
        with_ids = [name for name, how in RUN_FORMS.items() if not how.by_text]
        named = (*run.scores, *(nothing if RUN_FORMS[form].has_nothing_found else ()))
        texts = one_text_each(
            {query_id: texts[query_id] for query_id in named},
            form,
            f"{', '.join(with_ids)} or trec",
        )
        titles = dict(
            campaign.rows("SELECT doc_id, title FROM documents WHERE coalesce(title, '') != ''")
        )
    return RunToWrite(run, nothing, texts, titles, qrels, campaign.settings.name)
