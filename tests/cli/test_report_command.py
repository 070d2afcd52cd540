"""`judge-tui report`: the page says what the other commands say, to people who were not there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import sqlite3
import unicodedata
from pathlib import Path

import pytest

from judge_tui.report.layout import short_difference, short_number, short_probability
from tests.as_typed import judge_tui, refused
from tests.end_to_end.hostile import EVERYTHING, JUDGE, write_files
from tests.report.evaluation import DB, done, make_evaluation, page
from tests.report.read_page import ReadPage


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


def systems(read: ReadPage) -> dict[str, dict[str, str]]:
    """The table of the systems, which has no caption: tag -> column -> cell."""
    header, *rows = read.tables[""]
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows}


def forget_runs(*kept: str) -> None:
    """As if only these had been loaded."""
    with sqlite3.connect(DB) as connection:
        others = f"(SELECT id FROM runs WHERE tag NOT IN ({', '.join('?' * len(kept))}))"
        connection.execute(f"DELETE FROM results WHERE run IN {others}", kept)
        connection.execute(f"DELETE FROM runs WHERE id IN {others}", kept)
    connection.close()


def test_the_systems_are_those_of_score_and_compare(folder: Path) -> None:
    scored = json.loads(done("score", "--db", DB, "--bounds", "-f", "json"))["runs"]
    compared = json.loads(done("compare", "--db", DB, "-f", "json"))["comparisons"]
    read = page()
    rows = systems(read)
    assert [*rows] == [
        run["tag"] for run in sorted(scored, key=lambda run: -run["mean"]["nDCG@10"])
    ]
    for run in scored:
        row = rows[run["tag"]]
        assert row["nDCG@10"] == short_number(run["mean"]["nDCG@10"])
        assert [row["low"], row["high"]] == [*map(short_number, run["bounds"]["nDCG@10"])]
    for one in compared:
        row = rows[one["tag"]]
        assert row["difference"] == short_difference(one["delta"])
        assert row["95 % interval of the difference"] == " to ".join(
            map(short_difference, one["ci95"])
        )
        assert row["p"] == short_probability(one["tests"]["wilcoxon"]["p_adjusted"])
        assert row["verdict"] == one["verdict"]
    assert rows["base"]["verdict"] == "baseline"
    assert len(read.tables["Compared with base"]) == 1 + len(compared)


def test_the_answer_is_the_verdict(folder: Path) -> None:
    assert "Take good: it is better than base, nDCG@10 0.9" in page().text
    assert "Of the others, poor is worse." in page().text
    text = page("--baseline", "good").text
    assert "Keep good: no other system is shown to be better." in text
    assert "base comes closest and is worse, nDCG@10 " in text
    forget_runs("base")
    text = page().text
    assert "base reaches nDCG@10" in text
    assert "There is no other system" in text
    assert "differences" not in page().sections


def test_the_hash_is_that_of_the_exported_qrels(folder: Path) -> None:
    done("export", "qrels", "--db", DB, "-o", "out.qrels", "--unresolved", "skip")
    exported = json.loads(Path("out.qrels.provenance.json").read_text())
    assert exported["sha256"] in page().text


def test_it_is_the_same_bytes_each_time_without_a_path_or_a_date(folder: Path) -> None:
    for name in ("page.html", "page.md"):
        done("report", "-o", name)
        first = Path(name).read_bytes()
        done("report", "-o", name, "--force")
        assert Path(name).read_bytes() == first
        assert str(folder).encode() not in first
        assert not re.search(rb"20\d\d-\d\d-\d\d", first)


def test_the_page_needs_nothing_from_elsewhere(folder: Path) -> None:
    read = page()  # the tags and attributes are those that are let in
    html = Path("page.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//[a-z]|<script|@import|url\(|javascript", html)
    digest = base64.b64encode(hashlib.sha256(read.style.encode()).digest()).decode()
    assert read.policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")


def test_markdown_says_the_same(folder: Path) -> None:
    text, read = markdown(), page()
    assert re.findall(r"^## (.*)$", text, re.M) == [*read.sections.values()]
    for caption, rows in read.tables.items():
        assert f"### {caption}\n" in text or not caption
        for row in rows[1:]:
            assert all(cell.split(" ")[0].strip("<>") in text for cell in row)


def test_refusals_write_nothing(folder: Path) -> None:
    for words, why in {
        ("--baseline", "god"): "no run 'god'; did you mean 'good'?",
        ("--policy", "mode"): "no policy",
        ("-m", "Judged@5"): "does not make a run better",
    }.items():
        assert why in refused("report", *words)
    assert refused("report", "-o", "gone/x.html").startswith("gone/x.html: cannot be written")
    assert not Path("report.html").exists()
    assert judge_tui("report").stdout.startswith("wrote report.html: Take good")
    before = Path("report.html").read_bytes()
    assert "--force" in refused("report", "--baseline", "good")
    assert Path("report.html").read_bytes() == before
    Path("campaign.html").write_bytes(Path(DB).read_bytes())
    assert "SQLite" in refused("report", "-o", "campaign.html", "--force")


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;--><!--]]>"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign in which everything that others write attacks the terminal and the page."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    done("init", "--name", SCRIPT + EVERYTHING, "--scale", f"0={SCRIPT.replace(',', '')},1=b,2=c")
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
    for more in ((), ("--baseline", SCRIPT)):
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


def test_a_run_that_answers_no_judged_query_is_told(folder: Path) -> None:
    Path("queries.tsv").write_text("q99\tnobody judged this\n")
    Path("odd.run").write_text("q99 Q0 d1 1 1 odd\n")
    done("load", "queries", "--db", DB, "queries.tsv")
    done("load", "run", "--db", DB, "odd.run")
    read = page()
    assert "Not compared: odd: it shares no judged query with the baseline." in read.text
    assert systems(read)["odd"]["nDCG@10"] == "-"
    assert "Beside odd, nothing can be compared." in page("--baseline", "odd").text


def test_what_a_model_makes_more_exact_is_what_results_says(folder: Path) -> None:
    Path("half").mkdir()
    db = ("--db", make_evaluation(Path("half"), judges=()))
    lines = Path("bob.qrels").read_text().splitlines(keepends=True)
    Path("half.qrels").write_text("".join(lines[: len(lines) // 2]))
    done("load", "qrels", "half.qrels", "--judge", "bob", *db)
    done("load", "qrels", "ann.qrels", "--judge", "bot", "--kind", "model", *db)
    asked = ("--with-model", "bot", "-m", "nDCG@5", "-m", "P@5", *db)
    results = json.loads(done("results", "--leaderboard", "-f", "json", *asked))["with_model"]
    read = page(*asked)
    header, *rows = read.table("With bot")
    assert len(rows) == len(results) > 0
    found = [dict(zip(header, row, strict=True)) for row in rows]
    for row, one in zip(found, results, strict=True):
        assert (row["system"], row["measure"]) == (one["tag"], one["measure"])
        assert (row["of"] == "difference") == (one["of"] == "delta")
        if one["estimate"] is not None:
            assert row["with model"] == short_number(one["estimate"])
            ends = one["ci95_low"], one["ci95_high"]
            assert row["95 % interval"] == " to ".join(map(short_number, ends))
    assert any(one["estimate"] is not None for one in results)
    assert "with-model" in read.sections
    # The answer, and all else, is people's.
    assert systems(read) == systems(page(*asked[2:]))
    for more, why in (
        (("--include-models",), "--no-include-models"),
        (("--unjudged", "expected"), "give --with-model or --unjudged"),
    ):
        assert why in refused("report", "-o", "other.html", *asked, *more)
