"""What a reader of the agreement must be careful with, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from judge_tui.agreement.bands import FEW_PAIRS, FIRM, TENTATIVE, band, shown_alpha
from judge_tui.agreement.checked import Checked
from judge_tui.agreement.estimate import Estimate
from judge_tui.agreement.two_judges import Between
from judge_tui.percent import percent

__all__ = [
    "about_checks",
    "by_file_told",
    "caveats",
    "enough_for_kappa",
    "listed",
    "too_few_for_kappa",
    "weak_checks",
]

# Thirty judges make 435 pairs of judges: the first few show where to look.
_TOLD = 3


def caveats(
    judges: int, shared: int, alpha: Estimate, two_by_two: Sequence[Between], grades: int
) -> Iterator[str]:
    """One sentence each. `shared`: pairs with grades of two or more judges; `alpha`: ordinal;
    `grades`: the size of the scale."""
    if judges < 2:
        have = "nobody has judged yet" if judges == 0 else "only one judge has judged"
        yield f"{have}: agreement needs two judges on the same documents"
    elif shared == 0:
        yield "no document was judged by two judges: give them documents in common"
    else:
        yield from _about_alpha(alpha)
        if shared < FEW_PAIRS:
            documents = "document" if shared == 1 else "documents"
            yield (
                f"only {shared} {documents} with grades of two judges or more: alpha and its"
                f" interval are uncertain below {FEW_PAIRS}"
            )
        yield from _about_overlap(two_by_two, grades)


def _about_alpha(alpha: Estimate) -> Iterator[str]:
    if alpha.value is None:
        yield f"alpha is undefined: {alpha.why}"
        return
    shown = f"ordinal alpha is {shown_alpha(alpha.value, 3)}"
    strength = band(alpha.value)
    if strength == "weak":
        yield f"weak agreement: {shown}, below {TENTATIVE}; do not build on these grades yet"
    elif strength == "tentative":
        yield f"tentative agreement: {shown}, below {FIRM:.2f}; conclusions are tentative"
    if alpha.ci95 is not None and strength != "weak" and band(alpha.ci95[0]) != strength:
        low = alpha.ci95[0]
        yield (
            f"{shown}, but its interval reaches down to {shown_alpha(low, 3)}, which is {band(low)}"
        )


def _about_overlap(two_by_two: Sequence[Between], grades: int) -> Iterator[str]:
    apart = [" and ".join(two.judges) for two in two_by_two if two.pairs == 0]
    if apart:
        yield f"no document in common: {listed(apart)}"
    shared = [(" and ".join(two.judges), two.pairs) for two in two_by_two]
    yield from too_few_for_kappa("documents in common", shared, grades)


def enough_for_kappa(grades: int) -> int:
    """From how many pairs on the intervals of kappa on so many grades can be relied on.

    2 k^2 is what the large-sample error of weighted kappa needs: Cicchetti & Fleiss (1977) for 3 to
    7 grades, Cicchetti (1981), Appl. Psychol. Meas. 5:101-104, for 8 to 10. Neither looked at 2:
    what 3 take is taken for them, as 2 k^2 = 8 would be less than anybody has shown.
    """
    return 2 * max(grades, 3) ** 2


def too_few_for_kappa(what: str, found: Iterable[tuple[str, int]], grades: int) -> Iterator[str]:
    """A sentence that names those whose kappa has no interval to be relied on, where there are any.
    `found`: name and number of pairs, where none needs no warning; `what` the pairs are."""
    needed = enough_for_kappa(grades)
    few = [f"{name} ({pairs:,})" for name, pairs in found if 0 < pairs < needed]
    if few:
        yield (
            f"fewer than {needed} {what}, too few for the intervals of kappa on {grades} grades:"
            f" {listed(few)}"
        )


def about_checks(own: Mapping[str, Checked], gold: Mapping[str, Checked]) -> Iterator[str]:
    """The judges who are weak by what they were checked with, and those checked with too little."""
    yield from weak_checks(own, gold)
    for what, found in (("hidden repeats", own), ("gold pairs", gold)):
        grades = max((len(one.confusion) for one in found.values()), default=0)
        pairs = ((name, one.pairs) for name, one in found.items())
        yield from too_few_for_kappa(what, pairs, grades)


def weak_checks(own: Mapping[str, Checked], gold: Mapping[str, Checked]) -> Iterator[str]:
    """The judges whose quadratic kappa with their own earlier grades, or with the gold grades, is
    weak at both ends of its interval, where it has one to be relied on: one sentence of each kind,
    the least kappa first."""
    for found, other, how in (
        (own, "the judge's own earlier grades", "{share} of {pairs} hidden repeats as before"),
        (gold, "the gold grades", "{share} of {pairs} gold pairs as the gold"),
    ):
        weak = []
        for name, one in found.items():
            kappa = one.estimates["kappa_quadratic"]
            share = one.estimates["agreement"].value
            if kappa.value is None or kappa.ci95 is None or share is None:
                continue
            enough = one.pairs >= enough_for_kappa(len(one.confusion))
            if enough and kappa.ci95[1] < TENTATIVE:
                graded = how.format(share=percent(share), pairs=f"{one.pairs:,}")
                weak.append(
                    (
                        kappa.value,
                        f"{name} graded {graded}, quadratic kappa {shown_alpha(kappa.value, 3)}",
                    )
                )
        if weak:
            told = listed([text for _, text in sorted(weak)])
            yield f"weak agreement with {other}, below {TENTATIVE} all through the interval: {told}"


def by_file_told(judges: Collection[str]) -> str:
    """What is to be known of the halves of `judges` whose grades came from files."""
    return (
        f"most first grades of {listed(sorted(judges), ', ')} came from files: their halves are by"
        " the order of the file, not by time"
    )


def listed(some: Sequence[str], between: str = "; ") -> str:
    """The first few, and how many more there are."""
    more = len(some) - _TOLD
    return between.join([*some[:_TOLD], *([f"and {more} more"] if more > 0 else [])])
