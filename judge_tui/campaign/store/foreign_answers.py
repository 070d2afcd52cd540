"""What models answered, and who they are, in somebody else's copy of the campaign: every value must
be one that judge_tui could have written."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import NamedTuple

from judge_tui.analysis.model_probes import PROBE_NAME
from judge_tui.campaign.store.event import TIME
from judge_tui.campaign.store.metadata import parse_metadata
from judge_tui.campaign.store.model_answers import AskedModel

_DIGEST = re.compile(r"[0-9a-f]{64}")


class ForeignAnswer(NamedTuple):
    """One answer by text ids: `judge` is who it is in every copy. Then come `ANSWER_FIELDS`, the
    probabilities as they are stored."""

    judge: str
    query_id: str
    doc_id: str
    raw: str
    grade: int | None
    reason: str
    probabilities: str | None
    tokens_in: int | None
    tokens_out: int | None
    seconds: float | None
    chars_seen: int
    written_at: str
    probe: str

    @property
    def slot(self) -> tuple[str, str, str, str]:
        """What it is an answer to, of which there is one."""
        return self.judge, self.query_id, self.doc_id, self.probe


def refuse_forged_model(judge: AskedModel) -> None:
    """Raise `ValueError` for the identity of a model that is none."""
    if not _DIGEST.fullmatch(judge.identity) or parse_metadata(judge.rest) is None:
        raise ValueError(f"the identity of a model, {judge.identity!r:.70} of {judge.rest!r:.70}")


def refuse_forged_answer(answer: ForeignAnswer, grades: Collection[int]) -> None:
    """Raise `ValueError` for what judge_tui would not have written and its tables let pass."""
    if answer.grade is not None and answer.grade not in grades:
        raise ValueError(f"an answer off the scale, {answer.grade}")
    if answer.probe and not PROBE_NAME.fullmatch(answer.probe):
        raise ValueError(f"the probe of an answer, {answer.probe!r:.70}")
    if not TIME.fullmatch(answer.written_at):
        raise ValueError(f"the time of an answer, {answer.written_at!r:.70}")
    for number in (answer.tokens_in, answer.tokens_out, answer.seconds, answer.chars_seen):
        if number is not None and not 0 <= number < math.inf:
            raise ValueError(f"the tokens, seconds or length of an answer, {number}")
    if answer.probabilities is not None:
        chances = parse_metadata(answer.probabilities)
        if chances is None or not all(
            grade in map(str, grades) and isinstance(chance, float) and 0 <= chance < math.inf
            for grade, chance in chances.items()
        ):
            raise ValueError(f"the probabilities of an answer, {answer.probabilities!r:.70}")
