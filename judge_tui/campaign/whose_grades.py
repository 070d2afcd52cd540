"""Whose grades count: the one rule that all follows which says what is judged or decided."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import all_judges

__all__ = ["WhoseGrades", "whose_grades"]


@dataclass(frozen=True, slots=True)
class WhoseGrades:
    """`models`: grades of models count. `only_models`: no person has graded, and models have.
    `compared`: models are among the judges who are compared with each other."""

    models: bool = False
    only_models: bool = False
    compared: bool = False

    @property
    def beside(self) -> bool:
        """Whether models are compared with people though their grades do not count."""
        return self.compared and not self.models

    @property
    def said(self) -> str:
        """Which models are among those who are compared, in words; "" for none."""
        if self.beside:
            return "models included, which results do not count"
        if not self.compared:
            return ""
        return "models only" if self.only_models else "models included"


def whose_grades(campaign: Campaign, *, include_models: bool = False) -> WhoseGrades:
    """As it is now. The grades of people count as soon as one person has graded. Those of models
    count beside them only where that is asked for, and where no person has graded at all.

    Judges are compared with each other where their grades count; and a person with models where
    fewer than two people have graded, as there is nobody else. What a lead settles is no grade of
    a judge: it holds whoever counts. Put it inside the `campaign.reading()` that the grades are
    read in.
    """
    people = models = 0
    for judge in all_judges(campaign):
        if _has_graded(campaign, judge.key):
            people += judge.kind == "human"
            models += judge.kind == "model"
    if not models:
        return WhoseGrades()
    return WhoseGrades(
        models=include_models or not people,
        only_models=not people,
        compared=include_models or people < 2,
    )


def _has_graded(campaign: Campaign, judge: int) -> bool:
    # Of one judge at a time the view is read in the order of an index, up to the first grade.
    sql = "SELECT 1 FROM decisions WHERE judge = ? AND action = 'grade' LIMIT 1"
    return bool(campaign.rows(sql, (judge,)))
