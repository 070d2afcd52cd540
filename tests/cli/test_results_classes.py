"""Classes of queries that ask for unlike things, in the results of a campaign."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli

CLASSES = ("lookup", "Canonical lookup", "attribute", "attribute")
UNLIKE = "classes of queries are measured by unlike things: no mean, sd, best or worst over all"
TOGETHER = (
    "classes of queries that ask for unlike things (attribute, lookup) are taken together: a mean,"
    " an order or a verdict over all of them need not hold for any; --by class shows each"
)
REFUSED = "of queries of class 'attribute' nDCG@10 says nothing: what has an attribute is a set in"


def judge_tui(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    return result.stdout


def campaign(
    folder: Path,
    classes: tuple[str, ...],
    prefers: tuple[int, ...] = (),
    ungraded: tuple[int, ...] = (),
    stem: str = "q",
) -> None:
    queries: list[dict[str, object]] = [
        {"query_id": f"{stem}{n}", "text": f"about {n}", "class": name, "team": f"t{n % 2}"}
        for n, name in enumerate(classes)
    ]
    for n in prefers:
        queries[n]["prefer"] = {"better": "x", "worse": "y"}
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in queries))
    for tag, first, second in (("old", "x", "y"), ("new", "y", "x")):
        lines = (
            f"{stem}{n} Q0 {first} 1 2 {tag}\n{stem}{n} Q0 {second} 2 1 {tag}\n"
            for n in range(len(classes))
        )
        (folder / f"{tag}.run").write_text("".join(lines))
    graded = [n for n in range(len(classes)) if n not in ungraded]
    (folder / "qrels").write_text("".join(f"{stem}{n} 0 x 1\n" for n in graded))
    judge_tui("init")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "old.run", "new.run")
    judge_tui("load", "qrels", "qrels", "--judge", "ann")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_is_told_over_unlike_classes_nor_by_what_one_refuses(folder):
    campaign(folder, CLASSES)
    text = judge_tui("results", "--by", "class")
    assert f"warning: {UNLIKE}" in text
    assert f"warning: {REFUSED}" in text
    assert "Consistency" not in text
    found = json.loads(judge_tui("results", "--by", "class", "-f", "json"))
    assert found["consistency"] == []
    means = {(one["slice"], one["tag"]): one["mean"] for one in found["slices"]}
    # Of a look-up, x stands first in old, and second in new: 1 / log2(3).
    assert means == {
        ("lookup", "old"): 1.0,
        ("lookup", "new"): pytest.approx(0.6309, abs=1e-4),
        ("attribute", "old"): None,
        ("attribute", "new"): None,
    }
    why = {one["slice"]: one.get("why") for one in found["slices"]}
    assert why["lookup"] is None
    assert "no document is the one to come first" in why["attribute"]
    rows = csv.DictReader(io.StringIO(judge_tui("results", "--by", "class", "-f", "csv")))
    assert {row["slice"] for row in rows} == {"class=lookup", "class=attribute"}


def test_what_somebody_asked_for_is_told_over_all_where_it_says_something_of_each(folder):
    campaign(folder, CLASSES)
    text = judge_tui("results", "--by", "class", "-m", "P@5")
    assert "Consistency by P@5" in text
    assert "unlike" not in text
    assert "Consistency" not in judge_tui("results", "--by", "class", "-m", "RR@10")


def test_classes_that_are_measured_alike_have_a_consistency(folder):
    campaign(folder, ("lookup", "root", "lookup"))
    text = judge_tui("results", "--by", "class")
    assert "Consistency by nDCG@10" in text
    assert "unlike" not in text


def test_the_page_tells_no_spread_of_unlike_classes(folder):
    campaign(folder, CLASSES)
    judge_tui("report", "-o", "report.md")
    page = (folder / "report.md").read_text()
    assert "sd of classes" not in page
    assert "attribute (2)" in page
    assert "Of queries of class 'attribute' nDCG@10 says nothing" in page
    # Beside the answer, and among the caveats.
    assert page.count(f"{TOGETHER.replace('classes', 'Classes', 1)}.") == 2


def test_what_is_told_over_unlike_classes_says_so(folder):
    campaign(folder, CLASSES)
    for view in (
        ["--leaderboard"],
        ["--delta", "old", "new"],
        ["--leaderboard", "-m", "P@5"],
        ["--by", "team"],
        ["--disagreements"],
    ):
        assert f"warning: {TOGETHER}\n" in judge_tui("results", *view)
        assert TOGETHER in json.loads(judge_tui("results", *view, "-f", "json"))["warnings"]


@pytest.mark.parametrize("classes", [("attribute",) * 3, ("Attributes", "how-to", "")])
def test_measures_that_say_nothing_of_a_class_are_told_as_such(folder, classes):
    campaign(folder, classes)
    of, why = (
        "f queries of class 'attribute'",
        "nothing: what has an attribute is a set in which no",
    )
    every = "nDCG@10, RR@10, R@100, AP say"
    for view, measures in (
        (["--leaderboard"], every),
        (["--leaderboard", "-m", "RR@10"], "RR@10 says"),
        (["--delta", "old", "new"], "nDCG@10 says"),
        (["--disagreements", "-m", "AP"], "AP says"),
        (["--by", "team"], "nDCG@10 says"),
        (["--histogram"], "the rank of the first relevant document says"),
    ):
        assert f"warning: o{of} {measures} {why}" in judge_tui("results", *view)
    assert of not in judge_tui("results", "--leaderboard", "-m", "P@5")
    judge_tui("report", "-o", "report.md")
    assert (folder / "report.md").read_text().count(f"O{of} {every} {why}") == 2


@pytest.mark.parametrize("classes", [("lookup", "root"), ("of our own", "how-to", "")])
def test_classes_that_ask_for_one_thing_are_told_together(folder, classes):
    campaign(folder, classes)
    assert "taken together" not in judge_tui("results", "--leaderboard")
    assert "Consistency" in judge_tui("results", "--by", "class")


@pytest.mark.parametrize("other", ["how-to", ""])
def test_what_is_measured_as_usual_is_unlike_a_class_on_its_own_terms(folder, other):
    campaign(folder, ("lookup", "lookup", other))
    said = f"(lookup, {other or 'queries without a class'}) are taken together"
    for words in (
        ("results", "--leaderboard"),
        ("results", "--delta", "old", "new"),
        ("results", "--by", "team"),
        ("score", "--db", "campaign.db"),
        ("compare", "--db", "campaign.db"),
        ("score", "--db", "campaign.db", "--by", "class", "-m", "P@5"),
    ):
        assert said in judge_tui(*words)
    text = judge_tui("results", "--by", "class")
    assert f"warning: {UNLIKE}" in text
    assert "Consistency" not in text
    assert "no value over all" in judge_tui("score", "--db", "campaign.db", "--by", "class")
    judge_tui("report", "-o", "report.md")
    assert (folder / "report.md").read_text().count(said) == 2


def test_scores_and_comparisons_over_unlike_classes_say_so(folder):
    campaign(folder, CLASSES)
    for command in ("score", "compare"):
        for asked in ([], ["-m", "P@5"]):
            words = (command, "--db", "campaign.db", *asked)
            assert f"warning: {TOGETHER}\n" in judge_tui(*words)
            assert TOGETHER in json.loads(judge_tui(*words, "-f", "json"))["warnings"]
        # Each class stands by itself.
        assert TOGETHER not in judge_tui(command, "--db", "campaign.db", "--by", "class")
    # What is named is asked of all of them, and has a mean over all.
    words = ("score", "--db", "campaign.db", "--by", "class", "-m", "P@5")
    assert f"warning: {TOGETHER}\n" in judge_tui(*words)


def test_demands_that_no_grade_tells_are_told_of(folder):
    # q1 to q4 demand something, q1 and q2 have no grades; q5 has grades and demands nothing.
    classes = ("lookup", *["modern"] * 5)
    campaign(folder, classes, prefers=(1, 2, 3, 4), ungraded=(1, 2))
    told = (
        "queries that demand something of the order of their results (prefer, authority), which no"
        " number here tells: 4 (q1, q2, q3 and 1 more), of which without grades and in no number"
        " here: 2; judge-tui score --db FILE --by class shows how it is met"
    )
    views = ("--by class", "--by class -m RR", "--leaderboard", "--delta old new", "--histogram")
    for view in (*views, "--failures old", "--disagreements"):
        assert f"warning: {told}\n" in judge_tui("results", *view.split()), view
        found = json.loads(judge_tui("results", *view.split(), "-f", "json"))
        assert told in found["warnings"], view
    of_one = told.replace("4 (q1, q2, q3 and 1 more)", "1 (q1)").replace("here: 2", "here: 1")
    assert f"warning: {of_one}\n" in judge_tui("results", "--query", "q1", "old", "new")
    assert "demand" not in judge_tui("results", "--query", "q5", "old", "new")
    found = json.loads(judge_tui("results", "--by", "class", "-f", "json"))
    counted = {(one["slice"], one["tag"]): one["queries"] for one in found["slices"]}
    assert counted["modern", "old"] == 3
    judge_tui("report", "-o", "report.md")
    # Beside the answer, and among the caveats.
    assert (folder / "report.md").read_text().count(f"Q{told[1:]}.") == 2


def test_who_demands_nothing_is_told_of_no_demands(folder):
    campaign(folder, ("lookup", "modern"))
    assert "demand" not in judge_tui("results", "--by", "class")


def test_classes_of_queries_with_blanks_in_their_ids_are_known(folder):
    campaign(folder, CLASSES, stem="my%20q")
    assert f"warning: {TOGETHER}\n" in judge_tui("results", "--leaderboard")


def test_a_class_that_demands_nothing_is_told_where_classes_are_shown(folder):
    campaign(folder, ("lookup", "modern", "modern"))
    said = "warning: no query of class 'modern' declares prefer, so that the class is measured as"
    assert said in judge_tui("results", "--by", "class")
    assert said not in judge_tui("results", "--leaderboard")
