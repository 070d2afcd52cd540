"""The campaign at a glance: what `status` prints, as of one moment, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge_tui.agreement.estimates import (
    TENTATIVE,
    Estimate,
    shown_alpha,
    shown_span,
    strength_of,
)
from judge_tui.analysis.enough import Answer
from judge_tui.campaign.overview.agreement import AgreementNow, agreement_on
from judge_tui.campaign.overview.disagreements import Disputes, disputes_of, open_disputes
from judge_tui.campaign.overview.enough import EnoughNow, enough_now
from judge_tui.campaign.overview.grading import first_grades
from judge_tui.campaign.overview.progress import JudgeProgress, Progress, RunCoverage, progress
from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.arrays import judgment_arrays
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import all_judges
from judge_tui.campaign.store.pool import LatestRound, latest_round
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.pooling.pool import USUAL_DEPTH, USUAL_MEASURE

_NOTHING_ASKED = EnoughNow()

_NAMED = 3
"""More judges than these are counted, and not named."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that the lead can do: `what` is a sentence, foreign text in it as it came.

    `command` can be typed in a shell, "" where none does it. `door`: where in the app it is done,
    if there: `judge`, `new-judge`, `settle` or `results`. `judge`: the name of the one judge whom
    it is for, "" where it is for several.
    """

    what: str
    command: str = ""
    door: str = ""
    judge: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.command}" if self.command else self.what


class StatusNow(NamedTuple):
    """How far the campaign is, how its judges agree, what they dispute, whether enough is judged to
    tell the runs from the baseline, and what comes next."""

    progress: Progress
    agreement: AgreementNow
    disputes: Disputes
    enough: EnoughNow
    steps: list[Step]


def status_now(
    campaign: Campaign, *, measure: str | None = None, between: tuple[str, str] | None = None
) -> StatusNow:
    """Home counts the same, one after another, beside the app. `measure` and `between` as in
    `enough_now`."""
    with campaign.reading():
        work = {judge: judgment_arrays(campaign, judge.key) for judge in all_judges(campaign)}
        state = progress(campaign, work=work)
        grades = first_grades(campaign, work=work)
        found = open_disputes(campaign, grades)
        enough = enough_now(campaign, measure=measure, between=between, work=work)
        latest = latest_round(campaign)
    agreement, disputes = agreement_on(grades, campaign.settings), disputes_of(found)
    steps = next_steps(state, disputes, agreement.alpha, enough, latest)
    return StatusNow(state, agreement, disputes, enough, steps)


def next_steps(
    state: Progress,
    disputes: Disputes | None = None,
    alpha: Estimate | None = None,
    enough: EnoughNow = _NOTHING_ASKED,
    latest: LatestRound = LatestRound(),  # noqa: B008 - frozen
) -> list[Step]:
    """What to do next, the most pressing first.

    `disputes` and `alpha` (ordinal, of all judges that count) are None where they are not known.
    `latest`: the latest round.
    """
    return [*_steps(state, disputes, alpha, enough, latest)]


def _steps(
    state: Progress,
    disputes: Disputes | None,
    alpha: Estimate | None,
    enough: EnoughNow,
    latest: LatestRound,
) -> Iterator[Step]:
    path, left = state.path, [judge for judge in state.people if judge.left]
    if state.damaged:
        check = f"judge-tui check {shlex.quote(str(path))}"
        yield Step("The file is damaged: restore a copy, or see where", check)
    if state.is_part:
        yield from _left(state, left)
        yield Step("Send this file home; there", "judge-tui merge FILE")
        return
    if not state.queries:
        yield Step("Load the queries", shell_command(path, "load queries", "FILE"))
        return
    if state.missing:
        count = counted(len(state.missing), "pooled document has", "pooled documents have")
        yield Step(f"{count} no text", shell_command(path, "load docs", "FILE"))
    if not state.runs:
        yield Step("Load the systems' runs", shell_command(path, "load run", "FILE..."))
        return
    if not state.pairs:
        yield Step("Build the pool", shell_command(path, "pool"))
        return
    settling = _settling(state, disputes)
    matters = bool(state.unresolved or (disputes is not None and disputes.swapping))
    yield from _weak(state, alpha, so_far=bool(left))
    if not state.people:
        yield Step("Let somebody judge", _judging(state), "new-judge")
    if state.assigned is not None and state.assigned < state.pairs:
        count = counted(state.pairs - state.assigned, "pair is", "pairs are")
        names = shlex.quote(",".join(judge.name for judge in state.people) or "A,B")
        yield Step(f"{count} given to nobody", shell_command(path, "assign", f"--judges {names}"))
    yield from _left(state, left)
    if matters:
        yield from settling
    if state.judged and not (enough.sampled or _apart(enough)):
        yield from _uncovered(state, left=bool(left))
    if not matters:
        yield from settling
    if not left:
        yield from _open(state, enough, latest)
    results = shell_command(path, "results")
    so_far = bool(left or matters or not state.people)
    if state.judged:
        what = "See how the systems stand so far"
        if known := _apart(enough) or ("" if so_far else "All that is pooled is judged"):
            what = f"{known}: see the results"
        yield Step(what, results, "results")
    if state.judged and not so_far:
        yield Step("Write the report", shell_command(path, "report"))
        yield Step("Export the grades", shell_command(path, "export qrels", "-o FILE"))


def _weak(state: Progress, alpha: Estimate | None, *, so_far: bool) -> Iterator[Step]:
    """Judges who do not mean the same by a grade should talk before they go on. As long as
    something is left to judge, an accident of a few pairs is no reason."""
    if alpha is None or alpha.value is None or strength_of(alpha.value) != "weak":
        return
    if not so_far or (alpha.ci95 is not None and alpha.ci95[1] < TENTATIVE):
        interval = f" ({shown_span(alpha.ci95)})" if alpha.ci95 else ""
        what = f"The judges agree weakly, alpha {shown_alpha(alpha.value)}{interval}"
        yield Step(what, shell_command(state.path, "agreement"), "settle")


def _left(state: Progress, judges: Sequence[JudgeProgress]) -> Iterator[Step]:
    """Who has something left, the furthest behind first; of many, how much in all."""
    if state.is_shared and judges:
        # Each could do all of it, less what they skipped.
        left = max(judge.left for judge in judges)
        what = f"One queue for all: {left:,} of {counted(state.pairs, 'pair', 'pairs')} left"
        yield Step(what, _judging(state), "judge")
        return
    if len(judges) > _NAMED:
        left, pairs = (sum(judge.left for judge in judges), sum(judge.pairs for judge in judges))
        what = f"{len(judges):,} judges: {left:,} of {pairs:,} judgments left"
        yield Step(what, _judging(state), "judge")
        return
    for judge in sorted(judges, key=lambda one: -one.left / one.pairs):
        # A hidden repeat is one more judgment, of the same pair.
        words = ("judgment", "judgments") if judge.repeats else ("pair", "pairs")
        what = f"{judge.name}: {judge.left:,} of {counted(judge.pairs, *words)} left"
        yield Step(what, _judging(state, judge.name), "judge", judge.name)


def _judging(state: Progress, name: str = "NAME") -> str:
    return shell_command(state.path, "judge", f"--judge {shlex.quote(name)}")


def _settling(state: Progress, disputes: Disputes | None) -> Iterator[Step]:
    """What the lead has to settle."""
    count = state.unresolved if disputes is None else disputes.open
    parts = []
    if disputes is not None and disputes.swapping is not None:
        parts.append(f"{disputes.swapping:,} can change the order of the systems")
    if state.unresolved:
        parts.append(f"{state.unresolved:,} unresolved (no majority), counted as unjudged")
    if count:
        what = counted(count, "disagreement is open", "disagreements are open")
        what = ": ".join([what, *filter(None, [", ".join(parts)])])
        leads = [judge for judge in state.judges if judge.role == "lead"]
        who = "" if len(leads) == 1 else "--lead NAME"
        yield Step(what, shell_command(state.path, "settle", who), "settle")


def _uncovered(state: Progress, *, left: bool) -> Iterator[Step]:
    """The run of which least is judged."""

    def share(run: RunCoverage) -> float:
        return run.judged / run.results

    short = [run for run in state.coverage if run.judged < run.results]
    if not short:
        return
    worst = min(short, key=share)
    how, outside = [], worst.results - worst.pooled
    if to_judge := worst.pooled - worst.judged:
        # With models alone, nobody who judges has come to them yet.
        open_ones = left or state.assigned not in (None, state.pairs) or not state.people
        how.append(f"{to_judge:,} {'to judge' if open_ones else 'skipped or not to be judged'}")
    if outside:
        how.append(f"{outside:,} not in the pool")
    unresolved = f", {worst.unresolved:,} of them unresolved" if worst.unresolved else ""
    what = (
        f"{worst.tag} has {percent(share(worst))} of its top {state.depth} judged{unresolved}"
        f" (unjudged counts as not relevant): {', '.join(how)}"
    )
    if outside:
        yield Step(what, shell_command(state.path, "pool", f"--depth {state.depth}"))
    else:
        yield Step(what, door="judge" if left else "")


def _open(state: Progress, enough: EnoughNow, latest: LatestRound) -> Iterator[Step]:
    """A round for the open run that lacks the fewest random pairs, as large and as deep as the
    latest; where nobody can say how many, why."""
    open_ones = [one for one in enough.answers if one.answer is Answer.OPEN]
    numbered = [one for one in open_ones if one.more]
    if numbered:
        one = min(numbered, key=lambda one: one.more or 0)
        between = f"--between {shlex.quote(one.baseline)} {shlex.quote(one.tag)}"
        measure = "" if one.measure == USUAL_MEASURE else f" -m {shlex.quote(one.measure)}"
        depth = f" --depth {latest.depth}" if latest.depth not in (None, USUAL_DEPTH) else ""
        budget = f"--budget {state.pairs + latest.pairs}"
        options = f"--strategy settle {between}{measure}{depth} {budget}"
        command = shell_command(state.path, "pool", f"{options} --until settled")
        yield Step(f"{one.tag} is not told from {one.baseline} yet: {one.lacking}", command)
    elif open_ones and all(one.unbiased is None for one in open_ones):
        what = f"{open_ones[0].tag} is not told from {open_ones[0].baseline} yet"
        yield Step(f"{what}: {open_ones[0].why}")


def _apart(enough: EnoughNow) -> str:
    """The runs that are told apart from the baseline, where no pair is open."""
    apart = [one for one in enough.answers if one.apart]
    if not apart or not enough.settled:
        return ""
    tags = ", ".join(one.tag for one in apart) if len(apart) <= _NAMED else f"{len(apart):,} runs"
    how = " or ".join(dict.fromkeys(str(one.answer) for one in apart))
    return f"{tags} {'is' if len(apart) == 1 else 'are'} told from {apart[0].baseline} ({how})"
