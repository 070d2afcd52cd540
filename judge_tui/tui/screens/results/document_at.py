"""A document of a ranking: to be read, and sent to the pool."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.assignments import Dealt, how_dealt
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.pool import send_to_pool
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.tui.rendering import query_terms
from judge_tui.tui.text import document_note, document_title, foreign, grade_content
from judge_tui.tui.widgets.text_panel import TextPanel


class DocumentAt(NamedTuple):
    """A document in the ranking of a query, both by their keys; `grade`: the final one."""

    query: int
    document: int
    grade: int | None


def document_panel(campaign: Campaign, at: DocumentAt) -> TextPanel:
    """Show its text, below its final grade and the query. Raises `CampaignError`."""
    query = query_by_key(campaign, at.query)
    document, is_loaded = document_by_key(campaign, at.document)
    scale = campaign.settings.scale
    grade = Content("no final grade") if at.grade is None else grade_content(at.grade, scale)
    asked = foreign(f"{query.query_id} {query.text}", "not bold")
    title = Content("   ").join([grade, document_title(document), asked])
    note = document_note(is_loaded=is_loaded)
    return TextPanel(title, document, marks=query_terms(query.text), note=note)


def pool_document(campaign: Campaign, at: DocumentAt) -> tuple[bool, str]:
    """Send it to the pool; one that is there stays. Whether it is new there, and what to say of it.
    Raises `CampaignError`."""
    if not send_to_pool(campaign, at.query, at.document):
        return False, "in the pool already: a judge must grade it, or the lead decide"
    if how_dealt(campaign) is Dealt.ASSIGNED:
        assigning = shell_command(campaign.path, "assign", "--judges …")
        return True, f"in the pool, but given to nobody: {assigning} gives it out"
    return True, "in the pool now: it counts here once a judge has graded it"
