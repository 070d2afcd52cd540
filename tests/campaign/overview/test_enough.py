"""Whether enough is judged, from campaigns in their files: what is read of them, and the same
numbers in every command."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judge_tui.analysis.basis import Question
from judge_tui.analysis.enough import Answer
from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.enough import EnoughNow, enough_now, sampled_union
from judge_tui.campaign.overview.grading import decide_grades
from judge_tui.campaign.overview.report_data import report_data
from judge_tui.campaign.overview.status import status_now
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import UsageError
from judge_tui.model import Scale
from tests.as_typed import invoke
from tests.campaigns import grade_by_file, load_run

QUERIES = [f"q{number:02}" for number in range(1, 13)]
TAGS = ("alpha", "beta", "gamma")


def grade_of(query_id: str, doc_id: str) -> int:
    """Documents with small numbers are rather relevant."""
    return max(0, random.Random(query_id + doc_id).randint(0, 5) - int(doc_id[1:]) // 6)


def ranked(tag: str, query_id: str) -> list[str]:
    """beta is better than the others at bringing what is relevant."""
    draw = random.Random(tag + query_id)
    skill = 1.5 if tag == "beta" else 0.5
    documents = [f"d{number}" for number in range(24)]
    key = {one: skill * grade_of(query_id, one) + draw.gauss(0, 1) for one in documents}
    return sorted(documents, key=key.__getitem__, reverse=True)[:10]


@pytest.fixture
def pooled(tmp_path: Path) -> Campaign:
    """Twelve queries, three runs; of a round of 120 pairs, 36 are drawn at random."""
    campaign = create_campaign(
        tmp_path / "campaign.db", name="made", scale=Scale.parse("0=no,1=a,2=b,3=c,4=d,5=e"), seed=3
    )
    (tmp_path / "queries.tsv").write_text("".join(f"{one}\ttext of {one}\n" for one in QUERIES))
    load_queries(campaign, tmp_path / "queries.tsv")
    for tag in TAGS:
        with_run(campaign, tag)
    extend_pool(campaign, strategy="mm", budget=120, audit=36)
    return campaign


def with_run(campaign: Campaign, tag: str) -> None:
    path = campaign.path.with_name(f"{tag}.run")
    lines = [
        f"{query_id} Q0 {doc_id} {rank} {-rank} {tag}\n"
        for query_id in QUERIES
        for rank, doc_id in enumerate(ranked(tag, query_id), 1)
    ]
    path.write_text("".join(lines))
    load_run(campaign, path)


def pool_of(campaign: Campaign) -> list[tuple[str, str, str, float | None]]:
    return campaign.rows(
        "SELECT query_id, doc_id, stratum, probability FROM pool JOIN queries ON queries.id = query"
        " JOIN documents ON documents.id = document ORDER BY query_id, doc_id"
    )


def judge(campaign: Campaign, *queries: str) -> Campaign:
    """Grade all that is pooled of these queries, or of all."""
    lines = [
        f"{query_id} 0 {doc_id} {grade_of(query_id, doc_id)}\n"
        for query_id, doc_id, *_ in pool_of(campaign)
        if query_id in (queries or QUERIES)
    ]
    grade_by_file(campaign, "ann", "".join(lines))
    return campaign


def test_the_sample_is_what_was_drawn_and_its_probabilities_are_those_of_the_pool(pooled):
    union = sampled_union(judge(pooled), decide_grades(pooled))
    assert union.depth == 10
    assert union.sample.sum() == 36
    draw = union.draw_of(np.ones(len(QUERIES), dtype=bool))
    stored = {query: chance for query, _, stratum, chance in pool_of(pooled) if stratum == "audit"}
    assert draw.share == 1
    assert dict(zip(QUERIES, draw.probability.tolist(), strict=True)) == pytest.approx(stored)


def test_what_a_file_brings_has_no_part_in_the_sample(pooled):
    """An old file grades all that is relevant: of it, what was drawn stands for nothing any more.
    Grades of pooled pairs alone say how a judge works, and leave the sample as it is."""
    judge(pooled)
    before = pool_of(pooled)
    drawn = {(q, d) for q, d, stratum, _ in before if stratum == "audit"}
    grade_by_file(pooled, "bob", "".join(f"{q} 0 {d} 1\n" for q, d, _, _ in before[:40]))
    assert pool_of(pooled) == before

    relevant = {
        (q, d) for q in QUERIES for tag in TAGS for d in ranked(tag, q) if grade_of(q, d) >= 1
    }
    assert relevant & drawn
    grade_by_file(pooled, "old", "".join(f"{q} 0 {d} 1\n" for q, d in sorted(relevant)))
    after = {(q, d): (stratum, probability) for q, d, stratum, probability in pool_of(pooled)}
    assert {pair for pair, (stratum, _) in after.items() if stratum == "audit"} == drawn - relevant
    assert {after[pair] for pair in drawn & relevant} == {("loaded", None)}
    # Nothing relevant is left, and none is estimated.
    assert enough_now(pooled).missed.relevant == 0


def test_without_grades_nothing_is_said(pooled):
    assert enough_now(pooled) == status_now(pooled).enough == EnoughNow((), None)


def test_the_better_run_is_told_apart_in_the_end(pooled):
    judge(pooled)
    first = enough_now(pooled).answers
    assert [(one.baseline, one.tag) for one in first] == [("alpha", "beta"), ("alpha", "gamma")]
    assert all(one.unbiased.queries == 12 and one.unbiased.pairs == 36 for one in first)
    missed = enough_now(pooled).missed
    extend_pool(pooled, depth=10)
    judge(pooled)
    last = enough_now(pooled)
    assert [one.answer for one in last.answers] == [Answer.SETTLED] * 2
    assert last.answers[0].bounds[0] == pytest.approx(last.answers[0].bounds[1])
    assert last.answers[0].bounds[0] > 0
    assert last.settled
    (one,) = enough_now(pooled, between=("gamma", "beta"), measure="P@5").answers
    assert (one.baseline, one.tag, one.measure) == ("gamma", "beta", "P@5")
    # What was missed is there now.
    rows = pooled.rows(
        "SELECT query_id, doc_id FROM pool JOIN queries ON queries.id = query"
        " JOIN documents ON documents.id = document WHERE round = 2"
    )
    unseen = [grade_of(*pair) > 0 for pair in rows]
    assert missed.unjudged == len(unseen)
    assert missed.interval[0] <= sum(unseen) <= missed.interval[1]


def test_queries_that_wait_for_a_judge_are_left_out(pooled):
    judge(pooled, *QUERIES[:7])
    ann = add_judge(pooled, "ann").key
    for (pair,) in pooled.rows(
        "SELECT pool.id FROM pool JOIN queries ON queries.id = query WHERE query_id = ?",
        (QUERIES[7],),
    ):
        append_event(pooled, judge=ann, pair=pair, action="skip")
    # Who skipped has decided.
    assert [one.unbiased.queries for one in enough_now(pooled).answers] == [8, 8]


def asked(campaign: Campaign, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        invoke(*words, "--db", str(campaign.path), "-f", "json").stdout
    )
    return found


def test_a_round_that_waits_takes_no_answer_back(pooled):
    judge(pooled)
    before = asked(pooled, "status")
    assert before["settings"]["as_of"] is None
    extend_pool(pooled, strategy="settle", budget=170)
    (chosen,) = pooled.row("SELECT count(*) FROM pool WHERE chosen = 2 AND round = 1")
    (drawn,) = pooled.row("SELECT count(*) FROM pool WHERE stratum = 'audit' AND round = 2")
    assert min(chosen, drawn) > 0
    waiting = asked(pooled, "status")
    assert waiting["settings"]["as_of"] == {"round": 1, "judged": 120}
    for table in ("enough", "missed"):
        assert waiting[table] == before[table]
    # What is judged meanwhile narrows the bounds alone.
    judge(pooled, *QUERIES[:6])
    part = asked(pooled, "status")
    assert part["missed"] == before["missed"]
    for later, first in zip(part["enough"], before["enough"], strict=True):
        narrow, wide = (one["bounds_high"] - one["bounds_low"] for one in (later, first))
        assert narrow < wide
        for estimated in ("delta", "more", "queries"):
            assert later[estimated] == first[estimated]
        assert first["queries"] == 12
    last = asked(judge(pooled), "status")
    assert last["settings"]["as_of"] is None
    assert last["enough"][0]["delta"] != before["enough"][0]["delta"]


def test_a_pair_that_comes_back_into_the_sample_is_drawn_anew(pooled):
    with_run(judge(pooled), "delta")
    extend_pool(pooled, strategy="mm", budget=122)
    gone = {
        key
        for (key,) in pooled.rows(
            "SELECT id FROM pool WHERE stratum = 'audit' AND probability IS NULL"
        )
    }
    before = asked(judge(pooled), "status")
    extend_pool(pooled, strategy="mm", budget=160, audit=70)
    back = dict(pooled.rows("SELECT id, round FROM pool WHERE probability IS NOT NULL"))
    assert {back[key] for key in gone & back.keys()} == {3}
    assert asked(pooled, "status")["enough"] == before["enough"]


def test_the_question_of_the_latest_round_is_answered_everywhere(pooled):
    judge(pooled)

    def answered(*words: str) -> list[tuple[str, str, str]]:
        found = asked(pooled, *words)["enough"]
        return [(one["baseline"], one["tag"], one["measure"]) for one in found]

    settle = ("pool", "--strategy", "settle", "--budget")
    everything = [("alpha", "beta", "nDCG@10"), ("alpha", "gamma", "nDCG@10")]
    pair = [("gamma", "beta", "P@5")]
    assert answered("status") == everything
    assert answered(*settle, "140", "--between", "gamma", "beta", "-m", "P@5") == pair
    assert answered("status") == pair
    # Another one for once; a round that asks nothing keeps the question.
    assert answered("status", "--between", "alpha", "gamma") == everything[1:]
    assert answered("pool", "--strategy", "mm", "--budget", "150") == pair
    assert answered("status") == pair
    question = Question(measures=(), baseline=None)
    assert [one.measure for one in report_data(pooled, question).enough.answers] == ["P@5"]
    page = pooled.path.with_name("page.md")
    invoke("report", "--db", str(pooled.path), "-o", str(page))
    assert "P@5, beta beside gamma" in page.read_text()
    assert "eside gamma:" not in page.read_text()  # what the page goes by is asked of alpha
    # Where nothing is added, it is asked all the same.
    assert answered(*settle, "150", "-m", "nDCG@10") == everything
    assert answered("status") == everything


def test_why_there_is_no_number(pooled):
    judge(pooled, *QUERIES[:3])
    assert {one.why for one in enough_now(pooled).answers} == {
        "9 queries have pairs to be judged first"
    }
    with_run(judge(pooled), "delta")
    why = {one.why for one in enough_now(pooled).answers}
    assert why == {"runs have changed since pairs were drawn: pool again"}
    assert sampled_union(pooled, decide_grades(pooled)).unsampled in why
    # Another round draws from the results of now; what that leaves out has no probability.
    extend_pool(pooled, strategy="mm", budget=122)
    union = sampled_union(judge(pooled), decide_grades(pooled))
    drawn = [chance for *_, stratum, chance in pool_of(pooled) if stratum == "audit"]
    assert None in drawn
    assert union.sample.sum() == sum(chance is not None for chance in drawn)
    assert union.chosen.sum() == len(pool_of(pooled)) - len(drawn)
    with pytest.raises(UsageError, match="epsilon"):
        enough_now(pooled, between=("alpha", "epsilon"))


def test_commands_say_why_a_sample_says_nothing(pooled):
    judge(pooled, *QUERIES[:3])
    where = "--db", str(pooled.path)
    [beta, gamma] = json.loads(invoke("compare", *where, "-f", "json").stdout)["comparisons"]
    why = beta["why"]["unbiased"]
    assert why == gamma["why"]["unbiased"] == enough_now(pooled).answers[0].why
    for command in (["compare"], ["results", "--leaderboard"], ["results", "--delta", *TAGS[:2]]):
        assert invoke(*command, *where).stdout.count(why) == 1


def test_what_is_kept_of_the_runs_has_to_tell_a_measure(pooled):
    judge(pooled)
    load_run(pooled, pooled.path.with_name("beta.run"), tag="short", depth=5)
    assert enough_now(pooled) == EnoughNow()
    assert {one.tag for one in enough_now(pooled, measure="P@5").answers} == {
        "beta",
        "gamma",
        "short",
    }
    with pytest.raises(UsageError, match="P@10 looks deeper than the 5 results"):
        enough_now(pooled, measure="P@10")


def test_no_round_is_added_once_all_is_settled(pooled):
    def added():
        found = asked(pooled, "pool", "--strategy", "mm", "--budget", "150", "--until", "settled")
        (new,) = [row["pairs"] for row in found["pool"] if row["of"] == "new"]
        assert [one["tag"] for one in found["enough"]] == ["beta", "gamma"]
        assert len(found["warnings"]) == 1
        return new, {one["answer"] for one in found["enough"]}

    judge(pooled, *QUERIES[:3])
    assert added() == (30, {"open"})
    judge(pooled)
    new, answers = added()
    assert new == 0
    assert answers <= {"likely settled", "too few queries"}


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "--db"],
        ["results", "--leaderboard", "--db"],
        ["results", "--delta", "alpha", "beta", "--db"],
        ["status", "--db"],
    ],
)
def test_every_command_has_the_same_difference(pooled, command):
    judge(pooled)
    expected = enough_now(pooled).answers[0].unbiased
    result = invoke(*command, str(pooled.path), "-f", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    if "comparisons" in found:
        its = found["comparisons"][0]["unbiased"]
        assert its == {**expected.to_dict()}
    else:
        table = next(found[key] for key in ("runs", "summary", "enough") if key in found)
        row = next(
            one
            for one in table
            if one.get("tag", "beta") == "beta" and one.get("measure", "nDCG@10") == "nDCG@10"
        )
        delta = row.get("unbiased_delta", row["delta"])
        assert delta == pytest.approx(expected.delta)
    shown = invoke(*command, str(pooled.path), "-f", "csv" if "compare" in command else "md")
    assert "unbiased" in shown.stdout or "Enough?" in shown.stdout
