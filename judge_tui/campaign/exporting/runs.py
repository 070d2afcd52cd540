"""What the campaign keeps of a run, as a run file again: TREC's, or one of another tool."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sized
from contextlib import nullcontext

from judge_tui.campaign.exporting import ExportCounts, refuse_same_texts
from judge_tui.campaign.overview.grading import final_grades
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import titles
from judge_tui.campaign.store.queries import all_queries, query_names
from judge_tui.campaign.store.runs import asked_rows, chosen_runs, kept_lists
from judge_tui.errors import UsageError
from judge_tui.formats.collected import latency_name
from judge_tui.formats.latency_csv import AskedQuery, latency_lines
from judge_tui.formats.writers import RUN_FORMS, RunToWrite
from judge_tui.formats.writing import is_stream, write_lines, writing_beside
from judge_tui.model import Run


def export_run(
    campaign: Campaign,
    path: str | os.PathLike[str],
    tag: str,
    *,
    form: str = "trec",
    policy: str | None = None,
    include_models: bool | None = None,
) -> ExportCounts:
    """Write the kept top of a run as one of `RUN_FORMS`; `-` is standard output, and a name that
    ends with .gz is compressed.

    TREC's loaded again is the same run, to the last bit of a score; what it was asked stands in
    NAME.latency.csv beside NAME.run, both or none. A form that has grades has the final ones, by
    `policy` (None: majority). Raises `UsageError` for a tag that is not there, a run of which
    nothing is kept, a policy of a form without grades, and two queries of one text in a form that
    tells queries by it; `InputError` where the file cannot be written.
    """
    how = RUN_FORMS[form]
    if not how.has_grades and (policy is not None or include_models is not None):
        graded = " and ".join(f"-f {name}" for name, one in RUN_FORMS.items() if one.has_grades)
        raise UsageError(
            "--policy and --include-models are about grades", f"use them with {graded}"
        )
    grades: Mapping[str, Mapping[str, int]] = {}
    with campaign.reading():
        (chosen,) = chosen_runs(campaign, [tag])
        [(_, scores)] = kept_lists(campaign, [chosen])
        if how.has_grades:
            final = final_grades(
                campaign, policy=policy or "majority", include_models=include_models
            )
            grades = final.qrels
        queries = all_queries(campaign)
        asked = _asked(campaign, chosen.key, scores)
        nothing = sorted(one.query_id for one in asked if not one.results)
        titles_here = titles(campaign) if how.has_titles else {}
    if how.by_text:
        refuse_same_texts(queries, form)
    texts = {query.query_id: query.text for query in queries}
    run = Run(chosen.tag, scores)
    beside = latency_name(path) if form == "trec" and not is_stream(path) else None
    # A file of another run there would be taken for this one's.
    if beside is not None and not asked and not beside.exists():
        beside = None
    content = RunToWrite(run, nothing, texts, titles_here, grades, campaign.settings.name)
    with writing_beside(beside, latency_lines(asked)) if beside else nullcontext():
        write_lines(path, how.lines(content))
    lengths = [len(docs) for docs in scores.values()]
    return ExportCounts(
        {"results": sum(lengths), "queries": len(scores)},
        {
            f"lists cut at {chosen.depth:,} results": sum(
                map(chosen.kept_run().may_go_on, lengths)
            ),
            "queries that it found nothing for": len(nothing),
        },
    )


def _asked(campaign: Campaign, run: int, scores: Mapping[str, Sized]) -> list[AskedQuery]:
    """What the run was asked, in the order of the queries; how often nobody knows any more."""
    names = query_names(campaign)
    asked = []
    for key, (seconds, failure) in sorted(asked_rows(campaign, run).items()):
        query_id = names[key].query_id
        results = len(scores.get(query_id, ()))
        asked.append(AskedQuery(query_id, seconds, 1, results, 0, failure))
    return asked
