"""What a live system was asked, in the campaign: from the file beside its run into every mean."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.asked_queries import AskedRun, asked_runs
from judge_tui.campaign.bundle import export_bundle
from judge_tui.campaign.exporting.runs import export_run
from judge_tui.campaign.judged_runs import judged_runs
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.merge import merge
from judge_tui.campaign.pool import extend_pool
from judge_tui.campaign.queries import load_queries
from judge_tui.campaign.results_now import results_now
from judge_tui.cli import cli
from judge_tui.errors import InputError
from judge_tui.scoring import parse_measure
from judge_tui.streaming import score_sources
from tests.campaign.copies import graded
from tests.loading_runs import load_run

HEAD = "query_id,seconds,tries,results,repeated,failure\n"
API = "q1 Q0 csv.reader 1 2 api\nq1 Q0 csv.writer 2 1 api\n"
ASKED = f"{HEAD}q1,0.5,1,2,0,\nq2,30.0,3,0,0,timed out after 30 s\n"
NOTE = (
    "api.latency.csv: 1 of 2 queries found nothing, which failed: it counts as 0 once what other"
    " systems found there, if anything, has a grade"
)
RR = parse_measure("RR")
FORMS = ("trec", "quepid-snapshot", "quepid-detailed")


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
    standing = results_now(campaign).now.standing
    return standing.means(RR).tolist()[standing.rankings.tags.index(tag)]


# Loading


def test_it_comes_with_the_run(campaign: Campaign, api: Path) -> None:
    assert load_run(campaign, api) == ("api", Loaded(added=1, notes=(NOTE,)))
    assert asked_in(campaign) == BOTH
    assert asked_runs(campaign) == {"api": AskedRun(2, 1, 1, 0.5, 0.5)}


def test_it_comes_with_a_packed_run_and_with_another_form(campaign: Campaign, api: Path) -> None:
    packed = api.with_name("api.run.gz")
    packed.write_bytes(gzip.compress(api.read_bytes()))
    beside = api.with_name("api.latency.csv")
    beside.with_name("api.latency.csv.gz").write_bytes(gzip.compress(beside.read_bytes()))
    beside.unlink()
    note = NOTE.replace(".csv:", ".csv.gz:")
    assert load_run(campaign, packed, tag="packed")[1].notes == (note,)
    api.with_name("api.json").write_text('{"q1": {"csv.reader": 2, "csv.writer": 1}}')
    assert load_run(campaign, api.with_name("api.json"))[1].notes == (note,)
    assert asked_runs(campaign)["api"] == AskedRun(2, 1, 1, 0.5, 0.5)
    # Of nothing at all, as well.
    packed.write_bytes(gzip.compress(b""))
    beside.write_text(f"{HEAD}q1,0.5,1,0,0,\nq2,0.5,1,0,0,\n")
    assert load_run(campaign, packed, tag="none")[0] == "none"


def test_again_changes_nothing(campaign: Campaign, api: Path) -> None:
    load_run(campaign, api)
    assert load_run(campaign, api)[1] == Loaded(unchanged=1, notes=(NOTE,))
    # And not where the file beside it has gone, either.
    api.with_name("api.latency.csv").unlink()
    assert load_run(campaign, api)[1] == Loaded(unchanged=1)
    assert load_run(campaign, api, depth=1000)[1] == Loaded(replaced=1)
    assert asked_in(campaign) == BOTH


def test_what_comes_later_or_has_changed_is_taken_over(campaign: Campaign, api: Path) -> None:
    beside = api.with_name("api.latency.csv")
    beside.unlink()
    assert load_run(campaign, api)[1] == Loaded(added=1)
    assert asked_in(campaign) == []
    beside.write_text(ASKED)
    assert load_run(campaign, api)[1] == Loaded(replaced=1, notes=(NOTE,))
    assert asked_in(campaign) == BOTH
    # Asked again, q2 is answered: with nothing.
    beside.write_text(f"{HEAD}q1,0.5,1,2,0,\nq2,0.1,1,0,0,\n")
    load_run(campaign, api)
    assert asked_in(campaign)[1] == ("api", "q2", 0.1, "")


def test_another_run_in_its_place_has_its_own(campaign: Campaign, api: Path) -> None:
    load_run(campaign, api)
    other = api.with_name("other.run")
    other.write_text("q1 Q0 csv.writer 1 2 api\n")
    load_run(campaign, other, replace=True)
    assert asked_in(campaign) == []


def test_a_run_of_nothing_at_all(judged: Campaign, api: Path) -> None:
    api.write_text("")
    api.with_name("api.latency.csv").write_text(f"{HEAD}q1,0.5,1,0,0,\nq2,0.5,1,0,0,\n")
    assert load_run(judged, api)[0] == "api"
    assert mean_of(judged, "api") == 0.0
    api.with_name("api.latency.csv").unlink()
    with pytest.raises(InputError, match="the file is empty"):
        load_run(judged, api)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}q1,0.5,1,1,0,\nq2,0.1,1,0,0,\n", "query 'q1' has 1 result there and 2 here"),
        (f"{HEAD}q1,0.5,1,2,0,\nq2,0.1,1,4,0,\n", "query 'q2' has results there"),
        (f"{HEAD}q2,0.1,1,0,0,\n", "query 'q1' is not in it"),
        ("query_id,milliseconds\nq1,5\n", "is none of collect's: left aside"),
    ],
)
def test_what_is_of_another_run_is_left_aside_and_told(
    campaign: Campaign, api: Path, text: str, said: str
) -> None:
    api.with_name("api.latency.csv").write_text(text)
    _, loaded = load_run(campaign, api)
    assert (loaded.added, asked_in(campaign)) == (1, [])
    assert said in loaded.notes[0]


def test_a_run_that_was_cut_off_is_still_the_run_that_was_asked(
    judged: Campaign, api: Path
) -> None:
    """By `score` and in the campaign alike."""
    api.with_name("api.latency.csv").write_text(ASKED.replace("1,2,0", "1,50,0"))
    assert load_run(judged, api)[1].notes == (NOTE,)
    qrels = api.with_name("qrels")
    qrels.write_text("q1 0 csv.reader 1\nq2 0 sorted 1\n")
    means = [score_sources({"q1": {"csv.reader": 1}, "q2": {"sorted": 1}}, [api], ["RR"])["api"]]
    assert (means[0].mean("RR"), mean_of(judged, "api")) == (0.5, 0.5)


def test_what_is_known_from_before_stays_beside_a_file_of_another_run(
    campaign: Campaign, api: Path
) -> None:
    beside = api.with_name("api.latency.csv")
    own = beside.read_text()
    beside.write_text(f"{HEAD}q2,0.1,1,0,0,\n")
    assert (
        load_run(campaign, api)[1].notes[0].endswith("of what the run was asked, nobody knows it")
    )
    beside.write_text(own)
    load_run(campaign, api)
    beside.write_text(f"{HEAD}q2,0.1,1,0,0,\n")
    assert load_run(campaign, api)[1].notes[0].endswith("what is known from before stays")
    assert asked_in(campaign) == BOTH


def test_a_file_is_kept_as_deep_as_is_asked_for_under_each_tag(
    campaign: Campaign, api: Path
) -> None:
    load_run(campaign, api, depth=5)
    load_run(campaign, api, depth=1, tag="short")
    assert campaign.rows("SELECT tag, depth FROM runs WHERE depth < 10 ORDER BY tag") == [
        ("api", 5),
        ("short", 1),
    ]
    # Of the same run never less than before, which is told.
    _, again = load_run(campaign, api, depth=2)
    assert (again.unchanged, again.notes[0]) == (
        1,
        "the campaign has the top 5 of this run already, and keeps them, not 2 alone",
    )
    # Where no depth is asked for, nothing is told of it.
    load_run(campaign, api, depth=200)
    _, again = load_run(campaign, api)
    assert (again.unchanged, len(again.notes)) == (1, 1)
    assert campaign.rows("SELECT depth FROM runs WHERE tag = 'api'") == [(200,)]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("q2,long,3,0,0,", r"api\.latency\.csv:3: seconds is 'long'"),
        ("q9,1.0,1,0,0,", r"api\.latency\.csv:3: query 'q9' is not in the campaign"),
    ],
)
def test_a_bad_row_keeps_the_run_out(campaign: Campaign, api: Path, row: str, told: str) -> None:
    api.with_name("api.latency.csv").write_text(f"{HEAD}q1,0.5,1,2,0,\n{row}\n")
    with pytest.raises(InputError, match=told):
        load_run(campaign, api)
    assert campaign.rows("SELECT tag FROM runs") == [("alpha",), ("beta",)]


def test_unknown_queries_are_left_out_where_that_is_asked_for(
    campaign: Campaign, api: Path
) -> None:
    api.with_name("api.latency.csv").write_text(f"{ASKED}q9,1.0,1,0,0,\n")
    load_run(campaign, api, skip_unknown=True)
    assert asked_in(campaign) == BOTH


# Counting


def test_every_number_of_the_campaign_counts_it(judged: Campaign, api: Path) -> None:
    load_run(judged, api)
    # q1: first at rank 1; q2: nothing. (1 + 0) / 2.
    assert mean_of(judged, "api") == 0.5
    found = judged_runs(judged, ["api"])
    assert found.runs[0].asked == {"q1", "q2"}
    assert found.failed == {"api": {"q2": "timed out after 30 s"}}


def invoke(*args: str) -> Result:
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    return done


def test_commands_say_it_beside_the_numbers(judged: Campaign, api: Path) -> None:
    load_run(judged, api)
    judged.close()
    db = ("--db", str(judged.path))
    said = (
        "run 'api' found nothing for 1 of the 2 judged queries, which failed"
        " (q2: timed out after 30 s): it counts as 0"
    )
    for view in (("--leaderboard",), ("--delta", "alpha", "api"), ("--histogram",)):
        assert said in invoke("results", *db, *view).output
    assert "failed: timed out after 30 s" in invoke("results", *db, "--failures", "api").output
    why = "failed: timed out after 30 s"
    assert f"({why})" in invoke("results", *db, "--query", "q2", "alpha", "api").output
    delta = ("results", *db, "--delta", "alpha", "api")
    assert f"api {why}" in invoke(*delta).output
    (row,) = [
        one
        for one in json.loads(invoke(*delta, "-f", "json").stdout)["deltas"]
        if one["query_id"] == "q2"
    ]
    assert row["nothing"] == {"alpha": None, "api": why}
    assert f",api {why}" in invoke(*delta, "-f", "csv").output
    apart = ("results", *db, "--disagreements")
    for form in ("table", "csv"):
        assert f"api {why}" in invoke(*apart, "-f", form).output
    told = {
        one["query_id"]: one["nothing"]
        for one in json.loads(invoke(*apart, "-f", "json").stdout)["queries"]
    }
    assert told["q2"] == {"api": why}
    assert not told["q1"]
    invoke("report", *db, "-o", str(api.with_name("page.md")))
    page = api.with_name("page.md").read_text()
    assert f"api {why}" in page[page.index("Queries that divide") :]
    board = json.loads(invoke("results", *db, "--leaderboard", "-f", "json").stdout)
    (row,) = [one for one in board["runs"] if one["tag"] == "api"]
    assert (row["queries"], row["mean"]["RR@10"]) == (2, 0.5)
    assert row["nothing_found"] == {"queries": 1, "failed": 1}
    scored = invoke("score", *db, "-m", "RR").output
    assert "\napi          2           1             0  0.5000" in scored
    assert "run 'api': at 1 of the judged queries the system failed" in scored
    compared = json.loads(invoke("compare", *db, "alpha", "api", "-m", "RR", "-f", "json").stdout)
    # alpha: 1 and 1/2; api: 1 and 0.
    assert compared["comparisons"][0]["delta"] == -0.25
    invoke("report", *db, "-o", str(judged.path.with_name("page.md")))
    page = judged.path.with_name("page.md").read_text()
    assert "api found nothing for 1 judged query, which failed: it scores 0 there." in page


def test_status_tells_what_was_asked_and_how_long_it_took(judged: Campaign, api: Path) -> None:
    load_run(judged, api)
    judged.close()
    state = json.loads(invoke("status", "--db", str(judged.path), "-f", "json").stdout)
    assert state["asked"] == [
        {
            "tag": "api",
            **{"queries": 2, "nothing_found": 1, "failed": 1, "median_s": 0.5, "p95_s": 0.5},
        }
    ]


def test_the_order_of_disagreements_counts_it(judged: Campaign, api: Path) -> None:
    from judge_tui.campaign.ordered_cases import ordered_cases

    graded(judged, "bob", "csv.reader", 0)
    load_run(judged, api)

    def change() -> float:
        effects = ordered_cases(judged, RR).effects
        assert effects is not None
        return float(effects.change[0])

    # By bob's grade, api's mean falls from 1/2 to 0, beta's from 3/4 to 1/2, alpha's from 3/4 to
    # 1/4: api and alpha fall alike. Were q2 left out of api's, it would fall by 1.
    counted = change()
    with judged.writing() as connection:
        connection.execute("DELETE FROM asked")
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


def test_a_query_without_documents_in_a_case_was_asked(judged: Campaign, case: Path) -> None:
    tag, loaded = load_run(judged, case, format="quepid")
    assert (tag, loaded.added, len(loaded.notes)) == ("case", 1, 1)
    assert loaded.notes[0].startswith("case.csv: 1 of 2 queries found nothing: it counts as 0 once")
    assert asked_in(judged) == [("case", "q1", None, ""), ("case", "q2", None, "")]
    # Nobody knows how long it took: that is said, and not 0.
    assert asked_runs(judged) == {"case": AskedRun(2, 1, 0, None, None)}
    assert mean_of(judged, "case") == 0.5
    again = load_run(judged, case, format="quepid")[1]
    assert (again.unchanged, again.notes) == (1, loaded.notes)
    judged.close()
    state = json.loads(invoke("status", "--db", str(judged.path), "-f", "json").stdout)
    assert state["asked"][0]["median_s"] is None
    shown = invoke("status", "--db", str(judged.path)).stdout
    assert "What systems were asked" in shown
    scored = json.loads(invoke("score", "--db", str(judged.path), "-f", "json").stdout)
    assert [run["mean"]["RR@10"] for run in scored["runs"] if run["tag"] == "case"] == [0.5]


def test_an_unknown_query_without_documents_is_told_with_its_line(
    campaign: Campaign, case: Path
) -> None:
    with case.open("a", newline="") as file:
        file.write("T,C,7,what is new\r\n")
    with pytest.raises(InputError, match=r"case.csv:4: query 'what is new' is not in the campaign"):
        load_run(campaign, case, format="quepid")
    loaded = load_run(campaign, case, format="quepid", skip_unknown=True)[1]
    assert (loaded.added, loaded.left_out, len(asked_in(campaign))) == (1, 1, 2)


def test_a_case_in_which_nothing_was_found(judged: Campaign, case: Path) -> None:
    case.write_text("\n".join(line for line in CASE.splitlines() if "csv.reader" not in line))
    assert load_run(judged, case, format="quepid", tag="none")[0] == "none"
    assert asked_runs(judged)["none"].nothing_found == 1
    assert mean_of(judged, "none") == 0.0


def test_ranx_has_queries_without_documents_as_they_come_and_go(
    judged: Campaign, files: Path
) -> None:
    (files / "sparse.json").write_text('{"q1": {"csv.reader": 2.5}, "q2": {}}')
    loaded = load_run(judged, files / "sparse.json")[1]
    assert loaded.notes[0].startswith("sparse.json: 1 of 2 queries found nothing: it counts as 0")
    assert asked_runs(judged)["sparse"] == AskedRun(2, 1, 0, None, None)
    assert mean_of(judged, "sparse") == 0.5
    scored = json.loads(invoke("score", "--db", str(judged.path), "-f", "json").stdout)
    out = files / "out.json"
    told = invoke(
        "export", "run", "--db", str(judged.path), "--tag", "sparse", "-o", str(out), "-f", "ranx"
    ).stdout
    assert "  without a document: 1 query that the system was asked and found nothing for" in told
    assert json.loads(out.read_text()) == {"q1": {"csv.reader": 2.5}, "q2": {}}
    qrels = str(files / "qrels.json")
    invoke("export", "qrels", "--db", str(judged.path), "-o", qrels, "-f", "ranx")
    again = json.loads(invoke("score", qrels, f"sparse={out}", "-f", "json").stdout)
    (by_campaign,) = (run["mean"] for run in scored["runs"] if run["tag"] == "sparse")
    assert again["runs"][0]["mean"] == by_campaign
    assert again["runs"][0]["mean"]["RR@10"] == 0.5


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
    assert (exported["queries"], exported["queries that it found nothing for"]) == (1, 1)


def test_a_case_that_is_exported_has_what_nothing_was_found_for(
    judged: Campaign, api: Path
) -> None:
    load_run(judged, api)
    case = api.with_name("case.csv")
    assert export_run(judged, case, "api", form="quepid-detailed").nothing_found == 1
    assert case.read_text().splitlines()[-1] == f",{judged.settings.name},,sort lists"
    load_run(judged, case, tag="back", format="quepid")
    assert asked_runs(judged)["back"] == AskedRun(2, 1, 0, None, None)
    db = ("--db", str(judged.path), "--tag", "api", "-o", str(case))
    said = "1 query that the system was asked and found nothing for"
    invoke_said = {form: invoke("export", "run", *db, "-f", form).output for form in FORMS}
    assert f"without a document: {said}\n" in invoke_said["quepid-detailed"]
    assert f"left out: {said}, which quepid-snapshot cannot hold" in invoke_said["quepid-snapshot"]
    assert f"left out: {said}, which trec cannot hold" in invoke_said["trec"]


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


def test_what_nobody_found_anything_for_counts_the_same_from_a_campaign_and_from_files(
    in_vain: Campaign, files: Path
) -> None:
    """Left out of means, and counted beside: there is nothing to grade."""
    db = ("--db", str(in_vain.path))
    measures = ("-m", "RR@10", "-f", "json")
    by_campaign = json.loads(invoke("score", *db, *measures).stdout)
    invoke("export", "qrels", *db, "-o", str(files / "out.qrels"))
    runs = []
    for tag in ("alpha", "api", "late"):
        invoke("export", "run", *db, "--tag", tag, "-o", str(files / f"out.{tag}"))
        runs.append(f"{tag}={files / f'out.{tag}'}")
    by_files = json.loads(invoke("score", str(files / "out.qrels"), *runs, *measures).stdout)
    of_files = {run["tag"]: run["mean"] for run in by_files["runs"]}
    of_campaign = {run["tag"]: run["mean"] for run in by_campaign["runs"]}
    assert {tag: of_campaign[tag] for tag in of_files} == of_files
    assert of_campaign["api"] == {"RR@10": 1.0}
    (api,) = (run for run in by_campaign["runs"] if run["tag"] == "api")
    assert api["missing"]["qrels"] == 3
