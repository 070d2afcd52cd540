"""What models answered: rows that are only ever added, each with its grade or the reason why it is
none. A grade is an event of the model's judge as well, written in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from judge_tui.campaign.store.backend import insertion
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.events import append_from_file
from judge_tui.campaign.store.judges import add_judge, all_judges, removed_judges
from judge_tui.campaign.store.metadata import read_metadata
from judge_tui.errors import UsageError
from judge_tui.model import composed
from judge_tui.pooling.strategies import AUDIT

Only: TypeAlias = Literal["sample", "unjudged", "all"]
"""The pairs that were drawn at random, those that no person has graded, or the whole pool."""


class AskedModel(NamedTuple):
    """A judge of kind model whose identity is known. `key` is that of the judge, `name` that of the
    campaign, `called` that of judges.toml; `model` and `rest` make the `identity`, a digest."""

    key: int
    name: str
    called: str
    identity: str
    model: str
    rest: str

    @property
    def who(self) -> str:
        """Who it is in every copy of the campaign, whatever it is named there. No name of a judge
        is like it: names have no commas."""
        return f"{self.called},{self.identity}"


class ModelAnswer(NamedTuple):
    """One answer, of a pair (a key). `probe`: what was planted in the document to fool the model,
    "" for the document as it is. `grade`: None with a `reason`. `probabilities`: grade -> how
    likely it was. `tokens_in` and `tokens_out`, and the `seconds`, are None where nobody told.
    `chars_seen`: how many characters of the document were asked about."""

    pair: int
    raw: str
    grade: int | None
    reason: str = ""
    probabilities: Mapping[int, float] | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    chars_seen: int = 0
    written_at: str = ""
    probe: str = ""


ANSWER_FIELDS = ModelAnswer._fields[1:]
"""All of an answer but its pair, whose key is another in every file."""

WHO = "m.called || ',' || m.identity"
"""`AskedModel.who` in SQL, of the row `m` of model_judges."""

GRADES_WITHOUT_EVENTS = (
    "SELECT judge, pair, grade FROM model_answers WHERE probe = '' AND grade IS NOT NULL"
    " EXCEPT SELECT judge, pair, grade FROM events WHERE action = 'grade' AND turn = 0"
    " AND judge IN (SELECT judge FROM model_judges)"
)
"""The grades that models answered and no event has: there are none in a sound file."""


class OpenPair(NamedTuple):
    """A pair that can be judged: its key, those of query and document, and how many characters the
    document has; None where only its id is known."""

    key: int
    query: int
    document: int
    chars: int | None


def asked_models(campaign: Campaign) -> list[AskedModel]:
    """Those of the campaign, less those who were removed, the oldest first."""
    rows = campaign.rows(f"{_JUDGES} AND j.removed = 0 ORDER BY m.judge")
    return [AskedModel(*row) for row in rows]


def asked_models_by_key(campaign: Campaign) -> dict[int, AskedModel]:
    """By key, all whose identity is known, those who were removed too."""
    return {row[0]: AskedModel(*row) for row in campaign.rows(_JUDGES)}


_JUDGES = (
    "SELECT m.judge, j.name, m.called, m.identity, m.model, m.rest FROM model_judges AS m"
    " JOIN judges AS j ON j.id = m.judge WHERE j.kind = 'model'"
)


def add_model_judge(
    campaign: Campaign, called: str, identity: str, model: str, rest: str, first: str = ""
) -> AskedModel:
    """The judge that is called so and has that identity, made if new under the name `first`, or as
    it is called: where another one has that name, it gets a number, as `umbrela#2`. Raises
    `UsageError` for the name of a person, and for a judge who was removed.
    """
    with campaign.writing():
        rows = campaign.rows(
            "SELECT j.id, j.name, j.removed FROM model_judges AS m JOIN judges AS j"
            " ON j.id = m.judge WHERE m.called = ? AND m.identity = ? AND j.kind = 'model'",
            (called, identity),
        )
        for judge, name, removed in rows:
            if removed:
                raise UsageError(f"judge {name!r} was removed", "call it otherwise in judges.toml")
            return AskedModel(judge, name, called, identity, model, rest)
        free = _free_name(campaign, called, first or called)
        added = add_judge(campaign, free, kind="model")
        its = AskedModel(added.key, added.name, called, identity, model, rest)
        campaign.execute(
            insertion("model_judges", "judge", "called", "identity", "model", "rest"),
            (its.key, *its[2:]),
        )
        return its


def _free_name(campaign: Campaign, called: str, first: str) -> str:
    """The `first` name that it may have, or what it is called, with a number."""
    taken = [*all_judges(campaign), *removed_judges(campaign)]
    kinds = {name: one.kind for one in taken for name in (one.name, one.first_name)}
    number, name = 1, composed(first)
    if kinds.get(name) == "human":
        raise UsageError(f"judge {name!r} is a person", "call the model otherwise in judges.toml")
    while name in kinds:
        number += 1
        name = f"{composed(called)}#{number}"
    return name


def store_answers(campaign: Campaign, judge: int, answers: Sequence[ModelAnswer]) -> int:
    """Write answers of a judge (a key), and the grades among them, less those to probes; how many
    are new: a pair that was answered keeps its answer. When this returns, they are on disk. Raises
    `UsageError` where the judge was removed meanwhile."""
    with campaign.writing():
        if campaign.row("SELECT removed FROM judges WHERE id = ?", (judge,))[0]:
            raise UsageError("the judge was removed from this campaign", "ask the lead")
        at = now()
        sql = insertion("model_answers", "judge", *ModelAnswer._fields)
        new = [
            one
            for one in answers
            if campaign.execute(f"{sql} ON CONFLICT DO NOTHING", (judge, *_row(one, at)))
        ]
        graded = [
            (one.pair, "grade", one.grade, "", one.seconds)
            for one in new
            if one.grade is not None and not one.probe
        ]
        append_from_file(campaign, judge, graded)
        return len(new)


def _row(answer: ModelAnswer, at: str) -> tuple[object, ...]:
    found = answer.probabilities
    stored = None if found is None else json.dumps(dict(sorted(found.items())))
    return tuple((answer._asdict() | {"probabilities": stored, "written_at": at}).values())


def model_answers(campaign: Campaign, judge: int) -> Iterator[tuple[str, str, ModelAnswer]]:
    """The ids of query and document with each answer of a judge (a key), by pair, then probe, as
    they are asked for: put it inside `reading`."""
    rows = campaign.each(
        f"SELECT q.query_id, d.doc_id, {', '.join(f'a.{one}' for one in ModelAnswer._fields)}"
        " FROM model_answers AS a JOIN pool AS p ON p.id = a.pair"
        " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
        " WHERE a.judge = ? ORDER BY a.pair, a.probe",
        (judge,),
    )
    for query_id, doc_id, *row in rows:
        fields = dict(zip(ModelAnswer._fields, row, strict=True))
        if (stored := fields["probabilities"]) is not None:
            chances = read_metadata(campaign.path, stored)
            fields["probabilities"] = {int(grade): one for grade, one in chances.items()}
        yield query_id, doc_id, ModelAnswer(**fields)


def answered_pairs(campaign: Campaign, judge: int, probe: str = "") -> frozenset[int]:
    """The pairs (keys) that a judge (a key) has answered, with a probe planted in the document or
    as it is."""
    rows = campaign.rows(
        "SELECT pair FROM model_answers WHERE judge = ? AND probe = ?", (judge, probe)
    )
    return frozenset(pair for (pair,) in rows)


def pairs_graded_below(campaign: Campaign, judge: int, grade: int) -> frozenset[int]:
    """The pairs (keys) to which a judge (a key) gave a lower grade, probes aside."""
    rows = campaign.rows(
        "SELECT pair FROM model_answers WHERE judge = ? AND probe = '' AND grade < ?",
        (judge, grade),
    )
    return frozenset(pair for (pair,) in rows)


def probed_grades(campaign: Campaign, judge: int) -> dict[str, list[tuple[int, int | None]]]:
    """Probe -> the grades of the documents in which it was planted, as a judge (a key) gave them
    without it and with it, None where that answer is none."""
    rows = campaign.rows(
        "SELECT its.probe, plain.grade, its.grade FROM model_answers AS its"
        " JOIN model_answers AS plain ON plain.judge = its.judge AND plain.pair = its.pair"
        " AND plain.probe = '' AND plain.grade IS NOT NULL"
        " WHERE its.judge = ? AND its.probe <> '' ORDER BY its.probe, its.pair",
        (judge,),
    )
    found: dict[str, list[tuple[int, int | None]]] = {}
    for probe, without, planted in rows:
        found.setdefault(probe, []).append((without, planted))
    return found


class AnswerCounts(NamedTuple):
    """How many answers there are, and the tokens of those that told both, with how many these
    are."""

    answers: int
    tokens_in: int
    tokens_out: int
    told: int


def count_answers(campaign: Campaign, judge: int) -> AnswerCounts:
    """What there is of a judge (a key)."""
    row = campaign.row(
        "SELECT count(*),"
        " coalesce(sum(CASE WHEN tokens_out IS NOT NULL THEN tokens_in END), 0),"
        " coalesce(sum(CASE WHEN tokens_in IS NOT NULL THEN tokens_out END), 0),"
        " count(tokens_in + tokens_out) FROM model_answers WHERE judge = ?",
        (judge,),
    )
    return AnswerCounts(*row)


def failed_answers(campaign: Campaign, judge: int) -> dict[str, int]:
    """Why answers of a judge (a key) are no grade, the most frequent reason first -> how many;
    probes aside."""
    rows = campaign.rows(
        "SELECT reason, count(*) FROM model_answers"
        " WHERE judge = ? AND probe = '' AND grade IS NULL"
        " GROUP BY reason ORDER BY count(*) DESC, reason",
        (judge,),
    )
    return dict(rows)


_BY_PEOPLE = (
    "SELECT x.pair FROM judgments AS x JOIN judges AS j ON j.id = x.judge"
    " WHERE j.kind = 'human' AND x.decision = 'grade' UNION SELECT pair FROM adjudications"
)
_WHERE = {
    "all": "",
    "sample": f" WHERE p.stratum = '{AUDIT}' AND p.probability IS NOT NULL",
    "unjudged": f" WHERE p.id NOT IN ({_BY_PEOPLE})",
}


def pairs_for_models(campaign: Campaign, only: Only = "all") -> list[OpenPair]:
    """The pairs of the pool, by query in the order in which these were loaded."""
    rows = campaign.rows(
        "SELECT p.id, p.query, p.document, length(nullif(d.text, '')) FROM pool AS p"
        f" JOIN documents AS d ON d.id = p.document{_WHERE[only]} ORDER BY p.query, p.id"
    )
    return [OpenPair(*row) for row in rows]
