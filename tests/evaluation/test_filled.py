"""Filled scores: the same from a campaign, from files and in memory, and what cannot be filled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from judge_tui import compare, score
from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.findings import findings_now
from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import DEFAULT_MEASURES
from tests.as_typed import judge_tui
from tests.campaigns import grade_by_file, load_run

QUERIES = [f"q{number}" for number in range(8)]


@pytest.fixture
def half(tmp_path: Path) -> Iterator[Campaign]:
    """Three runs of eight queries, of whose pool about half is judged; "few" lacks a query."""
    draw = np.random.default_rng(4)
    with create_campaign(tmp_path / "c.db", name="c", scale=DEFAULT_SCALE, seed=1) as campaign:
        (tmp_path / "q.tsv").write_text("".join(f"{query}\tfind {query}\n" for query in QUERIES))
        load_queries(campaign, tmp_path / "q.tsv")
        for tag in ("one", "two", "few"):
            lines = [
                f"{query} Q0 d{document} 1 {score} {tag}\n"
                for query in QUERIES[tag == "few" :]
                for score, document in enumerate(draw.permutation(30)[:12].tolist())
            ]
            (tmp_path / tag).write_text("".join(lines))
            load_run(campaign, tmp_path / tag)
        extend_pool(campaign, depth=10)
        pool = campaign.rows(
            "SELECT query_id, doc_id FROM pool JOIN queries ON queries.id = query"
            " JOIN documents ON documents.id = document"
        )
        graded = draw.random(len(pool)) < 0.5
        lines = [
            f"{query} 0 {doc_id} {draw.integers(0, 4)}\n"
            for (query, doc_id), here in zip(pool, graded, strict=True)
            if here and query != "q3"
        ]
        grade_by_file(campaign, "ann", "".join(lines))
        yield campaign


def test_a_campaign_scores_alike_everywhere(half: Campaign) -> None:
    found = findings_now(half, Question(unjudged="expected", measures=DEFAULT_MEASURES))
    found.work_out()
    scores = score(half, unjudged="expected")
    bare = qrels_and_runs(half)
    for measure in found.basis.measures:
        here = found.scores.by_measure[measure.name]
        assert here.shape == (3, 7)
        assert not np.isnan(here[:2]).any()
        assert np.array_equal(scores.by_measure[measure.name], here, equal_nan=True)
        assert np.isnan(here[2, 0])
    files = score(
        bare.qrels,
        {run.tag: dict(run.scores) for run in bare.runs},
        DEFAULT_MEASURES,
        unjudged="expected",
        max_rel=3,
    )
    assert files.runs == scores.runs
    zero = score(half)
    assert zero.by_measure["Judged@10"].tolist()[0] == scores.by_measure["Judged@10"].tolist()[0]
    assert (zero.by_measure["AP"][0] != scores.by_measure["AP"][0]).all()
    assert scores.settings["unjudged"] == "expected"
    assert "unjudged" not in zero.settings


def grade_as_a_model(campaign: Campaign, pairs: int | None = None) -> None:
    """Give the model "m" grades of four fifths of the pool, or of so many pairs of it."""
    draw = np.random.default_rng(5)
    pool = campaign.rows(
        "SELECT query_id, doc_id FROM pool JOIN queries ON queries.id = query"
        " JOIN documents ON documents.id = document ORDER BY pool.id"
    )
    graded = draw.permutation(len(pool))[: 4 * len(pool) // 5 if pairs is None else pairs]
    lines = [f"{pool[at][0]} 0 {pool[at][1]} {draw.integers(0, 4)}\n" for at in graded.tolist()]
    grade_by_file(campaign, "m", "".join(lines), kind="model")


def test_a_model_fills_alike_everywhere(half: Campaign) -> None:
    grade_as_a_model(half)
    found = findings_now(half, Question(unjudged="m", measures=DEFAULT_MEASURES))
    found.work_out()
    assert found.filling_models == ("m",)
    scores, zero = score(half, unjudged="m"), score(half)
    expected = score(half, unjudged="expected")
    for measure in found.basis.measures:
        values = scores.by_measure[measure.name]
        assert np.array_equal(values, found.scores.by_measure[measure.name], equal_nan=True)
    for other in (zero, expected):
        assert (scores.by_measure["AP"][0] != other.by_measure["AP"][0]).all()
    assert scores.settings["unjudged"] == "m"
    assert scores.settings["unfilled"] == found.scores.settings["unfilled"] > 0
    measures = ["P@5", "nDCG@10"]
    compared = compare(half, measures=measures, tests="wilcoxon", unjudged="m")
    asked = findings_now(half, Question(unjudged="m", measures=tuple(measures)))
    asked.work_out()
    assert asked.verdicts is not None
    assert asked.verdicts.comparisons is not None
    assert [(one.tag, one.delta) for one in compared] == [
        (one.tag, one.delta) for one in asked.verdicts.comparisons
    ]


def test_what_a_model_fills_bears_its_name(half: Campaign, tmp_path: Path) -> None:
    grade_as_a_model(half)
    for words in (["score"], ["compare"], ["results", "--leaderboard"]):
        table = judge_tui(*words, "--db", half.path, "--unjudged", "m").stdout
        assert table.startswith("Filled by m"), words
    page = tmp_path / "page.md"
    judge_tui("report", "--db", half.path, "--unjudged", "m", "-o", page)
    text = page.read_text()
    assert "filled by m, a model" in text
    assert "Grades of m" in text
    assert "expected gains" not in text


def test_a_model_fills_where_people_judged_fifty_of_its_pairs(half: Campaign) -> None:
    grade_as_a_model(half, 60)  # of which people judged about half
    assert findings_now(half, Question()).filling_models == ()
    for asked in ({"unjudged": "m"}, {"unjudged": "ann"}, {"unjudged": "nobody"}):
        with pytest.raises(UsageError):
            score(half, **asked)  # type: ignore[arg-type]


def test_raw_grades_of_models_are_never_mixed_with_it(half: Campaign) -> None:
    grade_as_a_model(half)
    assert findings_now(half, Question(include_models=True)).filling_models == ()
    with pytest.raises(UsageError):
        score(half, unjudged="m", include_models=True)
    bare = qrels_and_runs(half)
    with pytest.raises(UsageError):
        score(bare.qrels, {run.tag: dict(run.scores) for run in bare.runs}, unjudged="m")


def test_so_do_comparisons_and_buckets_are_those_of_known_documents(half: Campaign) -> None:
    asked = Question(unjudged="expected", measures=("P@5", "nDCG@10"), baseline="two")
    found = findings_now(half, asked)
    found.measure = found.basis.measures[1]
    found.work_out()
    assert found.verdicts is not None
    assert found.verdicts.comparisons is not None
    compared = compare(
        half,
        measures=["P@5", "nDCG@10"],
        baseline="two",
        tests="wilcoxon",
        unjudged="expected",
    )

    def told(comparisons):
        return [
            (one.measure, one.tag, one.delta, one.ci95, one.p_adjusted, str(one.verdict))
            for one in comparisons
        ]

    assert sorted(told(compared)) == sorted(told(found.verdicts.comparisons))
    zero = compare(half, measures=["P@5", "nDCG@10"], baseline="two", tests="wilcoxon")
    for one, other in zip(compared, zero, strict=True):
        assert one.delta != other.delta
        assert (one.changed.added, one.changed.removed) == (
            other.changed.added,
            other.changed.removed,
        )


def test_lists_are_filled_as_far_as_they_are_looked_at(half: Campaign) -> None:
    bare = qrels_and_runs(half)
    runs = {run.tag: dict(run.scores) for run in bare.runs}
    top = {
        tag: {
            query: dict(sorted(its.items(), key=lambda item: -item[1])[:4])
            for query, its in of.items()
        }
        for tag, of in runs.items()
    }
    cut = score(bare.qrels, runs, "AP", unjudged="expected", depth=4)
    assert cut.runs == score(bare.qrels, top, "AP", unjudged="expected").runs
    complete = score(bare.qrels, runs, "AP", unjudged="expected", complete=True)
    assert complete.by_measure["AP"][2, 0] == 0


@pytest.mark.parametrize(
    "asked",
    [
        {"unjudged": "expected", "judged_only": True},
        {"unjudged": "expected", "measures": "Bpref"},
        {"unjudged": "mean"},
    ],
)
def test_what_cannot_be_filled_is_refused(half: Campaign, asked: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        score(half, **asked)  # type: ignore[arg-type]


def test_results_refuse_it_too(half: Campaign) -> None:
    with pytest.raises(UsageError):
        findings_now(half, Question(unjudged="expected", measures=("Rprec",)))
