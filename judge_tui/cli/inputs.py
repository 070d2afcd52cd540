"""What `score` and `compare` read, and what came of gates: what both do alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from judge_tui.analysis.warnings import first_few
from judge_tui.cli.commands import Command, gather_options, option, options
from judge_tui.cli.options import columns, database, include_models, is_given, labels, policy
from judge_tui.errors import UsageError, check_known
from judge_tui.evaluation.gates import Gate, GateResult, parse_gates
from judge_tui.evaluation.inputs import EvaluationInputs, inputs_of_campaign
from judge_tui.evaluation.named_files import inputs_of_files
from judge_tui.formats.run_paths import is_there, named_runs
from judge_tui.formats.source import Layout, check_columns
from judge_tui.place import Place
from judge_tui.scoring import parse_measures
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.formats.judgments import Labels
    from judge_tui.scoring.filled import StandIn


class InputOptions(NamedTuple):
    """The options that say which results, grades, queries and campaign are read."""

    answers: str | None
    credit: Literal["once", "every"]
    by: str | None
    queries: str | None
    columns: Mapping[str, str]
    labels: Labels | None
    db: Place | None
    policy: str | None
    include_models: bool | None
    ignore_self: bool
    cluster: str | None

    def open(
        self,
        words: Sequence[str],
        *,
        baseline: str | None = None,
        join_baseline: bool = False,
        unjudged: StandIn = "zero",
    ) -> tuple[EvaluationInputs, tuple[str, ...]]:
        """The files, or the campaign and its runs (as `inputs_of_campaign` has them), that are
        named, and the names of measures that are no files and no runs. Raises `InputError` and
        `UsageError`."""
        if self.db is not None:
            _refuse("--db", "answers", "credit", "labels", "cluster")
            if self.queries is None:  # of all files only that of the queries is read
                _refuse("--db", "columns")
            return self._of_campaign(self.db, words, baseline, join_baseline, unjudged)
        _refuse("files", "policy", "include_models")
        if self.answers is None:
            _refuse("QRELS", "credit")
        files, measures = _apart(words, is_there)
        declared = self.columns or self.labels
        inputs = inputs_of_files(
            files,
            answers=self.answers,
            queries=self.queries,
            layout=Layout(None, self.columns, self.labels) if declared else None,
        )
        return inputs, measures

    def _of_campaign(
        self,
        db: Place,
        words: Sequence[str],
        baseline: str | None,
        join_baseline: bool,
        unjudged: StandIn,
    ) -> tuple[EvaluationInputs, tuple[str, ...]]:
        from judge_tui.campaign import open_campaign
        from judge_tui.campaign.store.runs import all_runs

        with open_campaign(db) as campaign:
            tags, measures = _apart(words, {run.tag for run in all_runs(campaign)}.__contains__)
            inputs = inputs_of_campaign(
                campaign,
                tags,
                baseline=baseline,
                join_baseline=join_baseline,
                policy=self.policy,
                include_models=self.include_models,
                unjudged=unjudged,
            )
        layout = Layout(columns=self.columns)
        check_columns(layout, [self.queries])
        return inputs.with_queries(self.queries, layout), measures

    def open_values(
        self, files: Sequence[str], words: Sequence[str]
    ) -> tuple[EvaluationInputs, tuple[str, ...]]:
        """The values in these files, and those among the words, which were measured elsewhere; and
        the other words, which are names of measures. Raises `InputError` and `UsageError`."""
        from judge_tui.evaluation.values import read_values

        _refuse("--values", *({*self._fields} - {"by", "queries"}))
        if self.db is not None:  # also where it stands before the command's name
            raise _useless("db", "--values")

        def is_known(word: str) -> bool:
            return is_there(word) or ("=" in word and not _is_measure(word))

        measures = tuple(word for word in words if not is_known(word))
        named = named_runs([*files, *filter(is_known, words)])
        values = read_values(named)
        for word in measures:
            if not _is_measure(word):
                check_known("file or measure of these values", word, values.by_measure)
        read = tuple(path for _, path in named)
        inputs = EvaluationInputs({}, values=values, files=read)
        return inputs.with_queries(self.queries), measures


def _refuse(what: str, *names: str) -> None:
    """Raise `UsageError` where one of these options stands on the command line, with which `what`
    is read has nothing to do."""
    for name in names:
        if is_given(name):
            raise _useless(name, what)


def _useless(name: str, what: str) -> UsageError:
    return UsageError(f"--{name.replace('_', '-')} has no use with {what}", "leave it out")


def gates_of(
    required: Sequence[str], inputs: EvaluationInputs, rel: int | None = None
) -> tuple[Gate, ...]:
    """The gates, by measures of the scale of `inputs`. Raises `UsageError`."""
    known = inputs.values.measures if inputs.values else ()
    return parse_gates(required, rel=rel, max_rel=inputs.max_rel, known=known)


def require_option(group: str) -> Callable[[Command], Command]:
    """`--require`, as `required`, under this heading."""
    return option(
        "--require",
        "required",
        group=group,
        multiple=True,
        metavar="GATE",
        help='Exit with 1 unless it holds, as "nDCG@10>=0.4", "nDCG@10>=baseline-0.01" or'
        " no-regression; may be repeated.",
    )


def credit_option(group: str) -> Callable[[Command], Command]:
    """`--credit`, under this heading."""
    return option(
        "--credit",
        group=group,
        type=click.Choice(["once", "every"]),
        default="once",
        show_default=True,
        help="Of --answers, count the first result that is right by each, or every one.",
    )


input_options = options(
    option(
        "--answers",
        group="Files",
        metavar="FILE",
        help="Right answers in place of QRELS: paths, path:start-end lines or regular expressions.",
    ),
    credit_option("Files"),
    option(
        "--by",
        group="Queries",
        metavar="FIELD",
        help="Show each slice of the queries: by class, or by another field of theirs.",
    ),
    option(
        "--queries",
        group="Queries",
        metavar="FILE",
        help="The queries, with their fields and texts.  [default: those of the campaign or the"
        " answers]",
    ),
    columns,
    labels,
    database(required=False),
    policy(None),
    include_models,
    option(
        "--ignore-self",
        group="Queries",
        is_flag=True,
        help="Leave out results whose doc_id is the query's id, as BEIR does (ArguAna, Quora).",
    ),
    option(
        "--cluster",
        group="Files",
        metavar="ADDRESS",
        help="Have a Ray cluster read the runs: auto, HOST:PORT, ray://HOST:PORT or local.",
    ),
    gather_options("sources", InputOptions),
)
"""What both read, as `sources`."""


def _apart(
    words: Sequence[str], is_known: Callable[[str], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words apart from those that are not known and name measures."""
    measures = tuple(word for word in words if not is_known(word) and _is_measure(word))
    return tuple(word for word in words if word not in measures), measures


def _is_measure(word: str) -> bool:
    """Return whether a word names a measure, or is written as one is: who reads that will say what
    is wrong with it."""
    try:
        return bool(re.fullmatch(r"\w+(\(.*\)|@\w*)+", word) or parse_measures(word))
    except UsageError:
        return False


def say_gates(results: Sequence[GateResult]) -> int:
    """Say on standard error which gates were met, a line each, and by which runs they were not; the
    exit code."""
    for gate in dict.fromkeys(one.gate for one in results):
        alike = [one for one in results if one.gate == gate]
        unmet = [one.why for one in alike if not one.met]
        values = [f"{one.tag} {one.value:.4f}" for one in alike if one.value is not None]
        of_runs = first_few(unmet, "; ") if unmet else first_few(values)
        shown = f"{gate}: {of_runs}" if of_runs else gate
        click.echo(f"gate {'not ' if unmet else ''}met: {visible_line(shown)}", err=True)
    return 0 if all(one.met for one in results) else 1
