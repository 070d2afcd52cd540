"""Queries out of Quepid's files, which name them by their texts alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.errors import InputError
from judge_tui.model import Scale
from tests.loading_runs import load_run

BOOK = "query,docid,Ann\nstar wars,d1,3\n"
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    's,,7,star  wars,d1,1\ns,,7,say ""hi"",d2,1\ns,,7,nothing found,,\n'
)
DETAILED = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    't,c,7,star wars,d1,1,x,3\nt,c,7,say ""hi"",d2,1,x,\nt,c,7,nothing found,,,,\n'
)
BASIC = 'query,docid,rating\nstar wars,d1,3\n"say ""hi""",,\nnothing found,,\n'
JSON = (
    '{"query_doc_pairs": [{"query_text": "star wars", "doc_id": "d1", "judgements": []},'
    ' {"query_text": "star wars", "doc_id": "d2", "information_need": "films", "judgements": []}]}'
)
SCALE = Scale.parse("0=no,1=some,2=good,3=perfect")
TEXTS = ["star wars", 'say "hi"', "nothing found"]


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return create_campaign(tmp_path / "c.db", name="c", scale=SCALE, guidelines="", seed=1)


@pytest.mark.parametrize("written", [SNAPSHOT, DETAILED, BASIC])
def test_queries_of_a_case(campaign: Campaign, tmp_path: Path, written: str) -> None:
    (file := tmp_path / "case.csv").write_text(written)
    assert load_queries(campaign, file).added == 3
    assert [(one.query_id, one.text) for one in all_queries(campaign)] == [
        *zip(["q1", "q2", "q3"], TEXTS, strict=True)
    ]
    assert load_queries(campaign, file).unchanged == 3


def test_books_and_needs_add_what_is_new_and_fill_in_the_rest(
    campaign: Campaign, tmp_path: Path
) -> None:
    for name, written in [("b.csv", BOOK), ("b.json", JSON), ("case.csv", SNAPSHOT)]:
        (tmp_path / name).write_text(written)
        load_queries(campaign, tmp_path / name)
    (needs := tmp_path / "n.csv").write_text(
        'query,information_need\nnothing found,"it, all"\nlast,\n'
    )
    loaded = load_queries(campaign, needs)
    assert (loaded.added, loaded.replaced, loaded.unchanged) == (1, 1, 0)
    assert [(one.query_id, one.text, one.narrative) for one in all_queries(campaign)] == [
        ("q1", "star wars", "films"),
        ("q2", 'say "hi"', ""),
        ("q3", "nothing found", "it, all"),
        ("q4", "last", ""),
    ]


@pytest.mark.parametrize(
    ("written", "left_out"),
    [
        ("query_id,query,information_need\n12,star wars,films\n7,last,\n", "column 'query_id'"),
        ("query_id,query_text,information_need\n12,star wars,films\n7,last,\n", "'query_id'"),
        ("information_need;query\nfilms;star wars\n;last\n", None),
        (
            "query_id,query,case,information_need\n12,star wars,c,films\n7,last,c,\n",
            "columns 'query_id', 'case' left out; queries are known by their texts",
        ),
    ],
)
def test_needs_are_told_by_their_columns_in_any_order(
    campaign: Campaign, tmp_path: Path, written: str, left_out: str | None
) -> None:
    (needs := tmp_path / "needs.csv").write_text(written)
    (case := tmp_path / "case.csv").write_text("query,docid,rating\nstar wars,d1,3\nlast,d1,1\n")
    load_qrels(campaign, case, judge="ann@x.org")
    loaded = load_queries(campaign, needs)
    assert (loaded.added, loaded.replaced, loaded.unchanged) == (0, 1, 1)
    *others, added = loaded.notes
    assert added == "added, as the campaign did not say it: narrative of 1 query"
    assert [left_out in note for note in others] == ([] if left_out is None else [True])
    export_judgments(campaign, book := tmp_path / "book.json", form="quepid-book-json")
    again = create_campaign(tmp_path / "2.db", name="c", scale=SCALE, seed=1)
    load_queries(again, book)
    for one in (campaign, again):
        told = [(query.text, query.narrative) for query in all_queries(one)]
        assert told == [("star wars", "films"), ("last", "")]


def test_of_two_needs_of_one_query_the_first_is_taken_which_is_told(
    campaign: Campaign, tmp_path: Path
) -> None:
    (needs := tmp_path / "needs.csv").write_text(
        "query,information_need\nstar wars,films\nlast,\nstar wars,toys\nlast,\n"
    )
    loaded = load_queries(campaign, needs)
    assert loaded.added == 2
    assert loaded.notes == ("1 query with another need in a later row: the first is taken",)
    assert [query.narrative for query in all_queries(campaign)] == ["films", ""]


def test_needs_that_were_corrected_are_told_and_come_in_on_request(
    campaign: Campaign, tmp_path: Path
) -> None:
    (path := tmp_path / "needs.csv").write_text("query,information_need\nfoo,old\nbar,old\n")
    load_queries(campaign, path)
    path.write_text("query,information_need\nfoo,corrected\nbar,corrected\n")
    with pytest.raises(
        InputError,
        match="differs from the campaign's in its narrative; in all: narrative of 2 queries",
    ):
        load_queries(campaign, path)
    load_queries(campaign, path, replace=True)
    told = {query.text: query.narrative for query in all_queries(campaign)}
    assert (told["foo"], told["bar"]) == ("corrected", "corrected")


def test_the_general_csv_of_a_case_has_needs_and_notes(campaign: Campaign, tmp_path: Path) -> None:
    (file := tmp_path / "case_general.csv").write_text(
        "Team Name,Case Name,Case ID,Query Text,Score,Date Last Scored,Count,Information Need,"
        'Notes,Options\r\nT,C,7,star wars,0.5,2020,9,"films, all","as ""asked"", twice",\r\n'
        'T,C,7,say ""hi"",0,2020,0,,,"{""a"":1}"\r\n',
        newline="",
    )
    loaded = load_queries(campaign, file)
    assert loaded.added == 2
    assert "'Team Name', 'Case Name', 'Case ID', 'Score'" in loaded.notes[0]
    assert [(one.text, one.narrative, one.description) for one in all_queries(campaign)] == [
        ("star wars", "films, all", 'as "asked", twice'),
        ('say "hi"', "", ""),
    ]


def test_a_run_with_unknown_queries_says_to_load_them_from_it(
    campaign: Campaign, tmp_path: Path
) -> None:
    (book := tmp_path / "b.csv").write_text(BOOK)
    (file := tmp_path / "case.csv").write_text(SNAPSHOT)
    load_queries(campaign, book)
    with pytest.raises(InputError, match=r"query 'say .hi.' is not .*load queries .*case\.csv"):
        load_run(campaign, file)
    load_queries(campaign, file)
    assert load_run(campaign, file)[1].added == 1


def test_a_basic_file_gives_an_empty_campaign_its_unrated_queries(
    campaign: Campaign, tmp_path: Path
) -> None:
    (file := tmp_path / "case.csv").write_text(BASIC)
    loaded = load_qrels(campaign, file, judge="Ann")
    assert [one.text for one in all_queries(campaign)] == TEXTS
    assert "the campaign had no queries: added those of the file, 3" in loaded.notes
