"""The comments of a judge: a draft stays until it is written, and none of another window is
replaced unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.app import App
from textual.content import Content

from judge_tui.campaign.store.desk import Desk, DeskPair
from judge_tui.tui.screens.desk_panes import pair_name
from judge_tui.tui.screens.grading import ask_text
from judge_tui.tui.session import About, Session
from judge_tui.tui.text import foreign_lines
from judge_tui.tui.widgets.status_line import StatusLine

GREATEST_COMMENT = 2000


@dataclass(frozen=True)
class Comments:
    """What asks one judge for comments.

    `write` writes one on a pair, and returns whether it could; `then` shows what became of it, with
    a sentence.
    """

    session: Session
    desk: Desk
    status: StatusLine
    write: Callable[[DeskPair, str], bool]
    then: Callable[[Content | str], None]

    def ask(
        self, app: App[object], query_id: str, pair: DeskPair, key: str, hint: Content | str = ""
    ) -> None:
        """Open the prompt with the draft, else with the comment as it is now; `key` opens it."""
        before = self.session.read(lambda: self.desk.state(pair).note, self.status)
        if before is None:
            return
        drafts, about = self.session.drafts, About("comment", query_id, pair.doc_id, pair.turn)

        def write(text: str | None) -> None:
            if text is None:
                is_draft = drafts.known(about) is not None
                self.then(f"the comment is not written: {key} has it again" if is_draft else "")
            elif text == before:
                drafts.forget(about)
            else:
                write_over(text)

        def write_over(text: str) -> None:
            # Where it cannot be read, nothing is written either: NOT SAVED.
            now = self.session.write(lambda: self.desk.state(pair).note, self.status)
            if now is None:
                return
            if now not in (before, text):
                self.ask(app, query_id, pair, key, _changed(now))
            elif self.write(pair, text):
                drafts.forget(about)
                what = "comment written  " if text else "comment taken off  "
                self.then(Content(what) + pair_name(pair))

        title = f"Comment on {pair.doc_id}  ({query_id})"
        ask_text(
            app,
            self.session,
            about,
            title,
            write,
            written=before,
            hint=hint,
            limit=GREATEST_COMMENT,
        )


def _changed(now: str) -> Content:
    return Content.assemble(
        ("CHANGED  ", "bold $text-warning"),
        "in another window meanwhile. It is now: ",
        foreign_lines(now) if now else "none",
    )
