"""Whatever an id is made of, it comes back from each form of other tools that holds ids."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import (
    decode_id,
    encode_id,
    iter_documents,
    iter_qrels,
    iter_queries,
    read_grades,
    read_run,
    recognise,
)
from judge_tui.formats.book_files import BOOK_FORMS, Book
from judge_tui.formats.collection_files import COLLECTIONS
from judge_tui.formats.ids import read_back_otherwise
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.labelling_files import JUDGMENT_FILES, Pair
from judge_tui.formats.qrels_files import QRELS_FORMS, foreign_qrels
from judge_tui.formats.run_files import RUN_FORMS, RunToWrite
from judge_tui.formats.runs_and_qrels import run_in
from judge_tui.formats.source import open_source
from judge_tui.model import Document, Query, Run

# What a spreadsheet would run, what guards against that, quotes, separators, codes, numbers.
IDS = st.text(st.sampled_from([*"=+-@'\"%,;|#:{[\\ \t20xé"]), min_size=1, max_size=5).filter(
    str.strip
)
PLAIN_IDS = IDS.filter(lambda one: not read_back_otherwise([one]))
# By texts, in which any white space is a blank.
TEXTS = PLAIN_IDS.map(lambda text: text.replace("\t", " ")).filter(
    lambda text: "  " not in text and not read_back_otherwise([text])
)
GUARDED = "'-foo", "''x", "'=", "'@a"
CODED = "0%200"
EDGED = ["https://x.org/a%20", "%20a", "%2520a%0A", "a b%20", "a%20b%20", "%20"]


@pytest.mark.parametrize("form", QRELS_FORMS)
def test_in_qrels(tmp_path: Path, form: str) -> None:
    how = QRELS_FORMS[form]
    docs = IDS if how.any_id else PLAIN_IDS

    @settings(max_examples=60, deadline=None)
    @given(st.dictionaries(TEXTS, st.lists(docs, min_size=1, max_size=4, unique=True), min_size=1))
    @example({"q": list(GUARDED), "'-q": ["d"], "''q": ["d"]})
    @example({CODED: [CODED]})
    @example(dict.fromkeys(EDGED, EDGED))
    def comes_back(given: dict[str, list[str]]) -> None:
        qrels = {query: {doc: place for place, doc in enumerate(d)} for query, d in given.items()}
        path = tmp_path / "given"
        path.write_bytes(foreign_qrels(form, qrels, {one: one for one in qrels}, "index"))
        name = {"ranx": "json", "msmarco": "trec"}.get(form, form)
        found: dict[str, dict[str, int]] = {}
        for row in iter_qrels(path, format=name, exact=True):
            found.setdefault(decode_id(row.query_id), {})[decode_id(row.doc_id)] = row.grade
        assert found == qrels

    comes_back()


@pytest.mark.parametrize("form", RUN_FORMS)
def test_in_runs(tmp_path: Path, form: str) -> None:
    how = RUN_FORMS[form]
    docs = IDS if how.any_id else PLAIN_IDS

    @settings(max_examples=60, deadline=None)
    @given(st.dictionaries(TEXTS, st.lists(docs, min_size=1, max_size=4, unique=True), min_size=1))
    @example({"q": list(GUARDED), "'-q": ["d"], "''q": ["d"]})
    @example({CODED: [CODED]})
    @example(dict.fromkeys(EDGED, EDGED))
    def comes_back(given: dict[str, list[str]]) -> None:
        scores = {
            query: {doc: float(-place) for place, doc in enumerate(docs, 1)}
            for query, docs in given.items()
        }
        grades = {query: {"not returned": 1} for query in given}
        run = RunToWrite(Run("tag", scores), (), {one: one for one in given}, {}, grades, "c")
        path = tmp_path / "given"
        path.write_text("".join(how.lines(run)), newline="")
        name = {"ranx": "json"}.get(form, form.split("-", maxsplit=1)[0])
        with open_source(path, twice=True) as source:
            read = run_in(source, format=name, exact=True).scores
        assert {
            decode_id(query): {decode_id(doc): score for doc, score in found.items()}
            for query, found in read.items()
        } == scores

    comes_back()


def judged(query: str, docs: Iterable[str], kind: str) -> list[JudgmentRow]:
    return [
        JudgmentRow(0, query, doc, "ann", "grade", 1, label="yes", kind=kind, query_text=query)
        for doc in docs
    ]


@pytest.mark.parametrize("form", [*JUDGMENT_FILES, *BOOK_FORMS])
def test_in_judgments(tmp_path: Path, form: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(TEXTS, st.lists(PLAIN_IDS, min_size=1, max_size=4, unique=True))
    @example("'-q", list(GUARDED))
    @example("''q", list(GUARDED))
    @example(CODED, [CODED])
    @example(EDGED[0], EDGED)
    @example(EDGED[1], EDGED)
    def comes_back(query: str, docs: list[str]) -> None:
        path = tmp_path / "given"
        if form in BOOK_FORMS:
            lines = BOOK_FORMS[form].lines(Book("b", {0: "no", 1: "yes"}, judged(query, docs, "")))
        else:
            how = JUDGMENT_FILES[form]
            (kind,) = how.kinds - {"human"} if "human" not in how.kinds else {"human"}
            lines = how.lines(
                (Pair(query, query, "", one.doc_id, "", "text"), [one])
                for one in judged(query, docs, kind)
            )
        path.write_text("".join(lines), newline="")
        rows = read_grades(path, format=form.removesuffix("-session")).judgments
        if form != "hical-session":
            assert {decode_id(row.query_id) for row in rows} == {query}
        assert [decode_id(row.doc_id) for row in rows] == docs

    comes_back()


@pytest.mark.parametrize("form", COLLECTIONS)
def test_in_collections(tmp_path: Path, form: str) -> None:
    how = COLLECTIONS[form]
    name = {"beir": "jsonl", "msmarco": "tsv"}[form]

    @settings(max_examples=60, deadline=None)
    @given(st.lists(IDS if form == "msmarco" else PLAIN_IDS, min_size=1, unique=True))
    @example([*GUARDED])
    @example([CODED])
    @example(EDGED)
    def comes_back(ids: list[str]) -> None:
        # Those with codes are in all files as they are in the qrels.
        read = [encode_id(one) if how.coded([one]) else one for one in ids]
        path = tmp_path / "given"
        texts = how.write_corpus(Document(one, text=one) for one in ids)
        path.write_text("".join(texts), newline="")
        assert [
            decode_id(one.doc_id) for _, one in iter_documents(path, format=name, exact=True)
        ] == read
        path.write_text("".join(how.write_queries(Query(one, one) for one in ids)), newline="")
        assert [
            decode_id(one.query_id) for _, one in iter_queries(path, format=name, exact=True)
        ] == read

    comes_back()


def test_a_ranking_of_ids_with_two_blanks_is_no_run_of_trec(tmp_path: Path) -> None:
    path = tmp_path / "given"
    path.write_text("q1\tmy big file\t1\nq1\tanother nice one\t2\nq1\tthe third one\t3\n")
    assert recognise(path) == ("run", "msmarco")
    scores = {"my%20big%20file": -1.0, "another%20nice%20one": -2.0, "the%20third%20one": -3.0}
    assert read_run(path).scores == {"q1": scores}
    # Of less it is not known what the number is.
    path.write_text("q1\tmy big file\t1\nq1\tanother nice one\t2\n")
    with pytest.raises(InputError, match="two ids and a number, and no header"):
        read_run(path)
    path.write_text("q1 Q0 d1\t1\t5\nq1 Q0 d2\t2\t4\n")
    assert read_run(path).scores == {"q1": {"d1": 5.0, "d2": 4.0}}
