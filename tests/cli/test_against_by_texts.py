"""`score --against` pairs queries without ids by what they ask, wherever they stand by now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge_tui.cli import cli

RANKS = {"one": 1, "two": 2, "three": 4, "threee": 4, "four": 5, "five": 2}
RANKS |= {"count one": 2, "count to one": 3}
"""By the text of a query, where its right result stands."""

PLACES = [f"q00{place}" for place in range(1, 10)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


WITH_IDS = "query_id,query,result1"


def sheet(*texts: str, header: str = "query,result1", ids: Sequence[str] = ()) -> None:
    """Answers and a run. With a `header` with ids each query has that of its own `ids`, else one of
    its text; without one the run calls queries by their places, and so do ids filled down
    (`PLACES`)."""
    with_ids = header.startswith("query_id")
    own = [*(ids or (f"my{text}" for text in texts))] if with_ids else PLACES
    rows = [
        f"{f'{query_id},' if with_ids else ''}{text},right"
        for query_id, text in zip(own, texts, strict=False)
    ]
    Path("ans.csv").write_text("\n".join([header, *rows, ""]))
    Path("s.run").write_text(
        "".join(
            f"{query_id} Q0 {doc} {rank} {1 / rank} s\n"
            for query_id, text in zip(own, texts, strict=False)
            for rank in range(1, RANKS[text] + 1)
            for doc in ["right" if rank == RANKS[text] else f"x{rank}"]
        )
    )


def score(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["score", "--answers", "ans.csv", "s.run", "-m", "RR", *words])
    assert result.exit_code == code, result.output
    return result


def against(*words: str) -> dict[str, Any]:
    return json.loads(score("--against", "base.json", "-f", "json", *words).stdout)


def change(found: dict[str, Any]) -> list[Any]:
    (one,) = found["against"]["changes"]
    return [one["queries"], one["wins"], one["ties"], one["losses"]]


@pytest.mark.parametrize("header", ["query,result1", "query_id,query,result1"])
def test_a_sheet_that_was_sorted_is_the_same(header):
    sheet("one", "two", "three")
    score("--save", "base.json")
    sheet("three", "one", "two", header=header)
    assert change(against()) == [3, 0, 3, 0]


def test_a_sheet_that_grew_and_shrank_pairs_what_is_in_both():
    sheet("one", "two", "three")
    score("--save", "base.json")
    sheet("four", "one", "three", "five")
    found = against()
    assert change(found) == [2, 0, 2, 0]
    lost, new = (one for one in found["warnings"] if one.startswith("queries of run 's' that "))
    assert lost.endswith("averaged earlier and have no grades now: 1; the first is 'q002, two'")
    assert new.endswith("averaged now and were not earlier: 2; the first is 'q001'")
    # By hand: `one` was first, and is second now.
    run, first = Path("s.run"), "q002 Q0 right 1 1.0 s\n"
    run.write_text(run.read_text().replace(first, f"q002 Q0 x 1 2 s\n{first}"))
    assert change(against()) == [2, 0, 1, 1]
    answers = Path("ans.csv")
    answers.write_text(answers.read_text().replace("one,right", "one,wrong"))
    assert "it was made with other grades of queries: 1 (q002)" in (
        score("--against", "base.json", code=2).stderr
    )


@pytest.mark.parametrize("header", ["query,result1", WITH_IDS])
def test_a_text_that_was_mended_is_paired_wherever_its_row_stands(header):
    sheet("one", "two", "three", "count one", header=header, ids=PLACES)
    score("--save", "base.json")
    sheet("four", "count to one", "three", "one", "two", header=header, ids=PLACES)
    found = against("--require", "no-regression")
    # By hand: `count one` was second, and `count to one` is third.
    assert change(found) == [4, 0, 3, 1]
    assert any(
        "(such as 'q002': 'count one', now 'count to one')" in one for one in found["warnings"]
    )


def test_an_earlier_file_without_texts_is_read_and_places_are_told(folder):
    sheet("one", "two", "three")
    score("--save", "base.json")
    saved = json.loads((folder / "base.json").read_text())
    assert saved["schema_version"] == 1
    assert saved["texts"] == {"q001": "one", "q002": "two", "q003": "three"}
    del saved["texts"], saved["checksum"]
    text = json.dumps(saved, sort_keys=True, separators=(",", ":"))
    saved["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "base.json").write_text(json.dumps(saved))
    told = "queries are called by their places in a file that has no query_id"
    same = against()
    assert change(same) == [3, 0, 3, 0]
    assert not any(told in one for one in same["warnings"])
    sheet("four", "one", "two", "three")
    found = against("--allow-other-qrels")
    assert [told in one for one in found["warnings"]].count(True) == 1


@pytest.mark.parametrize("header", ["query,result1", WITH_IDS])
def test_ids_that_are_filled_down_anew_are_those_of_other_queries(header):
    """With the column or, by now, without it."""
    sheet("one", "two", "three", header=WITH_IDS, ids=PLACES)
    score("--save", "base.json")
    sheet("four", "one", "two", "three", header=header, ids=PLACES)
    found = against("--allow-other-qrels")
    assert change(found) == [3, 0, 3, 0]
    assert found["warnings"][0] == (
        "3 of 4 queries had other ids in the earlier result, such as 'q002', 'one', which was"
        " 'q001': they are paired by what they ask"
    )
    # By hand: `one` was first, and is second now.
    run, first = Path("s.run"), "q002 Q0 right 1 1.0 s\n"
    run.write_text(run.read_text().replace(first, f"q002 Q0 x 1 2 s\n{first}"))
    assert change(against("--allow-other-qrels")) == [3, 0, 2, 1]


def test_other_ids_for_the_same_queries_are_the_same_result():
    sheet("one", "two", "three", header=WITH_IDS)
    score("--save", "base.json")
    sheet("three", "two", "one", header=WITH_IDS, ids=["t3", "t2", "t1"])
    assert change(against()) == [3, 0, 3, 0]


def test_where_ids_were_given_anew_one_that_is_nobodys_is_lost():
    sheet("one", "two", "three", header=WITH_IDS, ids=PLACES)
    score("--save", "base.json")
    sheet("two", "five", "three", header=WITH_IDS, ids=PLACES)
    found = against("--allow-other-qrels")
    assert change(found) == [2, 0, 2, 0]
    assert (
        "queries of run 's' that were averaged earlier and have no grades now: 1; the first is"
        " 'q001, one'" in found["warnings"]
    )


def test_a_text_that_was_reworded_under_its_id_is_told():
    sheet("one", "two", "three", header=WITH_IDS, ids=["a", "b", "c"])
    score("--save", "base.json")
    sheet("count to one", "two", "three", header=WITH_IDS, ids=["a", "b", "c"])
    found = against()
    assert change(found) == [3, 0, 2, 1]
    assert found["warnings"] == [
        "1 of 3 queries have other texts than in the earlier result (such as 'a': 'one', now"
        " 'count to one'); if these are other queries, give them ids of their own"
    ]


@pytest.mark.parametrize("header", ["query,result1", WITH_IDS])
def test_another_query_in_a_place_is_none_of_the_earlier_ones_and_a_mended_one_is(header):
    """As where campaigns take queries from files: q003 may be no more than a place."""
    sheet("one", "two", "threee", header=header, ids=PLACES)
    score("--save", "base.json")
    sheet("one", "five", "three", header=header, ids=PLACES)
    found = against()
    assert change(found) == [2, 0, 2, 0]
    mended, lost, new = found["warnings"]
    assert mended.startswith(
        "1 of 3 queries have other texts than in the earlier result (such as 'q003': 'threee',"
        " now 'three')"
    )
    assert lost.endswith("averaged earlier and have no grades now: 1; the first is 'q002, two'")
    assert new.endswith("averaged now and were not earlier: 1; the first is 'q002'")
    gate = score("--against", "base.json", "--require", "no-regression", code=1).stderr
    assert "gate not met: no-regression: " in gate


def test_a_gate_goes_by_the_queries_and_not_by_their_ids(monkeypatch):
    """One rank worse each; by ids, some would be better."""
    texts = [f"{letter} thing" for letter in "hdfbgace"]
    for at, text in enumerate(texts):
        monkeypatch.setitem(RANKS, text, 1 + at)
    sheet(*texts, header=WITH_IDS, ids=PLACES)
    score("--save", "base.json")
    for at, text in enumerate(texts):
        monkeypatch.setitem(RANKS, text, 2 + at)
    sheet(*sorted(texts), header=WITH_IDS, ids=PLACES)
    result = score("--against", "base.json", "--require", "no-regression", code=1)
    assert "gate not met: no-regression: s is worse than it was by RR" in result.stderr


def test_saving_again_ends_what_is_told_of_places(folder):
    """An earlier version kept no texts of queries that have ids."""
    sheet("one", "two", "three", header=WITH_IDS, ids=PLACES)
    score("--save", "base.json")
    saved = json.loads((folder / "base.json").read_text())
    assert "texts" not in saved
    del saved["texts_by_id"], saved["checksum"]
    text = json.dumps(saved, sort_keys=True, separators=(",", ":"))
    saved["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "base.json").write_text(json.dumps(saved))
    sheet("four", "one", "two", "three")
    advice = "save it again with the file that it was made with"
    assert any(advice in one for one in against("--allow-other-qrels")["warnings"])
    sheet("one", "two", "three", header=WITH_IDS, ids=PLACES)
    score("--save", "base.json")
    sheet("four", "one", "two", "three")
    found = against("--allow-other-qrels")
    assert change(found) == [3, 0, 3, 0]
    assert not any(advice in one for one in found["warnings"])


def test_a_campaign_that_was_made_anew_is_the_same():
    for db, texts in (("old.db", ("one", "two", "three")), ("new.db", ("three", "one", "two"))):
        sheet(*texts, header=WITH_IDS, ids=PLACES)
        Path("q.tsv").write_text("".join(map("{}\t{}\n".format, PLACES, texts)))
        Path("all.qrels").write_text("".join(f"{one} 0 right 1\n" for one in PLACES[:3]))
        for words in (
            ["init"],
            ["load", "queries", "q.tsv"],
            ["load", "run", "s.run"],
            ["load", "qrels", "all.qrels", "--judge", "ann"],
        ):
            result = CliRunner().invoke(cli, [*words, "--db", db])
            assert result.exit_code == 0, result.output
    db_score = ["score", "-m", "RR", "-f", "json", "--db"]
    saved = CliRunner().invoke(cli, [*db_score, "old.db", "--save", "base.json"])
    assert saved.exit_code == 0, saved.output
    found = CliRunner().invoke(cli, [*db_score, "new.db", "--against", "base.json"])
    assert found.exit_code == 0, found.output
    assert change(json.loads(found.stdout)) == [3, 0, 3, 0]
