"""What the panes of Home show: what is counted, and how each row says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge, all_judges, last_written
from judge_tui.campaign.store.statistics import recent_seconds
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.tui.pace import duration, mean_pace, seconds_text
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.table import Heading

if TYPE_CHECKING:
    from judge_tui.campaign.overview.progress import JudgeProgress
    from judge_tui.campaign.overview.status import StatusNow, Step

_BAR = 12
_DAYS = 2 * 86400
_LEADS_TO = {"judge": "judge", "new-judge": "new judge", "settle": "settle", "results": "results"}

_NAME, _KIND, _NUMBERS = Heading("name", keep="ends"), Heading("kind"), Heading(right=True)

STEPS = (Heading(fill=True), _NUMBERS)
_PACE, _LAST = (Heading(title, right=True) for title in ("pace", "last"))
JUDGES = (_NAME, _KIND, Heading("judged", _BAR), _NUMBERS, _PACE, _LAST, Heading())
_SHARE, _UNRESOLVED = (Heading(title, right=True) for title in ("Judged@10", "unresolved"))
# What does not fit leaves at the right: the answer is what a lead looks for.
RUNS = (_NAME, Heading("enough?"), _SHARE, Heading("", _BAR), _UNRESOLVED)


@dataclass(frozen=True)
class Counts:
    """What was counted as of one moment: the same as `status` counts. By name: `judges`; `last`,
    when each last wrote, in UTC; `pace`, seconds for a document, None where it is not known."""

    status: StatusNow
    judges: Mapping[str, JudgeProgress]
    last: Mapping[str, str]
    pace: Mapping[str, float | None]


def count(campaign: Campaign) -> Counts:
    """Count everything: a million pairs take a second or two."""
    # With numpy, which takes longer to import than the first screen to be painted.
    from judge_tui.campaign.overview.status import status_now  # noqa: PLC0415

    status = status_now(campaign)
    looked = {judge.name: recent_seconds(campaign, judge.key) for judge in all_judges(campaign)}
    pace = {name: mean_pace(its) for name, its in looked.items()}
    judges = {judge.name: judge for judge in status.progress.judges}
    return Counts(status, judges, last_written(campaign), pace)


def bar(done: int, total: int, *, unresolved: int = 0) -> Content:
    """How much of it is done, and behind that, dashed, how much is unresolved. Something is never
    drawn as nothing, nor less than all as all."""
    halves = min(2 * _BAR * done // total, 2 * _BAR - (done < total)) if total else 0
    full, half = divmod(max(halves, 1 if done else 0), 2)
    dashed = min(_BAR - full - half, -(-_BAR * unresolved // total)) if total else 0
    return Content.assemble(
        ("━" * full + "╾" * half, "$text-success" if 0 < done == total else "$text-primary"),
        ("╍" * dashed, "$text-warning"),
        ("─" * (_BAR - full - half - dashed), "$foreground 30%"),
    )


def campaign_line(counts: Counts) -> Content:
    """Queries, runs, and how much of the pool is judged."""
    state = counts.status.progress
    judged = f"{state.judged:,}/{state.pairs:,} judged"
    if state.unresolved:
        judged = f"{judged}, {state.unresolved:,} unresolved"
    if state.aside:
        judged = f"{judged}, {state.aside:,} by models alone"
    sizes = counted(state.queries, "query", "queries"), counted(state.runs, "run")
    return Content("  ".join((*sizes, judged)))


def step_cells(step: Step) -> Sequence[Content]:
    """A step and where enter leads; of one that the app does not do, the command."""
    if not step.door:
        return foreign(str(step)), Content()
    return foreign(step.what), Content.styled(f"→ {_LEADS_TO[step.door]}", "$text-accent")


def judge_cells(counts: Counts | None, judge: Judge) -> Sequence[Content]:
    """Name, kind, bar, numbers, pace, when last, and what was not graded; before anything is
    counted, the name."""
    found = counts.judges.get(judge.name) if counts is not None else None
    if counts is None or found is None:
        return (foreign(judge.name), *[Content()] * (len(JUDGES) - 1))
    kind = "model" if judge.kind == "model" else judge.role
    drawn, numbers, rest = Content(), "", "" if judge.role == "lead" else "nothing assigned"
    if found.pairs:
        # As the campaign counts: what was skipped is not judged.
        done = found.pairs - found.left - found.skipped - found.cannot
        drawn, numbers = bar(done, found.pairs), f"{done:,}/{found.pairs:,}"
        aside = {"skipped": found.skipped, "cannot be judged": found.cannot}
        rest = ", ".join(f"{count:,} {what}" for what, count in aside.items() if count)
    pace, last = counts.pace.get(judge.name), counts.last.get(judge.name)
    return (
        foreign(judge.name, "bold" if judge.kind == "human" else ""),
        Content.styled(kind, "dim"),
        drawn,
        Content(numbers),
        Content(seconds_text(pace) if pace is not None else ""),
        Content(ago(last) if last is not None else ""),
        Content.styled(rest, "dim"),
    )


def run_cells(counts: Counts, row: int) -> Sequence[Content]:
    """Tag, whether the run is told from the baseline, share of final grades in the top, as a bar,
    too, and how many are judged without a final grade."""
    run = counts.status.progress.coverage[row]
    final = run.judged - run.unresolved
    share = percent(final / run.results, short=True) if run.results else "no results"
    unresolved = Content(f"{run.unresolved:,}" if run.unresolved else "")
    drawn = bar(final, run.results, unresolved=run.unresolved)
    return foreign(run.tag), Content(_enough(counts, run.tag)), Content(share), drawn, unresolved


def _enough(counts: Counts, tag: str) -> str:
    """The answer, and of an open one how many judgments are lacking: there is no room for more."""
    for one in counts.status.enough.answers:
        if tag in (one.tag, one.baseline):
            more = "" if one.more is None else f": {one.more:,} more"
            return f"{one.answer}{more}" if tag == one.tag else "baseline"
    return ""


def agreement_line(counts: Counts) -> Content:
    """Ordinal alpha with its interval and what it allows to conclude, and what is open."""
    from judge_tui.agreement.estimates import shown_alpha, shown_span, verdict_of  # noqa: PLC0415

    alpha, shared = counts.status.agreement.alpha, counts.status.agreement.shared
    if alpha is None:
        return Content.styled("two judges are needed", "dim")
    of = f"; {counted(shared, 'pair')} shared, {counts.status.disputes.open:,} in dispute"
    value = shown_alpha(alpha.value) if alpha.value is not None else "undefined"
    interval = f" ({shown_span(alpha.ci95)})" if alpha.ci95 else ""
    verdict = verdict_of(alpha, shared).removeprefix("undefined: ")
    return Content.assemble("alpha ", (value, "bold"), f"{interval}, {verdict}", (of, "dim"))


def ago(written_at: str) -> str:
    """How long ago that was."""
    seconds = (datetime.now(UTC) - datetime.fromisoformat(written_at)).total_seconds()
    return f"{seconds / 86400:.0f} d ago" if seconds > _DAYS else f"{duration(seconds)} ago"
