"""The reasons of a lead: they go with a grade, the one that holds or the one to come."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from textual.app import App
from textual.content import Content

from judge_tui.campaign.store.adjudication import Adjudication, adjudication_of
from judge_tui.campaign.store.judges import Judge
from judge_tui.errors import CampaignError
from judge_tui.tui.screens.grading import ask_text
from judge_tui.tui.screens.settle_panes import Case, settled_as
from judge_tui.tui.session import About, Session


class Reasons:
    """What one lead typed; a reason is kept, and a draft too, until it is written with a grade."""

    def __init__(self, session: Session, lead: Judge) -> None:
        self._session = session
        self._lead = lead
        # By pair.
        self._kept: dict[int, str] = {}

    def kept(self, case: Case) -> str:
        """The reason for the grade to come, "" for none."""
        return self._kept.get(case.pair, "")

    def keep(self, case: Case, text: str) -> None:
        """Keep it until `forget`."""
        self._kept[case.pair] = text
        self._session.drafts.keep(_about(case), text)

    def forget(self, case: Case) -> None:
        """It is written, or there is none."""
        self._kept.pop(case.pair, None)
        self._session.drafts.forget(_about(case))

    def has_draft(self, case: Case) -> bool:
        """Whether a text was typed that is not written."""
        return self._session.drafts.known(_about(case)) is not None

    def own(self, case: Case) -> Adjudication | None:
        """The settling that holds now, where it is this lead's."""
        with suppress(CampaignError):
            found = adjudication_of(self._session.campaign, case.pair)
            if found is not None and found.judge.key == self._lead.key:
                return found
        return None

    def ask(self, app: App[object], case: Case, then: Callable[[str | None], None]) -> None:
        """Open the prompt; `then` gets the text, None where it was left."""
        own, hint = self.own(case), Content("goes with the grade that you give")
        if own is not None:
            scale = self._session.campaign.settings.scale
            hint = Content.assemble("settled ", settled_as(own, scale))
        title = f"Reason: {case.document.doc_id}, query {case.query.query_id}"
        written = own.reason if own else ""
        ask_text(app, self._session, _about(case), title, then, written=written, hint=hint)


def _about(case: Case) -> About:
    return About("reason", case.query.query_id, case.document.doc_id)
