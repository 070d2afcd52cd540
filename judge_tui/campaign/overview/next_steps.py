"""What to do next, read off the state of a campaign."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from judge_tui.agreement.estimates import Estimate
from judge_tui.agreement.wording import TENTATIVE, shown_alpha, shown_span, strength_of
from judge_tui.campaign.overview.disagreements import Disputes
from judge_tui.campaign.overview.progress import JudgeProgress, Progress, RunCoverage
from judge_tui.campaign.typed import typed
from judge_tui.counts import counted
from judge_tui.percent import percent

__all__ = ["Step", "next_steps", "steps_of"]


_NAMED = 3
"""More judges than these are counted, and only the furthest behind of them is named."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that the lead can do: `what` is a sentence, foreign text in it as it came.

    `command` can be typed in a shell, "" where none does it. `door`: where in the app it is done,
    if there: `judge`, `new-judge`, `review` or `results`.
    """

    what: str
    command: str = ""
    door: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.command}" if self.command else self.what


def next_steps(
    state: Progress, disputes: Disputes | None = None, alpha: Estimate | None = None
) -> list[str]:
    """The steps as sentences, each with its command."""
    return [str(step) for step in steps_of(state, disputes, alpha)]


def steps_of(
    state: Progress, disputes: Disputes | None = None, alpha: Estimate | None = None
) -> list[Step]:
    """What to do next, the most pressing first.

    `disputes` and `alpha` (ordinal, of all judges that count) are None where they are not known.
    """
    people = _at_work(state)
    left = any(judge.left for judge in people)
    if state.is_part:
        return [*_left(state), Step("Send this file home; there", "judge-tui merge FILE")]
    if not state.queries:
        return [Step("Load the queries", typed(state.path, "load queries", "FILE"))]
    if not state.runs:
        return [Step("Load the systems' runs", typed(state.path, "load run", "FILE..."))]
    if not state.pairs:
        return [Step("Build the pool", typed(state.path, "pool"))]
    settling = _settling(state, disputes)
    swapping = disputes is not None and disputes.swapping
    matters = bool(state.unresolved or swapping)
    return [
        *_missing(state),
        *_weak(state, alpha, left=left),
        *_given(state),
        *_left(state),
        *(settling if matters else []),
        *_uncovered(state, left=left),
        *([] if matters else settling),
        *_outcome(
            state, settled=bool(people or _all_from_files(state)) and not left and not matters
        ),
    ]


def _missing(state: Progress) -> list[Step]:
    if not state.missing:
        return []
    count = counted(len(state.missing), "pooled document has", "pooled documents have")
    return [Step(f"{count} no text", typed(state.path, "load docs", "FILE"))]


def _weak(state: Progress, alpha: Estimate | None, *, left: bool) -> list[Step]:
    """Judges who do not mean the same by a grade should talk before they go on. While something is
    left to judge, it is said only where it is no accident of a few pairs."""
    if alpha is None or alpha.value is None or strength_of(alpha.value) != "weak":
        return []
    if left and (alpha.ci95 is None or alpha.ci95[1] >= TENTATIVE):
        return []
    interval = f" ({shown_span(alpha.ci95)})" if alpha.ci95 else ""
    what = f"The judges agree weakly, alpha {shown_alpha(alpha.value)}{interval}"
    return [Step(what, typed(state.path, "agreement"), "review")]


def _given(state: Progress) -> list[Step]:
    """Somebody must judge, and every pair must be somebody's."""
    steps = []
    if not state.people and not _all_from_files(state):
        rest = f": no file has graded {state.pairs - state.judged:,} of"
        pairs = counted(state.pairs, "pair")
        what = f"Let somebody judge{f'{rest} {pairs}' if state.files else ''}"
        steps.append(Step(what, _judging(state), "new-judge"))
    if state.assigned is not None and state.assigned < state.pairs:
        count = counted(state.pairs - state.assigned, "pair is", "pairs are")
        names = ",".join(judge.name for judge in state.people) or "A,B"
        command = typed(state.path, "assign", f"--judges {shlex.quote(names)}")
        steps.append(Step(f"{count} given to nobody", command))
    return steps


def _all_from_files(state: Progress) -> bool:
    return bool(state.files) and state.judged == state.pairs


def _left(state: Progress) -> list[Step]:
    """Who has something left, the furthest behind first; of many, how much in all."""
    order = sorted((judge for judge in _at_work(state) if judge.left), key=_done)
    if len(order) <= _NAMED:
        return [Step(_has_left(judge), _judging(state, judge.name), "judge") for judge in order]
    left, pairs = (sum(judge.left for judge in order), sum(judge.pairs for judge in order))
    what = f"{len(order):,} judges have {left:,} of {pairs:,} judgments left"
    return [Step(what, _judging(state), "judge")]


def _at_work(state: Progress) -> Sequence[JudgeProgress]:
    """Of those who are to judge, whoever was given a share or has begun; all, where nobody has. A
    name that was typed once, and under which nothing was ever done, is no judge who is behind."""
    begun = [one for one in state.people if one.graded or one.skipped or one.cannot]
    return state.people if state.assigned is not None or not begun else begun


def _has_left(judge: JudgeProgress) -> str:
    # A hidden repeat is one more judgment, of the same pair.
    one, many = ("judgment", "judgments") if judge.repeats else ("pair", "pairs")
    return f"{judge.name} has {judge.left:,} of {counted(judge.pairs, one, many)} left"


def _done(judge: JudgeProgress) -> float:
    return 1 - judge.left / judge.pairs


def _judging(state: Progress, name: str = "NAME") -> str:
    return typed(state.path, "judge", f"--judge {shlex.quote(name)}")


def _settling(state: Progress, disputes: Disputes | None) -> list[Step]:
    """What the lead has to settle."""
    unresolved = state.unresolved
    count = unresolved if disputes is None else disputes.open
    if not count:
        return []
    what = counted(count, "disagreement is open", "disagreements are open")
    parts = []
    if disputes is not None and disputes.swapping is not None:
        parts.append(f"{disputes.swapping:,} can change the order of the systems")
    if unresolved:
        parts.append(f"{unresolved:,} unresolved (no majority), counted as unjudged")
    what = ": ".join([what, ", ".join(parts)]) if parts else what
    return [Step(what, typed(state.path, "review", "--lead NAME"), "review")]


def _uncovered(state: Progress, *, left: bool) -> list[Step]:
    short = [run for run in state.coverage if run.judged < run.results]
    if not state.judged or not short:
        return []
    worst = min(short, key=_share)
    part = f"{worst.tag} has {percent(_share(worst))} of its top {state.depth} judged"
    how = []
    if state.to_judge:
        given = state.assigned is None or state.assigned == state.pairs
        # With models alone, nobody who judges has come to them yet.
        open_ones = left or not given or not state.people
        what = "to judge" if open_ones else "skipped or not to be judged"
        how.append(f"{state.to_judge:,} {what}")
    if state.to_pool:
        how.append(f"{state.to_pool:,} not in the pool")
    what = f"{part} (unjudged counts as not relevant): {', '.join(how)}"
    if state.to_pool:
        return [Step(what, typed(state.path, "pool", f"--depth {state.depth}"))]
    return [Step(what, door="judge" if left else "")]


def _share(run: RunCoverage) -> float:
    return run.judged / run.results


def _outcome(state: Progress, *, settled: bool) -> list[Step]:
    if not state.judged:
        return []
    results = typed(state.path, "results")
    if not settled:
        return [Step("See how the systems stand so far", results, "results")]
    return [
        Step("All is judged and settled: see the results", results, "results"),
        Step("Write the report", typed(state.path, "report", "-o FILE.html")),
        Step(
            "Export the grades",
            typed(state.path, "export qrels", "-o FILE"),
        ),
    ]
