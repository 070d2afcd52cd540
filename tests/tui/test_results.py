"""The Results screen: each view, and the ways between them."""

from __future__ import annotations

import re
from math import log2
from pathlib import Path

import pytest

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import parse_measures
from judge_tui.tui.screens.reader import ReaderOverlay
from judge_tui.visible import visible_line
from tests.loading_runs import load_run
from tests.scored import score_runs
from tests.tui.results_screen import (
    at_results,
    below,
    graded,
    head,
    line,
    press,
    results,
    rows,
    screen,
    with_run,
)

# By hand, linear gains. alpha finds csv.reader (3) and csv.writer (1) in the best order for q1; for
# q2 list.sort, which nobody judged, and sorted (3) at rank 2. beta has json.load (0) before
# csv.reader (3) for q1, and sorted (3) first for q2.
BEST = 3 + 1 / log2(3)
ALPHA = (1.0, (3 / log2(3)) / 3)
BETA = ((3 / log2(3)) / BEST, 1.0)


def four(value: float) -> str:
    return f"{value:.4f}"


async def test_the_leaderboard_shows_what_score_says(judged: Campaign) -> None:
    async with at_results(judged) as (app, _):
        shown = {row.split()[0]: row for row in rows(app)}
        measures = parse_measures(["nDCG@10", "RR@10", "P@5", "AP"])
        now = qrels_and_runs(judged)
        for run in score_runs(now.qrels, now.runs, measures).runs:
            for measure in measures:
                # Numbers stand right, under the end of the name of their column.
                end = re.search(rf"(?<!\S){re.escape(str(measure))}(?!\S)", line(app, "head")).end()
                assert shown[run.tag][:end].split()[-1] == four(run.mean(measure))
        # By hand, too.
        assert shown["alpha"].split()[1] == four(sum(ALPHA) / 2)
        assert shown["beta"].split()[1] == four(sum(BETA) / 2)
        # Best first, and half of what alpha has for q2 is unjudged.
        assert list(shown) == ["alpha", "beta"]
        assert "75 %" in rows(app)[0]
        assert "100 %" in rows(app)[1]


async def test_bounds_and_verdicts_are_said(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        # list.sort graded 0 changes nothing; graded 3, alpha's q2 is 1.
        least, greatest = sum(ALPHA) / 2, 1.0
        assert f"leave open {four(least)} to {four(greatest)}" in below(app)[2]
        assert "the baseline" in below(app)[1]
        assert "baseline" in rows(app)[0]
        assert "too few queries" in rows(app)[1]
        await press(pilot, "j")
        assert f"{sum(BETA) / 2 - sum(ALPHA) / 2:+.4f}" in below(app)[1]
        assert "won 1, tied 0, lost 1" in below(app)[2]
        assert "no unjudged document in it matters" in below(app)[2]


async def test_any_run_can_be_the_baseline(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        await press(pilot, "j", "B")
        assert "against beta" in line(app, "title")
        assert "baseline" in rows(app)[1]
        await press(pilot, "k")
        assert f"{sum(ALPHA) / 2 - sum(BETA) / 2:+.4f}" in below(app)[1]


async def test_runs_are_sorted_and_shown_by_any_measure(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        # RR@10 by hand: alpha 1 and 1/2, beta 1/2 and 1: equal, so as they were loaded.
        await press(pilot, "s")
        assert "sorted by RR@10" in line(app, "title")
        assert [row.split()[0] for row in rows(app)] == ["alpha", "beta"]
        await press(pilot, "j", "m")
        assert "Leaderboard  RR@10" in line(app, "title")
        assert rows(app)[0].split()[1] == rows(app)[1].split()[1] == "0.7500"
        assert below(app)[0].startswith("beta  RR@10 0.7500 over 2 queries")
        await press(pilot, "M")
        assert "Leaderboard  nDCG@10" in line(app, "title")
        for _ in range(6):
            await press(pilot, "s")
            if "as they were loaded" in line(app, "title"):
                break
        assert "runs as they were loaded" in line(app, "said")


async def test_down_to_a_document_and_back(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        await press(pilot, "j", "enter")
        assert "beta less alpha" in line(app, "title")
        assert len(rows(app)) == 2
        await press(pilot, "j", "enter")
        assert line(app, "title").startswith("q1  read a CSV file")
        await press(pilot, "enter")
        assert isinstance(app.screen, ReaderOverlay)
        await press(pilot, "q")
        assert line(app, "title").startswith("q1  read a CSV file")
        await press(pilot, "escape")
        assert "beta less alpha" in line(app, "title")
        assert below(app)[0].startswith("q1")
        await press(pilot, "q")
        assert "Leaderboard" in line(app, "title")
        assert below(app)[0].startswith("beta")
        await press(pilot, "q")
    assert app.return_code == 0


async def test_two_rankings_say_grades_and_moves(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        await press(pilot, "j", "enter", "enter")
        assert line(app, "title").startswith("q2  sort lists")
        assert "alpha, 2 kept" in line(app, "head")
        left, right = rows(app)[0].split(" │ ")
        # list.sort is unjudged, waits in the pool, and beta does not have it.
        assert left.split() == ["1", "·+gone", "list.sort"]
        assert right.split() == ["▸", "1", "3", "↑1", "sorted"]
        left, right = rows(app)[1].split(" │ ")
        assert left.split() == ["2", "3", "sorted"]
        assert right.split() == ["2", "0", "new", "json.load"]
        assert below(app) == ["sorted", "rank 1 in beta, rank 2 in alpha", "3 perfect"]
        await press(pilot, "h")
        assert "▸" in rows(app)[0].split(" │ ")[0]
        assert below(app)[0] == "list.sort"
        assert below(app)[1] == "rank 1 in alpha, not in what is kept of beta"
        assert "in the pool, and not judged" in below(app)[2]
        await press(pilot, "l", "j")
        assert below(app)[0] == "json.load"


async def test_failures_say_what_came_instead(judged: Campaign, files: Path) -> None:
    run = "q1 Q0 json.load 1 3.0 gamma\nq1 Q0 csv.reader 2 2.0 gamma\nq2 Q0 list.sort 1 1.0 gamma\n"
    with_run(judged, files, "gamma", run)
    async with at_results(judged, Question(k=1)) as (app, pilot):
        await press(pilot, "2")
        # alpha's first for q2 is list.sort.
        assert "alpha  1 of 2 queries" in line(app, "title")
        assert rows(app)[0].split()[-4:] == ["rank", "2", "1", "1"]
        assert rows(app)[1].split() == ["1", "·", "list.sort"]
        assert "relevant: sorted (grade 3), found by beta at 1" in below(app)[1]
        assert "Not proven: 1 document there is unjudged." in below(app)[2]
        await press(pilot, "right_square_bracket", "right_square_bracket")
        assert "gamma  2 of 2 queries" in line(app, "title")
        assert "All of the top is judged." in below(app)[2]
        await press(pilot, "enter")
        # Beside the run that has what is missing at the best rank.
        assert "alpha, 2 kept" in line(app, "head")
        await press(pilot, "q", "j")
        assert "json.load" in below(app)[0]
        await press(pilot, "enter")
        assert isinstance(app.screen, ReaderOverlay)


async def test_a_query_at_which_a_system_failed_counts_and_says_why(
    judged: Campaign, files: Path
) -> None:
    (files / "api.latency.csv").write_text(
        "query_id,seconds,tries,results,repeated,failure\n"
        "q1,0.5,1,1,0,\nq2,30.0,3,0,0,HTTP 500 \x1b[31mred\n"
    )
    with_run(judged, files, "api", "q1 Q0 csv.reader 1 2.0 api\n")
    async with at_results(judged, Question(measures=("RR",))) as (app, pilot):
        # 1 for q1, and 0 for q2.
        assert rows(app)[-1].split()[:2] == ["api", "0.5000"]
        await press(pilot, "G")
        assert "over 2 queries" in below(app)[0]
        # Before the interval: the line is cut at 80 columns.
        said = "api  RR 0.5000 over 2 queries; nothing found for 1, 1 of them failed"
        assert below(app)[0].startswith(said)
        await press(pilot, "2")
        assert "api  1 of 2 queries" in line(app, "title")
        assert "The system failed: HTTP 500 \u241b[31mred" in below(app)[2]
        assert rows(app)[0].split()[3] == "failed"
        # Both rankings: it did not find nothing.
        await press(pilot, "enter")
        said = "api, failed: HTTP 500 \u241b[31mred"
        assert said in " ".join(head(app))
        assert below(app)[0] == said.replace(",", "")
        # Query by query.
        await press(pilot, "q", "1", "G", "enter")
        assert rows(app)[-1].split()[-4:-2] == ["failed", "-0.5000"]
        await press(pilot, "G")
        assert below(app)[2] == said.replace(",", "")
        # Where the systems disagree.
        await press(pilot, "q", "5")
        place = next(at for at, row in enumerate(rows(app)) if "failed" in row)
        await press(pilot, *"j" * place)
        assert below(app)[0].startswith("q2")
        assert below(app)[2] == said.replace(",", "")


async def test_where_nothing_is_decided_there_are_no_failures_to_tell_of(
    campaign: Campaign, files: Path
) -> None:
    graded(campaign, files, "q1 0 csv.reader 2\n", "ann")
    graded(campaign, files, "q1 0 csv.reader 0\n", "bob")
    async with at_results(campaign) as (app, pilot):
        await press(pilot, "2")
        assert "0 of 0 queries" in line(app, "title")
        assert rows(app)[0].strip() == (
            "No query has a final grade: settle what the judges differ about."
        )


async def test_the_first_relevant_are_counted_by_rank(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        await press(pilot, "3")
        assert head(app) == ["run", "1", "2", "none", "median"]
        # alpha: rank 1 for q1, rank 2 for q2, which an unjudged document stands before.
        assert rows(app)[0].split() == ["alpha", "1▄", "1▄", "0", "1.5"]
        assert "1 query has an unjudged document before" in below(app)[1]
        await press(pilot, "j", "enter")
        assert "beta  0 of 2 queries" in line(app, "title")
        assert "No failures" in rows(app)[0]


def of_own_classes(campaign: Campaign) -> None:
    """Both classes are of the team's own, so that they are measured alike."""
    with campaign.writing():
        campaign.execute("UPDATE queries SET class = 'where-is' WHERE class = 'lookup'")


async def test_slices_by_class_and_by_documents(judged: Campaign) -> None:
    of_own_classes(judged)
    async with at_results(judged) as (app, pilot):
        await press(pilot, "4")
        assert "By class  nDCG@10" in line(app, "title")
        sections = [row.strip() for row in rows(app) if not row.startswith("   ")]
        assert sections == ["all queries", "how-to  1 query", "where-is  1 query"]
        alpha = rows(app)[1].split()
        mean = sum(ALPHA) / 2
        sd = ((ALPHA[0] - mean) ** 2 / 2 + (ALPHA[1] - mean) ** 2 / 2) ** 0.5
        assert alpha[0:2] == ["alpha", "2"]
        assert alpha[4] == four(mean)
        assert alpha[6] == alpha[7] == four(sd)
        await press(pilot, "j")
        assert "best how-to" in below(app)[0]
        assert "worst where-is" in below(app)[0]
        await press(pilot, "right_square_bracket")
        assert "By document.kind  share of relevant documents" in line(app, "title")
        assert any(row.startswith(" class  1 relevant") for row in rows(app))
        await press(pilot, "right_square_bracket")
        assert "By document.length" in line(app, "title")
        await press(pilot, "right_square_bracket")
        assert "By class" in line(app, "title")


async def test_a_class_has_the_measures_that_it_declares(judged: Campaign) -> None:
    of_own_classes(judged)
    with judged.writing():
        judged.execute(
            "UPDATE queries SET meta = json_set(meta, '$.measures', json('[\"RR\", \"P@1\"]'))"
            " WHERE class = 'how-to'"
        )
    async with at_results(judged) as (app, pilot):
        await press(pilot, "4")
        sections = [row.strip() for row in rows(app) if not row.startswith("   ")]
        assert sections == ["how-to  RR  1 query", "how-to  P@1  1 query", "where-is  1 query"]


async def test_a_slice_leads_to_its_queries_alone(judged: Campaign) -> None:
    of_own_classes(judged)
    async with at_results(judged) as (app, pilot):
        await press(pilot, "4", "enter")
        assert "go to a run below" in line(app, "said")
        # The baseline's own.
        await press(pilot, *"jjjj", "enter")
        assert "Per query of class how-to  alpha, the baseline  nDCG@10" in line(app, "title")
        assert [row.split()[0] for row in rows(app)] == ["q1"]
        await press(pilot, "q", *"kk", "enter")
        assert [row.split()[0] for row in rows(app)] == ["q2", "q1"]
        # How-to is q1, and the mean, too, is of it alone.
        await press(pilot, "q", *"jjj", "enter")
        assert "Per query of class how-to  beta less alpha  nDCG@10" in line(app, "title")
        assert [row.split()[0] for row in rows(app)] == ["q1"]
        assert f"mean {BETA[0] - ALPHA[0]:+.4f}" in below(app)[1]
        assert "0 wins, 0 ties, 1 loss" in below(app)[1]
        await press(pilot, "m")
        assert "of class how-to  beta less alpha  RR@10" in line(app, "title")
        await press(pilot, "enter", "right_square_bracket")
        assert "there is no other one" in line(app, "said")
        # What the slice is is looked up anew.
        with judged.writing():
            judged.execute("UPDATE queries SET class = 'how-to'")
        await press(pilot, "q", "r")
        assert len(rows(app)) == 2


async def test_where_the_systems_disagree(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        await press(pilot, "5")
        # Of two values the population sd is half of their distance.
        far, near = (ALPHA[0] - BETA[0]) / 2, (BETA[1] - ALPHA[1]) / 2
        assert rows(app)[0].split()[0] == "q1"
        assert four(far) in rows(app)[0]
        assert four(near) in rows(app)[1]
        # q1: csv.reader in both, of three documents in either.
        assert rows(app)[0].split()[-1] == f"{1 / 3:.2f}"
        await press(pilot, "enter")
        assert line(app, "title").startswith("q1")
        assert "beta, 2 kept" in line(app, "head").split("│")[0]


async def test_views_are_reached_from_each_other_and_lie_on_the_leaderboard(
    judged: Campaign,
) -> None:
    async with at_results(judged) as (app, pilot):
        for key, said in (
            ("j", "Leaderboard"),
            ("d", "disagree"),
            ("c", "By class"),
            ("t", "First relevant"),
            ("f", "Failures"),
        ):
            await press(pilot, key)
            assert said in line(app, "title")
        await press(pilot, "q")
        assert "Leaderboard" in line(app, "title")
        await press(pilot, "5", "enter", "1")
        assert "Leaderboard" in line(app, "title")
        assert len(screen(app).views) == 1


async def test_what_the_numbers_rest_on(judged: Campaign, files: Path) -> None:
    graded(judged, files, "q1 0 csv.reader 0\n", judge="bob")
    async with at_results(judged) as (app, pilot):
        # csv.reader: 3 and 0 are no majority; list.sort was judged by nobody.
        rests = line(app, "rests")
        assert rests.startswith("majority  2 queries  pool: 4 grades, 1 unresolved, 1 not judged")
        warnings = screen(app).view.warnings
        assert rests.endswith(f"w {len(warnings)} warnings")
        await press(pilot, "w")
        said = "\n".join(str(one.render()) for one in app.screen.query("Static"))
        assert "policy majority: 4 pairs; left out of the pool: 1" in said
        assert "seed 7" in said
        assert all(visible_line(str(one)) in said for one in warnings)
        await press(pilot, "q")
        assert screen(app).is_current


async def test_models_count_where_they_are_asked_for(campaign: Campaign, files: Path) -> None:
    graded(campaign, files, judge="bot")
    async with at_results(campaign) as (app, _):
        assert four(sum(ALPHA) / 2) not in " ".join(rows(app))
    async with at_results(campaign, Question(include_models=True)) as (app, _):
        assert "majority (models only)" in line(app, "rests")
        assert rows(app)[0].split()[1] == four(sum(ALPHA) / 2)


@pytest.mark.usefixtures("usual")
async def test_nobody_judged_says_what_to_do(campaign: Campaign) -> None:
    async with at_results(campaign, size=(80, 24)) as (app, pilot):
        assert rows(app) == [" nobody has judged yet; first: judge-tui judge --judge NAME"]
        for key in "345e":
            await press(pilot, key)
            assert "nobody has judged yet" in line(app, "said"), key
        for hint in ("export", "measure", "baseline"):
            assert hint not in line(app, "legend")
        await press(pilot, *"2345", "enter", "p", "B", "m", "s", "e", "w", "]", "h")
        assert "Leaderboard" in line(app, "title")


async def test_one_run_alone(tmp_path: Path, files: Path) -> None:
    from judge_tui.campaign.extend_pool import extend_pool
    from judge_tui.campaign.loading.queries import load_queries

    with create_campaign(tmp_path / "one.db", name="one", scale=DEFAULT_SCALE) as campaign:
        load_queries(campaign, files / "queries.jsonl")
        load_run(campaign, files / "alpha.run")
        extend_pool(campaign, depth=10)
        graded(campaign, files)
        async with at_results(campaign, size=(80, 24)) as (app, pilot):
            assert rows(app)[0].split()[0] == "alpha"
            await press(pilot, "5")
            assert "No query is answered by two runs" in rows(app)[0]
            await press(pilot, "2", "enter", "3", "4", "1")
            assert "Leaderboard" in line(app, "title")
            await press(pilot, "enter")
            assert line(app, "title").startswith("Per query  alpha  nDCG@10")
            assert below(app)[2] == "no query at 0"
            await press(pilot, "enter")
            assert line(app, "title").startswith("q2  sort lists")
        async with at_results(campaign, Question(k=1)) as (app, pilot):
            await press(pilot, "2", "enter")
            assert head(app) == ["alpha,", "2", "kept"]


@pytest.mark.parametrize(
    "asked",
    [
        Question(tags=("delta",)),
        Question(baseline="delta"),
        Question(measures=("nDGC@10",)),
        Question(policy="best"),
    ],
    ids=["run", "baseline", "measure", "policy"],
)
def test_what_is_not_there_is_refused_before_the_app_opens(
    judged: Campaign, asked: Question
) -> None:
    with pytest.raises(UsageError, match="no "):
        results(judged, asked)


async def test_what_is_asked_is_heeded(judged: Campaign) -> None:
    asked = Question(tags=("beta", "alpha"), measures=("P@1",), baseline="alpha", policy="median")
    async with at_results(judged, asked) as (app, _):
        assert "Leaderboard  P@1 against alpha" in line(app, "title")
        assert line(app, "rests").startswith("median ")
        # Equal: as they were asked for.
        assert [row.split()[:2] for row in rows(app)] == [["beta", "0.5000"], ["alpha", "0.5000"]]
