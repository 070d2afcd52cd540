"""How the numbers were made, so that somebody else can make them again."""

from __future__ import annotations

from judge_tui.analysis.spread import SPREAD
from judge_tui.report.page.content import Paragraph, Section, Terms
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import tests_told
from judge_tui.significance import RESAMPLES, Settings
from judge_tui.version import __version__

__all__ = ["method"]


def method(found: Findings) -> Section:
    """Definitions, settings, versions, seed and the hash of the grades."""
    data = found.data
    basis, asked = data.results.basis, data.results.basis.asked
    usual = Settings()
    terms = [
        *((one.name, f"{_sentence(one.definition.summary)}") for one in found.board.measures),
        *((one.name, f"{_sentence(one.definition.summary)}") for one in found.board.shares),
        (
            "Order and queries",
            "Results are ordered by score, ties by document id, as trec_eval does; means are over"
            f" the judged queries that a system answers{_asked(found)}. Unjudged documents count as"
            " not relevant.",
        ),
        (
            "Intervals",
            f"95 %, percentile bootstrap over queries, {RESAMPLES:,} resamples; those of alpha over"
            " pairs. Those of kappa are of large samples.",
        ),
        (
            "Tests",
            f"Paired by query, {usual.alternative}: {tests_told(usual.tests)}",
        ),
        (
            "Least and greatest",
            "Of each query over all grades that the unjudged results of the system itself could"
            " have been given, the best possible ranking worked out anew for each. A document that"
            " only other systems found is left as it is; judged relevant, it lowers what asks how"
            " much of all was found, as nDCG, AP and R do.",
        ),
        (
            "Alpha and kappa",
            "Krippendorff's alpha takes missing grades; ordinal alpha counts a disagreement the"
            " more, the more grades lie between. Cohen's kappa is for two judges.",
        ),
        ("Spread", f"sd is the {SPREAD}."),
        (
            "Final grades",
            f"What the lead settled; else what the judges agree on; else policy {asked.policy}."
            if not asked.policy.startswith("judge:")
            else f"Policy {asked.policy}: that judge's grades as they stand.",
        ),
        ("Grades used", f"{_sentence(basis.about)}"),
        ("SHA-256 of these grades, as TREC qrels", data.digest),
        (
            "Seeds",
            f"{basis.seed}, the campaign's, for the intervals of means and of agreement;"
            f" {usual.seed} for comparisons.",
        ),
        ("Program", f"judge_tui {__version__}"),
    ]
    return Section(
        "method",
        "How the numbers were made",
        [
            Paragraph("Every number on this page follows from the grades and the runs:"),
            Terms(terms),
        ],
    )


def _asked(found: Findings) -> str:
    if not found.data.progress.asked:
        return ""
    return (
        " or, where it is known what it was asked, was asked: there, nothing found counts as 0, and"
        " so does a query that could not be judged as no system found anything for it"
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
