"""Queries that a campaign has, loaded again from a file that says more, less or something else."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.events import append_event
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.judges import find_judge
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.errors import InputError
from judge_tui.formats.mended_texts import may_be_mended
from judge_tui.model import Query, Scale
from tests.loading_runs import load_run

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
    assert (
        "2 (q001 'how to read'; q003 'how to join'); one whose text was mended" in loaded.notes[1]
    )


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
        "texts of queries that are other ones now: 1 (q001: 'how to read' is 'how to read"
        " CSV'); 3 judgments and results of 1 run stand under such texts now",
    )
    assert texts(judged) == {**TEXTS, "q001": "how to read CSV"}


@pytest.mark.parametrize(
    "rows",
    [
        # Behind a row that was put in before, that comes with it, that was taken out, or moved.
        "where are the logs,d\nhow to open,a\nhow to close,b\nhow to sort a long list,c\n",
        "where are the logs,d\nhow to open,a\nhow to close,b\nwhen does it end,e\n"
        "how to sort a long list,c\n",
        "how to close,b\nwhere are the logs,d\nhow to sort a long list,c\n",
        "how to sort a long list,c\nhow to open,a\nhow to close,b\nwhere are the logs,d\n",
    ],
)
def test_a_text_that_was_mended_is_known_wherever_its_row_stands(
    campaign: Campaign, rows: str
) -> None:
    load(campaign, "query,result1\nhow to open,a\nhow to close,b\nhow to sort a list,c\n")
    load(campaign, "query,result1\nhow to open,a\nwhere are the logs,d\n")
    before = texts(campaign)
    assert "query 'q003' is 'how to sort a list' in the campaign, and 'how to sort a long" in (
        refused(campaign, f"query,result1\n{rows}")
    )
    load(campaign, f"query,result1\n{rows}", replace=True)
    now = texts(campaign)
    assert {**before, "q003": "how to sort a long list"}.items() <= now.items()
    assert len(now) == (5 if "when does it end" in rows else 4)


def test_a_text_that_may_be_one_of_two_mended_is_a_new_query(campaign: Campaign) -> None:
    known = "one,a\ntwo,b\nthree,c\n"
    rows = f"query,result1\n{known}"
    load(campaign, f"{rows}sort a list,d\nsort the list,e\n")
    loaded = load(campaign, f"query,result1\nsort list,d\n{known}")
    assert counts(loaded) == (1, 0, 3)
    # Nor is one text the mended one of two.
    load(campaign, "query,result1\nfile size,f\n")
    loaded = load(campaign, f"{rows}zero,z\nfile size limit,f\nwhat file size,g\n")
    assert counts(loaded) == (3, 0, 3)


@pytest.mark.parametrize("replace", [False, True])
def test_another_query_in_the_place_of_one_is_a_new_one(judged: Campaign, replace: bool) -> None:
    instead = SHEET.replace("how to read", "how to write")
    loaded = load(judged, instead, replace=replace)
    assert counts(loaded) == (1, 0, 2)
    assert texts(judged) == {**TEXTS, "q004": "how to write"}
    assert "('how to write' is q004, not q001)" in loaded.notes[0]
    assert "the file does not have: 1 (q001 'how to read')" in loaded.notes[1]
    assert counts(load(judged, instead, replace=replace)) == (0, 0, 3)


def test_another_query_in_the_place_of_one_keeps_no_text_from_being_mended(
    campaign: Campaign,
) -> None:
    rows = SHEET + "one more,a.py,\nand another,a.py,\n"
    load(campaign, rows)
    instead = rows.replace("how to read", "how to write")
    load(campaign, instead)
    loaded = load(campaign, instead.replace("join", "jion"), replace=True)
    assert (counts(loaded), texts(campaign)["q003"]) == ((0, 1, 4), "how to jion")


def test_with_a_typing_error_that_was_mended_nothing_else_is_agreed_to(judged: Campaign) -> None:
    """What the refusal names is what --replace changes."""
    load(judged, f"{SHEET}one more,a.py,\nand another,a.py,\n")
    both = SHEET.replace("how to sort", "how to sorrt").replace("how to read", "parse a date")
    both += "one more,a.py,\nand another,a.py,\n"
    assert re.match("3: query 'q002' is 'how to sort' in the campaign, and", refused(judged, both))
    loaded = load(judged, both, replace=True)
    assert "other ones now: 1 (q002: 'how to sort' is 'how to sorrt');" in loaded.notes[2]
    assert {**TEXTS, "q002": "how to sorrt", "q006": "parse a date"}.items() <= texts(
        judged
    ).items()
    assert grades_by_judge(judged)["ann"] == {("q001", "read.py"): 3}


@pytest.mark.parametrize("own", [False, True])
def test_all_texts_that_would_change_are_told(campaign: Campaign, own: bool) -> None:
    rows = [f"what is number {name}" for name in "abcdefghijklmn"]
    start = "a long question that all of them begin with " * 2
    rows = [start + rows[0], *rows[1:], "one", "two"]

    def sheet(rows: list[str]) -> str:
        return f"{'query_id,' if own else ''}query,result1,class\n" + "".join(
            f"{f'q{place:03},' if own else ''}{row},a.py,{'lookup' if place == 16 else ''}\n"
            for place, row in enumerate(rows, start=1)
        )

    load(campaign, sheet(rows))
    mended = [
        *(row if place % 7 else f"{row} now" for place, row in enumerate(rows[:14])),
        *rows[14:],
    ]
    assert refused(campaign, sheet(mended)) == (
        "2: texts of queries are other ones here than in the campaign: 2 (q001: '…ith what is"
        " number a' is '…ith what is number a now'; q008: 'what is number h' is 'what is number h"
        " now'); if all of them were mended, change them for everybody with --replace; load what is"
        " another query first, " + ("with a new id" if own else "from a file of its own")
    )
    if own:
        told = refused(campaign, sheet([f"{row}!!" for row in rows]).replace("lookup", "survey"))
        assert "campaign: 16 (q001: '…" in told
        assert "; q010: 'what is number j' is 'what is number j!!'; and 6 more)" in told
        assert "; other ones, too: class of 1 query;" in told


def test_all_that_is_said_otherwise_is_told(campaign: Campaign) -> None:
    load(
        campaign, "query_id,query,result1,class,subset\na,one,a.py,lookup,x\nb,two,b.py,lookup,x\n"
    )
    other = "query_id,query,result1,class,subset\na,one,a.py,survey,x\nb,two,b.py,survey,y\n"
    assert refused(campaign, other) == (
        "2: query 'a' differs from the campaign's in its class; in all: class of 2 queries,"
        " subset of 1 query; mend one of the two, or change it for everybody with --replace"
    )


EDIT = st.tuples(
    st.sampled_from(("insert", "delete", "move", "mend", "exchange")),
    st.integers(0, 20),
    st.integers(0, 20),
)
WORDS = ("sort", "join", "parse", "hash", "export", "list", "tree", "date", "Quepid", "line")


def sheet_of(texts: Iterable[str]) -> str:
    return "query,result1\n" + "".join(f"{text},a.py\n" for text in texts)


def edited(rows: dict[str, str], edits: list[tuple[str, int, int]]) -> dict[str, str]:
    """The rows of a sheet after somebody worked on it: text -> what it was when it was put in."""
    now = list(rows.items())
    for kind, number, other in edits:
        place = number % (len(now) or 1)
        new = f"{WORDS[other % 10]} a {WORDS[(number + other // 2) % 10]}"
        if kind == "insert" or not now:
            now.insert(place, (new, new))
        elif kind == "delete":
            del now[place]
        elif kind == "move":
            now.insert(other % len(now), now.pop(place))
        elif kind == "exchange":
            now[place] = new, new
        else:  # one word more, or a typing error
            text, first = now[place]
            now[place] = (f"{text} now" if other % 2 else text[:-2] + text[:-3:-1]), first
    return dict(now)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.lists(EDIT, max_size=4), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_whatever_is_edited_no_judgment_comes_under_another_query(
    tmp_path: Path, sheets: list[list[tuple[str, int, int]]], replaced: list[bool]
) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        scale = Scale.parse("0=no,1=some")
        campaign = create_campaign(Path(folder) / "c.db", name="c", scale=scale, seed=1)
        texts_at_first = [f"{one} a {two}" for one, two in zip(WORDS, WORDS[3:], strict=False)]
        rows = {text: text for text in texts_at_first}
        with campaign:
            load(campaign, sheet_of(rows))
            judged_as = texts(campaign)  # whoever judged a query judged what it was at first
            for edits, replace in zip(sheets, replaced, strict=False):
                rows = edited(rows, edits) or rows
                before = texts(campaign)
                with contextlib.suppress(*([] if replace else [InputError])):
                    load(campaign, sheet_of(rows), replace=replace)
                now = texts(campaign)
                assert before.items() <= now.items() or replace
                for query_id, text in now.items():
                    older = before.get(query_id, text)
                    assert text == older or may_be_mended(older, text)
                    first = rows.get(text)
                    assert judged_as.setdefault(query_id, first or text) == (
                        first or judged_as[query_id]
                    )


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


TWINS = (
    "query,class,narrative\nalpha,x,n1\nmock log,lookup,first\nbeta,x,n3\n"
    "mock log,survey,second\ngamma,x,n5\n"
)
FIRST, SECOND = "mock log,lookup,first\n", "mock log,survey,second\n"


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("gone", [FIRST, SECOND])
def test_the_one_left_of_two_of_one_text_is_the_one_of_which_the_same_is_said(
    campaign: Campaign, gone: str, replace: bool
) -> None:
    load(campaign, TWINS)
    before = all_queries(campaign)
    loaded = load(campaign, TWINS.replace(gone, ""), replace=replace)
    assert (counts(loaded), all_queries(campaign)) == ((0, 0, 4), before)
    # Nor do the two change their places in the other order.
    swapped = TWINS.replace(FIRST, "<>").replace(SECOND, FIRST).replace("<>", SECOND)
    assert counts(load(campaign, swapped, replace=replace)) == (0, 0, 5)
    assert all_queries(campaign) == before


@pytest.mark.parametrize(
    "left",
    [
        "query,result1\nalpha,a\nmock log,b\nbeta,c\ngamma,e\n",
        "query,class,result1\nalpha,x,a\nmock log,lookup,b\nbeta,x,c\ngamma,x,e\n",
    ],
)
def test_queries_answers_and_runs_agree_on_the_one_left_of_two(
    campaign: Campaign, left: str
) -> None:
    load(campaign, TWINS)
    folder = campaign.path.parent
    assert counts(load(campaign, left)) == (0, 0, 4)
    (folder / "b.run").write_text("q002 Q0 b 1 1 b\nq004 Q0 e 1 1 b\n")
    asked = {"q001": "alpha", "q002": "mock log", "q003": "beta", "q004": "gamma"}
    hits = {"q002": [{"doc_id": "b"}], "q004": [{"doc_id": "e"}]}
    replies = [
        {"query_id": query_id, "query": text, "hits": hits.get(query_id, [])}
        for query_id, text in asked.items()
    ]
    (folder / "b.answers.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in ({"judge_tui": 1}, *replies))
    )
    load_run(campaign, folder / "b.run")
    load_answers(campaign, folder / "file", judge="sheet")
    pairs = [("q001", "a"), ("q002", "b"), ("q003", "c"), ("q005", "e")]
    assert grades_by_judge(campaign)["sheet"] == dict.fromkeys(pairs, 1)
    retrieved = campaign.rows(
        "SELECT q.query_id, d.doc_id FROM results AS r JOIN queries AS q ON q.id = r.query"
        " JOIN documents AS d ON d.id = r.document ORDER BY 1"
    )
    assert [tuple(one) for one in retrieved] == [("q002", "b"), ("q005", "e")]


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


def test_a_mended_text_that_became_a_query_of_its_own_comes_back_to_its_id(
    judged: Campaign,
) -> None:
    load(judged, "query,result1\nhow to read CSV,csv.md\n")
    assert texts(judged) == {**TEXTS, "q004": "how to read CSV"}
    # Its grades come from a file.
    load_answers(judged, judged.path.parent / "file", judge="sheet")
    with_id = "q002\thow to sort\nq003\thow to join\nq001\thow to read CSV\n"
    assert refused(judged, with_id) == (
        "3: query 'q001' is 'how to read' in the campaign, and 'how to read CSV' here; give it a"
        " new id, or change it for everybody with --replace"
    )
    own = "q004\thow to read CSV\n"
    # With the other one in the file, it is another one; and so is a text that says something else.
    for rows in (with_id + own, with_id.replace("q001", "q002").partition("\n")[2]):
        assert "the file is numbered anew" in refused(judged, rows, replace=True)
    loaded = load(judged, with_id, replace=True)
    assert texts(judged) == {**TEXTS, "q001": "how to read CSV", "q004": "how to read CSV"}
    assert loaded.notes == (
        "queries whose text now is that of others, too: 1 (q001 is q004, 'how to read CSV'); runs"
        " and judgments of one id say nothing of the other",
        "texts of queries that are other ones now: 1 (q001: 'how to read' is 'how to read CSV'); 3"
        " judgments and results of 1 run stand under such texts now",
    )
    assert load(judged, with_id, replace=True).notes == ()


def test_a_mended_text_that_people_have_judged_as_another_query_stays_that(
    judged: Campaign,
) -> None:
    load(judged, "query,result1\nhow to read CSV,csv.md\n")
    load_answers(judged, judged.path.parent / "file", judge="sheet")
    ann = find_judge(judged, "ann")
    assert ann is not None
    pair = pair_keys(judged)["q004", "csv.md"]
    append_event(judged, judge=ann.key, pair=pair, action="grade", grade=2)
    assert "'how to read CSV' here, which is 'q004' there: the file is numbered anew" in refused(
        judged, "q001\thow to read CSV\n", replace=True
    )


def test_queries_that_nobody_has_judged_may_be_numbered_anew(campaign: Campaign) -> None:
    load(campaign, "a\tone\nb\ttwo\n")
    refused(campaign, "a\ttwo\nb\tone\n")
    loaded = load(campaign, "a\ttwo\nb\tone\n", replace=True)
    assert texts(campaign) == {"a": "two", "b": "one"}
    assert loaded.notes[0].endswith("2 (a: 'one' is 'two'; b: 'two' is 'one')")


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
        rf"1: query 'q001' differs from the campaign's in its {name}", refused(campaign, other)
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
