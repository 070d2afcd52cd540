"""What the campaign keeps of a run, as a run file again: TREC's, or one of another tool."""

from __future__ import annotations

import os
from collections.abc import Mapping

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.exporting.same_texts import refuse_same_texts
from judge_tui.campaign.overview.grading import final_grades
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import all_queries
from judge_tui.campaign.store.runs import chosen_runs, nothing_found, scores_kept
from judge_tui.errors import UsageError
from judge_tui.formats.writers import RUN_FORMS, RunToWrite
from judge_tui.formats.writing import write_lines
from judge_tui.model import Run

__all__ = ["export_run"]


def export_run(
    campaign: Campaign,
    path: str | os.PathLike[str],
    tag: str,
    *,
    form: str = "trec",
    policy: str = "majority",
    include_models: bool | None = None,
) -> Exported:
    """Write the kept top of a run as one of `RUN_FORMS`; `-` is standard output, and a name that
    ends with .gz is compressed.

    TREC's loaded again is the same: documents, scores to the last bit and order. A form that has
    grades has the final ones, by `policy`; a pair that it does not decide has none. Lists count as
    cut that may have been longer than what is kept. Raises `UsageError` for a tag that is not
    there, for a run of which nothing is kept, and where the form tells queries by their texts and
    two have the same; `InputError` where the file cannot be written.
    """
    how = RUN_FORMS[form]
    qrels: Mapping[str, Mapping[str, int]] = {}
    with campaign.reading():
        (chosen,) = chosen_runs(campaign, [tag])
        if not chosen.depth:
            raise UsageError(
                f"of run {chosen.tag!r} only the ranks of one judge's documents are here",
                "export it from the campaign that this part was made of",
            )
        run = Run(chosen.tag, scores_kept(campaign, chosen.key))
        nothing = nothing_found(campaign, chosen.key)
        if how.has_grades:
            final = final_grades(campaign, policy=policy, include_models=include_models)
            qrels = final.qrels
        texts = {query.query_id: query.text for query in all_queries(campaign)}
        titles = dict(
            campaign.rows("SELECT doc_id, title FROM documents WHERE coalesce(title, '') != ''")
            if how.by_text
            else ()
        )
    if how.by_text:
        named = (*run.scores, *(nothing if how.has_nothing_found else ()))
        with_ids = (name for name, other in RUN_FORMS.items() if not other.by_text)
        refuse_same_texts({one: texts[one] for one in named}, form, with_ids)
    content = RunToWrite(run, nothing, texts, titles, qrels, campaign.settings.name)
    write_lines(path, how.lines(content))
    graded = sum(doc in qrels.get(query, ()) for query, docs in run.scores.items() for doc in docs)
    return Exported(
        {
            "results": sum(map(len, run.scores.values())),
            "queries": len(run.scores),
            f"lists cut at {chosen.depth:,} results": sum(
                chosen.kept().may_go_on(len(docs)) for docs in run.scores.values()
            ),
            "results with a grade": graded,
            "graded pairs that it did not return": sum(map(len, qrels.values())) - graded,
            "queries that it found nothing for": len(nothing),
        }
    )
