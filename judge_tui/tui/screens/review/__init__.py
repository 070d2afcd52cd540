"""The Review screen: where the judges disagree, what hangs on it, and the lead's last word.

What the lead settles is an event by the lead; the judges' grades stay. Judges are letters until the
lead asks for their names. `Queueing` and `Showing` are what stands on the screen, `KeepingUp` what
is worked out, and done elsewhere, meanwhile, `Meaning` which keys can mean what is shown;
`Settling` and `Moving` add their keys; `ReviewScreen` is all of them with what can be looked up.
"""

from __future__ import annotations

from judge_tui.tui.screens.review.screen import ReviewScreen

__all__ = ["ReviewScreen"]
