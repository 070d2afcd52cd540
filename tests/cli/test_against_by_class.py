"""`score --against` with `--by`: each slice beside an earlier result, one family with the whole."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.baseline import read_saved
from judge_tui.baseline.saved import _checksum
from judge_tui.cli import cli

CLASSES = {f"q{n:02}": "lookup" if n < 8 else "survey" for n in range(20)}
LOOKUP, SURVEY = (
    [query_id for query_id, name in CLASSES.items() if name == one] for one in ("lookup", "survey")
)
GATE = ("--require", "no-regression")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Queries of two classes; old.run has those of `lookup` right, and of the others none."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("".join(f"{query_id} 0 good 1\n" for query_id in CLASSES))
    queries("class")
    run("old", LOOKUP)
    return tmp_path


def queries(field: str, named: Mapping[str, str] = CLASSES, **more: object) -> None:
    rows = (
        {"query_id": query_id, "text": f"text of {query_id}", field: name, **more}
        for query_id, name in named.items()
    )
    Path("queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def run(name: str, best: Collection[str], answered: Collection[str] = tuple(CLASSES)) -> None:
    Path(f"{name}.run").write_text(
        "".join(
            f"{query_id} Q0 {doc} {rank} {9 - rank} s\n"
            for query_id in answered
            for rank, doc in enumerate(("good", "x") if query_id in best else ("x", "good"), 1)
        )
    )


def score(*words: str, by: str = "class", code: int = 0) -> Result:
    asked = ("score", "qrels", *words, "--by", by, "--queries", "queries.jsonl", "-m", "RR")
    result = CliRunner().invoke(cli, asked)
    assert result.exit_code == code, result.output
    return result


def test_one_correction_is_over_the_whole_and_each_class():
    run("new", SURVEY)
    score("old.run", "--save", "base.json")
    words = ("new.run", "--against", "base.json", "-f")
    against = json.loads(score(*words, "json").stdout)["against"]
    whole, lookup, survey = against["changes"]
    assert (against["by"], against["family"]) == ("class", 3)
    assert ["slice" in one for one in (whole, lookup, survey)] == [False, True, True]
    assert (lookup["slice"], survey["slice"]) == ("lookup", "survey")
    # All fall, or rise, by the same: two-sided 2/2^8 and 2/2^12; by Holm twice and three times.
    assert (lookup["p"], survey["p"]) == (2 / 2**8, 2 / 2**12)
    assert (lookup["p_adjusted"], survey["p_adjusted"]) == (4 / 2**8, 6 / 2**12)
    assert (lookup["verdict"], survey["verdict"]) == ("worse", "better")
    rows = list(csv.DictReader(io.StringIO(score(*words, "csv").stdout)))
    assert [(row["slice"], row["before"], row["verdict"]) for row in rows] == [
        ("", "0.7", whole["verdict"]),
        ("class=lookup", "1.0", "worse"),
        ("class=survey", "0.5", "better"),
    ]
    assert [row["p_adjusted"] for row in rows[1:]] == [str(4 / 2**8), str(6 / 2**12)]


def test_what_is_all_of_one_class_is_in_the_family_once():
    """Classes held to a demand have no values, and the look-ups alone are all that is compared."""
    rows = [{"query": f"l{n}", "class": "lookup", "expected": ["x"]} for n in range(7)]
    rows += [{"query": "m", "class": "modern", "prefer": {"better": "x", "worse": "y"}}]
    Path("ans.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, order in (("old", "xy"), ("new", "yx")):
        Path(f"{name}.run").write_text(
            "".join(
                f"q{n:03} Q0 {doc} {rank} {9 - rank} s\n"
                for n in range(1, 9)
                for rank, doc in enumerate(order, 1)
            )
        )

    def scored(name: str, *words: str, code: int = 0) -> Result:
        asked = ("score", "--answers", "ans.jsonl", f"{name}.run", "--by", "class", *words)
        result = CliRunner().invoke(cli, asked)
        assert result.exit_code == code, result.output
        return result

    scored("old", "--save", "base.json")
    beside = ("--against", "base.json")
    failed = scored("new", *beside, *GATE, code=1)
    assert "s is worse than it was by RR in class 'lookup': -0.5000" in failed.stderr
    assert "cannot find anything worse" not in failed.stdout
    assert "over a family of 2, over each class, alpha 0.05" in failed.stdout
    against = json.loads(scored("new", *beside, "-f", "json").stdout)["against"]
    # All seven fall by the same: two-sided 2/2^7, by Holm twice.
    assert [(one["slice"], one["measure"], one["p_adjusted"]) for one in against["changes"]] == [
        ("lookup", "RR", 4 / 2**7),
        ("lookup", "P@1", 4 / 2**7),
    ]
    # The row over all queries says what it did.
    table = list(csv.DictReader(io.StringIO(scored("new", *beside, "-f", "csv").stdout)))
    whole, lookup = (
        [{**row, "slice": ""} for row in table if row["slice"] == name and row["before"]]
        for name in ("", "class=lookup")
    )
    assert len(whole) == 2
    assert whole == lookup


def test_a_class_that_is_new_puts_no_test_into_the_family_twice(folder):
    (folder / "qrels").write_text("".join(f"{query_id} 0 good 1\n" for query_id in LOOKUP))
    score("old.run", "--save", "base.json")
    (folder / "qrels").write_text("".join(f"{query_id} 0 good 1\n" for query_id in CLASSES))
    run("new", SURVEY)
    words = ("new.run", "--against", "base.json", "--allow-other-qrels", "-f")
    against = json.loads(score(*words, "json").stdout)["against"]
    assert [(one["slice"], one["queries"], one["p_adjusted"]) for one in against["changes"]] == [
        ("lookup", 8, 4 / 2**8),
        ("survey", 0, None),
    ]
    whole, *_ = csv.DictReader(io.StringIO(score(*words, "csv").stdout))
    assert (whole["slice"], whole["value"], whole["before"], whole["difference"]) == (
        ("", "0.8", "1.0", "-0.5")
    )


@pytest.mark.parametrize(("silent", "doubted"), [(4, False), (5, True)])
def test_nothing_is_held_of_a_class_that_mostly_found_nothing(silent, doubted):
    run("few", LOOKUP, [*LOOKUP[silent:], *SURVEY])
    told = f"found nothing for {silent} of 8 queries of class 'lookup', so that nothing"
    for old, new, why in (
        ("few", "old", f"the earlier result of s {told} can be held to it"),
        ("few", "few", f"s {told} is shown of it"),
    ):
        score(f"{old}.run", "--complete", "--save", "base.json")
        asked = (f"{new}.run", "--complete", "--against", "base.json", *GATE)
        result = score(*asked, code=int(doubted))
        assert (f"no-regression: {why}; look at how it is set up" in result.stderr) is doubted
        # Over all queries neither is doubted.
        assert "of 20 queries" not in result.stderr
        words = ("score", *("qrels", *asked[:-2]), "-m", "RR", *GATE)
        assert CliRunner().invoke(cli, words).exit_code == 0


def test_a_result_saved_with_the_number_alone_of_those_without_results_is_read():
    run("few", LOOKUP, [*LOOKUP[5:], *SURVEY])
    score("few.run", "--complete", "--save", "base.json")
    document = json.loads(Path("base.json").read_text())
    assert document["runs"][0]["in_vain"] == LOOKUP[:5]
    document["runs"][0]["in_vain"] = 5
    del document["checksum"]
    document["checksum"] = _checksum(document)
    Path("base.json").write_text(json.dumps(document))
    (its,) = read_saved("base.json").runs
    assert (its.in_vain, its.without_results) == (5, ())
    score("old.run", "--complete", "--against", "base.json", *GATE)


def answers(order: Collection[str], best: Collection[str], answered: Collection[str]) -> None:
    """Answers without ids, and a run that calls these queries by their places."""
    rows = [f"text of {query_id},{CLASSES[query_id]},good" for query_id in order]
    Path("ans.csv").write_text("\n".join(["query,class,result1", *rows, ""]))
    Path("s.run").write_text(
        "".join(
            f"q{place:03} Q0 {doc} {rank} {9 - rank} s\n"
            for place, query_id in enumerate(order, 1)
            if query_id in answered
            for rank, doc in enumerate(("good", "x") if query_id in best else ("x", "good"), 1)
        )
    )


def test_classes_of_queries_that_are_known_by_their_texts():
    asked = ("score", "--answers", "ans.csv", "s.run", "--by", "class", "-m", "RR", "--complete")

    def found(*words: str) -> Result:
        return CliRunner().invoke(cli, [*asked, *words])

    answers(list(CLASSES), LOOKUP, CLASSES)
    assert found("--save", "base.json").exit_code == 0
    answers(list(CLASSES)[::-1], LOOKUP, CLASSES)
    assert found("--against", "base.json", *GATE).exit_code == 0
    answers(list(CLASSES)[::-1], SURVEY, CLASSES)
    result = found("--against", "base.json", *GATE)
    assert "s is worse than it was by RR in class 'lookup': -0.5000\n" in result.stderr
    # Those without results move with their texts, too.
    answers(list(CLASSES), LOOKUP, [*LOOKUP[5:], *SURVEY])
    assert found("--save", "base.json").exit_code == 0
    answers(list(CLASSES)[::-1], LOOKUP, CLASSES)
    result = found("--against", "base.json", *GATE)
    why = "the earlier result of s found nothing for 5 of 8 queries of class 'lookup'"
    assert (result.exit_code, why in result.stderr) == (1, True)


def test_a_class_whose_own_measures_were_not_saved_is_refused():
    queries("class", dict.fromkeys(CLASSES, "lookup"))
    CliRunner().invoke(cli, ["score", "qrels", "old.run", "-m", "P@1", "--save", "base.json"])
    words = ("score", "qrels", "old.run", "--by", "class", "--queries", "queries.jsonl")
    result = CliRunner().invoke(cli, [*words, "--against", "base.json"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: base.json: it holds no RR, but P@1; ask for those")


UNLIKE = {f"l{n}": "lookup" for n in range(8)} | {f"a{n}": "attribute" for n in range(12)}


def unlike(classes: Mapping[str, str], best: Collection[str], *words: str, code: int = 0) -> Result:
    """Answers of classes that share no measure, and a run of them; where it is not right at the
    first place of a list it is nowhere."""
    rows = ({"query": q, "class": name, "expected": ["good"]} for q, name in classes.items())
    Path("ans.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("u.run").write_text(
        "".join(
            f"q{at:03} Q0 {'good' if query in best else 'x'} 1 1 s\n"
            for at, query in enumerate(classes, 1)
        )
    )
    result = CliRunner().invoke(cli, ["score", "--answers", "ans.jsonl", "u.run", *words])
    assert result.exit_code == code, result.output
    return result


def test_what_classes_of_unlike_measures_have_no_values_of_is_refused():
    usual = UNLIKE | {f"n{n}": "" for n in range(3)}
    unlike(usual, (), "--by", "class", "-m", "P@5", "--save", "all.json")
    assert read_saved("all.json").by == ""
    unlike(usual, (), "--by", "class", "--save", "base.json")
    earlier = read_saved("base.json")
    usual_ones = ["nDCG@10", "RR@10", "P@5", "R@100", "AP"]
    assert (earlier.by, [*map(str, earlier.usual)]) == ("class", usual_ones)
    (run,) = earlier.runs
    assert (run.value("RR", "q001"), run.value("RR", "q020")) == (0.0, None)
    # Without -m the queries without a class have the measures that they had.
    unlike(usual, (), "--by", "class", "--against", "base.json", *GATE)
    for words in ((), ("-m", "P@5")):
        refused = unlike(usual, (), "--against", "base.json", *words, code=2).stderr
        assert "base.json: it was saved by class, each with measures of its own" in refused
        assert "add --by class, or save it again" in refused
    moved = usual | {"l0": "attribute"}
    refused = unlike(moved, (), "--by", "class", "--against", "base.json", code=2).stderr
    assert "it holds no P@5 of query 'q001', whose class then had other measures" in refused
    by_all = ("--by", "class", "--against", "all.json")
    refused = unlike(usual, (), *by_all, code=2).stderr
    assert "all.json: it holds no P@10, RR, " in refused
    assert refused.endswith("but P@5; save it again with --by class\n")
    by_number = ("--by", "class", "--against", "base.json", "--require", "RR>=baseline")
    refused = unlike(usual, (), *by_number, code=2).stderr
    assert "; require no-regression, which holds each class to its own, or name" in refused
    # A class of other measures that comes is in none of the pairs.
    grown = usual | {"f": "fragment"}
    assert "fragment" in unlike(grown, (), "--by", "class", "--against", "base.json").stdout
    # One that is gone has no place among those without a class.
    fewer = dict(list(usual.items())[:-1])
    other = ("--by", "class", "--against", "base.json", "--allow-other-qrels")
    assert "0.0000" in unlike(fewer, (), *other).stdout
    gone = unlike(fewer, (), *other, *GATE, code=1).stderr
    assert "gate not met: no-regression: the earlier result of s has queries that have no" in gone


def test_a_number_by_class_says_what_can_hold_it():
    score("old.run", "--save", "base.json")
    gate = "lookup/RR>=baseline-0.05"
    refused = score("old.run", "--against", "base.json", "--require", gate, code=2).stderr
    assert f"gate {gate}: an earlier result is held to by numbers over all" in refused
    assert "judge-tui compare --by class" in refused
    run("new", LOOKUP)
    words = ("compare", "qrels", "old=old.run", "new=new.run", "--by", "class", "-m", "RR")
    asked = (*words, "--queries", "queries.jsonl", "--require", gate)
    assert CliRunner().invoke(cli, asked).exit_code == 0


def test_queries_that_are_in_another_class_by_now_are_told():
    score("old.run", "--save", "base.json")
    told = "before is over the queries that are in each class now; in another one then: "
    assert told not in score("old.run", "--against", "base.json").stdout
    queries("class", CLASSES | {"q00": "survey", "q01": ""})
    shown = score("old.run", "--against", "base.json").stdout
    assert f"{told}2, such as 'q00', which was in 'lookup' and is in 'survey'\n" in shown
    # By hand: of `survey` none was right but the one that came in.
    (row,) = (line.split() for line in shown.splitlines() if line.startswith("RR       survey"))
    assert row[3] == f"{(1 + 12 * 0.5) / 13:.4f}"
    queries("topic", CLASSES | {"q00": "survey"})
    assert told not in score("old.run", "--against", "base.json", by="topic").stdout
    # Classes move with the queries, where these are known by their texts.
    answers(list(CLASSES), LOOKUP, CLASSES)
    sheet = ["score", "--answers", "ans.csv", "s.run", "--by", "class", "-m", "RR"]
    assert CliRunner().invoke(cli, [*sheet, "--save", "base.json"]).exit_code == 0
    answers(list(CLASSES)[::-1], LOOKUP, CLASSES)
    assert told not in CliRunner().invoke(cli, [*sheet, "--against", "base.json"]).stdout
