"""What Home says of a campaign, as content: counts, coverage, agreement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from rich.cells import cell_len
from textual.content import Content

from judge_tui.agreement.wording import shown_alpha, shown_span, verdict_of
from judge_tui.campaign.overview.agreement import Agreed
from judge_tui.campaign.overview.next_steps import Step
from judge_tui.campaign.overview.progress import Progress, RunCoverage
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.tui.cells import padded, widest
from judge_tui.tui.shown import foreign
from judge_tui.visible import visible_line

_LEAST_NAME = 20
# What else stands on a line that begins with a name: a bar, and most counts.
_BAR = 24
_COUNTS = 44
_SHOWN_RUNS = 12
_UNRESOLVED = "unresolved: judged, but without a majority; results count it as unjudged"
_SHOWN_STEPS = 6


def counts_content(state: Progress) -> Content:
    """One line: queries, runs, pairs, judged, and how many of these have no majority."""
    counts = (
        (state.queries, "query", "queries"),
        (state.runs, "run", "runs"),
        (state.pairs, "pair in the pool", "pairs in the pool"),
        (state.judged, "judged", "judged"),
    )
    said = Content("   ").join(
        Content.assemble((f"{count:,}", "bold"), f" {one if count == 1 else many}")
        for count, one, many in counts
    )
    unresolved = state.unresolved
    return Content.assemble(said, f", {unresolved:,} of them unresolved") if unresolved else said


def name_width(screen: int, names: Iterable[str]) -> int:
    """Cells for the names of judges and runs, which stand below each other, on a screen so wide:
    what the longest of them takes, if there is room for it."""
    return max(_LEAST_NAME, widest(screen - _BAR - _COUNTS, names))


def shown_runs(state: Progress) -> Sequence[RunCoverage]:
    """The runs as they were loaded; of many, those with the least share of final grades."""
    if len(state.coverage) <= _SHOWN_RUNS:
        return state.coverage
    return sorted(state.coverage, key=_share)[:_SHOWN_RUNS]


def coverage_content(state: Progress, width: int) -> Content:
    """A line for each run that is shown, its name in `width` cells; of many, a summary above."""
    if not state.coverage:
        return Content.styled("No runs yet.", "dim")
    shown = shown_runs(state)
    lines = []
    if len(shown) < len(state.coverage):
        shares = [_share(run) for run in state.coverage]
        lines.append(
            Content.styled(
                f"{len(shares):,} runs: {percent(min(shares))} to {percent(max(shares))}, median"
                f" {percent(median(shares))}; the least graded:",
                "dim",
            )
        )
    for run in shown:
        share = f"{percent(_share(run), short=True):>5}" if run.results else "no results"
        name = f"{padded(visible_line(run.tag), width)} "
        unresolved = f"   {run.unresolved:,} unresolved" if run.unresolved else ""
        lines.append(Content(f"{name}{bar(_graded(run), run.results)}  {share}{unresolved}"))
    if any(run.unresolved for run in shown):
        lines.append(Content.styled(_UNRESOLVED, "dim"))
    return Content("\n").join(lines)


def agreement_content(agreed: Agreed) -> Content:
    """Ordinal alpha with its interval and what it allows to conclude."""
    alpha = agreed.alpha
    if alpha is None:
        return Content.styled("Two judges are needed.", "dim")
    of = f"   {counted(agreed.shared, 'pair')} shared"
    if alpha.value is None:
        return Content.assemble("alpha (ordinal) undefined: ", str(alpha.why), (of, "dim"))
    interval = f" ({shown_span(alpha.ci95)})" if alpha.ci95 else ""
    return Content.assemble(
        "alpha (ordinal) ",
        (shown_alpha(alpha.value), "bold"),
        f"{interval}, {verdict_of(alpha, agreed.shared)}",
        (of, "dim"),
    )


def steps_content(
    steps: Sequence[Step], keys: Mapping[str, str], width: int, status: str
) -> Content:
    """The steps in `width` cells, each after the key of its door (`keys`: door -> key) or before
    its command; of many, the first ones and how many more the command `status` prints."""
    shown = steps[:_SHOWN_STEPS]
    column = max((cell_len(keys.get(step.door, "")) for step in shown), default=0) + 2
    lines = []
    for step in shown:
        key = keys.get(step.door, "")
        said = foreign(step.what)
        if not key and step.command:
            said = Content.assemble(said, ": ", foreign(step.command, "bold"))
        begin = Content.styled(padded(key, column), "bold")
        for line in said.wrap(max(_LEAST_NAME, width - column)):
            lines.append(Content.assemble(begin, line))
            begin = Content(" " * column)
    if len(steps) > _SHOWN_STEPS:
        more = f"{' ' * column}and {len(steps) - _SHOWN_STEPS} more: {status}"
        lines.append(foreign(more, "dim"))
    return Content("\n").join(lines)


def bar(done: int, total: int) -> str:
    """How much of it is done, as a bar."""
    full = _BAR * done // total if total else 0
    return "█" * full + "░" * (_BAR - full)


def _share(run: RunCoverage) -> float:
    return _graded(run) / run.results if run.results else 0.0


def _graded(run: RunCoverage) -> int:
    """Its results that have a final grade."""
    return run.judged - run.unresolved
