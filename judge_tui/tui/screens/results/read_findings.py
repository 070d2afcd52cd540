"""Reading what the Results screen shows."""

from __future__ import annotations

from judge_tui.agreement.policies import checked_policy
from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.findings import Findings, findings_now
from judge_tui.campaign.overview.model_grades import find_model
from judge_tui.campaign.store.runs import all_runs
from judge_tui.errors import check_known
from judge_tui.model import STAND_INS
from judge_tui.scoring import DEFAULT_MEASURES, parse_measures
from judge_tui.scoring.filled import refuse_unfilled


def read_findings(
    campaign: Campaign, reader: Campaign, question: Question, before: Findings | None
) -> Findings:
    """Read what is quickly known, all of one moment, by the `reader`, a second connection to the
    campaign. Measure and baseline are those from `before`, where they are there still.

    Raises `UsageError` where nobody has judged, and for what is asked and not there.
    """
    with reader.reading():
        findings = findings_now(reader, question)
        # All of one moment, by the thread that may take long.
        _ = findings.scores, findings.queries, findings.documents
        _ = findings.union, findings.filling_models, findings.estimating_models
        _ = findings.with_model(findings.basis.measures, findings.baseline)
    findings.campaign = campaign
    measures = {one.name: one for one in findings.basis.measures}
    good = (one for one in measures.values() if one.definition.quality)
    findings.measure = next(good, findings.measure)
    if before is not None:
        findings.measure = measures.get(before.measure.name, findings.measure)
        if before.baseline in findings.tags:
            findings.compare_with(before.baseline)
    return findings


def refuse_unknown(campaign: Campaign, question: Question) -> None:
    """Raise `UsageError` for a run, a measure, a model or a policy that is not there, and for a
    measure that cannot be filled; where there is no run at all, the screen says what to do."""
    checked_policy(question.policy)
    greatest = max(campaign.settings.scale.grades)
    measures = parse_measures(question.measures or DEFAULT_MEASURES, max_rel=greatest)
    if question.unjudged != "zero":
        refuse_unfilled(measures)
    if question.unjudged not in STAND_INS:
        find_model(campaign, question.unjudged, STAND_INS)
    if question.with_model:
        find_model(campaign, question.with_model)
    known = [record.tag for record in all_runs(campaign)]
    for tag in (*question.tags, *([question.baseline] if question.baseline is not None else [])):
        if known:
            check_known("run", tag, known)
