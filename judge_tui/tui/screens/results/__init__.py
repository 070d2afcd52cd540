"""Results: the leaderboard, and from there to each query, each ranking, each document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.analysis.basis import Question

if TYPE_CHECKING:
    from textual.screen import Screen

    from judge_tui.campaign import Campaign
    from judge_tui.tui.app import Opening
    from judge_tui.tui.screens.results.screen import ResultsScreen
    from judge_tui.tui.tastes import Keeper

__all__ = ["ResultsScreen", "opening"]


def opening(asked: Question = Question()) -> Opening:  # noqa: B008 - frozen
    """At the Results screen. For a run, a measure or a policy that is not there, `UsageError` is
    raised as it opens."""
    from judge_tui.tui.app import Opening  # noqa: PLC0415 - it imports the screens

    def screen(campaign: Campaign, tastes: Keeper) -> Screen[None]:
        from judge_tui.tui.screens.results.findings import refuse_unknown  # noqa: PLC0415
        from judge_tui.tui.screens.results.screen import ResultsScreen  # noqa: PLC0415

        refuse_unknown(campaign, asked)
        return ResultsScreen(campaign, tastes, asked=asked)

    return Opening(screen, "screens/results/results.tcss")


def __getattr__(name: str) -> Any:
    if name == "ResultsScreen":
        # Imported on use: numpy is, too.
        from judge_tui.tui.screens.results.screen import ResultsScreen  # noqa: PLC0415

        return ResultsScreen
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
