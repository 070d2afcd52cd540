"""Ids with white space or codes such as %20 in them: what an answer means, in each way to hold
results against it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import create_campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.queries import load_queries
from judge_tui.cli import cli
from judge_tui.expectations import expectations_of
from judge_tui.formats.ids import decode_id, encode_id, plain_field
from judge_tui.model import Run, Scale
from judge_tui.scoring import parse_measures
from tests.loading_runs import load_run

MEASURE = "RR"


def trec(folder: Path, doc_ids: Sequence[str]) -> Path:
    lines = [f"q1 Q0 {encode_id(one)} {at} {9 - at} s\n" for at, one in enumerate(doc_ids, 1)]
    (folder / "s.run").write_text("".join(lines), encoding="utf-8")
    return folder / "s.run"


def table(folder: Path, doc_ids: Sequence[str]) -> Path:
    with (folder / "s.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query_id", "doc_id", "rank"])
        rows.writerows(["q1", one, at] for at, one in enumerate(doc_ids, 1))
    return folder / "s.csv"


def ranx(folder: Path, doc_ids: Sequence[str]) -> Path:
    scores = {one: 9 - at for at, one in enumerate(doc_ids, 1)}
    (folder / "s.json").write_text(json.dumps({"q1": scores}), encoding="utf-8")
    return folder / "s.json"


def in_evaluate(answers: Path, doc_ids: Sequence[str]) -> float:
    """By the scores; the results are graded alike."""
    right = expectations_of(queries=None, answers=answers)
    run = Run("s", {"q1": {one: 9.0 - at for at, one in enumerate(doc_ids, 1)}})
    ranks = [at for at, grade in enumerate(right.grades("q1", doc_ids), 1) if grade]
    rr = right.scores([run], parse_measures([MEASURE])).runs[0].values[MEASURE][0]
    assert rr == (1 / ranks[0] if ranks else 0)
    return rr


def in_score(
    write: Callable[[Path, Sequence[str]], Path],
) -> Callable[[Path, Sequence[str]], float]:
    def reciprocal_rank(answers: Path, doc_ids: Sequence[str]) -> float:
        run = write(answers.parent, doc_ids)
        words = ["score", "--answers", str(answers), str(run), "-m", MEASURE, "-q", "-f", "json"]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)["runs"][0]["per_query"]["q1"][MEASURE]

    return reciprocal_rank


def in_a_campaign(answers: Path, doc_ids: Sequence[str]) -> float:
    scale = Scale.parse("0=no,1=yes")
    db = answers.parent / "c.db"
    with create_campaign(db, name="c", scale=scale, guidelines="", seed=1) as campaign:
        load_queries(campaign, answers)
        load_run(campaign, trec(answers.parent, doc_ids))
        load_answers(campaign, answers, judge="sheet")
        graded = grades_by_judge(campaign, include_models=True).get("sheet", {})
    right = [at for at, one in enumerate(doc_ids, 1) if graded.get(("q1", one))]
    return 1 / right[0] if right else 0


ROUTES = {
    "evaluate": in_evaluate,
    "score of TREC's": in_score(trec),
    "score of a table": in_score(table),
    "score of JSON": in_score(ranx),
    "campaign": in_a_campaign,
}


def meant(answer: str, doc_ids: Sequence[str]) -> float:
    """The document of that very id, else any of which it is the other spelling."""
    right = [answer] if answer in doc_ids else []
    right = right or [one for one in doc_ids if answer in (encode_id(one), decode_id(one))]
    return 1 / (doc_ids.index(right[0]) + 1) if right else 0


PARTS = ["a", "b", " ", "%20", "%2520", "%", "25", "\u00a0", "%C2%A0", "%2Fd"]
ids = st.lists(st.sampled_from(PARTS), max_size=5).map(lambda parts: "".join(parts).strip())
ids = ids.filter(bool)


@pytest.mark.parametrize("route", ROUTES)
@settings(max_examples=40, deadline=None)
@given(doc_ids=st.lists(ids, min_size=1, max_size=4, unique=True), answer=ids)
@example(doc_ids=["x", "a%20b"], answer="a b")
@example(doc_ids=["x", "a b"], answer="a%20b")
@example(doc_ids=["x", "a%20b"], answer="a%2520b")
@example(doc_ids=["a b", "a%20b"], answer="a%20b")
@example(doc_ids=["a%20b", "a%2520b"], answer="a%20b")
@example(doc_ids=["a%2520b", "a%20b"], answer="a%20b")
@example(doc_ids=["a%2520b"], answer="a b")
@example(doc_ids=["x", "%20a"], answer="%2520a")
@example(doc_ids=["%20a", "%2520a"], answer="%2520a")
def test_an_answer_means_the_same_document_whatever_holds_results_against_it(
    route: str, doc_ids: list[str], answer: str
) -> None:
    if route in ("score of a table", "score of JSON"):
        # Where two are one but for a code, that is refused.
        assume(len(set(map(plain_field, doc_ids))) == len(doc_ids))
    with TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.json"
        entry = {"query_id": "q1", "query": "what", "expected": [answer]}
        answers.write_text(json.dumps([entry]), encoding="utf-8")
        assert ROUTES[route](answers, doc_ids) == meant(answer, doc_ids)
