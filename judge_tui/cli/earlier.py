"""`--save`, `--against`: a result kept in a file, and compared with when the runs change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from judge_tui.cli.gates import Asked, Basis, Gates, basis_of_run, basis_on, lost_queries
from judge_tui.cli.options import named_file
from judge_tui.cli.printing import refuse_inputs
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Qrels, Query
from judge_tui.scoring import Measure, Scores, worse_by
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.baseline import Changes, SavedScores

__all__ = [
    "as_now",
    "bases_of",
    "changes_beside",
    "earlier_options",
    "earlier_result",
    "refuse_other_qrels",
    "refuse_targets",
    "refuse_without_earlier",
    "save_result",
    "worse_since",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def earlier_options(command: Command) -> Command:
    """`--save`, `--against` and `--allow-other-qrels`; the command gets them by these names."""
    for option in (
        click.option(
            "--allow-other-qrels",
            is_flag=True,
            help="With --against, compare although the grades are others than they were.",
        ),
        click.option(
            "--against",
            metavar="FILE.json",
            help="Compare with a result that was saved: before, now, and whether the difference"
            " could be chance.",
        ),
        click.option(
            "--save",
            metavar="FILE.json",
            callback=named_file,
            help="Keep the result with the values of every query, to compare with later.",
        ),
    ):
        command = option(command)
    return command


def earlier_result(
    against: str | None, settings: Mapping[str, Any], *, allow_other_qrels: bool
) -> SavedScores | None:
    """The result to compare with, if one is named. Raises `InputError` where it cannot be read or
    was made with other settings."""
    if against is None:
        if allow_other_qrels:
            raise click.UsageError("--allow-other-qrels is for --against FILE.json; give both")
        return None
    from judge_tui.baseline import read_saved, refuse_other_settings

    earlier = read_saved(against)
    refuse_other_settings(earlier, settings)
    return earlier


def refuse_targets(
    output: str | None, save: str | None, inputs: Sequence[str | None], against: str | None
) -> None:
    """Raise `UsageError` where `-o` or `--save` would replace what is read, or each other.

    The earlier result alone may be replaced by `--save`: that is how it is brought up to date.
    """
    read = [name for name in inputs if name is not None]
    refuse_inputs(output, [*read, *filter(None, [against])])
    if save is None:
        return
    refuse_inputs(save, read, "--save")
    if save == "-":
        raise UsageError("--save - names no file", "print the result with -q -f json instead")
    if output is not None and _same(save, output):
        raise UsageError("--save and -o name the same file", "name two files")
    from judge_tui.formats import refuse_target

    refuse_target(save)


def as_now(
    earlier: SavedScores | None, queries: Sequence[Query], qrels: Qrels
) -> tuple[SavedScores | None, Sequence[str]]:
    """The earlier result, its queries under the ids that they have now; and what is to be told of
    places where the grades have changed."""
    if earlier is None:
        return None, ()
    from judge_tui.baseline import about_places, by_texts

    return by_texts(earlier, queries, qrels), about_places(earlier, queries)


def refuse_other_qrels(
    earlier: SavedScores | None, qrels: Qrels, *, by_place: bool, allowed: bool
) -> bool:
    """Whether the earlier result was made with other grades of queries that are in both, or may be,
    where it is not known what stood at the places that ids are (`by_place`); raises `InputError`
    unless allowed."""
    if earlier is None:
        return False
    from judge_tui.baseline import graded_otherwise

    others = graded_otherwise(earlier, qrels, by_place=by_place)
    if others is not None and not others:
        return False
    if not allowed:
        from judge_tui.scoring.demands import first_named

        of = f" of queries: {first_named(others)}" if others else ": they are not the same"
        raise InputError(
            earlier.path,
            None,
            f"it was made with other grades{of}",
            "save it again with these, or compare all the same with --allow-other-qrels",
        )
    return True


def changes_beside(
    earlier: SavedScores | None,
    scores: Scores,
    qrels: Qrels,
    gates: Gates,
    *,
    other_qrels: bool,
) -> Changes | None:
    """What changed since the earlier result; raises `InputError` for a run that is not in it, and
    for what it has no values of."""
    if earlier is None:
        return None
    from judge_tui.baseline import (
        changes_since,
        refuse_missing_measures,
        refuse_missing_runs,
        refuse_missing_values,
    )

    earlier = earlier.named_as(scores)
    cut = scores.slices
    unlike = "" if cut is None or cut.composite else cut.by
    if not (unlike and earlier.by):  # else those that queries of both lack are refused below
        refuse_missing_measures(earlier, scores.measures, unlike=unlike)
    refuse_missing_runs(earlier, scores)
    over_all = [gate.measure for gate in gates.numbers if gate.beside_baseline]
    refuse_missing_values(earlier, scores, over_all)
    return changes_since(earlier, scores, qrels, other_qrels=other_qrels)


def refuse_without_earlier(gates: Gates, earlier: SavedScores | None) -> None:
    """Raise `UsageError` for gates that stand beside an earlier result where there is none, and for
    those of classes, of which it has no values."""
    for gate in gates.of_classes:
        if gate.beside_baseline:
            raise UsageError(
                f"gate {gate}: an earlier result is held to by numbers over all queries alone",
                "write a number, or compare the old run with the new one: judge-tui compare"
                " --by class",
            )
    if earlier is None and gates.beside:
        raise click.UsageError(
            f"gate {gates.beside[0]} stands beside an earlier result; name it with"
            " --against FILE.json"
        )


def worse_since(changes: Changes | None) -> list[str]:
    """A phrase for each run that is worse than in the earlier result. One, or a query of one, that
    was saved and is gone does not pass for unchanged."""
    if changes is None:
        return []
    return [
        *(f"{tag} is in the earlier result and was not scored" for tag in changes.gone),
        *(lost_queries(tag, len(lost), "the earlier result") for tag, lost in changes.lost.items()),
        *(_ungraded(tag, query_ids) for tag, query_ids in changes.ungraded.items()),
        *(
            f"{change.tag} is worse than it was by {change.measure}{changes.where(change)}:"
            f" {worse_by(change.delta)}"
            for change in changes.changes
            if change.verdict == "worse" and change.delta is not None
        ),
    ]


def _ungraded(tag: str, query_ids: Sequence[str]) -> str:
    """That queries counted for a run earlier of which nothing is known now."""
    from judge_tui.scoring.demands import first_named

    return (
        f"the earlier result of {tag} has queries that have no grades now:"
        f" {first_named(query_ids)}; if that is meant, save a result without them (--save)"
    )


def bases_of(gate: Asked, changes: Changes | None, scores: Scores) -> list[Basis]:
    """What each run of an earlier result is as a baseline of the gate, for the run of its tag, and
    what the runs are that are held to it: over all queries, and over each slice of the `scores`
    where the gate goes by verdicts."""
    if changes is None:
        return []
    slices = scores.slices

    def parts(its: Sequence[str]) -> list[tuple[str, Collection[str]]]:
        if slices is None:
            return [("", its)]
        from judge_tui.cli.class_gates import parts_of_gate, slice_of_each

        slice_of = slice_of_each(its, slices.of_query)
        return parts_of_gate(gate, {}, its, None, slice_of=slice_of, by=slices.by)

    kept = [run for run in changes.earlier.runs if run.tag not in changes.gone]
    earlier = [
        basis_on(
            f"the earlier result of {run.tag}", parts(run.query_ids), run.without_results
        )._replace(in_vain=run.in_vain, tag=run.tag)
        for run in (one.without(changes.ungraded.get(one.tag, ())) for one in kept)
    ]
    now = [basis_of_run(run, None, parts(run.query_ids), is_held=True) for run in scores.runs]
    return [*earlier, *now]


def save_result(
    save: str | None,
    against: str | None,
    scores: Scores,
    qrels: Qrels,
    settings: Mapping[str, Any],
    queries: Iterable[Query],
    usual: Iterable[Measure],
    *,
    passed: bool,
) -> None:
    """Write the result. A gate that is not met keeps the earlier result where it is: replaced, it
    would let the next run pass. `usual`: as `SavedScores` has it."""
    if save is None:
        return
    if not passed and against is not None and _same(save, against):
        click.echo(f"{visible_line(save)} is left as it was: a gate is not met", err=True)
        return
    from judge_tui.baseline import saved_text
    from judge_tui.formats import write_text

    write_text(saved_text(scores, qrels, settings, queries, usual), save)


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()
