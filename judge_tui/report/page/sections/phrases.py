"""How numbers and names are put into sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judge_tui.report.layout import difference, number, probability
from judge_tui.significance import Comparison, Verdict
from judge_tui.significance.paired.drawn_signs import DRAWS
from judge_tui.significance.verdict import FEWEST_QUERIES

__all__ = [
    "between",
    "counted",
    "ends_of",
    "excerpt",
    "is_or_are",
    "least_to_most",
    "listed",
    "name_of_test",
    "sentence",
    "set_beside",
    "tests_told",
    "verdict_of",
    "verdict_words",
    "with_test",
]

_NAMED = 5


def counted(count: int, one: str, many: str = "") -> str:
    """`1 query`, `3 queries`, `no query`."""
    if not count:
        return f"no {one}"
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def is_or_are(count: int) -> str:
    """The verb that goes with so many."""
    return "is" if count == 1 else "are"


def least_to_most(ends: tuple[int, int]) -> str:
    """`4`, `4 to 12`."""
    return " to ".join(f"{end:,}" for end in dict.fromkeys(ends))


def listed(names: Iterable[str], most: int = _NAMED) -> str:
    """`a`, `a and b`, `a, b and 3 more`."""
    names = list(names)
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} more"]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def between(ends: tuple[float, float] | None, *, signed: bool = False) -> str:
    """An interval in words; nothing where there is none."""
    if ends is None:
        return "no interval"
    show = difference if signed else number
    return f"95 % interval {show(ends[0])} to {show(ends[1])}"


def ends_of(interval: tuple[float, float] | None) -> tuple[float | None, float | None]:
    """Two cells of a table, empty where there is no interval."""
    return (None, None) if interval is None else interval


def excerpt(text: str, most: int = 90) -> str:
    """The beginning of a text, on one line."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def sentence(clause: str) -> str:
    """What commands print without a capital and a full stop, with both."""
    return f"{clause[:1].upper()}{clause[1:]}."


def name_of_test(name: str) -> str:
    """A test in a sentence."""
    return {"wilcoxon": "Wilcoxon's test", "permutation": "the permutation test"}.get(name, name)


def tests_told(names: Sequence[str]) -> str:
    """Which tests there are, in the order of the settings, and where there is no verdict."""
    drawn = f"sign flips; {DRAWS:,} draws where not all can be counted"
    whole = {
        "wilcoxon": "Wilcoxon's signed-rank test",
        "permutation": f"the permutation test ({drawn})",
    }
    first, *others = (whole.get(name, name_of_test(name)) for name in names)
    beside = f", and beside it {listed(others, len(others))}" if others else ""
    return (
        f"{first}, which gives the verdict{beside}. Fewer than {FEWEST_QUERIES} queries give no"
        " verdict."
    )


def verdict_words(one: Comparison) -> str:
    """As `verdict_of`."""
    return verdict_of(one.tag, one.verdict)


def verdict_of(tag: str, verdict: Verdict) -> str:
    """`dense is better`, `dense: no difference is shown`."""
    return {
        Verdict.BETTER: f"{tag} is better",
        Verdict.WORSE: f"{tag} is worse",
        Verdict.NOTHING_SHOWN: f"{tag}: no difference is shown",
        Verdict.TOO_FEW: f"{tag}: too few queries to tell",
    }[verdict]


def set_beside(one: Comparison, tests: Sequence[str], *, of: int) -> str:
    """The run and the baseline in numbers: `0.5210 against 0.4300, a difference of +0.0910 (…)`.
    `of`: over how many comparisons p is corrected."""
    p, why = one.p_adjusted.get(tests[0]), one.tests[tests[0]].why
    return (
        f"{number(one.mean)} against {number(one.baseline_mean)}, a difference of"
        f" {difference(one.delta)} ({with_test(one.ci95, p, why, of=of)});"
        f" ahead on {one.wins:,} of {counted(one.queries, 'query', 'queries')},"
        f" behind on {one.losses:,}, level on {one.ties:,}"
    )


def with_test(ci95: tuple[float, float] | None, p: float | None, why: str, *, of: int) -> str:
    """The interval of a difference and its p, or `why` it has none; `of` as in `set_beside`."""
    corrected = f" corrected for {of:,} comparisons" if of > 1 else ""
    p_words = f"p {probability(p)}{corrected}" if p is not None else f"no p: {why}"
    return f"{between(ci95, signed=True)}; {p_words}"
