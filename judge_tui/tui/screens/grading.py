"""What Judge and Settle share: a grade is for what was seen, and a text that was typed stays."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App
from textual.binding import Binding
from textual.content import Content

from judge_tui.errors import CampaignError
from judge_tui.model import Query, Scale
from judge_tui.tui.session import About, Session
from judge_tui.tui.widgets.status_line import StatusLine

CHANGED = "changed meanwhile: please look again"

# Dialogs and panels are imported where they open: the first document waits for none of them.


def grade_keys(room: str, what: str) -> list[Binding]:
    """A key for each digit; those on the scale are the ones that `has_key` lets through."""
    return [
        Binding(str(digit), f"grade({digit})", what, id=f"{room}.grade-{digit}", show=False)
        for digit in range(10)
    ]


def has_key(action: str, parameters: tuple[object, ...], scale: Scale) -> bool:
    """Whether an action has its key: all have, but grades that are not on the scale."""
    return action != "grade" or parameters[0] in scale


def is_as_seen(
    session: Session,
    status: StatusLine,
    version: int,
    is_same: Callable[[], bool],
    show_again: Callable[[], bool],
    judge: int | None = None,
) -> bool:
    """Whether the file, seen at that `version`, still has what was seen; `is_same` reads it.
    `judge` (a key): whose desk it is of, None for what all do.

    If not, nothing may be written: it is shown again, with `CHANGED`. `show_again` returns False
    where the file cannot be read, which it says itself.
    """
    try:
        if session.campaign.version(judge) == version or is_same():
            return True
    except CampaignError as error:
        session.not_saved(error, status)
        return False
    if show_again():
        status.warn(CHANGED)
    return False


def may_take_back(session: Session, status: StatusLine, *, is_shown: bool) -> bool:
    """Whether the last key may undo or redo, once for each document that was seen; else it says
    why. `is_shown`: a document is on screen."""
    if is_shown and not session.guard.takes_back:
        status.warn(session.guard.refusal)
        return False
    return True


def ask_text(
    app: App[object],
    session: Session,
    about: About,
    title: str,
    then: Callable[[str | None], None],
    *,
    written: str,
    hint: Content | str = "",
    limit: int | None = None,
) -> None:
    """Open a prompt with the draft, else with what is `written`, and keep each change as a draft.
    `then` gets the text, None where the prompt was left."""
    from judge_tui.tui.widgets.dialogs import TextPrompt  # noqa: PLC0415

    drafts = session.drafts

    def keep(text: str) -> None:
        drafts.keep(about, text, written=written)

    draft = drafts.known(about) or written
    app.push_screen(TextPrompt(title, draft=draft, hint=hint, limit=limit, keep=keep), then)


def show_need(app: App[object], query: Query, scale: Scale) -> None:
    """The query, its description and narrative, however long they are."""
    from judge_tui.tui.widgets.text_panel import query_panel  # noqa: PLC0415

    app.push_screen(query_panel(query, scale))


def show_guidelines(app: App[object], session: Session) -> None:
    """The guidelines of the campaign, or that there are none."""
    from judge_tui.tui.widgets.text_panel import guidelines_panel  # noqa: PLC0415

    app.push_screen(guidelines_panel(session.campaign.settings.guidelines))
