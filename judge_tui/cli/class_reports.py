"""What classes of queries add to the results of `score` and `compare`: how demands are met, and
standard and hard ones side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.cli.inputs import Inputs
from judge_tui.scoring import Measure, Scores

if TYPE_CHECKING:
    from judge_tui.analysis.class_means import ClassPart
    from judge_tui.analysis.demands import Demanded
    from judge_tui.class_measures import Slicing
    from judge_tui.report.layout import Report
    from judge_tui.scoring.demands import Met
    from judge_tui.significance import Settings

__all__ = [
    "AboutClasses",
    "about_classes",
    "demanded_of",
    "refuse_over_classes",
    "with_demands",
    "with_subsets",
]


class AboutClasses(NamedTuple):
    """What is to be told of classes beside the numbers. `warnings`: that unlike ones are taken
    together, or, where each is shown by itself, which queries none of them counts. `notes`: that
    some have measures of their own, by which they are not shown."""

    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def demanded_of(
    inputs: Inputs,
    met: Mapping[str, Met],
    slicing: Slicing | None,
    settings: Settings | None = None,
    pairs: Sequence[tuple[str, str]] = (),
) -> Demanded | None:
    """How the runs meet what queries demand, slice by slice where there are slices; None where they
    demand nothing. Not corrected yet."""
    if not inputs.demands:
        return None
    from judge_tui.analysis.demands import demanded
    from judge_tui.significance import Settings

    demands = replace(inputs.demands, class_of=slicing.of_query if slicing else {})
    by = slicing.by if slicing else "class"
    return demanded(demands, met, pairs, settings or Settings(), by=by)


def with_demands(
    report: Report, inputs: Inputs, found: Demanded | None, by: str | None, *, per_query: bool
) -> Report:
    """The report, and in it whether the demands are met."""
    if found is None or inputs.demands is None:
        return report
    from judge_tui.formats.ids import as_field
    from judge_tui.report.classes import demand_document, demand_grids, demand_notes
    from judge_tui.report.classes.demand_columns import beside_rows

    # A subset has no others within it.
    subset_of = {} if by == "subset" else inputs.demands.subset_of
    texts = {as_field(query.query_id): query.text for query in inputs.queries or ()}
    notes = list(demand_notes(found))
    header, rows = beside_rows(
        report.header, report.rows, found, by, subset_of, per_query=per_query
    )
    return report._replace(
        document={**report.document, **demand_document(found, subset_of, per_query=per_query)},
        header=header,
        rows=rows,
        grids=[
            grid for grid in (*report.grids, *demand_grids(found, subset_of, texts)) if grid.rows
        ],
        notes=[*report.notes, *notes],
    )


def with_subsets(report: Report, inputs: Inputs, scores: Scores) -> Report:
    """The report, and in it standard and hard queries of each class side by side, where the answers
    tell them apart."""
    if scores.slices is None or inputs.demands is None or not inputs.demands.subset_of:
        return report
    from judge_tui.analysis.class_means import class_parts
    from judge_tui.report.classes import class_grids, classes_document

    parts: Sequence[ClassPart] = class_parts(scores.slices, inputs.demands.subset_of)
    apart = [part for part in parts if part.shown_subsets]
    tags = [run.tag for run in scores.runs]
    return report._replace(
        document={**report.document, "classes": classes_document(parts, tags)},
        grids=[*report.grids, *class_grids(apart, tags, beside=" by subset")],
    )


def about_classes(
    inputs: Inputs, named: Iterable[Measure], *, usual: bool, by: str | None
) -> AboutClasses:
    """What is to be told of classes where slices are made `by` this field, or none. Raises
    `UsageError` where one of the measures `named` says nothing of a class and all queries are
    measured together. `usual`: nobody has named any."""
    if by == "class":
        return AboutClasses(_undemanding(inputs))
    from judge_tui.scoring.class_terms import taken_together, terms_of

    names: list[str] = []
    if inputs.queries is not None:
        from judge_tui.class_measures import graded_classes

        names = graded_classes(inputs.queries, inputs.qrels)
    unlike = taken_together(names)
    if by is not None:
        return AboutClasses(unlike)
    if names:
        from judge_tui.class_measures import refuse_over

        refuse_over(names, named)
    own = [name for name in names if terms_of(name) is not None]
    if not own or not usual:
        return AboutClasses(unlike)
    note = (
        f"classes of queries with measures of their own: {', '.join(own)}; --by class shows each by"
        " these, and nothing over all"
    )
    return AboutClasses(unlike, (note,))


def _undemanding(inputs: Inputs) -> tuple[str, ...]:
    """As `scoring.demands.undemanding`, of the queries of which anything right is known."""
    if inputs.demands is None:
        return ()
    from judge_tui.formats.ids import as_field
    from judge_tui.scoring.demands import undemanding

    answered = {one for one in inputs.demands.class_of if as_field(one) in inputs.qrels}
    return undemanding(inputs.demands, answered | inputs.qrels.keys())


def refuse_over_classes(slicing: Slicing | None, measures: Iterable[Measure]) -> None:
    """Raise `UsageError` for a gate over all queries by a measure that says nothing of a class."""
    if slicing is None or slicing.by != "class":
        return
    from judge_tui.scoring.class_terms import refuse_for_class

    asked = tuple(measures)
    for name in dict.fromkeys(slicing.of_query.values()):
        refuse_for_class(name, asked)
