"""What a reader of a result must know before believing it, a sentence each.

They warn of few queries or pairs, queries without results or without grades, unjudged results and
what stands for their grades, grades that are unresolved or those of models alone, measures that are
unlike each other, systems that failed, and models that are no good as judges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.scoring import NO_COMPOSITE, mean, parse_measure

if TYPE_CHECKING:
    from judge_tui.agreement.alt_test import AltTest
    from judge_tui.agreement.study import AgreementStudy
    from judge_tui.analysis.basis import Basis, GradesUsed
    from judge_tui.analysis.judged_runs import JudgedRuns
    from judge_tui.analysis.model_judge import ModelStudy, NextPairs
    from judge_tui.analysis.model_probes import ProbeResult
    from judge_tui.analysis.replay import Replays
    from judge_tui.analysis.with_model import ModelEstimate
    from judge_tui.comparison.comparison import Comparison, Comparisons
    from judge_tui.scoring import Measure, Scores

FEW_QUERIES = 30
"""There is a warning where there are fewer queries."""

LEAST_JUDGED = 0.8
"""There is a warning where a smaller share of the results that count is judged."""

MOST_FOOLED = 0.1
"""There is a warning where a model is sure to be fooled by a greater share of documents."""

UNEVEN = 2
"""There is a warning where people judged of one of a model's grades more than so many times the
share of another's."""

_NAMED = 3


def warn_of_scores(scores: Scores) -> tuple[str, ...]:
    """Warn of missing queries, unjudged results and unlike measures of runs that are scored."""
    unlike = () if scores.unlike is None else (NO_COMPOSITE,)
    return (*warn_of_missing(scores), *_share_judged(scores), *_filled(scores), *unlike)


def warn_of_comparisons(comparisons: Comparisons) -> tuple[str, ...]:
    """Warn of few or missing queries, unjudged results and means of runs that are compared."""
    scores = comparisons.scores
    measures = (scores.slices or scores).measures
    compared = [one for one in measures if str(one) in comparisons.fewest]
    return (
        *_few_compared(comparisons),
        *warn_of_missing(scores),
        *_share_judged(scores),
        *_filled(scores),
        *_other_means(compared),
        *(warn_of_bias(comparisons) if comparisons.any_unbiased else ()),
    )


def warn_of_results(
    judged: JudgedRuns,
    basis: Basis,
    tags: Collection[str] | None = None,
    *,
    comparisons: Comparisons | None = None,
    among: Set[str] | None = None,
) -> tuple[str, ...]:
    """Warn of what a view of a campaign's runs rests on.

    `tags`: the runs that are shown, None for all; `among`: the ids of the queries that are shown,
    None for all; `comparisons`: those that the view shows, if any.
    """
    scores = _shown(judged, basis, tags, among)
    few = _few(scores) if comparisons is None else _few_compared(comparisons)
    bias = () if comparisons is None else warn_of_bias(comparisons)
    missing = warn_of_missing(scores, "score --complete")
    return (
        *few,
        *missing,
        *_share_judged(scores),
        *_filled(scores),
        *bias,
        *warn_of_grades(basis.grades),
    )


def warn_of_bias(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """Warn of differences that what is not judged bends: they lie outside the interval that a
    random sample of it gives."""
    named = [
        f"{one.tag} {one.delta:+.3f} by {one.measure}, by the sample {its.delta:+.3f}"
        f" ({its.ci95[0]:+.3f} to {its.ci95[1]:+.3f})"
        for one in comparisons
        if (its := one.unbiased) is not None and not its.ci95[0] <= one.delta <= its.ci95[1]
    ]
    what = "differences that disagree with a random sample of what is not judged"
    return _of_some(what, named)


def warn_of_query(
    judged: JudgedRuns, basis: Basis, query_id: str, tags: Collection[str]
) -> tuple[str, ...]:
    """Warn of unjudged results of one query in the runs `tags`, and of a campaign's grades."""
    scores = _shown(judged, basis, tags, {query_id})
    return (*_share_judged(scores), *_filled(scores), *warn_of_grades(basis.grades))


def _shown(
    judged: JudgedRuns, basis: Basis, tags: Collection[str] | None, among: Set[str] | None
) -> Scores:
    """Score the runs and queries that are shown by the share of their results that is judged."""
    scores = judged.scores([parse_measure(f"Judged@{basis.question.k}")])
    scores = scores if among is None else scores.where(among)
    scored = (run.tag for run in scores.runs if run.query_ids)
    return scores.of_runs(tag for tag in scored if tags is None or tag in tags)


def warn_of_agreement(study: AgreementStudy) -> tuple[str, ...]:
    """Warn of agreement that rests on few pairs."""
    from judge_tui.agreement.estimates import FEW_PAIRS  # noqa: PLC0415 - scores need none of it

    agreement = study.agreement
    compared = [("all judges", agreement.pairs_shared)] if len(agreement.judges) > 1 else []
    compared += [(" and ".join(two.judges), two.pairs) for two in agreement.between]
    compared += [(f"{name} (repeats)", one.pairs) for name, one in study.repeats.items()]
    compared += [(f"{name} (gold)", one.pairs) for name, one in study.gold.items()]
    few = [f"{name} {pairs:,}" for name, pairs in compared if pairs < FEW_PAIRS]
    return _of_some(f"on fewer than {FEW_PAIRS} pairs agreement is uncertain", few)


def warn_of_model(study: ModelStudy) -> tuple[str, ...]:
    """Warn of a model that was compared with people on few pairs, without the hard ones or those
    that it failed at, on other grades than it mostly gives, or with few people, and of one that is
    fooled or favours its kin."""
    from judge_tui.agreement.estimates import FEW_PAIRS  # noqa: PLC0415 - as above

    pairs = {one.other: one.comparison.pairs for one in study.beside}
    few = [f"{other} {count:,}" for other, count in pairs.items() if count < FEW_PAIRS]
    return (
        *_of_some(f"on fewer than {FEW_PAIRS} pairs agreement is uncertain", few),
        *_without_hard_pairs(study.undecided),
        *_without_failed(study.failed),
        *_judged_unevenly(study.judge, study.next),
        *_few_people(study.alt_test),
        *_fooled(study.judge, study.probes),
        *_favours_kin(study.judge, study.order.kin_gain, study.order.other_gain),
    )


def _without_hard_pairs(undecided: int) -> Iterator[str]:
    if undecided:
        nouns = ("pair on which people differ has", "pairs on which people differ have")
        yield (
            f"{counted(undecided, *nouns)} no final grade: without such pairs the model seems"
            " nearer to people than it is"
        )


def _without_failed(failed: Mapping[str, int]) -> Iterator[str]:
    if failed:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in failed.items())
        count = counted(sum(failed.values()), "answer is", "answers are")
        yield (
            f"{count} no grade ({reasons}): without these pairs the model seems nearer to people"
            " than it is"
        )


def _judged_unevenly(judge: str, grades: Iterable[NextPairs]) -> Iterator[str]:
    from judge_tui.agreement.estimates import FEW_PAIRS  # noqa: PLC0415 - as above

    shares = {
        one.grade: one.judged / (one.judged + one.open)
        for one in grades
        if one.judged + one.open >= FEW_PAIRS
    }
    if not shares:
        return
    least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    if shares[most] > UNEVEN * shares[least]:
        few, many = (percent(shares[grade], short=True) for grade in (least, most))
        yield (
            f"people judged {few} of what {judge} grades {least}, and {many} of what it grades"
            f" {most}: kappa, alpha and bias are of the judged pairs, not of all that it graded"
        )


def _few_people(test: AltTest) -> Iterator[str]:
    from judge_tui.agreement.alt_test import RECOMMENDED  # noqa: PLC0415 - as above

    if test.passes is not None and len(test.against) < RECOMMENDED:
        yield (
            f"the Alt-Test rests on {len(test.against)} people: it tells which of them the model is"
            f" like; take {RECOMMENDED} or more"
        )


def _fooled(judge: str, probes: Iterable[ProbeResult]) -> Iterator[str]:
    from judge_tui.analysis.model_probes import PLANTED  # noqa: PLC0415 - as above

    for one in probes:
        share = one.share
        if share.value is not None and share.ci95 is not None and share.ci95[0] > MOST_FOOLED:
            yield (
                f"{PLANTED[one.probe]} raise the grade of {judge} for {percent(share.value)} of"
                f" {counted(one.graded, 'document')} that people found irrelevant: it is fooled"
            )


def _favours_kin(judge: str, kin: float | None, others: float | None) -> Iterator[str]:
    if kin is not None and others is not None and kin > max(others, 0):
        yield (
            f"under the grades of {judge} systems of its own kind gain {kin:.1f} places on average,"
            f" others {others:+.1f}: it favours its kin"
        )


def warn_of_estimates(estimates: Sequence[ModelEstimate], model: str) -> tuple[str, ...]:
    """Warn of what means and differences that a model makes more exact rest on, where there are
    any."""
    text = (
        f"what {model} makes more exact holds where the queries that people judged are a random"
        " choice of those that it judged; its intervals are not corrected for the number of"
        " comparisons, and verdicts and p are those of people alone"
    )
    return (text,) if estimates else ()


def warn_of_replays(replays: Replays) -> tuple[str, ...]:
    """Warn of replays with few queries, and of filled measures."""
    filled = replays.settings.unjudged == "expected"
    return (*_few_queries(replays.queries), *([_read_differences("expected")] if filled else []))


def _few(scores: Scores) -> tuple[str, ...]:
    return _few_queries(min((len(run.query_ids) for run in scores.runs), default=FEW_QUERIES))


def _few_queries(queries: int) -> tuple[str, ...]:
    text = (
        f"means are over {counted(queries, 'query', 'queries')}: with fewer than {FEW_QUERIES},"
        " other queries may give another picture"
    )
    return (text,) if queries < FEW_QUERIES else ()


def _few_compared(comparisons: Comparisons) -> tuple[str, ...]:
    from judge_tui.comparison.settings import FEWEST_QUERIES  # noqa: PLC0415 - as above

    if min(comparisons.fewest.values(), default=FEW_QUERIES) >= FEW_QUERIES:
        return ()  # without a look at each, of which there may be millions
    few = {
        f"{one.tag} and {one.baseline}{_within(one.slice)} {one.queries:,}": one.queries
        for one in comparisons
        if one.queries < FEW_QUERIES
    }
    end = (
        f"; with fewer than {FEW_QUERIES} only a large difference can be shown, with fewer than"
        f" {FEWEST_QUERIES} none"
    )
    return _of_some("queries in common", sorted(few, key=few.__getitem__), end)


def warn_of_missing(scores: Scores, complete: str = "--complete") -> Iterator[str]:
    """Warn of queries without results, and of results without grades. `complete`: the option that
    counts all queries."""
    lacking = f"queries of the {scores.reference} without results"
    mend = "" if scores.reference == "values" else f" ({complete} counts them as 0)"
    counts = {
        f"{lacking} are left out of a run's means{mend}": [
            len(set(run.missing_run) - set(run.query_ids)) for run in scores.runs
        ],
        f"{lacking} count as 0": [len(run.without_results) for run in scores.runs],
        f"queries of a run that are not in the {scores.reference} are left out": [
            len(run.missing_qrels) for run in scores.runs
        ],
    }
    for what, of_runs in counts.items():
        named = [f"{tag} {n:,}" for tag, n in zip(scores, of_runs, strict=True) if n]
        yield from _of_some(what, named)


def _share_judged(scores: Scores) -> tuple[str, ...]:
    names = (name for name in scores.by_measure if name.startswith("Judged@"))
    # Of the shallowest: what is unjudged there is so in all that look deeper.
    name = min(names, key=lambda name: (len(name), name), default=None)
    if name is None:
        return ()
    means = ((run.mean_or_none(name), run.tag) for run in scores.runs)
    shares = sorted((share, tag) for share, tag in means if share is not None)
    # In whole percents, as they are shown: 79.9 % would read "below 80 %: 80 %".
    little = [
        f"{tag} {percent(share)}"
        for share, tag in shares
        if round(100 * share) < round(100 * LEAST_JUDGED)
    ]
    fate = "counts as not relevant"
    if scores.filled:
        fate = "counts in measures as the gain expected of it"
    elif scores.rules.judged_only:
        fate = "is taken out of the lists"
    # A query that no run is scored for is left out.
    of_query = np.ma.masked_invalid(scores.by_measure[name]).mean(axis=0).compressed()
    hardly = int((np.round(100 * of_query) < round(100 * LEAST_JUDGED)).sum())
    queries = counted(len(of_query), "query", "queries")
    end = f"; so little is judged of {hardly:,} of {queries}; what nobody judged {fate}"
    return _of_some(f"{name} is below {percent(LEAST_JUDGED)}", little, end)


def _filled(scores: Scores) -> tuple[str, ...]:
    if not scores.filled:
        return ()
    unfilled, model = scores.settings.get("unfilled", 0), scores.filled
    zero = f"results that neither people nor {model} graded count as zero: {unfilled:,}"
    return (_read_differences(model), *([zero] if unfilled else []))


def _read_differences(filled: str) -> str:
    by = "with expected gains" if filled == "expected" else f"by {filled}, calibrated by people"
    return f"measures are filled {by}: read differences alone, not levels"


def warn_of_grades(grades: GradesUsed) -> tuple[str, ...]:
    """Warn of final grades of a campaign that are those of models alone, and of pairs that the
    policy leaves unresolved."""
    pairs = (
        f"unresolved pairs, judged but not decided by policy {grades.policy}, count as unjudged:"
        f" {grades.unresolved:,}"
    )
    return (*warn_of_models(grades), *([pairs] if grades.unresolved else []))


def warn_of_models(grades: GradesUsed) -> tuple[str, ...]:
    """Warn of final grades of a campaign that no person gave, judge or lead, and of what models
    made of those that people gave."""
    alone, changed, open_ = grades.models_alone, grades.models_changed, grades.models_unresolved
    rest = "rests" if alone == 1 else "rest"
    texts = {
        f"{alone:,} of {counted(grades.pairs, 'final grade')} {rest} on models alone": alone,
        f"models changed {counted(changed, 'final grade')} of people, and left {open_:,} of theirs"
        " unresolved": changed + open_,
    }
    return tuple(text for text, count in texts.items() if count)


def warn_of_failures(
    what: str, failures: Mapping[str, Mapping[str, str]], asked: Mapping[str, int]
) -> tuple[str, ...]:
    """Warn of live systems that failed.

    `what`: what they failed at and what it counts as, in words; `failures`: of each system that
    failed, the id of what it failed at -> why; `asked`: how much each was asked.
    """
    named = []
    for tag, reasons in failures.items():
        alike: dict[str, list[str]] = {}
        for name, why in reasons.items():
            alike.setdefault(why, []).append(name)
        because = first_few([f"{why}: {first_few(names)}" for why, names in alike.items()], "; ")
        named.append(f"{tag} {len(reasons):,} of {asked[tag]:,} ({because})")
    return _of_some(what, named)


def warn_of_earlier_answers(days: Sequence[str], answers: int) -> tuple[str, ...]:
    """Warn of answers that live systems gave in an earlier call: they may answer otherwise now.
    `days`: when each was given, "" where nobody knows; `answers`: how many there are in all."""
    if not days:
        return ()
    ends = dict.fromkeys((min(known), max(known))) if (known := [*filter(None, days)]) else ()
    when = f", from {' to '.join(ends)}" if ends else ""
    what = f"{len(days):,} of {counted(answers, 'answer')} were there already{when}"
    return (f"{what}; --fresh asks again",)


def warn_of_nothing_found(tags: Sequence[str]) -> tuple[str, ...]:
    """Warn of live systems that answered no query with anything."""
    what = "systems that found nothing for any query; check where their results are sought"
    return _of_some(what, tags)


def _other_means(measures: Iterable[Measure]) -> tuple[str, ...]:
    named = [str(one) for one in measures if one.definition.average is not mean]
    what = (
        "differences and verdicts are of arithmetic means, which these measures do not have"
        " elsewhere"
    )
    return _of_some(what, named)


def _within(name: str | None) -> str:
    from judge_tui.scoring.slices import shown_slice  # noqa: PLC0415 - few have slices

    return "" if name is None else f" in {shown_slice(name)}"


def _of_some(what: str, names: Sequence[str], end: str = "") -> tuple[str, ...]:
    """One line on all of them, if there are any."""
    return (f"{what}: {first_few(names)}{end}",) if names else ()


def first_few(names: Sequence[str], between: str = ", ") -> str:
    """Join the first three, and say how many more there are."""
    more = len(names) - _NAMED
    return between.join([*names[:_NAMED], *([f"and {more:,} more"] if more > 0 else [])])
