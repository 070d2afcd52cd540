"""The Judge screen: one document, one key, one committed event.

What it promises: blind; a grade counts only once its document was painted; an event is on disk
before the screen moves on; what could not be written is said and stays to be done.

`Showing` is what stands on the screen, `Meaning` which keys can mean it; `Moving` and `Deciding`
each add their keys and what these do; `JudgeScreen` is all of them with what can be looked up
beside.
"""

from __future__ import annotations

from judge_tui.tui.screens.judge.screen import JudgeScreen

__all__ = ["JudgeScreen"]
