"""What is written is read back as it was, in every form that there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.query_names import QueryText, folded_text
from judge_tui.formats.rows import iter_documents, iter_queries, iter_rows
from judge_tui.formats.tsv_files import in_a_field
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
TEXTS = st.dictionaries(IDS, WORDS.map(folded_text), min_size=1, max_size=3).filter(
    lambda texts: len({*texts.values()}) == len(texts)
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trip") / "file"


def named(form: Any, texts: dict[str, str], by_id: dict[str, Any]) -> dict[str, Any]:
    """Under the names that queries have in this form."""
    return {texts[one] if form.by_text else one: value for one, value in by_id.items()}


@pytest.mark.parametrize("name", QRELS_FORMS)
@given(texts=TEXTS, data=st.data())
def test_qrels(path: Path, name: str, texts: dict[str, str], data: st.DataObject) -> None:
    form, qrels = QRELS_FORMS[name], {one: data.draw(GRADES) for one in texts}
    queries = [GradedQuery(one, texts[one], grades) for one, grades in qrels.items()]
    write_lines(path, form.lines(QrelsToWrite(queries, "index")))
    read_as = {"msmarco": "trec", **READ_AS}.get(name, name)
    assert read_qrels(path, format=read_as) == named(form, texts, qrels)


@pytest.mark.parametrize("name", RUN_FORMS)
@given(texts=TEXTS, tag=IDS, data=st.data())
def test_runs(path: Path, name: str, texts: dict[str, str], tag: str, data: st.DataObject) -> None:
    form = RUN_FORMS[name]
    scores = st.dictionaries(IDS, st.floats(allow_nan=False, allow_infinity=False), min_size=1)
    run = Run(tag, {one: data.draw(scores) for one in texts})
    grades = {one: data.draw(GRADES) for one in texts}
    to_write = RunToWrite(run, ["nothing"], {**texts, "nothing": "not found"}, {}, grades, "c")
    write_lines(path, form.lines(to_write))
    read = read_run(path, format=READ_AS.get(name, name))
    if name in ("trec", "ranx"):
        assert read.scores == run.scores
    ranked = {one: rank(docs) for one, docs in run.scores.items()}
    assert {one: rank(docs) for one, docs in read.scores.items()} == named(form, texts, ranked)
    if form.has_nothing_found:
        assert read.asked == {*read.scores, "not found" if form.by_text else "nothing"}
    if name == "results":
        assert read_qrels(path, format=name) == grades


@pytest.mark.parametrize("name", JUDGMENT_FORMS)
@given(query=st.builds(Query, IDS, WORDS), document=st.builds(Document, IDS), data=st.data())
def test_judgments(
    path: Path, name: str, query: Query, document: Document, data: st.DataObject
) -> None:
    form = JUDGMENT_FORMS[name]
    query_id = QueryText(query.text) if form.by_text else query.query_id
    decision = st.sampled_from(sorted(form.decisions))
    what = st.tuples(decision, st.integers(0, 3), WORDS if form.notes else st.just(""))
    said = {}
    for judge, (decided, grade, note) in data.draw(st.dictionaries(IDS, what, min_size=1)).items():
        number = grade if decided == "grade" else None
        in_words = "skipped" if number is None else f"grade {grade}"
        said[judge] = JudgmentRow(
            0, query_id, document.doc_id, judge, decided, number, note, label=in_words
        )
    write_lines(path, form.lines(JudgmentsToWrite([Task(query, document, [*said.values()])])))
    for row in iter_rows("judgments", path, name):
        expected = said.pop(row.judge)
        assert row[1:4] == expected[1:4]
        assert row.note == expected.note
        # These two have the words in which a scale calls its grades.
        if name in ("label-studio", "doccano"):
            assert row.label == expected.label or (row.decision == "skip" and not row.label)
        else:
            assert (row.decision, row.grade) == (expected.decision, expected.grade)
    assert not said


KEPT_BY_NAME = {"doc_id", "_id", "id", "query_id", "title", "text", "metadata", "url", "kind"}
METADATA = st.dictionaries(
    TEXT.filter(lambda name: name not in {*KEPT_BY_NAME, "description", "narrative", "class"}),
    TEXT | st.integers() | st.none() | st.lists(TEXT, max_size=2),
    max_size=3,
)


@pytest.mark.parametrize("name", COLLECTIONS)
@given(
    query=st.builds(Query, IDS, WORDS, TEXT, TEXT, TEXT, METADATA),
    document=st.builds(Document, IDS, TEXT, WORDS, TEXT, TEXT, METADATA),
)
def test_collections(path: Path, name: str, query: Query, document: Document) -> None:
    form = COLLECTIONS[name]
    # Behind another one: two words in front of all others may be a header.
    queries, documents = [Query("first.", "first"), query], [Document("first.", text="1"), document]
    write_lines(path, form.queries_writer.lines(queries))
    read_as = "tsv" if form.in_fields else "jsonl"
    found_queries = [one for _, one in iter_queries(path, format=read_as)]
    write_lines(path, form.documents_writer.lines(documents))
    found_documents = [one for _, one in iter_documents(path, format=read_as)]
    if form.in_fields:
        queries[1] = Query(query.query_id, in_a_field(query.text))
        documents[1] = Document(document.doc_id, text=in_a_field(document.text))
    assert (found_queries, found_documents) == (queries, documents)
