"""Grades that come from a file, as `load qrels` brings them."""

from __future__ import annotations

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading.judgments import load_judgments


def grade_by_file(campaign: Campaign, judge: str, qrels: str, *, kind: str = "human") -> None:
    """Give the judge the grades of these lines, from a file beside the campaign."""
    path = campaign.path.with_name("given.qrels")
    path.write_text(qrels)
    load_judgments(campaign, path, judge=judge, kind=kind)
