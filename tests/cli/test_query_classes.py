"""Classes of queries on their own terms in `score` and `compare`, `check` and `load answers`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from statsmodels.stats.multitest import multipletests

from judge_tui.cli import cli
from judge_tui.report import FORMS
from tests.as_typed import judge_tui

PREFER = {"better": "^new/", "worse": "^old/"}
ANSWERS: list[dict[str, Any]] = [
    {"query": "a", "class": "lookup", "expected": "x"},
    {"query": "b", "class": "lookup", "expected": "y", "subset": "hard"},
    {"query": "c", "class": "attribute", "expected": ["x", "y"]},
    {"query": "d", "class": "modern", "prefer": PREFER},
    {"query": "e", "class": "modern", "prefer": PREFER, "subset": "hard"},
    {"query": "f", "class": "cross-source", "authority": ["^new/", "^old/"]},
    {"query": "g", "expected": "y"},
]
# By hand: RR of a is 1 and 1/2, of b 1/2 and 1; d is won by old.run and lost by new.run, e has
# legacy alone in both; f begins with the highest source in new.run alone.
OLD = {"a": "x z", "b": "z y", "c": "x y", "d": "new/1 old/1", "e": "old/1", "f": "z new/1"}
NEW = {"a": "z x", "b": "y", "c": "z", "d": "old/1 new/1", "e": "z old/1", "f": "new/1 old/1"}


def run_file(lists: dict[str, str], tag: str) -> str:
    ids = {one["query"]: f"q{number:03}" for number, one in enumerate(ANSWERS, 1)}
    return "".join(
        f"{ids[query]} Q0 {doc} {rank} {1 / rank} {tag}\n"
        for query, found in {**lists, "g": "y"}.items()
        for rank, doc in enumerate(found.split(), 1)
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS))
    (tmp_path / "old.run").write_text(run_file(OLD, "old"))
    (tmp_path / "new.run").write_text(run_file(NEW, "new"))
    return tmp_path


FILES = ("--answers", "answers.json", "old.run", "new.run")
BY = (*FILES, "--by", "class")


def test_score_measures_each_class_on_its_own_terms():
    document = json.loads(judge_tui("score", *BY, "-q", "-f", "json").stdout)
    old, new = document["runs"]
    assert old["mean"] is None
    assert {name: one["mean"] for name, one in old["slices"].items() if name} == {
        "attribute": {"P@5": 0.4, "P@10": 0.2},
        "lookup": {"RR": 0.75, "P@1": 0.5},
    }
    assert list(old["slices"][""]["mean"]) == ["nDCG@10", "RR@10", "P@5", "R@100", "AP"]
    assert old["per_query"]["q001"] == {"RR": 1.0, "P@1": 1.0}
    # Queries of which only the order is known are missing nowhere.
    assert old["missing"] == new["missing"] == {"run": 0, "qrels": 0}
    (modern,), (cross,) = document["prefer"], document["authority"]
    assert {tag: one["share"] for tag, one in modern["systems"].items()} == {"old": 0.5, "new": 0.0}
    assert modern["systems"]["old"]["subsets"] == {"standard": 1.0, "hard": 0.0}
    assert modern["per_query"]["q005"]["new"]["outcome"] == "only legacy"
    assert {tag: one["share"] for tag, one in cross["systems"].items()} == {"old": 0.0, "new": 1.0}
    lookup = next(one for one in document["classes"] if one["class"] == "lookup")
    assert lookup["systems"]["new"]["subsets"] == {
        "standard": {"RR": 0.5, "P@1": 0.0},
        "hard": {"RR": 1.0, "P@1": 1.0},
    }


def test_the_table_has_standard_and_hard_ones_side_by_side():
    text = judge_tui("score", *BY).stdout
    assert (
        "Class lookup by subset: 2 queries\n"
        "measure  system    mean  standard (1)  hard (1)\n"
        "RR       old     0.7500        1.0000    0.5000\n"
        "RR       new     0.7500        0.5000    1.0000\n"
    ) in text
    assert (
        "Class modern, where legacy wins\n"
        "query  text  system  legacy, at rank  modern, at rank\n"
        "q004   d     new     1. old/1         2. new/1\n"
        "q005   e     old     1. old/1         -\n"
        "q005   e     new     2. old/1         -\n"
    ) in text
    assert "modern, old: no sign p: one kind comes first in 2 of 2 queries; the test needs 6" in (
        text
    )


def test_a_csv_has_the_demands_below():
    rows = list(csv.DictReader(io.StringIO(judge_tui("score", *BY, "-q", "-f", "csv").stdout)))
    last = [row for row in rows if row["measure"] == "prefer" and row["tag"] == "old"]
    assert [(row["query_id"], row["value"], row["slice"], row["queries"]) for row in last] == [
        ("q004", "1.0", "class=modern", "1"),
        ("q005", "0.0", "class=modern", "1"),
        ("all", "0.5", "class=modern", "2"),
    ]
    told = json.loads(judge_tui("score", *BY, "-f", "json").stdout)
    (modern,), (cross,) = told["prefer"], told["authority"]
    values = {
        (row["tag"], row["slice"], row["measure"]): row["value"]
        for row in rows
        if row["query_id"] == "all"
    }
    for tag, system in modern["systems"].items():
        named = {name: value for name, value in system.items() if isinstance(value, int)}
        assert "modern_wins" in named
        for name, value in named.items():
            assert values[tag, "class=modern", f"prefer.{name}"] == str(value)
        assert values[tag, "class=modern", "prefer.sign.p"] == str(system["sign"]["p"] or "")
    for tag, system in cross["systems"].items():
        for source in system["sources"]:
            path = f"authority.sources.{source['source']}.RR"
            assert values[tag, "class=cross-source", path] == str(source["RR"])
    rows = list(csv.DictReader(io.StringIO(judge_tui("compare", *BY, "-f", "csv").stdout)))
    (cross,) = (row for row in rows if row["measure"] == "authority")
    assert (cross["slice"], cross["baseline_mean"], cross["mean"]) == ("cross-source", "0.0", "1.0")
    assert (cross["wins"], cross["losses"], cross["mcnemar_p"]) == ("1", "0", "")


def test_too_few_queries_of_which_one_alone_holds_are_said_instead_of_a_p():
    shown = judge_tui("compare", *BY).stdout
    assert "cross-source, authority, new: no mcnemar p: one alone holds in 1 of" in shown
    assert "the test needs 6" in shown
    (cross,) = json.loads(judge_tui("compare", *BY, "-f", "json").stdout)["authority"]
    told = cross["comparisons"][0]["tests"]["mcnemar"]
    assert told["p"] is None
    assert told["why"].startswith("one alone holds in 1 of ")


def test_without_slices_no_class_is_named():
    shown = judge_tui("compare", *BY[:-2]).stdout
    assert "Demands on the order, compared\ndemand " in shown
    assert "(none)" not in shown


def test_compare_goes_by_the_measures_of_each_class_and_one_family():
    document = json.loads(judge_tui("compare", *BY, "-f", "json").stdout)
    compared = [(one["slice"], one["measure"]) for one in document["comparisons"]]
    assert {measure for name, measure in compared if name == "attribute"} == {"P@5", "P@10"}
    assert {measure for name, measure in compared if name == "lookup"} == {"RR", "P@1"}
    (cross,) = document["authority"]
    assert cross["comparisons"][0]["gained"] == ["q006"]
    # 9 comparisons by measures, 2 sign tests, 2 of McNemar's.
    assert len(compared) == 9
    assert "over a family of 13, all that is tested here" in judge_tui("compare", *BY).stdout


def test_the_sign_tests_of_score_say_that_no_measure_is_in_their_family():
    """Beside an earlier result measures are tested, too."""
    judge_tui("score", *BY, "--save", "base.json")
    for words in ((), ("--against", "base.json")):
        told = judge_tui("score", *BY, *words).stdout
        assert "over a family of 2, of what queries demand and of no measure\n" in told
        assert "all that is tested here" not in told


def test_all_pairs_are_compared_by_what_comes_first():
    Path("third.run").write_text(run_file(NEW, "third"))
    words = ("compare", *FILES, "third.run", "--all-pairs", "-f", "json")
    (cross,) = json.loads(judge_tui(*words).stdout)["authority"]
    assert [(one["baseline"], one["tag"], one["holds"]) for one in cross["comparisons"]] == [
        ("old", "new", 1),
        ("old", "third", 1),
        ("new", "third", 1),
    ]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_answers_that_say_only_what_comes_first(folder, command):
    only = [one for one in ANSWERS if "prefer" in one]
    (folder / "only.json").write_text(
        json.dumps([{**one, "query_id": f"q00{number}"} for number, one in enumerate(only, 4)])
    )
    words = (command, "--answers", "only.json", "old.run", "new.run")
    text = judge_tui(*words).stdout
    assert text.startswith("Modern before legacy")
    assert "old           0.5000" in text
    document = json.loads(judge_tui(*words, "-f", "json").stdout)
    assert document["prefer"][0]["systems"]["new"]["share"] == 0.0
    assert document.get("comparisons", []) == []


def test_classes_that_are_held_to_demands_alone_have_no_table_of_measures(folder):
    """Nor is a mean over them warned of, which there is none of, although their right answers are
    known."""
    held = [{**one, "expected": "x"} for one in ANSWERS if "prefer" in one or "authority" in one]
    assert len({one["class"] for one in held}) > 1
    (folder / "held.json").write_text(
        json.dumps([{**one, "query_id": f"q00{number}"} for number, one in enumerate(held, 4)])
    )
    text = judge_tui(
        "score", "--answers", "held.json", "old.run", "--by", "class", "--per-query"
    ).stdout
    assert text.startswith("Class modern, modern before legacy")
    assert "run  queries" not in text
    assert "By query\n" not in text
    assert "unlike things" not in text


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_rank_of_attributes_is_refused(command):
    refused = judge_tui(command, *BY, "-m", "P@5", "-m", "RR", code=2)
    assert (refused.stdout, refused.stderr) == (
        "",
        "error: RR says nothing of queries of class 'attribute': what has an attribute is a set in"
        " which no document is the one to come first; measure that class by P@k alone, as P@5\n",
    )
    judge_tui(command, *BY, "-m", "P@7")


def test_declared_measures_are_held_to_the_terms_of_their_class(folder):
    rows = [{"query_id": "q1", "text": "t", "class": "attribute", "measures": ["AP"]}]
    (folder / "queries.jsonl").write_text(json.dumps(rows[0]) + "\n")
    (folder / "qrels").write_text("q1 0 x 1\n")
    (folder / "one.run").write_text("q1 Q0 x 1 1 one\n")
    (folder / "m.toml").write_text('[classes.attribute]\nmeasures = ["P@3"]\n')
    words = ("score", "qrels", "one.run", "--by", "class", "--queries", "queries.jsonl")
    assert judge_tui(*words, code=2).stderr.startswith("error: AP says nothing of queries of class")
    document = json.loads(judge_tui(*words, "--class-measures", "m.toml", "-f", "json").stdout)
    assert document["runs"][0]["slices"]["attribute"]["mean"] == {"P@3": 1 / 3}


def test_gates_over_unlike_classes_are_refused():
    refused = judge_tui("score", *BY, "--require", "RR>=0.1", code=2).stderr
    assert "name measures for all of them with -m" in refused
    refused = judge_tui("compare", *BY, "--require", "RR>=0.1", code=2).stderr
    assert refused.startswith("error: RR says nothing of queries of class 'attribute'")


def test_what_comes_first_can_be_a_regression(folder):
    queries = [f"m{number}" for number in range(8)]
    (folder / "many.json").write_text(
        json.dumps([{"query_id": q, "query": q, "prefer": PREFER} for q in queries])
    )
    for tag, first in (("good", "new/1"), ("bad", "old/1")):
        (folder / f"{tag}.run").write_text("".join(f"{q} Q0 {first} 1 1 {tag}\n" for q in queries))
    words = ("compare", "--answers", "many.json", "good.run", "bad.run")
    unmet = judge_tui(*words, "--require", "no-regression", code=1).stderr
    assert "no-regression: bad is worse than good by prefer in class '(none)': -1.0000" in unmet


def test_a_campaign_answers_within_what_it_keeps(folder):
    (folder / "queries.jsonl").write_text(
        '{"query_id": "q1", "text": "t", "class": "lookup"}\n'
        '{"query_id": "q2", "text": "u", "class": "conceptual"}\n'
    )
    (folder / "deep.run").write_text(
        "".join(f"q{q} Q0 d{n} {n} {1 / n} deep\n" for q in (1, 2) for n in range(1, 31))
    )
    (folder / "qrels").write_text("q1 0 d2 1\nq2 0 d1 1\n")
    for words in (
        ("init",),
        ("load", "queries", "queries.jsonl"),
        ("load", "run", "deep.run", "--depth", "20"),
        ("load", "qrels", "qrels", "--judge", "ann"),
    ):
        judge_tui(*words)
    result = judge_tui("score", "--db", "campaign.db", "--by", "class", "-f", "json")
    slices = json.loads(result.stdout)["runs"][0]["slices"]
    assert slices["lookup"]["mean"] == {"RR@20": 0.5, "P@1": 0.0}
    assert slices["conceptual"]["mean"] == {"nDCG@10": 1.0}
    text = judge_tui("score", "--db", "campaign.db", "--by", "class").stdout
    assert "class 'lookup': RR looks deeper than the 20 results" in text
    assert "of run 'deep': left out" in text


def test_a_campaign_cuts_nothing_that_somebody_declared(folder):
    (folder / "deep.run").write_text(
        "".join(f"q{q} Q0 d{n} {n} {1 / n} deep\n" for q in (1, 2) for n in range(1, 31))
    )
    (folder / "qrels").write_text("q1 0 d2 1\nq2 0 d4 1\n")

    def scored(declared: list[str], db: str, code: int = 0) -> Result:
        queries = [
            {"query_id": "q1", "text": "t", "class": "lookup", "measures": declared},
            {"query_id": "q2", "text": "u", "class": "synonym"},
        ]
        (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
        for words in (
            ("init", "--db", db),
            ("load", "queries", "queries.jsonl", "--db", db),
            ("load", "run", "deep.run", "--depth", "20", "--db", db),
            ("load", "qrels", "qrels", "--judge", "ann", "--db", db),
        ):
            judge_tui(*words)
        return judge_tui("score", "--db", db, "--by", "class", "-f", "json", code=code)

    slices = json.loads(scored(["RR@15", "P@1"], "a.db").stdout)["runs"][0]["slices"]
    assert slices["lookup"]["mean"] == {"RR@15": 0.5, "P@1": 0.0}
    assert slices["synonym"]["mean"] == {"RR@20": 0.25}
    for number, declared in enumerate((["RR@25", "P@1"], ["RR@25", "P@1", "P@3"])):
        refused = scored(declared, f"{number}.db", code=2).stderr
        assert refused.startswith("error: RR@25 looks deeper than the 20 results")


OF = {"two-sided": "p", "greater": "p_greater", "less": "p_less"}


@pytest.mark.parametrize("alternative", OF)
def test_measures_and_what_comes_first_are_one_family(folder, alternative):
    """Corrected by another program, where each p is small enough to tell how many they are."""
    of_rank, of_order = range(20), range(20, 45)
    answers = [{"query": f"m{n}", "class": "lookup", "expected": "x"} for n in of_rank]
    answers += [{"query": f"m{n}", "class": "modern", "prefer": PREFER} for n in of_order]
    (folder / "many.json").write_text(json.dumps(answers))
    for tag, good in (("old", False), ("new", True)):
        lists = {n: "x z" if good != (n < 1) else "z x" for n in of_rank}
        # The better run has the old kind first at 4 queries of 25, the other one at 22.
        lists |= {n: "new/1" if n >= (24 if good else 42) else "old/1" for n in of_order}
        lines = [
            f"q{n + 1:03} Q0 {doc} {rank} {1 / rank} {tag}\n"
            for n, found in lists.items()
            for rank, doc in enumerate(found.split(), 1)
        ]
        (folder / f"{tag}.run").write_text("".join(lines))
    words = ("compare", "--answers", "many.json", "old.run", "new.run", "--by", "class")
    document = json.loads(judge_tui(*words, "--alternative", alternative, "-f", "json").stdout)
    (modern,) = document["prefer"]
    tests = [one["tests"]["wilcoxon"] for one in document["comparisons"]]
    tests += [system["sign"] for system in modern["systems"].values()]
    tests += [modern["comparisons"][0]["tests"]["mcnemar"]]
    # Whether the new kind comes first more often than the old one has two sides in any case.
    sides = [one.get(OF[alternative]) for one in tests]
    sides[2:4] = [one["p"] for one in tests[2:4]]
    assert len(sides) == 5
    assert [one["p_adjusted"] for one in tests] == pytest.approx(
        multipletests(sides, method="holm")[1]
    )


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("asked", [("-m", "RR"), ("--require", "RR>=0.1")])
def test_a_rank_of_attributes_is_refused_over_all_queries_too(command, asked):
    refused = judge_tui(command, *FILES, *asked, code=2).stderr
    assert refused.startswith("error: RR says nothing of queries of class 'attribute': what has an")
    assert refused.endswith("; add --by class, and name no measures: each class then has its own\n")
    judge_tui(command, *FILES, "-m", "P@5")


OWN = (
    "classes of queries with measures of their own: attribute, lookup; --by class shows each by"
    " these, and nothing over all\n"
)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_mean_over_unlike_classes_is_not_let_pass_for_one(folder, command):
    assert OWN in judge_tui(command, *FILES).stdout
    assert OWN not in judge_tui(command, *BY).stdout
    assert OWN not in judge_tui(command, *FILES, "-m", "P@5").stdout
    classes = [
        {"query_id": f"q{n}", "text": name, "class": name}
        for n, name in enumerate(("Lookups", "attribute", "synonym"), 1)
    ]
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in classes))
    (folder / "one.run").write_text("".join(f"q{n} Q0 x 1 1 one\n" for n in (1, 2, 3)))
    (folder / "two.run").write_text("".join(f"q{n} Q0 y 1 1 two\n" for n in (1, 2, 3)))
    (folder / "qrels").write_text("q1 0 x 1\nq2 0 y 1\n")
    for words in (
        ("init",),
        ("load", "queries", "queries.jsonl"),
        ("load", "run", "one.run", "two.run"),
        ("load", "qrels", "qrels", "--judge", "ann"),
    ):
        judge_tui(*words)
    # Of synonyms nothing is known, so that they are in no mean.
    assert OWN in judge_tui(command, "--db", "campaign.db").stdout
    refused = judge_tui(command, "--db", "campaign.db", "-m", "RR@10", code=2).stderr
    assert refused.startswith("error: RR@10 says nothing of queries of class 'attribute'")


def test_check_reads_what_comes_first(folder):
    assert judge_tui("check", "answers.json").stdout == "answers.json: fine as answers\n"
    (folder / "bad.json").write_text('[{"query": "x",\n "prefer": {"better": "["}}]')
    assert judge_tui("check", "bad.json", code=2).stderr.startswith("error: bad.json:1: prefer is")


def test_what_comes_first_is_no_grade_of_a_campaign():
    judge_tui("init")
    judge_tui("load", "queries", "answers.json")
    judge_tui("load", "run", "old.run")
    loaded = judge_tui("load", "answers", "answers.json", "--judge", "sheet")
    assert "what is to come first" not in loaded.stderr
    assert "grades of sheet: 5 added" in loaded.stdout
    words = ("score", "--db", "campaign.db", "--by", "class", "-f", "json")
    document = json.loads(judge_tui(*words).stdout)
    of_file = json.loads(judge_tui("score", *FILES[:3], "--by", "class", "-f", "json").stdout)
    for demand in ("prefer", "authority"):
        assert document[demand] == of_file[demand]


def test_a_campaign_whose_queries_lack_a_demand_is_told_of_it(folder):
    queries = [
        {"query_id": f"q{n:03}", "text": one["query"], **({"prefer": PREFER} if n == 4 else {})}
        for n, one in enumerate(ANSWERS, 1)
    ]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    judge_tui("init")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "old.run")
    words = ("load", "answers", "answers.json", "--judge", "sheet")
    assert (
        "note: queries of which the file says what is to come first (prefer, authority), and the"
        " campaign does not: 2 (q005, q006); it is no grade and is left out here: load these"
        " queries with it, with --replace\n"
    ) in judge_tui(*words).stderr
    judge_tui("load", "queries", "answers.json", "--replace")
    assert "what is to come first" not in judge_tui(*words).stderr


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_shows_hostile_patterns_and_obeys_none(folder, form, command):
    hostile = "=c\x1b.2J\u202e&|%_"
    answers = [
        {"query": hostile, "class": hostile, "prefer": {"better": "^new", "worse": hostile}},
        {"query": "x", "class": hostile, "authority": [hostile, "b"], "subset": hostile},
        {"query": "y", "class": hostile, "expected": "x"},
    ]
    (folder / "hostile.json").write_text(json.dumps(answers))
    words = (command, "--answers", "hostile.json", "old.run", "new.run", "--by", "class")
    shown = judge_tui(*words, "-f", form).output
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def declared(folder: Path) -> tuple[str, ...]:
    """Qrels, runs, and queries that say themselves what is to come first."""
    (folder / "qrels").write_text("q1 0 x 1\nq2 0 y 1\n")
    queries = [
        {"query_id": "q1", "text": "a", "class": "lookup"},
        {"query_id": "q2", "text": "b", "class": "lookup", "subset": "hard"},
        {"query_id": "q3", "text": "c", "class": "modern", "prefer": PREFER},
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
    for tag, first in (("one", "new/1"), ("two", "old/1")):
        (folder / f"{tag}.run").write_text(
            f"q1 Q0 x 1 1 {tag}\nq2 Q0 z 1 2 {tag}\nq2 Q0 y 2 1 {tag}\nq3 Q0 {first} 1 1 {tag}\n"
        )
    return "qrels", "one.run", "two.run", "--by", "class", "--queries", "queries.jsonl"


@pytest.mark.parametrize("command", ["score", "compare"])
def test_queries_say_themselves_what_comes_first(folder, command):
    document = json.loads(judge_tui(command, *declared(folder), "-f", "json").stdout)
    (modern,) = document["prefer"]
    assert {tag: one["share"] for tag, one in modern["systems"].items()} == {"one": 1.0, "two": 0.0}
    assert not [line for line in document["warnings"] if "not in the qrels" in line]
    if command == "score":
        (lookup,) = document["classes"]
        assert "class: modern" not in judge_tui(command, *declared(folder)).stdout
        assert lookup["systems"]["one"]["subsets"]["hard"] == {"RR": 0.5, "P@1": 0.0}
    else:
        assert modern["comparisons"][0]["lost"] == ["q3"]
        assert {one["measure"] for one in document["comparisons"]} == {"RR", "P@1"}


def test_what_comes_first_needs_a_run_twice(folder):
    words = declared(folder)
    refused = CliRunner().invoke(cli, ["score", "qrels", "-", *words[3:]], input="q1 Q0 x 1 1 t\n")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: queries say what is to come first (prefer, authority), for which a run is read once"
        " more, and standard input cannot be; give the run as a file\n",
    )


def test_a_bad_demand_of_a_query_is_told_with_the_query(folder):
    words = declared(folder)
    text = (folder / "queries.jsonl").read_text().replace("^new/", "(")
    (folder / "queries.jsonl").write_text(text)
    assert judge_tui("score", *words, code=2).stderr.startswith(
        "error: queries.jsonl: query 'q3': better '(' is no regular expression: missing )"
    )


def test_the_queries_of_a_campaign_do_so_too(folder):
    declared(folder)
    for words in (
        ("init",),
        ("load", "queries", "queries.jsonl"),
        ("load", "run", "one.run", "two.run"),
        ("load", "qrels", "qrels", "--judge", "ann"),
    ):
        judge_tui(*words)
    words = ("score", "--db", "campaign.db", "--by", "class", "-f", "json")
    (modern,) = json.loads(judge_tui(*words).stdout)["prefer"]
    assert {tag: one["share"] for tag, one in modern["systems"].items()} == {"one": 1.0, "two": 0.0}


@pytest.mark.parametrize(
    ("command", "gate", "code", "said"),
    [
        ("score", "lookup/RR>=0.7", 0, ""),
        ("score", "lookup/RR>=0.8", 1, "gate not met: lookup/RR>=0.8: old has 0.7500\n"),
        ("score", "new:lookup/AP>=0.8", 1, "gate not met: new:lookup/AP>=0.8: new has 0.7500\n"),
        ("score", "modern/prefer>=0.5", 1, "gate not met: modern/prefer>=0.5: new has 0.0000\n"),
        ("score", "old:modern/prefer>=0.5", 0, ""),
        ("score", "(none)/P@1>=1", 0, ""),
        ("score", "lookup/RR>=baseline", 2, "error: gate lookup/RR>=baseline: an earlier result"),
        ("score", "attribute/RR>=0.1", 2, "error: RR says nothing of queries of class 'attribute'"),
        ("score", "look/RR>=0.1", 2, "error: no class of the queries 'look'; did you mean 'lookup"),
        (
            "score",
            "modern/P@1>=0.1",
            2,
            "error: gate modern/P@1>=0.1: class 'modern' has no right answers, only what is to come"
            " first; name another class\n",
        ),
        ("score", "lookup/prefer>=0.1", 2, "error: gate lookup/prefer>=0.1: class 'lookup' has no"),
        ("compare", "lookup/RR>=0.7", 0, ""),
        ("compare", "lookup/RR>=baseline+0.1", 1, "+0.1: new has 0.7500, the baseline 0.7500\n"),
        ("compare", "modern/prefer>=baseline", 1, "gate not met: modern/prefer>=baseline: new has"),
        ("compare", "modern/prefer>=0.1", 1, "gate not met: modern/prefer>=0.1: new has 0.0000\n"),
        # A number is not for the baseline here, which has 0.
        ("compare", "cross-source/authority>=0.9", 0, ""),
    ],
)
def test_gates_of_a_class(command, gate, code, said):
    found = judge_tui(command, *BY, "--require", gate, code=code).stderr
    told = "".join(
        f"{line}\n" for line in found.splitlines() if line.startswith(("gate not met", "error"))
    )
    assert said in told
    assert bool(told) == bool(code)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_gate_of_a_class_without_grades_is_refused_before_a_run_is_read(tmp_path, command):
    (tmp_path / "qrels").write_text("a 0 x 1\n")
    (tmp_path / "queries.jsonl").write_text(
        '{"query_id": "a", "text": "a", "class": "easy"}\n'
        '{"query_id": "b", "text": "b", "class": "hard"}\n'
    )
    for name in ("one.run", "two.run"):
        (tmp_path / name).write_text("no run at all\n")
    paths = [str(tmp_path / name) for name in ("qrels", "one.run", "two.run", "queries.jsonl")]
    words = (command, *paths[:3], "--by", "class", "--queries", paths[3], "-m", "RR")
    found = judge_tui(*words, "--require", "hard/RR>=0.1", code=2)
    assert found.stderr == (
        "error: gate hard/RR>=0.1: class 'hard' has no right answers; name another class\n"
    )
    assert "one.run:1: " in judge_tui(*words, "--require", "easy/RR>=0.1", code=2).stderr


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_gate_of_a_class_needs_classes(command):
    refused = judge_tui(command, *FILES, "--require", "lookup/RR>=0.1", code=2).stderr
    assert refused == "error: gate lookup/RR>=0.1 is of a class of queries; add --by class\n"


@pytest.mark.parametrize(
    ("command", "gate"),
    [
        ("compare", "attribute/P@5>=baseline"),
        ("compare", "new:attribute/P@5>=baseline"),
        ("compare", "P@5>=baseline"),
        ("score", "attribute/P@5>=0.6000000000000001"),
        ("score", "P@5>=0.6000000000000001"),
    ],
)
def test_the_order_in_which_values_are_added_fails_no_gate(folder, command, gate):
    # The fifths of old add up to 3.0000000000000004, those of new, the same ones, to 3.
    hits = {"old": (1, 2, 4, 5, 3), "new": (5, 4, 3, 2, 1)}
    answers = [
        {"query": f"a{n}", "class": "attribute", "expected": list("vwxyz")} for n in range(5)
    ]
    (folder / "shares.json").write_text(json.dumps(answers))
    for tag, counts in hits.items():
        lines = (
            f"q{n:03} Q0 {doc} {rank} {-rank} {tag}\n"
            for n, count in enumerate(counts, 1)
            for rank, doc in enumerate("vwxyz"[:count], 1)
        )
        (folder / f"{tag}.run").write_text("".join(lines))
    words = ("--answers", "shares.json", "old.run", "new.run", "--by", "class", "--require", gate)
    judge_tui(command, *words, "-m", "P@5")


def spelt(folder: Path) -> None:
    """The answers once more, every class and subset in another spelling each time."""
    spellings = {
        "lookup": iter(("LOOKUP", "Canonical Lookups")),
        "modern": iter(("Modern before legacy", "prefer")),
        "attribute": iter(("Attributes",)),
        "cross-source": iter(("Cross source",)),
    }
    answers = [
        {**one, **({"class": next(spellings[one["class"]])} if "class" in one else {})}
        | ({"subset": one["subset"].upper()} if "subset" in one else {})
        for one in ANSWERS
    ]
    (folder / "answers.json").write_text(json.dumps(answers))


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("form", ["json", "table", "csv"])
def test_spellings_are_no_classes_of_their_own(folder, command, form):
    plain = judge_tui(command, *BY, "-f", form).output
    spelt(folder)
    assert judge_tui(command, *BY, "-f", form).output == plain


@pytest.mark.parametrize("command", [("score", *FILES), ("results", "--db", "campaign.db")])
def test_nor_are_capitals_subsets_of_their_own(folder, command):
    answers = [
        {**one, "subset": name}
        for one, name in zip(ANSWERS, ("Hard", "hard", "HARD", *[""] * 4), strict=True)
    ]
    (folder / "answers.json").write_text(json.dumps(answers))
    db = ("--db", "campaign.db")
    judge_tui("init", "--name", "c", *db)
    for load in (("queries", "answers.json"), ("run", "old.run", "new.run")):
        judge_tui("load", *load, *db)
    judge_tui("load", "answers", "answers.json", "--judge", "a", *db)
    told = judge_tui(*command, "--by", "subset", "-m", "RR").stdout
    rows = [line.split() for line in told.splitlines() if line.strip().lower().startswith("hard")]
    assert [row[0] for row in rows] == ["hard", "hard"]


@pytest.mark.parametrize("gate", ["LOOKUP/RR>=0.7", "new:canonical-lookups/RR>=0.7"])
def test_a_gate_names_a_class_in_any_spelling(folder, gate):
    spelt(folder)
    judge_tui("score", *BY, "--require", gate)
    judge_tui("compare", *BY, "--require", gate)


def test_measures_of_a_file_are_for_a_class_in_any_spelling(folder):
    (folder / "m.toml").write_text('[classes.Lookups]\nmeasures = ["P@3"]\n')
    text = judge_tui("score", *BY, "--class-measures", "m.toml", "-f", "csv").stdout
    assert {row["measure"] for row in rows_of(text, "lookup")} == {"P@3"}
    (folder / "m.toml").write_text(
        '[classes.Lookups]\nmeasures = ["P@3"]\n[classes.lookup]\nmeasures = ["RR"]\n'
    )
    refused = judge_tui("score", *BY, "--class-measures", "m.toml", code=2).stderr
    assert refused == "error: m.toml: class 'lookup' is there twice; put them together\n"


def rows_of(text: str, name: str) -> list[dict[str, str]]:
    return [row for row in csv.DictReader(io.StringIO(text)) if row["slice"] == f"class={name}"]


def test_a_heading_says_over_how_many_queries_the_means_are(folder):
    # Of the look-ups, new has nothing for the hard one.
    (folder / "new.run").write_text(run_file({name: NEW[name] for name in "acdef"}, "new"))
    text = judge_tui("score", *BY).stdout
    assert "Class lookup by subset: 1 to 2 queries\n" in text
    assert "  standard (1)  hard (0 to 1)\n" in text
    whole = judge_tui("score", *BY, "--complete").stdout
    assert "Class lookup by subset: 2 queries\n" in whole
    assert "  standard (1)  hard (1)\n" in whole


@pytest.mark.parametrize("command", ["score", "compare"])
def test_by_subset_too_queries_that_name_none_are_standard_ones(folder, command):
    shown = judge_tui(command, *FILES, "--by", "subset", "-m", "P@5").stdout
    assert "(none)" not in shown
    assert "Subset hard, modern before legacy: 1 query\n" in shown
    assert "Subset standard, modern before legacy: 1 query\n" in shown
    assert "Class" not in shown
    # The share of its own subset would be the same once more.
    assert "hard (1)" not in shown
    assert "standard (1)" not in shown
    document = json.loads(judge_tui(command, *FILES, "--by", "subset", "-f", "json").stdout)
    for one in (*document["prefer"], *document["authority"]):
        assert [its["subsets"] for its in (one, *one["systems"].values())] == [{}, {}, {}]
    assert "prefer.subsets" not in judge_tui(command, *FILES, "--by", "subset", "-f", "csv").stdout
    if command == "compare":
        assert "Demands on the order, compared\nsubset " in shown
    (folder / "queries.jsonl").write_text(
        '{"query_id": "q1", "text": "a", "subset": "Hard"}\n{"query_id": "q2", "text": "b"}\n'
    )
    (folder / "qrels").write_text("q1 0 x 1\nq2 0 x 1\n")
    (folder / "one.run").write_text("q1 Q0 x 1 1 one\nq2 Q0 x 1 1 one\n")
    judge_tui("init")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "one.run")
    judge_tui("load", "qrels", "qrels", "--judge", "ann")
    found = json.loads(judge_tui("results", "--by", "subset", "-f", "json").stdout)
    assert {one["slice"] for one in found["slices"]} == {"hard", "standard"}
    asked = judge_tui("score", "--db", "campaign.db", "--by", "subset", "-f", "json").stdout
    assert list(json.loads(asked)["runs"][0]["slices"]) == ["hard", "standard"]


def both_files(folder: Path, answer: dict[str, Any], query: dict[str, Any]) -> tuple[str, ...]:
    """Answers to one query, a queries file, and runs."""
    answers = [{"query_id": "q1", "query": "a", "expected": "old/1", **answer}]
    queries = [{"query_id": "q1", "text": "a", **query}]
    (folder / "right.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
    for tag in ("one", "two"):
        (folder / f"{tag}.run").write_text(f"q1 Q0 new/1 1 2 {tag}\nq1 Q0 old/1 2 1 {tag}\n")
    (folder / "systems.toml").write_text(
        "".join(
            f"""[systems.{name}]
kind = "command"
argv = ["sh", "-c", "echo '[\\"new/1\\", \\"old/1\\"]'", "sh", "{{query}}"]
results = "[*]"
id = "@"
"""
            for name in ("one", "two")
        )
    )
    return "--answers", "right.jsonl", "--queries", "queries.jsonl"


def of_both(command: str) -> tuple[str, ...]:
    """What else the command takes, with which it prints JSON by class."""
    if command == "evaluate":
        return "systems.toml", "-o", "out", "-f", "json"
    return "one.run", "two.run", "--by", "class", "-f", "json"


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("answer", "query", "said"),
    [
        ({"class": "lookup"}, {"class": "synonym"}, ("class", "'lookup'", "'synonym'")),
        ({"subset": "easy"}, {"subset": "hard"}, ("subset", "'easy'", "'hard'")),
        (
            {"class": "modern", "prefer": PREFER},
            {"prefer": {"better": "^old/", "worse": "^new/"}},
            ("prefer", json.dumps(PREFER), '{"better": "^old/", "worse": "^new/"}'),
        ),
        (
            {"authority": ["^new/", "^old/"]},
            {"authority": ["^old/", "^new/"]},
            ("authority", '["^new/", "^old/"]', '["^old/", "^new/"]'),
        ),
    ],
)
def test_what_two_files_say_differently_of_a_query_is_refused(folder, command, answer, query, said):
    files = both_files(folder, answer, query)
    refused = judge_tui(command, *files, *of_both(command), code=2).stderr
    name, of_answers, of_query = said
    assert refused.startswith(
        f"error: right.jsonl:1: query 'q1' has {name} {of_answers} here, and {of_query} in"
        " queries.jsonl:1; mend one"
    )


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("spoken", ["answers", "queries"])
def test_what_one_of_them_says_holds(folder, command, spoken):
    its = {"class": "modern", "subset": "hard", "prefer": PREFER}
    same = {"class": "Modern", "subset": "Hard", "prefer": dict(reversed(PREFER.items()))}
    answer, query = (its, {}) if spoken == "answers" else ({"class": "modern"}, same)
    files = both_files(folder, answer, query)
    document = json.loads(judge_tui(command, *files, *of_both(command)).stdout)
    (modern,) = document["prefer"]
    assert modern["class"] == "modern"
    assert {tag: one["share"] for tag, one in modern["systems"].items()} == {"one": 1, "two": 1}
    assert "hard" in json.dumps(modern)


@pytest.mark.parametrize("gate", ["old:RR>=baseline-0.1", "old:lookup/RR>=baseline"])
def test_a_baseline_is_not_held_to_itself(folder, gate):
    by = BY if "/" in gate else ("q", "old.run", "new.run")
    (folder / "q").write_text("q001 0 x 1\nq002 0 y 1\n")
    refused = judge_tui("compare", *by, "--require", gate, code=2)
    assert refused.stderr.startswith(f"error: gate {gate} holds old to itself: it is the baseline")
    assert refused.stdout == ""


@pytest.mark.parametrize(
    ("lost", "gate", "code", "why"),
    [
        ("ab", "lookup/RR>=baseline-1", 1, "any query of class 'lookup'"),
        ("ab", "modern/prefer>=baseline-1", 0, ""),
        ("de", "modern/prefer>=baseline-1", 1, "any query of class 'modern'"),
        ("de", "lookup/RR>=baseline-1", 0, ""),
        ("d", "modern/prefer>=baseline-1", 0, ""),
        ("abcd", "no-regression", 1, "4 of 7 queries"),  # of which 3 have what comes first alone
        ("cdef", "no-regression", 1, "4 of 7 queries"),
        ("def", "no-regression", 1, "any query of class 'cross-source'"),
        ("de", "no-regression", 1, "any query of class 'modern'"),
        ("a", "no-regression", 0, ""),  # 1 of 2 of its class
    ],
)
def test_a_baseline_is_judged_by_the_queries_that_a_gate_is_about(folder, lost, gate, code, why):
    found = {query: docs for query, docs in OLD.items() if query not in lost}
    (folder / "old.run").write_text(run_file({**dict.fromkeys(lost, ""), **found}, "old"))
    result = judge_tui("compare", *BY, "--complete", "--require", gate, code=code)
    assert ("the baseline, old, found nothing for" in result.stderr) is bool(why)
    assert f"found nothing for {why}" in result.stderr or not why


def test_no_regression_doubts_every_part_that_has_verdicts_of_its_own(folder):
    found = {query: docs for query, docs in OLD.items() if query not in "be"}
    (folder / "old.run").write_text(run_file(found, "old"))
    asked = ("compare", *FILES, "--complete", "--require", "no-regression")
    # With b and e hard ones are lost, and standard ones are not; of all queries 2 of 7 are.
    doubt = (
        "gate not met: no-regression: the baseline, old, found nothing for any query of subset"
        " 'hard', so that nothing can be held to it; look at how it is set up"
    )
    result = judge_tui(*asked, "--by", "subset", "-m", "P@5", code=1)
    assert [one for one in result.stderr.splitlines() if one.startswith("gate")] == [doubt]
    assert "gate" not in judge_tui(*asked, "-m", "P@5").stderr


def test_a_gate_that_is_of_no_class_says_how_to_ask_it(folder):
    refused = judge_tui("score", *BY, "--require", "RR>=0.1", code=2).stderr
    assert "gate RR>=0.1 is over all queries" in refused
    assert "ask it of a class, as lookup/RR>=0.1, or" in refused
    by_subset = (*FILES, "--by", "subset", "--require", "hard/P@5>=0.05")
    refused = judge_tui("score", *by_subset, code=2).stderr
    assert "--by subset makes no classes; ask it of a class, with --by class" in refused


@pytest.mark.parametrize("command", ["score", "compare"])
def test_queries_of_which_none_has_grades_are_refused_with_an_id_of_each_side(
    tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    Path("qr").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    for tag in "ab":
        Path(f"{tag}.run").write_text(f"q1 Q0 d1 1 2 {tag}\nq2 Q0 d3 1 2 {tag}\n")
    Path("q.csv").write_text("query_id,query,class\nQ1,one,x\nQ2,two,y\n")
    words = [command, "qr", "a.run", "b.run", "--by", "class", "--queries", "q.csv", "-m", "RR"]
    refused = CliRunner().invoke(cli, words)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == (
        "error: q.csv: none of its queries is in qr, such as 'Q1' here and 'q1' there; look at the"
        " ids\n"
    )
    Path("q.csv").write_text("query_id,query,class\nQ1,one,x\nq2,two,y\n")
    assert CliRunner().invoke(cli, words).exit_code == 0
