"""`--require` of `score`: what must hold for the exit code to be 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from judge_tui.scoring import NO_REGRESSION, Gate, Measure, Scores, failures, parse_gate
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.baseline import Changes, SavedScores

__all__ = ["Gates", "lost_queries", "parse_gates", "say_unmet"]


class Gates(NamedTuple):
    """The gates that ask for a number, and whether no verdict may be worse."""

    gates: tuple[Gate, ...]
    no_regression: bool

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What runs must be scored by to be held to the gates."""
        return tuple(gate.measure for gate in self.gates)

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
                f"{change.delta!r}"
                for change in changes.changes
                if change.verdict == "worse"
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
    numbers = [text for text in texts if text.strip() != NO_REGRESSION]
    read = Gates(
        tuple(parse_gate(text, rel=rel, max_rel=max_rel) for text in numbers),
        no_regression=len(numbers) < len(texts),
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
