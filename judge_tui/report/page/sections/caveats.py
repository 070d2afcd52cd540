"""Every reason to be careful, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.agreement.caveats import about_checks
from judge_tui.analysis.cautions import of_classes
from judge_tui.analysis.query_counts import QueryCounts, waiting_queries
from judge_tui.nothing_found import asked_in_vain, failed_among, still_to_count
from judge_tui.report.page.content import Block, Paragraph, Points, Section
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import (
    counted,
    is_or_are,
    least_to_most,
    listed,
    name_of_test,
    sentence,
)
from judge_tui.scoring import mean
from judge_tui.significance import Comparison, Verdict
from judge_tui.significance.cautions import FEW_QUERIES
from judge_tui.significance.verdict import FEWEST_QUERIES

__all__ = ["caveats"]


def caveats(found: Findings) -> Section:
    """Every reason to be careful, in plain words."""
    items = list(_caveats(found))
    body: Block = Points(items) if items else Paragraph("Nothing that was looked for was found.")
    return Section("caveats", "Caveats", [body])


def _caveats(found: Findings) -> Iterator[str]:
    basis = found.data.results.basis
    yield from _about_queries(found)
    yield from _about_judges(found)
    yield from _about_unjudged(found)
    yield from map(sentence, of_classes(found.data.results.now.standing, basis))
    if basis.unresolved:
        yield (
            f"{counted(basis.unresolved, 'pair')} of query and document on which the judges differ"
            f" {is_or_are(basis.unresolved)} unresolved: nobody has settled"
            f" {'it' if basis.unresolved == 1 else 'them'}, and policy {basis.asked.policy} does"
            f" not decide. In results {'it counts' if basis.unresolved == 1 else 'they count'} as"
            " unjudged, and so as not relevant."
        )
    if basis.cut:
        depth = min(basis.cut.values())
        yield (
            f"Of {listed(basis.cut)} only the first {depth:,} results of a query were kept here;"
            " what was further down is not seen."
        )
    yield from (f"{one[:1].upper()}{one[1:]}." for one in basis.left_out)
    yield from _about_tests(found)
    missing = len(found.data.progress.missing)
    if missing:
        yield (
            f"{counted(missing, 'pooled document')} had no text to be read when judged: judges saw"
            " an id and perhaps a title."
        )


def _about_queries(found: Findings) -> Iterator[str]:
    counts = found.queries
    least, _ = counts.beneath
    if least < FEW_QUERIES:
        few = least_to_most(counts.beneath)
        if counts.common is None and counts.judged:
            yield f"Few queries: {few}. Other queries may give another answer."
        elif counts.judged:
            none = f", with fewer than {FEWEST_QUERIES} none" if least < FEWEST_QUERIES else ""
            yield (
                f"Few queries in common with {found.baseline}: {few}. With fewer than"
                f" {FEW_QUERIES}, only a large difference can be shown{none}; other queries may"
                " give another answer."
            )
    for row in found.ranked:
        if row.nothing_found:
            yield (
                f"{row.tag} found nothing for"
                f" {counted(row.nothing_found, *_counting(counts))}"
                f"{failed_among(row.nothing_found, row.failed)}: it scores 0 there."
            )
    if counts.in_vain:
        yield (
            f"{asked_in_vain(counts.in_vain, counts.failed)}: nobody could judge, and every system"
            " that was asked scores 0 there whatever is relevant. Qrels cannot hold"
            f" {'it' if counts.in_vain == 1 else 'them'}."
        )
    if waiting := still_to_count(waiting_queries(found.data.results.now.standing)):
        yield sentence(waiting)
    unanswered = [row for row in found.ranked if row.left_out]
    if unanswered:
        worst = max(unanswered, key=lambda row: row.left_out)
        if len(unanswered) == 1:
            yield (
                f"{worst.tag} has no result for"
                f" {counted(worst.left_out, *_counting(counts))}, left out of its"
                " means."
            )
        else:
            yield (
                f"{listed(row.tag for row in unanswered)} have no result for some"
                f" {_counting(counts)[1]},"
                f" {worst.tag} for the most, {worst.left_out:,}. They are left out of the means"
                " of each."
            )
    unjudged = sum(1 for row in found.data.pool.by_query.values() if not row)
    judged = found.data.results.now.standing.judged
    without = len(judged) - int(judged.sum()) - unjudged
    if without > 0:
        left = counted(without, "query", "queries")
        yield f"{left} of the pool {'has' if without == 1 else 'have'} no final grade yet."
    if found.first.nothing_known:
        count = found.first.nothing_known
        yield (
            f"For {counted(count, 'judged query', 'judged queries')} no relevant document is known:"
            " every system scores 0 there, and nothing is learnt from it."
        )


def _counting(counts: QueryCounts) -> tuple[str, str]:
    """One query, and several, of those that count."""
    of = "" if counts.in_vain else "judged "
    return f"{of}query", f"{of}queries"


def _about_judges(found: Findings) -> Iterator[str]:
    judges = found.study.agreement.judges
    if len(judges) == 1:
        yield (
            "One judge: without a second one on the same documents, nobody knows how far the grades"
            " depend on who gave them."
        )
        yield from map(sentence, about_checks(found.study.own, found.study.gold))
    else:
        yield from map(sentence, found.study.warnings)
    own, settled = found.data.settled_own, sum(found.data.settled.values())
    if own:
        yield (
            f"Of {counted(settled, 'pair')} settled as lead, {own:,}"
            f" {'was' if own == 1 else 'were'} settled by somebody who had graded"
            f" {'it' if own == 1 else 'them'} as a judge: a disagreement decided by one of the two"
            " sides."
        )
    if found.data.show_ranks:
        yield "Judges were shown the ranks of documents, which may have swayed them."
    models = [
        judge.name
        for judge in found.data.progress.judges
        if judge.kind == "model" and judge.name in judges
    ]
    if found.data.results.basis.only_models:
        yield (
            "No person has graded: the grades are those of models, and nobody knows how far people"
            " would agree with them."
        )
    if models:
        verb = "is a program" if len(models) == 1 else "are programs"
        yield (
            f"{listed(models)} {verb}, not {'a person' if len(models) == 1 else 'people'}. Models"
            " may share the habits of the systems that they judge."
        )


def _about_unjudged(found: Findings) -> Iterator[str]:
    basis = found.data.results.basis
    state = found.data.progress
    gaps = sum(one.judged < one.results for one in state.coverage)
    if gaps:
        yield (
            f"Unjudged results stand in the first {state.depth:,} of {counted(gaps, 'system')}. On"
            " the judged queries they count as not relevant, which is unkind to a system that finds"
            " what no other found."
        )
    if basis.asked.policy.startswith("judge:") and len(found.study.agreement.judges) > 1:
        yield (
            f"Policy {basis.asked.policy} takes that judge's grades alone: what only others graded"
            " is judged, and yet counts as not relevant."
        )
    if alike := found.data.alike:
        yield (
            f"{counted(len(alike), 'pair')} of query and document {is_or_are(len(alike))} unjudged"
            " under the id that a system gave, and judged under another spelling of it, such as"
            f" {alike[0]} there: what was judged counts as not found."
        )
    loose = found.bounds.of.get(found.measure.name, {})
    base = loose.get(found.baseline)
    if base is not None:
        turned = [
            one.tag
            for row in found.others
            if (one := found.comparison(row.tag)) is not None
            and one.verdict in (Verdict.BETTER, Verdict.WORSE)
            and (ends := loose.get(one.tag)) is not None
            and (ends[0] <= base[1] if one.verdict is Verdict.BETTER else ends[1] >= base[0])
        ]
        if turned:
            yield (
                f"Judging the rest could bring {listed(turned)} level with {found.baseline} or turn"
                " the order round: the bounds overlap."
            )
    if basis.unjudged:
        left = counted(basis.unjudged, "pair")
        yield f"{left} of the pool {is_or_are(basis.unjudged)} not judged yet."


def _about_tests(found: Findings) -> Iterator[str]:
    family = found.verdicts.comparisons
    if family is None:
        return
    if len(family) > 1 and found.tested:
        undone = sum(_undone(one, family.settings.alpha) for one in family)
        without = f" Without it, {undone:,} more would look like more than chance."
        yield (
            f"{len(family):,} comparisons were made at once; p is corrected for that"
            f" (after {family.settings.correction.capitalize()}).{without if undone else ''}"
        )
    tests = family.settings.tests
    compared = [one for row in found.others if (one := found.comparison(row.tag)) is not None]
    torn = [one.tag for one in compared if len(_significant(one, family.settings.alpha)) > 1]
    if torn:
        yield (
            f"The tests do not say the same of {listed(torn)}: the verdict is that of"
            f" {name_of_test(tests[0])}, which was chosen beforehand."
        )
    against = [one.tag for one in compared if one.contradicted(family.settings)]
    if against:
        yield (
            f"Of {listed(against)} the mean and {name_of_test(tests[0])} do not point the same way:"
            " no difference is shown, though p is small."
        )
    if found.measure.definition.average is not mean:
        yield (
            f"{found.measure} is no arithmetic mean over queries; beside {found.baseline}, means"
            " and differences are, as the tests look at single queries."
        )


def _undone(one: Comparison, alpha: float) -> bool:
    """Whether the correction makes what a test says of it another."""
    return any(
        result.p is not None and result.p < alpha <= (one.p_adjusted[name] or 0.0)
        for name, result in one.tests.items()
    )


def _significant(one: Comparison, alpha: float) -> set[bool]:
    """What the tests say; both where they do not say the same."""
    return {p < alpha for p in one.p_adjusted.values() if p is not None}
