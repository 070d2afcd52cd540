"""An evaluation of live systems as one page for people who must choose: which system to take, what
shows it, where each fails, and what is unsure."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.leaderboard import Ranking, Verdicts, intervals, mean_bounds, rank_runs
from judge_tui.analysis.live_systems import BANDED, TOP, band
from judge_tui.analysis.warnings import first_few, warn_of_missing
from judge_tui.comparison.comparison import Comparisons
from judge_tui.comparison.family import Verdict
from judge_tui.counts import counted
from judge_tui.evaluation.live import Evaluation
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.evaluation import (
    first_ranks_table,
    slice_tables,
    system_table,
)
from judge_tui.report.layout import Column, Table, Toned, short_number, word
from judge_tui.report.page.content import Block, Page, Part, Terms, blocks_of, sentence_of
from judge_tui.report.page.ranking import (
    choose,
    doubt,
    result_parts,
    show_failures,
    show_systems,
    support,
)
from judge_tui.scoring.slices import shown_slice

_BANDS = (
    f"{BANDED} of a query is one divided by the rank of its first right result, and 0 where that is"
    f" not among the first {TOP}. Its mean is strong from .4 on, usable from .2 on, else"
    " poor. A query that failed or found nothing counts as 0."
)


_RANKS = "missed: none among the results asked for; failed: the system gave no answer."


def evaluation_page(evaluation: Evaluation) -> Page:
    """The answer, then what it rests on."""
    ranking = None if evaluation.unlike else _ranking(evaluation)
    judged, texts, slices = evaluation.judged, evaluation.texts, [*slice_tables(evaluation)]
    names, hidden = evaluation.name_documents, evaluation.hidden
    failures = [*show_failures(judged, evaluation.scores, texts, names, TOP, hidden)]
    if ranking is not None:
        front = [*show_systems(ranking)]
        parts = result_parts(ranking, judged, texts, failures, slices)
    else:
        front = [*blocks_of(slices)]
        tests = () if evaluation.comparisons is None else comparison_tables(evaluation.comparisons)
        parts = [
            Part("differences", "The differences", "tests", [*blocks_of(tests)]),
            Part("failures", "Failures", f"nothing right among the first {TOP}", failures),
        ]
    ranks = first_ranks_table(evaluation)
    asked = [*blocks_of([system_table(evaluation)]), *([] if evaluation.unlike else [_BANDS])]
    parts += [
        Part("ranks", "Rank by rank", "the first right result of every query", [ranks, _RANKS]),
        Part("asked", "How they answered", "queries that failed or found nothing", asked),
        Part("method", "How the numbers were made", "", [*_method(evaluation)]),
    ]
    missing = {*warn_of_missing(evaluation.scores)}  # which is said of each system
    count = counted(len(evaluation.systems), "search system")
    return Page(
        f"Evaluation of {first_few([*evaluation.scores])}",
        f"{count}, {counted(len(evaluation.queries), 'query', 'queries')}",
        _answer(evaluation, ranking),
        [*support(ranking)] if ranking else [],
        [
            *_failed(evaluation),
            *(sentence_of(one) for one in evaluation.warnings if one not in missing),
            *(doubt(ranking) if ranking else ()),
        ],
        [*front, *_gates(evaluation)],
        [part for part in parts if part.blocks],
    )


def _answer(evaluation: Evaluation, ranking: Ranking | None) -> list[str]:
    """Which system to take, what shows it, and which gates are not met, in sentences."""
    sentences = [*_decide(evaluation, ranking)]
    for gate in dict.fromkeys(one.gate for one in evaluation.gates if not one.met):
        unmet = [one.why for one in evaluation.gates if one.gate == gate and not one.met]
        sentences.append(f"But {gate} is required and not met: {first_few(unmet, '; ')}.")
    return sentences


def _decide(evaluation: Evaluation, ranking: Ranking | None) -> tuple[str, str]:
    compared = evaluation.comparisons
    if failing := [one.tag for one in evaluation.systems if one.failed_too_often]:
        return (
            f"No decision: {', '.join(failing)} failed at more than a tenth of the queries.",
            "Mend that, and ask again with --retry-failed.",
        )
    if ranking is None:
        beside = "" if compared is None else f" Beside {compared.baseline}: {_by_class(compared)}."
        return (
            "Classes of queries declare different measures, so that no number is of all of them.",
            f"The slices below have each class.{beside}",
        )
    if compared is None or compared.baseline is None:
        (run, *_) = evaluation.scores.runs
        mean = run.mean(BANDED)
        return (
            f"{run.tag} is {band(mean)}: its mean {BANDED} is {short_number(mean)}.",
            "There is no other system to compare it with.",
        )
    return choose(ranking)


def _ranking(evaluation: Evaluation) -> Ranking:
    """Answers do not say what is wrong, so that only grades leave bounds open."""
    scores, compared, main = evaluation.scores, evaluation.comparisons, evaluation.main
    judged, grades = evaluation.judged, range(evaluation.judged.greatest + 1)
    return rank_runs(
        scores,
        main,
        main,
        intervals=intervals(scores.only([main]), seed=0),
        bounds=None if evaluation.credit else mean_bounds(judged, [main], grades),
        verdicts=None if compared is None else Verdicts(compared.baseline or "", compared),
    )


def _failed(evaluation: Evaluation) -> Iterator[str]:
    """What the servers said stands among the failures."""
    for one in evaluation.systems:
        failed = f"failed at {one.failed:,} (see Failures)"
        nothing = f"found nothing for {one.nothing_found - one.failed:,}"
        parts = {failed: one.failed, nothing: one.nothing_found > one.failed}
        if told := " and ".join(part for part, there in parts.items() if there):
            yield f"Of {one.queries:,} queries, {one.tag} {told}: these count as 0."


def _by_class(compared: Comparisons) -> str:
    """`lookup: new better by RR; root: new worse by P@1`."""
    found = [
        f"{shown_slice(one.slice or '')}: {one.tag} {one.verdict} by {one.measure}"
        for one in compared
        if one.verdict in (Verdict.BETTER, Verdict.WORSE)
    ]
    return "; ".join(found) or "no difference is shown"


def _gates(evaluation: Evaluation) -> Iterator[Block]:
    if evaluation.gates:
        columns = [word("", "gate"), word("", "system")]
        columns += [Column("", "value", short_number), word("", "met")]
        met = {True: Toned("yes", "good"), False: Toned("no", "bad")}
        rows = [[g.gate, g.tag, g.value, met[g.met]] for g in evaluation.gates]
        yield Table("What was required", columns, rows)


def _method(evaluation: Evaluation) -> Iterator[Block]:
    columns = [word("", name) for name in ("system", "kind", "what it says of itself")]
    rows = [[one.tag, one.kind, one.identity or None] for one in evaluation.systems]
    yield Table("As they were asked", columns, rows)
    terms = [(f"File of {what}", name) for what, name in evaluation.files.items()]
    terms += [("Results of each query", f"{evaluation.depth:,}")]
    scored = evaluation.scores.unlike or evaluation.scores
    terms += [(one.name, one.definition.summary) for one in scored.measures]
    if evaluation.credit:
        terms.append(("Credit of an answer", evaluation.credit))
    if evaluation.comparisons is not None:
        used = evaluation.comparisons.settings
        terms += [
            ("Tests, paired by query", f"{', '.join(used.tests)}; the first gives the verdict"),
            ("Correction", f"{used.correction}, over {evaluation.comparisons.family}"),
            ("Seed", str(used.seed)),
        ]
    yield Terms(terms)
