"""What to do next, read off the state of a campaign."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.campaign.progress import JudgeProgress, Progress

__all__ = ["next_steps"]

_NAMED = 5
"""More judges than these are counted, not named."""


def next_steps(state: Progress) -> list[str]:
    """Sentences for the lead, the most pressing first; the commands in them can be typed."""
    if state.is_part:
        return [
            *_left([judge for judge in state.judges if judge.left]),
            "Send this file home; there: judge-tui merge FILE",
        ]
    if not state.queries:
        return ["Load the queries: judge-tui load queries FILE"]
    if not state.runs:
        return ["Load the systems' runs: judge-tui load run FILE..."]
    steps: list[str] = []
    if not state.pairs:
        return ["Build the pool: judge-tui pool"]
    if state.missing:
        count = len(state.missing)
        what = "document has" if count == 1 else "documents have"
        steps.append(f"{count:,} pooled {what} no text: judge-tui load docs FILE")
    people = [judge for judge in state.judges if judge.kind == "human"]
    if not people:
        steps.append("Let somebody judge: judge-tui judge --judge NAME")
    if state.assigned is not None and state.assigned < state.pairs:
        count = state.pairs - state.assigned
        what = "pair is" if count == 1 else "pairs are"
        names = ",".join(judge.name for judge in people if judge.pairs)
        steps.append(f"{count:,} {what} given to nobody: judge-tui assign --judges {names}")
    steps.extend(_left([judge for judge in people if judge.left]))
    for unresolved, whom in (
        (state.unresolved, "the judges"),
        (state.unresolved_with_models, "people and models"),
    ):
        if unresolved:
            what = "pair is" if unresolved == 1 else "pairs are"
            steps.append(f"{unresolved:,} {what} not decided by a majority of {whom}")
            break
    if state.judged:
        short = [run for run in state.coverage if run.judged < run.results]
        if short:
            worst = min(short, key=lambda run: run.judged / run.results)
            share = 100 * worst.judged / worst.results
            steps.append(
                f"Unjudged documents count as not relevant: {worst.tag} has {share:.0f} % of its"
                f" top {state.depth} judged"
            )
        steps.append("Export the grades: judge-tui export qrels -o FILE")
    return steps


def _left(judges: Sequence[JudgeProgress]) -> list[str]:
    if len(judges) > _NAMED:
        left, pairs = (sum(judge.left for judge in judges), sum(judge.pairs for judge in judges))
        return [f"{len(judges):,} judges have {left:,} of {pairs:,} judgments left"]
    return [f"{judge.name} has {judge.left:,} of {judge.pairs:,} pairs left" for judge in judges]
