"""What the lead has seen of a case, and decides on."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.cases import Opinion, opinions_of
from judge_tui.campaign.store.adjudication import Settlement, settlements_of
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.model import Document, Query
from judge_tui.tui.screens.review.docket import Case


@dataclass(frozen=True, slots=True)
class Seen:
    """All that is on screen of one case, and that a grade is given in the light of."""

    query: Query
    document: Document
    has_text: bool
    opinions: tuple[Opinion, ...]
    settlements: tuple[Settlement, ...]

    @property
    def settlement(self) -> Settlement | None:
        """The one that holds."""
        return self.settlements[-1] if self.settlements else None


def seen_of(campaign: Campaign, case: Case, *, include_models: bool | None) -> Seen:
    """All of it, of one moment. Raises `CampaignError`."""
    with campaign.reading():
        document, has_text = document_by_key(campaign, case.document)
        return Seen(
            query_by_key(campaign, case.query),
            document,
            has_text,
            tuple(opinions_of(campaign, case.pair, include_models=include_models)),
            tuple(settlements_of(campaign, case.pair)),
        )
