"""What is scored and compared: qrels and runs from files, or a campaign as it stands now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from judge_tui.cli.options import include_models, policy, unresolved
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Qrels, Query, Run

if TYPE_CHECKING:
    from judge_tui.campaign.judged_runs import JudgedRuns
    from judge_tui.formats.answers import Answered
    from judge_tui.scoring import Measure, Rules
    from judge_tui.scoring.demands import Demands
    from judge_tui.scoring.truths import Truths
    from judge_tui.sources import NamedFile

__all__ = [
    "CampaignChoice",
    "Inputs",
    "about_campaign",
    "about_failures",
    "answered",
    "campaign_options",
    "campaign_settings",
    "chosen_campaign",
    "format_options",
    "open_inputs",
    "refuse_too_deep",
]

Command = TypeVar("Command", bound=Callable[..., Any])

STDIN = "-"


class Inputs(NamedTuple):
    """Grades and runs, the latter as files that are not read yet or, from a campaign, whole.

    `files` are all that is read, which no output may replace; `judged` is there with a campaign,
    `truths` with answers in place of qrels: `qrels` then has their grades by key.
    `queries` are those that a campaign or answers hold, for their classes; `demands` what these
    demand, by the ids of the runs. `notes`: what else is to be known of them.
    """

    qrels: Qrels
    runs: list[str | NamedFile] | list[Run]
    files: tuple[str, ...]
    judged: JudgedRuns | None = None
    truths: Truths | None = None
    queries: Iterable[Query] | None = None
    demands: Demands | None = None
    notes: tuple[str, ...] = ()


class CampaignChoice(NamedTuple):
    """The campaign named by `--db`, and how its judgments become one grade a pair."""

    db: str
    policy: str
    unresolved: str
    include_models: bool


def campaign_options(command: Command) -> Command:
    """`--db`, `--policy`, `--unresolved`, `--include-models`: a campaign in place of files.

    The command gets `db`, None where files are meant, `policy`, `unresolved` and `include_models`.
    """
    for option in (
        include_models,
        unresolved("skip", where="With --db, "),
        policy(None, where="With --db, "),
        click.option(
            "-d",
            "--db",
            metavar="FILE",
            help="Take the current grades and the kept runs of this campaign in place of files;"
            " RUNs are then tags.",
        ),
    ):
        command = option(command)
    return command


def format_options(command: Command) -> Command:
    """`--qrels-format` and `--run-format`; the command gets `qrels_format` and `run_format`."""
    for kind, called in (("run", "the runs are in"), ("qrels", "the qrels are in")):
        command = click.option(
            f"--{kind}-format",
            metavar="F",
            help=f"The format {called}, if not found out.",
        )(command)
    return command


def chosen_campaign(
    db: str | None, policy: str | None, unresolved: str | None, include_models: bool
) -> CampaignChoice | None:
    """The choice made by `campaign_options`; they say nothing without a campaign."""
    if db is not None:
        return CampaignChoice(db, policy or "majority", unresolved or "skip", include_models)
    for option, given in (
        ("--policy", policy),
        ("--unresolved", unresolved),
        ("--include-models", include_models),
    ):
        if given:
            raise click.UsageError(f"{option} is about a campaign; name it with --db")
    return None


def open_inputs(
    names: Sequence[str],
    campaign: CampaignChoice | None,
    *,
    qrels_format: str | None = None,
    answers: str | None = None,
) -> Inputs:
    """What the words of the command line stand for.

    With a file of `answers` they are runs.
    With a campaign they are tags, all runs if there are none. Else the first is the qrels and the
    others runs (files, folders, patterns, `-`, and `TAG=FILE`, which gives a run a tag); or all of
    them are results, which are run and qrels in one: then the grades of all are put together.
    Raises `InputError` and `UsageError`.
    """
    if answers is not None:
        return _from_answers(answers, names, campaign)
    if campaign is not None:
        return _from_campaign(names, campaign)
    if not names:
        raise click.UsageError("Missing argument 'QRELS RUN...'; or name a campaign with --db")
    from judge_tui.cli.spelling import spelt_otherwise
    from judge_tui.formats import named_runs, read_qrels

    results = _results(names) if qrels_format in (None, "results") else []
    if results:
        return _from_results(results)
    if len(names) == 1:
        raise UsageError(
            f"{names[0]} alone is not enough: it does not hold both results and their grades",
            "give QRELS RUN..., or a CSV with query_id, doc_id, score or rank, and relevance, or a"
            " detailed CSV of Quepid's",
        )
    qrels, *runs = names
    named = named_runs(runs)
    paths = [path for _, path in named]
    if qrels == STDIN and STDIN in paths:
        raise UsageError("standard input cannot be both qrels and run", "give one of them a file")
    _refuse_one_for_both(qrels, paths)
    notes: list[str] = []
    grades = read_qrels(qrels, format=qrels_format, noted=notes.append)
    notes += spelt_otherwise(grades, qrels, paths, qrels_format)
    return Inputs(grades, _sources(named), (qrels, *paths), notes=tuple(notes))


def campaign_settings(judged: JudgedRuns, choice: CampaignChoice) -> dict[str, Any]:
    """Where the grades came from, for the JSON of a result; no path of the machine."""
    return {
        "name": judged.name,
        "policy": choice.policy,
        "unresolved": choice.unresolved,
        "include_models": choice.include_models,
        "only_models": judged.whose.only_models,
        "left_out": {"unresolved": judged.unresolved, "not_judged": judged.unjudged},
    }


def about_campaign(judged: JudgedRuns, choice: CampaignChoice) -> str:
    """The same in a line for readers."""
    pairs = sum(len(grades) for grades in judged.qrels.values())
    models = ", those of models among them" if judged.whose.models else ""
    whose = " (models only)" if judged.whose.only_models else models
    return (
        f"grades of the campaign by policy {choice.policy}{whose}: {pairs:,} pairs; left out "
        f"{judged.unresolved:,} that it does not decide and {judged.unjudged:,} not judged"
    )


def about_failures(judged: JudgedRuns) -> list[str]:
    """Lines on the runs whose systems failed at judged queries, on queries for which none found
    anything, and on those that wait for a grade."""
    from judge_tui.nothing_found import asked_in_vain, still_to_count

    vain, waiting = judged.in_vain, still_to_count(judged.waiting)
    return [
        *([asked_in_vain(len(vain), sum(vain.values()))] if vain else []),
        *([waiting] if waiting else []),
        *_failing(judged),
    ]


def _failing(judged: JudgedRuns) -> list[str]:
    return [
        f"run {tag!r}: at {len(failed):,} of the judged queries the system failed, which counts as"
        f" nothing found ({next(iter(failed))}: {next(iter(failed.values()))}"
        f"{'; and others' if len(failed) > 1 else ''})"
        for tag, failed in judged.failed.items()
    ]


def answered(
    measures: Sequence[Measure], judged: JudgedRuns, rules: Rules, *, whole_lists: bool = False
) -> tuple[tuple[Measure, ...], list[str]]:
    """Those of the measures that what is kept of the runs can answer, and a line on the others.

    Raises `UsageError` where it can answer none.
    """
    deep = {m: run for m in measures if (run := judged.too_deep(m, rules, whole_lists=whole_lists))}
    kept = tuple(measure for measure in measures if measure not in deep)
    if not kept:
        refuse_too_deep(judged, measures, rules, whole_lists=whole_lists)
    told = [
        f"left out: {measure}, which looks deeper than the {run.depth} results a query that are "
        f"kept of run {run.tag!r}; its file {run.source} would answer"
        for measure, run in deep.items()
    ]
    return kept, told


def refuse_too_deep(
    judged: JudgedRuns, measures: Sequence[Measure], rules: Rules, *, whole_lists: bool = False
) -> None:
    """Raise `UsageError` for the first measure that looks deeper than the campaign keeps a run."""
    for measure in measures:
        run = judged.too_deep(measure, rules, whole_lists=whole_lists)
        if run is not None:
            # Whole lists are needed for these, however small the cutoff.
            condensed = rules.judged_only and measure.definition.condenses
            why = " with --bounds" if whole_lists else " with --judged-only" if condensed else ""
            raise UsageError(
                f"{measure}{why} looks deeper than the {run.depth} results a query that the"
                f" campaign keeps of run {run.tag!r}",
                f"score its file {run.source} with exported qrels, load it again with a greater"
                f" --depth, or look at the first -M {run.depth} alone",
            )


def _from_answers(answers: str, names: Sequence[str], campaign: CampaignChoice | None) -> Inputs:
    if campaign is not None:
        raise click.UsageError("--answers and --db both say what is right; give one of them")
    if not names:
        raise click.UsageError("Missing argument 'RUN...'")
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats import named_runs
    from judge_tui.formats.answers import cautions_of, read_answers
    from judge_tui.formats.ids import plain_field

    named = named_runs(names)
    paths = [path for _, path in named]
    if answers == STDIN and STDIN in paths:
        raise UsageError("standard input cannot be both answers and run", "give one of them a file")
    read = read_answers(answers)
    watch_patterns(answers)
    truths = {plain_field(answer.query_id): answer.truths for answer in read if answer.truths}
    queries = [
        Query(
            answer.query_id,
            answer.query,
            query_class=answer.query_class,
            meta={"subset": answer.subset} if answer.subset else {},
        )
        for answer in read
    ]
    grades = {
        query_id: {truth.key: truth.grade for truth in its} for query_id, its in truths.items()
    }
    return Inputs(
        grades,
        _sources(named),
        (answers, *paths),
        truths=truths,
        queries=queries,
        demands=_demands(read),
        notes=cautions_of(read),
    )


def _demands(read: Iterable[Answered]) -> Demands:
    from judge_tui.formats.ids import plain_field
    from judge_tui.scoring.class_terms import class_called
    from judge_tui.scoring.demands import Demands, subset_called

    by_id = {plain_field(answer.query_id): answer for answer in read}
    return Demands(
        {query_id: one.demands for query_id, one in by_id.items()},
        {query_id: class_called(one.query_class) for query_id, one in by_id.items()},
        {query_id: subset_called(one.subset) for query_id, one in by_id.items() if one.subset},
    )


def _from_campaign(tags: Sequence[str], choice: CampaignChoice) -> Inputs:
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.judged_runs import judged_runs

    with open_campaign(Path(choice.db)) as campaign:
        judged = judged_runs(
            campaign,
            tags,
            policy=choice.policy,
            unresolved=choice.unresolved,
            include_models=choice.include_models,
        )
    if not judged.qrels:
        raise _nothing_decided(judged, choice)
    return Inputs(judged.qrels, list(judged.runs), (choice.db,), judged, queries=judged.queries)


def _nothing_decided(judged: JudgedRuns, choice: CampaignChoice) -> UsageError:
    """Somebody has judged, or the campaign had been refused; but no pair has a final grade."""
    from judge_tui.campaign.typed import typed

    pairs = "1 pair" if judged.unresolved == 1 else f"{judged.unresolved:,} pairs"
    them = "it" if judged.unresolved == 1 else "them"
    undisputed = choice.unresolved == "lead"
    how = "--unresolved lead leaves" if undisputed else f"policy {choice.policy} does"
    other = "leave --unresolved lead out" if undisputed else "choose another --policy, as median"
    return UsageError(
        f"no pair has a final grade: the judges differ about {pairs}, and {how}"
        f" {f'{them} out' if undisputed else f'not decide {them}'}",
        f"settle {them} with {typed(choice.db, 'review', '--lead NAME')}, or {other}",
    )


def _refuse_one_for_both(qrels: str, runs: Sequence[str]) -> None:
    """In JSON whole scores look like grades, and a run would be scored by itself."""
    if not Path(qrels).is_file() or _holds_both(qrels):
        return
    for run in runs:
        if Path(run).is_file() and Path(run).samefile(qrels):
            raise UsageError(
                f"{qrels} is given as qrels and as run",
                "give each its own file, or a CSV that holds both results and their grades",
            )


def _sources(named: Sequence[tuple[str | None, str]]) -> list[str | NamedFile]:
    from judge_tui.sources import NamedFile

    return [path if tag is None else NamedFile(tag, path) for tag, path in named]


def _results(names: Sequence[str]) -> list[tuple[str | None, str]]:
    """The files with their tags, if every one holds results and their grades; else none."""
    from judge_tui.formats import named_runs

    if len(names) == 1 and (alone := named_runs(names))[0][1] == STDIN:
        return alone
    # Only a file that stays can be looked into beforehand, and the first one tells nearly always.
    first = [names[0], *(names[0][at + 1 :] for at, sign in enumerate(names[0]) if sign == "=")]
    if len(names) > 1 and not any(map(_is_results, first)):
        return []
    named = named_runs(names)
    return named if all(_is_results(path) for _, path in named) else []


def _is_results(path: str) -> bool:
    return "\0" not in path and Path(path).is_file() and _holds_both(path)


def _holds_both(path: str) -> bool:
    from judge_tui.formats.format import Likeness, Sample
    from judge_tui.formats.source import open_source

    with open_source(path) as source:
        sample = Sample(source)
        if not any(mark in sample.first for mark in (b",", b";", b"\t")):
            return False
        from judge_tui.formats import quepid_results, results

        return any(one.likeness(sample) > Likeness.NO for one in (results, quepid_results))


def _from_results(named: Sequence[tuple[str | None, str]]) -> Inputs:
    """Runs, and the grades of all files together; two that differ are refused with both places."""
    from judge_tui.formats import read_results
    from judge_tui.sources import Tags

    qrels: dict[str, dict[str, int]] = {}
    tags = Tags()
    runs: list[Run] = []
    origins: dict[tuple[str, str], str] = {}
    for tag, path in named:
        grades, run = read_results(path, tag=tag)
        tags.take(run.tag, path)
        runs.append(run)
        for query_id, by_doc in grades.items():
            known = qrels.setdefault(query_id, {})
            for doc_id, grade in by_doc.items():
                origin = origins.setdefault((query_id, doc_id), path)
                if known.setdefault(doc_id, grade) != grade:
                    raise _two_grades(query_id, doc_id, origin, path)
    return Inputs(qrels, runs, tuple(path for _, path in named))


def _two_grades(query_id: str, doc_id: str, first: str, second: str) -> InputError:
    from judge_tui.formats import iter_qrels

    def place(path: str) -> tuple[int, int]:
        # Only files that differ are read again, for the line.
        rows = iter_qrels(path)
        return next((r.line, r.grade) for r in rows if (r.query_id, r.doc_id) == (query_id, doc_id))

    line, grade = place(first)
    second_line, second_grade = place(second)
    return InputError(
        second,
        second_line,
        f"document {doc_id!r} of query {query_id!r} has grade {second_grade} here and {grade} in"
        f" {first}:{line}",
        "give it one grade in both",
    )
