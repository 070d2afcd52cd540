"""Which cases are in the queue and how far the judges agree, in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.store.judges import Judge
from judge_tui.counts import counted
from judge_tui.tui.shown import fitting

if TYPE_CHECKING:
    from judge_tui.campaign.overview.agreement import Agreed


@dataclass(frozen=True, slots=True)
class Known:
    """What was worked out so far: what hangs on the cases (`weighed`), whether they stand in that
    order (`ordered`) or are to be put in it anew (`ordering`), `why` that cannot be, and the
    agreement over all judges."""

    weighed: bool = False
    ordered: bool = False
    ordering: bool = False
    why: str = ""
    overall: Agreed | None = None


def cases_content(
    count: int, filter: str, known: Known, *, models: bool, order_key: str
) -> Content:
    """How many cases, by which `filter` (in words, "" for none), whether models are among the
    judges, and in which order they are; `order_key` puts them in order."""
    shown = counted(count, "case" if filter else "disagreement")
    if filter:
        shown += f": {filter}"
    if models:
        shown += ", models included"
    return Content.assemble((shown, "bold"), (f"  {_order(known, order_key)}", "dim"))


def _order(known: Known, order_key: str) -> str:
    if known.ordering or not known.weighed:
        return "working out which of them matter …"
    if known.why:
        return f"by spread: {known.why}"
    if not known.ordered:
        # They are weighed, and stay where they are under the lead's eyes.
        return f"by spread: {order_key} puts swaps first"
    from judge_tui.campaign.overview.disagreements import SWAPS_BY  # noqa: PLC0415 - not before it is weighed

    return f"most swaps by {SWAPS_BY} first"


def own_content(cases: Cases, lead: Judge) -> Content:
    """That the lead is a judge of some of the disagreements, too; empty where that is not so."""
    places = [place for place, judge in enumerate(cases.judges) if judge.key == lead.key]
    disputed = cases.disputed
    own = int((cases.grades[disputed][:, places] >= 0).sum())
    if not own:
        return Content("")
    of = f"{own:,} of these {len(cases.pairs[disputed]):,} disagreements"
    return Content.assemble((f"you graded {of} yourself", "bold"), ": you settle your own")


def agreement_content(overall: Agreed | None, width: int) -> Content:
    """Ordinal alpha, and what `width` columns can hold of its interval and its strength."""
    if overall is None:
        return Content("")
    from judge_tui.agreement.wording import (  # noqa: PLC0415 - not before it is worked out
        shown_alpha,
        shown_span,
        verdict_of,
    )

    alpha = overall.alpha
    if alpha is None or alpha.value is None:
        return fitting([Content.styled("alpha undefined", "dim"), Content("")], width)
    interval = f" ({shown_span(alpha.ci95)})" if alpha.ci95 else ""
    said = Content.assemble("alpha ", (shown_alpha(alpha.value), "bold"), interval)
    strength, *doubts = verdict_of(alpha, overall.shared).split(", but ")
    # Which doubts is told where agreement is shown whole.
    whole = Content.assemble(said, f", {strength}, uncertain" if doubts else f", {strength}")
    shorter = Content.assemble("alpha ", (shown_alpha(alpha.value), "bold"))
    return fitting([whole, said, shorter, Content("")], width)
