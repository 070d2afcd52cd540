"""Everything that can be said about the agreement of a campaign's judges, in one call."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.caveats import caveats
from judge_tui.agreement.estimate import Estimate
from judge_tui.agreement.fleiss import fleiss_kappa
from judge_tui.agreement.two_judges import Between, between
from judge_tui.errors import UsageError, unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Agreement", "agree"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a campaign's judges agree.

    `pairs_judged` counts the pairs with a grade of at least one of the `judges`, `pairs_shared`
    those with grades of two or more; `alpha` is by metric; `between` has every two judges, in the
    order of `judges`; `warnings` say in plain words what to be careful with.
    """

    judges: tuple[str, ...]
    pairs_judged: int
    pairs_shared: int
    alpha: dict[str, Estimate]
    fleiss: Estimate
    between: tuple[Between, ...]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As `agreement -f json` prints it: lists, numbers, strings, None; never NaN."""
        fields: dict[str, Any] = {
            "schema_version": 1,
            "judges": list(self.judges),
            "pairs_judged": self.pairs_judged,
            "alpha": {metric: found.to_dict() for metric, found in self.alpha.items()},
            "fleiss": self.fleiss.value,
        }
        if self.fleiss.why is not None:
            fields["why"] = {"fleiss": self.fleiss.why}
        fields["between"] = [two.to_dict() for two in self.between]
        fields["warnings"] = list(self.warnings)
        return fields


def agree(
    grades: Mapping[str, Mapping[Any, int]],
    scale: Sequence[int],
    *,
    judges: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Agreement:
    """Agreement of `judges` (default: all, by name) on the pairs they graded.

    `grades`: judge -> pair -> grade; a pair is anything hashable, as (query_id, doc_id). `scale`:
    the campaign's whole scale, ascending, grades that nobody gave included. `seed` and `resamples`
    are those of alpha's bootstrap. Raises `UsageError` for a judge who is not in `grades` or is
    named twice, and for a grade off the scale.
    """
    names = _chosen(grades, judges)
    if list(scale) != sorted(set(scale)) or len(scale) < 2:
        raise UsageError("a scale has at least two grades", "give each once, least first")
    codes = _codes([grades[name] for name in names], names, scale)
    table = _table(codes, len(scale))
    alpha = krippendorff_alpha(table, scale, seed=seed, resamples=resamples)
    two_by_two = tuple(
        between((names[a], names[b]), _confusion(codes[a], codes[b], len(scale)), scale)
        for a, b in combinations(range(len(names)), 2)
    )
    shared = int((table.sum(axis=1) >= 2).sum())
    return Agreement(
        judges=names,
        pairs_judged=len(table),
        pairs_shared=shared,
        alpha=alpha,
        fleiss=fleiss_kappa(table),
        between=two_by_two,
        warnings=tuple(caveats(len(names), shared, alpha["ordinal"], two_by_two, len(scale))),
    )


def _chosen(grades: Mapping[str, object], judges: Sequence[str] | None) -> tuple[str, ...]:
    if judges is None:
        return tuple(sorted(grades))
    for name in judges:
        if name not in grades:
            raise unknown("judge", name, sorted(grades))
        if judges.count(name) > 1:
            raise UsageError(f"judge {name!r} is named twice", "name each judge once")
    return tuple(judges)


def _codes(
    rows: Sequence[Mapping[Hashable, int]], names: Sequence[str], scale: Sequence[int]
) -> NDArray[np.int8]:
    """Judges x pairs: the place of each grade on the scale, `len(scale)` where there is none."""
    import numpy as np  # noqa: PLC0415

    place = {grade: at for at, grade in enumerate(scale)}
    columns: dict[Hashable, int] = {}
    filled: list[tuple[list[int], list[int]]] = []
    for name, row in zip(names, rows, strict=True):
        at = [columns.setdefault(pair, len(columns)) for pair in row]
        try:
            filled.append((at, [place[grade] for grade in row.values()]))
        except KeyError as error:
            known = ", ".join(map(str, scale))
            raise UsageError(
                f"grade {error.args[0]} of judge {name!r} is not on the scale", f"known: {known}"
            ) from None
    codes = np.full((len(rows), len(columns)), len(scale), dtype=np.int8)
    for judge, (at, places) in enumerate(filled):
        codes[judge, at] = places
    return codes


def _table(codes: NDArray[np.int8], grades: int) -> NDArray[np.int64]:
    """Pairs x grades: how often each pair got each grade."""
    import numpy as np  # noqa: PLC0415

    return np.stack([(codes == grade).sum(axis=0) for grade in range(grades)], axis=1)


def _confusion(first: NDArray[np.int8], second: NDArray[np.int8], grades: int) -> list[list[int]]:
    import numpy as np  # noqa: PLC0415

    # "Not judged" is one more grade while counting, and cut off afterwards.
    size = grades + 1
    cells = np.bincount(first.astype(np.intp) * size + second, minlength=size * size)
    counts: list[list[int]] = cells.reshape(size, size)[:grades, :grades].tolist()
    return counts
