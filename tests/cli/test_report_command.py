"""`judge-tui report`: the page says what the other commands say, to people who were not there."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.adjudication import settle, undo_settling
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.cli import cli
from judge_tui.report.layout import difference, number, probability
from tests.end_to_end.hostile import EVERYTHING, JUDGE, NAME, write_files
from tests.report.evaluation import DB, done, make_evaluation, page


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the campaign, made once: each test takes a copy."""
    folder = tmp_path_factory.mktemp("evaluation")
    make_evaluation(folder)
    return folder


@pytest.fixture
def folder(evaluation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    shutil.copytree(evaluation, tmp_path, dirs_exist_ok=True)
    return tmp_path


def markdown(*arguments: str) -> str:
    done("report", "-o", "page.md", "--force", *arguments)
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
    board = page().table("By nDCG@10, beside base")
    by_tag = {row[0]: dict(zip(board[0], row, strict=True)) for row in board[1:]}
    for run in scored["runs"]:
        row = by_tag[run["tag"]]
        assert row["nDCG@10"] == number(run["mean"]["nDCG@10"])
        assert [row["least"], row["greatest"]] == [number(end) for end in run["bounds"]["nDCG@10"]]
        assert row["Judged@10"] == number(run["mean"]["Judged@10"])
        assert row["queries"] == str(run["queries"])
    means = [float(row[2]) for row in board[1:]]
    assert means == sorted(means, reverse=True)


def test_the_differences_are_those_of_compare(folder: Path) -> None:
    compared = json.loads(done("compare", "--db", DB, "-f", "json"))["comparisons"]
    read = page()
    rows = {tuple(row[:2]): row for row in read.tables["Compared with base"][1:]}
    tests = {tuple(row[:2]): row for row in read.table("Tests")[1:]}
    assert len(compared) == len(rows) == len(tests)
    for one in compared:
        which = one["measure"], one["tag"]
        assert rows[which][5] == difference(one["delta"])
        assert rows[which][-1] == one["verdict"]
        assert rows[which][7:10] == [str(one[count]) for count in ("wins", "ties", "losses")]
        p = one["tests"]["wilcoxon"].get("p_adjusted")
        assert tests[which][4] == ("-" if p is None else probability(p))


def test_the_answer_is_the_verdict(folder: Path) -> None:
    text = page().text
    assert "First by nDCG@10: good, 0.9" in text
    assert "Beside base, better: good; worse: poor." in text
    assert "Beside good, worse: base, poor." in page("--baseline", "good").text


def test_the_agreement_is_that_of_agreement(folder: Path) -> None:
    agreed = json.loads(done("agreement", "--db", DB, "-f", "json"))
    read = page()
    rows = {row[0]: row[1:] for row in read.table("All judges")[1:]}
    for metric, alpha in agreed["alpha"].items():
        assert rows[f"alpha {metric}"][:3] == [number(alpha["value"]), *map(number, alpha["ci95"])]
    (two,) = agreed["between"]
    (header, row) = read.tables["Every two judges"]
    told = dict(zip(header, row, strict=True))
    for key, name in (("agreement", "agreement"), ("kappa_quadratic", "kappa quadratic")):
        assert told[name] == number(two[key])
    (order,) = agreed["system_order"]["between"]
    (caption,) = [one for one in read.tables if one.startswith("Order of the systems")]
    ((_, _, _, _, tau, tau_ap, *_),) = read.tables[caption][1:]
    assert [tau, tau_ap] == [number(order["tau"]), number(order["tau_ap"])]


def test_the_hash_is_that_of_the_exported_qrels(folder: Path) -> None:
    done("export", "qrels", "--db", DB, "-o", "out.qrels", "--unresolved", "skip")
    exported = json.loads(Path("out.qrels.provenance.json").read_text())
    assert exported["sha256"] in page().text


def test_it_is_the_same_bytes_each_time_without_a_path_or_a_date(folder: Path) -> None:
    for name in ("page.html", "page.md"):
        done("report", "-o", name, "--force")
        first = Path(name).read_bytes()
        done("report", "-o", name, "--force")
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
    assert read.tables["All measures"] == named.tables["All measures"]


def test_one_run_has_no_differences(folder: Path) -> None:
    forget_runs("base")
    read = page()
    assert "Beside base, nothing can be compared." in read.text
    assert "differences" not in read.sections


def test_refusals_write_nothing(folder: Path) -> None:
    assert "neither HTML nor Markdown" in refused("-o", "page.pdf")
    assert "no run 'god'; did you mean 'good'?" in refused("-o", "x.html", "--baseline", "god")
    assert "no policy" in refused("-o", "x.html", "--policy", "mode")
    assert "does not make a run better" in refused("-o", "x.html", "-m", "Judged@5")
    assert refused("-o", "gone/x.html").startswith("gone/x.html: cannot be written")
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
    assert read.tables["How pairs came to their final grade"][1] == ["settled by the lead", "8"]
    assert "Agreement of" not in read.text
    assert read.tables["Who judged how much"][1][-1] == "8"


def test_a_run_that_answers_no_judged_query_is_told(folder: Path) -> None:
    Path("queries.tsv").write_text("q99\tnobody judged this\n")
    Path("odd.run").write_text("q99 Q0 d1 1 1 odd\n")
    done("load", "queries", "--db", DB, "queries.tsv")
    done("load", "run", "--db", DB, "odd.run")
    assert "verdict on odd: it shares no judged query with the baseline." in page().text
    read = page("--baseline", "odd")
    assert "Beside odd, nothing can be compared." in read.text
    assert read.table("By nDCG@10, beside odd")[-1][:4] == ["odd", "0", "-", "-"]


@pytest.mark.parametrize(
    "measures", [("GMAP",), ("SetP",), ("infAP", "Bpref"), ("NumRet", "ERR@5"), ("AP(rel=2)",)]
)
def test_it_goes_by_the_first_measure_of_quality(folder: Path, measures: tuple[str, ...]) -> None:
    options = [part for name in measures for part in ("-m", name)]
    scored = json.loads(done("score", "--db", DB, *options, "-f", "json"))
    goes_by = next(name for name in scored["measures"] if name != "NumRet")
    board = page(*options).table(f"By {goes_by}, beside base")
    means = {run["tag"]: number(run["mean"][goes_by]) for run in scored["runs"]}
    assert {row[0]: row[2] for row in board[1:]} == means


def test_a_judge_who_would_put_another_system_first_is_told(folder: Path) -> None:
    """carl grades the wrong way round, and so prefers the run that ranks that way."""
    lines = [line.split() for line in Path("bob.qrels").read_text().splitlines()]
    Path("carl.qrels").write_text("".join(f"{q} 0 {d} {2 - int(g)}\n" for q, _, d, g in lines))
    done("load", "qrels", "--db", DB, "carl.qrels", "--judge", "carl")
    order = json.loads(done("agreement", "--db", DB, "-f", "json"))["system_order"]
    (changed,) = [one for one in order["winners"] if one["changed"]]
    assert (changed["judge"], changed["tags"], order["winner"]) == ("carl", ["poor"], ["good"])
    table = page().tables["Judges by whose grades another system is best"]
    assert table[1:] == [["final grades", "good"], ["carl", "poor"]]


def test_a_lead_who_undid_what_was_settled_is_no_judge(folder: Path) -> None:
    with open_campaign(Path(DB)) as campaign:
        lead = add_judge(campaign, "zoe", role="lead")
        settle(campaign, lead, 1, 1)
    assert [row[0] for row in page().tables["Who judged how much"]] == [
        "judge",
        "ann",
        "bob",
        "zoe",
    ]
    with open_campaign(Path(DB)) as campaign:
        undo_settling(campaign, lead)
    assert [row[0] for row in page().tables["Who judged how much"]] == ["judge", "ann", "bob"]


def test_graded_says_how_many_were_hidden_repeats(folder: Path) -> None:
    bob_grades_again()
    read = page()
    assert {row[0]: row[3] for row in read.tables["Who judged how much"]}["bob"] == "12"
    assert "Each judge against their own hidden repeats" in read.tables


def test_its_warnings_are_those_of_its_numbers(folder: Path) -> None:
    text = page().text
    assert "Queries in common: good and base 24, poor and base 24; with fewer than 30" in text
    assert "unresolved pairs" in text.lower()
