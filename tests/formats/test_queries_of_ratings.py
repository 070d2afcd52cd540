"""Ratings for RRE, OpenSearch and `_rank_eval` hold their queries, too, on one line or on many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.queries import all_queries
from judge_tui.cli import cli
from judge_tui.formats import check_file, read_queries, recognise
from judge_tui.model import DEFAULT_SCALE, Query


def request(query_id: object, *, rating: int = 1, **more: object) -> dict[str, Any]:
    return {"id": query_id, "ratings": [{"_index": "i", "_id": "d1", "rating": rating}], **more}


RRE = {
    "queries": [
        {"placeholders": {"$query": "a b"}, "relevant_documents": {"d1": {"gain": "3"}}},
        {"placeholders": {"$query": "c"}, "relevant_documents": {}},
        {"placeholders": {"$query": "a  b"}, "relevant_documents": {"d2": {"gain": "1"}}},
    ]
}
OPENSEARCH = {
    "judgmentRatings": [
        {"query": "a b", "ratings": [{"docId": "d1", "rating": "3.0"}]},
        {"query": "c", "ratings": []},
    ]
}
RANK_EVAL = {
    "requests": [
        request("7%20up", params={"query": "seven", "index": "i"}),
        request(8, params={"text": "eight", "size": 10}),
        request("nine", params={"one": "x", "other": "y"}),
        request("ten", request={"query": {"match": {"title": "10"}}}),
    ]
}


@pytest.fixture(params=[None, 1], ids=["one line", "many lines"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int | None]:
    return tmp_path / "ratings.json", request.param


@pytest.mark.parametrize("ratings", [RRE, OPENSEARCH], ids=["rre", "opensearch"])
def test_texts_are_the_queries(file: tuple[Path, int | None], ratings: object) -> None:
    path, indent = file
    path.write_text(json.dumps(ratings, indent=indent))
    assert read_queries(path) == [Query("a%20b", "a b"), Query("c", "c")]
    # It stays a file of qrels to whoever asks what it is.
    assert recognise(path).kind == "qrels"
    assert check_file(path) == []
    with create_campaign(path.with_name("c.db"), name="c", scale=DEFAULT_SCALE) as campaign:
        done = CliRunner().invoke(cli, ["load", "queries", "-d", str(campaign.path), str(path)])
        # That a query has no documents is nothing to be known of queries.
        assert done.output == f"{path}: queries: 2 added\n"
        assert [(one.query_id, one.text) for one in all_queries(campaign)] == [
            ("q001", "a b"),
            ("q002", "c"),
        ]


def test_what_is_told_leads_from_rank_eval_to_its_grades(file: tuple[Path, int | None]) -> None:
    path, indent = file
    path.write_text(json.dumps(RANK_EVAL, indent=indent))
    db = path.with_name("c.db")
    create_campaign(db, name="c", scale=DEFAULT_SCALE).close()
    load = ["load", "qrels", "-d", str(db), str(path), "--judge", "ann"]
    refused = CliRunner().invoke(cli, load)
    assert refused.exit_code == 2
    assert "load its queries first" in refused.output
    done = CliRunner().invoke(cli, ["load", "queries", "-d", str(db), str(path)])
    assert done.output == f"{path}: queries: 4 added\n"
    assert CliRunner().invoke(cli, load).exit_code == 0
    with open_campaign(db) as campaign:
        assert {one.query_id: one.text for one in all_queries(campaign)} == {
            "7%20up": "seven",
            "8": "eight",
            "nine": "nine",
            "ten": "ten",
        }
        assert len(grades_by_judge(campaign)["ann"]) == 4


def test_of_requests_with_one_id_the_first_is_the_query(tmp_path: Path) -> None:
    path = tmp_path / "ratings.json"
    requests = [request("1", params={"query": "a"}), request("1", params={"query": "b"})]
    path.write_text(json.dumps({"requests": requests}))
    assert [one.text for one in read_queries(path)] == ["a"]


CODED = ["%20percent", "trail%20", "red%20shoes", "50%25 off"]
NAMED_BY_TEXT = {
    "rre": {"queries": [{"placeholders": {"$query": "%s"}, "relevant_documents": {"1": ["d"]}}]},
    "opensearch": {
        "judgmentRatings": [{"query": "%s", "ratings": [{"docId": "d", "rating": "3"}]}]
    },
    "quepid-json": {"queries": [{"query": "%s", "ratings": {"d": 3}}]},
    "quepid-book-json": {
        "query_doc_pairs": [{"query_text": "%s", "doc_id": "d", "judgements": [{"rating": 3.0}]}]
    },
}
