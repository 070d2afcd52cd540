"""Everything that is known of the agreement of judges, in the order in which one asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.agreement import verdict_of
from judge_tui.report.agreement.between import between_grids
from judge_tui.report.agreement.by_judge import by_judge_grids
from judge_tui.report.agreement.names import alpha_number, low_high, of_all
from judge_tui.report.agreement.order import order_grids, order_told
from judge_tui.report.agreement.reasons import missing_told
from judge_tui.report.agreement.rows import HEADER, agreement_rows
from judge_tui.report.agreement.sliced import slice_grids
from judge_tui.report.layout import Cell, Column, Grid, Report, plain

if TYPE_CHECKING:
    from judge_tui.agreement import AgreementStudy
    from judge_tui.analysis.judge_orders import SystemOrders
    from judge_tui.model import Scale

__all__ = ["agreement_report"]

_FEW_MATRICES = 3


def agreement_report(
    study: AgreementStudy,
    scale: Scale,
    *,
    orders: SystemOrders | None = None,
    confusion: bool = False,
) -> Report:
    """Alpha over all judges, every two of them, each by themselves, slices, and what it does to the
    order of systems.

    `orders`: what each judge's grades make of the systems, where that was worked out. Confusion
    matrices stand there for few judges, or where `confusion` asks for them; of many pairs of judges
    the table has those that agree least. JSON and CSV have all.
    """
    two_by_two = between_grids(
        study.agreement.between,
        scale,
        confusion=confusion or len(study.agreement.between) <= _FEW_MATRICES,
    )
    grids = [
        _overall(study),
        *two_by_two.grids,
        *by_judge_grids(study, scale, confusion=confusion),
        *slice_grids(study),
        *order_grids(orders),
    ]
    return Report(
        document=study.to_dict(None if orders is None else orders.to_dict()),
        header=HEADER,
        rows=list(agreement_rows(study, orders)),
        grids=grids,
        notes=[*_said(study), *two_by_two.left_out, *order_told(orders), *missing_told(study)],
    )


def _overall(study: AgreementStudy) -> Grid:
    found = study.agreement
    of = (len(found.judges), found.pairs_shared)
    rows: list[tuple[Cell, ...]] = [(name, *low_high(one), *of) for name, one in of_all(found)]
    columns = [
        Column("measure", plain, right=False),
        *(Column(name, alpha_number) for name in ("value", "low", "high")),
        Column("judges"),
        Column("pairs shared"),
    ]
    return Grid("All judges", columns, rows)


def _said(study: AgreementStudy) -> Iterator[str]:
    alpha = study.agreement.alpha["ordinal"]
    if alpha.value is not None:
        yield f"ordinal alpha is {verdict_of(alpha, study.agreement.pairs_shared)}"
    yield from (f"warning: {warning}" for warning in study.warnings)
    against = [
        name
        for name, found in (
            ("the mean of the others' grades", study.against_others),
            ("that of the hidden repeat", study.own),
            ("the gold grade", study.gold),
        )
        if found
    ]
    if against:
        yield (
            f"bias: the judge's grade at the first look less {' or '.join(against)}, in grades;"
            " above 0 the judge's is the higher one"
        )
