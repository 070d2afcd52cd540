"""Grades as Quepid, RRE, OpenSearch and Elasticsearch keep them.

The layouts are those that these tools write: Quepid's exports of a case, a snapshot and a book,
RRE's ratings files in both of their shapes, the body of an import of judgments into OpenSearch, and
of a `_rank_eval` request.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import (
    check_file,
    iter_documents,
    read_grades,
    read_qrels,
    read_queries,
    read_results,
    read_run,
    recognise,
)
from judge_tui.formats.book_files import BOOK_FORMS
from judge_tui.formats.ids import as_field, text_field
from judge_tui.formats.quepid_files import CaseRow, detailed_csv, snapshot_csv
from judge_tui.formats.registry import all_formats, format_named, names_of
from judge_tui.streaming import score_sources


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


def test_quepids_basic_csv(file: Path) -> None:
    # No line end behind the last row, a query without ratings, floats, the guarding blank.
    file.write_text('query,docid,rating\n"star, trek",1,3.0\n =cmd,a b,0\nno docs,,')
    assert read_qrels(file) == {"star,%20trek": {"1": 3}, "=cmd": {"a%20b": 0}}
    notes: list[str] = []
    assert check_file(file, noted=notes.append) == []
    assert notes == ["1 query has no documents in the file"]
    file.write_text("query,docid,rating\na,1,\na,2,1\n")
    assert read_qrels(file) == {"a": {"2": 1}}
    assert check_file(file, noted=notes.append) == []
    assert notes[1:] == ["1 row without a rating left out, as not judged"]
    # Who rated, say: a case has one rating a pair.
    file.write_text(",query,docid,rating,user,at\n0,a,1,3,ann,\n")
    assert read_qrels(file, noted=notes.append) == {"a": {"1": 3}}
    assert notes[2:] == ["columns 'user', 'at' beside the rating left out"]


def test_quepids_detailed_csv_is_qrels_and_a_run(file: Path) -> None:
    file.write_text(
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,rating\r\n"
        'T,C,1, -x,d1,1, "=a, b",3,9\r\n'
        "T,C,1, -x,d2,2,t,,9\r\n"
        "T,C,1,no documents\r\n"
    )
    assert read_qrels(file) == {"-x": {"d1": 3}}
    assert read_run(file).scores == {"-x": {"d1": -1.0, "d2": -2.0}}


def test_a_query_without_documents_was_asked_and_found_nothing(file: Path) -> None:
    file.write_text(f"{DETAILED}\nT,C,1,star wars,d1,1,t,3\nT,C,1,zero  hits\nT,C,1,none,,,,\n")
    run = read_run(file)
    assert run.scores == {"star%20wars": {"d1": -1.0}}
    assert run.asked == {"star%20wars", "zero%20hits", "none"}
    assert read_results(file)[1].asked == run.asked
    # What names no such query does not say what was asked.
    file.write_text(f"{DETAILED}\nT,C,1,star wars,d1,1,t,3\n")
    assert read_run(file).asked == frozenset()
    # Nothing was found at all; and a row that names nothing.
    file.write_text(f"{DETAILED}\nT,C,1,zero hits\n")
    assert (read_run(file).scores, read_run(file).asked) == ({}, {"zero%20hits"})
    file.write_text(f"{DETAILED}\nT,C,1,x,d1,1,t,3\nT,C,1, ,\n")
    with pytest.raises(InputError, match=":3: the row has no query; give each row a query"):
        read_run(file)


def test_each_snapshot_has_its_own_queries_without_documents(file: Path) -> None:
    file.write_text(f"{SNAPSHOT}\nold,,1,x,d1,1\nold,,1,y\nnew,,1,x,d1,1\nnone,,1,x\n")
    assert {tag: read_run(file, tag=tag).asked for tag in ("old", "new", "none")} == {
        "old": {"x", "y"},
        "new": frozenset(),
        "none": {"x"},
    }
    with pytest.raises(InputError, match="3 snapshots: 'old', 'new', 'none'"):
        read_run(file)


def test_what_found_nothing_counts_as_0_in_files_too(file: Path) -> None:
    file.write_text(f"{DETAILED}\nT,C,1,x,d1,1,t,3\nT,C,1,y\nT,C,1,z\n")
    for jobs in (1, 2):
        qrels = {"x": {"d1": 3}, "y": {"d2": 1}}
        for run in score_sources(qrels, {"a": file, "b": file}, "RR", jobs=jobs).runs:
            assert (run.query_ids, run.values["RR"]) == (("x", "y"), (1.0, 0.0))
            assert (run.missing_run, run.missing_qrels) == (("y",), ("z",))


def test_quepids_snapshot_is_a_run(file: Path) -> None:
    file.write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title\r\n"
        "S,2020,1,read files,d1,1,x\r\nS,2020,1,read files,d2,2,y\r\n"
    )
    assert read_run(file).scores == {"read%20files": {"d1": -1.0, "d2": -2.0}}


SNAPSHOT = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position"
DETAILED = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("fields", ["query,score", "query,rank", "query,doc_id,relevance,score"])
@pytest.mark.parametrize(("own", "more"), [(SNAPSHOT, ""), (DETAILED, "a title,3,")])
def test_a_field_of_quepids_documents_is_no_column(
    file: Path, own: str, more: str, fields: str, separator: str
) -> None:
    width = fields.count(",") + 1
    rows = [
        f"s,1,7,star wars,d{place},{place},{more}{','.join(['5'] * width)}\n" for place in (1, 2)
    ]
    file.write_text("".join([f"{own},{fields}\n", *rows]).replace(",", separator))
    assert recognise(file).format == "quepid"
    assert read_run(file).scores == {"star%20wars": {"d1": -1.0, "d2": -2.0}}
    if own == DETAILED:
        assert read_qrels(file) == {"star%20wars": {"d1": 3, "d2": 3}}


def test_two_snapshots_of_one_name_are_told_once_by_their_times(file: Path) -> None:
    rows = [
        f"{name},{time},1,{query},d{place},{place}\n"
        for name, time in (("S", "2020"), ("T", "2021"), ("S", "2021"))
        for query in ("one", "two")
        for place in (1, 2)
    ]
    file.write_text("".join([f"{SNAPSHOT}\n", *rows]))
    (told,) = check_file(file)
    assert str(told).endswith(
        ":10: two snapshots are called 'S': of 2020, line 2, and of 2021; give one of them another"
        " name, in all its rows"
    )
    with pytest.raises(InputError, match=":10: two snapshots are called 'S'"):
        read_run(file, tag="S")
    # A time that nobody has written is none.
    file.write_text("".join([f"{SNAPSHOT}\n", *rows[:8]]).replace("S,2020,1,two", "S,,1,two"))
    assert check_file(file) == []


def test_what_is_rated_without_a_position_was_not_returned(file: Path) -> None:
    file.write_text(f"{DETAILED}\nT,C,1,x,d1,1,t,3\nT,C,1,x,d2,,t,2\nT,C,1,y,d1,,t,1\n")
    assert read_run(file).scores == {"x": {"d1": -1.0}}
    assert read_qrels(file) == {"x": {"d1": 3, "d2": 2}, "y": {"d1": 1}}
    assert read_results(file)[1].scores == {"x": {"d1": -1.0}}
    (run,) = score_sources({"x": {"d2": 1}}, {"a": file}, "RR").runs
    assert run.values["RR"] == (0.0,)
    # Without a rating it is not known what such a row says.
    file.write_text(f"{DETAILED}\nT,C,1,x,d1,,t,\n")
    with pytest.raises(InputError, match="rank '' is not a whole number"):
        read_run(file)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('""exact phrase""', '"exact phrase"'),
        ('5"" disk', '5" disk'),
        ('""a, b"" c'.join('""'), '"a, b" c'),
        (' "=a, ""b"""', '=a, "b"'),
        ('"two\nlines, ""x"""', 'two\nlines, "x"'),
        (' -""x""', '-"x"'),
        ('"{""a"":1}"', '{"a":1}'),
        # As a spreadsheet writes it again.
        ('"""exact phrase"""', '"exact phrase"'),
    ],
)
def test_quepids_way_of_doubling_quotes_is_undone(file: Path, cell: str, text: str) -> None:
    file.write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,x,y\r\n"
        f'S,2020,1,{cell},d1,1,"",{cell}\r\nS,2020,1,plain,{cell},2,,""\r\n',
        newline="",
    )
    expected = as_field(text)
    assert read_run(file).scores == {text_field(text): {"d1": -1.0}, "plain": {expected: -2.0}}


@pytest.mark.parametrize(
    "rated",
    [
        "query,docid,rating\n how  to\tsort,d1,1\n",
        '{"queries": [{"placeholders": {"$query": "how  to sort"},'
        ' "relevant_documents": {"1": ["d1"]}}]}',
    ],
)
def test_white_space_in_the_text_of_a_query_counts_as_one_blank(file: Path, rated: str) -> None:
    file.write_text(rated)
    assert read_qrels(file) == {"how%20to%20sort": {"d1": 1}}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("text", ['5" disk, new', 'a; "b"', '"all"', "tab\tand, more", 'x\n"y";z'])
def test_a_spreadsheet_may_have_written_quepids_csv_again(
    file: Path, separator: str, text: str
) -> None:
    head = ["Case ID", "Query Text", "Doc ID", "Doc Position", "Title", "Rating"]
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream, delimiter=separator)
        writer.writerows([head, [1, text, "d1", 1, text, 3]])
        writer.writerow([1, "plain", "d2", 1, 'say "no"', ""])
    assert check_file(file) == []
    assert read_run(file).scores == {text_field(text): {"d1": -1.0}, "plain": {"d2": -1.0}}
    assert read_qrels(file) == {text_field(text): {"d1": 3}}


@pytest.mark.parametrize(
    "relevant", ['{"1": {"gain": 3}, "2": {"gain": 0}}', '{"3": ["1"], "0": ["2"]}']
)
def test_rre_in_both_shapes_and_at_every_level(file: Path, relevant: str) -> None:
    expected = {"fender": {"1": 3, "2": 0}, "Fender%20bass": {"1": 3, "2": 0}}
    first = '{"placeholders": {"$query": "fender"}'
    second = '{"placeholders": {"$query": "Fender bass"}'
    own = f', "relevant_documents": {relevant}}}'
    group = f'{{"queries": [{first}}}, {second}}}, {first}}}]{own}'
    for content in (
        f'{{"index": "i", "queries": [{first}{own}, {second}{own}]}}',
        f'{{"index": "i", "query_groups": [{group}]}}',
        f'{{"index": "i",\n "topics": [\n {{"query_groups": [{group}]}}]}}',
    ):
        file.write_text(content)
        assert read_qrels(file) == expected


def test_the_only_placeholder_of_rre_is_the_text(file: Path) -> None:
    query = '{"placeholders": {"$title": "red dress"%s}, "relevant_documents": {"3": ["d1"]}}'
    one, german = query % "", query % ', "$lang": "de"'
    for content in (
        f'{{"queries": [{one}, {one}]}}',
        f'{{"query_placeholder": "$title", "queries": [{german}]}}',
    ):
        file.write_text(content)
        assert read_qrels(file) == {"red%20dress": {"d1": 3}}


def test_grades_of_groups_without_queries_are_counted_in_rre(file: Path) -> None:
    asked = '{"queries": [{"placeholders": {"$query": "a"}}], "relevant_documents": {"2": ["d1"]}}'
    for lost, count in (
        ('{"queries": [], "relevant_documents": {"2": ["d1", "d7"]}}', "2 grades"),
        ('{"queries": [], "relevant_documents": {"d1": {"gain": 2}}}', "1 grade"),
        ('{"queries": []}', ""),
    ):
        group = f'{{"query_groups": [{asked},\n {lost}]}}'
        topic = f'{{"relevant_documents": {{"2": ["d1"]}}, "query_groups": [{asked}]}}'
        for content in (group, f'{{"topics": [{topic}, {group}]}}'):
            file.write_text(content)
            notes: list[str] = []
            assert read_qrels(file, noted=notes.append) == {"a": {"d1": 2}}
            told = f"{count} of groups without queries left out, the first on line 2"
            assert notes == ([told] if count else [])
    # What all groups of a topic share is lost where none has a query.
    file.write_text(
        f'{{"topics": [{group},\n\n {{"relevant_documents": {{"1": ["x"]}}, "query_groups": []}}]}}'
    )
    assert read_qrels(file, noted=notes.append) == {"a": {"d1": 2}}
    assert notes == ["1 grade of groups without queries left out, the first on line 4"]
    file.write_text('{"query_groups": [{"queries": [], "relevant_documents": {"two": ["d1"]}}]}')
    with pytest.raises(InputError, match="grade 'two' is not a whole number"):
        read_qrels(file)


def test_one_pair_with_two_grades_is_refused_in_rre(file: Path) -> None:
    file.write_text(
        '{"queries": [{"placeholders": {"$query": "a"},\n'
        ' "relevant_documents": {"1": ["d"], "2": ["d"]}}]}'
    )
    with pytest.raises(InputError, match=r":2: document 'd' is already in query 'a', line 2"):
        read_qrels(file)


RATINGS = (
    '{"queries": [{"query": "star  wars", "ratings": {"doc 1": 3, "d2": 0.0}},\n'
    ' {"query": "zero", "ratings": {}}]}'
)
CASE = (
    '{"case_name": "C", "scorer": {"scale": [0, 1]}, "queries": [{"query_text": "star wars",'
    ' "information_need": "all films", "notes": null, "ratings": [{"doc_id": "doc 1", "rating": 3,'
    ' "user_email": "a@x.org"}, {"doc_id": "d2", "rating": "0"}, {"doc_id": "d3", "rating": null}]'
    '},\n {"query_text": "zero", "ratings": []}]}'
)


@pytest.mark.parametrize(
    "content",
    [
        RATINGS,
        RATINGS.replace(', "ratings": {}', ""),
        RATINGS.replace('"ratings": {}', '"ratings": null'),
        CASE,
        CASE.replace(', "ratings": []', ""),
    ],
)
def test_quepids_ratings_and_case_in_json(file: Path, content: str) -> None:
    file.write_text(content)
    assert recognise(file) == ("qrels", "quepid-json")
    assert read_qrels(file) == {"star%20wars": {"doc%201": 3, "d2": 0}}
    assert read_grades(file).lone_queries == ("zero",)
    notes: list[str] = []
    assert check_file(file, noted=notes.append) == []
    assert notes[0] == "1 query has no documents in the file"
    if "case_name" in content:
        assert notes[1:] == [
            "1 pair without a rating left out",
            "'user_email', who rated last, is left out",
        ]
    queries = read_queries(file)
    assert [one.text for one in queries] == ["star wars", "zero"]
    assert queries[0].narrative == ("all films" if "case_name" in content else "")


@pytest.mark.parametrize(
    "comments",
    [
        # LETOR 4.0, LETOR 3.0, and RankLib's own example.
        ("#docid = GX1 inc = 1 prob = 0.13", "#docid = GX2 inc = 0.01 prob = 0.5"),
        ("#docid = GX1", "#docid = GX2"),
        ("#docid=GX1 inc = 1", "#docid=GX2 inc = 1"),
        ("# GX1", "# GX2"),
    ],
)
@pytest.mark.parametrize("between", [" ", "\t"])
def test_letor(file: Path, comments: tuple[str, str], between: str) -> None:
    one, two = comments
    lines = [f"2 qid:10 1:0.5 2:0 {one}", f"-1 qid:10 1:0.5 {two}", f"0 qid:11 1:1 2:0 {two}"]
    file.write_text("\n".join(line.replace(" ", between, 3) for line in lines))
    assert recognise(file) == ("qrels", "letor")
    notes: list[str] = []
    read = read_qrels(file, noted=notes.append)
    assert read == {"10": {"GX1": 2, "GX2": -1}, "11": {"GX2": 0}}
    assert notes == ["2 features of each document left out"]


def test_lines_of_letor_without_documents_are_refused(file: Path) -> None:
    file.write_text("2 qid:1 1:3 2:3\n0 qid:1 1:3 2:0\n")  # as MSLR-WEB has them
    problems = check_file(file)
    assert [problem.line for problem in problems] == [1, 2]
    told = "the line is not a label, qid:, features, # and the id of a document; write it like"
    assert told in str(problems[0])


def test_opensearch_takes_strings_and_numbers(file: Path) -> None:
    ratings = (
        '"judgmentRatings": [{"query": "red dress", "ratings":'
        ' [{"docId": "B1", "rating": "0.000"}, {"docId": "B2", "rating": 3}]}]'
    )
    for content in (
        f'{{"name": "x", "type": "IMPORT_JUDGMENT", {ratings}}}',
        f'{{"hits": {{"hits": [{{"_id": "1", "_source": {{"id": "1", {ratings}}}}}]}}}}',
        f'{{"hits": {{"hits": [{{"_source": {{{ratings}}}}}]}}}}',
    ):
        file.write_text(content)
        assert recognise(file) == ("qrels", "opensearch")
        assert read_qrels(file) == {"red%20dress": {"B1": 0, "B2": 3}}


def test_rank_eval_has_ids_of_queries(file: Path) -> None:
    file.write_text(
        '{"requests": [{"id": "JFK query", "request": {"query": {"match_all": {}}},\n'
        '"ratings": [{"_index": "i", "_id": "1", "rating": 2}, {"_index": "i", "_id": "2",'
        ' "rating": 0}]}, {"id": "none", "ratings": []}], "metric": {"dcg": {}}}'
    )
    assert read_qrels(file) == {"JFK%20query": {"1": 2, "2": 0}}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"queries": 1, "ratings": 1}', r":1: there is no list 'queries' of objects"),
        (
            '{"queries": [{"query": "a", "ratings": {"d1": 1,\n"d2": 1.5}}]}',
            r":1: document 'd2': grade '1\.5' is not a whole number of 32 bits; write it in digits,"
            " like 2: of a scale such as 0, 0.5, 1 make 0, 1, 2$",
        ),
        (
            '{"queries": [{"query": "a", "ratings": {}},\n{"ratings": {"d": 1}}]}',
            r":2: the query has no text; write it in 'query', as a string$",
        ),
        (
            '{"queries": [{"query": "a", "ratings": [1]}]}',
            r":1: 'ratings' is neither an object nor a list of objects; write",
        ),
        ('{"judgmentRatings": {}}', r":1: there is no list 'judgmentRatings' of objects"),
        ('{"judgmentRatings": [{"query": "a"}]}', r":1: there is no list 'ratings'"),
        (
            '{"judgmentRatings":\n[{"query": "", "ratings": []}]}',
            r":2: the query has no text; write it in 'query'$",
        ),
        (
            '{"queries": [\n{"placeholders": {}, "relevant_documents": {}}]}',
            r":2: the query has no text; write it in its placeholder '\$query', as a string$",
        ),
        (
            '{"queries": [\n{"placeholders": {"$title": "a", "$lang": "en"}}]}',
            r":2: the query has no text: there is no '\$query' among its placeholders '\$title',"
            r" '\$lang'; name the one that is the text in the file's 'query_placeholder'$",
        ),
        (
            '{"query_placeholder": {}, "queries": [{"placeholders": {"$title": "a"}}]}',
            r":1: 'query_placeholder' is no name; write it like \"\$query\"$",
        ),
        (
            '{"queries": [{"placeholders": {"$query": "a b", "$filter": "x"},'
            ' "relevant_documents": {"d1": {"gain": 3}}},\n{"placeholders": {"$query": "a b",'
            ' "$filter": "y"}, "relevant_documents": {"d1": {"gain": 0}}}]}',
            r":2: document 'd1' has grade 0, and 3 on line 1 for the same '\$query' with another"
            r" '\$filter'; a query is told by its text alone: write what differs into '\$query',"
            " or keep one of the two grades$",
        ),
        (
            '{"requests": [{"id": "a", "ratings": [{"_index": "i", "_id": "d", "rating": 3},\n'
            '{"_index": "j", "_id": "d", "rating": 0}]}]}',
            r":2: document 'd' is rated on line 1 already, with another '_index'; a document is"
            r" told by its '_id' alone: keep one of the two, or write the '_index' into the '_id'$",
        ),
        (
            '{"judgmentRatings": [{"query": "a", "ratings": [\n{"docId": "d", "rating": 0.5}]}]}',
            r":2: grade '0\.5' is not a whole number",
        ),
        (
            '{"judgmentRatings": [{"query": "a", "ratings": [\n{"docId": "d", "rating": null}]}]}',
            r":2: the document has no rating",
        ),
        (
            '{"judgmentRatings": [{"query": "a",\n"query": "b", "ratings": []}]}',
            r":2: 'query' comes twice in one object",
        ),
        ('{"judgmentRatings": [{"query": "a"', r":1: not valid JSON: ',' or '}' is missing"),
        ('{"judgmentRatings": ' + "[" * 200, r"nested deeper than 100 levels"),
        ('{"judgmentRatings": [{"query": "\\ud800"}]}', r"half a surrogate pair"),
        ('{"requests": 1, "ratings": 1}', r":1: there is no list 'requests' of objects"),
        ('{"queries": 1, "placeholders": 1}', r":1: there is no list 'queries' of objects"),
        (
            '{"queries": [\n{"placeholders": {"$query": "a"}, "relevant_documents": {"d": 3}}]}',
            r":2: 'd' has neither documents nor a gain",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file: Path, content: str, told: str) -> None:
    file.write_text(content)
    with pytest.raises(InputError, match=told):
        read_qrels(file)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            '{"judgmentRatings": [{"query": "a", "ratings": [{"docId": "d", "rating": 1}]}, '
            '{"query": "b", "ratings": [{"docId": "d", "rating": 1}, {"docId": "e"}]}]}',
            "query 2, rating 2: the document has no rating",
        ),
        (
            '{"requests": [{"id": "a", "ratings": []}, '
            '{"id": "b", "ratings": [{"_id": "d", "rating": 1}, {"rating": 1}]}]}',
            "request 2, rating 2: the document has no id",
        ),
        (
            '{"queries": [{"placeholders": {"$query": "a"}, "relevant_documents": {}}, '
            '{"placeholders": {"$query": "b"}, "relevant_documents": {"d": {"gain": "x"}}}]}',
            "query 2, document 'd': grade 'x' is not a whole number",
        ),
        (
            '{"topics": [{"query_groups": []}, {"query_groups": [{"queries": []}, {"queries":'
            ' [{"placeholders": {"$query": "a"}}, {"placeholders": {}}]}]}]}',
            "topic 2, query group 2, query 2: the query has no text",
        ),
        (
            '{"query_doc_pairs": [{"query_text": "a", "doc_id": "d"}, {"query_text": "a", '
            '"doc_id": "e", "judgements": [{"rating": 1}, {"rating": "x"}]}]}',
            "pair 2, judgement 2: grade 'x' is not a whole number",
        ),
        (
            '{"query_doc_pairs": [{"query_text": "a", "doc_id": "d"}, {"query_text": "a"}]}',
            "pair 2: the document has no id",
        ),
    ],
)
def test_what_is_wrong_in_a_file_of_one_line_is_told_with_its_number(
    file: Path, content: str, told: str
) -> None:
    file.write_text(content)
    with pytest.raises(InputError) as caught:
        read_grades(file)
    assert str(caught.value).startswith(f"{file}:1: {told}")


def test_empty_columns_of_a_book_in_csv_are_passed_over(file: Path) -> None:
    file.write_text("query,docid,,Ann,, \nread,d1,,3,, \nread,d2,,,,\n")
    read = read_grades(file)
    assert read.judgments is not None
    assert [(one.doc_id, one.judge, one.decision, one.grade) for one in read.judgments] == [
        ("d1", "Ann", "grade", 3),
        ("d2", "", "open", None),
    ]
    assert list(read.notes) == []
    file.write_text("query,docid,Ann,,\nread,d1,3,,\nread,d2,3,,1\n")
    told = r":1: column 5 has no name, and holds '1' on line 3; give each judge's column a name$"
    with pytest.raises(InputError, match=told):
        read_grades(file)


def test_judges_of_one_name_in_a_book_in_csv_are_told_apart(file: Path) -> None:
    file.write_text("query,docid,Ann,Anonymous,Ann,Ann 2,Anonymous,Ann\nread,d1,3,2,1,0,,2\n")
    read = read_grades(file)
    assert read.judgments is not None
    assert [(one.judge, one.grade) for one in read.judgments] == [
        ("Ann", 3),
        ("Anonymous", 2),
        ("Ann 3", 1),
        ("Ann 2", 0),
        ("Ann 4", 2),
    ]
    assert list(read.notes) == [
        "3 columns are called 'Ann': in their order they are of 'Ann', 'Ann 3', 'Ann 4'",
        "2 columns are called 'Anonymous': in their order they are of 'Anonymous', 'Anonymous 2'",
        "nothing is rated by 'Anonymous 2', who becomes no judge",
    ]


def test_a_pair_of_a_book_without_a_query_is_told_by_its_text(file: Path) -> None:
    file.write_text(
        '{"query_doc_pairs": [\n{"query_text": null, "doc_id": "d", "judgements": []}]}'
    )
    (problem,) = check_file(file)
    assert str(problem) == f"{file}:2: the query has no text; write it in 'query_text', as a string"


BOOK = """\
{"name": "B", "scale": "0,1,2,3", "scale_with_labels": {"0": "Poor"},
 "query_doc_pairs": [
  {"query_text": "read a CSV file", "doc_id": "csv.reader", "position": 1,
   "document_fields": "{\\"title\\": \\"x\\"}", "judgements": [
    {"rating": 3.0, "unrateable": false, "judge_later": false, "user_email": "ann@x.org",
     "explanation": "all there"},
    {"rating": null, "unrateable": true, "judge_later": false, "user_email": "bob@x.org"},
    {"rating": null, "unrateable": false, "judge_later": true, "explanation": null}]},
  {"query_text": "sort lists", "doc_id": "sorted", "judgements": [
    {"rating": 1.0, "user_email": "ann@x.org"}]}]}
"""


def test_a_book_in_json_keeps_what_is_unrateable(file: Path) -> None:
    file.write_text(BOOK)
    judgments = read_grades(file).judgments
    assert judgments is not None
    assert [(one.line, *one[3:7]) for one in judgments] == [
        (5, "ann@x.org", "grade", 3, "all there"),
        (7, "bob@x.org", "cannot", None, ""),
        (8, "Anonymous", "skip", None, ""),
        (10, "ann@x.org", "grade", 1, ""),
    ]
    assert check_file(file) == []
    file.write_text(BOOK.replace("bob@x.org", "ann@x.org"))
    with pytest.raises(InputError, match=r":7: 'ann@x\.org' has judged document 'csv\.reader' for"):
        read_grades(file)


def test_a_doubled_row_of_a_book_names_the_query_as_the_file_does(file: Path) -> None:
    file.write_text("query,docid,Ann\nstar wars,a b,3\nstar wars,a b,2\n")
    with pytest.raises(InputError, match=r":3: 'Ann' has judged document 'a%20b' for query"):
        read_grades(file)


FIELDS = (
    '{"query_doc_pairs": [{"query_text": "a", "doc_id": "d 1", "document_fields": {"title": "T",'
    ' "body": "x\\ny", "cast": ["M", "C"], "year": 1977, "none": null}, "judgements": []},\n'
    '{"query_text": "a", "doc_id": "d2", "document_fields": "{\\"body\\": \\"z\\"}"},\n'
    '{"query_text": "b", "doc_id": "d2", "document_fields": {"body": "y"}},\n'
    '{"query_text": "b", "doc_id": "d3", "document_fields": {}}]}'
)


def test_a_book_in_json_has_documents(file: Path) -> None:
    file.write_text(FIELDS)
    assert [(line, one.doc_id, one.title, one.text) for line, one in iter_documents(file)] == [
        (1, "d%201", "T", "body: x\ny\n\ncast: M, C\n\nyear: 1977"),
        (2, "d2", "", "body: z"),
    ]
    notes: list[str] = []
    assert check_file(file, format="documents", noted=notes.append) == []
    assert check_file(file, noted=notes.append) == []
    assert notes == [
        "1 document with other fields in a later pair: the first are taken",
        "'document_fields' of 3 pairs left out: load docs takes them",
    ]
    file.write_text(FIELDS.replace('{"body": "y"}', '"y"'))
    with pytest.raises(InputError, match=":3: 'document_fields' is no object; write"):
        list(iter_documents(file))
    file.write_text('{"query_doc_pairs": [{"query_text": "a", "doc_id": "d"}]}')
    with pytest.raises(InputError, match="no pair of the book has 'document_fields'; give"):
        list(iter_documents(file))


TEXTS = st.text(
    st.one_of(
        st.sampled_from(' ",;\n\r=+-@a'),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=8,
).filter(lambda text: bool(text.split()))


@settings(max_examples=200)
@example('"', ['""', '"""'], '"', '""""')
@example("\uf900", ["cafe\u0301"], "0", "0")
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3, unique_by=as_field), TEXTS, TEXTS)
def test_any_snapshot_and_case_come_back(
    tmp_path_factory: pytest.TempPathFactory, query: str, docs: list[str], title: str, name: str
) -> None:
    file = tmp_path_factory.getbasetemp() / "case.csv"
    rows = [CaseRow(query, doc, place, title, place) for place, doc in enumerate(docs, 1)]
    query_id = as_field(" ".join(query.split()))
    expected = {query_id: {as_field(doc): -float(place) for place, doc in enumerate(docs, 1)}}
    file.write_text("".join(snapshot_csv(name, rows)), newline="", encoding="utf-8")
    read = read_run(file, format="quepid")
    assert (read.tag, read.scores) == (as_field(name.strip()), expected)
    file.write_text("".join(detailed_csv(name, rows)), newline="", encoding="utf-8")
    assert read_run(file, format="quepid").scores == expected
    grades = {as_field(doc): place for place, doc in enumerate(docs, 1)}
    assert read_qrels(file, format="quepid") == {query_id: grades}


def test_of_several_snapshots_the_one_that_is_named_is_read(file: Path) -> None:
    file.write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
        "old,2020,1,x,d1,1\nold,2020,1,x,d2,2\nmy new,2021,1,x,d2,1\nmy new,2021,1,x,d1,2\n"
    )
    notes: list[str] = []
    assert check_file(file, noted=notes.append) == []
    assert notes == ["2 snapshots, each a run: 'old', 'my%20new'"]
    assert read_run(file, tag="old").scores == {"x": {"d1": -1.0, "d2": -2.0}}
    for tag in ("my new", "my%20new"):
        run = read_run(file, tag=tag)
        assert (run.tag, run.scores) == ("my%20new", {"x": {"d2": -1.0, "d1": -2.0}})
    said = ":4: the file holds 2 snapshots: 'old', 'my%20new'(, and none is called 'other')?; say"
    for tag in (None, "other"):
        with pytest.raises(InputError, match=said):
            read_run(file, tag=tag)


@pytest.mark.parametrize("rows", ["my new,,1,x,d1,1\n", "my new,,1,x\n"])
def test_the_name_of_the_only_snapshot_is_the_tag(file: Path, rows: str) -> None:
    file.write_text(f"{SNAPSHOT}\n{rows}")
    assert read_run(file).tag == "my%20new"
    assert read_run(file, tag="b").tag == "b"
    (run,) = score_sources({"x": {"d1": 1}}, [file], "RR").runs
    assert run.tag == "my%20new"
    file.write_text(f"{SNAPSHOT}\n{rows.removeprefix('my new')}")
    assert read_run(file).tag == "given"


def test_every_form_of_a_book_can_be_read_and_tells_queries_by_their_text() -> None:
    assert set(BOOK_FORMS) <= set(names_of("judgments"))
    assert all(format_named("judgments", name).by_text for name in BOOK_FORMS)
    of_qrels = {form.name for form in all_formats() if form.kind == "qrels" and form.by_text}
    assert of_qrels == {"quepid", "quepid-json", "rre", "opensearch"}


@pytest.mark.parametrize(
    "content",
    [
        {
            "queries": [
                {"placeholders": {"$query": "a"}, "relevant_documents": {"3": ["d"], "2": []}},
                {"placeholders": {"$query": "b"}, "relevant_documents": {"3": []}},
                {"placeholders": {"$query": "c"}, "relevant_documents": {}},
                {"placeholders": {"$query": "a", "$shop": "x"}},
            ]
        },
        {
            "judgmentRatings": [
                {"query": "a", "ratings": [{"docId": "d", "rating": "3"}]},
                {"query": "b", "ratings": []},
                {"query": "c", "ratings": []},
            ]
        },
        {
            "requests": [
                {"id": "a", "ratings": [{"_id": "d", "rating": 3}]},
                {"id": "b", "ratings": []},
                {"id": "c", "ratings": []},
            ]
        },
    ],
)
def test_queries_that_nothing_is_rated_for_are_counted(
    tmp_path: Path, content: dict[str, Any]
) -> None:
    (tmp_path / "f").write_text(json.dumps(content))
    notes: list[str] = []
    assert read_qrels(tmp_path / "f", noted=notes.append) == {"a": {"d": 3}}
    assert notes == ["2 queries have no documents in the file"]


def test_a_gain_that_is_none_is_told_with_its_document(tmp_path: Path) -> None:
    query = {"placeholders": {"$query": "a"}, "relevant_documents": {"d1": {"gain": None}}}
    (tmp_path / "f").write_text(json.dumps({"queries": [query, query]}))
    with pytest.raises(InputError, match="query 1, document 'd1': the document has no rating"):
        read_qrels(tmp_path / "f")
