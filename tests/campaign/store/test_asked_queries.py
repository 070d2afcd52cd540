"""What a live system was asked, in the campaign: from the file beside its run into every mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.progress import asked_runs
from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs
from judge_tui.campaign.overview.standing import results_now
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.merge import merge
from judge_tui.errors import InputError
from judge_tui.scoring import parse_measure
from tests.as_typed import judge_tui
from tests.campaign.copies import graded
from tests.loading_runs import load_run

HEAD = "query_id,seconds,tries,results,repeated,failure\n"
API = "q1 Q0 csv.reader 1 2 api\nq1 Q0 csv.writer 2 1 api\n"
ASKED = f"{HEAD}q1,0.5,1,2,0,\nq2,30.0,3,0,0,timed out after 30 s\n"
RR = parse_measure("RR")


@pytest.fixture
def api(files: Path) -> Path:
    """api.run, which answers q1 alone, with what it was asked beside it."""
    (files / "api.run").write_text(API)
    (files / "api.latency.csv").write_text(ASKED)
    return files / "api.run"


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    """Both queries have a right answer: csv.reader, and sorted."""
    for doc_id in ("csv.reader", "sorted"):
        graded(campaign, "ann", doc_id, 1)
    return campaign


def asked_in(campaign: Campaign) -> list[tuple[str, str, float, str]]:
    return campaign.rows(
        "SELECT tag, query_id, seconds, failure FROM asked AS a JOIN runs AS r ON r.id = a.run"
        " JOIN queries AS q ON q.id = a.query ORDER BY tag, query_id"
    )


BOTH = [("api", "q1", 0.5, ""), ("api", "q2", 30.0, "timed out after 30 s")]


def mean_of(campaign: Campaign, tag: str) -> float:
    judged = results_now(campaign).now.judged
    return judged.means(RR).tolist()[judged.lists.tags.index(tag)]


# Loading


def test_a_run_of_nothing_at_all(judged: Campaign, api: Path) -> None:
    api.write_text("")
    api.with_name("api.latency.csv").write_text(f"{HEAD}q1,0.5,1,0,0,\nq2,0.5,1,0,0,\n")
    assert load_run(judged, api)[0] == "api"
    assert mean_of(judged, "api") == 0.0
    api.with_name("api.latency.csv").unlink()
    with pytest.raises(InputError, match="the file is empty"):
        load_run(judged, api)


# Counting


def test_every_number_of_the_campaign_counts_it(judged: Campaign, api: Path) -> None:
    load_run(judged, api)
    # q1: first at rank 1; q2: nothing. (1 + 0) / 2.
    assert mean_of(judged, "api") == 0.5
    found = qrels_and_runs(judged, ["api"])
    assert found.runs[0].asked == {"q1", "q2"}
    assert found.failed == {"api": {"q2": "timed out after 30 s"}}


def test_status_tells_what_was_asked_and_how_long_it_took(judged: Campaign, api: Path) -> None:
    load_run(judged, api)
    judged.close()
    state = json.loads(judge_tui("status", "--db", str(judged.path), "-f", "json").stdout)
    assert state["asked"] == [
        {
            "tag": "api",
            **{"queries": 2, "nothing_found": 1, "failed": 1, "median_s": 0.5, "p95_s": 0.5},
        }
    ]


def test_the_order_of_disagreements_counts_it(judged: Campaign, api: Path) -> None:
    from judge_tui.campaign.overview.disagreements import ordered_cases

    graded(judged, "bob", "csv.reader", 0)
    load_run(judged, api)

    def change() -> float:
        effects = ordered_cases(judged, RR).effects
        assert effects is not None
        return float(effects.change[0])

    # By bob's grade, api's mean falls from 1/2 to 0, beta's from 3/4 to 1/2, alpha's from 3/4 to
    # 1/4: api and alpha fall alike. Were q2 left out of api's, it would fall by 1.
    counted = change()
    with judged.writing():
        judged.execute("DELETE FROM asked")
    assert (counted, change()) == (0.25, 0.75)


# From a run file that names queries without results


CASE = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"
    "T,C,7,read a CSV file,csv.reader,1,t,\r\nT,C,7,sort lists\r\n"
)


@pytest.fixture
def case(files: Path) -> Path:
    """A case of Quepid's, whose system found nothing for q2."""
    (files / "case.csv").write_text(CASE, newline="")
    return files / "case.csv"


def test_a_case_in_which_nothing_was_found(judged: Campaign, case: Path) -> None:
    case.write_text("\n".join(line for line in CASE.splitlines() if "csv.reader" not in line))
    assert load_run(judged, case, layout="quepid", tag="none")[0] == "none"
    assert asked_runs(judged)["none"].nothing_found == 1
    assert mean_of(judged, "none") == 0.0


# Coming home, and going away


def test_a_bundle_says_nothing_of_it(campaign: Campaign, api: Path, files: Path) -> None:
    load_run(campaign, api)
    extend_pool(campaign, depth=10)
    export_bundle(campaign, files / "ann.db", judge="ann")
    with open_campaign(files / "ann.db") as bundle:
        assert asked_in(bundle) == []
        graded(bundle, "ann", "csv.reader", 1)
    merge(campaign, [files / "ann.db"])
    assert asked_in(campaign) == BOTH


def test_an_exported_run_tells_what_it_cannot_hold(campaign: Campaign, api: Path) -> None:
    load_run(campaign, api)
    exported = export_run(campaign, api.with_name("out.run"), "api")
    assert exported.written["queries"] == 1
    assert exported.details["queries that it found nothing for"] == 1


# Nothing found by anybody


@pytest.fixture
def in_vain(campaign: Campaign, files: Path) -> Campaign:
    """q1 and q2 are judged, and of eight more, three were asked of api: at q3 it failed, at q4 and
    q5 it found nothing, as did everybody; q5 was asked of late, too, which failed."""
    (files / "more.tsv").write_text("".join(f"q{n}\tquery {n}\n" for n in range(3, 11)))
    load_queries(campaign, files / "more.tsv")
    (files / "api.run").write_text(f"{API}q2 Q0 sorted 1 2 api\n")
    (files / "api.latency.csv").write_text(
        f"{HEAD}q1,0.5,1,2,0,\nq2,0.5,1,1,0,\nq3,1.0,3,0,0,HTTP 500\nq4,0.1,1,0,0,\nq5,0.1,1,0,0,\n"
    )
    (files / "late.run").write_text("q1 Q0 csv.reader 1 2 late\n")
    (files / "late.latency.csv").write_text(f"{HEAD}q1,0.5,1,1,0,\nq5,9.0,3,0,0,timed out\n")
    for name in ("api.run", "late.run"):
        load_run(campaign, files / name)
    for doc_id in ("csv.reader", "sorted"):
        graded(campaign, "ann", doc_id, 1)
    return campaign


def test_what_nobody_found_anything_for_counts_as_in_exported_files(
    in_vain: Campaign, files: Path
) -> None:
    db = ("--db", str(in_vain.path))
    in_vain.close()

    def means(*words: str) -> dict[str, dict[str, float]]:
        scored = json.loads(judge_tui("score", *words, "-m", "RR@10", "-f", "json").stdout)
        return {run["tag"]: run["mean"] for run in scored["runs"]}

    judge_tui("export", "qrels", *db, "-o", str(files / "qrels"))
    runs = [str(files / f"{tag}.exported.run") for tag in ("alpha", "api", "beta", "late")]
    for run in runs:
        judge_tui("export", "run", *db, "--tag", Path(run).name.partition(".")[0], "-o", run)
    by_campaign = means(*db)
    assert by_campaign == means(str(files / "qrels"), *runs)
    assert by_campaign["api"] == {"RR@10": 1.0}
