"""Queries that a campaign has, loaded again from a file that says more, less or something else."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.campaign.runs import load_run
from judge_tui.errors import InputError
from judge_tui.model import Query, Scale

SHEET = (
    "query,result1,result2\nhow to read,read.py,csv.md\nhow to sort,sort.py,\nhow to join,j.py,\n"
)
RUN = "q001 Q0 csv.md 1 3 old\nq001 Q0 read.py 2 2 old\nq002 Q0 sort.py 1 3 old\n"
TEXTS = {"q001": "how to read", "q002": "how to sort", "q003": "how to join"}


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    scale = Scale.parse("0=no,1=some,2=good,3=perfect")
    return create_campaign(tmp_path / "c.db", name="c", scale=scale, seed=1)


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    """Queries of a sheet without ids, a run, the sheet's grades and one of ann's."""
    load(campaign, SHEET)
    folder = campaign.path.parent
    (folder / "old.run").write_text(RUN)
    load_run(campaign, folder / "old.run")
    load_answers(campaign, folder / "file", judge="sheet")
    (folder / "ann.qrels").write_text("q001 0 read.py 3\n")
    load_qrels(campaign, folder / "ann.qrels", judge="ann")
    return campaign


def load(campaign: Campaign, text: str, *, replace: bool = False) -> Loaded:
    path = campaign.path.parent / "file"
    path.write_text(text)
    return load_queries(campaign, path, replace=replace)


def refused(campaign: Campaign, text: str, *, replace: bool = False) -> str:
    """Why it is refused; nothing of it has come into the campaign."""
    before = all_queries(campaign)
    with pytest.raises(InputError) as raised:
        load(campaign, text, replace=replace)
    assert all_queries(campaign) == before
    return str(raised.value).partition("file:")[2]


def texts(campaign: Campaign) -> dict[str, str]:
    return {query.query_id: query.text for query in all_queries(campaign)}


def counts(loaded: Loaded) -> tuple[int, int, int]:
    return loaded.added, loaded.replaced, loaded.unchanged


def test_a_row_put_in_before_the_others_changes_no_id(judged: Campaign) -> None:
    first, *rest = SHEET.splitlines()
    loaded = load(judged, "\n".join([first, "brand new,new.py,", *rest]))
    assert counts(loaded) == (1, 0, 3)
    # Not q004: so a run that numbers the queries of this file calls the last one.
    assert texts(judged) == {**TEXTS, "q005": "brand new"}
    (note,) = loaded.notes
    assert (
        "would give 3 of 4 the ids of others ('brand new' is q005, not q001; 'how to read' is q001,"
        " not q002; 'how to sort' is q002, not q003)" in note
    )
    load_answers(judged, judged.path.parent / "file", judge="sheet", replace=True)
    grades = grades_by_judge(judged)
    assert grades["sheet"] == {
        ("q005", "new.py"): 1,
        ("q001", "read.py"): 1,
        ("q001", "csv.md"): 1,
        ("q002", "sort.py"): 1,
        ("q003", "j.py"): 1,
    }
    assert grades["ann"] == {("q001", "read.py"): 3}


@pytest.mark.parametrize("replace", [False, True])
def test_the_same_sheet_in_any_order_changes_nothing(judged: Campaign, replace: bool) -> None:
    first, *rest = SHEET.splitlines()
    assert counts(load(judged, SHEET, replace=replace)) == (0, 0, 3)
    assert counts(load(judged, "\n".join([first, *rest[::-1]]), replace=replace)) == (0, 0, 3)
    assert texts(judged) == TEXTS


def test_a_row_behind_the_others_has_the_id_of_its_place(judged: Campaign) -> None:
    loaded = load(judged, SHEET + "brand new,new.py,\n")
    assert (counts(loaded), loaded.notes) == ((1, 0, 3), ())
    assert texts(judged)["q004"] == "brand new"


def test_another_sheet_adds_its_queries_and_changes_none(judged: Campaign) -> None:
    loaded = load(judged, "query,result1\nanother,a.py\nhow to sort,b.py\n", replace=True)
    assert counts(loaded) == (1, 0, 1)
    assert texts(judged) == {**TEXTS, "q004": "another"}
    assert "2 (q001 'how to read'; q003 'how to join'); a text that was mended" in loaded.notes[1]


def test_a_text_that_was_mended_in_its_place_is_changed_on_request(judged: Campaign) -> None:
    mended = SHEET.replace("how to read", "how to read CSV")
    assert refused(judged, mended) == (
        "2: query 'q001' is 'how to read' in the campaign, and 'how to read CSV' here; if its text"
        " was mended, change it for everybody with --replace; if it is another query, load it first"
        " from a file of its own"
    )
    loaded = load(judged, mended, replace=True)
    assert counts(loaded) == (0, 1, 2)
    assert loaded.notes == (
        "texts of queries that are other ones now: 1, such as q001: 'how to read' is 'how to read"
        " CSV'; 3 judgments and results of 1 run stand under such texts now",
    )
    assert texts(judged) == {**TEXTS, "q001": "how to read CSV"}


def test_another_query_in_the_place_of_one_comes_from_a_file_of_its_own(judged: Campaign) -> None:
    instead = SHEET.replace("how to read", "quite another")
    refused(judged, instead)
    assert counts(load(judged, "query,result1\nquite another,a.py\n")) == (1, 0, 0)
    assert counts(load(judged, instead)) == (0, 0, 3)
    assert texts(judged) == {**TEXTS, "q004": "quite another"}


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True), max_size=5))
def test_whatever_sheets_come_a_text_keeps_its_id_and_its_answers(
    tmp_path: Path, sheets: list[list[str]]
) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        scale = Scale.parse("0=no,1=some")
        campaign = create_campaign(Path(folder) / "c.db", name="c", scale=scale, seed=1)
        path = campaign.path.parent / "file"
        with campaign:
            load(campaign, "query,result1\nfirst,first.py\n")
            (path.parent / "r.run").write_text("q001 Q0 x 1 1 r\n")
            load_run(campaign, path.parent / "r.run")
            for sheet in sheets:
                before = texts(campaign)
                rows = "".join(f"{text},{text}.py\n" for text in ("first", *sheet))
                with contextlib.suppress(InputError):  # a new text in the place of one that is gone
                    load(campaign, f"query,result1\n{rows}")
                assert before.items() <= texts(campaign).items()
                of_text = {text: query_id for query_id, text in texts(campaign).items()}
                assert len(of_text) == len(texts(campaign))
                load_answers(campaign, path, judge="sheet", replace=True, skip_unknown=True)
                grades = grades_by_judge(campaign)["sheet"]
                assert {(of_text[one], f"{one}.py") for one in sheet if one in of_text} <= {*grades}
                assert all(doc_id == f"{texts(campaign)[its]}.py" for its, doc_id in grades)


def test_each_of_several_queries_of_one_text_stays_what_it_is(campaign: Campaign) -> None:
    load(campaign, "query,result1,class\nsame,a.py,lookup\nsame,b.py,synonym\n")
    assert counts(load(campaign, "query,result1\nnew,c.py\nsame,a.py\nsame,b.py\n")) == (1, 0, 2)
    assert [(one.query_id, one.query_class) for one in all_queries(campaign)] == [
        ("q001", "lookup"),
        ("q002", "synonym"),
        ("q004", ""),
    ]


@pytest.mark.parametrize("replace", [False, True])
def test_judged_queries_whose_file_was_numbered_anew_are_not_renamed(
    judged: Campaign, replace: bool
) -> None:
    anew = "q001\tbrand new\nq002\thow to read\nq003\thow to sort\nq004\thow to join\n"
    assert refused(judged, anew, replace=replace) == (
        "2: query 'q002' is 'how to sort' in the campaign, and 'how to read' here, which is 'q001'"
        " there: the file is numbered anew, and 5 judgments and results of 1 run would stand under"
        " other texts; give each query the id that it has in the campaign, and new ones new ids"
    )


def test_queries_that_nobody_has_judged_may_be_numbered_anew(campaign: Campaign) -> None:
    load(campaign, "a\tone\nb\ttwo\n")
    refused(campaign, "a\ttwo\nb\tone\n")
    loaded = load(campaign, "a\ttwo\nb\tone\n", replace=True)
    assert texts(campaign) == {"a": "two", "b": "one"}
    assert loaded.notes[0].endswith("2, such as a: 'one' is 'two'")


def test_white_space_makes_no_other_text(campaign: Campaign) -> None:
    load(campaign, "a\thow to\n")
    assert counts(load(campaign, "a\thow  to\n")) == (0, 0, 1)
    loaded = load(campaign, "a\thow  to\n", replace=True)
    assert (counts(loaded), loaded.notes) == ((0, 1, 0), ())
    assert texts(campaign) == {"a": "how  to"}


NEED = {"query_id": "q001", "text": "how to", "narrative": "N", "description": "D", "team": "x"}


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("ids", ["q001,", ""])
def test_what_a_file_does_not_say_stays_and_what_it_adds_is_added(
    campaign: Campaign, ids: str, replace: bool
) -> None:
    load(campaign, json.dumps(NEED))
    sheet = f"{'query_id,' if ids else ''}query,result1,class\n{ids}how to,a.md,lookup\n"
    loaded = load(campaign, sheet, replace=replace)
    assert counts(loaded) == (0, 1, 0)
    stays = (
        "stays, as the file does not say it: description of 1 query, narrative of 1 query, team of"
        " 1 query"
    )
    assert loaded.notes == (
        "added, as the campaign did not say it: class of 1 query",
        *([stays] if replace else []),
    )
    assert all_queries(campaign) == [Query("q001", "how to", "D", "N", "lookup", {"team": "x"})]
    assert counts(load(campaign, sheet, replace=replace)) == (0, 0, 1)


@pytest.mark.parametrize(
    ("name", "value"), [("narrative", "other"), ("description", "other"), ("team", "y")]
)
def test_what_a_file_says_otherwise_holds_on_request(
    campaign: Campaign, name: str, value: str
) -> None:
    load(campaign, json.dumps({**NEED, "class": "lookup"}))
    # Standard classes are one however they are written.
    other = json.dumps({"query_id": "q001", "text": "how to", "class": "Lookup", name: value})
    assert re.match(
        rf"1: query 'q001' has another {name} in the campaign", refused(campaign, other)
    )
    assert counts(load(campaign, other, replace=True)) == (0, 1, 0)
    (query,) = all_queries(campaign)
    assert {**NEED, name: value} == {
        "query_id": query.query_id,
        "text": query.text,
        "narrative": query.narrative,
        "description": query.description,
        **query.meta,
    }
