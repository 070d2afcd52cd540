"""How much was judged is told on one basis: all queries of the campaign, down to -k."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from judge_tui.percent import percent
from tests.report.evaluation import DB, QUERIES, done, make_evaluation, page

COVERAGE = re.compile(
    r"Coverage: (.+) of the first (\d+) results were judged, over all queries(.*?)\. "
)
CAVEAT = re.compile(r"Unjudged results stand in the first (\d+) of (\d+) systems?\. On the judged")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    return tmp_path


def covered(text: str) -> tuple[str, str, str]:
    """How much, of how many results, and what is said of lists that were cut."""
    (found,) = COVERAGE.findall(text)
    how, k, seen = found
    return how, k, seen


def test_of_one_graded_pair_the_line_the_table_the_caveats_and_status_say_the_same(
    folder: Path,
) -> None:
    make_evaluation(folder, judges=())
    Path("one.qrels").write_text(f"{QUERIES[0]} 0 d0 1\n")
    done("load", "qrels", "--db", DB, "one.qrels", "--judge", "ann")
    read = page()
    # Every system returns d0 among 8 documents of each of 24 queries.
    assert covered(read.text) == ("1 %", "10", "")
    table = read.tables["Each system's part in the pool, and what of its first 10 was judged"]
    assert {row[-1] for row in table[1:]} == {percent(1 / 192)} == {"1 %"}
    state = json.loads(done("status", "--db", DB, "-f", "json"))
    assert {(run["judged"], run["results"]) for run in state["coverage"]} == {(1, 192)}
    assert CAVEAT.findall(read.text) == [("10", "3")]
    # The mean over the one judged query is told to be that.
    judged_at = {row[0]: row[6] for row in read.tables["Systems by nDCG@10"]}
    assert judged_at == {"system": "Judged@10", **dict.fromkeys(("base", "good", "poor"), "0.1250")}
    assert "Judged@10: mean over the judged queries that a system answers, not over all." in (
        read.text
    )


def test_what_of_it_is_unresolved_is_told_beside_it(folder: Path) -> None:
    make_evaluation(folder, judges=())
    for judge, grade in (("ann", 1), ("bob", 0)):
        Path(f"{judge}.qrels").write_text(f"{QUERIES[0]} 0 d0 {grade}\n{QUERIES[1]} 0 d0 1\n")
        done("load", "qrels", "--db", DB, f"{judge}.qrels", "--judge", judge)
    # Every system has d0 of both queries among its 192 results: 2 judged, 1 of them a tie.
    assert covered(page().text) == (
        "1 %",
        "10",
        "; up to 1 % of a system's are unresolved, judged but without a majority, and count as"
        " unjudged in the scores and Judged@k",
    )
    assert "unresolved, judged but" not in page("--policy", "max").text


def test_it_looks_as_far_down_as_is_asked_for(folder: Path) -> None:
    make_evaluation(folder, judges=("ann",))
    deep = page()
    assert covered(deep.text) == ("88 %", "10", "")  # ann has not seen d7, 1 of 8 documents
    assert CAVEAT.findall(deep.text) == [("10", "3")]
    read = page("-k", "5")
    table = read.tables["Each system's part in the pool, and what of its first 5 was judged"]
    shares = {row[0]: int(row[4]) / int(row[2]) for row in table[1:]}
    low, high = (percent(end(shares.values())) for end in (min, max))
    assert low != high
    assert covered(read.text) == (f"from {low} to {high}, depending on the system,", "5", "")
    assert CAVEAT.findall(read.text) == [("5", "3")]


def test_that_lists_were_cut_above_k_is_told(folder: Path) -> None:
    make_evaluation(folder, judges=("ann",))
    done("init", "--db", "cut.db", "--scale", "0=no,1=some,2=good")
    done("load", "queries", "--db", "cut.db", "queries.jsonl")
    done("load", "run", "--db", "cut.db", "--depth", "5", "base.run")
    done("load", "qrels", "--db", "cut.db", "ann.qrels", "--judge", "ann")
    assert covered(page("--db", "cut.db", "-m", "P@5").text)[1:] == (
        "10",
        ", as far as lists were kept",
    )
    assert covered(page("--db", "cut.db", "-m", "P@5", "-k", "5").text)[1:] == ("5", "")


def test_all_judged_needs_no_caution(folder: Path) -> None:
    make_evaluation(folder, judges=("ann", "bob"))
    text = page("--policy", "max").text
    assert covered(text) == ("100 %", "10", "")
    assert "Unjudged results" not in text
    assert "takes that judge's grades alone" not in text
    assert "Policy judge:ann takes that judge's grades alone" in page("--policy", "judge:ann").text
