"""`judge-tui export bundle` and `judge-tui merge`, as typed."""

from __future__ import annotations

import csv
import io
import json
import shutil
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.adjudication import settle
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import add_judge
from judge_tui.cli import cli
from judge_tui.report import FORMS
from tests.campaign.copies import copied, graded, graded_in, key_of, tampered
from tests.cli.test_progress import errors_on_a_terminal

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b&50%_|*\\"


@pytest.fixture
def work(campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the small campaign, and two copies: ann's and one of a hostile judge."""
    ann, other = copied(campaign, "ann.db"), copied(campaign, f"x{HOSTILE}.db")
    campaign.close()
    graded_in(ann, "ann", {"csv.reader": 3, "sorted": 1})
    graded_in(other, f"x{HOSTILE}", {"csv.reader": 3})
    tampered(
        other,
        "UPDATE documents SET doc_id = ?1, text = ?1 WHERE doc_id = 'json.load'".replace(
            "?1", f"'{HOSTILE}'"
        ),
        f"UPDATE queries SET text = text || ' {HOSTILE}'",
        f"UPDATE campaign SET name = '{HOSTILE}'",
    )
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    return files


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def done(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_what_came_is_told(work: Path) -> None:
    assert done("merge", "ann.db") == (
        "What came\nfile    judges  events\nann.db       1       2\n\nann.db: 2 events of ann\n"
    )
    assert done("merge", "ann.db", "campaign.db") == (
        "What came\n"
        "file         events\n"
        "ann.db            0\n"
        "campaign.db       0\n"
        "\n"
        "ann.db: nothing new; 2 events here already\n"
        "campaign.db: is this campaign itself; there is nothing to merge\n"
    )


def test_json_has_everything(work: Path) -> None:
    document = json.loads(done("merge", "ann.db", f"x{HOSTILE}.db", "-f", "json"))
    assert list(document) == [
        *("schema_version", "name", "files", "conflicts"),
        *("decided_otherwise", "settled_otherwise", "notes"),
    ]
    ann, other = document["files"]
    assert ann == {
        "file": "ann.db",
        "itself": False,
        "came": {
            **dict.fromkeys(("queries", "documents", "texts", "pairs"), 0),
            **dict.fromkeys(("gold", "assignments", "runs"), 0),
            "judges": 1,
            "events": 2,
        },
        "events_by_judge": {"ann": 2},
        "events_there_already": 0,
        "pairs_only_here": 0,
        "pairs_only_there": 0,
        "placed_otherwise": 0,
        "other_queries": [],
        "pairs_left_out": 0,
        "events_left_out": 0,
        "near_names": {},
    }
    # json.load is in the pool of both queries, and has another id there.
    assert (other["pairs_only_here"], other["pairs_only_there"]) == (2, 2)
    assert {(one["of"], one["name"], one["field"]) for one in document["conflicts"]} == {
        ("campaign", "small", "name"),
        ("query", "q1", "text"),
        ("query", "q2", "text"),
    }
    assert document["conflicts"][0]["there"] == HOSTILE


@pytest.mark.parametrize("form", FORMS)
def test_nothing_that_a_terminal_obeys_comes_out(work: Path, form: str) -> None:
    result = run("merge", f"x{HOSTILE}.db", "ann.db", "-f", form)
    assert result.exit_code == 0
    unsafe = ("Cc", "Cf", "Cs", "Zl", "Zp")
    output = result.stdout + result.stderr
    assert [c for c in output if unicodedata.category(c) in unsafe and c != "\n"] == []
    assert "owned" in output


def test_csv_has_a_row_for_each_count_and_each_difference(work: Path) -> None:
    header, *rows = csv.reader(io.StringIO(done("merge", "ann.db", f"x{HOSTILE}.db", "-f", "csv")))
    assert header == ["file", "of", "name", "field", "here", "there"]
    assert {len(row) for row in rows} == {6}
    assert ["ann.db", "judge", "ann", "new events", "2", ""] in rows
    assert ["ann.db", "came", "judges", "new", "1", ""] in rows
    assert [row[1:4] for row in rows[-2:]] == [["query", "q1", "text"], ["query", "q2", "text"]]


def test_only_the_first_differences_are_listed_and_all_are_in_json(work: Path) -> None:
    with open_campaign("campaign.db") as campaign, campaign.writing() as connection:
        connection.executemany(
            "INSERT INTO documents (doc_id, text) VALUES (?, 'here')",
            ((f"d{number:02}",) for number in range(30)),
        )
    with open_campaign("campaign.db") as campaign:
        copied(campaign, "many.db")
    tampered(work / "many.db", "UPDATE documents SET text = 'there' WHERE text = 'here'")
    table = done("merge", "many.db")
    assert table.count("many.db  document  d") == 20
    assert "and 10 more that differ: -f json has all" in table
    assert len(json.loads(done("merge", "many.db", "-f", "json"))["conflicts"]) == 30


def test_what_is_refused_is_one_line(work: Path) -> None:
    (work / "x.txt").write_text("no campaign")
    for arguments, what in (
        (["merge", "x.txt"], "error: x.txt: not a judge_tui campaign; "),
        (["merge", "ann.db", "none.db"], "error: none.db: no such file; "),
        (["merge", "ann.db", "-o", "ann.db"], "error: -o ann.db is a file that is read here; "),
        (["merge"], "error: Missing argument 'OTHER.db...'"),
    ):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(what)
        assert result.stderr.count("\n") == 1
    with open_campaign("campaign.db") as campaign:
        assert campaign.rows("SELECT count(*) FROM events") == [(0,)]


def test_a_bundle_goes_out_and_comes_home(work: Path) -> None:
    done("merge", "ann.db")
    (work / "ann.db").unlink()
    said = done("export", "bundle", "--judge", "ann", "-o", "ann.db")
    size = (work / "ann.db").stat().st_size
    assert said == (
        f"ann.db: 6 pairs of 2 queries for ann, 2 of them decided, {size / 1e6:.1f} MB\n"
        "bring it home with: judge-tui merge FILE\n"
    )
    with open_campaign("ann.db") as away:
        graded(away, "ann", "list.sort", 0)
    assert done("merge", "ann.db") == (
        "What came\nfile    events\nann.db       1\n\nann.db: 1 event of ann\n"
    )


def test_what_a_bundle_is_refused_for(work: Path) -> None:
    for arguments, what in (
        (["--judge", "ann", "-o", "ann.db"], "error: ann.db: already exists and is left as it is"),
        (["--judge", "a,b", "-o", "x.db"], "error: 'a,b' cannot be a judge's name"),
        (["--judge", "ann", "-o", "-"], "error: a bundle is a file of its own; name it with -o"),
        (["--judge", "ann"], "error: Missing option '-o'"),
    ):
        result = run("export", "bundle", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(what)
    assert not (work / "x.db").exists()


def test_a_new_name_that_is_nearly_a_known_one_is_told(work: Path) -> None:
    done("merge", "ann.db")
    result = run("export", "bundle", "--judge", "ANN", "-o", "x.db")
    assert result.exit_code == 0
    assert result.stderr == "note: 'ANN' is new, and nearly the name of 'ann'\n"


def test_one_name_written_in_two_ways_on_two_machines_is_told(work: Path) -> None:
    with open_campaign("campaign.db") as campaign:
        copied(campaign, "other.db")
    graded_in(work / "other.db", "Ann", {"csv.reader": 3})
    note = (
        "other.db: judge 'Ann' is new, and nearly the name of 'ann':"
        " two judges, though it may be one person"
    )
    document = json.loads(done("merge", "ann.db", "other.db", "-f", "json"))
    assert [came["near_names"] for came in document["files"]] == [{}, {"Ann": ["ann"]}]
    assert note in document["notes"]
    # Known by now, it is not told again.
    assert note not in done("merge", "ann.db", "other.db")


def test_on_a_terminal_it_is_shown_what_is_done(work: Path) -> None:
    shown = errors_on_a_terminal(work, "ann.db", command=("merge", "--db", "campaign.db"))
    assert shown.split("\r")[1:3] == [
        "comparing ann.db \u2026",
        "writing what ann.db brings \u2026",
    ]
    assert shown.endswith(" \r")


def test_what_leads_settled_otherwise_is_told_in_every_form(work: Path) -> None:
    for file, lead, grade in (("campaign.db", "lea", 1), ("ann.db", "mia", 3)):
        with open_campaign(file) as campaign:
            who = add_judge(campaign, lead, role="lead")
            settle(campaign, who, key_of(campaign, "csv.writer"), grade)
    for name in ("again.db", "third.db", "fourth.db"):
        shutil.copyfile("campaign.db", name)
    text = done("merge", "ann.db")
    assert (
        "Settled otherwise there: the later settling holds\n"
        "file    query  document    here     there    holds\n"
        "ann.db  q1     csv.writer  1 (lea)  3 (mia)  3\n"
    ) in text
    assert "ann.db: 1 pair settled otherwise there: the later settling holds" in text
    assert "settled otherwise" not in done("merge", "ann.db")
    rows = list(csv.reader(io.StringIO(done("merge", "--db", "again.db", "ann.db", "-f", "csv"))))
    assert rows[-1] == ["ann.db", "settling", "q1 csv.writer", "grade", "1 (lea)", "3 (mia), holds"]
    document = json.loads(done("merge", "--db", "third.db", "ann.db", "-f", "json"))
    assert document["settled_otherwise"] == [
        {
            **{"file": "ann.db", "query_id": "q1", "doc_id": "csv.writer"},
            **{"lead_here": "lea", "grade_here": 1, "lead_there": "mia", "grade_there": 3},
            "holds": "there",
        }
    ]
    assert document["conflicts"] == []
    assert "csv.writer" in done("merge", "--db", "fourth.db", "ann.db", "-f", "md")


def test_what_a_judge_decided_otherwise_is_told_pair_by_pair_in_every_form(work: Path) -> None:
    with open_campaign("campaign.db") as campaign:
        ann, pair = add_judge(campaign, "ann"), key_of(campaign, "csv.reader")
        append_event(campaign, judge=ann.key, pair=pair, action="skip")
        graded(campaign, "ann", "sorted", 1)
        graded(campaign, "ann", "csv.reader", 2, turn=1)
    for name in ("again.db", "third.db"):
        shutil.copyfile("campaign.db", name)
    graded_in(work / "ann.db", "ann", {"csv.writer": 3})
    with open_campaign("ann.db") as away:
        graded(away, "ann", "csv.reader", 0, turn=1)
    text = done("merge", "ann.db")
    assert (
        "Decided otherwise there by the same judge\n"
        "file    judge                query  document    here     there  holds\n"
        "ann.db  ann                  q1     csv.reader  skipped  3      skipped\n"
        "ann.db  ann (hidden repeat)  q1     csv.reader  2        0      0\n"
    ) in text
    assert "ann.db: ann decided 1 pair otherwise there: the later decision holds, but" in text
    assert "otherwise" not in done("merge", "ann.db")
    rows = list(csv.reader(io.StringIO(done("merge", "--db", "again.db", "ann.db", "-f", "csv"))))
    assert rows[-2:] == [
        ["ann.db", "decision", "q1 csv.reader", "decision", "skipped (ann), holds", "3 (ann)"],
        ["ann.db", "decision", "q1 csv.reader", "hidden repeat", "2 (ann)", "0 (ann), holds"],
    ]
    document = json.loads(done("merge", "--db", "third.db", "ann.db", "-f", "json"))
    both = {"file": "ann.db", "judge": "ann", "query_id": "q1", "doc_id": "csv.reader"}
    assert document["decided_otherwise"] == [
        {**both, "repeat": False, "here": "skip", "there": 3, "holds": "skip"},
        {**both, "repeat": True, "here": 2, "there": 0, "holds": 0},
    ]


def test_a_skip_that_holds_in_the_place_of_two_grades_is_told(work: Path) -> None:
    with open_campaign("campaign.db") as campaign:
        ann, pair = add_judge(campaign, "ann"), key_of(campaign, "csv.reader")
        append_event(campaign, judge=ann.key, pair=pair, action="skip")
    (work / "file.qrels").write_text("q1 0 csv.reader 0\n")
    done("load", "qrels", "file.qrels", "--judge", "ann")
    shutil.copyfile("campaign.db", "again.db")
    assert "ann.db  ann    q1     csv.reader  0     3      skipped\n" in done("merge", "ann.db")
    rows = list(csv.reader(io.StringIO(done("merge", "--db", "again.db", "ann.db", "-f", "csv"))))
    assert rows[-1][3:] == ["decision", "0 (ann), skipped holds", "3 (ann)"]


def test_of_many_decided_otherwise_the_first_are_listed(work: Path) -> None:
    names = [f"d{number:02}" for number in range(30)]
    (work / "many.run").write_text("".join(f"q1 Q0 {name} 1 1 many\n" for name in names))
    done("load", "run", "many.run")
    done("pool", "--depth", "40")
    with open_campaign("campaign.db") as campaign:
        copied(campaign, "many.db")
    graded_in(work / "campaign.db", "ann", dict.fromkeys(names, 1))
    graded_in(work / "many.db", "ann", dict.fromkeys(names, 2))
    text = done("merge", "many.db")
    assert text.count("many.db  ann    q1     d") == 20
    assert "and 10 more that were decided otherwise: -f json has all" in text


def test_other_queries_by_one_id_are_refused_and_left_out_on_request(work: Path) -> None:
    tampered(work / "ann.db", "UPDATE queries SET text = 'walk a tree' WHERE query_id = 'q1'")
    refused = run("merge", "ann.db")
    assert refused.exit_code == 2
    assert "1 (q1: 'read a CSV file' here, 'walk a tree' there); if they" in refused.output
    out = done("merge", "ann.db", "--skip-other-queries")
    assert "ann.db  query  q1    text   read a CSV file  walk a tree" in out
    assert "ann.db: queries that are other ones here are left out, with 0 new pairs and 1" in out
    again = done("merge", "ann.db", "--skip-other-queries")
    assert "ann.db: nothing new; 1 event here already" in again
