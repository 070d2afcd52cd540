"""Ids with a code such as %20 of their own, as addresses have them, in files of other tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.runs import load_run
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.formats import read_grades

PAGE = "https://x.org/My%20Page"

FILES = {
    "opensearch.json": json.dumps(
        {"judgmentRatings": [{"query": "q1", "ratings": [{"docId": PAGE, "rating": "2"}]}]}
    ),
    "rank-eval.json": json.dumps(
        {"requests": [{"id": "q1", "ratings": [{"_index": "i", "_id": PAGE, "rating": 2}]}]}
    ),
    "quepid.csv": f"query,docid,rating\nq1,{PAGE},2\n",
    "ranx.json": json.dumps({"q1": {PAGE: 2}}),
    "beir.tsv": f"query-id\tcorpus-id\tscore\nq1\t{PAGE}\t2\n",
    "trec.qrels": f"q1 0 {PAGE} 2\n",
    # As judge_tui itself writes it.
    "own.qrels": "q1 0 https://x.org/My%2520Page 2\n",
}


def addresses(campaign: Campaign) -> list[tuple[str, str]]:
    return [pair for pair in pair_keys(campaign) if pair[1].startswith("https:")]


@pytest.fixture
def collected(campaign: Campaign, files: Path) -> Campaign:
    """With a run of `collect`, which writes the code of an address as what it is."""
    (files / "api.run").write_text("q1 Q0 https://x.org/My%2520Page 1 1 api\n")
    load_run(campaign, files / "api.run")
    return campaign


@pytest.mark.parametrize("name", FILES)
def test_grades_come_to_the_document_that_is_there(
    collected: Campaign, files: Path, name: str
) -> None:
    (files / name).write_text(FILES[name])
    loaded = load_qrels(collected, files / name, judge="ann")
    # A reader of Quepid's knows no campaign.
    assert (loaded.added, [one for one in loaded.notes if "unless" not in one]) == (1, [])
    assert addresses(collected) == [("q1", PAGE)]


def test_judgments_of_a_labelling_tool_as_well(collected: Campaign, files: Path) -> None:
    path = files / "umbrela.jsonl"
    record = {"model": "m", "qid": "q1", "docid": PAGE, "query": "x", "passage": "p"}
    path.write_text(json.dumps({**record, "judgment": 1}) + "\n")
    load_several_judges(collected, path, read_grades(path))
    assert addresses(collected) == [("q1", PAGE)]


def test_what_has_white_space_keeps_it(collected: Campaign, files: Path) -> None:
    (files / "blank.run").write_text("q1 Q0 https://x.org/My%20Page 1 1 blank\n")
    load_run(collected, files / "blank.run")
    (files / "t.csv").write_text(FILES["quepid.csv"].replace("%20", " "))
    load_qrels(collected, files / "t.csv", judge="ann")
    assert addresses(collected) == [("q1", "https://x.org/My Page")]


def test_what_nobody_knows_is_said(campaign: Campaign, files: Path) -> None:
    (files / "t.json").write_text(FILES["ranx.json"])
    loaded = load_qrels(campaign, files / "t.json", judge="ann")
    assert loaded.notes == (
        "1 document id has white space or a code such as %20, and the campaign does not know it:"
        " 'https://x.org/My%20Page' is taken for 'https://x.org/My Page'",
    )
