"""What is written is read back as it was, in every form that there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.csv_files import in_a_field
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.query_names import QueryText, folded_text
from judge_tui.formats.rows import iter_documents, iter_queries, iter_rows
from judge_tui.formats.whole_files import read_qrels, read_run
from judge_tui.formats.writers import (
    COLLECTIONS,
    JUDGMENT_FORMS,
    QRELS_FORMS,
    RUN_FORMS,
    GradedQuery,
    JudgmentsToWrite,
    QrelsToWrite,
    RunToWrite,
    Task,
)
from judge_tui.formats.writing import write_lines
from judge_tui.model import Document, Query, Run, rank

# The formats that read what is written, where their names are others.
READ_AS = {"quepid-snapshot": "quepid", "quepid-detailed": "quepid", "ranx": "json"}
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
RISKY = st.builds(str.__add__, st.sampled_from([*"=+-@'\"\ufeff\u00a0,;", ""]), TEXT)
# Quepid doubles quotes: two of them cannot be told from one.
WORDS = RISKY.filter(lambda text: text.strip() and '""' not in text)
IDS = WORDS.map(id_in).filter(lambda one: one[0] != "#")
GRADES = st.dictionaries(IDS, st.integers(0, 9), min_size=1, max_size=3)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
SCORES = st.dictionaries(IDS, NUMBERS, min_size=1, max_size=3)
TEXTS = WORDS.map(folded_text)
VERDICTS = st.tuples(
    st.sampled_from(["grade", "skip", "cannot"]), st.integers(0, 3), st.just("") | WORDS
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trip") / "file"


def of_queries(*values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Of one to three queries: id -> text, and such values."""
    return st.dictionaries(IDS, st.tuples(TEXTS, *values), min_size=1, max_size=3).filter(
        lambda queries: len({text for text, *_ in queries.values()}) == len(queries)
    )


def named(form: Any, texts: dict[str, str], by_id: dict[str, Any]) -> dict[str, Any]:
    """Under the names that queries have in this form."""
    return {texts[one] if form.by_text else one: value for one, value in by_id.items()}


@given(of_queries(GRADES))
def test_qrels(path: Path, queries: dict[str, tuple[str, dict[str, int]]]) -> None:
    texts = {one: text for one, (text, _) in queries.items()}
    qrels = {one: grades for one, (_, grades) in queries.items()}
    graded = [GradedQuery(one, *of) for one, of in queries.items()]
    for name, form in QRELS_FORMS.items():
        write_lines(path, form.lines(QrelsToWrite(graded, "index")))
        read_as = {"msmarco": "trec", **READ_AS}.get(name, name)
        assert read_qrels(path, format=read_as) == named(form, texts, qrels), name


@given(of_queries(SCORES, GRADES), IDS)
def test_runs(path: Path, queries: dict[str, tuple[str, Any, Any]], tag: str) -> None:
    texts = {one: text for one, (text, _, _) in queries.items()}
    run = Run(tag, {one: scores for one, (_, scores, _) in queries.items()})
    grades = {one: its for one, (_, _, its) in queries.items()}
    ranked = {one: rank(docs) for one, docs in run.scores.items()}
    to_write = RunToWrite(run, ["nothing"], {**texts, "nothing": "not found"}, {}, grades, "c")
    for name, form in RUN_FORMS.items():
        write_lines(path, form.lines(to_write))
        read = read_run(path, format=READ_AS.get(name, name))
        if name in ("trec", "ranx"):
            assert read.scores == run.scores
        found = {one: rank(docs) for one, docs in read.scores.items()}
        assert found == named(form, texts, ranked), name
        if form.has_nothing_found:
            assert read.asked == {*read.scores, "not found" if form.by_text else "nothing"}, name
        if name == "results":
            assert read_qrels(path, format=name) == grades


@given(
    st.builds(Query, IDS, WORDS),
    st.builds(Document, IDS),
    st.dictionaries(IDS, VERDICTS, min_size=1, max_size=3),
)
def test_judgments(
    path: Path, query: Query, document: Document, verdicts: dict[str, tuple[Any, int, str]]
) -> None:
    for name, form in JUDGMENT_FORMS.items():
        query_id = QueryText(query.text) if form.by_text else query.query_id
        judged = {}
        for judge, (decided, grade, note) in verdicts.items():
            number = grade if decided == "grade" else None
            its_note = "" if name == "quepid-book" else note
            in_words = "skipped" if number is None else f"grade {grade}"
            if decided in (form.people or form.models):
                judged[judge] = JudgmentRow(
                    0, query_id, document.doc_id, judge, decided, number, its_note, label=in_words
                )
        if not judged:
            continue
        write_lines(path, form.lines(JudgmentsToWrite([Task(query, document, [*judged.values()])])))
        for row in iter_rows("judgments", path, name):
            expected = judged.pop(row.judge)
            assert row[1:4] == expected[1:4], name
            assert row.note == expected.note, name
            # These two have the words in which a scale calls its grades.
            if name in ("label-studio", "doccano"):
                assert row.label == expected.label or (row.decision == "skip" and not row.label)
            else:
                assert (row.decision, row.grade) == (expected.decision, expected.grade), name
        assert not judged, name


KEPT_BY_NAME = {"doc_id", "_id", "id", "query_id", "title", "text", "metadata", "url", "kind"}
METADATA = st.dictionaries(
    TEXT.filter(lambda name: name not in {*KEPT_BY_NAME, "description", "narrative", "class"}),
    TEXT | st.integers() | st.none() | st.lists(TEXT, max_size=2),
    max_size=3,
)


@given(
    query=st.builds(Query, IDS, WORDS, TEXT, TEXT, TEXT, METADATA),
    document=st.builds(Document, IDS, TEXT, WORDS, TEXT, TEXT, METADATA),
)
def test_collections(path: Path, query: Query, document: Document) -> None:
    # Behind another one: two words in front of all others may be a header.
    first, other = Query("first.", "first"), Document("first.", text="first")
    for name, form in COLLECTIONS.items():
        write_lines(path, form.queries_writer.lines([first, query]))
        read_as = "tsv" if form.in_fields else "jsonl"
        queries = [one for _, one in iter_queries(path, format=read_as)]
        write_lines(path, form.documents_writer.lines([other, document]))
        documents = [one for _, one in iter_documents(path, format=read_as)]
        expected: tuple[Query, Document] = (query, document)
        if form.in_fields:
            expected = (
                Query(query.query_id, in_a_field(query.text)),
                Document(document.doc_id, text=in_a_field(document.text)),
            )
        assert (queries, documents) == ([first, expected[0]], [other, expected[1]]), name
