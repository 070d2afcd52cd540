"""`judge-tui report`: the page says what the other commands say, to people who were not there."""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import open_campaign
from judge_tui.campaign.adjudication import settle
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import add_judge, find_judge
from judge_tui.cli import cli
from judge_tui.report.layout import difference, number, probability
from tests.end_to_end.hostile import EVERYTHING, JUDGE, NAME, write_files
from tests.report.evaluation import DB, done, make_evaluation, page

SECTIONS = [
    "collection",
    "judges",
    "systems",
    "differences",
    "queries",
    "failures",
    "ranks",
    "slices",
    "divided",
    "caveats",
    "method",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    make_evaluation(tmp_path)
    return tmp_path


def markdown(*arguments: str) -> str:
    done("report", "-o", "page.md", *arguments)
    return Path("page.md").read_text(encoding="utf-8")


def bob_grades_again() -> None:
    """Twelve pairs, as hidden repeats."""
    with open_campaign(Path(DB)) as campaign:
        judge = find_judge(campaign, "bob")
        assert judge is not None
        for pair in range(1, 13):
            append_event(
                campaign, judge=judge.key, pair=pair, action="grade", grade=pair % 3, turn=1
            )


def refused(*arguments: str) -> str:
    result: Result = CliRunner().invoke(cli, ["report", *arguments])
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    return result.stderr.removeprefix("error: ")


def forget_runs(*kept: str) -> None:
    """As if only these had been loaded."""
    with sqlite3.connect(DB) as connection:
        others = f"(SELECT id FROM runs WHERE tag NOT IN ({', '.join('?' * len(kept))}))"
        connection.execute(f"DELETE FROM results WHERE run IN {others}", kept)
        connection.execute(f"DELETE FROM runs WHERE id IN {others}", kept)
    connection.close()


def test_the_systems_are_those_of_score(folder: Path) -> None:
    scored = json.loads(done("score", "--db", DB, "--bounds", "-f", "json"))
    board = page().tables["Systems by nDCG@10"]
    assert board[0] == [
        "system", "nDCG@10", "low", "high", "least", "greatest", "Judged@10", "queries",
    ]  # fmt: skip
    by_tag = {row[0]: row for row in board[1:]}
    for run in scored["runs"]:
        _, mean, _, _, least, greatest, judged, queries = by_tag[run["tag"]]
        assert mean == number(run["mean"]["nDCG@10"])
        assert [least, greatest] == [number(end) for end in run["bounds"]["nDCG@10"]]
        assert judged == number(run["mean"]["Judged@10"])
        assert queries == str(run["queries"])
    means = [float(row[1]) for row in board[1:]]
    assert means == sorted(means, reverse=True)


def test_the_differences_are_those_of_compare(folder: Path) -> None:
    compared = json.loads(done("compare", "--db", DB, "-f", "json"))["comparisons"]
    read = page()
    rows = {row[0]: row[1:] for row in read.tables["By nDCG@10, beside base"][1:]}
    verdicts = read.tables["Verdicts by the other measures"]
    assert {one["tag"] for one in compared} == set(rows) == {"good", "poor"}
    for one in compared:
        if one["measure"] != "nDCG@10":
            place = verdicts[0].index(one["measure"])
            assert {row[0]: row[place] for row in verdicts[1:]}[one["tag"]] == one["verdict"]
            continue
        assert rows[one["tag"]] == [
            difference(one["delta"]),
            *(difference(end) for end in one["ci95"]),
            *(str(one[count]) for count in ("wins", "ties", "losses")),
            *(probability(test["p_adjusted"]) for test in one["tests"].values()),
            number(one["effect_size"]),
            one["verdict"],
        ]


def test_the_answer_is_the_verdict(folder: Path) -> None:
    compared = json.loads(done("compare", "--db", DB, "-f", "json"))["comparisons"]
    verdicts = {one["tag"]: one["verdict"] for one in compared if one["measure"] == "nDCG@10"}
    assert verdicts == {"good": "better", "poor": "worse"}
    assert "Yes: good is better than base; poor is worse." in page().text
    assert "No: base and poor are worse than good." in page("--baseline", "good").text


def test_the_agreement_is_that_of_agreement(folder: Path) -> None:
    agreed = json.loads(done("agreement", "--db", DB, "-f", "json"))
    read = page()
    rows = {row[0]: row[1:] for row in read.tables["Agreement of all judges"][1:]}
    for metric, alpha in agreed["alpha"].items():
        assert rows[f"alpha {metric}"][:3] == [number(alpha["value"]), *map(number, alpha["ci95"])]
    (two,) = agreed["between"]
    ((_, pairs, same, kappa, weighted, *_rest),) = read.tables["Every two judges"][1:]
    assert [pairs, same, kappa, weighted] == [
        str(two["pairs"]),
        number(two["agreement"]),
        number(two["kappa"]),
        number(two["kappa_quadratic"]),
    ]
    (order,) = agreed["system_order"]["between"]
    (caption,) = [one for one in read.tables if one.startswith("The order of the systems")]
    ((_, _, _, tau, tau_ap, swaps, _),) = read.tables[caption][1:]
    assert [tau, tau_ap] == [number(order["tau"]), number(order["tau_ap"])]
    assert swaps == (" and ".join(f"{a} with {b}" for a, b in order["swaps"]) or "none")


def test_the_hash_is_that_of_the_exported_qrels(folder: Path) -> None:
    done("export", "qrels", "--db", DB, "-o", "out.qrels", "--unresolved", "skip")
    exported = json.loads(Path("out.qrels.provenance.json").read_text())
    assert exported["sha256"] in page().text
    assert f"{exported['counts']['pairs']:,} pairs have a final grade" in page().text


def test_it_is_the_same_bytes_each_time_without_a_path_or_a_date(folder: Path) -> None:
    for name in ("page.html", "page.md"):
        done("report", "-o", name)
        first = Path(name).read_bytes()
        done("report", "-o", name)
        assert Path(name).read_bytes() == first
        assert str(folder).encode() not in first
        assert not re.search(rb"20\d\d-\d\d-\d\d", first)


def test_the_page_needs_nothing_from_elsewhere(folder: Path) -> None:
    read = page()  # the tags and attributes are those that are let in
    html = Path("page.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//[a-z]|<script|@import|url\(|javascript", html)
    assert read.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "@media print" in read.style


def test_the_style_is_let_in_by_its_hash(folder: Path) -> None:
    import base64
    import hashlib

    read = page()
    digest = base64.b64encode(hashlib.sha256(read.style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in read.policy


def test_markdown_says_the_same(folder: Path) -> None:
    text = markdown()
    read = page()
    assert [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")] == [
        words for key, words in read.sections.items() if key != "contents"
    ]
    for caption, rows in read.tables.items():
        assert f"### {caption}\n" in text
        for row in rows[1:]:
            assert all(cell.split(" ")[0] in text for cell in row)


def test_letters_hide_every_name(folder: Path) -> None:
    done("load", "qrels", "--db", DB, "ann.qrels", "--judge", "policymaker")
    arguments = ("--anonymous", "--policy", "judge:policymaker")
    for text in (page(*arguments).text, markdown(*arguments)):
        assert not re.search(r"\b(ann|bob|policymaker)\b", text)
        assert re.search(r"policy judge:[ABC]\b", text)
    read = page(*arguments)
    named = page("--policy", "judge:policymaker")
    assert [row[0] for row in read.tables["Who judged how much"][1:]] == ["A", "B", "C"]
    assert sorted(row[1:] for row in read.tables["Who judged how much"]) == sorted(
        row[1:] for row in named.tables["Who judged how much"]
    )
    assert read.tables["Systems by nDCG@10"] == named.tables["Systems by nDCG@10"]


def test_one_run_has_no_differences(folder: Path) -> None:
    forget_runs("base")
    read = page()
    assert "There is one system, base, and nothing to compare it with." in read.text
    assert "By nDCG@10, beside base" not in read.tables
    assert "queries" not in read.sections


def test_why_there_is_no_p_is_said_wherever_a_verdict_is(folder: Path) -> None:
    """A run that is the baseline but for three queries, for which it has one document less."""
    lines = Path("base.run").read_text().splitlines()
    gone = {("q01", "d1"), ("q02", "d1"), ("q03", "d1")}
    near = [line for line in lines if tuple(line.split()[:3:2]) not in gone]
    Path("near.run").write_text("\n".join(line.replace(" base", " near") for line in near) + "\n")
    done("load", "run", "near.run")
    forget_runs("base", "near")
    read = page()
    why = r"the runs differ for [0-3] of 24 queries; the test needs 6"
    assert re.search(rf"near: no difference is shown, nDCG@10 .*; no p: {why}\)", read.text)
    assert re.search(rf"No p wilcoxon for near: {why}\.", read.text)
    assert re.search(rf"No p by P@5 for near: {why}\.", read.text)
    assert re.search(rf"No p by P@5 for near: {why}\.", markdown().replace("\\", ""))


def test_refusals_write_nothing(folder: Path) -> None:
    assert "neither HTML nor Markdown" in refused("-o", "page.pdf")
    assert "no run 'god'; did you mean 'good'?" in refused("-o", "x.html", "--baseline", "god")
    assert "no policy" in refused("-o", "x.html", "--policy", "mode")
    assert "does not make a run better" in refused("-o", "x.html", "-m", "Judged@5")
    assert "are unresolved, judged but not decided" in refused(
        "-o", "x.html", "--unresolved", "refuse"
    )
    assert "AP(rel=7)" not in refused("-o", "gone/x.html")
    assert not Path("x.html").exists()
    Path("campaign.html").write_bytes(Path(DB).read_bytes())
    assert "SQLite" in refused("-o", "campaign.html")


def test_nobody_judged_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_evaluation(tmp_path, judges=())
    assert "nobody has judged yet" in refused("-o", "x.html")
    assert not Path("x.html").exists()


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;--><!--]]>"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign in which everything that others write attacks the terminal and the page."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    done("init", "--name", SCRIPT + NAME, "--scale", f"0={SCRIPT.replace(',', '')},1=b,2=c")
    done("load", "queries", "q.jsonl")
    done("load", "run", "r.run")
    done("load", "run", "r.run", "--tag", SCRIPT)
    done("load", "docs", "d.jsonl")
    done("pool")
    done("load", "qrels", "a.qrels", "--judge", JUDGE)
    done("load", "qrels", "gold.qrels", "--judge", "<script>alert(3)</script>")
    with sqlite3.connect(DB) as connection:
        connection.execute("UPDATE queries SET text = ?, class = ?", (SCRIPT, SCRIPT))
        connection.execute("UPDATE documents SET title = ?1 || title, kind = ?1 || kind", (SCRIPT,))
    connection.close()
    return tmp_path


def test_a_hostile_campaign_makes_a_harmless_page(hostile: Path) -> None:
    for more in ((), ("--baseline", SCRIPT), ("--anonymous",)):
        read = page(*more)
        assert SCRIPT in read.text.replace("  ", " ")
        html = Path("page.html").read_text(encoding="utf-8")
        unsafe = {char for char in html if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")}
        assert unsafe == {"\n"}
        assert not set(EVERYTHING) & set(html) & {"\u202e", "\u2066", "\u200b", "\ufeff", "\x9b"}


def test_a_hostile_campaign_makes_harmless_markdown(hostile: Path) -> None:
    text = markdown()
    assert not re.search(r"(?<!\\)<(script|img)", text)
    assert not re.search(r"(?<!\\)\]\(", text)
    unsafe = {char for char in text if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")}
    assert unsafe == {"\n"}


def test_what_the_lead_settled_alone_has_no_agreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_evaluation(tmp_path, judges=())
    with open_campaign(Path(DB)) as campaign:
        lead = add_judge(campaign, "Lea", role="lead")
        for pair in range(1, 9):
            settle(campaign, lead, pair, pair % 3)
    read = page()
    assert "8 pairs have a final grade: 8 settled by the lead." in read.text
    assert "no judge's grades count here, only what the lead settled" in read.text
    assert read.tables["Who judged how much"][1][-1] == "8"


def test_gold_pairs_show_how_each_judge_grades(folder: Path) -> None:
    gold = Path("bob.qrels").read_text().splitlines()[:40]
    Path("gold.qrels").write_text("\n".join(gold) + "\n")
    done("assign", "--db", DB, "--judges", "ann,bob", "--gold", "gold.qrels")
    agreed = json.loads(done("agreement", "--db", DB, "-f", "json"))["gold"]
    table = page().tables["Each judge"]
    assert table[0][-2:] == ["gold pairs", "as the gold"]
    assert {row[0]: row[-2:] for row in table[1:]} == {
        name: [str(one["pairs"]), number(one["agreement"])] for name, one in agreed.items()
    }
    assert agreed["bob"]["agreement"] == 1 > agreed["ann"]["agreement"]


def test_a_run_that_answers_no_judged_query_is_told(folder: Path) -> None:
    Path("queries.tsv").write_text("q99\tnobody judged this\n")
    Path("odd.run").write_text("q99 Q0 d1 1 1 odd\n")
    done("load", "queries", "--db", DB, "queries.tsv")
    done("load", "run", "--db", DB, "odd.run")
    assert "odd is not compared: it shares no judged query with the baseline." in page().text
    read = page("--baseline", "odd")
    assert "Nothing can be compared with odd: the baseline 'odd' answers no judged query" in (
        read.text
    )
    assert read.tables["Systems by nDCG@10"][-1] == ["odd", "-", "-", "-", "-", "-", "-", "0"]


@pytest.mark.parametrize(
    "measures", [("GMAP",), ("SetP",), ("infAP", "Bpref"), ("NumRet", "ERR@5"), ("AP(rel=2)",)]
)
def test_it_goes_by_the_first_measure_of_quality(folder: Path, measures: tuple[str, ...]) -> None:
    options = [part for name in measures for part in ("-m", name)]
    scored = json.loads(done("score", "--db", DB, *options, "-f", "json"))
    goes_by = next(name for name in scored["measures"] if name != "NumRet")
    board = page(*options).tables[f"Systems by {goes_by}"]
    means = {run["tag"]: number(run["mean"][goes_by]) for run in scored["runs"]}
    assert {row[0]: row[1] for row in board[1:]} == means


def test_a_judge_who_would_put_another_system_first_is_told(folder: Path) -> None:
    """carl grades the wrong way round, and so prefers the run that ranks that way."""
    lines = [line.split() for line in Path("bob.qrels").read_text().splitlines()]
    Path("carl.qrels").write_text("".join(f"{q} 0 {d} {2 - int(g)}\n" for q, _, d, g in lines))
    done("load", "qrels", "--db", DB, "carl.qrels", "--judge", "carl")
    order = json.loads(done("agreement", "--db", DB, "-f", "json"))["system_order"]
    (changed,) = [one for one in order["winners"] if one["changed"]]
    assert (changed["judge"], changed["tags"], order["winner"]) == ("carl", ["poor"], ["good"])
    read = page()
    assert "By the final grades good is first by nDCG@10." in read.text
    assert "in their place: poor with those of carl." in read.text
    table = read.tables["The order of the systems by each of two judges, on the pairs of both"]
    for row, two in zip(sorted(table[1:]), sorted(order["between"], key=str), strict=True):
        assert row[0] == " and ".join(two["judges"])
        for change in two["verdicts_changed"]:
            assert f"{change['tag']} ({' → '.join(change['verdicts'])})" in row[-1]


def test_hidden_repeats_show_who_grades_the_same_again(folder: Path) -> None:
    bob_grades_again()
    own = json.loads(done("agreement", "--db", DB, "-f", "json"))["self"]
    table = page().tables["Each judge"]
    assert table[0][-2:] == ["repeats", "same again"]
    assert {row[0]: row[-2:] for row in table[1:]} == {
        "ann": ["0", "-"],
        "bob": ["12", number(own["bob"]["agreement"])],
    }


def test_details_are_of_the_best_systems_and_the_baseline_where_they_are_many(folder: Path) -> None:
    for copy in range(14):
        done("load", "run", "--db", DB, "good.run", "--tag", f"copy{copy:02}")
    read = page("--baseline", "poor")
    assert len(read.tables["Systems by nDCG@10"][1:]) == 17
    for caption in (
        "nDCG@10 by class of query",
        "Queries with nothing relevant in the first 10",
        "Rank of the first relevant document (queries by rank)",
    ):
        tags = [row[0] for row in read.tables[caption][1:]]
        assert (len(tags), tags[0], tags[-1]) == (12, "good", "poor")
    assert read.text.count("5 more systems not shown.") == 6
    assert "12 more systems not shown here." in read.text  # query by query


def test_over_how_many_comparisons_p_is_corrected_is_said(folder: Path) -> None:
    for measures in ((), ("-m", "nDCG@10"), ("-m", "nDCG@10", "-m", "P@5")):
        compared = json.loads(done("compare", "--db", DB, *measures, "-f", "json"))["comparisons"]
        count = len(compared)
        text = page(*measures).text
        assert text.count(f"corrected for {count} comparisons") == 2  # a line for each system
        assert f"corrected for all {count} comparisons, systems by measures; the intervals" in text
        assert f"for {count} comparisons, all systems by all measures; low and high," in text
        assert "nDCG@10 alone, 2 comparisons, on the pairs of both." in text


def test_the_best_is_compared_with_the_second_best_by_itself(folder: Path) -> None:
    every = json.loads(done("compare", "--db", DB, "-f", "json"))["comparisons"]
    (one,) = [one for one in every if (one["tag"], one["measure"]) == ("good", "nDCG@10")]
    text = page("--baseline", "poor").text
    (said,) = re.findall(r"The best beside the second best: (.*?) This is a comparison", text)
    assert said.startswith("good is ahead of base by more than chance would explain, nDCG@10")
    assert f"a difference of {difference(one['delta'])} (95 % interval" in said
    assert f"; p {probability(one['tests']['wilcoxon']['p'])});" in said
    assert f"ahead on {one['wins']} of" in said
    assert "p is not corrected, though the two were picked by their means" in text
    assert "The best beside the second best" not in page().text  # that is in the family


def test_the_best_that_is_level_with_the_second_is_not_shown_to_be_better(folder: Path) -> None:
    done("load", "run", "--db", DB, "good.run", "--tag", "twin")
    text = page().text
    assert "good is not shown to be better than twin, nDCG@10" in text
    assert "a difference of 0.0000" in text


def test_a_judge_who_shares_little_with_the_others_is_not_counted(folder: Path) -> None:
    """dora graded two documents of each query, and the wrong way round."""
    lines = [line.split() for line in Path("bob.qrels").read_text().splitlines()]
    Path("dora.qrels").write_text(
        "".join(f"{q} 0 {d} {2 - int(g)}\n" for q, _, d, g in lines if d in ("d1", "d2"))
    )
    before = page().text
    done("load", "qrels", "--db", DB, "dora.qrels", "--judge", "dora")
    order = json.loads(done("agreement", "--db", DB, "-f", "json"))["system_order"]
    changed = {" and ".join(two["judges"]): bool(two["swaps"]) for two in order["between"]}
    assert changed == {"ann and bob": False, "ann and dora": True, "bob and dora": True}
    assert not any(one["changed"] for one in order["winners"])
    read = page()
    said = (
        "good is first by nDCG@10 with the final grades, and with those of any one judge in their"
        " place. It does not matter for the order of the systems which of the judges graded."
    )
    assert said in before
    assert said in read.text
    assert "2 pairs of judges share too little to be counted" in read.text
    assert "share too little" not in before
    table = read.tables["The order of the systems by each of two judges, on the pairs of both"]
    assert table[1][0] == "ann and bob"


def test_a_lead_who_undid_what_was_settled_is_no_judge(folder: Path) -> None:
    with open_campaign(Path(DB)) as campaign:
        lead = add_judge(campaign, "zoe", role="lead")
        event = settle(campaign, lead, 1, 1)
    assert [row[0] for row in page().tables["Who judged how much"]] == [
        "judge",
        "ann",
        "bob",
        "zoe",
    ]
    with open_campaign(Path(DB)) as campaign:
        append_event(campaign, judge=lead.key, pair=1, action="undo", target=event.id)
    assert [row[0] for row in page().tables["Who judged how much"]] == ["judge", "ann", "bob"]


def test_graded_says_how_many_were_hidden_repeats(folder: Path) -> None:
    assert "Hidden repeats" not in page().text
    bob_grades_again()
    read = page()
    graded = {row[0]: row[2] for row in read.tables["Who judged how much"]}["bob"]
    assert f"are among them: 12 of bob’s {graded}." in read.text
