"""A campaign as a report: how far it is, its judges, its pool, and what commands changed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge_tui.agreement.estimates import shown_alpha, verdict_of
from judge_tui.counts import counted
from judge_tui.pooling.strategies import AUDIT
from judge_tui.report.enough import as_of, enough_tables
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    counts,
    interval,
    percentage,
    plain,
    short_number,
    word,
    words,
)

if TYPE_CHECKING:
    from judge_tui.campaign.assign import AssignOutcome, Sample
    from judge_tui.campaign.extend_pool import RoundOutcome
    from judge_tui.campaign.overview.agreement import AgreementNow
    from judge_tui.campaign.overview.disagreements import Disputes
    from judge_tui.campaign.overview.enough import EnoughNow
    from judge_tui.campaign.overview.progress import JudgeProgress, Progress, RunCoverage
    from judge_tui.campaign.overview.status import StatusNow
    from judge_tui.campaign.store.merge import DoubleDecision, FileMerge
    from judge_tui.campaign.store.pool import PoolSize

_LISTED = 20
"""Readers get so many missing documents, and pairs decided on both sides."""


def status_report(name: str, now: StatusNow) -> Report:
    """The campaign `name`: counts, judges, coverage, missing documents, and what comes next."""
    state, agreement, disputes, enough, steps = now
    missing = [[doc_id] for doc_id in state.missing]
    return Report(
        [
            Table.of(name, _counts(state, disputes), [state], "campaign", upright=True).if_any(
                "graded_by_models_alone"
            ),
            judges_table(state.judges),
            coverage_table(state),
            *enough_tables(enough),
            _asked(state),
            _agreement(agreement),
            Table("", [word("doc_id", "without a text")], missing, "missing", most=_LISTED),
            Table("", [word("step", "next")], [[str(step)] for step in steps], "next"),
        ],
        {
            "name": name,
            "include_models": state.models,
            "depth": state.depth,
            "as_of": as_of(enough),
        },
    )


def _counts(state: Progress, disputes: Disputes) -> list[Column]:
    """Undefined is where nothing is counted: the pairs assigned where every judge sees the whole
    pool, and the disagreements that can change an order of fewer than two runs."""
    top = f"documents of a top {state.depth}"
    change = "that can change the order of the systems"
    return [
        *counts("queries", "runs", "documents", "documents_with_text"),
        Column("pairs", "pairs in the pool"),
        Column("assigned", "pairs assigned"),
        Column("judged", "pairs judged"),
        Column("graded_by_models_alone", "pairs graded by models alone", get=attrgetter("aside")),
        Column("unresolved", "pairs unresolved"),
        Column("disagreements", "disagreements open", get=lambda _: disputes.open),
        Column("can_change_order", change, get=lambda _: disputes.swapping),
        Column("missing", "documents missing", get=lambda state: len(state.missing)),
        Column("to_pool", f"{top} not in the pool"),
        Column("to_judge", f"{top} to judge"),
        Column("damaged"),
    ]


def judges_table(
    judges: Sequence[JudgeProgress],
    settled: Mapping[str, int] = MappingProxyType({}),
    more: Sequence[Column] = (),
    *,
    title: str = "Judges",
) -> Table:
    """A row for each judge; `settled`: by name, how many pairs as a lead. Readers do not get what
    is 0 for everybody. A model has nothing left: it does not judge in the app."""
    columns = [
        word("judge", "judge", attrgetter("name")),
        *words("kind", "role"),
        *counts("pairs", "graded", "skipped"),
        Column("cannot", "cannot be judged"),
        *counts("flagged"),
        Column("left", "left", get=lambda judge: None if judge.kind == "model" else judge.left),
        *counts("repeats", "repeats_graded", "outside"),
        Column("settled", "settled", get=lambda judge: settled.get(judge.name, 0)),
        *more,
    ]
    rare = ("skipped", "cannot", "flagged", "repeats", "repeats_graded", "outside", "settled")
    return Table.of(title, columns, judges, "judges", key_columns=1).if_any(*rare)


def coverage_table(state: Progress) -> Table:
    """How much of the top of each run is judged."""
    columns = [
        word("tag", "run"),
        *counts("results", "pooled", "judged", "unresolved"),
        Column("final_grade", "final grade", percentage(1), get=_final),
    ]
    title = f"Coverage: the top {state.depth} of each run"
    return Table.of(title, columns, state.coverage, "coverage")


def _final(run: RunCoverage) -> float | None:
    return (run.judged - run.unresolved) / run.results if run.results else None


def _asked(state: Progress) -> Table:
    columns = [
        word("tag", "run"),
        Column("queries", "queries asked"),
        Column("nothing_found", "found nothing"),
        Column("failed", "of them failed"),
        Column("median_s", "median s", short_number),
        Column("p95_s", "p95 s", short_number),
    ]
    keys = [column.key for column in columns[1:]]
    rows = [[tag, *attrgetter(*keys)(one)] for tag, one in state.asked.items()]
    return Table("What systems were asked", columns, rows, "asked")


def _agreement(found: AgreementNow) -> Table:
    columns = [
        Column("alpha", "alpha ordinal", _alpha, get=attrgetter("alpha.value")),
        interval(show=_alpha, get=attrgetter("alpha.ci95")),
        Column("pairs", "pairs", get=attrgetter("shared")),
        word("is", "is", lambda found: verdict_of(found.alpha, found.shared)),
    ]
    known = found.alpha is not None and found.alpha.value is not None
    return Table.of("Agreement", columns, [found] if known else [], "agreement")


def _alpha(cell: Cell) -> str:
    return shown_alpha(cell) if isinstance(cell, float) else plain(cell)


def judges_report(
    judges: Sequence[JudgeProgress],
    formerly: Mapping[str, str],
    settled: Mapping[str, int],
    last_written: Mapping[str, str],
    *,
    include_models: bool,
) -> Report:
    """A row for each judge, in the order of their coming. `formerly`, `settled` (how many pairs, as
    a lead) and `last_written` are by name, of those who have any."""
    more = [
        word("formerly", "formerly", lambda judge: formerly.get(judge.name, "")),
        word(
            "last_written",
            "last written (UTC)",
            lambda judge: last_written.get(judge.name, ""),
            _minute,
        ),
    ]
    table = judges_table(judges, settled, more, title="")
    return Report([table], {"include_models": include_models})


def _minute(cell: Cell) -> str:
    """Of a time with its zone, what a reader wants: 2026-03-01 14:05."""
    return str(cell)[:16].replace("T", " ")


def pool_report(
    size: PoolSize,
    outcome: RoundOutcome,
    budget: int | None,
    audit: float | None,
    enough: EnoughNow,
    *,
    stopped: bool,
) -> Report:
    """`size` of the whole pool, and what came of a round with that `budget` and `audit`; whether
    what was judged before it is `enough`, and whether it `stopped` the round."""
    rows = [("new", "", outcome.added), ("all", "", size.pairs)]
    rows += [("stratum", name, pairs) for name, pairs in size.by_stratum.items()]
    rows += [("round", str(number), pairs) for number, pairs in size.by_round.items()]
    rows += [("run", tag, pairs) for tag, pairs in size.by_run.items()]
    shown = len(rows) + _LISTED
    rows += [("finished", one, size.by_query[one]) for one in outcome.finished]
    rows += [("query", query_id, pairs) for query_id, pairs in size.by_query.items()]
    columns = [*words("of", "name"), Column("pairs", "pairs")]
    before = size.pairs - outcome.added
    warnings = []
    if stopped:
        warnings.append("no round was added, as nothing is open (--until settled)")
    elif budget is not None and before >= budget:
        warnings.append(f"the pool holds {counted(before, 'pair')} already; a larger --budget adds")
    if audit and AUDIT not in size.by_stratum:
        warnings.append(
            "nothing was drawn at random, as all of the --depth was chosen: give a --budget"
        )
    if outcome.added and outcome.undecided:
        nouns = ("pair of earlier rounds waits", "pairs of earlier rounds wait")
        waiting = f"{counted(outcome.undecided, *nouns)} for grades"
        warnings.append(f"{waiting}: this round learns nothing from them")
    pool = Table("The pool", columns, rows, "pool", most=shown)
    return Report(
        [*enough_tables(enough), pool],
        {"round": max(size.by_round, default=0), "budget": budget, "as_of": as_of(enough)},
        warnings,
        csv=pool,
    )


def assigned_report(assigned: AssignOutcome) -> Report:
    """Each judge's pairs by purpose, how many every two judges share, and the sample, if any."""
    purposes = ("queries", "normal", "overlap", "gold", "repeat", "pairs", "shared", "judged")
    two = [word("judge", "judge"), word("other", "judge"), Column("pairs", "pairs shared")]
    shared = [(*names, pairs) for names, pairs in assigned.shared.items()]
    sample = assigned.sample
    dealt = [Column("added", "assignments made"), Column("removed", "taken back")]
    return Report(
        [
            Table.of("", [*words("judge"), *counts(*purposes)], assigned.judges, "judges"),
            Table("Overlap", two, shared, "overlap"),
            *([] if sample is None else [_sample_table(sample)]),
            Table.of("", dealt, [assigned], "dealt"),
        ],
        {"pairs": assigned.pairs, "gold": assigned.gold},
        [] if sample is None else [_until_judged_whole(sample.model)],
    )


def _sample_table(sample: Sample) -> Table:
    columns = [
        Column("grade", "grade"),
        *counts("judged", "open"),
        Column("next", "in the sample"),
    ]
    title = f"The sample: pairs of each grade of {sample.model}"
    return Table.of(title, columns, sample.by_grade, "sample")


def _until_judged_whole(model: str) -> str:
    return (
        "results count what nobody judged of the sample's queries as not relevant, until these are"
        f" judged whole: read them with --unjudged {shlex.quote(model)} meanwhile"
    )


def merge_report(name: str, files: Sequence[FileMerge]) -> Report:
    """What came into the campaign `name`, per file and judge, what models answered, and the pairs
    that one judge decided on both sides, or leads settled."""
    came = [*words("file", "judge"), *counts("events", "here_already", "new_pairs")]
    answers = [
        *words("file", "judge"),
        Column("answers", "answers"),
        Column("answered_already", "answered here already"),
        Column("answered_otherwise", "answered otherwise here, left out"),
    ]
    of_models = [row for one in files for row in _answers_of(one)]
    twice = [
        word("file", "file"),
        word("judge", "judge", show=lambda judge: plain(judge) or "settled by leads"),
        word("repeat", "", show=lambda repeat: "hidden repeat" if repeat else ""),
        word("query_id", "query"),
        word("doc_id", "document"),
        word("holds", "holds"),
    ]
    pairs = [
        (one.file, pair.judge, pair.repeat, pair.query_id, pair.doc_id, _holds(pair))
        for one in files
        for pair in one.decided_twice
    ]
    return Report(
        [
            Table("What came", came, [row for one in files for row in _came(one)], "came"),
            Table("Answers of models", answers, of_models, "answers"),
            Table(
                "Decided on both sides", twice, pairs, "decided_twice", key_columns=5, most=_LISTED
            ),
        ],
        {"name": name},
    )


def _came(one: FileMerge) -> list[tuple[Cell, ...]]:
    """A row for each judge; one without a judge where nothing came."""
    by_judge = one.events.items() or [("this campaign itself" if one.itself else "", 0)]
    return [(one.file, judge, events, one.known, one.pairs) for judge, events in by_judge]


def _answers_of(one: FileMerge) -> list[tuple[Cell, ...]]:
    """A row for each model: its answers that came, were here, and were other ones here."""
    counts = one.answers, one.known_answers, one.other_answers
    judges = sorted({judge for by_judge in counts for judge in by_judge})
    return [(one.file, judge, *(by_judge.get(judge, 0) for by_judge in counts)) for judge in judges]


def _holds(pair: DoubleDecision) -> int | str:
    if pair.holds is None:
        return "not decided"
    return {"skip": "skipped", "cannot": "cannot be judged"}.get(str(pair.holds), pair.holds)
