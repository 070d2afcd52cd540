"""Do the judges agree, and what is the final grade of a pair they judged? Kappa, AC1 and AC2,
Fleiss' kappa and Krippendorff's alpha with their intervals; each judge against the others, against
themselves, against gold grades and in the course of time; policies that make one grade of
several. Pure: grades in, numbers out. numpy is imported by the functions that need it.
"""

from judge_tui.agreement.ac import ac1, ac2
from judge_tui.agreement.against_others import AgainstOthers
from judge_tui.agreement.alpha import METRICS, krippendorff_alpha
from judge_tui.agreement.bands import band, shown_alpha, shown_span, verdict_of
from judge_tui.agreement.checked import Checked
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
from judge_tui.agreement.drift import Drift
from judge_tui.agreement.estimate import Estimate
from judge_tui.agreement.fleiss import fleiss_kappa
from judge_tui.agreement.kappa import cohen_kappa
from judge_tui.agreement.overall import Agreement, agree
from judge_tui.agreement.percent import percent_agreement
from judge_tui.agreement.slices import SLICINGS, Slice
from judge_tui.agreement.study import AgreementStudy, study
from judge_tui.agreement.two_judges import COEFFICIENTS, Between, Coefficient, between

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
    "ac1",
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
