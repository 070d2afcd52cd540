"""Do the judges agree, and what is the final grade of a pair they judged? Kappa, AC1 and AC2,
Fleiss' kappa and Krippendorff's alpha with their intervals; policies that make one grade of
several. Pure: grades in, numbers out. numpy is imported by the functions that need it.
"""

from judge_tui.agreement.ac import ac1, ac2
from judge_tui.agreement.alpha import METRICS, krippendorff_alpha
from judge_tui.agreement.at_once import Decided, decide_at_once
from judge_tui.agreement.bands import band
from judge_tui.agreement.decide import POLICIES, Decision, FinalGrades, decide, decide_all
from judge_tui.agreement.estimate import Estimate
from judge_tui.agreement.fleiss import fleiss_kappa
from judge_tui.agreement.kappa import cohen_kappa
from judge_tui.agreement.overall import Agreement, agree
from judge_tui.agreement.percent import percent_agreement
from judge_tui.agreement.two_judges import Between, between

__all__ = [
    "METRICS",
    "POLICIES",
    "Agreement",
    "Between",
    "Decided",
    "Decision",
    "Estimate",
    "FinalGrades",
    "ac1",
    "ac2",
    "agree",
    "band",
    "between",
    "cohen_kappa",
    "decide",
    "decide_all",
    "decide_at_once",
    "fleiss_kappa",
    "krippendorff_alpha",
    "percent_agreement",
]
