"""Results: the leaderboard, and from there to each query, each ranking, each document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.analysis.asked import Asked

if TYPE_CHECKING:
    from textual.screen import Screen

    from judge_tui.campaign import Campaign
    from judge_tui.tui.app import Opening
    from judge_tui.tui.screens.results.findings import Findings
    from judge_tui.tui.screens.results.screen import ResultsScreen
    from judge_tui.tui.tastes import Keeper

__all__ = ["ResultsScreen", "begin", "opening"]


def begin(campaign: Campaign, asked: Asked = Asked()) -> Findings:  # noqa: B008 - frozen
    """Begin to read what the screen will show, while there is no app yet: reading waits for the
    file, and importing the app for the processor.

    Raises `UsageError` for a run, a measure or a policy that is not there.
    """
    from judge_tui.tui.screens.results.findings import (  # noqa: PLC0415
        Findings,
        Lens,
        refuse_unknown,
    )

    refuse_unknown(campaign, asked)
    return Findings(campaign, asked, Lens())


def opening(asked: Asked = Asked(), findings: Findings | None = None) -> Opening:  # noqa: B008
    """At the Results screen; with `findings` where reading was begun before."""
    from judge_tui.tui.app import Opening  # noqa: PLC0415 - it imports the screens

    def screen(campaign: Campaign, tastes: Keeper) -> Screen[None]:
        from judge_tui.tui.screens.results.screen import ResultsScreen  # noqa: PLC0415

        begun = begin(campaign, asked) if findings is None else findings
        return ResultsScreen(campaign, tastes, asked=asked, findings=begun)

    return Opening(screen, "screens/results/results.tcss")


def __getattr__(name: str) -> Any:
    if name == "ResultsScreen":
        # Imported on use: numpy is, too.
        from judge_tui.tui.screens.results.screen import ResultsScreen  # noqa: PLC0415

        return ResultsScreen
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
