"""Files of other tools loaded into a campaign: queries by their text, judges kept apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.judgments import judgments
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.campaign.runs import kept_rankings
from judge_tui.cli import cli
from judge_tui.errors import InputError
from judge_tui.model import DEFAULT_SCALE, Scale
from tests.formats.samples import QUEPID_BOOK as BOOK
from tests.loading_runs import load_run, load_runs


def load(campaign: Campaign, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["load", "qrels", "-d", str(campaign.path), *arguments])
    return done.exit_code, done.output


def held(campaign: Campaign) -> list[tuple[object, ...]]:
    with campaign.reading():
        return [
            (one.query_id, one.doc_id, one.judge, one.decision, one.grade, one.note)
            for one in judgments(campaign)
        ]


def test_queries_are_found_by_their_text(campaign: Campaign, files: Path) -> None:
    path = files / "basic.csv"
    path.write_text("query,docid,rating\n read  a CSV file ,csv.reader,2\nq2,sorted,1\n")
    assert load_qrels(campaign, path, judge="ann").added == 2
    assert grades_by_judge(campaign) == {"ann": {("q1", "csv.reader"): 2, ("q2", "sorted"): 1}}
    path.write_text("query,docid,rating\nq2,sorted,1\nsort lists,sorted,0\n")
    with pytest.raises(InputError, match=r":3: 'sorted' for 'q2' is graded 0 here, and 1 on line"):
        load_qrels(campaign, path, judge="bob")
    path.write_text("query,docid,rating\nq2,sorted,1\nsort lists,sorted,1\n")
    assert load_qrels(campaign, path, judge="bob").added == 1


def test_two_queries_of_one_text_are_told_apart_by_nobody(campaign: Campaign, files: Path) -> None:
    campaign.connection.execute("UPDATE queries SET text = 'same'")
    (files / "basic.csv").write_text("query,docid,rating\nsame,sorted,1\n")
    with pytest.raises(InputError, match=r":2: 2 queries of the campaign are 'same': q1, q2"):
        load_qrels(campaign, files / "basic.csv", judge="ann")


def test_a_book_is_loaded_judge_by_judge_and_twice_is_once(campaign: Campaign, files: Path) -> None:
    (files / "book.json").write_text(BOOK)
    path = str(files / "book.json")
    assert load(campaign, path) == (
        0,
        f"{path}: grades of Anonymous: 1 added\n{path}: grades of ann@x.org: 2 added\n"
        f"{path}: grades of bob@x.org: 1 added\n"
        "note: 'document_fields' of 1 pair left out: load docs takes them\n",
    )
    expected = [
        ("q1", "csv.reader", "Anonymous", "skip", None, ""),
        ("q1", "csv.reader", "ann@x.org", "grade", 3, "all there"),
        ("q1", "csv.reader", "bob@x.org", "cannot", None, ""),
        ("q2", "sorted", "ann@x.org", "grade", 1, ""),
    ]
    assert held(campaign) == expected
    code, output = load(campaign, path)
    assert (code, output.count("there already")) == (0, 3)
    assert held(campaign) == expected
    (files / "book.json").write_text(BOOK.replace("3.0", "2.0"))
    code, output = load(campaign, path)
    assert code == 2
    assert ":5: of 'csv.reader' for 'q1', judge 'ann@x.org' has said 3 already, not 2" in output


def test_one_judge_of_a_book(campaign: Campaign, files: Path) -> None:
    path = files / "book.csv"
    path.write_text("query,docid,Ann,Robo\nsort lists,sorted,1,2\n")
    assert load(campaign, str(path), "--judge", "Robo", "--kind", "model")[0] == 0
    assert grades_by_judge(campaign) == {}
    assert grades_by_judge(campaign, include_models=True) == {"Robo": {("q2", "sorted"): 2}}
    # Who is there stays what they are.
    assert load(campaign, str(path))[0] == 0
    assert grades_by_judge(campaign) == {"Ann": {("q2", "sorted"): 1}}
    code, output = load(campaign, str(path), "--judge", "Anne")
    assert (code, "did you mean 'Ann'" in output) == (2, True)
    (files / "basic.csv").write_text("query,docid,rating\nsort lists,sorted,1\n")
    code, output = load(campaign, str(files / "basic.csv"))
    assert (code, "Name the judge with --judge NAME" in output) == (2, True)


def test_a_bad_row_of_the_last_judge_leaves_nothing(campaign: Campaign, files: Path) -> None:
    path = files / "book.csv"
    path.write_text("query,docid,Ann,Bob\nsort lists,sorted,1,\nsort lists,list.sort,,9\n")
    code, output = load(campaign, str(path))
    assert (code, "grade 9 is not on the campaign's scale" in output) == (2, True)
    assert 'say what the ratings mean with --labels "1=0,2=0,3=1,…", or start' in output
    assert grades_by_judge(campaign) == {}
    assert not campaign.rows("SELECT name FROM judges")


def test_a_campaign_without_queries_gets_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("query,docid,Ann\n =1  + 1,d1,1\nother,d2,0\n")
    scale = Scale.parse("0=no,1=yes")
    with create_campaign(tmp_path / "c.db", name="c", scale=scale) as campaign:
        code, output = load(campaign, str(path))
        assert code == 0
        assert "note: the campaign had no queries: added those of the file, 2" in output
        assert [(one.query_id, one.text) for one in all_queries(campaign)] == [
            ("q1", "=1 + 1"),
            ("q2", "other"),
        ]


def test_a_run_names_queries_by_their_text_too(campaign: Campaign, files: Path) -> None:
    path = files / "snapshot.csv"
    head = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    path.write_text(f"{head}S,2020,1,read a  CSV file,csv.reader,1\nS,2020,1,q2,sorted,1\n")
    assert load_run(campaign, path)[1].added == 1
    assert kept_rankings(campaign)["S"] == {"q1": ["csv.reader"], "q2": ["sorted"]}
    path.write_text(f"{head}S,2020,1,q2,sorted,1\nS,2020,1,sort lists,list.sort,2\n")
    for skip in (False, True):
        with pytest.raises(InputError, match=r":3: query 'sort%20lists' is 'q2' of the campaign, "):
            load_run(campaign, path, tag="other", skip_unknown=skip)
    campaign.connection.execute("UPDATE queries SET text = 'same'")
    path.write_text(f"{head}S,2020,1,same,sorted,1\n")
    with pytest.raises(InputError, match=r":2: 2 queries of the campaign are 'same': q1, q2"):
        load_run(campaign, path, tag="other", skip_unknown=True)


OPEN_BOOK = "query,docid,A,B\nsort lists,sorted,1,\nsort lists,list.sort,,\nread,csv.reader,,\n"


def pool_of(campaign: Campaign) -> dict[tuple[str, str], str]:
    return {
        (query_id, doc_id): stratum
        for query_id, doc_id, stratum in campaign.rows(
            "SELECT query_id, doc_id, stratum FROM pool JOIN queries ON queries.id = pool.query"
            " JOIN documents ON documents.id = pool.document"
        )
    }


def test_pairs_of_a_book_that_nobody_has_rated_are_to_be_judged(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text(OPEN_BOOK)
    with create_campaign(tmp_path / "c.db", name="c", scale=Scale.parse("0=no,1=yes")) as campaign:
        code, output = load(campaign, str(path))
        assert code == 0
        assert f"{path}: grades of A: 1 added\n" in output
        assert "note: nothing is rated by 'B', who becomes no judge\n" in output
        assert "note: 2 pairs that nobody has judged joined the pool\n" in output
        assert "added those of the file, 2" in output
        assert [one.text for one in all_queries(campaign)] == ["sort lists", "read"]
        assert pool_of(campaign) == dict.fromkeys(
            [("q1", "sorted"), ("q1", "list.sort"), ("q2", "csv.reader")], "loaded"
        )
        assert campaign.rows("SELECT name FROM judges") == [("A",)]
        # Twice is once, and says so.
        code, output = load(campaign, str(path))
        assert (code, "joined the pool" in output) == (0, False)
        # The book goes out with all of them again.
        out = tmp_path / "out.csv"
        done = CliRunner().invoke(
            cli,
            ["export", "judgments", "-d", str(campaign.path), "-f", "quepid-book", "-o", str(out)],
        )
        assert done.exit_code == 0, done.output
        assert out.read_text() == (
            "query,docid,A\nsort lists,list.sort,\nsort lists,sorted,1\nread,csv.reader,\n"
        )


@pytest.mark.parametrize(
    "content",
    [
        "query,docid,A\nread,d1,\nread,d2,\n",
        '{"query_doc_pairs": [{"query_text": "read", "doc_id": "d1", "judgements": []},'
        ' {"query_text": "read", "doc_id": "d2"}]}',
        '[{"data": {"query": "read", "doc_id": "d1"}, "annotations": []},'
        ' {"data": {"query": "read", "doc_id": "d2"}, "annotations": [{"result": []}]}]',
    ],
    ids=["book", "book JSON", "Label Studio"],
)
def test_a_file_in_which_nobody_has_judged_is_a_pool(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    with create_campaign(tmp_path / "c.db", name="c", scale=DEFAULT_SCALE) as campaign:
        code, output = load(campaign, str(path))
        assert code == 0, output
        assert "note: nobody has judged anything in the file\n" in output
        assert list(pool_of(campaign)) == [("q1", "d1"), ("q1", "d2")]
        assert campaign.rows("SELECT name FROM judges") == []


def test_what_is_open_of_unknown_queries_is_refused_or_counted(
    campaign: Campaign, files: Path
) -> None:
    path = files / "book.csv"
    path.write_text("query,docid,A\nsort lists,sorted,1\nnobody knows it,d1,\n")
    code, output = load(campaign, str(path))
    assert (code, ":3: query 'nobody knows it' is not in the campaign" in output) == (2, True)
    code, output = load(campaign, str(path), "--skip-unknown")
    assert (code, "note: 1 pair that nobody has judged left out as unknown" in output) == (0, True)


def test_what_has_no_label_or_answer_yet_is_to_be_judged(campaign: Campaign, files: Path) -> None:
    path = files / "labels.jsonl"
    record = '{"text": "x", "query_id": "q1", "doc_id": "%s", "label": [%s]}\n'
    path.write_text(record % ("d1", '"2"') + record % ("d2", "") + record % ("d2", ""))
    code, output = load(campaign, str(path), "--judge", "ann")
    assert code == 0, output
    assert "note: 2 records without a label: no judgment\n" in output
    assert "note: 1 pair that nobody has judged joined the pool\n" in output
    assert pool_of(campaign)["q1", "d2"] == "loaded"
    path = files / "answers.jsonl"
    answer = '{"model": "m", "query": "q1", "passage": "x", "doc_id": "%s", "judgment": 0, %s}\n'
    path.write_text(answer % ("d3", '"result_status": 1') + answer % ("d4", '"result_status": 0'))
    assert load(campaign, str(path))[0] == 0
    assert pool_of(campaign)["q1", "d4"] == "loaded"
    assert ("q1", "d4") not in grades_by_judge(campaign, include_models=True)["m"]


SNAPSHOTS = """\
Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position
old,2020,1,sort lists,sorted,1
old,2020,1,sort lists,list.sort,2
the new one,2021,1,sort lists,list.sort,1
the new one,2021,1,sort lists,sorted,2
"""


def test_a_file_of_snapshots_is_a_run_of_each(campaign: Campaign, files: Path) -> None:
    path = files / "snapshots.csv"
    path.write_text(SNAPSHOTS)
    done = CliRunner().invoke(cli, ["load", "run", "-d", str(campaign.path), str(path)])
    assert done.output == f"{path}: run old: 1 loaded\n{path}: run the%20new%20one: 1 loaded\n"
    expected = {
        "old": {"q2": ["sorted", "list.sort"]},
        "the%20new%20one": {"q2": ["list.sort", "sorted"]},
    }
    loaded = kept_rankings(campaign)
    assert {tag: loaded[tag] for tag in expected} == expected
    again = load_runs(campaign, [path])
    assert [(tag, one.unchanged) for tag, one in again] == [("old", 1), ("the%20new%20one", 1)]
    # One of them, by its name; any other name is none of them.
    assert load_run(campaign, path, tag="old")[1].unchanged == 1
    for name in ("the new one", "the%20new%20one"):
        tag, again_one = load_run(campaign, path, tag=name)
        assert (tag, again_one.unchanged) == ("the%20new%20one", 1)
    with pytest.raises(InputError, match="the file holds 2 snapshots: 'old', 'the new one'"):
        load_run(campaign, path, tag="other")


def test_a_place_in_a_snapshot_is_taken_once(campaign: Campaign, files: Path) -> None:
    path = files / "snapshots.csv"
    path.write_text(SNAPSHOTS.replace("list.sort,2", "list.sort,1"))
    with pytest.raises(InputError, match=r":3: rank 1 is already in query 'sort%20lists', line 2"):
        load_runs(campaign, [path])
    path.write_text(SNAPSHOTS.replace("list.sort,2", "sorted,2"))
    with pytest.raises(InputError, match=r":3: document 'sorted' is already in query"):
        load_runs(campaign, [path])
    assert "old" not in kept_rankings(campaign)


def test_what_a_book_says_of_its_queries_comes_along_where_there_is_nothing(
    campaign: Campaign, files: Path
) -> None:
    campaign.connection.execute("UPDATE queries SET narrative = 'ours' WHERE query_id = 'q1'")
    path = files / "book.json"
    path.write_text(
        BOOK.replace(
            '"position": 1', '"information_need": "theirs", "notes": "with a header"'
        ).replace('"doc_id": "sorted"', '"doc_id": "sorted", "information_need": "in place"')
    )
    code, output = load(campaign, str(path))
    assert code == 0
    assert "note: 2 queries had no narrative or description, and got that of the file" in output
    told = {one.query_id: (one.narrative, one.description) for one in all_queries(campaign)}
    assert told == {"q1": ("ours", "with a header"), "q2": ("in place", "")}
    code, output = load(campaign, str(path))
    assert (code, "got that of the file" in output) == (0, False)
    assert (
        "note: queries with another narrative or description in the campaign, which stays: 1, such"
        f" as q1; judge-tui load queries --db {campaign.path} {path} --replace takes that of the"
        " file\n"
    ) in output
    out = files / "out.json"
    done = CliRunner().invoke(
        cli,
        ["export", "judgments", "-d", str(campaign.path), "-f", "quepid-book-json", "-o", str(out)],
    )
    assert done.exit_code == 0, done.output
    pairs = {one["doc_id"]: one for one in json.loads(out.read_text())["query_doc_pairs"]}
    assert pairs["csv.reader"]["information_need"] == "ours"
    assert pairs["csv.reader"]["notes"] == "with a header"
    assert pairs["sorted"]["information_need"] == "in place"
    load_queries(campaign, path, replace=True)
    assert all_queries(campaign)[0].narrative == "theirs"
    assert "another narrative" not in load(campaign, str(path))[1]


def test_a_judge_of_a_name_that_none_can_have_is_renamed(campaign: Campaign, files: Path) -> None:
    path = files / "book.csv"
    path.write_text('query,docid,"Smith, Jo",Ann\nsort lists,sorted,,2\nsort lists,list.sort,1,0\n')
    code, output = load(campaign, str(path))
    assert code == 2
    assert f"error: {path}:3: 'Smith, Jo' cannot be a judge's name" in output
    assert "with --rename 'Smith, Jo=NAME'" in output
    assert not campaign.rows("SELECT name FROM judges")
    assert load(campaign, str(path), "--rename", "Smith, Jo=Jo Smith")[0] == 0
    assert grades_by_judge(campaign)["Jo Smith"] == {("q2", "list.sort"): 1}
    for given, told in (
        ("Smith, Jo=Ann", "two judges would have one name"),
        ("Bob=x", "no judge 'Bob'"),
        ("Ann=Lee, Ann", "'Lee, Ann' cannot be a judge's name"),
        ("Ann=Lee, Ann", "with --rename Ann=NAME\n"),
        ("Ann", "is not OLD=NEW"),
    ):
        code, output = load(campaign, str(path), "--rename", given)
        assert (code, told in output) == (2, True), output
