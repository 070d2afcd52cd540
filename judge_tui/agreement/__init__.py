"""Do the judges agree, and what is the final grade of a pair they judged? Kappa, AC1 and AC2,
Fleiss' kappa and Krippendorff's alpha with their intervals; each judge against the others, against
themselves, against gold grades and in the course of time; policies that make one grade of
several. Pure: grades in, numbers out. numpy is imported by the functions that need it.
"""

from judge_tui.agreement.alpha import METRICS, krippendorff_alpha
from judge_tui.agreement.coefficients import (
    COEFFICIENTS,
    Between,
    Coefficient,
    Estimate,
    ac2,
    band,
    between,
    cohen_kappa,
    fleiss_kappa,
    percent_agreement,
    shown_alpha,
    shown_span,
    verdict_of,
)
from judge_tui.agreement.data import NOT_GRADED, AgreementData, data_of
from judge_tui.agreement.decide import (
    POLICIES,
    RULES,
    Decided,
    FinalGrades,
    Policy,
    decide_all,
    decide_at_once,
)
from judge_tui.agreement.each_judge import AgainstOthers, Checked, Drift
from judge_tui.agreement.study import SLICINGS, Agreement, AgreementStudy, Slice, agree, study

__all__ = [
    "COEFFICIENTS",
    "METRICS",
    "NOT_GRADED",
    "POLICIES",
    "RULES",
    "SLICINGS",
    "AgainstOthers",
    "Agreement",
    "AgreementData",
    "AgreementStudy",
    "Between",
    "Checked",
    "Coefficient",
    "Decided",
    "Drift",
    "Estimate",
    "FinalGrades",
    "Policy",
    "Slice",
    "ac2",
    "agree",
    "band",
    "between",
    "cohen_kappa",
    "data_of",
    "decide_all",
    "decide_at_once",
    "fleiss_kappa",
    "krippendorff_alpha",
    "percent_agreement",
    "shown_alpha",
    "shown_span",
    "study",
    "verdict_of",
]
