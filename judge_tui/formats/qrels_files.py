"""Qrels as other tools take them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats.quepid_csv import ratings_csv
from judge_tui.formats.query_names import folded_text
from judge_tui.model import Qrels

__all__ = ["QRELS_FORMS", "foreign_qrels", "one_text_each"]


_Queries: TypeAlias = Sequence[tuple[str, str, Mapping[str, int]]]
"""Of each query the id, the text, and the grades of its documents."""


class _Form(NamedTuple):
    """How it is written, of texts, ids and grades; whether it needs the name of an index, and
    names queries by their text."""

    write: Callable[[_Queries, str], Iterable[str]]
    needs_index: bool = False
    by_text: bool = True


def foreign_qrels(form: str, qrels: Qrels, texts: Mapping[str, str], index: str | None) -> bytes:
    """The bytes of qrels in one of `QRELS_FORMS`, queries and documents in order of their ids.

    `texts` of queries by id. Raises `UsageError` where two queries have one text and the form names
    them by it, and where it needs an `index` and has none.
    """
    how = QRELS_FORMS[form]
    if how.needs_index and not index:
        raise UsageError(f"{form} names the index of the documents", "give it with --index NAME")
    its_texts = {query_id: texts[query_id] for query_id in qrels}
    with_ids = ", ".join(name for name, other in QRELS_FORMS.items() if not other.by_text)
    words = (
        one_text_each(its_texts, form, f"{with_ids} or trec") if how.by_text else _words(its_texts)
    )
    queries = [
        (query_id, words[query_id], dict(sorted(grades.items())))
        for query_id, grades in sorted(qrels.items())
    ]
    return "".join(how.write(queries, index or "")).encode()


def one_text_each(texts: Mapping[str, str], form: str, instead: str) -> dict[str, str]:
    """The texts of queries, white space as single blanks. Raises `UsageError` where several have
    the same: the form has nothing else to tell them by, and `instead` are forms that have."""
    words = _words(texts)
    of_text: dict[str, list[str]] = {}
    for query_id, text in words.items():
        of_text.setdefault(text, []).append(query_id)
    same = [ids for ids in of_text.values() if len(ids) > 1]
    if same:
        one, other, *more = same[0]
        so = f" (so are {', '.join(more)})" if more else ""
        so += f"; so it is with {len(same):,} texts in all" if len(same) > 1 else ""
        raise UsageError(
            f"queries {one} and {other} are both {words[one]!r:.70}{so}, and {form} tells queries"
            " by their text",
            f"write {instead}, which have ids; or, if they are one query, give them one id in what"
            " export judgments and export run write, and load that into a new campaign",
        )
    return words


def _words(texts: Mapping[str, str]) -> dict[str, str]:
    return {query_id: folded_text(text) for query_id, text in texts.items()}


def _beir(queries: _Queries, _index: str) -> Iterator[str]:
    yield "query-id\tcorpus-id\tscore\n"
    for query_id, _, docs in queries:
        for doc_id, grade in docs.items():
            yield f"{query_id}\t{doc_id}\t{grade}\n"


def _msmarco(queries: _Queries, _index: str) -> Iterator[str]:
    for query_id, _, docs in queries:
        for doc_id, grade in docs.items():
            yield f"{query_id}\t0\t{doc_id}\t{grade}\n"


def _ranx(queries: _Queries, _index: str) -> Iterator[str]:
    qrels = {query_id: docs for query_id, _, docs in queries}
    yield json.dumps(qrels, indent=2, ensure_ascii=False) + "\n"


def _quepid(queries: _Queries, _index: str) -> Iterator[str]:
    return ratings_csv(
        (text, doc_id, grade) for _, text, docs in queries for doc_id, grade in docs.items()
    )


def _quepid_json(queries: _Queries, _index: str) -> Iterator[str]:
    yield from _json({"queries": [{"query": text, "ratings": docs} for _, text, docs in queries]})


def _rre(queries: _Queries, index: str) -> Iterator[str]:
    def by_grade(docs: Mapping[str, int]) -> dict[str, list[str]]:
        # This of its two shapes is the one that Quepid takes, too.
        grades = sorted(set(docs.values()), reverse=True)
        return {str(one): [doc for doc, grade in docs.items() if grade == one] for one in grades}

    yield from _json(
        {
            "id_field": "id",
            "index": index,
            "template": "template.json",
            "queries": [
                {"placeholders": {"$query": text}, "relevant_documents": by_grade(docs)}
                for _, text, docs in queries
            ],
        }
    )


def _opensearch(queries: _Queries, _index: str) -> Iterator[str]:
    def ratings(docs: Mapping[str, int]) -> list[dict[str, str]]:
        # As strings: the first versions take no numbers.
        return [{"docId": doc_id, "rating": str(grade)} for doc_id, grade in docs.items()]

    yield from _json(
        {
            "name": "judge_tui",
            "description": "exported from a campaign of judge_tui",
            "type": "IMPORT_JUDGMENT",
            "judgmentRatings": [
                {"query": text, "ratings": ratings(docs)} for _, text, docs in queries
            ],
        }
    )


def _rank_eval(queries: _Queries, index: str) -> Iterator[str]:
    source = {"query": {"simple_query_string": {"query": "{{query}}"}}}
    yield from _json(
        {
            "templates": [{"id": "search", "template": {"source": source}}],
            "requests": [
                {
                    "id": query_id,
                    "template_id": "search",
                    "params": {"query": text},
                    "ratings": [
                        {"_index": index, "_id": doc_id, "rating": grade}
                        for doc_id, grade in docs.items()
                    ],
                }
                for query_id, text, docs in queries
            ],
            "metric": {"dcg": {"k": 10, "normalize": True}},
        }
    )


def _json(document: Mapping[str, Any]) -> Iterator[str]:
    yield json.dumps(document, indent=1, ensure_ascii=False) + "\n"


QRELS_FORMS: dict[str, _Form] = {
    "quepid": _Form(_quepid),
    "quepid-json": _Form(_quepid_json),
    "rre": _Form(_rre, needs_index=True),
    "opensearch": _Form(_opensearch),
    "rank-eval": _Form(_rank_eval, needs_index=True, by_text=False),
    "beir": _Form(_beir, by_text=False),
    "msmarco": _Form(_msmarco, by_text=False),
    "ranx": _Form(_ranx, by_text=False),
}
"""The formats other than TREC's that qrels are exported in, by the names that readers have."""
