"""`--require` of `score`: what must hold for the exit code to be 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from judge_tui.errors import UsageError
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Scores,
    failures,
    parse_gate,
    worse_by,
)
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.baseline import Changes, SavedScores

__all__ = ["Gates", "lost_queries", "parse_gates", "say_unmet"]


class Gates(NamedTuple):
    """The gates that ask for a number, and whether no verdict may be worse; `of_classes`: those of
    single classes of queries."""

    gates: tuple[Gate, ...]
    no_regression: bool
    of_classes: tuple[ClassGate, ...] = ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What runs must be scored by to be held to the gates."""
        of_classes = (gate.asked for gate in self.of_classes)
        return (
            *(gate.measure for gate in self.gates),
            *(asked for asked in of_classes if isinstance(asked, Measure)),
        )

    @property
    def over_all(self) -> bool:
        """Whether any of them is over all queries."""
        return self.no_regression or bool(self.gates)

    @property
    def beside_earlier(self) -> tuple[Measure, ...]:
        """Those of which the earlier result must have the values."""
        return tuple(gate.measure for gate in self.gates if gate.beside_baseline)

    def unmet(self, scores: Scores, changes: Changes | None) -> list[str]:
        """One sentence for each run that does not pass; `changes` since the earlier result.

        A run, or a query, that was saved and is gone does not pass for unchanged.
        """
        sentences = []
        for gate in self.gates:
            sentences += failures(gate, scores, _baselines(gate, changes))
        if self.no_regression and changes is not None:
            sentences += [
                f"{NO_REGRESSION}: {tag} is in the earlier result and was not scored"
                for tag in changes.gone
            ]
            sentences += [
                f"{NO_REGRESSION}: {lost_queries(tag, len(lost), 'the earlier result')}"
                for tag, lost in changes.lost.items()
            ]
            sentences += [
                f"{NO_REGRESSION}: {change.tag} is worse than it was by {change.measure}: "
                f"{worse_by(change.delta)}"
                for change in changes.changes
                if change.verdict == "worse" and change.delta is not None
            ]
        return sentences


def parse_gates(
    texts: Sequence[str],
    earlier: SavedScores | None,
    *,
    rel: int | None = None,
    max_rel: int | None = None,
) -> Gates:
    """Read the gates; `rel` and `max_rel` as in `parse_measure`. Raises `UsageError` for what is no
    gate, and for one that stands beside an earlier result where there is none."""
    of_classes: tuple[ClassGate, ...] = ()
    if any("/" in text for text in texts):
        from judge_tui.cli.class_gates import split_gates

        of_classes, others = split_gates(texts, rel=rel, max_rel=max_rel)
        texts = others
    numbers = [text for text in texts if text.strip() != NO_REGRESSION]
    read = Gates(
        tuple(parse_gate(text, rel=rel, max_rel=max_rel) for text in numbers),
        no_regression=len(numbers) < len(texts),
        of_classes=of_classes,
    )
    for gate in of_classes:
        if gate.beside_baseline:
            raise UsageError(
                f"gate {gate}: an earlier result is held to over all queries, and not by class",
                "write a number",
            )
    if earlier is None and (read.no_regression or read.beside_earlier):
        what = (
            NO_REGRESSION
            if read.no_regression
            else next(str(gate) for gate in read.gates if gate.beside_baseline)
        )
        raise click.UsageError(
            f"gate {what} stands beside an earlier result; name it with --against FILE.json"
        )
    return read


def lost_queries(tag: str, count: int, baseline: str) -> str:
    """That a run does not answer what the baseline does: by its mean alone it may look better."""
    queries = "query" if count == 1 else "queries"
    return (
        f"{tag} does not answer {count} {queries} that {baseline} does; with --complete they count"
        " as 0 instead"
    )


def say_unmet(sentences: Iterable[str]) -> None:
    """Name the gates that were not met, on standard error."""
    for sentence in sentences:
        click.echo(f"gate not met: {visible_line(sentence)}", err=True)


def _baselines(gate: Gate, changes: Changes | None) -> dict[str, float] | None:
    if changes is None or not gate.beside_baseline:
        return None
    return {run.tag: run.mean(gate.measure) for run in changes.earlier.runs}
